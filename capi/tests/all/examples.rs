//! The examples, each compiled, linked with both libraries and run. They draw what the Rust library draws.

use std::path::Path;
use std::process::Command;

use attila_scene::Loader;
use attila_shader::draw::{ColourImage, Draw, Plane, Varying};
use attila_shader::machine::{Lookup, QuadReg, TextureQuery, from_floats};
use attila_shader::{Bindings, ColourFormat, Engine, Image, Sampler, Texture, TextureUnit, Wrap};

use crate::tools::{self, Link};

const EXAMPLES: [&str; 4] = ["hello.c", "callback.c", "threads.c", "emulator.cpp"];

fn plane(at: f32, dx: f32, dy: f32) -> Plane {
    Plane { at, dx, dy }
}

/// A picture as PPM.
fn ppm(image: &ColourImage) -> Vec<u8> {
    let mut bytes = format!("P6 {} {} 255\n", image.width(), image.height()).into_bytes();
    bytes.extend(image.bytes().chunks(4).flat_map(|pixel| &pixel[..3]));
    bytes
}

/// Draws over the whole of a picture.
fn drawn(
    size: [u32; 2],
    program: &str,
    bindings: &Bindings<'_>,
    inputs: &[(usize, Varying<'_>)],
) -> Vec<u8> {
    let (program, _) = Loader::new()
        .read_program("program", program)
        .expect("it is a program");
    let shader = Engine::auto()
        .prepare(&program.program)
        .expect("it compiles");
    let mut image = ColourImage::new(ColourFormat::Rgba8, size[0], size[1]);
    let mut draw = Draw::new(&shader).bindings(bindings);
    for (register, varying) in inputs {
        draw = draw.varying(*register, *varying);
    }
    draw.target(0, &mut image)
        .rect(0..size[0], 0..size[1])
        .expect("it draws");
    ppm(&image)
}

fn hello() -> Vec<u8> {
    let bindings = Bindings::new().with_constant(0, [0.5, 1.0, 1.0, 1.0]);
    let none = plane(0.0, 0.0, 0.0);
    let colour = Varying::linear([
        plane(0.0, 1.0 / 256.0, 0.0),
        plane(0.0, 0.0, 1.0 / 128.0),
        none,
        none,
    ]);
    drawn([256, 128], "mul o1, i6, c0", &bindings, &[(6, colour)])
}

struct Board;

impl TextureUnit for Board {
    fn has_unit(&self, unit: u8) -> bool {
        unit == 2
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        let Lookup::Sample { coords, .. } = query.lookup else {
            unreachable!("the program only samples");
        };
        let square = |axis: usize, lane: usize| (coords[axis][lane] * 8.0).floor() as i32;
        let grey = std::array::from_fn(|lane| match (square(0, lane) + square(1, lane)) % 2 {
            0 => 0.25,
            _ => 1.0,
        });
        from_floats([grey, grey, grey, [1.0; 4]])
    }
}

fn callback() -> Vec<u8> {
    let program = "!!ARBfp1.0\nTEX result.color, fragment.texcoord[0], texture[2], 2D;\nEND";
    let (one, none) = (plane(1.0, 0.0, 0.0), plane(0.0, 0.0, 0.0));
    let coordinates = [
        plane(0.0, 1.0 / 64.0, 0.0),
        plane(0.0, 0.0, 1.0 / 64.0),
        none,
        one,
    ];
    let bindings = Bindings::new().with_textures(&Board);
    drawn(
        [64, 64],
        program,
        &bindings,
        &[(6, Varying::linear(coordinates))],
    )
}

fn threads() -> Vec<u8> {
    let program = "mul r0.xy, i0, c0.x\n dp3 r0.z, r0, r0\n mul r0.xyz, r0, r0.z\n mov_sat o1, r0";
    let bindings = Bindings::new().with_constant(0, [1.0 / 256.0, 0.0, 0.0, 0.0]);
    drawn([256, 256], program, &bindings, &[])
}

fn emulator() -> Vec<u8> {
    let source =
        std::fs::read_to_string(tools::examples().join("emulator.cpp")).expect("it is there");
    let texel = |i: u8| [i % 16 * 16, i / 16 * 16, 255 - i % 16 * 16, 255];
    let texels: Vec<u8> = (0..=255).flat_map(texel).collect();
    let sampler = Sampler {
        wrap: [Wrap::Repeat; 3],
        ..Sampler::default()
    };
    let mut all = Vec::new();
    for (name, input) in [
        ("AGAL", "v0"),
        ("TGSI", "GENERIC[0]"),
        ("ARB", "fragment.texcoord[0]"),
    ] {
        // The program is that of the example.
        let literals = source
            .split(&format!("const char *{name} ="))
            .nth(1)
            .expect("it has one");
        let literals = literals.split(';').collect::<Vec<_>>().join(";");
        let end = literals.find("\";\n").expect("it ends");
        let lines = literals[..=end]
            .lines()
            .map(|line| line.trim().trim_matches('"'));
        let program = lines.collect::<String>().replace("\\n", "\n");
        let image = Image::from_rgba8(16, 16, &texels).expect("it is an image");
        let texture = Texture::new(image, sampler).expect("the sampler fits");
        let loader = Loader::new().parameter(1, [1.0, 0.5, 0.25, 1.0]);
        let loader = loader
            .varying(&format!("{input} = 2*u, 2*v, 0, 1"))
            .expect("it is a varying");
        let scene = loader
            .bind(0, texture)
            .expect("there is a unit")
            .read(name, program);
        let mut image = ColourImage::new(ColourFormat::Rgba8, 128, 128);
        scene
            .expect("it is a scene")
            .draw(&Engine::auto(), &mut image)
            .expect("it draws");
        all.extend(ppm(&image));
    }
    all
}

fn expected(example: &str) -> Vec<u8> {
    match example {
        "hello.c" => hello(),
        "callback.c" => callback(),
        "threads.c" => threads(),
        _ => emulator(),
    }
}

/// Runs an example, and compares its picture.
fn compare(example: &str, folder: &Path, command: &mut Command) {
    let picture = folder.join("picture.ppm");
    let _ = std::fs::remove_file(&picture);
    tools::run(command.arg(&picture).env("ASAN_OPTIONS", "detect_leaks=1"));
    let bytes = std::fs::read(&picture).expect("it has written a picture");
    assert!(
        bytes == expected(example),
        "{command:?} draws something else"
    );
}

fn run_all(name: &str, link: Link, flags: &[&str], run: impl Fn(&Path) -> Command) {
    for example in EXAMPLES {
        let folder = tools::folder(&format!("{name}-{example}"));
        let source = tools::examples().join(example);
        let Some(program) = tools::compile(&source, &folder, link, (&tools::include(), flags))
        else {
            continue;
        };
        compare(example, &folder, &mut run(&program));
    }
}

#[test]
fn examples_draw_what_rust_draws_with_the_shared_library() {
    run_all("shared", Link::Shared, &[], |program| Command::new(program));
}

#[test]
fn examples_draw_what_rust_draws_with_the_static_library() {
    run_all("static", Link::Static, &[], |program| Command::new(program));
}

#[test]
fn examples_leak_nothing_under_valgrind() {
    if !tools::has("valgrind", "examples under valgrind") {
        return;
    }
    run_all("valgrind", Link::Shared, &[], |program| {
        let mut command = Command::new("valgrind");
        command.args(["-q", "--smc-check=all-non-file", "--leak-check=full"]);
        command.args(["--errors-for-leak-kinds=definite", "--error-exitcode=9"]);
        // A compiler may compare what an enum does not hold before it looks at what it holds, which decides nothing.
        // Memory that is read before it is written is what Rust's own rules are for.
        command.arg("--undef-value-errors=no");
        // Valgrind does not know all instructions of wide vectors.
        command.arg(program).env("ATTILA_VECTORS", "128");
        command
    });
}

#[test]
fn examples_run_under_the_address_sanitiser() {
    let folder = tools::folder("probe");
    let probe = folder.join("probe.c");
    std::fs::write(&probe, "int main(void) { return 0; }").expect("it can be written");
    let mut command = Command::new("cc");
    command
        .arg("-fsanitize=address")
        .arg(&probe)
        .arg("-o")
        .arg(folder.join("probe"));
    if !command.output().is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: examples under the address sanitiser: the compiler has none");
        return;
    }
    for link in [Link::Shared, Link::Static] {
        run_all(
            &format!("asan-{link:?}"),
            link,
            &["-fsanitize=address"],
            |program| Command::new(program),
        );
    }
}

#[test]
fn hello_compiles_as_cpp_too() {
    let folder = tools::folder("hello-cpp");
    let source = folder.join("hello.cpp");
    std::fs::copy(tools::examples().join("hello.c"), &source).expect("it can be copied");
    let program = tools::compile(&source, &folder, Link::Shared, (&tools::include(), &[]));
    if let Some(program) = program {
        compare("hello.c", &folder, &mut Command::new(program));
    }
}

#[test]
fn the_viewer_draws_into_a_window() {
    let mut asked = Command::new("pkg-config");
    asked.args(["--cflags", "--libs", "sdl2"]);
    let Some(flags) = asked.output().ok().filter(|it| it.status.success()) else {
        eprintln!("SKIPPED: the viewer: SDL2 is not installed");
        return;
    };
    let flags = tools::text(&flags);
    let flags: Vec<&str> = flags.split_whitespace().collect();
    let folder = tools::folder("viewer");
    let source = tools::examples().join("viewer.c");
    let include = tools::include();
    let headers = (include.as_path(), flags.as_slice());
    if let Some(program) = tools::compile(&source, &folder, Link::Shared, headers) {
        let mut command = Command::new(program);
        tools::run(command.arg("3").env("SDL_VIDEODRIVER", "dummy"));
    }
}

/// A program that was written and compiled for the first header goes on to work.
#[test]
fn the_frozen_program_works_with_the_frozen_header_and_todays_library() {
    let frozen = tools::crate_folder().join("tests/frozen");
    let folder = tools::folder("frozen");
    let program = tools::compile(
        &frozen.join("program.c"),
        &folder,
        Link::Shared,
        (&frozen, &[]),
    );
    if let Some(program) = program {
        let output = tools::run(&mut Command::new(program));
        assert_eq!(
            tools::text(&output),
            "127 254 0 255; 2.000000 4.000000; 1 diagnostic at 1:4\n"
        );
    }
}
