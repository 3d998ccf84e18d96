//! Any text: assembler and directives say what is wrong and where, and never panic.
#![no_main]

use attila_conformance::directives;
use attila_shader::isa::assemble;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for diagnostic in assemble(text).diagnostics {
        assert!(text.get(diagnostic.span.clone()).is_some(), "{diagnostic}");
    }
    for error in directives::parse(text, &[]).err().into_iter().flatten() {
        assert!(text.get(error.span.clone()).is_some(), "{error}");
    }
});
