//! Any bytes: what decodes is printed and encoded without loss.
#![no_main]

use attila_shader::Program;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(program) = Program::decode(bytes) else {
        return;
    };
    let canonical = program.encode();
    assert_eq!(Program::decode(&canonical).as_ref(), Ok(&program));
    let text = program.to_string();
    match Program::assemble(&text) {
        Ok(again) => assert_eq!(again.encode(), canonical, "{text}"),
        Err(error) => panic!("{error}\n{text}"),
    }
    let _ = program.validate();
});
