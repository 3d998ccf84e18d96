//! The cases of `attila fuzz` for every language, with libFuzzer's bytes as the dice.
#![no_main]

use attila_conformance::texts::{LANGUAGES, TextCase};
use attila_fuzz::check;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for language in LANGUAGES {
        check::<TextCase>(bytes, &language);
    }
});
