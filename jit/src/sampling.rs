//! Textures that generated code samples inline: how each is sampled, for which the code is
//! specialised, and the numbers that the code is handed in every run.

use attila_isa::{
    Inst, Profile, Section, TEXTURE_UNITS, TextureOp, TextureShape, TextureTarget, ValidProgram,
};
use attila_machine::Bindings;
use attila_texture::{
    Compare, Coordinates, CubeFaces, Decoded, Decoding, DepthMode, Filter, Format, MipMode,
    Sampler, Srgb, Storage, Texture, Textures, Wrap,
};
use smallvec::SmallVec;

#[cfg(test)]
use crate::abi::Address;
use crate::abi::Descriptor;

/// 1/255 in two parts: the first 16 bits, which a byte times is exact, and the rest.
pub(crate) const INVERSE_255: [f32; 2] = [f32::from_bits(0x3b80_8000), f32::from_bits(0x3380_8081)];

/// How an instruction asks a texture unit, if code can answer inline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    /// For samples.
    Sample,
    /// For a component of four texels.
    Gather,
    /// For the level of detail.
    LevelOfDetail,
    /// For texels at integers.
    Fetch,
    /// For the size of a level.
    Size,
}

impl Asked {
    /// The unit that an instruction asks, the target that it names, and how it asks. `None` if code has to
    /// call the unit, as it does if lanes may ask different ones.
    fn of(inst: &Inst) -> Option<(u8, TextureTarget, Asked)> {
        let Section::Texture(op) = inst.op.section() else {
            return None;
        };
        let asked = match op {
            TextureOp::Tex
            | TextureOp::Txb
            | TextureOp::Txl
            | TextureOp::Txp
            | TextureOp::Xtex
            | TextureOp::Xtxb
            | TextureOp::Xtxl
            | TextureOp::Xtxd => Asked::Sample,
            TextureOp::Txf => Asked::Fetch,
            TextureOp::Txq => Asked::Size,
            TextureOp::Tg4 => Asked::Gather,
            TextureOp::Lodq => Asked::LevelOfDetail,
            TextureOp::Txqs | TextureOp::Lda => return None,
        };
        let target = match inst.texture {
            Some(_) if inst.relative.is_some() => return None,
            Some(texture) => texture.target,
            None => TextureTarget::Bound,
        };
        Some((inst.texture_unit()?, target, asked))
    }
}

/// The units that a program asks in a way that code can answer inline, bit n = unit n.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Asks {
    /// All of them.
    pub(crate) units: u32,
    /// Units that it fetches from.
    pub(crate) fetches: u32,
}

impl Asks {
    /// The units that a program asks.
    pub(crate) fn of(program: &ValidProgram) -> Asks {
        let mut asks = Asks::default();
        let insts = program.program().insts();
        for (unit, _, asked) in insts.iter().filter_map(Asked::of) {
            asks.units |= 1 << unit;
            if asked == Asked::Fetch {
                asks.fetches |= 1 << unit;
            }
        }
        asks
    }
}

/// What the numbers of texels are divided by to become colours.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Denominators {
    /// Not divided: they are colours.
    None,
    /// The same whole number in all channels.
    Alike(u32),
    /// The descriptor has one for each channel.
    Each,
}

impl Denominators {
    fn of(decoded: &Decoded) -> Denominators {
        match decoded.denominators() {
            None => Denominators::None,
            Some(all) if all == [all[0]; 4] => Denominators::Alike(all[0] as u32),
            Some(_) => Denominators::Each,
        }
    }
}

/// How texels are compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Comparison {
    pub(crate) compare: Compare,
    pub(crate) mode: DepthMode,
    /// Whether texels are depths.
    pub(crate) is_depth: bool,
    /// Whether texels above 1 can be compared.
    pub(crate) exceeds_one: bool,
    /// Whether texels that are not compared are made linear, which the code cannot do.
    is_curved: bool,
}

impl Comparison {
    fn of(texture: &Texture) -> Option<Comparison> {
        let sampler = texture.sampler();
        Some(Comparison {
            compare: sampler.compare?,
            mode: sampler.depth_mode,
            is_depth: texture.image().format().is_depth(),
            exceeds_one: texture.image().format() == Format::Depth32F,
            is_curved: sampler.srgb != Srgb::Linear,
        })
    }
}

/// How a unit is sampled, as far as code is specialised by it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Sampling {
    /// The texture unit.
    pub(crate) unit: u8,
    /// The kind of the image.
    pub(crate) kind: TextureShape,
    /// The faces that the lanes of a cube sample; `None` where coordinates are not directions.
    pub(crate) faces: Option<CubeFaces>,
    pub(crate) storage: Storage,
    pub(crate) denominators: Denominators,
    pub(crate) comparison: Option<Comparison>,
    pub(crate) mag: Filter,
    pub(crate) min: Filter,
    pub(crate) mip: MipMode,
    /// Along s, t and r; the default along axes that the image does not have.
    pub(crate) wrap: [Wrap; 3],
    pub(crate) coordinates: Coordinates,
    /// Whether a pixel's footprint may take several samples.
    pub(crate) is_anisotropic: bool,
    /// Whether there is one level that fetches can read. `false` of units that are not fetched from.
    pub(crate) has_one_level: bool,
}

impl Sampling {
    /// The sampling of `texture`, whose texels are `decoded`, at `unit`, for a program that asks `asks`.
    fn new(unit: u8, texture: &Texture, decoded: &Decoded, asks: Asks) -> Sampling {
        let sampler = texture.sampler();
        let kind = decoded.kind();
        let is_single = sampler.max_level.min(decoded.levels().len() - 1) == sampler.base_level;
        let mip = match sampler.mip {
            MipMode::Nearest if is_single => MipMode::None,
            // With a single level, two samples of it are mixed, which rounds.
            mip @ (MipMode::None | MipMode::Nearest | MipMode::Linear) => mip,
        };
        let mut wrap = sampler.wrap;
        wrap[axes_of(kind)..].fill(Wrap::Clamp);
        Sampling {
            unit,
            kind,
            faces: kind.has_faces().then_some(sampler.cube_faces),
            storage: decoded.storage(),
            denominators: Denominators::of(decoded),
            comparison: Comparison::of(texture),
            mag: sampler.mag,
            min: sampler.min,
            mip,
            wrap,
            coordinates: sampler.coordinates,
            is_anisotropic: sampler.max_anisotropy > 1 && axes_of(kind) == 2,
            has_one_level: is_single && asks.fetches >> unit & 1 != 0,
        }
    }

    /// Whether code answers the instruction by this.
    pub(crate) fn answers(&self, inst: &Inst) -> bool {
        Asked::of(inst).is_some_and(|(unit, target, asked)| {
            unit == self.unit && target.reads(self.kind) && self.has_texels(asked, target)
        })
    }

    /// Whether the code has the texels that are asked for: the original ones if they are compared, and linear
    /// ones otherwise.
    fn has_texels(&self, asked: Asked, target: TextureTarget) -> bool {
        let is_compared = match asked {
            Asked::Size | Asked::LevelOfDetail => return true,
            Asked::Sample | Asked::Gather => target.is_compared(),
            Asked::Fetch => false,
        };
        is_compared
            || !self
                .comparison
                .is_some_and(|comparison| comparison.is_curved)
    }

    /// The axes that texels are filtered along.
    pub(crate) fn axes(&self) -> usize {
        axes_of(self.kind)
    }

    /// Whether the numbers of all texels that a linear filter mixes are whole: no colours, nor those of a border.
    pub(crate) fn has_whole_texels(&self) -> bool {
        let is_divided = match self.denominators {
            Denominators::Alike(number) => number > 1,
            // Some channels may be floats.
            Denominators::None | Denominators::Each => false,
        };
        let has_no_border = |wrap: &Wrap| match wrap {
            Wrap::Repeat | Wrap::ClampToEdge | Wrap::MirroredRepeat => true,
            Wrap::Clamp | Wrap::ClampToBorder => false,
        };
        is_divided && self.wrap[..self.axes()].iter().all(has_no_border)
    }

    /// Whether the level of detail makes a difference.
    pub(crate) fn needs_lod(&self) -> bool {
        self.mag != self.min || self.mip != MipMode::None || self.is_anisotropic
    }
}

/// The axes of images of a kind: directions are coordinates on a face.
fn axes_of(kind: TextureShape) -> usize {
    if kind.has_faces() {
        2
    } else {
        kind.coordinates()
    }
}

/// At most one per unit. Those of the base profile's units stay on the stack.
type Each<T> = SmallVec<[T; Profile::Base.texture_units() as usize]>;

/// How units are sampled.
pub(crate) type Samplings = Each<Sampling>;

/// The textures that code samples inline, as it is handed them.
#[derive(Clone, Default, Debug)]
pub(crate) struct Inlined<'a> {
    /// Descriptors are large, and draws may be inside each other: few of them stay on the stack.
    descriptors: SmallVec<[Descriptor; 6]>,
    /// The words that each descriptor's address points to.
    words: [&'a [u32]; TEXTURE_UNITS as usize],
}

impl<'a> Inlined<'a> {
    /// Appends the textures of [`bound`] units; the place of each is its number in the code. They are filled in
    /// here, as those that a function returned would be copied, with all their room.
    pub(crate) fn bind(
        &mut self,
        bindings: &Bindings<'a>,
        asks: Asks,
        decodings: Decodings,
    ) -> Samplings {
        let mut samplings = Samplings::default();
        for (unit, texture, decoded) in decoded(bindings, asks, decodings) {
            samplings.push(Sampling::new(unit, texture, decoded, asks));
            self.push(texture, decoded);
        }
        samplings
    }

    /// Appends a texture.
    fn push(&mut self, texture: &Texture, decoded: &'a Decoded) {
        self.words[self.descriptors.len()] = decoded.words();
        self.descriptors.push(Descriptor::new(texture, decoded));
    }

    /// Their descriptors, by the numbers that code has for them.
    pub(crate) fn descriptors(&self) -> &[Descriptor] {
        &self.descriptors
    }

    /// The words of a texture's texels.
    pub(crate) fn words(&self, texture: u8) -> &'a [u32] {
        self.words[usize::from(texture)]
    }
}

/// How code can sample those of the units that a program asks which are bound to textures that it
/// knows, by ascending unit.
pub(crate) fn bound(bindings: &Bindings<'_>, asks: Asks, decodings: Decodings) -> Samplings {
    let known = decoded(bindings, asks, decodings);
    known
        .map(|(unit, texture, decoded)| Sampling::new(unit, texture, decoded, asks))
        .collect()
}

/// The textures of these units, and their texels.
fn decoded<'a>(
    bindings: &Bindings<'a>,
    asks: Asks,
    decodings: Decodings,
) -> impl Iterator<Item = (u8, &'a Texture, &'a Decoded)> {
    let textures = known(bindings);
    let units = (0..TEXTURE_UNITS).filter(move |unit| asks.units >> unit & 1 != 0);
    units.filter_map(move |unit| {
        let texture: &Texture = textures?.get(usize::from(unit))?;
        let decoded = texture.decoded(decodings.of(texture.sampler()))?;
        Some((unit, texture, decoded))
    })
}

/// The forms of texels that code samples fastest, by the filter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Decodings {
    pub(crate) nearest: Decoding,
    pub(crate) linear: Decoding,
}

impl Decodings {
    /// Floats for both, as vectors of 128 bits have it: bytes take as long or longer, up to 1.4 times (AMD EPYC, family
    /// 25, model 17).
    pub(crate) const FLOATS: Decodings = Decodings {
        nearest: Decoding::Floats,
        linear: Decoding::Floats,
    };

    fn of(self, sampler: &Sampler) -> Decoding {
        match [sampler.mag, sampler.min] {
            [Filter::Nearest, Filter::Nearest] => self.nearest,
            [
                Filter::Nearest | Filter::Linear,
                Filter::Nearest | Filter::Linear,
            ] => self.linear,
        }
    }
}

/// The textures that are bound, if their type is known.
pub(crate) fn known<'a>(bindings: &Bindings<'a>) -> Option<&'a Textures> {
    bindings.textures()?.as_any()?.downcast_ref()
}

#[cfg(test)]
impl<'a> Inlined<'a> {
    /// Has texture number `texture` read its texels from `words`, which may be more than it has.
    pub(crate) fn read(&mut self, texture: usize, words: &'a [u32]) {
        self.descriptors[texture].texels = Address::of(words.as_ptr());
        self.words[texture] = words;
    }

    /// The first texture as often.
    pub(crate) fn repeat(mut self, count: usize) -> Inlined<'a> {
        let descriptor = self.descriptors[0].clone();
        self.descriptors.resize(count, descriptor);
        let words = self.words[0];
        self.words[..count].fill(words);
        self
    }
}
