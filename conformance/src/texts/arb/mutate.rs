//! Texts that have been damaged at random.

use std::ops::Range;

use super::generate::program;
use crate::dice::Dice;

/// A vertex and a fragment program with something of everything.
pub const PROGRAMS: [&str; 2] = [VERTEX, FRAGMENT];

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
pub const PIECES: &[&str] = &[
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
    "\u{feff}",
    "|",
    "A0.x",
    "_SAT",
    "matrix",
    "light",
    "invtrans",
    "!!ARBvp1.0",
];

/// A program, one of [`PROGRAMS`] or a random one, with one to three pieces damaged.
pub fn damaged(dice: &mut Dice<'_>) -> String {
    let mut text = match dice.percent(60) {
        true => dice.pick(&PROGRAMS).to_owned(),
        false => program(dice),
    };
    if dice.percent(10) {
        text = text.replace('\n', "\r\n");
    }
    for _ in 0..1 + dice.below(3) {
        match dice.percent(60) {
            true => touch(&mut text, dice),
            false => damage(&mut text, dice),
        }
    }
    text
}

/// Changes that often leave a program: of whole statements, and of single digits and letters.
fn touch(text: &mut String, dice: &mut Dice<'_>) {
    let (first, second) = (statement(text, dice), statement(text, dice));
    match dice.below(4) {
        0 => text.replace_range(first, ""),
        1 => {
            let copy = text[first].to_owned();
            text.insert_str(second.start, &copy);
        }
        2 => exchange(text, "0123456789", dice),
        _ => exchange(text, dice.pick(&["xyzw", "rgba"]), dice),
    }
}

/// A statement with its semicolon, or what is after the last one.
fn statement(text: &str, dice: &mut Dice<'_>) -> Range<usize> {
    let at = place(text, dice);
    let start = text[..at].rfind(';').map_or(0, |before| before + 1);
    let end = text[at..]
        .find(';')
        .map_or(text.len(), |after| at + after + 1);
    start..end
}

/// Puts one of `letters` in place of another.
fn exchange(text: &mut String, letters: &str, dice: &mut Dice<'_>) {
    let places: Vec<usize> = text
        .match_indices(|c| letters.contains(c))
        .map(|it| it.0)
        .collect();
    if let Some(&at) = places.get(dice.below(places.len())) {
        let other = dice.below(letters.len());
        text.replace_range(at..at + 1, &letters[other..other + 1]);
    }
}

fn damage(text: &mut String, dice: &mut Dice<'_>) {
    let (a, b) = (place(text, dice), place(text, dice));
    let start = a.min(b);
    let near = place(&text[start..a.max(b)], dice) + start;
    let piece = dice.pick(PIECES);
    match dice.below(6) {
        0 => text.insert_str(a, piece),
        1 => text.replace_range(a..after(text, a, 1), ""),
        2 => text.replace_range(a..after(text, a, 3), piece),
        3 => {
            let copy = text[start..near].to_owned();
            text.insert_str(a, &copy);
        }
        4 => text.replace_range(start..near, ""),
        _ => {
            // Words of this very text in other places, so that most of it stays right.
            let words: Vec<&str> = text.split_ascii_whitespace().collect();
            let word = words.get(dice.below(words.len()));
            let word = word.copied().unwrap_or(piece).to_owned();
            text.insert_str(a, &word);
        }
    }
}

/// A place of `text` that is not inside a character.
fn place(text: &str, dice: &mut Dice<'_>) -> usize {
    text.floor_char_boundary(dice.below(text.len() + 1))
}

/// The place `count` characters after `at`, or the end.
fn after(text: &str, at: usize, count: usize) -> usize {
    let next = text[at..].char_indices().nth(count);
    next.map_or(text.len(), |(offset, _)| at + offset)
}
