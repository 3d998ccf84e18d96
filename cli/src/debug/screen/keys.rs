//! The keys.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The action of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// A command of scripts.
    Command(&'static str),
    /// The same with the line under the cursor.
    WithLine(&'static str),
    /// The same with the selected word.
    WithWord(&'static str),
    Breakpoint,
    Why,
    Kind,
    Prompt,
    Search,
    View,
    Lane(usize),
    Panel,
    Up(usize),
    Down(usize),
    Help,
    Close,
    Quit,
    /// For tests: a place where the program panics, if the environment asks for it.
    Panic,
}

/// The action of a key; `None` if it has none.
#[expect(clippy::wildcard_enum_match_arm, reason = "the other keys do nothing")]
pub(super) fn action(key: KeyEvent) -> Option<Action> {
    use Action::{Command, WithLine, WithWord};
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(Action::Quit),
            KeyCode::Char('p') => Some(Action::Panic),
            _ => None,
        };
    }
    Some(match key.code {
        KeyCode::Char('s') | KeyCode::Right => Command("step"),
        KeyCode::Char('b') | KeyCode::Left => Command("back"),
        KeyCode::Char('n') => Command("next"),
        KeyCode::Char('p') => Command("previous"),
        KeyCode::Char('o') => Command("over"),
        KeyCode::Char('a') | KeyCode::Home => Command("start"),
        KeyCode::Char('e') | KeyCode::End => Command("end"),
        KeyCode::Char('c') => Command("continue"),
        KeyCode::Char('r') => Command("reverse"),
        KeyCode::Char('x') => Command("nan"),
        KeyCode::Char('X') => Command("back-nan"),
        KeyCode::Char('d') => Command("part"),
        KeyCode::Char('D') => Command("back-part"),
        KeyCode::Char('i') => WithLine("to"),
        KeyCode::Char('I') => WithLine("back-to"),
        KeyCode::Char('w') => WithWord("write"),
        KeyCode::Char('m') => WithWord("watch"),
        KeyCode::Char('y') => Action::Why,
        KeyCode::Char('t') => Action::Kind,
        KeyCode::Char('k') => Action::Breakpoint,
        KeyCode::Char('v') => Action::View,
        KeyCode::Char('/') => Action::Search,
        KeyCode::Char(':') => Action::Prompt,
        KeyCode::Char(digit @ '0'..='3') => Action::Lane(digit as usize - '0' as usize),
        KeyCode::Tab => Action::Panel,
        KeyCode::Up => Action::Up(1),
        KeyCode::Down => Action::Down(1),
        KeyCode::PageUp => Action::Up(10),
        KeyCode::PageDown => Action::Down(10),
        KeyCode::Char('?') | KeyCode::F(1) => Action::Help,
        KeyCode::Esc => Action::Close,
        KeyCode::Char('q') => Action::Quit,
        _ => return None,
    })
}
