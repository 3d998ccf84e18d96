//! The forms that a program is written in and read from: assembly, with distances or with labels, and bytes.

use attila_shader::isa::{Listing, Profile, Program};

/// Checks that every form of a program reads back as the program, and that writing it again changes nothing:
/// `attila asm` and `attila dis` may follow each other in any order.
///
/// # Errors
///
/// The form that is another program or none.
pub fn round_trip(program: &Program) -> Result<(), String> {
    let bytes = program.encode();
    let decoded = Program::decode(&bytes).map_err(|error| format!("not decoded: {error}"))?;
    if !is_same(&decoded, program) || decoded.encode() != bytes {
        return Err(format!("encoded as another program:\n{decoded}"));
    }
    for written in [program, &decoded] {
        assembled(program, &bytes, written.listing())?;
        assembled(program, &bytes, written.listing().with_labels())?;
    }
    Ok(())
}

/// Checks a printout of `program`, which is coded in `bytes`.
fn assembled(program: &Program, bytes: &[u8], listing: Listing<'_>) -> Result<(), String> {
    let text = listing.to_string();
    let read =
        Program::assemble(&text).map_err(|error| format!("not assembly: {error}\n{text}"))?;
    if is_same(&read, program) && read.encode() == bytes && read.to_string() == program.to_string()
    {
        Ok(())
    } else {
        Err(format!("printed as another program:\n{text}"))
    }
}

/// Whether two programs are equal. No form of a program of the base profile names its stage.
fn is_same(one: &Program, other: &Program) -> bool {
    match one.profile() {
        Profile::Base => *one == other.clone().with_stage(one.stage()),
        Profile::Extended => one == other,
    }
}

#[cfg(test)]
mod tests {
    use attila_shader::Stage;

    use super::*;

    fn program(text: &str) -> Program {
        Program::assemble(text).expect("it is a program")
    }

    #[test]
    fn programs_of_both_profiles_survive_all_forms() {
        for text in [
            "mov o1, i1",
            "loop: add r0, r0, c0\nsetpgt p0, r0.x, c1.x\njmp p0, loop\nmov o1, r0",
            ".extended compute scratch 3\nadd r200, i60, 0x7fc00001\nstt s0[3], r200.x, r200\nend",
            ".extended geometry\nemit s1\nend",
            "mov o1, i1 <- noend",
        ] {
            assert_eq!(round_trip(&program(text)), Ok(()), "{text}");
        }
        let vertex = program("mov o0, i0").with_stage(Stage::Vertex);
        assert_eq!(round_trip(&vertex), Ok(()));
    }

    #[test]
    fn a_form_of_another_program_is_noticed() {
        let (one, other) = (program("mov o1, i1"), program("mov o1, i2"));
        let fault = assembled(&one, &one.encode(), other.listing());
        let message = fault.expect_err("they differ");
        assert_eq!(message, "printed as another program:\nmov o1, i2 <- end\n");
    }
}
