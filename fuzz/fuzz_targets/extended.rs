//! Any words after the header of extended programs, with the count that fits them: what decodes is encoded without
//! loss.
#![no_main]

use attila_shader::Program;
use libfuzzer_sys::fuzz_target;

/// Bytes of an instruction.
const WORD: usize = 16;

fuzz_target!(|bytes: &[u8]| {
    let [stage, scratch, words @ ..] = bytes else {
        return;
    };
    let count = (words.len() / WORD) as u32;
    let mut file = b"ATTX\x01".to_vec();
    file.extend([*stage, 0, 0]);
    file.extend(count.to_le_bytes());
    file.extend(u32::from(*scratch).to_le_bytes());
    file.extend(&words[..words.len() / WORD * WORD]);
    let Ok(program) = Program::decode(&file) else {
        return;
    };
    let canonical = program.encode();
    assert_eq!(Program::decode(&canonical).as_ref(), Ok(&program));
    let _ = program.validate();
});
