//! ARB programs as their specifications describe them: on vectors of four f32, one instruction after
//! the other, for one vertex or fragment.
//!
//! Nothing of it is shared with the translation but the parsed program and, for EX2, LG2, SIN, COS
//! and LIT, the approximations that ATTILA's instructions promise.

use std::collections::BTreeMap;

use attila_shader::front::arb::ArbStage;
use attila_shader::front::arb::{
    ArbOpcode, ArbProgram, Destination, Fog, Input, Instruction, Matrix, Output, Param,
    ResultRegister, Select, Source, SourceRegister, State, TextureUse, Transform,
};
use attila_shader::isa::Component;
use attila_shader::machine::approx;
use attila_shader::machine::arith::HostLanes;

pub(super) type Vector = [f32; 4];

/// The values that a program runs on.
pub(super) trait World {
    fn input(&self, input: Input) -> Vector;
    fn param(&self, param: Param) -> Vector;
    /// The texture's value at s, t, r, with a bias.
    fn sample(&self, texture: TextureUse, at: [f32; 3], bias: f32) -> Vector;
}

/// The results of a run.
#[derive(Clone, Default, Debug)]
pub(super) struct Results {
    pub(super) outputs: BTreeMap<Output, Vector>,
    pub(super) depth: Option<f32>,
    pub(super) killed: bool,
    /// Whether an address went beyond its array, where ARB says nothing about the result.
    pub(super) undefined: bool,
}

struct Machine<'a> {
    program: &'a ArbProgram,
    world: &'a dyn World,
    temporaries: Vec<Vector>,
    addresses: Vec<i64>,
    results: Results,
}

pub(super) fn evaluate(program: &ArbProgram, world: &dyn World) -> Results {
    let mut machine = Machine {
        program,
        world,
        temporaries: vec![[0.0; 4]; program.temporaries],
        addresses: vec![0; program.addresses],
        results: Results::default(),
    };
    for instruction in &program.instructions {
        machine.step(instruction);
    }
    machine.finish();
    machine.results
}

/// ATTILA's clamp, which ARB leaves open for NaN.
fn clamp(x: f32) -> f32 {
    if (0.0..=1.0).contains(&x) {
        x
    } else if x < 0.0 {
        0.0
    } else {
        1.0
    }
}

fn ex2(x: f32) -> f32 {
    approx::ex2(&mut HostLanes, [x])[0]
}

fn lg2(x: f32) -> f32 {
    approx::lg2(&mut HostLanes, [x])[0]
}

fn dp3(a: Vector, b: Vector) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn lit(a: Vector) -> Vector {
    let diffuse = if a[0] < 0.0 { 0.0 } else { a[0] };
    let base = if a[1] < 0.0 { 0.0 } else { a[1] };
    let exponent = if a[3] < -128.0 {
        -128.0
    } else if a[3] <= 128.0 {
        a[3]
    } else {
        128.0
    };
    let specular = if a[0] > 0.0 {
        approx::lit_power(&mut HostLanes, [base], [exponent])[0]
    } else {
        0.0
    };
    [1.0, diffuse, specular, 1.0]
}

fn log(a: f32) -> Vector {
    let a = a.abs();
    if a == 0.0 {
        return [f32::NEG_INFINITY, 1.0, f32::NEG_INFINITY, 1.0];
    }
    if !a.is_finite() {
        return [a, if a.is_nan() { a } else { 1.0 }, a, 1.0];
    }
    let exponent = f64::from(a).log2().floor();
    let mantissa = f64::from(a) / exponent.exp2();
    [exponent as f32, mantissa as f32, lg2(a), 1.0]
}

fn zip(a: Vector, b: Vector, f: impl Fn(f32, f32) -> f32) -> Vector {
    std::array::from_fn(|c| f(a[c], b[c]))
}

fn truth(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

impl Machine<'_> {
    fn read(&mut self, source: &Source) -> Vector {
        let register = match source.register {
            SourceRegister::Temporary(number) => self.temporaries[number],
            SourceRegister::Input(Input::Position) => self.position(),
            SourceRegister::Input(Input::FogCoord) if self.program.stage == ArbStage::Fragment => {
                let [f, ..] = self.world.input(Input::FogCoord);
                [f, 0.0, 0.0, 1.0]
            }
            SourceRegister::Input(input) => self.world.input(input),
            SourceRegister::Param(param) => self.world.param(param),
            SourceRegister::Relative {
                array,
                address,
                offset,
            } => {
                let index = usize::try_from(self.addresses[address].saturating_add(offset));
                let params = &self.program.arrays[array].params;
                match index.ok().and_then(|index| params.get(index)) {
                    Some(param) => self.world.param(*param),
                    None => {
                        self.results.undefined = true;
                        [0.0; 4]
                    }
                }
            }
        };
        let mut value = source.select.map(|select| match select {
            Select::Component(c) => register[c.index()],
            Select::Zero => 0.0,
            Select::One => 1.0,
        });
        for component in source.negate.components() {
            value[component.index()] = -value[component.index()];
        }
        value
    }

    fn position(&self) -> Vector {
        let mut position = self.world.input(Input::Position);
        if self.program.options.origin_upper_left {
            position[1] = self.world.param(Param::Window)[1] - position[1];
        }
        if self.program.options.pixel_center_integer {
            position[0] -= 0.5;
            position[1] -= 0.5;
        }
        position
    }

    fn step(&mut self, instruction: &Instruction) {
        let sources: Vec<Vector> = instruction.sources.iter().map(|s| self.read(s)).collect();
        if instruction.opcode == ArbOpcode::Kil {
            self.results.killed |= sources[0].iter().any(|x| *x < 0.0);
            return;
        }
        let mut value = self.compute(instruction, &sources);
        if instruction.saturate {
            value = value.map(clamp);
        }
        if let Some(result) = instruction.result {
            self.write(result, value);
        }
    }

    fn compute(&self, instruction: &Instruction, sources: &[Vector]) -> Vector {
        let [a, b, c] = [0, 1, 2].map(|n| *sources.get(n).unwrap_or(&[0.0; 4]));
        match instruction.opcode {
            ArbOpcode::Abs => a.map(f32::abs),
            ArbOpcode::Add => zip(a, b, |a, b| a + b),
            // The address is written elsewhere.
            ArbOpcode::Arl | ArbOpcode::Mov | ArbOpcode::Swz | ArbOpcode::Kil => a,
            ArbOpcode::Cmp => std::array::from_fn(|n| if a[n] < 0.0 { b[n] } else { c[n] }),
            ArbOpcode::Cos => [approx::cos(&mut HostLanes, [a[0]])[0]; 4],
            ArbOpcode::Dp3 => [dp3(a, b); 4],
            ArbOpcode::Dp4 => [dp3(a, b) + a[3] * b[3]; 4],
            ArbOpcode::Dph => [dp3(a, b) + b[3]; 4],
            ArbOpcode::Dst => [1.0, a[1] * b[1], a[2], b[3]],
            ArbOpcode::Ex2 => [ex2(a[0]); 4],
            ArbOpcode::Exp => [ex2(a[0].floor()), a[0] - a[0].floor(), ex2(a[0]), 1.0],
            ArbOpcode::Flr => a.map(f32::floor),
            ArbOpcode::Frc => a.map(|x| x - x.floor()),
            ArbOpcode::Lg2 => [lg2(a[0]); 4],
            ArbOpcode::Lit => lit(a),
            ArbOpcode::Log => log(a[0]),
            ArbOpcode::Lrp => std::array::from_fn(|n| a[n] * b[n] + (1.0 - a[n]) * c[n]),
            ArbOpcode::Mad => std::array::from_fn(|n| a[n] * b[n] + c[n]),
            ArbOpcode::Max => zip(a, b, |a, b| if a > b { a } else { b }),
            ArbOpcode::Min => zip(a, b, |a, b| if a > b { b } else { a }),
            ArbOpcode::Mul => zip(a, b, |a, b| a * b),
            ArbOpcode::Pow => [ex2(b[0] * lg2(a[0])); 4],
            ArbOpcode::Rcp => [1.0 / a[0]; 4],
            ArbOpcode::Rsq => [(1.0 / a[0].abs()).sqrt(); 4],
            ArbOpcode::Scs => {
                let [cos, sin] = [approx::cos::<HostLanes<1>>, approx::sin::<HostLanes<1>>];
                [
                    cos(&mut HostLanes, [a[0]])[0],
                    sin(&mut HostLanes, [a[0]])[0],
                    0.0,
                    0.0,
                ]
            }
            ArbOpcode::Sge => zip(a, b, |a, b| 1.0 - truth(a < b)),
            ArbOpcode::Sin => [approx::sin(&mut HostLanes, [a[0]])[0]; 4],
            ArbOpcode::Slt => zip(a, b, |a, b| truth(a < b)),
            ArbOpcode::Sub => zip(a, b, |a, b| a - b),
            ArbOpcode::Tex => self.sample(instruction, a, 0.0),
            ArbOpcode::Txb => self.sample(instruction, a, a[3]),
            ArbOpcode::Txp => self.sample(instruction, a.map(|x| x / a[3]), 0.0),
            ArbOpcode::Xpd => [
                a[1] * b[2] - a[2] * b[1],
                a[2] * b[0] - a[0] * b[2],
                a[0] * b[1] - a[1] * b[0],
                0.0,
            ],
        }
    }

    fn sample(&self, instruction: &Instruction, at: Vector, bias: f32) -> Vector {
        let texture = instruction.texture.expect("it samples");
        self.world.sample(texture, [at[0], at[1], at[2]], bias)
    }

    fn write(&mut self, result: Destination, value: Vector) {
        let register = match result.register {
            ResultRegister::Temporary(number) => &mut self.temporaries[number],
            ResultRegister::Address(number) => {
                // NaN is not the number of an element.
                self.addresses[number] = match value[0].is_nan() {
                    true => i64::MIN,
                    false => value[0].floor() as i64,
                };
                return;
            }
            ResultRegister::Output(Output::Depth) => {
                if result.mask.has(Component::Z) {
                    self.results.depth = Some(clamp(value[2]));
                }
                return;
            }
            ResultRegister::Output(output) => self.results.outputs.entry(output).or_default(),
        };
        for component in result.mask.components() {
            register[component.index()] = value[component.index()];
        }
    }

    /// Adds the results that options ask for.
    fn finish(&mut self) {
        let state = |state| self.world.param(Param::State(state));
        if self.program.options.position_invariant {
            let v = self.world.input(Input::Position);
            let row = |row| {
                let m = Matrix::ModelViewProjection;
                let row = state(State::MatrixRow(m, Transform::None, row));
                dp3(row, v) + row[3] * v[3]
            };
            let position = [row(0), row(1), row(2), row(3)];
            self.results.outputs.insert(Output::Position, position);
        }
        let Some(fog) = self.program.options.fog else {
            return;
        };
        let [density, _, end, scale] = state(State::FogParams);
        let z = self.world.input(Input::FogCoord)[0];
        let factor = clamp(match fog {
            Fog::Linear => (end - z) * scale,
            Fog::Exp => ex2(-(density * z * std::f32::consts::LOG2_E)),
            Fog::Exp2 => {
                let depth = density * z * std::f32::consts::LOG2_E.sqrt();
                ex2(-(depth * depth))
            }
        });
        let fog = state(State::FogColor);
        let colour = self.results.outputs.entry(Output::Color(0)).or_default();
        *colour = colour.map(clamp);
        for c in 0..3 {
            colour[c] = factor * colour[c] + (1.0 - factor) * fog[c];
        }
    }
}
