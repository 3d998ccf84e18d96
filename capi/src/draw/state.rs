//! State of draws

use ::attila_shader::draw::{Cull, DepthState, FrontFace};
use ::attila_shader::isa::Slots;
use ::attila_shader::machine::pipeline::{Blend, BlendEquation, BlendFactor, BlendOp};
use ::attila_shader::{Compare, Draw, SampleCount};

use super::frame::Formats;
use crate::basics::*;
use crate::failure::{Failure, Outcome};

/// The factor of a colour before it is mixed, as in OpenGL.
pub type attila_factor = u32;

pub const ATTILA_FACTOR_ZERO: attila_factor = 0;
pub const ATTILA_FACTOR_ONE: attila_factor = 1;
pub const ATTILA_FACTOR_SRC_COLOUR: attila_factor = 2;
pub const ATTILA_FACTOR_ONE_MINUS_SRC_COLOUR: attila_factor = 3;
pub const ATTILA_FACTOR_DST_COLOUR: attila_factor = 4;
pub const ATTILA_FACTOR_ONE_MINUS_DST_COLOUR: attila_factor = 5;
pub const ATTILA_FACTOR_SRC_ALPHA: attila_factor = 6;
pub const ATTILA_FACTOR_ONE_MINUS_SRC_ALPHA: attila_factor = 7;
pub const ATTILA_FACTOR_DST_ALPHA: attila_factor = 8;
pub const ATTILA_FACTOR_ONE_MINUS_DST_ALPHA: attila_factor = 9;
pub const ATTILA_FACTOR_CONSTANT_COLOUR: attila_factor = 10;
pub const ATTILA_FACTOR_ONE_MINUS_CONSTANT_COLOUR: attila_factor = 11;
pub const ATTILA_FACTOR_CONSTANT_ALPHA: attila_factor = 12;
pub const ATTILA_FACTOR_ONE_MINUS_CONSTANT_ALPHA: attila_factor = 13;
pub const ATTILA_FACTOR_SRC_ALPHA_SATURATE: attila_factor = 14;

/// How two products are put together. Minimum and maximum take colours without factors.
pub type attila_blend_op = u32;

pub const ATTILA_BLEND_ADD: attila_blend_op = 0;
pub const ATTILA_BLEND_SUBTRACT: attila_blend_op = 1;
pub const ATTILA_BLEND_REVERSE_SUBTRACT: attila_blend_op = 2;
pub const ATTILA_BLEND_MIN: attila_blend_op = 3;
pub const ATTILA_BLEND_MAX: attila_blend_op = 4;

/// Which triangles are left out.
pub type attila_cull = u32;

pub const ATTILA_CULL_NONE: attila_cull = 0;
pub const ATTILA_CULL_FRONT: attila_cull = 1;
pub const ATTILA_CULL_BACK: attila_cull = 2;

/// How colours are mixed with those that are there.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct attila_blend {
    /// 0: colours replace what is there.
    pub enabled: u32,
    pub colour_op: attila_blend_op,
    pub colour_src: attila_factor,
    pub colour_dst: attila_factor,
    pub alpha_op: attila_blend_op,
    pub alpha_src: attila_factor,
    pub alpha_dst: attila_factor,
}

/// A rectangle of pixels: columns from `x0` to `x1` - 1, rows from `y0` to `y1` - 1.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct attila_rect {
    pub x0: i64,
    pub y0: i64,
    pub x1: i64,
    pub y1: i64,
}

/// The state of a draw.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_state {
    pub size: usize,
    /// A fragment is kept if its depth, on the left, compares like this with the stored one. Off: a depth image is left
    /// alone.
    pub depth_compare: attila_compare,
    /// 1: stores depths.
    pub depth_write: u32,
    /// A fragment is kept if `o1.w`, on the left, compares like this with `alpha_reference`.
    pub alpha_compare: attila_compare,
    pub alpha_reference: f32,
    /// For each colour image.
    pub blend: [attila_blend; 8],
    pub blend_constant: [f32; 4],
    /// The components that are stored of each colour image, bit 0 = red.
    pub write_mask: [u8; 8],
    /// If `has_scissor` is 1, draws only there.
    pub scissor: attila_rect,
    pub has_scissor: u32,
    pub cull: attila_cull,
    /// 1: triangles show their front whose vertices go with the clock, and not against it.
    pub front_clockwise: u32,
    /// 1: triangles that show their back have the colours of the back, attributes 3 and 4.
    pub two_sided: u32,
    /// Draws only to these samples, bit n = sample n.
    pub sample_mask: u32,
    /// 1: runs the program for each sample.
    pub sample_shading: u32,
    /// 1: has `o1.w` choose samples.
    pub alpha_to_coverage: u32,
    /// Covers pixels of images with one sample by so many samples; 0: by as many as they have.
    pub raster_samples: u32,
    /// As many are set of `sample_positions`, in sixteenths of a pixel from the centre; 0: the standard positions.
    pub sample_position_count: u32,
    pub sample_positions: [[i8; 2]; 16],
    /// Where planes start from.
    pub anchor: [f32; 2],
    /// Draws on up to so many threads; 0: as many as there are processors.
    pub threads: u32,
}

impl Default for attila_state {
    fn default() -> attila_state {
        attila_state {
            size: size_of::<attila_state>(),
            depth_compare: ATTILA_COMPARE_LESS,
            depth_write: 1,
            alpha_compare: ATTILA_COMPARE_OFF,
            alpha_reference: 0.0,
            blend: [attila_blend::default(); 8],
            blend_constant: [0.0; 4],
            write_mask: [0xf; 8],
            scissor: attila_rect::default(),
            has_scissor: 0,
            cull: ATTILA_CULL_NONE,
            front_clockwise: 0,
            two_sided: 0,
            sample_mask: u32::MAX,
            sample_shading: 0,
            alpha_to_coverage: 0,
            raster_samples: 0,
            sample_position_count: 0,
            sample_positions: [[0; 2]; 16],
            anchor: [0.0; 2],
            threads: 1,
        }
    }
}

pub(super) fn depth_state(state: &attila_state) -> Outcome<Option<DepthState>> {
    let compare = compare("`state.depth_compare`", state.depth_compare)?;
    let write = state.depth_write != 0;
    Ok(compare.map(|compare| DepthState { compare, write }))
}

fn equation(op: attila_blend_op, src: attila_factor, dst: attila_factor) -> Outcome<BlendEquation> {
    let factor = |number| one_of("a blend factor", number, &BlendFactor::ALL);
    Ok(BlendEquation {
        op: one_of("a blend operation", op, &BlendOp::ALL)?,
        src: factor(src)?,
        dst: factor(dst)?,
    })
}

fn blend(given: &attila_blend) -> Outcome<Option<Blend>> {
    if given.enabled == 0 {
        return Ok(None);
    }
    Ok(Some(Blend {
        colour: equation(given.colour_op, given.colour_src, given.colour_dst)?,
        alpha: equation(given.alpha_op, given.alpha_src, given.alpha_dst)?,
    }))
}

/// A draw with the state. Write masks count where there are images.
pub(super) fn describe<'a>(
    draw: Draw<'a>,
    state: &attila_state,
    formats: &Formats,
) -> Outcome<Draw<'a>> {
    depth_state(state)?;
    let alpha = compare("`state.alpha_compare`", state.alpha_compare)?;
    let front = [FrontFace::CounterClockwise, FrontFace::Clockwise];
    let mut draw = draw
        .alpha_test(alpha.unwrap_or(Compare::Always), state.alpha_reference)
        .blend_constant(state.blend_constant)
        .cull(
            one_of(
                "`state.cull`",
                state.cull,
                &[Cull::None, Cull::Front, Cull::Back],
            )?,
            one_of("`state.front_clockwise`", state.front_clockwise, &front)?,
        )
        .two_sided(state.two_sided != 0)
        .sample_mask(state.sample_mask)
        .sample_shading(state.sample_shading != 0)
        .alpha_to_coverage(state.alpha_to_coverage != 0)
        .anchor(state.anchor)
        .threads(state.threads as usize);
    for (index, given) in state.blend.iter().enumerate() {
        if let Some(blend) = blend(given)? {
            draw = draw.blend(index, blend);
        }
    }
    for (index, mask) in state.write_mask.iter().enumerate() {
        let mask = Slots::from_bits(*mask);
        let mask =
            mask.ok_or_else(|| Failure::range("`state.write_mask` has more than four components"))?;
        if formats.has_colour(index) {
            draw = draw.write_mask(index, mask);
        }
    }
    if state.has_scissor != 0 {
        let attila_rect { x0, y0, x1, y1 } = state.scissor;
        draw = draw.scissor(x0..x1, y0..y1);
    }
    if state.raster_samples != 0 {
        let count = SampleCount::of(state.raster_samples as usize);
        let wrong = || Failure::range("`state.raster_samples` is not 1, 2, 4, 8 or 16");
        draw = draw.raster_samples(count.ok_or_else(wrong)?);
    }
    if state.sample_position_count != 0 {
        let positions = state
            .sample_positions
            .get(..state.sample_position_count as usize);
        let wrong = || Failure::range("`state.sample_position_count` is more than 16");
        draw = draw.sample_positions(positions.ok_or_else(wrong)?);
    }
    Ok(draw)
}
