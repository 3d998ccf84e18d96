//! The units that stand for samplers and views.

use std::collections::{BTreeMap, BTreeSet};

use attila_isa::{Component, Opcode, Profile, Remark};

use super::super::super::language::{TextureUse, Tgsi};
use super::super::super::program::{Index, Instruction, Texture, TgsiProgram};
use super::super::super::words::Target;
use super::super::{Lowering, word};
use crate::back::Lookup;

/// The samplers of a program, with the shapes in which they are sampled.
pub(in super::super) fn samplers(program: &TgsiProgram) -> BTreeMap<u32, BTreeSet<Target>> {
    let unused = program
        .samplers
        .iter()
        .map(|number| (*number, BTreeSet::new()));
    let mut samplers: BTreeMap<u32, BTreeSet<Target>> = unused.collect();
    let textures = program
        .instructions
        .iter()
        .filter_map(|it| it.texture.as_ref());
    for texture in textures {
        let number = texture.sampler.and_then(Index::fixed);
        if let Some(number) = number {
            samplers.entry(number).or_default().insert(texture.target);
        }
    }
    samplers
}

/// The units of views with samplers of other numbers.
pub(in super::super) struct Units {
    /// By view and sampler.
    pairs: BTreeMap<(u32, u32), u32>,
}

impl Units {
    /// Gives each such pair one of the last units that nothing else has.
    pub(in super::super) fn new(program: &TgsiProgram) -> Units {
        let mut taken = BTreeSet::new();
        let mut wanted = BTreeSet::new();
        for texture in program
            .instructions
            .iter()
            .filter_map(|it| it.texture.as_ref())
        {
            let number = |index: Option<Index>| index.and_then(Index::fixed);
            match (number(texture.view), number(texture.sampler)) {
                (Some(view), Some(sampler)) if view != sampler => {
                    wanted.insert((view, sampler));
                }
                (view, sampler) => taken.extend(view.or(sampler)),
            }
        }
        let is_relative = |texture: &Texture| {
            let indices = [texture.view, texture.sampler];
            indices
                .into_iter()
                .flatten()
                .any(|index| index.address.is_some())
        };
        let mut textures = program
            .instructions
            .iter()
            .filter_map(|it| it.texture.as_ref());
        if textures.any(is_relative) {
            taken.extend(
                program
                    .samplers
                    .iter()
                    .chain(program.views.iter().map(|it| &it.number)),
            );
        }
        let free = (0..units()).rev().filter(|unit| !taken.contains(unit));
        Units {
            pairs: wanted.into_iter().zip(free).collect(),
        }
    }
}

/// The number of texture units.
fn units() -> u32 {
    u32::from(Profile::Extended.texture_units())
}

/// The same shape with texels that are not compared.
pub(super) fn without_comparison(target: Target) -> Target {
    match target {
        Target::ShadowOneD => Target::OneD,
        Target::ShadowTwoD => Target::TwoD,
        Target::ShadowRectangle => Target::Rectangle,
        Target::ShadowOneDArray => Target::OneDArray,
        Target::ShadowTwoDArray => Target::TwoDArray,
        Target::ShadowCube => Target::Cube,
        Target::ShadowCubeArray => Target::CubeArray,
        Target::Unknown
        | Target::Buffer
        | Target::OneD
        | Target::TwoD
        | Target::ThreeD
        | Target::Cube
        | Target::Rectangle
        | Target::OneDArray
        | Target::TwoDArray
        | Target::TwoDMultisample
        | Target::TwoDArrayMultisample
        | Target::CubeArray => target,
    }
}

impl Lowering<'_> {
    /// The same shape with texels that are compared.
    pub(super) fn compared(&self, target: Target) -> Result<Target, Remark> {
        Ok(match target {
            Target::OneD => Target::ShadowOneD,
            Target::TwoD => Target::ShadowTwoD,
            Target::Rectangle => Target::ShadowRectangle,
            Target::OneDArray => Target::ShadowOneDArray,
            Target::TwoDArray => Target::ShadowTwoDArray,
            Target::Cube => Target::ShadowCube,
            Target::CubeArray => Target::ShadowCubeArray,
            Target::ThreeD
            | Target::Buffer
            | Target::TwoDMultisample
            | Target::TwoDArrayMultisample => {
                let message = format!("texels of {target} are not compared");
                return Err(self.remark(message));
            }
            Target::Unknown
            | Target::ShadowOneD
            | Target::ShadowTwoD
            | Target::ShadowRectangle
            | Target::ShadowOneDArray
            | Target::ShadowTwoDArray
            | Target::ShadowCube
            | Target::ShadowCubeArray => target,
        })
    }

    /// The lookup of an instruction, as a target, with the address of its unit.
    pub(super) fn lookup(
        &mut self,
        instruction: &Instruction,
        texture: &Texture,
        target: Target,
    ) -> Result<Lookup<Tgsi>, Remark> {
        let unit = match (texture.view, texture.sampler) {
            (Some(view), Some(sampler)) if view != sampler => {
                let texture = self.pair(view, sampler, target)?;
                self.note(texture);
                return Ok(Lookup::new(texture));
            }
            (Some(index), _) | (None, Some(index)) => index,
            (None, None) => {
                return Err(self.remark(format!("{} has no texture", instruction.opcode)));
            }
        };
        let plain = |unit: u32, has_sampler: bool| TextureUse {
            unit,
            target,
            view: unit,
            sampler: has_sampler.then_some(unit),
        };
        let has_sampler = texture.sampler.is_some();
        let Some(address) = unit.address else {
            let texture = plain(unit.base.unsigned_abs(), has_sampler);
            self.note(texture);
            return Ok(Lookup::new(texture));
        };
        // Any unit of that shape may be looked at.
        let numbers: Vec<u32> = match has_sampler {
            true => self.program.samplers.iter().copied().collect(),
            false => self.program.views.iter().map(|view| view.number).collect(),
        };
        for number in numbers {
            self.note(plain(number, has_sampler));
        }
        let mut index = self.address(address)?;
        if unit.base < 0 {
            index = self.scalar(Opcode::Addi, [index, word(unit.base as u32)]);
        }
        let first = plain(u32::try_from(unit.base).unwrap_or(0), has_sampler);
        let span = self.current.span.clone();
        Ok(Lookup {
            address: Some(self.code.integer_address(index.only(Component::X), span)),
            ..Lookup::new(first)
        })
    }

    /// The unit of a view with the sampler of another number.
    fn pair(&self, view: Index, sampler: Index, target: Target) -> Result<TextureUse, Remark> {
        let Some((view, sampler)) = view.fixed().zip(sampler.fixed()) else {
            return Err(self.remark("views and samplers with addresses have the same number"));
        };
        let Some(unit) = self.units.pairs.get(&(view, sampler)).copied() else {
            return Err(self.remark(format!("there are {} texture units", units())));
        };
        Ok(TextureUse {
            unit,
            target,
            view,
            sampler: Some(sampler),
        })
    }

    /// Lists a texture.
    fn note(&mut self, texture: TextureUse) {
        if !self.textures.contains(&texture) {
            self.textures.push(texture);
        }
    }
}
