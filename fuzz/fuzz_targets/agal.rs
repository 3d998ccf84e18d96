//! Any bytes, as a byte program and as a text of AGAL: both readers say what is wrong and where, and never panic. A
//! program that is taken is the same in all of its forms.
#![no_main]

use attila_shader::front::agal::{self, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let options = Options::default();
    let strict = Options {
        strict: true,
        ..options
    };
    for options in [options, strict] {
        match agal::compile_bytes(bytes, &options) {
            Ok(_) => {
                let program = agal::decode(bytes, &options).expect("it has been read");
                assert_eq!(agal::encode(&program), bytes);
                let again = Options {
                    stage: Some(program.stage),
                    version: Some(program.version),
                    ..options
                };
                let listing = agal::disassemble(&program);
                let mut again = agal::assemble(&listing, &again).expect("it is a listing");
                again.has_swapped_version = program.has_swapped_version;
                assert_eq!(agal::encode(&again), bytes, "{listing}");
            }
            Err(error) => {
                for finding in error.findings {
                    assert!(bytes.get(finding.span.clone()).is_some(), "{finding}");
                }
            }
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            continue;
        };
        if let Err(error) = agal::compile(text, &options) {
            for diagnostic in error.diagnostics {
                assert!(text.get(diagnostic.span.clone()).is_some(), "{diagnostic}");
            }
        }
    }
});
