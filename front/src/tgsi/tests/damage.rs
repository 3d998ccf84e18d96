//! Texts that are damaged at random: each is read or refused, and remarks are inside of it.

use super::super::{Options, parse};

/// Texts that use most of the language.
const TEXTS: [&str; 4] = [
    "FRAG
PROPERTY FS_COORD_ORIGIN LOWER_LEFT
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1].xy, COLOR, COLOR, CENTROID
DCL OUT[0], COLOR
DCL SAMP[0..1]
DCL SVIEW[0], SHADOW2D, FLOAT
DCL CONST[0..7]
DCL CONST[1][0..3]
DCL TEMP[0..3]
DCL TEMP[4..7], ARRAY(1), LOCAL
DCL ADDR[0]
IMM[0] FLT32 { 1.0, .5, -2e1, 0x3f800000 }
IMM[1] UINT32 { 1, 2, 3, 4294967295 }
  0: TEX TEMP[0], IN[0].xyyy, SAMP[0], SHADOW2D, IMM[1].xyz
  1: MAD_SAT TEMP[1].xyz, -|TEMP[0].xxxx|, CONST[1][2], CONST[ADDR[0].x + 3]
  2: UARL ADDR[0].x, IMM[1].xxxx
  3: MOV TEMP[ADDR[0].x+4](1), TEMP[1]
  4: BGNLOOP :0
  5: UIF TEMP[0].xxxx :7
  6: BRK
  7: ELSE :9
  8: CONT
  9: ENDIF
 10: ENDLOOP
 11: DADD TEMP[2].xy, TEMP[2].zwzw, IMM[1].xyxy
 12: KILL_IF -TEMP[1].xxxx
 13: MOV_PRECISE OUT[0], TEMP[ADDR[0].x+5](1)
 14: END",
    "VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL ADDR[0]
DCL PRED[0]
DCL IMMX[0..1] {{ 1, 2, 3, 4 }, { 5, 6, 7, 8 }}
DCL TEMPX[1][0..3]
SGT PRED[0], IN[0], IMMX[1]
(!PRED[0].xxxx) ADD_SATNV TEMPX[1][2], IN[0], IMMX[0]
PUSHA ADDR[0]
CAL :6
POPA ADDR[0]
BRA :11
BGNSUB
SWITCH IN[0]
CASE IMMX[0]
DEFAULT
ENDSWITCH
ENDSUB
MOV OUT[0], TEMPX[1][ADDR[0].x]
END",
    "GEOM
PROPERTY GS_INPUT_PRIMITIVE LINES
PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP
PROPERTY GS_MAX_OUTPUT_VERTICES 6
DCL IN[][0], POSITION
DCL OUT[0], POSITION, STREAM(0, 0, 0, 0)
IMM[0] INT32 { -1, 0, 1, 2 }
MOV OUT[0], IN[1][0]
EMIT IMM[0].yyyy
ENDPRIM IMM[0].yyyy
END",
    "COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 16
DCL SV[0], THREAD_ID
DCL BUFFER[0], ATOMIC
DCL MEMORY[0], SHARED
DCL TEMP[0]
LOAD TEMP[0].x, BUFFER[0], SV[0].xxxx, COHERENT, VOLATILE
ATOMCAS TEMP[0].x, BUFFER[0], SV[0].xxxx, TEMP[0].xxxx, SV[0].yyyy
STORE BUFFER[0].xy, SV[0].xxxx, TEMP[0]
BARRIER # wait
END",
];

/// Pieces that may stand anywhere in a damaged text.
const PIECES: [&str; 24] = [
    "[",
    "]",
    ".",
    ",",
    ":",
    "-",
    "|",
    "(",
    ")",
    "{",
    "}",
    "..",
    "\n",
    "0",
    "4294967296",
    "é",
    "IF",
    "ENDSUB",
    "DCL ",
    "IMM",
    "END",
    "TEMP[0]",
    "CAL :3",
    "#",
];

/// Numbers that follow from a seed (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ bits >> 31) % limit.max(1) as u64) as usize
    }

    /// A place between characters.
    fn place(&mut self, text: &str) -> usize {
        let at = self.below(text.len() + 1);
        (0..=at)
            .rev()
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(0)
    }

    /// Changes a text in one place.
    fn damage(&mut self, text: &mut String) {
        let (a, b) = (self.place(text), self.place(text));
        let piece = PIECES[self.below(PIECES.len())];
        match self.below(6) {
            0 => text.insert_str(a, piece),
            1 => {
                let end = (a + 1..text.len()).find(|end| text.is_char_boundary(*end));
                text.replace_range(a..end.unwrap_or(text.len()), piece);
            }
            2 => {
                let end = text[a..].char_indices().nth(1 + self.below(6));
                text.replace_range(a..end.map_or(text.len(), |(length, _)| a + length), "");
            }
            3 => {
                let copy = text[a.min(b)..a.max(b)].to_owned();
                text.insert_str(a, &copy[..copy.len().min(200)]);
            }
            4 => {
                let mut lines: Vec<&str> = text.lines().collect();
                let count = lines.len();
                lines.swap(self.below(count), self.below(count));
                *text = lines.join("\n");
            }
            _ => text.truncate(a.max(text.len() / 2)),
        }
    }
}

#[test]
fn damaged_texts_are_read_or_refused_inside_of_their_bounds() {
    let mut dice = Dice(1);
    let (mut read, mut refused) = (0, 0);
    for round in 0..6000 {
        let mut text = TEXTS[round % TEXTS.len()].to_owned();
        for _ in 0..=dice.below(2) {
            if text.is_ascii() {
                dice.damage(&mut text);
            }
        }
        let list = match parse(&text, &Options::default()) {
            Ok(program) => {
                read += 1;
                program.warnings
            }
            Err(error) => {
                refused += 1;
                assert!(!error.diagnostics.is_empty());
                error.diagnostics
            }
        };
        for diagnostic in list {
            assert!(
                text.get(diagnostic.span).is_some(),
                "{}\n{text}",
                diagnostic.message
            );
        }
    }
    assert!(
        read > 150 && refused > 3000,
        "{read} read, {refused} refused"
    );
}
