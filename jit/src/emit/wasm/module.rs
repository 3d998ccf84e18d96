//! The module around a function.
//!
//! ```text
//! import attila memory                 with the context and all that it leads to
//! import attila attila_texture, …      the runtime's entries that the function calls
//! export shader                        context, first record or span, their number -> status
//! ```

use rustc_hash::FxHashMap;
use wasm_encoder::{
    CodeSection, EntityType, ExportKind, ExportSection, Function, FunctionSection, ImportSection,
    MemoryType, Module, TypeSection, ValType,
};

use super::Wasm;
use super::calls::{Callee, NUMBER, number};
use super::function::{Body, PARAMETERS, emit};
use super::fused;
use crate::emit::plan::Plan;
use crate::emit::{Made, Source};
use crate::runtime::Entry;

/// The module from which all is imported.
const FROM: &str = "attila";

/// The types of functions, by their numbers.
const SHADER: u32 = 0;
const ENTRY: u32 = 1;
const FUSED: u32 = 2;

/// The module with the code of a function.
pub(super) fn module(options: Wasm, source: &Source<'_>, plan: &Plan) -> Made {
    let mut bodies = vec![(SHADER, emit(options, source, plan))];
    if bodies[0].1.calls.iter().any(|(_, to)| *to == Callee::Fused) {
        bodies.push((FUSED, fused::body()));
    }
    let entries = entries(&bodies[0].1);
    let mut numbers: FxHashMap<Callee, u32> = FxHashMap::default();
    let callees = entries.iter().map(|&entry| Callee::Entry(entry));
    numbers.extend(callees.zip(0..));
    let shader = entries.len() as u32;
    numbers.insert(Callee::Fused, shader + 1);
    let mut code = CodeSection::new();
    let mut functions = FunctionSection::new();
    let mut origins = std::mem::take(&mut bodies[0].1.origins);
    let (shader_length, mut shader_end) = (bodies[0].1.code.len(), 0);
    for (ty, mut body) in bodies {
        for (place, callee) in body.calls {
            let number = number(numbers[&callee]);
            body.code[place..place + NUMBER].copy_from_slice(&number);
        }
        functions.function(ty);
        let mut function = Function::new_with_locals_types(body.locals);
        code.function(function.raw(body.code));
        if ty == SHADER {
            shader_end = code.byte_len();
        }
    }
    let mut exports = ExportSection::new();
    exports.export("shader", ExportKind::Func, shader);
    let mut module = Module::new();
    module
        .section(&types())
        .section(&imports(&entries))
        .section(&functions)
        .section(&exports)
        .section(&code);
    let bytes = module.finish();
    // The code is last.
    let begin = bytes.len() - (code.byte_len() - shader_end) - shader_length;
    origins.iter_mut().for_each(|(at, _)| *at += begin);
    Made { bytes, origins }
}

/// The entries that a function calls, in the order of their numbers.
fn entries(body: &Body) -> Vec<Entry> {
    let calls = |entry| {
        let mut calls = body.calls.iter();
        calls.any(|(_, callee)| *callee == Callee::Entry(entry))
    };
    Entry::ALL
        .into_iter()
        .filter(|&entry| calls(entry))
        .collect()
}

fn types() -> TypeSection {
    let mut types = TypeSection::new();
    types.ty().function(PARAMETERS, [ValType::I64]);
    let parameters = [ValType::I32, ValType::I32, ValType::I64, ValType::I32];
    types.ty().function(parameters, []);
    types.ty().function(fused::PARAMETERS, [ValType::V128]);
    types
}

fn imports(entries: &[Entry]) -> ImportSection {
    let mut imports = ImportSection::new();
    let memory = MemoryType {
        minimum: 1,
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    };
    imports.import(FROM, "memory", memory);
    for entry in entries {
        imports.import(FROM, entry.name(), EntityType::Function(ENTRY));
    }
    imports
}
