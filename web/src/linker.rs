//! The page's part in compiling: it makes functions of this module's table from other modules.
#![allow(unsafe_code, reason = "the page is another language")]

use attila_shader::{Functions, Linker, set_linker};

#[link(wasm_import_module = "attila")]
unsafe extern "C" {
    /// Instantiates the module, and returns the place of its function in the table; negative if that fails. `functions`
    /// is a JSON object with the places of functions that it imports.
    safe fn link(
        module: *const u8,
        length: usize,
        functions: *const u8,
        functions_length: usize,
    ) -> i32;
    /// Empties a place of the table.
    safe fn unlink(place: usize);
}

/// Has the page link modules from now on.
pub(crate) fn begin() {
    let linker = Linker {
        link: |module: &[u8], functions: Functions<'_>| {
            let functions: serde_json::Map<_, _> = functions
                .iter()
                .map(|(name, place)| ((*name).to_owned(), (*place).into()))
                .collect();
            let functions = serde_json::Value::Object(functions).to_string();
            let place = link(
                module.as_ptr(),
                module.len(),
                functions.as_ptr(),
                functions.len(),
            );
            usize::try_from(place).ok()
        },
        unlink: |place| unlink(place),
    };
    // Only the first call sets one, and the page makes no other.
    let _ = set_linker(linker);
}
