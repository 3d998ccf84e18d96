//! `--color`, and the variables that stand for it.

use crate::attila_within;

/// True if the output of `attila` has colours.
fn is_coloured(variables: &[(&str, &str)], arguments: &str) -> bool {
    let outcome = attila_within(variables, arguments, b"mvo o1, i1");
    let printed = outcome.transcript();
    assert!(!printed.is_empty(), "{arguments}");
    printed.contains('\u{1b}')
}

#[test]
fn messages_of_all_kinds_have_colours_where_they_are_wanted() {
    let commands = [
        "check -",
        "run -",
        "render -",
        "check no-such-file",
        "check --wrong",
        "run - --set r0=1,2",
        "--help",
        "render --help",
        "shader-test -",
    ];
    for command in commands {
        assert!(!is_coloured(&[], command), "{command}");
        let forced = ("CLICOLOR_FORCE", "1");
        assert!(is_coloured(&[forced], command), "{command}");
        let off = ("NO_COLOR", "1");
        assert!(!is_coloured(&[off, forced], command), "{command}");
        for option in ["--color always", "--color=always"] {
            assert!(
                is_coloured(&[off], &format!("{command} {option}")),
                "{command}"
            );
            assert!(
                is_coloured(&[off], &format!("{option} {command}")),
                "{command}"
            );
        }
        let never = format!("{command} --color never");
        assert!(!is_coloured(&[forced], &never), "{command}");
        let auto = format!("{command} --color auto");
        assert!(!is_coloured(&[], &auto), "{command}");
        assert!(is_coloured(&[forced], &auto), "{command}");
    }
}

#[test]
fn results_are_never_coloured() {
    let outcome = attila_within(&[], "run - --color always -s i1=1", b"mov o1, i1");
    assert!(!outcome.stdout.contains('\u{1b}'), "{}", outcome.stdout);
}

#[test]
fn there_are_three_choices() {
    let outcome = attila_within(&[], "check - --color red", b"mov o1, i1");
    assert_eq!(outcome.code, 2);
    let values = "[possible values: auto, always, never]";
    assert!(outcome.stderr.contains(values), "{}", outcome.stderr);
}
