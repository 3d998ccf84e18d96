//! Reading programs: which form a file has, its contents, and the checked program in it.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use attila_shader::directives::Directives;
use attila_shader::front::arb::{self, Parameters};
use attila_shader::{Program, Stage, ValidProgram};
use clap::ValueEnum;

use crate::error::CliError;
use crate::hex;
use crate::parameters::ParameterArgs;
use crate::render::Size;
use crate::report::Reporter;

/// The most bytes that are read of a program: far more than the longest program needs in any
/// form.
const LIMIT: u64 = 4 << 20;

/// Where the program comes from.
#[derive(clap::Args)]
pub(crate) struct ProgramArgs {
    /// The program: assembly, an ARB program, hexadecimal words or a raw binary; `-` is standard input
    #[arg(id = "program", value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) form: FormArgs,
    #[command(flatten)]
    pub(crate) parameters: ParameterArgs,
    /// What the program shades [default: what the program says, else fragment]
    #[arg(long, value_enum)]
    pub(crate) stage: Option<StageArg>,
}

/// Overrides for the form of the input.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct FormArgs {
    /// Take the file for a raw binary: 16 bytes per instruction
    #[arg(long)]
    pub(crate) binary: bool,
    /// Take the file for text
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
}

impl From<StageArg> for Stage {
    fn from(stage: StageArg) -> Stage {
        match stage {
            StageArg::Vertex => Stage::Vertex,
            StageArg::Fragment => Stage::Fragment,
        }
    }
}

/// The contents of a file.
pub(crate) enum Contents {
    /// Assembly.
    Assembly(String),
    /// An ARB program.
    Arb(String),
    /// Instruction words in hexadecimal.
    Hex(String),
    /// Raw bytes.
    Binary(Vec<u8>),
}

impl Contents {
    /// A program in a language for people: the first bytes of ARB programs tell.
    pub(crate) fn from_text(text: String) -> Contents {
        match arb::stage_of(&text) {
            Some(_) => Contents::Arb(text),
            None => Contents::Assembly(text),
        }
    }
}

/// A file that has been read.
pub(crate) struct Source {
    /// Its name in messages.
    pub(crate) name: String,
    /// What it holds.
    pub(crate) contents: Contents,
}

/// A program that has been read and checked.
pub(crate) struct Loaded {
    /// The file's name in messages.
    pub(crate) name: String,
    /// Where the files that it names are.
    pub(crate) folder: PathBuf,
    /// Its text; empty unless it is assembly or an ARB program.
    pub(crate) text: String,
    /// What the directives in its text say; of an ARB program, what those of its translation say.
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
    into_text(name_of(path), read(path, LIMIT)?)
}

fn into_text(name: String, bytes: Vec<u8>) -> Result<String, CliError> {
    String::from_utf8(bytes).map_err(|error| CliError::NotText {
        name,
        offset: error.utf8_error().valid_up_to(),
    })
}

/// Whether there is nothing in a file that texts do not have: an instruction word nearly always
/// has a zero byte.
fn looks_like_text(bytes: &[u8]) -> bool {
    let control = |byte: &u8| *byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r');
    !bytes.iter().any(control) && str::from_utf8(bytes).is_ok()
}

impl Source {
    /// Reads a file and decides which form it has.
    pub(crate) fn read(path: &Path, form: &FormArgs) -> Result<Source, CliError> {
        let name = name_of(path);
        let bytes = read(path, LIMIT)?;
        let binary = if form.binary || form.text {
            form.binary
        } else {
            let named_so = path.extension().is_some_and(|extension| extension == "bin");
            named_so || !looks_like_text(&bytes)
        };
        let contents = if binary {
            Contents::Binary(bytes)
        } else {
            let text = into_text(name.clone(), bytes)?;
            if hex::looks_like_words(&text) {
                Contents::Hex(text)
            } else {
                Contents::from_text(text)
            }
        };
        Ok(Source { name, contents })
    }

    /// The program, or a report of everything that keeps it from being one. The assembler's
    /// warnings are reported too.
    pub(crate) fn parse(&self, reporter: &Reporter) -> Result<Program, CliError> {
        let bytes = match &self.contents {
            Contents::Assembly(text) => return reporter.assemble(&self.name, text),
            Contents::Arb(text) => return Ok(reporter.translate(&self.name, text)?.program),
            Contents::Hex(text) => &hex::parse(text).map_err(|error| {
                reporter.text_error(&self.name, text, &error.to_string(), error.span())
            })?,
            Contents::Binary(bytes) => bytes,
        };
        Program::decode(bytes).map_err(|error| reporter.decode_error(&self.name, &error))
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

    /// Reads, parses and validates the program, and reports everything there is to say about it.
    pub(crate) fn load(&self, reporter: &Reporter) -> Result<Loaded, CliError> {
        self.load_within(Size::DEFAULT, reporter)
    }

    /// As [`ProgramArgs::load`], for a picture of a size.
    pub(crate) fn load_within(&self, size: Size, reporter: &Reporter) -> Result<Loaded, CliError> {
        let folder = self.file.parent().unwrap_or(Path::new("")).to_owned();
        let parameters = self.parameters.parameters(size.window());
        let source = Source::read(&self.file, &self.form)?;
        source.load(folder, self.stage, &parameters, reporter)
    }
}

impl Source {
    /// The program, and what its directives say.
    fn parse_all(
        &self,
        parameters: &Parameters,
        reporter: &Reporter,
    ) -> Result<(Program, Directives), CliError> {
        let text = match &self.contents {
            Contents::Arb(text) => {
                let translation = reporter.translate(&self.name, text)?;
                let header = translation.header(parameters);
                let directives = reporter.directives(&self.name, &header)?;
                return Ok((translation.program, directives));
            }
            Contents::Assembly(text) => text,
            Contents::Hex(_) | Contents::Binary(_) => "",
        };
        // Both are read, so that all their errors are reported.
        let program = self.parse(reporter);
        let directives = reporter.directives(&self.name, text);
        Ok((program?, directives?))
    }

    fn load(
        self,
        folder: PathBuf,
        stage: Option<StageArg>,
        parameters: &Parameters,
        reporter: &Reporter,
    ) -> Result<Loaded, CliError> {
        let text = match &self.contents {
            Contents::Assembly(text) | Contents::Arb(text) => Some(text.as_str()),
            Contents::Hex(_) | Contents::Binary(_) => None,
        };
        let (mut program, directives) = self.parse_all(parameters, reporter)?;
        if let (Contents::Arb(text), Some(wanted)) = (&self.contents, stage)
            && Stage::from(wanted) != program.stage()
        {
            let message = format!(
                "this is a {} program, whatever `--stage` says",
                program.stage()
            );
            let header = 0..text.lines().next().map_or(0, str::len);
            return Err(reporter.text_error(&self.name, text, &message, header));
        }
        if let Some(stage) = stage.map(Stage::from).or(directives.stage) {
            program = program.with_stage(stage);
        }
        let program = reporter.validate(&self.name, text, program)?;
        Ok(Loaded {
            text: text.unwrap_or_default().to_owned(),
            name: self.name,
            folder,
            directives,
            program,
        })
    }
}

impl Loaded {
    /// The program that an assembly text is.
    pub(crate) fn from_text(
        reporter: &Reporter,
        name: &str,
        text: &str,
    ) -> Result<Loaded, CliError> {
        let source = Source {
            name: name.to_owned(),
            contents: Contents::Assembly(text.to_owned()),
        };
        source.load(PathBuf::new(), None, &Parameters::default(), reporter)
    }
}
