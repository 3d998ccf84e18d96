//! Programs of guests in AGAL bytes, TGSI and ARB texts, with a constant and a texture: one path for all.
//!
//! `cargo run --release --example emulator`
#![expect(clippy::print_stdout, reason = "a command")]

use std::error::Error;

use attila_scene::Loader;
use attila_scene::picture::{Depth, Picture};
use attila_shader::front::agal;
use attila_shader::{ColourImage, Engine, Image, Sampler, Texture, Wrap};

const AGAL: &str = "tex ft0, v0, fs0 <2d,linear,repeat>\nmul ft0, ft0, fc1\nmov oc, ft0";
const TGSI: &str = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\n\
    DCL SVIEW[0], 2D, FLOAT\nDCL CONST[0][0..1]\nDCL TEMP[0]\n\
    TEX TEMP[0], IN[0], SAMP[0], 2D\nMUL OUT[0], TEMP[0], CONST[0][1]\nEND";
const ARB: &str = "!!ARBfp1.0\nTEMP t;\nTEX t, fragment.texcoord[0], texture[0], 2D;\n\
    MUL result.color, t, program.local[1];\nEND";

fn main() -> Result<(), Box<dyn Error>> {
    let bytes = agal::encode(&agal::assemble(AGAL, &agal::Options::default())?);
    let texel = |i: u8| [i % 16 * 16, i / 16 * 16, 255 - i % 16 * 16, 255];
    let texels: Vec<u8> = (0..=255).flat_map(texel).collect();
    let mut sampler = Sampler::default();
    for (name, program, wrap, input) in [
        ("agal", &bytes[..], Wrap::Repeat, "v0"),
        ("tgsi", TGSI.as_bytes(), Wrap::Clamp, "GENERIC[0]"),
        ("arb", ARB.as_bytes(), Wrap::Clamp, "fragment.texcoord[0]"),
    ] {
        sampler.wrap = [wrap; 3];
        let texture = Texture::new(Image::from_rgba8(16, 16, &texels)?, sampler)?;
        let loader = Loader::new().parameter(1, [1.0, 0.5, 0.25, 1.0]);
        let loader = loader.varying(&format!("{input} = 2*u, 2*v, 0, 1"))?;
        let scene = loader.bind(0, texture)?.read(name, program)?;
        let mut image = ColourImage::new(Depth::Eight.target(), 128, 128);
        scene.draw(&Engine::auto(), &mut image)?;
        Picture::new(image, Depth::Eight).save(format!("{name}.png"))?;
    }
    // What a guest hears of a program that is none.
    let wrong = Loader::new().read("guest", b"!!ARBfp1.0\nMOV result.colour, 1;\nEND");
    println!("{}", wrong.err().ok_or("it is no program")?);
    Ok(())
}
