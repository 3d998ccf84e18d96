//! Draws the screen.

use attila_shader::debug::{Place, Special};
use attila_shader::machine::{LANES, Meaning};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

use super::app::{App, Panel};
use attila_debugger::Small;
use attila_debugger::{At, lanes, meaning};
use attila_debugger::{Kind, Word, float};

/// The smallest terminal.
const SMALLEST: [u16; 2] = [80, 24];

pub(in crate::debug) fn draw(frame: &mut Frame<'_>, app: &App) {
    let area = frame.area();
    let [columns, rows] = SMALLEST;
    if area.width < columns || area.height < rows {
        let text = format!(
            "the terminal has {}x{} characters; {columns}x{rows} are needed",
            area.width, area.height
        );
        frame.render_widget(Paragraph::new(text), area);
        return;
    }
    let [title, body, message, hints] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(0),
        Constraint::Length(1),
        Constraint::Length(1),
    ])
    .areas(area);
    frame.render_widget(title_line(app), title);
    let [left, right] =
        Layout::horizontal([Constraint::Percentage(52), Constraint::Percentage(48)]).areas(body);
    let [source, below] =
        Layout::vertical([Constraint::Percentage(60), Constraint::Percentage(40)]).areas(left);
    let [registers, corner] =
        Layout::vertical([Constraint::Percentage(60), Constraint::Percentage(40)]).areas(right);
    draw_source(frame, app, source);
    draw_facts(frame, app, below);
    draw_registers(frame, app, registers);
    draw_corner(frame, app, corner);
    frame.render_widget(message_line(app), message);
    let keys = "s/b step n/p line c/r run k break x nan w write y why : cmd ? help q quit";
    let keys: String = keys.chars().take(area.width.into()).collect();
    frame.render_widget(Line::styled(keys, app.theme.quiet()), hints);
    draw_sheet(frame, app, body);
}

fn title_line(app: &App) -> Line<'static> {
    let subject = &app.debugger.subject;
    let pixel = subject.history.as_ref().map(|it| {
        let [x, y] = it.pixel;
        format!("  pixel {x},{y}")
    });
    let name = subject.name.rsplit('/').next().unwrap_or_default();
    let place = match app.debugger.recording().step(app.debugger.step) {
        Some(step) => {
            let line = app
                .debugger
                .line()
                .map_or(String::new(), |line| format!(", line {line}"));
            let count = app.debugger.last();
            format!(
                "step {} of {count}{line}, lanes {}",
                step.number,
                lanes(step.active)
            )
        }
        None => attila_debugger::place_line(&app.debugger),
    };
    let text = format!(
        "{place}  lane {}  {name}{}",
        subject.lane,
        pixel.unwrap_or_default()
    );
    Line::styled(text, app.theme.title())
}

fn message_line(app: &App) -> Line<'static> {
    if let Some(prompt) = &app.prompt {
        let sign = if prompt.is_search { '/' } else { ':' };
        return Line::raw(format!("{sign}{}_", prompt.text));
    }
    match &app.message {
        (text, true) => Line::styled(format!("error: {text}"), app.theme.error()),
        (text, false) => Line::raw(text.clone()),
    }
}

fn panel(app: &App, title: String, has_keys: bool) -> Block<'static> {
    let style = match has_keys {
        true => app.theme.title(),
        false => app.theme.quiet(),
    };
    let title = if has_keys {
        format!("[{title}]")
    } else {
        title
    };
    Block::bordered().border_style(style).title(title)
}

/// The first row to show of `count`, so that `at` is among `height`.
fn first_row(at: usize, count: usize, height: usize) -> usize {
    let most = count.saturating_sub(height);
    at.saturating_sub(height / 2).min(most)
}

fn draw_source(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let title = match app.shows_instructions {
        true => "instructions",
        false => "text",
    };
    let block = panel(app, title.to_owned(), app.panel == Panel::Source);
    let inner = block.inner(area);
    let base = usize::from(!app.shows_instructions);
    let count = app.rows();
    let height = usize::from(inner.height);
    let first = first_row(app.cursor - base.min(app.cursor), count, height);
    let rows = (first..count.min(first + height)).map(|row| source_row(app, row + base));
    frame.render_widget(Paragraph::new(rows.collect::<Vec<_>>()).block(block), area);
}

/// A row: whether it comes next and for which lanes, its breakpoint with hits, its number, its text.
fn source_row(app: &App, row: usize) -> Line<'static> {
    let debugger = &app.debugger;
    let is_current = app.current() == Some(row);
    let step = debugger
        .recording()
        .step(debugger.step)
        .filter(|_| is_current);
    let active = step.map_or("    ".to_owned(), |step| lanes(step.active));
    let mark = if is_current { '>' } else { ' ' };
    let here = debugger.breakpoints.iter().find(|it| match it.at {
        At::Line(line) => !app.shows_instructions && line == row,
        At::Instruction(pc) => app.shows_instructions && pc == row,
        At::Value(_) | At::Change(_) | At::Special(_) | At::Parting | At::Kill => false,
    });
    let hits = here.map_or("   ".to_owned(), |it| {
        let [hits, _] = debugger.hits(it);
        format!("o{hits:<2}")
    });
    let text = match app.shows_instructions {
        true => debugger.source().instruction(row),
        false => debugger.source().line(row),
    };
    let text = format!("{mark}{active}{hits}{row:4} {}", text.replace('\t', "    "));
    let style = match (app.cursor == row && app.panel == Panel::Source, is_current) {
        (true, _) => app.theme.cursor(),
        (false, true) => app.theme.current(),
        (false, false) => Style::new(),
    };
    Line::styled(text, style)
}

/// What the last step asked, and the pixel's history.
fn draw_facts(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let block = panel(app, "requests and history".to_owned(), false);
    let mut lines = attila_debugger::requests(&app.debugger);
    lines.extend(attila_debugger::history(&app.debugger));
    let lines: Vec<Line<'_>> = lines.into_iter().map(Line::raw).collect();
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

fn draw_registers(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let title = format!("registers, {}", app.kind.word());
    let block = panel(app, title, app.panel == Panel::Registers);
    let inner = block.inner(area);
    let words = app.words();
    let height = usize::from(inner.height);
    let first = first_row(app.selected, words.len(), height);
    let names = words.iter().map(|(place, _)| app.debugger.name(*place));
    let widest = names.map(|name| name.chars().count()).max().unwrap_or(0);
    let label = widest.clamp(4, usize::from(inner.width) / 4);
    let column = (usize::from(inner.width).saturating_sub(1 + label) / LANES).max(4);
    let rows = words.iter().enumerate().skip(first).take(height);
    let rows =
        rows.map(|(row, (place, kind))| word_row(app, row, (*place, *kind), [label, column]));
    frame.render_widget(Paragraph::new(rows.collect::<Vec<_>>()).block(block), area);
}

/// A word in all lanes.
fn word_row(
    app: &App,
    row: usize,
    (place, kind): (Place, Kind),
    [label, column]: [usize; 2],
) -> Line<'static> {
    let debugger = &app.debugger;
    let is_changed = debugger.is_changed(place);
    let mark = if is_changed { '*' } else { ' ' };
    let is_selected = app.selected == row && app.panel == Panel::Registers;
    let name_style = match (is_selected, is_changed) {
        (true, _) => app.theme.cursor(),
        (false, true) => app.theme.changed(),
        (false, false) => Style::new(),
    };
    let name: String = debugger.name(place).chars().take(label).collect();
    let mut spans = vec![Span::styled(format!("{mark}{name:<label$}"), name_style)];
    for lane in 0..LANES {
        let word = debugger.word(place, kind, lane);
        let is_float = meaning(place) == Meaning::Float;
        let special = is_float.then(|| Special::of(word.bits)).flatten();
        let style = match special {
            Some(Special::Nan | Special::Infinity) => app.theme.special(),
            Some(Special::Denormal) | None if is_changed => app.theme.changed(),
            Some(Special::Denormal) | None => Style::new(),
        };
        if kind == Kind::Colour {
            spans.extend(swatch(app, word.bits, column));
        } else {
            let text = fitted(word, column - 1);
            spans.push(Span::styled(
                format!(" {text:>width$}", width = column - 1),
                style,
            ));
        }
    }
    Line::from(spans)
}

/// A component of a colour, as a byte and a block of that brightness.
fn swatch(app: &App, bits: u32, column: usize) -> [Span<'static>; 2] {
    let byte = (f32::from_bits(bits).clamp(0.0, 1.0) * 255.0) as u8;
    let block = app.theme.swatch([byte; 3]);
    let style = block.map_or(Style::new(), |colour| Style::new().bg(colour));
    let text = format!(" {byte:>width$}", width = column.saturating_sub(3));
    [Span::raw(text), Span::styled("  ", style)]
}

/// A word in so many characters: a float loses digits.
fn fitted(word: Word, width: usize) -> String {
    let text = word.to_string();
    if text.chars().count() <= width {
        return text;
    }
    let value = f32::from_bits(word.bits);
    let shorter = (0..8).rev().map(|digits| format!("{value:.digits$}"));
    let is_plain = value.is_finite() && (1e-3..1e5).contains(&value.abs());
    let fits = |text: &String| text.chars().count() <= width;
    let scientific = (0..6).rev().map(|digits| format!("{value:.digits$e}"));
    let found = match is_plain {
        true => shorter.into_iter().find(fits),
        false => scientific.into_iter().find(fits),
    };
    let is_float = matches!(word.kind, Kind::Float | Kind::Own) && word.meaning == Meaning::Float;
    match found.filter(|_| is_float) {
        Some(text) => text,
        None => text
            .chars()
            .take(width.saturating_sub(1))
            .chain(['~'])
            .collect(),
    }
}

/// The small picture, or the breakpoints if there is no picture.
fn draw_corner(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let Some(picture) = &app.debugger.subject.picture else {
        let block = panel(app, "breakpoints".to_owned(), false);
        let lines = attila_debugger::breaks(&app.debugger)
            .into_iter()
            .map(Line::raw);
        frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()).block(block), area);
        return;
    };
    let block = panel(app, colour_title(app), false);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    frame.render_widget(Paragraph::new(picture_lines(app, picture, inner)), inner);
}

/// The pixel's colour in words, for the title of its picture.
fn colour_title(app: &App) -> String {
    let history = app.debugger.subject.history.as_ref();
    let stored = history.and_then(|it| it.after.first());
    stored.map_or("picture".to_owned(), |it| {
        let [red, green, blue, _] = it.value.map(|it| float(it.to_bits()));
        let cut = |text: String| text.chars().take(5).collect::<String>();
        format!("pixel {} {} {}", cut(red), cut(green), cut(blue))
    })
}

/// Half blocks: two rows of pixels in one of characters. The pixel is an `X`.
fn picture_lines(app: &App, picture: &Small, area: Rect) -> Vec<Line<'static>> {
    let [width, height] = picture.size;
    let (columns, rows) = (u32::from(area.width), 2 * u32::from(area.height));
    // The same scale along both axes.
    let scale = f64::max(
        f64::from(width) / f64::from(columns.max(1)),
        f64::from(height) / f64::from(rows.max(1)),
    )
    .max(1e-9);
    let across = |at: u32| (f64::from(at) * scale) as u32;
    let pixel = |x: u32, y: u32| {
        let index = across(y) * width + across(x);
        picture.pixels.get(index as usize).copied()
    };
    let shown = (0..rows).step_by(2).filter(|row| across(*row) < height);
    let marked = picture.marked.map(|at| (f64::from(at) / scale) as u32);
    let lines = shown.map(|row| {
        let cells = (0..columns).filter(|x| across(*x) < width).map(|x| {
            let [upper, lower] = [row, row + 1].map(|y| pixel(x, y).unwrap_or_default());
            let is_marked = x == marked[0] && (row..row + 2).contains(&marked[1]);
            cell(app, [upper, lower], is_marked)
        });
        Line::from(cells.collect::<Vec<_>>())
    });
    lines.collect()
}

fn cell(app: &App, colours: [[u8; 4]; 2], is_marked: bool) -> Span<'static> {
    let rgb = colours.map(|[red, green, blue, _]| app.theme.swatch([red, green, blue]));
    let letter = if is_marked { "X" } else { "\u{2580}" };
    match rgb {
        [Some(_), Some(lower)] if is_marked => Span::styled(letter, app.theme.error().bg(lower)),
        [Some(upper), Some(lower)] => Span::styled(letter, Style::new().fg(upper).bg(lower)),
        // Without colours, brightness is a letter.
        _ if is_marked => Span::raw(letter),
        _ => {
            let [red, green, blue, _] = colours[0].map(u32::from);
            let brightness = (2 * red + 5 * green + blue) / 8;
            let ramp = [" ", ".", ":", "+", "*", "#"];
            Span::raw(ramp[(brightness as usize * (ramp.len() - 1)) / 255])
        }
    }
}

/// Lines over the panels: help, the cone of a value.
fn draw_sheet(frame: &mut Frame<'_>, app: &App, body: Rect) {
    let Some(sheet) = &app.sheet else { return };
    let area = Rect {
        x: body.x + 2,
        y: body.y + 1,
        width: body.width.saturating_sub(4),
        height: body.height.saturating_sub(2),
    };
    let title = format!("{}, arrows scroll, Esc closes", sheet.title);
    let block = panel(app, title, true);
    let height = usize::from(block.inner(area).height);
    let lines = sheet.lines.iter().skip(sheet.first).take(height);
    let lines: Vec<Line<'_>> = lines.map(|line| Line::raw(line.as_str())).collect();
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines).block(block), area);
}
