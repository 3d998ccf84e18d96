//! `completions` and `man`.

use crate::attila;

#[test]
fn shells_complete_commands_and_options() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let outcome = attila(&format!("completions {shell}"), "");
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        for word in ["attila", "shader-test", "background", "color"] {
            assert!(outcome.stdout.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let overview = attila("man", "").stdout;
    assert!(overview.contains("\n.TH attila 1 "), "{overview}");
    let pages = overview
        .lines()
        .filter_map(|line| line.strip_prefix("attila\\-"));
    let names: Vec<String> = pages
        .map(|line| line.trim_end_matches("(1)").replace('\\', ""))
        .collect();
    assert!(names.len() > 10, "{overview}");
    for name in &names {
        let page = attila(&format!("man {name}"), "");
        assert_eq!(page.code, 0, "{name}: {}", page.stderr);
        let version = env!("CARGO_PKG_VERSION");
        let title = format!("\n.TH attila-{name} 1  \"attila {version}\"");
        assert!(page.stdout.contains(&title), "{name}: {}", page.stdout);
    }
    let unknown = attila("man rendre", "");
    assert_eq!(unknown.code, 2);
    let message = "there is no command `rendre`; did you mean `render`?";
    assert!(unknown.stderr.contains(message), "{}", unknown.stderr);
}
