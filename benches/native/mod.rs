//! Four fragment programs as a programmer would write them by hand for four lanes. The JIT's code is
//! measured against them.
//!
//! They do what the programs in `programs` say, rounding for rounding, so that their pictures are
//! the same byte for byte. Everything else is allowed within four lanes: intrinsics, the fastest number
//! of quads side by side, work of a row done once per row, and all optimisations of LLVM.

#[cfg(target_arch = "x86_64")]
mod lanes;
#[cfg(target_arch = "x86_64")]
mod rows;
#[cfg(target_arch = "x86_64")]
mod shaders;

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

/// Numbers of quads that may be shaded side by side.
pub(crate) const SIDE_BY_SIDE: [usize; 3] = [1, 2, 4];

impl Native {
    /// Whether there is such code for this machine.
    pub(crate) fn is_possible() -> bool {
        #[cfg(target_arch = "x86_64")]
        let possible = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        #[cfg(not(target_arch = "x86_64"))]
        let possible = false;
        possible
    }

    /// Draws into RGBA8 pixels, `width` in a row, `quads` of [`SIDE_BY_SIDE`] at a time.
    ///
    /// # Panics
    ///
    /// If it is not possible here, `width` is not a multiple of eight, there is an odd number of rows,
    /// or the scene lacks something.
    pub(crate) fn draw(self, scene: &Scene<'_>, target: &mut [u8], width: usize, quads: usize) {
        assert!(Native::is_possible(), "the machine has no AVX2");
        assert!(width.is_multiple_of(8), "{width} pixels in a row");
        #[cfg(target_arch = "x86_64")]
        {
            let draw = match quads {
                1 => shaders::draw::<1>,
                2 => shaders::draw::<2>,
                4 => shaders::draw::<4>,
                _ => panic!("{quads} quads side by side"),
            };
            // SAFETY: the machine has what `draw` is compiled for.
            unsafe { draw(self, scene, target, width) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = (self, scene, target, quads);
    }
}
