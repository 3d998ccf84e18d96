//! Programs that have been damaged at random: whatever a text is, it is a program or it is refused
//! with positions inside it.

use attila_shader::front::arb::{self, ArbOpcode, Form, Profile};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// How many damaged texts are tried.
const TEXTS: u64 = 20_000;

const VERTEX: &str = "!!ARBvp1.0
OPTION ARB_position_invariant;
# bends a mesh and lights it
ATTRIB normal = vertex.normal;
ATTRIB weights = vertex.attrib[6];
PARAM bones[8] = { program.env[0..3], state.matrix.modelview[1].invtrans };
PARAM light[] = { state.light[0].position, state.lightprod[0].front.diffuse, { 0.5, -1, 2e3 } };
PARAM half = .5;
TEMP eye, bright, sum;
ADDRESS A0;
OUTPUT shade = result.color.front.primary;
ALIAS total = sum;
ARL A0.x, weights.x;
DP4 eye.x, bones[A0.x], vertex.position;
DP4 eye.y, bones[A0.x + 1], vertex.position;
MAD sum.xyz, eye, light[2].yyyw, -half;
EXP bright.x, sum.y;
LIT total, sum;
POW bright.w, sum.x, light[2].z;
SWZ bright, bright, x, -y, 0, -1;
MUL shade, bright, state.material.specular;
MOV result.texcoord[1].xy, vertex.texcoord[1];
MOV result.fogcoord.x, -state.matrix.mvp.row[2].z;
END
after the end";

const FRAGMENT: &str = "!!ARBfp1.0
OPTION ARB_fog_exp2;
OPTION ARB_precision_hint_nicest;
OPTION ARB_fragment_program_shadow;
TEMP colour, shadow, coordinates;
PARAM tint = { 0.25, 0.5, 0.75 };
PARAM table[3] = { 1, { 1, 2 }, program.local[7] };
ATTRIB base = fragment.color;
MUL coordinates, fragment.texcoord[0], table[1].xxxy;
TXP colour, coordinates, texture[0], 2D;
TXB_SAT shadow.r, coordinates, texture[3], SHADOW2D;
TEX coordinates, fragment.texcoord[1], texture[1], CUBE;
KIL -colour.aaaa;
CMP colour.rgb, -shadow.x, colour, coordinates;
SCS coordinates.xy, colour.g;
LRP_SAT colour, tint, colour, state.texenv[1].color;
XPD coordinates.xyz, colour, base;
DPH result.color.w, coordinates, {3.0}.x;
MAX result.color.xyz, colour, 1e-2;
MOV result.depth.z, state.depth.range.x;
END
";

/// Pieces that mean something somewhere.
const PIECES: &[&str] = &[
    ";",
    ",",
    ".",
    "..",
    "[",
    "]",
    "{",
    "}",
    "=",
    "+",
    "-",
    "#",
    "\n",
    "\r\n",
    " ",
    "END",
    "TEMP",
    "PARAM",
    "ATTRIB",
    "OUTPUT",
    "ADDRESS",
    "ALIAS",
    "OPTION",
    "state",
    "vertex",
    "fragment",
    "result",
    "program",
    "texture",
    "row",
    "x",
    "xyzw",
    "rgba",
    "yx",
    "0",
    "1",
    "2D",
    "4294967295",
    "99999999999999999999",
    "1e999",
    "1.",
    ".5",
    "1..",
    "$",
    "é",
    "\u{1F600}",
    "\u{0}",
    "|",
    "A0.x",
    "_SAT",
    "matrix",
    "light",
    "invtrans",
    "!!ARBvp1.0",
];

/// A place of `text` that is not inside a character.
fn place(text: &str, rng: &mut ChaCha8Rng) -> usize {
    let mut at = rng.next_u32() as usize % (text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn damage(text: &mut String, rng: &mut ChaCha8Rng) {
    let (a, b) = (place(text, rng), place(text, rng));
    let near = place(&text[a.min(b)..a.max(b)], rng) + a.min(b);
    let piece = PIECES[rng.next_u32() as usize % PIECES.len()];
    match rng.next_u32() % 6 {
        0 => text.insert_str(a, piece),
        1 => {
            let end = text[a..]
                .char_indices()
                .nth(1)
                .map_or(text.len(), |(n, _)| a + n);
            text.replace_range(a..end, "");
        }
        2 => {
            let end = text[a..]
                .char_indices()
                .nth(3)
                .map_or(text.len(), |(n, _)| a + n);
            text.replace_range(a..end, piece);
        }
        3 => {
            let copy = text[a.min(b)..near].to_owned();
            text.insert_str(a, &copy);
        }
        4 => text.replace_range(a.min(b)..near, ""),
        _ => {
            // Words of this very text in other places, so that most of it stays right.
            let words: Vec<&str> = text.split_ascii_whitespace().collect();
            let word = words.get(rng.next_u32() as usize % words.len().max(1));
            let word = word.copied().unwrap_or(piece).to_owned();
            text.insert_str(a, &word);
        }
    }
}

/// A program that was taken keeps what its type promises.
fn check_program(program: &arb::ArbProgram) {
    for instruction in &program.instructions {
        let sources = match instruction.opcode.info().form {
            Form::Vectors(count) | Form::Scalars(count) => count,
            Form::Selectors | Form::Sample | Form::Kill | Form::Address => 1,
        };
        assert_eq!(instruction.sources.len(), sources);
        let kills = instruction.opcode == ArbOpcode::Kil;
        assert_eq!(instruction.result.is_none(), kills);
        let samples = instruction.opcode.info().form == Form::Sample;
        assert_eq!(instruction.texture.is_some(), samples);
    }
}

#[test]
fn the_undamaged_programs_are_programs() {
    for text in [VERTEX, FRAGMENT] {
        arb::parse(text, &Profile::default()).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn damaged_programs_are_refused_with_positions_inside_them() {
    let mut taken = 0;
    for seed in 0..TEXTS {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut text = [VERTEX, FRAGMENT][seed as usize % 2].to_owned();
        for _ in 0..=rng.next_u32() % 3 {
            damage(&mut text, &mut rng);
        }
        match arb::parse(&text, &Profile::default()) {
            Ok(program) => {
                check_program(&program);
                taken += 1;
            }
            Err(error) => {
                assert!(!error.diagnostics.is_empty());
                for diagnostic in &error.diagnostics {
                    let span = diagnostic.span.clone();
                    assert!(span.start <= text.len(), "{diagnostic}\nin\n{text}");
                    assert!(text.get(span).is_some(), "{diagnostic}\nin\n{text}");
                }
            }
        }
    }
    let share = taken as f64 / TEXTS as f64;
    println!("{taken} of {TEXTS} are still programs");
    assert!(
        (0.01..0.5).contains(&share),
        "{share}: the damage is not the right kind"
    );
}

#[test]
fn texts_of_one_thing_take_no_time() {
    for piece in PIECES {
        for text in [
            piece.repeat(200_000),
            format!("MOV {}", piece.repeat(200_000)),
        ] {
            let text = format!("!!ARBfp1.0 {text}");
            if let Err(error) = arb::parse(&text, &Profile::default()) {
                assert!(error.position() <= text.len());
            }
        }
    }
}
