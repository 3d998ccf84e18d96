//! The textures of instructions, and the images that they are read from.

use attila_shader::isa::{Component, Inst, RelAddr, TextureAccess, TextureShape, TextureTarget};

use super::instruction::Instructions;

/// Images of a case that are made although others could be read: with each more, fewer instructions share one.
const IMAGES: usize = 4;

/// The answers that the instructions of a program get.
pub(super) enum Answers {
    /// A formula answers questions about every unit and target.
    Formula,
    /// Images answer, units from 0 on have these kinds.
    Images(Vec<TextureShape>),
}

impl Answers {
    /// The kinds of images, by unit. No images if there are no questions.
    pub(super) fn images(self) -> Vec<TextureShape> {
        match self {
            Answers::Formula => Vec::new(),
            Answers::Images(kinds) => kinds,
        }
    }
}

impl Instructions<'_, '_> {
    /// The texture of an instruction that names a target, and at times an address of its unit.
    pub(super) fn texture(&mut self, inst: &mut Inst) {
        let profile = self.options.profile;
        let fits = |texture: &TextureAccess| {
            let texture = Some(*texture);
            Inst { texture, ..*inst }.check(profile).is_ok()
        };
        let targets: Vec<TextureTarget> = named_targets()
            .filter(|target| fits(&TextureAccess::new(0, *target)))
            .collect();
        let (unit, target) = self.unit(&targets);
        let mut texture = TextureAccess::new(unit, target);
        // Instructions that do not gather have x, and only some take level 0.
        let gathering = TextureAccess {
            gather: self.component(),
            ..texture
        };
        let at_level_zero = TextureAccess {
            level_zero: true,
            ..texture
        };
        if gathering.gather != Component::X && fits(&gathering) {
            texture = gathering;
        } else if self.dice.percent(20) && fits(&at_level_zero) {
            texture = at_level_zero;
        }
        inst.texture = Some(texture);
        if self.dice.percent(20) {
            inst.relative = Some(RelAddr {
                offset: 0,
                ..self.relative()
            });
        }
    }

    /// A unit, and the one of `targets` as which it is read.
    pub(super) fn unit(&mut self, targets: &[TextureTarget]) -> (u8, TextureTarget) {
        let Answers::Images(kinds) = &mut self.answers else {
            let unit = self.small(self.options.profile.texture_units());
            return (unit, self.dice.pick(targets));
        };
        let readable: Vec<(u8, TextureTarget)> = (0..)
            .zip(kinds.iter())
            .flat_map(|(unit, &kind)| targets.iter().map(move |&target| (unit, kind, target)))
            .filter(|(_, kind, target)| target.reads(*kind))
            .map(|(unit, _, target)| (unit, target))
            .collect();
        let more = kinds.len() < IMAGES && self.dice.percent(40);
        if more || readable.is_empty() {
            let target = self.dice.pick(targets);
            let all = TextureShape::ALL.into_iter();
            let shapes: Vec<_> = all.filter(|&shape| target.reads(shape)).collect();
            kinds.push(self.dice.pick(&shapes));
            return (kinds.len() as u8 - 1, target);
        }
        self.dice.pick(&readable)
    }
}

/// Every target that an instruction can name, shadow targets less often than others.
pub(super) fn named_targets() -> impl Iterator<Item = TextureTarget> {
    let with = |shadow| move |shape| TextureTarget::Named { shape, shadow };
    let plain = TextureShape::ALL.into_iter().map(with(false));
    let twice = plain.clone().chain(plain);
    twice.chain(TextureShape::ALL.into_iter().map(with(true)))
}
