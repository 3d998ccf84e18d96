//! Values of lane IR and their virtual registers: literals, what quads share, what each has.

use iced_x86::{Code, Register};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::allocate::slots::FRAME;
use super::asks::Asks;
use super::blend::Blends;
use super::calls::Routines;
use super::covered::CoveredStores;
use super::draw::Columns;
use super::forms::{Form, Gives, Width};
use super::frame::Areas;
use super::merge::{Merged, uses};
use super::mir::{Arg, Args, Class, Holds, Home, Inst, Label, Mem, Under, Vreg, Vregs};
use super::texels::Levels;
use super::variables::Variables;
use super::words::WrittenRows;
use super::{Processor, Wide};
use crate::abi::RecordLayout;
use crate::emit::plan::Plan;
use crate::ir::{Function, Op, Origin, Rate, Type, Value};

/// The register with the address between the words and the patterns of the table of literals.
pub(super) const LITERALS: Register = Register::R15;

/// The table of literals: words from its middle on, vectors before it.
#[derive(Default)]
pub(super) struct Literals {
    /// Words, one each, or one for all lanes.
    words: Vec<u32>,
    places: FxHashMap<u32, Vreg>,
    masks: FxHashMap<u32, Vreg>,
    /// Vectors of bytes.
    patterns: Vec<Pattern>,
    pattern_vregs: FxHashMap<Pattern, Vreg>,
}

/// A vector of bytes in the table.
type Pattern = [u8; 64];

impl Literals {
    /// The table's bytes, and where its middle is.
    pub(super) fn bytes(&self, width: Width) -> (Vec<u8>, usize) {
        let middle = size_of::<Pattern>() * self.patterns.len();
        let mut bytes = Vec::with_capacity(middle + Literals::stride(width) * self.words.len());
        let patterns = self.patterns.iter().rev();
        patterns.for_each(|pattern| bytes.extend_from_slice(pattern));
        for word in &self.words {
            let copies = Literals::stride(width) / 4;
            for _ in 0..copies {
                bytes.extend(word.to_le_bytes());
            }
        }
        (bytes, middle)
    }

    /// Bytes from a word to the next.
    fn stride(width: Width) -> usize {
        match width {
            Width::V256 => width.bytes(),
            Width::V512 => 4,
        }
    }
}

/// The part of a function that is being selected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Section {
    /// Values of the run.
    Uniform,
    /// Values of the span.
    Row,
    /// Quads.
    Quads,
}

/// A function on its way from lane IR.
pub(super) struct Emission<'a> {
    pub(super) width: Width,
    pub(super) processor: Processor,
    pub(super) function: &'a Function,
    pub(super) plan: &'a Plan,
    pub(super) layout: RecordLayout,
    /// Vectors side by side.
    pub(super) copies: usize,
    pub(super) section: Section,
    pub(super) vregs: Vregs,
    /// The register of each value: its number times `copies`, plus the copy.
    values: Vec<Option<Vreg>>,
    /// The places of values that later sections use.
    shared: FxHashMap<Value, Vreg>,
    pub(super) literals: Literals,
    pub(super) labels: u32,
    /// What has been selected.
    pub(super) insts: Vec<Inst>,
    /// From which on they are there for which of the program.
    pub(super) origins: Vec<(usize, Origin)>,
    /// The frame.
    pub(super) areas: Areas,
    pub(super) routines: Routines,
    pub(super) asks: Asks,
    pub(super) variables: Variables,
    pub(super) columns: Columns,
    pub(super) merged: Merged,
    pub(super) covered: CoveredStores,
    pub(super) blends: Blends,
    pub(super) levels: Levels,
    pub(super) rows: WrittenRows,
}

impl<'a> Emission<'a> {
    pub(super) fn new(
        Wide { width, processor }: Wide,
        function: &'a Function,
        plan: &'a Plan,
        layout: RecordLayout,
        copies: usize,
    ) -> Emission<'a> {
        let uses = uses(function);
        let covered = CoveredStores::new(function, width, &uses);
        Emission {
            width,
            processor,
            function,
            plan,
            layout,
            copies,
            section: Section::Uniform,
            vregs: Vregs::with_room(function.nodes.len() * copies),
            values: vec![None; function.nodes.len() * copies],
            shared: FxHashMap::with_capacity_and_hasher(plan.places.len(), FxBuildHasher),
            literals: Literals::default(),
            labels: 0,
            insts: Vec::new(),
            origins: Vec::new(),
            areas: Areas::new(width, plan),
            routines: Routines::default(),
            asks: Asks::default(),
            variables: Variables::default(),
            columns: Columns::default(),
            merged: Merged::new(function, width, (&uses, &covered)),
            covered,
            blends: Blends::new(function),
            levels: Levels::default(),
            rows: WrittenRows::default(),
        }
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }

    /// The class of a value of lane IR.
    pub(super) fn class_of(&self, ty: Type) -> Class {
        match ty {
            Type::Mask if self.width.has_masks() => Class::Mask,
            Type::Mask
            | Type::F32
            | Type::I32
            | Type::F64
            | Type::Halves
            | Type::Pixel
            | Type::PixelI32
            | Type::PixelHalves => Class::Vector,
            Type::None | Type::Several => unreachable!("{ty:?} is not a vector"),
        }
    }

    /// A virtual register for a vector.
    pub(super) fn vector(&mut self) -> Vreg {
        self.vregs.add(Class::Vector)
    }

    /// A virtual register for a mask.
    pub(super) fn mask(&mut self) -> Vreg {
        let class = self.class_of(Type::Mask);
        self.vregs.add(class)
    }

    /// A literal in all lanes.
    pub(super) fn literal(&mut self, word: u32) -> Vreg {
        if let Some(&known) = self.literals.places.get(&word) {
            return known;
        }
        let stride = Literals::stride(self.width);
        let home = Home {
            base: LITERALS,
            displacement: (self.literals.words.len() * stride) as i32,
            holds: match self.width {
                Width::V256 => Holds::Vector,
                Width::V512 => Holds::Word,
            },
        };
        self.literals.words.push(word);
        let vreg = self.vregs.at_home(Class::Vector, home);
        self.literals.places.insert(word, vreg);
        vreg
    }

    /// A mask of all lanes or none.
    pub(super) fn mask_literal(&mut self, word: u32) -> Vreg {
        if !self.width.has_masks() {
            return self.literal(word);
        }
        if let Some(&known) = self.literals.masks.get(&word) {
            return known;
        }
        let of_word = self.literal(word);
        let home = self.vregs.home(of_word).expect("a literal has a home");
        let holds = Holds::Bits;
        let vreg = self.vregs.at_home(Class::Mask, Home { holds, ..home });
        self.literals.masks.insert(word, vreg);
        vreg
    }

    /// A literal of its own for each lane, given for one quad or for all.
    pub(super) fn pattern(&mut self, words: &[u32]) -> Vreg {
        self.bytes_in_turn(words.iter().flat_map(|word| word.to_le_bytes()))
    }

    /// The same of bytes.
    pub(super) fn byte_pattern(&mut self, bytes: &[u8]) -> Vreg {
        self.bytes_in_turn(bytes.iter().copied())
    }

    /// A vector of bytes, which begin again behind the last.
    fn bytes_in_turn(&mut self, bytes: impl Iterator<Item = u8> + Clone) -> Vreg {
        let mut pattern: Pattern = [0; size_of::<Pattern>()];
        let places = pattern.iter_mut().zip(bytes.cycle());
        places.for_each(|(place, byte)| *place = byte);
        if let Some(&known) = self.literals.pattern_vregs.get(&pattern) {
            return known;
        }
        self.literals.patterns.push(pattern);
        let home = Home {
            base: LITERALS,
            displacement: -((size_of::<Pattern>() * self.literals.patterns.len()) as i32),
            holds: Holds::Vector,
        };
        let vreg = self.vregs.at_home(Class::Vector, home);
        self.literals.pattern_vregs.insert(pattern, vreg);
        vreg
    }

    /// The virtual register of a value.
    pub(super) fn value(&mut self, value: Value, copy: usize) -> Vreg {
        let node = *self.function.node(value);
        if let Op::Const(word) = node.op {
            return match node.ty {
                Type::Mask => self.mask_literal(word),
                Type::F32
                | Type::I32
                | Type::None
                | Type::F64
                | Type::Halves
                | Type::Pixel
                | Type::PixelI32
                | Type::PixelHalves
                | Type::Several => self.literal(word),
            };
        }
        let is_shared = match (node.rate, self.section) {
            (Rate::Uniform, Section::Uniform) | (Rate::Row, Section::Row) | (Rate::Quad, _) => {
                false
            }
            (Rate::Uniform | Rate::Row, _) => true,
        };
        if is_shared {
            return self.shared[&value];
        }
        let known = self.values[value.0 as usize * self.copies + copy];
        known.unwrap_or_else(|| unreachable!("operands are computed before their users"))
    }

    /// Takes note of a value that is computed. Values that later sections use go to their place.
    pub(super) fn define(&mut self, value: Value, copy: usize, vreg: Vreg) {
        self.values[value.0 as usize * self.copies + copy] = Some(vreg);
        if self.section == Section::Quads || !self.plan.places.contains_key(&value) {
            return;
        }
        let node = *self.function.node(value);
        let class = self.class_of(node.ty);
        let holds = match (class, node.ty, node.rate) {
            (Class::Vector, Type::F32 | Type::I32, Rate::Uniform) if self.width.has_masks() => {
                Holds::Word
            }
            _ => Holds::of(class),
        };
        let home = self.frame_home(holds);
        self.store_home(home, vreg);
        let shared = self.vregs.at_home(class, home);
        self.shared.insert(value, shared);
    }

    /// A place in the frame.
    pub(super) fn frame_home(&mut self, holds: Holds) -> Home {
        let size = holds.bytes(self.width);
        Home {
            base: FRAME,
            displacement: self.areas.take(size, size),
            holds,
        }
    }

    /// Writes a register to its place.
    pub(super) fn store_home(&mut self, home: Home, vreg: Vreg) {
        let code = match home.holds {
            Holds::Word => Code::EVEX_Vmovss_m32_k1_xmm,
            Holds::Vector => Form::MovapsTo.code(self.width),
            Holds::Bits => Code::VEX_Kmovw_m16_kr,
        };
        let to = Arg::Mem(home.mem());
        self.push(code, &[to, Arg::Use(vreg)]);
    }

    /// Marks the instructions from here on as those of one of the program, or of none.
    pub(super) fn set_origin(&mut self, origin: Origin) {
        if self.origins.last().and_then(|(_, last)| last.pc()) != origin.pc() {
            self.origins.push((self.insts.len(), origin));
        }
    }

    /// Puts an instruction behind the others.
    pub(super) fn push(&mut self, code: Code, args: &[Arg]) {
        self.push_under(code, args, Under::All);
    }

    /// The same under a mask. The instruction is made where it stays: to copy it as a whole waits for the writes of its
    /// parts.
    pub(super) fn push_under(&mut self, code: Code, args: &[Arg], under: Under) {
        self.insts.extend(std::iter::once_with(|| {
            let args = Args::from_slice(args);
            Inst::Op { code, args, under }
        }));
    }

    /// Puts an instruction behind the others, in the form for the width.
    pub(super) fn form(&mut self, form: Form, args: &[Arg]) {
        self.push(form.code(self.width), args);
    }

    /// The vector that an instruction makes of its operands.
    pub(super) fn vector_of<const N: usize>(&mut self, code: Code, of: [Arg; N]) -> Vreg {
        let result = self.vector();
        self.made(code, result, of)
    }

    /// The mask that an instruction makes of its operands.
    pub(super) fn mask_of<const N: usize>(&mut self, code: Code, of: [Arg; N]) -> Vreg {
        let result = self.mask();
        self.made(code, result, of)
    }

    fn made<const N: usize>(&mut self, code: Code, result: Vreg, of: [Arg; N]) -> Vreg {
        let mut args = [Arg::Def(result); 5];
        args[1..=N].copy_from_slice(&of);
        self.push(code, &args[..=N]);
        result
    }

    /// A register for the result of an instruction.
    fn result_of(&mut self, form: Form) -> Vreg {
        match form.gives() {
            Gives::Mask => self.mask(),
            Gives::Words | Gives::Other => self.vector(),
        }
    }

    /// The result of an instruction on one operand.
    pub(super) fn unary_form(&mut self, form: Form, a: Vreg) -> Vreg {
        let result = self.result_of(form);
        self.form(form, &[Arg::Def(result), form.last(a)]);
        result
    }

    /// The same with a constant.
    pub(super) fn unary_imm(&mut self, form: Form, a: Vreg, imm: u8) -> Vreg {
        let result = self.result_of(form);
        self.form(form, &[Arg::Def(result), form.last(a), Arg::Imm(imm)]);
        result
    }

    /// The result of an instruction on two operands.
    pub(super) fn binary_form(&mut self, form: Form, a: Vreg, b: Vreg) -> Vreg {
        if self.vregs.class(a) == Class::Mask {
            let code = form.of_masks().expect("it takes masks");
            return self.masks(code, a, b);
        }
        let result = self.result_of(form);
        self.form(form, &[Arg::Def(result), Arg::Use(a), form.last(b)]);
        result
    }

    /// The result of an instruction on two operands and a constant.
    pub(super) fn binary_imm(&mut self, form: Form, [a, b]: [Vreg; 2], imm: u8) -> Vreg {
        let result = self.result_of(form);
        let args = [Arg::Def(result), Arg::Use(a), form.last(b), Arg::Imm(imm)];
        self.form(form, &args);
        result
    }

    /// A word of memory in all lanes.
    pub(super) fn broadcast(&mut self, from: Mem) -> Vreg {
        self.vector_of(Form::Broadcastss.code(self.width), [Arg::Mem(from)])
    }

    /// Defines the several results of `whole`.
    pub(super) fn define_parts(&mut self, whole: Value, copy: usize, results: &[Vreg]) {
        for (number, &vreg) in (0u8..).zip(results) {
            self.define_part(whole, number, copy, vreg);
        }
    }

    /// Defines one of the several results of `whole`.
    pub(super) fn define_part(&mut self, whole: Value, number: u8, copy: usize, vreg: Vreg) {
        let plan = self.plan;
        for &part in plan.parts.get(&(whole, number)).into_iter().flatten() {
            self.define(part, copy, vreg);
        }
    }

    /// Whether somebody wants a result of `whole`.
    pub(super) fn wants(&self, whole: Value, part: u8) -> bool {
        self.plan.parts.contains_key(&(whole, part))
    }
}
