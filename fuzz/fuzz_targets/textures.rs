//! The cases of `attila fuzz textures`, with libFuzzer's bytes as the dice.
#![no_main]

use attila_conformance::textures::Scope;
use attila_conformance::{Case, CaseOptions};
use attila_fuzz::check;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check::<Case>(bytes, &CaseOptions::Textures(Scope::All));
});
