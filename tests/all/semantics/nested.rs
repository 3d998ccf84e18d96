//! Texture units and attribute sources that run shaders.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use attila_shader::machine::{
    LaneMask, Lanes, MAX_NESTED_RUNS, QuadReg, QuadState, StatefulExecutable, TextureQuery,
    from_floats,
};
use attila_shader::{
    AttributeSource, Bindings, Engine, Program, QuadIo, RunError, Shader, TextureUnit,
};

/// Runs shaders, in turns, for every query, up to a depth. A sample is the number of runs below it.
struct Nested {
    shaders: Vec<Shader>,
    states: Vec<Box<dyn StatefulExecutable>>,
    depth: AtomicUsize,
    wanted: usize,
    panics: bool,
    errors: Mutex<Vec<RunError>>,
}

impl Nested {
    fn new(text: &str, engines: &[Engine], wanted: usize) -> Nested {
        let program = Program::assemble(text).unwrap().validate().unwrap();
        let prepared = |engine: &Engine| engine.prepare(&program).unwrap();
        let stateful = |engine: &Engine| engine.prepare_stateful(&program).unwrap();
        Nested {
            shaders: engines.iter().map(prepared).collect(),
            states: engines.iter().map(stateful).collect(),
            depth: AtomicUsize::new(0),
            wanted,
            panics: false,
            errors: Mutex::default(),
        }
    }

    fn run(&self) -> Result<f32, RunError> {
        let bindings = Bindings::new().with_textures(self).with_attributes(self);
        let depth = self.depth.fetch_add(1, Ordering::Relaxed);
        let shader = &self.shaders[depth % self.shaders.len()];
        let state = &self.states[depth % self.states.len()];
        let (mut io, mut all) = (QuadIo::default(), QuadState::default());
        let result = if depth % 3 == 2 {
            state.run(&bindings, std::slice::from_mut(&mut all))
        } else {
            shader.run(&bindings, std::slice::from_mut(&mut io))
        };
        self.depth.fetch_sub(1, Ordering::Relaxed);
        result?;
        let output = match depth % 3 {
            2 => all.io.output(1),
            _ => io.output(1),
        };
        Ok(output[0][0])
    }

    fn dive(&self) -> [Lanes<f32>; 4] {
        if self.depth.load(Ordering::Relaxed) == self.wanted {
            if self.panics {
                self.depth.store(0, Ordering::Relaxed);
                resume_unwind(Box::new(()));
            }
            return [[0.0; 4]; 4];
        }
        let deeper = self.run().map(|deeper| deeper + 1.0);
        let deeper = deeper.unwrap_or_else(|error| {
            self.errors.lock().unwrap().push(error);
            0.0
        });
        [[deeper; 4]; 4]
    }
}

impl TextureUnit for Nested {
    fn has_unit(&self, _: u8) -> bool {
        true
    }

    fn answer(&self, _: &TextureQuery) -> QuadReg {
        from_floats(self.dive())
    }
}

impl AttributeSource for Nested {
    fn fetch(&self, _: u8, _: Lanes<u32>, _: LaneMask) -> [Lanes<f32>; 4] {
        self.dive()
    }
}

const PROGRAMS: [&str; 2] = ["tex o1, i0, t0", "lda o1, i0.x, t0"];

/// Lists of engines that take turns: each engine alone, and all of them.
fn engines() -> Vec<Vec<Engine>> {
    let alone = Engine::all().into_iter().map(|engine| vec![engine]);
    alone.chain([Engine::all()]).collect()
}

const TOO_DEEP: RunError = RunError::Nested {
    limit: MAX_NESTED_RUNS,
};

#[test]
fn runs_within_runs_have_the_same_limit_on_every_engine() {
    for (engines, text) in engines()
        .iter()
        .flat_map(|e| PROGRAMS.map(|text| (e, text)))
    {
        for wanted in [200, 1_000_000] {
            let nested = Nested::new(text, engines, wanted);
            for _ in 0..2 {
                assert_eq!(
                    nested.run(),
                    Ok((MAX_NESTED_RUNS - 1) as f32),
                    "{engines:?}"
                );
                let errors = std::mem::take(&mut *nested.errors.lock().unwrap());
                assert_eq!(errors, [TOO_DEEP], "{engines:?}");
            }
        }
    }
}

#[test]
fn runs_up_to_the_limit_succeed() {
    for (engines, text) in engines()
        .iter()
        .flat_map(|e| PROGRAMS.map(|text| (e, text)))
    {
        let nested = Nested::new(text, engines, MAX_NESTED_RUNS);
        assert_eq!(nested.run(), Ok((MAX_NESTED_RUNS - 1) as f32));
        assert_eq!(*nested.errors.lock().unwrap(), []);
    }
}

#[test]
fn panics_leave_the_runs_that_they_go_through() {
    for (engines, text) in engines()
        .iter()
        .flat_map(|e| PROGRAMS.map(|text| (e, text)))
    {
        let mut nested = Nested::new(text, engines, MAX_NESTED_RUNS);
        nested.panics = true;
        for _ in 0..3 {
            assert!(catch_unwind(AssertUnwindSafe(|| nested.run())).is_err());
        }
        nested.panics = false;
        assert_eq!(nested.run(), Ok((MAX_NESTED_RUNS - 1) as f32));
        assert_eq!(*nested.errors.lock().unwrap(), []);
    }
}

#[test]
fn a_thread_within_a_run_counts_by_itself() {
    /// Runs itself in another thread, once.
    struct Apart(Nested);

    impl TextureUnit for Apart {
        fn has_unit(&self, _: u8) -> bool {
            true
        }

        fn answer(&self, _: &TextureQuery) -> QuadReg {
            let inner = std::thread::scope(|scope| scope.spawn(|| self.0.run()).join());
            from_floats([[inner.unwrap().unwrap(); 4]; 4])
        }
    }

    for engines in engines() {
        let apart = Apart(Nested::new(PROGRAMS[0], &engines, MAX_NESTED_RUNS));
        let bindings = Bindings::new().with_textures(&apart);
        let mut quads = [QuadIo::default()];
        apart.0.shaders[0].run(&bindings, &mut quads).unwrap();
        assert_eq!(quads[0].output(1)[0][0], (MAX_NESTED_RUNS - 1) as f32);
    }
}
