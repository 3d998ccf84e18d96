//! What the shared library exports and needs.

use std::process::Command;

use crate::tools;

#[test]
fn only_functions_of_the_interface_are_exported() {
    if !tools::has("nm", "exported symbols") {
        return;
    }
    let library = tools::libraries().join("libattila.so");
    let output = tools::run(
        Command::new("nm")
            .args(["-D", "--defined-only"])
            .arg(library),
    );
    let text = tools::text(&output);
    let names: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split(' ').next_back())
        .collect();
    let header = include_str!("../../include/attila.h");
    for name in &names {
        assert!(name.starts_with("attila_"), "{name}");
        assert!(
            header.contains(&format!("{name}(")),
            "{name} is not in the header"
        );
    }
    assert!(names.len() > 35, "{names:?}");
}

#[test]
fn the_shared_library_needs_the_c_library_only() {
    if !tools::has("readelf", "needed libraries") {
        return;
    }
    let library = tools::libraries().join("libattila.so");
    let output = tools::run(Command::new("readelf").arg("-d").arg(library));
    let text = tools::text(&output);
    let known = ["libc.", "libm.", "libgcc_s.", "ld-linux"];
    for line in text.lines().filter(|line| line.contains("(NEEDED)")) {
        assert!(
            known.iter().any(|name| line.contains(&format!("[{name}"))),
            "{line}"
        );
    }
    assert!(text.contains("Library soname: [libattila.so.0]"));
}
