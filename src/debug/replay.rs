//! Computes a cone's value again from its leaves, and from nothing else.

use std::collections::BTreeMap;

use attila_interp::Session;
use attila_isa::{Inputs, Inst, OpFlags, Outputs, PREDICATES, Temps};
use attila_machine::{
    AttributeSource, Bindings, InputSource, KILL_ALL, LANES, LaneMask, Lanes, QuadReg, QuadSamples,
    QuadState, RegFile, RunError, SAMPLES, TextureQuery, TextureUnit,
};

use super::cone::{Cone, Node, Origin};
use super::event::{Event, operands};
use super::place::Place;
use super::{Recording, Step};

/// What no value of a cone is: it stands wherever the cone has nothing.
const POISON: u32 = 0x7fba_dbad;

impl Cone<'_> {
    /// The value, computed again: each step's instruction is run alone, on a quad that has nothing but the values that
    /// the cone says it is made of. Leaves are taken as they are. `None` of a cone that [is cut](Cone::is_cut).
    ///
    /// # Errors
    ///
    /// As [`Recording::of`].
    pub fn replay(&self) -> Result<Option<u32>, RunError> {
        if self.is_cut() {
            return Ok(None);
        }
        let mut values: Vec<u32> = self.nodes().iter().map(|node| node.value).collect();
        let mut steps: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, node) in self.nodes().iter().enumerate() {
            if let Origin::Step { step, .. } = node.origin {
                values[index] = POISON;
                steps.entry(step).or_default().push(index);
            }
        }
        for (step, nodes) in steps {
            if let Some(step) = self.recording.step(step) {
                self.run(&step, &nodes, &mut values)?;
            }
        }
        Ok(values.first().copied())
    }

    /// Runs the instruction of a step for these nodes.
    fn run(&self, step: &Step<'_>, nodes: &[usize], values: &mut [u32]) -> Result<(), RunError> {
        let recording = self.recording;
        let program = recording.program.program();
        let alone = program.with_insts(vec![Inst {
            end: true,
            ..*step.inst
        }]);
        let alone = alone.ok().and_then(|program| program.validate().ok());
        let Some(alone) = alone else { return Ok(()) };
        let mut state = poison();
        let mut scratch = vec![[[POISON; LANES]; 4]; program.scratch() as usize];
        let answers = Answers::new(recording, step);
        let mut bindings = Bindings::new().with_fixed_bits(recording.fixed_bits);
        for part in nodes.iter().flat_map(|node| &self.nodes()[*node].parts) {
            let (Node { origin, lane, .. }, value) = (&self.nodes()[*part], values[*part]);
            match *origin {
                Origin::Step { place, .. } | Origin::Start(place) => match place {
                    Place::Word(word) => word.set_lane(&mut state, *lane, value),
                    Place::Scratch { vector, component } => {
                        scratch[usize::from(vector)][component.index()][*lane] = value;
                    }
                },
                Origin::Constant {
                    register,
                    component,
                } => {
                    let mut words = bindings.constants()[register];
                    words[component.index()] = value;
                    bindings.set_constant_bits(register, words);
                }
                Origin::Texture { .. }
                | Origin::Attribute { .. }
                | Origin::Input { .. }
                | Origin::Buffer { .. }
                | Origin::Storage { .. } => {}
            }
        }
        let vectors = answers.vectors();
        if let Some(buffer) = step.inst.buffer() {
            bindings = bindings.with_buffer(buffer.into(), &vectors);
        }
        bindings = bindings.with_textures(&answers).with_attributes(&answers);
        if recording.evaluates {
            bindings = bindings.with_inputs(&answers);
        }
        let mut session = Session::begin(&alone, &bindings, &state)?.with_scratch(&scratch);
        session.step()?;
        session.save(&mut state);
        for &index in nodes {
            let node = &self.nodes()[index];
            let Origin::Step { place, .. } = node.origin else {
                continue;
            };
            let parts = node.parts.iter();
            let loaded = parts
                .clone()
                .find(|part| matches!(self.nodes()[**part].origin, Origin::Storage { .. }));
            values[index] = match (loaded, place) {
                (Some(loaded), _) => values[*loaded],
                (None, Place::Word(word)) => word.get(&state)[node.lane],
                (None, Place::Scratch { vector, component }) => {
                    session.scratch()[usize::from(vector)][component.index()][node.lane]
                }
            };
        }
        Ok(())
    }
}

/// A quad of which nothing is known.
fn poison() -> QuadState {
    let register = [[POISON; LANES]; 4];
    let mut state = QuadState::default();
    state.io.inputs = Inputs::all(register);
    state.io.outputs = Outputs::all(register);
    state.io.kill = [KILL_ALL; LANES];
    state.io.depth = [[POISON; LANES]; SAMPLES];
    state.io.samples = QuadSamples {
        count: [1; LANES],
        coverage: [POISON; LANES],
        own: [POISON; LANES],
        positions: [POISON; SAMPLES],
    };
    state.regs = RegFile {
        temps: Temps::all(register),
        addresses: [register; _],
        predicates: [[u32::MAX; LANES]; PREDICATES as usize],
        sample: [POISON; LANES],
        ..RegFile::default()
    };
    state
}

/// Gives the recorded answers to the recorded questions, in the lanes in which they are the same.
struct Answers<'a> {
    events: &'a [Event],
    /// Whether a lane's answer depends on the questions of others.
    is_shared: bool,
}

impl<'a> Answers<'a> {
    fn new(recording: &'a Recording, step: &Step<'_>) -> Answers<'a> {
        Answers {
            events: recording.events(step.number),
            is_shared: step.inst.op.has(OpFlags::QUAD),
        }
    }

    /// The recorded answer in each lane that asks what was recorded.
    fn answer(&self, same: impl Fn(&Event, usize) -> bool) -> QuadReg {
        let mut given = [[POISON; LANES]; 4];
        for lane in 0..LANES {
            let asked = self.events.iter().filter(|event| same(event, lane));
            if let Some(answer) = asked.filter_map(|event| event.answer(lane)).next() {
                for (given, answer) in given.iter_mut().zip(answer) {
                    given[lane] = answer[lane];
                }
            }
        }
        given
    }

    /// The vectors of the constant buffer that was read, as far as they are known.
    fn vectors(&self) -> Vec<[u32; 4]> {
        let mut vectors = Vec::new();
        for event in self.events {
            let Event::Buffer { index, value, .. } = event else {
                continue;
            };
            for lane in 0..LANES {
                let known = value.map(|component| component[lane]);
                let index = index[lane] as usize;
                // Past the end there is 0, as past the end of these.
                if known != [0; 4] {
                    vectors.resize(vectors.len().max(index + 1), [0; 4]);
                    vectors[index] = known;
                }
            }
        }
        vectors
    }
}

impl TextureUnit for Answers<'_> {
    fn has_unit(&self, _: u8) -> bool {
        true
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        let asked = operands(query);
        let same = |event: &Event, lane: usize| {
            let Event::Texture(request) = event else {
                return false;
            };
            let lanes = match self.is_shared {
                true => LaneMask::all(),
                false => LaneMask::only(lane),
            };
            let lanes = move || (0..LANES).filter(move |&lane| lanes.has(lane));
            let recorded = request.operands();
            let mut both = asked.iter().zip(&recorded);
            request.query.unit == query.unit
                && both.all(|((_, a), (_, b))| lanes().all(|lane| a[lane] == b[lane]))
        };
        Answers::answer(self, same)
    }
}

impl AttributeSource for Answers<'_> {
    fn fetch(&self, _: u8, index: Lanes<u32>, _: LaneMask) -> [Lanes<f32>; 4] {
        let same = |event: &Event, lane: usize| matches!(event, Event::Attribute { index: it, .. } if it[lane] == index[lane]);
        let answer = self.answer(same);
        answer.map(|component| component.map(f32::from_bits))
    }
}

impl InputSource for Answers<'_> {
    fn evaluate(&self, _: usize, _: u8, offset: Lanes<[i16; 2]>) -> QuadReg {
        let same = |event: &Event, lane: usize| matches!(event, Event::Input { offset: it, .. } if it[lane] == offset[lane]);
        self.answer(same)
    }
}
