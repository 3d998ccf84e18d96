//! The samples of a quad's pixels, and inputs at other places than centres.

use attila_shader::front::tgsi::{Input, SemanticName};
use attila_shader::machine::{
    InputSource, LANES, Lanes, NO_SAMPLE, QuadReg, QuadSamples, SampleCount, SamplePositions,
    from_lanes, offset_of_packed,
};

use super::world::World;
use crate::dice::Dice;
use crate::recorder::SplitMix;

/// A distance from the centre of a pixel, in sixteenths.
pub(super) type Offset = [i16; 2];

impl World {
    /// The samples of the pixels: any number of them, each covered or not, in runs for the pixel or for one.
    pub(super) fn samples(self) -> QuadSamples {
        let mut rng = SplitMix::named(self.seed, "samples");
        let mut dice = Dice::new(&mut rng);
        let count = dice.pick(&SampleCount::ALL);
        let all = count.all();
        QuadSamples {
            count: [count.count() as u32; LANES],
            coverage: std::array::from_fn(|_| match dice.below(4) {
                0 => 0,
                1 => all,
                _ => dice.word() & all,
            }),
            own: match dice.percent(50) {
                true => [NO_SAMPLE; LANES],
                false => [dice.below(count.count()) as u32; LANES],
            },
            positions: SamplePositions::standard(count).packed(),
        }
    }

    /// The sample that the program runs for; 0 if it runs for the pixel.
    pub(super) fn own_sample(self) -> u32 {
        let [own, ..] = self.samples().own;
        match own == NO_SAMPLE {
            true => 0,
            false => own,
        }
    }

    /// The place of a sample; the centre if there is no such sample.
    pub(super) fn place(self, sample: u32) -> Offset {
        let QuadSamples {
            count, positions, ..
        } = self.samples();
        let position = positions.get(sample as usize);
        let position = position.filter(|_| sample < count[0]);
        position.map_or([0; 2], |word| offset_of_packed(*word))
    }

    /// The centre where all samples are covered or none is, else the place of the first covered one.
    pub(super) fn centroid(self, lane: usize) -> Offset {
        let QuadSamples {
            count, coverage, ..
        } = self.samples();
        let covered: Vec<u32> = (0..count[0])
            .filter(|n| coverage[lane] >> n & 1 != 0)
            .collect();
        match covered.first() {
            Some(first) if covered.len() < count[0] as usize => self.place(*first),
            Some(_) | None => [0; 2],
        }
    }

    /// An input at a distance from the centre.
    pub(super) fn input_at(self, input: Input, lane: usize, offset: Offset) -> [u32; 4] {
        let is_face = match input {
            Input::Semantic(semantic) => semantic.name == SemanticName::Face,
            Input::Attribute(_) => false,
        };
        match offset {
            [0, 0] => self.input(input, lane),
            _ if is_face => self.input(input, lane),
            [x, y] => self.vector(&format!("{input} {lane} {x} {y}")),
        }
    }
}

/// The inputs of a translation at other places, by their registers.
pub(super) struct Places<'a> {
    pub(super) world: World,
    pub(super) inputs: &'a [(Input, u8)],
}

impl InputSource for Places<'_> {
    fn evaluate(&self, _: usize, register: u8, offset: Lanes<Offset>) -> QuadReg {
        let input = self.inputs.iter().find(|(_, it)| *it == register);
        from_lanes(std::array::from_fn(|lane| match input {
            Some((input, _)) => self.world.input_at(*input, lane, offset[lane]),
            None => [0; 4],
        }))
    }
}
