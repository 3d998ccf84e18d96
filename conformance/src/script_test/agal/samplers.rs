//! The state of samplers.

use attila_shader::front::agal;
use attila_shader::texture::{Filter, MipMode, Sampler, Wrap};

/// The state that a program asks for. The bias is not part of it, as translations add it to the level.
pub(super) fn state(sampler: &agal::Sampler) -> Sampler {
    let wrap = match sampler.wrap {
        0 => [Wrap::ClampToEdge; 2],
        1 => [Wrap::Repeat; 2],
        2 => [Wrap::ClampToEdge, Wrap::Repeat],
        _ => [Wrap::Repeat, Wrap::ClampToEdge],
    };
    let filter = match sampler.filter {
        0 => Filter::Nearest,
        _ => Filter::Linear,
    };
    Sampler {
        mag: filter,
        min: filter,
        mip: match sampler.mip {
            0 => MipMode::None,
            1 => MipMode::Nearest,
            _ => MipMode::Linear,
        },
        wrap: [wrap[0], wrap[1], wrap[0]],
        max_anisotropy: match sampler.filter {
            0 | 1 => 1,
            steps => 1 << (steps - 1).min(4),
        },
        ..Sampler::RESET
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_those_of_the_options() {
        let state = |options: &str| {
            let mut words = options.split(' ');
            let sampler = words.try_fold(agal::Sampler::default(), |it, word| it.with_option(word));
            state(&sampler.expect("there are such options"))
        };
        let plain = state("clamp");
        assert_eq!(plain.wrap, [Wrap::ClampToEdge; 3]);
        assert_eq!((plain.min, plain.mip), (Filter::Nearest, MipMode::None));
        let sampler = state("repeat_u_clamp_v anisotropic8x miplinear");
        assert_eq!(sampler.wrap[..2], [Wrap::Repeat, Wrap::ClampToEdge]);
        assert_eq!((sampler.max_anisotropy, sampler.mip), (8, MipMode::Linear));
        assert_eq!(state("anisotropic16x").max_anisotropy, 16);
        assert_eq!(state("linear").max_anisotropy, 1);
        assert_eq!(state("linear").mag, Filter::Linear);
    }
}
