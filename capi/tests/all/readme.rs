//! The C of the README and of the guide is compiled and run.

use std::process::Command;

use crate::tools::{self, Link};

/// Compiles each block of C in a page, which may be the inside of `main`, and runs it.
fn run(page: &str, name: &str) {
    let path = tools::crate_folder().join("..").join(page);
    let text = std::fs::read_to_string(path).expect("the page is there");
    let blocks: Vec<&str> = text
        .split("```c\n")
        .skip(1)
        .filter_map(|it| it.split("```").next())
        .collect();
    assert!(!blocks.is_empty(), "{page} has no C");
    for (number, block) in blocks.iter().enumerate() {
        let folder = tools::folder(&format!("{name}-{number}"));
        let source = folder.join("block.c");
        let (includes, lines): (Vec<&str>, Vec<&str>) =
            block.lines().partition(|line| line.starts_with("#include"));
        let program = format!(
            "#include <assert.h>\n{}\nint main(void) {{\n{}\nreturn attila_live_objects() != 0;\n}}\n",
            includes.join("\n"),
            lines.join("\n")
        );
        std::fs::write(&source, program).expect("it can be written");
        let program = tools::compile(&source, &folder, Link::Shared, (&tools::include(), &[]));
        if let Some(program) = program {
            tools::run(&mut Command::new(program));
        }
    }
}

#[test]
fn the_readmes_c_runs() {
    run("README.md", "readme");
}

#[test]
fn the_guides_c_runs() {
    run("docs/c.md", "guide");
}
