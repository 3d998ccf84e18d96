//! The debugger in a terminal.

mod app;
mod keys;
mod theme;
mod view;

use std::io;

use crossterm::event::{self, Event, KeyEventKind};

pub(super) use app::App;
use attila_debugger::Debugger;
pub(super) use theme::Theme;
#[cfg(test)]
pub(super) use view::draw;

/// Runs until somebody quits. The terminal is then as it was before, after an error and a panic, too.
pub(super) fn run(debugger: Debugger) -> io::Result<()> {
    // Its hook leaves the screen before a panic prints its message.
    let mut terminal = ratatui::try_init()?;
    let result = stay(&mut terminal, &mut App::new(debugger, Theme::here()));
    let restored = ratatui::try_restore();
    result.and(restored)
}

fn stay(terminal: &mut ratatui::DefaultTerminal, app: &mut App) -> io::Result<()> {
    while !app.is_done {
        terminal.draw(|frame| view::draw(frame, app))?;
        match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => app.press(key),
            // The screen is drawn again anyway.
            Event::Key(_)
            | Event::Resize(..)
            | Event::FocusGained
            | Event::FocusLost
            | Event::Mouse(_)
            | Event::Paste(_) => {}
        }
    }
    Ok(())
}
