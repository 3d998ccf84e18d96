//! Maps: columns in, columns out, on every engine.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use attila_shader::map::{Column, ColumnMut, MapError};
use attila_shader::texture::{Dimension, Format, Image, MipMode, Sampler, Size, Texture, Textures};
use attila_shader::{Bindings, Engine, Program, QuadIo, Shader};

use crate::common::engines;

/// Kills elements whose y is below 0, and mixes two inputs.
const PROGRAM: &str = "
    .extended
    kil i1.y
    rcp r0.x, i2.x
    mad o3.xyz, i1, r0.x, c1
    mul o5, i1.wzyx, i2";

fn prepared(engine: &Engine, text: &str) -> Shader {
    let program = Program::assemble(text).expect("it is right");
    engine
        .prepare(&program.validate().expect("it is valid"))
        .expect("it compiles")
}

fn refused(text: &str, map: impl Fn(&Shader) -> Result<(), MapError>) -> Vec<String> {
    let shaders = engines().into_iter().map(|engine| prepared(&engine, text));
    let errors = shaders.map(|shader| match map(&shader) {
        Ok(()) => panic!("{} does not refuse {text}", shader.engine()),
        Err(error) => error.to_string(),
    });
    errors.collect()
}

/// So many numbers, each a few times.
fn wave(count: usize, seed: usize) -> Vec<f32> {
    (0..count)
        .map(|n| ((n * 37 + seed * 11) % 64) as f32 / 16.0 - 1.0)
        .collect()
}

fn vectors(numbers: &[f32]) -> Vec<[f32; 4]> {
    numbers.as_chunks().0.to_vec()
}

/// What the program computes for each element alone, in a quad of its own: two outputs, and whether it is killed.
fn expected(first: &[[f32; 4]], second: &[[f32; 4]]) -> Vec<([[f32; 4]; 2], bool)> {
    let shader = prepared(&Engine::interp(), PROGRAM);
    let elements = first.iter().zip(second).map(|(&first, &second)| {
        let mut quad = QuadIo::default();
        quad.set_input(1, [first; 4]);
        quad.set_input(2, [second; 4]);
        shader
            .run(&bindings(), std::slice::from_mut(&mut quad))
            .expect("it ends");
        let outputs = [3, 5].map(|register| quad.output(register)[0]);
        (outputs, !quad.killed().is_empty())
    });
    elements.collect()
}

fn bindings() -> Bindings<'static> {
    Bindings::new().with_constant(1, [0.5, 0.25, -2.0, 9.0])
}

const BEFORE: f32 = 77.0;

#[test]
fn every_layout_and_length_gives_what_elements_give_alone() {
    let lengths = (0..70).chain([97, 128, 131, 1000]);
    for (engine, length) in engines()
        .iter()
        .flat_map(|engine| lengths.clone().map(move |n| (engine, n)))
    {
        let name = format!("{} {length}", engine.name());
        let shader = prepared(engine, PROGRAM);
        let first = wave(4 * length, 1);
        let second: Vec<[f32; 4]> = vectors(&wave(4 * length, 2))
            .iter()
            .map(|v| [v[0], v[1], 0.0, 1.0])
            .collect();
        let expected = expected(&vectors(&first), &second);
        let parts = [0, 1, 2, 3].map(|c| {
            first
                .iter()
                .skip(c)
                .step_by(4)
                .copied()
                .collect::<Vec<f32>>()
        });
        let pairs: Vec<f32> = second
            .iter()
            .flat_map(|v| [v[0], v[1], 5.0, 6.0, 7.0])
            .collect();
        let tight: Vec<[f32; 2]> = second.iter().map(|v| [v[0], v[1]]).collect();
        let inputs = [
            (
                Column::from(first.as_chunks::<4>().0),
                Column::from(&second),
            ),
            (
                Column::from(parts.each_ref().map(Vec::as_slice)),
                Column::strided(&pairs, 5, 2),
            ),
            (Column::strided(&first, 4, 4), Column::from(&tight)),
        ];
        for (number, (one, two)) in inputs.into_iter().enumerate() {
            // Room around what is written, which stays as it is.
            let mut whole = vec![[BEFORE; 4]; length + 2];
            let mut spaced = vec![BEFORE; 7 * length + 3];
            let mut killed = vec![9; length];
            let map = shader
                .map(Box::leak(Box::new(bindings())))
                .input(1, one)
                .input(2, two);
            let spaced_room =
                ColumnMut::strided(&mut spaced[..(7 * length).saturating_sub(5)], 7, 2);
            let map = map
                .output(3, &mut whole[1..=length])
                .output(5, spaced_room)
                .killed(&mut killed);
            map.run().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(
                (whole[0], whole[length + 1]),
                ([BEFORE; 4], [BEFORE; 4]),
                "{name}"
            );
            for (n, ([third, fifth], is_killed)) in expected.iter().enumerate() {
                let name = format!("{name}, layout {number}, element {n}");
                assert_eq!(killed[n], u8::from(*is_killed), "{name}");
                let kept = [BEFORE; 4];
                assert_eq!(
                    whole[n + 1],
                    if *is_killed { kept } else { *third },
                    "{name}"
                );
                let pair = if *is_killed { &kept[..2] } else { &fifth[..2] };
                let mut with_gap = [BEFORE; 7];
                with_gap[..2].copy_from_slice(pair);
                let room = &spaced[7 * n..7 * n + 7];
                assert_eq!(room, &with_gap[..], "{name}");
            }
        }
    }
}

#[test]
fn components_go_to_slices_of_their_own_and_values_are_the_same_for_all() {
    for engine in engines() {
        let shader = prepared(&engine, "mov o1, i1.yxwz \n add o2.x, i1.x, i3.w");
        let colours = vectors(&wave(4 * 99, 3));
        let (mut x, mut y, mut sums) = (vec![0.0; 99], vec![0.0; 99], vec![[0.0; 3]; 99]);
        let bindings = Bindings::new();
        let map = shader
            .map(&bindings)
            .input(1, &colours)
            .input(3, [0.0, 0.0, 0.0, 2.0]);
        map.output(1, [&mut x[..], &mut y[..]])
            .output(2, &mut sums)
            .run()
            .expect("it ends");
        for (n, colour) in colours.iter().enumerate() {
            assert_eq!([x[n], y[n]], [colour[1], colour[0]], "{}", engine.name());
            assert_eq!(sums[n], [colour[0] + 2.0, 0.0, 0.0], "{}", engine.name());
        }
    }
}

#[test]
fn what_elements_do_not_have_is_refused_by_name() {
    let input = [[1.0; 4]; 5];
    let bindings = Bindings::new();
    for (text, reason) in [
        (
            "ddx o1, i1",
            "instruction 0 is `ddx`: elements have no neighbours, unless four of them are a quad",
        ),
        (
            "mov r0, i1 \n ddy o1, r0",
            "instruction 1 is `ddy`: elements have no neighbours, unless four of them are a quad",
        ),
        (
            ".extended \n mdh o1, i1, i1, i1",
            "instruction 0 is `mdh`: elements have no neighbours, unless four of them are a quad",
        ),
        (
            ".extended \n pixld_mask o1.x",
            "instruction 0 is `pixld_mask`: elements are no pixels with samples",
        ),
        (
            ".extended \n evalc o1, i1",
            "instruction 0 is `evalc`: elements are no pixels with samples",
        ),
        (
            "zxp i1 \n mov o1, i1",
            "instruction 0 is `zxp`: elements have no depth",
        ),
        (
            "kls i1, 0 \n mov o1, i1",
            "instruction 0 is `kls`: elements have no samples that could be killed alone",
        ),
        (
            ".extended geometry \n mov o1, i1 \n emit 0",
            "the program is a geometry program",
        ),
        (
            "mov o2, i1",
            "the program does not write o1, which has a column",
        ),
        (
            "add o1, i1, i4",
            "the program reads i4, which has no column",
        ),
    ] {
        for error in refused(text, |shader| {
            shader
                .map(&bindings)
                .input(1, &input)
                .output(1, &mut [[0.0; 4]; 5])
                .run()
        }) {
            assert_eq!(error, reason);
        }
    }
}

#[test]
fn columns_that_do_not_fit_are_refused_by_name() {
    let bindings = Bindings::new();
    let (input, numbers) = ([[1.0; 4]; 5], [0.0; 20]);
    type Try<'a> = Box<dyn Fn(&Shader) -> Result<(), MapError> + 'a>;
    let tries: Vec<(Try<'_>, &str)> = vec![
        (
            Box::new(|shader| {
                shader
                    .map(&bindings)
                    .input(1, &input)
                    .output(1, &mut [[0.0; 4]; 6])
                    .run()
            }),
            "the column of o1 has 6 elements, but the column of i1 has 5",
        ),
        (
            Box::new(|shader| {
                shader
                    .map(&bindings)
                    .input(1, [&numbers[..5], &numbers[..4]])
                    .output(1, &mut [[0.0; 4]; 5])
                    .run()
            }),
            "the column of i1 has 4 elements, but the column of i1 has 5",
        ),
        (
            Box::new(|shader| {
                shader
                    .map(&bindings)
                    .input(1, &input)
                    .output(1, &mut [[0.0; 4]; 5])
                    .killed(&mut [0; 5])
                    .run()
            }),
            "the program kills no element",
        ),
        (
            Box::new(|shader| {
                shader
                    .map(&bindings)
                    .input(1, Column::strided(&numbers, 2, 3))
                    .output(1, &mut [[0.0; 4]; 5])
                    .run()
            }),
            "the column of i1 has 3 components and a stride of 2; 1 to 4 components fit a stride of as many",
        ),
        (
            Box::new(|shader| {
                shader
                    .map(&bindings)
                    .input(1, Column::strided(&numbers, 8, 5))
                    .output(1, &mut [[0.0; 4]; 5])
                    .run()
            }),
            "the column of i1 has 5 components and a stride of 8; 1 to 4 components fit a stride of as many",
        ),
        (
            Box::new(|shader| shader.map(&bindings).input(1, &input).run()),
            "the map has no output",
        ),
        (
            Box::new(|shader| {
                shader
                    .map(&bindings)
                    .input(1, [0.0; 4])
                    .killed(&mut [])
                    .run()
            }),
            "the program kills no element",
        ),
        (
            Box::new(|shader| shader.map(&bindings).input(99, [0.0; 4]).run()),
            "input i99 does not exist; the last is i63",
        ),
        (
            Box::new(|shader| {
                shader
                    .map(&bindings)
                    .input(1, &input)
                    .output(1, &mut [[0.0; 4]; 5])
                    .output(1, &mut [[0.0; 4]; 5])
                    .run()
            }),
            "output o1 has two columns",
        ),
    ];
    for (attempt, reason) in tries {
        for error in refused("mov o1, i1", &attempt) {
            assert_eq!(error, reason);
        }
    }
}

#[test]
fn a_loop_over_its_budget_names_the_element() {
    // Element 333 goes round for ever; it is no multiple of anything.
    let text = "
        again: mov o1, i1
        setpgt p0, i1.x, c0.x
        jmp p0, again
        end";
    let mut input = vec![[0.0; 4]; 1001];
    input[333][0] = 1.0;
    for error in refused(text, |shader| {
        shader
            .map(&Bindings::new())
            .input(1, &input)
            .output(1, &mut vec![[0.0; 4]; 1001])
            .threads(2)
            .run()
    }) {
        assert_eq!(
            error,
            "the jump at instruction 2 took more than 65536 backward jumps in element 333"
        );
    }
}

#[test]
fn neighbours_are_those_of_a_quad_only_where_it_is_asked_for() {
    for engine in engines() {
        let shader = prepared(&engine, "ddx o1.x, i1.x \n ddy o1.y, i1.x");
        let input = wave(10, 5);
        let mut output = vec![[0.0; 2]; 10];
        let bindings = Bindings::new();
        let map = shader.map(&bindings).quads().input(1, [&input[..]]);
        map.output(1, &mut output).run().expect("it ends");
        for (n, difference) in output.iter().enumerate() {
            let lane = |lane: usize| input[(n / 4 * 4 + lane).min(9)];
            let row = n % 4 / 2 * 2;
            let expected = [lane(row + 1) - lane(row), lane(2 + n % 2) - lane(n % 2)];
            assert_eq!(*difference, expected, "{} {n}", engine.name());
        }
    }
}

/// Black with a white level 3.
fn levels() -> Textures {
    let texels = [8, 4, 2, 1u32]
        .map(|side| vec![if side == 1 { 255u8 } else { 0 }; (4 * side * side) as usize]);
    let texels = texels.each_ref().map(Vec::as_slice);
    let image = Image::from_levels(Dimension::D2, Format::Rgba8, Size::d2(8, 8), &texels)
        .expect("it is an image");
    let sampler = Sampler {
        mip: MipMode::Nearest,
        ..Sampler::default()
    };
    let mut textures = Textures::new();
    let texture = Texture::new(Arc::new(image), sampler).expect("it fits");
    textures.bind(0, texture).expect("there is a unit 0");
    textures
}

#[test]
fn textures_are_sampled_at_level_0_and_their_bias_unless_elements_are_neighbours() {
    let textures = levels();
    let bindings = Bindings::new().with_textures(&textures);
    // Far apart, so that derivatives would lead to the last level.
    let input: Vec<[f32; 4]> = (0..101)
        .map(|n| {
            [
                n as f32 * 3.0,
                n as f32 * 5.0,
                0.0,
                if n % 2 == 0 { 3.0 } else { 0.0 },
            ]
        })
        .collect();
    for engine in engines() {
        for (text, alone) in [
            ("tex o1, i1, t0", [0.0, 0.0]),
            ("txb o1, i1, t0", [1.0, 0.0]),
        ] {
            let shader = prepared(&engine, text);
            let mut output = vec![[0.0; 1]; 101];
            shader
                .map(&bindings)
                .input(1, &input)
                .output(1, &mut output)
                .run()
                .expect("it ends");
            for (n, [red]) in output.iter().enumerate() {
                assert_eq!(*red, alone[n % 2], "{} {n}", engine.name());
            }
            shader
                .map(&bindings)
                .quads()
                .input(1, &input)
                .output(1, &mut output)
                .run()
                .expect("it ends");
            assert_eq!(output[..100], vec![[1.0; 1]; 100], "{}", engine.name());
        }
    }
}

fn storage(words: usize) -> Arc<[AtomicU32]> {
    (0..words).map(|_| AtomicU32::new(0)).collect()
}

fn word(storage: &[AtomicU32], word: usize) -> u32 {
    storage[word].load(Ordering::Relaxed)
}

#[test]
fn an_element_that_stores_ends_before_the_next_begins() {
    // A running sum: what the element before has stored is there.
    let text = "
        .extended
        ldb r0.x, i0.x, u0
        addi r0.x, r0.x, i1.x
        stb u0.x, i0.x, r0.x
        mov o1.x, r0.x";
    for engine in engines() {
        let shader = prepared(&engine, text);
        let words = storage(4);
        let bindings = Bindings::new().with_storage(0, Arc::clone(&words));
        let input: Vec<[f32; 1]> = (1..=1003).map(|n| [f32::from_bits(n)]).collect();
        let mut sums = vec![[0.0; 1]; 1003];
        let map = shader
            .map(&bindings)
            .input(0, [0.0; 4])
            .input(1, &input)
            .output(1, &mut sums);
        map.threads(4).run().expect("it ends");
        assert_eq!(word(&words, 0), 1003 * 1004 / 2, "{}", engine.name());
        let bits: Vec<u32> = sums.iter().map(|[sum]| sum.to_bits()).collect();
        let expected: Vec<u32> = (1..=1003).map(|n| n * (n + 1) / 2).collect();
        assert_eq!(bits, expected, "{}", engine.name());
    }
}

#[test]
fn atomic_operations_see_each_element_once_on_any_number_of_threads() {
    let text = ".extended \n atomadd r0.x, i0.x, u0, i1.x";
    for engine in engines() {
        let shader = prepared(&engine, text);
        for (elements, threads) in [(1, 1), (3, 1), (70, 1), (40_001, 2), (40_002, 0)] {
            let words = storage(1);
            let bindings = Bindings::new().with_storage(0, Arc::clone(&words));
            let ones = vec![[f32::from_bits(1)]; elements];
            let map = shader.map(&bindings).input(0, [0.0; 4]).input(1, &ones);
            map.threads(threads).run().expect("it ends");
            assert_eq!(word(&words, 0) as usize, elements, "{}", engine.name());
        }
    }
}

#[test]
fn results_are_the_same_on_any_number_of_threads() {
    let input = vectors(&wave(4 * 50_003, 7));
    let bindings = bindings();
    let mut results = Vec::new();
    for engine in engines() {
        let shader = prepared(&engine, PROGRAM);
        for threads in [1, 2, 0] {
            let mut output = vec![[BEFORE; 4]; input.len()];
            let map = shader.map(&bindings).input(1, &input).input(2, [3.0; 4]);
            map.output(3, &mut output)
                .threads(threads)
                .run()
                .expect("it ends");
            results.push(output);
        }
    }
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn progress_is_told_up_to_the_end_and_may_stop_a_map() {
    let input = vectors(&wave(4 * 50_003, 7));
    let bindings = bindings();
    for (engine, threads) in engines()
        .iter()
        .flat_map(|engine| [(engine, 1), (engine, 2)])
    {
        let shader = prepared(engine, PROGRAM);
        let told = Mutex::new(Vec::new());
        let tell = |done, all| {
            told.lock().unwrap().push(done);
            assert_eq!(all, 50_003);
            ControlFlow::Continue(())
        };
        let mut output = vec![[BEFORE; 4]; input.len()];
        let map = shader
            .map(&bindings)
            .input(1, &input)
            .input(2, [3.0; 4])
            .threads(threads);
        map.output(3, &mut output)
            .progress(&tell)
            .run()
            .expect("it ends");
        let told = told.into_inner().unwrap();
        assert!(told.is_sorted() && told.len() > 3, "{told:?}");
        assert_eq!(told.last(), Some(&50_003));

        let calls = AtomicUsize::new(0);
        let stop = |done, _| {
            calls.fetch_add(1, Ordering::Relaxed);
            if done < 700 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let mut partly = vec![[BEFORE; 4]; input.len()];
        let map = shader.map(&bindings).input(1, &input).input(2, [3.0; 4]);
        let error = map
            .output(3, &mut partly)
            .progress(&stop)
            .run()
            .expect_err("it is stopped");
        let MapError::Stopped { done, all: 50_003 } = error else {
            panic!("{error}");
        };
        assert!((700..20_000).contains(&done), "{done}");
        assert_eq!(partly[..done], output[..done]);
        assert!(partly[done..].iter().all(|vector| *vector == [BEFORE; 4]));
        assert_eq!(
            error.to_string(),
            format!("the map was stopped after {done} of 50003 elements")
        );
    }
}
