//! Which registers carry inputs and outputs.
//!
//! A semantic has the same register in every program, so that the outputs of a vertex program and the
//! inputs of a fragment program fit although they were translated separately. The first sixteen
//! registers are ATTILA's own where it has such a value (machine.md 2.4), as draws have no others:
//!
//! | semantic | register |
//! |---|---|
//! | POSITION | 0 |
//! | COLOR\[0], COLOR\[1] | 1, 2 |
//! | BCOLOR\[0], BCOLOR\[1] | 3, 4 |
//! | FOG | 5 |
//! | TEXCOORD\[0] to TEXCOORD\[3] | 6 to 9 |
//! | GENERIC\[0] to GENERIC\[4] | 10 to 14 |
//! | FACE of fragments (in w), PSIZE of vertices | 15 |
//! | TEXCOORD\[4] to TEXCOORD\[7] | 16 to 19 |
//! | GENERIC\[5] to GENERIC\[31] | 20 to 46 |
//! | PCOORD | 47 |
//! | CLIPDIST\[0], CLIPDIST\[1], CULLDIST\[0], CULLDIST\[1], CLIPVERTEX | 48 to 52 |
//! | LAYER, VIEWPORT_INDEX, PRIM_ID, NORMAL, EDGEFLAG | 53 to 57 |
//! | PRIM_ID, INVOCATIONID of geometry programs | 0, 1 |
//! | THREAD_ID, BLOCK_ID, BLOCK_SIZE, GRID_SIZE of compute programs | 0 to 3 |
//! | VERTEXID, INSTANCEID, VERTEXID_NOBASE, BASEVERTEX, BASEINSTANCE, DRAWID | 63 down to 58 |
//!
//! Inputs of vertices have their own numbers. Outputs of fragments are COLOR\[n] in the registers from
//! 1 on, STENCIL in 9. Their depth is exported, and SAMPLEMASK kills samples: they have no register.

use attila_isa::{Bank, Profile, Reg, Stage};

use super::language::Input;
use super::program::Semantic;
use super::words::SemanticName;

/// Colours of a fragment program.
const COLOURS: u32 = 8;

/// The register of an input; `None` if there are not that many.
pub(super) fn input(input: Input, stage: Stage) -> Option<Reg> {
    let number = match (input, stage) {
        (Input::Attribute(number), _) => number,
        (Input::Semantic(semantic), Stage::Fragment) => fragment_input(semantic)?,
        (Input::Semantic(semantic), Stage::Vertex) => system_value(semantic.name)?,
        (Input::Semantic(semantic), Stage::Geometry) => geometry_input(semantic.name)?,
        (Input::Semantic(semantic), Stage::Compute) => compute_input(semantic.name)?,
    };
    Reg::within(Profile::Extended, Bank::Input, u16::try_from(number).ok()?)
}

/// The register of an output; `None` if there are not that many. A depth has no register.
pub(super) fn output(output: Semantic, stage: Stage) -> Option<Reg> {
    let is = |name| output.name == name;
    let number = match stage {
        Stage::Vertex | Stage::Geometry if is(SemanticName::PointSize) => single(output, 15),
        Stage::Vertex | Stage::Geometry => between(output),
        Stage::Fragment if is(SemanticName::Color) => within(output, COLOURS, 1),
        Stage::Fragment if is(SemanticName::Stencil) => single(output, 9),
        Stage::Fragment | Stage::Compute => None,
    };
    Reg::within(
        Profile::Extended,
        Bank::Output,
        u16::try_from(number?).ok()?,
    )
}

fn fragment_input(semantic: Semantic) -> Option<u32> {
    match semantic.name == SemanticName::Face {
        true => Some(15),
        false => between(semantic).or_else(|| system_value(semantic.name)),
    }
}

/// The register of a value that describes a primitive.
fn geometry_input(name: SemanticName) -> Option<u32> {
    let names = [SemanticName::PrimitiveId, SemanticName::InvocationId];
    let place = names.iter().position(|it| *it == name)?;
    Some(place as u32)
}

/// The register of a value that describes a thread.
fn compute_input(name: SemanticName) -> Option<u32> {
    let names = [
        SemanticName::ThreadId,
        SemanticName::BlockId,
        SemanticName::BlockSize,
        SemanticName::GridSize,
    ];
    let place = names.iter().position(|it| *it == name)?;
    Some(place as u32)
}

/// The register of a semantic with one index.
fn single(semantic: Semantic, register: u32) -> Option<u32> {
    (semantic.index == 0).then_some(register)
}

/// The register of a semantic with `count` indices, the first of which is in `first`.
fn within(semantic: Semantic, count: u32, first: u32) -> Option<u32> {
    (semantic.index < count).then(|| first + semantic.index)
}

/// The register of a value between a vertex and a fragment program.
fn between(semantic: Semantic) -> Option<u32> {
    match semantic.name {
        SemanticName::Position => single(semantic, 0),
        SemanticName::Color => within(semantic, 2, 1),
        SemanticName::BackColor => within(semantic, 2, 3),
        SemanticName::Fog => single(semantic, 5),
        SemanticName::TextureCoordinate if semantic.index < 4 => within(semantic, 4, 6),
        SemanticName::TextureCoordinate => within(semantic, 8, 12),
        SemanticName::Generic if semantic.index < 5 => within(semantic, 5, 10),
        SemanticName::Generic => within(semantic, 32, 15),
        SemanticName::PointCoordinate => single(semantic, 47),
        SemanticName::ClipDistance => within(semantic, 2, 48),
        SemanticName::CullDistance => within(semantic, 2, 50),
        SemanticName::ClipVertex => single(semantic, 52),
        SemanticName::Layer => single(semantic, 53),
        SemanticName::ViewportIndex => single(semantic, 54),
        SemanticName::PrimitiveId => single(semantic, 55),
        SemanticName::Normal => single(semantic, 56),
        SemanticName::EdgeFlag => single(semantic, 57),
        SemanticName::PointSize
        | SemanticName::Face
        | SemanticName::InstanceId
        | SemanticName::VertexId
        | SemanticName::Stencil
        | SemanticName::GridSize
        | SemanticName::BlockId
        | SemanticName::BlockSize
        | SemanticName::ThreadId
        | SemanticName::SampleId
        | SemanticName::SamplePosition
        | SemanticName::SampleMask
        | SemanticName::InvocationId
        | SemanticName::VertexIdNoBase
        | SemanticName::BaseVertex
        | SemanticName::Patch
        | SemanticName::TessellationCoordinate
        | SemanticName::TessellationOuter
        | SemanticName::TessellationInner
        | SemanticName::VerticesIn
        | SemanticName::HelperInvocation
        | SemanticName::FragmentHelper
        | SemanticName::BaseInstance
        | SemanticName::DrawId
        | SemanticName::WorkDimension
        | SemanticName::SubgroupSize
        | SemanticName::SubgroupInvocation
        | SemanticName::SubgroupEqMask
        | SemanticName::SubgroupGeMask
        | SemanticName::SubgroupGtMask
        | SemanticName::SubgroupLeMask
        | SemanticName::SubgroupLtMask
        | SemanticName::UserData
        | SemanticName::ViewportMask => None,
    }
}

/// The register of a value that describes a vertex.
fn system_value(name: SemanticName) -> Option<u32> {
    let last = u32::from(Bank::Input.size(Profile::Extended)) - 1;
    let names = [
        SemanticName::VertexId,
        SemanticName::InstanceId,
        SemanticName::VertexIdNoBase,
        SemanticName::BaseVertex,
        SemanticName::BaseInstance,
        SemanticName::DrawId,
    ];
    let place = names.iter().position(|it| *it == name)?;
    Some(last - place as u32)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn semantics() -> impl Iterator<Item = Semantic> {
        let names = SemanticName::ALL.iter();
        names.flat_map(|name| (0..40).map(|index| Semantic { name: *name, index }))
    }

    #[test]
    fn a_semantic_has_one_register_on_both_sides() {
        for semantic in semantics().filter(|it| it.name != SemanticName::Face) {
            let written = output(semantic, Stage::Vertex).map(Reg::index);
            let read = input(Input::Semantic(semantic), Stage::Fragment).map(Reg::index);
            if semantic.name != SemanticName::PointSize
                && let Some(written) = written
            {
                assert_eq!(read, Some(written), "{semantic}");
            }
        }
    }

    #[test]
    fn no_two_semantics_share_a_register() {
        for stage in [Stage::Vertex, Stage::Fragment] {
            let registers: Vec<Reg> = semantics().filter_map(|it| output(it, stage)).collect();
            let different: BTreeSet<Reg> = registers.iter().copied().collect();
            assert_eq!(registers.len(), different.len());
        }
    }

    #[test]
    fn the_first_registers_are_those_of_the_machine() {
        let at = |name, index| output(Semantic { name, index }, Stage::Vertex).map(Reg::index);
        assert_eq!(at(SemanticName::Position, 0), Some(0));
        assert_eq!(at(SemanticName::TextureCoordinate, 3), Some(9));
        assert_eq!(at(SemanticName::TextureCoordinate, 4), Some(16));
        assert_eq!(at(SemanticName::Generic, 4), Some(14));
        assert_eq!(at(SemanticName::Generic, 5), Some(20));
        assert_eq!(at(SemanticName::Generic, 31), Some(46));
        assert_eq!(at(SemanticName::Generic, 32), None);
        assert_eq!(at(SemanticName::Color, 2), None);
    }
}
