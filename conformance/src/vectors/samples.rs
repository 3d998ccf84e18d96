//! Vectors of queries for samples, and of inputs at other places than the pixels' centres.
//!
//! A program asks all that a vector tells. Answers of queries for an index are those of as many quads as
//! there are indices.

use attila_shader::Engine;
use attila_shader::draw::{ColourImage, Draw, Varying};
use attila_shader::isa::Program;
use attila_shader::machine::pipeline::{ColourFormat, Plane};
use attila_shader::machine::{
    Bindings, InputSource, LANES, Lanes, NO_SAMPLE, QuadIo, QuadReg, QuadSamples, SampleCount,
    SamplePositions, arith,
};
use serde::Deserialize;

use super::VectorError;
use super::words::Hex;

/// A vector about samples.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct SampleVector {
    /// Its name.
    pub id: String,
    /// The number of samples.
    n: usize,
    /// The covered samples; bits past the last are not to count.
    coverage: Hex,
    #[serde(flatten)]
    asked: Asked,
}

/// The question of a vector, and the answers.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "group", rename_all = "snake_case")]
enum Asked {
    State(State),
    MyIndex(MyIndex),
    Address(Address),
    Eval(Eval),
}

/// All queries of a pixel.
#[derive(Clone, PartialEq, Debug, Deserialize)]
struct State {
    positions: Positions,
    mscount: Hex,
    covmask: Hex,
    centroid: Hex,
    indices: Vec<Hex>,
    covered: Vec<Hex>,
    predicate: Vec<u8>,
    offset: Vec<Hex>,
}

/// `standard`, or positions in 1/16 pixel.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(untagged)]
enum Positions {
    Standard(StandardName),
    These(Vec<[i8; 2]>),
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StandardName {
    Standard,
}

/// The sample that the program runs for.
#[derive(Clone, PartialEq, Debug, Deserialize)]
struct MyIndex {
    sample_shading: bool,
    my_sample: u32,
    value: Hex,
    predicate: u8,
    covmask: Hex,
}

/// A register, if there is one, and eight bits that are added.
#[derive(Clone, PartialEq, Debug, Deserialize)]
struct Address {
    ra: Option<Hex>,
    imm: Hex,
    covered: Hex,
    offset: Hex,
}

/// A plane at the centre, the centroid and every sample.
#[derive(Clone, PartialEq, Debug, Deserialize)]
struct Eval {
    plane: [Hex; 3],
    anchor: [f32; 2],
    pixel: [u32; 2],
    centre: Hex,
    centroid: Hex,
    samples: Vec<Hex>,
}

/// Pixels of the pictures that planes are drawn to, along each side.
const SIZE: u32 = 16;

/// An answer: its name, the word expected, and the one found.
type Answer = (String, u32, u32);

impl SampleVector {
    /// The name of its group.
    pub(super) fn group(&self) -> &'static str {
        match self.asked {
            Asked::State(_) => "state",
            Asked::MyIndex(_) => "my_index",
            Asked::Address(_) => "address",
            Asked::Eval(_) => "eval",
        }
    }

    /// The program, as assembly.
    pub(super) fn listing(&self) -> String {
        let lines = match &self.asked {
            Asked::State(_) => "pixld_count o1.x\npixld_mask o1.y\npixld_centroid o1.z\n\
                 pixld_covered o2.x, p0, [i1.x]\npixld_offset o2.y, [i1.x]\n(p0) mov o2.z, c0.x"
                .to_owned(),
            Asked::MyIndex(_) => {
                "pixld_index o1.x, p0\npixld_mask o1.y\n(p0) mov o1.z, c0.x".to_owned()
            }
            Asked::Address(address) => {
                let index = address.spelled();
                format!("pixld_covered o1.x, [{index}]\npixld_offset o1.y, [{index}]")
            }
            Asked::Eval(_) => {
                "mov o1.x, i6\nevalc o1.y, i6\nevals o1.z, i6, i1.x\npixld_offset r0.x, [i1.x]\n\
                 evalo o1.w, i6, r0.x"
                    .to_owned()
            }
        };
        format!(".extended fragment\n{lines}\nend")
    }

    /// Asks all that the vector tells, and says which answers are others.
    ///
    /// # Errors
    ///
    /// The program does not run, or pixels have no such samples.
    pub fn run(&self, engine: &Engine) -> Result<Vec<String>, VectorError> {
        let answers = match &self.asked {
            Asked::State(state) => self.state(state, engine)?,
            Asked::MyIndex(own) => self.own_index(own, engine)?,
            Asked::Address(address) => self.address(address, engine)?,
            Asked::Eval(eval) => self.eval(eval, engine)?,
        };
        let wrong = answers.into_iter();
        let wrong = wrong.filter(|(_, expected, found)| expected != found);
        let wrong = wrong
            .map(|(name, expected, found)| format!("{name} is {found:08x}, not {expected:08x}"));
        Ok(wrong.collect())
    }

    fn samples(&self, positions: &Positions) -> Result<QuadSamples, VectorError> {
        let positions = match positions {
            Positions::Standard(StandardName::Standard) => {
                SampleCount::of(self.n).map(SamplePositions::standard)
            }
            Positions::These(list) => SamplePositions::new(list),
        };
        let positions = positions.filter(|it| it.count().count() == self.n);
        Ok(QuadSamples {
            count: [self.n as u32; LANES],
            coverage: [self.coverage.0; LANES],
            own: [NO_SAMPLE; LANES],
            positions: positions.ok_or(VectorError::Samples)?.packed(),
        })
    }

    fn standard(&self) -> Result<QuadSamples, VectorError> {
        self.samples(&Positions::Standard(StandardName::Standard))
    }

    /// Runs the program on a quad for each of `inputs`, which is i1.x in all lanes. The results are o1 and o2 of
    /// the last lane.
    fn ask(
        &self,
        engine: &Engine,
        samples: &QuadSamples,
        inputs: &[u32],
        source: Option<&dyn InputSource>,
    ) -> Result<Vec<[[u32; 4]; 2]>, VectorError> {
        let program = Program::assemble(&self.listing())?.validate()?;
        let mut quads = vec![QuadIo::default(); inputs.len()];
        for (quad, &input) in quads.iter_mut().zip(inputs) {
            quad.samples = samples.clone();
            quad.inputs[1][0] = [input; LANES];
        }
        let mut bindings = Bindings::new();
        bindings.set_constant_bits(0, [1; 4]);
        if let Some(source) = source {
            bindings = bindings.with_inputs(source);
        }
        engine.prepare(&program)?.run(&bindings, &mut quads)?;
        let last = |reg: &QuadReg| reg.map(|component| component[LANES - 1]);
        let results = quads.iter();
        Ok(results
            .map(|quad| [1, 2].map(|output| last(&quad.outputs[output])))
            .collect())
    }

    fn state(&self, state: &State, engine: &Engine) -> Result<Vec<Answer>, VectorError> {
        let samples = self.samples(&state.positions)?;
        let indices: Vec<u32> = state.indices.iter().map(|index| index.0).collect();
        let results = self.ask(engine, &samples, &indices, None)?;
        let mut answers = Vec::new();
        for (at, [pixel, [covered, offset, truth, _]]) in results.into_iter().enumerate() {
            let named = ["count", "mask", "centroid"].into_iter();
            let expected = [&state.mscount, &state.covmask, &state.centroid];
            let of_pixel = named.zip(expected).zip(pixel);
            answers.extend(of_pixel.map(|((name, word), found)| (name.to_owned(), word.0, found)));
            let told = [
                ("covered", state.covered.get(at).map(|it| it.0), covered),
                (
                    "predicate",
                    state.predicate.get(at).map(|&it| it.into()),
                    truth,
                ),
                ("offset", state.offset.get(at).map(|it| it.0), offset),
            ];
            answers.extend(told.into_iter().filter_map(|(name, expected, found)| {
                Some((format!("{name} of {:08x}", indices[at]), expected?, found))
            }));
        }
        Ok(answers)
    }

    fn own_index(&self, own: &MyIndex, engine: &Engine) -> Result<Vec<Answer>, VectorError> {
        let sample = if own.sample_shading {
            own.my_sample
        } else {
            NO_SAMPLE
        };
        let samples = QuadSamples {
            own: [sample; LANES],
            ..self.standard()?
        };
        let results = self.ask(engine, &samples, &[0], None)?;
        let told = [own.value.0, own.covmask.0, own.predicate.into()];
        Ok(named(["index", "mask", "predicate"], told, &results))
    }

    fn address(&self, address: &Address, engine: &Engine) -> Result<Vec<Answer>, VectorError> {
        let register = address.ra.as_ref().map_or(0, |register| register.0);
        let results = self.ask(engine, &self.standard()?, &[register], None)?;
        let told = [address.covered.0, address.offset.0];
        Ok(named(["covered", "offset"], told, &results))
    }

    /// In records, where the plane is bound; and in a draw, which evaluates it.
    fn eval(&self, eval: &Eval, engine: &Engine) -> Result<Vec<Answer>, VectorError> {
        let samples = self.standard()?;
        let numbers: Vec<u32> = (0..self.n as u32).collect();
        let results = self.ask(engine, &samples, &numbers, Some(eval))?;
        let mut answers = Vec::new();
        for (sample, ([found, _], expected)) in results.iter().zip(&eval.samples).enumerate() {
            answers.push(("centroid".to_owned(), eval.centroid.0, found[1]));
            for word in [found[2], found[3]] {
                answers.push((format!("sample {sample}"), expected.0, word));
            }
        }
        answers.push((
            "drawn centre".to_owned(),
            eval.centre.0,
            eval.drawn(engine, 0)?,
        ));
        let places = samples.positions.iter().zip(&eval.samples).enumerate();
        for (sample, (&position, expected)) in places {
            let found = eval.drawn(engine, position)?;
            answers.push((format!("drawn sample {sample}"), expected.0, found));
        }
        Ok(answers)
    }
}

/// The first few components of o1 with their names.
fn named<const N: usize>(
    names: [&str; N],
    expected: [u32; N],
    results: &[[[u32; 4]; 2]],
) -> Vec<Answer> {
    let [[found, _], ..] = results else {
        return Vec::new();
    };
    let answers = names.into_iter().zip(expected).zip(found);
    answers
        .map(|((name, expected), &found)| (name.to_owned(), expected, found))
        .collect()
}

impl Address {
    /// The index as assembly has it: a number without a sign, or a register and a number with one.
    fn spelled(&self) -> String {
        let number = self.imm.0 as u8;
        match (&self.ra, number.cast_signed()) {
            (None, _) => number.to_string(),
            (Some(_), added) if added < 0 => format!("i1.x - {}", added.unsigned_abs()),
            (Some(_), added) => format!("i1.x + {added}"),
        }
    }
}

impl Eval {
    fn plane(&self) -> Plane {
        let [at, dx, dy] = [0, 1, 2].map(|number| f32::from_bits(self.plane[number].0));
        Plane { at, dx, dy }
    }

    /// The plane that an engine draws, at a packed offset from the pixel's centre.
    fn drawn(&self, engine: &Engine, offset: u32) -> Result<u32, VectorError> {
        let program =
            Program::assemble(".extended fragment\nevalo o1, i6, c0.x\nend")?.validate()?;
        let shader = engine.prepare(&program)?;
        let mut bindings = Bindings::new();
        bindings.set_constant_bits(0, [offset; 4]);
        let mut image = ColourImage::new(ColourFormat::R32F, SIZE, SIZE);
        let planes = [self.plane(); 4];
        Draw::new(&shader)
            .bindings(&bindings)
            .anchor(self.anchor)
            .varying(6, Varying::linear(planes))
            .target(0, &mut image)
            .rect(0..SIZE, 0..SIZE)?;
        let [x, y] = self.pixel;
        image.pixel::<u32>(x, y).ok_or(VectorError::Pixel)
    }
}

/// The plane in the vector's pixel, for all lanes.
impl InputSource for Eval {
    fn evaluate(&self, _: usize, register: u8, offset: Lanes<[i16; 2]>) -> QuadReg {
        let Plane { at, dx, dy } = self.plane();
        let value = offset.map(|offset| {
            let [x, y] = [0, 1].map(|axis| {
                let centre = self.pixel[axis] as f32 + 0.5;
                centre - self.anchor[axis] + f32::from(offset[axis]) / 16.0
            });
            arith::fma(x, dx, arith::fma(y, dy, at)).to_bits()
        });
        match register {
            6 => [value; 4],
            _ => QuadReg::default(),
        }
    }
}
