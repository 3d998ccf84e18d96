//! How often the generator does what.

use attila_shader::isa::Profile;

/// The shape of a case's program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// One instruction, run from an arbitrary state: little to search, already minimal.
    Single,
    /// Up to [`Options::length`] instructions with control flow.
    Program,
}

/// Settings of the generator. Frequencies are in percent.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// The profile whose opcodes and registers programs draw from.
    pub profile: Profile,
    /// The shape; `None` mixes both.
    pub mode: Option<Mode>,
    /// How often the shape is [`Mode::Single`], if `mode` leaves it open.
    pub single: u8,
    /// How often the program is a vertex program.
    pub vertex: u8,
    /// How often a program of another stage is a geometry program.
    pub geometry: u8,
    /// The most instructions in a program, about.
    pub length: usize,
    /// The most quads of a case: enough for every remainder of quads computed together.
    pub quads: usize,
    /// The most quads of a case of a single instruction.
    pub single_quads: usize,
    /// How often a case has five times as many quads at most.
    pub many_quads: u8,
    /// How often an instruction has a guard.
    pub guard: u8,
    /// How often a result is saturated or inverted.
    pub saturate: u8,
    /// How often a result is written in full.
    pub full_mask: u8,
    /// How often an operand is swizzled at random; else it is as it is, or one component.
    pub swizzle: u8,
    /// How often a sign modifier is set, each of the two.
    pub modifier: u8,
    /// How often a second operand that may be an immediate is one.
    pub immediate: u8,
    /// How often the constants of an instruction are relative.
    pub relative: u8,
    /// How often an instruction carries the hint that has no effect.
    pub wait: u8,
    /// How often a place in a program is taken by an if, with or without an else.
    pub branch: u8,
    /// How often a place in a program is taken by a loop.
    pub repeat: u8,
    /// The deepest nesting of ifs and loops, at most 4.
    pub depth: usize,
    /// The most rounds of a loop, from 1.
    pub rounds: u8,
    /// How often a place in a loop is taken by a conditional jump out of it or to its next round.
    pub leave: u8,
    /// How often a place in an if or loop ends the lanes that come there.
    pub early_end: u8,
    /// How often a place in a program is taken by a jump to anywhere.
    pub wild_jump: u8,
    /// How often a case has a loop budget that even well-behaved loops may use up.
    pub small_budget: u8,
    /// How often a register that the program does not name holds something at the start.
    pub unnamed: u8,
    /// How often all lanes of a register start with the same value.
    pub same_lanes: u8,
    /// How often a case has images; else a formula answers its questions to textures.
    pub images: u8,
    /// How often an instruction has to be one that asks textures.
    pub textures: u8,
    /// How often a program may have what only code with vectors of 128 bits does, [`is_narrow`](crate::census::is_narrow)
    /// among it. Others have it never, as single instructions do.
    pub narrow: u8,
}

impl Options {
    /// The options that find most in the least time.
    pub const DEFAULT: Options = Options {
        profile: Profile::Base,
        mode: None,
        single: 50,
        vertex: 25,
        geometry: 0,
        length: 60,
        quads: 7,
        single_quads: 7,
        many_quads: 2,
        guard: 25,
        saturate: 25,
        full_mask: 40,
        swizzle: 35,
        modifier: 20,
        immediate: 25,
        relative: 25,
        wait: 3,
        branch: 12,
        repeat: 7,
        depth: 3,
        rounds: 5,
        leave: 12,
        early_end: 4,
        wild_jump: 1,
        small_budget: 8,
        unnamed: 4,
        same_lanes: 25,
        images: 0,
        textures: 0,
        narrow: 6,
    };

    /// The same of the extended profile.
    pub const EXTENDED: Options = Options {
        profile: Profile::Extended,
        geometry: 15,
        // There are two paths, and products in which zero wins.
        saturate: 35,
        // Registers of the base profile, mostly: three quarters of the others are of no use.
        unnamed: 1,
        // Compiling takes most of the time of such a case.
        single_quads: 20,
        images: 5,
        // Storage buffers, vertices and inputs at other places have many opcodes.
        narrow: 20,
        ..Options::DEFAULT
    };

    /// Programs of the extended profile that mostly ask textures, all of which are images.
    pub const TEXTURES: Options = Options {
        length: 12,
        images: 100,
        textures: 60,
        ..Options::EXTENDED
    };
}

impl Default for Options {
    fn default() -> Self {
        Options::DEFAULT
    }
}
