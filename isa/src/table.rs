//! The opcode table: one row per opcode, the only place where an opcode is described.
//!
//! The encoder, decoder, assembler, printer, validator, usage analysis, random-program generator
//! and `docs/isa.md` all derive from it through [`for_each_opcode!`](crate::for_each_opcode).
//!
//! A row reads
//!
//! ```text
//! /// What it computes, in one sentence; becomes rustdoc and a line of docs/isa.md.
//! Name = code, "mnemonic", [operand kinds], result kind, flags;
//! ```
//!
//! Operand kinds are [`OperandKind`](crate::OperandKind) values, with the slots that the
//! instruction reads; result kinds are [`ResultKind`](crate::ResultKind) values; flags are
//! [`OpFlags`](crate::OpFlags) constants. Swizzles, modifiers, masks and guards apply to every
//! opcode alike and are not repeated here.

/// Calls the macro `$m` with every row of the opcode table.
#[macro_export]
macro_rules! for_each_opcode {
    ($m:ident) => {
        $m! {
            /// Does nothing.
            Nop = 0x00, "nop", [], Nothing, NONE;
            /// `a + b` per component.
            Add = 0x01, "add", [Float(Written), Float(Written)], Float, IMM;
            /// Wrapping integer `a + b` per component.
            Addi = 0x02, "addi", [Int(Written), Int(Written)], Int, IMM;
            /// `floor(a)` as i32 per component; NaN and out of range give -2147483648.
            Arl = 0x03, "arl", [Float(Written)], Int, NONE;
            /// Predicate `a && b`; a constant counts as true if its raw word is not 0.
            Andp = 0x04, "andp", [Bool, Bool], Predicate, NONE;
            /// `cos(a)`, a in radians, in all components.
            Cos = 0x07, "cos", [Float(W)], Float, APPROX;
            /// `(a.x*b.x + a.y*b.y) + a.z*b.z` in all components.
            Dp3 = 0x08, "dp3", [Float(XYZ), Float(XYZ)], Float, IMM;
            /// `((a.x*b.x + a.y*b.y) + a.z*b.z) + a.w*b.w` in all components.
            Dp4 = 0x09, "dp4", [Float(XYZW), Float(XYZW)], Float, IMM;
            /// `((a.x*b.x + a.y*b.y) + a.z*b.z) + b.w` in all components.
            Dph = 0x0a, "dph", [Float(XYZ), Float(XYZW)], Float, IMM;
            /// `(1, a.y*b.y, a.z, b.w)`.
            Dst = 0x0b, "dst", [Float(YZ), Float(YW)], Float, IMM;
            /// `2^a` in all components.
            Ex2 = 0x0c, "ex2", [Float(W)], Float, APPROX;
            /// `(2^floor(a), a - floor(a), 2^a, 1)`.
            Exp = 0x0d, "exp", [Float(W)], Float, APPROX;
            /// `floor(a)` per component.
            Flr = 0x0e, "flr", [Float(Written)], Float, NONE;
            /// `a - floor(a)` per component.
            Frc = 0x0f, "frc", [Float(Written)], Float, NONE;
            /// `log2(a)` in all components.
            Lg2 = 0x10, "lg2", [Float(W)], Float, APPROX;
            /// `(1, max0(x), x > 0 ? max0(y)^clamp(w, -128, 128) : 0, 1)`.
            Lit = 0x11, "lit", [Float(XYW)], Float, APPROX;
            /// `(floor(log2|a|), |a| / 2^floor(log2|a|), log2|a|, 1)`.
            Log = 0x12, "log", [Float(W)], Float, APPROX;
            /// `a*b + c` per component, not fused.
            Mad = 0x13, "mad", [Float(Written), Float(Written), Float(Written)], Float, NONE;
            /// `(a > b) ? a : b` per component.
            Max = 0x14, "max", [Float(Written), Float(Written)], Float, IMM;
            /// `(a < b) ? a : b` per component.
            Min = 0x15, "min", [Float(Written), Float(Written)], Float, IMM;
            /// Copies the bits of `a`.
            Mov = 0x16, "mov", [Float(Written)], Float, NONE;
            /// `a * b` per component.
            Mul = 0x17, "mul", [Float(Written), Float(Written)], Float, IMM;
            /// The low 32 bits of the integer product per component.
            Muli = 0x18, "muli", [Int(Written), Int(Written)], Int, IMM;
            /// `1 / a` in all components.
            Rcp = 0x19, "rcp", [Float(W)], Float, NONE;
            /// `sqrt(1 / |a|)`, two roundings, in all components.
            Rsq = 0x1b, "rsq", [Float(W)], Float, NONE;
            /// Predicate `a == b`.
            Setpeq = 0x1c, "setpeq", [Float(W), Float(W)], Predicate, IMM;
            /// Predicate `a > b`.
            Setpgt = 0x1d, "setpgt", [Float(W), Float(W)], Predicate, IMM;
            /// `(a < b) ? 0.0 : 1.0` per component; NaN gives 1.
            Sge = 0x1e, "sge", [Float(Written), Float(Written)], Float, IMM;
            /// Predicate `a < b`.
            Setplt = 0x1f, "setplt", [Float(W), Float(W)], Predicate, IMM;
            /// `sin(a)`, a in radians, in all components.
            Sin = 0x20, "sin", [Float(W)], Float, APPROX;
            /// Predicate `a == b` on integers.
            Stpeqi = 0x21, "stpeqi", [Int(W), Int(W)], Predicate, IMM;
            /// `(a < b) ? 1.0 : 0.0` per component; NaN gives 0.
            Slt = 0x22, "slt", [Float(Written), Float(Written)], Float, IMM;
            /// Predicate `a > b` on signed integers.
            Stpgti = 0x23, "stpgti", [Int(W), Int(W)], Predicate, IMM;
            /// Predicate `a < b` on signed integers.
            Stplti = 0x24, "stplti", [Int(W), Int(W)], Predicate, IMM;
            /// Samples a texture unit at xyz with the level of detail w.
            Txl = 0x25, "txl", [Float(XYZW), Unit], Float, TEXTURE;
            /// Samples a texture unit at xyz.
            Tex = 0x26, "tex", [Float(XYZ), Unit], Float, TEXTURE.union(QUAD);
            /// Samples a texture unit at xyz with the level-of-detail bias w.
            Txb = 0x27, "txb", [Float(XYZW), Unit], Float, TEXTURE.union(QUAD);
            /// Samples a texture unit at xyz / w.
            Txp = 0x28, "txp", [Float(XYZW), Unit], Float, TEXTURE.union(QUAD);
            /// Kills the fragment if any component is below 0.
            Kil = 0x29, "kil", [Float(XYZW)], Nothing, KILL;
            /// Kills one sample of the fragment if any component is below 0.
            Kls = 0x2a, "kls", [Float(XYZW), Sample], Nothing, KILL;
            /// Exports x as the depth of sample 0.
            Zxp = 0x2b, "zxp", [Float(X)], Nothing, DEPTH;
            /// Exports x, y, z, w as the depths of the current sample and the three after it.
            Zxs = 0x2c, "zxs", [Float(XYZW), Sample], Nothing, DEPTH;
            /// `(a < 0) ? b : c` per component; -0 and NaN select c.
            Cmp = 0x2d, "cmp", [Float(Written), Float(Written), Float(Written)], Float, NONE;
            /// As `cmp`; then kills the fragment if a written component is below 0.
            Cmpkil = 0x2e, "cmpkil", [Float(Written), Float(Written), Float(Written)], Float, KILL;
            /// Advances the current sample by one.
            Chs = 0x2f, "chs", [], Nothing, NONE;
            /// Fetches a vertex attribute at the index in the raw bits of x.
            Lda = 0x30, "lda", [Raw(X), Attribute], Float, NONE;
            /// Fixed-point `a * b` into the accumulator.
            Fxmul = 0x31, "fxmul", [Float(Written), Float(Written)], Accumulator, IMM;
            /// Fixed-point `a * b + accumulator` as float; the third operand is ignored.
            Fxmad = 0x32, "fxmad", [Float(Written), Float(Written), Ignored], Float, IMM;
            /// Fixed-point `a * b + c` into the accumulator.
            Fxmad2 = 0x33, "fxmad2", [Float(Written), Float(Written), Float(Written)], Accumulator, NONE;
            /// Difference between the right and the left lane of the quad's row.
            Ddx = 0x34, "ddx", [Float(Written)], Float, QUAD;
            /// Difference between the lower and the upper lane of the quad's column.
            Ddy = 0x35, "ddy", [Float(Written)], Float, QUAD;
            /// Per lane: goes to `pc + offset` if the condition is true.
            Jmp = 0x36, "jmp", [Bool, Offset], Nothing, NONE;
            /// Ends the lane.
            End = 0x37, "end", [], Nothing, NONE;
        }
    };
}
