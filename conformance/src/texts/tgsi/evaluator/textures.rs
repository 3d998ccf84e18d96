//! Lookups of textures: the question of each instruction, as its text has it, to the reference texture unit.

use std::array::from_fn;

use attila_shader::TextureUnit;
use attila_shader::front::tgsi::{
    Index, Instruction, Processor, Source, Target, TgsiOpcode as T, Type,
};
use attila_shader::isa::{Component, Stage, TextureShape, TextureTarget};
use attila_shader::machine::{
    Gradients, LANES, LaneMask, Lanes, LevelOfDetail, Lookup, Offset, TextureQuery, to_lanes,
};

use super::{Machine, Mask, Quad};

/// The opcodes that take their level from the derivatives of the coordinates, where there are any.
const IMPLICIT: [T; 10] = [
    T::Tex,
    T::Txp,
    T::Txb,
    T::Tex2,
    T::Txb2,
    T::Lodq,
    T::Sample,
    T::SampleB,
    T::SampleC,
    T::Lod,
];

/// Lookups that compare texels, of every target.
const COMPARED: [T; 2] = [T::SampleC, T::SampleCLz];
/// Lookups that compare none.
const PLAIN: [T; 5] = [T::Sample, T::SampleB, T::SampleD, T::SampleL, T::Gather4];

/// The answer of a unit that the text names and the translation does not list, as it does not list those of lookups
/// whose result nothing reads. Any engine that answers such a lookup gives something else.
const UNLISTED: [u32; 4] = [0x3e9a_1b2c, 0x3ec5_d3e4, 0x3ef1_0f96, 0x3f0d_7a58];

/// The kind of image of a target, and whether its texels are compared.
pub(in super::super) fn kind(target: Target) -> (TextureShape, bool) {
    use TextureShape as S;
    match target {
        Target::Unknown | Target::TwoD => (S::D2, false),
        Target::Buffer => (S::Buffer, false),
        Target::OneD => (S::D1, false),
        Target::ThreeD => (S::D3, false),
        Target::Cube => (S::Cube, false),
        Target::Rectangle => (S::Rect, false),
        Target::OneDArray => (S::D1Array, false),
        Target::TwoDArray => (S::D2Array, false),
        Target::CubeArray => (S::CubeArray, false),
        Target::TwoDMultisample => (S::D2Ms, false),
        Target::TwoDArrayMultisample => (S::D2MsArray, false),
        Target::ShadowOneD => (S::D1, true),
        Target::ShadowTwoD => (S::D2, true),
        Target::ShadowRectangle => (S::Rect, true),
        Target::ShadowOneDArray => (S::D1Array, true),
        Target::ShadowTwoDArray => (S::D2Array, true),
        Target::ShadowCube => (S::Cube, true),
        Target::ShadowCubeArray => (S::CubeArray, true),
    }
}

/// The kind of image of a lookup. With a view, the instruction says whether texels are compared.
fn target(opcode: T, target: Target) -> TextureTarget {
    let (shape, is_compared) = kind(target);
    TextureTarget::Named {
        shape,
        shadow: COMPARED.contains(&opcode) || is_compared && !PLAIN.contains(&opcode),
    }
}

/// The lanes of a component as floats.
fn floats(quad: &Quad, component: usize) -> Lanes<f32> {
    from_fn(|lane| f32::from_bits(quad[lane][component]))
}

/// The lanes of a component as integers.
fn integers(quad: &Quad, component: usize) -> Lanes<i32> {
    from_fn(|lane| quad[lane][component].cast_signed())
}

/// The question of an opcode.
fn lookup(
    (opcode, target): (T, TextureTarget),
    sources: &[Quad],
    offset: Option<Offset>,
    is_fragment: bool,
) -> Lookup {
    let is = |opcodes: &[T]| opcodes.contains(&opcode);
    if is(&[T::Tg4, T::Gather4]) {
        gather(opcode, target, sources, offset)
    } else if is(&[T::Txf, T::TxfLz, T::SampleI, T::SampleIMs]) {
        fetch(opcode, sources, offset)
    } else if is(&[T::Txq, T::TxqLz, T::Sviewinfo]) {
        let level = sources.first().map(|level| integers(level, 0));
        Lookup::Size {
            level: level.unwrap_or_default(),
        }
    } else if is(&[T::Txqs]) {
        Lookup::Samples
    } else if is(&[T::Lodq, T::Lod]) {
        Lookup::LevelOfDetail {
            coords: from_fn(|n| floats(&sources[0], n)),
        }
    } else {
        sample(opcode, sources, offset, is_fragment)
    }
}

impl Machine<'_> {
    /// The result of a lookup in the lanes of `mask`; `None` to give up.
    pub(super) fn look_up(
        &mut self,
        instruction: &Instruction,
        sources: &[Quad],
        mask: Mask,
    ) -> Option<Quad> {
        let texture = instruction.texture.as_ref()?;
        let opcode = instruction.opcode;
        let mut sources = sources.to_vec();
        // A number to compare with is a float; in other lookups the number of a component is there.
        if opcode == T::Tg4
            && texture.target == Target::ShadowCubeArray
            && let Some(reference) = instruction.sources.get(1)
        {
            sources[1] = self.source(reference, Type::Float, mask);
        }
        let sources = sources.as_slice();
        let is_fragment = self.program.processor == Processor::Fragment;
        if is_fragment && IMPLICIT.contains(&opcode) {
            self.needs_all(mask);
        }
        let target = target(opcode, texture.target);
        let query = |unit, lookup| TextureQuery {
            unit,
            target,
            lookup,
            stage: if is_fragment {
                Stage::Fragment
            } else {
                Stage::Vertex
            },
            active: LaneMask::from_lanes(mask),
        };
        if let [_, _, _, _] = texture.offsets.as_slice() {
            let mut parts = [Quad::default(); 4];
            for (part, offset) in parts.iter_mut().zip(&texture.offsets) {
                let offset = Some(self.offset(offset, mask));
                let lookup = gather(opcode, target, sources, offset);
                *part = self.ask(instruction, mask, |unit| query(unit, lookup))?;
            }
            // The texel at the lower coordinates is w.
            return Some(from_fn(|lane| from_fn(|n| parts[n][lane][3])));
        }
        let offset = texture.offsets.first();
        let offset = offset.map(|offset| self.offset(offset, mask));
        let lookup = lookup((opcode, target), sources, offset, is_fragment);
        self.ask(instruction, mask, |unit| query(unit, lookup))
    }

    /// The answer of the unit of each lane. The text says nothing of units that do not exist, which only
    /// addresses choose.
    fn ask(
        &mut self,
        instruction: &Instruction,
        mask: Mask,
        query: impl Fn(u8) -> TextureQuery,
    ) -> Option<Quad> {
        let texture = instruction.texture.as_ref()?;
        let mut indices = [texture.view, texture.sampler].into_iter().flatten();
        let is_named = indices.all(|index| index.address.is_none());
        let mut result = Quad::default();
        for lane in (0..LANES).filter(|lane| mask[*lane]) {
            let numbers = [texture.view, texture.sampler]
                .map(|index| index.map(|index: Index| self.number(index, lane)));
            let unit = match numbers {
                [Some(view), Some(sampler)] if view != sampler => {
                    let pair = (u32::try_from(view).ok()?, u32::try_from(sampler).ok()?);
                    self.units.pairs.get(&pair).copied()
                }
                [view, sampler] => u8::try_from(view.or(sampler)?).ok(),
            };
            match unit.filter(|unit| self.units.textures.has_unit(*unit)) {
                Some(unit) => {
                    let answer = self.units.textures.answer(&query(unit));
                    result[lane] = to_lanes(&answer)[lane];
                }
                None if is_named => result[lane] = UNLISTED,
                None => self.undefined[lane] = true,
            }
        }
        Some(result)
    }

    /// Texels that are added to coordinates.
    fn offset(&mut self, source: &Source, mask: Mask) -> Offset {
        let quad = self.source(source, Type::Int, mask);
        from_fn(|axis| integers(&quad, axis))
    }
}

/// One component of four texels; of compared ones their results.
fn gather(opcode: T, target: TextureTarget, sources: &[Quad], offset: Option<Offset>) -> Lookup {
    let second = sources.get(1);
    let is_compared = matches!(target, TextureTarget::Named { shadow: true, .. });
    let component = match opcode == T::Tg4 && !is_compared {
        // An immediate: the same in the active lanes, and 0 in the others.
        true => second.map_or(0, |second| {
            second.iter().fold(0, |component, lane| component | lane[0])
        }),
        false => 0,
    };
    Lookup::Gather {
        coords: from_fn(|n| floats(&sources[0], n)),
        component: Component::ALL[component as usize % 4],
        reference: match target {
            // All four components of its coordinates have another meaning.
            TextureTarget::Named {
                shape: TextureShape::CubeArray,
                shadow: true,
            } => second.map(|second| floats(second, 0)),
            TextureTarget::Named { .. } | TextureTarget::Bound => None,
        },
        offset,
    }
}

/// A texel at whole coordinates, with its level or sample in w.
fn fetch(opcode: T, sources: &[Quad], offset: Option<Offset>) -> Lookup {
    let [x, y, z, w] = [0, 1, 2, 3].map(|n| integers(&sources[0], n));
    let w = if opcode == T::TxfLz {
        [0; LANES]
    } else if opcode == T::SampleIMs {
        let sample = sources.get(1).map(|sample| integers(sample, 0));
        sample.unwrap_or_default()
    } else {
        w
    };
    Lookup::Fetch {
        at: [x, y, z, w],
        offset,
    }
}

/// A filtered sample.
fn sample(opcode: T, sources: &[Quad], offset: Option<Offset>, has_derivatives: bool) -> Lookup {
    let of = |source: usize, n: usize| {
        let quad = sources.get(source);
        quad.map_or([0.0; LANES], |quad| floats(quad, n))
    };
    let w = of(0, 3);
    let coords = from_fn(|n| match opcode == T::Txp && n < 3 {
        true => {
            let number = of(0, n);
            from_fn(|lane| number[lane] / w[lane])
        }
        false => of(0, n),
    });
    let three = |source: usize| from_fn(|n| of(source, n));
    let is = |opcodes: &[T]| opcodes.contains(&opcode);
    let level = if is(&[T::Txb]) {
        LevelOfDetail::Bias(w)
    } else if is(&[T::Txb2, T::SampleB]) {
        LevelOfDetail::Bias(of(1, 0))
    } else if is(&[T::Txl]) {
        LevelOfDetail::Explicit(w)
    } else if is(&[T::Txl2, T::SampleL]) {
        LevelOfDetail::Explicit(of(1, 0))
    } else if is(&[T::TexLz, T::SampleCLz]) {
        LevelOfDetail::Explicit([0.0; LANES])
    } else if is(&[T::Txd, T::SampleD]) {
        LevelOfDetail::Gradients(Gradients {
            dx: three(1),
            dy: three(2),
        })
    } else {
        LevelOfDetail::Implicit
    };
    // Without derivatives, the level that they give is 0.
    let level = match level {
        LevelOfDetail::Implicit if !has_derivatives => LevelOfDetail::Explicit([0.0; LANES]),
        LevelOfDetail::Bias(bias) if !has_derivatives => LevelOfDetail::Explicit(bias),
        LevelOfDetail::Implicit
        | LevelOfDetail::Bias(_)
        | LevelOfDetail::Explicit(_)
        | LevelOfDetail::Gradients(_) => level,
    };
    let has_reference = is(&[T::Tex2, T::SampleC, T::SampleCLz]);
    Lookup::Sample {
        coords,
        projected: opcode == T::Txp,
        level,
        reference: has_reference.then(|| of(1, 0)),
        offset,
    }
}
