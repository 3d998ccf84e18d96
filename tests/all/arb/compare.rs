//! Runs translations on every engine, and compares with the evaluator.

use attila_shader::front::arb::{self, Profile, Translation};
use attila_shader::machine::Lanes;
use attila_shader::{Bindings, Engine, QuadIo};

use super::evaluator::{self, World};
use super::world::{Lane, Units};

/// The quads before the run: four lanes, each with its own world.
fn quad(translation: &Translation, worlds: &Lanes<Lane>) -> QuadIo {
    let mut quad = QuadIo::default();
    for &(input, register) in &translation.inputs {
        let lanes = std::array::from_fn(|lane| worlds[lane].input(input));
        quad.set_input(register.into(), lanes);
    }
    quad
}

fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// What of a lane's results is not as the evaluator says.
fn difference(
    translation: &Translation,
    quad: &QuadIo,
    lane: usize,
    expected: &evaluator::Results,
) -> Option<String> {
    if expected.undefined {
        return None;
    }
    for (&output, value) in &expected.outputs {
        let register = translation
            .outputs
            .iter()
            .find(|(known, _)| *known == output);
        let found = register.map_or([0.0; 4], |(_, r)| quad.output(usize::from(*r))[lane]);
        if found.iter().zip(value).any(|(a, b)| !same(*a, *b)) {
            return Some(format!("{output:?} is {found:?}, not {value:?}"));
        }
    }
    if let Some(depth) = expected.depth {
        let found = f32::from_bits(quad.depth[0][lane]);
        if !same(found, depth) {
            return Some(format!("depth is {found:?}, not {depth:?}"));
        }
    }
    let killed = quad.killed().has(lane);
    (killed != expected.killed).then(|| format!("killed is {killed}"))
}

/// Checks that a program computes what its text says, bit for bit, in the worlds of a seed. Counts the
/// lanes of whose results it says something.
pub(crate) fn check(text: &str, seed: u64, engines: &[Engine]) -> usize {
    let parsed = arb::parse(text, &Profile::default());
    let parsed = parsed.unwrap_or_else(|error| panic!("{error}\nin\n{text}"));
    let translation = arb::translate(&parsed, text);
    let translation = translation.unwrap_or_else(|error| panic!("{error}\nin\n{text}"));
    let program = translation.program.clone().validate().expect("it is valid");
    let worlds: Lanes<Lane> = std::array::from_fn(|lane| Lane { seed, lane });
    let units = Units(translation.textures.clone());
    let mut bindings = Bindings::new().with_textures(&units);
    for (index, value) in translation.constants(|param| worlds[0].param(param)) {
        bindings.set_constant(index, value);
    }
    let expected = worlds
        .each_ref()
        .map(|world| evaluator::evaluate(&parsed, world));
    for engine in engines {
        let shader = engine.prepare(&program).expect("the engine compiles it");
        let mut quads = [quad(&translation, &worlds)];
        shader.run(&bindings, &mut quads).expect("it runs");
        for (lane, expected) in expected.iter().enumerate() {
            if let Some(difference) = difference(&translation, &quads[0], lane, expected) {
                let listing = translation.program.listing();
                panic!(
                    "{} lane {lane}: {difference}\n{text}\n{listing}",
                    engine.name()
                );
            }
        }
    }
    expected.iter().filter(|results| !results.undefined).count()
}
