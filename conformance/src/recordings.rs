//! Recordings of random programs: is each state the interpreter's, and is each value made of what its cone says?

use std::hash::{Hash, Hasher};

use attila_shader::debug::{Limits, Place, Recording};
use attila_shader::machine::{Bindings, ErrorChain, LANES, LaneMask, QuadState, StateWord};
use attila_shader::{Interp, TracePoint, Tracer};
use rustc_hash::FxHasher;

use crate::case::Case;
use crate::recorder::Answers;
use crate::subject::Tally;

/// Values whose cones are computed again.
const CONES: usize = 12;

/// Records the first quad of a case, and compares the recording with the interpreter's run.
///
/// # Errors
///
/// The first difference.
pub fn check(case: &Case, tally: &mut Tally) -> Result<(), String> {
    let Some(start) = case.quads.first() else {
        return Ok(());
    };
    let (textures, answers) = (case.bound(), Answers(case.order));
    let bindings = case
        .bindings()
        .with_attributes(&answers)
        .with_inputs(&answers);
    match &textures {
        Some(textures) => compare(case, start, &bindings.with_textures(textures), tally),
        None => compare(case, start, &bindings.with_textures(&answers), tally),
    }
}

fn compare(
    case: &Case,
    start: &QuadState,
    bindings: &Bindings<'_>,
    tally: &mut Tally,
) -> Result<(), String> {
    let recording = Recording::of(&case.program, bindings, start, Limits::default());
    let recording = recording.map_err(|error| ErrorChain(&error).to_string())?;
    let mut states = States {
        recording: &recording,
        digests: vec![digest(start)],
        fault: None,
    };
    let mut quads = [start.clone()];
    let result = Interp.run_traced(&case.program, bindings, &mut quads, &mut states);
    if let Some(fault) = states.fault {
        return Err(fault);
    }
    let end = match result {
        Ok(()) => attila_shader::debug::End::Finished,
        Err(error) => attila_shader::debug::End::Stopped(error),
    };
    if *recording.end() != end {
        return Err(format!("it ends with {:?}, not {end:?}", recording.end()));
    }
    let [last] = quads;
    if recording.state_at(recording.len()) != last {
        return Err("its last state is another".to_owned());
    }
    for (step, expected) in states.digests.iter().enumerate().rev() {
        if digest(&recording.state_at(step)) != *expected {
            return Err(format!(
                "going back, the state before step {step} is another"
            ));
        }
    }
    tally.cases += 1;
    tally.add("states", states.digests.len() as u64);
    cones(&recording, tally)
}

/// A number that is hardly ever the same of two states.
fn digest(state: &QuadState) -> u64 {
    let mut hasher = FxHasher::default();
    StateWord::all().for_each(|word| word.get(state).hash(&mut hasher));
    hasher.finish()
}

/// Compares the states of a run with those of a recording.
struct States<'r> {
    recording: &'r Recording,
    /// Of the states before each step.
    digests: Vec<u64>,
    fault: Option<String>,
}

impl Tracer for States<'_> {
    fn before(&mut self, at: TracePoint<'_>) {
        let step = self.digests.len() - 1;
        if self.fault.is_some() {
            return;
        }
        let recorded = self.recording.step(step).map(|it| (it.pc, it.active));
        if recorded != Some((at.pc, at.active)) {
            let is = (at.pc, at.active);
            self.fault = Some(format!("step {step} is {recorded:?}, not {is:?}"));
        } else if self.recording.state_at(step) != *at.state {
            self.fault = Some(format!("the state before step {step} is another"));
        }
    }

    fn after(&mut self, at: TracePoint<'_>) {
        self.digests.push(digest(at.state));
    }
}

/// Computes some values again from the leaves of their cones.
fn cones(recording: &Recording, tally: &mut Tally) -> Result<(), String> {
    for (place, lane, step) in values(recording) {
        let cone = recording.cone(place, lane, step);
        let value = recording.value_at(step, place)[lane];
        let replayed = cone.replay();
        let Some(replayed) = replayed.map_err(|error| ErrorChain(&error).to_string())? else {
            tally.add("cones that are cut", 1);
            continue;
        };
        let are_nan = [value, replayed].map(|word| f32::from_bits(word).is_nan());
        if replayed != value && are_nan != [true; 2] {
            return Err(format!(
                "{place}[{lane}] before step {step} is {value:#x}, and {replayed:#x} of\n{cone}"
            ));
        }
        tally.add("values computed again", 1);
        tally.add("parts of values", cone.nodes().len() as u64);
    }
    Ok(())
}

/// Some words that steps wrote, and those that the program leaves.
fn values(recording: &Recording) -> Vec<(Place, usize, usize)> {
    let count = recording.len();
    let stride = count.div_ceil(CONES).max(1);
    let steps = (0..count).rev().step_by(stride);
    let words = steps.flat_map(|step| {
        let effective = recording
            .step(step)
            .map_or(LaneMask::empty(), |it| it.effective);
        let lane = (0..LANES).rev().find(|&lane| effective.has(lane));
        let changes = recording.changes(step).map(|(place, _)| place);
        let words = lane.map(|lane| changes.map(move |place| (place, lane, step + 1)));
        words.into_iter().flatten().collect::<Vec<_>>()
    });
    words.collect()
}
