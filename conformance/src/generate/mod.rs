//! Random cases, valid by construction.
//!
//! 1. Pick the shape: one instruction, or a program with control flow (`structure`).
//! 2. Fill it with instructions made from the rows of the opcode table (`instruction`): operand
//!    kinds say what may stand where, the result kind what is written.
//! 3. Make what it runs on (`start`): biased values in every register that the program names.
//!
//! No case depends on the payload of a NaN made by arithmetic: integers are read only from
//! registers that nothing but integers is written to. [`NanFlow`] checks that of every case.

mod instruction;
mod options;
mod samples;
mod start;
mod structure;
mod texture;

use attila_scene::directives::Order;
use attila_shader::isa::{
    Dst, Inputs, Inst, Opcode, OperandKind, Profile, Program, ScratchArray, Section, Stage,
    ValidProgram,
};

use super::case::Case;
use super::census::is_narrow;
use super::dice::Dice;
use super::nan_payload::NanFlow;
use instruction::{Instructions, Registers};
pub use options::{Mode, Options};
pub(crate) use start::Named;
use texture::Answers;

/// Makes a case. The same words of the generator give the same case.
///
/// # Panics
///
/// If the program made is not valid or depends on unspecified bits: an error in this module.
pub fn generate(dice: &mut Dice<'_>, options: &Options) -> Case {
    let mode = options.mode.unwrap_or_else(|| {
        if dice.percent(options.single) {
            Mode::Single
        } else {
            Mode::Program
        }
    });
    let stage = if dice.percent(options.vertex) {
        Stage::Vertex
    } else if options.geometry > 0 && dice.percent(options.geometry) {
        Stage::Geometry
    } else {
        Stage::Fragment
    };
    let answers = match options.images > 0 && dice.percent(options.images) {
        true => Answers::Images(Vec::new()),
        false => Answers::Formula,
    };
    let scope = match mode {
        Mode::Single => Scope::ALL,
        Mode::Program => Scope::new(dice, options, stage),
    };
    let setting = Setting { stage, scope };
    let (insts, answers) = match mode {
        Mode::Single => single(dice, options, (setting, answers)),
        Mode::Program => structure::program(dice, options, (setting, answers)),
    };
    let images = answers.images();
    let program = Program::in_profile(options.profile, insts)
        .unwrap_or_else(|(index, error)| panic!("instruction {index}: {error}"))
        .with_stage(stage);
    let arrays = program.insts().iter().filter_map(Inst::scratch);
    let scratch = arrays.map(ScratchArray::end).max().unwrap_or(0);
    let program = program.with_scratch(scratch);
    assert_eq!(
        NanFlow::from(&program, Inputs::default(), !images.is_empty()).first_dependent(&program),
        None,
        "the program depends on the payload of a NaN"
    );
    let valid = program
        .validate()
        .unwrap_or_else(|error| panic!("the generator made an invalid program:\n{error}"));
    let case = start::case(dice, options, mode, (valid, &images));
    let order = order(dice, if scope == Scope::ALL { KEPT } else { 0 });
    Case { order, ..case }
}

/// In a hundred: how often quads have to ask in their order where a program may have anything.
const KEPT: u8 = 40;
/// The same where a program is not made here.
const KEPT_BY_OTHERS: u8 = 6;

/// The order in which quads ask textures and attributes: theirs in `kept` of a hundred.
pub(crate) fn order(dice: &mut Dice<'_>, kept: u8) -> Order {
    match dice.percent(kept) {
        true => Order::Kept,
        false => Order::Any,
    }
}

/// The stage of a program, and what it may have.
#[derive(Clone, Copy)]
struct Setting {
    stage: Stage,
    scope: Scope,
}

/// Permissions of a program. Code with wide vectors takes neither [narrow](is_narrow) instructions nor the accumulator in
/// programs with loops.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Scope {
    narrow: bool,
    accumulator: bool,
    loops: bool,
}

impl Scope {
    const ALL: Scope = Scope {
        narrow: true,
        accumulator: true,
        loops: true,
    };

    fn new(dice: &mut Dice<'_>, options: &Options, stage: Stage) -> Scope {
        let narrow = match stage {
            Stage::Geometry => options.narrow.max(EMITS),
            Stage::Vertex | Stage::Fragment | Stage::Compute => options.narrow,
        };
        if dice.percent(narrow) {
            return Scope::ALL;
        }
        let accumulator = dice.percent(ACCUMULATES);
        Scope {
            narrow: false,
            accumulator,
            loops: !accumulator,
        }
    }

    fn allows(self, op: Opcode) -> bool {
        let accumulates = matches!(op.section(), Section::Fixed(_));
        (self.narrow || !is_narrow(op)) && (self.accumulator || !accumulates)
    }
}

/// In a hundred: how many geometry programs may emit vertices.
const EMITS: u8 = 60;

/// In a hundred: how many of the programs that wide code takes have the accumulator rather than loops.
const ACCUMULATES: u8 = 30;

/// A case that runs a program, without images.
pub(crate) fn start_of(dice: &mut Dice<'_>, options: &Options, program: ValidProgram) -> Case {
    let case = start::case(dice, options, Mode::Program, (program, &[]));
    let order = order(dice, KEPT_BY_OTHERS);
    Case { order, ..case }
}

/// In a hundred: how many cases of a single instruction are a store to scratch memory and a load.
const STORES: u8 = 3;

/// One instruction with the end flag. A jump stands among landmarks instead, so that it shows
/// where it leads.
fn single(
    dice: &mut Dice<'_>,
    options: &Options,
    setting: (Setting, Answers),
) -> (Vec<Inst>, Answers) {
    let registers = Registers::all(options.profile);
    let mut instructions = Instructions::new(dice, options, setting, registers);
    // Stores show only where a guard, an index and a load meet: by chance, they seldom do.
    let has_scratch = options.profile == Profile::Extended && options.textures == 0;
    if has_scratch && instructions.dice.percent(STORES) {
        let insts = instructions.store_and_load();
        return (insts, instructions.answers);
    }
    let op = instructions.opcode(|_| true);
    let mut inst = instructions.instruction(op);
    if !op.operands().contains(&OperandKind::Offset) {
        inst.end = true;
        // Seen as a bag of one instruction, an address or integer that it both writes and uses is
        // suspect. Nothing is read from outputs.
        if depends_on_itself(options, inst) {
            inst.relative = None;
        }
        if depends_on_itself(options, inst) {
            let dst = instructions.output();
            inst.dst = Dst::reg(dst, inst.written());
        }
        return (vec![inst], instructions.answers);
    }
    let mut insts: Vec<Inst> = (0..4)
        .map(|_| instructions.instruction(Opcode::Mov))
        .collect();
    let mut last = instructions.instruction(Opcode::Mov);
    last.end = true;
    insts.push(last);
    let at = instructions.dice.below(insts.len() - 1);
    instructions.guard_if_certain(&mut inst);
    insts.insert(at, inst);
    let target = instructions.dice.below(insts.len());
    structure::set_target(&mut insts, at, target);
    (insts, instructions.answers)
}

/// Whether an instruction could read a NaN as an integer that it has made itself, or has from an image.
fn depends_on_itself(options: &Options, inst: Inst) -> bool {
    let alone = Program::in_profile(options.profile, vec![inst]);
    let flow = |program: &Program| NanFlow::from(program, Inputs::default(), options.images > 0);
    alone.is_ok_and(|p| flow(&p).first_dependent(&p).is_some())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use attila_shader::isa::{
        Bank, Component, CtmModifier, Profile, ResultPath, TextureAccess, TextureShape,
        TextureTarget,
    };

    use super::*;
    use crate::Subject;
    use crate::dice::{ByteRng, case_rng};

    fn cases(mode: Mode, count: u64) -> impl Iterator<Item = Case> {
        let options = Options {
            mode: Some(mode),
            ..Options::DEFAULT
        };
        (0..count).map(move |index| {
            let mut rng = case_rng(1, index);
            generate(&mut Dice::new(&mut rng), &options)
        })
    }

    #[test]
    fn single_instructions_cover_the_table() {
        let ops: BTreeSet<Opcode> = cases(Mode::Single, 2000)
            .flat_map(|case| case.program.program().insts().to_vec())
            .map(|inst| inst.op)
            .collect();
        assert_eq!(ops.len(), Profile::Base.opcodes().count());
    }

    fn extended(options: &Options, seed: u64, count: u64) -> Vec<Inst> {
        let case = |index| {
            let mut rng = case_rng(seed, index);
            generate(&mut Dice::new(&mut rng), options)
        };
        let cases = (0..count).map(case);
        cases.flat_map(|case| case.insts().to_vec()).collect()
    }

    #[test]
    fn programs_of_the_extended_profile_cover_the_table_soon() {
        let insts = extended(&Options::EXTENDED, 2, 3000);
        for &op in Opcode::ALL {
            let count = insts.iter().filter(|inst| inst.op == op).count();
            assert!(count >= 5, "{op} comes up {count} times");
        }
    }

    /// Whether the instruction of a row would be legal with this change.
    fn may(insts: &[Inst], op: Opcode, change: fn(&mut Inst)) -> bool {
        insts.iter().filter(|inst| inst.op == op).any(|inst| {
            let mut changed = *inst;
            change(&mut changed);
            changed.check(Profile::Extended).is_ok()
        })
    }

    /// A modifier: how an instruction gets it, and whether it has it.
    type Modifier = (fn(&mut Inst), fn(&Inst) -> bool);

    const RAW: ResultPath = ResultPath::Ctm {
        modifier: CtmModifier::Raw,
        saturate: false,
    };
    const EIGHTH: ResultPath = ResultPath::Ctm {
        modifier: CtmModifier::D8,
        saturate: false,
    };

    #[test]
    fn every_row_has_all_modifiers_that_it_takes() {
        let insts = extended(&Options::EXTENDED, 3, 6000);
        let modifiers: [Modifier; 7] = [
            (
                |inst| inst.path = ResultPath::Saturate,
                |inst| inst.path == ResultPath::Saturate,
            ),
            (
                |inst| inst.path = ResultPath::SaturateSigned,
                |inst| inst.path == ResultPath::SaturateSigned,
            ),
            (|inst| inst.zero_wins = true, |inst| inst.zero_wins),
            (
                |inst| {
                    if let Some(texture) = &mut inst.texture {
                        texture.level_zero = true;
                    }
                },
                |inst| inst.texture.is_none_or(|texture| texture.level_zero),
            ),
            (
                |inst| {
                    if let Some(texture) = &mut inst.texture {
                        texture.gather = Component::Z;
                    }
                },
                |inst| {
                    inst.texture
                        .is_none_or(|texture| texture.gather == Component::Z)
                },
            ),
            (
                |inst| inst.path = RAW,
                |inst| inst.path.modifier() == RAW.modifier(),
            ),
            (
                |inst| inst.path = EIGHTH,
                |inst| {
                    let modifier = inst.path.modifier();
                    modifier.is_some_and(|it| it != CtmModifier::Raw)
                },
            ),
        ];
        for &op in Opcode::ALL {
            for (number, (change, has)) in modifiers.into_iter().enumerate() {
                let came_up = insts.iter().any(|inst| inst.op == op && has(inst));
                // Where no register is written, the first two have no effect.
                let results = op.info().results;
                let has_effect = number > 1 || results.register.is_some() || results.predicate;
                let expected = has_effect && may(&insts, op, change);
                assert_eq!(came_up, expected, "{op}, modifier {number}");
            }
        }
    }

    #[test]
    fn a_tenth_of_what_instructions_on_the_ctm_path_read_is_denormal() {
        let (mut read, mut denormal) = (0, 0);
        for index in 0..1000 {
            let mut rng = case_rng(8, index);
            let case = generate(&mut Dice::new(&mut rng), &Options::EXTENDED);
            let flushed = case.insts().iter().filter(|inst| inst.path.flushes());
            for (src, slots) in flushed.flat_map(Inst::sources) {
                let number = src.reg.index();
                let words = match src.reg.bank() {
                    Bank::Input => case.quads[0].io.inputs[number].map(|lanes| lanes[0]),
                    Bank::Constant => case.constants.get(&number).copied().unwrap_or_default(),
                    Bank::Temp | Bank::Address | Bank::Output => continue,
                };
                for component in src.swizzle.sources(slots).components() {
                    let word = f32::from_bits(words[component.index()]);
                    read += 1;
                    denormal += usize::from(word.is_subnormal());
                }
            }
        }
        assert!(
            read > 1000 && denormal * 10 > read,
            "{denormal} of {read} words"
        );
    }

    #[test]
    fn texture_instructions_read_every_target_that_they_can() {
        for options in [Options::EXTENDED, Options::TEXTURES] {
            let insts = extended(&options, 4, 4000);
            let targets = |op: Opcode| -> BTreeSet<TextureTarget> {
                let of_op = insts.iter().filter(|inst| inst.op == op);
                of_op
                    .filter_map(|inst| Some(inst.texture?.target))
                    .collect()
            };
            for op in Opcode::ALL.iter().filter(|op| op.names_target()) {
                let any = insts.iter().find(|inst| inst.op == *op);
                let any = any.unwrap_or_else(|| panic!("{op} does not come up"));
                let with = |target| Inst {
                    texture: Some(TextureAccess::new(0, target)),
                    ..*any
                };
                let legal: BTreeSet<TextureTarget> = texture::named_targets()
                    .filter(|target| with(*target).check(Profile::Extended).is_ok())
                    .collect();
                assert_eq!(targets(*op), legal, "{op}");
            }
            let relative = |inst: &&Inst| inst.texture.is_some() && inst.relative.is_some();
            assert!(insts.iter().filter(relative).count() > 50);
        }
    }

    #[test]
    fn images_of_every_kind_are_bound_for_programs_that_read_them() {
        let mut kinds = BTreeSet::new();
        for index in 0..500 {
            let mut rng = case_rng(5, index);
            let case = generate(&mut Dice::new(&mut rng), &Options::TEXTURES);
            assert!(case.is_specified(), "{}", case.to_text(""));
            let usage = case.program.usage();
            let Some(textures) = case.bound() else {
                assert!(usage.texture_targets.is_empty());
                continue;
            };
            let bindings = case.bindings().with_textures(&textures);
            assert_eq!(bindings.check_units(usage), Ok(()));
            kinds.extend(
                case.textures
                    .iter()
                    .map(|(image, _)| image.dimension.kind()),
            );
        }
        assert_eq!(kinds.len(), TextureShape::ALL.len());
    }

    #[test]
    fn programs_have_every_kind_of_jump_and_many_lengths() {
        let mut lengths = BTreeSet::new();
        let (mut forward, mut backward) = (0, 0);
        for case in cases(Mode::Program, 300) {
            let insts = case.program.program().insts();
            lengths.insert(insts.len());
            for offset in insts.iter().filter_map(Inst::jump_offset) {
                *if offset > 0 {
                    &mut forward
                } else {
                    &mut backward
                } += 1;
            }
        }
        assert!(lengths.len() > 30, "{lengths:?}");
        assert!(forward > 100 && backward > 50, "{forward} {backward}");
    }

    #[test]
    fn any_bytes_make_a_valid_case() {
        for length in 0..200 {
            let bytes: Vec<u8> = (0..length * 7)
                .map(|n| (n * n * 31 + length) as u8)
                .collect();
            for options in [Options::DEFAULT, Options::EXTENDED, Options::TEXTURES] {
                generate(&mut Dice::new(&mut ByteRng::new(&bytes)), &options);
            }
        }
    }
}
