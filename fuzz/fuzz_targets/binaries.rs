//! The cases of `attila fuzz binaries`, with libFuzzer's bytes as the dice.
#![no_main]

use attila_conformance::binaries::BinaryCase;
use attila_conformance::generate::Options;
use attila_fuzz::check;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| check::<BinaryCase>(bytes, &Options::EXTENDED));
