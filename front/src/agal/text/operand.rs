//! Operands of a line: a register, perhaps a computed one, and components.

use std::ops::Range;

use attila_isa::{Component, Remark, Slots, Stage, Swizzle, code, nearest};

use super::super::program::{Destination, File, Location, Register, Source};
use super::super::sampler::Sampler;
use super::span_in;

/// A name of registers.
pub(super) struct Name {
    /// The letters before the number.
    pub(super) name: &'static str,
    /// The registers.
    pub(super) file: File,
    /// The stage whose texts have it; `None`: both.
    pub(super) stage: Option<Stage>,
}

const fn name(name: &'static str, file: File, stage: Option<Stage>) -> Name {
    Name { name, file, stage }
}

const VERTEX: Option<Stage> = Some(Stage::Vertex);
const FRAGMENT: Option<Stage> = Some(Stage::Fragment);

/// The names of the mini-assembler, aliases included.
pub(super) const NAMES: [Name; 18] = [
    name("va", File::Attribute, VERTEX),
    name("vc", File::Constant, VERTEX),
    name("fc", File::Constant, FRAGMENT),
    name("vt", File::Temporary, VERTEX),
    name("ft", File::Temporary, FRAGMENT),
    name("op", File::Output, VERTEX),
    name("vo", File::Output, VERTEX),
    name("oc", File::Output, FRAGMENT),
    name("fo", File::Output, FRAGMENT),
    name("v", File::Varying, None),
    name("vi", File::Varying, None),
    name("fi", File::Varying, FRAGMENT),
    name("i", File::Varying, None),
    name("fs", File::Sampler, FRAGMENT),
    name("vs", File::Sampler, VERTEX),
    name("od", File::Depth, FRAGMENT),
    name("fd", File::Depth, FRAGMENT),
    name("iid", File::Instance, VERTEX),
];

/// The letter of a mask without components. The mini-assembler has none, but bytes may say that.
pub(super) const NOTHING: &str = "_";

/// The letters that matter of a swizzle or a mask.
const LETTERS: usize = 4;

/// The word of a component.
fn component(letter: char) -> Option<Component> {
    Component::ALL.into_iter().find(|it| it.letter() == letter)
}

/// A register with components, before it is known whether it is read or written.
pub(super) struct Operand {
    location: Location,
    /// The letters after the dot, and their place.
    letters: Option<(String, Range<usize>)>,
    pub(super) span: Range<usize>,
}

/// Reads an operand from the beginning of `rest`. Returns what follows it, too.
pub(super) fn read<'a>(
    text: &str,
    rest: &'a str,
    stage: Stage,
) -> Result<(Operand, &'a str), Remark> {
    let (location, after) = location(text, rest, stage)?;
    let (letters, after) = match after.strip_prefix('.') {
        None => (None, after),
        Some(after) => {
            let (letters, rest) = split(after, |c| c.is_alphanumeric() || c == '_');
            (Some((letters.to_owned(), span_in(text, letters))), rest)
        }
    };
    let whole = &rest[..rest.len() - after.len()];
    let ends = |c: char| c.is_whitespace() || c == ',';
    if !after.is_empty() && !after.starts_with(ends) {
        let (word, _) = split(rest, |c| !ends(c));
        let message = format!("`{word}` is no operand");
        return Err(Remark::new(span_in(text, word), message).code(&code::text::OPERANDS));
    }
    let span = span_in(text, whole);
    Ok((
        Operand {
            location,
            letters,
            span,
        },
        after,
    ))
}

/// The beginning of a text whose characters belong to it, and the rest.
fn split(text: &str, belongs: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !belongs(c)).unwrap_or(text.len()))
}

/// A register, and what follows it.
fn location<'a>(text: &str, rest: &'a str, stage: Stage) -> Result<(Location, &'a str), Remark> {
    let (name, after) = split(rest, |c| c.is_ascii_alphabetic());
    let (digits, after) = split(after, |c| c.is_ascii_digit());
    let word = &rest[..name.len() + digits.len()];
    let file = file(text, rest, name, stage)?;
    if let Some(after) = after.strip_prefix('[') {
        if !digits.is_empty() {
            let remark = Remark::new(
                span_in(text, word),
                "a computed register has no number here",
            );
            return Err(remark.help(format!("write it as `{name}[va0.x+{digits}]`")));
        }
        return indirect(text, after, file, stage);
    }
    let number = number(text, digits, u16::MAX)?;
    Ok((Location::Direct(Register::new(file, number)), after))
}

/// A number, 0 where there is none.
fn number(text: &str, digits: &str, most: u16) -> Result<u16, Remark> {
    let number = match digits {
        "" => Some(0),
        digits => digits.parse().ok(),
    };
    number.filter(|it| *it <= most).ok_or_else(|| {
        Remark::new(
            span_in(text, digits),
            format!("`{digits}` is more than {most}"),
        )
        .code(&code::text::LIMIT)
    })
}

/// The registers that a name stands for.
fn file(text: &str, rest: &str, name: &str, stage: Stage) -> Result<File, Remark> {
    let is_here = |row: &&Name| row.stage.is_none_or(|it| it == stage);
    let mut rows = NAMES.iter().filter(|row| row.name == name);
    if let Some(row) = rows.clone().find(is_here) {
        return Ok(row.file);
    }
    if rows.next().is_some() {
        let message = format!("a {stage} program has no `{name}`");
        return Err(Remark::new(span_in(text, name), message).code(&code::text::NAME));
    }
    let (word, _) = split(rest, |c| !c.is_whitespace() && c != ',');
    let span = span_in(text, word);
    let remark = Remark::new(span, format!("`{word}` is no register")).code(&code::text::NAME);
    let names = NAMES.iter().filter(is_here).map(|row| row.name);
    Err(match nearest(name, names) {
        Some(near) => remark.did_you_mean(near),
        None => remark,
    })
}

/// What stands after the bracket of a computed register: `va0.x+3]`.
fn indirect<'a>(
    text: &str,
    rest: &'a str,
    file: File,
    stage: Stage,
) -> Result<(Location, &'a str), Remark> {
    let Some((inside, after)) = rest.split_once(']') else {
        return Err(Remark::new(span_in(text, rest), "the bracket does not end")
            .code(&code::text::EXPECTED));
    };
    let malformed = || {
        let remark = Remark::new(span_in(text, inside), format!("`{inside}` is no index"))
            .code(&code::text::NUMBER);
        remark.help("an index is a component and a distance, such as `va0.x+3`")
    };
    let (register, distance) = inside.split_once('+').unwrap_or((inside, ""));
    let distance = distance.trim();
    let (register, letter) = register.trim().split_once('.').ok_or_else(malformed)?;
    let mut letters = letter.chars();
    let component = letters.next().and_then(component).ok_or_else(malformed)?;
    if letters.next().is_some() || !distance.bytes().all(|it| it.is_ascii_digit()) {
        return Err(malformed());
    }
    let (index, more) = location(text, register, stage)?;
    let Location::Direct(index) = index else {
        return Err(malformed());
    };
    if !more.is_empty() {
        return Err(malformed());
    }
    let offset = number(text, distance, u8::MAX.into())? as u8;
    let location = Location::Indirect {
        file,
        index,
        component,
        offset,
    };
    Ok((location, after))
}

/// The components that letters name; those after the fourth do not matter.
fn components(letters: &str, span: Range<usize>) -> Result<Vec<Component>, Remark> {
    let named: Option<Vec<Component>> = letters.chars().take(LETTERS).map(component).collect();
    named.filter(|list| !list.is_empty()).ok_or_else(|| {
        let remark = Remark::new(span, format!("`.{letters}` does not name components"))
            .code(&code::text::COMPONENTS);
        match letters.chars().all(|letter| "rgba".contains(letter)) && !letters.is_empty() {
            true => remark.help("AGAL has xyzw only"),
            false => remark.help("one to four of x, y, z and w"),
        }
    })
}

impl Operand {
    /// The remark on letters after the fourth, which the mini-assembler skips.
    pub(super) fn surplus(&self) -> Option<Remark> {
        let (letters, span) = self.letters.as_ref()?;
        let (at, _) = letters.char_indices().nth(LETTERS)?;
        let message = format!("`{}` is beyond the fourth component", &letters[at..]);
        Some(
            Remark::new(span.start + at..span.end, message)
                .code(&code::text::COMPONENTS)
                .help("it is skipped"),
        )
    }

    /// The register as a result. The order of its letters does not matter.
    pub(super) fn destination(self) -> Result<Destination, Remark> {
        let Location::Direct(register) = self.location else {
            return Err(
                Remark::new(self.span, "a result cannot be in a computed register")
                    .code(&code::text::OPERANDS),
            );
        };
        let mask = match self.letters {
            None => Slots::all(),
            Some((letters, _)) if letters == NOTHING => Slots::empty(),
            Some((letters, span)) => {
                let components = components(&letters, span)?.into_iter();
                components.map(Slots::only).collect()
            }
        };
        Ok(Destination {
            register,
            mask,
            span: self.span,
        })
    }

    /// The register as a source. The last letter stands for those that are missing.
    pub(super) fn source(self) -> Result<Source, Remark> {
        let swizzle = match self.letters {
            None => Swizzle::IDENTITY,
            Some((letters, span)) => {
                let components = components(&letters, span)?;
                let slot = |slot: usize| components[slot.min(components.len() - 1)];
                Swizzle::new(std::array::from_fn(slot))
            }
        };
        Ok(Source {
            location: self.location,
            swizzle,
            span: self.span,
        })
    }

    /// The register as a sampler, whose options are not known yet.
    pub(super) fn sampler(self) -> Result<Sampler, Remark> {
        match (self.location, self.letters) {
            (
                Location::Direct(Register {
                    file: File::Sampler,
                    number,
                }),
                None,
            ) => Ok(Sampler {
                unit: number,
                ..Sampler::default()
            }),
            (
                Location::Direct(Register {
                    file: File::Sampler,
                    ..
                }),
                Some((_, span)),
            ) => Err(Remark::new(span, "a sampler has no components").code(&code::text::TEXTURE)),
            (Location::Direct(_) | Location::Indirect { .. }, _) => {
                Err(Remark::new(self.span, "this is not a sampler")
                    .code(&code::text::TEXTURE)
                    .help("samplers are `fs0` to `fs15`"))
            }
        }
    }
}
