//! Sources that cost much for what they are: nested, long, full of jumps, names or mistakes.
//!
//! [`shapes`] are those of `shapes.txt`, of parts that are repeated up to a size. [`Shape::run`] takes a source through the door
//! that users take, [`Engine::auto`], and a run of one quad, and says how that ended. [`mutated`] changes sources at random. The example `hostile`
//! measures processor time and memory of each; the tests look at how it ends.

mod mutated;
mod shapes;
mod template;

use attila_shader::front::{self, SourceError, agal};
use attila_shader::isa::Program;
use attila_shader::machine::{ErrorChain, TextureQuery};
use attila_shader::{Bindings, Engine, ExtendedQuadIo, RunError, Shader, TextureUnit};

use crate::oracle::guard;
pub use mutated::{FORMS, mutated, of_form};
pub use shapes::shapes;
use template::Part;

/// The form of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Door {
    /// ATTILA's assembly.
    Assembly,
    /// The bytes of an ATTILA program. The parts are assembly of a few instructions, whose words are repeated.
    Binary,
    /// A text in a language of [`front::LANGUAGES`].
    Text,
    /// The bytes of an AGAL program, in base 16.
    AgalBytes,
}

/// A kind of hostile sources.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Its name: the language, then the shape.
    pub name: String,
    /// The form of its sources.
    pub door: Door,
    /// The parts of its sources.
    parts: Vec<Part>,
}

/// The end of a source's way through the library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is not a program: the first reason, with its place.
    Refused(String),
    /// It ran on an engine. Where that is not the first choice of [`Engine::auto`], the reason.
    Ran(&'static str, Option<String>),
    /// It ran until its budget was used up, or stopped for another reason.
    Stopped(&'static str, String),
    /// It panicked.
    Panicked(String),
}

impl Shape {
    /// Its source of at most so many bytes, and of at least one repetition.
    pub fn source(&self, size: usize) -> Vec<u8> {
        match self.door {
            Door::Assembly | Door::Text => template::source(&self.parts, size).into_bytes(),
            Door::AgalBytes => {
                let digits = template::source(&self.parts, 2 * size);
                let bytes = digits.as_bytes().chunks(2);
                let byte = |digits| u8::from_str_radix(digits, 16).ok();
                let bytes = bytes.filter_map(|pair| byte(str::from_utf8(pair).ok()?));
                bytes.collect()
            }
            Door::Binary => words(&self.parts, size),
        }
    }

    /// Takes a source through its door, [`Engine::auto`] and a run of one quad.
    pub fn run(&self, source: &[u8]) -> Verdict {
        run(self.door, source)
    }
}

/// Takes a source through a door, [`Engine::auto`] and a run of one quad.
pub fn run(door: Door, source: &[u8]) -> Verdict {
    let verdict = guard(|| {
        Ok(match program(door, source) {
            Ok(program) => shade(program),
            Err(reason) => Verdict::Refused(reason),
        })
    });
    verdict.unwrap_or_else(Verdict::Panicked)
}

/// Instructions of assembly whose words a binary repeats.
const PERIOD: usize = 64;

/// The words of a program's instructions, again and again.
fn words(parts: &[Part], size: usize) -> Vec<u8> {
    const HEADER: usize = 16;
    let text = template::repeated(parts, PERIOD);
    let program = Program::assemble(&text).expect("the parts of a binary are assembly");
    let mut bytes = program.encode();
    let start = match bytes.starts_with(b"ATTX") {
        true => HEADER,
        false => 0,
    };
    let words = bytes.split_off(start);
    while bytes.len() + words.len() <= size {
        bytes.extend(&words);
    }
    if start > 0 {
        let count = (bytes.len() - HEADER) / 16;
        bytes[8..12].copy_from_slice(&(count as u32).to_le_bytes());
    }
    bytes
}

fn program(door: Door, source: &[u8]) -> Result<Program, String> {
    let first = |error: SourceError| {
        let first = error.diagnostics.first();
        first.map_or_else(String::new, ToString::to_string)
    };
    let text = || String::from_utf8_lossy(source);
    let line = |error: String| error.lines().next().unwrap_or_default().to_owned();
    match door {
        Door::Assembly => Program::assemble(&text()).map_err(|error| line(error.to_string())),
        Door::Binary => Program::decode(source).map_err(|error| line(error.to_string())),
        Door::Text => front::compile(&text()).map_err(first),
        Door::AgalBytes => {
            let program = agal::decode(source, &agal::Options::default());
            let program = program.map_err(|error| line(error.to_string()))?;
            let translation = agal::translate(&program);
            let translation = translation
                .map_err(|remark| format!("byte {}: {}", remark.span.start, remark.message))?;
            Ok(translation.program)
        }
    }
}

/// Units that have the same texel everywhere.
struct Grey;

impl TextureUnit for Grey {
    fn has_unit(&self, _: u8) -> bool {
        true
    }

    fn answer(&self, _: &TextureQuery) -> [[u32; 4]; 4] {
        [[0.5f32.to_bits(); 4]; 4]
    }
}

fn shade(program: Program) -> Verdict {
    let program = match program.validate() {
        Ok(program) => program,
        Err(error) => {
            let error = error.to_string();
            return Verdict::Refused(error.lines().next().unwrap_or_default().to_owned());
        }
    };
    let shader = match Engine::auto().prepare(&program) {
        Ok(shader) => shader,
        Err(error) => return Verdict::Refused(ErrorChain(&error).to_string()),
    };
    let bindings = Bindings::new().with_textures(&Grey).with_loop_budget(100);
    match shader.run_extended(&bindings, &mut [ExtendedQuadIo::default()]) {
        Ok(()) => Verdict::Ran(shader.engine(), reason(&shader)),
        Err(error) => Verdict::Stopped(shader.engine(), stopped(&error)),
    }
}

fn reason(shader: &Shader) -> Option<String> {
    let refusal = shader.refusal();
    refusal.map(|refusal| ErrorChain(refusal).to_string())
}

fn stopped(error: &RunError) -> String {
    ErrorChain(error).to_string()
}
