//! A small language with conditions, loops and procedures, as it stands after a parser.

use attila_shader::Stage;
use attila_shader::front::back::{
    self, Code, Condition, Frame, Language, Layout, Operand, Place, Register, Step,
};
use attila_shader::isa::{
    Bank, Component, Opcode, Reg, Remark, ResultPath, Slots, Swizzle, TextureShape,
};

/// The number of vectors in the table.
pub(crate) const TABLE: u8 = 4;

/// The length of the text: programs are made as trees, and have none.
const END: usize = 0;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Toy {}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Param {
    Uniform(u8),
    Table(u8),
    Constant([u32; 4]),
}

impl Language for Toy {
    type Input = u8;
    type Output = u8;
    type Param = Param;
    type Texture = u8;
    type Details = ();

    fn input(input: u8, _stage: Stage) -> Option<Reg> {
        Reg::new(Bank::Input, input.into())
    }

    fn output(output: u8, _stage: Stage) -> Option<Reg> {
        Reg::new(Bank::Output, output.into())
    }

    fn constant(bits: [u32; 4]) -> Param {
        Param::Constant(bits)
    }

    fn bits(param: Param) -> Option<[u32; 4]> {
        match param {
            Param::Constant(bits) => Some(bits),
            Param::Uniform(_) | Param::Table(_) => None,
        }
    }

    fn unit(texture: u8) -> u8 {
        texture
    }

    fn image(_texture: u8) -> TextureShape {
        TextureShape::D2
    }

    fn coordinates(_texture: u8) -> Slots {
        Slots::all()
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum From {
    Variable(usize),
    Input(u8),
    Param(Param),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    pub(crate) from: From,
    pub(crate) swizzle: [Component; 4],
    pub(crate) negate: bool,
    pub(crate) absolute: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum To {
    Variable(usize),
    Output(u8),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operation {
    Mov,
    Add,
    Mul,
    Mad,
    Max,
    Min,
    Slt,
    Sge,
    Frc,
    Flr,
    Cmp,
    Dp3,
    Rcp,
    Ddx,
    Ddy,
}

impl Operation {
    fn opcode(self) -> Opcode {
        match self {
            Operation::Mov => Opcode::Mov,
            Operation::Add => Opcode::Add,
            Operation::Mul => Opcode::Mul,
            Operation::Mad => Opcode::Mad,
            Operation::Max => Opcode::Max,
            Operation::Min => Opcode::Min,
            Operation::Slt => Opcode::Slt,
            Operation::Sge => Opcode::Sge,
            Operation::Frc => Opcode::Frc,
            Operation::Flr => Opcode::Flr,
            Operation::Cmp => Opcode::Cmp,
            Operation::Dp3 => Opcode::Dp3,
            Operation::Rcp => Opcode::Rcp,
            Operation::Ddx => Opcode::Ddx,
            Operation::Ddy => Opcode::Ddy,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    Equal,
    Above,
    Below,
}

/// A comparison of the last slots of two sources.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Test {
    pub(crate) op: Comparison,
    pub(crate) sources: [Source; 2],
    pub(crate) invert: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Set {
        op: Operation,
        to: To,
        mask: Slots,
        saturate: bool,
        sources: Vec<Source>,
    },
    /// Reads the table at `min(fraction(index) * TABLE, TABLE - 1)`.
    Look {
        to: To,
        mask: Slots,
        index: Source,
    },
    Kill(Source),
    If(Test, Vec<Statement>, Option<Vec<Statement>>),
    Loop(u8, Vec<Statement>),
    Break(Option<Test>),
    Continue(Option<Test>),
    Return(Option<Test>),
    Call(usize),
}

/// A program: its first procedure is the main one.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) variables: usize,
    pub(crate) procedures: Vec<Vec<Statement>>,
}

pub(crate) type Translation = back::Translation<Toy>;

struct Lowering<'a> {
    program: &'a Program,
    code: Code<Toy>,
    table: u16,
}

pub(crate) fn compile(program: &Program) -> Result<Translation, Remark> {
    let mut layout = Layout::default();
    let table = layout.array((0..TABLE).map(Param::Table), END)?;
    let code = Code::new(program.variables, 0);
    let mut lowering = Lowering {
        program,
        code,
        table,
    };
    lowering.call(0)?;
    let frame = Frame {
        stage: Stage::Fragment,
        profile: attila_shader::isa::Profile::Base,
        layout,
        textures: Vec::new(),
        details: (),
        end: END,
    };
    back::finish(lowering.code, frame)
}

fn operand(source: Source) -> Operand<Toy> {
    let mut operand = Operand::new(match source.from {
        From::Variable(number) => Register::Temp(number),
        From::Input(number) => Register::Input(number),
        From::Param(param) => Register::Param(param),
    });
    operand.swizzle = Swizzle::new(source.swizzle);
    operand.modifiers.negate = source.negate;
    operand.modifiers.absolute = source.absolute;
    operand
}

fn place(to: To) -> Place<Toy> {
    match to {
        To::Variable(number) => Place::Temp(number),
        To::Output(number) => Place::Output(number),
    }
}

impl Lowering<'_> {
    fn call(&mut self, procedure: usize) -> Result<(), Remark> {
        self.code.begin_call(&procedure.to_string(), 0..END)?;
        self.body(&self.program.procedures[procedure])?;
        self.code.end_call(0..END)
    }

    fn body(&mut self, body: &[Statement]) -> Result<(), Remark> {
        body.iter()
            .try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), Remark> {
        match statement {
            Statement::Set {
                op,
                to,
                mask,
                saturate,
                sources,
            } => {
                let operands: Vec<_> = sources.iter().map(|source| operand(*source)).collect();
                let result = Some((place(*to), *mask));
                let mut step = Step::new(op.opcode(), result, &operands, 0..END);
                step.path = ResultPath::saturate_if(*saturate);
                self.code.push(step);
            }
            Statement::Look { to, mask, index } => self.look(*to, *mask, *index),
            Statement::Kill(source) => {
                let step = Step::new(Opcode::Kil, None, &[operand(*source)], 0..END);
                self.code.push(step);
            }
            Statement::If(test, yes, no) => {
                let condition = self.test(*test);
                self.code.begin_if(condition, 0..END);
                self.body(yes)?;
                if let Some(no) = no {
                    self.code.begin_else(0..END)?;
                    self.body(no)?;
                }
                self.code.end_if(0..END)?;
            }
            Statement::Loop(times, body) => self.repeat(*times, body)?,
            Statement::Break(test) => {
                let condition = test.map(|test| self.test(test));
                self.code.break_loop(condition, 0..END)?;
            }
            Statement::Continue(test) => {
                let condition = test.map(|test| self.test(test));
                self.code.continue_loop(condition, 0..END)?;
            }
            Statement::Return(test) => {
                let condition = test.map(|test| self.test(test));
                self.code.return_call(condition, 0..END)?;
            }
            Statement::Call(procedure) => self.call(*procedure)?,
        }
        Ok(())
    }

    fn test(&mut self, test: Test) -> Condition {
        let op = match test.op {
            Comparison::Equal => Opcode::Setpeq,
            Comparison::Above => Opcode::Setpgt,
            Comparison::Below => Opcode::Setplt,
        };
        let condition = self.code.compare(op, test.sources.map(operand), 0..END);
        match test.invert {
            true => condition.negated(),
            false => condition,
        }
    }

    fn look(&mut self, to: To, mask: Slots, index: Source) {
        let temp = self.code.temp();
        let fraction = Operand::temp(temp).only(Component::X);
        let scale = |value: u8| Operand::constant([f32::from(value); 4]);
        let index = operand(index).only(Component::X);
        self.write(temp, Opcode::Frc, &[index]);
        self.write(temp, Opcode::Mul, &[fraction, scale(TABLE)]);
        self.write(temp, Opcode::Min, &[fraction, scale(TABLE - 1)]);
        let address = self.code.address(fraction, 0..END);
        let element = Operand::new(Register::Element {
            base: self.table,
            offset: 0,
            address,
        });
        let result = Some((place(to), mask));
        self.code
            .push(Step::new(Opcode::Mov, result, &[element], 0..END));
    }

    fn write(&mut self, temp: usize, op: Opcode, operands: &[Operand<Toy>]) {
        let result = Some((Place::Temp(temp), Slots::X));
        self.code.push(Step::new(op, result, operands, 0..END));
    }

    fn repeat(&mut self, times: u8, body: &[Statement]) -> Result<(), Remark> {
        let counter = self.code.temp();
        let count = Operand::temp(counter).only(Component::X);
        let constant = |value: f32| Operand::constant([value; 4]);
        self.write(counter, Opcode::Mov, &[constant(0.0)]);
        self.code.begin_loop(0..END);
        let times = constant(f32::from(times));
        let again = self.code.compare(Opcode::Setplt, [count, times], 0..END);
        self.code.break_loop(Some(again.negated()), 0..END)?;
        self.write(counter, Opcode::Add, &[count, constant(1.0)]);
        self.body(body)?;
        self.code.end_loop(0..END)
    }
}
