//! Random programs, drawn by both interfaces with random state: the same bytes, or an error from both.

use std::ptr::{null, null_mut};

use ::attila_shader::draw::{Buffer, DepthState, Plane, Varying};
use ::attila_shader::isa::{Slots, Stage};
use ::attila_shader::machine::pipeline::{Blend, BlendEquation, BlendFactor, BlendOp};
use ::attila_shader::texture::{Dimension, Format, Image, Size};
use ::attila_shader::{
    Bindings, ColourFormat, Compare, DepthFormat, Draw, Engine, SampleCount, Sampler, Shader,
    Texture, Textures, ValidProgram,
};
use attila::*;
use attila_conformance::generate::{Options, generate};
use attila_conformance::{ByteRng, Dice};

const WIDTH: u32 = 9;
const HEIGHT: u32 = 70;
/// Bytes of a row, with some that nobody may touch.
const PITCH: usize = WIDTH as usize * 16 + 5;
const SAMPLES: usize = 4;

/// A draw in numbers.
struct Scene {
    program: ValidProgram,
    constants: Vec<(usize, [u32; 4])>,
    budget: u32,
    planes: Vec<(usize, bool, [[f32; 3]; 4])>,
    texels: Vec<u8>,
    format: u32,
    depth: u32,
    compare: u32,
    blend: [u32; 7],
    blend_constant: [f32; 4],
    alpha: (u32, f32),
    anchor: [f32; 2],
    sample_mask: u32,
    mask: u8,
    samples: u32,
    scissor: Option<[i64; 4]>,
    threads: u32,
    origin: Option<[i32; 2]>,
    pixels: Vec<u8>,
    depths: Vec<u8>,
}

/// Bytes that follow from a seed (SplitMix64).
fn bytes(seed: u64, count: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let word = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31).to_le_bytes()
    };
    let words = std::iter::repeat_with(word);
    words
        .take(count.div_ceil(8))
        .flatten()
        .take(count)
        .collect()
}

impl Scene {
    fn new(seed: u64) -> Option<Scene> {
        let bytes = bytes(seed, 1 << 16);
        let mut rng = ByteRng::new(&bytes);
        let mut dice = Dice::new(&mut rng);
        let options = Options {
            vertex: 0,
            geometry: 0,
            length: 12,
            quads: 1,
            ..Options::DEFAULT
        };
        let case = generate(&mut dice, &options);
        if case.program.program().stage() != Stage::Fragment {
            return None;
        }
        let plane = |dice: &mut Dice<'_>| {
            [
                dice.within(-2.0, 2.0),
                dice.within(-0.1, 0.1),
                dice.within(-0.1, 0.1),
            ]
        };
        let inputs = (1..16).filter(|input| *input != 15);
        let planes =
            inputs.map(|input| (input, dice.percent(50), [(); 4].map(|()| plane(&mut dice))));
        let planes = planes.collect();
        Some(Scene {
            constants: case.constants.into_iter().collect(),
            budget: case.loop_budget,
            program: case.program,
            planes,
            texels: (0..64).map(|_| dice.word() as u8).collect(),
            format: dice.below(8) as u32,
            depth: dice.below(3) as u32,
            compare: 1 + dice.below(8) as u32,
            blend: [
                dice.below(2),
                dice.below(5),
                dice.below(15),
                dice.below(15),
                dice.below(5),
                dice.below(15),
                dice.below(15),
            ]
            .map(|number| number as u32),
            mask: if dice.percent(70) {
                0xf
            } else {
                dice.below(16) as u8
            },
            samples: if dice.percent(25) { 4 } else { 1 },
            blend_constant: [(); 4].map(|()| dice.unit()),
            alpha: (
                if dice.percent(30) {
                    1 + dice.below(8) as u32
                } else {
                    ATTILA_COMPARE_OFF
                },
                dice.unit(),
            ),
            anchor: [dice.within(-4.0, 4.0), dice.within(-4.0, 4.0)],
            sample_mask: if dice.percent(70) {
                u32::MAX
            } else {
                dice.word()
            },
            scissor: dice.percent(30).then_some([1, 3, 8, 66]),
            threads: 1 + dice.below(2) as u32,
            origin: dice.percent(30).then_some([-3, 5]),
            pixels: self::bytes(seed ^ 1, PITCH * HEIGHT as usize * SAMPLES),
            depths: self::bytes(seed ^ 2, PITCH * HEIGHT as usize * SAMPLES),
        })
    }

    /// The picture by the Rust interface, with its depths; `None`: an error.
    fn rust(&self, engine: &Engine) -> Option<(Vec<u8>, Vec<u8>)> {
        let shader = engine
            .prepare(&self.program)
            .expect("small programs compile");
        let image = Image::from_levels(
            Dimension::D2,
            Format::Rgba8,
            Size::d2(4, 4),
            &[&self.texels],
        );
        let texture = Texture::new(image.expect("it is an image"), Sampler::default());
        let texture = std::sync::Arc::new(texture.expect("it can be sampled"));
        let mut textures = Textures::new();
        (0..16).for_each(|unit| textures.bind(unit, texture.clone()).expect("it is a unit"));
        let mut bindings = Bindings::new()
            .with_textures(&textures)
            .with_loop_budget(self.budget);
        for (index, value) in &self.constants {
            bindings.set_constant_bits(*index, *value);
        }
        let (mut pixels, mut depths) = (self.pixels.clone(), self.depths.clone());
        let drawn = self.rust_draw(&shader, &bindings, (&mut pixels, &mut depths));
        drawn.then_some((pixels, depths))
    }

    fn rust_draw(
        &self,
        shader: &Shader,
        bindings: &Bindings<'_>,
        (pixels, depths): (&mut [u8], &mut [u8]),
    ) -> bool {
        let samples = SampleCount::of(self.samples as usize).expect("it is a count");
        let format = ColourFormat::ALL[self.format as usize];
        let colour = Buffer::new(format, WIDTH, HEIGHT, pixels)
            .with_pitch(PITCH)
            .with_samples(samples);
        let mut draw = Draw::new(shader)
            .bindings(bindings)
            .target(0, colour)
            .threads(self.threads as usize);
        for (input, linear, planes) in &self.planes {
            let planes = planes.map(|[at, dx, dy]| Plane { at, dx, dy });
            let varying = match linear {
                true => Varying::linear(planes),
                false => Varying::flat(planes.map(|plane| plane.at)),
            };
            draw = draw.varying(*input, varying);
        }
        if let Some(format) =
            [None, Some(DepthFormat::D32F), Some(DepthFormat::D24)][self.depth as usize]
        {
            let buffer = Buffer::new(format, WIDTH, HEIGHT, depths)
                .with_pitch(PITCH)
                .with_samples(samples);
            let compare = Compare::ALL[self.compare as usize - 1];
            draw = draw.depth(
                buffer,
                DepthState {
                    compare,
                    write: true,
                },
            );
        }
        let [enabled, op, src, dst, alpha_op, alpha_src, alpha_dst] =
            self.blend.map(|number| number as usize);
        let equation = |op, src, dst| BlendEquation {
            op: BlendOp::ALL[op],
            src: BlendFactor::ALL[src],
            dst: BlendFactor::ALL[dst],
        };
        if enabled != 0 {
            draw = draw.blend(
                0,
                Blend {
                    colour: equation(op, src, dst),
                    alpha: equation(alpha_op, alpha_src, alpha_dst),
                },
            );
        }
        if self.alpha.0 != ATTILA_COMPARE_OFF {
            draw = draw.alpha_test(Compare::ALL[self.alpha.0 as usize - 1], self.alpha.1);
        }
        draw = draw
            .blend_constant(self.blend_constant)
            .anchor(self.anchor)
            .sample_mask(self.sample_mask);
        draw = draw.write_mask(0, Slots::from_bits_truncate(self.mask));
        if let Some([x0, y0, x1, y1]) = self.scissor {
            draw = draw.scissor(x0..x1, y0..y1);
        }
        if let Some(origin) = self.origin {
            draw = draw.origin(origin, [100, 100]);
        }
        draw.rect(0..100, 0..100).is_ok()
    }

    /// The same by the C interface.
    fn c(&self, engine: attila_engine) -> Option<(Vec<u8>, Vec<u8>)> {
        let (mut program, mut shader, mut bindings, mut draw, mut texture) =
            (null_mut(), null_mut(), null_mut(), null_mut(), null_mut());
        let binary = self.program.program().encode();
        let source = attila_bytes {
            data: binary.as_ptr().cast(),
            length: binary.len(),
        };
        let options = attila_load_options {
            form: ATTILA_FORM_BINARY,
            stage: ATTILA_STAGE_FRAGMENT,
            ..attila_load_options::default()
        };
        ok(attila_program_load(
            source,
            &options,
            &mut program,
            null_mut(),
        ));
        let options = attila_prepare_options {
            engine,
            ..attila_prepare_options::default()
        };
        ok(attila_shader_prepare(
            program,
            &options,
            &mut shader,
            null_mut(),
        ));
        ok(attila_bindings_new(program, &mut bindings, null_mut()));
        for (index, value) in &self.constants {
            ok(attila_bindings_constant_bits(
                bindings,
                *index,
                value.as_ptr(),
                1,
            ));
        }
        ok(attila_bindings_loop_budget(bindings, self.budget));
        let level = attila_bytes {
            data: self.texels.as_ptr().cast(),
            length: self.texels.len(),
        };
        let data = attila_image_data {
            width: 4,
            height: 4,
            levels: &level,
            ..attila_image_data::default()
        };
        ok(attila_texture_new(&data, null(), &mut texture, null_mut()));
        (0..16).for_each(|unit| ok(attila_bindings_texture(bindings, unit, texture)));
        ok(attila_texture_free(texture));
        ok(attila_draw_new(
            shader,
            &self.c_state(),
            &mut draw,
            null_mut(),
        ));
        for (input, linear, planes) in &self.planes {
            let varying = attila_varying {
                kind: if *linear {
                    ATTILA_INPUT_LINEAR
                } else {
                    ATTILA_INPUT_FLAT
                },
                planes: planes.map(|[at, dx, dy]| attila_plane { at, dx, dy }),
                ..attila_varying::default()
            };
            ok(attila_draw_input(draw, *input, &varying));
        }
        let drawn = self.c_draw(draw, bindings);
        ok(attila_draw_free(draw));
        ok(attila_bindings_free(bindings));
        ok(attila_shader_free(shader));
        ok(attila_program_free(program));
        drawn
    }

    fn c_state(&self) -> attila_state {
        let [
            enabled,
            colour_op,
            colour_src,
            colour_dst,
            alpha_op,
            alpha_src,
            alpha_dst,
        ] = self.blend;
        let mut state = attila_state {
            depth_compare: self.compare,
            blend_constant: self.blend_constant,
            alpha_compare: self.alpha.0,
            alpha_reference: self.alpha.1,
            anchor: self.anchor,
            sample_mask: self.sample_mask,
            threads: self.threads,
            ..attila_state::default()
        };
        state.write_mask[0] = self.mask;
        state.blend[0] = attila_blend {
            enabled,
            colour_op,
            colour_src,
            colour_dst,
            alpha_op,
            alpha_src,
            alpha_dst,
        };
        if let Some([x0, y0, x1, y1]) = self.scissor {
            state.has_scissor = 1;
            state.scissor = attila_rect { x0, y0, x1, y1 };
        }
        state
    }

    fn c_draw(
        &self,
        draw: *mut attila_draw,
        bindings: *const attila_bindings,
    ) -> Option<(Vec<u8>, Vec<u8>)> {
        let (mut pixels, mut depths) = (self.pixels.clone(), self.depths.clone());
        let image = |memory: &mut Vec<u8>, format| attila_image {
            pixels: memory.as_mut_ptr().cast(),
            bytes: memory.len(),
            width: WIDTH,
            height: HEIGHT,
            format,
            samples: self.samples,
            pitch: PITCH,
            ..attila_image::default()
        };
        let colour = image(&mut pixels, self.format);
        let depth = image(
            &mut depths,
            ATTILA_FORMAT_D32F + self.depth.saturating_sub(1),
        );
        let mut frame = attila_frame {
            bindings,
            ..attila_frame::default()
        };
        frame.colour[0] = &colour;
        if self.depth != 0 {
            frame.depth = &depth;
        }
        if let Some(origin) = self.origin {
            frame.origin = origin;
            frame.picture = [100, 100];
        }
        let all = attila_rect {
            x0: 0,
            y0: 0,
            x1: 100,
            y1: 100,
        };
        let status = attila_draw_rect(draw, &frame, all, null_mut());
        (status == ATTILA_STATUS_OK).then_some((pixels, depths))
    }
}

fn ok(status: attila_status) {
    assert_eq!(status, ATTILA_STATUS_OK);
}

#[test]
fn random_scenes_have_the_same_bytes_in_c_and_in_rust() {
    let engines = [
        (Engine::interp(), ATTILA_ENGINE_INTERP),
        (Engine::auto(), ATTILA_ENGINE_AUTO),
    ];
    let mut drawn = 0;
    for seed in 0..500 {
        let Some(scene) = Scene::new(seed) else {
            continue;
        };
        for (engine, number) in &engines {
            let rust = scene.rust(engine);
            assert!(
                rust == scene.c(*number),
                "seed {seed}, engine {}",
                engine.name()
            );
            drawn += usize::from(rust.is_some_and(|(pixels, _)| pixels != scene.pixels));
        }
    }
    assert!(drawn > 350, "only {drawn} pictures have changed");
}
