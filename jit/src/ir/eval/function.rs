//! The evaluator of functions.

use attila_isa::{Component, ScratchArray};
use attila_machine::arith::SlowPath;
use attila_machine::{
    Fixed, LANES, LaneMask, Lanes, QuadReg, SAMPLES, TextureQuery, VertexSink, from_floats,
};
use attila_texture::{MAX_ANISOTROPY, Storage};

use super::textures::{blend, gather, level_part, sample, texel};
use crate::abi::{
    Arguments, Column, Constant, DrawField, FragmentField, LevelField, Pixels, Slot, SpanField,
    StorageAccess, TextureField,
};
use crate::fixed;
use crate::ir::{Block, Edge, Function, Node, Op, Operands, Terminator, Value, Variable};

/// Four words.
pub(crate) type Vector = Lanes<u32>;

/// Everything that a function reads besides its quad, and the units that it asks.
///
/// Numbers that are the same in all lanes are one word.
pub(crate) trait Environment {
    /// A constant register's component.
    fn constant(&self, constant: Constant) -> u32;
    /// A component of a constant buffer's vector; 0 where there is none.
    fn buffer(&self, buffer: u8, index: u32, component: Component) -> u32;
    /// Accesses a storage buffer. The operands are an address, a mask, and four values.
    fn storage(&self, access: StorageAccess, mask: LaneMask, of: &[Vector]) -> QuadReg;
    /// Backward jumps that a lane may take.
    fn loop_budget(&self) -> u32;
    /// Bits after the point of fixed-point inputs.
    fn fixed_bits(&self) -> u32;
    /// A number of a texture.
    fn texture(&self, texture: u8, field: TextureField) -> u32;
    /// A number of a level. The level's number may be anything.
    fn level(&self, texture: u8, level: u32, field: LevelField) -> u32;
    /// The words of a texel, the last one past the end. Texels of one word leave the others 0.
    fn texel(&self, texture: u8, storage: Storage, index: u32) -> [u32; 4];
    /// The number of the last texel that may be a blend's first.
    fn last_blend(&self, texture: u8) -> u32;
    /// Asks the texture unit.
    fn sample(&self, query: &TextureQuery) -> QuadReg;
    /// Fetches a vertex attribute.
    fn attribute(&self, attribute: u8, index: Vector, wanted: LaneMask) -> [Lanes<f32>; 4];
    /// An input of a quad at packed offsets from its pixels' centres, from what it is there.
    fn evaluate(&self, quad: usize, register: u8, offset: Vector, input: QuadReg) -> QuadReg;
    /// The sink for vertices, if there is one.
    fn vertices(&self) -> Option<&dyn VertexSink>;
}

/// The quad that a function is evaluated for: in a record, in a draw, or in columns. Lowering names only what it has.
pub(crate) trait Quad {
    /// A number of the draw.
    fn draw(&self, field: DrawField) -> u32 {
        not_there(field)
    }

    /// A number of the span.
    fn span(&self, field: SpanField) -> Vector {
        not_there(field)
    }

    /// A vector of the fragments.
    fn fragment(&self, field: FragmentField) -> Vector {
        not_there(field)
    }

    /// A vector of the record.
    fn slot(&mut self, slot: Slot) -> &mut Vector {
        not_there(slot)
    }

    /// The packed position of a sample, below 16.
    fn position(&self, sample: usize) -> u32 {
        not_there(sample)
    }

    /// A word of the pixels, as they were before anything was stored.
    fn load_pixels(&self, pixels: Pixels, _word: u8) -> Vector {
        not_there(pixels)
    }

    /// Writes the words of the pixels.
    fn store_pixels(&mut self, pixels: Pixels, _words: &[Vector]) {
        not_there(pixels)
    }

    /// The words of elements in a column.
    fn load_column(&self, column: Column) -> [Vector; 4] {
        not_there(column)
    }

    /// Writes words of elements.
    fn store_column(&mut self, column: Column, _words: &[Vector]) {
        not_there(column)
    }

    /// The accumulator's component.
    fn accumulator(&mut self, component: Component) -> &mut Lanes<Fixed>;
}

fn not_there(what: impl ToString) -> ! {
    unreachable!("the quad has no {}", what.to_string())
}

/// The end of a run in which a lane used up its loop budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Spent {
    /// The jump that was one too many; 0 in a function that goes round without counting its jumps,
    /// which only a wrong pass makes.
    pub(crate) pc: u32,
}

/// A well-formed function being evaluated.
pub(crate) struct Evaluation<'a, E> {
    function: &'a Function,
    env: &'a E,
    /// The results of each node, the first of nodes that have one.
    results: Vec<[Vector; 4]>,
    variables: Vec<Vector>,
    /// The operands of the next question.
    arguments: Arguments,
    /// The scratch vectors of the quad, component by component.
    scratch: Vec<[Vector; 4]>,
    /// The number of the next quad.
    next: usize,
}

pub(super) fn floats(words: Vector) -> Lanes<f32> {
    words.map(f32::from_bits)
}

pub(super) fn mask(words: Vector) -> LaneMask {
    LaneMask::from_lanes(words.map(|word| word != 0))
}

pub(super) fn lanes<T>(f: impl FnMut(usize) -> T) -> Lanes<T> {
    std::array::from_fn(f)
}

/// The first four of several operands.
fn four(of: &[Vector]) -> [Vector; 4] {
    [of[0], of[1], of[2], of[3]]
}

/// One result.
pub(super) fn one(words: Vector) -> [Vector; 4] {
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

impl<'a, E: Environment> Evaluation<'a, E> {
    /// Before anything is evaluated.
    pub(crate) fn new(function: &'a Function, env: &'a E) -> Evaluation<'a, E> {
        Evaluation {
            function,
            env,
            results: vec![[[0; 4]; 4]; function.nodes.len()],
            variables: vec![[0; 4]; function.variables()],
            arguments: Arguments::default(),
            scratch: vec![[[0; 4]; 4]; function.scratch()],
            next: 0,
        }
    }

    /// Computes the values of the run. Any quad of it will do.
    pub(crate) fn begin_run(&mut self, quad: &mut impl Quad) {
        let nodes = &self.function.uniform;
        nodes.iter().for_each(|&value| self.node(value, quad));
    }

    /// Computes the values of a span. Any quad of it will do.
    pub(crate) fn begin_span(&mut self, quad: &mut impl Quad) {
        let nodes = &self.function.row;
        nodes.iter().for_each(|&value| self.node(value, quad));
    }

    /// Computes a quad.
    ///
    /// # Errors
    ///
    /// A lane used up its loop budget.
    pub(crate) fn quad(&mut self, quad: &mut impl Quad) -> Result<(), Spent> {
        let function = self.function;
        self.next += 1;
        self.scratch.fill([[0; 4]; 4]);
        let mut block = Function::ENTRY;
        for _ in 0..self.most_blocks() {
            for &value in &function.block(block).body {
                self.node(value, quad);
            }
            let edge = match &function.block(block).end {
                Terminator::Done => return Ok(()),
                Terminator::Fail { pc } => return Err(Spent { pc: *pc }),
                Terminator::Jump(edge) => edge,
                Terminator::Any { mask, then, other } => {
                    let any = self.value(*mask).iter().any(|&lane| lane != 0);
                    if any { then } else { other }
                }
            };
            block = self.follow(edge);
        }
        Err(Spent { pc: 0 })
    }

    /// More blocks than a quad goes through that counts its jumps: every lane may jump back as often as the budget
    /// says, and between two backward jumps each block is gone through at most as often as an anisotropic sample
    /// has parts, whose loop counts nothing.
    fn most_blocks(&self) -> u64 {
        let jumps = (LANES as u64 + 1) * (u64::from(self.env.loop_budget()) + 1);
        self.function.blocks.len() as u64 * (jumps + 1) * u64::from(MAX_ANISOTROPY)
    }

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

    fn node(&mut self, value: Value, quad: &mut impl Quad) {
        let node = *self.function.node(value);
        self.results[value.0 as usize] = self.results_of(&node, quad);
    }

    fn keep(&mut self, variable: Variable, words: Vector) -> Vector {
        self.variables[usize::from(variable.0)] = words;
        NOTHING
    }

    /// A lane's word of the scratch vector that it names. `None` outside of the array.
    fn scratch_word(
        &mut self,
        array: ScratchArray,
        component: Component,
        index: u32,
        lane: usize,
    ) -> Option<&mut u32> {
        let within = index < u32::from(array.size);
        let place = usize::from(array.base) + index as usize;
        within.then(|| &mut self.scratch[place][component.index()][lane])
    }

    fn store_scratch(
        &mut self,
        array: ScratchArray,
        component: Component,
        of: &[Vector],
    ) -> Vector {
        for n in set(of[2]) {
            if let Some(word) = self.scratch_word(array, component, of[0][n], n) {
                *word = of[1][n];
            }
        }
        NOTHING
    }

    fn load_scratch(&mut self, array: ScratchArray, component: Component, index: Vector) -> Vector {
        lanes(|n| match self.scratch_word(array, component, index[n], n) {
            Some(word) => *word,
            None => 0,
        })
    }

    /// The values of a node's operands; zeros after the last one.
    fn operands(&self, node: &Node) -> [Vector; Operands::MOST] {
        let mut of = [[0; 4]; Operands::MOST];
        for (operand, &value) in of.iter_mut().zip(&*node.operands) {
            *operand = self.value(value);
        }
        of
    }

    fn argument(&mut self, place: u8, words: Vector) -> Vector {
        self.arguments[usize::from(place)] = words;
        NOTHING
    }

    /// An input of the current quad.
    fn evaluate(&self, register: u8, of: &[Vector]) -> QuadReg {
        let current = self.next - 1;
        self.env.evaluate(current, register, of[0], four(&of[1..]))
    }

    /// The results of a node; zeros in place of those that it does not have.
    fn results_of(&mut self, node: &Node, quad: &mut impl Quad) -> [Vector; 4] {
        let env = self.env;
        let of = &self.operands(node)[..node.operands.len()];
        one(match node.op {
            Op::Unary(op) => of[0].map(|a| super::unary(self.function.format, op, a)),
            Op::Binary(op) => {
                lanes(|n| super::binary(self.function.format, op, of[0][n], of[1][n]))
            }
            Op::Shift(op, by) => of[0].map(|a| super::shift(op, a, by)),
            Op::Fma => lanes(|n| super::fma(self.function.format, [of[0][n], of[1][n], of[2][n]])),
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
            Op::Buffer(buffer, component) => of[0].map(|at| env.buffer(buffer, at, component)),
            Op::LoadScratch(array, component) => self.load_scratch(array, component, of[0]),
            Op::StoreScratch(array, component) => self.store_scratch(array, component, of),
            Op::LoopBudget => [env.loop_budget(); 4],
            Op::Draw(field) => [quad.draw(field); 4],
            Op::Span(field) => quad.span(field),
            Op::Fragment(field) => quad.fragment(field),
            Op::Load(slot) => *quad.slot(slot),
            Op::Position => of[0].map(|sample| quad.position(sample as usize % SAMPLES)),
            Op::Recall(variable) => self.variables[usize::from(variable.0)],
            Op::TextureField(texture, field) => [env.texture(texture, field); 4],
            Op::LevelField(texture, field) => [env.level(texture, of[0][0], field); 4],
            Op::FixedResult(component) => fixed_result(env, quad, component, of),
            Op::Double(op) => super::double(op, of),
            Op::LoadPixels(pixels) => return load_pixels(quad, pixels),
            Op::LoadColumn(column) => return quad.load_column(column),
            Op::StoreColumn(column) => {
                quad.store_column(column, of);
                NOTHING
            }
            Op::LevelPart(texture, part) => return level_part(env, (texture, part), of[0]),
            Op::Texel(texture, storage) => return texel(env, texture, storage, of[0]),
            Op::Gather(texture, storage, word, alike) => {
                return gather(env, (texture, storage, word, alike), of);
            }
            Op::Blend(texture, storage, alike) | Op::BlendOnto(texture, storage, alike) => {
                return std::array::from_fn(|n| blend(env, (texture, storage, alike), of, n));
            }
            Op::Transpose => return std::array::from_fn(|c| lanes(|n| of[n][c])),
            Op::Sample(kind, unit, stage) => return sample(env, (kind, unit, stage), of),
            Op::Argument(place) => self.argument(place, of[0]),
            Op::Storage(access) => return env.storage(access, mask(of[1]), of),
            Op::Ask(question) => {
                return question.ask(&self.arguments, mask(of[0]), |query| env.sample(query));
            }
            Op::Attribute(n) => return from_floats(env.attribute(n, of[0], mask(of[1]))),
            Op::Evaluate(register) => return self.evaluate(register, of),
            Op::Output(register) => hand_over(env, |to| to.output(register, &four(of))),
            Op::EmitVertex(stream) => hand_over(env, |to| to.emit(stream, mask(of[0]))),
            Op::EndPrimitive(stream) => hand_over(env, |to| to.end_primitive(stream, mask(of[0]))),
            Op::Store(slot) => store(quad, slot, of[0]),
            Op::Keep(variable) => self.keep(variable, of[0]),
            Op::StorePixels(pixels) => store_pixels(quad, pixels, of),
            Op::FixedMul(component) => fixed_mul(env, quad, component, of),
            Op::FixedMulAdd(component) => fixed_mul_add(env, quad, component, of),
        })
    }
}

/// The result of an operation that has no result.
const NOTHING: Vector = [0; 4];

/// Calls the sink for vertices, if there is one.
fn hand_over(env: &impl Environment, call: impl FnOnce(&dyn VertexSink)) -> Vector {
    if let Some(vertices) = env.vertices() {
        call(vertices);
    }
    NOTHING
}

fn store(quad: &mut impl Quad, slot: Slot, words: Vector) -> Vector {
    *quad.slot(slot) = words;
    NOTHING
}

fn store_pixels(quad: &mut impl Quad, pixels: Pixels, words: &[Vector]) -> Vector {
    quad.store_pixels(pixels, words);
    NOTHING
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

fn load_pixels(quad: &impl Quad, pixels: Pixels) -> [Vector; 4] {
    [0, 1, 2, 3].map(|word| {
        if usize::from(word) < pixels.words() {
            quad.load_pixels(pixels, word)
        } else {
            [0; 4]
        }
    })
}

/// The lanes that are set.
fn set(mask: Vector) -> impl Iterator<Item = usize> {
    (0..4).filter(move |&n| mask[n] != 0)
}

fn fixed_mul(
    env: &impl Environment,
    quad: &mut impl Quad,
    component: Component,
    of: &[Vector],
) -> Vector {
    let (a, b, bits) = (floats(of[0]), floats(of[1]), env.fixed_bits());
    for n in set(of[2]) {
        quad.accumulator(component)[n] = fixed::mul(a[n], b[n], bits);
    }
    NOTHING
}

fn fixed_mul_add(
    env: &impl Environment,
    quad: &mut impl Quad,
    component: Component,
    of: &[Vector],
) -> Vector {
    let [a, b, c] = [of[0], of[1], of[2]].map(floats);
    let bits = env.fixed_bits();
    for n in set(of[3]) {
        quad.accumulator(component)[n] = fixed::mul_add(a[n], b[n], c[n], bits);
    }
    NOTHING
}

fn fixed_result(
    env: &impl Environment,
    quad: &mut impl Quad,
    component: Component,
    of: &[Vector],
) -> Vector {
    let (a, b, bits) = (floats(of[0]), floats(of[1]), env.fixed_bits());
    let accumulator = quad.accumulator(component);
    lanes(|n| fixed::result(a[n], b[n], accumulator[n], bits).to_bits())
}
