//! Texture instructions for which code calls the texture unit, and why.

use std::fmt;

use attila_isa::{Inst, Section, TextureOp, ValidProgram};
use attila_machine::Bindings;
use attila_texture::Decoding;

use crate::sampling::{Asks, Decodings, Sampling, bound, known};

/// A texture instruction that is not answered inline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TextureCall {
    /// The instruction's number in the program, from 0.
    pub instruction: usize,
    /// Why the code calls the unit.
    pub reason: CallReason,
}

/// Why code calls a texture unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CallReason {
    /// Lanes may ask different units.
    ComputedUnit,
    /// The number of samples of an image is not known.
    SampleCount,
    /// The unit belongs to something other than [`Textures`](attila_texture::Textures), or it has no texture.
    Unknown,
    /// The image is a buffer or has several samples.
    Fetched,
    /// The decoded texels would take too much memory.
    TooLarge,
    /// The instruction names another kind of image than that which is bound.
    OtherKind,
    /// The sampler compares texels and makes them linear, and the instruction reads them without a
    /// comparison.
    LinearUncompared,
}

impl fmt::Display for CallReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CallReason::ComputedUnit => "the unit is computed",
            CallReason::SampleCount => "the number of samples is not known",
            CallReason::Unknown => "there is no texture whose texels are known",
            CallReason::Fetched => "buffers and images with several samples are not inline",
            CallReason::TooLarge => "the decoded texels take too much memory",
            CallReason::OtherKind => "an image of another kind is bound",
            CallReason::LinearUncompared => {
                "the sampler compares and makes linear, and this is not compared"
            }
        })
    }
}

/// The texture instructions of a program that call, in their order.
pub(crate) fn calls(program: &ValidProgram, bindings: &Bindings<'_>) -> Vec<TextureCall> {
    let samplings = bound(bindings, Asks::of(program), Decodings::FLOATS);
    let insts = program.program().insts().iter().enumerate();
    let calls = insts.filter_map(|(instruction, inst)| {
        let reason = reason(inst, &samplings, bindings)?;
        Some(TextureCall {
            instruction,
            reason,
        })
    });
    calls.collect()
}

/// Why an instruction calls, if it asks a texture unit and calls.
fn reason(inst: &Inst, samplings: &[Sampling], bindings: &Bindings<'_>) -> Option<CallReason> {
    let Section::Texture(op) = inst.op.section() else {
        return None;
    };
    match op {
        TextureOp::Lda => return None,
        TextureOp::Txqs => return Some(CallReason::SampleCount),
        TextureOp::Tex
        | TextureOp::Txb
        | TextureOp::Txl
        | TextureOp::Txp
        | TextureOp::Xtex
        | TextureOp::Xtxb
        | TextureOp::Xtxl
        | TextureOp::Xtxd
        | TextureOp::Txf
        | TextureOp::Txq
        | TextureOp::Tg4
        | TextureOp::Lodq => {}
    }
    if samplings.iter().any(|how| how.answers(inst)) {
        return None;
    }
    if inst.texture.is_some() && inst.relative.is_some() {
        return Some(CallReason::ComputedUnit);
    }
    let unit = inst.texture_unit()?;
    let texture = known(bindings).and_then(|textures| textures.get(usize::from(unit)));
    let Some(texture) = texture else {
        return Some(CallReason::Unknown);
    };
    let kind = texture.image().dimension().kind();
    Some(if !kind.is_sampled() {
        CallReason::Fetched
    } else if inst.texture.is_some_and(|it| !it.target.reads(kind)) {
        CallReason::OtherKind
    } else if texture.decoded(Decoding::Floats).is_none() {
        CallReason::TooLarge
    } else {
        CallReason::LinearUncompared
    })
}
