//! Toy programs as their language describes them: four lanes, each of which is on or off.

use attila_shader::isa::{Component, Slots};
use attila_shader::machine::LANES;

use super::language::{
    Comparison, From, Operation, Param, Program, Source, Statement, TABLE, Test, To,
};

pub(crate) type Vector = [f32; 4];
pub(crate) type Quad<T> = [T; LANES];
type On = Quad<bool>;

/// The outputs of a quad, and its killed lanes.
#[derive(Clone, Default, Debug)]
pub(crate) struct Results {
    pub(crate) outputs: [Quad<Vector>; 2],
    pub(crate) killed: On,
}

pub(crate) struct Machine<'a> {
    program: &'a Program,
    input: &'a dyn Fn(usize, u8) -> Vector,
    param: &'a dyn Fn(Param) -> Vector,
    variables: Vec<Quad<Vector>>,
    results: Results,
    /// Lanes that have left the innermost loop, its round, and the innermost procedure.
    broken: On,
    continued: On,
    returned: On,
}

pub(crate) fn evaluate(
    program: &Program,
    input: &dyn Fn(usize, u8) -> Vector,
    param: &dyn Fn(Param) -> Vector,
) -> Results {
    let mut machine = Machine {
        program,
        input,
        param,
        variables: vec![Default::default(); program.variables],
        results: Results::default(),
        broken: On::default(),
        continued: On::default(),
        returned: On::default(),
    };
    machine.body(&program.procedures[0], [true; LANES]);
    machine.results
}

fn both(a: On, b: On) -> On {
    std::array::from_fn(|lane| a[lane] && b[lane])
}

fn either(a: On, b: On) -> On {
    std::array::from_fn(|lane| a[lane] || b[lane])
}

fn without(a: On, b: On) -> On {
    std::array::from_fn(|lane| a[lane] && !b[lane])
}

fn clamp(x: f32) -> f32 {
    match x {
        x if x < 0.0 => 0.0,
        x if x <= 1.0 => x,
        _ => 1.0,
    }
}

fn truth(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

/// One component of one lane, for operations that work on components.
fn compute(op: Operation, [a, b, c]: [f32; 3]) -> f32 {
    match op {
        Operation::Mov => a,
        Operation::Add => a + b,
        Operation::Mul => a * b,
        Operation::Mad => a * b + c,
        Operation::Max if a > b => a,
        Operation::Min if a < b => a,
        Operation::Max | Operation::Min => b,
        Operation::Slt => truth(a < b),
        Operation::Sge => 1.0 - truth(a < b),
        Operation::Frc => a - a.floor(),
        Operation::Flr => a.floor(),
        Operation::Cmp if a < 0.0 => b,
        Operation::Cmp => c,
        Operation::Dp3 | Operation::Rcp | Operation::Ddx | Operation::Ddy => f32::NAN,
    }
}

/// The place in the table that an index leads to.
fn place(index: f32) -> u8 {
    let place = (index - index.floor()) * f32::from(TABLE);
    let last = f32::from(TABLE - 1);
    if place < last { place as u8 } else { TABLE - 1 }
}

impl Machine<'_> {
    fn read(&self, source: Source, lane: usize) -> Vector {
        let vector = match source.from {
            From::Variable(number) => self.variables[number][lane],
            From::Input(number) => (self.input)(lane, number),
            From::Param(param) => (self.param)(param),
        };
        source.swizzle.map(|component| {
            let value = vector[component.index()];
            let value = if source.absolute { value.abs() } else { value };
            if source.negate { -value } else { value }
        })
    }

    fn write(&mut self, to: To, mask: Slots, values: Quad<Vector>, on: On) {
        let register = match to {
            To::Variable(number) => &mut self.variables[number],
            To::Output(number) => &mut self.results.outputs[usize::from(number)],
        };
        for lane in (0..LANES).filter(|lane| on[*lane]) {
            for component in mask.components() {
                register[lane][component.index()] = values[lane][component.index()];
            }
        }
    }

    /// Runs statements. Gives the lanes that come to their end.
    fn body(&mut self, body: &[Statement], on: On) -> On {
        body.iter().fold(on, |on, it| match on.contains(&true) {
            true => self.statement(it, on),
            false => on,
        })
    }

    fn statement(&mut self, statement: &Statement, on: On) -> On {
        match statement {
            Statement::Set {
                op,
                to,
                mask,
                saturate,
                sources,
            } => {
                let values = self.values(*op, sources);
                let clamped = values.map(|value| value.map(clamp));
                self.write(*to, *mask, if *saturate { clamped } else { values }, on);
                on
            }
            Statement::Look { to, mask, index } => {
                let values = std::array::from_fn(|lane| {
                    let [index, ..] = self.read(*index, lane);
                    (self.param)(Param::Table(place(index)))
                });
                self.write(*to, *mask, values, on);
                on
            }
            Statement::Kill(source) => {
                for lane in (0..LANES).filter(|lane| on[*lane]) {
                    let below = self.read(*source, lane).iter().any(|value| *value < 0.0);
                    self.results.killed[lane] |= below;
                }
                on
            }
            Statement::If(test, yes, no) => {
                let holds = self.test(*test);
                let first = self.body(yes, both(on, holds));
                let second = without(on, holds);
                let second = no.as_ref().map_or(second, |no| self.body(no, second));
                either(first, second)
            }
            Statement::Loop(times, body) => self.repeat(*times, body, on),
            Statement::Break(test) => {
                let leaving = self.leaving(*test, on);
                self.broken = either(self.broken, leaving);
                without(on, leaving)
            }
            Statement::Continue(test) => {
                let leaving = self.leaving(*test, on);
                self.continued = either(self.continued, leaving);
                without(on, leaving)
            }
            Statement::Return(test) => {
                let leaving = self.leaving(*test, on);
                self.returned = either(self.returned, leaving);
                without(on, leaving)
            }
            Statement::Call(procedure) => {
                let outer = std::mem::take(&mut self.returned);
                let on = self.body(&self.program.procedures[*procedure], on);
                either(on, std::mem::replace(&mut self.returned, outer))
            }
        }
    }

    fn repeat(&mut self, times: u8, body: &[Statement], mut on: On) -> On {
        let outer = (std::mem::take(&mut self.broken), self.continued);
        for _ in 0..times {
            self.continued = On::default();
            on = self.body(body, on);
            on = either(on, self.continued);
        }
        let left = either(on, self.broken);
        (self.broken, self.continued) = outer;
        left
    }

    fn leaving(&self, test: Option<Test>, on: On) -> On {
        test.map_or(on, |test| both(on, self.test(test)))
    }

    fn test(&self, test: Test) -> On {
        std::array::from_fn(|lane| {
            let [a, b] = test.sources.map(|source| self.read(source, lane)[3]);
            let holds = match test.op {
                Comparison::Equal => a == b,
                Comparison::Above => a > b,
                Comparison::Below => a < b,
            };
            holds != test.invert
        })
    }

    fn values(&self, op: Operation, sources: &[Source]) -> Quad<Vector> {
        let read = |place: usize, lane| match sources.get(place) {
            Some(source) => self.read(*source, lane),
            None => [0.0; 4],
        };
        std::array::from_fn(|lane| {
            let difference = |to: usize, from: usize| {
                let (to, from) = (read(0, to), read(0, from));
                std::array::from_fn(|c| to[c] - from[c])
            };
            let [a, b, c] = [0, 1, 2].map(|place| read(place, lane));
            match op {
                Operation::Dp3 => [a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; 4],
                Operation::Rcp => [1.0 / a[Component::W.index()]; 4],
                Operation::Ddx => difference(lane | 1, lane & 2),
                Operation::Ddy => difference(lane | 2, lane & 1),
                Operation::Mov
                | Operation::Add
                | Operation::Mul
                | Operation::Mad
                | Operation::Max
                | Operation::Min
                | Operation::Slt
                | Operation::Sge
                | Operation::Frc
                | Operation::Flr
                | Operation::Cmp => std::array::from_fn(|n| compute(op, [a[n], b[n], c[n]])),
            }
        })
    }
}
