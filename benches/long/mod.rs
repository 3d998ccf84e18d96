//! The program that took the JIT longest, once.

use attila_shader::{Program, ValidProgram};

/// Numbers that look random, the same every time.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (self.0 >> 33) as usize % limit
    }

    /// A temporary's component.
    pub(crate) fn component(&mut self) -> String {
        let letter = ["x", "y", "z", "w"][self.below(4)];
        format!("r{}.{letter}", self.below(32))
    }
}

/// `length` instructions, of which `line` makes all but those that control takes, over 32
/// temporaries: blocks of the same length, each of which ends in a jump to a random one, half of them
/// back.
pub(crate) fn jumping(
    random: &mut Random,
    length: usize,
    blocks: usize,
    mut line: impl FnMut(&mut Random) -> String,
) -> ValidProgram {
    const AROUND: usize = 32 + 16;
    let start = |n| format!("add r{n}, i{}, c{n}\n", 1 + n % 15);
    let mut text: String = (0..32).map(start).collect();
    let per_block = (length - AROUND) / blocks;
    for block in 0..blocks {
        text += &format!("b{block}:\n");
        for _ in 2..per_block {
            text += &line(random);
            text += "\n";
        }
        let (p, left, right) = (block % 32, random.component(), random.component());
        let target = match random.below(2) {
            0 => random.below(block + 1),
            _ => block + 1 + random.below(blocks - block),
        };
        text += &format!("setpgt p{p}, {left}, {right}\njmp p{p}, b{target}\n");
    }
    text += &format!("b{blocks}:\n");
    text.extend((0..15).map(|n| format!("dp4 o{}, r{n}, r{}\n", 1 + n, n + 16)));
    let program = Program::assemble(&(text + "end")).expect("the text is right");
    program.validate().expect("the program is valid")
}

/// 8048 instructions in 200 blocks: dot products.
pub(crate) fn dot_products() -> ValidProgram {
    jumping(&mut Random(1), 8048, 200, |random| {
        let [a, b] = [(); 2].map(|()| random.below(32));
        format!("dp4_sat {}, r{a}, r{b}", random.component())
    })
}
