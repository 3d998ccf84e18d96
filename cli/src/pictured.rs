//! Screens of terminals as pictures for the documentation.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

use ansi_to_tui::IntoText as _;
use font8x8::UnicodeFonts;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use ratatui::widgets::Widget as _;

/// Pixels of a character: those of its letter, each row twice.
const CHARACTER: [u32; 2] = [8, 16];

/// A colour of a terminal.
#[expect(clippy::wildcard_enum_match_arm, reason = "the themes have no others")]
fn rgb(colour: Color, otherwise: [u8; 3]) -> [u8; 3] {
    match colour {
        Color::Rgb(red, green, blue) => [red, green, blue],
        Color::Cyan => [86, 182, 194],
        Color::Yellow => [229, 192, 123],
        Color::Green => [152, 195, 121],
        Color::Red => [224, 108, 117],
        Color::DarkGray => [110, 118, 129],
        Color::Reset => otherwise,
        other => panic!("the themes have no {other}"),
    }
}

/// Columns and rows.
fn sides(buffer: &Buffer) -> [u32; 2] {
    [buffer.area.width, buffer.area.height].map(u32::from)
}

/// A screen as rows of pixels.
fn pictured(buffer: &Buffer) -> Vec<u8> {
    let ([columns, rows], [across, down]) = (sides(buffer), CHARACTER);
    let pixel = |x: u32, y: u32| {
        let cell = &buffer[((x / across) as u16, (y / down) as u16)];
        let (front, back) = (rgb(cell.fg, [212, 212, 212]), rgb(cell.bg, [24, 26, 30]));
        let (front, back) = match cell.modifier.contains(Modifier::REVERSED) {
            true => (back, front),
            false => (front, back),
        };
        let letter = cell.symbol().chars().next().unwrap_or(' ');
        let tables = [
            &font8x8::BASIC_FONTS as &dyn UnicodeFonts,
            &font8x8::BOX_FONTS,
            &font8x8::BLOCK_FONTS,
        ];
        let glyph = tables.into_iter().find_map(|table| table.get(letter));
        let glyph = glyph.unwrap_or_else(|| panic!("there is no picture of `{letter}`"));
        let is_set = glyph[(y % down / 2) as usize] >> (x % across) & 1 != 0;
        let is_underlined = cell.modifier.contains(Modifier::UNDERLINED) && y % down == down - 1;
        if is_set || is_underlined { front } else { back }
    };
    let all = (0..rows * down).flat_map(|y| (0..columns * across).map(move |x| (x, y)));
    all.flat_map(|(x, y)| pixel(x, y)).collect()
}

/// A picture in the documentation is that of a screen. `UPDATE_EXPECT=1` draws it anew.
pub(crate) fn check(name: &str, buffer: &Buffer) {
    let drawn = pictured(buffer);
    let path = &Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../docs")
        .join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let [columns, rows] = sides(buffer);
        let file = File::create(path).expect("it can be written");
        let [across, down] = CHARACTER;
        let mut encoder = png::Encoder::new(BufWriter::new(file), columns * across, rows * down);
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header().expect("it can be written");
        writer.write_image_data(&drawn).expect("it can be written");
    }
    let file = File::open(path).expect("it is there");
    let mut reader = png::Decoder::new(BufReader::new(file))
        .read_info()
        .expect("it is a PNG");
    let mut stored = vec![0; drawn.len()];
    reader.next_frame(&mut stored).expect("it is as large");
    assert!(stored == drawn, "docs/{name} is another screen");
}

/// `docs/editor.png` is the screen of Neovim that `.ci/editors COMMAND picture` has stored.
#[test]
fn the_picture_of_an_editor_is_the_stored_screen() {
    let screen = include_str!("../tests/lsp/neovim.txt");
    let text = screen.into_text().expect("it is a screen");
    let width = text.width().try_into().expect("it is small");
    let height = text.height().try_into().expect("it is small");
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    text.render(buffer.area, &mut buffer);
    check("editor.png", &buffer);
}
