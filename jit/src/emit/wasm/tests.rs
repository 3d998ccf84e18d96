//! Modules are valid, and small.

use std::collections::BTreeSet;

use wasmparser::{Parser, Payload, Validator, WasmFeatures};

use super::Wasm;
use crate::emit::plan::Plan;
use crate::emit::{Made, Source};
use crate::ir::Function;
use crate::ir::tests::{functions, layout, sides};

/// The module of a function, which is validated with the features that browsers have had since 2021, and with relaxed
/// vectors only if they are asked for.
fn validated(name: &str, function: &Function, wasm: Wasm) -> (Vec<u8>, Plan) {
    let quads = if function.is_straight_line() { 4 } else { 1 };
    let mut made = None;
    for quads in [1, quads] {
        let source = Source {
            function,
            layout: layout(function),
            quads,
        };
        let (
            Made {
                bytes: module,
                origins,
            },
            plan,
        ) = wasm.module(&source);
        let mut features = WasmFeatures::WASM2;
        features.set(WasmFeatures::RELAXED_SIMD, wasm.fused);
        let valid = Validator::new_with_features(features).validate_all(&module);
        valid
            .unwrap_or_else(|error| panic!("{name}, {wasm:?}, {quads} quads: {error}\n{function}"));
        let begins = instructions(&module);
        for (at, _) in origins {
            assert!(
                begins.contains(&at),
                "{name}: no instruction begins at {at}"
            );
        }
        made.get_or_insert((module, plan));
    }
    made.expect("there is a module for one quad")
}

/// Where instructions of a module begin.
fn instructions(module: &[u8]) -> BTreeSet<usize> {
    let mut begins = BTreeSet::new();
    for payload in Parser::new(0).parse_all(module) {
        if let Payload::CodeSectionEntry(body) = payload.expect("it is valid") {
            let operators = body.get_operators_reader().expect("it is valid");
            let operators = operators.into_iter_with_offsets();
            begins.extend(operators.map(|operator| operator.expect("it is valid").1 as usize));
        }
    }
    begins
}

#[test]
fn the_modules_of_every_file_and_program_are_valid() {
    for fused in [false, true] {
        let wasm = Wasm { fused };
        for (name, function) in functions() {
            validated(&name, &function, wasm);
        }
        for (text, function) in sides::lowered(&wasm.vectors()) {
            validated(text, &function, wasm);
        }
    }
}
