//! The function around the operations: sections, blocks, loops, frame.
//!
//! ```text
//! prologue         registers saved, frame
//! uniform values   ─► frame
//! span ◄─────┐     where its pixels are; values of the span ─► frame          (draws only)
//! quads ◄──┐ │     blocks of lane IR
//! next ────┘ │     as many quads further on
//! next span ─┘
//! epilogue
//! ```

use iced_x86::{Code, IcedError, Register};

use super::allocate::slots::{FRAME, Slots};
use super::allocate::{Allocated, Out, Tables, allocate};
use super::assemble::Assembler;
use super::draw::{CONTEXT, DRAWING, QUAD, SPAN, TEXTURES};
use super::forms::{Form, Width};
use super::mir::{Block, Edge, End, Inst, Label, Mem, Region, Vreg};
use super::prefetch::Prefetch;
use super::scalar;
use super::texels::Levels;
use super::turns::{self, Step};
use super::values::{Emission, LITERALS, Section};
use super::words::WrittenRows;
use crate::abi::{ContextField, RecordLayout};
use crate::emit::Made;
use crate::ir::{self, Origin, Terminator, Value};
use crate::pages::PAGE;

/// Registers that belong to the caller.
const SAVED: [Register; 6] = [
    Register::RBP,
    Register::RBX,
    Register::R12,
    Register::R13,
    Register::R14,
    Register::R15,
];

/// A function whose instructions are chosen.
struct Selected {
    /// Before the first span or record.
    uniform: Region,
    /// At the beginning of each span.
    row: Region,
    quads: Region,
    /// Behind each iteration.
    next: Vec<Inst>,
}

impl Emission<'_> {
    /// The machine code.
    pub(super) fn emit(mut self) -> Result<Made, IcedError> {
        let labels = Labels {
            span: self.label(),
            quads: self.label(),
            next: self.label(),
            end: self.label(),
            literals: self.label(),
        };
        let selected = self.select_all(&labels);
        let mut slots = Slots::new(self.areas.end());
        let mut tables = Tables::default();
        let regions = [&selected.uniform, &selected.row, &selected.quads]
            .map(|region| allocate(self.width, region, &self.vregs, &mut slots, &mut tables));
        let next: Vec<Out> = selected.next.into_iter().map(plain).collect();
        let routines: Vec<Out> = self.call_routines().into_iter().map(plain).collect();
        let ends = self.ends();

        let mut code = Assembler::new(self.labels)?;
        self.prologue(&mut code, &labels, slots.size())?;
        let [uniform, row, quads] = regions;
        put_region(&mut code, self.width, &selected.uniform, uniform)?;
        code.place(labels.span);
        put_region(&mut code, self.width, &selected.row, row)?;
        code.place(labels.quads);
        put_region(&mut code, self.width, &selected.quads, quads)?;
        code.place(labels.next);
        code.put(&next)?;
        code.put(&ends)?;
        code.place(labels.end);
        self.epilogue(&mut code)?;
        code.put_cold()?;
        code.put(&routines)?;
        let (literals, middle) = self.literals.bytes(self.width);
        code.end_instructions(64);
        let padding = middle.next_multiple_of(64) - middle;
        code.data(&vec![0; padding]);
        code.data(&literals[..middle]);
        code.place(labels.literals);
        code.data(&literals[middle..]);
        Ok(code.finish())
    }

    fn select_all(&mut self, labels: &Labels) -> Selected {
        let function = self.function;
        self.section = Section::Uniform;
        self.shared_values(&function.uniform);
        let uniform = self.straight(labels.span);
        self.section = Section::Row;
        if self.layout == RecordLayout::Draw {
            self.begin_span();
            self.begin_row();
            self.first_columns();
            self.shared_values(&function.row);
            self.insts.push(scalar::zero(Register::EBX));
        }
        let row = self.straight(labels.quads);
        self.section = Section::Quads;
        let quads = self.quad_blocks(labels);
        let next = match self.layout {
            RecordLayout::Draw => {
                let mut next = self.next_quads(labels.quads);
                next.extend(self.next_span(labels.span));
                next
            }
            RecordLayout::Io
            | RecordLayout::ExtendedIo
            | RecordLayout::State
            | RecordLayout::Columns => self.next_records(labels.quads),
        };
        Selected {
            uniform,
            row,
            quads,
            next,
        }
    }

    /// The instructions so far as a region of one block.
    fn straight(&mut self, to: Label) -> Region {
        self.set_origin(Origin::default());
        let insts = std::mem::take(&mut self.insts);
        self.levels = Levels::default();
        Region {
            blocks: vec![Block {
                params: Vec::new(),
                insts,
                origins: std::mem::take(&mut self.origins),
                end: End::Leave(to),
            }],
        }
    }

    fn shared_values(&mut self, values: &[Value]) {
        for &value in values {
            self.operation(value, 0);
        }
    }

    fn quad_blocks(&mut self, labels: &Labels) -> Region {
        let function = self.function;
        for data in &function.blocks {
            assert!(
                self.copies == 1 || data.params.is_empty(),
                "copies go one way"
            );
            for &param in &data.params {
                let class = self.class_of(function.node(param).ty);
                let vreg = self.vregs.add(class);
                self.define(param, 0, vreg);
            }
        }
        let mut region = Region::default();
        if self.layout == RecordLayout::Draw {
            let begin = self.begin_quads();
            self.insts.extend(begin);
        }
        self.clear_scratch();
        self.clear_accumulators();
        let mut prefetches = self.prefetches();
        for data in &function.blocks {
            self.operations(&data.body, std::mem::take(&mut prefetches));
            self.set_origin(Origin::default());
            let end = self.end_of(&data.end, labels);
            self.levels = Levels::default();
            self.rows = WrittenRows::default();
            region.blocks.push(Block {
                params: data
                    .params
                    .iter()
                    .map(|&param| self.value(param, 0))
                    .collect(),
                insts: std::mem::take(&mut self.insts),
                origins: std::mem::take(&mut self.origins),
                end,
            });
        }
        region
    }

    /// The operations of a block, with `between` spread among them: a processor has room for a few lines
    /// that are on their way from memory, and loads that it has no room for wait.
    fn operations(&mut self, body: &[Value], between: Vec<Prefetch>) {
        let gap = (body.len() * self.copies / (between.len() + 1)).max(1);
        let mut between = between.into_iter();
        let mut done = 0;
        for step in turns::order(self.function, body, self.copies) {
            match step {
                Step::LookAhead(blend, copy) => self.look_ahead(blend, copy),
                Step::Operation(value, copy) => {
                    self.operation(value, copy);
                    done += 1;
                    if done % gap == 0
                        && let Some(next) = between.next()
                    {
                        self.prefetch(next);
                    }
                }
            }
        }
        between.for_each(|left| self.prefetch(left));
    }

    fn end_of(&mut self, end: &Terminator, labels: &Labels) -> End {
        match end {
            Terminator::Jump(edge) => End::Jump(self.edge(edge)),
            Terminator::Any { mask, then, other } => End::Any {
                mask: self.any_copy(*mask),
                then: self.edge(then),
                other: self.edge(other),
            },
            Terminator::Done => End::Leave(labels.next),
            Terminator::Fail { pc } => {
                let place = self.place();
                self.insts.extend(place);
                self.insts.extend([
                    scalar::shift_left(Register::RAX, crate::code::Failure::PC_BITS as u8),
                    scalar::add_constant(Register::RAX, *pc as i32 + 1),
                ]);
                End::Leave(labels.end)
            }
        }
    }

    /// A mask with the lanes of all copies.
    fn any_copy(&mut self, mask: Value) -> Vreg {
        let first = self.value(mask, 0);
        (1..self.copies).fold(first, |all, copy| {
            let mask = self.value(mask, copy);
            self.binary_form(Form::Or, all, mask)
        })
    }

    fn edge(&mut self, edge: &ir::Edge) -> Edge {
        let args = edge.args.iter();
        Edge {
            block: edge.block.0 as usize,
            args: args.map(|&arg| self.value(arg, 0)).collect(),
        }
    }

    /// Saves the caller's registers and makes a frame.
    fn prologue(
        &self,
        code: &mut Assembler,
        labels: &Labels,
        frame: usize,
    ) -> Result<(), IcedError> {
        let areas = self.areas;
        let frame = frame.next_multiple_of(64);
        let mut insts: Vec<Inst> = SAVED.map(|it| scalar::on(Code::Push_r64, it)).into();
        insts.push(scalar::mov(Register::RAX, Register::RSP));
        // Each page of the stack is touched in turn, so that the system makes it longer.
        for page in 1..=frame / PAGE {
            let at = Mem::at(Register::RSP, -((page * PAGE) as i32));
            insts.push(scalar::of_memory(Code::Cmp_r64_rm64, Register::RAX, at));
        }
        insts.extend([
            scalar::sub_constant(Register::RSP, frame as i32),
            scalar::and_constant(Register::RSP, -64),
            scalar::mov(FRAME, Register::RSP),
            scalar::store(Self::at_frame(areas.caller), Register::RAX),
            scalar::mov(CONTEXT, Register::RDI),
            scalar::store(Self::at_frame(areas.first), Register::RSI),
            scalar::times(Register::RDX, Register::RDX, self.item() as i32),
            scalar::add(Register::RDX, Register::RSI),
            scalar::store(Self::at_frame(areas.last), Register::RDX),
        ]);
        let of_context = |field: ContextField| Mem::at(CONTEXT, field.offset() as i32);
        insts.push(scalar::load(TEXTURES, of_context(ContextField::Textures)));
        insts.push(scalar::load(DRAWING, of_context(ContextField::Drawing)));
        let start = match self.layout {
            RecordLayout::Draw => SPAN,
            RecordLayout::Io
            | RecordLayout::ExtendedIo
            | RecordLayout::State
            | RecordLayout::Columns => QUAD,
        };
        insts.push(scalar::mov(start, Register::RSI));
        code.put(&insts.into_iter().map(plain).collect::<Vec<_>>())?;
        // The table of literals is behind the code.
        let from_here = Mem::at(Register::RIP, 0);
        code.put(&[plain(scalar::lea(LITERALS, from_here))])?;
        code.refers_to(labels.literals);
        Ok(())
    }

    /// Bytes of a span or record.
    fn item(&self) -> usize {
        match self.layout {
            RecordLayout::Draw => size_of::<attila_machine::pipeline::Span>(),
            RecordLayout::Io
            | RecordLayout::ExtendedIo
            | RecordLayout::State
            | RecordLayout::Columns => self.layout.size(),
        }
    }

    /// All is well.
    fn ends(&self) -> Vec<Out> {
        vec![plain(scalar::zero(Register::EAX))]
    }

    /// Back to the caller.
    fn epilogue(&self, code: &mut Assembler) -> Result<(), IcedError> {
        let mut insts = vec![
            Inst::Raw(scalar::plain(Code::VEX_Vzeroupper)),
            scalar::load(Register::RSP, Self::at_frame(self.areas.caller)),
        ];
        insts.extend(SAVED.iter().rev().map(|&it| scalar::on(Code::Pop_r64, it)));
        insts.push(Inst::Raw(scalar::plain(Code::Retnq)));
        code.put(&insts.into_iter().map(plain).collect::<Vec<_>>())
    }
}

/// Places in the code.
struct Labels {
    span: Label,
    quads: Label,
    next: Label,
    end: Label,
    literals: Label,
}

/// An instruction without virtual registers.
fn plain(inst: Inst) -> Out {
    match inst {
        Inst::Raw(raw) => Out::Inst(raw),
        Inst::Jump { code, to } => Out::Jump(code, to),
        Inst::Label(label) => Out::Label(label),
        Inst::Op { .. } | Inst::Fma(_) | Inst::Split(_) => {
            unreachable!("{inst:?} has virtual registers")
        }
    }
}

/// Puts the blocks of a region into the code.
fn put_region(
    code: &mut Assembler,
    width: Width,
    region: &Region,
    mut allocated: Allocated,
) -> Result<(), IcedError> {
    let count = region.blocks.len();
    let heads: Vec<Label> = (0..count).map(|_| code.label()).collect();
    for (index, block) in region.blocks.iter().enumerate() {
        code.place(heads[index]);
        code.put(allocated.block(index))?;
        let mut edge = |number| allocated.edges.remove(&(index, number)).unwrap_or_default();
        match &block.end {
            End::Jump(to) => {
                code.put(&edge(0))?;
                if to.block != index + 1 {
                    code.jump(Code::Jmp_rel32_64, heads[to.block])?;
                }
            }
            End::Any { then, other, .. } => {
                let mask = allocated.masks[index].expect("its mask is in a register");
                code.instruction(&test(width, mask))?;
                let (first, second) = (edge(0), edge(1));
                let away = if first.is_empty() {
                    heads[then.block]
                } else {
                    code.label()
                };
                code.jump(Code::Jne_rel32_64, away)?;
                code.put(&second)?;
                if other.block != index + 1 || !first.is_empty() {
                    code.jump(Code::Jmp_rel32_64, heads[other.block])?;
                }
                if !first.is_empty() {
                    code.place(away);
                    code.put(&first)?;
                    code.jump(Code::Jmp_rel32_64, heads[then.block])?;
                }
            }
            End::Leave(to) => {
                if count > 1 {
                    code.jump(Code::Jmp_rel32_64, *to)?;
                }
            }
        }
    }
    Ok(())
}

/// Flags: "not equal" if any lane of the mask is set.
fn test(width: Width, mask: Register) -> iced_x86::Instruction {
    super::instructions::begin(Form::Test.code(width))
        .register(mask)
        .register(mask)
        .end()
}
