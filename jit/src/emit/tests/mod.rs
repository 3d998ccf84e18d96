//! Emission is tested on functions made by hand, operation by operation.

mod approximations;
mod calls;
mod flow;
mod operations;
mod packing;
mod storage;
mod texels;

use attila_machine::{Bindings, QuadIo, RunError};
use target_lexicon::Triple;

use super::wasm::Wasm;
use super::wasm::sandbox::Sandbox;
use super::{Code, Emitter, Run, Source};
use crate::EmitterKind;
use crate::abi::{RecordLayout, Slot};
use crate::compiled::Record;
use crate::ir::{self, BlockData, Function, Node, Op, Operands, Rate, Terminator, Type, Value};
use crate::sampling::Inlined;
use crate::target::{CompileTarget, Cpu, Wide, widths_here};

/// Makes code that this machine runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Machine {
    /// An emitter, and the features of this machine that it may use.
    Of(EmitterKind, Cpu),
    /// The emitter for vectors of more than 128 bits.
    Wide(Wide),
    /// The emitter for WebAssembly, with a process that runs its code.
    Wasm(Sandbox),
}

/// Operations that the emitter for wide vectors does not have, by their names in lane IR. Tests skip
/// functions with one of them, and no others.
const NOT_WIDE: [&str; 5] = [
    "emit_vertex",
    "end_primitive",
    "evaluate",
    "output",
    "storage",
];

impl Machine {
    /// Calls `f` with its emitter.
    pub(crate) fn emitter<T>(self, f: impl FnOnce(&dyn Emitter) -> T) -> T {
        match self {
            Machine::Of(kind, cpu) => f(&*kind.emitter(&target(cpu))),
            Machine::Wide(wide) => f(&*wide.emitter()),
            Machine::Wasm(sandbox) => f(&sandbox),
        }
    }

    /// The code that it makes of a function.
    pub(crate) fn emit(self, source: &Source<'_>) -> Box<dyn Code> {
        let code = self.emitter(|emitter| emitter.emit(source));
        code.unwrap_or_else(|error| panic!("{self:?}: {error:?} in\n{}", source.function))
    }

    /// Quads of a vector.
    pub(crate) fn quads(self) -> usize {
        self.emitter(|emitter| emitter.vectors().quads())
    }
}

/// Every emitter that takes a function: those for all functions, for this machine with all its features
/// and with only those of its architecture, and that for each width of wide vectors that it has, with and
/// without the features beyond.
pub(crate) fn machines(function: &Function) -> Vec<Machine> {
    let kinds = EmitterKind::ALL.into_iter();
    let of_all =
        kinds.flat_map(|kind| [Cpu::Host, Cpu::Baseline].map(|cpu| Machine::Of(kind, cpu)));
    let mut machines: Vec<Machine> = of_all.collect();
    let lacking = not_wide(function);
    let widths = widths_here().into_iter().flatten();
    for machine in widths.flat_map(Wide::variants).map(Machine::Wide) {
        let takes = machine.emitter(|emitter| emitter.takes(function, true));
        assert_eq!(
            takes,
            lacking.is_none(),
            "{machine:?} lacks {lacking:?} according to `NOT_WIDE`, but takes is {takes}"
        );
        machines.extend(takes.then_some(machine));
    }
    machines.extend(sandboxes().into_iter().map(Machine::Wasm));
    machines
}

/// WebAssembly with and without instructions that are relaxed, as far as there is something that runs it.
#[expect(clippy::print_stderr, reason = "tests say what they leave out")]
fn sandboxes() -> Vec<Sandbox> {
    match Sandbox::best() {
        Ok(best) => {
            let plain = Sandbox {
                wasm: Wasm { fused: false },
            };
            let others = (best != plain).then_some(best);
            std::iter::once(plain).chain(others).collect()
        }
        Err(error) => {
            static TOLD: std::sync::Once = std::sync::Once::new();
            TOLD.call_once(|| eprintln!("SKIPPED: WebAssembly, {error}"));
            Vec::new()
        }
    }
}

/// An operation of a function that the emitter for wide vectors does not have.
fn not_wide(function: &Function) -> Option<&'static str> {
    let blocks = function.blocks.iter().map(|block| &block.body);
    let values = blocks.chain([&function.uniform, &function.row]).flatten();
    let mut names = values.map(|&value| function.node(value).op.row().name);
    names.find(|name| NOT_WIDE.contains(name))
}

/// Every emitter that takes a function, for each number of vectors side by side.
fn machines_for<const N: usize>(
    function: &Function,
    vectors: [usize; N],
) -> impl Iterator<Item = (Machine, usize)> {
    let machines = machines(function).into_iter();
    machines.flat_map(move |machine| vectors.map(|vectors| (machine, vectors * machine.quads())))
}

pub(crate) fn target(cpu: Cpu) -> CompileTarget {
    CompileTarget::new(&Triple::host(), cpu, true).expect("this machine is supported")
}

/// The code that an emitter makes for quads without registers.
fn compile(function: &Function, machine: Machine, quads: usize) -> Box<dyn Code> {
    compile_as(function, machine, (RecordLayout::Io, quads))
}

/// The code that it makes for records of a layout.
fn compile_as(
    function: &Function,
    machine: Machine,
    (layout, quads): (RecordLayout, usize),
) -> Box<dyn Code> {
    machine.emit(&Source {
        function,
        layout,
        quads,
    })
}

/// Runs quads with code that samples no texture inline.
fn run<R: Record>(
    code: &dyn Code,
    bindings: &Bindings<'_>,
    quads: &mut [R],
) -> Result<(), RunError> {
    let textures = &Inlined::default();
    code.run(&Run { bindings, textures }, R::records(quads))
}

/// Makes a function without the builder, so that nothing is folded.
pub(crate) struct Maker {
    pub(crate) function: Function,
}

impl Maker {
    pub(crate) fn new() -> Maker {
        let mut maker = Maker {
            function: Function::empty(),
        };
        maker.block(&[]);
        maker
    }

    /// Opens a block, all further nodes of quads going there. Ends as [`Terminator::Done`].
    pub(crate) fn block(&mut self, params: &[Type]) -> ir::Block {
        let params = params
            .iter()
            .map(|&ty| self.node(Node::param(ty)))
            .collect();
        self.function.blocks.push(BlockData {
            params,
            body: Vec::new(),
            end: Terminator::Done,
        });
        ir::Block(self.function.blocks.len() as u32 - 1)
    }

    pub(crate) fn param(&self, block: ir::Block, index: usize) -> Value {
        self.function.block(block).params[index]
    }

    pub(crate) fn end(&mut self, block: ir::Block, end: Terminator) {
        self.function.blocks[block.0 as usize].end = end;
    }

    fn node(&mut self, node: Node) -> Value {
        self.function.nodes.push(node);
        Value(self.function.nodes.len() as u32 - 1)
    }

    /// A value of the whole run, without operands.
    pub(crate) fn uniform(&mut self, op: Op, ty: Type) -> Value {
        self.uniform_as(op, [].into(), ty)
    }

    /// A value of the whole run.
    pub(crate) fn uniform_of(&mut self, op: Op, operands: impl Into<Operands>) -> Value {
        let operands = operands.into();
        let ty = self.function.result_type(&op, &operands);
        self.uniform_as(op, operands, ty.expect("the type is not open"))
    }

    fn uniform_as(&mut self, op: Op, operands: Operands, ty: Type) -> Value {
        let node = self.function.new_node(op, operands, ty, Rate::Uniform);
        let value = self.node(node);
        self.function.uniform.push(value);
        value
    }

    /// A value of the quad, in the block opened last.
    pub(crate) fn push(&mut self, op: Op, operands: impl Into<Operands>) -> Value {
        let operands = operands.into();
        let ty = self.function.result_type(&op, &operands);
        self.push_as(op, operands, ty.expect("the type is not open"))
    }

    /// The same with a type that the table leaves open.
    pub(crate) fn push_as(&mut self, op: Op, operands: impl Into<Operands>, ty: Type) -> Value {
        let operands = operands.into();
        let node = self.function.new_node(op, operands, ty, Rate::Quad);
        let value = self.node(node);
        let block = self.function.blocks.last_mut().expect("there is a block");
        block.body.push(value);
        value
    }

    pub(crate) fn bits(&mut self, bits: u32, ty: Type) -> Value {
        self.uniform(Op::Const(bits), ty)
    }

    /// The x component of an input.
    pub(crate) fn input(&mut self, reg: u8, ty: Type) -> Value {
        self.push_as(Op::Load(Slot::Input { reg, component: 0 }), [], ty)
    }

    /// Writes the x component of an output.
    pub(crate) fn output(&mut self, reg: u8, value: Value) {
        let slot = Slot::Output { reg, component: 0 };
        self.push(Op::Store(slot), [value]);
    }
}

/// Quads whose inputs `0..N` are the rows of `values`, in their x components.
fn quads_of<const N: usize>(values: &[[u32; N]]) -> Vec<QuadIo> {
    values
        .chunks(4)
        .map(|rows| {
            let mut quad = QuadIo::default();
            for (lane, row) in rows.iter().enumerate() {
                for (reg, &word) in row.iter().enumerate() {
                    quad.inputs[reg][0][lane] = word;
                }
            }
            quad
        })
        .collect()
}

/// Output 0's x components for the inputs `values`.
fn results<const N: usize>(
    code: &dyn Code,
    bindings: &Bindings<'_>,
    values: &[[u32; N]],
) -> Result<Vec<u32>, RunError> {
    let mut quads = quads_of(values);
    run(code, bindings, &mut quads)?;
    let words = quads.iter().flat_map(|quad| quad.outputs[0][0]);
    Ok(words.take(values.len()).collect())
}
