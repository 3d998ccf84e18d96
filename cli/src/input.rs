//! The program that a command takes, as options.

use std::path::{Path, PathBuf};

use attila_scene::sections::Choice;
use attila_scene::source::{Contents, Draft, Form, Reading, Source};
use attila_shader::{Program, Stage};
use clap::ValueEnum;

use crate::error::CliError;
use crate::number;
use crate::parameters::ParameterArgs;
use crate::render::Size;
use crate::report::Reporter;

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

impl FormArgs {
    /// The form that the options say.
    pub(crate) fn form(self) -> Form {
        match (self.text, self.binary) {
            (true, _) => Form::Text,
            (_, true) => Form::Binary,
            (false, false) => Form::Detect,
        }
    }
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
        self.draft(self.stage.stage, Size::DEFAULT, reporter)
    }

    /// Does the same for a picture of a size: of several programs, it takes the one for fragments.
    pub(crate) fn read_to_draw(&self, size: Size, reporter: &Reporter) -> Result<Draft, CliError> {
        let drawn = self.number.number.is_none().then_some(StageArg::Fragment);
        self.draft(drawn, size, reporter)
    }

    /// The program, of several one for a stage, in a window of a size.
    fn draft(
        &self,
        stage: Option<StageArg>,
        size: Size,
        reporter: &Reporter,
    ) -> Result<Draft, CliError> {
        let choice = self.number.of_stage(stage);
        let source = Source::read(&self.file, self.form.form(), choice, reporter)?;
        let reading = reading(&self.file, &self.parameters, self.stage, size);
        self.parameters.warn(&source, &reading.parameters, reporter);
        Ok(source.draft(&reading, reporter))
    }
}

/// How the programs of a file are read, in a window of a size.
pub(crate) fn reading(
    file: &Path,
    parameters: &ParameterArgs,
    stage: StageChoice,
    size: Size,
) -> Reading {
    let parameters = parameters.parameters(size.sides());
    Reading::new(file, stage.stage.map(Stage::from), parameters)
}

/// Refuses programs that are not written in a language for people.
pub(crate) fn expect_language(source: &Source, reporter: &Reporter) -> Result<(), CliError> {
    let form = match source.contents {
        Contents::Assembly(_) | Contents::Source(..) | Contents::Agal(_) => return Ok(()),
        Contents::Hex(_) => "words in hexadecimal",
        Contents::Binary(_) => "a binary",
    };
    // Mistakes in it matter more.
    source.parse(reporter)?;
    Err(other_form(source, form, "dis", "shows it as assembly"))
}

/// Refuses a text that is assembly, unless it looks like something else.
pub(crate) fn refuse_assembly(
    source: &Source,
    form: &'static str,
    reporter: &Reporter,
) -> Result<(), CliError> {
    let Contents::Assembly(text) = &source.contents else {
        return Ok(());
    };
    if Program::assemble(text).is_err()
        && let Some(error) = source.foreign(reporter)
    {
        return Err(error.into());
    }
    match source.looks_foreign() {
        true => Ok(()),
        false => Err(other_form(source, form, "asm", "assembles it")),
    }
}

/// The refusal of a program whose form is another command's.
pub(crate) fn other_form(
    source: &Source,
    form: &'static str,
    command: &'static str,
    does: &'static str,
) -> CliError {
    let name = source.name.clone();
    CliError::OtherForm {
        name,
        form,
        command,
        does,
    }
}

/// Refuses a program that draws no pictures.
pub(crate) fn expect_fragments(draft: Draft) -> Result<Draft, CliError> {
    match &draft.program {
        Ok(program) if program.program().stage() != Stage::Fragment => {
            let (name, stage) = (draft.name.clone(), program.program().stage());
            Err(CliError::NotDrawn { name, stage })
        }
        Ok(_) | Err(_) => Ok(draft),
    }
}
