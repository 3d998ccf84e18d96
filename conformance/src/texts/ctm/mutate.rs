//! Texts that have been damaged at random.

use super::super::damage::Damage;
use super::generate::program;
use crate::dice::Dice;

/// Programs with something of everything.
pub const PROGRAMS: [&str; 3] = [LIGHT, HALVES, MULTIPLIED];

const LIGHT: &str = "# lights a surface
const c3 = 0.25 -1 1e-3 16
rgb dp3.sat t0.rg = bias(i3), i4 ; alpha dp t0
rgb mad.x2.sat t1 = t0.rrr, c0, c1 ; alpha rsq t1.a = abs(t0.g)
rgb sop.d2 t2.b ; alpha rcp _ = i2
rgb max t2.rg = inv(t1), -abs(t2.h01) ; alpha ex2.d4 t2 = sub(t1, i2).a

rgb cmp o1 = t1, t2, -t0.rrr ; alpha cmp o1 = 1, 0, t0.r
";

const HALVES: &str = "option mulz
rgb min.raw t0 = i0, i0 ; alpha min.raw t0 = i0, i0
alpha mad t0 = t0.g, t0.r, -half ; rgb frc t0 = t0.aaa
rgb dp4.x4 o2 = t0.rg1, c255 ; alpha dp o2.a = -t0, c255.0
rgb d2a.d8 t27 = t0, i15, abs(add(t0, c1)) ; alpha dp _
rgb mdh t4.r = -i5, 1, i5 ; alpha mdv.x8 t4 = t1, inv(t1).b, -t1
rgb cnd.raw.sat o3 = t4, t27.bgr, t4.rr0 ; alpha sin o3 = t4.r
rgb nop ; alpha ln2.sat o4 = t27.r
";

const MULTIPLIED: &str = "const c0 = 2 2 2 2
const c1 = .125 .125 .125 .125
alpha ex2 t0 = i0
alpha mad o1 = t0, c0, 0
rgb min.d2 t1 = i1, i2
rgb mad.sat o1 = c1, t1, -0
rgb frc t2.gb = i1 ; alpha cos t2 = i1.r
rgb mad o2.gb = t2, half, 0
";

/// Pieces that mean something somewhere.
#[rustfmt::skip]
pub const PIECES: &[&str] = &[
    ",", ".", ";", "=", "-", "(", ")", "#", "\n", "\r\n", "\r", " ", "_", "rgb ", "alpha ", "option mulz", "option",
    "const c0 = 1 2 3 4", "const ", "mad", "dp3", "dp4", "d2a", "dp ", "min", "max", "cnd", "cmp", "frc", "sop", "ex2", "ln2",
    "rcp", "rsq", "sin", "cos", "mdh", "mdv", "nop", ".x2", ".x4", ".x8", ".d2", ".d4", ".d8", ".raw", ".sat", ".r", ".rgb", ".a",
    ".gb", ".0h1", ".h", ".aaa", "t0", "t27", "t28", "c0", "c255", "c256", "i0", "i15", "i16", "o0", "o1", "o15", "o16", "abs(",
    "bias(", "inv(i0)", "add(t0, t1)", "sub(i0, c0)", "half", "0", "1", "2", "-0", "1e39", "1e-46", "99999999999999999999",
    "t99999999999999999999", "é", "\u{1F600}", "\u{0}", "\u{feff}", "\n; ", "\nrgb sop t0 ; alpha rcp t0 = i0.r\n",
];

const DAMAGE: Damage = Damage {
    programs: &PROGRAMS,
    generate: program,
    pieces: PIECES,
    end: '\n',
    letters: &["rgba", "rgba0h1", "tcio"],
};

/// A program, one of [`PROGRAMS`] or a random one, with one to three pieces damaged.
pub(super) fn damaged(dice: &mut Dice<'_>) -> String {
    DAMAGE.apply(dice)
}
