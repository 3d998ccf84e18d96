//! What a result is made of: the words that an instruction reads for it.

use attila_isa::{
    BoolSrc, CONSTANTS, Component, Inst, OpFlags, Opcode, Operand, OperandValue, Reg, SamplesOp,
    Section, Slots, Src,
};
use attila_machine::{DDX_LANES, DDY_LANES, LANES, SAMPLES, StateName, StateWord};

use super::place::Place;
use super::{Recording, Step};

/// The operands of an instruction before it is executed.
pub(super) struct Operands<'a> {
    pub(super) inst: &'a Inst,
    /// A word in a lane.
    pub(super) word: &'a dyn Fn(StateWord, usize) -> u32,
    pub(super) constants: &'a [[u32; 4]; CONSTANTS],
}

impl Operands<'_> {
    /// The constant that a lane reads, relative or not; `None` outside of the bank.
    fn constant(&self, reg: Reg, lane: usize) -> Option<usize> {
        let Some(address) = self.inst.constant_address() else {
            return Some(reg.index());
        };
        let word = StateWord::component(address.reg, address.component);
        let added = i64::from((self.word)(word, lane).cast_signed()) + i64::from(address.offset);
        let index = usize::try_from(reg.index() as i64 + added).ok();
        index.filter(|index| *index < CONSTANTS)
    }

    /// Slot `slot` of operand `index`, read as an integer.
    pub(super) fn integer(&self, index: usize, slot: Component, lane: usize) -> u32 {
        match self.inst.operands[index].value() {
            Some(OperandValue::Reg(src)) => {
                src.modifiers.apply_int(self.register(&src, slot, lane))
            }
            Some(OperandValue::Imm(imm)) => imm.modifiers.apply_int(imm.bits),
            Some(OperandValue::Bool(_)) | None => 0,
        }
    }

    fn register(&self, src: &Src, slot: Component, lane: usize) -> u32 {
        let component = src.swizzle.source(slot);
        if !Operand::Reg(*src).is_constant() {
            return (self.word)(StateWord::component(src.reg, component), lane);
        }
        let constant = self.constant(src.reg, lane);
        constant.map_or(0, |index| self.constants[index][component.index()])
    }
}

/// Something that a result is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Read {
    /// A word in a lane, before the step.
    Place(Place, usize),
    /// A component of a constant.
    Constant(usize, Component),
}

/// What a step reads for a word that it writes in a lane.
pub(super) fn reads(
    recording: &Recording,
    step: &Step<'_>,
    place: Place,
    lane: usize,
) -> Vec<Read> {
    let word =
        |word: StateWord, lane: usize| recording.value_at(step.number, Place::Word(word))[lane];
    let mut reads = Reads {
        operands: Operands {
            inst: step.inst,
            word: &word,
            constants: &recording.constants,
        },
        evaluates: recording.evaluates,
        list: Vec::new(),
    };
    reads.all(place, lane);
    reads.list
}

struct Reads<'a> {
    operands: Operands<'a>,
    evaluates: bool,
    list: Vec<Read>,
}

impl Reads<'_> {
    fn all(&mut self, place: Place, lane: usize) {
        let inst = self.operands.inst;
        if let Some(guard) = inst.guard {
            self.name(StateName::Predicate(guard.pred), lane);
        }
        if inst.constant_address().is_some() || inst.texture.is_some() {
            self.address(lane);
        }
        let needed = self.needed(place, lane);
        for (index, kind) in inst.op.operands().iter().enumerate() {
            let slots = match kind.reads(needed) {
                Some(slots) if inst.op == Opcode::Zxs => slots & needed,
                Some(slots) => slots,
                None => Slots::empty(),
            };
            // Where inputs are evaluated elsewhere, the answer says what the input is.
            let is_asked = inst.op.has(OpFlags::EVALUATE) && self.evaluates && index == 0;
            if is_asked {
                continue;
            }
            for lane in lanes(inst.op, index, lane) {
                self.operand(inst.operands[index], slots, lane);
            }
        }
        if let Some([_, y]) = inst.gradients() {
            for lane in lanes(inst.op, 1, lane) {
                self.source(y, Slots::X | Slots::Y | Slots::Z, lane);
            }
        }
        self.hidden(place, lane);
    }

    /// The components of the result that decide about a word, or the slots that it comes from.
    fn needed(&self, place: Place, lane: usize) -> Slots {
        let inst = self.operands.inst;
        let written = inst.written();
        let word = match place {
            Place::Scratch { component, .. } => return Slots::only(component),
            Place::Word(word) => word,
        };
        match word.name() {
            StateName::Register(_) => {
                let component = word.register().map(|(_, component)| Slots::only(component));
                inst.op.least_mask(written, component.unwrap_or(written))
            }
            StateName::Accumulator(component) => Slots::only(component),
            StateName::Depth(sample) if inst.op == Opcode::Zxs => {
                let first = (self.operands.word)(StateWord::SAMPLE, lane);
                let slot = u32::from(sample).wrapping_sub(first);
                Slots::only(Component::from_bits(slot as u8))
            }
            StateName::Depth(_)
            | StateName::Predicate(_)
            | StateName::Kill
            | StateName::Sample
            | StateName::SampleCount
            | StateName::Coverage
            | StateName::OwnSample
            | StateName::Position(_) => written,
        }
    }

    fn operand(&mut self, operand: Operand, slots: Slots, lane: usize) {
        match operand.value() {
            Some(OperandValue::Reg(src)) => self.source(src, slots, lane),
            Some(OperandValue::Bool(BoolSrc::Pred { pred, .. })) => {
                self.name(StateName::Predicate(pred), lane);
            }
            Some(OperandValue::Bool(BoolSrc::Constant { reg, component, .. })) => {
                self.constant(reg, component, lane);
            }
            Some(OperandValue::Imm(_) | OperandValue::Bool(BoolSrc::Literal(_))) | None => {}
        }
    }

    fn source(&mut self, src: Src, slots: Slots, lane: usize) {
        for component in src.swizzle.sources(slots).components() {
            match Operand::Reg(src).is_constant() {
                true => self.constant(src.reg, component, lane),
                false => self.add(Read::Place(Place::component(src.reg, component), lane)),
            }
        }
    }

    fn constant(&mut self, reg: Reg, component: Component, lane: usize) {
        if let Some(index) = self.operands.constant(reg, lane) {
            self.add(Read::Constant(index, component));
        }
    }

    /// The address of constants, or that which is added to a texture unit: lanes may share a question.
    fn address(&mut self, lane: usize) {
        let inst = self.operands.inst;
        let Some(address) = inst.relative else {
            return;
        };
        let lanes = match inst.texture {
            Some(_) => 0..LANES,
            None => lane..lane + 1,
        };
        for lane in lanes.chain(lanes_of_constants(inst)) {
            let place = Place::component(address.reg, address.component);
            self.add(Read::Place(place, lane));
        }
    }

    /// What no operand names.
    fn hidden(&mut self, place: Place, lane: usize) {
        let op = self.operands.inst.op;
        let is_kill = place == Place::Word(StateWord::KILL);
        if is_kill || op == Opcode::Chs {
            self.add(Read::Place(place, lane));
        }
        if op == Opcode::Zxs {
            self.name(StateName::Sample, lane);
        }
        if op == Opcode::Fxmad
            && let Place::Word(word) = place
            && let Some((_, component)) = word.register()
        {
            self.name(StateName::Accumulator(component), lane);
        }
        if let Section::Samples(op) = op.section() {
            self.samples(op, lane);
        }
        if op == Opcode::Ldt
            && let Some(array) = self.operands.inst.scratch()
        {
            let index = self.operands.integer(0, Component::X, lane);
            if let (true, Place::Word(word)) = (index < u32::from(array.size), place) {
                let vector = array.base + index as u16;
                let component = word.register().map_or(Component::X, |(_, it)| it);
                self.add(Read::Place(Place::Scratch { vector, component }, lane));
            }
        }
    }

    /// What a query for samples looks at.
    fn samples(&mut self, op: SamplesOp, lane: usize) {
        let positions = || (0..SAMPLES as u8).map(StateName::Position);
        let names: Vec<StateName> = match op {
            SamplesOp::PixldCount => vec![StateName::SampleCount],
            SamplesOp::PixldMask | SamplesOp::PixldCovered => {
                vec![StateName::SampleCount, StateName::Coverage]
            }
            SamplesOp::PixldOffset | SamplesOp::Evals => {
                positions().chain([StateName::SampleCount]).collect()
            }
            SamplesOp::PixldCentroid | SamplesOp::Evalc => positions()
                .chain([StateName::SampleCount, StateName::Coverage])
                .collect(),
            SamplesOp::PixldIndex => vec![StateName::OwnSample],
            SamplesOp::Evalo => Vec::new(),
        };
        for name in names {
            self.name(name, lane);
        }
    }

    fn name(&mut self, name: StateName, lane: usize) {
        for word in name.words() {
            self.add(Read::Place(Place::Word(word), lane));
        }
    }

    fn add(&mut self, read: Read) {
        if !self.list.contains(&read) {
            self.list.push(read);
        }
    }
}

/// The lanes beside its own in which a lane reads operands.
fn lanes_of_constants(inst: &Inst) -> std::ops::Range<usize> {
    match inst.op.has(OpFlags::QUAD) {
        true => 0..LANES,
        false => 0..0,
    }
}

/// The lanes of which an instruction reads an operand for a result in `lane`.
fn lanes(op: Opcode, operand: usize, lane: usize) -> Vec<usize> {
    let both = |(a, b): (usize, usize)| vec![a, b];
    match (op, operand) {
        (Opcode::Ddx, _) => both(DDX_LANES[lane]),
        (Opcode::Ddy, _) => both(DDY_LANES[lane]),
        (Opcode::Ddxc, _) => vec![2, 3],
        (Opcode::Ddyc, _) => vec![0, 2],
        (Opcode::Mdh | Opcode::Mdv, 0) => vec![0],
        (Opcode::Mdh, 2) => vec![1],
        (Opcode::Mdv, 2) => vec![2],
        (Opcode::Mdh | Opcode::Mdv, _) => vec![lane],
        (op, _) if op.has(OpFlags::QUAD) => (0..LANES).collect(),
        (_, _) => vec![lane],
    }
}
