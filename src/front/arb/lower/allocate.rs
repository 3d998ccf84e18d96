//! Gives temporaries to the 32 registers that there are.
//!
//! Components are looked at one by one, but stay where they are within their register: two
//! temporaries share one as soon as no component of both is needed at the same time.

use attila_isa::{Bank, Remark, Slots};

use super::code::{Code, Step};

const REGISTERS: usize = Bank::Temp.size() as usize;

/// When a component of a temporary is needed: from the write to the last read. Instruction `i` reads
/// at `2i` and writes at `2i + 1`; what is read before it is written is there from the start.
#[derive(Clone, Copy)]
struct Span {
    start: usize,
    end: usize,
}

/// The register of each temporary; those that are not used have any.
pub(super) fn allocate(code: &Code) -> Result<Vec<u16>, Remark> {
    let spans = spans(code);
    let mut order: Vec<(usize, usize)> = (0..code.temps)
        .filter_map(|temp| Some((spans[temp].iter().flatten().map(|s| s.start).min()?, temp)))
        .collect();
    order.sort_unstable();
    let mut registers = vec![0; code.temps];
    // Until when each component of each register is needed.
    let mut busy = [[None::<usize>; 4]; REGISTERS];
    for (start, temp) in order {
        let fits = |busy: &[Option<usize>; 4]| {
            let mut both = busy.iter().zip(&spans[temp]);
            both.all(|(busy, span)| match (busy, span) {
                (Some(end), Some(span)) => *end < span.start,
                (None, _) | (_, None) => true,
            })
        };
        let Some(register) = busy.iter().position(fits) else {
            let at = code
                .steps
                .get(start / 2)
                .map_or(0..0, |step| step.span.clone());
            let message = format!("more than {REGISTERS} temporaries are needed at once here");
            return Err(Remark::new(at, message));
        };
        for (busy, span) in busy[register].iter_mut().zip(spans[temp]) {
            *busy = span.map(|span| span.end).max(*busy);
        }
        registers[temp] = register as u16;
    }
    Ok(registers)
}

fn spans(code: &Code) -> Vec<[Option<Span>; 4]> {
    let mut spans = vec![[None; 4]; code.temps];
    let mut note = |temp: usize, components: Slots, start: usize, time: usize| {
        for component in components.components() {
            let span: &mut Option<Span> = &mut spans[temp][component.index()];
            span.get_or_insert(Span { start, end: time }).end = time;
        }
    };
    for (index, step) in code.steps.iter().enumerate() {
        for (temp, components) in step.read_temps() {
            note(temp, components, 0, 2 * index);
        }
        if let Some((temp, mask)) = step.written_temp() {
            note(temp, mask, 2 * index + 1, 2 * index + 1);
        }
    }
    spans
}

/// Whether a step copies a register to itself.
pub(super) fn is_idle(step: &Step, registers: &[u16]) -> bool {
    match (step.plain_copy(), step.written_temp()) {
        (Some(source), Some((temp, _))) => !step.saturate && registers[source] == registers[temp],
        _ => false,
    }
}

/// The components of each register that are written.
pub(super) fn written(code: &Code, registers: &[u16]) -> [Slots; REGISTERS] {
    let mut written = [Slots::empty(); REGISTERS];
    for (temp, mask) in code.steps.iter().filter_map(|step| step.written_temp()) {
        written[usize::from(registers[temp])] |= mask;
    }
    written
}
