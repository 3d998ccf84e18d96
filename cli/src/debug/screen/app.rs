//! [`App`]: the screen's state, and what keys change of it.

use attila_shader::debug::Place;
use crossterm::event::{KeyCode, KeyEvent};

use super::keys::{self, Action};
use super::theme::Theme;
use attila_debugger::Kind;
use attila_debugger::{At, Breakpoint, Debugger};

/// The panels that keys go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Panel {
    Source,
    Registers,
}

/// The text that is being typed on the last line.
pub(super) struct Prompt {
    pub(super) is_search: bool,
    pub(super) text: String,
}

/// Lines over the panels, from the first that is shown.
pub(super) struct Sheet {
    pub(super) title: &'static str,
    pub(super) lines: Vec<String>,
    pub(super) first: usize,
}

pub(in crate::debug) struct App {
    pub(super) debugger: Debugger,
    pub(super) theme: Theme,
    pub(super) panel: Panel,
    /// Instructions are shown, not the text.
    pub(super) shows_instructions: bool,
    /// The row under the cursor: a line from 1, or an instruction from 0.
    pub(super) cursor: usize,
    /// The selected word among [`App::words`].
    pub(super) selected: usize,
    pub(super) kind: Kind,
    pub(super) prompt: Option<Prompt>,
    pub(super) sheet: Option<Sheet>,
    /// The last answer, and whether it is an error.
    pub(super) message: (String, bool),
    pub(super) is_done: bool,
}

impl App {
    pub(in crate::debug) fn new(debugger: Debugger, theme: Theme) -> App {
        let mut app = App {
            debugger,
            theme,
            panel: Panel::Source,
            shows_instructions: false,
            cursor: 1,
            selected: 0,
            kind: Kind::Own,
            prompt: None,
            sheet: None,
            message: ("press ? for help".to_owned(), false),
            is_done: false,
        };
        app.follow();
        app
    }

    /// All words that are shown: watches first.
    pub(super) fn words(&self) -> Vec<(Place, Kind)> {
        let watches = self.debugger.watches.iter();
        let watches = watches.flat_map(|it| it.places.iter().map(|place| (*place, it.kind)));
        let registers = self.debugger.registers().into_iter();
        let registers = registers.flat_map(|(_, places)| places);
        let registers = registers.map(|place| (place, self.kind));
        watches.chain(registers).collect()
    }

    /// The number of rows that the cursor may be on: lines, or instructions.
    pub(super) fn rows(&self) -> usize {
        match self.shows_instructions {
            true => self.debugger.recording().program().program().insts().len(),
            false => self.debugger.source().line_count(),
        }
    }

    /// The row of the step that comes next.
    pub(super) fn current(&self) -> Option<usize> {
        match self.shows_instructions {
            true => self
                .debugger
                .recording()
                .step(self.debugger.step)
                .map(|it| it.pc),
            false => self.debugger.line(),
        }
    }

    fn first_row(&self) -> usize {
        usize::from(!self.shows_instructions)
    }

    /// Puts the cursor to the step that comes next.
    fn follow(&mut self) {
        if let Some(row) = self.current() {
            self.cursor = row;
        }
    }

    pub(in crate::debug) fn press(&mut self, key: KeyEvent) {
        if self.prompt.is_some() {
            return self.type_key(key);
        }
        let Some(action) = keys::action(key) else {
            self.message = (
                "this key does nothing; ? lists those that do".to_owned(),
                false,
            );
            return;
        };
        if let Some(sheet) = &mut self.sheet {
            let last = sheet.lines.len().saturating_sub(1);
            if let Action::Up(count) = action {
                sheet.first = sheet.first.saturating_sub(count);
            } else if let Action::Down(count) = action {
                sheet.first = (sheet.first + count).min(last);
            } else {
                self.sheet = None;
            }
            return;
        }
        self.act(action);
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Command(command) => self.execute(command),
            Action::WithLine(command) => self.execute(&format!("{command} {}", self.cursor_line())),
            Action::WithWord(command) => {
                if let Some(word) = self.word() {
                    self.execute(&format!("{command} {word}"));
                }
            }
            Action::Why => self.why(),
            Action::Breakpoint => self.toggle_breakpoint(),
            Action::Kind => self.next_kind(),
            Action::Prompt | Action::Search => {
                self.prompt = Some(Prompt {
                    is_search: action == Action::Search,
                    text: String::new(),
                });
            }
            Action::View => {
                self.shows_instructions = !self.shows_instructions;
                self.cursor = self.first_row();
                self.follow();
            }
            Action::Lane(lane) => self.execute(&format!("lane {lane}")),
            Action::Panel => {
                self.panel = match self.panel {
                    Panel::Source => Panel::Registers,
                    Panel::Registers => Panel::Source,
                }
            }
            Action::Up(count) => self.move_by(count, false),
            Action::Down(count) => self.move_by(count, true),
            Action::Help => self.show(
                "help",
                attila_debugger::HELP.lines().map(str::to_owned).collect(),
            ),
            Action::Close => self.message.0.clear(),
            Action::Quit => self.is_done = true,
            Action::Panic => {
                let is_planted = std::env::var_os("ATTILA_DEBUG_PANIC").is_some();
                assert!(!is_planted, "this panic was asked for");
            }
        }
    }

    fn move_by(&mut self, count: usize, down: bool) {
        let moved = |at: usize, least: usize, most: usize| match down {
            true => (at + count).min(most.max(least)),
            false => at.saturating_sub(count).max(least),
        };
        let first = self.first_row();
        match self.panel {
            Panel::Source => self.cursor = moved(self.cursor, first, self.rows() + first - 1),
            Panel::Registers => {
                self.selected = moved(self.selected, 0, self.words().len().saturating_sub(1));
            }
        }
    }

    /// The line under the cursor: of an instruction, that which it comes from.
    fn cursor_line(&self) -> usize {
        match self.shows_instructions {
            true => {
                let position = self.debugger.source().position(self.cursor);
                position.map_or(0, |it| it.line)
            }
            false => self.cursor,
        }
    }

    /// The selected word.
    fn word(&self) -> Option<String> {
        let words = self.words();
        let (place, _) = words.get(self.selected)?;
        Some(place.to_string())
    }

    /// Does a command. Its first line is the message, and long answers get a sheet.
    pub(super) fn execute(&mut self, command: &str) {
        let step = self.debugger.step;
        self.message = match attila_debugger::execute(&mut self.debugger, command) {
            Ok(lines) => {
                let is_listing = ["why", "list", "registers", "requests", "history", "breaks"]
                    .iter()
                    .any(|word| command.trim_start().starts_with(word));
                let first = lines.first().cloned().unwrap_or_default();
                if is_listing {
                    self.show("answer", lines);
                }
                (first, false)
            }
            Err(message) => (message, true),
        };
        if self.debugger.step != step {
            self.follow();
        }
    }

    fn show(&mut self, title: &'static str, lines: Vec<String>) {
        self.sheet = Some(Sheet {
            title,
            lines,
            first: 0,
        });
    }

    fn why(&mut self) {
        if let Some(word) = self.word() {
            self.execute(&format!("why {word}"));
        }
    }

    fn toggle_breakpoint(&mut self) {
        let at = match self.shows_instructions {
            true => At::Instruction(self.cursor),
            false => At::Line(self.cursor),
        };
        let same = |it: &Breakpoint| match (&it.at, &at) {
            (At::Line(a), At::Line(b)) | (At::Instruction(a), At::Instruction(b)) => a == b,
            (
                At::Line(_)
                | At::Instruction(_)
                | At::Value(_)
                | At::Change(_)
                | At::Special(_)
                | At::Parting
                | At::Kill,
                _,
            ) => false,
        };
        match self.debugger.breakpoints.iter().position(same) {
            Some(number) => self.execute(&format!("delete {number}")),
            None if self.shows_instructions => self.execute(&format!("break pc {}", self.cursor)),
            None => self.execute(&format!("break {}", self.cursor)),
        }
    }

    /// Shows the selected word in another way: all registers, or its watch.
    fn next_kind(&mut self) {
        let mut before = 0;
        for watch in &mut self.debugger.watches {
            before += watch.places.len();
            if self.selected < before {
                watch.kind = watch.kind.next();
                self.message = (format!("{} as {}", watch.name, watch.kind.word()), false);
                return;
            }
        }
        self.kind = self.kind.next();
        self.message = (format!("registers as {}", self.kind.word()), false);
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the other keys do nothing")]
    fn type_key(&mut self, key: KeyEvent) {
        let Some(prompt) = &mut self.prompt else {
            return;
        };
        match key.code {
            KeyCode::Char(letter)
                if !key
                    .modifiers
                    .contains(crossterm::event::KeyModifiers::CONTROL) =>
            {
                prompt.text.push(letter);
            }
            KeyCode::Char('c') => self.is_done = true,
            KeyCode::Backspace => {
                prompt.text.pop();
            }
            KeyCode::Esc => self.prompt = None,
            KeyCode::Enter => {
                let Some(Prompt { is_search, text }) = self.prompt.take() else {
                    return;
                };
                match is_search {
                    true => self.search(&text),
                    false if text.trim() == "quit" => self.is_done = true,
                    false => self.execute(&text),
                }
            }
            _ => {}
        }
    }

    /// Puts the cursor to the next row with a text.
    fn search(&mut self, text: &str) {
        let first = self.first_row();
        let rows = self.rows();
        let row = |row: usize| match self.shows_instructions {
            true => self.debugger.source().instruction(row),
            false => self.debugger.source().line(row),
        };
        let next = (1..=rows).map(|ahead| (self.cursor - first + ahead) % rows + first);
        let found = next.clone().find(|number| row(*number).contains(text));
        match found {
            Some(number) => {
                self.cursor = number;
                self.panel = Panel::Source;
                self.message = (format!("/{text}"), false);
            }
            None => self.message = (format!("`{text}` is nowhere"), true),
        }
    }
}
