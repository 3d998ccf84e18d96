//! Everything about a function that is decided before an emitter makes code of it, and that is the
//! same for every emitter. [`Registers`](super::registers::Registers) decides during emission.

use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use crate::abi::{FragmentField, Pixels, RecordLayout};
use crate::ir::{Function, Op, Rate, Terminator, Unary, Value, Variable};
use crate::target::VectorTarget;

/// The decisions about a function, for a machine.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Plan {
    /// Places in the table of shared values: values of the run that spans or quads use, and values of
    /// spans that quads use.
    pub(crate) places: FxHashMap<Value, usize>,
    /// How many variables the function has. Their places follow those of the values.
    pub(crate) variables: usize,
    /// The nodes that take one of several results, by these and its number.
    pub(crate) parts: FxHashMap<(Value, u8), SmallVec<[Value; 1]>>,
    /// Negations that become a part of every instruction that uses them, and what they negate.
    pub(crate) absorbed: FxHashMap<Value, Value>,
    /// The surfaces that quads read or write, each once, in their order.
    pub(crate) surfaces: Vec<Pixels>,
    /// How many textures need descriptors.
    pub(crate) textures: usize,
    /// Whether quads of a draw may be shaded again: pixels are written regardless of their old
    /// values.
    pub(crate) repeatable: bool,
    /// Whether quads use the accumulator.
    pub(crate) accumulator: bool,
    /// How many scratch vectors each lane of a quad has.
    pub(crate) scratch: usize,
    /// How many constant buffers the code needs.
    pub(crate) buffers: usize,
    /// How many storage buffers the code needs.
    pub(crate) storage: usize,
    /// Whether quads ask for the columns of their pixels.
    pub(crate) columns: bool,
}

impl Plan {
    /// Decides for a well-formed function.
    pub(crate) fn new(function: &Function, vectors: &VectorTarget) -> Plan {
        let any = |is: fn(&Op) -> bool| ops(function).any(is);
        Plan {
            places: places(function),
            variables: function.variables(),
            parts: parts(function),
            absorbed: absorbed(function, vectors),
            surfaces: surfaces(function),
            textures: textures(function),
            repeatable: !any(depends_on_pixels),
            accumulator: any(Op::accumulates),
            scratch: function.scratch(),
            buffers: buffers(function),
            storage: storage(function),
            columns: any(|op| *op == Op::Fragment(FragmentField::X)),
        }
    }

    /// A variable's place in the table of shared values.
    pub(crate) fn place_of(&self, variable: Variable) -> usize {
        self.places.len() + usize::from(variable.0)
    }

    /// How many vectors the table of shared values has.
    pub(crate) fn shared(&self) -> usize {
        self.places.len() + self.variables
    }
}

/// Facts about code that its callers have to know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    /// The records that it works on.
    pub(crate) layout: RecordLayout,
    /// The literals that it reads, one word each.
    pub(crate) literals: Vec<u32>,
    /// How many vectors it keeps for the run.
    pub(crate) uniforms: usize,
    /// How many textures it samples inline.
    pub(crate) textures: usize,
    /// How many scratch vectors each lane of a quad has.
    pub(crate) scratch: usize,
    /// How many constant buffers it reads.
    pub(crate) buffers: usize,
    /// How many storage buffers it accesses.
    pub(crate) storage: usize,
    /// The fewest quads of a span that it shades without touching anything past the end.
    pub(crate) shortest: u32,
}

impl Shape {
    /// The shape of code that was made by a plan, and shades spans of any length.
    pub(crate) fn new(plan: &Plan, layout: RecordLayout, literals: Literals) -> Shape {
        Shape {
            shortest: 1,
            layout,
            literals: literals.words,
            uniforms: plan.shared(),
            textures: plan.textures,
            scratch: plan.scratch,
            buffers: plan.buffers,
            storage: plan.storage,
        }
    }
}

/// The table of literals. It grows as code is made that reads them; each word is in it once.
#[derive(Default)]
pub(crate) struct Literals {
    words: Vec<u32>,
    places: FxHashMap<u32, usize>,
}

impl Literals {
    /// The word's place.
    pub(crate) fn place(&mut self, word: u32) -> usize {
        *self.places.entry(word).or_insert_with(|| {
            self.words.push(word);
            self.words.len() - 1
        })
    }
}

/// Places in the table for the values of the run that spans or quads use, and for those of spans
/// that quads use.
fn places(function: &Function) -> FxHashMap<Value, usize> {
    let most = function.uniform.len() + function.row.len();
    let mut places = FxHashMap::with_capacity_and_hasher(most, FxBuildHasher);
    let mut keep = |value: Value, below: Rate| {
        let node = function.node(value);
        if node.rate < below && !matches!(node.op, Op::Const(_)) {
            let next = places.len();
            places.entry(value).or_insert(next);
        }
    };
    for &value in &function.row {
        let operands = function.node(value).operands;
        operands
            .iter()
            .for_each(|&operand| keep(operand, Rate::Row));
    }
    let mut visit = |value: Value| keep(value, Rate::Quad);
    for block in &function.blocks {
        for &value in &block.body {
            let operands = function.node(value).operands;
            operands.iter().copied().for_each(&mut visit);
        }
        if let Terminator::Any { mask, .. } = block.end {
            visit(mask);
        }
        for target in block.end.targets() {
            target.args.iter().copied().for_each(&mut visit);
        }
    }
    places
}

/// How many textures the code needs descriptors of.
fn textures(function: &Function) -> usize {
    let needed = |op: &Op| {
        if let Op::TextureField(texture, _)
        | Op::LevelField(texture, _)
        | Op::LevelPart(texture, _)
        | Op::Texel(texture, _)
        | Op::Gather(texture, ..)
        | Op::Blend(texture, ..)
        | Op::BlendOnto(texture, ..) = op
        {
            usize::from(*texture) + 1
        } else {
            0
        }
    };
    let needed = function.nodes.iter().map(|node| needed(&node.op));
    needed.max().unwrap_or(0)
}

/// How many constant buffers the code needs.
fn buffers(function: &Function) -> usize {
    let needed = |op: &Op| {
        if let Op::Buffer(buffer, _) = op {
            usize::from(*buffer) + 1
        } else {
            0
        }
    };
    let needed = function.nodes.iter().map(|node| needed(&node.op));
    needed.max().unwrap_or(0)
}

/// How many storage buffers the code needs.
fn storage(function: &Function) -> usize {
    let needed = |op: &Op| {
        if let Op::Storage(access) = op {
            usize::from(access.buffer) + 1
        } else {
            0
        }
    };
    let needed = function.nodes.iter().map(|node| needed(&node.op));
    needed.max().unwrap_or(0)
}

fn parts(function: &Function) -> FxHashMap<(Value, u8), SmallVec<[Value; 1]>> {
    let mut parts: FxHashMap<_, SmallVec<_>> = FxHashMap::default();
    let bodies = function.blocks.iter().flat_map(|block| &block.body);
    for &value in function.uniform.iter().chain(&function.row).chain(bodies) {
        let node = function.node(value);
        if let (Op::Extract(part), &[whole]) = (node.op, &*node.operands) {
            parts.entry((whole, part)).or_default().push(value);
        }
    }
    parts
}

/// The negations of quads that only products with sums use, if the target has those.
fn absorbed(function: &Function, vectors: &VectorTarget) -> FxHashMap<Value, Value> {
    if !vectors.fma {
        return FxHashMap::default();
    }
    let body = || function.blocks.iter().flat_map(|block| &block.body);
    let negations = body().filter_map(|&value| match function.node(value).as_unary() {
        Some((Unary::Fneg, of)) => Some((value, of)),
        _ => None,
    });
    let mut absorbed: FxHashMap<_, _> = negations.collect();
    let mut keep = |value: Value| {
        absorbed.remove(&value);
    };
    for &value in body() {
        let node = function.node(value);
        if node.op != Op::Fma {
            node.operands.iter().copied().for_each(&mut keep);
        }
    }
    for target in function.blocks.iter().flat_map(|block| block.end.targets()) {
        target.args.iter().copied().for_each(&mut keep);
    }
    absorbed
}

fn ops(function: &Function) -> impl Iterator<Item = &Op> {
    let body = function.blocks.iter().flat_map(|block| &block.body);
    body.map(|&value| &function.node(value).op)
}

/// The surfaces that a function reads or writes, each once.
fn surfaces(function: &Function) -> Vec<Pixels> {
    let pixels = ops(function).filter_map(|op| {
        if let Op::LoadPixels(pixels) | Op::StorePixels(pixels) = op {
            Some(*pixels)
        } else {
            None
        }
    });
    let mut used: Vec<Pixels> = pixels.collect();
    used.sort_by_key(|pixels| (pixels.surface, pixels.sample));
    used.dedup();
    used
}

/// Whether pixels depend on what they were before, or on being covered.
fn depends_on_pixels(op: &Op) -> bool {
    matches!(op, Op::LoadPixels(_)) || op.asks_for_coverage()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse;

    fn function(text: &str) -> Function {
        parse(text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    fn plan(text: &str) -> Plan {
        Plan::new(&function(text), &VectorTarget::AVX2)
    }

    /// The decisions about a draw whose only block has these lines.
    fn drawn(lines: &str) -> Plan {
        plan(&format!(
            "uniform:\n  z: f32 = const 0.0\nblock0:\n  x: f32 = fragment i0.x\n  \
             w: i32 = tobits x\n  {lines}\n  done\n"
        ))
    }

    #[test]
    fn shared_values_that_quads_use_have_places_and_variables_come_behind() {
        let text = "uniform:\n  one: f32 = const 1.0\n  c: f32 = uniform c0.x\n  \
                    d: f32 = fadd c, one\n  e: f32 = fmul d, c\n\
                    block0:\n  x: f32 = load i0.x\n  y: f32 = fmul x, d\n  z: f32 = fadd y, one\n  \
                    keep x0, z\n  keep x1, e\n  jump block1\n\
                    block1:\n  w: f32 = recall x0\n  store o0.x, w\n  done\n";
        let (function, plan) = (function(text), plan(text));
        let named = |place| {
            let mut places = plan.places.iter();
            let (value, _) = places.find(|(_, at)| **at == place).expect("there is one");
            function.node(*value).op.row().name
        };
        assert_eq!([named(0), named(1)], ["fadd", "fmul"]);
        assert_eq!(plan.places.len(), 2, "constants are literals");
        assert_eq!(plan.place_of(Variable(1)), 3);
        assert_eq!(plan.shared(), 4);
    }

    #[test]
    fn only_pixels_that_nothing_depends_on_may_be_written_again() {
        assert!(drawn("store_pixels target0:1, w").repeatable);
        let covered = "m: mask = fragment coverage\n  v: f32 = select m, x, z\n  \
                       b: i32 = tobits v\n  store_pixels target0:1, b";
        assert!(!drawn(covered).repeatable);
        let blended = "p = load_pixels target0:1\n  q: i32 = extract 0, p\n  \
                       b: i32 = iadd q, w\n  store_pixels target0:1, b";
        assert!(!drawn(blended).repeatable);
    }

    #[test]
    fn a_draw_needs_the_surfaces_and_columns_that_its_quads_name() {
        let plan = drawn("store_pixels target2:2, w, w\n  store_pixels target0:1, w");
        let surfaces = plan.surfaces.iter().map(Pixels::to_string);
        assert_eq!(surfaces.collect::<Vec<_>>(), ["target0:1", "target2:2"]);
        assert!(!plan.columns && !plan.accumulator);
        assert!(
            drawn("c: f32 = fragment x\n  b: i32 = tobits c\n  store_pixels target0:1, b").columns
        );
        assert!(
            drawn(
                "f: f32 = fixed_result y, x, z\n  b: i32 = tobits f\n  store_pixels target0:1, b"
            )
            .accumulator
        );
    }

    #[test]
    fn textures_are_counted_up_to_the_last_that_is_named() {
        let one = "l: f32 = texture 2, lod_bias\n  b: i32 = tobits l\n  store_pixels target0:1, b";
        assert_eq!(drawn(one).textures, 3);
        assert_eq!(drawn("store_pixels target0:1, w").textures, 0);
    }

    #[test]
    fn negations_are_absorbed_if_products_with_sums_are_their_only_users() {
        let text = "block0:\n  x: f32 = load i0.x\n  n: f32 = fneg x\n  m: f32 = fneg n\n  \
                    y: f32 = fma n, x, x\n  w: f32 = fma m, y, x\n  z: f32 = fadd m, y\n  \
                    v: f32 = fma n, z, w\n  store o0.x, v\n  done\n";
        // Both negations have another user: m and the sum.
        assert_eq!(plan(text).absorbed.len(), 0);
        let text = "block0:\n  x: f32 = load i0.x\n  n: f32 = fneg x\n  y: f32 = fma n, x, n\n  \
                    store o0.x, y\n  done\n";
        assert_eq!(plan(text).absorbed.len(), 1);
        let slow = VectorTarget {
            fma: false,
            ..VectorTarget::AVX2
        };
        assert_eq!(Plan::new(&function(text), &slow).absorbed.len(), 0);
    }

    #[test]
    fn a_literal_has_one_place() {
        let mut literals = Literals::default();
        let places = [7, 9, 7, 0].map(|word| literals.place(word));
        assert_eq!(places, [0, 1, 0, 2]);
        let plan = drawn("store_pixels target0:1, w");
        let shape = Shape::new(&plan, RecordLayout::Draw, literals);
        assert_eq!(shape.literals, [7, 9, 0]);
    }
}
