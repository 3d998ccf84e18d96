//! Byte programs: a header of seven bytes, then tokens of 24.

use std::ops::Range;

use attila_isa::{Component, Severity, Slots, Stage, Swizzle};
use smallvec::SmallVec;

use super::finding::{Finding, Findings, number};
use super::opcode::{AgalOpcode, Form};
use super::program::{AgalProgram, Destination, File, Location, Register, Source, Token, Version};
use super::sampler::{FIELDS, Sampler};

/// The first byte of byte programs.
pub const MAGIC: u8 = 0xa0;
/// The byte after the version.
const PROGRAM: u8 = 0xa1;
/// The bytes before the first token.
pub(super) const HEADER: usize = 7;
/// The bytes of a token.
pub(super) const TOKEN: usize = 24;
/// The place of the destination in a token.
const DESTINATION: Range<usize> = 4..8;
/// The places of the sources in a token.
const SOURCES: [Range<usize>; 2] = [8..16, 16..24];

/// The token at a byte, from 1; `None` in the header.
pub(super) fn token_at(byte: usize) -> Option<usize> {
    byte.checked_sub(HEADER).map(|offset| offset / TOKEN + 1)
}

/// Reads the tokens of a byte program, and finds all that no program has.
pub(super) fn read(bytes: &[u8], findings: &mut impl Findings) -> Option<AgalProgram> {
    let (stage, version, has_swapped_version) = header(bytes, findings)?;
    let tokens = bytes[HEADER..].chunks(TOKEN).enumerate();
    let tokens = tokens.filter_map(|(index, bytes)| {
        let start = HEADER + index * TOKEN;
        let Ok(bytes) = <&[u8; TOKEN]>::try_from(bytes) else {
            let span = start..start + bytes.len();
            let message = format!("a token has {TOKEN} bytes; these are {}", bytes.len());
            findings.error(Finding::new(&span, message));
            return None;
        };
        Reader {
            bytes,
            start,
            findings,
        }
        .token()
    });
    let tokens = tokens.collect();
    Some(AgalProgram {
        stage,
        version,
        has_swapped_version,
        tokens,
        end: bytes.len(),
    })
}

/// Whether bytes have the length and the first byte of a program.
fn is_program(bytes: &[u8], findings: &mut impl Findings) -> bool {
    let least = HEADER + TOKEN;
    if bytes.len() < least {
        let found = bytes.len();
        let message = format!("a program has {least} bytes at least; here are {found}");
        let help = format!("the header has {HEADER}, and each token has {TOKEN}");
        let finding = Finding::new(&(0..found), message).number(number::TOO_SHORT);
        findings.error(finding.help(help));
    }
    let first = bytes.first().filter(|first| **first != MAGIC);
    if let Some(first) = first {
        let message = match first {
            0xb0 => "this is a shader in GLSL, as OpenFL packs it".to_owned(),
            _ => format!("a program begins with the byte {MAGIC:02x}"),
        };
        findings.error(Finding::new(&(0..1), message).number(number::MAGIC));
    }
    bytes.len() >= least && first.is_none()
}

/// The stage, the version, and whether its bytes are swapped.
fn header(bytes: &[u8], findings: &mut impl Findings) -> Option<(Stage, Version, bool)> {
    if !is_program(bytes, findings) {
        return None;
    }
    let coded = [bytes[1], bytes[2], bytes[3], bytes[4]];
    let (little, big) = (u32::from_le_bytes(coded), u32::from_be_bytes(coded));
    let version = Version::of(little).map(|version| (version, false));
    let version = version.or_else(|| Version::of(big).map(|version| (version, true)));
    match version {
        None => {
            let message = format!("version {little} is not known");
            let finding = Finding::new(&(1..5), message).number(number::VERSION);
            findings.error(finding.help("there are 1, 2 and 3"));
        }
        Some((_, true)) => {
            let finding = Finding::new(&(1..5), "the bytes of the version are in the wrong order");
            findings.add(Severity::Warning, finding);
        }
        Some((_, false)) => {}
    }
    if bytes[5] != PROGRAM {
        let message = format!("the version is followed by the byte {PROGRAM:02x}");
        findings.error(Finding::new(&(5..6), message).number(number::PROGRAM));
    }
    let stage = match bytes[6] {
        0 => Some(Stage::Vertex),
        1 => Some(Stage::Fragment),
        other => {
            let message = format!("there is no type of programs {other}");
            let finding = Finding::new(&(6..7), message).number(number::TYPE);
            findings.error(finding.help("0 is a vertex program, 1 a fragment program"));
            None
        }
    };
    let (version, is_swapped) = version?;
    Some((stage?, version, is_swapped))
}

/// Checks that a program is of the stage that is wanted.
pub(super) fn check_stage(
    program: &AgalProgram,
    wanted: Option<Stage>,
    findings: &mut impl Findings,
) {
    let Some(wanted) = wanted.filter(|wanted| *wanted != program.stage) else {
        return;
    };
    let number = match wanted {
        Stage::Vertex => number::NOT_VERTEX,
        Stage::Fragment | Stage::Geometry | Stage::Compute => number::NOT_FRAGMENT,
    };
    let found = program.stage;
    let message = format!("expected a {wanted} program; this is a {found} program");
    findings.error(Finding::new(&(6..7), message).number(number));
}

/// Reads a token.
struct Reader<'a, F> {
    bytes: &'a [u8; TOKEN],
    /// The place of the token in the program.
    start: usize,
    findings: &'a mut F,
}

/// Bits of a word.
const fn field(word: u64, low: u32, count: u32) -> u64 {
    word >> low & ((1 << count) - 1)
}

impl<F: Findings> Reader<'_, F> {
    fn token(mut self) -> Option<Token> {
        let span = self.span(0..TOKEN);
        let code = self.word(0..4) as u32;
        let Some(opcode) = AgalOpcode::of_code(code) else {
            let message = format!("there is no opcode {code:02x}");
            let finding = Finding::new(&self.span(0..4), message);
            self.findings.error(finding.number(number::OPCODE));
            return None;
        };
        let form = opcode.info().form;
        if let Form::Refused(_) = form {
            let at = SOURCES[1].clone();
            let has_sampler =
                field(self.word(at.clone()), 32, 4) == u64::from(File::Sampler.code());
            return Some(Token {
                opcode,
                destination: None,
                sources: SmallVec::new(),
                sampler: match has_sampler {
                    true => Some((self.sampler(at.clone())?, self.span(at))),
                    false => None,
                },
                span,
            });
        }
        let destination = match form.has_result() {
            true => Some(self.destination()?),
            false => {
                let message = format!("{opcode} does not have a result");
                self.nothing(DESTINATION, message, number::RESULT)?;
                None
            }
        };
        let mut sources = SmallVec::new();
        let mut sampler = None;
        for (index, at) in SOURCES.into_iter().enumerate() {
            if index < form.sources() {
                sources.push(self.source(at)?);
            } else if form == Form::Sample {
                sampler = Some((self.sampler(at.clone())?, self.span(at)));
            } else {
                let what = ["a source", "a second source"][index];
                let message = format!("{opcode} does not have {what}");
                self.nothing(at, message, number::OPERAND)?;
            }
        }
        Some(Token {
            opcode,
            destination,
            sources,
            sampler,
            span,
        })
    }

    /// The place in the program of bytes of the token.
    fn span(&self, at: Range<usize>) -> Range<usize> {
        self.start + at.start..self.start + at.end
    }

    /// A word of up to eight bytes, the lowest one first.
    fn word(&self, at: Range<usize>) -> u64 {
        let bytes = self.bytes[at].iter().rev();
        bytes.fold(0, |word, byte| word << 8 | u64::from(*byte))
    }

    fn refuse<T>(
        &mut self,
        at: Range<usize>,
        message: impl Into<String>,
        number: Option<u16>,
    ) -> Option<T> {
        let finding = Finding::new(&self.span(at), message).known(number);
        self.findings.error(finding);
        None
    }

    /// Checks that an operand is absent.
    fn nothing(&mut self, at: Range<usize>, message: String, number: u16) -> Option<()> {
        match self.word(at.clone()) {
            0 => Some(()),
            _ => self.refuse(at, message, Some(number)),
        }
    }

    /// The lowest bit that is set among some of a word.
    fn set_bit(word: u64, ranges: &[Range<u32>]) -> Option<u32> {
        ranges.iter().find_map(|bits| {
            let set = field(word, bits.start, bits.end - bits.start);
            (set != 0).then(|| bits.start + set.trailing_zeros())
        })
    }

    /// Checks that bits which mean nothing are 0.
    fn reserved(&mut self, at: Range<usize>, word: u64, ranges: &[Range<u32>]) -> Option<()> {
        match Self::set_bit(word, ranges) {
            None => Some(()),
            Some(bit) => {
                let message = format!("bit {bit} of this operand is reserved");
                self.refuse(at, message, Some(number::RESERVED))
            }
        }
    }

    fn file(&mut self, at: Range<usize>, code: u64) -> Option<File> {
        match File::of_code(code as u8) {
            Some(file) => Some(file),
            None => {
                let message = format!("there is no register file {code}");
                self.refuse(at, message, Some(number::FILE))
            }
        }
    }

    fn destination(&mut self) -> Option<Destination> {
        let word = self.word(DESTINATION);
        self.reserved(DESTINATION, word, &[20..24, 28..32])?;
        let file = self.file(DESTINATION, field(word, 24, 4))?;
        Some(Destination {
            register: Register::new(file, field(word, 0, 16) as u16),
            mask: Slots::from_bits_truncate(field(word, 16, 4) as u8),
            span: self.span(DESTINATION),
        })
    }

    fn source(&mut self, at: Range<usize>) -> Option<Source> {
        let word = self.word(at.clone());
        let file = self.file(at.clone(), field(word, 32, 4))?;
        let register = field(word, 0, 16) as u16;
        let location = match field(word, 63, 1) {
            0 => {
                self.reserved(at.clone(), word, &[36..40, 44..48, 50..63])?;
                if let Some(bit) = Self::set_bit(word, &[16..24, 40..44, 48..50]) {
                    let message =
                        format!("bit {bit} of this operand is of an index that it does not have");
                    return self.refuse(at, message, Some(number::INDEX_FIELDS));
                }
                Location::Direct(Register::new(file, register))
            }
            _ => {
                self.reserved(at.clone(), word, &[36..40, 44..48, 50..63])?;
                let index = self.file(at.clone(), field(word, 40, 4))?;
                Location::Indirect {
                    file,
                    index: Register::new(index, register),
                    component: Component::from_bits(field(word, 48, 2) as u8),
                    offset: field(word, 16, 8) as u8,
                }
            }
        };
        let slots = std::array::from_fn(|slot| field(word, 24 + 2 * slot as u32, 2) as u8);
        Some(Source {
            location,
            swizzle: Swizzle::new(slots.map(Component::from_bits)),
            span: self.span(at),
        })
    }

    fn sampler(&mut self, at: Range<usize>) -> Option<Sampler> {
        let word = self.word(at.clone());
        let file = self.file(at.clone(), field(word, 32, 4))?;
        if file != File::Sampler {
            let message = format!("{} is not a sampler", file.noun());
            return self.refuse(at, message, Some(number::NOT_A_SAMPLER));
        }
        self.reserved(at.clone(), word, &[24..32, 36..40])?;
        let mut sampler = Sampler {
            unit: field(word, 0, 16) as u16,
            bias: (field(word, 16, 8) as u8).cast_signed(),
            ..Sampler::default()
        };
        for row in &FIELDS {
            let value = field(word, row.shift, 4) as u8;
            if value >= row.end {
                let message = format!("there is no {} {value}", row.name);
                return self.refuse(at, message, row.number);
            }
            *(row.value)(&mut sampler) = value;
        }
        Some(sampler)
    }
}

/// The program as bytes: those that [`super::decode`] reads it from.
pub fn encode(program: &AgalProgram) -> Vec<u8> {
    let version = program.version.number();
    let mut bytes = vec![MAGIC];
    bytes.extend(match program.has_swapped_version {
        false => version.to_le_bytes(),
        true => version.to_be_bytes(),
    });
    bytes.extend([PROGRAM, u8::from(program.stage != Stage::Vertex)]);
    for token in &program.tokens {
        bytes.extend(token.opcode.info().code.to_le_bytes());
        let result = token.destination.as_ref().map_or(0, destination_word);
        bytes.extend(result.to_le_bytes());
        let sampler = token
            .sampler
            .iter()
            .map(|(sampler, _)| sampler_word(*sampler));
        let words = token.sources.iter().map(source_word).chain(sampler);
        words
            .chain([0, 0])
            .take(2)
            .for_each(|word| bytes.extend(word.to_le_bytes()));
    }
    bytes
}

fn destination_word(it: &Destination) -> u32 {
    let Register { file, number } = it.register;
    u32::from(number) | u32::from(it.mask.bits()) << 16 | u32::from(file.code()) << 24
}

fn source_word(source: &Source) -> u64 {
    let slots = Component::ALL.into_iter().enumerate();
    let swizzle = slots.fold(0, |word, (index, slot)| {
        word | (source.swizzle.source(slot).index() as u64) << (24 + 2 * index)
    });
    swizzle
        | match source.location {
            Location::Direct(Register { file, number }) => {
                u64::from(number) | u64::from(file.code()) << 32
            }
            Location::Indirect {
                file,
                index,
                component,
                offset,
            } => {
                u64::from(index.number)
                    | u64::from(offset) << 16
                    | u64::from(file.code()) << 32
                    | u64::from(index.file.code()) << 40
                    | (component.index() as u64) << 48
                    | 1 << 63
            }
        }
}

fn sampler_word(mut sampler: Sampler) -> u64 {
    let bias = u64::from(sampler.bias.cast_unsigned()) << 16;
    let word = u64::from(sampler.unit) | bias | u64::from(File::Sampler.code()) << 32;
    FIELDS.iter().fold(word, |word, row| {
        word | u64::from(*(row.value)(&mut sampler)) << row.shift
    })
}
