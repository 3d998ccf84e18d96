//! Random sequences of calls, on two threads that share their objects: valid ones, and freed, null and foreign objects,
//! wrong sizes, wrong numbers. None crashes, and what is freed in the end is everything.
//!
//! It is alone in its process, because it counts the objects there.

use std::ptr::{null, null_mut, without_provenance_mut};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use attila::*;

const SEQUENCES: u64 = 10_000;

/// Programs, and what is none.
const TEXTS: [&str; 6] = [
    "mul o1, i6, c0",
    "tex o1, i6, t2",
    "add o1, i0, i0\nmov o2, i1",
    "!!ARBfp1.0\nMUL result.color, fragment.color, program.local[0];\nEND",
    "mul r0",
    "",
];

/// All objects, freed ones, too, by their type.
static OBJECTS: Mutex<[Vec<usize>; 6]> = Mutex::new([const { Vec::new() }; 6]);

/// Calls that have succeeded, to see that not all are refused.
static SUCCESSES: AtomicUsize = AtomicUsize::new(0);
/// Draws among them.
static DRAWS: AtomicUsize = AtomicUsize::new(0);

struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, n: usize) -> usize {
        (self.word() % n as u64) as usize
    }

    /// Something wrong, now and then.
    fn wrong<T>(&mut self, right: T, wrong: T) -> T {
        if self.below(50) == 0 { wrong } else { right }
    }

    /// An object of a type, most often.
    fn any<T>(&mut self, kind: usize) -> *mut T {
        let kind = if self.below(40) == 0 {
            self.below(6)
        } else {
            kind
        };
        let choice = self.below(30);
        let objects = &OBJECTS.lock().expect("nobody panics")[kind];
        match choice {
            0 => null_mut(),
            1 => without_provenance_mut(self.word() as usize),
            // The newest are rarely freed.
            2..20 => without_provenance_mut(
                objects
                    .iter()
                    .rev()
                    .nth(self.below(3))
                    .copied()
                    .unwrap_or(0),
            ),
            _ => without_provenance_mut(
                objects
                    .get(self.below(objects.len().max(1)))
                    .copied()
                    .unwrap_or(0),
            ),
        }
    }
}

fn keep<T>(kind: usize, object: *mut T) {
    if !object.is_null() {
        OBJECTS.lock().expect("nobody panics")[kind].push(object.addr());
    }
}

fn out<T>(random: &mut Random, place: &mut *mut T) -> *mut *mut T {
    random.wrong(place, null_mut())
}

/// One call, whose status says nothing that is not known.
fn step(random: &mut Random) {
    let mut error: *mut attila_error = null_mut();
    let error_out: *mut *mut attila_error = random.wrong(&mut error, null_mut());
    let status = match random.below(12) {
        0 => load(random, error_out),
        1 => prepare(random, error_out),
        2 => {
            let mut bindings = null_mut();
            let program = if random.below(4) == 0 {
                null_mut()
            } else {
                random.any::<attila_program>(1)
            };
            let status = attila_bindings_new(program, out(random, &mut bindings), error_out);
            keep(4, bindings);
            status
        }
        3 => texture(random, error_out),
        4 => new_draw(random, error_out),
        5 => set(random),
        6 | 7 => {
            let status = draw(random, error_out);
            DRAWS.fetch_add(usize::from(status == ATTILA_STATUS_OK), Ordering::Relaxed);
            status
        }
        8 => map(random, error_out),
        9 => ask(random),
        _ => free(random),
    };
    assert!(
        (ATTILA_STATUS_OK..ATTILA_STATUS_PANIC).contains(&status),
        "{status}"
    );
    SUCCESSES.fetch_add(usize::from(status == ATTILA_STATUS_OK), Ordering::Relaxed);
    keep(0, error);
}

fn load(random: &mut Random, error: *mut *mut attila_error) -> attila_status {
    let text = TEXTS[random.below(TEXTS.len())];
    let source = attila_bytes {
        data: random.wrong(text.as_ptr().cast(), null()),
        length: text.len(),
    };
    let options = attila_load_options {
        size: random.wrong(size_of::<attila_load_options>(), 3),
        stage: random.wrong(0, 7),
        form: random.wrong(0, 2),
        number: random.wrong(0, 3),
        ..attila_load_options::default()
    };
    let mut program = null_mut();
    let status = attila_program_load(
        source,
        random.wrong(&options, null()),
        out(random, &mut program),
        error,
    );
    keep(1, program);
    status
}

fn prepare(random: &mut Random, error: *mut *mut attila_error) -> attila_status {
    let options = attila_prepare_options {
        size: random.wrong(size_of::<attila_prepare_options>(), usize::MAX),
        engine: if random.below(8) == 0 {
            random.below(4) as u32
        } else {
            ATTILA_ENGINE_INTERP
        },
        ..attila_prepare_options::default()
    };
    let mut shader = null_mut();
    let status = attila_shader_prepare(random.any(1), &options, out(random, &mut shader), error);
    keep(2, shader);
    status
}

fn texture(random: &mut Random, error: *mut *mut attila_error) -> attila_status {
    let texels = [7_u8; 16];
    let level = attila_bytes {
        data: random.wrong(texels.as_ptr().cast(), null()),
        length: random.wrong(16, 15),
    };
    let data = attila_image_data {
        size: random.wrong(size_of::<attila_image_data>(), 0),
        width: 2,
        height: random.wrong(2, 0),
        dimension: random.wrong(0, 12),
        levels: &level,
        ..attila_image_data::default()
    };
    let sampler = attila_sampler {
        mip: random.wrong(0, 9),
        max_anisotropy: random.wrong(1, 17),
        ..attila_sampler::default()
    };
    let mut texture = null_mut();
    let status = attila_texture_new(
        &data,
        random.wrong(&sampler, null()),
        out(random, &mut texture),
        error,
    );
    keep(3, texture);
    status
}

fn new_draw(random: &mut Random, error: *mut *mut attila_error) -> attila_status {
    let mut draw = null_mut();
    if random.below(4) == 0 {
        let status = attila_draw_clone(random.any(5), out(random, &mut draw));
        keep(5, draw);
        return status;
    }
    let mut state = attila_state {
        size: random.wrong(size_of::<attila_state>(), 16),
        cull: random.wrong(0, 3),
        raster_samples: random.wrong(0, 4),
        sample_position_count: random.wrong(0, 17),
        threads: 1 + random.below(2) as u32,
        ..attila_state::default()
    };
    state.write_mask[0] = random.wrong(15, 16);
    state.anchor[0] = random.wrong(0.0, f32::NAN);
    let status = attila_draw_new(random.any(2), &state, out(random, &mut draw), error);
    keep(5, draw);
    status
}

fn set(random: &mut Random) -> attila_status {
    let values = [1.0_f32; 8];
    let pointer = random.wrong(values.as_ptr(), null());
    match random.below(5) {
        0 => attila_bindings_constants(random.any(4), random.wrong(0, 511), pointer, 2),
        1 => attila_bindings_buffer(random.any(4), random.wrong(1, 32), pointer.cast(), 2),
        2 => attila_bindings_texture(random.any(4), random.wrong(2, 99), random.any(3)),
        3 => attila_bindings_loop_budget(random.any(4), 100),
        _ => {
            let input = attila_varying {
                kind: if random.below(9) == 0 {
                    random.below(9) as u32
                } else {
                    ATTILA_INPUT_LINEAR
                },
                location: random.wrong(0, 3),
                ..attila_varying::default()
            };
            let input = random.wrong(&raw const input, null());
            attila_draw_input(random.any(5), random.wrong(6, 64), input)
        }
    }
}

fn draw(random: &mut Random, error: *mut *mut attila_error) -> attila_status {
    let mut pixels = [0_u8; 256];
    let image = attila_image {
        size: random.wrong(size_of::<attila_image>(), 1),
        pixels: random.wrong(pixels.as_mut_ptr().cast(), null_mut()),
        bytes: 256,
        width: 8,
        height: 8,
        format: random.wrong(0, random_format()),
        pitch: random.wrong(0, 30),
        samples: random.wrong(1, 5),
        ..attila_image::default()
    };
    let mut frame = attila_frame {
        bindings: random.any(4),
        ..attila_frame::default()
    };
    frame.colour[random.wrong(0, 3)] = &image;
    frame.depth = random.wrong(null(), &image);
    let area = attila_rect {
        x0: random.wrong(0, i64::MIN),
        y0: 0,
        x1: 8,
        y1: random.wrong(8, i64::MAX),
    };
    let draw = random.any(5);
    match random.below(4) {
        0 => {
            let positions = [
                [0.0_f32, 0.0, 0.0, 1.0],
                [8.0, 0.0, 0.0, 1.0],
                [0.0, 8.0, 0.0, 1.0],
            ];
            let indices = [0_u16, 1, random.wrong(2, 3)];
            let attributes = attila_array {
                input: random.wrong(6, 80),
                numbers: positions[0].as_ptr(),
                count: random.wrong(3, 2),
                ..attila_array::default()
            };
            let triangles = attila_triangles {
                positions: positions[0].as_ptr(),
                count: 3,
                attributes: &attributes,
                attribute_count: 1,
                indices: indices.as_ptr().cast(),
                index_count: random.wrong(3, 2),
                index_bits: 16,
                ..attila_triangles::default()
            };
            attila_draw_triangles(draw, &frame, &triangles, error)
        }
        1 => {
            let quads = [attila_quad {
                x: random.wrong(2, 3) as u32,
                y: 0,
                coverage: [1; 4],
            }; 2];
            attila_draw_quads(
                draw,
                &frame,
                quads.as_ptr(),
                2,
                null(),
                random.wrong(0, 1),
                error,
            )
        }
        _ => attila_draw_rect(draw, random.wrong(&frame, null()), area, error),
    }
}

/// A format that there is not.
fn random_format() -> u32 {
    300
}

fn map(random: &mut Random, error: *mut *mut attila_error) -> attila_status {
    let mut numbers = [1.0_f32; 64];
    let input = attila_column {
        number: random.wrong(0, 64),
        components: random.wrong(4, 5),
        vectors: random.wrong(numbers.as_ptr(), null()),
        count: 8,
        ..attila_column::default()
    };
    let output = attila_output {
        number: 1,
        vectors: numbers[random.wrong(32, 31)..].as_mut_ptr(),
        count: random.wrong(8, 7),
        stride: random.wrong(0, 3),
        ..attila_output::default()
    };
    let map = attila_map {
        inputs: &input,
        input_count: 1,
        outputs: &output,
        output_count: 1,
        ..attila_map::default()
    };
    attila_shader_map(random.any(2), random.any(4), &map, error)
}

fn ask(random: &mut Random) -> attila_status {
    let mut text = attila_text::default();
    let mut usage = attila_usage {
        size: random.wrong(size_of::<attila_usage>(), 7),
        ..attila_usage::default()
    };
    let mut diagnostic = attila_diagnostic::default();
    match random.below(6) {
        0 => attila_program_disassembly(random.any(1), &mut text),
        1 => attila_program_usage(random.any(1), random.wrong(&mut usage, null_mut())),
        2 => attila_error_message(random.any(0), &mut text),
        3 => attila_error_diagnostic(random.any(0), random.below(3), &mut diagnostic),
        4 => attila_program_warning(random.any(1), 0, &mut diagnostic),
        _ => attila_shader_engine(random.any(2), random.wrong(&mut text, null_mut())),
    }
}

fn free(random: &mut Random) -> attila_status {
    match random.below(6) {
        0 => attila_error_free(random.any(0)),
        1 => attila_program_free(random.any(1)),
        2 => attila_shader_free(random.any(2)),
        3 => attila_texture_free(random.any(3)),
        4 => attila_bindings_free(random.any(4)),
        _ => attila_draw_free(random.any(5)),
    }
}

/// Frees all objects that a thread may have left.
fn free_all() {
    let mut objects = OBJECTS.lock().expect("nobody panics");
    for (kind, objects) in objects.iter_mut().enumerate() {
        for address in objects.drain(..) {
            let status = match kind {
                0 => attila_error_free(without_provenance_mut(address)),
                1 => attila_program_free(without_provenance_mut(address)),
                2 => attila_shader_free(without_provenance_mut(address)),
                3 => attila_texture_free(without_provenance_mut(address)),
                4 => attila_bindings_free(without_provenance_mut(address)),
                _ => attila_draw_free(without_provenance_mut(address)),
            };
            assert!(
                matches!(status, ATTILA_STATUS_OK | ATTILA_STATUS_HANDLE),
                "{status}"
            );
        }
    }
}

#[test]
fn random_calls_neither_crash_nor_leak() {
    const BATCH: u64 = 100;
    for batch in 0..SEQUENCES / BATCH {
        let run = |half: u64| {
            for sequence in 0..BATCH / 2 {
                let mut random = Random(batch << 32 | half << 16 | sequence);
                (0..20).for_each(|_| step(&mut random));
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| run(0));
            scope.spawn(|| run(1));
        });
        free_all();
        assert_eq!(attila_live_objects(), 0, "batch {batch}");
    }
    let [calls, draws] = [&SUCCESSES, &DRAWS].map(|count| count.load(Ordering::Relaxed));
    assert!(
        calls > 50_000 && draws > 1_000,
        "{calls} calls succeeded, {draws} draws"
    );
}
