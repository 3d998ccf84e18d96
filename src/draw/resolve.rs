//! Resolving: from several samples of a pixel to one (numerics.md 14).

use std::ops::Range;

use attila_isa::Slots;
use attila_machine::SampleCount;
use attila_machine::pipeline::{ColourField, ColourFormat, DepthFormat, Encoding, TargetName};
use thiserror::Error;

use super::buffer::{Buffer, PixelFormat};
use super::image::TargetImage;
use super::portable::{decoded, encoded, number, words};
use super::rectangle::Rectangle;
use super::signed;

/// The name of any target, for a check whose message nobody sees.
const TARGET: TargetName = TargetName::Colour(0);

/// Why an image cannot be resolved to another.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// Their formats differ.
    #[error("the images have different formats")]
    Format,
    /// Their sizes differ.
    #[error("{}x{} pixels cannot be resolved to {}x{}", from[0], from[1], to[0], to[1])]
    Size {
        /// Columns and rows of the image with the samples.
        from: [u32; 2],
        /// Those of the other.
        to: [u32; 2],
    },
    /// The image to be resolved to has several samples itself.
    #[error("the image to resolve to has {0} samples per pixel")]
    Samples(usize),
    /// Pixels are missing, or rows or planes overlap.
    #[error("the memory of an image is no complete image")]
    Incomplete,
}

/// Pixels to be resolved.
struct Source<'a> {
    planes: Vec<&'a [u8]>,
    pitch: usize,
}

impl<F: Resolve> TargetImage<F> {
    /// The image with one sample for each pixel, to which all pixels are resolved.
    #[must_use]
    pub fn resolved(self) -> TargetImage<F> {
        if self.samples() == SampleCount::One {
            return self;
        }
        let mut target = TargetImage::new(self.format(), self.width(), self.height());
        let resolved = self.resolve_to(&mut target);
        resolved.expect("an image of the same format and size fits");
        target
    }

    /// Resolves all pixels.
    ///
    /// # Errors
    ///
    /// The images have different formats or sizes, or `target` has several samples.
    pub fn resolve_to(&self, target: &mut TargetImage<F>) -> Result<(), ResolveError> {
        self.resolve_rect(target, 0..self.width(), 0..self.height())
    }

    /// Resolves a rectangle of pixels to the same place, as far as it is within the images.
    ///
    /// # Errors
    ///
    /// As [`TargetImage::resolve_to`].
    pub fn resolve_rect<T: Into<i64>>(
        &self,
        target: &mut TargetImage<F>,
        columns: Range<T>,
        rows: Range<T>,
    ) -> Result<(), ResolveError> {
        let samples = 0..self.samples().count();
        let source = Source {
            planes: samples.map(|sample| self.sample(sample).bytes()).collect(),
            pitch: self.width() as usize * self.format().bytes(),
        };
        let size = [self.width(), self.height()];
        let area = Rectangle::all(size).intersection(signed(columns), signed(rows));
        resolve(&source, (self.format(), size), target.into(), &area)
    }
}

impl<F: Resolve> Buffer<'_, F> {
    /// Resolves all pixels.
    ///
    /// # Errors
    ///
    /// The buffers have different formats or sizes, `target` has several samples, or one of them is not
    /// complete.
    pub fn resolve_to<'t>(&mut self, target: impl Into<Buffer<'t, F>>) -> Result<(), ResolveError> {
        let (format, size) = (self.format(), self.size());
        if self.check(TARGET).is_err() {
            return Err(ResolveError::Incomplete);
        }
        let surface = self.surface();
        let pitch = surface.pitch;
        let source = Source {
            planes: surface.planes.into_iter().map(|plane| &*plane).collect(),
            pitch,
        };
        let area = Rectangle::all(size);
        resolve(&source, (format, size), target.into(), &area)
    }
}

fn resolve<F: Resolve>(
    source: &Source<'_>,
    (format, size): (F, [u32; 2]),
    target: Buffer<'_, F>,
    area: &Rectangle,
) -> Result<(), ResolveError> {
    if format != target.format() {
        return Err(ResolveError::Format);
    }
    if size != target.size() {
        return Err(ResolveError::Size {
            from: size,
            to: target.size(),
        });
    }
    if target.samples() != SampleCount::One {
        return Err(ResolveError::Samples(target.samples().count()));
    }
    if target.check(TARGET).is_err() {
        return Err(ResolveError::Incomplete);
    }
    if area.is_empty() {
        return Ok(());
    }
    let mut target = target;
    let mut target = target.surface();
    let pixels = &mut target.planes[0];
    let mut samples = Vec::with_capacity(source.planes.len());
    let columns = [area.columns.start, area.columns.end].map(|x| x as usize * format.bytes());
    for y in area.rows.clone() {
        let row = |pitch: usize| columns.map(|column| y as usize * pitch + column);
        let [from, to] = row(source.pitch);
        samples.clear();
        samples.extend(source.planes.iter().map(|plane| &plane[from..to]));
        let [from, to] = row(target.pitch);
        format.resolve(&samples, &mut pixels[from..to]);
    }
    Ok(())
}

/// How the samples of a pixel become one.
pub trait Resolve: PixelFormat + PartialEq {
    /// Resolves pixels next to each other. All slices are equally long.
    fn resolve(self, samples: &[&[u8]], to: &mut [u8]);
}

impl Resolve for DepthFormat {
    fn resolve(self, samples: &[&[u8]], to: &mut [u8]) {
        to.copy_from_slice(samples[0]);
    }
}

impl Resolve for ColourFormat {
    fn resolve(self, samples: &[&[u8]], to: &mut [u8]) {
        if let [only] = samples {
            to.copy_from_slice(only);
            return;
        }
        let are_bytes = self.fields().iter().all(|field| field.bits == 8);
        if are_bytes {
            // Bytes of sRGB are stored again below, but for alpha, which is no light.
            mean_of_bytes(samples, to);
        }
        for (_, field) in self.stored(Slots::all()) {
            match (is_linear(field), are_bytes) {
                (true, true) => {}
                (true, false) => mean_of_numbers(self.size(), field, samples, to),
                (false, _) => mean_of_values(self.size(), field, samples, to),
            }
        }
    }
}

/// Whether the numbers of a field are a fraction's.
fn is_linear(field: ColourField) -> bool {
    match field.encoding {
        Encoding::Truncated | Encoding::Nearest => true,
        Encoding::Srgb | Encoding::Half | Encoding::Float => false,
    }
}

/// Rounded to the nearest, a half upwards.
fn mean_of_bytes(samples: &[&[u8]], to: &mut [u8]) {
    /// Bytes whose sums are kept at once, for vectors of them.
    const BLOCK: usize = 64;
    let (half, shift) = (samples.len() as u16 / 2, samples.len().trailing_zeros());
    for (block, to) in to.chunks_mut(BLOCK).enumerate() {
        let mut sums = [half; BLOCK];
        for sample in samples {
            let bytes = &sample[block * BLOCK..][..to.len()];
            for (sum, byte) in sums.iter_mut().zip(bytes) {
                *sum += u16::from(*byte);
            }
        }
        for (to, sum) in to.iter_mut().zip(sums) {
            *to = (sum >> shift) as u8;
        }
    }
}

/// The same of the numbers in a field, in pixels of `size` bytes.
fn mean_of_numbers(size: usize, field: ColourField, samples: &[&[u8]], to: &mut [u8]) {
    let count = samples.len() as u32;
    set_field((size, field), to, |place| {
        let numbers = samples.iter().map(|sample| number_at(field, sample, place));
        (numbers.sum::<u32>() + count / 2) / count
    });
}

/// The mean of what the numbers mean.
fn mean_of_values(size: usize, field: ColourField, samples: &[&[u8]], to: &mut [u8]) {
    let share = 1.0 / samples.len() as f32;
    set_field((size, field), to, |place| {
        let value = |sample: &&[u8]| decoded(field, number_at(field, sample, place));
        let sum = samples.iter().map(value).reduce(|sum, value| sum + value);
        encoded(field, sum.unwrap_or_default() * share)
    });
}

/// Sets a field of each pixel to the number that `new` gives, which is told where the field's word is.
fn set_field((size, field): (usize, ColourField), to: &mut [u8], new: impl Fn(usize) -> u32) {
    let bytes = size.min(4);
    for place in (4 * field.word..to.len()).step_by(size) {
        let kept = word_at(to, place) & !field.mask();
        let word = kept | new(place) << field.shift;
        to[place..place + bytes].copy_from_slice(&word.to_le_bytes()[..bytes]);
    }
}

fn number_at(field: ColourField, pixels: &[u8], place: usize) -> u32 {
    number(field, word_at(pixels, place))
}

/// The word at a place, of which a smaller pixel is the lower part.
fn word_at(pixels: &[u8], place: usize) -> u32 {
    let bytes = &pixels[place..];
    match bytes.first_chunk() {
        Some(bytes) => u32::from_le_bytes(*bytes),
        None => words(bytes)[0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved<const N: usize, const B: usize>(
        format: ColourFormat,
        samples: [[u8; B]; N],
    ) -> [u8; B] {
        let mut to = [0; B];
        let samples = samples.each_ref().map(|sample| &sample[..]);
        format.resolve(&samples, &mut to);
        to
    }

    #[test]
    fn rows_of_both_images_may_have_gaps_of_their_own() {
        const SIZE: [u32; 2] = [3, 4];
        let format = ColourFormat::R32F;
        let value = |x: usize, y: usize, sample: usize| (100 * sample + 10 * y + x) as f32;
        for (pitch, sample_pitch, target_pitch) in
            [(12, 48, 12), (12, 48, 21), (17, 70, 12), (17, 63, 22)]
        {
            let mut from = vec![0xee; 2 * sample_pitch];
            for (sample, y, x) in (0..24).map(|n| (n / 12, n / 3 % 4, n % 3)) {
                let place = sample * sample_pitch + y * pitch + 4 * x;
                from[place..place + 4].copy_from_slice(&value(x, y, sample).to_le_bytes());
            }
            let mut to = vec![0x77; 4 * target_pitch];
            let target =
                Buffer::new(format, SIZE[0], SIZE[1], &mut to[..]).with_pitch(target_pitch);
            Buffer::new(format, SIZE[0], SIZE[1], &mut from[..])
                .with_samples(SampleCount::Two)
                .with_pitch(pitch)
                .with_sample_pitch(sample_pitch)
                .resolve_to(target)
                .unwrap();
            for (y, row) in to.chunks(target_pitch).enumerate() {
                let (pixels, gap) = row.split_at(12);
                for (x, pixel) in pixels.chunks(4).enumerate() {
                    let mean = (value(x, y, 0) + value(x, y, 1)) * 0.5;
                    assert_eq!(
                        pixel,
                        mean.to_le_bytes(),
                        "({x}, {y}) of {pitch} to {target_pitch}"
                    );
                }
                assert!(
                    gap.iter().all(|byte| *byte == 0x77),
                    "{pitch} to {target_pitch}"
                );
            }
        }
    }

    #[test]
    fn a_rectangle_is_resolved_to_its_place_and_nothing_else_is() {
        let mut from = TargetImage::multisampled(DepthFormat::D32F, 5, 4, SampleCount::Two);
        let mut buffer = Buffer::from(&mut from);
        let words = buffer.surface().planes.remove(0).chunks_mut(4);
        for (place, word) in words.take(20).enumerate() {
            word.copy_from_slice(&(place as f32).to_le_bytes());
        }
        let mut to = TargetImage::new(DepthFormat::D32F, 5, 4);
        to.fill([0xff_u8; 4]);
        from.resolve_rect(&mut to, 1..4, 2..9).unwrap();
        for (place, word) in to.bytes().chunks(4).enumerate() {
            let is_inside = (1..4).contains(&(place % 5)) && (2..4).contains(&(place / 5));
            let expected = if is_inside {
                (place as f32).to_le_bytes()
            } else {
                [0xff; 4]
            };
            assert_eq!(word, expected, "{place}");
        }
    }

    #[test]
    fn halves_of_numbers_are_rounded_up() {
        let two = [[0, 1, 254, 255], [1, 1, 255, 255]];
        assert_eq!(resolved(ColourFormat::Rgba8, two), [1, 1, 255, 255]);
        let four = [[3, 0, 0, 255], [0; 4], [0, 1, 0, 255], [0, 0, 2, 255]];
        assert_eq!(resolved(ColourFormat::Bgra8, four), [1, 0, 1, 191]);
        assert_eq!(resolved(ColourFormat::R8, [[3], [0], [0], [255]]), [65]);
        let packed = |[r, g, b, a]: [u32; 4]| (r | g << 10 | b << 20 | a << 30).to_le_bytes();
        let four = [[3, 0, 1023, 3], [0; 4], [0, 1, 1023, 3], [0, 0, 1023, 0]].map(packed);
        let mean = packed([1, 0, 767, 2]);
        assert_eq!(resolved(ColourFormat::Rgb10A2, four), mean);
    }

    #[test]
    fn srgb_is_mixed_as_light_and_its_alpha_as_bytes() {
        let two = [[0, 255, 188, 0], [255, 255, 188, 1]];
        assert_eq!(resolved(ColourFormat::Rgba8Srgb, two), [188, 255, 188, 1]);
    }

    #[test]
    fn equal_samples_stay_what_they_are() {
        for format in [ColourFormat::Rgba8, ColourFormat::Rgba8Srgb] {
            for byte in 0..=255 {
                let pixel = [byte, 255 - byte, byte / 2, byte];
                assert_eq!(resolved(format, [pixel; 16]), pixel, "{format:?}");
            }
        }
        // Sums of floats are exact if these have some bits to spare.
        for bits in [0_u32, 0x8000_0000, 1, 0x3eaa_aa00, 0xc2f6_e970] {
            let pixel = bits.to_le_bytes();
            assert_eq!(resolved(ColourFormat::R32F, [pixel; 8]), pixel, "{bits:#x}");
        }
    }

    #[test]
    fn floats_are_added_from_sample_0_on() {
        let values = [1e8_f32, 1.0, -1e8, 1.0];
        let pixels = values.map(|value| value.to_bits().to_le_bytes());
        let mean = (((1e8_f32 + 1.0) - 1e8) + 1.0) * 0.25;
        assert_eq!(
            resolved(ColourFormat::R32F, pixels),
            mean.to_bits().to_le_bytes()
        );
    }
}
