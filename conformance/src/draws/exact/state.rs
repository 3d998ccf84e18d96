//! The state that a draw hands to engines beside spans: that of the case.

use attila_shader::draw::Location;
use attila_shader::isa::Slots;
use attila_shader::machine::pipeline::{Batch, InputKind, Multisampling, Pipeline};
use attila_shader::machine::{SampleCount, SamplePositions};

use super::super::case::{DrawCase, FrameCase, ShapeCase};

/// Something that is not as the case has it.
pub(super) fn fault(
    case: &DrawCase,
    frame: &FrameCase,
    pipeline: &Pipeline,
    batch: &Batch<'_>,
) -> Option<String> {
    let differs = |what: &str, own: String, should: String| {
        (own != should).then(|| format!("  {what} is {own}, not {should}"))
    };
    let bits = |colour: [f32; 4]| format!("{:08x?}", colour.map(f32::to_bits));
    let targets = case
        .targets
        .map(|target| target.map(|target| target.target));
    let depth = case.depth.map(|depth| depth.state);
    let samples = case.samples.raster.unwrap_or(case.samples.count);
    let positions = match &case.samples.positions[..] {
        [] => Some(SamplePositions::standard(samples)),
        positions => SamplePositions::new(positions),
    };
    let text = |value: &dyn std::fmt::Debug| format!("{value:?}");
    differs("a target", text(&pipeline.targets), text(&targets))
        .or_else(|| differs("depth", text(&pipeline.depth), text(&depth)))
        .or_else(|| {
            differs(
                "the alpha test",
                text(&pipeline.alpha_test),
                text(&case.alpha_test),
            )
        })
        .or_else(|| {
            let own = batch.alpha_reference.to_bits();
            differs(
                "the alpha reference",
                text(&own),
                text(&frame.alpha_reference.to_bits()),
            )
        })
        .or_else(|| {
            let (own, should) = (batch.blend_constant, frame.blend_constant);
            differs("the blend constant", bits(own), bits(should))
        })
        .or_else(|| differs("positions", text(&Some(batch.positions)), text(&positions)))
        .or_else(|| {
            let should = multisampling(case, pipeline, samples);
            differs(
                "multisampling",
                text(&pipeline.multisampling),
                text(&should),
            )
        })
        .or_else(|| {
            differs(
                "locations",
                text(&pipeline.locations),
                text(&locations(case, pipeline)),
            )
        })
        .or_else(|| input_kinds(case, frame, pipeline))
}

/// Whether an input has other values elsewhere in a pixel.
fn varies(pipeline: &Pipeline, register: usize) -> bool {
    let varying = [
        InputKind::Position,
        InputKind::Linear,
        InputKind::Perspective,
    ];
    pipeline.inputs[register]
        .iter()
        .any(|kind| varying.contains(kind))
}

/// drawing.md 7, for a program that does not ask for samples.
fn multisampling(
    case: &DrawCase,
    pipeline: &Pipeline,
    samples: SampleCount,
) -> Option<Multisampling> {
    let own = &case.samples;
    let at_sample = |(register, location): (usize, &Location)| {
        *location == Location::Sample && varies(pipeline, register)
    };
    let is_centre = own.positions.iter().all(|position| *position == [0, 0]);
    let is_plain = samples == SampleCount::One && is_centre && !own.alpha_to_coverage;
    (!is_plain).then(|| Multisampling {
        samples,
        stored: own.count,
        sample_shading: own.shading || own.locations.iter().enumerate().any(at_sample),
        alpha_to_coverage: own.alpha_to_coverage,
    })
}

/// Locations matter where the program runs once for several samples.
fn locations(case: &DrawCase, pipeline: &Pipeline) -> attila_shader::isa::Inputs<Location> {
    let runs_once = pipeline.multisampling.is_some_and(|it| !it.sample_shading);
    attila_shader::isa::Inputs::from_fn(|register| match runs_once && varies(pipeline, register) {
        true => case.samples.locations[register],
        false => Location::Centre,
    })
}

/// Inputs that the program reads are of the case's kinds. In triangles those with perspective may be linear.
fn input_kinds(case: &DrawCase, frame: &FrameCase, pipeline: &Pipeline) -> Option<String> {
    let of_triangles = matches!(frame.shape, ShapeCase::Triangles(..));
    for (register, kinds) in case.given() {
        for component in Slots::all().components() {
            let (own, should) = (
                pipeline.inputs[register][component.index()],
                kinds[component.index()],
            );
            let is_position = register == 0 && component.index() >= 2;
            let is_right = match (own, should) {
                // Not read.
                (InputKind::Unused, _) => true,
                (InputKind::Linear, InputKind::Perspective) => of_triangles,
                (InputKind::Linear, _) if is_position && of_triangles => true,
                _ => own == should,
            };
            if !is_right {
                let letter = component.letter();
                return Some(format!("  i{register}.{letter} is {own:?}, not {should:?}"));
            }
        }
    }
    None
}
