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

/// The stage, the version, and whether its bytes are swapped.
fn header(bytes: &[u8], findings: &mut impl Findings) -> Option<(Stage, Version, bool)> {
    let whole = 0..bytes.len();
    if bytes.first() != Some(&MAGIC) || bytes.len() < HEADER {
        let message = match bytes.first() {
            Some(0xb0) => "this is a shader in GLSL, as OpenFL packs it".to_owned(),
            Some(&MAGIC) => format!("a program begins with {HEADER} bytes"),
            Some(_) | None => format!("a program begins with the byte {MAGIC:02x}"),
        };
        let span = 0..bytes.len().min(1);
        findings.error(Finding::new(&span, message).number(number::ENDIAN));
        return None;
    }
    if bytes.len() == HEADER {
        findings.error(Finding::new(&whole, "there are no tokens").number(number::TOO_SHORT));
        return None;
    }
    let coded = [bytes[1], bytes[2], bytes[3], bytes[4]];
    let (little, big) = (u32::from_le_bytes(coded), u32::from_be_bytes(coded));
    let version = Version::of(little).map(|version| (version, false));
    let version = version.or_else(|| Version::of(big).map(|version| (version, true)));
    match version {
        None => {
            let message = format!("version {little} is not known");
            findings.error(Finding::new(&(1..5), message).help("there are 1, 2 and 3"));
        }
        Some((_, true)) => {
            let finding = Finding::new(&(1..5), "the bytes of the version are in the wrong order");
            findings.add(Severity::Warning, finding);
        }
        Some((_, false)) => {}
    }
    if bytes[5] != PROGRAM {
        let message = format!("the version is followed by the byte {PROGRAM:02x}");
        findings.error(Finding::new(&(5..6), message));
    }
    let stage = match bytes[6] {
        0 => Some(Stage::Vertex),
        1 => Some(Stage::Fragment),
        other => {
            let message = format!("there is no type of programs {other}");
            let finding = Finding::new(&(6..7), message);
            findings.error(finding.help("0 is a vertex program, 1 a fragment program"));
            None
        }
    };
    let (version, is_swapped) = version?;
    Some((stage?, version, is_swapped))
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
            return Some(Token {
                opcode,
                destination: None,
                sources: SmallVec::new(),
                sampler: None,
                span,
            });
        }
        let destination = match form.has_result() {
            true => Some(self.destination()?),
            false => self
                .nothing(DESTINATION, opcode, "a result")
                .map(|()| None)?,
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
                self.nothing(at, opcode, what)?;
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

    fn refuse<T>(&mut self, at: Range<usize>, message: impl Into<String>) -> Option<T> {
        let finding = Finding::new(&self.span(at), message);
        self.findings.error(finding);
        None
    }

    /// Checks that an operand is absent.
    fn nothing(&mut self, at: Range<usize>, opcode: AgalOpcode, what: &str) -> Option<()> {
        match self.word(at.clone()) {
            0 => Some(()),
            _ => self.refuse(at, format!("{opcode} does not have {what}")),
        }
    }

    /// Checks that bits which mean nothing are 0.
    fn reserved(&mut self, at: Range<usize>, word: u64, ranges: &[Range<u32>]) -> Option<()> {
        for bits in ranges {
            let set = field(word, bits.start, bits.end - bits.start);
            if set != 0 {
                let bit = bits.start + set.trailing_zeros();
                return self.refuse(at, format!("bit {bit} of this operand is reserved"));
            }
        }
        Some(())
    }

    fn file(&mut self, at: Range<usize>, code: u64) -> Option<File> {
        match File::of_code(code as u8) {
            Some(file) => Some(file),
            None => self.refuse(at, format!("there is no register file {code}")),
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
        let number = field(word, 0, 16) as u16;
        let location = match field(word, 63, 1) {
            0 => {
                self.reserved(at.clone(), word, &[16..24, 36..63])?;
                Location::Direct(Register::new(file, number))
            }
            _ => {
                self.reserved(at.clone(), word, &[36..40, 44..48, 50..63])?;
                let index = self.file(at.clone(), field(word, 40, 4))?;
                Location::Indirect {
                    file,
                    index: Register::new(index, number),
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
        self.reserved(at.clone(), word, &[24..32, 36..40])?;
        let file = self.file(at.clone(), field(word, 32, 4))?;
        if file != File::Sampler {
            return self.refuse(at, format!("{} is not a sampler", file.noun()));
        }
        let mut sampler = Sampler {
            unit: field(word, 0, 16) as u16,
            bias: (field(word, 16, 8) as u8).cast_signed(),
            ..Sampler::default()
        };
        for row in &FIELDS {
            let value = field(word, row.shift, 4) as u8;
            if value >= row.end {
                return self.refuse(at, format!("there is no {} {value}", row.name));
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
