//! Reading programs: which form a file has, its contents, and the checked program in it.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use attila_conformance::directives::Directives;
use attila_shader::front::{self, LanguageInfo, Listing, ParameterValues, agal};
use attila_shader::isa::Word;
use attila_shader::{Program, Stage, ValidProgram};
use clap::ValueEnum;
use codespan_reporting::diagnostic::Severity;

use crate::encoding;
use crate::error::CliError;
use crate::foreign::stray_byte;
use crate::hex;
use crate::listing;
use crate::parameters::ParameterArgs;
use crate::render::Size;
use crate::report::Reporter;

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
    /// The stage that the program runs in [default: as the program says, else fragment]
    #[arg(long, value_enum)]
    pub(crate) stage: Option<StageArg>,
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
    /// A program in one of [`front::LANGUAGES`].
    Source(&'static LanguageInfo, String),
    /// An AGAL program in bytes.
    Agal(Vec<u8>),
    /// Instruction words in hexadecimal.
    Hex(String),
    /// Raw bytes.
    Binary(Vec<u8>),
}

impl Contents {
    /// A program in a language for people: its first bytes tell which.
    pub(crate) fn from_text(text: String) -> Contents {
        match front::language_of(&text) {
            Some(language) => Contents::Source(language, text),
            None => Contents::Assembly(text),
        }
    }

    /// A text: words in hexadecimal, or a program in a language for people. The name of its file may tell
    /// which.
    fn from_any_text(text: String, path: &Path) -> Contents {
        match named_language(path) {
            Some(language) => Contents::Source(language, text),
            None if hex::looks_like_words(&text) => Contents::Hex(text),
            None => Contents::from_text(text),
        }
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
        } else if stray_byte(bytes).is_none() {
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

impl Source {
    /// Reads a file and decides which form it has.
    pub(crate) fn read(
        path: &Path,
        form: &FormArgs,
        reporter: &Reporter,
    ) -> Result<Source, CliError> {
        let name = name_of(path);
        let bytes = read(path, LIMIT)?;
        let form = match (form.text, form.binary) {
            (true, _) => Form::Text,
            (_, true) => Form::Binary,
            (false, false) => Form::of(&bytes, path),
        };
        let contents = match form {
            Form::Text => Contents::from_any_text(reporter.decode_text(&name, bytes)?, path),
            Form::Agal => Contents::Agal(bytes),
            Form::Binary => Contents::Binary(bytes),
            Form::Neither => return Err(reporter.neither(&name, &bytes)),
        };
        Ok(Source { name, contents })
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

    /// Refuses programs that are not written in a language for people.
    pub(crate) fn expect_language(&self, reporter: &Reporter) -> Result<(), CliError> {
        let form = match self.contents {
            Contents::Assembly(_) | Contents::Source(..) | Contents::Agal(_) => return Ok(()),
            Contents::Hex(_) => "words in hexadecimal",
            Contents::Binary(_) => "a binary",
        };
        // Mistakes in it matter more.
        self.parse(reporter)?;
        Err(CliError::OtherForm {
            name: self.name.clone(),
            form,
            command: "dis",
            does: "shows it as assembly",
        })
    }
}

impl ProgramArgs {
    /// A fragment program, unless its file says otherwise.
    pub(crate) fn new(file: PathBuf, form: FormArgs, parameters: ParameterArgs) -> ProgramArgs {
        ProgramArgs {
            file,
            form,
            parameters,
            stage: None,
        }
    }

    /// Reads, parses and validates the program, and reports every finding.
    pub(crate) fn read(&self, reporter: &Reporter) -> Result<Draft, CliError> {
        self.read_within(Size::DEFAULT, reporter)
    }

    /// Does the same as [`ProgramArgs::read`], for a picture of a size.
    pub(crate) fn read_within(&self, size: Size, reporter: &Reporter) -> Result<Draft, CliError> {
        let folder = self.file.parent().unwrap_or(Path::new("")).to_owned();
        let mut parameters = self.parameters.parameters(size.window());
        parameters.agal.stage = self.stage.map(Stage::from);
        let source = Source::read(&self.file, &self.form, reporter)?;
        Ok(source.draft(folder, self.stage, &parameters, reporter))
    }
}

impl Source {
    /// The text of a program in a language for people.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.contents {
            Contents::Assembly(text) | Contents::Source(_, text) => Some(text),
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
            Contents::Source(language, text) => {
                reporter.list(&self.name, language, text, parameters)
            }
            Contents::Agal(bytes) => reporter.list_bytes(&self.name, bytes, parameters),
            Contents::Assembly(text) | Contents::Hex(text) => {
                reporter.list_any(&self.name, text, parameters)
            }
            Contents::Binary(_) => Err(CliError::NotProgram),
        }
    }

    /// The program, what its directives say as far as they are right, and whether all are.
    fn parse_all(
        &self,
        parameters: &ParameterValues,
        reporter: &Reporter,
    ) -> (Result<Program, CliError>, Directives, bool) {
        let (program, text) = match &self.contents {
            Contents::Source(..) | Contents::Agal(_) => match self.list(parameters, reporter) {
                Ok(listing) => {
                    let header = Cow::Owned(listing::header(&listing));
                    (Ok(listing.program), header)
                }
                Err(error) => (Err(error), Cow::Borrowed("")),
            },
            // Both are read, so that all their errors are reported.
            Contents::Assembly(text) => (self.parse(reporter), Cow::Borrowed(text.as_str())),
            Contents::Hex(_) | Contents::Binary(_) => (self.parse(reporter), Cow::Borrowed("")),
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
        let (program, directives, directives_are_right) = self.parse_all(parameters, reporter);
        let program = program.and_then(|program| {
            let program = self.staged(program, stage, directives.stage, reporter)?;
            reporter.validate(&self.name, text, program)
        });
        Draft {
            text: text.unwrap_or_default().to_owned(),
            is_assembly: matches!(self.contents, Contents::Assembly(_)),
            name: self.name,
            folder,
            directives,
            program,
            directives_are_right,
        }
    }

    /// The program for the stage that an option `wanted`, or its directives `said`.
    fn staged(
        &self,
        program: Program,
        wanted: Option<StageArg>,
        said: Option<Stage>,
        reporter: &Reporter,
    ) -> Result<Program, CliError> {
        let wanted = wanted.map(Stage::from);
        let is_translated = matches!(self.contents, Contents::Source(..) | Contents::Agal(_));
        if is_translated && wanted.is_some_and(|wanted| wanted != program.stage()) {
            let message = format!(
                "this is a {} program; `--stage` cannot change it",
                program.stage()
            );
            let text = self.text().unwrap_or_default();
            let header = 0..text.lines().next().map_or(0, str::len);
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
