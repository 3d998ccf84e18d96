//! Pixels.

use std::collections::BTreeSet;
use std::fmt::Display;

use attila_scene::{Control, ControlKind, Scene};
use attila_shader::Bindings;
use attila_shader::ColourFormat;
use attila_shader::draw::{ColourImage, Draw};
use attila_shader::isa::{Bank, Stage};
use serde_json::{Value, json};

use crate::message::Picture;
use crate::session::{Answered, Session};

/// The most pixels of a picture.
const MOST: u64 = 4096 * 4096;

/// The pixels before the draw, as `attila render` has them.
pub(crate) const BACKGROUND: [u8; 4] = [0, 0, 0, 255];

/// What a scene is drawn with, and what of that can be changed.
pub(crate) fn describe(scene: &Scene) -> Value {
    let program = &scene.loaded.program;
    let usage = program.usage();
    let names = || scene.loaded.names.registers();
    let set = scene.loaded.directives.constants.keys();
    let constants: BTreeSet<usize> = usage.constants.iter().chain(set).copied().collect();
    let constants = constants.into_iter().filter_map(|number| {
        let is_it =
            |reg: &attila_shader::isa::Reg| reg.bank() == Bank::Constant && reg.index() == number;
        // What the text declares comes last, and says more.
        let name = names().filter(|(_, reg)| is_it(reg)).last();
        let name = name.map(|(name, _)| name.to_owned());
        let is_settable = scene.loaded.is_assembly || name.is_some();
        let value = scene.loaded.directives.constants.get(&number);
        let value = value.copied().unwrap_or_default().map(f32::from_bits);
        is_settable.then(|| {
            json!({
                "number": number,
                "name": name.unwrap_or_else(|| format!("c{number}")),
                "value": value.map(|it| it.is_finite().then_some(it)),
            })
        })
    });
    json!({
        "constants": constants.collect::<Vec<_>>(),
        "controls": scene.controls.iter().map(control).collect::<Vec<_>>(),
        "instructions": program.program().insts().len(),
        "stage": program.program().stage().name(),
    })
}

fn control(control: &Control) -> Value {
    let (kind, range) = match control.kind {
        ControlKind::Range(range) => ("range", Some(range)),
        ControlKind::Colour => ("colour", None),
        ControlKind::Time => ("time", None),
        ControlKind::Mouse => ("mouse", None),
    };
    json!({
        "kind": kind,
        "range": range,
        "constant": control.constant,
        "components": control.components,
    })
}

/// The bindings of a scene, with what the page sets.
pub(crate) fn bindings<'a>(scene: &'a Scene, picture: &Picture) -> Bindings<'a> {
    let constants = picture.constants.iter();
    constants.fold(scene.bindings(), |bindings, (number, value)| {
        bindings.with_constant(*number, *value)
    })
}

/// Refuses pictures that are no pictures.
pub(crate) fn check(scene: &Scene, picture: &Picture) -> Result<[u32; 2], String> {
    let [width, height] = picture.size;
    let pixels = u64::from(width) * u64::from(height);
    let rows = picture.rows.unwrap_or([0, height]);
    let stage = scene.loaded.program.program().stage();
    let constant = picture.constants.iter().map(|(number, _)| *number).max();
    if pixels == 0 || pixels > MOST {
        return Err(format!(
            "a picture has 1 to {MOST} pixels, not {width}x{height}"
        ));
    }
    if rows[0] >= rows[1] || rows[1] > height {
        return Err(format!(
            "there are no rows {} to {} of {height}",
            rows[0], rows[1]
        ));
    }
    if let Some(constant) = constant.filter(|it| *it >= attila_shader::isa::CONSTANTS) {
        return Err(format!("there is no constant c{constant}"));
    }
    match stage {
        Stage::Fragment => Ok(rows),
        other @ (Stage::Vertex | Stage::Geometry | Stage::Compute) => Err(format!(
            "it is a {} program, which draws nothing alone",
            other.name()
        )),
    }
}

/// Makes the code.
pub(crate) fn compile(session: &mut Session, picture: &Picture) -> Answered {
    let (scene, shader) = session.shader(picture.engine)?;
    check(scene, picture)?;
    let bindings = bindings(scene, picture);
    let draw = scene.draw_on(Draw::new(shader), picture.size);
    let draw = draw.target(0, ColourFormat::Rgba8).prepare();
    let mut draw = draw.map_err(message)?;
    draw.compile_for_rectangles(&bindings).map_err(message)?;
    Ok((json!({ "engine": shader.engine() }), Vec::new()))
}

/// Draws rows.
pub(crate) fn draw(session: &mut Session, picture: &Picture) -> Answered {
    let (scene, shader) = session.shader(picture.engine)?;
    let [top, bottom] = check(scene, picture)?;
    let bindings = bindings(scene, picture);
    let [width, height] = picture.size;
    let mut image = ColourImage::new(ColourFormat::Rgba8, width, bottom - top);
    image.fill(BACKGROUND);
    let draw = scene.draw_on(Draw::new(shader), picture.size);
    let draw = draw.bindings(&bindings).target(0, &mut image);
    let draw = draw.origin([0, top as i32], picture.size);
    draw.rect(0..width, 0..height).map_err(message)?;
    let mut pixels = image.into_bytes();
    // A page would mix the picture with what is behind it.
    pixels
        .iter_mut()
        .skip(3)
        .step_by(4)
        .for_each(|it| *it = 255);
    Ok((
        json!({ "engine": shader.engine(), "rows": [top, bottom] }),
        pixels,
    ))
}

/// An error, in words.
pub(crate) fn message(error: impl Display) -> String {
    error.to_string()
}
