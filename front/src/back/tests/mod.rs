mod blocks;
mod doubles;
mod statements;

use attila_isa::{Bank, Opcode, Reg, Remark, Slots, Stage, TextureShape};
use expect_test::Expect;

use super::{Code, Condition, Frame, Language, Layout, Operand, Place, Register, Step, finish};

/// Registers by their numbers; parameters are constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Plain {}

impl Language for Plain {
    type Input = u8;
    type Output = u8;
    type Param = [u32; 4];
    type Texture = u8;
    type Details = ();

    fn input(input: u8, _stage: Stage) -> Option<Reg> {
        Reg::new(Bank::Input, input.into())
    }

    fn output(output: u8, _stage: Stage) -> Option<Reg> {
        Reg::new(Bank::Output, output.into())
    }

    fn constant(bits: [u32; 4]) -> [u32; 4] {
        bits
    }

    fn bits(param: [u32; 4]) -> Option<[u32; 4]> {
        Some(param)
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

fn input(number: u8) -> Operand<Plain> {
    Operand::new(Register::Input(number))
}

fn number(value: f32) -> Operand<Plain> {
    Operand::constant([value; 4])
}

const OUT: Place<Plain> = Place::Output(1);

impl Code<Plain> {
    fn add(&mut self, op: Opcode, place: Place<Plain>, mask: Slots, operands: &[Operand<Plain>]) {
        self.push(Step::new(op, Some((place, mask)), operands, 0..1));
    }

    /// Adds `count` instructions, each of which needs the one before, to temporary `temp`.
    fn work(&mut self, temp: usize, count: usize) {
        for _ in 0..count {
            let operands = [Operand::temp(temp), input(2)];
            self.add(Opcode::Add, Place::Temp(temp), Slots::X, &operands);
        }
    }

    fn is_above(&mut self, a: Operand<Plain>, b: f32) -> Condition {
        self.compare(Opcode::Setpgt, [a, number(b)], 0..1)
    }
}

fn finished(code: Code<Plain>) -> Result<String, Remark> {
    finished_in(attila_isa::Profile::Base, code)
}

fn finished_in(profile: attila_isa::Profile, code: Code<Plain>) -> Result<String, Remark> {
    let frame = Frame {
        stage: Stage::Fragment,
        profile,
        layout: Layout::default(),
        textures: Vec::new(),
        details: (),
        end: 10,
    };
    let translation = finish(code, frame)?;
    let listing = translation.program.listing().to_string();
    translation.program.validate().expect("it is valid");
    Ok(listing)
}

/// The program that `make` adds to an empty one with four temporaries.
fn check(make: impl FnOnce(&mut Code<Plain>) -> Result<(), Remark>, expected: &Expect) {
    let mut code = Code::new(4, 0);
    let listing = make(&mut code).and_then(|()| finished(code));
    expected.assert_eq(&match listing {
        Ok(listing) => listing,
        Err(remark) => format!("{:?}: {}\n", remark.span, remark.message),
    });
}
