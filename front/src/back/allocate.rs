//! Gives temporaries and predicates to the registers that there are.
//!
//! Components are looked at one by one, but stay where they are within their register: two
//! temporaries share one as soon as no component of both is needed at the same time. Blocks count as
//! one line of instructions: a value has its register from the first place where it is needed to the
//! last, in between too.

use std::collections::BTreeMap;
use std::ops::Range;

use attila_isa::{Bank, PREDICATES, Profile, Remark, ResultPath, Slots, Temps, code};

use super::Language;
use super::code::Code;
use super::liveness::Liveness;
use super::step::{Place, Register, Step};

/// When a component of a value is needed: from the write to the last read. Instruction `i` reads
/// at `2i` and writes at `2i + 1`; what is read before it is written is there from the beginning of
/// its block, and through all blocks before in which it is needed.
#[derive(Clone, Copy)]
struct Span {
    start: usize,
    end: usize,
}

/// The register of each temporary and predicate; those that are not used have any.
///
/// # Errors
///
/// The profile has fewer of them.
pub(super) fn allocate<L: Language>(code: &Code<L>, profile: Profile) -> Result<Vec<u16>, Remark> {
    let most_temps = usize::from(Bank::Temp.size(profile));
    let Spans {
        spans,
        is_predicate,
    } = spans(code)?;
    let mut order: Vec<(usize, usize)> = (0..code.values)
        .filter_map(|value| Some((spans[value].iter().flatten().map(|s| s.start).min()?, value)))
        .collect();
    order.sort_unstable();
    let mut registers = vec![0; code.values];
    let mut temps = Busy::new(most_temps);
    let mut predicates = Busy::new(PREDICATES.into());
    let pairs = pairs(code);
    let mut is_given = vec![false; code.values];
    for (start, value) in order {
        if is_given[value] {
            continue;
        }
        let register = match (is_predicate[value], pairs.get(&value)) {
            (true, _) => predicates.take(&spans[value]),
            (false, None) => temps.take(&spans[value]),
            (false, Some(&(first, second))) => {
                let register = temps.take_two([&spans[first], &spans[second]]);
                for (register, value) in register
                    .into_iter()
                    .flat_map(|n| [(n, first), (n + 1, second)])
                {
                    registers[value] = register as u16;
                    is_given[value] = true;
                }
                register.map(|register| register + usize::from(value == second))
            }
        };
        let Some(register) = register else {
            let at = code.steps().nth(start / 2);
            let at = at.map_or(0..0, |step| step.span.clone());
            let most = match is_predicate[value] {
                true => format!("{PREDICATES} predicates"),
                false => format!("{most_temps} temporaries"),
            };
            return Err(too_many(at, &most));
        };
        registers[value] = register as u16;
    }
    Ok(registers)
}

/// A remark on values that are needed at once and are more than registers of a kind.
pub(super) fn too_many(at: Range<usize>, most: &str) -> Remark {
    Remark::new(at, format!("this needs more than {most} at once")).code(&code::text::LIMIT)
}

/// The pair that each value of one is in.
fn pairs<L: Language>(code: &Code<L>) -> BTreeMap<usize, (usize, usize)> {
    let operands = code.steps().flat_map(|step| &step.operands);
    let pairs = operands.filter_map(|operand| match operand.register {
        Register::Pair(first, second) => Some((first, second)),
        Register::Temp(_)
        | Register::Predicate(_)
        | Register::Input(_)
        | Register::Param(_)
        | Register::Element { .. }
        | Register::AsIs(_) => None,
    });
    let both = pairs.flat_map(|pair| [(pair.0, pair), (pair.1, pair)]);
    both.collect()
}

/// Until when each component of each register is needed.
struct Busy(Vec<[Option<usize>; 4]>);

impl Busy {
    /// A file of so many free registers.
    fn new(registers: usize) -> Busy {
        Busy(vec![[None; 4]; registers])
    }

    /// The first register that is free for all of `spans`, which has them from now on.
    fn take(&mut self, spans: &[Option<Span>; 4]) -> Option<usize> {
        let register = self.0.iter().position(|busy| fits(busy, spans))?;
        self.hold(register, spans);
        Some(register)
    }

    /// The first of two registers that follow each other and are free for spans.
    fn take_two(&mut self, spans: [&[Option<Span>; 4]; 2]) -> Option<usize> {
        let mut both = self.0.windows(2);
        let register =
            both.position(|busy| fits(&busy[0], spans[0]) && fits(&busy[1], spans[1]))?;
        self.hold(register, spans[0]);
        self.hold(register + 1, spans[1]);
        Some(register)
    }

    fn hold(&mut self, register: usize, spans: &[Option<Span>; 4]) {
        for (busy, span) in self.0[register].iter_mut().zip(spans) {
            *busy = span.map(|span| span.end).max(*busy);
        }
    }
}

/// Whether a register is free for spans.
fn fits(busy: &[Option<usize>; 4], spans: &[Option<Span>; 4]) -> bool {
    let mut both = busy.iter().zip(spans);
    both.all(|(busy, span)| match (busy, span) {
        (Some(end), Some(span)) => *end < span.start,
        (None, _) | (_, None) => true,
    })
}

struct Spans {
    spans: Vec<[Option<Span>; 4]>,
    is_predicate: Vec<bool>,
}

impl Spans {
    fn note(&mut self, value: usize, components: Slots, start: usize, time: usize) {
        for component in components.components() {
            let span: &mut Option<Span> = &mut self.spans[value][component.index()];
            span.get_or_insert(Span { start, end: time }).end = time;
        }
    }

    fn note_predicates<L: Language>(&mut self, step: &Step<L>) {
        let guard = step.guard.map(|guard| guard.predicate);
        let operands = step.operands.iter();
        let read = operands.filter_map(|operand| match operand.register {
            Register::Predicate(predicate) => Some(predicate),
            Register::Temp(_)
            | Register::Input(_)
            | Register::Param(_)
            | Register::Element { .. }
            | Register::Pair(..)
            | Register::AsIs(_) => None,
        });
        let written = match step.result {
            Some((Place::Predicate(predicate), _)) => Some(predicate),
            Some((
                Place::Temp(_)
                | Place::Output(_)
                | Place::Address(_)
                | Place::Scratch(_)
                | Place::Storage,
                _,
            ))
            | None => None,
        };
        for predicate in read.chain(guard).chain(written) {
            self.is_predicate[predicate] = true;
        }
    }
}

fn spans<L: Language>(code: &Code<L>) -> Result<Spans, Remark> {
    let liveness = Liveness::new(code)?;
    let mut spans = Spans {
        spans: vec![[None; 4]; code.values],
        is_predicate: vec![false; code.values],
    };
    let mut index = 0;
    for (number, block) in code.blocks.iter().enumerate() {
        let start = 2 * index;
        for (value, components) in liveness.live_at_start(number) {
            spans.note(value, components, start, start);
        }
        for step in &block.steps {
            step.for_each_read(step.mask(), |value, components| {
                spans.note(value, components, start, 2 * index);
            });
            if let Some((value, mask)) = step.written_value() {
                if step.guard.is_some() {
                    // Where the guard does not hold it stays what it was, or 0.
                    spans.note(value, mask, start, 2 * index);
                }
                spans.note(value, mask, 2 * index + 1, 2 * index + 1);
            }
            if code.has_predicates {
                spans.note_predicates(step);
            }
            index += 1;
        }
        if let Some(condition) = block.condition() {
            spans.note(condition.predicate, Slots::X, start, 2 * index);
            spans.is_predicate[condition.predicate] = true;
        }
        for (value, components) in liveness.live_at_end(code, number) {
            spans.note(value, components, start, 2 * index);
        }
    }
    Ok(spans)
}

/// Whether a step copies a register to itself.
pub(super) fn is_idle<L: Language>(step: &Step<L>, registers: &[u16]) -> bool {
    match (step.plain_copy(), step.written_temp()) {
        (Some(source), Some((temp, _))) => {
            step.path == ResultPath::Plain && registers[source] == registers[temp]
        }
        _ => false,
    }
}

/// The components of each register that are written.
pub(super) fn written<L: Language>(code: &Code<L>, registers: &[u16]) -> Temps<Slots> {
    let mut written = Temps::all(Slots::empty());
    for block in &code.blocks {
        for (temp, mask) in block.steps.iter().filter_map(Step::written_temp) {
            written[usize::from(registers[temp])] |= mask;
        }
    }
    written
}
