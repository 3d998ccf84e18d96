//! `attila emit`: what the JIT makes of a program.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use attila_scene::Scene;
use attila_shader::draw::Draw;
use attila_shader::machine::PrepareError;
use attila_shader::machine::pipeline::{ColourFormat, Pipeline};
use attila_shader::{
    Bindings, CompileError, EmitStage, Engine, Jit, JitOptions, LaneIr, TextureCall, ValidProgram,
    Vectors,
};
use clap::ValueEnum;

use crate::engines::{VectorArgs, of_the_jit};
use crate::error::CliError;
use crate::input::{FormArgs, NumberArg, ProgramArgs, expect_fragments};
use crate::parameters::ParameterArgs;
use crate::render::Size;
use crate::report::Reporter;
use crate::scene::TextureArgs;

/// Show the code that the JIT generates for a program
///
/// The program is compiled as for `attila render`, with inputs that vary over a picture and an RGBA8
/// target. Its constants are those of its directives. Its textures are those of its `;! texture` directives and the
/// options, and built-in patterns at units 0 to 5. Comments at the top list the texture instructions that are not inline, and
/// why they call the runtime.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila emit shader.attila
  attila emit shader.attila --texture t0=wall.png,nearest,wrap=mirror
  attila emit --stage passes shader.attila
  attila emit --stage asm --vectors 256 shader.attila
  attila emit --stage clif --vectors 128 shader.attila
  attila emit --code quads shader.attila
  attila emit --stage asm --target aarch64-unknown-linux-gnu shader.attila")]
pub(crate) struct Args {
    /// The program: assembly, an ARB, TGSI, AGAL or CTM program, hexadecimal words or a raw binary; `-` is standard input
    #[arg(id = "program", value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    form: FormArgs,
    /// The purpose of the code
    #[arg(long, value_enum, default_value_t = CodeArg::Draw)]
    code: CodeArg,
    /// The stage of compilation to show
    #[arg(long, value_enum, default_value_t = StageArg::Ir)]
    stage: StageArg,
    /// The processor to compile for, as a triple of x86_64, aarch64 or riscv64gc [default: this one]
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    #[command(flatten)]
    vectors: VectorArgs,
    #[command(flatten)]
    textures: TextureArgs,
    #[command(flatten)]
    number: NumberArg,
}

/// The surroundings of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum CodeArg {
    /// Draw a rectangle, from planes to pixels
    Draw,
    /// Shade quads in memory, from input to output registers
    Quads,
}

/// [`EmitStage`] as an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum StageArg {
    /// Optimized lane IR: one value per 32-bit component in all lanes
    Ir,
    /// Lane IR after each pass that changes it
    Passes,
    /// Cranelift's input, for vectors of 128 bits
    Clif,
    /// Machine instructions
    Asm,
}

impl StageArg {
    /// The program at the stage: for a pipeline, or for quads in memory.
    fn text(
        self,
        jit: &Jit,
        program: &ValidProgram,
        pipeline: Option<&Pipeline>,
        bindings: &Bindings<'_>,
    ) -> Result<String, PrepareError> {
        let stage = match self {
            StageArg::Ir => EmitStage::Ir,
            StageArg::Clif => EmitStage::Clif,
            StageArg::Asm => EmitStage::Asm,
            StageArg::Passes => {
                let passes = match pipeline {
                    Some(pipeline) => jit.passes_within(program, pipeline, bindings),
                    None => jit.passes_bound(program, bindings),
                };
                let title = |ir: &LaneIr| format!("; after {}\n{}", ir.pass, ir.listing);
                let passes: Vec<String> = passes?.iter().map(title).collect();
                return Ok(passes.join("\n"));
            }
        };
        let listing = match pipeline {
            Some(pipeline) => jit.emit_text_within(program, pipeline, bindings, stage),
            None => jit.emit_text_bound(program, bindings, stage),
        };
        Ok(listing?.text)
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let parameters = ParameterArgs::default();
    let program = ProgramArgs::new(args.file.clone(), args.form, parameters, args.number);
    let reporter = Reporter::new();
    let draft = program.read_to_draw(Size::DEFAULT, &reporter)?;
    let draft = match args.code {
        CodeArg::Draw => expect_fragments(draft)?,
        CodeArg::Quads => draft,
    };
    let scene = Scene::load(&reporter, draft, &args.textures.options())?;
    let bindings = scene.bindings();
    let target = args.target.clone();
    let plain = JitOptions {
        target: target.clone(),
        vectors: Vectors::V128,
        ..JitOptions::default()
    };
    Jit::with_options(&plain).map_err(|source| CliError::Target { source })?;
    let options = JitOptions {
        target,
        ..args.vectors.options()
    };
    let program = &scene.loaded.program;
    let jit = Jit::with_options(&options).map_err(of_the_jit)?;
    let text = match args.code {
        CodeArg::Quads => args.stage.text(&jit, program, None, &bindings),
        CodeArg::Draw => {
            // Any engine knows what surrounds the program.
            let shader = Engine::interp().prepare(program).map_err(of_the_jit)?;
            let draw = scene.draw_on(Draw::new(&shader), Size::DEFAULT.sides());
            let draw = draw.target(0, ColourFormat::Rgba8).sample_shading(false);
            let draw = draw.prepare().map_err(|source| CliError::Render {
                name: scene.loaded.name.clone(),
                source,
            })?;
            let pipeline = Some(draw.pipeline());
            args.stage.text(&jit, program, pipeline, &bindings)
        }
    };
    let text = text.map_err(|source| {
        if has_no_stage(&source) {
            CliError::Stage { source }
        } else {
            of_the_jit(source)
        }
    })?;
    let mut out = io::stdout();
    for call in Jit::texture_calls(program, &bindings) {
        let op = program.program().insts()[call.instruction].op;
        let TextureCall {
            instruction,
            reason,
            ..
        } = call;
        writeln!(
            out,
            "; {instruction}: {op} calls the texture unit: {reason}"
        )?;
    }
    writeln!(out, "{}", text.trim_end())?;
    Ok(ExitCode::SUCCESS)
}

/// Whether an emitter does not have the stage that was asked for.
fn has_no_stage(error: &PrepareError) -> bool {
    type Shared = Arc<dyn Error + Send + Sync>;
    let source = error.source();
    let shared = source.and_then(|source| source.downcast_ref::<Shared>());
    let source = shared.map(|shared| shared.downcast_ref());
    matches!(source, Some(Some(CompileError::NoStage { .. })))
}
