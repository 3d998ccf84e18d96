//! What the program becomes, in panes side by side.

use attila_scene::hex;
use attila_shader::debug::Source;
use attila_shader::draw::PreparedDraw;
use attila_shader::{Bindings, Jit, LaneIr, Listing, ValidProgram};
#[cfg(not(target_arch = "wasm32"))]
use attila_shader::{JitOptions, Vectors};
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
    named("pass", ir.pass, &ir.listing)
}

/// A listing under a title.
fn named(title: &str, name: &str, listing: &Listing) -> Value {
    json!({ title: name, "text": listing.text, "instructions": listing.instructions })
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

/// Code of the machines that there are emitters for.
#[cfg(not(target_arch = "wasm32"))]
fn code(
    program: &ValidProgram,
    draw: &PreparedDraw,
    bindings: &Bindings<'_>,
) -> Result<(Value, Vec<u8>), String> {
    use attila_shader::EmitStage;

    let listing = |options: &JitOptions| {
        let jit = Jit::with_options(options)?;
        jit.emit_text_within(program, draw.pipeline(), bindings, EmitStage::Asm)
    };
    let machines = machines().into_iter().map(|(machine, options)| {
        match listing(&options) {
            Ok(listing) => named("machine", machine, &listing),
            // A command may be built without other machines.
            Err(error) => json!({
                "machine": machine,
                "text": drawing::message(error),
                "instructions": [],
            }),
        }
    });
    Ok((
        json!({ "machines": machines.collect::<Vec<_>>() }),
        Vec::new(),
    ))
}

/// The code that this machine runs, if its vectors are wider than 128 bits, and that of others.
#[cfg(not(target_arch = "wasm32"))]
fn machines() -> Vec<(&'static str, JitOptions)> {
    let plain = JitOptions::default;
    let here = Vectors::here().into_iter().filter_map(|vectors| {
        let name = match vectors {
            Vectors::V256 => "x86-64, 256 bits",
            Vectors::V512 => "x86-64, 512 bits",
            Vectors::Auto | Vectors::V128 => return None,
        };
        Some((name, JitOptions { vectors, ..plain() }))
    });
    let others = [
        ("x86-64, 128 bits", "x86_64-unknown-linux-gnu"),
        ("aarch64", "aarch64-unknown-linux-gnu"),
    ];
    let others = others.map(|(name, target)| {
        let target = Some(target.to_owned());
        (name, JitOptions { target, ..plain() })
    });
    here.chain(others).collect()
}
