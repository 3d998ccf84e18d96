//! Draws compile for every kind of machine, with every kind of pipeline.

use attila_isa::{Program, Slots};
use attila_machine::Bindings;
use attila_machine::pipeline::{
    Blend, BlendEquation, BlendFactor, BlendOp, ColourFormat, ColourTarget, Compare, DepthFormat,
    DepthTarget, InputKind, Pipeline,
};

use super::targets::{TARGETS, jit};
use crate::EmitStage;

const BLENDS: [Option<Blend>; 4] = [
    None,
    Some(Blend::OVER),
    Some(Blend::all(BlendEquation {
        op: BlendOp::Max,
        src: BlendFactor::One,
        dst: BlendFactor::One,
    })),
    Some(Blend {
        colour: BlendEquation {
            op: BlendOp::ReverseSubtract,
            src: BlendFactor::ConstantColour,
            dst: BlendFactor::SrcAlphaSaturate,
        },
        alpha: BlendEquation {
            op: BlendOp::Subtract,
            src: BlendFactor::OneMinusConstantAlpha,
            dst: BlendFactor::Zero,
        },
    }),
];

fn depth(format: DepthFormat, compare: Compare) -> Option<DepthTarget> {
    Some(DepthTarget {
        format,
        compare,
        write: compare != Compare::Equal,
    })
}

/// Pipelines that have everything between them.
fn pipelines() -> Vec<Pipeline> {
    let mut pipelines = Vec::new();
    for (n, format) in ColourFormat::ALL.into_iter().enumerate() {
        for (m, blend) in BLENDS.into_iter().enumerate() {
            let mut pipeline = Pipeline {
                coverage: n % 2 == 1,
                ..Pipeline::default()
            };
            pipeline.inputs[0][2] = InputKind::Linear;
            pipeline.inputs[0][3] = InputKind::Linear;
            pipeline.inputs[1] = [
                InputKind::Perspective,
                InputKind::Linear,
                InputKind::Flat,
                InputKind::Array,
            ];
            pipeline.targets[0] = Some(ColourTarget {
                format,
                mask: if m == 1 { Slots::X } else { Slots::all() },
                blend,
            });
            let compare = Compare::ALL[(n + 2 * m) % 8];
            (pipeline.depth, pipeline.alpha_test) = match m {
                0 => (None, Compare::Always),
                1 => (depth(DepthFormat::D24, compare), Compare::Always),
                2 => (depth(DepthFormat::D32F, compare), Compare::Always),
                _ => (depth(DepthFormat::D24, compare), compare),
            };
            pipelines.push(pipeline);
        }
    }
    pipelines
}

#[test]
fn every_pipeline_compiles_for_every_target() {
    let texts = [
        "mov o1, i1",
        "kil i1\nmov o1, i1\nmov o0.z, i1.x",
        "again: add r0.x, r0.x, i1.x\nsetplt p0, r0.x, 1\njmp p0, again\nmov o1, r0.x",
        "zxp i1.x\nmov o1, i1",
    ];
    for (target, cpu) in TARGETS {
        let jit = jit(target, cpu);
        for text in texts {
            let program = Program::assemble(text).unwrap().validate().unwrap();
            for pipeline in pipelines() {
                let bindings = Bindings::new();
                let asm = jit.emit_text_within(&program, &pipeline, &bindings, EmitStage::Asm);
                assert!(asm.is_ok(), "{target} {cpu:?} {text} {pipeline:?}: {asm:?}");
            }
        }
    }
}
