//! Random programs keep their bytes on every way back.

use std::collections::BTreeMap;

use attila_isa::{Component, Slots, Stage, Swizzle};
use smallvec::SmallVec;

use super::opcode::{AgalOpcodeInfo, Form, OPCODES};
use super::program::{AgalProgram, Destination, File, Location, Register, Source, Token, Version};
use super::sampler::{FIELDS, Sampler};
use super::{Options, assemble, decode, disassemble, encode, registers};

/// Programs that are tried, unless `ATTILA_AGAL` has a number.
const PROGRAMS: u64 = 3000;

/// Numbers that follow from a seed (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ word >> 31) % end
    }

    fn one<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }

    fn number(&mut self) -> u16 {
        match self.below(4) {
            0 => self.below(1 << 16) as u16,
            _ => self.below(16) as u16,
        }
    }
}

/// Makes a program that keeps all rules.
struct Maker {
    numbers: Numbers,
    stage: Stage,
    version: Version,
    samplers: BTreeMap<u16, Sampler>,
    /// The open branches: whether `els` has been there.
    branches: Vec<bool>,
    tokens: Vec<Token>,
}

impl Maker {
    fn program(seed: u64) -> AgalProgram {
        let mut numbers = Numbers(seed);
        let mut maker = Maker {
            stage: numbers.one(&[Stage::Vertex, Stage::Fragment]),
            version: numbers.one(&Version::ALL),
            numbers,
            samplers: BTreeMap::new(),
            branches: Vec::new(),
            tokens: Vec::new(),
        };
        for _ in 0..=maker.numbers.below(24) {
            maker.add();
        }
        while maker.branches.pop().is_some() {
            maker.tokens.push(empty(Form::EndIf));
        }
        // Branches that nothing follows are programs, and ones without tokens are not.
        let copy = OPCODES.iter().find(|row| row.name == "mov");
        let copy = maker.token(copy.expect("there is a mov"));
        maker.tokens.push(copy);
        AgalProgram {
            stage: maker.stage,
            version: maker.version,
            has_swapped_version: false,
            tokens: maker.tokens,
            end: 0,
        }
    }

    /// Adds an instruction, unless there cannot be the one that came up.
    fn add(&mut self) {
        let row = &OPCODES[self.numbers.below(OPCODES.len() as u64) as usize];
        if row.version > self.version || !row.stages.has(self.stage) {
            return;
        }
        match (row.form, self.branches.last_mut()) {
            (Form::Refused(_), _) | (Form::Else, None | Some(true)) | (Form::EndIf, None) => return,
            (Form::Else, Some(has_other)) => *has_other = true,
            (Form::EndIf, Some(_)) => {
                self.branches.pop();
            }
            (Form::Compare, _) => self.branches.push(false),
            (Form::Vectors(_) | Form::Matrix(_) | Form::Sample | Form::Kill, _) => {}
        }
        let token = self.token(row);
        self.tokens.push(token);
    }

    fn token(&mut self, row: &AgalOpcodeInfo) -> Token {
        let form = row.form;
        let destination = form.has_result().then(|| Destination {
            register: self.written(),
            mask: Slots::from_bits_truncate(self.numbers.below(16) as u8) & row.results,
            span: 0..0,
        });
        let sources = (0..form.sources()).map(|index| self.source(form, index));
        let sources: SmallVec<[Source; 2]> = sources.collect();
        let sampler = (form == Form::Sample).then(|| (self.sampler(), 0..0));
        Token {
            opcode: row.opcode,
            destination,
            sources,
            sampler,
            span: 0..0,
        }
    }

    fn written(&mut self) -> Register {
        let is_vertex = self.stage == Stage::Vertex;
        loop {
            let (file, number) = match (self.numbers.below(4), is_vertex) {
                (0, true) => (File::Output, 0),
                (0, false) => (File::Output, self.numbers.below(16) as u16),
                (1, true) => (File::Varying, self.numbers.below(16) as u16),
                (1, false) if self.version > Version::V1 => (File::Depth, 0),
                _ => (File::Temporary, self.numbers.number()),
            };
            let register = Register::new(file, number);
            let needs_output = matches!(file, File::Output | File::Varying);
            if !needs_output || registers::has_output(register, self.stage) {
                return register;
            }
        }
    }

    fn source(&mut self, form: Form, index: usize) -> Source {
        let letters = [(); 4].map(|()| self.numbers.one(&Component::ALL));
        let letters = match self.numbers.below(3) {
            _ if form.reads_scalars() => [letters[0]; 4],
            0 => Component::ALL,
            _ => letters,
        };
        let is_computed = self.stage == Stage::Vertex && self.numbers.below(4) == 0;
        let location = match is_computed {
            true => Location::Indirect {
                file: File::Constant,
                index: self.read(&[File::Attribute, File::Constant, File::Temporary], 1),
                component: self.numbers.one(&Component::ALL),
                offset: self.numbers.below(256) as u8,
            },
            false => {
                let files = [
                    File::Attribute,
                    File::Constant,
                    File::Temporary,
                    File::Varying,
                ];
                let files = match self.stage {
                    Stage::Vertex => &files[..],
                    Stage::Fragment | Stage::Geometry | Stage::Compute => &files[1..],
                };
                Location::Direct(self.read(files, form.rows(index)))
            }
        };
        Source {
            location,
            swizzle: Swizzle::new(letters),
            span: 0..0,
        }
    }

    /// The first of some registers that can be read.
    fn read(&mut self, files: &[File], rows: u16) -> Register {
        loop {
            if self.stage == Stage::Vertex
                && self.version == Version::V3
                && rows == 1
                && files.contains(&File::Varying)
                && self.numbers.below(8) == 0
            {
                return Register::new(File::Instance, 0);
            }
            let (file, number) = (self.numbers.one(files), self.numbers.number());
            let last = number.checked_add(rows - 1);
            let last = last.map(|last| Register::new(file, last));
            if last.is_some_and(|last| registers::has_source(last, self.stage)) {
                return Register::new(file, number);
            }
        }
    }

    fn sampler(&mut self) -> Sampler {
        let mut sampler = Sampler {
            unit: self.numbers.below(registers::UNITS.into()) as u16,
            bias: self.numbers.below(256) as u8 as i8,
            ..Sampler::default()
        };
        for field in &FIELDS {
            let value = self.numbers.below(field.end.into()) as u8;
            *(field.value)(&mut sampler) = value;
        }
        let first = *self.samplers.entry(sampler.unit).or_insert(sampler);
        match first.ignores_state() && sampler.ignores_state() {
            true => sampler,
            false => first,
        }
    }
}

/// An instruction without operands.
fn empty(form: Form) -> Token {
    let row = OPCODES.iter().find(|row| row.form == form);
    Token {
        opcode: row.expect("there is one").opcode,
        destination: None,
        sources: SmallVec::new(),
        sampler: None,
        span: 0..0,
    }
}

/// A program without places.
fn bare(program: &AgalProgram) -> AgalProgram {
    let mut program = program.clone();
    program.end = 0;
    for token in &mut program.tokens {
        token.span = 0..0;
        token.destination.iter_mut().for_each(|it| it.span = 0..0);
        token.sources.iter_mut().for_each(|it| it.span = 0..0);
        token.sampler.iter_mut().for_each(|it| it.1 = 0..0);
    }
    program
}

/// Checks all ways back.
fn check(seed: u64) {
    let mut program = Maker::program(seed);
    let bytes = encode(&program);
    let decoded = decode(&bytes, &Options::default());
    let decoded = decoded.unwrap_or_else(|error| panic!("program {seed}: {error}"));
    assert_eq!(bare(&decoded), program, "program {seed}");
    assert_eq!(encode(&decoded), bytes, "program {seed}");
    let text = disassemble(&decoded);
    let options = Options {
        stage: Some(program.stage),
        version: Some(program.version),
        strict: false,
    };
    let again = assemble(&text, &options);
    let again = again.unwrap_or_else(|error| panic!("program {seed}: {error}\nin\n{text}"));
    assert_eq!(bare(&again), program, "program {seed}\n{text}");
    assert_eq!(encode(&again), bytes, "program {seed}\n{text}");
    assert_eq!(disassemble(&again), text, "program {seed}");
    program.has_swapped_version = true;
    let swapped = encode(&program);
    let decoded = decode(&swapped, &Options::default());
    let decoded = decoded.unwrap_or_else(|error| panic!("program {seed}: {error}"));
    assert_eq!(encode(&decoded), swapped, "program {seed}");
}

#[test]
fn random_programs_keep_their_bytes() {
    (0..PROGRAMS).for_each(check);
}

#[test]
#[ignore = "takes a minute without optimisation"]
fn many_random_programs_keep_their_bytes() {
    let number = std::env::var("ATTILA_AGAL").ok();
    let number = number.map_or(100_000, |number| {
        number.parse().expect("ATTILA_AGAL is a number")
    });
    (PROGRAMS..PROGRAMS + number).for_each(check);
}

#[test]
fn random_programs_have_everything() {
    let tokens = (0..PROGRAMS).flat_map(|seed| Maker::program(seed).tokens);
    let tokens: Vec<Token> = tokens.collect();
    for row in OPCODES
        .iter()
        .filter(|row| !matches!(row.form, Form::Refused(_)))
    {
        assert!(
            tokens.iter().any(|it| it.opcode == row.opcode),
            "{}",
            row.name
        );
    }
    let sources = || tokens.iter().flat_map(|it| &it.sources);
    let written = |file: File| {
        let mut registers = tokens.iter().filter_map(|it| it.destination.as_ref());
        registers.any(|it| it.register.file == file)
    };
    for file in File::ALL {
        let read = sources().any(|it| match it.location {
            Location::Direct(register) => register.file == file,
            Location::Indirect { index, .. } => index.file == file,
        });
        assert!(read || written(file) || file == File::Sampler, "{file:?}");
    }
    let is_computed = |it: &Source| matches!(it.location, Location::Indirect { .. });
    assert!(sources().any(is_computed));
}
