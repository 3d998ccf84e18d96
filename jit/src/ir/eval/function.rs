//! The evaluator of functions.

use attila_isa::{Component, Stage};
use attila_machine::arith::SlowPath;
use attila_machine::{Fixed, LaneMask, Lanes, SAMPLES, TextureOp, TextureRequest};
use attila_texture::Storage;

use crate::abi::{
    Constant, DrawField, FragmentField, LevelField, Pixels, Slot, SpanField, TextureField,
};
use crate::fixed;
use crate::ir::{Block, Edge, Function, Node, Op, Terminator, Value, Variable};

/// Four words.
pub(crate) type Vector = Lanes<u32>;

/// The surroundings of a function: everything that it reads and writes besides values.
///
/// Numbers that are the same in all lanes are one word.
pub(crate) trait Environment {
    /// A constant register's component.
    fn constant(&self, constant: Constant) -> u32;
    /// Backward jumps that a lane may take.
    fn loop_budget(&self) -> u32;
    /// Bits behind the point of fixed-point inputs.
    fn fixed_bits(&self) -> u32;
    /// A number of the draw.
    fn draw(&self, field: DrawField) -> u32;
    /// A number of the span.
    fn span(&self, field: SpanField) -> Vector;
    /// A vector of the fragments.
    fn fragment(&self, field: FragmentField) -> Vector;
    /// A vector of the quad's record.
    fn load(&self, slot: Slot) -> Vector;
    /// Writes a vector of the quad's record.
    fn store(&mut self, slot: Slot, words: Vector);
    /// A word of the quad's pixels, as they were before anything was stored.
    fn load_pixels(&self, pixels: Pixels, word: u8) -> Vector;
    /// Writes the words of the quad's pixels.
    fn store_pixels(&mut self, pixels: Pixels, words: &[Vector]);
    /// The accumulator's component.
    fn accumulator(&mut self, component: Component) -> &mut Lanes<Fixed>;
    /// A number of a texture.
    fn texture(&self, texture: u8, field: TextureField) -> u32;
    /// A number of a level. The level's number may be anything.
    fn level(&self, texture: u8, level: u32, field: LevelField) -> u32;
    /// The words of a texel, the last one past the end. Texels of one word leave the others 0.
    fn texel(&self, texture: u8, storage: Storage, index: u32) -> [u32; 4];
    /// The number of the last texel that may be a blend's first.
    fn last_blend(&self, texture: u8) -> u32;
    /// Asks the texture unit.
    fn sample(&mut self, request: &TextureRequest) -> [Lanes<f32>; 4];
    /// Fetches a vertex attribute.
    fn attribute(&mut self, attribute: u8, index: Vector, wanted: LaneMask) -> [Lanes<f32>; 4];
}

/// Why a run did not end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failed {
    /// A lane used up its loop budget at the jump `pc`.
    Budget { pc: u32 },
    /// The function went through [`MOST_BLOCKS`] without counting its jumps.
    Endless,
}

/// Blocks that a run may go through.
const MOST_BLOCKS: usize = 1 << 16;

/// Runs a well-formed function for one quad, the values of the run and of the span included.
///
/// # Errors
///
/// A lane used up its loop budget, or the function never ends.
pub(crate) fn evaluate(function: &Function, env: &mut impl Environment) -> Result<(), Failed> {
    let mut run = Run {
        function,
        results: vec![[[0; 4]; 4]; function.nodes.len()],
        variables: vec![[0; 4]; function.variables()],
    };
    for &value in function.uniform.iter().chain(&function.row) {
        run.node(value, env);
    }
    let mut block = Function::ENTRY;
    for _ in 0..MOST_BLOCKS {
        for &value in &function.block(block).body {
            run.node(value, env);
        }
        let edge = match &function.block(block).end {
            Terminator::Done => return Ok(()),
            Terminator::Fail { pc } => return Err(Failed::Budget { pc: *pc }),
            Terminator::Jump(edge) => edge,
            Terminator::Any { mask, then, other } => {
                let any = run.value(*mask).iter().any(|&lane| lane != 0);
                if any { then } else { other }
            }
        };
        block = run.follow(edge);
    }
    Err(Failed::Endless)
}

/// A function being evaluated.
struct Run<'a> {
    function: &'a Function,
    /// The results of each node, the first of nodes that have one.
    results: Vec<[Vector; 4]>,
    variables: Vec<Vector>,
}

fn floats(words: Vector) -> Lanes<f32> {
    words.map(f32::from_bits)
}

fn mask(words: Vector) -> LaneMask {
    LaneMask::from_lanes(words.map(|word| word != 0))
}

fn lanes<T>(f: impl FnMut(usize) -> T) -> Lanes<T> {
    std::array::from_fn(f)
}

/// One result.
fn one(words: Vector) -> [Vector; 4] {
    [words, [0; 4], [0; 4], [0; 4]]
}

/// The 16-bit halves of two vectors, the words of the first before those of the second.
fn narrow(a: Vector, b: Vector) -> Vector {
    let half = |word: u32| word.cast_signed().clamp(-0x8000, 0x7fff) as u16;
    let [a, b] = [a, b].map(|vector| vector.map(half));
    let word = |low: u16, high: u16| u32::from(low) | u32::from(high) << 16;
    [
        word(a[0], a[1]),
        word(a[2], a[3]),
        word(b[0], b[1]),
        word(b[2], b[3]),
    ]
}

/// The eight halves of a vector as bytes, each limited to 0..=255.
fn bytes(halves: Vector) -> [u8; 8] {
    let half = |n: usize| (halves[n / 2] >> (n % 2 * 16)) as u16;
    std::array::from_fn(|n| half(n).cast_signed().clamp(0, 255) as u8)
}

/// Bytes 0 and 2 of each word from the first vector, 1 and 3 from the second.
fn pack(even: Vector, odd: Vector) -> Vector {
    let (even, odd) = (bytes(even), bytes(odd));
    lanes(|n| u32::from_le_bytes([even[n], odd[n], even[n + 4], odd[n + 4]]))
}

/// The words of two pixels and two more.
fn pack_pixels(upper: Vector, lower: Vector) -> Vector {
    let bytes = [bytes(upper), bytes(lower)];
    let words = bytes.as_flattened().as_chunks().0;
    lanes(|n| u32::from_le_bytes(words[n]))
}

/// A texel's colour as numbers.
fn colour(storage: Storage, words: [u32; 4]) -> Lanes<f32> {
    match storage {
        Storage::Rgba8 => words[0].to_le_bytes().map(|byte| f32::from(byte) / 255.0),
        Storage::Rgba32F => floats(words),
    }
}

impl Run<'_> {
    fn value(&self, value: Value) -> Vector {
        self.results[value.0 as usize][0]
    }

    /// Gives a block's parameters their values, all at once.
    fn follow(&mut self, edge: &Edge) -> Block {
        let args: Vec<Vector> = edge.args.iter().map(|&arg| self.value(arg)).collect();
        let params = &self.function.block(edge.block).params;
        for (param, arg) in params.iter().zip(args) {
            self.results[param.0 as usize] = one(arg);
        }
        edge.block
    }

    fn node(&mut self, value: Value, env: &mut impl Environment) {
        let node = *self.function.node(value);
        self.results[value.0 as usize] = self.results_of(&node, env);
    }

    fn keep(&mut self, variable: Variable, words: Vector) -> Vector {
        self.variables[usize::from(variable.0)] = words;
        NOTHING
    }

    /// The results of a node; zeros in place of those that it does not have.
    fn results_of(&mut self, node: &Node, env: &mut impl Environment) -> [Vector; 4] {
        let of: Vec<Vector> = node.operands.iter().map(|&a| self.value(a)).collect();
        let of = of.as_slice();
        one(match node.op {
            Op::Unary(op) => of[0].map(|a| super::unary(op, a)),
            Op::Binary(op) => lanes(|n| super::binary(op, of[0][n], of[1][n])),
            Op::Shift(op, by) => of[0].map(|a| super::shift(op, a, by)),
            Op::Fma => lanes(|n| super::fma([of[0][n], of[1][n], of[2][n]])),
            Op::Select => lanes(|n| super::select(of[0][n], of[1][n], of[2][n])),
            Op::Shuffle(from) => from.map(|lane| of[0][usize::from(lane)]),
            Op::SlowPath(path) => lanes(|n| slow_path(path, [of[0][n], of[1][n], of[2][n]])),
            Op::Narrow | Op::NarrowPixels => narrow(of[0], of[1]),
            Op::Pack => pack(of[0], of[1]),
            Op::PackPixels => pack_pixels(of[0], of[1]),
            Op::Const(bits) => [bits; 4],
            Op::Param => unreachable!("parameters are in no body"),
            Op::Extract(part) => self.results[node.operands[0].0 as usize][usize::from(part)],
            Op::Uniform(constant) => [env.constant(constant); 4],
            Op::Indexed(component) => of[0].map(|index| indexed(env, index, component)),
            Op::LoopBudget => [env.loop_budget(); 4],
            Op::Draw(field) => [env.draw(field); 4],
            Op::Span(field) => env.span(field),
            Op::Fragment(field) => env.fragment(field),
            Op::Load(slot) => env.load(slot),
            Op::Recall(variable) => self.variables[usize::from(variable.0)],
            Op::TextureField(texture, field) => [env.texture(texture, field); 4],
            Op::LevelField(texture, field, alike) => {
                lanes(|n| env.level(texture, of[0][if alike { 0 } else { n }], field))
            }
            Op::FixedResult(component) => fixed_result(env, component, of),
            Op::LoadPixels(pixels) => return load_pixels(env, pixels),
            Op::Texel(texture, storage) => return texel(env, texture, storage, of[0]),
            Op::Blend(texture, storage, alike) => {
                return std::array::from_fn(|n| blend(env, (texture, storage, alike), of, n));
            }
            Op::Transpose => return std::array::from_fn(|c| lanes(|n| of[n][c])),
            Op::Sample(op, unit, stage) => return sample(env, (op, unit, stage), of),
            Op::Attribute(attribute) => return bits(env.attribute(attribute, of[0], mask(of[1]))),
            Op::Store(slot) => store(env, slot, of[0]),
            Op::Keep(variable) => self.keep(variable, of[0]),
            Op::StorePixels(pixels) => store_pixels(env, pixels, of),
            Op::FixedMul(component) => fixed_mul(env, component, of),
            Op::FixedMulAdd(component) => fixed_mul_add(env, component, of),
            Op::Export => export(env, of),
        })
    }
}

/// The result of an operation that has none.
const NOTHING: Vector = [0; 4];

fn store(env: &mut impl Environment, slot: Slot, words: Vector) -> Vector {
    env.store(slot, words);
    NOTHING
}

fn store_pixels(env: &mut impl Environment, pixels: Pixels, words: &[Vector]) -> Vector {
    env.store_pixels(pixels, words);
    NOTHING
}

fn bits(results: [Lanes<f32>; 4]) -> [Vector; 4] {
    results.map(|lanes| lanes.map(f32::to_bits))
}

fn slow_path(path: SlowPath, [mask, x, fast]: [u32; 3]) -> u32 {
    if mask == 0 {
        return fast;
    }
    path.apply(f32::from_bits(x)).to_bits()
}

/// A component of the constant that a lane names.
fn indexed(env: &impl Environment, index: u32, component: Component) -> u32 {
    match u16::try_from(index) {
        Ok(index) if usize::from(index) < attila_machine::CONSTANTS => env.constant(Constant {
            index,
            component: component as u8,
        }),
        Ok(_) | Err(_) => 0,
    }
}

/// Lane `n` of a [`Op::Blend`].
fn blend(
    env: &impl Environment,
    (texture, storage, alike): (u8, Storage, bool),
    of: &[Vector],
    n: usize,
) -> Vector {
    let first = of[0][n].min(env.last_blend(texture));
    let pitch = of[1][if alike { 0 } else { n }];
    let [a, b, c, d] = [2, 3, 4, 5].map(|weight| f32::from_bits(of[weight][n]));
    let texel = |offset: u32| {
        let index = first.wrapping_add(offset);
        colour(storage, env.texel(texture, storage, index))
    };
    let below = pitch.wrapping_add(1);
    let [t0, t1, t2, t3] = [0, 1, pitch, below].map(texel);
    lanes(|channel| {
        let upper = t0[channel] * a * c + t1[channel] * b * c;
        let sum = upper + t2[channel] * a * d + t3[channel] * b * d;
        sum.to_bits()
    })
}

fn load_pixels(env: &impl Environment, pixels: Pixels) -> [Vector; 4] {
    [0, 1, 2, 3].map(|word| {
        if word < pixels.words {
            env.load_pixels(pixels, word)
        } else {
            [0; 4]
        }
    })
}

fn texel(env: &impl Environment, texture: u8, storage: Storage, index: Vector) -> [Vector; 4] {
    let texels = index.map(|index| env.texel(texture, storage, index));
    match storage {
        Storage::Rgba8 => one(texels.map(|[word, ..]| word)),
        Storage::Rgba32F => texels,
    }
}

fn sample(
    env: &mut impl Environment,
    (op, unit, stage): (TextureOp, u8, Stage),
    of: &[Vector],
) -> [Vector; 4] {
    bits(env.sample(&TextureRequest {
        op,
        unit,
        coords: [of[0], of[1], of[2]].map(floats),
        param: floats(of[3]),
        stage,
        active: mask(of[4]),
    }))
}

/// The lanes that are set.
fn set(mask: Vector) -> impl Iterator<Item = usize> {
    (0..4).filter(move |&n| mask[n] != 0)
}

fn fixed_mul(env: &mut impl Environment, component: Component, of: &[Vector]) -> Vector {
    let (a, b, bits) = (floats(of[0]), floats(of[1]), env.fixed_bits());
    for n in set(of[2]) {
        env.accumulator(component)[n] = fixed::mul(a[n], b[n], bits);
    }
    NOTHING
}

fn fixed_mul_add(env: &mut impl Environment, component: Component, of: &[Vector]) -> Vector {
    let [a, b, c] = [of[0], of[1], of[2]].map(floats);
    let bits = env.fixed_bits();
    for n in set(of[3]) {
        env.accumulator(component)[n] = fixed::mul_add(a[n], b[n], c[n], bits);
    }
    NOTHING
}

fn fixed_result(env: &mut impl Environment, component: Component, of: &[Vector]) -> Vector {
    let (a, b, bits) = (floats(of[0]), floats(of[1]), env.fixed_bits());
    let accumulator = env.accumulator(component);
    lanes(|n| fixed::result(a[n], b[n], accumulator[n], bits).to_bits())
}

fn export(env: &mut impl Environment, of: &[Vector]) -> Vector {
    for n in set(of[2]).filter(|&n| (of[0][n] as usize) < SAMPLES) {
        let sample = of[0][n] as u8;
        let mut depths = env.load(Slot::Depth { sample });
        depths[n] = of[1][n];
        env.store(Slot::Depth { sample }, depths);
    }
    NOTHING
}
