//! Texts that have been damaged at random.

use super::super::damage::Damage;
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
OPTION ATI_draw_buffers;
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
SUB result.color[2], colour, shadow;
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

const DAMAGE: Damage = Damage {
    programs: &PROGRAMS,
    generate: program,
    pieces: PIECES,
    end: ';',
    letters: &["xyzw", "rgba"],
};

/// A program, one of [`PROGRAMS`] or a random one, with one to three pieces damaged.
pub fn damaged(dice: &mut Dice<'_>) -> String {
    DAMAGE.apply(dice)
}
