//! [`IDIOMS`]: instructions of neighbouring languages, and how their work is written here.
//!
//! A row reads
//!
//! ```text
//! "name", "another name": "the result" => "line of assembly", "next line";
//! ```
//!
//! The result is in `r0`, `p0` or `a0`, the operands are `r1`, `r2` and `r3`, `p1` and `p2`, and `r9`
//! is a temporary. A row without lines is a whole sentence. The assembler, `attila ops` and
//! `docs/isa.md` take their advice from here.

use crate::asm::nearest;
use crate::opcode::{MNEMONIC_ALIASES, Opcode};
use crate::profile::Profile;

/// A thing that other languages have an instruction for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Idiom {
    /// Its names elsewhere, in lower case.
    pub names: &'static [&'static str],
    /// The result; a whole sentence where there are no lines.
    pub result: &'static str,
    /// Lines of assembly that have this result. A jump among them leads to the label `there`.
    pub lines: &'static [&'static str],
}

impl Idiom {
    /// The advice for a text that has one of the names, in one sentence without a full stop.
    pub fn help(&self) -> String {
        if self.lines.is_empty() {
            return self.result.to_owned();
        }
        let lines: Vec<String> = self.lines.iter().map(|line| format!("`{line}`")).collect();
        format!("{} is written {}", self.result, lines.join(", then "))
    }
}

/// The advice about a `name` that is not a mnemonic: an idiom, or else the nearest mnemonic. Case
/// does not count.
///
/// ```
/// use attila_isa::mnemonic_advice;
///
/// assert_eq!(mnemonic_advice("mvo").as_deref(), Some("did you mean `mov`?"));
/// assert_eq!(mnemonic_advice("sub").as_deref(), Some("r1 - r2 is written `add r0, r1, -r2`"));
/// assert_eq!(mnemonic_advice("frobnicate"), None);
/// ```
pub fn mnemonic_advice(name: &str) -> Option<String> {
    if let Some(near) = nearest_mnemonic(name) {
        return Some(format!("did you mean `{near}`?"));
    }
    match find(name) {
        Some(idiom) => Some(idiom.help()),
        None if is_query(name) => {
            let all: Vec<String> = queries().map(|op| format!("`{op}`")).collect();
            Some(format!("queries for samples are {}", all.join(", ")))
        }
        None => None,
    }
}

/// The mnemonic that a name which is none, and no idiom, may be meant to be.
pub(crate) fn nearest_mnemonic(name: &str) -> Option<&'static str> {
    if find(name).is_some() {
        return None;
    }
    if is_query(name) {
        return nearest(name, queries().map(Opcode::mnemonic));
    }
    let mnemonics = Profile::Base.opcodes().map(Opcode::mnemonic);
    let aliases = MNEMONIC_ALIASES.iter().map(|(alias, _)| *alias);
    nearest(name, mnemonics.chain(aliases))
}

/// The queries for samples.
fn queries() -> impl Iterator<Item = Opcode> {
    let all = Profile::Extended.opcodes();
    all.filter(|op| op.is_sample_query())
}

/// Whether a name looks like a query for samples and is none.
fn is_query(name: &str) -> bool {
    const PREFIX: &str = "pixld";
    let begins = name.get(..PREFIX.len());
    let begins = begins.is_some_and(|begins| begins.eq_ignore_ascii_case(PREFIX));
    // The name may be one of them, in a text of the base profile.
    begins && !queries().any(|op| op.mnemonic().eq_ignore_ascii_case(name))
}

/// The idiom of this name. A suffix, like `_2d` in `dcl_2d`, does not count.
fn find(name: &str) -> Option<&'static Idiom> {
    let named = |name: &str| {
        let mut idioms = IDIOMS.iter();
        idioms.find(|idiom| {
            idiom
                .names
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name))
        })
    };
    named(name).or_else(|| named(name.split_once('_')?.0))
}

macro_rules! idioms {
    ($($($name:literal),+: $result:literal => $($line:literal),*;)*) => {
        /// All idioms, by subject.
        pub const IDIOMS: &[Idiom] = &[$(Idiom {
            names: &[$($name),+],
            result: $result,
            lines: &[$($line),*],
        },)*];
    };
}

idioms! {
    // Arithmetic.
    "abs": "|r1|" => "mov r0, |r1|";
    "neg": "-r1" => "mov r0, -r1";
    "sub": "r1 - r2" => "add r0, r1, -r2";
    "sat", "saturate": "r1 clamped to 0 and 1" => "mov_sat r0, r1";
    "clamp": "r1 clamped to r2 and r3" => "max r0, r1, r2", "min r0, r0, r3";
    "div": "r1.x / r2.x, rounded twice," => "rcp r0.x, r2.x", "mul r0.x, r1.x, r0.x";
    "mod", "fmod": "r1.x - r2.x * floor(r1.x * (1 / r2.x))" =>
        "rcp r0.x, r2.x", "mul r0.x, r1.x, r0.x", "flr r0.x, r0.x", "mad r0.x, -r2.x, r0.x, r1.x";
    "fma": "r1 * r2 + r3, rounded twice," => "mad r0, r1, r2, r3";
    "lrp": "r1 * r2 + (1 - r1) * r3, but for rounding and infinities: r1 = 1 may not give r2," => "add r0, r2, -r3", "mad r0, r1, r0, r3";
    "lerp", "mix": "r1 * (1 - r3) + r2 * r3, but for rounding and infinities: r3 = 1 may not give r2," =>
        "add r0, r2, -r1", "mad r0, r3, r0, r1";
    "sqrt", "sqt": "sqrt(|r1.x|), rounded three times, and 0 up to 2^-128," => "rsq r0.x, r1.x", "rcp r0.x, r0.x";
    "rsqrt", "inversesqrt": "1 / sqrt(|r1.x|)" => "rsq r0.x, r1.x";
    "ceil": "ceil(r1)" => "flr r0, -r1", "mov r0, -r0";
    "round": "floor(r1 + 0.5)" => "add r0, r1, 0.5", "flr r0, r0";
    "trunc": "r1 rounded towards 0, +0 for -0," => "flr r0, |r1|", "cmp r0, r1, -r0, r0";
    "sgn", "ssg", "sign": "the sign of r1, which is -1, 0 or 1," =>
        "slt r0, -r1, 0", "slt r9, r1, 0", "add r0, r0, -r9";
    "pow": "r1.x to the power of r2.x" => "lg2 r0.x, r1.x", "mul r0.x, r0.x, r2.x", "ex2 r0.x, r0.x";
    "exp2": "2 to the power of r1.x" => "ex2 r0.x, r1.x";
    "log2": "the logarithm of r1.x to base 2" => "lg2 r0.x, r1.x";
    "ln": "the natural logarithm of r1.x" => "lg2 r0.x, r1.x", "mul r0.x, r0.x, 0.6931472";
    "log10": "the logarithm of r1.x to base 10" => "lg2 r0.x, r1.x", "mul r0.x, r0.x, 0.30103";
    "sincos", "scs": "(cos(r1.x), sin(r1.x))" => "cos r0.x, r1.x", "sin r0.y, r1.x";
    "tan": "tan(r1.x)" =>
        "cos r0.x, r1.x", "sin r0.y, r1.x", "rcp r0.x, r0.x", "mul r0.x, r0.y, r0.x";
    "acos", "asin", "atan", "atan2": "inverse functions of `sin` and `cos` need a polynomial or a texture" => ;
    "iadd", "uadd": "r1 + r2 of integers" => "addi r0, r1, r2";
    "isub", "subi": "r1 - r2 of integers" => "addi r0, r1, -r2";
    "imul", "umul": "r1 * r2 of integers" => "muli r0, r1, r2";
    "imad", "umad", "madi": "r1 * r2 + r3 of integers" => "muli r0, r1, r2", "addi r0, r0, r3";
    "imax": "the larger of the integers r1.x and r2.x" =>
        "stpgti p0, r1.x, r2.x", "mov r0.x, r2.x", "(p0) mov r0.x, r1.x";
    "imin": "the smaller of the integers r1.x and r2.x" =>
        "stplti p0, r1.x, r2.x", "mov r0.x, r2.x", "(p0) mov r0.x, r1.x";
    "idiv", "udiv", "imod", "umod": "there is no integer division" => ;
    "iand", "inot", "ior", "ixor", "ishl", "ishr", "ushr", "shl", "shr": "there are no bitwise instructions" => ;
    "dadd", "ddiv", "dmul", "dmad", "dfma": "there are no doubles" => ;

    // Vectors.
    "dot": "the dot product of r1.xyz and r2.xyz" => "dp3 r0, r1, r2";
    "dp2": "r1.x * r2.x + r1.y * r2.y" => "mul r0.xy, r1, r2", "add r0, r0.x, r0.y";
    "nrm", "normalize": "r1 divided by the length of r1.xyz" =>
        "dp3 r9.x, r1, r1", "rsq r9.x, r9.x", "mul r0, r1, r9.x";
    "length": "the length of r1.xyz" => "dp3 r0.x, r1, r1", "rsq r0.x, r0.x", "rcp r0.x, r0.x";
    "distance", "dist": "the length of r1.xyz - r2.xyz" =>
        "add r0.xyz, r1, -r2", "dp3 r0.x, r0, r0", "rsq r0.x, r0.x", "rcp r0.x, r0.x";
    "xpd", "crs", "cross": "the cross product of r1.xyz and r2.xyz" =>
        "mul r0.xyz, r1.yzxw, r2.zxyw", "mad r0.xyz, -r1.zxyw, r2.yzxw, r0";
    "m3x3", "m33": "the product of the rows c0 to c2 and r1.xyz" =>
        "dp3 r0.x, r1, c0", "dp3 r0.y, r1, c1", "dp3 r0.z, r1, c2";
    "m4x4", "m44": "the product of the rows c0 to c3 and r1" =>
        "dp4 r0.x, r1, c0", "dp4 r0.y, r1, c1", "dp4 r0.z, r1, c2", "dp4 r0.w, r1, c3";
    "m3x2", "m3x4", "m4x3": "a matrix product needs a `dp3` or `dp4` for each row" => ;

    // Comparisons and selection.
    "ge": "(r1 < r2) ? 0 : 1" => "sge r0, r1, r2";
    "lt": "(r1 < r2) ? 1 : 0" => "slt r0, r1, r2";
    "sgt": "(r1 > r2) ? 1 : 0" => "slt r0, r2, r1";
    "sle": "(r1 > r2) ? 0 : 1" => "sge r0, r2, r1";
    "seq", "eq": "(r1 < r2 || r1 > r2) ? 0 : 1" => "sge r0, r1, r2", "sge r9, r2, r1", "mul r0, r0, r9";
    "sne", "ne": "(r1 < r2 || r1 > r2) ? 1 : 0" => "slt r0, r1, r2", "slt r9, r2, r1", "add r0, r0, r9";
    "step": "(r2 < r1) ? 0 : 1" => "sge r0, r2, r1";
    "cnd": "(r1 > 0.5) ? r2 : r3" => "add r0, -r1, 0.5", "cmp r0, r0, r2, r3";
    "movc": "(|r1| > 0) ? r2 : r3" => "cmp r0, -|r1|, r2, r3";
    "setpge", "setp_ge", "setge": "r1.x >= r2.x, true for NaN," => "setplt !p0, r1.x, r2.x";
    "setple", "setp_le", "setle": "r1.x <= r2.x, true for NaN," => "setpgt !p0, r1.x, r2.x";
    "setpne", "setp_ne", "setne": "r1.x != r2.x" => "setpeq !p0, r1.x, r2.x";
    "setp": "comparisons are `setpgt`, `setplt` and `setpeq`" => ;
    "ilt", "islt": "r1.x < r2.x of integers" => "stplti p0, r1.x, r2.x";
    "ieq", "useq": "r1.x == r2.x of integers" => "stpeqi p0, r1.x, r2.x";
    "stpgei", "setpgei", "ige", "isge": "r1.x >= r2.x of integers" => "stplti !p0, r1.x, r2.x";
    "stplei", "setplei": "r1.x <= r2.x of integers" => "stpgti !p0, r1.x, r2.x";
    "stpnei", "setpnei", "usne": "r1.x != r2.x of integers" => "stpeqi !p0, r1.x, r2.x";

    // Predicates.
    "movp": "a copy of p1" => "andp p0, p1, true";
    "notp", "not": "!p1" => "andp p0, !p1, true";
    "and", "all": "p1 && p2" => "andp p0, p1, p2";
    "orp", "or", "any": "p1 || p2" => "andp !p0, !p1, !p2";
    "xorp", "xor": "p1 != p2" => "andp p0, !p2, true", "(!p1) andp p0, p2, true";

    // Control flow.
    "if", "switch", "case", "else", "elseif", "endif", "ifc", "uif", "els", "eif", "ife", "ifg", "ifl", "ine", "loop", "bgnloop",
    "endloop", "rep", "endrep", "for", "while", "brk", "break", "breakc", "breakp", "cont", "continue", "bra",
    "goto": "`if (r1.x < r2.x) goto there`" => "setplt p0, r1.x, r2.x", "jmp p0, there";
    "cal", "call", "callnz", "bgnsub", "endsub": "there are no subroutines: jump, or repeat the instructions" => ;
    "emit", "cut", "endprim": "there are no geometry programs" => ;
    "ret", "return", "exit", "halt": "the end of the program" => "end";
    "texkill", "clip", "kill_if": "a kill where r1.x, r1.y or r1.z is below 0" => "kil r1.xyzz";
    "discard": "`if (r1.x < r2.x) discard`" => "add r0.x, r1.x, -r2.x", "kil r0.x";

    // Textures, derivatives and addresses.
    "sample", "texture", "texture2d", "tex2d", "texld": "a sample of unit 0 at r1" => "tex r0, r1, t0";
    "texldp", "tex2dproj": "a sample of unit 0 at r1.xyz / r1.w" => "txp r0, r1, t0";
    "texldb", "tex2dbias": "a sample of unit 0 at r1.xyz with the bias r1.w" => "txb r0, r1, t0";
    "texldl", "tex2dlod": "a sample of unit 0 at r1.xyz with the level r1.w" => "txl r0, r1, t0";
    "txd", "texldd", "txf", "txq", "lod": "only `tex`, `txb`, `txl` and `txp` sample textures" => ;
    "dsx", "dfdx": "the derivative of r1 along x" => "ddx r0, r1";
    "dsy", "dfdy": "the derivative of r1 along y" => "ddy r0, r1";
    "mova", "arr": "floor(r1.x + 0.5) as an address" => "add r0.x, r1.x, 0.5", "arl a0.x, r0.x";

    // Declarations.
    "def", "defi", "defb": "a constant" => ";! const c0 = 1 2 3 4";
    "dcl": "registers need no declaration, and what unit 0 samples is written `;! texture t0 = wall.png`" => ;
    "attrib", "param", "temp", "output", "address", "option":
        "declarations belong to ARB programs, which begin with `!!ARBvp1.0` or `!!ARBfp1.0`" => ;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::assemble;

    #[test]
    fn every_line_assembles_without_a_remark() {
        for idiom in IDIOMS {
            let text = format!("{}\nthere: end", idiom.lines.join("\n"));
            let assembly = assemble(&text);
            assert!(assembly.diagnostics.is_empty(), "{:?}", idiom.names);
        }
    }

    #[test]
    fn names_are_in_lower_case_and_no_mnemonics_and_stand_once() {
        let mut names: Vec<&str> = IDIOMS
            .iter()
            .flat_map(|idiom| idiom.names)
            .copied()
            .collect();
        for name in &names {
            assert_eq!(name.to_ascii_lowercase(), *name);
            let opcode = Opcode::from_mnemonic(name);
            assert_eq!(opcode.filter(|&op| Profile::Base.has(op)), None, "{name}");
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn suffixes_of_names_do_not_count_unless_they_are_part_of_a_name() {
        let advice = |name| mnemonic_advice(name).unwrap_or_default();
        assert_eq!(advice("DCL_2d"), advice("dcl"));
        assert_eq!(advice("setp_gt"), advice("setp"));
        assert_ne!(advice("setp_ge"), advice("setp"));
        assert_eq!(advice("kill"), "did you mean `kil`?");
        assert_eq!(
            advice("kill_if"),
            "a kill where r1.x, r1.y or r1.z is below 0 is written `kil r1.xyzz`"
        );
    }

    #[test]
    fn slips_are_put_right() {
        let advice = |name| mnemonic_advice(name).unwrap_or_default();
        assert_eq!(advice("txe"), "did you mean `tex`?");
        assert_eq!(advice("JUMPP"), "did you mean `jump`?");
    }
}
