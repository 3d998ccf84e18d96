//! What the program becomes, in panes side by side.

use attila_scene::hex;
use attila_shader::debug::Source;
use attila_shader::draw::Draw;
use attila_shader::{ColourFormat, EmitStage, Engine, Jit};
use serde_json::{Value, json};

use crate::drawing;
use crate::editor;
use crate::message::Picture;
use crate::session::Session;

pub(crate) fn list(session: &Session, picture: &Picture) -> Result<Value, String> {
    let scene = session.scene()?;
    let valid = &scene.loaded.program;
    let program = valid.program();
    let assembly = Source::disassembly(program);
    let instructions = 0..program.insts().len();
    let instructions = instructions.map(|pc| {
        let span = program
            .span(pc)
            .map(|it| editor::span(&session.document, &it));
        json!({ "span": span, "line": assembly.line_of(pc) })
    });
    let bindings = drawing::bindings(scene, picture);
    let message = |error: &dyn std::fmt::Display| error.to_string();
    let shader = scene.shader(&Engine::interp()).map_err(|it| message(&it))?;
    let draw = scene.draw_on(Draw::new(&shader), picture.size);
    let draw = draw.target(0, ColourFormat::Rgba8).prepare();
    let draw = draw.map_err(|it| message(&it))?;
    let jit = Jit::new().map_err(|it| message(&it))?;
    let ir = jit.emit_text_within(valid, draw.pipeline(), &bindings, EmitStage::Ir);
    Ok(json!({
        "assembly": assembly.text(),
        "words": hex::print(program),
        "ir": ir.map_err(|it| message(&it))?,
        "instructions": instructions.collect::<Vec<_>>(),
    }))
}
