//! [`Code`]: the stable name of a kind of message, with what explains it.

/// A kind of message.
#[derive(PartialEq, Eq, Debug)]
pub struct Code {
    /// A letter and two digits. It keeps its meaning.
    pub name: &'static str,
    /// The kind in a few words.
    pub title: &'static str,
    /// Causes, and ways out.
    pub text: &'static str,
    /// A program or a command line that has such a message.
    pub example: &'static str,
}

/// Defines codes, a row each: `NAME = "T01" "title" "text" "example";`. `ALL` has them in their order.
#[macro_export]
macro_rules! codes {
    ($($id:ident = $name:literal $title:literal $text:literal $example:literal;)+) => {
        $(
            #[doc = concat!("`", $name, "`: ", $title, ".")]
            pub static $id: $crate::Code = $crate::Code {
                name: $name,
                title: $title,
                text: $text,
                example: $example,
            };
        )+
        /// All of them.
        pub static ALL: &[&$crate::Code] = &[$(&$id),+];
    };
}

/// Mistakes in texts, whatever their language.
pub mod text {
    codes! {
        RULE = "T01" "a rule of the language is broken"
            "The message says which. In AGAL programs it has the number of the error that Flash reports, where that is known."
            "mov o1, -i0.x_bx2";
        EXPECTED = "T02" "something else stands where the language expects a word or a sign"
            "The message has both. A mark that is missing before is often the cause."
            "mov o1 i0";
        INSTRUCTION = "T03" "an instruction that the language does not have"
            "`attila ops` lists the instructions of ATTILA, and the pages of docs/ those of other languages. The help line has the one that is spelled alike, or the instructions that do the same."
            "mvo o1, i0";
        NAME = "T04" "a register or another name that does not exist"
            "Its number is beyond the last one, or nothing declares the name."
            "mov o1, c99999";
        OPERANDS = "T05" "too few or too many operands, or one that cannot stand there"
            "The help line shows how the instruction is written. Results go to outputs and temporaries, and outputs cannot be read."
            "add o1, i0";
        COMPONENTS = "T06" "components that cannot stand there"
            "A swizzle has one or four components or fewer, from xyzw or rgba. A write mask has them in their order."
            "mov o1.yx, i0";
        NUMBER = "T07" "a number that is not one, or is too large"
            "The message says which numbers can stand there. `0x` stands before raw bits."
            "add o1, i0, 1e99";
        LIMIT = "T08" "more than the language or the machine has"
            "A limit of the language, as its specification has it, or of the machine: registers that are needed at once, constants, instructions, nesting. docs/machine.md lists the limits of the machine."
            ".extended scratch 100000\nmov o1, i0";
        ABSENT = "T09" "something that this profile, stage, version or option does not have"
            "The extended profile begins with a line `.extended`. Options of ARB programs, versions of AGAL and dialects of TGSI have more."
            "and r0, i0, i1\nmov o1, r0";
        TWICE = "T10" "something that is there already"
            "A name is declared once, and options that exclude each other do not stand together."
            "a: mov r0, i0\na: mov o1, r0";
        FLOW = "T11" "labels, conditions, loops or calls that do not belong together"
            "Each beginning has an end, and jumps lead to labels of the program."
            "jmp true, somewhere\nmov o1, i0";
        TEXTURE = "T12" "a texture target or sampler that does not fit the instruction"
            "The message says which targets and samplers it takes."
            "!!ARBfp1.0\nTEX result.color, fragment.texcoord[0], texture[0], CUBED;\nEND";
        NO_EFFECT = "T13" "something that has no effect"
            "A warning: the program is what it would be without it."
            ".extended\nand_sat r0, i0, i1\nmov o1, r0";
        MODIFIER = "T14" "a suffix that the instruction does not have"
            "Suffixes change results: a truth value cannot be saturated, and integers have no scale."
            "setpgt_sat p0, i0.x, 0\n(p0) mov o1, i0";
    }
}

/// Findings of validation.
pub mod program {
    codes! {
        EMPTY = "V01" "a program without instructions"
            "The shortest program is `end`."
            "; nothing";
        TOO_LONG = "V02" "more instructions than the profile has"
            "The base profile has 8192, the extended one 65,536. A loop may do what was unrolled."
            "yes 'mov o1, i0' | head -n 8193 | attila check -";
        SCRATCH_ARRAY = "V03" "an array that is not within the program's scratch memory"
            "`sN[M]` are M vectors from N on. The header `.extended scratch N` says how many there are."
            ".extended scratch 4\nldt o1, s2[4][i0.x]";
        JUMP_TARGET = "V04" "a jump out of the program"
            "The distance of a jump counts instructions from the jump itself. Labels cannot miss."
            "jmp p0, 9\nmov o1, i0";
        NO_END = "V05" "no lane can end"
            "Control has to be able to reach an `end` or an instruction with the end flag, `<- end`."
            "again: mov o1, i0\njmp true, again\nend";
        NO_NEIGHBOURS = "V06" "neighbours where lanes have none"
            "Derivatives, and lookups with an implied level of detail, need the 2x2 fragments of a quad."
            ";! stage vertex\nddx o1, i0";
        NOT_GEOMETRY = "V07" "vertices are emitted outside of geometry programs"
            "The header `.extended geometry` makes a program one for primitives."
            ".extended\nmov o0, i0\nemit 0";
        NOT_FRAGMENT = "V08" "an input at another place of the pixel, outside of fragment programs"
            "Only fragments have pixels, in which inputs vary."
            ".extended vertex\nevalc o0, i0";
        FREE_OFFSETS = "V09" "offsets of samples that differ from the original's"
            "The original machine has at most 8 samples at fixed positions. Here they are those of the samples in use."
            ".extended\npixld_offset r0.xy, [0]\nmov o1, r0.xyxy";
        RUNS_PAST_END = "V10" "control can run past the last instruction"
            "The program ends there, as if an `end` followed. Writing it says so."
            "mov o1, i0\njmp p0, 2\nend\njmp p0, -3";
        UNREACHABLE = "V11" "instructions that no lane can reach"
            "They stand after an `end` or an unconditional jump, and no jump leads to them."
            "mov o1, i0\nend\nmov o1, i1";
        NEVER_WRITTEN = "V12" "a temporary that is read but never written"
            "It is 0. The write mask of the instruction before may have too few components."
            "mov r0.x, i0\nmov o1, r0";
        PREDICATE_NEVER_WRITTEN = "V13" "a predicate that is read but never written"
            "It is false, unless `attila run --set p0=true` presets it."
            "(p3) mov o1, i0";
        PARTLY_WRITTEN = "V14" "an output with components that are never written"
            "They are 0: a colour without its w is transparent where alpha counts."
            "mov o1.xyz, i0";
        ALL_RELATIVE = "V15" "a relative address that applies to more constants than one"
            "The word of an instruction has one relative address, which all of its constants share."
            "echo 'add o1, c0[a0.x], c4[a0.x]' | attila asm - -o - | attila check -";
        NO_EFFECT = "V16" "a program that leaves no trace"
            "It writes no output, kills nothing, exports no depth, stores nothing and emits nothing."
            "mov r0, i0";
    }
}
