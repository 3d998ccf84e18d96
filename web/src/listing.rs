//! What the program becomes, in panes side by side.

use attila_scene::hex;
use attila_shader::debug::Source;
use attila_shader::draw::PreparedDraw;
use attila_shader::{Bindings, Jit, LaneIr, ValidProgram};
use serde_json::{Value, json};

use crate::drawing;
use crate::message::{EngineName, Picture};
use crate::session::{Answered, Session};

/// The listings. In a page the module of WebAssembly follows; a command has what machines execute.
pub(crate) fn list(session: &mut Session, picture: &Picture) -> Answered {
    let picture = &Picture {
        engine: EngineName::Interp,
        ..picture.clone()
    };
    let ready = session.ready(picture)?;
    let valid = &ready.scene.loaded.program;
    let bindings = drawing::bindings(ready.scene, picture);
    let draw = ready.prepared()?;
    let jit = Jit::new().map_err(drawing::message)?;
    let passes = jit.passes_within(valid, draw.pipeline(), &bindings);
    let passes = passes.map_err(drawing::message)?;
    let passes: Vec<Value> = passes.iter().map(pass).collect();
    let (code, module) = code(valid, &draw, &bindings)?;
    let loaded = session.loaded()?;
    let program = loaded.scene.loaded.program.program();
    let assembly = Source::disassembly(program);
    let instructions = 0..program.insts().len();
    let instructions = instructions.map(|pc| {
        let span = program.span(pc).map(|it| loaded.span(&it));
        json!({ "span": span, "line": assembly.line_of(pc) })
    });
    let listings = json!({
        "assembly": assembly.text(),
        "words": hex::print(program),
        "passes": passes,
        "code": code,
        "instructions": instructions.collect::<Vec<_>>(),
    });
    Ok((listings, module))
}

fn pass(ir: &LaneIr) -> Value {
    json!({ "pass": ir.pass, "text": ir.text, "instructions": ir.instructions })
}

/// Where which instruction begins in a module, and the module.
#[cfg(target_arch = "wasm32")]
fn code(
    program: &ValidProgram,
    draw: &PreparedDraw,
    bindings: &Bindings<'_>,
) -> Result<(Value, Vec<u8>), String> {
    let jit = Jit::new().map_err(drawing::message)?;
    let module = jit.module_within(program, draw.pipeline(), bindings);
    let module = module.map_err(drawing::message)?;
    Ok((json!({ "origins": module.origins }), module.bytes))
}

/// Names of machines, with their code.
#[cfg(not(target_arch = "wasm32"))]
fn code(
    program: &ValidProgram,
    draw: &PreparedDraw,
    bindings: &Bindings<'_>,
) -> Result<(Value, Vec<u8>), String> {
    use attila_shader::{EmitStage, JitOptions};

    const MACHINES: [(&str, &str); 2] = [
        ("x86-64", "x86_64-unknown-linux-gnu"),
        ("aarch64", "aarch64-unknown-linux-gnu"),
    ];
    let text = |target: &str| {
        let options = JitOptions {
            target: Some(target.to_owned()),
            ..JitOptions::default()
        };
        let jit = Jit::with_options(&options)?;
        jit.emit_text_within(program, draw.pipeline(), bindings, EmitStage::Asm)
    };
    // A command may be built without other machines.
    let machines = MACHINES.iter().map(|(name, target)| match text(target) {
        Ok(text) => json!({ "machine": name, "text": text }),
        Err(error) => json!({ "machine": name, "text": drawing::message(error) }),
    });
    Ok((
        json!({ "machines": machines.collect::<Vec<_>>() }),
        Vec::new(),
    ))
}
