//! Runs a case on engines, and compares what they draw.

use attila_shader::isa::Slots;
use std::ops::Range;

use attila_shader::machine::pipeline::{ColourFormat, DepthFormat, InputKind, Location, Plane};
use attila_shader::machine::{Bindings, ErrorChain, QuadReg};

use super::case::{DrawCase, FrameCase, ShapeCase};
use super::exact;
use super::fill::Fill;
use super::watched;
use crate::oracle::guard;
use crate::recorder::Answers;
use crate::subject::{Fault, Tally};
use attila_shader::draw::{
    ColourBuffer, DepthBuffer, DepthState, Draw, Frame, PreparedDraw, TargetName, Varying,
    Vertices, Watch,
};
use attila_shader::{Engine, Shader};

/// The kind of a fault: how a frame ended.
const END: &str = "end";
/// The kind of a fault: a pixel that is not the same.
const PIXEL: &str = "pixel";
/// The kind of a fault: the first draw changed a pixel, or what lies between rows, that it must not touch.
const TOUCHED: &str = "touched";

/// The memory of a target.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Memory {
    pub(super) name: TargetName,
    pixel: usize,
    pitch: usize,
    /// Bytes of a sample's plane, and to the next.
    plane: [usize; 2],
    bytes: Vec<u8>,
}

/// Column, row and sample.
pub(super) type Place = [usize; 3];

/// A frame that has been drawn: how that ended, and all targets.
pub(super) struct Drawn {
    pub(super) end: Result<(), String>,
    pub(super) targets: Vec<Memory>,
}

/// Draws with each of the engines, and with one of them on several threads.
pub(super) fn compare(case: &DrawCase, engines: &[Engine], tally: &mut Tally) -> Option<Fault> {
    if let Some(fault) = exact::check(case, tally) {
        return Some(fault);
    }
    let (first, others) = engines.split_first()?;
    let start = targets(case);
    let whole = [Part::whole(case)];
    let expected = draw(case, first, 1, &whole);
    count(case, &start, &expected, tally);
    let name = |engine: &Engine, threads| match threads {
        1 => engine.name().to_owned(),
        _ => format!("{} on {threads} threads", engine.name()),
    };
    let touched = touched(case, &start, &expected, &name(first, 1));
    let other = touched.or_else(|| {
        let threaded = (case.threads > 1).then_some(first);
        threaded.into_iter().chain(others).find_map(|engine| {
            let got = draw(case, engine, case.threads, &whole);
            let names = [name(first, 1), name(engine, case.threads)];
            let fault = difference(case, &start, [&expected, &got], &names)?;
            Some(Fault {
                engine: Some(engine.name()),
                ..fault
            })
        })
    });
    let other = other.or_else(|| {
        // Where a loop budget runs out, other pixels are left undrawn.
        let tile = case
            .tile
            .filter(|_| expected.iter().all(|it| it.end.is_ok()))?;
        let engine = &engines[tile[0] as usize % engines.len()];
        let got = draw(case, engine, case.threads, &Part::tiles(case, tile));
        // Beside a tile, depths are not known: where a program can tell what is covered there, a fragment is shaded that
        // the whole picture may not have (drawing.md 2).
        let usage = case.shaded.program.usage();
        let is_late = |it: &Drawn| matches!(&it.end, Err(message) if is_budget(message));
        let at_centroid = case.samples.locations.contains(&Location::Centroid);
        if (usage.samples || usage.evaluates() || at_centroid) && got.iter().any(is_late) {
            return None;
        }
        let names = [name(first, 1), format!("{} in tiles", engine.name())];
        difference(case, &start, [&expected, &got], &names)
    });
    other.or_else(|| watched::check(case, &start, &expected, tally))
}

/// Whether a loop budget ran out.
fn is_budget(message: &str) -> bool {
    message.contains("backward jumps")
}

/// Frames that were not drawn because something was wrong with them: none should be.
pub(super) const REFUSED: &str = "frames refused";

fn count(case: &DrawCase, start: &[Memory], drawn: &[Drawn], tally: &mut Tally) {
    let frames = || case.frames.iter().zip(drawn);
    let covered = |frame| {
        case.covered(frame)
            .into_iter()
            .filter(|covered| *covered)
            .count()
    };
    let failed = frames().filter_map(|(_, drawn)| drawn.end.as_ref().err());
    let (budgets, refused): (Vec<_>, Vec<_>) = failed.partition(|message| is_budget(message));
    let changed = drawn.last().map(|last| start.iter().zip(&last.targets));
    let changed = changed
        .into_iter()
        .flatten()
        .map(|(a, b)| a.changed(b).count());
    tally.add("frames", drawn.len() as u64);
    tally.add(
        "fragments",
        frames().map(|(frame, _)| covered(frame) as u64).sum(),
    );
    tally.add("pixels changed", changed.sum::<usize>() as u64);
    tally.add("frames with a loop budget used up", budgets.len() as u64);
    tally.add(REFUSED, refused.len() as u64);
}

impl Memory {
    /// The memory of a target: `fill` makes the plane that has a seed.
    fn new(
        case: &DrawCase,
        (name, pixel): (TargetName, usize),
        fill: Fill,
        plane: impl Fn(Fill) -> Vec<u8>,
    ) -> Memory {
        let first = plane(fill);
        let plane_bytes = [first.len(), first.len() + case.samples.gap()];
        let mut bytes = first;
        for sample in 1..case.samples.count.count() {
            bytes.resize(sample * plane_bytes[1], 0xa5);
            // A seed of 0 is no seed.
            let seed = fill
                .seed
                .wrapping_add(sample as u32 * u32::from(fill.seed != 0));
            bytes.extend(plane(Fill { seed, ..fill }));
        }
        Memory {
            name,
            pixel,
            pitch: fill.pitch(case.size[0], pixel),
            plane: plane_bytes,
            bytes,
        }
    }

    /// Place and bytes of every pixel, and of what lies between rows and planes as if it were pixels.
    fn pixels(&self) -> impl Iterator<Item = (Place, &[u8])> {
        let (pitch, pixel) = (self.pitch.max(1), self.pixel);
        let planes = self.bytes.chunks(self.plane[1].max(1)).enumerate();
        planes.flat_map(move |(sample, plane)| {
            let rows = plane.chunks(pitch).enumerate();
            rows.flat_map(move |(y, row)| {
                let pixels = row.chunks(pixel).enumerate();
                pixels.map(move |(x, pixel)| ([x, y, sample], pixel))
            })
        })
    }

    /// The places at which `other` is not the same.
    pub(super) fn changed(&self, other: &Memory) -> impl Iterator<Item = Place> {
        let pairs = self.pixels().zip(other.pixels());
        pairs.filter_map(|((place, a), (_, b))| (a != b).then_some(place))
    }

    /// The bytes of a pixel's sample.
    fn range(&self, [x, y, sample]: Place) -> Range<usize> {
        let from = sample * self.plane[1] + y * self.pitch + x * self.pixel;
        from..from + self.pixel
    }

    /// The bytes of a pixel's sample, which exists.
    pub(super) fn bytes_at(&self, place: Place) -> &[u8] {
        &self.bytes[self.range(place)]
    }

    /// The same, to be changed.
    pub(super) fn bytes_mut(&mut self, place: Place) -> &mut [u8] {
        let range = self.range(place);
        &mut self.bytes[range]
    }

    fn pixel(&self, place: Place) -> Vec<u8> {
        let mut pixels = self.pixels();
        let found = pixels.find(|(other, _)| *other == place);
        found.map_or_else(Vec::new, |(_, bytes)| bytes.to_vec())
    }
}

/// All targets before the first frame, that of depths last.
pub(super) fn targets(case: &DrawCase) -> Vec<Memory> {
    let colours = case.targets.iter().enumerate();
    let colours = colours.filter_map(|(index, target)| {
        let target = (*target)?;
        let format: ColourFormat = target.target.format;
        let name = TargetName::Colour(index);
        Some(Memory::new(
            case,
            (name, format.size()),
            target.fill,
            |fill| fill.colours(format, case.size),
        ))
    });
    let depth = case.depth.map(|depth| {
        let format: DepthFormat = depth.state.format;
        let name = TargetName::Depth;
        Memory::new(case, (name, format.size()), depth.fill, |fill| {
            fill.depths(format, case.size)
        })
    });
    colours.chain(depth).collect()
}

/// Draws the frames one over the other.
fn draw(case: &DrawCase, engine: &Engine, threads: usize, parts: &[Part]) -> Vec<Drawn> {
    let mut targets = targets(case);
    let drawn = guard(|| {
        with_shader(case, engine, |shader, bindings| {
            let mut prepared = prepare(case, shader, &mut targets, threads)?;
            let frames = case.frames.iter().map(|frame| Drawn {
                end: guard(|| {
                    parts.iter().try_for_each(|part| {
                        draw_frame(case, frame, &mut prepared, bindings, &mut targets, *part)
                    })
                }),
                targets: targets.clone(),
            });
            Ok(frames.collect())
        })
    });
    drawn.unwrap_or_else(|message| {
        vec![Drawn {
            end: Err(message),
            targets,
        }]
    })
}

/// Prepares the program, and binds what it is bound to.
pub(super) fn with_shader<T>(
    case: &DrawCase,
    engine: &Engine,
    work: impl FnOnce(&Shader, &Bindings<'_>) -> Result<T, String>,
) -> Result<T, String> {
    let shader = engine.prepare(&case.shaded.program);
    let shader = shader.map_err(|error| ErrorChain(&error).to_string())?;
    let textures = case.shaded.bound();
    let answers = Answers(case.shaded.order);
    let bindings = case.shaded.bindings().with_attributes(&answers);
    match &textures {
        Some(textures) => work(&shader, &bindings.with_textures(textures)),
        None => work(&shader, &bindings.with_textures(&answers)),
    }
}

/// A part of the picture.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// Its first pixel.
    from: [u32; 2],
    /// Its columns and rows.
    size: [u32; 2],
}

impl Part {
    /// The whole picture.
    pub(super) fn whole(case: &DrawCase) -> Part {
        Part {
            from: [0, 0],
            size: case.size,
        }
    }

    /// The tile of the case that has a pixel, or the whole picture.
    pub(super) fn around(case: &DrawCase, [x, y]: [u32; 2]) -> Part {
        let holds = |part: &Part| {
            let [left, top] = part.from;
            let [columns, rows] = part.size;
            (left..left + columns).contains(&x) && (top..top + rows).contains(&y)
        };
        let tiles = case.tile.map(|tile| Part::tiles(case, tile));
        let mut tiles = tiles.into_iter().flatten();
        tiles.find(holds).unwrap_or(Part::whole(case))
    }

    /// Parts of a size, and what is left at the edges.
    fn tiles(case: &DrawCase, tile: [u32; 2]) -> Vec<Part> {
        let starts = |axis: usize| (0..case.size[axis]).step_by(tile[axis] as usize);
        let part = |from: [u32; 2]| Part {
            from,
            size: std::array::from_fn(|axis| tile[axis].min(case.size[axis] - from[axis])),
        };
        let rows = starts(1).flat_map(|y| starts(0).map(move |x| [x, y]));
        rows.map(part).collect()
    }
}

/// The buffers of a part of all targets.
pub(super) fn buffers<'a>(
    case: &DrawCase,
    targets: &'a mut [Memory],
    part: Part,
) -> (Vec<(usize, ColourBuffer<'a>)>, Option<DepthBuffer<'a>>) {
    let (samples, Part { from, size }) = (&case.samples, part);
    let (mut colours, mut depths) = (Vec::new(), None);
    for memory in targets {
        let lengths = (memory.pitch, memory.plane[0]);
        let from = from[1] as usize * memory.pitch + from[0] as usize * memory.pixel;
        let bytes = (&mut memory.bytes[..], from);
        match (memory.name, case.depth) {
            (TargetName::Colour(index), _) => {
                if let Some(target) = case.targets[index] {
                    let format = target.target.format;
                    colours.push((index, samples.buffer((format, size), lengths, bytes)));
                }
            }
            (TargetName::Depth, Some(depth)) => {
                let format = depth.state.format;
                depths = Some(samples.buffer((format, size), lengths, bytes));
            }
            (TargetName::Depth, None) => {}
        }
    }
    (colours, depths)
}

pub(super) fn prepare(
    case: &DrawCase,
    shader: &Shader,
    targets: &mut [Memory],
    threads: usize,
) -> Result<PreparedDraw, String> {
    let mut draw = case
        .set_up
        .set(case.samples.set(Draw::new(shader)))
        .anchor(case.anchor)
        .alpha_test(case.alpha_test, 0.0)
        .cull(case.hidden, case.front)
        .threads(threads);
    if let Some([columns, rows]) = case.scissor.clone() {
        draw = draw.scissor(columns, rows);
    }
    for (register, kinds) in case.given() {
        let mut varying = varying(*kinds, [Plane::default(); 4], &[]);
        varying.from_vertices = case.vertices[register];
        varying.location = case.samples.locations[register];
        varying.wraps = case.set_up.wraps[register];
        draw = draw.varying(register, varying);
    }
    let (colours, depths) = buffers(case, targets, Part::whole(case));
    for (index, buffer) in colours {
        if let Some(target) = case.targets[index] {
            draw = draw.write_mask(index, target.target.mask);
            if let Some(blend) = target.target.blend {
                draw = draw.blend(index, blend);
            }
        }
        draw = draw.target(index, buffer);
    }
    if let (Some(buffer), Some(depth)) = (depths, case.depth) {
        draw = draw.depth(
            buffer,
            DepthState {
                compare: depth.state.compare,
                write: depth.state.write,
            },
        );
    }
    draw.prepare()
        .map_err(|error| ErrorChain(&error).to_string())
}

fn varying<'a>(kinds: [InputKind; 4], planes: [Plane; 4], array: &'a [QuadReg]) -> Varying<'a> {
    Varying {
        kinds,
        planes,
        array,
        from_vertices: false,
        location: Location::Centre,
        wraps: Slots::empty(),
    }
}

pub(super) fn draw_frame(
    case: &DrawCase,
    values: &FrameCase,
    prepared: &mut PreparedDraw,
    bindings: &Bindings<'_>,
    targets: &mut [Memory],
    part: Part,
) -> Result<(), String> {
    frame((case, values), prepared, bindings, targets, (part, None))
}

/// Looks at a pixel of a frame instead of drawing it.
pub(super) fn look(
    case: (&DrawCase, &FrameCase),
    prepared: &mut PreparedDraw,
    bindings: &Bindings<'_>,
    targets: &mut [Memory],
    (part, watch): (Part, &Watch),
) -> Result<(), String> {
    frame(case, prepared, bindings, targets, (part, Some(watch)))
}

fn frame(
    (case, values): (&DrawCase, &FrameCase),
    prepared: &mut PreparedDraw,
    bindings: &Bindings<'_>,
    targets: &mut [Memory],
    (part, watch): (Part, Option<&Watch>),
) -> Result<(), String> {
    let (colours, depths) = buffers(case, targets, part);
    let mut frame = prepared
        .frame(bindings)
        .alpha_reference(values.alpha_reference)
        .blend_constant(values.blend_constant);
    if part.size != case.size {
        frame = frame.origin(part.from.map(u32::cast_signed), case.size);
    }
    for (register, kinds) in case.given() {
        if case.vertices[register] {
            continue;
        }
        let array = values.arrays.get(&register).map_or(&[][..], Vec::as_slice);
        frame = frame.varying(register, varying(*kinds, values.planes[register], array));
    }
    for (index, buffer) in colours {
        frame = frame.target(index, buffer);
    }
    if let Some(buffer) = depths {
        frame = frame.depth(buffer);
    }
    if let Some(watch) = watch {
        frame = frame.watch(watch);
    }
    draw_shape(values, &mut frame)
}

/// Draws the shape of a frame.
fn draw_shape(values: &FrameCase, frame: &mut Frame<'_>) -> Result<(), String> {
    let meshed = values.meshed()?;
    let result = match (&values.shape, &meshed) {
        (ShapeCase::Rect([columns, rows]), _) => frame.rect(columns.clone(), rows.clone()),
        (ShapeCase::Quads(quads), _) => frame.sample_quads(quads),
        (ShapeCase::Triangles(_, triangles), Some(meshed)) => {
            frame.mesh(&meshed.mesh(&meshed.buffers(), triangles))
        }
        (ShapeCase::Triangles(positions, triangles), None) => {
            let mut vertices = Vertices::new(positions);
            for (register, attribute) in &values.attributes {
                vertices = vertices.with(*register, attribute);
            }
            frame.triangles(&vertices, triangles)
        }
    };
    result.map_err(|error| ErrorChain(&error).to_string())
}

/// The first frame after which two draws differ.
fn difference(
    case: &DrawCase,
    start: &[Memory],
    [a, b]: [&[Drawn]; 2],
    names: &[String; 2],
) -> Option<Fault> {
    let frames = 0..case.frames.len().max(1);
    frames
        .into_iter()
        .find_map(|frame| match [a, b].map(|drawn| drawn.get(frame)) {
            [Some(a), Some(b)] if a.end == b.end => pixel_difference(frame, start, [a, b], names),
            [None, None] => None,
            ends => {
                let [a, b] = names;
                let said = |drawn: Option<&Drawn>| match drawn.map(|drawn| &drawn.end) {
                    Some(Ok(())) => "no error".to_owned(),
                    Some(Err(message)) => message.clone(),
                    None => "the frame does not exist".to_owned(),
                };
                let [one, other] = ends.map(said);
                Some(Fault {
                    details: format!("  {a}: {one}\n  {b}: {other}"),
                    ..Fault::new(
                        END,
                        format!("{a} and {b} end frame {frame} in different ways"),
                    )
                })
            }
        })
}

fn pixel_difference(
    frame: usize,
    start: &[Memory],
    drawn: [&Drawn; 2],
    [a, b]: &[String; 2],
) -> Option<Fault> {
    let [one, other] = drawn.map(|drawn| &drawn.targets);
    let mut targets = start.iter().zip(one.iter().zip(other));
    targets.find_map(|(start, (one, other))| {
        let differs = one.bytes != other.bytes;
        let place = differs.then(|| one.changed(other).next())??;
        let [before, one_pixel, other_pixel] = [start, one, other].map(|it| it.pixel(place));
        let (place, target) = (said(place), one.name);
        let summary = format!("{a} and {b} differ after frame {frame}: {target} at {place}");
        Some(Fault {
            details: format!(
                "  at first: {before:02x?}\n  {a}: {one_pixel:02x?}\n  {b}: {other_pixel:02x?}"
            ),
            ..Fault::new(PIXEL, summary)
        })
    })
}

/// A place, for messages.
pub(super) fn said([x, y, sample]: Place) -> String {
    match sample {
        0 => format!("({x}, {y})"),
        _ => format!("({x}, {y}), sample {sample}"),
    }
}

/// The first frame that changed what it must not.
fn touched(case: &DrawCase, start: &[Memory], drawn: &[Drawn], name: &str) -> Option<Fault> {
    let mut before = start;
    for (number, (frame, drawn)) in case.frames.iter().zip(drawn).enumerate() {
        let covered = case.covered(frame);
        let width = case.size[0] as usize;
        let height = case.size[1] as usize;
        let allowed = |[x, y, _]: Place| x < width && y < height && covered[y * width + x];
        for (a, b) in before.iter().zip(&drawn.targets) {
            if let Some(place) = a.changed(b).find(|place| !allowed(*place)) {
                let place = format!("{} at {}", a.name, said(place));
                let summary = format!("{name} touches what frame {number} does not cover: {place}");
                return Some(Fault::new(TOUCHED, summary));
            }
        }
        before = &drawn.targets;
    }
    None
}
