//! Draws as drawing.md has them, computed apart from `attila_shader::draw`: which samples
//! of which pixels each triangle covers, in which order, on which side, and with which values.
//!
//! The rasteriser, clipping and resolving are shared by all engines, so that their comparison cannot see a mistake
//! there. Here a [`Witness`] takes the place of an engine: it runs no program, marks samples that a draw has it
//! shade, and looks at planes. Marks depend on their order. The memory of all targets has to be the expected one,
//! byte for byte.

mod cover;
mod resolve;
mod state;
mod values;
mod window;
mod witness;

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use attila_shader::Engine;
use attila_shader::draw::{Buffer, Cull, FrontFace, PreparedDraw, Resolve, TargetName};
use attila_shader::isa::{Component, PRIMITIVE_ID, Program, Slots, ValidProgram};
use attila_shader::machine::pipeline::InputKind;
use attila_shader::machine::{Bindings, SampleCount, SamplePositions};

use super::case::{DrawCase, FrameCase, ShapeCase};
use super::run::{self, Memory, Part};
use crate::oracle::guard;
use crate::subject::{Fault, Tally};
use cover::{Outline, STEPS};
use values::Seen;
use window::Triangle;
use witness::{Shaded, Task, Witness, mark};

/// The kind of a fault: samples, their order or the memory around them.
const MARKS: &str = "marks";
/// The kind of a fault: planes.
const PLANES: &str = "planes";
/// The kind of a fault: a resolved pixel.
const RESOLVED: &str = "resolved";

/// Compares what a draw hands to engines with drawing.md.
pub(super) fn check(case: &DrawCase, tally: &mut Tally) -> Option<Fault> {
    let threads = [1, case.threads];
    let count = if case.threads == 1 { 1 } else { 2 };
    threads[..count]
        .iter()
        .find_map(|&threads| on_threads([case, case], threads, tally))
}

/// Draws one case, and compares it with what the other has to become. These are the same but in tests.
fn on_threads([drawn, told]: [&DrawCase; 2], threads: usize, tally: &mut Tally) -> Option<Fault> {
    let [drawn, told] = [drawn, told].map(witnessed);
    let witness = Witness::new();
    let engine = Engine::custom(Arc::new(witness.clone()));
    let mut targets = run::targets(&drawn);
    let shader = engine.prepare(&program(&drawn)?).ok()?;
    let mut prepared = run::prepare(&drawn, &shader, &mut targets, threads).ok()?;
    let mut expected = targets.clone();
    let frames = drawn.frames.iter().zip(&told.frames);
    for (number, (own, frame)) in frames.enumerate() {
        let layers = Layers::new(&told, frame)?;
        let found = Arc::new(Mutex::new(Found::default()));
        let layers = Arc::new(layers);
        witness.expect(task(&told, frame, &layers, &found));
        if draw(&drawn, own, &mut prepared, &mut targets).is_err() {
            // The engines' ends are compared.
            return None;
        }
        let samples = layers.marks(&mut expected);
        tally.add("samples placed", samples);
        let found = std::mem::take(&mut *found.lock().unwrap_or_else(PoisonError::into_inner));
        tally.add("planes compared", found.planes);
        tally.add("planes left out", found.skipped);
        if let Some(details) = found.fault {
            let summary = format!("frame {number} has a plane that is not as drawing.md says");
            return Some(Fault {
                details,
                ..Fault::new(PLANES, summary)
            });
        }
        for (own, should) in targets.iter().zip(&expected) {
            if let Some(place) = should.changed(own).next() {
                return Some(marked(&layers, &told, (number, threads), own, place));
            }
        }
    }
    tally.add("draws witnessed", 1);
    resolved(&drawn, &mut targets)
}

/// The fault of a sample that has other marks than it must have.
fn marked(
    layers: &Layers,
    case: &DrawCase,
    (frame, threads): (usize, usize),
    target: &Memory,
    place: run::Place,
) -> Fault {
    let [x, y, sample] = place;
    let at = run::said(place);
    let summary = format!(
        "frame {frame} on {threads} threads covers {at} of {} in another way than drawing.md says",
        target.name
    );
    let covering = layers.covering([x as u32, y as u32]);
    let stored = case.samples.raster.is_none();
    let covering = covering.filter(|(_, samples)| !stored || samples >> sample & 1 != 0);
    let numbers: Vec<String> = covering.map(|(number, _)| number.to_string()).collect();
    Fault {
        details: format!(
            "  it has to be covered by {}",
            match &numbers[..] {
                [] => "nothing".to_owned(),
                numbers => numbers.join(", "),
            }
        ),
        ..Fault::new(MARKS, summary)
    }
}

/// The case without inputs in place of those that tell the number and the side of a triangle.
fn witnessed(case: &DrawCase) -> DrawCase {
    let mut case = case.clone();
    for register in [15, PRIMITIVE_ID] {
        case.set_up = case.set_up.without(register);
        case.kinds[register] = Default::default();
        case.vertices[register] = false;
    }
    case
}

/// A program that reads all inputs.
///
/// It reads the same components of the inputs that the case's program reads.
fn program(case: &DrawCase) -> Option<ValidProgram> {
    let mut text = String::from(".extended\n");
    let usage = case.shaded.program.usage();
    for (register, kinds) in case.kinds.iter().enumerate() {
        let read = usage.inputs[register];
        for component in Slots::all().components() {
            let is_own = matches!(
                (register, component),
                (15, Component::W) | (PRIMITIVE_ID, Component::X)
            );
            let is_given = kinds[component.index()] != InputKind::Unused;
            let is_read = read.is_empty() || read.contains(Slots::only(component));
            if is_own || is_given && is_read {
                let letter = component.letter();
                text += &format!("mov r0.{letter}, i{register}.{letter}\n");
            }
        }
    }
    text += "end\n";
    Program::assemble(&text).ok()?.validate().ok()
}

/// Draws a frame.
fn draw(
    case: &DrawCase,
    frame: &FrameCase,
    prepared: &mut PreparedDraw,
    targets: &mut [Memory],
) -> Result<(), String> {
    let bindings = Bindings::new();
    guard(|| run::draw_frame(case, frame, prepared, &bindings, targets, Part::whole(case)))
}

/// Findings about planes.
#[derive(Default)]
struct Found {
    fault: Option<String>,
    planes: u64,
    skipped: u64,
}

/// The witness's work in a frame.
fn task(
    case: &DrawCase,
    frame: &FrameCase,
    layers: &Arc<Layers>,
    found: &Arc<Mutex<Found>>,
) -> Task {
    let (layers, found) = (Arc::clone(layers), Arc::clone(found));
    let (own_case, own_frame) = (case.clone(), frame.clone());
    let (all_case, all_frame, all_found) = (case.clone(), frame.clone(), Arc::clone(&found));
    Task {
        is_list: matches!(frame.shape, ShapeCase::Quads(_)),
        size: case.size,
        look: Box::new(move |shaded| {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            if found.fault.is_none() {
                look(&own_case, &own_frame, &layers, shaded, &mut found);
            }
        }),
        look_at_batch: Box::new(move |pipeline, batch| {
            let mut found = all_found.lock().unwrap_or_else(PoisonError::into_inner);
            if found.fault.is_none() {
                found.fault = state::fault(&all_case, &all_frame, pipeline, batch);
            }
        }),
    }
}

/// Looks at the planes of a pixel.
fn look(
    case: &DrawCase,
    frame: &FrameCase,
    layers: &Layers,
    shaded: &Shaded<'_>,
    found: &mut Found,
) {
    let at = shaded.pixel.map(|axis| axis as f32 + 0.5);
    if !values::is_exact(shaded.anchor, at) {
        found.fault = Some(format!(
            "  distances from {:?} to {at:?} are not exact",
            shaded.anchor
        ));
        return;
    }
    // Parts of a triangle that clipping cuts share its number.
    let parts = layers.parts(shaded);
    for ((register, component), given) in shaded.planes {
        let place = (*register, component.index());
        let kinds = [&case.kinds, &shaded.pipeline.inputs].map(|kinds| kinds[place.0][place.1]);
        let is_divided = kinds != [InputKind::Perspective, InputKind::Linear];
        let is_flat = |(triangle, _): &(&Triangle, &Outline)| {
            triangle.windows().iter().all(|[.., w]| *w == 1.0)
        };
        if !is_divided && !parts.iter().all(is_flat) {
            found.fault = Some(format!(
                "  i{register} of triangle {} has no perspective",
                shaded.number
            ));
            return;
        }
        let mut skipped = 0;
        let fault = match (&frame.shape, &parts[..]) {
            (ShapeCase::Triangles(..), []) => None,
            (ShapeCase::Triangles(..), parts) => {
                let mut faults = parts.iter().map(|&(triangle, outline)| {
                    let seen = Seen {
                        case,
                        frame,
                        triangle,
                        outline,
                    };
                    seen.want(place, given, at).fault(given, at, &mut skipped)
                });
                let first = faults.next().flatten();
                first.filter(|_| faults.all(|fault| fault.is_some()))
            }
            (ShapeCase::Rect(_) | ShapeCase::Quads(_), _) => {
                let want = match place {
                    (15, 3) => values::Want::Bits(1_f32.to_bits()),
                    (PRIMITIVE_ID, 0) => values::Want::Bits(0),
                    // The position that a draw has unless it is told one.
                    _ if case.kinds[place.0] == [InputKind::Unused; 4] => values::Want::Any,
                    _ => {
                        let plane = frame.planes[place.0][place.1];
                        values::of_draw(case, plane, case.kinds[place.0][place.1], at)
                    }
                };
                want.fault(given, at, &mut skipped)
            }
        };
        found.planes += 1;
        found.skipped += skipped;
        if let Some(fault) = fault {
            let [x, y] = shaded.pixel;
            let letter = component.letter();
            found.fault = Some(format!(
                "  i{register}.{letter} of triangle {} at ({x}, {y}) {fault}",
                shaded.number
            ));
            return;
        }
    }
}

/// The fragments that a frame covers, in order.
struct Layers {
    shape: ShapeCase,
    triangles: Vec<(Triangle, Outline)>,
    /// The pixels that may be drawn to.
    area: [Range<i64>; 2],
    /// Sample positions in steps from a pixel's corner.
    positions: Vec<[i64; 2]>,
    /// The samples that there are and may be drawn to.
    allowed: u32,
    /// Samples that targets store.
    stored: usize,
}

impl Layers {
    /// `None` if a draw refuses the frame.
    fn new(case: &DrawCase, frame: &FrameCase) -> Option<Layers> {
        let samples = case.samples.raster.unwrap_or(case.samples.count);
        let own: Vec<[i8; 2]> = match &case.samples.positions[..] {
            [] => SamplePositions::standard(samples).positions().to_vec(),
            positions => positions.to_vec(),
        };
        let middle = STEPS / 2;
        let place = |at: [i8; 2]| at.map(|axis| middle + i64::from(axis) * (STEPS / 16));
        let mut area = case.size.map(|side| 0..i64::from(side));
        for (side, scissor) in area.iter_mut().zip(case.scissor.iter().flatten()) {
            *side = side.start.max(scissor.start)..side.end.min(scissor.end);
        }
        let triangles = window::triangles(&case.set_up, frame)?.into_iter();
        let outlined = triangles.filter_map(|triangle| {
            let outline = Outline::new(triangle.windows())?;
            shows(case, &outline).then_some((triangle, outline))
        });
        Some(Layers {
            shape: frame.shape.clone(),
            triangles: outlined.collect(),
            area,
            positions: own.into_iter().map(place).collect(),
            allowed: case.samples.mask & samples.all(),
            stored: case.samples.count.count(),
        })
    }

    /// The samples of a pixel that each part of a triangle covers.
    fn samples(&self, outline: &Outline, [x, y]: [i64; 2]) -> impl Iterator<Item = u32> {
        outline.pieces().map(move |piece| {
            let covers = |(n, [right, down]): (usize, &[i64; 2])| {
                let is_covered = piece.covers([x * STEPS + right, y * STEPS + down]);
                u32::from(is_covered) << n
            };
            let covered = self.positions.iter().enumerate().map(covers);
            covered.fold(0, |all, sample| all | sample) & self.allowed
        })
    }

    fn has(&self, pixel: [u32; 2]) -> bool {
        let axes = self.area.iter().zip(pixel);
        axes.into_iter()
            .all(|(range, at)| range.contains(&i64::from(at)))
    }

    /// The marks that a pixel gets, in order, and the samples that get them.
    fn covering(&self, pixel: [u32; 2]) -> impl Iterator<Item = (u32, u32)> {
        let place = pixel.map(i64::from);
        let all: Vec<(u32, u32)> = match (&self.shape, self.has(pixel)) {
            (_, false) => Vec::new(),
            (ShapeCase::Rect(area), true) => {
                let inside = area
                    .iter()
                    .zip(place)
                    .all(|(range, at)| range.contains(&at));
                vec![(0, if inside { self.allowed } else { 0 })]
            }
            (ShapeCase::Quads(quads), true) => (0..)
                .zip(quads)
                .filter(|(_, quad)| [quad.x, quad.y] == pixel.map(|axis| axis & !1))
                .map(|(n, quad)| {
                    let lane = pixel[0] % 2 + 2 * (pixel[1] % 2);
                    (n, u32::from(quad.coverage[lane as usize]) & self.allowed)
                })
                .collect(),
            (ShapeCase::Triangles(..), true) => {
                let triangles = self.triangles.iter();
                let samples = triangles.flat_map(|(triangle, outline)| {
                    let samples = self.samples(outline, place);
                    samples.map(|samples| (triangle.number, samples))
                });
                samples.collect()
            }
        };
        all.into_iter().filter(|(_, samples)| *samples != 0)
    }

    /// The triangles, or parts of them, that a pixel may be of.
    fn parts(&self, shaded: &Shaded<'_>) -> Vec<(&Triangle, &Outline)> {
        let place = shaded.pixel.map(i64::from);
        let own = self.triangles.iter().filter(|(triangle, outline)| {
            triangle.number == shaded.number && self.samples(outline, place).any(|it| it != 0)
        });
        own.map(|(triangle, outline)| (triangle, outline)).collect()
    }

    /// Marks the memory of all targets. Gives the number of marks.
    fn marks(&self, targets: &mut [Memory]) -> u64 {
        let mut count = 0;
        let stored = self.stored;
        let mut put = |[x, y]: [i64; 2], number: u32, samples: u32| {
            let samples = if stored == 1 {
                u32::from(samples != 0)
            } else {
                samples
            };
            count += u64::from(samples.count_ones());
            for target in &mut *targets {
                for sample in (0..stored).filter(|sample| samples >> sample & 1 != 0) {
                    mark(target.bytes_mut([x as usize, y as usize, sample]), number);
                }
            }
        };
        match &self.shape {
            ShapeCase::Triangles(..) => {
                for (triangle, outline) in &self.triangles {
                    let [columns, rows] = [0, 1].map(|axis| outline.around(axis, &self.area[axis]));
                    for y in rows {
                        for x in columns.clone() {
                            for samples in self.samples(outline, [x, y]) {
                                put([x, y], triangle.number, samples);
                            }
                        }
                    }
                }
            }
            ShapeCase::Rect(_) => {
                for y in self.area[1].clone() {
                    for x in self.area[0].clone() {
                        let covering = self.covering([x as u32, y as u32]);
                        covering.for_each(|(number, samples)| put([x, y], number, samples));
                    }
                }
            }
            ShapeCase::Quads(quads) => {
                for (n, quad) in (0..).zip(quads) {
                    for lane in 0..4 {
                        let pixel = [quad.x + lane % 2, quad.y + lane / 2];
                        let samples = u32::from(quad.coverage[lane as usize]) & self.allowed;
                        if self.has(pixel) {
                            put(pixel.map(i64::from), n, samples);
                        }
                    }
                }
            }
        }
        count
    }
}

/// Whether a triangle is not left out for the side that it shows.
fn shows(case: &DrawCase, outline: &Outline) -> bool {
    let is_front = (outline.twice > 0.0) == (case.front == FrontFace::Clockwise);
    match case.hidden {
        Cull::None => true,
        Cull::Front => !is_front,
        Cull::Back => is_front,
    }
}

/// Resolves all targets to memory with other gaps, and looks at each pixel.
fn resolved(case: &DrawCase, targets: &mut [Memory]) -> Option<Fault> {
    if case.samples.count == SampleCount::One {
        return None;
    }
    let (colours, depth) = run::buffers(case, targets, Part::whole(case));
    let colours: Vec<_> = colours
        .into_iter()
        .map(|(index, buffer)| {
            let format = buffer.format();
            (
                TargetName::Colour(index),
                resolve_one(case, buffer, format.size()),
                Ok(format),
            )
        })
        .collect();
    let depth: Vec<_> = depth
        .into_iter()
        .map(|buffer| {
            let format = buffer.format();
            (
                TargetName::Depth,
                resolve_one(case, buffer, format.size()),
                Err(format),
            )
        })
        .collect();
    for (name, memory, format) in colours.into_iter().chain(depth) {
        let (bytes, pitch, size) = match memory {
            Ok(memory) => memory,
            Err(error) => {
                return Some(Fault::new(
                    RESOLVED,
                    format!("{name} cannot be resolved: {error}"),
                ));
            }
        };
        let target = targets.iter().find(|target| target.name == name)?;
        for (y, row) in bytes.chunks(pitch).enumerate() {
            let (row, gap) = row.split_at(case.size[0] as usize * size);
            for (x, result) in row.chunks_exact(size).enumerate() {
                let samples: Vec<&[u8]> = (0..case.samples.count.count())
                    .map(|sample| target.bytes_at([x, y, sample]))
                    .collect();
                let is_right = match format {
                    Ok(format) => resolve::colour(format, &samples, result),
                    Err(format) => resolve::depth(format, &samples, result),
                };
                if !is_right {
                    let summary = format!(
                        "{name} is resolved in another way than numerics.md says at ({x}, {y})"
                    );
                    return Some(Fault {
                        details: format!("  {samples:02x?}\n  become {result:02x?}"),
                        ..Fault::new(RESOLVED, summary)
                    });
                }
            }
            if gap.iter().any(|byte| *byte != GAP) {
                return Some(Fault::new(
                    RESOLVED,
                    format!("resolving {name} changes what is behind row {y}"),
                ));
            }
        }
    }
    None
}

/// The bytes between rows that are resolved to.
const GAP: u8 = 0x5a;

/// Bytes between them: a number that no target has.
const GAP_BYTES: usize = 7;

/// The memory of a resolved target, the bytes of its rows, and those of a pixel.
type Resolved = (Vec<u8>, usize, usize);

fn resolve_one<F: Resolve>(
    case: &DrawCase,
    mut from: Buffer<'_, F>,
    pixel: usize,
) -> Result<Resolved, String> {
    let [width, height] = case.size;
    let pitch = width as usize * pixel + GAP_BYTES;
    let mut bytes = vec![GAP; pitch * height as usize];
    let to = Buffer::new(from.format(), width, height, &mut bytes[..]).with_pitch(pitch);
    let resolved = guard(|| from.resolve_to(to).map_err(|error| error.to_string()));
    resolved.map(|()| (bytes, pitch, pixel))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::{self, Subject};

    #[test]
    fn nearly_all_random_draws_are_looked_at_and_are_as_drawing_md_says() {
        let mut tally = Tally::default();
        for index in 0..250 {
            let case: DrawCase = subject::case(49, index, &());
            let fault = check(&case, &mut tally);
            assert!(fault.is_none(), "{index}: {}", fault.unwrap().report());
        }
        assert!(tally.count("draws witnessed") >= 240, "{tally}");
        assert!(tally.count("samples placed") > 100_000, "{tally}");
        let [compared, left_out] = ["planes compared", "planes left out"].map(|it| tally.count(it));
        assert!(compared > 20_000 && left_out < compared / 10, "{tally}");
    }

    /// The kinds of the first faults when draws are not what they are told to be, over random cases that a change changes.
    fn kinds(change: impl Fn(&mut DrawCase)) -> Vec<&'static str> {
        let changed = (0..).filter_map(|index| {
            let case: DrawCase = subject::case(50, index, &());
            let mut told = case.clone();
            change(&mut told);
            // A case that has NaN is not equal to itself.
            (case.to_text("") != told.to_text("")).then_some([case, told])
        });
        let faults = changed.take(120).filter_map(|[case, told]| {
            let fault = on_threads([&case, &told], 1, &mut Tally::default());
            fault.map(|fault| fault.kind)
        });
        let mut kinds: Vec<_> = faults.collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    #[test]
    fn a_draw_that_is_not_as_it_is_told_is_found() {
        let shifted = |case: &mut DrawCase, axis: usize, by: f32| {
            for frame in &mut case.frames {
                if let ShapeCase::Triangles(positions, _) = &mut frame.shape {
                    positions
                        .iter_mut()
                        .for_each(|position| position[axis] += by);
                }
            }
        };
        assert!(kinds(|case| shifted(case, 0, 1.0 / 64.0)).contains(&MARKS));
        assert!(kinds(|case| shifted(case, 2, 1e-3)).contains(&PLANES));
        assert!(kinds(|case| shifted(case, 3, 1e-3)).contains(&PLANES));
        for change in [
            (|case| case.hidden = Cull::Back) as fn(&mut DrawCase),
            |case| case.scissor = Some([1..1000, 0..1000]),
            |case| case.samples.mask &= !1,
            |case| case.frames.iter_mut().for_each(turned),
            |case| case.set_up.cull = Default::default(),
        ] {
            assert!(kinds(change).contains(&MARKS));
        }
        for change in [
            (|case| case.front = FrontFace::Clockwise) as fn(&mut DrawCase),
            |case| case.alpha_test = attila_shader::machine::pipeline::Compare::Less,
            |case| case.samples.alpha_to_coverage ^= true,
            |case| case.samples.positions = vec![[-8, -8]; 16],
            |case| case.anchor[0] += 1.0,
            |case| case.set_up.two_sided ^= true,
            |case| case.set_up.clip = Default::default(),
            |case| case.set_up.wraps = Default::default(),
            |case| {
                case.frames
                    .iter_mut()
                    .for_each(|frame| frame.alpha_reference += 0.5)
            },
            |case| {
                case.kinds
                    .iter_mut()
                    .for_each(|kinds| *kinds = [InputKind::Flat; 4])
            },
        ] {
            assert!(kinds(change).contains(&PLANES));
        }
    }

    /// Draws the triangles, or quads, of a frame from the last to the first.
    fn turned(frame: &mut FrameCase) {
        match &mut frame.shape {
            ShapeCase::Triangles(_, triangles) => triangles.reverse(),
            ShapeCase::Quads(quads) => quads.reverse(),
            ShapeCase::Rect(_) => {}
        }
    }
}
