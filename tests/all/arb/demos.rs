//! Programs of the corpora: translated, evaluated, drawn.

use attila_conformance::texts::arb::Units;
use attila_shader::draw::{ColourImage, Draw, Mesh, Plane};
use attila_shader::front::arb::{self, Parameters, Profile, Translation};
use attila_shader::machine::pipeline::ColourFormat;
use attila_shader::machine::{VertexAttribute, VertexFormat};
use attila_shader::{Bindings, Engine, Program, Shader, Stage, Varying, VertexBuffers};

use super::check;
use super::corpora::{Corpora, others, own};

const SIDE: u32 = 64;

#[test]
fn our_programs_compute_what_their_text_says() {
    compute_what_their_text_says(&own());
}

#[test]
#[ignore = "needs ../shared/corpora"]
fn programs_of_other_people_compute_what_their_text_says() {
    compute_what_their_text_says(&others());
}

fn compute_what_their_text_says(corpora: &Corpora) {
    let engines = Engine::all();
    let programs = corpora.programs();
    for (name, text) in &programs {
        println!("{name}");
        for seed in 0..4 {
            check(text, seed, &engines);
        }
    }
    println!("{} programs", programs.len());
    assert!(!programs.is_empty());
}

fn shader(engine: &Engine, program: Program) -> Shader {
    let program = program.validate().expect("translations are valid");
    engine.prepare(&program).expect("the engine compiles it")
}

/// The bytes of the picture that a program draws. Vertex programs bend two triangles.
fn drawn(engine: &Engine, translation: &Translation) -> Vec<u8> {
    let parameters = Parameters {
        window: [SIDE; 2],
        local: [(0, [1.0, 1.0, 0.0, 0.0]), (1, [0.0, 0.0, 1.0, 1.0])].into(),
        ..Parameters::default()
    };
    let units = Units(translation.textures.clone());
    let mut bindings = Bindings::new().with_textures(&units);
    for (register, value) in translation.constants(|param| parameters.value(param)) {
        bindings.set_constant(register, value);
    }
    let program = shader(engine, translation.program.clone());
    match translation.stage == Stage::Vertex {
        true => mesh(engine, &program, &bindings),
        false => rectangle(&program, &bindings),
    }
}

/// Inputs that grow in other directions each.
fn varying(input: usize) -> Varying<'static> {
    let step = 1.0 / SIDE as f32;
    let plane = |component: usize| Plane {
        at: [0.0, 0.0, 0.5, 1.0][component],
        dx: step * [1.0, 0.0, -0.5, 0.0][(component + input) % 4],
        dy: step * [0.0, 1.0, 0.5, -1.0][(component + input) % 4],
    };
    Varying::linear([0, 1, 2, 3].map(plane))
}

fn rectangle(program: &Shader, bindings: &Bindings<'_>) -> Vec<u8> {
    let mut target = ColourImage::new(ColourFormat::Rgba8, SIDE, SIDE);
    let mut draw = Draw::new(program).bindings(bindings).target(0, &mut target);
    for input in 1..15 {
        draw = draw.varying(input, varying(input));
    }
    draw.rect(0..SIDE, 0..SIDE).expect("it is drawn");
    bytes(&target)
}

fn bytes(target: &ColourImage) -> Vec<u8> {
    let places = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y)));
    places
        .flat_map(|(x, y)| target.pixel::<[u8; 4]>(x, y).unwrap())
        .collect()
}

fn mesh(engine: &Engine, program: &Shader, bindings: &Bindings<'_>) -> Vec<u8> {
    const CORNERS: [[f32; 4]; 4] = [
        [-0.9, -0.8, 0.1, 1.0],
        [0.9, -0.7, 0.4, 1.0],
        [0.8, 0.9, 0.7, 1.0],
        [-0.7, 0.6, 0.2, 1.0],
    ];
    let corners: Vec<u8> = CORNERS
        .as_flattened()
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let mut buffers = VertexBuffers::new();
    for input in 0..16 {
        buffers = buffers.with(
            input,
            VertexAttribute::packed(&corners, VertexFormat::Float32, 4),
        );
    }
    // Shows an output other than the position, if the program has one.
    let shown = (1..14).find(|output| !program.program().usage().outputs[*output].is_empty());
    let fragment = format!("mov o1, i{}", shown.unwrap_or(0));
    let fragment = Program::assemble(&fragment).expect("it is a program");
    let fragment = shader(engine, fragment);
    let mut target = ColourImage::new(ColourFormat::Rgba8, SIDE, SIDE);
    let triangles = [[0, 1, 2], [0, 2, 3]];
    let draw = Draw::new(&fragment).target(0, &mut target);
    draw.mesh(&Mesh::new(program, &buffers, &triangles).bindings(bindings))
        .expect("it is drawn");
    bytes(&target)
}

#[test]
fn engines_draw_the_same_pictures_of_our_programs() {
    draw_the_same_pictures(&own());
}

#[test]
#[ignore = "needs ../shared/corpora"]
fn engines_draw_the_same_pictures_of_programs_of_other_people() {
    draw_the_same_pictures(&others());
}

fn draw_the_same_pictures(corpora: &Corpora) {
    let engines = Engine::all();
    let mut blank = 0;
    let programs = corpora.programs();
    for (name, text) in &programs {
        let translation = arb::compile(text, &Profile::default()).expect("it is a program");
        let draws = translation.stage == Stage::Fragment
            || translation
                .outputs
                .iter()
                .any(|(_, register)| *register == 0);
        if !draws {
            continue;
        }
        let pictures = engines.iter().map(|engine| drawn(engine, &translation));
        let pictures: Vec<Vec<u8>> = pictures.collect();
        let same = pictures.windows(2).all(|pair| pair[0] == pair[1]);
        assert!(same, "the engines draw different pictures of {name}");
        blank += usize::from(pictures[0].iter().all(|byte| *byte == 0));
    }
    println!("{} programs, {blank} draw nothing", programs.len());
    assert!(blank < programs.len());
}
