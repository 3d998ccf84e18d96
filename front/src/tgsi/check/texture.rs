//! Checks the textures of instructions.

use std::ops::Range;

use attila_isa::{Modifiers, Remark, code};
use smallvec::SmallVec;

use super::super::parser::{quote, suggest};
use super::super::program::{Index, Source, Texture, View};
use super::super::syntax::{Item, Name};
use super::super::table::{TgsiOpcode, TgsiOpcodeInfo};
use super::super::words::Target;
use super::register::Access;
use super::{Checked, Checker, wrong};

impl Checker<'_> {
    /// The texture of an instruction with a sampler, a view, or both.
    pub(super) fn texture(
        &mut self,
        opcode: TgsiOpcode,
        [sampler, view]: [Option<Index>; 2],
        word: Option<&Name<'_>>,
        span: &Range<usize>,
    ) -> Checked<Texture> {
        let named = word.map(target).transpose().map_err(Some)?;
        let named = named.filter(|target| *target != Target::Unknown);
        let declared = view.or(sampler).and_then(|index| self.view_of(index));
        let place = word.map_or(span.clone(), Name::span);
        let target = match (named, declared) {
            (Some(named), Some(view)) if named != view.target => {
                let (number, declared) = (view.number, view.target);
                let message = format!("the target is {named}, but `SVIEW[{number}]` is {declared}");
                return wrong(place, message);
            }
            (Some(target), _) => target,
            (None, Some(view)) => view.target,
            (None, None) => {
                let remark = Remark::new(place, "the shape of the texture is not known")
                    .code(&code::text::TEXTURE);
                return Err(Some(
                    remark.help("declare its view, as in `DCL SVIEW[0], 2D, FLOAT`"),
                ));
            }
        };
        if !fits(opcode, target) {
            return wrong(place, format!("{opcode} does not work with {target}"));
        }
        Ok(Texture {
            target,
            sampler,
            view,
            offsets: SmallVec::new(),
        })
    }

    /// The view with a number; with the number that an address is added to, if there is one.
    fn view_of(&self, index: Index) -> Option<&View> {
        let number = u32::try_from(index.base).ok()?;
        self.program.views.iter().find(|view| view.number == number)
    }

    /// The offsets after a target.
    pub(super) fn offsets(
        &mut self,
        row: &TgsiOpcodeInfo,
        target: Target,
        items: &[Item<'_>],
    ) -> SmallVec<[Source; 1]> {
        let most = if row.opcode == TgsiOpcode::Tg4 { 4 } else { 1 };
        let allowed = match may_have_offsets(row.opcode, target) {
            true => most,
            false => 0,
        };
        if let Some(item) = items.get(allowed) {
            let message = match allowed {
                0 => format!("{} has no offsets with {target}", row.name),
                1 => format!("{} has one offset", row.name),
                _ => format!("{} has at most {allowed} offsets", row.name),
            };
            self.report(Some(
                Remark::new(item.span(), message).code(&code::text::LIMIT),
            ));
        }
        let mut offsets = SmallVec::new();
        for item in items.iter().take(allowed) {
            let checked = self.offset(item);
            offsets.extend(self.note(checked));
        }
        offsets
    }

    fn offset(&mut self, item: &Item<'_>) -> Checked<Source> {
        let operand = match item {
            Item::Operand(operand) => operand,
            Item::Word(word) => return wrong(word.span(), "expected an offset"),
        };
        if operand.negate || operand.absolute {
            return wrong(operand.span.clone(), "an offset has no sign");
        }
        let register = self.register(&operand.register, Access::Read)?;
        let swizzle = self.swizzle(operand.register.components.as_ref(), 3)?;
        Ok(Source {
            register,
            swizzle,
            modifiers: Modifiers::default(),
        })
    }
}

fn target(word: &Name<'_>) -> Result<Target, Remark> {
    Target::find(word.text).ok_or_else(|| {
        let message = format!("{} is not a texture target", quote(word.text));
        let names = Target::ALL.iter().map(|target| target.word());
        suggest(
            Remark::new(word.span(), message).code(&code::text::TEXTURE),
            word.text,
            names,
        )
    })
}

/// The properties of a target that decide which instructions work with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Coordinates leave w free.
    Plain,
    /// As Plain, with layers.
    Layers,
    /// Six faces; coordinates leave w free.
    Cube,
    /// The layer, or the reference of the comparison, is w.
    Full,
    /// The layer is w, and the reference is x of the second source.
    Overfull,
    /// No levels, no filter.
    Buffer,
    /// Samples instead of levels.
    Multisample,
}

fn kind(target: Target) -> Kind {
    match target {
        Target::Unknown
        | Target::OneD
        | Target::TwoD
        | Target::ThreeD
        | Target::Rectangle
        | Target::ShadowOneD
        | Target::ShadowTwoD
        | Target::ShadowRectangle => Kind::Plain,
        Target::OneDArray | Target::TwoDArray | Target::ShadowOneDArray => Kind::Layers,
        Target::Cube => Kind::Cube,
        Target::CubeArray | Target::ShadowCube | Target::ShadowTwoDArray => Kind::Full,
        Target::ShadowCubeArray => Kind::Overfull,
        Target::Buffer => Kind::Buffer,
        Target::TwoDMultisample | Target::TwoDArrayMultisample => Kind::Multisample,
    }
}

fn is_cube(target: Target) -> bool {
    matches!(
        target,
        Target::Cube | Target::CubeArray | Target::ShadowCube | Target::ShadowCubeArray
    )
}

/// Whether an instruction works with a target.
fn fits(opcode: TgsiOpcode, target: Target) -> bool {
    use TgsiOpcode::{
        Gather4, SampleI, SampleIMs, Sviewinfo, Tex, Tex2, TexLz, Tg4, Txb, Txb2, Txf, TxfLz, Txl,
        Txl2, Txp, Txq, TxqLz, Txqs,
    };
    let kind = kind(target);
    let is = |opcodes: &[TgsiOpcode]| opcodes.contains(&opcode);
    if is(&[Txq, TxqLz, Sviewinfo]) {
        true
    } else if is(&[Txf]) {
        !is_cube(target)
    } else if is(&[TxfLz, SampleI]) {
        !is_cube(target) && kind != Kind::Multisample
    } else if is(&[Txqs, SampleIMs]) {
        kind == Kind::Multisample
    } else if matches!(kind, Kind::Buffer | Kind::Multisample) {
        false
    } else if is(&[Tg4, Gather4]) {
        !has_no_square(target)
    } else if is(&[Tex, TexLz]) {
        kind != Kind::Overfull
    } else if is(&[Txp]) {
        matches!(kind, Kind::Plain | Kind::Cube)
    } else if is(&[Txb, Txl]) {
        matches!(kind, Kind::Plain | Kind::Layers | Kind::Cube)
    } else if is(&[Txb2, Txl2]) {
        kind == Kind::Full
    } else {
        !is(&[Tex2]) || kind == Kind::Overfull
    }
}

/// Whether coordinates are never between four texels.
fn has_no_square(target: Target) -> bool {
    matches!(
        target,
        Target::OneD
            | Target::ThreeD
            | Target::ShadowOneD
            | Target::OneDArray
            | Target::ShadowOneDArray
    )
}

/// Whether an instruction may have offsets where it looks at a target.
fn may_have_offsets(opcode: TgsiOpcode, target: Target) -> bool {
    let asks = matches!(
        opcode,
        TgsiOpcode::Txq | TgsiOpcode::TxqLz | TgsiOpcode::Txqs | TgsiOpcode::Lodq
    );
    let kind = kind(target);
    !asks && !is_cube(target) && !matches!(kind, Kind::Buffer | Kind::Multisample)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_has_one_meaning() {
        assert!(fits(TgsiOpcode::Txb, Target::TwoDArray));
        assert!(!fits(TgsiOpcode::Txb, Target::CubeArray));
        assert!(fits(TgsiOpcode::Txb2, Target::CubeArray));
        assert!(!fits(TgsiOpcode::Tex, Target::ShadowCubeArray));
        assert!(fits(TgsiOpcode::Tex2, Target::ShadowCubeArray));
    }

    #[test]
    fn buffers_and_samples_are_fetched_only() {
        for target in [Target::Buffer, Target::TwoDMultisample] {
            assert!(fits(TgsiOpcode::Txf, target));
            assert!(!fits(TgsiOpcode::Tex, target));
            assert!(!fits(TgsiOpcode::Lodq, target));
        }
        assert!(!fits(TgsiOpcode::Txf, Target::Cube));
    }

    #[test]
    fn cubes_have_no_offsets() {
        assert!(may_have_offsets(TgsiOpcode::Tex, Target::TwoD));
        assert!(!may_have_offsets(TgsiOpcode::Tex, Target::Cube));
        assert!(!may_have_offsets(TgsiOpcode::Txq, Target::TwoD));
    }
}
