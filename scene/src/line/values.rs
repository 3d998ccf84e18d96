//! Values of the library as words of lines.

use attila_shader::draw::{ClipDepth, Cull, FrontFace, Location};
use attila_shader::isa::{Component, Slots};
use attila_shader::machine::pipeline::{
    Blend, BlendEquation, BlendFactor, BlendOp, ColourFormat, ColourTarget, Compare, DepthFormat,
    DepthTarget, InputKind, Plane,
};
use attila_shader::machine::{SAMPLES, SampleCount};
use attila_shader::texture::{
    Coordinates, CubeFaces, DepthMode, Dimension, Filter, Format, LodOrigin, MAX_LAYERS,
    MAX_SAMPLES, MipMode, Srgb, Wrap,
};

use super::{Line, Read, Words};
use crate::{joined, named};

named! {
    Format: Format::ALL;
    Filter: &[Filter::Nearest, Filter::Linear];
    MipMode: &[MipMode::None, MipMode::Nearest, MipMode::Linear];
    Wrap: &Wrap::ALL;
    Compare: &Compare::ALL;
    DepthMode: &DepthMode::ALL;
    Coordinates: &[Coordinates::Normalised, Coordinates::Texels];
    Srgb: &[Srgb::Linear, Srgb::Power, Srgb::Standard];
    LodOrigin: &[LodOrigin::Level0, LodOrigin::Base];
    CubeFaces: &[CubeFaces::PerLane, CubeFaces::PerQuad];
    InputKind: &[
        InputKind::Unused,
        InputKind::Position,
        InputKind::Flat,
        InputKind::Linear,
        InputKind::Perspective,
        InputKind::Array,
    ];
    ColourFormat: &ColourFormat::ALL;
    DepthFormat: &[DepthFormat::D32F, DepthFormat::D24];
    BlendOp: &BlendOp::ALL;
    BlendFactor: &BlendFactor::ALL;
    Cull: &[Cull::None, Cull::Front, Cull::Back];
    FrontFace: &[FrontFace::CounterClockwise, FrontFace::Clockwise];
    ClipDepth: &[ClipDepth::MinusOneToOne, ClipDepth::ZeroToOne];
    bool: &[false, true];
    Location: &[Location::Centre, Location::Centroid, Location::Sample];
}

joined! {
    Blend { colour, alpha }
    BlendEquation { op, src, dst }
    DepthTarget { format, compare, write }
    Plane { at, dx, dy }
}

/// As `d2` or `cube`; of images with layers or samples a name and their numbers, as `2d_array 3`.
impl Words for Dimension {
    fn words(&self) -> String {
        let name = self.kind().name();
        match self {
            Dimension::D1 => "d1".to_owned(),
            Dimension::D2 => "d2".to_owned(),
            Dimension::D3 => "d3".to_owned(),
            Dimension::Cube | Dimension::Rect | Dimension::Buffer => name.to_owned(),
            Dimension::D1Array { layers: number }
            | Dimension::D2Array { layers: number }
            | Dimension::CubeArray { cubes: number }
            | Dimension::D2Ms { samples: number } => format!("{name} {number}"),
            Dimension::D2MsArray { samples, layers } => format!("{name} {samples} {layers}"),
        }
    }

    fn read(line: &mut Line<'_>) -> Read<Dimension> {
        let word = line.word()?.to_ascii_lowercase();
        let mut number = |most: u32| line.count(most).map(|number| number.max(1));
        Ok(match &*word {
            "d1" => Dimension::D1,
            "d2" => Dimension::D2,
            "d3" => Dimension::D3,
            "cube" => Dimension::Cube,
            "rect" => Dimension::Rect,
            "buffer" => Dimension::Buffer,
            "1d_array" => Dimension::D1Array {
                layers: number(MAX_LAYERS)?,
            },
            "2d_array" => Dimension::D2Array {
                layers: number(MAX_LAYERS)?,
            },
            "cube_array" => Dimension::CubeArray {
                cubes: number(MAX_LAYERS)?,
            },
            "2dms" => Dimension::D2Ms {
                samples: number(MAX_SAMPLES)?,
            },
            "2dms_array" => Dimension::D2MsArray {
                samples: number(MAX_SAMPLES)?,
                layers: number(MAX_LAYERS)?,
            },
            _ => return Err(format!("`{word}` is not a kind of image")),
        })
    }
}

impl Words for SampleCount {
    fn words(&self) -> String {
        self.count().to_string()
    }

    fn read(line: &mut Line<'_>) -> Read<SampleCount> {
        let number = line.count(SAMPLES as u32)?;
        let count = SampleCount::of(number as usize);
        count.ok_or_else(|| format!("a pixel has 1, 2, 4, 8 or 16 samples, not {number}"))
    }
}

/// Each as `x,y`.
impl Words for Vec<[i8; 2]> {
    fn words(&self) -> String {
        let position = |[x, y]: &[i8; 2]| format!("{x},{y}");
        self.iter().map(position).collect::<Vec<_>>().join(" ")
    }

    fn read(line: &mut Line<'_>) -> Read<Vec<[i8; 2]>> {
        let mut positions = Vec::new();
        while let Ok(word) = line.word() {
            let axes = word.split_once(',');
            let numbers = axes.map(|(x, y)| (x.parse(), y.parse()));
            let Some((Ok(x), Ok(y))) = numbers else {
                return Err(format!("`{word}` is not a position, such as `-2,6`"));
            };
            positions.push([x, y]);
        }
        Ok(positions)
    }
}

/// Without blending, which has a line of its own.
impl Words for ColourTarget {
    fn words(&self) -> String {
        format!("{} {}", self.format.words(), self.mask.words())
    }

    fn read(line: &mut Line<'_>) -> Read<ColourTarget> {
        Ok(ColourTarget {
            format: Words::read(line)?,
            mask: Words::read(line)?,
            blend: None,
        })
    }
}

/// The letters of components, `-` if there are none.
impl Words for Slots {
    fn words(&self) -> String {
        match self.is_empty() {
            true => "-".to_owned(),
            false => self
                .components()
                .map(|component| component.letter())
                .collect(),
        }
    }

    fn read(line: &mut Line<'_>) -> Read<Slots> {
        let word = line.word()?;
        let one = |letter: char| {
            let component = Component::ALL
                .into_iter()
                .find(|it| it.letter() == letter)?;
            Some(Slots::only(component))
        };
        let letters = if word == "-" { "" } else { word };
        let slots: Option<Slots> = letters.chars().map(one).collect();
        slots.ok_or_else(|| format!("`{word}` is not a set of components"))
    }
}
