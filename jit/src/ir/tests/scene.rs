//! A quad of a draw with everything around it, the same for the evaluator and for code.

use attila_isa::{Component, Slots};
use attila_machine::pipeline::{
    Batch, ColourFormat, ColourTarget, Compare, DepthFormat, DepthTarget, InputKind, Pipeline,
    Plane, Span, Surface, Surfaces,
};
use attila_machine::{Bindings, Fixed, LaneMask, Lanes, QuadReg, TextureRequest};
use attila_texture::Storage;

use super::QUADS;
use super::world::{World, inlined, number, textures};
use crate::abi::{
    Constant, DEPTH_SURFACE, DrawField, FragmentField, LevelField, Pixels, PlaneField, SURFACES,
    Slot, SpanField, TextureField,
};
use crate::emit::{Code, Run};
use crate::ir::{Environment, Function, Op, evaluate};

/// The span: of the second of two primitives, and not the first of its batch.
const SPAN: Span = Span {
    x: 6,
    y: 4,
    quads: QUADS as u32,
    primitive: 1,
    first: 2,
};
/// Column and row of the first pixel of all surfaces.
const ORIGIN: [u32; 2] = [4, 2];
/// Pixels of a row, and rows.
const SIZE: [usize; 2] = [2 * QUADS + 4, 6];
const ANCHORS: [[f32; 2]; 2] = [[0.0, 0.0], [1.5, 2.25]];
/// Planes of a primitive: four for each of the first inputs.
const PLANES: usize = 8;
const ALPHA_REFERENCE: f32 = 0.25;
const BLEND_CONSTANT: [f32; 4] = [0.5, 0.25, 0.125, 1.0];

/// The bytes of every surface.
pub(super) type Memory = Vec<Vec<u8>>;

/// A number between -4 and 4.
fn small(n: usize) -> f32 {
    (number(7, n) % 64) as f32 / 8.0 - 4.0
}

fn planes() -> Vec<Plane> {
    let numbers = (0..2 * PLANES).map(|n| [3 * n, 3 * n + 1, 3 * n + 2].map(small));
    numbers.map(|[at, dx, dy]| Plane { at, dx, dy }).collect()
}

fn coverage() -> Vec<u8> {
    (0..SPAN.first as u8 + SPAN.quads as u8)
        .map(|quad| (quad * 5 + 3) & 15)
        .collect()
}

/// The quads of an input that comes from an array.
fn array(reg: usize) -> Vec<QuadReg> {
    let word = |place| small(place).to_bits();
    let quads = 0..(SPAN.first + SPAN.quads) as usize;
    let of_quad = |quad| {
        let first = 64 * quad + 16 * reg;
        [0, 4, 8, 12].map(|component| [0, 1, 2, 3].map(|lane| word(first + component + lane)))
    };
    quads.map(of_quad).collect()
}

/// The surfaces that a function reads or writes.
fn surfaces(function: &Function) -> Vec<Pixels> {
    let ops = function.nodes.iter().map(|node| node.op);
    let pixels = ops.filter_map(|op| {
        if let Op::LoadPixels(pixels) | Op::StorePixels(pixels) = op {
            return Some(pixels);
        }
        None
    });
    pixels.collect()
}

/// Whether a function is one of a draw.
pub(super) fn is_draw(function: &Function) -> bool {
    let mut ops = function.nodes.iter().map(|node| node.op);
    let is_drawn = |op| {
        matches!(
            op,
            Op::Draw(_) | Op::Span(_) | Op::Fragment(_) | Op::LoadPixels(_) | Op::StorePixels(_)
        )
    };
    ops.any(is_drawn)
}

/// All surfaces as they are before the draw.
fn memory(function: &Function) -> Memory {
    let mut memory = vec![Vec::new(); SURFACES];
    for pixels in surfaces(function) {
        let bytes = SIZE[0] * SIZE[1] * pixels.size();
        let surface = &mut memory[usize::from(pixels.surface)];
        *surface = (0..bytes).map(|n| (n * 7 % 251) as u8).collect();
    }
    memory
}

/// A quad of the draw.
struct Quad<'a> {
    index: usize,
    /// The surfaces before the quad was begun, and as it leaves them.
    before: Memory,
    after: &'a mut Memory,
    depths: Lanes<u32>,
    /// The part that draws share with runs of records.
    world: World,
}

impl Quad<'_> {
    /// The first byte of a lane's pixel.
    fn place(&self, pixels: Pixels, lane: usize) -> usize {
        let column = (SPAN.x - ORIGIN[0]) as usize + 2 * self.index + lane % 2;
        let row = (SPAN.y - ORIGIN[1]) as usize + lane / 2;
        (row * SIZE[0] + column) * pixels.size()
    }
}

/// The surfaces after the evaluator has drawn.
pub(super) fn evaluated(function: &Function) -> Option<Memory> {
    let mut after = memory(function);
    for index in 0..QUADS {
        let mut quad = Quad {
            index,
            before: after.clone(),
            after: &mut after,
            depths: [0; 4],
            world: World::new(0),
        };
        evaluate(function, &mut quad).ok()?;
    }
    Some(after)
}

/// The pipeline in which a function draws.
fn pipeline(function: &Function) -> Pipeline {
    let mut pipeline = Pipeline {
        coverage: true,
        ..Pipeline::default()
    };
    pipeline.inputs[..PLANES / 4].fill([InputKind::Linear; 4]);
    pipeline.inputs[PLANES / 4..].fill([InputKind::Array; 4]);
    for pixels in surfaces(function) {
        let format = match pixels.words {
            1 => ColourFormat::Rgba8,
            2 => ColourFormat::Rgba16F,
            _ => ColourFormat::Rgba32F,
        };
        if pixels.surface == DEPTH_SURFACE {
            pipeline.depth = Some(DepthTarget {
                format: DepthFormat::D32F,
                compare: Compare::Always,
                write: true,
            });
        } else {
            pipeline.targets[usize::from(pixels.surface)] = Some(ColourTarget {
                format,
                mask: Slots::all(),
                blend: None,
            });
        }
    }
    pipeline
}

/// The surfaces after code has drawn.
pub(super) fn drawn(function: &Function, code: &dyn Code) -> Option<Memory> {
    let mut memory = memory(function);
    let (planes, coverage) = (planes(), coverage());
    let arrays: Vec<Vec<QuadReg>> = (0..16).map(array).collect();
    let batch = Batch {
        spans: &[SPAN],
        coverage: &coverage,
        anchors: &ANCHORS,
        planes: &planes,
        arrays: std::array::from_fn(|reg| arrays[reg].as_slice()),
        alpha_reference: ALPHA_REFERENCE,
        blend_constant: BLEND_CONSTANT,
    };
    let mut surfaces = Surfaces::default();
    for (n, bytes) in memory.iter_mut().enumerate() {
        let surface = Surface {
            pitch: bytes.len() / SIZE[1],
            bytes,
            origin: ORIGIN,
        };
        match surfaces.colours.get_mut(n) {
            Some(colour) => *colour = Some(surface),
            None => surfaces.depth = Some(surface),
        }
    }
    let bindings = Bindings::new().with_loop_budget(100);
    let textures = textures();
    let run = Run {
        bindings: &bindings,
        textures: &inlined(&textures),
    };
    let done = code.draw(&run, &pipeline(function), &batch, &mut surfaces);
    done.is_ok().then_some(memory)
}

/// The words of the first quad's pixels, surface by surface.
pub(super) fn values(function: &Function, memory: &mut Memory) -> Vec<(Pixels, Lanes<u32>)> {
    let quad = Quad {
        index: 0,
        before: memory.clone(),
        after: memory,
        depths: [0; 4],
        world: World::new(0),
    };
    let mut surfaces = surfaces(function);
    surfaces.sort_by_key(|pixels| pixels.surface);
    surfaces.dedup();
    let words = surfaces.into_iter().flat_map(|pixels| {
        let word = |word| (pixels, quad.load_pixels(pixels, word));
        (0..pixels.words).map(word).collect::<Vec<_>>()
    });
    words.collect()
}

fn splat(number: f32) -> Lanes<u32> {
    [number.to_bits(); 4]
}

impl Environment for Quad<'_> {
    fn constant(&self, _: Constant) -> u32 {
        0
    }

    fn loop_budget(&self) -> u32 {
        100
    }

    fn fixed_bits(&self) -> u32 {
        self.world.fixed_bits()
    }

    fn draw(&self, field: DrawField) -> u32 {
        match field {
            DrawField::AlphaReference => ALPHA_REFERENCE.to_bits(),
            DrawField::BlendConstant(component) => BLEND_CONSTANT[usize::from(component)].to_bits(),
        }
    }

    fn span(&self, field: SpanField) -> Lanes<u32> {
        let primitive = SPAN.primitive as usize;
        match field {
            SpanField::Anchor(axis) => splat(ANCHORS[primitive][usize::from(axis)]),
            SpanField::Y => {
                let rows = [0.5, 0.5, 1.5, 1.5].map(|row| SPAN.y as f32 + row);
                rows.map(|row| (row - ANCHORS[primitive][1]).to_bits())
            }
            SpanField::Plane(plane, number) => {
                let plane = planes()[primitive * PLANES + usize::from(plane)];
                splat(match number {
                    PlaneField::At => plane.at,
                    PlaneField::Dx => plane.dx,
                    PlaneField::Dy => plane.dy,
                })
            }
        }
    }

    fn fragment(&self, field: FragmentField) -> Lanes<u32> {
        let quad = SPAN.first as usize + self.index;
        match field {
            FragmentField::X => {
                let first = SPAN.x as f32 + 2.0 * self.index as f32;
                let columns = [0.5, 1.5, 0.5, 1.5].map(|column| first + column);
                columns.map(|column| (column - ANCHORS[SPAN.primitive as usize][0]).to_bits())
            }
            FragmentField::Coverage => {
                let covered = |lane: usize| coverage()[quad] >> lane & 1 != 0;
                [0, 1, 2, 3].map(|lane| if covered(lane) { u32::MAX } else { 0 })
            }
            FragmentField::Input { reg, component } => {
                array(reg.into())[quad][usize::from(component)]
            }
        }
    }

    fn load(&self, slot: Slot) -> Lanes<u32> {
        assert_eq!(slot, Slot::Depth { sample: 0 }, "a draw has no registers");
        self.depths
    }

    fn store(&mut self, slot: Slot, words: Lanes<u32>) {
        assert_eq!(slot, Slot::Depth { sample: 0 }, "a draw has no registers");
        self.depths = words;
    }

    fn load_pixels(&self, pixels: Pixels, word: u8) -> Lanes<u32> {
        let bytes = &self.before[usize::from(pixels.surface)];
        [0, 1, 2, 3].map(|lane| {
            let place = self.place(pixels, lane) + 4 * usize::from(word);
            let word = bytes[place..].first_chunk().expect("the pixel is there");
            u32::from_le_bytes(*word)
        })
    }

    fn store_pixels(&mut self, pixels: Pixels, words: &[Lanes<u32>]) {
        for lane in 0..4 {
            let place = self.place(pixels, lane);
            for (n, word) in words.iter().enumerate() {
                let bytes = &mut self.after[usize::from(pixels.surface)][place + 4 * n..];
                bytes[..4].copy_from_slice(&word[lane].to_le_bytes());
            }
        }
    }

    fn accumulator(&mut self, component: Component) -> &mut Lanes<Fixed> {
        self.world.accumulator(component)
    }

    fn texture(&self, texture: u8, field: TextureField) -> u32 {
        self.world.texture(texture, field)
    }

    fn level(&self, texture: u8, level: u32, field: LevelField) -> u32 {
        self.world.level(texture, level, field)
    }

    fn texel(&self, texture: u8, storage: Storage, index: u32) -> [u32; 4] {
        self.world.texel(texture, storage, index)
    }

    fn last_blend(&self, texture: u8) -> u32 {
        self.world.last_blend(texture)
    }

    fn sample(&mut self, request: &TextureRequest) -> [Lanes<f32>; 4] {
        self.world.sample(request)
    }

    fn attribute(&mut self, attribute: u8, index: Lanes<u32>, wanted: LaneMask) -> [Lanes<f32>; 4] {
        self.world.attribute(attribute, index, wanted)
    }
}
