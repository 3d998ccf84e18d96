//! `make install`, and that pkg-config and CMake find what it installs.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools;

/// Installs into a folder, which becomes the prefix.
fn installed(name: &str, tool: &str) -> Option<PathBuf> {
    if !tools::has("make", name) || !tools::has(tool, name) || !tools::has("cc", name) {
        return None;
    }
    let folder = tools::folder(name);
    let prefix = folder.join("prefix");
    let mut command = Command::new("make");
    command
        .arg("-C")
        .arg(tools::crate_folder())
        .arg("install")
        .env_remove("MAKEFLAGS");
    command.arg(format!("PREFIX={}", prefix.display()));
    command.arg(format!("LIBRARIES={}", tools::libraries().display()));
    tools::run(&mut command);
    Some(folder)
}

fn hello(program: &Path, folder: &Path, libraries: &Path) {
    let picture = folder.join("hello.ppm");
    tools::run(
        Command::new(program)
            .arg(&picture)
            .env("LD_LIBRARY_PATH", libraries),
    );
    assert!(std::fs::read(&picture).is_ok_and(|bytes| bytes.starts_with(b"P6 256 128 255\n")));
}

#[test]
fn pkg_config_knows_what_to_compile_and_link_with() {
    let Some(folder) = installed("install-pkg-config", "pkg-config") else {
        return;
    };
    let libraries = folder.join("prefix/lib");
    for (words, name) in [
        (&["--cflags", "--libs"][..], "shared"),
        (&["--static", "--cflags", "--libs"], "static"),
    ] {
        let mut command = Command::new("pkg-config");
        command
            .args(words)
            .arg("attila")
            .env("PKG_CONFIG_PATH", libraries.join("pkgconfig"));
        let flags = tools::text(&tools::run(&mut command));
        assert_eq!(flags.contains("-lgcc_s"), name == "static", "{flags}");
        let program = folder.join(name);
        let mut compiler = Command::new("cc");
        compiler
            .arg(tools::examples().join("hello.c"))
            .arg("-o")
            .arg(&program);
        tools::run(compiler.args(flags.split_whitespace()));
        hello(&program, &folder, &libraries);
    }
}

#[test]
fn cmake_finds_the_library() {
    let Some(folder) = installed("install-cmake", "cmake") else {
        return;
    };
    let build = folder.join("build");
    let mut command = Command::new("cmake");
    command.arg(format!(
        "-DCMAKE_PREFIX_PATH={}",
        folder.join("prefix").display()
    ));
    command
        .arg("-S")
        .arg(tools::examples())
        .arg("-B")
        .arg(&build);
    tools::run(&mut command);
    tools::run(Command::new("cmake").arg("--build").arg(&build));
    for name in ["hello", "hello-static"] {
        hello(&build.join(name), &folder, &folder.join("prefix/lib"));
    }
}

/// With `DESTDIR`, files name the prefix and not the folder that they are in.
#[test]
fn a_package_is_put_together_beside_its_place() {
    if !tools::has("make", "make install with DESTDIR") {
        return;
    }
    let folder = tools::folder("install-destdir");
    let mut command = Command::new("make");
    command
        .arg("-C")
        .arg(tools::crate_folder())
        .args(["install", "PREFIX=/usr"])
        .env_remove("MAKEFLAGS");
    command.arg(format!("DESTDIR={}", folder.display()));
    command.arg(format!("LIBRARIES={}", tools::libraries().display()));
    tools::run(&mut command);
    let pc =
        std::fs::read_to_string(folder.join("usr/lib/pkgconfig/attila.pc")).expect("it is there");
    assert!(
        pc.contains("libdir=/usr/lib\n") && pc.contains("-lgcc_s"),
        "{pc}"
    );
    assert!(folder.join("usr/lib/libattila.so.0").exists());
}
