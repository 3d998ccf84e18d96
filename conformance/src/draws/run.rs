//! Runs a case on engines, and compares what they draw.

use attila_shader::machine::pipeline::{ColourFormat, DepthFormat, InputKind, Plane};
use attila_shader::machine::{Bindings, ErrorChain, QuadReg};

use super::DrawStatistics;
use super::case::{DrawCase, FrameCase, ShapeCase};
use crate::oracle::guard;
use crate::units::Answers;
use attila_shader::draw::{
    ColourBuffer, DepthBuffer, DepthState, Draw, PreparedDraw, TargetName, Varying, Vertices,
};
use attila_shader::{Engine, Shader};

/// The first frame after which two draws do not agree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawDifference {
    /// What was drawn with.
    pub drawn: [String; 2],
    /// The frame.
    pub frame: usize,
    /// What is not the same.
    pub what: DrawWhat,
}

/// What is not the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DrawWhat {
    /// How the frame ended.
    End([Result<(), String>; 2]),
    /// A pixel.
    Pixel {
        /// Of which target.
        target: TargetName,
        /// Column and row.
        place: [usize; 2],
        /// The pixel before the first frame, and after this one.
        before: Vec<u8>,
        /// The pixels.
        bytes: [Vec<u8>; 2],
    },
    /// The first draw changed a pixel, or what lies between rows, that it must not touch.
    Touched {
        /// Of which target.
        target: TargetName,
        /// Column and row.
        place: [usize; 2],
    },
}

/// The memory of a target.
#[derive(Clone, PartialEq, Eq)]
struct Memory {
    name: TargetName,
    pixel: usize,
    pitch: usize,
    bytes: Vec<u8>,
}

/// A frame that has been drawn: how that ended, and all targets.
struct Drawn {
    end: Result<(), String>,
    targets: Vec<Memory>,
}

/// Draws with each of the engines, and with one of them on several threads.
pub(super) fn compare(
    case: &DrawCase,
    engines: &[Engine],
    did: &mut DrawStatistics,
) -> Option<DrawDifference> {
    let (first, others) = engines.split_first()?;
    let start = targets(case);
    let expected = draw(case, first, 1);
    count(case, &start, &expected, did);
    let name = |engine: &Engine, threads| match threads {
        1 => engine.name().to_owned(),
        _ => format!("{} on {threads} threads", engine.name()),
    };
    let touched = touched(case, &start, &expected);
    if let Some((frame, what)) = touched {
        let drawn = [first, first].map(|engine| name(engine, 1));
        return Some(DrawDifference { drawn, frame, what });
    }
    let threaded = (case.threads > 1).then_some(first);
    threaded.into_iter().chain(others).find_map(|engine| {
        let got = draw(case, engine, case.threads);
        let (frame, what) = difference(case, &start, [&expected, &got])?;
        let drawn = [name(first, 1), name(engine, case.threads)];
        Some(DrawDifference { drawn, frame, what })
    })
}

fn count(case: &DrawCase, start: &[Memory], drawn: &[Drawn], did: &mut DrawStatistics) {
    did.frames += drawn.len() as u64;
    for (frame, drawn) in case.frames.iter().zip(drawn) {
        let covered = case.covered(frame).into_iter();
        did.covered += covered.filter(|covered| *covered).count() as u64;
        if let Err(message) = &drawn.end {
            let budget = message.contains("backward jumps");
            did.loop_budgets += u64::from(budget);
            did.refused += u64::from(!budget);
        }
    }
    if let Some(last) = drawn.last() {
        let pairs = start.iter().zip(&last.targets);
        did.changed += pairs.map(|(a, b)| a.changed(b).count() as u64).sum::<u64>();
    }
}

impl Memory {
    /// Column, row and bytes of every pixel, and of what lies between rows as if it were pixels.
    fn pixels(&self) -> impl Iterator<Item = ([usize; 2], &[u8])> {
        let rows = self.bytes.chunks(self.pitch.max(1)).enumerate();
        rows.flat_map(|(y, row)| {
            let pixels = row.chunks(self.pixel).enumerate();
            pixels.map(move |(x, pixel)| ([x, y], pixel))
        })
    }

    /// The places at which `other` is not the same.
    fn changed(&self, other: &Memory) -> impl Iterator<Item = [usize; 2]> {
        let pairs = self.pixels().zip(other.pixels());
        pairs.filter_map(|((place, a), (_, b))| (a != b).then_some(place))
    }

    fn pixel(&self, place: [usize; 2]) -> Vec<u8> {
        let mut pixels = self.pixels();
        let found = pixels.find(|(other, _)| *other == place);
        found.map_or_else(Vec::new, |(_, bytes)| bytes.to_vec())
    }
}

/// All targets before the first frame, that of depths last.
fn targets(case: &DrawCase) -> Vec<Memory> {
    let [width, _] = case.size;
    let colours = case.targets.iter().enumerate();
    let colours = colours.filter_map(|(index, target)| {
        let target = (*target)?;
        let format: ColourFormat = target.target.format;
        Some(Memory {
            name: TargetName::Colour(index),
            pixel: format.size(),
            pitch: target.fill.pitch(width, format.size()),
            bytes: target.fill.colours(format, case.size),
        })
    });
    let depth = case.depth.map(|depth| {
        let format: DepthFormat = depth.state.format;
        Memory {
            name: TargetName::Depth,
            pixel: format.size(),
            pitch: depth.fill.pitch(width, format.size()),
            bytes: depth.fill.depths(format, case.size),
        }
    });
    colours.chain(depth).collect()
}

/// Draws the frames one over the other.
fn draw(case: &DrawCase, engine: &Engine, threads: usize) -> Vec<Drawn> {
    let mut targets = targets(case);
    let drawn = guard(|| {
        let shader = engine.prepare(&case.program);
        let shader = shader.map_err(|error| ErrorChain(&error).to_string())?;
        let textures = case.bound();
        let bindings = case.bindings().with_attributes(&Answers);
        let bindings = match &textures {
            Some(textures) => bindings.with_textures(textures),
            None => bindings.with_textures(&Answers),
        };
        let mut prepared = prepare(case, &shader, &mut targets, threads)?;
        let frames = case.frames.iter().map(|frame| Drawn {
            end: guard(|| draw_frame(case, frame, &mut prepared, &bindings, &mut targets)),
            targets: targets.clone(),
        });
        Ok(frames.collect())
    });
    drawn.unwrap_or_else(|message| {
        vec![Drawn {
            end: Err(message),
            targets,
        }]
    })
}

/// The buffers of all targets.
fn buffers<'a>(
    case: &DrawCase,
    targets: &'a mut [Memory],
) -> (Vec<(usize, ColourBuffer<'a>)>, Option<DepthBuffer<'a>>) {
    let [width, height] = case.size;
    let (mut colours, mut depths) = (Vec::new(), None);
    for memory in targets {
        let (pitch, bytes) = (memory.pitch, &mut memory.bytes[..]);
        match (memory.name, case.depth) {
            (TargetName::Colour(index), _) => {
                if let Some(target) = case.targets[index] {
                    let buffer = ColourBuffer::new(target.target.format, width, height, bytes);
                    colours.push((index, buffer.with_pitch(pitch)));
                }
            }
            (TargetName::Depth, Some(depth)) => {
                let buffer = DepthBuffer::new(depth.state.format, width, height, bytes);
                depths = Some(buffer.with_pitch(pitch));
            }
            (TargetName::Depth, None) => {}
        }
    }
    (colours, depths)
}

fn prepare(
    case: &DrawCase,
    shader: &Shader,
    targets: &mut [Memory],
    threads: usize,
) -> Result<PreparedDraw, String> {
    let mut draw = Draw::new(shader)
        .anchor(case.anchor)
        .alpha_test(case.alpha_test, 0.0)
        .threads(threads);
    if let Some([columns, rows]) = case.scissor.clone() {
        draw = draw.scissor(columns, rows);
    }
    for (register, kinds) in case.kinds.iter().enumerate() {
        let mut varying = varying(*kinds, [Plane::default(); 4], &[]);
        varying.from_vertices = case.vertices[register];
        draw = draw.varying(register, varying);
    }
    let (colours, depths) = buffers(case, targets);
    for (index, buffer) in colours {
        if let Some(target) = case.targets[index] {
            draw = draw.write_mask(index, target.target.mask);
            if let Some(blend) = target.target.blend {
                draw = draw.blend(index, blend);
            }
        }
        draw = draw.target(index, buffer);
    }
    if let (Some(buffer), Some(depth)) = (depths, case.depth) {
        draw = draw.depth(
            buffer,
            DepthState {
                compare: depth.state.compare,
                write: depth.state.write,
            },
        );
    }
    draw.prepare()
        .map_err(|error| ErrorChain(&error).to_string())
}

fn varying<'a>(kinds: [InputKind; 4], planes: [Plane; 4], array: &'a [QuadReg]) -> Varying<'a> {
    Varying {
        kinds,
        planes,
        array,
        from_vertices: false,
    }
}

fn draw_frame(
    case: &DrawCase,
    values: &FrameCase,
    prepared: &mut PreparedDraw,
    bindings: &Bindings<'_>,
    targets: &mut [Memory],
) -> Result<(), String> {
    let (colours, depths) = buffers(case, targets);
    let mut frame = prepared
        .frame(bindings)
        .alpha_reference(values.alpha_reference)
        .blend_constant(values.blend_constant);
    for (register, kinds) in case.kinds.iter().enumerate() {
        if case.vertices[register] {
            continue;
        }
        let array = values.arrays.get(&register).map_or(&[][..], Vec::as_slice);
        frame = frame.varying(register, varying(*kinds, values.planes[register], array));
    }
    for (index, buffer) in colours {
        frame = frame.target(index, buffer);
    }
    if let Some(buffer) = depths {
        frame = frame.depth(buffer);
    }
    let result = match &values.shape {
        ShapeCase::Rect([columns, rows]) => frame.rect(columns.clone(), rows.clone()),
        ShapeCase::Quads(quads) => frame.quads(quads),
        ShapeCase::Triangles(positions, triangles) => {
            let mut vertices = Vertices::new(positions);
            for (register, attribute) in &values.attributes {
                vertices = vertices.with(*register, attribute);
            }
            frame.triangles(&vertices, triangles)
        }
    };
    result.map_err(|error| ErrorChain(&error).to_string())
}

/// The first frame after which two draws differ.
fn difference(
    case: &DrawCase,
    start: &[Memory],
    [a, b]: [&[Drawn]; 2],
) -> Option<(usize, DrawWhat)> {
    let frames = case.frames.len().max(1);
    (0..frames).find_map(|frame| {
        let what = match (a.get(frame), b.get(frame)) {
            (Some(a), Some(b)) => frame_difference(start, [a, b])?,
            (None, None) => return None,
            (a, b) => {
                let missing = || Err("the frame does not exist".to_owned());
                DrawWhat::End([a, b].map(|it| it.map_or_else(missing, |it| it.end.clone())))
            }
        };
        Some((frame, what))
    })
}

fn frame_difference(start: &[Memory], [a, b]: [&Drawn; 2]) -> Option<DrawWhat> {
    if a.end != b.end {
        return Some(DrawWhat::End([a.end.clone(), b.end.clone()]));
    }
    let mut targets = start.iter().zip(a.targets.iter().zip(&b.targets));
    targets.find_map(|(start, (a, b))| {
        if a.bytes == b.bytes {
            return None;
        }
        let place = a.changed(b).next()?;
        Some(DrawWhat::Pixel {
            target: a.name,
            place,
            before: start.pixel(place),
            bytes: [a.pixel(place), b.pixel(place)],
        })
    })
}

/// The first frame that changed what it must not.
fn touched(case: &DrawCase, start: &[Memory], drawn: &[Drawn]) -> Option<(usize, DrawWhat)> {
    let mut before = start;
    for (number, (frame, drawn)) in case.frames.iter().zip(drawn).enumerate() {
        let covered = case.covered(frame);
        let width = case.size[0] as usize;
        let allowed = |[x, y]: [usize; 2]| x < width && covered[y * width + x];
        for (a, b) in before.iter().zip(&drawn.targets) {
            if let Some(place) = a.changed(b).find(|place| !allowed(*place)) {
                let target = a.name;
                return Some((number, DrawWhat::Touched { target, place }));
            }
        }
        before = &drawn.targets;
    }
    None
}
