//! Names the shared library for the dynamic linker.

/// The number of the binary interface. It grows with each change that programs which are linked already do not
/// survive; the crate's version may grow without it.
const SONAME: u32 = 0;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libattila.so.{SONAME}");
    }
}
