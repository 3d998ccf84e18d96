//! Answers to queries (textures.md 1 to 3).

mod taps;

use std::array::from_fn;

use attila_isa::{Component, Stage, TextureTarget};
use attila_machine::{
    Gradients, LANES, Lanes, LevelOfDetail, Lookup, Offset, QuadReg, TextureQuery, from_lanes,
};

use crate::cube;
use crate::dimension::{AxisCount, CUBE_FACES, Dimension};
use crate::filter::{self, Colour, Point};
use crate::lod::{
    Derivatives, Footprint, Footprints, Selection, level_of_detail, select,
    unlimited_level_of_detail,
};
use crate::place::{Placed, references};
use crate::texture::Texture;
pub use taps::Tap;

/// Where the lanes of a query sample.
struct Points<'a> {
    placed: Placed,
    references: Option<Lanes<f32>>,
    offset: Option<&'a Offset>,
}

impl Points<'_> {
    #[inline]
    fn of(&self, lane: usize) -> Point {
        Point {
            coords: self.placed.lanes[lane],
            slice: self.placed.slices[lane],
            reference: self.references.map(|references| references[lane]),
            offset: self.offset.map(|offset| lane_of(offset, lane)),
        }
    }
}

/// The values of one lane.
fn lane_of<T: Copy, const N: usize>(values: &[Lanes<T>; N], lane: usize) -> [T; N] {
    values.map(|axis| axis[lane])
}

impl Texture {
    /// Answers for the quad, in raw words: `[component][lane]`. The query's unit does not matter. The
    /// answer is 0 if the target is of another kind than the image, or if the image cannot be asked
    /// this: buffers and multisampled images cannot be sampled, and images with one or three axes
    /// cannot be gathered.
    pub fn answer(&self, query: &TextureQuery) -> QuadReg {
        let kind = self.image().dimension().kind();
        if !query.target.reads(kind) {
            return QuadReg::default();
        }
        match &query.lookup {
            Lookup::Sample {
                coords,
                level,
                reference,
                offset,
                ..
            } => {
                let points = self.points(query.target, coords, *reference, offset.as_ref());
                self.sample(&points, (level, query.stage), coords)
            }
            Lookup::Gather {
                coords,
                component,
                reference,
                offset,
            } => {
                let points = self.points(query.target, coords, *reference, offset.as_ref());
                self.gather(&points, *component)
            }
            Lookup::LevelOfDetail { coords } => self.level_of_detail(coords, query.stage),
            Lookup::Fetch { at, offset } => self.fetch(at, offset.as_ref()),
            Lookup::Size { level } => self.size(level),
            Lookup::Samples => {
                let samples = self.image().dimension().samples();
                [[samples; LANES], [0; LANES], [0; LANES], [0; LANES]]
            }
        }
    }

    /// The levels of the image that the lanes sample: 0 is the largest one, and what lies between two
    /// whole numbers mixes two levels in that ratio. `None` for queries that do not sample. The
    /// query's unit does not matter.
    pub fn levels(&self, query: &TextureQuery) -> Option<Lanes<f32>> {
        let Lookup::Sample { coords, level, .. } = &query.lookup else {
            return None;
        };
        let placed = self.placed(coords);
        let footprints = self.footprints(level, query.stage, coords, &placed);
        let given = level.given().unwrap_or_default();
        Some(from_fn(|lane| {
            self.selection(footprints.of(lane), given[lane]).position()
        }))
    }

    fn sample(
        &self,
        points: &Points<'_>,
        (level, stage): (&LevelOfDetail, Stage),
        coords: &[Lanes<f32>; 4],
    ) -> QuadReg {
        if !self.is_sampled() {
            return QuadReg::default();
        }
        let footprints = self.footprints(level, stage, coords, &points.placed);
        let given = level.given().unwrap_or_default();
        let colours: Lanes<Colour> = from_fn(|lane| {
            let footprint = footprints.of(lane);
            let selection = self.selection(footprint, given[lane]);
            filter::footprint(self, footprint, &selection, &points.of(lane))
        });
        words(&colours)
    }

    /// The texels around the coordinates on the base level.
    fn gather(&self, points: &Points<'_>, component: Component) -> QuadReg {
        match self.axis_count() {
            AxisCount::One | AxisCount::Three => QuadReg::default(),
            AxisCount::Two if !self.is_sampled() => QuadReg::default(),
            AxisCount::Two => {
                let level = self.sampler().base_level;
                let texels = |lane: usize| filter::gather(self, level, component, &points.of(lane));
                words(&from_fn(texels))
            }
        }
    }

    /// The level that a sample without bias takes, counted from the base level, and the level of
    /// detail before it is limited.
    fn level_of_detail(&self, coords: &[Lanes<f32>; 4], stage: Stage) -> QuadReg {
        if !self.is_sampled() {
            return QuadReg::default();
        }
        let footprint = self.quad_footprint(stage, &self.placed(coords));
        let selection = self.selection(&footprint, 0.0);
        let level = selection.position() - self.sampler().base_level as f32;
        let lod = unlimited_level_of_detail(self.sampler(), footprint.log2_scale, 0.0);
        [level, lod, 0.0, 0.0].map(|value| [value.to_bits(); LANES])
    }

    fn is_sampled(&self) -> bool {
        self.image().dimension().kind().is_sampled()
    }

    fn placed(&self, coords: &[Lanes<f32>; 4]) -> Placed {
        Placed::new(self.image().dimension(), self.sampler().cube_faces, coords)
    }

    #[inline]
    fn points<'a>(
        &self,
        target: TextureTarget,
        coords: &[Lanes<f32>; 4],
        reference: Option<Lanes<f32>>,
        offset: Option<&'a Offset>,
    ) -> Points<'a> {
        Points {
            placed: self.placed(coords),
            references: references(target, coords, reference),
            offset,
        }
    }

    /// The filter and the levels of a lane.
    fn selection(&self, footprint: &Footprint, param: f32) -> Selection {
        let last = self.image().levels().len() - 1;
        let lod = level_of_detail(self.sampler(), footprint.log2_scale, param);
        select(self.sampler(), last, lod)
    }

    /// The footprints of the lanes. Inlined, so that the usual one is not stored only to be loaded.
    #[inline(always)]
    fn footprints(
        &self,
        level: &LevelOfDetail,
        stage: Stage,
        coords: &[Lanes<f32>; 4],
        placed: &Placed,
    ) -> Footprints {
        if !self.scale_matters() {
            return Footprints::Quad(Footprint::POINT);
        }
        match level {
            LevelOfDetail::Explicit(_) => Footprints::Quad(Footprint::POINT),
            LevelOfDetail::Implicit | LevelOfDetail::Bias(_) => {
                Footprints::Quad(self.quad_footprint(stage, placed))
            }
            LevelOfDetail::Gradients(gradients) => Footprints::Lanes(from_fn(|lane| {
                self.footprint(&self.given_derivatives(gradients, lane, coords, placed))
            })),
        }
    }

    /// The footprint that follows from the coordinates of neighbours.
    fn quad_footprint(&self, stage: Stage, placed: &Placed) -> Footprint {
        match stage {
            Stage::Vertex | Stage::Geometry | Stage::Compute => Footprint::POINT,
            Stage::Fragment => self.footprint(&Derivatives::of(&placed.derived, self.to_texels())),
        }
    }

    /// The derivatives that an instruction gives for a lane: those of a direction count on its face.
    fn given_derivatives(
        &self,
        gradients: &Gradients,
        lane: usize,
        coords: &[Lanes<f32>; 4],
        placed: &Placed,
    ) -> Derivatives {
        let changes = [&gradients.dx, &gradients.dy].map(|change| lane_of(change, lane));
        let [dx, dy] = if self.image().dimension().kind().has_faces() {
            let &[x, y, z, _] = coords;
            let (face, direction) = (placed.face(lane), cube::direction(&[x, y, z], lane));
            changes.map(|change| {
                let [s, t] = face.derivative(direction, change);
                [s, t, 0.0]
            })
        } else {
            changes
        };
        Derivatives::given(dx, dy, self.to_texels())
    }

    fn footprint(&self, derivatives: &Derivatives) -> Footprint {
        let axes = self.axis_count();
        Footprint::new(self.sampler(), axes, derivatives, self.to_texels())
    }

    fn fetch(&self, at: &[Lanes<i32>; 4], offset: Option<&Offset>) -> QuadReg {
        let texel = |lane: usize| {
            let offset = offset.map_or([0; 3], |offset| lane_of(offset, lane));
            self.fetched(lane_of(at, lane), offset).unwrap_or_default()
        };
        words(&from_fn(texel))
    }

    /// The texel at column, row, slice and level or sample; `None` outside of the image.
    fn fetched(&self, at: [i32; 4], offset: [i32; 3]) -> Option<Colour> {
        let (level, texel) = self.fetched_place(at, offset)?;
        let bytes = self.image().texel_bytes(level, texel);
        Some(self.conversion().texel(bytes, None))
    }

    /// Its level, and column, row and slice.
    fn fetched_place(&self, at: [i32; 4], offset: [i32; 3]) -> Option<(usize, [u32; 3])> {
        let dimension = self.image().dimension();
        let level = self.level_at(at[3])?;
        let size = self.image().levels()[level].size.axes();
        let axis = |axis: usize| within(at[axis].wrapping_add(offset[axis]), size[axis]);
        let texel = match dimension {
            Dimension::D1 | Dimension::Buffer => [axis(0)?, 0, 0],
            Dimension::D1Array { layers } => [axis(0)?, 0, within(at[1], layers)?],
            Dimension::D2 | Dimension::Rect => [axis(0)?, axis(1)?, 0],
            Dimension::D3 => [axis(0)?, axis(1)?, axis(2)?],
            Dimension::D2Array { layers } => [axis(0)?, axis(1)?, within(at[2], layers)?],
            Dimension::Cube => [axis(0)?, axis(1)?, within(at[2], CUBE_FACES as u32)?],
            Dimension::CubeArray { cubes } => [
                axis(0)?,
                axis(1)?,
                within(at[2], cubes * CUBE_FACES as u32)?,
            ],
            Dimension::D2Ms { samples } => [axis(0)?, axis(1)?, within(at[3], samples)?],
            Dimension::D2MsArray { samples, layers } => {
                let (layer, sample) = (within(at[2], layers)?, within(at[3], samples)?);
                [axis(0)?, axis(1)?, layer * samples + sample]
            }
        };
        Some((level, texel))
    }

    /// Width, height and depth, or the layers after the axes that the image has, and the levels.
    fn size(&self, level: &Lanes<i32>) -> QuadReg {
        let dimension = self.image().dimension();
        let kind = dimension.kind();
        let axes = match self.axis_count() {
            AxisCount::One => 1,
            AxisCount::Two => 2,
            AxisCount::Three => 3,
        };
        let size = |lane: usize| {
            let Some(level) = self.level_at(level[lane]) else {
                return [0; 4];
            };
            let mut answer = [0; 4];
            answer[..axes].copy_from_slice(&self.image().levels()[level].size.axes()[..axes]);
            if kind.layers() {
                answer[axes] = dimension.layers();
            }
            answer[3] = self.level_range().count() as u32;
            answer
        };
        from_lanes(from_fn(size))
    }

    /// The level with this number, counted from the base level; images that cannot have several have
    /// their one for every number.
    fn level_at(&self, number: i32) -> Option<usize> {
        let mut levels = self.level_range();
        if self.image().dimension().has_levels() {
            levels.nth(usize::try_from(number).ok()?)
        } else {
            levels.next()
        }
    }
}

/// The index if it is below `size`.
fn within(index: i32, size: u32) -> Option<u32> {
    u32::try_from(index).ok().filter(|&index| index < size)
}

/// The words of the lanes' colours, `[component][lane]`.
fn words(colours: &Lanes<Colour>) -> QuadReg {
    from_fn(|c| from_fn(|lane| colours[lane][c].to_bits()))
}
