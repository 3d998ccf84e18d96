//! Is the history of a pixel that of the drawn pixel? And does the quad with which a fragment starts make its colour?

use attila_shader::Engine;
use attila_shader::debug::{Limits, Recording};
use attila_shader::draw::{Fate, Fragment, History, PreparedDraw, Stored, Watch};
use attila_shader::machine::{Bindings, ErrorChain};

use super::case::{DrawCase, FrameCase, ShapeCase};
use super::run::{self, Drawn, Memory, Part};
use crate::oracle::guard;
use crate::subject::{Fault, Tally};

/// The kind of a fault: a history that is not that of its pixel.
const HISTORY: &str = "history";

/// Pixels of a frame that are looked at, to find the one on which most is drawn.
const CANDIDATES: usize = 8;

/// Draws whose histories have been compared.
const DRAWS: &str = "draws with a history";

impl DrawCase {
    /// Does something with the history of a pixel in a frame, after the frames before it, and with the bindings.
    ///
    /// # Errors
    ///
    /// There is no such frame or pixel, or the frame is not drawn.
    pub fn look<T>(
        &self,
        number: usize,
        pixel: [u32; 2],
        work: impl FnOnce(&History, &Bindings<'_>) -> T,
    ) -> Result<T, String> {
        let last = self.frames.len().saturating_sub(1);
        let frame = self.frames.get(number);
        let frame =
            frame.ok_or_else(|| format!("there is no frame {number}; the last is {last}"))?;
        let mut targets = run::targets(self);
        run::with_shader(self, &Engine::interp(), |shader, bindings| {
            let mut prepared = run::prepare(self, shader, &mut targets, 1)?;
            for frame in &self.frames[..number] {
                // What an error leaves is what the next frame finds.
                let whole = Part::whole(self);
                let _ = run::draw_frame(self, frame, &mut prepared, bindings, &mut targets, whole);
            }
            let look = Look {
                case: self,
                frame,
                bindings,
            };
            let history = look.history(pixel, &mut prepared, &mut targets)?;
            Ok(work(&history, bindings))
        })
    }

    /// Whether three triangles or more are one above another on a pixel of a frame, among those that are looked at.
    pub fn overlaps(&self) -> bool {
        let is_crowded = |frame: &FrameCase| match &frame.shape {
            ShapeCase::Triangles(_, triangles) => triangles.len() >= 3,
            ShapeCase::Rect(_) | ShapeCase::Quads(_) => false,
        };
        if !self.frames.iter().any(is_crowded) {
            return false;
        }
        let targets = run::targets(self);
        let seen = run::with_shader(self, &Engine::interp(), |shader, bindings| {
            let mut prepared = run::prepare(self, shader, &mut targets.clone(), 1)?;
            let mut seen = Seen::default();
            for frame in &self.frames {
                let look = Look {
                    case: self,
                    frame,
                    bindings,
                };
                if let Some(history) = look.most(&mut prepared, &mut targets.clone())? {
                    seen.see(self, &history);
                }
            }
            Ok(seen.three)
        });
        seen == Ok(true)
    }
}

/// Compares the history of a pixel of each frame with what has been drawn, up to the first frame with an error.
pub(super) fn check(
    case: &DrawCase,
    start: &[Memory],
    drawn: &[Drawn],
    tally: &mut Tally,
) -> Option<Fault> {
    let mut seen = Seen::default();
    let fault = guard(|| frames(case, start, drawn, &mut seen));
    seen.count(tally);
    match fault {
        Ok(fault) => fault,
        Err(panic) => Some(Fault::new(HISTORY, panic)),
    }
}

fn frames(
    case: &DrawCase,
    start: &[Memory],
    drawn: &[Drawn],
    seen: &mut Seen,
) -> Result<Option<Fault>, String> {
    let mut before = start;
    run::with_shader(case, &Engine::interp(), |shader, bindings| {
        for (number, (frame, drawn)) in case.frames.iter().zip(drawn).enumerate() {
            if drawn.end.is_err() {
                return Ok(None);
            }
            let mut targets = before.to_vec();
            let mut prepared = run::prepare(case, shader, &mut targets, case.threads)?;
            let look = Look {
                case,
                frame,
                bindings,
            };
            let Some(history) = look.most(&mut prepared, &mut targets)? else {
                continue;
            };
            seen.see(case, &history);
            if let Err(message) = look.compare(&history, [before, &drawn.targets]) {
                let [x, y] = history.pixel;
                let summary = format!("the history of ({x}, {y}) in frame {number}: {message}");
                return Ok(Some(Fault::new(HISTORY, summary)));
            }
            if targets != before {
                let summary = format!("looking at frame {number} changed a target");
                return Ok(Some(Fault::new(HISTORY, summary)));
            }
            before = &drawn.targets;
        }
        Ok(None)
    })
}

/// A frame that is looked at.
struct Look<'a> {
    case: &'a DrawCase,
    frame: &'a FrameCase,
    bindings: &'a Bindings<'a>,
}

impl Look<'_> {
    /// The history of the pixel with most fragments, among a few.
    fn most(
        &self,
        prepared: &mut PreparedDraw,
        targets: &mut [Memory],
    ) -> Result<Option<History>, String> {
        let mut most: Option<History> = None;
        for pixel in self.candidates() {
            let history = self.history(pixel, prepared, targets)?;
            let count = |history: &History| history.fragments.len();
            if most.as_ref().is_none_or(|it| count(it) < count(&history)) {
                most = Some(history);
            }
        }
        Ok(most)
    }

    /// Pixels that may be drawn to: some spread evenly, and some in the middle of triangles.
    fn candidates(&self) -> Vec<[u32; 2]> {
        let [width, height] = self.case.size;
        let covered = self.case.covered(self.frame);
        let pixels: Vec<usize> = (0..covered.len()).filter(|&pixel| covered[pixel]).collect();
        // Strides by the golden ratio.
        let spread = (0..CANDIDATES.min(pixels.len())).map(|candidate| {
            let place = (candidate as f64 * 0.618_033_988_75).fract() * pixels.len() as f64;
            let pixel = pixels[place as usize] as u32;
            [pixel % width, pixel / width]
        });
        let mut candidates: Vec<[u32; 2]> = spread.collect();
        if let ShapeCase::Triangles(positions, triangles) = &self.frame.shape {
            let middle = |triangle: &[u32; 3]| {
                let corners = triangle.map(|index| positions[index as usize]);
                [0, 1].map(|axis| {
                    let sum: f32 = corners.iter().map(|corner| corner[axis]).sum();
                    (sum / 3.0) as u32
                })
            };
            let middles = triangles.iter().take(CANDIDATES).map(middle);
            candidates.extend(middles.filter(|[x, y]| x < &width && y < &height));
        }
        candidates
    }

    fn history(
        &self,
        pixel: [u32; 2],
        prepared: &mut PreparedDraw,
        targets: &mut [Memory],
    ) -> Result<History, String> {
        let watch = Watch::new(pixel);
        let part = Part::around(self.case, pixel);
        run::look(
            (self.case, self.frame),
            prepared,
            self.bindings,
            targets,
            (part, &watch),
        )?;
        Ok(watch.history())
    }

    fn compare(&self, history: &History, targets: [&[Memory]; 2]) -> Result<(), String> {
        if let Some(error) = &history.error {
            return Err(format!("{} in a frame without one", ErrorChain(error)));
        }
        let samples = [&history.before, &history.after];
        for (name, (samples, targets)) in ["before", "after"]
            .into_iter()
            .zip(samples.into_iter().zip(targets))
        {
            same_samples(history.pixel, samples, targets)
                .map_err(|message| format!("{name} it, {message}"))?;
        }
        self.numbers(history)?;
        history
            .fragments
            .iter()
            .try_for_each(|fragment| self.rerun(fragment))
    }

    /// Primitives come in their order. One that is cut may come more than once.
    fn numbers(&self, history: &History) -> Result<(), String> {
        let numbers = history.fragments.iter().map(|it| it.primitive);
        match numbers.is_sorted() {
            true => Ok(()),
            false => Err("its primitives are not in order".to_owned()),
        }
    }

    /// Runs a fragment's quad again, from the state in which it started.
    fn rerun(&self, fragment: &Fragment) -> Result<(), String> {
        let Some(end) = &fragment.end else {
            return Ok(());
        };
        let program = &self.case.shaded.program;
        let bindings = self.bindings.clone().with_inputs(fragment);
        let recording = Recording::of(program, &bindings, &fragment.start, Limits::default());
        let recording = recording.map_err(|error| ErrorChain(&error).to_string())?;
        let quad = recording.state_at(recording.len());
        for step in &fragment.colours {
            let output = quad.io.output(1 + step.target)[fragment.lane];
            if output.map(f32::to_bits) != step.output.map(f32::to_bits) {
                let number = 1 + step.target;
                return Err(format!(
                    "its quad alone gives o{number} = {output:?}, not {:?}",
                    step.output
                ));
            }
        }
        match quad.io.outputs == end.outputs && quad.io.kill == end.kill {
            true => Ok(()),
            false => Err("its quad alone ends in another state".to_owned()),
        }
    }
}

/// Compares the samples of a pixel with those of targets.
fn same_samples(pixel: [u32; 2], samples: &[Stored], targets: &[Memory]) -> Result<(), String> {
    let [x, y] = pixel.map(|at| at as usize);
    for stored in samples {
        let memory = targets.iter().find(|it| it.name == stored.target);
        let memory = memory.ok_or("it has a target too many")?;
        let bytes = memory.bytes_at([x, y, stored.sample]);
        if bytes != stored.bytes {
            let (target, sample) = (stored.target, stored.sample);
            return Err(format!(
                "sample {sample} of {target} is {:02x?}, not {bytes:02x?}",
                stored.bytes
            ));
        }
    }
    let count = |target: &Memory| samples.iter().filter(|it| it.target == target.name).count();
    let first = targets.first().map_or(0, count);
    match first > 0 && targets.iter().all(|target| count(target) == first) {
        true => Ok(()),
        false => Err("it lacks samples".to_owned()),
    }
}

/// What the histories of a draw had.
#[derive(Default)]
struct Seen {
    draws: bool,
    three: bool,
    blend: bool,
    kill: bool,
    late: bool,
    early: bool,
    helper: bool,
    samples: bool,
}

impl Seen {
    fn see(&mut self, case: &DrawCase, history: &History) {
        let fragments = &history.fragments;
        let fates = |fate: Fate| fragments.iter().any(|it| it.fates.contains(&fate));
        let of_triangles = case.vertices.contains(&true)
            || matches!(case.frames[0].shape, ShapeCase::Triangles(..));
        let mut primitives: Vec<_> = fragments.iter().map(|it| it.primitive).collect();
        primitives.dedup();
        let mut steps = fragments.iter().flat_map(|it| &it.colours);
        self.draws |= !fragments.is_empty();
        self.three |= of_triangles && primitives.len() >= 3;
        self.blend |= steps.any(|it| it.blended.is_some());
        self.kill |= fates(Fate::Killed);
        self.late |= fragments.iter().any(|it| {
            it.end.is_some() && !it.depths.is_empty() && !it.fates.contains(&Fate::EarlyDepth)
        }) && !case.tests_early();
        self.early |= fates(Fate::EarlyDepth);
        self.helper |= fragments.iter().any(|it| it.coverage.contains(&0));
        self.samples |= fragments.iter().any(|it| it.fates.len() > 1);
    }

    fn count(&self, tally: &mut Tally) {
        let seen = [
            (DRAWS, self.draws),
            ("pixels under three triangles or more", self.three),
            ("blended pixels", self.blend),
            ("killed fragments", self.kill),
            ("late depth tests", self.late),
            ("early depth tests that failed", self.early),
            ("quads with helper lanes", self.helper),
            ("pixels of several samples", self.samples),
        ];
        for (name, seen) in seen {
            tally.add(name, seen.into());
        }
    }
}
