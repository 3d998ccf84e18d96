//! Refuses inputs, outputs and system values that ATTILA's stages do not have.

use std::ops::Range;

use attila_isa::{Remark, Stage, code};

use super::super::language::Input;
use super::super::program::{NamedRegisters, Semantic};
use super::super::registers;
use super::super::table::Feature;
use super::super::words::{File, SemanticName};
use super::Checker;

/// The side of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// Inputs and system values.
    In,
    Out,
}

/// The reason why no stage has a semantic.
fn refused(name: SemanticName) -> Option<Feature> {
    match name {
        SemanticName::FragmentHelper => Some(Feature::Helpers),
        SemanticName::Patch
        | SemanticName::TessellationCoordinate
        | SemanticName::TessellationOuter
        | SemanticName::TessellationInner
        | SemanticName::VerticesIn => Some(Feature::Tessellation),
        SemanticName::WorkDimension => Some(Feature::GridDimensions),
        SemanticName::SubgroupSize
        | SemanticName::SubgroupInvocation
        | SemanticName::SubgroupEqMask
        | SemanticName::SubgroupGeMask
        | SemanticName::SubgroupGtMask
        | SemanticName::SubgroupLeMask
        | SemanticName::SubgroupLtMask => Some(Feature::Subgroups),
        SemanticName::UserData => Some(Feature::UserData),
        SemanticName::ViewportMask => Some(Feature::ViewportMasks),
        SemanticName::Position
        | SemanticName::Color
        | SemanticName::BackColor
        | SemanticName::Fog
        | SemanticName::PointSize
        | SemanticName::Generic
        | SemanticName::Normal
        | SemanticName::Face
        | SemanticName::EdgeFlag
        | SemanticName::PrimitiveId
        | SemanticName::InstanceId
        | SemanticName::VertexId
        | SemanticName::Stencil
        | SemanticName::ClipDistance
        | SemanticName::ClipVertex
        | SemanticName::GridSize
        | SemanticName::BlockId
        | SemanticName::BlockSize
        | SemanticName::ThreadId
        | SemanticName::TextureCoordinate
        | SemanticName::PointCoordinate
        | SemanticName::ViewportIndex
        | SemanticName::Layer
        | SemanticName::CullDistance
        | SemanticName::SampleId
        | SemanticName::SamplePosition
        | SemanticName::SampleMask
        | SemanticName::HelperInvocation
        | SemanticName::InvocationId
        | SemanticName::VertexIdNoBase
        | SemanticName::BaseVertex
        | SemanticName::BaseInstance
        | SemanticName::DrawId => None,
    }
}

/// Whether a stage has a semantic on a side.
fn has(stage: Stage, side: Side, semantic: Semantic) -> bool {
    // Depths are exported, masks kill samples, and samples are asked for: none has a register.
    let has_no_register: &[SemanticName] = match (stage, side) {
        (Stage::Fragment, Side::Out) => &[SemanticName::Position, SemanticName::SampleMask],
        (Stage::Fragment, Side::In) => &[
            SemanticName::SampleId,
            SemanticName::SamplePosition,
            SemanticName::SampleMask,
            SemanticName::HelperInvocation,
        ],
        (Stage::Vertex | Stage::Geometry | Stage::Compute, _) => &[],
    };
    if semantic.index == 0 && has_no_register.contains(&semantic.name) {
        return true;
    }
    match side {
        Side::In => registers::input(Input::Semantic(semantic), stage).is_some(),
        Side::Out => registers::output(semantic, stage).is_some(),
    }
}

impl Checker<'_> {
    /// Refuses those that instructions name, at their declarations.
    pub(super) fn check_ports(&mut self) {
        let program = &self.program;
        let Some(stage) = program.processor.stage() else {
            return;
        };
        let files = [File::Input, File::Output, File::SystemValue];
        let [inputs, outputs, values] = files.map(|file| program.named(file));
        let is_named =
            |named: &NamedRegisters, register| named.relative || named.numbers.contains(&register);
        let mut ports: Vec<(Stage, Side, Semantic, Range<usize>)> = Vec::new();
        for input in program
            .inputs
            .iter()
            .filter(|it| is_named(&inputs, it.register))
        {
            // Attributes of vertices are what the program before wrote.
            let (stage, side) = match input.per_vertex {
                true => (Stage::Vertex, Side::Out),
                false => (stage, Side::In),
            };
            ports.extend(
                input
                    .semantic
                    .map(|it| (stage, side, it, input.span.clone())),
            );
        }
        for output in program
            .outputs
            .iter()
            .filter(|it| is_named(&outputs, it.register))
        {
            ports.extend(
                output
                    .semantic
                    .map(|it| (stage, Side::Out, it, output.span.clone())),
            );
        }
        for value in program
            .system_values
            .iter()
            .filter(|it| is_named(&values, it.register))
        {
            ports.push((stage, Side::In, value.semantic, value.span.clone()));
        }
        for (stage, side, semantic, span) in ports {
            if !has(stage, side, semantic) {
                self.refuse_port(side, semantic, span);
            }
        }
    }

    fn refuse_port(&mut self, side: Side, semantic: Semantic, span: Range<usize>) {
        if let Some(feature) = refused(semantic.name) {
            self.refuse(feature, semantic.name.word(), span);
            return;
        }
        let noun = self.program.processor.noun();
        let what = match side {
            Side::In => "input",
            Side::Out => "output",
        };
        let message = format!("a {noun} program has no {what} `{semantic}`");
        self.diagnostics
            .error(Remark::new(span, message).code(&code::text::ABSENT));
    }
}
