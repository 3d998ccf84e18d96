//! Every difference between engines that was ever found, as a file: shrunk, with a first line that
//! says what was wrong.

use std::fs;
use std::path::{Path, PathBuf};

use attila_conformance::altered::{Fault, altered};
use attila_conformance::{Case, Subject, check_text, store};
use attila_shader::texture::{Filter, Wrap};
use attila_shader::{Engine, Interp};

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
fn files_with_images_are_sampled_as_they_say() {
    let fault = Fault::Samplers(|sampler| {
        (sampler.wrap, sampler.mag) = ([Wrap::Repeat; 3], Filter::Nearest);
    });
    for name in ["0011-image-border.attila", "0012-draw-image.attila"] {
        let text = fs::read_to_string(folder().join(name)).expect("the file can be read");
        let found = check_text(&text, &[Engine::interp(), altered(Interp, fault)]);
        let found = found.expect_err("the engines sample differently");
        assert!(found.starts_with("interp and altered differ"), "{found}");
    }
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
        let path = store(&folder, &case.to_text("the first line"), "add.attila")
            .expect("the folder is ours");
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
