//! Does what `python/bench.py` times, by the Rust API: for each line of the input, `draw`, `call` or `map` and a number,
//! does it so many times, and prints the nanoseconds.

#![allow(clippy::print_stdout, reason = "it prints for other programs")]

use std::error::Error;
use std::hint::black_box;
use std::io::stdin;
use std::time::Instant;

use attila_scene::varying::LinearInput;
use attila_shader::draw::Buffer;
use attila_shader::{Bindings, ColourFormat, Draw, Engine, PreparedDraw, Program, Shader};

const SIDE: u32 = 1024;
const LANES: usize = 1 << 20;

struct Work {
    shader: Shader,
    bindings: Bindings<'static>,
    varying: LinearInput,
    image: Vec<u8>,
    prepared: PreparedDraw,
    mapped: Shader,
    rows: [Vec<[f32; 4]>; 3],
}

impl Work {
    fn new() -> Result<Work, Box<dyn Error>> {
        let engine = Engine::auto();
        let prepare = |text: &str| -> Result<Shader, Box<dyn Error>> {
            Ok(engine.prepare(&Program::assemble(text)?.validate()?)?)
        };
        let shader = prepare("mul o1, i6, c0")?;
        let varying: LinearInput = "u, v, 0, 1".parse()?;
        let draw = Draw::new(&shader).varying(6, varying.over(8, 8));
        let prepared = draw.target(0, ColourFormat::Rgba8).prepare()?;
        Ok(Work {
            shader,
            bindings: Bindings::new().with_constant(0, [1.0; 4]),
            varying,
            image: vec![0; (SIDE * SIDE * 4) as usize],
            prepared,
            mapped: prepare("mad o1, i1, c0, i2")?,
            rows: [(); 3].map(|()| vec![[0.5; 4]; LANES]),
        })
    }

    fn run(&mut self, name: &str) -> Result<(), Box<dyn Error>> {
        match name {
            "draw" => {
                let buffer = Buffer::new(ColourFormat::Rgba8, SIDE, SIDE, &mut self.image);
                let varying = self.varying.over(SIDE as usize, SIDE as usize);
                let draw = Draw::new(&self.shader).bindings(&self.bindings);
                draw.varying(6, varying)
                    .target(0, buffer)
                    .rect(0..SIDE, 0..SIDE)?;
            }
            "call" => {
                let buffer = Buffer::new(ColourFormat::Rgba8, 8, 8, &mut self.image);
                let mut frame = self.prepared.frame(&self.bindings).target(0, buffer);
                frame.rect(0..8, 0..8)?;
            }
            _ => {
                let [one, two, out] = &mut self.rows;
                let map = self
                    .mapped
                    .map(&self.bindings)
                    .input(1, &*one)
                    .input(2, &*two);
                map.output(1, out).run()?;
            }
        }
        black_box(&self.image);
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut work = Work::new()?;
    for line in stdin().lines() {
        let line = line?;
        let (name, times) = line.split_once(' ').ok_or("a name and a number")?;
        let times: u32 = times.parse()?;
        let start = Instant::now();
        for _ in 0..times {
            work.run(name)?;
        }
        println!("{}", start.elapsed().as_nanos());
    }
    Ok(())
}
