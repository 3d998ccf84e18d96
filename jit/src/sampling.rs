//! Textures that generated code samples by itself: how each is sampled, which the code is made
//! for, and the numbers that the code is handed in every run.

use attila_isa::TEXTURE_UNITS;
use attila_machine::Bindings;
use attila_texture::{
    Coordinates, CubeFaces, Dimension, Filter, MipMode, Storage, Texture, Textures, Wrap,
};
use smallvec::SmallVec;

use crate::abi::Descriptor;

/// 1/255 in two parts: the first 16 bits, which a byte times is exact, and the rest.
pub(crate) const INVERSE_255: [f32; 2] = [f32::from_bits(0x3b80_8000), f32::from_bits(0x3380_8081)];

/// How a unit is sampled, as far as code is specialised by it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Sampling {
    /// The texture unit.
    pub(crate) unit: u8,
    /// The faces that a cube's lanes sample; `None` for a 2D image.
    pub(crate) cube: Option<CubeFaces>,
    pub(crate) storage: Storage,
    pub(crate) mag: Filter,
    pub(crate) min: Filter,
    pub(crate) mip: MipMode,
    /// Along s and t.
    pub(crate) wrap: [Wrap; 2],
    pub(crate) coordinates: Coordinates,
}

impl Sampling {
    /// That of `texture` at `unit`, if code can sample it.
    fn of(unit: u8, texture: &Texture) -> Option<Sampling> {
        let (sampler, image) = (texture.sampler(), texture.image());
        let cube = match image.dimension() {
            Dimension::D2 => None,
            Dimension::Cube => Some(sampler.cube_faces),
            Dimension::D1 | Dimension::D3 => return None,
        };
        let is_single = sampler.max_level.min(image.levels().len() - 1) == sampler.base_level;
        let mip = match sampler.mip {
            MipMode::Nearest if is_single => MipMode::None,
            // With a single level, two samples of it are mixed, which rounds.
            mip @ (MipMode::None | MipMode::Nearest | MipMode::Linear) => mip,
        };
        let [s, t, _] = sampler.wrap;
        Some(Sampling {
            unit,
            cube,
            storage: texture.plain()?.storage(),
            mag: sampler.mag,
            min: sampler.min,
            mip,
            wrap: [s, t],
            coordinates: sampler.coordinates,
        })
    }

    /// Whether the level of detail makes a difference.
    pub(crate) fn needs_lod(&self) -> bool {
        self.mag != self.min || self.mip != MipMode::None
    }
}

/// Of all units at most. No draw has to allocate for them.
pub(crate) type Samplings = SmallVec<[Sampling; TEXTURE_UNITS as usize]>;
/// The same, for what code is handed.
pub(crate) type Descriptors = SmallVec<[Descriptor; TEXTURE_UNITS as usize]>;

/// How code can sample those of the units `used` (bit n = unit n) that are bound to textures which
/// it knows, by ascending unit, and what it has to be handed for that. A texture's place here is
/// its number in the code.
pub(crate) fn bound(bindings: &Bindings<'_>, used: u16) -> (Samplings, Descriptors) {
    let Some(textures) = known(bindings) else {
        return Default::default();
    };
    let used = (0..TEXTURE_UNITS).filter(|unit| used >> unit & 1 != 0);
    let known = used.filter_map(|unit| {
        let texture = textures.get(usize::from(unit))?;
        let sampling = Sampling::of(unit, texture)?;
        Some((sampling, Descriptor::new(texture, texture.plain()?)))
    });
    known.unzip()
}

fn known<'a>(bindings: &Bindings<'a>) -> Option<&'a Textures> {
    bindings.textures()?.as_any()?.downcast_ref()
}
