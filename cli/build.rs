//! Tells whether the playground's page has been made, so that the command can serve it.

use std::path::Path;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(page)");
    // Beside the command's folder in the repository; a package from a registry has none.
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/dist/playground.html");
    println!("cargo::rerun-if-changed={}", page.display());
    if page.exists() {
        println!("cargo::rustc-cfg=page");
        println!("cargo::rustc-env=ATTILA_PAGE={}", page.display());
    }
}
