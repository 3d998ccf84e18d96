//! Every difference between engines that was ever found, as a file: shrunk, with a first line that
//! says what was wrong.

use std::fs;
use std::path::{Path, PathBuf};

use attila_conformance::{Case, check_text, store};
use attila_shader::Engine;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions")
}

#[test]
fn no_difference_comes_back() {
    let engines = Engine::all();
    let mut count = 0;
    for entry in fs::read_dir(folder()).expect("the folder is part of the source") {
        let path = entry.expect("the folder can be read").path();
        let text = fs::read_to_string(&path).expect("the file can be read");
        if let Err(what) = check_text(&text, &engines) {
            panic!("{}:\n{what}", path.display());
        }
        count += 1;
    }
    assert!(count > 0, "no files in {}", folder().display());
}

#[test]
fn a_file_whose_expectation_is_wrong_is_noticed() {
    let text = "; wrong on purpose\n;! expect o0[2] = 1\nmov o0, i0 <- end";
    assert_eq!(
        check_text(text, &[Engine::interp()]),
        Err("interp:\nline 2: quad 0 lane 2: o0 is 0 0 0 0, not 1 1 1 1".to_owned())
    );
}

#[test]
fn files_are_numbered_on() {
    let folder = std::env::temp_dir().join(format!("attila-regressions-{}", std::process::id()));
    let text = "; the first line\n;! stage vertex\n;! const c1 = 1 2 3 0x00000005\n\
                ;! input i0[2] = nan\n;! temp r3 = 5\n;! pred p1 = 0110\nadd r3, i0, c1 <- end\n";
    let (case, _) = Case::from_text(text).unwrap_or_else(|error| panic!("{error}"));
    for number in 1..=2 {
        let path = store(&folder, &case, "add", "the first line").expect("the folder is ours");
        assert!(
            path.ends_with(format!("{number:04}-add.attila")),
            "{}",
            path.display()
        );
        let text = fs::read_to_string(&path).expect("just written");
        let (again, _) = Case::from_text(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(again, case, "{text}");
    }
    fs::remove_dir_all(&folder).expect("the folder is ours");
}
