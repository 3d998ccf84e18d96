//! Texts that have been damaged at random.

use super::super::damage::Damage;
use super::generate::program;
use crate::dice::Dice;

/// Programs of both stages with something of everything.
pub const PROGRAMS: [&str; 3] = [VERTEX, FRAGMENT, BRANCHES];

const VERTEX: &str = "// bends a mesh and lights it
mov vt0, va1.wzyx
m34 vt1.xyz, va0, vc[va2.x+4]
mov vt1.w, va0.w
m44 op, vt1, vc0.xyzw
m33 vt2.xyz va3 vc[va2.y+5].xyz // commas are noise
nrm vt2.xyz, vt2
dp3 vt3.x, vt2, vc12
sat vt3.x, vt3.x
pow vt3.y, vt3.x, vc13.y
sge vt4, vt3, vc13
sub vt4.zw, vt4, va0.xy
mov v0, vt4
crs v1.xyz, va0, va3
mov v1.w, v0.x

rcp v2.xy, vc[vt3.x+127].xx
";

const FRAGMENT: &str = "tex ft0, v0, fs0 <2d,repeat,linear,miplinear,-1.5>
tex ft1, v1.xyz, fs3 <cube, clamp, nearest, nomip, dxt5>
tex ft2, v2, fs1 <3d,wrap,ignoresampler,centroid>
mul ft0, ft0, fc0
kil ft0.w
sub ft3.w, ft0.w, fc1.x
kil ft3.wwww
div ft1, ft1, ft1.w
sqt ft2.xy, ft2.zw
slt ft4, ft1, fc1.y
frc ft5.x, v3.y
log ft5.yz, ft5.x
dp4 ft5.w, ft2, fc2
add oc, ft0, ft4
";

const BRANCHES: &str = "ddx ft0, v0
ddy ft1.xy, v0.yx
ifg ft0.x, fc0.y
  ine v1.x, fc0.z
    mov ft2, fc1
  els
    kil v1.w
    neg ft2.xyz, v0
  eif
els
  rsq ft2, v1
  ife fc0.x, fc0.x
    sgn ft2.y, v1.x
  eif
eif
mov oc0, ft2
mov oc1, ft0
mov od.x, ft1.y
";

/// Pieces that mean something somewhere.
#[rustfmt::skip]
pub const PIECES: &[&str] = &[
    ",", ".", "..", "[", "]", "<", ">", "+", "-", "//", "\n", "\r\n", "\r", "\u{b}", " ", "_", "x", "xyzw", "yx", "rgb",
    "._", ".x", "0", "1", "15", "255", "256", "65535", "65536", "99999999999999999999", "va", "vc", "vt", "v", "vi", "vo",
    "op", "fc", "ft", "fs", "oc", "od", "fd", "iid", "vs0", "va0", "vc0", "vt0", "v0", "fc0", "ft0", "fs0", "oc1",
    "vc[va0.x+3]", "vc[vt0.w]", "[va0.x+256]", "va[va0.x+1]", "2d", "3d", "cube", "linear", "miplinear", "repeat",
    "ignoresampler", "anisotropic16x", "dxt1", "-1.5", "15.9", "1e999", "nan", "<2d>", ";", ".xyzwx", "é", "\u{1F600}", "\u{0}",
    "\u{feff}", "\nife v0.x, v0.y", "\nels", "\neif", "\nkil v0.x", "\nddx", "\ntex", "\nm44", "\nted", "\ntld", "mov",
];

const DAMAGE: Damage = Damage {
    programs: &PROGRAMS,
    generate: program,
    pieces: PIECES,
    end: '\n',
    letters: &["xyzw"],
};

/// A program, one of [`PROGRAMS`] or a random one, with one to three pieces damaged.
pub(super) fn damaged(dice: &mut Dice<'_>) -> String {
    DAMAGE.apply(dice)
}
