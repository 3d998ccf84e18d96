//! The opcode table: one row per opcode, the only place where an opcode is described.
//!
//! The encoder, decoder, assembler, printer, validator, usage analysis, random-program generator
//! and `docs/isa.md` all derive from it through [`for_each_opcode!`](crate::for_each_opcode). So do
//! the enum [`Opcode`](crate::Opcode) of all opcodes and one enum for each section, which the
//! engines match on.
//!
//! A row reads
//!
//! ```text
//! /// The computation, in one sentence; becomes rustdoc and a line of docs/isa.md.
//! Name = code, profile, "mnemonic", [operand kinds], results, flags;
//! ```
//!
//! Codes are 00h to FFh, and need not be in order. Profiles are [`Profile`](crate::Profile) values:
//! the smallest one that has the opcode. Operand kinds are
//! [`OperandKind`](crate::OperandKind) values, with the slots that the instruction reads; results
//! are constants of [`Results`](crate::Results); flags are [`OpFlags`](crate::OpFlags) constants.
//! Swizzles, modifiers, masks and guards apply to every opcode and are not repeated here. The
//! rules that rows have to keep are assertions in `rules.rs`.

/// Calls the macro `$m` with every section of the opcode table.
#[macro_export]
macro_rules! for_each_opcode {
    ($m:ident) => {
        $m! {
            /// Float operations on vectors: component by component, across components, across lanes.
            Vector: VectorOp {
                /// `a + b` per component.
                Add = 0x01, Base, "add", [Float(Written), Float(Written)], FLOAT, IMM;
                /// `(a.x*b.x + a.y*b.y) + a.z*b.z` in all components.
                Dp3 = 0x08, Base, "dp3", [Float(XYZ), Float(XYZ)], FLOAT, IMM.union(PRODUCT);
                /// `((a.x*b.x + a.y*b.y) + a.z*b.z) + a.w*b.w` in all components.
                Dp4 = 0x09, Base, "dp4", [Float(XYZW), Float(XYZW)], FLOAT, IMM.union(PRODUCT);
                /// `((a.x*b.x + a.y*b.y) + a.z*b.z) + b.w` in all components.
                Dph = 0x0a, Base, "dph", [Float(XYZ), Float(XYZW)], FLOAT, IMM.union(PRODUCT);
                /// `(1, a.y*b.y, a.z, b.w)`.
                Dst = 0x0b, Base, "dst", [Float(YZ), Float(YW)], FLOAT, IMM.union(PRODUCT);
                /// `floor(a)` per component.
                Flr = 0x0e, Base, "flr", [Float(Written)], FLOAT, NONE;
                /// `a - floor(a)` per component.
                Frc = 0x0f, Base, "frc", [Float(Written)], FLOAT, NONE;
                /// `a*b + c` per component, not fused.
                Mad = 0x13, Base, "mad", [Float(Written), Float(Written), Float(Written)], FLOAT, PRODUCT;
                /// `(a > b) ? a : b` per component.
                Max = 0x14, Base, "max", [Float(Written), Float(Written)], FLOAT, IMM.union(CHOICE);
                /// `(a < b) ? a : b` per component.
                Min = 0x15, Base, "min", [Float(Written), Float(Written)], FLOAT, IMM.union(CHOICE);
                /// Copies the bits of `a`.
                Mov = 0x16, Base, "mov", [Float(Written)], FLOAT, NONE;
                /// `a * b` per component.
                Mul = 0x17, Base, "mul", [Float(Written), Float(Written)], FLOAT, IMM.union(PRODUCT);
                /// `(a < b) ? 0.0 : 1.0` per component; NaN gives 1.
                Sge = 0x1e, Base, "sge", [Float(Written), Float(Written)], FLOAT, IMM;
                /// `(a < b) ? 1.0 : 0.0` per component; NaN gives 0.
                Slt = 0x22, Base, "slt", [Float(Written), Float(Written)], FLOAT, IMM;
                /// `(a < 0) ? b : c` per component; -0 and NaN select c.
                Cmp = 0x2d, Base, "cmp", [Float(Written), Float(Written), Float(Written)], FLOAT, NONE;
                /// Difference between the right and the left lane of the quad's row.
                Ddx = 0x34, Base, "ddx", [Float(Written)], FLOAT, QUAD;
                /// Difference between the lower and the upper lane of the quad's column.
                Ddy = 0x35, Base, "ddy", [Float(Written)], FLOAT, QUAD;
                /// `a / b` per component.
                Div = 0x38, Extended, "div", [Float(Written), Float(Written)], FLOAT, IMM;
                /// `(a == b) ? 1.0 : 0.0` per component; NaN gives 0.
                Seq = 0x3c, Extended, "seq", [Float(Written), Float(Written)], FLOAT, IMM;
                /// `(a == b) ? 0.0 : 1.0` per component; NaN gives 1.
                Sne = 0x3d, Extended, "sne", [Float(Written), Float(Written)], FLOAT, IMM;
                /// `(a >= b) ? 1.0 : 0.0` per component; NaN gives 0.
                Sgeo = 0x3e, Extended, "sgeo", [Float(Written), Float(Written)], FLOAT, IMM;
                /// The sign of `a` per component: 1.0, -1.0, or +0 for zeros and NaN.
                Sgn = 0x3f, Extended, "sgn", [Float(Written)], FLOAT, NONE;
                /// `(c > 0.5) ? a : b` per component.
                Cnd = 0x40, Extended, "cnd", [Float(Written), Float(Written), Float(Written)], FLOAT, CHOICE;
                /// `(c >= 0) ? a : b` per component; -0 selects a, NaN b.
                Cmpge = 0x41, Extended, "cmpge", [Float(Written), Float(Written), Float(Written)], FLOAT, CHOICE;
                /// `(a >= b) ? a : b` per component.
                Maxge = 0x42, Extended, "maxge", [Float(Written), Float(Written)], FLOAT, IMM.union(CHOICE);
                /// `(a.x*b.x + a.y*b.y) + c.z` in all components.
                D2a = 0x43, Extended, "d2a", [Float(XY), Float(XY), Float(Z)], FLOAT, PRODUCT;
                /// `a*b + c` per component, a of the quad's upper left lane and c of the upper right one.
                Mdh = 0x46, Extended, "mdh", [Float(Written), Float(Written), Float(Written)], FLOAT, QUAD.union(PRODUCT);
                /// `a*b + c` per component, a of the quad's upper left lane and c of the lower left one.
                Mdv = 0x47, Extended, "mdv", [Float(Written), Float(Written), Float(Written)], FLOAT, QUAD.union(PRODUCT);
                /// `(a != 0) ? b : c` per component, a being an integer; copies bits.
                Sel = 0x4c, Extended, "sel", [Int(Written), Float(Written), Float(Written)], FLOAT, NONE;
                /// `(a > b) ? a : b` per component, or the operand that is not NaN.
                Maxn = 0x4d, Extended, "maxn", [Float(Written), Float(Written)], FLOAT, IMM;
                /// `(a < b) ? a : b` per component, or the operand that is not NaN.
                Minn = 0x4e, Extended, "minn", [Float(Written), Float(Written)], FLOAT, IMM;
                /// `a*b + c` per component, fused.
                Fma = 0x4f, Extended, "fma", [Float(Written), Float(Written), Float(Written)], FLOAT, NONE;
                /// `ceil(a)` per component.
                Ceil = 0x59, Extended, "ceil", [Float(Written)], FLOAT, NONE;
                /// `a` rounded towards 0 to an integer, per component.
                Trunc = 0x5a, Extended, "trunc", [Float(Written)], FLOAT, NONE;
                /// `a` rounded to the nearest integer, ties to even, per component.
                Round = 0x5b, Extended, "round", [Float(Written)], FLOAT, NONE;
                /// `a * 2^b` per component, b being an integer; rounded once.
                Ldexp = 0x5c, Extended, "ldexp", [Float(Written), Int(Written)], FLOAT, NONE;
                /// Difference between the right and the left lane of the quad's lower row, in all lanes.
                Ddxc = 0x5d, Extended, "ddxc", [Float(Written)], FLOAT, QUAD;
                /// Difference between the lower and the upper lane of the quad's left column, in all lanes.
                Ddyc = 0x5e, Extended, "ddyc", [Float(Written)], FLOAT, QUAD;
            }
            /// Functions of slot w of one operand, and LIT.
            Scalar: ScalarOp {
                /// `cos(a)`, a in radians, in all components.
                Cos = 0x07, Base, "cos", [Float(W)], FLOAT, APPROX;
                /// `2^a` in all components.
                Ex2 = 0x0c, Base, "ex2", [Float(W)], FLOAT, APPROX;
                /// `(2^floor(a), a - floor(a), 2^a, 1)`.
                Exp = 0x0d, Base, "exp", [Float(W)], FLOAT, APPROX;
                /// `log2(a)` in all components.
                Lg2 = 0x10, Base, "lg2", [Float(W)], FLOAT, APPROX;
                /// `(1, max0(x), x > 0 ? max0(y)^clamp(w, -128, 128) : 0, 1)`.
                Lit = 0x11, Base, "lit", [Float(XYW)], FLOAT, APPROX;
                /// `(floor(log2|a|), |a| / 2^floor(log2|a|), log2|a|, 1)`.
                Log = 0x12, Base, "log", [Float(W)], FLOAT, APPROX;
                /// `1 / a` in all components.
                Rcp = 0x19, Base, "rcp", [Float(W)], FLOAT, NONE;
                /// `sqrt(1 / |a|)`, two roundings, in all components.
                Rsq = 0x1b, Base, "rsq", [Float(W)], FLOAT, NONE;
                /// `sin(a)`, a in radians, in all components.
                Sin = 0x20, Base, "sin", [Float(W)], FLOAT, APPROX;
                /// `sqrt(a)` in all components; NaN below 0.
                Sqrt = 0x39, Extended, "sqrt", [Float(W)], FLOAT, NONE;
                /// `1 / sqrt(a)`, two roundings, in all components; NaN below 0.
                Rsqt = 0x3a, Extended, "rsqt", [Float(W)], FLOAT, NONE;
                /// `a^b` in all components; NaN below 0.
                Pow = 0x3b, Extended, "pow", [Float(W), Float(W)], FLOAT, APPROX;
                /// The sine of `a` turns in all components; quarters are exact.
                Sint = 0x44, Extended, "sint", [Float(W)], FLOAT, APPROX;
                /// The cosine of `a` turns in all components; quarters are exact.
                Cost = 0x45, Extended, "cost", [Float(W)], FLOAT, APPROX;
            }
            /// Operations with an integer result.
            Integer: IntegerOp {
                /// Wrapping integer `a + b` per component.
                Addi = 0x02, Base, "addi", [Int(Written), Int(Written)], INT, IMM;
                /// `floor(a)` as i32 per component; NaN and out of range give -2147483648.
                Arl = 0x03, Base, "arl", [Float(Written)], INT, NONE;
                /// The low 32 bits of the integer product per component.
                Muli = 0x18, Base, "muli", [Int(Written), Int(Written)], INT, IMM;
                /// The lesser of two signed integers per component.
                Imin = 0x67, Extended, "imin", [Int(Written), Int(Written)], INT, IMM;
                /// The greater of two signed integers per component.
                Imax = 0x68, Extended, "imax", [Int(Written), Int(Written)], INT, IMM;
                /// The lesser of two unsigned integers per component.
                Umin = 0x69, Extended, "umin", [Int(Written), Int(Written)], INT, IMM;
                /// The greater of two unsigned integers per component.
                Umax = 0x6a, Extended, "umax", [Int(Written), Int(Written)], INT, IMM;
                /// Quotient of signed integers towards 0, per component; 0 where b is 0.
                Idiv = 0x6b, Extended, "idiv", [Int(Written), Int(Written)], INT, IMM;
                /// Quotient of unsigned integers per component; all bits where b is 0.
                Udiv = 0x6c, Extended, "udiv", [Int(Written), Int(Written)], INT, IMM;
                /// Rest of the signed quotient, with the sign of `a`, per component; all bits where b is 0.
                Imod = 0x6d, Extended, "imod", [Int(Written), Int(Written)], INT, IMM;
                /// Rest of the unsigned quotient per component; all bits where b is 0.
                Umod = 0x6e, Extended, "umod", [Int(Written), Int(Written)], INT, IMM;
                /// The high 32 bits of the signed product per component.
                Imulh = 0x6f, Extended, "imulh", [Int(Written), Int(Written)], INT, IMM;
                /// The high 32 bits of the unsigned product per component.
                Umulh = 0x70, Extended, "umulh", [Int(Written), Int(Written)], INT, IMM;
            }
            /// Comparisons whose results are integers: all bits set for true, 0 for false.
            Mask: MaskOp {
                /// All bits if `a == b`, else 0, per component; NaN gives 0.
                Fseq = 0x48, Extended, "fseq", [Float(Written), Float(Written)], INT, IMM;
                /// All bits if `a != b`, else 0, per component; NaN gives all bits.
                Fsne = 0x49, Extended, "fsne", [Float(Written), Float(Written)], INT, IMM;
                /// All bits if `a < b`, else 0, per component; NaN gives 0.
                Fslt = 0x4a, Extended, "fslt", [Float(Written), Float(Written)], INT, IMM;
                /// All bits if `a >= b`, else 0, per component; NaN gives 0.
                Fsge = 0x4b, Extended, "fsge", [Float(Written), Float(Written)], INT, IMM;
                /// All bits if `a < b` as signed integers, else 0, per component.
                Islt = 0x71, Extended, "islt", [Int(Written), Int(Written)], INT, IMM;
                /// All bits if `a >= b` as signed integers, else 0, per component.
                Isge = 0x72, Extended, "isge", [Int(Written), Int(Written)], INT, IMM;
                /// All bits if `a < b` as unsigned integers, else 0, per component.
                Uslt = 0x73, Extended, "uslt", [Int(Written), Int(Written)], INT, IMM;
                /// All bits if `a >= b` as unsigned integers, else 0, per component.
                Usge = 0x74, Extended, "usge", [Int(Written), Int(Written)], INT, IMM;
                /// All bits if `a == b` as integers, else 0, per component.
                Useq = 0x75, Extended, "useq", [Int(Written), Int(Written)], INT, IMM;
                /// All bits if `a != b` as integers, else 0, per component.
                Usne = 0x76, Extended, "usne", [Int(Written), Int(Written)], INT, IMM;
            }
            /// Operations on the bits of integers.
            Bits: BitsOp {
                /// Bitwise `a & b` per component.
                And = 0x60, Extended, "and", [Int(Written), Int(Written)], INT, IMM;
                /// Bitwise `a | b` per component.
                Or = 0x61, Extended, "or", [Int(Written), Int(Written)], INT, IMM;
                /// Bitwise `a ^ b` per component.
                Xor = 0x62, Extended, "xor", [Int(Written), Int(Written)], INT, IMM;
                /// Bitwise `~a` per component.
                Not = 0x63, Extended, "not", [Int(Written)], INT, NONE;
                /// `a << (b & 31)` per component.
                Shl = 0x64, Extended, "shl", [Int(Written), Int(Written)], INT, IMM;
                /// `a >> (b & 31)` per component, the sign coming in.
                Ishr = 0x65, Extended, "ishr", [Int(Written), Int(Written)], INT, IMM;
                /// `a >> (b & 31)` per component, zeros coming in.
                Ushr = 0x66, Extended, "ushr", [Int(Written), Int(Written)], INT, IMM;
                /// `c & 31` bits of `a` from bit `b & 31` on, the last one the sign, per component.
                Ibfe = 0x77, Extended, "ibfe", [Int(Written), Int(Written), Int(Written)], INT, NONE;
                /// `c & 31` bits of `a` from bit `b & 31` on, as an unsigned integer, per component.
                Ubfe = 0x78, Extended, "ubfe", [Int(Written), Int(Written), Int(Written)], INT, NONE;
                /// A mask of `a & 31` bits from bit `b & 31` on, all bits where a is 32, per component.
                Bfm = 0x79, Extended, "bfm", [Int(Written), Int(Written)], INT, NONE;
                /// `(a & b) | (~a & c)` per component.
                Bsel = 0x7a, Extended, "bsel", [Int(Written), Int(Written), Int(Written)], INT, NONE;
                /// The number of bits that are set, per component.
                Popc = 0x7b, Extended, "popc", [Int(Written)], INT, NONE;
                /// The bits in reverse order, per component.
                Brev = 0x7c, Extended, "brev", [Int(Written)], INT, NONE;
                /// The number of the lowest bit that is set, or -1, per component.
                Lsb = 0x7d, Extended, "lsb", [Int(Written)], INT, NONE;
                /// The number of the highest bit that is not the sign, or -1, per component.
                Imsb = 0x7e, Extended, "imsb", [Int(Written)], INT, NONE;
                /// The number of the highest bit that is set, or -1, per component.
                Umsb = 0x7f, Extended, "umsb", [Int(Written)], INT, NONE;
            }
            /// Conversions between floats, integers and packed numbers.
            Convert: ConvertOp {
                /// `a` as a signed integer, rounded towards 0, per component; NaN and out of range give -2147483648.
                F2i = 0x80, Extended, "f2i", [Float(Written)], INT, NONE;
                /// `a` as an unsigned integer, rounded towards 0 and limited to 0..=4294967295, per component; NaN gives 0.
                F2u = 0x81, Extended, "f2u", [Float(Written)], INT, NONE;
                /// The signed integer `a` as a float, rounded to nearest even, per component.
                I2f = 0x82, Extended, "i2f", [Int(Written)], FLOAT, NONE;
                /// The unsigned integer `a` as a float, rounded to nearest even, per component.
                U2f = 0x83, Extended, "u2f", [Int(Written)], FLOAT, NONE;
                /// x and y as binary16, x in the low half, in all components; NaN gives 7e00h.
                Pk2h = 0x84, Extended, "pk2h", [Float(XY)], INT, NONE;
                /// x and y in [0, 1] as 65535ths, x in the low half, in all components; NaN counts as 0.
                Pk2us = 0x85, Extended, "pk2us", [Float(XY)], INT, NONE;
                /// x, y, z and w in [0, 1] as 255ths, x in the lowest byte, in all components; NaN counts as 0.
                Pk4ub = 0x86, Extended, "pk4ub", [Float(XYZW)], INT, NONE;
                /// x, y, z and w in [-128/127, 1] as 127ths plus 128, x in the lowest byte, in all components; NaN counts as 0.
                Pk4b = 0x87, Extended, "pk4b", [Float(XYZW)], INT, NONE;
                /// The binary16 in the low half of x in x and z, that in the high half in y and w.
                Up2h = 0x88, Extended, "up2h", [Int(X)], FLOAT, NONE;
                /// The low half of x, divided by 65535, in x and z, the high half in y and w.
                Up2us = 0x89, Extended, "up2us", [Int(X)], FLOAT, NONE;
                /// The bytes of x, from the lowest one on, divided by 255.
                Up4ub = 0x8a, Extended, "up4ub", [Int(X)], FLOAT, NONE;
                /// The bytes of x, from the lowest one on, less 128 and divided by 127.
                Up4b = 0x8b, Extended, "up4b", [Int(X)], FLOAT, NONE;
            }
            /// Operations with a predicate as their result.
            Predicate: PredicateOp {
                /// Predicate `a && b`; a constant counts as true if its raw word is not 0.
                Andp = 0x04, Base, "andp", [Bool, Bool], PREDICATE, NONE;
                /// Predicate `a == b`.
                Setpeq = 0x1c, Base, "setpeq", [Float(W), Float(W)], PREDICATE, IMM;
                /// Predicate `a > b`.
                Setpgt = 0x1d, Base, "setpgt", [Float(W), Float(W)], PREDICATE, IMM;
                /// Predicate `a < b`.
                Setplt = 0x1f, Base, "setplt", [Float(W), Float(W)], PREDICATE, IMM;
                /// Predicate `a == b` on integers.
                Stpeqi = 0x21, Base, "stpeqi", [Int(W), Int(W)], PREDICATE, IMM;
                /// Predicate `a > b` on signed integers.
                Stpgti = 0x23, Base, "stpgti", [Int(W), Int(W)], PREDICATE, IMM;
                /// Predicate `a < b` on signed integers.
                Stplti = 0x24, Base, "stplti", [Int(W), Int(W)], PREDICATE, IMM;
            }
            /// Questions to what is bound: texture units and vertex attributes.
            Texture: TextureOp {
                /// Samples a texture unit at xyz with the level of detail w.
                Txl = 0x25, Base, "txl", [Float(XYZW), Unit], FLOAT, TEXTURE;
                /// Samples a texture unit at xyz.
                Tex = 0x26, Base, "tex", [Float(XYZ), Unit], FLOAT, TEXTURE.union(QUAD);
                /// Samples a texture unit at xyz with the level-of-detail bias w.
                Txb = 0x27, Base, "txb", [Float(XYZW), Unit], FLOAT, TEXTURE.union(QUAD);
                /// Samples a texture unit at xyz / w.
                Txp = 0x28, Base, "txp", [Float(XYZW), Unit], FLOAT, TEXTURE.union(QUAD);
                /// Samples a texture unit as its target says, with the level of detail of the derivatives or, with `_lz`, 0.
                Xtex = 0x90, Extended, "xtex", [Float(XYZW), OptionalFloat(X), Texels], FLOAT, TEXTURE.union(QUAD);
                /// As `xtex`, with the level-of-detail bias b.x.
                Xtxb = 0x91, Extended, "xtxb", [Float(XYZW), Float(X), Texels], FLOAT, TEXTURE.union(QUAD);
                /// As `xtex`, with the level of detail b.x.
                Xtxl = 0x92, Extended, "xtxl", [Float(XYZW), Float(X), Texels], FLOAT, TEXTURE;
                /// As `xtex`, with derivatives from two temporaries.
                Xtxd = 0x93, Extended, "xtxd", [Float(XYZW), Gradients, Texels], FLOAT, TEXTURE;
                /// The texel at integer coordinates; w is the level or the sample. Outside the image there is 0.
                Txf = 0x94, Extended, "txf", [Int(XYZW), Absent, Texels], FLOAT, TEXTURE;
                /// Width, height, depth or layers of level x, and the number of levels, as integers.
                Txq = 0x95, Extended, "txq", [Int(X)], INT, TEXTURE;
                /// One component of the four texels that a linear filter would mix.
                Tg4 = 0x96, Extended, "tg4", [Float(XYZW), OptionalFloat(X), Texels], FLOAT, TEXTURE;
                /// The level of detail of a sample at the coordinates: x within the levels, y before.
                Lodq = 0x97, Extended, "lodq", [Float(XYZW)], FLOAT, TEXTURE.union(QUAD);
                /// The number of samples of a texel as an integer, in x.
                Txqs = 0x98, Extended, "txqs", [], INT, TEXTURE;
                /// Fetches a vertex attribute at the index in the raw bits of x.
                Lda = 0x30, Base, "lda", [Raw(X), Attribute], FLOAT, NONE;
            }
            /// Memory: scratch vectors of each lane, and constant buffers.
            Memory: MemoryOp {
                /// Loads the scratch vector `base + a`; 0 unless `a` is in `0..size`.
                Ldt = 0x8c, Extended, "ldt", [Int(X), Scratch], FLOAT, NONE;
                /// Stores `b` to the scratch vector `base + a`; nowhere unless `a` is in `0..size`.
                Stt = 0x8d, Extended, "stt", [Int(X), Float(Written)], SCRATCH, NONE;
                /// Loads the vector `a` of a constant buffer; 0 where there is none.
                Ldc = 0x8e, Extended, "ldc", [Int(X), Buffer], FLOAT, NONE;
            }
            /// Operations on f64: pairs of components, the low word first. Every NaN that arithmetic makes
            /// has the bits 7ff8000000000000h.
            Double: DoubleOp {
                /// `a + b` per pair.
                Dadd = 0xa0, Extended, "dadd", [Double(Written), Double(Written)], DOUBLE, NONE;
                /// `a * b` per pair.
                Dmul = 0xa1, Extended, "dmul", [Double(Written), Double(Written)], DOUBLE, NONE;
                /// `a / b` per pair.
                Ddiv = 0xa2, Extended, "ddiv", [Double(Written), Double(Written)], DOUBLE, NONE;
                /// `a*b + c` per pair, not fused.
                Dmad = 0xa3, Extended, "dmad", [Double(Written), Double(Written), Double(Written)], DOUBLE, NONE;
                /// `a*b + c` per pair, rounded once.
                Dfma = 0xa4, Extended, "dfma", [Double(Written), Double(Written), Double(Written)], DOUBLE, NONE;
                /// The bits of `(a < b) ? a : b` per pair.
                Dmin = 0xa5, Extended, "dmin", [Double(Written), Double(Written)], DOUBLE, NONE;
                /// The bits of `(a > b) ? a : b` per pair.
                Dmax = 0xa6, Extended, "dmax", [Double(Written), Double(Written)], DOUBLE, NONE;
                /// `1 / a` per pair.
                Drcp = 0xa7, Extended, "drcp", [Double(Written)], DOUBLE, NONE;
                /// The square root per pair.
                Dsqrt = 0xa8, Extended, "dsqrt", [Double(Written)], DOUBLE, NONE;
                /// `1 / sqrt(a)` per pair, with both steps rounded.
                Drsq = 0xa9, Extended, "drsq", [Double(Written)], DOUBLE, NONE;
                /// `a - floor(a)` per pair.
                Dfrac = 0xaa, Extended, "dfrac", [Double(Written)], DOUBLE, NONE;
                /// `floor(a)` per pair.
                Dflr = 0xab, Extended, "dflr", [Double(Written)], DOUBLE, NONE;
                /// `ceil(a)` per pair.
                Dceil = 0xac, Extended, "dceil", [Double(Written)], DOUBLE, NONE;
                /// `a` rounded towards 0 per pair.
                Dtrunc = 0xad, Extended, "dtrunc", [Double(Written)], DOUBLE, NONE;
                /// `a` rounded to the nearest integer per pair, ties to even.
                Dround = 0xae, Extended, "dround", [Double(Written)], DOUBLE, NONE;
                /// 1, -1 or 0 per pair, as `a` is above, below or neither; zeros and NaN give +0.
                Dssg = 0xaf, Extended, "dssg", [Double(Written)], DOUBLE, NONE;
                /// `a` times the power of 2 with the integer exponent `b`, rounded once, per pair.
                Dldexp = 0xb0, Extended, "dldexp", [Double(Written), Int(Lows)], DOUBLE, NONE;
                /// The mantissa of `a` per pair, 0.5 to 1 in magnitude; the bits of zeros, infinities and NaN.
                Dfrexpm = 0xb1, Extended, "dfrexpm", [Double(Written)], DOUBLE, NONE;
                /// The exponent to that mantissa as an integer for each f64; 0 for zeros, infinities and NaN.
                Dfrexpe = 0xb2, Extended, "dfrexpe", [Double(Pairs)], INT, NONE;
                /// Both words all bits set if `a = b`, otherwise 0, per pair; NaN gives 0.
                Dseq = 0xb3, Extended, "dseq", [Double(Written), Double(Written)], DOUBLE, NONE;
                /// Both words all bits set if `a` is not `b`, otherwise 0, per pair; NaN gives all bits.
                Dsne = 0xb4, Extended, "dsne", [Double(Written), Double(Written)], DOUBLE, NONE;
                /// Both words all bits set if `a < b`, otherwise 0, per pair; NaN gives 0.
                Dslt = 0xb5, Extended, "dslt", [Double(Written), Double(Written)], DOUBLE, NONE;
                /// Both words all bits set if `a >= b`, otherwise 0, per pair; NaN gives 0.
                Dsge = 0xb6, Extended, "dsge", [Double(Written), Double(Written)], DOUBLE, NONE;
                /// The floats x and y as f64 in xy and zw.
                F2d = 0xb7, Extended, "f2d", [Float(Halves)], DOUBLE, NONE;
                /// The signed integers x and y as f64 in xy and zw.
                I2d = 0xb8, Extended, "i2d", [Int(Halves)], DOUBLE, NONE;
                /// The unsigned integers x and y as f64 in xy and zw.
                U2d = 0xb9, Extended, "u2d", [Int(Halves)], DOUBLE, NONE;
                /// The f64 xy and zw as floats, rounded to nearest even, in the first two components written.
                D2f = 0xba, Extended, "d2f", [Double(Pairs)], FLOAT, NONE;
                /// The f64 xy and zw as signed integers, rounded towards 0, in the first two components written; NaN and out of range give -2147483648.
                D2i = 0xbb, Extended, "d2i", [Double(Pairs)], INT, NONE;
                /// The f64 xy and zw as unsigned integers, rounded towards 0 and limited to 0..=4294967295, in the first two components written; NaN gives 0.
                D2u = 0xbc, Extended, "d2u", [Double(Pairs)], INT, NONE;
            }
            /// Storage buffers of 32-bit words. Addresses are in bytes, and their two lowest bits have no
            /// effect; word x is at the address, y, z and w are after it. There is nothing past the end. The
            /// lanes of a quad take turns in their order.
            Storage: StorageOp {
                /// Loads words of a storage buffer from byte `a` on; 0 where there is none.
                Ldb = 0xd0, Extended, "ldb", [Int(X), Storage], INT, NONE;
                /// Stores words of `c` to a storage buffer from byte `a` on; nowhere past its end.
                Stb = 0xd1, Extended, "stb", [Int(X), Storage, Int(Written)], STORAGE, NONE;
                /// The sum with `c` replaces the word at byte `a`; gives the old word, 0 where there is none.
                Atomadd = 0xd2, Extended, "atomadd", [Int(X), Storage, Int(X)], INT, NONE;
                /// `c` replaces the word at byte `a`; gives the old word, 0 where there is none.
                Atomxchg = 0xd3, Extended, "atomxchg", [Int(X), Storage, Int(X)], INT, NONE;
                /// `c.y` replaces the word at byte `a` if that is `c.x`; gives the old word, 0 where there is none.
                Atomcas = 0xd4, Extended, "atomcas", [Int(X), Storage, Int(XY)], INT, NONE;
                /// The bitwise and with `c` replaces the word at byte `a`; gives the old word, 0 where there is none.
                Atomand = 0xd5, Extended, "atomand", [Int(X), Storage, Int(X)], INT, NONE;
                /// The bitwise or with `c` replaces the word at byte `a`; gives the old word, 0 where there is none.
                Atomor = 0xd6, Extended, "atomor", [Int(X), Storage, Int(X)], INT, NONE;
                /// The bitwise exclusive or with `c` replaces the word at byte `a`; gives the old word, 0 where there is none.
                Atomxor = 0xd7, Extended, "atomxor", [Int(X), Storage, Int(X)], INT, NONE;
                /// The lesser of it and `c`, unsigned, replaces the word at byte `a`; gives the old word, 0 where there is none.
                Atomumin = 0xd8, Extended, "atomumin", [Int(X), Storage, Int(X)], INT, NONE;
                /// The greater of it and `c`, unsigned, replaces the word at byte `a`; gives the old word, 0 where there is none.
                Atomumax = 0xd9, Extended, "atomumax", [Int(X), Storage, Int(X)], INT, NONE;
                /// The lesser of it and `c`, signed, replaces the word at byte `a`; gives the old word, 0 where there is none.
                Atomimin = 0xda, Extended, "atomimin", [Int(X), Storage, Int(X)], INT, NONE;
                /// The greater of it and `c`, signed, replaces the word at byte `a`; gives the old word, 0 where there is none.
                Atomimax = 0xdb, Extended, "atomimax", [Int(X), Storage, Int(X)], INT, NONE;
                /// The size of a storage buffer in bytes.
                Bufsize = 0xdc, Extended, "bufsize", [Storage], INT, NONE;
            }
            /// The samples of a pixel, and inputs at other places of it than its centre. Positions are packed
            /// offsets from the centre: 1/16 pixels, x in bits 0 to 15 and y in bits 16 to 31, with signs.
            Samples: SamplesOp {
                /// The number of samples that a pixel has.
                PixldCount = 0x50, Extended, "pixld_count", [], INT, SAMPLES;
                /// The covered samples of the pixel, bit n for sample n.
                PixldMask = 0x51, Extended, "pixld_mask", [], INT, SAMPLES;
                /// All bits if the sample of the index is covered, else 0; the predicate says the same.
                PixldCovered = 0x52, Extended, "pixld_covered", [Index, Number], INT_AND_PREDICATE, SAMPLES;
                /// The position of the sample of the index; the centre if there is no such sample.
                PixldOffset = 0x53, Extended, "pixld_offset", [Index, Number], INT, SAMPLES;
                /// The position of the lowest covered sample; the centre if all or none are covered.
                PixldCentroid = 0x54, Extended, "pixld_centroid", [], INT, SAMPLES;
                /// The sample that the program runs for, or 0; the predicate says whether there is one.
                PixldIndex = 0x55, Extended, "pixld_index", [], INT_AND_PREDICATE, SAMPLES;
                /// The input `a` at the packed offset `b` from the pixel's centre.
                Evalo = 0x56, Extended, "evalo", [Input, Int(W)], FLOAT, IMM.union(EVALUATE);
                /// The input `a` at the position that `pixld_centroid` gives.
                Evalc = 0x57, Extended, "evalc", [Input], FLOAT, SAMPLES.union(EVALUATE);
                /// The input `a` at the position of sample `b`, or the centre if there is no such sample.
                Evals = 0x58, Extended, "evals", [Input, Int(W)], FLOAT, IMM.union(SAMPLES).union(EVALUATE);
            }
            /// Kills, exported depths and the current sample.
            Export: ExportOp {
                /// Kills the fragment if any component is below 0.
                Kil = 0x29, Base, "kil", [Float(XYZW)], NOTHING, KILL;
                /// Kills one sample of the fragment if any component is below 0.
                Kls = 0x2a, Base, "kls", [Float(XYZW), Sample], NOTHING, KILL;
                /// Exports x as the depth of sample 0.
                Zxp = 0x2b, Base, "zxp", [Float(X)], NOTHING, DEPTH;
                /// Exports x, y, z, w as the depths of the current sample and the three after it.
                Zxs = 0x2c, Base, "zxs", [Float(XYZW), Sample], NOTHING, DEPTH;
                /// As `cmp`; then kills the fragment if a written component is below 0.
                Cmpkil = 0x2e, Base, "cmpkil", [Float(Written), Float(Written), Float(Written)], FLOAT, KILL;
                /// Advances the current sample by one.
                Chs = 0x2f, Base, "chs", [], NOTHING, NONE;
            }
            /// Vertices that geometry programs make.
            Geometry: GeometryOp {
                /// Emits a vertex with the outputs as they are.
                Emit = 0xc0, Extended, "emit", [Stream], NOTHING, EMIT;
                /// Ends the primitive: the next vertex begins another.
                Endprim = 0xc1, Extended, "endprim", [Stream], NOTHING, EMIT;
            }
            /// Operations that decide where a lane goes on.
            Flow: FlowOp {
                /// Does nothing.
                Nop = 0x00, Base, "nop", [], NOTHING, NONE;
                /// Per lane: goes to `pc + offset` if the condition is true.
                Jmp = 0x36, Base, "jmp", [Bool, Offset], NOTHING, NONE;
                /// Ends the lane.
                End = 0x37, Base, "end", [], NOTHING, NONE;
            }
            /// Fixed-point operations with the accumulator.
            Fixed: FixedOp {
                /// Fixed-point `a * b` into the accumulator.
                Fxmul = 0x31, Base, "fxmul", [Float(Written), Float(Written)], ACCUMULATOR, IMM;
                /// Fixed-point `a * b + accumulator` as float; the third operand is ignored.
                Fxmad = 0x32, Base, "fxmad", [Float(Written), Float(Written), Ignored], FLOAT, IMM;
                /// Fixed-point `a * b + c` into the accumulator.
                Fxmad2 = 0x33, Base, "fxmad2", [Float(Written), Float(Written), Float(Written)], ACCUMULATOR, NONE;
            }
        }
    };
}
