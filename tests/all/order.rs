//! Texture units and attributes that answer quads in any order leave programs their wide vectors.

use attila_shader::machine::pipeline::Pipeline;
use attila_shader::machine::{CodeKind, LaneMask, Lanes, Lookup, QuadReg, TextureQuery};
use attila_shader::{
    AttributeSource, Bindings, Engine, Jit, JitOptions, Narrower, Program, QuadIo, TextureUnit,
    ValidProgram, Vectors,
};

/// Answers with the coordinates, or with the index.
struct Echo {
    in_any_order: bool,
}

impl TextureUnit for Echo {
    fn has_unit(&self, _: u8) -> bool {
        true
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        let Lookup::Sample { coords, .. } = &query.lookup else {
            panic!("no program asks for more");
        };
        coords.map(|lanes| lanes.map(f32::to_bits))
    }

    fn in_any_order(&self) -> bool {
        self.in_any_order
    }
}

impl AttributeSource for Echo {
    fn fetch(&self, attribute: u8, index: Lanes<u32>, _: LaneMask) -> [Lanes<f32>; 4] {
        let lanes = index.map(|index| (index + u32::from(attribute)) as f32);
        [lanes, lanes.map(|x| -x), lanes, [1.0; 4]]
    }

    fn in_any_order(&self) -> bool {
        self.in_any_order
    }
}

fn program(text: &str) -> ValidProgram {
    let program = Program::assemble(text).expect("it is a program");
    program.validate().expect("it is valid")
}

/// Quads whose lanes are all different.
fn quads(count: usize) -> Vec<QuadIo> {
    let quad = |quad: usize| {
        let mut io = QuadIo::default();
        let lane = |lane: usize| [(4 * quad + lane) as f32, 0.5, 2.0, 1.0];
        io.set_input(0, std::array::from_fn(lane));
        let index = |lane: usize| [f32::from_bits((4 * quad + lane) as u32); 4];
        io.set_input(1, std::array::from_fn(index));
        io
    };
    (0..count).map(quad).collect()
}

const PROGRAMS: [&str; 3] = [
    "tex r0, i0, t3\nmad o1, r0, i0, r0\nend",
    "lda r0, i1.x, t2\nadd o1, r0, i0\nend",
    "setpgt p0, i0.x, 6\njmp p0, 3\ntex r0, i0, t1\nlda r1, i1.x, t1\nadd o1, r0, r1\nend",
];

#[test]
fn code_has_wide_vectors_where_any_order_will_do() {
    for vectors in Vectors::here() {
        let jit = Jit::with_options(&JitOptions {
            vectors,
            ..JitOptions::default()
        });
        let jit = jit.expect("this machine has them");
        for text in PROGRAMS {
            for in_any_order in [false, true] {
                let echo = Echo { in_any_order };
                let bindings = Bindings::new().with_textures(&echo).with_attributes(&echo);
                let info = jit.code_info(&program(text), &Pipeline::default(), &bindings);
                let info = info.expect("it can be compiled");
                let expected = if in_any_order { vectors } else { Vectors::V128 };
                assert_eq!(info.vectors, expected, "{text}");
                let is_kept = !in_any_order && vectors != Vectors::V128;
                assert_eq!(info.narrower == Some(Narrower::Program), is_kept, "{text}");
            }
        }
    }
}

#[test]
fn results_are_the_same_in_any_order_and_code_says_how_wide_it_was() {
    for text in PROGRAMS {
        let program = program(text);
        for count in [1, 2, 3, 4, 5, 9] {
            let mut expected = quads(count);
            let echo = Echo {
                in_any_order: false,
            };
            let bindings = Bindings::new().with_textures(&echo).with_attributes(&echo);
            let interp = Engine::interp().prepare(&program).expect("it can be");
            assert_eq!(interp.run(&bindings, &mut expected), Ok(()));
            for engine in Engine::all() {
                let echo = Echo { in_any_order: true };
                let bindings = Bindings::new().with_textures(&echo).with_attributes(&echo);
                let shader = engine.prepare(&program).expect("it can be compiled");
                let mut found = quads(count);
                assert_eq!(shader.run(&bindings, &mut found), Ok(()));
                assert_eq!(found, expected, "{text}");
                let ran: Vec<(CodeKind, u64)> = shader.ran().kinds().collect();
                let kind = engine.code_kind().map(|kind| (kind, count as u64));
                assert_eq!(ran, Vec::from_iter(kind), "{text}");
            }
        }
    }
}
