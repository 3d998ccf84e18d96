//! Makes a [`Recording`].

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use attila_interp::Session;
use attila_isa::{BUFFERS, Component, Inst, Opcode, STORAGE_BUFFERS, Section, ValidProgram};
use attila_machine::{
    Bindings, LANES, LaneMask, Lanes, QuadReg, QuadState, RunError, StateWord, from_lanes,
};
use attila_texture::Textures;

use super::event::{Event, Listener};
use super::place::{Place, Places};
use super::reads::Operands;
use super::{Change, End, Limits, Recording, SNAPSHOT, StepRecord};

impl Recording {
    /// Runs `program` on a quad that starts as `quad`, and records it, up to `limits` and to the error that stops it.
    ///
    /// Nobody sees the run: storage buffers are copied, and emitted vertices stay in the recording. Textures, attributes
    /// and inputs are asked as in any run.
    ///
    /// # Errors
    ///
    /// Nothing was run: a texture unit is not bound, the bindings [have a fault](Bindings::check), or there are
    /// [too many runs](attila_machine::MAX_NESTED_RUNS) inside each other.
    ///
    /// # Panics
    ///
    /// If a texture unit or attribute source does.
    pub fn of(
        program: &ValidProgram,
        bindings: &Bindings<'_>,
        quad: &QuadState,
        limits: Limits,
    ) -> Result<Recording, RunError> {
        let listener = Listener::new(bindings);
        let listened = listened(program, bindings, &listener);
        let session = Session::begin(program, &listened, quad)?;
        let places = Places::new(program);
        let textures = bindings.textures().and_then(|textures| textures.as_any());
        let mut recorder = Recorder {
            values: places.values(quad),
            scratch: session.scratch().to_vec(),
            state: quad.clone(),
            bindings: &listened,
            listener: &listener,
            bytes: 0,
            recording: Recording {
                program: program.clone(),
                start: Box::new(quad.clone()),
                constants: Box::new(*bindings.constants()),
                textures: textures.and_then(|it| it.downcast_ref::<Textures>().cloned()),
                evaluates: bindings.inputs().is_some(),
                fixed_bits: bindings.fixed_bits(),
                places,
                steps: Vec::new(),
                changes: Vec::new(),
                events: Vec::new(),
                snapshots: Vec::new(),
                end: End::Finished,
                index: Default::default(),
            },
        };
        recorder.run(session, limits)?;
        Ok(recorder.recording)
    }
}

/// The bindings of a run that nobody sees but `listener`.
fn listened<'b>(
    program: &ValidProgram,
    bindings: &Bindings<'b>,
    listener: &'b Listener<'b>,
) -> Bindings<'b> {
    let mut own = bindings
        .clone()
        .with_attributes(listener)
        .with_vertices(listener);
    if bindings.textures().is_some() {
        own = own.with_textures(listener);
    }
    if bindings.inputs().is_some() {
        own = own.with_inputs(listener);
    }
    let insts = program.program().insts();
    if insts.iter().any(|inst| inst.storage().is_some()) {
        for buffer in 0..usize::from(STORAGE_BUFFERS) {
            let words = bindings.storage(buffer).iter();
            let copy: Arc<[AtomicU32]> = words
                .map(|word| AtomicU32::new(word.load(Relaxed)))
                .collect();
            own = own.with_storage(buffer, copy);
        }
    }
    own
}

struct Recorder<'a> {
    recording: Recording,
    state: QuadState,
    values: Vec<Lanes<u32>>,
    scratch: Vec<QuadReg>,
    bindings: &'a Bindings<'a>,
    listener: &'a Listener<'a>,
    /// What changes, events and snapshots take so far.
    bytes: usize,
}

impl Recorder<'_> {
    fn run(&mut self, mut session: Session<'_>, limits: Limits) -> Result<(), RunError> {
        while let Some(pc) = session.pc() {
            let count = self.recording.steps.len();
            if count == limits.steps {
                self.recording.end = End::Steps;
                break;
            }
            if self.bytes > limits.bytes {
                self.recording.end = End::Bytes;
                break;
            }
            if count.is_multiple_of(SNAPSHOT) {
                self.bytes += size_of_val(&self.values[..]);
                self.recording.snapshots.push(self.values.clone());
            }
            match self.step(&mut session, pc) {
                Err(error @ RunError::Nested { .. }) => return Err(error),
                Err(error) => self.recording.end = End::Stopped(error),
                Ok(()) => {}
            }
        }
        Ok(())
    }

    fn step(&mut self, session: &mut Session<'_>, pc: usize) -> Result<(), RunError> {
        let inst = self.recording.program.program().insts()[pc];
        let active = session.active();
        let guard = inst.guard.map_or(LaneMask::all(), |guard| {
            let lanes = self.state.regs.predicate(guard.pred.index());
            if guard.negate { !lanes } else { lanes }
        });
        let effective = active & guard;
        let before = self.memory(&inst, effective);
        let result = session.step();
        if let Err(RunError::Nested { .. }) = result {
            return result.map(|_| ());
        }
        session.save(&mut self.state);
        self.changes(pc);
        if inst.dst.scratch.is_some() {
            self.scratch_changes(session.scratch());
        }
        self.events(before);
        let recording = &mut self.recording;
        recording.steps.push(StepRecord {
            pc: pc as u32,
            active,
            effective,
            changes: recording.changes.len() as u32,
            events: recording.events.len() as u32,
        });
        self.bytes += size_of::<StepRecord>();
        result.map(|_| ())
    }

    /// Records the words that the instruction has changed.
    fn changes(&mut self, pc: usize) {
        let Recording {
            places, changes, ..
        } = &mut self.recording;
        for &number in places.of_inst(pc) {
            let Place::Word(word) = places.place(number) else {
                continue;
            };
            let value = word.get(&self.state);
            let known = &mut self.values[number as usize];
            if *known != value {
                *known = value;
                self.bytes += size_of::<Change>();
                changes.push(Change {
                    place: number,
                    value,
                });
            }
        }
    }

    /// The same of scratch memory.
    fn scratch_changes(&mut self, scratch: &[QuadReg]) {
        let vectors = self.scratch.iter_mut().zip(scratch).enumerate();
        for (vector, (known, now)) in vectors {
            for component in Component::ALL {
                let value = now[component.index()];
                if known[component.index()] == value {
                    continue;
                }
                known[component.index()] = value;
                let vector = vector as u16;
                let place = Place::Scratch { vector, component };
                let number = self.recording.places.number(place);
                self.values.resize(self.recording.places.len(), [0; LANES]);
                self.values[number as usize] = value;
                self.bytes += size_of::<Change>();
                self.recording.changes.push(Change {
                    place: number,
                    value,
                });
            }
        }
    }

    /// Records what has been asked, and what has become of the memory that the instruction went to.
    fn events(&mut self, memory: Memory) {
        let events = &mut self.recording.events;
        let first = events.len();
        self.listener.take(events);
        events.extend(memory.event);
        for (buffer, word, old) in memory.words {
            let words = self.bindings.storage(usize::from(buffer));
            let new = words[word as usize].load(Relaxed);
            if new != old {
                events.push(Event::Stored {
                    buffer,
                    word,
                    old,
                    new,
                });
            }
        }
        self.bytes += events[first..].iter().map(Event::bytes).sum::<usize>();
    }

    /// The memory that an instruction is about to go to.
    fn memory(&self, inst: &Inst, effective: LaneMask) -> Memory {
        let word = |word: StateWord, lane: usize| word.get(&self.state)[lane];
        let operands = Operands {
            inst,
            word: &word,
            constants: self.bindings.constants(),
        };
        let place = || std::array::from_fn(|lane| operands.integer(0, Component::X, lane));
        if let Some(buffer) = inst.buffer() {
            let index: Lanes<u32> = place();
            let vectors = self.bindings.buffers()[usize::from(buffer % BUFFERS)];
            let vector = |index: u32| vectors.get(index as usize).copied().unwrap_or_default();
            return Memory {
                event: Some(Event::Buffer {
                    buffer,
                    index,
                    value: from_lanes(index.map(vector)),
                }),
                words: Vec::new(),
            };
        }
        let Some(buffer) = inst.storage().filter(|_| inst.op != Opcode::Bufsize) else {
            return Memory::default();
        };
        let address: Lanes<u32> = place();
        Memory {
            event: Some(Event::Storage { buffer, address }),
            words: self.stored(inst, buffer, &address, effective),
        }
    }

    /// The words that an instruction may store to, with what they are.
    fn stored(
        &self,
        inst: &Inst,
        buffer: u8,
        address: &Lanes<u32>,
        effective: LaneMask,
    ) -> Vec<(u8, u32, u32)> {
        if inst.op == Opcode::Ldb || !matches!(inst.op.section(), Section::Storage(_)) {
            return Vec::new();
        }
        let components = inst.dst.storage.map_or(1, |mask| mask.bits());
        let lanes = (0..LANES).filter(|&lane| effective.has(lane));
        let words = lanes.flat_map(|lane| {
            let after = (0..4).filter(|after| components >> after & 1 != 0);
            after.filter_map(move |after| (address[lane] / 4).checked_add(after))
        });
        let mut words: Vec<u32> = words.collect();
        words.sort_unstable();
        words.dedup();
        let memory = self.bindings.storage(usize::from(buffer));
        let words = words.into_iter();
        let old = words.filter_map(|word| Some((word, memory.get(word as usize)?.load(Relaxed))));
        old.map(|(word, old)| (buffer, word, old)).collect()
    }
}

/// The memory that an instruction goes to.
#[derive(Default)]
struct Memory {
    event: Option<Event>,
    /// Buffer, word and what it was.
    words: Vec<(u8, u32, u32)>,
}
