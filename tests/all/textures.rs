//! Random textures, samplers and coordinates on the interpreter, which asks the reference sampler,
//! and on the JIT, which samples inline where it can. The results are the same, bit for bit.

use std::sync::Arc;

use attila_conformance::altered::{Fault, altered};
use attila_conformance::textures::Scope;
use attila_conformance::{Case, CaseOptions, Sequence, Subject, Tally, check_text, fuzz};
use attila_shader::machine::{Backend, QuadReg, TextureQuery};
use attila_shader::texture::{Filter, Image, Sampler, Texture, Textures, Wrap};
use attila_shader::{
    Bindings, Cpu, Engine, Interp, Jit, JitOptions, Program, QuadIo, RunError, TextureUnit,
};

fn jit(cpu: Cpu) -> Jit {
    let options = JitOptions {
        cpu,
        ..JitOptions::default()
    };
    Jit::with_options(&options).expect("the JIT knows this machine")
}

/// Runs cases on the interpreter, on lane IR and on `jit`.
fn agree(jit: &Jit, scope: Scope, seed: u64, cases: u64) -> Tally {
    let ir = Engine::ir().expect("this machine is known");
    let engines = [Engine::interp(), ir, Engine::custom(Arc::new(jit.clone()))];
    let sequence = Sequence::new(seed, cases);
    let result = fuzz::<Case>(&sequence, &CaseOptions::Textures(scope), &engines, &|_| ());
    if let Some(failure) = &result.failure {
        panic!("case {} of {seed}:\n{}", failure.index, failure.report());
    }
    assert_eq!(result.tally.cases, cases);
    result.tally
}

#[test]
fn the_jit_samples_as_the_reference_does_bit_for_bit() {
    let jit = jit(JitOptions::default().cpu);
    let tally = agree(&jit, Scope::All, 1, 600);
    let (samples, inlined) = (tally.count("samples"), tally.count("samples inlined"));
    assert_eq!(inlined, samples);
}

#[test]
fn the_jit_calls_for_no_sample_that_it_can_make_by_itself() {
    for (cpu, cases) in [(JitOptions::default().cpu, 500), (Cpu::Baseline, 60)] {
        let jit = jit(cpu);
        let tally = agree(&jit, Scope::Inlinable, 3, cases);
        let samples = tally.count("samples");
        assert!(samples > tally.count("quads"), "{tally}");
        assert_eq!(tally.count("samples inlined"), samples);
        // Once for records, and for columns where a case runs over them.
        let made = jit.specialisations() as u64;
        assert!((cases..2 * cases).contains(&made), "{made}");
    }
}

/// The interpreter, but all textures repeat.
fn repeating() -> [Engine; 2] {
    let fault = Fault::Samplers(|sampler| sampler.wrap = [Wrap::Repeat; 3]);
    [Engine::interp(), altered(Interp, fault)]
}

#[test]
fn a_wrong_wrap_mode_is_found_made_plain_and_kept_as_a_text() {
    let options = CaseOptions::Textures(Scope::All);
    let result = fuzz::<Case>(&Sequence::new(5, 100), &options, &repeating(), &|_| ());
    let failure = result.failure.expect("the fault is found");
    let (case, text) = (&failure.case, failure.report());
    assert_eq!((case.quads.len(), case.insts().len()), (1, 1), "{text}");
    let [(image, sampler)] = &case.textures[..] else {
        panic!("one image is enough:\n{text}");
    };
    assert_eq!(image.levels.len(), 1, "{text}");
    let plain = sampler.compare.is_none() && sampler.max_anisotropy == 1;
    assert!(plain, "{text}");
    assert!(text.starts_with("interp and altered differ ("), "{text}");
    assert!(
        text.contains(";! image 0 ") && text.contains("  * o0."),
        "{text}"
    );
    let again: Case = attila_conformance::case(failure.seed, failure.index, &options);
    assert!(
        again.check(&repeating(), &mut Tally::default()).is_err(),
        "the case repeats"
    );

    let (file, name) = failure.file();
    assert_eq!(name, "fuzz.attila");
    assert_eq!(check_text(&file, &Engine::all()), Ok(()));
    let wrong = check_text(&file, &repeating()).expect_err("the file repeats");
    assert!(wrong.starts_with("interp and altered differ ("), "{wrong}");
}

#[test]
fn every_case_with_images_survives_its_text() {
    for index in 0..200 {
        let options = CaseOptions::Textures(Scope::All);
        let mut case: Case = attila_conformance::case(4, index, &options);
        (case.forms, case.rounds) = Default::default();
        let (read, _) = Case::from_text(&case.to_text("any case")).expect("it is a case");
        assert_eq!(read.textures, case.textures, "case {index}");
        assert_eq!(read, case, "case {index}");
    }
}

/// The textures, wrapped in a type that no engine recognises.
struct Opaque(Textures);

impl TextureUnit for Opaque {
    fn has_unit(&self, unit: u8) -> bool {
        self.0.has_unit(unit)
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        self.0.answer(query)
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
            ..Sampler::RESET
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
            ..Sampler::RESET
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
