//! A draw with a program, on every engine.

use std::collections::BTreeMap;
use std::fmt::Write;

use attila_shader::Engine;
use attila_shader::front::agal::{self, Options, Output, Translation};
use attila_shader::isa::{Stage, TextureShape};

use crate::script_test::agal::AgalTest;
use crate::script_test::{Outcome, Report, ScriptTest};

/// Varyings that a plain vertex program hands on.
const VARYINGS: usize = 10;

/// Draws with a program on all engines: the pictures are the same.
pub(super) fn compare(stage: Stage, bytes: &[u8], engines: &[Engine]) -> Result<(), String> {
    let translation = agal::compile_bytes(bytes, &Options::default());
    let translation = translation.map_err(|error| error.to_string())?;
    // Tests have no images with three dimensions.
    let mut samplers = translation.textures.iter();
    if samplers.any(|sampler| sampler.image() == TextureShape::D3) {
        return Ok(());
    }
    let scene = scene(stage, bytes, &translation);
    let test = AgalTest::parse(&scene).map_err(|error| format!("{error}\nin\n{scene}"))?;
    let mut first: Option<Report> = None;
    for engine in engines {
        let outcome = test.run(engine);
        let outcome = outcome.map_err(|error| format!("{}: {error:?}", engine.name()))?;
        let report = match outcome {
            Outcome::Ran(report) => report,
            Outcome::Skipped(reason) => return Err(reason),
        };
        match &first {
            Some(first) if *first != report => {
                return Err("the engines draw differently".to_owned());
            }
            Some(_) => {}
            None => first = Some(report),
        }
    }
    Ok(())
}

/// A test with the program, its partner, and all that they read.
fn scene(stage: Stage, bytes: &[u8], translation: &Translation) -> String {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let is_vertex = stage == Stage::Vertex;
    let mut text = format!("[require]\nagal {}\n", translation.details.version);
    let own = if is_vertex { "vertex" } else { "fragment" };
    // Writing to a text never fails.
    let _ = write!(text, "[agal {own} hex]\n{digits}\n");
    match is_vertex {
        true => text.push_str(&colours(translation)),
        false => {
            text.push_str("[agal vertex]\nmov op, va0\n");
            for number in 0..VARYINGS {
                let _ = writeln!(text, "m44 v{number}, va1, vc{number}");
            }
        }
    }
    text.push_str("[constants]\n");
    // Rows of matrices that leave most of a picture visible.
    for register in 0..40 {
        for letter in ["v", "f"] {
            let place = register % 4;
            let row: [f32; 4] = std::array::from_fn(|column| match column == place {
                true => 1.0 - register as f32 / 100.0,
                false => (column as f32 - 1.0) / 32.0,
            });
            let row = row.map(|it| it.to_string()).join(" ");
            if letter == "v" || register < 28 {
                let _ = writeln!(text, "{letter}c{register} = {row}");
            }
        }
    }
    text.push_str(&vertices());
    let mut units = BTreeMap::new();
    for sampler in &translation.textures {
        units.insert(sampler.unit, sampler.dimension);
    }
    for (unit, dimension) in units {
        let (shape, texels) = match dimension {
            1 => ("cube", 24),
            _ => ("2d", 4),
        };
        let _ = write!(text, "[texture {unit}]\n{shape} bgra 2 2\n");
        for texel in 0..texels {
            let word = 0x9e37_79b9_u32.wrapping_mul(texel + 1);
            let _ = writeln!(text, "{word:08x}");
        }
    }
    text + "[test]\nsize 33 17\nclear .5 .5 .5 .5\ndraw 0 2\n"
}

/// A fragment program that adds what a vertex program hands on. Varyings that are written in part cannot be read.
fn colours(translation: &Translation) -> String {
    let mut text = "[agal fragment]\nmov ft0, fc0\n".to_owned();
    let program = translation.program.clone().validate();
    let is_whole = |register: u8| {
        let usage = program.as_ref().map(|program| program.usage());
        usage.is_ok_and(|usage| usage.outputs[usize::from(register)].is_all())
    };
    for (output, register) in &translation.outputs {
        if let Output::Varying(number) = output
            && is_whole(*register)
        {
            let _ = writeln!(text, "add ft0, ft0, v{number}");
        }
    }
    text + "frc oc, ft0\n"
}

/// A rectangle whose corners have eight attributes.
fn vertices() -> String {
    let mut text = "[vertex data]\n".to_owned();
    for register in 0..8 {
        let _ = write!(text, "va{register} float4 ");
    }
    text.push('\n');
    for corner in 0..4 {
        let (x, y) = ((corner % 2 * 2 - 1) as f32, 1.0 - (corner / 2 * 2) as f32);
        let _ = write!(text, "{x} {y} .25 1");
        for register in 1..8 {
            let step = register as f32 / 8.0;
            let across = (x + 1.0) / 2.0;
            let _ = write!(text, " {} {} {step} 1", across * step * 4.0, y * 2.0 - step);
        }
        text.push('\n');
    }
    text + "[indices]\n0 1 2 2 1 3\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of colours in the picture of a program.
    fn colours_of(text: &str) -> usize {
        let program = agal::assemble(text, &Options::default()).expect("it is a program");
        let bytes = agal::encode(&program);
        let translation = agal::compile_bytes(&bytes, &Options::default());
        let translation = translation.expect("it is a program");
        let scene = scene(program.stage, &bytes, &translation);
        let test = AgalTest::parse(&scene).unwrap_or_else(|error| panic!("{error}"));
        let Ok(Outcome::Ran(report)) = test.run(&Engine::interp()) else {
            panic!("it runs");
        };
        let mut pixels = report.targets[0].pixels();
        pixels.sort_unstable();
        pixels.dedup();
        pixels.len()
    }

    #[test]
    fn pictures_show_what_programs_compute() {
        assert!(colours_of("mov oc, v0") > 100);
        assert!(colours_of("tex oc, v1, fs2 <2d,linear,repeat>") > 100);
        assert!(colours_of("tex oc, v2, fs0 <cube,linear>") > 20);
        assert!(colours_of("m44 op, va0, vc0\nmov v3, va1") > 100);
        assert_eq!(colours_of("mov oc, fc0"), 1);
    }
}
