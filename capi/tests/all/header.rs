//! `include/attila.h` is made of the source, in the order of the source.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use cbindgen::{Builder, Config, DocumentationStyle, Language, Style};
use expect_test::expect_file;

/// The files that have what is exported, in the order of the header.
const FILES: [&str; 15] = [
    "basics",
    "status",
    "error",
    "program",
    "shader",
    "texture",
    "callback",
    "bindings",
    "image",
    "draw/state",
    "draw/input",
    "draw/frame",
    "draw/mod",
    "draw/shapes",
    "map",
];

/// The initial values of structs that callers fill, after the size. They are the defaults of the library.
const INITIAL: [(&str, &str); 19] = [
    ("attila_load_options", "{0, 0}, 0, 0, 0"),
    ("attila_usage", "0, 0, {0}, {0}, 0, 0, 0, 0, 0"),
    (
        "attila_diagnostic",
        "0, 0, 0, 0, 0, 0, {0, 0}, {0, 0}, {0, 0}, {0, 0}",
    ),
    ("attila_prepare_options", "0, 0"),
    (
        "attila_sampler",
        "0, 0, 0, {0, 0, 0}, 0, 14, 0, 0, 14, 1, {0, 0, 0, 0}, 0, 0, 0, 0, 0, 0",
    ),
    (
        "attila_image_data",
        "0, 1, 1, 1, 1, 1, {0, 0}, 0, 1, 0, 0, 0, 0",
    ),
    ("attila_texture_unit", "0xffffffff, 0, 0, 0"),
    ("attila_attribute_source", "0, 0, 0, 0"),
    ("attila_image", "0, 0, 0, 0, 0, 1, 0, 0"),
    (
        "attila_state",
        "2, 1, 0, 0, {{0, 0, 0, 0, 0, 0, 0}}, {0, 0, 0, 0}, {15, 15, 15, 15, 15, 15, 15, 15}, {0, 0, 0, 0}, \
         0, 0, 0, 0, 0xffffffff, 0, 0, 0, 0, {{0, 0}}, {0, 0}, 1",
    ),
    ("attila_varying", "0, 0, {{0, 0, 0}}, 0, 0"),
    ("attila_frame", "0, {0}, 0, {0, 0}, {0, 0}, 0, 0"),
    ("attila_array", "0, 0, 0"),
    ("attila_attribute", "0, 0, 4, 0, {0, 0}, 0, 0, {0, 0, 0, 1}"),
    ("attila_triangles", "0, 0, 0, 0, 0, 0, 32, 0"),
    (
        "attila_mesh",
        "0, 0, 0, 0, 0, 0, 32, 0, 0, 1, 0, 0, {0, 0, 0, 0}, {0, 1}",
    ),
    ("attila_column", "0, 4, 0, 0, 0, {0, 0, 0, 0}, {0, 0, 0, 1}"),
    ("attila_output", "0, 4, 0, 0, 0, {0, 0, 0, 0}"),
    ("attila_map", "0, 0, 0, 0, 0, 0, 1, 0, 0, 0"),
];

const BEGINNING: &str = r#"// attila.h: shader programs of ATTILA, ARB, TGSI, AGAL and CTM on the CPU.
//
// This file is made of capi/src by `UPDATE_EXPECT=1 cargo test -p attila-capi header`. docs/c.md is the guide.
//
// Objects       A pointer to one is a number that the library looks up, and no address. An object that has been freed is
//               refused (ATTILA_STATUS_HANDLE), and so is null, unless a function says that it may be null.
// attila_own    What is returned through such a parameter is the caller's, who frees it by the function of its type; what
//               is passed through one is gone. Everything else is lent until the call ends.
// Texts         A pointer and a length, in UTF-8. Those that the library returns end with the object that they were
//               asked of.
// Structs       Those that begin with `size` are set by their ATTILA_..._INIT and may become longer: a program that was
//               compiled with an older header goes on to work. All others stay as they are.
// Threads       Each function says from which threads it may be called. No call waits for another one.
// Exceptions    None leaves the library, and none may enter it from a callback.
//
// The library cannot find out, and the caller must see to it, that memory which is lent has the size that is said and is
// there for the length of the call; that nobody else changes it meanwhile, nor reads pixels that are being drawn; and that
// texts are not read after their object was freed.

#ifndef ATTILA_H
#define ATTILA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

"#;

const MACROS: &str = "// Marks what the caller frees.
#define attila_own

#ifdef __cplusplus
extern \"C\" {
#endif
";

const END: &str = r#"
// A text that ends with a zero.
static inline attila_text attila_text_of(const char *text) {
    attila_text it;
    it.data = text;
    it.length = text ? strlen(text) : 0;
    return it;
}

// The same as bytes, for attila_program_load.
static inline attila_bytes attila_bytes_of(const char *text) {
    attila_bytes it;
    it.data = text;
    it.length = text ? strlen(text) : 0;
    return it;
}

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
"#;

fn source(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file);
    std::fs::read_to_string(path.with_extension("rs")).expect("the file is there")
}

fn config() -> Config {
    Config {
        language: Language::C,
        style: Style::Both,
        no_includes: true,
        usize_is_size_t: true,
        documentation_style: DocumentationStyle::C99,
        line_length: 110,
        tab_width: 4,
        ..Config::default()
    }
}

/// The declaration that cbindgen makes of an item.
fn declaration(item: &str, scratch: &Path) -> String {
    std::fs::write(scratch, item).expect("the folder can be written to");
    let mut config = config();
    let words = item.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let names = words.filter(|word| word.starts_with("attila_"));
    config.export.include = names.map(str::to_owned).collect();
    let bindings = Builder::new()
        .with_config(config)
        .with_src(scratch)
        .generate();
    let mut out = Vec::new();
    bindings.expect("it is Rust").write(&mut out);
    let text = String::from_utf8(out).expect("it is a text");
    match item.contains("pub const ") {
        // Constants of a type stand together.
        true => text.trim().replace("\n\n", "\n"),
        false => text.trim().to_owned(),
    }
}

/// Marks what the caller owns: objects that are made or freed.
fn owned(text: &str) -> String {
    let is_function = text
        .lines()
        .any(|line| line.contains("(") && !line.starts_with("//"));
    if !is_function || text.contains("typedef") {
        return text.to_owned();
    }
    let mut marked = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("attila_") {
        let (before, from) = rest.split_at(at);
        let end = from.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (name, after) = from.split_at(end.unwrap_or(from.len()));
        let is_made = after.starts_with(" **");
        let is_freed = text.contains(&format!(" {name}_free(")) && after.starts_with(" *");
        write!(
            marked,
            "{before}{}{name}",
            if is_made || is_freed {
                "attila_own "
            } else {
                ""
            }
        )
        .expect("it is a text");
        rest = after;
    }
    marked + rest
}

fn initial(name: &str) -> Option<String> {
    let (_, values) = INITIAL.iter().find(|(known, _)| *known == name)?;
    let macro_name = name.to_uppercase();
    let line = format!("#define {macro_name}_INIT {{sizeof({name}), {values}}}");
    // Long lines are cut at a comma.
    let mut lines = String::new();
    let mut length = 0;
    for word in line.split_inclusive(", ") {
        if length + word.len() > 105 {
            lines = lines.trim_end().to_owned() + " \\\n    ";
            length = 4;
        }
        lines += word;
        length += word.len();
    }
    Some(lines)
}

/// The items of a file that are exported, each with its documentation. They begin at the margin, after an empty line.
fn items(source: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for paragraph in source.split("\n\n") {
        match items.last_mut() {
            Some(last) if paragraph.starts_with([' ', '}']) => *last += &format!("\n\n{paragraph}"),
            _ => items.push(paragraph.to_owned()),
        }
    }
    let exported = [
        "pub struct attila_",
        "pub type attila_",
        "pub const ATTILA_",
        "pub extern \"C\" fn attila_",
    ];
    let starts = |line: &str| exported.iter().any(|start| line.starts_with(start));
    items.retain(|item| item.lines().any(starts));
    items
}

/// The title of a section, and what is said about it.
fn section(source: &str) -> String {
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let lines: Vec<&str> = lines
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    let (title, rest) = lines.split_first().expect("there is a title");
    let dashes = "-".repeat(100_usize.saturating_sub(title.len()));
    let mut text = format!("\n// -- {title} {dashes}\n");
    for line in rest.iter().skip(1) {
        writeln!(text, "// {line}").expect("it is a text");
    }
    text.replace("// \n", "//\n")
}

fn version() -> String {
    let part = |name: &str| -> String {
        let number = match name {
            "MAJOR" => env!("CARGO_PKG_VERSION_MAJOR"),
            "MINOR" => env!("CARGO_PKG_VERSION_MINOR"),
            _ => env!("CARGO_PKG_VERSION_PATCH"),
        };
        format!("#define ATTILA_VERSION_{name} {number}\n")
    };
    let parts = ["MAJOR", "MINOR", "PATCH"].map(part).concat();
    format!(
        "{parts}// As attila_version() returns it.\n#define ATTILA_VERSION \\\n    \
         (ATTILA_VERSION_MAJOR * 1000000 + ATTILA_VERSION_MINOR * 1000 + ATTILA_VERSION_PATCH)\n\n"
    )
}

fn header(scratch: &Path) -> String {
    let mut text = BEGINNING.to_owned() + &version() + MACROS;
    for file in FILES {
        let source = source(file);
        text += &section(&source);
        for item in items(&source) {
            let declaration = owned(&declaration(&item, scratch));
            text += &format!("\n{declaration}\n");
            let name = item
                .split("pub struct ")
                .nth(1)
                .and_then(|it| it.split(' ').next());
            if let Some(initial) = name.and_then(initial) {
                text += &format!("\n{initial}\n");
            }
        }
    }
    text + END
}

#[test]
fn the_header_is_that_of_the_source() {
    let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("item.rs");
    expect_file!["../../include/attila.h"].assert_eq(&header(&scratch));
}

/// Everything that follows a pointer of C stands in one file.
#[test]
fn unsafe_code_stands_in_one_file() {
    for file in FILES.iter().chain(&["lib", "handle", "failure"]) {
        let source = source(file);
        let mut lines = source
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        let found = lines.find(|line| line.contains("unsafe ") || line.contains("unsafe{"));
        assert_eq!(found, None, "{file}");
    }
}
