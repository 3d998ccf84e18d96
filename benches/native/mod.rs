//! Four fragment programs as a programmer would write them by hand for 4, 8 and 16 lanes. The JIT's code
//! is measured against them.
//!
//! They do what the programs in `programs` say, rounding for rounding, so that their pictures are
//! the same byte for byte. Everything else is allowed within the lanes: intrinsics, any order of the
//! pixels, the fastest number of vectors side by side, work of a row done once per row, and all
//! optimisations of LLVM.
//!
//! Functions are always inlined into the ones that are compiled for a width (`shaders::compiled`).

#[cfg(target_arch = "x86_64")]
mod eight;
#[cfg(target_arch = "x86_64")]
mod four;
#[cfg(target_arch = "x86_64")]
mod lanes;
#[cfg(target_arch = "x86_64")]
mod rows;
#[cfg(target_arch = "x86_64")]
mod shaders;
#[cfg(target_arch = "x86_64")]
mod sixteen;
#[cfg(target_arch = "x86_64")]
mod vector;

use attila_shader::machine::pipeline::Plane;

/// Which program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Native {
    Passthrough,
    BlinnPhong,
    Julia,
    Bilinear,
}

/// The inputs, constants and texture that a program draws with.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    /// The planes of the inputs, in the order of their registers and components, from the corner.
    pub(crate) planes: &'a [Plane],
    /// `c0` and those that follow.
    pub(crate) constants: &'a [[f32; 4]],
    /// The texels that are sampled, repeated along both axes.
    pub(crate) texture: Texels<'a>,
}

/// An image, row by row, red in the lowest byte.
#[derive(Clone, Copy)]
pub(crate) struct Texels<'a> {
    pub(crate) texels: &'a [u32],
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// Numbers of vectors that may be shaded side by side.
pub(crate) const SIDE_BY_SIDE: [usize; 3] = [1, 2, 4];

/// Lanes of a vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Width {
    /// SSE registers, with AVX2 and FMA.
    Four,
    /// AVX2 and FMA.
    Eight,
    /// AVX-512 F, BW, DQ and VL.
    Sixteen,
}

impl Width {
    /// Whether this machine has the instructions.
    pub(crate) fn is_possible(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        let possible = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && match self {
                Width::Four | Width::Eight => true,
                Width::Sixteen => {
                    is_x86_feature_detected!("avx512f")
                        && is_x86_feature_detected!("avx512bw")
                        && is_x86_feature_detected!("avx512dq")
                        && is_x86_feature_detected!("avx512vl")
                }
            };
        #[cfg(not(target_arch = "x86_64"))]
        let possible = false;
        possible
    }
}

impl Native {
    /// Draws into RGBA8 pixels, `width` in a row, `vectors` of [`SIDE_BY_SIDE`] at a time.
    ///
    /// # Panics
    ///
    /// If the machine lacks the instructions, `width` is not a multiple of the pixels side by side,
    /// there is an odd number of rows, or the scene lacks something.
    pub(crate) fn draw(
        self,
        scene: &Scene<'_>,
        target: &mut [u8],
        width: usize,
        (lanes, vectors): (Width, usize),
    ) {
        assert!(lanes.is_possible(), "the machine lacks instructions");
        #[cfg(target_arch = "x86_64")]
        {
            use shaders::{eight, four, sixteen};
            // SAFETY: the machine has what the functions are compiled for.
            unsafe {
                match (lanes, vectors) {
                    (Width::Four, 1) => four::draw::<1>(self, scene, target, width),
                    (Width::Four, 2) => four::draw::<2>(self, scene, target, width),
                    (Width::Four, 4) => four::draw::<4>(self, scene, target, width),
                    (Width::Eight, 1) => eight::draw::<1>(self, scene, target, width),
                    (Width::Eight, 2) => eight::draw::<2>(self, scene, target, width),
                    (Width::Eight, 4) => eight::draw::<4>(self, scene, target, width),
                    (Width::Sixteen, 1) => sixteen::draw::<1>(self, scene, target, width),
                    (Width::Sixteen, 2) => sixteen::draw::<2>(self, scene, target, width),
                    (Width::Sixteen, 4) => sixteen::draw::<4>(self, scene, target, width),
                    _ => panic!("{vectors} vectors side by side"),
                }
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = (self, scene, target, width, vectors);
    }
}
