//! Any text: TGSI's parser says what is wrong and where, and never panics.
#![no_main]

use attila_shader::front::tgsi::{self, Dialect, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let dialects = Dialect::ALL.map(Some).into_iter().chain([None]);
    for dialect in dialects {
        let options = Options {
            dialect,
            ..Options::default()
        };
        let Err(error) = tgsi::compile(text, &options) else {
            continue;
        };
        for diagnostic in error.diagnostics {
            assert!(text.get(diagnostic.span.clone()).is_some(), "{diagnostic}");
        }
    }
});
