//! The programs that the benches run.

use attila_shader::{Program, ValidProgram};

/// A program of `length` instructions, a plausible mix over eight temporaries: half of it MAD,
/// MUL and ADD, the rest dot products, MIN, MAX, CMP, RSQ, and now and then EX2 and LG2. Values
/// stay within a few powers of two, so that nothing turns into NaN or denormals on the way.
pub(crate) fn alu(length: usize) -> ValidProgram {
    let mut lines: Vec<String> = (0..8)
        .map(|r| format!("mad r{r}, i{}, c{r}, c{}", 1 + r % 2, r + 8))
        .collect();
    for step in 0..length.saturating_sub(9) {
        let (d, a, b, c) = (
            step * 5 % 8,
            (step * 3 + 1) % 8,
            (step * 7 + 2) % 8,
            (step + 5) % 8,
        );
        lines.push(match step % 12 {
            0 | 4 | 8 => format!("mad r{d}, r{a}, c{}, r{b}.yzwx", 16 + step % 16),
            1 | 7 => format!("mul r{d}, r{a}, c{}", 16 + step % 16),
            2 => format!("dp3_sat r{d}, r{a}, r{b}"),
            3 => format!("add r{d}.xyz, r{a}, -r{b}"),
            5 => format!("max r{d}, r{a}, c{}", 16 + step % 16),
            6 => format!("min r{d}, r{a}, r{b}"),
            9 => format!("cmp r{d}, r{a}, r{b}, r{c}"),
            10 => format!("rsq r{d}.w, |r{a}.x|"),
            _ if step % 24 == 11 => format!("ex2_sat r{d}.x, -|r{a}.y|"),
            _ => format!("dp4_sat r{d}, r{a}, c{}", 16 + step % 16),
        });
    }
    lines.push("add o1, r3, r6".into());
    assembled(&lines.join("\n"))
}

/// Each lane iterates z = z² + c until |z|² exceeds 4, at most 16 times.
pub(crate) fn lane_loop() -> ValidProgram {
    assembled(
        "
        mov r0, i1
    again:
        mul r1, r0.xyxw, r0.xyyw
        add r1.w, r1.x, r1.y
        setpgt p0, r1.w, 4
        jmp p0, out
        add r0.x, r1.x, -r1.y
        add r0.y, r1.z, r1.z
        add r0.xy, r0.xyzw, c0.xyzw
        add r2.x, r2.x, 1
        setplt p1, r2.x, 16
        jmp p1, again
    out:
        mul o1, r2.x, c1.x
        end",
    )
}

/// Every other instruction is guarded by a predicate that differs between lanes.
pub(crate) fn predication() -> ValidProgram {
    assembled(
        "
        setpgt p0, i1.x, 0.5
        setplt p1, i1.y, i1.x
        mul r0, i1, c0
        (p0) mad r0, r0, c1, i2
        (!p0) add r0.xyz, r0, -c2
        (p1) max r1, r0, c3
        (!p1) min r1, r0, c4
        dp3 r2, r1, i2
        (p0) mul r1.xyz, r1, r2
        (!p1) mov r1.w, r2.x
        andp p2, p0, !p1
        (p2) add r1, r1, c5
        add o1, r1, r0
        end",
    )
}

/// Assembles and validates one of the texts above.
fn assembled(text: &str) -> ValidProgram {
    let program = Program::assemble(text).expect("a bench's program assembles");
    program.validate().expect("a bench's program is valid")
}
