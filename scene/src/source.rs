//! Reading programs: which form a file has, its contents, and the checked program in it.

use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attila_shader::debug;
use attila_shader::front::{self, LanguageInfo, Listing, ParameterValues, agal};
use attila_shader::isa::Word;
use attila_shader::isa::code::text;
use attila_shader::{Program, Stage, ValidProgram};

use crate::code;
use crate::directives::Directives;
use crate::encoding;
use crate::error::Error;
use crate::foreign::{Shape, is_stray, stray_byte};
use crate::hex;
use crate::host::{Host, Message};
use crate::listing;
use crate::names::Names;
use crate::sections::{self, Choice, ChoiceError, STRAY, Section};

/// What a translated text says beside its program and its directives.
#[derive(Default)]
pub(crate) struct Translated {
    /// The textures that it declares.
    pub(crate) textures: Vec<front::Texture>,
    /// The names of its registers.
    pub(crate) names: Names,
    /// Whether a draw has to run the program for each sample of a pixel.
    pub(crate) runs_for_samples: bool,
}

/// The most bytes that are read of a program: far more than the longest program needs in any
/// form.
pub const LIMIT: u64 = 4 << 20;

/// The language that has programs in bytes.
const AGAL: &str = "AGAL";

/// How the bytes of a file are read.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Form {
    /// As what they look like.
    #[default]
    Detect,
    /// As text.
    Text,
    /// As a raw binary, 16 bytes per instruction.
    Binary,
    /// As assembly.
    Assembly,
    /// As a text, or bytes, in the language of [`front::LANGUAGES`] with this name.
    Language(&'static str),
}

/// The contents of a file.
pub enum Contents {
    /// Assembly.
    Assembly(String),
    /// A program in one of [`front::LANGUAGES`], in a text that may hold others.
    Source(Section, Arc<str>),
    /// An AGAL program in bytes.
    Agal(Vec<u8>),
    /// Instruction words in hexadecimal.
    Hex(String),
    /// Raw bytes.
    Binary(Vec<u8>),
}

impl Contents {
    /// A text in a language, with one program or several.
    fn from_language(text: String, language: &'static str) -> Vec<Contents> {
        let mut sections = sections::find(&text);
        sections.retain(|section| section.language.name == language);
        let known = front::LANGUAGES.iter().find(|it| it.name == language);
        if sections.is_empty() {
            sections.extend(known.map(|it| Section::whole(it, &text)));
        }
        let text: Arc<str> = text.into();
        let sections = sections.into_iter();
        sections
            .map(|section| Contents::Source(section, text.clone()))
            .collect()
    }

    /// A text: words in hexadecimal, or programs in languages for people. The name of its file may tell
    /// which.
    fn from_text(text: String, path: &Path, form: Form) -> Vec<Contents> {
        match form {
            Form::Assembly => return vec![Contents::Assembly(text)],
            Form::Language(language) => return Contents::from_language(text, language),
            Form::Detect | Form::Text | Form::Binary => {}
        }
        let whole = |language, text: String| {
            vec![Contents::Source(
                Section::whole(language, &text),
                text.into(),
            )]
        };
        if let Some(language) = named_language(path) {
            return whole(language, text);
        }
        if hex::looks_like_words(&text) {
            return vec![Contents::Hex(text)];
        }
        let sections = sections::find(&text);
        if sections.is_empty() {
            return match front::language_of(&text) {
                Some(language) => whole(language, text),
                None => vec![Contents::Assembly(text)],
            };
        }
        let text: Arc<str> = text.into();
        let sections = sections.into_iter();
        sections
            .map(|section| Contents::Source(section, text.clone()))
            .collect()
    }
}

/// The language that the name of a file tells.
fn named_language(path: &Path) -> Option<&'static LanguageInfo> {
    let suffix = path.extension().and_then(|suffix| suffix.to_str());
    suffix.and_then(front::language_of_suffix)
}

/// A file that has been read.
#[non_exhaustive]
pub struct Source {
    /// Its name in messages.
    pub name: String,
    /// The content.
    pub contents: Contents,
}

/// A file that has been read, and all that is wrong with its program and its directives reported.
pub struct Draft {
    /// The file's name in messages.
    pub name: String,
    /// Where the files that it names are.
    pub folder: PathBuf,
    /// Its text; empty unless it is in a language for people.
    pub text: Arc<str>,
    /// Whether the text is assembly: then its directives stand in it.
    pub is_assembly: bool,
    /// The directives of its text, or what its translation says if it is not assembly.
    pub directives: Directives,
    pub(crate) translated: Translated,
    /// The program, if there is nothing wrong with it.
    pub program: Result<ValidProgram, Error>,
    /// Whether the directives could be read.
    directives_are_right: bool,
}

/// A program that has been read and checked.
#[non_exhaustive]
pub struct Loaded {
    /// The file's name in messages.
    pub name: String,
    /// Its text; empty unless it is in a language for people.
    pub text: Arc<str>,
    /// Whether the text is assembly.
    pub is_assembly: bool,
    /// The directives of its text, or what its translation says if it is not assembly.
    pub directives: Directives,
    /// The names of its registers, if it is translated.
    pub names: Names,
    /// The program.
    pub program: ValidProgram,
}

impl Loaded {
    /// The text for a debugger, with the names of its registers: the disassembly of a program without a text.
    pub fn debug_source(&self) -> debug::Source {
        let program = self.program.program();
        let source = match self.text.is_empty() {
            true => debug::Source::disassembly(program),
            false => debug::Source::new(&self.text, program),
        };
        let names = self.names.registers();
        source.with_names(names.map(|(name, register)| (name.to_owned(), register)))
    }
}

/// Warns of options for registers or units that the program of a file does not read.
pub fn warn_unread(file: &str, host: &dyn Host, names: impl Iterator<Item = String>) {
    for name in names {
        let message = format!("{file}: the program does not read {name}, which is set for it");
        host.warning(file, message);
    }
}

/// A file's name in messages of a host for which `-` is standard input.
pub fn name_of(path: &Path) -> String {
    if path == Path::new("-") {
        "<stdin>".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Reads at most `limit` bytes of a file.
///
/// # Errors
///
/// The file cannot be read, has nothing in it or has more.
pub fn read(path: &Path, limit: u64, host: &dyn Host) -> Result<Vec<u8>, Error> {
    let name = host.name(path);
    let bytes = read_up_to(path, limit + 1, host).map_err(|source| {
        let name = name.clone();
        if source.kind() == io::ErrorKind::IsADirectory {
            Error::Directory { name }
        } else {
            Error::Read { name, source }
        }
    })?;
    if bytes.is_empty() {
        return Err(Error::Empty { name });
    }
    if bytes.len() as u64 > limit {
        return Err(Error::TooLarge { name, limit });
    }
    Ok(bytes)
}

fn read_up_to(path: &Path, limit: u64, host: &dyn Host) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    host.open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads `path` as text.
///
/// # Errors
///
/// The file cannot be read, or is not UTF-8.
pub fn read_text(path: &Path, host: &dyn Host) -> Result<String, Error> {
    encoding::decode(read(path, LIMIT, host)?).map_err(|found| Error::NotText {
        name: host.name(path),
        line: found.line,
        column: found.column,
    })
}

/// The form that a file seems to have.
enum Looks {
    Text,
    Binary,
    Agal,
    /// A length that no binary has, and bytes that no text has.
    Neither,
}

impl Looks {
    fn of(bytes: &[u8], path: &Path) -> Looks {
        // No text begins so, and no binary either.
        if bytes.first() == Some(&agal::MAGIC) {
            Looks::Agal
        } else if stray_byte(bytes).is_none() || has_strays_around_programs(bytes) {
            Looks::Text
        } else if named_language(path).is_some_and(|language| language.name == AGAL) {
            Looks::Agal
        } else if bytes.len().is_multiple_of(Word::SIZE) {
            Looks::Binary
        } else {
            Looks::Neither
        }
    }
}

/// Whether bytes that texts do not have stand only around programs, of which the first begins the text.
fn has_strays_around_programs(bytes: &[u8]) -> bool {
    let text = with_strays(bytes);
    let sections = sections::find(&text);
    let Some(first) = sections.first() else {
        return false;
    };
    let has_none = |text: &str| !text.contains(STRAY);
    has_none(&text[..first.span.start])
        && sections.iter().all(|it| has_none(&text[it.span.clone()]))
}

/// A text with a mark for each byte that texts do not have.
fn with_strays(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let is_stray = |c: char| u8::try_from(c).is_ok_and(|byte| is_stray(&byte));
    text.replace(is_stray, &STRAY.to_string())
}

/// The bytes that C and DOS put after texts.
const PADDING: [u8; 2] = [0, 0x1a];

/// The bytes of a text without those after it that C and DOS put there, and whether there were any.
fn without_padding(mut bytes: Vec<u8>) -> (Vec<u8>, bool) {
    let length = bytes.len();
    let last = bytes.iter().rposition(|byte| !PADDING.contains(byte));
    let end = last.map_or(0, |last| last + 1);
    // A binary may end with zeros, too, but has others before.
    if end > 0 && !bytes[..end].iter().any(is_stray) {
        bytes.truncate(end);
    }
    let is_shorter = bytes.len() < length;
    (bytes, is_shorter)
}

/// A file that has been read: the programs in it, at least one.
pub struct Sources {
    sources: Vec<Source>,
}

impl Sources {
    /// Reads a file and decides which form it has. Warns of what stands around its programs.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is neither text nor a binary.
    pub fn read(path: &Path, form: Form, host: &dyn Host) -> Result<Sources, Error> {
        Sources::of(path, read(path, LIMIT, host)?, form, host)
    }

    /// The same of bytes that are the content of a file.
    ///
    /// # Errors
    ///
    /// They are neither text nor a binary.
    pub fn of(path: &Path, bytes: Vec<u8>, form: Form, host: &dyn Host) -> Result<Sources, Error> {
        let name = host.name(path);
        let (looks, bytes) = match form {
            Form::Text | Form::Assembly => (Looks::Text, bytes),
            Form::Language(AGAL) if stray_byte(&bytes).is_some() => (Looks::Agal, bytes),
            Form::Language(_) => (Looks::Text, bytes),
            Form::Binary => (Looks::Binary, bytes),
            Form::Detect => {
                let (bytes, is_shorter) = without_padding(bytes);
                if is_shorter {
                    let message = format!("{name}: zero bytes after the text are skipped");
                    host.warning(&name, message);
                }
                (Looks::of(&bytes, path), bytes)
            }
        };
        let contents = match looks {
            Looks::Text if form != Form::Detect || stray_byte(&bytes).is_none() => {
                Contents::from_text(host.decode_text(&name, bytes)?, path, form)
            }
            Looks::Text => Contents::from_text(with_strays(&bytes), path, form),
            Looks::Agal => vec![Contents::Agal(bytes)],
            Looks::Binary => vec![Contents::Binary(bytes)],
            Looks::Neither => return Err(host.neither(&name, &bytes)),
        };
        let source = |contents| Source {
            name: name.clone(),
            contents,
        };
        let sources = contents.into_iter().map(source).collect();
        let sources = Sources { sources };
        sources.warn(host);
        Ok(sources)
    }

    /// Where its programs stand, and in which text, if their language says so.
    fn sections(&self) -> (Vec<Section>, &str) {
        let mut text = "";
        let mut sections = Vec::new();
        for source in &self.sources {
            if let Contents::Source(section, whole) = &source.contents {
                sections.push(section.clone());
                text = whole;
            }
        }
        (sections, text)
    }

    fn warn(&self, host: &dyn Host) {
        let (sections, text) = self.sections();
        let name = self.name();
        let skipped = sections::skipped(text, &sections).into_iter();
        let messages = skipped.map(|it| {
            Message::warning(it.message)
                .at(it.span)
                .code(&code::SKIPPED)
        });
        host.report(name, text, messages.collect());
    }

    /// The file's name in messages.
    pub fn name(&self) -> &str {
        self.sources.first().map_or("", |source| &source.name)
    }

    /// The first program.
    pub fn first(mut self) -> Source {
        self.sources.swap_remove(0)
    }

    /// The wanted programs.
    pub fn among(mut self, choice: Choice, host: &dyn Host) -> Result<Vec<Source>, Error> {
        let wanted = self.choose(|sections, _| choice.among(sections), choice, host)?;
        let mut nth = 0;
        self.sources.retain(|_| {
            nth += 1;
            wanted.contains(&(nth - 1))
        });
        Ok(self.sources)
    }

    /// The wanted program.
    pub fn one(mut self, choice: Choice, host: &dyn Host) -> Result<Source, Error> {
        let one = |sections: &[Section], text: &str| Ok(vec![choice.one(text, sections)?]);
        let wanted = self.choose(one, choice, host)?;
        Ok(self.sources.swap_remove(wanted[0]))
    }

    fn choose(
        &self,
        by: impl Fn(&[Section], &str) -> Result<Vec<usize>, ChoiceError>,
        choice: Choice,
        host: &dyn Host,
    ) -> Result<Vec<usize>, Error> {
        let (sections, text) = self.sections();
        let chosen = match sections[..] {
            [] => choice.of_single().map(|()| vec![0]),
            [..] => by(&sections, text),
        };
        chosen.map_err(|error| host.choice(self.name(), text, &error))
    }
}

impl Source {
    /// Reads the wanted program of a file.
    pub fn read(path: &Path, form: Form, choice: Choice, host: &dyn Host) -> Result<Source, Error> {
        Sources::read(path, form, host)?.one(choice, host)
    }

    /// The program, or a report of everything that keeps it from being one. The assembler's
    /// warnings are reported too.
    pub fn parse(&self, host: &dyn Host) -> Result<Program, Error> {
        let bytes = match &self.contents {
            Contents::Assembly(text) => return host.assemble(&self.name, text),
            Contents::Source(..) | Contents::Agal(_) => {
                let listing = self.list(&ParameterValues::default(), host)?;
                return Ok(listing.program);
            }
            Contents::Hex(text) => {
                let words = hex::parse(text).map_err(|error| {
                    host.text_error(
                        &self.name,
                        text,
                        &error.to_string(),
                        error.span(),
                        &text::NUMBER,
                    )
                })?;
                let program = host.disassemble(&self.name, &words.bytes)?;
                return Ok(words.with_hints(program));
            }
            Contents::Binary(bytes) => bytes,
        };
        host.disassemble(&self.name, bytes)
    }
}

/// How a program of a file is read.
#[derive(Clone, Default, Debug)]
pub struct Reading {
    /// Where the files that it names are.
    pub folder: PathBuf,
    /// The stage that it has to have.
    pub stage: Option<Stage>,
    /// The values of its parameters, and how its text is read.
    pub parameters: ParameterValues,
}

impl Reading {
    /// The programs of a file, for a stage if one is given.
    pub fn new(file: &Path, stage: Option<Stage>, mut parameters: ParameterValues) -> Reading {
        parameters.agal.stage = stage;
        Reading {
            folder: file.parent().unwrap_or(Path::new("")).to_owned(),
            stage,
            parameters,
        }
    }
}

impl Source {
    /// Reports what a text is that is no program, if that is known.
    pub fn foreign(&self, host: &dyn Host) -> Option<Error> {
        host.foreign_text(&self.name, self.text()?)
    }

    /// Whether a text does not look like assembly.
    pub fn looks_foreign(&self) -> bool {
        self.text()
            .is_some_and(|text| Shape::of_assembly(text).is_foreign())
    }

    /// The text of a program in a language for people.
    pub fn text(&self) -> Option<&str> {
        match &self.contents {
            Contents::Assembly(text) => Some(text),
            Contents::Source(_, text) => Some(text),
            Contents::Agal(_) | Contents::Hex(_) | Contents::Binary(_) => None,
        }
    }

    /// The same text, or an empty one, for what outlives the source: not copied where programs share it.
    fn shared_text(&self) -> Arc<str> {
        match &self.contents {
            Contents::Assembly(text) => text.as_str().into(),
            Contents::Source(_, text) => text.clone(),
            Contents::Agal(_) | Contents::Hex(_) | Contents::Binary(_) => Arc::default(),
        }
    }

    /// The translation of a program in a language of [`front`]. Others are assembly for this.
    pub fn list(&self, parameters: &ParameterValues, host: &dyn Host) -> Result<Listing, Error> {
        match &self.contents {
            Contents::Source(section, text) => host.list(&self.name, section, text, parameters),
            Contents::Agal(bytes) => host.list_bytes(&self.name, bytes, parameters),
            Contents::Assembly(text) | Contents::Hex(text) => {
                host.list_any(&self.name, text, parameters)
            }
            Contents::Binary(_) => Err(Error::NotProgram),
        }
    }

    /// The program, what its text says beside it as far as that is right, and whether all is.
    fn parse_all(
        &self,
        parameters: &ParameterValues,
        host: &dyn Host,
    ) -> (Result<Program, Error>, Directives, Translated, bool) {
        let text = match &self.contents {
            Contents::Source(..) | Contents::Agal(_) => match self.list(parameters, host) {
                Ok(listing) => {
                    let directives = listing::directives(&listing);
                    let translated = Translated {
                        names: Names::of(&listing),
                        textures: listing.textures,
                        runs_for_samples: listing.runs_for_samples,
                    };
                    return (Ok(listing.program), directives, translated, true);
                }
                Err(error) => {
                    return (
                        Err(error),
                        Directives::default(),
                        Translated::default(),
                        true,
                    );
                }
            },
            Contents::Assembly(text) => text,
            Contents::Hex(_) | Contents::Binary(_) => "",
        };
        let program = self.parse(host);
        // Both are read, so that all their errors are reported. Directives in what is not a program are not looked for.
        let text = match program {
            Err(Error::NotProgram) => "",
            Ok(_) | Err(_) => text,
        };
        let (directives, all_right) = host.directives(&self.name, text);
        (program, directives, Translated::default(), all_right)
    }

    /// Parses and validates the program, and reports every finding.
    pub fn draft(self, reading: &Reading, host: &dyn Host) -> Draft {
        let text = self.text();
        let is_translated = self.is_translated();
        let (program, directives, translated, directives_are_right) =
            self.parse_all(&reading.parameters, host);
        let program = program.and_then(|program| {
            let program = self.staged(program, reading.stage, directives.stage, host)?;
            host.validate(&self.name, text, is_translated, program)
        });
        Draft {
            text: self.shared_text(),
            is_assembly: matches!(self.contents, Contents::Assembly(_)),
            name: self.name,
            folder: reading.folder.clone(),
            directives,
            translated,
            program,
            directives_are_right,
        }
    }

    /// The byte of its text that the program begins at.
    fn start(&self) -> usize {
        match &self.contents {
            Contents::Source(section, _) => section.span.start,
            Contents::Assembly(_) | Contents::Agal(_) | Contents::Hex(_) | Contents::Binary(_) => 0,
        }
    }

    /// The line of its text that the program begins on, from 1.
    pub fn line(&self) -> usize {
        sections::line_of(self.text().unwrap_or_default(), self.start())
    }

    /// The language of [`front`] that the program is in.
    pub fn language(&self) -> Option<&'static str> {
        match &self.contents {
            Contents::Source(section, _) => Some(section.language.name),
            Contents::Agal(_) => Some(AGAL),
            Contents::Assembly(_) | Contents::Hex(_) | Contents::Binary(_) => None,
        }
    }

    /// Whether the program is in a language of [`front`].
    pub fn is_translated(&self) -> bool {
        self.language().is_some()
    }

    /// The program for the stage that an option `wanted`, or its directives `said`.
    pub fn staged(
        &self,
        program: Program,
        wanted: Option<Stage>,
        said: Option<Stage>,
        host: &dyn Host,
    ) -> Result<Program, Error> {
        if self.is_translated() && wanted.is_some_and(|wanted| wanted != program.stage()) {
            let message = format!(
                "this is a {} program, which cannot be one for another stage",
                program.stage()
            );
            let text = self.text().unwrap_or_default();
            let start = self.start();
            let header = start..start + text[start..].lines().next().map_or(0, str::len);
            return Err(host.text_error(&self.name, text, &message, header, &code::STAGE));
        }
        Ok(match wanted.or(said) {
            Some(stage) => program.with_stage(stage),
            None => program,
        })
    }
}

impl Draft {
    /// The program that an assembly text is.
    pub fn from_text(host: &dyn Host, name: &str, text: &str) -> Draft {
        let source = Source {
            name: name.to_owned(),
            contents: Contents::Assembly(text.to_owned()),
        };
        source.draft(&Reading::default(), host)
    }

    /// Reports errors that have been found later, at their places if they have some: all at once, as looking for the
    /// lines of a text takes as long as it is.
    pub(crate) fn refuse(&self, host: &dyn Host, errors: Vec<(String, Option<Range<usize>>)>) {
        let errors = errors.into_iter().map(|(error, place)| Message {
            place,
            ..Message::error(error).code(&code::SCENE)
        });
        host.report(&self.name, &self.text, errors.collect());
    }

    /// The texture units that the program samples, as a bit mask.
    pub fn used_textures(&self) -> u32 {
        let program = self.program.as_ref();
        program.map_or(0, |program| program.usage().textures)
    }

    /// The program, if everything is right.
    pub fn finish(self) -> Result<Loaded, Error> {
        let loaded = Loaded {
            name: self.name,
            text: self.text,
            is_assembly: self.is_assembly,
            directives: self.directives,
            names: self.translated.names,
            program: self.program?,
        };
        match self.directives_are_right {
            true => Ok(loaded),
            false => Err(Error::Reported),
        }
    }
}
