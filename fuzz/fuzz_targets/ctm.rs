//! Any text, as a CTM program: the reader says what is wrong and where, and never panics. A program that is taken is
//! valid, and its words are those of its listing.
#![no_main]

use attila_shader::Program;
use attila_shader::front::ctm;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match ctm::compile(text) {
        Ok(translation) => {
            let program = translation.program;
            let listing = program.to_string();
            let again = Program::assemble(&listing).expect("it is a listing");
            assert_eq!(again.encode(), program.encode(), "{listing}");
            program.validate().expect("it is valid");
        }
        Err(error) => {
            for diagnostic in error.diagnostics {
                assert!(text.get(diagnostic.span.clone()).is_some(), "{diagnostic}");
            }
        }
    }
});
