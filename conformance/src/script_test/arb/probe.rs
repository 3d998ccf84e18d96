//! Looking at pictures.

use attila_shader::draw::DepthImage;

use super::WINDOW;
use crate::script_test::picture::Picture;
use crate::script_test::script::complaint;

/// How far a probe of a pixel may be off.
const TOLERANCE: f32 = 0.01;

/// How many of 255 steps a probe of all pixels may be off.
const STEPS: u32 = 3;

/// The complaint about a depth, unless it is near to the expected one.
pub(super) fn depth(depth: &DepthImage, place: [u32; 2], expected: f32) -> Option<String> {
    let seen: Option<f32> = depth.pixel(place[0], place[1]);
    let seen = seen.expect("probes are within the window");
    let near = (seen - expected).abs() < TOLERANCE;
    (!near).then(|| mismatch(place, 1, &[expected], &[seen]))
}

/// The complaint about a pixel's colour, or its red, green and blue.
pub(super) fn pixel(colour: &Picture, place: [u32; 2], expected: &[f32]) -> Option<String> {
    let seen = colour.rgba(place).map(fraction);
    let mut pairs = seen.iter().zip(expected);
    let near = pairs.all(|(seen, expected)| (seen - expected).abs() <= TOLERANCE);
    (!near).then(|| mismatch(place, 1, expected, &seen[..expected.len()]))
}

/// The complaint about all pixels, at the first of those from below that are not as expected.
pub(super) fn all(colour: &Picture, expected: [f32; 4]) -> Option<String> {
    let bytes = expected.map(|channel| (channel * 255.0) as i32);
    let wrong = |place: &[u32; 2]| {
        let mut pairs = colour.rgba(*place).into_iter().zip(bytes);
        pairs.any(|(seen, expected)| i32::from(seen).abs_diff(expected) > STEPS)
    };
    let places = (0..WINDOW).flat_map(|row| (0..WINDOW).map(move |column| [column, row]));
    let mut places = places.filter(wrong);
    let first = places.next()?;
    let seen = colour.rgba(first).map(fraction);
    Some(mismatch(first, 1 + places.count(), &expected, &seen))
}

fn fraction(byte: u8) -> f32 {
    f32::from(byte) / 255.0
}

/// As `at (1, 2) and 3 more pixels: expected 1 0 0 1, seen 1 0.502 0 1`.
fn mismatch([x, y]: [u32; 2], pixels: usize, expected: &[f32], seen: &[f32]) -> String {
    let more = match pixels {
        1 => String::new(),
        _ => format!(" and {} more pixels", pixels - 1),
    };
    let rounded = |numbers: &[f32]| -> Vec<f32> {
        let thousandths = numbers.iter().map(|number| (number * 1000.0).round());
        thousandths.map(|number| number / 1000.0).collect()
    };
    let complaint = complaint(&rounded(expected), &rounded(seen));
    format!("at ({x}, {y}){more}: {complaint}")
}
