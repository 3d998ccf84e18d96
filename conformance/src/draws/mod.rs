//! Random draws: do engines draw alike, byte for byte?
//!
//! ```text
//! Dice ─► program ─► targets, depth, tests ─► inputs ─► frames ─► run: interpreter, 1 thread
//!                                                                      each engine, n threads
//! ```
//!
//! The comparison of [`Case`](crate::Case) is about what programs compute. Here it is what they leave behind in
//! targets: inputs, tests, blending, formats, spans and threads around them.

mod case;
mod exact;
mod fill;
mod generate;
mod inputs;
mod program;
mod queries;
mod run;
mod samples;
mod set_up;
mod shrink;
mod text;
mod view;
mod watched;

use std::sync::Arc;

use attila_shader::Engine;
use attila_shader::isa::ValidProgram;
use attila_shader::machine::{
    Backend, Bindings, CodeKind, Executable, ExtendedQuadIo, PrepareError, QuadIo, Ran, RunError,
    StatefulExecutable,
};

pub use case::{DepthCase, DrawCase, FrameCase, ShapeCase, TargetCase};
pub use fill::Fill;
pub use samples::{Planes, SampleCase};
pub use set_up::SetUpCase;
pub use view::ViewCase;

use crate::dice::Dice;
use crate::subject::{Fault, Pass, Subject, Tally};

impl Subject for DrawCase {
    type Options = ();

    fn make(dice: &mut Dice<'_>, (): &()) -> DrawCase {
        generate::case(dice)
    }

    /// Compares `engines[0]` with itself on several threads, and one of the engines in tiles, too.
    fn check(&self, engines: &[Engine], tally: &mut Tally) -> Result<(), Fault> {
        run::compare(self, engines, tally).map_or(Ok(()), Err)
    }

    fn is_specified(&self) -> bool {
        let has_pixels = |size: [u32; 2]| !size.contains(&0);
        let is_drawn = self.threads > 0 && has_pixels(self.size) && !self.frames.is_empty();
        let is_drawn = is_drawn && self.tile.is_none_or(has_pixels);
        is_drawn
            && self.samples.is_drawn(self)
            && self.set_up.is_drawn(self)
            && self.has_specified_results()
            && self.shaded.can_be_bound()
    }

    fn passes() -> Vec<Pass<DrawCase>> {
        shrink::passes()
    }

    fn to_text(&self, note: &str) -> String {
        text::write(self, note)
    }

    fn read(text: &str) -> Option<Result<DrawCase, String>> {
        let mut lines = text.lines();
        let is_draw = lines.any(|line| line.trim_start().starts_with(";! draw "));
        is_draw.then(|| DrawCase::from_text(text).map_err(|error| error.to_string()))
    }

    fn file_name(&self) -> String {
        "draw.attila".to_owned()
    }

    fn check_expectations(text: &str, engines: &[Engine]) -> Result<(), String> {
        let case = DrawCase::from_text(text).map_err(|error| error.to_string())?;
        let mut tally = Tally::default();
        let drawn = case.check(engines.get(..1).unwrap_or_default(), &mut tally);
        drawn.map_err(|fault| fault.to_string())?;
        match tally.count(run::REFUSED) {
            0 => Ok(()),
            _ => Err("a frame is not drawn".to_owned()),
        }
    }
}

/// An engine that shades quads as `backend` does, and leaves all that is around programs to the
/// crate's own portable code.
pub fn portable(backend: Arc<dyn Backend>) -> Engine {
    Engine::custom(Arc::new(Portable(backend)))
}

/// The name of that engine.
pub(crate) const PORTABLE: &str = "portable";

struct Portable(Arc<dyn Backend>);

struct PortableProgram(Arc<dyn Executable>);

impl Backend for Portable {
    fn name(&self) -> &'static str {
        PORTABLE
    }

    fn code_kind(&self) -> Option<CodeKind> {
        self.0.code_kind()
    }

    fn prepare(&self, program: &ValidProgram) -> Result<Arc<dyn Executable>, PrepareError> {
        Ok(Arc::new(PortableProgram(self.0.prepare(program)?)))
    }

    fn prepare_stateful(
        &self,
        program: &ValidProgram,
    ) -> Result<Box<dyn StatefulExecutable>, PrepareError> {
        self.0.prepare_stateful(program)
    }
}

impl Executable for PortableProgram {
    fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadIo]) -> Result<(), RunError> {
        self.0.run(bindings, quads)
    }

    fn run_extended(
        &self,
        bindings: &Bindings<'_>,
        quads: &mut [ExtendedQuadIo],
    ) -> Result<(), RunError> {
        self.0.run_extended(bindings, quads)
    }

    fn ran(&self) -> Ran {
        self.0.ran()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_that_every_engine_refuses_are_not_smaller_cases() {
        let is_specified = |line: &str| {
            let text = format!("; a draw\n;! draw size 2 1\n{line};! frame rect 0 1 0 1\nend");
            let case = DrawCase::read(&text).expect("it is a draw");
            case.expect("it is right").is_specified()
        };
        assert!(is_specified(""));
        assert!(is_specified(";! draw threads 2\n"));
        assert!(!is_specified(";! draw threads 0\n"));
        assert!(!is_specified(";! draw size 2 0\n"));
        assert!(!is_specified(
            ";! image 0 d2 rgba8 1 1 1 1\n;! sampler 0 max_anisotropy 0\n"
        ));
    }
}
