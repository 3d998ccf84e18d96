//! Random programs, drawn by both interfaces with random state: the same bytes, or an error from both.

use std::ptr::{null, null_mut};

use ::attila_shader::Engine;
use ::attila_shader::draw::Plane;
use attila::*;
use attila_conformance::pictures::{PICTURE, Picture, SIZE, TRIANGLES, before};

use crate::tools::{ok, prepared};

/// Bytes of a row, with some that nobody may touch.
const PITCH: usize = SIZE[0] as usize * 16 + 5;

/// Draws by the C interface.
fn drawn(picture: &Picture, engine: attila_engine) -> Option<[Vec<u8>; 2]> {
    let (mut bindings, mut draw, mut texture) = (null_mut(), null_mut(), null_mut());
    let binary = picture.case.program.program().encode();
    let options = attila_load_options {
        form: ATTILA_FORM_BINARY,
        stage: ATTILA_STAGE_FRAGMENT,
        ..attila_load_options::default()
    };
    let engine = attila_prepare_options {
        engine,
        ..attila_prepare_options::default()
    };
    let (program, shader) = prepared(&binary, &options, &engine);
    ok(attila_bindings_new(program, &mut bindings, null_mut()));
    for (index, value) in &picture.case.constants {
        ok(attila_bindings_constant_bits(
            bindings,
            *index,
            value.as_ptr(),
            1,
        ));
    }
    ok(attila_bindings_loop_budget(
        bindings,
        picture.case.loop_budget,
    ));
    let level = attila_bytes {
        data: picture.texels.as_ptr().cast(),
        length: picture.texels.len(),
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
        &state(picture),
        &mut draw,
        null_mut(),
    ));
    for (input, is_flat, planes) in &picture.planes {
        let is_vertices = !picture.vertices.is_empty() && *input == 1;
        let varying = attila_varying {
            kind: match (is_vertices, is_flat) {
                (true, _) => ATTILA_INPUT_VERTICES,
                (false, true) => ATTILA_INPUT_FLAT,
                (false, false) => ATTILA_INPUT_LINEAR,
            },
            planes: planes.map(|Plane { at, dx, dy }| attila_plane { at, dx, dy }),
            ..attila_varying::default()
        };
        ok(attila_draw_input(draw, *input, &varying));
    }
    let drawn = draw_shape(picture, draw, bindings);
    ok(attila_draw_free(draw));
    ok(attila_bindings_free(bindings));
    ok(attila_shader_free(shader));
    ok(attila_program_free(program));
    drawn
}

fn state(picture: &Picture) -> attila_state {
    let (alpha, alpha_reference) = picture.alpha.unwrap_or_default();
    let mut state = attila_state {
        depth_compare: picture.compare as u32 + 1,
        blend_constant: picture.blend_constant,
        alpha_compare: picture
            .alpha
            .map_or(ATTILA_COMPARE_OFF, |_| alpha as u32 + 1),
        alpha_reference,
        anchor: picture.anchor,
        sample_mask: picture.sample_mask,
        threads: picture.threads as u32,
        ..attila_state::default()
    };
    state.write_mask[0] = picture.mask;
    if let Some(blend) = picture.blend {
        let [
            colour_op,
            colour_src,
            colour_dst,
            alpha_op,
            alpha_src,
            alpha_dst,
        ] = blend.map(|number| number as u32);
        state.blend[0] = attila_blend {
            enabled: 1,
            colour_op,
            colour_src,
            colour_dst,
            alpha_op,
            alpha_src,
            alpha_dst,
        };
    }
    if let Some(scissor) = picture.scissor {
        let [x0, y0, x1, y1] = scissor.map(i64::from);
        state.has_scissor = 1;
        state.scissor = attila_rect { x0, y0, x1, y1 };
    }
    state
}

fn draw_shape(
    picture: &Picture,
    draw: *mut attila_draw,
    bindings: *const attila_bindings,
) -> Option<[Vec<u8>; 2]> {
    let mut memory = [picture.seed, picture.seed + 1].map(|seed| before(seed, PITCH));
    let depth_format = ATTILA_FORMAT_D32F + picture.depth.saturating_sub(1) as u32;
    let mut formats = [picture.format as u32, depth_format].into_iter();
    let [colour, depth] = memory.each_mut().map(|memory| attila_image {
        pixels: memory.as_mut_ptr().cast(),
        bytes: memory.len(),
        width: SIZE[0],
        height: SIZE[1],
        format: formats.next().expect("there are two"),
        samples: picture.samples as u32,
        pitch: PITCH,
        ..attila_image::default()
    });
    let mut frame = attila_frame {
        bindings,
        ..attila_frame::default()
    };
    frame.colour[0] = &colour;
    if picture.depth != 0 {
        frame.depth = &depth;
    }
    if let Some(origin) = picture.origin {
        frame.origin = origin;
        frame.picture = PICTURE;
    }
    let status = match &picture.vertices[..] {
        [] => {
            let [x1, y1] = PICTURE.map(i64::from);
            attila_draw_rect(
                draw,
                &frame,
                attila_rect {
                    x0: 0,
                    y0: 0,
                    x1,
                    y1,
                },
                null_mut(),
            )
        }
        vertices => {
            let [positions, colours] =
                [0, 1].map(|part: usize| vertices.iter().flat_map(|it| it[part]).collect());
            let (positions, colours): (Vec<f32>, Vec<f32>) = (positions, colours);
            let attribute = attila_array {
                input: 1,
                numbers: colours.as_ptr(),
                count: vertices.len(),
                ..attila_array::default()
            };
            let triangles = attila_triangles {
                positions: positions.as_ptr(),
                count: vertices.len(),
                attributes: &attribute,
                attribute_count: 1,
                indices: TRIANGLES.as_ptr().cast(),
                index_count: TRIANGLES.as_flattened().len(),
                ..attila_triangles::default()
            };
            attila_draw_triangles(draw, &frame, &triangles, null_mut())
        }
    };
    (status == ATTILA_STATUS_OK).then_some(memory)
}

#[test]
fn random_scenes_have_the_same_bytes_in_c_and_in_rust() {
    let engines = [
        (Engine::interp(), ATTILA_ENGINE_INTERP),
        (Engine::auto(), ATTILA_ENGINE_AUTO),
    ];
    let mut changed = 0;
    for picture in Picture::all().take(500) {
        for (engine, number) in &engines {
            let rust = picture.drawn(engine, PITCH);
            let same = rust == drawn(&picture, *number);
            assert!(same, "seed {}, engine {}", picture.seed, engine.name());
            let before = before(picture.seed, PITCH);
            changed += usize::from(rust.is_some_and(|[pixels, _]| pixels != before));
        }
    }
    assert!(changed > 350, "only {changed} pictures have changed");
}
