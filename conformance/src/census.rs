//! [`Census`]: the programs that engines ran, counted by the code that ran them.
//!
//! The engine that is asked for says little about the code that runs: code with wide vectors takes most programs, not
//! all. A census watches engines. When a program that one of them has prepared is no longer used, the program's code
//! says what of it has run, and the instructions are counted under that.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use attila_shader::isa::{Inst, OpFlags, Opcode, Section};
use attila_shader::machine::pipeline::{Batch, Pipeline, SpanError, SpanShader, Surfaces};
use attila_shader::machine::{
    Backend, Bindings, CodeKind, Executable, ExtendedQuadIo, PrepareError, QuadIo, QuadState, Ran,
    RunError, StatefulExecutable,
};
use attila_shader::{Engine, ValidProgram};
use serde::{Deserialize, Serialize};

/// In a hundred: the least share that wide code is expected to run, of instructions of programs that it takes.
pub const LEAST_SHARE: u64 = 90;
/// Instructions of each opcode that a long comparison runs at least.
pub const LEAST_OFTEN: u64 = 1000;

/// Whether code for runs of records has vectors of 128 bits wherever a program has the opcode: what users bind, or
/// memory that quads share, sees the order of quads.
pub fn is_narrow(op: Opcode) -> bool {
    let is_stored = matches!(op.section(), Section::Storage(_));
    is_stored || op.has(OpFlags::EMIT) || op.has(OpFlags::EVALUATE)
}

/// Watches engines. Clones count together.
#[derive(Clone, Default, Debug)]
pub struct Census(Arc<Mutex<Shares>>);

impl Census {
    /// The engine, with its programs counted.
    pub fn watch(&self, engine: &Engine) -> Engine {
        Engine::custom(Arc::new(Watched {
            engine: engine.clone(),
            census: self.clone(),
        }))
    }

    /// The counts since the last call, of programs that are no longer used.
    pub fn take(&self) -> Shares {
        std::mem::take(&mut *self.lock())
    }

    /// The same, as counts of one case.
    pub(crate) fn take_case(&self) -> Shares {
        let mut shares = self.take();
        for share in shares.0.values_mut() {
            share.cases = 1;
        }
        shares
    }

    fn lock(&self) -> MutexGuard<'_, Shares> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, engine: &Engine, program: &ValidProgram, ran: &Ran) {
        let mut shares = self.lock();
        let insts = program.program().insts();
        let mut add = |kind: &'static str, quads: u64| {
            let expected = engine.code_kind().map_or(NO_CODE, CodeKind::name);
            let key = (engine.name().into(), kind.into(), expected.into());
            shares.0.entry(key).or_default().add(insts, quads);
        };
        match engine.code_kind() {
            Some(_) => ran
                .kinds()
                .for_each(|(kind, quads)| add(kind.name(), quads)),
            None => add(NO_CODE, 0),
        }
    }
}

/// The kind of code of engines that make no code.
const NO_CODE: &str = "interpreted";

/// A name that may come from a file.
type Name = Cow<'static, str>;

/// Counts by engine, by the kind of code that ran, and by the kind that the engine makes where it can.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<(Key, Share)>", into = "Vec<(Key, Share)>")]
pub struct Shares(BTreeMap<Key, Share>);

/// Engine, kind of code, and the kind that the engine makes where it can.
type Key = (Name, Name, Name);

impl From<Vec<(Key, Share)>> for Shares {
    fn from(list: Vec<(Key, Share)>) -> Shares {
        Shares(list.into_iter().collect())
    }
}

impl From<Shares> for Vec<(Key, Share)> {
    fn from(shares: Shares) -> Vec<(Key, Share)> {
        shares.0.into_iter().collect()
    }
}

/// Counts of an engine and a kind of code.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Share {
    /// Cases of which such code ran at least one program, where cases are told apart.
    pub cases: u64,
    /// Programs. Most cases have several: with all registers visible, and for shading.
    pub programs: u64,
    /// Instructions of these programs.
    pub instructions: u64,
    /// Jumps among them.
    pub jumps: u64,
    /// Instructions among them that ask a texture unit.
    pub textures: u64,
    /// Instructions of programs that keep vectors of 128 bits: [narrow](is_narrow) ones, and loops with the accumulator.
    pub narrow: u64,
    /// Quads that the code was run for; 0 of engines that make no code.
    pub quads: u64,
    /// Instructions by the code of their opcode.
    opcodes: Vec<u64>,
}

impl Share {
    fn add(&mut self, insts: &[Inst], quads: u64) {
        let count =
            |is: &dyn Fn(&Inst) -> bool| insts.iter().filter(|inst| is(inst)).count() as u64;
        let all = insts.len() as u64;
        let accumulates = |inst: &Inst| matches!(inst.op.section(), Section::Fixed(_));
        let repeats = |inst: &Inst| inst.jump_offset().is_some_and(|offset| offset <= 0);
        let is_narrow = insts.iter().any(|inst| is_narrow(inst.op))
            || (insts.iter().any(accumulates) && insts.iter().any(repeats));
        self.programs += 1;
        self.instructions += all;
        self.jumps += count(&|inst| inst.jump_offset().is_some());
        self.textures += count(&|inst| inst.op.has(OpFlags::TEXTURE));
        self.narrow += if is_narrow { all } else { 0 };
        self.quads += quads;
        self.opcodes.resize(usize::from(u8::MAX) + 1, 0);
        for inst in insts {
            self.opcodes[inst.op as usize] += 1;
        }
    }

    fn merge(&mut self, other: &Share) {
        self.cases += other.cases;
        self.programs += other.programs;
        self.instructions += other.instructions;
        self.jumps += other.jumps;
        self.textures += other.textures;
        self.narrow += other.narrow;
        self.quads += other.quads;
        let length = self.opcodes.len().max(other.opcodes.len());
        self.opcodes.resize(length, 0);
        for (sum, count) in self.opcodes.iter_mut().zip(&other.opcodes) {
            *sum += count;
        }
    }

    /// Instructions of an opcode.
    pub fn count(&self, op: Opcode) -> u64 {
        self.opcodes.get(op as usize).copied().unwrap_or(0)
    }
}

impl Shares {
    /// Adds the counts of other cases.
    pub fn merge(&mut self, other: &Shares) {
        for (key, share) in &other.0 {
            self.0.entry(key.clone()).or_default().merge(share);
        }
    }

    /// The names of engine and kind of code, and the counts.
    pub fn each(&self) -> impl Iterator<Item = (&str, &str, &Share)> {
        let all = self.0.iter();
        all.map(|((engine, kind, _), share)| (&**engine, &**kind, share))
    }

    /// The opcodes that ran at all.
    pub fn opcodes(&self) -> Vec<Opcode> {
        let all = Opcode::ALL.iter().copied();
        all.filter(|op| self.0.values().any(|share| share.count(*op) > 0))
            .collect()
    }

    /// The counts of an engine, and of code of its kind.
    fn of(&self, engine: &str) -> impl Iterator<Item = (&Share, bool)> {
        let all = self.0.iter().filter(move |((name, ..), _)| name == engine);
        all.map(|((_, kind, expected), share)| (share, kind == expected))
    }

    /// The share of instructions that an engine ran with code of the kind that it makes where it can, in a hundred. Those
    /// of programs that keep 128 bits do not count.
    pub fn percentage(&self, engine: &str) -> f64 {
        let (mut as_expected, mut others) = (0, 0);
        for (share, is_as_expected) in self.of(engine) {
            match is_as_expected {
                true => as_expected += share.instructions,
                false => others += share.instructions - share.narrow,
            }
        }
        match as_expected + others {
            0 => 100.0,
            all => 100.0 * as_expected as f64 / all as f64,
        }
    }

    /// Lines for a summary: a line for each engine and kind of code.
    pub fn lines(&self) -> Vec<String> {
        let line = |(engine, kind, share): (&str, &str, &Share)| {
            let all: u64 = self.of(engine).map(|(share, _)| share.instructions).sum();
            let percent = 100.0 * share.instructions as f64 / all.max(1) as f64;
            let Share {
                cases,
                programs,
                instructions,
                jumps,
                textures,
                narrow,
                quads,
                ..
            } = share;
            let cases = match cases {
                0 => String::new(),
                _ => format!("{cases} cases, "),
            };
            let mut line = format!(
                "{engine:<8}  {kind:<11}  {percent:5.1} %: {cases}{programs} programs, {instructions} instructions, \
                 {jumps} jumps, {textures} texture instructions"
            );
            if *quads > 0 {
                line += &format!(", {quads} quads");
            }
            if *narrow > 0 && kind == CodeKind::V128.name() {
                line += &format!("; {narrow} instructions of programs that keep 128 bits");
            }
            line
        };
        self.each().map(line).collect()
    }

    /// The engines whose [percentage](Self::percentage) is less than [`LEAST_SHARE`], and the opcodes of `expected` that
    /// code of some width takes and ran fewer than [`LEAST_OFTEN`] times: a line for each.
    pub fn warnings(&self, expected: &[Opcode]) -> Vec<String> {
        let mut lines = Vec::new();
        for ((engine, kind, most), share) in &self.0 {
            let is_wide = [CodeKind::V256, CodeKind::V512]
                .map(CodeKind::name)
                .contains(&&**most);
            let percentage = self.percentage(engine);
            let is_first = self
                .of(engine)
                .next()
                .is_some_and(|(first, _)| std::ptr::eq(first, share));
            if is_first && is_wide && percentage < LEAST_SHARE as f64 {
                lines.push(format!(
                    "{engine} ran {percentage:.1} % with {most}, of the instructions that such code takes: less than {LEAST_SHARE} %"
                ));
            }
            if kind == most && kind != NO_CODE {
                let takes = |op: &&Opcode| !is_wide || !is_narrow(**op);
                let taken = expected.iter().filter(takes);
                lines.extend(seldom(share, taken).map(|seldom| {
                    format!("{engine} ran fewer than {LEAST_OFTEN} times with {kind}: {seldom}")
                }));
            }
        }
        lines
    }
}

/// The opcodes of `expected` that a kind of code ran seldom, with their counts.
fn seldom<'a>(share: &Share, expected: impl Iterator<Item = &'a Opcode>) -> Option<String> {
    let counts = expected.map(|op| (op, share.count(*op)));
    let mut seldom: Vec<_> = counts.filter(|(_, count)| *count < LEAST_OFTEN).collect();
    seldom.sort_by_key(|(_, count)| *count);
    let shown = seldom.iter().take(MOST_SHOWN);
    let mut shown: Vec<String> = shown.map(|(op, count)| format!("{op} {count}")).collect();
    if seldom.len() > MOST_SHOWN {
        shown.push(format!("{} more", seldom.len() - MOST_SHOWN));
    }
    (!shown.is_empty()).then(|| shown.join(", "))
}

/// The most opcodes that a line names.
const MOST_SHOWN: usize = 12;

struct Watched {
    engine: Engine,
    census: Census,
}

/// A prepared program that is counted when nobody uses it any more.
struct Counted<P: Runs> {
    prepared: P,
    program: ValidProgram,
    engine: Engine,
    census: Census,
}

/// The two kinds of prepared programs.
trait Runs {
    fn ran(&self) -> Ran;
}

impl Runs for Arc<dyn Executable> {
    fn ran(&self) -> Ran {
        (**self).ran()
    }
}

impl Runs for Box<dyn StatefulExecutable> {
    fn ran(&self) -> Ran {
        (**self).ran()
    }
}

impl<P: Runs> Drop for Counted<P> {
    fn drop(&mut self) {
        let ran = self.prepared.ran();
        self.census.count(&self.engine, &self.program, &ran);
    }
}

impl Watched {
    fn counted<P: Runs>(&self, prepared: P, program: &ValidProgram) -> Counted<P> {
        Counted {
            prepared,
            program: program.clone(),
            engine: self.engine.clone(),
            census: self.census.clone(),
        }
    }
}

impl Backend for Watched {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn code_kind(&self) -> Option<CodeKind> {
        self.engine.code_kind()
    }

    fn prepare(&self, program: &ValidProgram) -> Result<Arc<dyn Executable>, PrepareError> {
        let prepared = Backend::prepare(&self.engine, program)?;
        Ok(Arc::new(self.counted(prepared, program)))
    }

    fn prepare_stateful(
        &self,
        program: &ValidProgram,
    ) -> Result<Box<dyn StatefulExecutable>, PrepareError> {
        let prepared = self.engine.prepare_stateful(program)?;
        Ok(Box::new(self.counted(prepared, program)))
    }
}

impl StatefulExecutable for Counted<Box<dyn StatefulExecutable>> {
    fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadState]) -> Result<(), RunError> {
        self.prepared.run(bindings, quads)
    }

    fn ran(&self) -> Ran {
        self.prepared.ran()
    }
}

impl Executable for Counted<Arc<dyn Executable>> {
    fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadIo]) -> Result<(), RunError> {
        self.prepared.run(bindings, quads)
    }

    fn run_extended(
        &self,
        bindings: &Bindings<'_>,
        quads: &mut [ExtendedQuadIo],
    ) -> Result<(), RunError> {
        self.prepared.run_extended(bindings, quads)
    }

    fn within(
        self: Arc<Self>,
        pipeline: &Pipeline,
        bindings: &Bindings<'_>,
    ) -> Result<Option<Arc<dyn SpanShader>>, PrepareError> {
        let shader = Arc::clone(&self.prepared).within(pipeline, bindings)?;
        Ok(shader.map(|shader| Arc::new(Drawing(shader, self)) as Arc<dyn SpanShader>))
    }

    fn ran(&self) -> Ran {
        self.prepared.ran()
    }
}

/// A program that draws, and its counts.
struct Drawing(Arc<dyn SpanShader>, Arc<Counted<Arc<dyn Executable>>>);

impl SpanShader for Drawing {
    fn shade(
        &self,
        bindings: &Bindings<'_>,
        batch: &Batch<'_>,
        surfaces: &mut Surfaces<'_>,
    ) -> Result<(), SpanError> {
        let Drawing(shader, _counted) = self;
        shader.shade(bindings, batch, surfaces)
    }
}

#[cfg(test)]
mod tests {
    use attila_shader::isa::Program;

    use super::*;

    #[test]
    fn programs_are_counted_when_nobody_uses_them_any_more() {
        let program = Program::assemble("setpgt p0, i0.x, 0\njmp p0, 2\nmov o0, i1\nend");
        let program = program.expect("it is one").validate().expect("it is valid");
        let census = Census::default();
        for engine in Engine::all() {
            let shader = census.watch(&engine).prepare(&program).expect("it can be");
            let mut quads = vec![QuadIo::default(); 5];
            assert_eq!(shader.run(&Bindings::new(), &mut quads), Ok(()));
            assert_eq!(census.take(), Shares::default());
            drop(shader);
            let shares = census.take_case();
            let [(name, kind, share)] = shares.each().collect::<Vec<_>>()[..] else {
                panic!("{shares:?}");
            };
            let expected = engine.code_kind().map_or(NO_CODE, CodeKind::name);
            assert_eq!((name, kind), (engine.name(), expected));
            let quads = if kind == NO_CODE { 0 } else { 5 };
            assert_eq!((share.cases, share.programs, share.quads), (1, 1, quads));
            assert_eq!((share.instructions, share.jumps), (4, 1));
            assert_eq!([Opcode::Mov, Opcode::Add].map(|op| share.count(op)), [1, 0]);
            let mut twice = shares.clone();
            twice.merge(&shares);
            assert_eq!(twice.lines().len(), 1);
            assert!(twice.lines()[0].contains("2 cases, 2 programs, 8 instructions, 2 jumps"));
        }
    }

    #[test]
    fn a_small_share_of_wide_code_and_rare_opcodes_are_warned_of() {
        let share = |programs: [(usize, Opcode); 2]| {
            let mut share = Share::default();
            for (count, op) in programs {
                (0..count).for_each(|_| share.add(&[Inst::new(op)], 1));
            }
            share
        };
        let key = |kind: &'static str| ("jit".into(), kind.into(), "256 bits".into());
        // Programs that wide code takes and ran, takes and did not run, and does not take.
        let shares = |wide: usize, narrow: usize, kept: usize| {
            let narrow = share([(narrow, Opcode::Mov), (kept, Opcode::Emit)]);
            let wide = share([(wide, Opcode::Mov), (0, Opcode::Emit)]);
            Shares::from(vec![(key("128 bits"), narrow), (key("256 bits"), wide)])
        };
        let expected = [Opcode::Mov, Opcode::Emit];
        assert_eq!(shares(1800, 200, 5000).warnings(&expected), [""; 0]);
        let small = "jit ran 89.9 % with 256 bits, of the instructions that such code takes: less than 90 %";
        assert_eq!(shares(1798, 202, 5000).warnings(&expected), [small]);
        let seldom = "jit ran fewer than 1000 times with 256 bits: add 0, mov 999";
        let expected = [Opcode::Mov, Opcode::Add];
        assert_eq!(shares(999, 0, 0).warnings(&expected), [seldom]);
    }
}
