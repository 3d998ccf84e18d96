//! The cases of `attila fuzz programs`, with libFuzzer's bytes as the dice.
#![no_main]

use attila_conformance::{Case, CaseOptions, generate};
use attila_fuzz::check;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check::<Case>(bytes, &CaseOptions::Programs(generate::Options::DEFAULT));
});
