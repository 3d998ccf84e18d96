//! Long programs: those that the JIT compiles and those that it refuses have the same results on every
//! engine.

use attila_shader::draw::{ColourImage, Plane};
use attila_shader::machine::ErrorChain;
use attila_shader::machine::pipeline::ColourFormat;
use attila_shader::{Bindings, Draw, Engine, Program, QuadIo, Shader, ValidProgram, Varying};

fn validated(text: &str) -> ValidProgram {
    let program = Program::assemble(text).expect("the text is right");
    program.validate().expect("the program is valid")
}

fn jit() -> Engine {
    Engine::jit().expect("the JIT knows this machine")
}

fn prepared(engine: &Engine, program: &ValidProgram) -> Shader {
    let shader = engine.prepare(program);
    shader.expect("an engine can run the program")
}

fn bindings() -> Bindings<'static> {
    let mut bindings = Bindings::new().with_loop_budget(50);
    for n in 0..32 {
        bindings.set_constant(n, [0.125, -0.25, 0.5, 1.0].map(|x| x / (n + 1) as f32));
    }
    bindings
}

/// Runs the program on a few quads.
fn run(shader: &Shader) -> Vec<QuadIo> {
    let mut quads = vec![QuadIo::default(); 3];
    for (n, quad) in quads.iter_mut().enumerate() {
        for reg in 1..4 {
            let lane =
                |lane: usize| [0.5, 0.25, -0.5, 1.5].map(|x: f32| x * (n + reg * lane) as f32);
            quad.set_input(reg, [lane(0), lane(1), lane(2), lane(3)]);
        }
    }
    shader.run(&bindings(), &mut quads).expect("the loops end");
    quads
}

/// Draws with the program. Input 4 is the same everywhere.
fn draw(shader: &Shader) -> ColourImage {
    let mut image = ColourImage::new(ColourFormat::Rgba32F, 7, 5);
    let plane = |at, dx, dy| Plane { at, dx, dy };
    let bindings = bindings();
    let flat = Varying::flat([0.5, -0.25, 0.125, 1.0]);
    let mut draw = Draw::new(shader).bindings(&bindings).varying(4, flat);
    for reg in 1..4 {
        let [x, y] = [0.25, 0.5].map(|slope| plane(0.1 * reg as f32, slope, -slope));
        draw = draw.varying(reg, Varying::linear([x, y, y, x]));
    }
    draw.target(0, &mut image)
        .rect(0..7, 0..5)
        .expect("it can be drawn");
    image
}

/// Blocks of sums of products, every other one of which jumps back, each at most as often as its
/// counter lets it.
fn jumps(blocks: usize) -> ValidProgram {
    let mut text = "mov r0, i1\nmov r1, i2\nmov r2, i3\n".to_owned();
    for block in 0..blocks {
        let counter = format!(
            "r{}.{}",
            8 + block % 24,
            ["x", "y", "z", "w"][block / 24 % 4]
        );
        text += &format!("b{block}:\n");
        for n in block..block + 16 {
            let [a, b, c] = [n * 5, n * 3 + 1, n + 2].map(|n| n % 8);
            text += &format!(
                "dp4_sat r{a}.{}, r{b}, -r{c}\n",
                ["w", "x", "z", "y"][n % 4]
            );
        }
        if block % 2 == 0 {
            text += &format!("setpgt p{}, r{}.x, 0.5\n", block % 32, block % 8);
            text += &format!("jmp p{}, b{}\n", block % 32, (block + 5).min(blocks));
        } else {
            text += &format!("add {counter}, {counter}, 1\nsetplt p1, {counter}, 2\n");
            text += &format!("jmp p1, b{}\n", block - 1);
        }
    }
    validated(&(text + &format!("b{blocks}:\nadd o1, r0, r1\nadd o2, r2, r3\nend")))
}

/// Sums of products that are the same for all quads: `count` of constants, and as many of constants and
/// input 4.
fn shared(count: usize) -> ValidProgram {
    let mut text = String::new();
    for (first, start) in [(0, "c0"), (16, "i4")] {
        let begin = |n| format!("add r{}, {start}, c{n}\n", first + n);
        text.extend((0..16).map(begin));
        for n in 0..count {
            let [a, b, c] = [n * 5, n * 3 + 1, n * 7 + 2].map(|n| first + n % 16);
            text += &format!(
                "dp4_sat r{a}.{}, r{b}, -r{c}\n",
                ["w", "x", "z", "y"][n / 3 % 4]
            );
        }
    }
    text.extend((1..32).map(|n| format!("mad r0, r{n}, i1, r0\n")));
    validated(&(text + "mov o1, r0\nend"))
}

/// Powers, which take longest to compile, in a greater number than the JIT accepts.
fn powers() -> ValidProgram {
    let mut text: String = (0..32)
        .map(|n| format!("add r{n}, i{}, c{n}\n", 1 + n % 3))
        .collect();
    text.extend((0..2200).map(|n| format!("lit_sat r{0}, |r{0}.zzzz|\n", n % 32)));
    text.extend((1..32).map(|n| format!("add r0, r0, r{n}\n")));
    validated(&(text + "mov o1, r0\nend"))
}

fn assert_alike(engine: &Engine, program: &ValidProgram) {
    let (shader, reference) = (
        prepared(engine, program),
        prepared(&Engine::interp(), program),
    );
    assert_eq!(run(&shader), run(&reference));
    assert!(draw(&shader) == draw(&reference), "the pictures differ");
}

#[test]
fn a_program_with_many_jumps_is_compiled_and_agrees_with_the_interpreter() {
    let program = jumps(100);
    let shader = prepared(&Engine::auto(), &program);
    assert_eq!((shader.engine(), shader.refusal()), ("jit", None));
    assert_alike(&jit(), &program);
}

#[test]
fn a_program_with_much_work_that_quads_share_agrees_with_the_interpreter() {
    assert_alike(&jit(), &shared(400));
}

#[test]
fn a_program_that_is_too_long_for_the_jit_is_run_and_drawn_by_the_interpreter() {
    let program = powers();
    let refused = jit().prepare(&program).expect_err("it is too long");
    let refused = ErrorChain(&refused).to_string();
    assert!(refused.contains("units of work, the limit is"), "{refused}");
    let auto = Engine::auto();
    let shader = prepared(&auto, &program);
    assert_eq!(shader.engine(), "interp");
    let reason = shader.refusal().expect("the JIT says why");
    assert_eq!(ErrorChain(reason).to_string(), refused);
    assert_alike(&auto, &program);
}
