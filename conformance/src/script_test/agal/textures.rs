//! The textures of a test.

use std::collections::BTreeMap;
use std::sync::Arc;

use attila_shader::isa::{Diagnostics, Remark};
use attila_shader::texture::{Dimension, Format, Image, Size};

use super::MAX_SIDE;
use super::sources::units;
use crate::script_test::sections::{Section, Sections, lines};
use crate::script_test::words::Words;

const SHAPES: [(&str, Dimension); 2] = [("2d", Dimension::D2), ("cube", Dimension::Cube)];

/// Reads all textures, by unit.
pub(super) fn read(
    sections: &Sections<'_>,
    diagnostics: &mut Diagnostics,
) -> BTreeMap<u16, Arc<Image>> {
    let mut images = BTreeMap::new();
    for (unit, section) in units(sections) {
        match image(sections.text, section) {
            Ok(image) => {
                images.insert(unit, Arc::new(image));
            }
            Err(remark) => diagnostics.error(remark),
        }
    }
    images
}

/// `2d bgra 4 4`, then texels as hexadecimal words, alpha first.
fn image(text: &str, Section { body, .. }: &Section) -> Result<Image, Remark> {
    let mut lines = lines(text, body.clone());
    let Some((start, line)) = lines.next() else {
        let message = "a texture begins with its shape, as in `2d bgra 4 4`";
        return Err(Remark::new(body.clone(), message));
    };
    let mut words = Words::new(start, line);
    let dimension = words.choice(&SHAPES)?;
    words.choice(&[("bgra", ())])?;
    let width = words.index("width", 1..MAX_SIDE + 1)?;
    let height = words.index("height", 1..MAX_SIDE + 1)?;
    words.end()?;
    let size = Size::d2(width, height);
    let count = width as usize * height as usize * dimension.slices(size);
    let mut texels: Vec<u8> = Vec::new();
    for (start, line) in lines {
        let mut words = Words::new(start, line);
        while !words.at_end() {
            let (digits, span) = words.ahead();
            let is_word = digits.len() <= 8 && digits.bytes().all(|it| it.is_ascii_hexdigit());
            let texel = u32::from_str_radix(digits, 16).ok().filter(|_| is_word);
            let Some(texel) = texel else {
                let message = format!("`{digits}` is not a texel of eight hexadecimal digits");
                return Err(Remark::new(span, message));
            };
            words.take(digits);
            let [alpha, red, green, blue] = texel.to_be_bytes();
            texels.extend([red, green, blue, alpha]);
        }
        words.end()?;
    }
    let found = texels.len() / 4;
    if found != count {
        let message = format!("the texture has {count} texels; here are {found}");
        return Err(Remark::new(start..start + line.len(), message));
    }
    Image::from_levels(dimension, Format::Rgba8, size, &[&texels])
        .map_err(|error| Remark::new(start..start + line.len(), error.to_string()))
}
