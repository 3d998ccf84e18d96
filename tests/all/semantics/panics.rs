//! Panics in what users bind: the run stops, and the panic comes out of it.

use attila_shader::isa::Outputs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use attila_shader::machine::{LaneMask, Lanes, QuadReg, QuadState, TextureQuery, from_floats};
use attila_shader::{AttributeSource, Bindings, Engine, Program, QuadIo, TextureUnit};

/// The payload of the panics here: the number of the query.
#[derive(PartialEq, Debug)]
struct Marker(usize);

/// Answers with 1 as often as it says, then panics.
struct Fails {
    after: usize,
    requests: AtomicUsize,
}

impl Fails {
    fn after(after: usize) -> Fails {
        Fails {
            after,
            requests: AtomicUsize::new(0),
        }
    }

    fn asked(&self) -> [Lanes<f32>; 4] {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        if number >= self.after {
            // Without the message that `panic!` prints.
            resume_unwind(Box::new(Marker(number)));
        }
        [[1.0; 4]; 4]
    }
}

impl TextureUnit for Fails {
    fn has_unit(&self, _: u8) -> bool {
        true
    }

    fn answer(&self, _: &TextureQuery) -> QuadReg {
        from_floats(self.asked())
    }
}

impl AttributeSource for Fails {
    fn fetch(&self, _: u8, _: Lanes<u32>, _: LaneMask) -> [Lanes<f32>; 4] {
        self.asked()
    }
}

/// Programs with two requests in a row, in a loop, and in one of two branches.
const PROGRAMS: [&str; 4] = [
    "tex r0, i0, t0\ntex r1, r0, t1\nadd o1, r0, r1",
    "lda r0, i0.x, t0\nlda r1, r0.x, t1\nadd o1, r0, r1",
    "again: tex r0, i0, t0\nadd r1, r1, r0\nsetplt p0, r1.x, 5.0\njmp p0, again\nmov o1, r1",
    "setplt p0, i0.x, 1.0\njmp !p0, over\nlda r0, i0.x, t3\ntex r0, r0, t3\nover: tex o1, r0, t9",
];

#[test]
fn a_panic_stops_the_run_and_comes_out_of_it() {
    for engine in Engine::all() {
        for text in PROGRAMS {
            let program = Program::assemble(text).unwrap().validate().unwrap();
            let shader = engine.prepare(&program).unwrap();
            let stateful = engine.prepare_stateful(&program).unwrap();
            let run = |bound: &Fails, with_state: bool| {
                let bindings = Bindings::new().with_textures(bound).with_attributes(bound);
                if with_state {
                    stateful.run(&bindings, &mut vec![QuadState::default(); 9])
                } else {
                    shader.run(&bindings, &mut vec![QuadIo::default(); 9])
                }
            };
            for with_state in [false, true] {
                for after in [0, 1, 7] {
                    let bound = Fails::after(after);
                    let result = catch_unwind(AssertUnwindSafe(|| run(&bound, with_state)));
                    let payload = result.expect_err("it panics");
                    let marker = payload.downcast_ref::<Marker>();
                    assert_eq!(marker, Some(&Marker(after)), "{text} on {engine:?}");
                    let requests = bound.requests.into_inner();
                    assert_eq!(requests, after + 1, "{text} on {engine:?}");
                }
                run(&Fails::after(usize::MAX), with_state).unwrap();
            }
        }
    }
}

#[test]
fn a_quad_in_which_something_panics_is_not_stored() {
    for engine in Engine::all() {
        for text in PROGRAMS {
            let program = Program::assemble(text).unwrap().validate().unwrap();
            let shader = engine.prepare(&program).unwrap();
            let bound = Fails::after(0);
            let bindings = Bindings::new().with_textures(&bound);
            let bindings = bindings.with_attributes(&bound);
            let mut quads = vec![QuadIo::default(); 2];
            for quad in &mut quads {
                quad.outputs = Outputs::all([[9; 4]; 4]);
            }
            let untouched = quads.clone();
            let result = catch_unwind(AssertUnwindSafe(|| shader.run(&bindings, &mut quads)));
            assert!(result.is_err());
            assert!(quads == untouched, "{text} on {engine:?}");
        }
    }
}

#[test]
fn a_panic_keeps_its_message() {
    struct Words;

    impl TextureUnit for Words {
        fn has_unit(&self, _: u8) -> bool {
            true
        }

        fn answer(&self, query: &TextureQuery) -> QuadReg {
            panic!("unit {} is on fire", query.unit)
        }
    }

    let program = Program::assemble("tex o1, i0, t4").unwrap().validate();
    for engine in Engine::all() {
        let shader = engine.prepare(program.as_ref().unwrap()).unwrap();
        let bindings = Bindings::new().with_textures(&Words);
        let run = || shader.run(&bindings, &mut [QuadIo::default()]);
        let payload = catch_unwind(AssertUnwindSafe(run)).expect_err("it panics");
        let message = payload.downcast_ref::<String>();
        assert_eq!(message.unwrap(), "unit 4 is on fire");
    }
}
