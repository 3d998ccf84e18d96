//! `ATTILA_…_INIT` and a null pointer mean the same: the macros of the header have the library's defaults.

use std::fmt::Write;
use std::process::Command;

use crate::tools::{self, Link};

/// The bytes of a default. The structs have no room between their fields.
fn bytes<T: Default>() -> Vec<u8> {
    let value = T::default();
    // SAFETY: all bytes are those of fields, which are numbers and pointers.
    unsafe { std::slice::from_raw_parts((&raw const value).cast::<u8>(), size_of::<T>()).to_vec() }
}

macro_rules! structs {
    ($($name:ident),* $(,)?) => {
        [$((stringify!($name), bytes::<attila::$name>())),*]
    };
}

#[test]
fn initial_values_are_the_defaults_of_the_library() {
    let structs = structs![
        attila_load_options,
        attila_usage,
        attila_diagnostic,
        attila_prepare_options,
        attila_sampler,
        attila_image_data,
        attila_texture_unit,
        attila_attribute_source,
        attila_image,
        attila_state,
        attila_varying,
        attila_frame,
        attila_array,
        attila_attribute,
        attila_triangles,
        attila_mesh,
        attila_column,
        attila_output,
        attila_map,
    ];
    let folder = tools::folder("initial");
    let mut source =
        "#include <attila.h>\n#include <stdio.h>\nint main(void) {\nsize_t n;\n".to_owned();
    for (name, _) in &structs {
        let init = name.to_uppercase();
        writeln!(
            source,
            "{{ static const {name} it = {init}_INIT;\nfor (n = 0; n < sizeof(it); n++) \
             printf(\"%02x\", ((const unsigned char *)&it)[n]);\nputs(\"\"); }}"
        )
        .expect("it is a text");
    }
    let file = folder.join("initial.c");
    std::fs::write(&file, source + "return 0;\n}\n").expect("it can be written");
    let program = tools::compile(&file, &folder, Link::Shared, (&tools::include(), &[]));
    let Some(program) = program else {
        return;
    };
    let text = tools::text(&tools::run(&mut Command::new(program)));
    for (line, (name, bytes)) in text.lines().zip(structs) {
        assert_eq!(line.len(), 2 * bytes.len(), "the size of {name}");
        for (at, byte) in bytes.iter().enumerate() {
            let there = u8::from_str_radix(&line[2 * at..][..2], 16).expect("it is in base 16");
            assert!(*byte == there, "byte {at} of {name}");
        }
    }
}
