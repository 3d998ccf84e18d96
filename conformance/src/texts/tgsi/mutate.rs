//! Texts that have been damaged at random.

use super::super::damage::Damage;
use super::generate::program;
use crate::dice::Dice;

/// Programs of the three dialects with something of everything.
pub const PROGRAMS: [&str; 4] = [OLD, FRAGMENT, VERTEX, GEOMETRY];

const OLD: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1], FACE, CONSTANT
DCL OUT[0], COLOR
DCL OUT[1], POSITION
DCL CONST[0..7]
DCL TEMP[0..3]
DCL ADDR[0]
DCL PRED[0]
DCL TEMPX[1][0..3]
DCL IMMX[0..1] {{ 1, 2, 3, 4 }, { 0.5, -1, 1e2, 0 }}
DCL SAMP[0]
IMM FLT32 { 1.0000, -0.5000, 0x3f000000, 2.0000 }
  0: SGT PRED[0], IN[0], IMMX[1]
  1: (!PRED[0].xxxx) ADD_SATNV TEMP[0], IN[0], IMM[0]
  2: ARL ADDR[0].x, IN[0].yyyy
  3: MOV TEMPX[1][ADDR[0].x+1], CONST[ADDR[0].x-2]
  4: KIL -TEMP[0]
  5: IF TEMP[0].xxxx :8
  6: RFL TEMP[1].xyz, IN[0], |TEMP[0]|
  7: TXP TEMP[2], IN[0], SAMP[0], 2D
  8: ENDIF
  9: CAL :13
 10: MAD_SAT OUT[0], TEMP[1], TEMPX[1][2], TEMP[2]
 11: MOV OUT[1].z, -|IN[1].wzyx|
 12: END
 13: BGNSUB
 14: PUSHA ADDR[0]
 15: LRP TEMP[1].xw, IMMX[ADDR[0].x], TEMP[1], CONST[3]
 16: POPA ADDR[0]
 17: RET
 18: ENDSUB
";

const FRAGMENT: &str = "FRAG
PROPERTY FS_COORD_ORIGIN LOWER_LEFT
PROPERTY FS_COORD_PIXEL_CENTER INTEGER
DCL IN[0], POSITION, LINEAR
DCL IN[1..3], GENERIC[0], PERSPECTIVE, CENTROID
DCL OUT[0..1], COLOR
DCL CONST[0][0..15]
DCL CONST[1][0..3]
DCL TEMP[0..1]
DCL TEMP[2..5], ARRAY(1), LOCAL
DCL SAMP[0..1]
DCL SVIEW[0], 2D, FLOAT
DCL ADDR[0]
IMM[0] UINT32 { 0, 1, 4, 4294967295 }
IMM[1] FLT32 { 0x3f800000, 0.5, 1., -2e3 }
UARL ADDR[0].x, IMM[0].zzzz
MOV TEMP[ADDR[0].x+2](1).xyz, CONST[1][ADDR[0].x]
MOV TEMP[0], IMM[0].xxxx
BGNLOOP :0
USGE TEMP[1].x, TEMP[0].xxxx, IMM[0].zzzz
UIF TEMP[1].xxxx :0
BRK
ELSE
SWITCH TEMP[0].yyyy
CASE IMM[0].xxxx
UADD TEMP[0].y, TEMP[0].yyyy, -IMM[0].wwww
BRK
DEFAULT
KILL_IF IN[2]
CONT
ENDSWITCH
ENDIF
UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
ENDLOOP :0
TEX TEMP[1], IN[1], SAMP[0], 2D, IMM[0].xyz
DDX_FINE TEMP[3], IN[3]
FMA_PRECISE OUT[0], TEMP[1], IN[0], TEMP[3]
UCMP OUT[1].xw, TEMP[0], TEMP[ADDR[0].x-1](1), IMM[1].wzyx
END
";

const VERTEX: &str = "VERT
DCL IN[0..2]
DCL SV[0], VERTEXID
DCL OUT[0], POSITION, INVARIANT
DCL OUT[1..2], GENERIC[3]
DCL CONST[0..3]
DCL TEMP[0]
DP4 OUT[0].x, IN[0], CONST[0]
DP4 OUT[0].y, IN[0], CONST[1]
U2F TEMP[0].x, SV[0].xxxx
POW TEMP[0].yz, |TEMP[0].xxxx|, IN[1].wwww
IMUL_HI OUT[1], IN[2], -IN[1]
LIT_SAT OUT[2], TEMP[0]
RET
END
";

const GEOMETRY: &str = "GEOM
PROPERTY GS_INPUT_PRIMITIVE TRIANGLES
PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP
PROPERTY GS_MAX_OUTPUT_VERTICES 3
DCL IN[][0], POSITION
DCL OUT[0], POSITION
IMM[0] INT32 { 0, -1, 2, 3 }
MOV OUT[0], IN[0][0]
EMIT IMM[0].xxxx
MOV OUT[0], IN[2][0]
EMIT IMM[0].xxxx
ENDPRIM IMM[0].xxxx
END
";

/// Pieces that mean something somewhere.
#[rustfmt::skip]
pub const PIECES: &[&str] = &[
    ";", ",", ".", "..", "[", "]", "{", "}", "(", ")", "=", "+", "-", "|", "!", ":", "#", "//", "\n", "\r\n", " ",
    "END", "DCL", "IMM", "PROPERTY", "TEMP", "CONST", "IN", "OUT", "ADDR", "PRED", "SAMP", "SVIEW", "TEMPX", "IMMX",
    "BUFFER[0]", "SV", "NULL", "GENERIC", "COLOR", "POSITION", "ARRAY(1)", "FLT32", "UINT32", "FLT64", "x", "xyzw", "yx",
    "0", "1", "2D", "SHADOWCUBEARRAY", "4294967295", "99999999999999999999", "0x3f800000", "0x", "1e999", "1.", ".5",
    "$", "é", "\u{1F600}", "\u{0}", "\u{feff}", "ADDR[0].x", "_SAT", "_SATNV", "_PRECISE", "FRAG", "VERT", "COMP",
    "\nIF TEMP[0].xxxx", "\nELSE", "\nENDIF", "\nBGNLOOP", "\nENDLOOP", "\nBRK", "\nCONT", "\nRET", "\nSWITCH IN[0].xxxx",
    "\nCASE IN[0].xxxx", "\nENDSWITCH", "\nBGNSUB", "\nENDSUB", "\nCAL :1", "\nBRA :3", "\nDADD TEMP[0], TEMP[0], TEMP[0]",
];

const DAMAGE: Damage = Damage {
    programs: &PROGRAMS,
    generate: program,
    pieces: PIECES,
    end: '\n',
    letters: &["xyzw"],
};

/// A text with one to three pieces damaged.
pub fn damaged_text(text: &str, dice: &mut Dice<'_>) -> String {
    DAMAGE.apply_to(text.to_owned(), dice)
}

/// A program, one of [`PROGRAMS`] or a random one, with one to three pieces damaged.
pub fn damaged(dice: &mut Dice<'_>) -> String {
    DAMAGE.apply(dice)
}
