//! Reading programs: which form a file has, its contents, and the checked program in it.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attila_scene::directives::Directives;
use attila_shader::front::{self, LanguageInfo, Listing, ParameterValues, agal};
use attila_shader::isa::Word;
use attila_shader::{Program, Stage, ValidProgram};
use clap::ValueEnum;
use codespan_reporting::diagnostic::Severity;

use crate::encoding;
use crate::error::CliError;
use crate::foreign::{Shape, is_stray, stray_byte};
use crate::hex;
use crate::listing;
use crate::number;
use crate::parameters::ParameterArgs;
use crate::programs::{self, Choice, ChoiceError, STRAY, Section};
use crate::render::Size;
use crate::report::Reporter;

/// A program with the textures that a translated text declares.
type Parsed = Result<(Program, Vec<front::Texture>), CliError>;

/// The most bytes that are read of a program: far more than the longest program needs in any
/// form.
const LIMIT: u64 = 4 << 20;

/// The language that has programs in bytes.
const AGAL: &str = "AGAL";

/// Where the program comes from.
#[derive(clap::Args)]
pub(crate) struct ProgramArgs {
    /// The program: assembly, an ARB, TGSI, AGAL or CTM program, hexadecimal words or a raw binary; `-` is standard input
    #[arg(id = "program", value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) form: FormArgs,
    #[command(flatten)]
    pub(crate) parameters: ParameterArgs,
    #[command(flatten)]
    pub(crate) stage: StageChoice,
    #[command(flatten)]
    pub(crate) number: NumberArg,
}

/// The stage of a program.
#[derive(Clone, Copy, Default, clap::Args)]
pub(crate) struct StageChoice {
    /// The stage that the program runs in [default: as the program says, else fragment]; of several programs in
    /// a file, the one for the stage
    #[arg(long, value_enum)]
    pub(crate) stage: Option<StageArg>,
}

/// Which program of a file.
#[derive(Clone, Copy, Default, clap::Args)]
pub(crate) struct NumberArg {
    /// Take the Nth program of a file that has several
    #[arg(id = "number", long = "program", value_name = "N", value_parser = number::within::<u32>(1, u32::MAX.into()), allow_negative_numbers = true)]
    number: Option<u32>,
}

impl NumberArg {
    /// The program with the number, of a stage if one is given.
    pub(crate) fn of_stage(self, stage: Option<StageArg>) -> Choice {
        Choice {
            number: self.number.map(|number| number as usize),
            stage: stage.map(Stage::from),
        }
    }
}

/// Overrides for the form of the input.
#[derive(Clone, Copy, Default, clap::Args)]
pub(crate) struct FormArgs {
    /// Read the file as a raw binary, 16 bytes per instruction
    #[arg(long)]
    pub(crate) binary: bool,
    /// Read the file as text
    #[arg(long, conflicts_with = "binary")]
    pub(crate) text: bool,
}

/// [`Stage`] as an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum StageArg {
    /// Four vertices at a time, without derivatives
    Vertex,
    /// The 2x2 fragments of a quad
    Fragment,
    /// Four primitives at a time, which emit vertices
    Geometry,
    /// Four threads of a grid at a time
    Compute,
}

impl From<StageArg> for Stage {
    fn from(stage: StageArg) -> Stage {
        match stage {
            StageArg::Vertex => Stage::Vertex,
            StageArg::Fragment => Stage::Fragment,
            StageArg::Geometry => Stage::Geometry,
            StageArg::Compute => Stage::Compute,
        }
    }
}

/// The contents of a file.
pub(crate) enum Contents {
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
    /// A text: words in hexadecimal, or programs in languages for people. The name of its file may tell
    /// which.
    fn from_text(text: String, path: &Path) -> Vec<Contents> {
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
        let sections = programs::find(&text);
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
pub(crate) struct Source {
    /// Its name in messages.
    pub(crate) name: String,
    /// The content.
    pub(crate) contents: Contents,
}

/// A file that has been read, and all that is wrong with its program and its directives reported.
pub(crate) struct Draft {
    /// The file's name in messages.
    pub(crate) name: String,
    /// Where the files that it names are.
    pub(crate) folder: PathBuf,
    /// Its text; empty unless it is in a language for people.
    pub(crate) text: String,
    /// Whether the text is assembly: then its directives stand in it.
    pub(crate) is_assembly: bool,
    /// The directives of its text, or of its translation if it is not assembly.
    pub(crate) directives: Directives,
    /// The textures that it declares, if it is translated.
    pub(crate) textures: Vec<front::Texture>,
    /// The program, if there is nothing wrong with it.
    pub(crate) program: Result<ValidProgram, CliError>,
    /// Whether the directives could be read.
    directives_are_right: bool,
}

/// A program that has been read and checked.
pub(crate) struct Loaded {
    /// The file's name in messages.
    pub(crate) name: String,
    /// Its text; empty unless it is in a language for people.
    pub(crate) text: String,
    /// Whether the text is assembly.
    pub(crate) is_assembly: bool,
    /// The directives of its text, or of its translation if it is not assembly.
    pub(crate) directives: Directives,
    /// The program.
    pub(crate) program: ValidProgram,
}

/// Warns of options for registers or units that the program of a file does not read.
pub(crate) fn warn_unread(file: &str, reporter: &Reporter, names: impl Iterator<Item = String>) {
    for name in names {
        reporter.warning(&format!(
            "{file}: the program does not read {name}, which an option sets"
        ));
    }
}

/// A file's name in messages.
pub(crate) fn name_of(path: &Path) -> String {
    if path == Path::new("-") {
        "<stdin>".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Reads at most `limit` bytes of a file or standard input.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, CliError> {
    let name = name_of(path);
    let bytes = read_up_to(path, limit + 1).map_err(|source| {
        let name = name.clone();
        if source.kind() == io::ErrorKind::IsADirectory {
            CliError::Directory { name }
        } else {
            CliError::Read { name, source }
        }
    })?;
    if bytes.is_empty() {
        return Err(CliError::Empty { name });
    }
    if bytes.len() as u64 > limit {
        return Err(CliError::TooLarge { name, limit });
    }
    Ok(bytes)
}

fn read_up_to(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)?;
    } else {
        File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Reads `path` as text.
pub(crate) fn read_text(path: &Path) -> Result<String, CliError> {
    encoding::decode(read(path, LIMIT)?).map_err(|found| CliError::NotText {
        name: name_of(path),
        line: found.line,
        column: found.column,
    })
}

/// The forms that a file may have.
enum Form {
    Text,
    Binary,
    Agal,
    /// A length that no binary has, and bytes that no text has.
    Neither,
}

impl Form {
    fn of(bytes: &[u8], path: &Path) -> Form {
        // No text begins so, and no binary either.
        if bytes.first() == Some(&agal::MAGIC) {
            Form::Agal
        } else if stray_byte(bytes).is_none() || has_strays_around_programs(bytes) {
            Form::Text
        } else if named_language(path).is_some_and(|language| language.name == AGAL) {
            Form::Agal
        } else if bytes.len().is_multiple_of(Word::SIZE) {
            Form::Binary
        } else {
            Form::Neither
        }
    }
}

/// Whether bytes that texts do not have stand only around programs, of which the first begins the text.
fn has_strays_around_programs(bytes: &[u8]) -> bool {
    let text = with_strays(bytes);
    let sections = programs::find(&text);
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
pub(crate) struct Sources {
    sources: Vec<Source>,
}

impl Sources {
    /// Reads a file and decides which form it has. Warns of what stands around its programs.
    pub(crate) fn read(
        path: &Path,
        form_args: &FormArgs,
        reporter: &Reporter,
    ) -> Result<Sources, CliError> {
        let name = name_of(path);
        let bytes = read(path, LIMIT)?;
        let (form, bytes) = match (form_args.text, form_args.binary) {
            (true, _) => (Form::Text, bytes),
            (_, true) => (Form::Binary, bytes),
            (false, false) => {
                let (bytes, is_shorter) = without_padding(bytes);
                if is_shorter {
                    let message = format!("{name}: zero bytes after the text are skipped");
                    reporter.warning(&message);
                }
                (Form::of(&bytes, path), bytes)
            }
        };
        let contents = match form {
            Form::Text if form_args.text || stray_byte(&bytes).is_none() => {
                Contents::from_text(reporter.decode_text(&name, bytes)?, path)
            }
            Form::Text => Contents::from_text(with_strays(&bytes), path),
            Form::Agal => vec![Contents::Agal(bytes)],
            Form::Binary => vec![Contents::Binary(bytes)],
            Form::Neither => return Err(reporter.neither(&name, &bytes)),
        };
        let source = |contents| Source {
            name: name.clone(),
            contents,
        };
        let sources = contents.into_iter().map(source).collect();
        let sources = Sources { sources };
        sources.warn(reporter);
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

    fn warn(&self, reporter: &Reporter) {
        let (sections, text) = self.sections();
        let name = self.name();
        for skipped in programs::skipped(text, &sections) {
            let place = Some(skipped.span);
            reporter.remark(Severity::Warning, name, text, &skipped.message, place);
        }
    }

    /// The file's name in messages.
    pub(crate) fn name(&self) -> &str {
        self.sources.first().map_or("", |source| &source.name)
    }

    /// The first program.
    pub(crate) fn first(mut self) -> Source {
        self.sources.swap_remove(0)
    }

    /// The wanted programs.
    pub(crate) fn among(
        mut self,
        choice: Choice,
        reporter: &Reporter,
    ) -> Result<Vec<Source>, CliError> {
        let wanted = self.choose(|sections, _| choice.among(sections), choice, reporter)?;
        let mut nth = 0;
        self.sources.retain(|_| {
            nth += 1;
            wanted.contains(&(nth - 1))
        });
        Ok(self.sources)
    }

    /// The wanted program.
    pub(crate) fn one(mut self, choice: Choice, reporter: &Reporter) -> Result<Source, CliError> {
        let one = |sections: &[Section], text: &str| Ok(vec![choice.one(text, sections)?]);
        let wanted = self.choose(one, choice, reporter)?;
        Ok(self.sources.swap_remove(wanted[0]))
    }

    fn choose(
        &self,
        by: impl Fn(&[Section], &str) -> Result<Vec<usize>, ChoiceError>,
        choice: Choice,
        reporter: &Reporter,
    ) -> Result<Vec<usize>, CliError> {
        let (sections, text) = self.sections();
        let chosen = match sections[..] {
            [] => choice.of_single().map(|()| vec![0]),
            [..] => by(&sections, text),
        };
        chosen.map_err(|error| reporter.choice(self.name(), text, &error))
    }
}

impl Source {
    /// Reads the wanted program of a file.
    pub(crate) fn read(
        path: &Path,
        form: &FormArgs,
        choice: Choice,
        reporter: &Reporter,
    ) -> Result<Source, CliError> {
        Sources::read(path, form, reporter)?.one(choice, reporter)
    }

    /// The program, or a report of everything that keeps it from being one. The assembler's
    /// warnings are reported too.
    pub(crate) fn parse(&self, reporter: &Reporter) -> Result<Program, CliError> {
        let bytes = match &self.contents {
            Contents::Assembly(text) => return reporter.assemble(&self.name, text),
            Contents::Source(..) | Contents::Agal(_) => {
                let listing = self.list(&ParameterValues::default(), reporter)?;
                return Ok(listing.program);
            }
            Contents::Hex(text) => {
                let words = hex::parse(text).map_err(|error| {
                    reporter.text_error(&self.name, text, &error.to_string(), error.span())
                })?;
                let program = reporter.disassemble(&self.name, &words.bytes)?;
                return Ok(words.with_hints(program));
            }
            Contents::Binary(bytes) => bytes,
        };
        reporter.disassemble(&self.name, bytes)
    }

    /// Warns of something that is not about a place of its text.
    pub(crate) fn warn(&self, message: &str, reporter: &Reporter) {
        reporter.warning(&format!("{}: {message}", self.name));
    }

    /// Refuses programs that are not written in a language for people.
    pub(crate) fn expect_language(&self, reporter: &Reporter) -> Result<(), CliError> {
        let form = match self.contents {
            Contents::Assembly(_) | Contents::Source(..) | Contents::Agal(_) => return Ok(()),
            Contents::Hex(_) => "words in hexadecimal",
            Contents::Binary(_) => "a binary",
        };
        // Mistakes in it matter more.
        self.parse(reporter)?;
        Err(self.other_form(form, "dis", "shows it as assembly"))
    }

    /// Refuses a text that is assembly, unless it looks like something else.
    pub(crate) fn refuse_assembly(
        &self,
        form: &'static str,
        reporter: &Reporter,
    ) -> Result<(), CliError> {
        let Contents::Assembly(text) = &self.contents else {
            return Ok(());
        };
        let is_wrong = Program::assemble(text).is_err();
        if is_wrong && let Some(error) = reporter.foreign_text(&self.name, text) {
            return Err(error);
        }
        match Shape::of_assembly(text).is_foreign() {
            true => Ok(()),
            false => Err(self.other_form(form, "asm", "assembles it")),
        }
    }

    /// The refusal of a program whose form is another command's.
    pub(crate) fn other_form(
        &self,
        form: &'static str,
        command: &'static str,
        does: &'static str,
    ) -> CliError {
        let name = self.name.clone();
        CliError::OtherForm {
            name,
            form,
            command,
            does,
        }
    }
}

impl ProgramArgs {
    /// A fragment program, unless its file says otherwise.
    pub(crate) fn new(
        file: PathBuf,
        form: FormArgs,
        parameters: ParameterArgs,
        number: NumberArg,
    ) -> ProgramArgs {
        ProgramArgs {
            file,
            form,
            parameters,
            stage: StageChoice::default(),
            number,
        }
    }

    /// Reads, parses and validates the program, and reports every finding.
    pub(crate) fn read(&self, reporter: &Reporter) -> Result<Draft, CliError> {
        let choice = self.number.of_stage(self.stage.stage);
        let source = Source::read(&self.file, &self.form, choice, reporter)?;
        Ok(self.reading(Size::DEFAULT).draft(source, reporter))
    }

    /// Does the same for a picture of a size: of several programs, it takes the one for fragments.
    pub(crate) fn read_to_draw(&self, size: Size, reporter: &Reporter) -> Result<Draft, CliError> {
        let drawn = self.number.number.is_none().then_some(StageArg::Fragment);
        let choice = self.number.of_stage(drawn);
        let source = Source::read(&self.file, &self.form, choice, reporter)?;
        Ok(self.reading(size).draft(source, reporter))
    }

    /// How its program is read, for a picture of a size.
    fn reading(&self, size: Size) -> Reading<'_> {
        Reading {
            file: &self.file,
            parameters: &self.parameters,
            stage: self.stage.stage,
            size,
        }
    }
}

/// How a program of a file is read.
pub(crate) struct Reading<'a> {
    /// The file.
    pub(crate) file: &'a Path,
    /// The options about its parameters.
    pub(crate) parameters: &'a ParameterArgs,
    /// The stage that it has to have.
    pub(crate) stage: Option<StageArg>,
    /// The window.
    pub(crate) size: Size,
}

impl Reading<'_> {
    /// Parses and validates a program of the file, and reports every finding.
    pub(crate) fn draft(&self, source: Source, reporter: &Reporter) -> Draft {
        let folder = self.file.parent().unwrap_or(Path::new("")).to_owned();
        let mut parameters = self.parameters.parameters(self.size.window());
        parameters.agal.stage = self.stage.map(Stage::from);
        self.parameters.warn(&source, &parameters, reporter);
        source.draft(folder, self.stage, &parameters, reporter)
    }
}

impl Source {
    /// The text of a program in a language for people.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.contents {
            Contents::Assembly(text) => Some(text),
            Contents::Source(_, text) => Some(text),
            Contents::Agal(_) | Contents::Hex(_) | Contents::Binary(_) => None,
        }
    }

    /// The translation of a program in a language of [`front`]. Others are assembly for this.
    pub(crate) fn list(
        &self,
        parameters: &ParameterValues,
        reporter: &Reporter,
    ) -> Result<Listing, CliError> {
        match &self.contents {
            Contents::Source(section, text) => reporter.list(&self.name, section, text, parameters),
            Contents::Agal(bytes) => reporter.list_bytes(&self.name, bytes, parameters),
            Contents::Assembly(text) | Contents::Hex(text) => {
                reporter.list_any(&self.name, text, parameters)
            }
            Contents::Binary(_) => Err(CliError::NotProgram),
        }
    }

    /// The program with the textures that a translated text declares, what its directives say as far as they are
    /// right, and whether all are.
    fn parse_all(
        &self,
        parameters: &ParameterValues,
        reporter: &Reporter,
    ) -> (Parsed, Directives, bool) {
        let parsed = || Ok((self.parse(reporter)?, Vec::new()));
        let (program, text) = match &self.contents {
            Contents::Source(..) | Contents::Agal(_) => match self.list(parameters, reporter) {
                Ok(listing) => {
                    let header = Cow::Owned(listing::header(&listing));
                    (Ok((listing.program, listing.textures)), header)
                }
                Err(error) => (Err(error), Cow::Borrowed("")),
            },
            // Both are read, so that all their errors are reported.
            Contents::Assembly(text) => (parsed(), Cow::Borrowed(text.as_str())),
            Contents::Hex(_) | Contents::Binary(_) => (parsed(), Cow::Borrowed("")),
        };
        // Directives in what is not a program are not looked for.
        let text = match program {
            Err(CliError::NotProgram) => Cow::Borrowed(""),
            Ok(_) | Err(_) => text,
        };
        let (directives, all_right) = reporter.directives(&self.name, &text);
        (program, directives, all_right)
    }

    fn draft(
        self,
        folder: PathBuf,
        stage: Option<StageArg>,
        parameters: &ParameterValues,
        reporter: &Reporter,
    ) -> Draft {
        let text = self.text();
        let is_translated = self.is_translated();
        let (program, directives, directives_are_right) = self.parse_all(parameters, reporter);
        let (program, textures) = match program {
            Ok((program, textures)) => (Ok(program), textures),
            Err(error) => (Err(error), Vec::new()),
        };
        let program = program.and_then(|program| {
            let stage = stage.map(Stage::from);
            let program = self.staged(program, stage, directives.stage, reporter)?;
            reporter.validate(&self.name, text, is_translated, program)
        });
        Draft {
            text: text.unwrap_or_default().to_owned(),
            is_assembly: matches!(self.contents, Contents::Assembly(_)),
            name: self.name,
            folder,
            directives,
            textures,
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
    pub(crate) fn line(&self) -> usize {
        programs::line_of(self.text().unwrap_or_default(), self.start())
    }

    /// The language of [`front`] that the program is in.
    pub(crate) fn language(&self) -> Option<&'static str> {
        match &self.contents {
            Contents::Source(section, _) => Some(section.language.name),
            Contents::Agal(_) => Some(AGAL),
            Contents::Assembly(_) | Contents::Hex(_) | Contents::Binary(_) => None,
        }
    }

    /// Whether the program is in a language of [`front`].
    pub(crate) fn is_translated(&self) -> bool {
        self.language().is_some()
    }

    /// The program for the stage that an option `wanted`, or its directives `said`.
    pub(crate) fn staged(
        &self,
        program: Program,
        wanted: Option<Stage>,
        said: Option<Stage>,
        reporter: &Reporter,
    ) -> Result<Program, CliError> {
        if self.is_translated() && wanted.is_some_and(|wanted| wanted != program.stage()) {
            let message = format!(
                "this is a {} program; `--stage` cannot change it",
                program.stage()
            );
            let text = self.text().unwrap_or_default();
            let start = self.start();
            let header = start..start + text[start..].lines().next().map_or(0, str::len);
            return Err(reporter.text_error(&self.name, text, &message, header));
        }
        Ok(match wanted.or(said) {
            Some(stage) => program.with_stage(stage),
            None => program,
        })
    }
}

impl Draft {
    /// The program that an assembly text is.
    pub(crate) fn from_text(reporter: &Reporter, name: &str, text: &str) -> Draft {
        let source = Source {
            name: name.to_owned(),
            contents: Contents::Assembly(text.to_owned()),
        };
        let parameters = ParameterArgs::default().parameters(Size::DEFAULT.window());
        source.draft(PathBuf::new(), None, &parameters, reporter)
    }

    /// Refuses a program that draws no pictures.
    pub(crate) fn expect_fragments(self) -> Result<Draft, CliError> {
        match &self.program {
            Ok(program) if program.program().stage() != Stage::Fragment => {
                let (name, stage) = (self.name.clone(), program.program().stage());
                Err(CliError::NotDrawn { name, stage })
            }
            Ok(_) | Err(_) => Ok(self),
        }
    }

    /// Reports an error that has been found later, at its place if it has one.
    pub(crate) fn refuse(&self, reporter: &Reporter, error: &str, place: Option<Range<usize>>) {
        reporter.remark(Severity::Error, &self.name, &self.text, error, place);
    }

    /// Reports errors that have been found later: those in the text all at once, as looking for its
    /// lines takes as long as it is.
    pub(crate) fn refuse_all(
        &self,
        reporter: &Reporter,
        errors: Vec<(String, Option<Range<usize>>)>,
    ) {
        let mut placed = Vec::new();
        for (error, place) in errors {
            match place {
                Some(place) => placed.push((error, place)),
                None => self.refuse(reporter, &error, None),
            }
        }
        reporter.text_errors(&self.name, &self.text, placed);
    }

    /// The texture units that the program samples, as a bit mask.
    pub(crate) fn used_textures(&self) -> u32 {
        let program = self.program.as_ref();
        program.map_or(0, |program| program.usage().textures)
    }

    /// The program, if everything is right.
    pub(crate) fn finish(self) -> Result<Loaded, CliError> {
        let loaded = Loaded {
            name: self.name,
            text: self.text,
            is_assembly: self.is_assembly,
            directives: self.directives,
            program: self.program?,
        };
        match self.directives_are_right {
            true => Ok(loaded),
            false => Err(CliError::Reported),
        }
    }
}
