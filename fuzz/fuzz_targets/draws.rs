//! The cases of `attila fuzz draws`, with libFuzzer's bytes as the dice.
#![no_main]

use attila_conformance::draws::DrawCase;
use attila_fuzz::check;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| check::<DrawCase>(bytes, &()));
