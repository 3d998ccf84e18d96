//! Colours, and what stands for them where there are none.

use ratatui::style::{Color, Modifier, Style};

/// How things look. Nothing is told by colour alone.
#[derive(Clone, Copy)]
pub(in crate::debug) struct Theme {
    has_colours: bool,
}

impl Theme {
    /// With colours, unless `NO_COLOR` is set.
    pub(in crate::debug) fn here() -> Theme {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Theme {
            has_colours: !refused,
        }
    }

    /// With colours, whatever the environment says.
    #[cfg(test)]
    pub(in crate::debug) fn with_colours() -> Theme {
        Theme { has_colours: true }
    }

    fn coloured(self, colour: Color) -> Style {
        match self.has_colours {
            true => Style::new().fg(colour),
            false => Style::new(),
        }
    }

    /// The title and the names of panels.
    pub(super) fn title(self) -> Style {
        self.coloured(Color::Cyan).add_modifier(Modifier::BOLD)
    }

    /// The line that comes next.
    pub(super) fn current(self) -> Style {
        self.coloured(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    /// The line under the cursor, or the selected word.
    pub(super) fn cursor(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// What the last step changed.
    pub(super) fn changed(self) -> Style {
        self.coloured(Color::Green).add_modifier(Modifier::BOLD)
    }

    /// NaN and infinity.
    pub(super) fn special(self) -> Style {
        self.coloured(Color::Red).add_modifier(Modifier::UNDERLINED)
    }

    /// What is there to be read once.
    pub(super) fn quiet(self) -> Style {
        self.coloured(Color::DarkGray)
    }

    /// What went wrong.
    pub(super) fn error(self) -> Style {
        self.coloured(Color::Red).add_modifier(Modifier::BOLD)
    }

    /// A colour itself; `None` without colours.
    pub(super) fn swatch(self, [red, green, blue]: [u8; 3]) -> Option<Color> {
        self.has_colours.then_some(Color::Rgb(red, green, blue))
    }
}
