//! Random textures, samplers and coordinates on the interpreter, which asks the reference sampler,
//! and on the JIT, which samples by itself what it can: the results are the same, bit for bit.

use std::sync::Arc;

use attila_conformance::Sequence;
use attila_conformance::textures::{self, Scope, TextureFuzz, TextureStatistics};
use attila_shader::machine::{Backend, Executable, Lanes, StatefulExecutable, TextureQuery};
use attila_shader::texture::{Filter, Image, Sampler, Texture, Textures, Wrap};
use attila_shader::{
    Bindings, Cpu, Engine, Interp, Jit, JitOptions, PrepareError, Program, QuadIo, RunError,
    TextureUnit, ValidProgram,
};

fn jit(cpu: Cpu) -> Jit {
    let options = JitOptions {
        cpu,
        ..JitOptions::default()
    };
    Jit::with_options(&options).expect("the JIT knows this machine")
}

fn options(scope: Scope, seed: u64, cases: u64) -> TextureFuzz {
    TextureFuzz {
        sequence: Sequence::new(seed, cases),
        scope,
    }
}

/// Runs cases on the interpreter, on lane IR and on `jit`.
fn agree(jit: &Jit, options: &TextureFuzz) -> TextureStatistics {
    let ir = Engine::ir().expect("this machine is known");
    let engines = [Engine::interp(), ir, Engine::custom(Arc::new(jit.clone()))];
    let result = textures::fuzz(options, &engines, &|_| ());
    if let Some(failure) = &result.failure {
        let (index, seed) = (failure.index, failure.seed);
        panic!("case {index} of {seed}:\n{}", textures::report(failure));
    }
    assert_eq!(result.statistics.cases, options.sequence.cases);
    result.statistics
}

#[test]
fn the_jit_samples_as_the_reference_does_bit_for_bit() {
    let jit = jit(JitOptions::default().cpu);
    let statistics = agree(&jit, &options(Scope::All, 1, 600));
    let TextureStatistics {
        samples, called, ..
    } = statistics;
    assert!(called > 0, "some textures are called for");
    assert!(called < samples / 3 * 2, "{called} of {samples}");
}

#[test]
fn the_jit_calls_for_no_sample_that_it_can_make_by_itself() {
    for (cpu, cases) in [(JitOptions::default().cpu, 500), (Cpu::Baseline, 60)] {
        let jit = jit(cpu);
        let statistics = agree(&jit, &options(Scope::Inlinable, 3, cases));
        assert!(statistics.samples > statistics.quads, "{statistics:?}");
        assert_eq!(statistics.called, 0, "of {}", statistics.samples);
        assert_eq!(jit.specialisations() as u64, cases);
    }
}

/// The interpreter, but all textures repeat.
struct Repeating;

impl Backend for Repeating {
    fn name(&self) -> &'static str {
        "repeating"
    }

    fn prepare(&self, program: &ValidProgram) -> Result<Arc<dyn Executable>, PrepareError> {
        Ok(Arc::new(RepeatingProgram(Interp.prepare(program)?)))
    }

    fn prepare_stateful(
        &self,
        program: &ValidProgram,
    ) -> Result<Box<dyn StatefulExecutable>, PrepareError> {
        Interp.prepare_stateful(program)
    }
}

struct RepeatingProgram(Arc<dyn Executable>);

impl Executable for RepeatingProgram {
    fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadIo]) -> Result<(), RunError> {
        let units = bindings.textures().and_then(TextureUnit::as_any);
        let units = units.and_then(|units| units.downcast_ref::<Textures>());
        let mut textures = units.expect("the cases have textures").clone();
        for unit in 0..2 {
            let texture = textures.get(unit).expect("both units are bound");
            let sampler = Sampler {
                wrap: [Wrap::Repeat; 3],
                ..*texture.sampler()
            };
            let texture = Texture::new(texture.image().clone(), sampler).expect("it still fits");
            textures.bind(unit, texture).expect("there is such a unit");
        }
        self.0
            .run(&bindings.clone().with_textures(&textures), quads)
    }
}

#[test]
fn a_wrong_wrap_mode_is_found_and_made_plain() {
    let engines = [Engine::interp(), Engine::custom(Arc::new(Repeating))];
    let result = textures::fuzz(&options(Scope::All, 5, 100), &engines, &|_| ());
    let failure = result.failure.expect("the fault is found");
    let (case, text) = (&failure.case, textures::report(&failure));
    assert_eq!(case.inputs.len(), 1, "{text}");
    assert_eq!(
        case.text.lines().count(),
        2,
        "one instruction and the end: {text}"
    );
    let (image, sampler) = &case.textures[0];
    assert_eq!(image.levels.len(), 1, "{text}");
    assert!(
        sampler.compare.is_none() && sampler.max_anisotropy == 1,
        "{text}"
    );
    assert!(
        text.starts_with("interp and repeating differ in quad 0."),
        "{text}"
    );
    assert!(text.contains("t0: ") && text.contains("  * o0."), "{text}");
    let again = textures::case(failure.seed, failure.index, Scope::All);
    assert!(again.compare(&engines).is_some(), "the case repeats");
}

/// The textures, but nothing that an engine could recognise.
struct Opaque(Textures);

impl TextureUnit for Opaque {
    fn has_unit(&self, unit: u8) -> bool {
        self.0.has_unit(unit)
    }

    fn sample(&self, query: &TextureQuery) -> [Lanes<f32>; 4] {
        self.0.sample(query)
    }
}

/// The quads, shaded.
fn shade(
    units: &dyn TextureUnit,
    quads: &[QuadIo],
    run: impl Fn(&Bindings<'_>, &mut [QuadIo]) -> Result<(), RunError>,
) -> Vec<QuadIo> {
    let bindings = Bindings::new()
        .with_constant(0, [0.25; 4])
        .with_constant(1, [3.0; 4])
        .with_textures(units);
    let mut quads = quads.to_vec();
    run(&bindings, &mut quads).expect("it runs");
    quads
}

#[test]
fn a_texel_at_the_same_place_everywhere_is_read() {
    let bytes: Vec<u8> = (0..64).map(|byte| byte * 3).collect();
    let image = Image::from_rgba8(4, 4, &bytes).expect("the bytes fit");
    let image = Arc::new(image);
    let texts = [
        "tex o0, r0, t0\nend",
        "txl o0, c0, t0\nadd o1, i0, r0\nend",
        "tex r0, c0, t0\ntex r1, i0, t0\nadd o0, r0, r1\ntex r1, i0.yxzw, t0\nadd o1, r0, r1\nend",
    ];
    for (text, filter) in texts
        .into_iter()
        .flat_map(|text| [(text, Filter::Nearest), (text, Filter::Linear)])
    {
        let sampler = Sampler {
            mag: filter,
            min: filter,
            ..Sampler::default()
        };
        let texture = Texture::new(image.clone(), sampler).expect("the sampler fits");
        let mut textures = Textures::new();
        textures.bind(0, texture).expect("there is such a unit");
        let program = Program::assemble(text).expect("the text is right");
        let program = program.validate().expect("the program is valid");
        let jit = jit(JitOptions::default().cpu);
        let engines = [Engine::interp(), Engine::custom(Arc::new(jit.clone()))];
        let [expected, got] = engines.map(|engine| {
            let shader = engine.prepare(&program).expect("it is compiled");
            let run = |bindings: &Bindings<'_>, quads: &mut [QuadIo]| shader.run(bindings, quads);
            shade(&textures, &vec![QuadIo::default(); 3], run)
        });
        assert_eq!(jit.specialisations(), 1, "{text}");
        assert_eq!(got, expected, "{text} {filter:?}");
    }
}

#[test]
fn code_is_made_once_for_each_kind_of_texture_and_none_for_unknown_units() {
    let program = Program::assemble("tex o0, i0, t0\nend").expect("the text is right");
    let program = program.validate().expect("the program is valid");
    let jit = jit(JitOptions::default().cpu);
    let compiled = jit.prepare(&program).expect("it is compiled");
    let quads = vec![QuadIo::default(); 4];
    let run = |wrap: Wrap, side: u32, bias: f32| {
        let bytes = vec![7; side as usize * 4];
        let image = Image::from_rgba8(side, 1, &bytes).expect("the bytes fit");
        let sampler = Sampler {
            wrap: [wrap; 3],
            lod_bias: bias,
            ..Sampler::default()
        };
        let mut textures = Textures::new();
        let texture = Texture::new(Arc::new(image), sampler).expect("the sampler fits");
        textures.bind(0, texture).expect("there is such a unit");
        let run = |bindings: &Bindings<'_>, quads: &mut [QuadIo]| compiled.run(bindings, quads);
        shade(&Opaque(textures.clone()), &quads, run);
        let before = jit.specialisations();
        shade(&textures, &quads, run);
        jit.specialisations() - before
    };
    assert_eq!(run(Wrap::Repeat, 4, 0.0), 1);
    assert_eq!(
        run(Wrap::Repeat, 9, 0.5),
        0,
        "size and bias make no difference"
    );
    assert_eq!(run(Wrap::Clamp, 9, 0.0), 1);
    assert_eq!(run(Wrap::Repeat, 1, 1.0), 0, "both are kept");
    assert_eq!(
        jit.specialisations(),
        2,
        "nothing is made for unknown units"
    );
}
