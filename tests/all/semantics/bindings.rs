//! Requests to textures and vertex attributes.

use attila_shader::isa::Outputs;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};

use attila_shader::machine::{
    LaneMask, Lanes, Lookup, QuadReg, TextureQuery, VertexAttribute, VertexFormat, from_floats,
};
use attila_shader::{
    AttributeSource, Bindings, QuadIo, RunError, Stage, TextureUnit, VertexBuffers,
};

use crate::common::{case, check_with, compile, engines};

/// Textures whose colour is (s, t, r, parameter), all units but 14 and 15, and attributes whose
/// value is (index, attribute, wanted lanes, 0).
#[derive(Default)]
pub(crate) struct Echo {
    requests: Mutex<Vec<TextureQuery>>,
}

impl Echo {
    /// The queries so far.
    pub(crate) fn requests(&self) -> Vec<TextureQuery> {
        self.requests
            .lock()
            .expect("no test panics while it asks")
            .clone()
    }
}

impl TextureUnit for Echo {
    fn has_unit(&self, unit: u8) -> bool {
        unit < 14
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        if let Ok(mut requests) = self.requests.lock() {
            requests.push(*query);
        }
        let Lookup::Sample { coords, level, .. } = query.lookup else {
            panic!("base programs only sample")
        };
        let [s, t, r, _] = coords;
        from_floats([s, t, r, level.given().unwrap_or_default()])
    }
}

impl AttributeSource for Echo {
    fn fetch(&self, attribute: u8, index: Lanes<u32>, wanted: LaneMask) -> [Lanes<f32>; 4] {
        let wanted = f32::from(wanted.bits());
        [
            index.map(f32::from_bits),
            [f32::from(attribute); 4],
            [wanted; 4],
            [0.0; 4],
        ]
    }
}

fn check_echo(text: &str) -> Vec<TextureQuery> {
    let echo = Echo::default();
    check_with(text, |bindings| {
        bindings.with_textures(&echo).with_attributes(&echo)
    });
    echo.requests()
}

#[test]
fn texture_instructions_hand_their_coordinates_over() {
    let requests = check_echo(
        "
        ;! input i0[0] = 1 2 3 4
        ;! input i0[1] = 2 4 8 -2
        ;! input i0[2] = 1 -1 0 0
        ;! input i0[3] = 5 6 7 8
        tex o0, i0, t0
        ;! expect o0[0] = 1 2 3 0
        txb o1, i0, t13
        ;! expect o1[0] = 1 2 3 4
        txl o2, -i0.wzyx, t1
        ;! expect o2[0] = -4 -3 -2 -1
        txp o3, i0, t2
        ;! expect o3[0] = 0.25 0.5 0.75 0
        ;! expect o3[1] = -1 -2 -4 0
        ;! expect o3[2] = inf -inf nan 0",
    );
    for requests in requests.chunks(4) {
        let ops: Vec<(&str, u8)> = requests.iter().map(|r| (r.mnemonic(), r.unit)).collect();
        assert_eq!(ops, [("tex", 0), ("txb", 13), ("txl", 1), ("txp", 2)]);
        assert!(requests.iter().all(|r| r.active == LaneMask::all()));
        assert!(requests.iter().all(|r| r.stage == Stage::Fragment));
    }
}

#[test]
fn a_request_is_made_whatever_the_guard() {
    let requests = check_echo(
        "
        ;! input i0 = 0.5
        ;! pred p0 = 0100
        ;! pred p1 = 0000
        (p0) tex_sat o0.xw, -i0, t3
        (p1) tex o1, i0, t3
        ;! expect o0 = 0
        ;! expect o1 = 0",
    );
    assert_eq!(requests.len(), 2 * engines().len());
    assert!(requests.iter().all(|r| r.active == LaneMask::all()));
}

#[test]
fn a_request_has_the_coordinates_of_lanes_that_are_elsewhere() {
    let requests = check_echo(
        "
        ;! input i0[0] = 1
        ;! input i0[1] = 2
        ;! input i0[2] = 3
        ;! input i0[3] = 4
        ;! pred p0 = 1010
        mov r0, i0
        jmp p0, after
        tex r0, r0, t0
        after: mov o0, r0
        ;! expect o0[0] = 1
        ;! expect o0[1] = 2 2 2 0",
    );
    for query in requests {
        let coords = [[1.0, 2.0, 3.0, 4.0]; 3];
        let Lookup::Sample {
            projected, level, ..
        } = query.lookup
        else {
            panic!("base programs only sample")
        };
        assert_eq!(query.lookup, Lookup::sample(coords, projected, level));
        assert_eq!(query.active, LaneMask::LANE1 | LaneMask::LANE3);
    }
}

#[test]
fn nothing_runs_while_a_unit_is_not_bound() {
    let (case, _) =
        case("mov o0, i0 \n tex r0, i0, t3 \n end \n tex r0, i0, t15 \n tex r0, i0, t14");
    let echo = Echo::default();
    for engine in engines() {
        let shader = compile(&engine, &case);
        let mut quads = [QuadIo {
            outputs: Outputs::all([[9; 4]; 4]),
            ..QuadIo::default()
        }];
        let before = quads.clone();
        let unbound = shader.run(&case.bindings(), &mut quads);
        assert_eq!(
            unbound,
            Err(RunError::UnboundTexture { unit: 3 }),
            "{}",
            engine.name()
        );
        let bindings = case.bindings().with_textures(&echo);
        let unbound = shader.run(&bindings, &mut quads);
        assert_eq!(
            unbound,
            Err(RunError::UnboundTexture { unit: 14 }),
            "{}",
            engine.name()
        );
        assert!(quads == before, "on {} a quad was touched", engine.name());
    }
}

#[test]
fn lda_takes_the_index_from_the_raw_bits_of_x() {
    check_echo(
        "
        ;! input i0 = 5i 6i 7i 8i
        ;! pred p0 = 0110
        lda o0, i0, t9
        ;! expect o0 = 5i 9 15 0
        (p0) lda o1.yz, i0.w, t2
        ;! expect o1[0] = 0
        ;! expect o1[1] = 0 2 6 0
        lda o2, -i0.x, t0
        ;! expect o2 = 0x80000005 0 15 0",
    );
}

#[test]
fn attributes_come_from_vertex_buffers() {
    let bytes: Vec<u8> = [1i16, -2, 3, -4]
        .iter()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    let buffers =
        VertexBuffers::new().with(4, VertexAttribute::packed(&bytes, VertexFormat::Sint16, 2));
    check_with(
        "
        ;! stage vertex
        ;! input i0[0] = 1i 0 0 0
        ;! input i0[1] = 0i 0 0 0
        ;! input i0[2] = 2i 0 0 0
        ;! input i0[3] = -1i 0 0 0
        lda o0, i0.x, t4
        ;! expect o0[0] = 3 -4 0 1
        ;! expect o0[1] = 1 -2 0 1
        ;! expect o0[2] = 0 0 0 1
        ;! expect o0[3] = 0 0 0 1",
        |bindings| bindings.with_attributes(&buffers),
    );
}

#[test]
fn runs_leave_what_they_store_in_the_buffer_and_see_what_others_have_stored() {
    let text = ".extended\natomadd o1, i0.x, u5, i0.y\nstb u5.yw, i0.x, i0.z";
    for engine in engines() {
        let shader = compile(&engine, &case(text).0);
        let words: Arc<[AtomicU32]> = [10; 6].map(AtomicU32::new).into();
        let bindings = Bindings::new().with_storage(5, Arc::clone(&words));
        let mut quad = QuadIo::default();
        quad.inputs[0][0] = [4, 4, 4, 24];
        quad.inputs[0][1] = [1, 2, 3, 9];
        quad.inputs[0][2] = [7; 4];
        let quads = &mut [quad.clone(), quad];
        assert_eq!(shader.run(&bindings, quads), Ok(()));
        assert_eq!(quads[0].outputs[1][3], [10, 11, 13, 0]);
        assert_eq!(quads[1].outputs[1][0], [16, 17, 19, 0]);
        let words = words.iter().map(|word| word.load(Relaxed));
        assert_eq!(words.collect::<Vec<_>>(), [10, 22, 7, 10, 7, 10]);
        let beyond = bindings.with_storage(32, Arc::new([]));
        let error = RunError::StorageIndex { index: 32 };
        assert_eq!(shader.run(&beyond, quads), Err(error));
    }
}

#[test]
fn a_constant_that_does_not_exist_is_an_error_of_the_run() {
    for engine in engines() {
        let shader = compile(&engine, &case("mov o1, c0").0);
        let run = |bindings: &Bindings<'_>| shader.run(bindings, &mut [QuadIo::default()]);
        let last = Bindings::new().with_constant(511, [1.0; 4]);
        assert_eq!(run(&last), Ok(()));
        let beyond = last
            .with_constant(512, [1.0; 4])
            .with_constant(513, [1.0; 4]);
        assert_eq!(run(&beyond), Err(RunError::ConstantIndex { index: 512 }));
    }
}
