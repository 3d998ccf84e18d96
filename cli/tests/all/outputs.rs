//! Files of pictures: either written as a whole or left as they were.

use std::fs;
use std::path::PathBuf;

use crate::{Outcome, attila, scratch};

/// A program that ends in no pixel.
const ENDLESS: &str = "again: jmp !p0, again\nmov o1, i1";

const PLAIN: &str = "mov o1, i1";

/// An empty folder of that name.
fn folder(name: &str) -> PathBuf {
    let folder = scratch(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).unwrap();
    folder
}

fn names(folder: &PathBuf) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn render(path: &std::path::Path, text: &str) -> Outcome {
    attila(&format!("render - --size 4x4 -o {}", path.display()), text)
}

#[test]
fn colours_that_a_picture_does_not_show_are_named() {
    let path = scratch("colours-beside.png");
    let text = "!!ARBfp1.0\nOPTION ARB_draw_buffers;\nMOV result.color[1], 1;\nMOV result.color[7], 1;\nEND";
    let outcome = render(&path, text);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    for output in ["o2", "o8"] {
        let message = format!("warning: <stdin>: {output} is not in the picture, which shows o1\n");
        assert!(outcome.stderr.contains(&message), "{}", outcome.stderr);
    }
    assert_eq!(render(&path, PLAIN).stderr, "");
}

#[test]
fn a_place_that_cannot_be_written_is_an_error_before_anything_is_drawn() {
    let folder = folder("places");
    let absent = folder.join("absent/x.png");
    let outcome = render(&absent, ENDLESS);
    let expected = format!(
        "--- stderr\nerror: cannot write {}: No such file or directory (os error 2)\n--- exit code 1\n",
        absent.display()
    );
    assert_eq!(outcome.transcript(), expected);
    let outcome = render(&folder, ENDLESS);
    let expected = format!(
        "--- stderr\nerror: cannot write {}: is a directory\n--- exit code 1\n",
        folder.display()
    );
    assert_eq!(outcome.transcript(), expected);
    assert!(names(&folder).is_empty());
    // The demo, too.
    let outcome = attila(&format!("render -o {}", absent.display()), "");
    assert_eq!(outcome.stdout, "");
    assert_eq!(outcome.code, 1);
}

#[test]
fn names_of_other_formats_are_refused_before_anything_is_drawn() {
    let folder = folder("suffixes");
    let outcome = render(&folder.join("out.JPG"), ENDLESS);
    assert_eq!(outcome.code, 2);
    let help = "pictures are files whose names end in .png, .ppm, .pfm, .exr or .tiff";
    assert!(outcome.stderr.contains(help), "{}", outcome.stderr);
    for name in ["out.PNG", "out"] {
        assert_eq!(render(&folder.join(name), PLAIN).code, 0, "{name}");
    }
    assert_eq!(names(&folder), ["out", "out.PNG"]);
}

#[test]
fn a_picture_that_cannot_be_drawn_leaves_the_old_one() {
    let folder = folder("kept");
    let path = folder.join("picture.png");
    fs::write(&path, "old").unwrap();
    assert_eq!(render(&path, ENDLESS).code, 1);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    let outcome = render(&path, PLAIN);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(fs::read(&path).unwrap().starts_with(b"\x89PNG"));
    assert_eq!(names(&folder), ["picture.png"]);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = folder("linked");
    let (file, link) = (folder.join("file.png"), folder.join("link.png"));
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("file.png", &link).unwrap();
    assert_eq!(render(&link, PLAIN).code, 0);
    assert!(link.is_symlink());
    assert!(fs::read(&file).unwrap().starts_with(b"\x89PNG"));
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_written_as_they_are() {
    let outcome = render("/dev/full".as_ref(), PLAIN);
    assert_eq!(outcome.code, 1);
    assert!(
        outcome.stderr.starts_with("error: cannot write /dev/full"),
        "{}",
        outcome.stderr
    );
    assert_eq!(render("/dev/null".as_ref(), PLAIN).code, 0);
    assert!(!std::path::Path::new("/dev/null").is_file());
}
