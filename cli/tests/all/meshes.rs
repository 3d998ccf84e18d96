//! `--mesh`: a vertex and a fragment program on a model, for pictures and for the debugger.

use std::fs;
use std::path::PathBuf;

use expect_test::{Expect, expect};

use crate::{attila, scratch};

/// Two squares, the second behind the first and twice as large, each of two triangles.
const SQUARES: &str = "\
v -1 -1 0
v 1 -1 0
v 1 1 0 1 0.5 0
v -1 1 0
v -2 -2 -1
v 2 -2 -1
v 2 2 -1
v -2 2 -1
vt 0 0
vt 1 0
vt 1 1
vt 0 1
f 1/1 2/2 3/3 4/4
f 5 6 7 8
";

const VERTEX: &str = "\
dp4 o0.x, c0, i0
dp4 o0.y, c1, i0
dp4 o0.z, c2, i0
dp4 o0.w, c3, i0
mov o6, i2
mov o8, i8
";

const ARB: &str = "!!ARBvp1.0
PARAM mvp[4] = { state.matrix.mvp };
DP4 result.position.x, mvp[0], vertex.position;
DP4 result.position.y, mvp[1], vertex.position;
DP4 result.position.z, mvp[2], vertex.position;
DP4 result.position.w, mvp[3], vertex.position;
MOV result.texcoord[0], vertex.normal;
MOV result.texcoord[2], vertex.texcoord[0];
END
";

/// Red and green are texture coordinates, blue is the normal's z.
const FRAGMENT: &str = "mov o1.xyw, i8\nmul o1.z, i6.z, c0.x\n;! const c0 = 0.25\n";

/// A file of that name with a text.
fn file(name: &str, text: &str) -> String {
    let path = scratch(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// Options for the squares, seen from before them.
fn squares(name: &str, vertex: &str) -> String {
    let [vertex, fragment, mesh] = [("v", vertex), ("f", FRAGMENT), ("obj", SQUARES)]
        .map(|(kind, text)| file(&format!("mesh-{name}.{kind}"), text));
    format!(
        "--vertex {vertex} --fragment {fragment} --mesh {mesh} --size 64x64 --camera 0,0,2:0,0,0:90"
    )
}

fn pixels(path: &PathBuf) -> image::RgbImage {
    image::open(path).expect("it is a picture").into_rgb8()
}

#[test]
fn a_mesh_is_drawn_where_the_camera_sees_it() {
    for (name, vertex) in [("own", VERTEX), ("arb", ARB)] {
        let picture = scratch(&format!("mesh-{name}.png"));
        let options = squares(name, vertex);
        let path = picture.display();
        let outcome = attila(&format!("render {options} --engine all -o {path}"), "");
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
        let pixels = pixels(&picture);
        // The nearer square is seen over half of the field of view, the other one over two thirds.
        for (x, y) in [(16, 16), (47, 47), (30, 20), (20, 40)] {
            let part = |at: u32| (f64::from(at) + 0.5 - 16.0) / 32.0;
            let expected = [part(x), part(y), 1.0].map(|part| (part * 255.0) as i32);
            let seen = pixels.get_pixel(x, y).0.map(i32::from);
            let near = |(a, b): (&i32, &i32)| (a - b).abs() <= 1;
            assert!(
                seen.iter().zip(&expected).all(near),
                "{x},{y}: {seen:?} {expected:?}"
            );
        }
        assert_eq!(pixels.get_pixel(12, 52).0, [0, 0, 255]);
        assert_eq!(pixels.get_pixel(9, 30).0, [0, 0, 0]);
    }
}

#[test]
fn a_vertex_program_from_standard_input_is_read_once() {
    let options = squares("stdin", VERTEX);
    let vertex = scratch("mesh-stdin.v").display().to_string();
    let options = options.replace(&vertex, "-");
    let picture = scratch("mesh-stdin.png");
    let command = format!("render {options} -o {}", picture.display());
    let outcome = attila(&command, VERTEX);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    assert_eq!(pixels(&picture).get_pixel(12, 52).0, [0, 0, 255]);
}

#[test]
fn regions_samples_and_depths_of_meshes_are_those_of_the_whole() {
    let options = squares("parts", VERTEX);
    let draw = |name: &str, more: &str| {
        let [colours, depths] =
            ["", "-depth"].map(|kind| scratch(&format!("mesh-{name}{kind}.png")));
        let (colour, depth) = (colours.display(), depths.display());
        let command = format!("render {options} --samples 4 -o {colour} --depth {depth} {more}");
        let outcome = attila(&command, "");
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
        [pixels(&colours), pixels(&depths)]
    };
    let whole = draw("whole", "--threads 2");
    let part = draw("part", "--region 11,13,30,25");
    for (whole, part) in whole.iter().zip(&part) {
        let cut = image::imageops::crop_imm(whole, 11, 13, 30, 25).to_image();
        assert!(cut == *part);
    }
    let depth = |x, y| whole[1].get_pixel(x, y).0[0];
    assert!(depth(30, 30) < depth(12, 12) && depth(12, 12) < depth(1, 1));
    assert_eq!(depth(1, 1), 255);
}

/// Compares the debugger's output for a script.
fn debug(options: &str, commands: &str, expected: &Expect) {
    let script = file(&format!("mesh-{}.steps", commands.len()), commands);
    let outcome = attila(&format!("debug {options} --script {script}"), "");
    expected.assert_eq(&outcome.transcript());
}

#[test]
fn the_debugger_takes_fragments_and_vertices_of_meshes() {
    let options = squares("debug", VERTEX);
    // Both squares cover the pixel; the farther one is hidden.
    debug(
        &format!("{options} --pixel 30,30"),
        "history\nend\nprint i8.xy",
        &expect![[r#"
            > history
            pixel 30,30, lane 0
            before: colour target 0, sample 0: 0, 0, 0, 1
            before: the depth target, sample 0: 1, 0, 0, 0
            primitive 1: kept
              depth 0.495198 against 1 passes
              o1 = 0.453125, 0.453125, 1.90625, 1 over 0, 0, 0, 1, stored 0.45098042, 0.45098042, 1, 1
            primitive 3: fails the depth test before the program
              depth 0.990198 against 0.495198 fails
            after: colour target 0, sample 0: 0.45098042, 0.45098042, 1, 1
            after: the depth target, sample 0: 0.495198, 0, 0, 0
            > end
            step 2 of 2: the end
            > print i8.xy
             i8.x          0.453125      0.484375      0.453125      0.484375
             i8.y          0.453125      0.453125      0.484375      0.484375
        "#]],
    );
    debug(
        &format!("{options} --pixel 30,30 --triangle 1"),
        "print i8.xy\n",
        &expect![[r#"
            > print i8.xy
             i8.x          0.453125      0.484375      0.453125      0.484375
             i8.y          0.453125      0.453125      0.484375      0.484375
        "#]],
    );
    let options = squares("debug-arb", ARB);
    debug(
        &format!("{options} --triangle 1"),
        "print vertex.position.xyz\nend\nprint o0\n",
        &expect![[r#"
            > print vertex.position.xyz
             vertex.position.x            -1             1            -1            -1
             vertex.position.y            -1             1             1             1
             vertex.position.z             0             0             0             0
            > end
            step 6 of 6: the end
            > print o0
             o0.x                -1             1            -1            -1
             o0.y                -1             1             1             1
             o0.z      -0.019207954  -0.019207954  -0.019207954  -0.019207954
             o0.w                 2             2             2             2
        "#]],
    );
}

#[test]
fn shapes_are_drawn_as_files_are() {
    let [vertex, fragment] =
        [("shape-v", ARB), ("shape-f", FRAGMENT)].map(|(name, text)| file(name, text));
    let mut pictures = Vec::new();
    for shape in ["cube", "sphere", "torus"] {
        let picture = scratch(&format!("{shape}.ppm"));
        let options =
            format!("--vertex {vertex} --fragment {fragment} --mesh {shape} --size 64x64");
        let outcome = attila(
            &format!("render {options} --engine both -o {}", picture.display()),
            "",
        );
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        pictures.push(fs::read(picture).unwrap());
    }
    for picture in &pictures {
        let pixels = picture[picture.len() - 3 * 64 * 64..].chunks(3);
        let drawn = pixels.clone().filter(|pixel| *pixel != [0, 0, 0]).count();
        assert!((500..2500).contains(&drawn), "{drawn} pixels");
        assert_eq!(pixels.clone().next(), Some(&[0, 0, 0][..]));
    }
    assert!(pictures[0] != pictures[1] && pictures[1] != pictures[2]);
}

#[test]
fn mistakes_with_meshes_are_named() {
    let options = squares("wrong", VERTEX);
    let identity = file("mesh-identity.v", "mov o0, i0\n");
    let [broken, fragment, mesh] = [
        ("broken.obj", "v 0 0 0\nf 1 2 3\n"),
        ("alone.f", FRAGMENT),
        ("alone.obj", SQUARES),
    ]
    .map(|(name, text)| file(&format!("mesh-{name}"), text));
    let with = format!("{fragment} --mesh {mesh} --vertex");
    for (arguments, code, message) in [
        (
            format!("{options} --set i8=1"),
            1,
            "`--set` has no effect: the vertex program writes o8, which becomes i8",
        ),
        (
            format!("{options} --varying i6=u"),
            1,
            "`--varying` has no effect: the vertex program writes o6",
        ),
        (
            format!("{options} --vertex-set i3=1"),
            1,
            "`--vertex-set` has no effect: inputs hold parts of the mesh",
        ),
        (
            format!("{options} --attribute i3=color"),
            1,
            "`--attribute` has no effect: the program does not read i3",
        ),
        (
            format!("{options} --attribute i2=colour"),
            2,
            "`colour` is not position, normal, color or texcoord",
        ),
        (format!("{options} {fragment}"), 2, "cannot be used with"),
        (
            format!("{with} {identity} --camera 1,2,3"),
            1,
            "`--camera` has no effect: the program reads none of the camera's matrices",
        ),
        (
            format!("{with} {identity} --camera 1,2"),
            2,
            "`1,2` is not a point of three numbers",
        ),
        (
            format!("{with} {identity} --camera 1,2,3:1,2,3"),
            2,
            "the eye is where it looks",
        ),
        (
            format!("{with} {identity} --camera 1,2,3:0,0,0:180"),
            2,
            "`180` is not a field of view from 0.01 to 179",
        ),
        (
            format!("{with} {fragment}"),
            1,
            "does not write the position, o0",
        ),
        (format!("{fragment} --mesh {mesh}"), 2, "--vertex <FILE>"),
        (
            format!("{fragment} --vertex {identity}"),
            2,
            "--mesh <FILE|SHAPE>",
        ),
        (
            format!("{fragment} --vertex {identity} --mesh {broken}"),
            1,
            "there is no vertex 2; there are 1 so far",
        ),
        (
            format!("{fragment} --vertex {identity} --mesh {identity}"),
            1,
            "`mov` is not a line of an OBJ file",
        ),
        (
            format!("{fragment} --vertex {identity} --mesh absent.obj"),
            1,
            "cannot read absent.obj",
        ),
    ] {
        let outcome = attila(&format!("render {arguments}"), "");
        assert_eq!(outcome.code, code, "{arguments}: {}", outcome.stderr);
        assert!(
            outcome.stderr.contains(message),
            "{arguments}: {}",
            outcome.stderr
        );
    }
    let outcome = attila(&format!("debug {options} --triangle 4 --json"), "");
    assert!(
        outcome.stderr.contains("triangle 4 is not one of 4"),
        "{}",
        outcome.stderr
    );
    let outcome = attila(
        &format!("debug {options} --triangle 0 --pixel 60,3 --json"),
        "",
    );
    assert!(
        outcome.stderr.contains("nothing covers pixel 60,3"),
        "{}",
        outcome.stderr
    );
}
