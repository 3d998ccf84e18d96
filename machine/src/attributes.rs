//! [`VertexBuffers`]: vertex attributes in memory, for LDA (machine.md 5.1).

use crate::bindings::{AttributeSource, DEFAULT_ATTRIBUTE};
use crate::quad::{LaneMask, Lanes};
use attila_isa::ATTRIBUTES;

/// How a component is stored, little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VertexFormat {
    /// u8, divided by 255.
    Unorm8,
    /// u16, divided by 65535.
    Unorm16,
    /// u32, divided by 2^32 - 1.
    Unorm32,
    /// i8, divided by 127; the lowest value is a little below -1.
    Snorm8,
    /// i16, divided by 32767.
    Snorm16,
    /// i32, divided by 2^31 - 1.
    Snorm32,
    /// u8, as a number.
    Uint8,
    /// u16, as a number.
    Uint16,
    /// u32, as a number.
    Uint32,
    /// i8, as a number.
    Sint8,
    /// i16, as a number.
    Sint16,
    /// i32, as a number.
    Sint32,
    /// IEEE binary16.
    Float16,
    /// IEEE binary32.
    Float32,
}

impl VertexFormat {
    /// Bytes of a component.
    pub const fn size(self) -> usize {
        match self {
            VertexFormat::Unorm8
            | VertexFormat::Snorm8
            | VertexFormat::Uint8
            | VertexFormat::Sint8 => 1,
            VertexFormat::Unorm16
            | VertexFormat::Snorm16
            | VertexFormat::Uint16
            | VertexFormat::Sint16
            | VertexFormat::Float16 => 2,
            VertexFormat::Unorm32
            | VertexFormat::Snorm32
            | VertexFormat::Uint32
            | VertexFormat::Sint32
            | VertexFormat::Float32 => 4,
        }
    }

    /// The f32 that a component stands for, the bytes of which are in `word`, zeros above them.
    ///
    /// Integers are rounded to f32 before they are divided.
    fn decode(self, word: u32) -> f32 {
        let signed = |bits: u32| (word << (32 - bits)).cast_signed() >> (32 - bits);
        match self {
            VertexFormat::Unorm8 => word as f32 / 255.0,
            VertexFormat::Unorm16 => word as f32 / 65_535.0,
            VertexFormat::Unorm32 => word as f32 / 4_294_967_295_u32 as f32,
            VertexFormat::Snorm8 => signed(8) as f32 / 127.0,
            VertexFormat::Snorm16 => signed(16) as f32 / 32_767.0,
            VertexFormat::Snorm32 => signed(32) as f32 / i32::MAX as f32,
            VertexFormat::Uint8 | VertexFormat::Uint16 | VertexFormat::Uint32 => word as f32,
            VertexFormat::Sint8 => signed(8) as f32,
            VertexFormat::Sint16 => signed(16) as f32,
            VertexFormat::Sint32 => signed(32) as f32,
            VertexFormat::Float16 => half_to_f32(word),
            VertexFormat::Float32 => f32::from_bits(word),
        }
    }
}

/// The value of the binary16 in the low 16 bits, exactly; a NaN keeps its payload.
fn half_to_f32(half: u32) -> f32 {
    let sign = (half & 0x8000) << 16;
    let (exponent, fraction) = (half >> 10 & 0x1f, half & 0x3ff);
    let magnitude = match exponent {
        // 0 and denormals, all of which are normal numbers as f32.
        0 => (fraction as f32 / 16_777_216.0).to_bits(),
        0x1f => 0x7f80_0000 | fraction << 13,
        _ => (exponent + 127 - 15) << 23 | fraction << 13,
    };
    f32::from_bits(sign | magnitude)
}

/// An attribute of consecutive vertices in a buffer.
///
/// Vertex n begins `offset + stride * n` bytes into the buffer. An attribute that does not lie in
/// the buffer as a whole reads as `default`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct VertexAttribute<'a> {
    /// The buffer.
    pub bytes: &'a [u8],
    /// Bytes before the first vertex.
    pub offset: usize,
    /// Bytes from one vertex to the next.
    pub stride: usize,
    /// How a component is stored.
    pub format: VertexFormat,
    /// How many components are stored; those from the fifth on are not read.
    pub components: usize,
    /// The components that are not stored.
    pub default: [f32; 4],
    /// Whether x and z change places: for colours stored as blue, green, red, alpha.
    pub bgra: bool,
}

impl<'a> VertexAttribute<'a> {
    /// `components` components per vertex, one vertex after the other from the start of the buffer;
    /// those missing are 0, 0, 0, 1.
    pub const fn packed(bytes: &'a [u8], format: VertexFormat, components: usize) -> Self {
        VertexAttribute {
            bytes,
            offset: 0,
            stride: format.size().saturating_mul(components),
            format,
            components,
            default: DEFAULT_ATTRIBUTE,
            bgra: false,
        }
    }

    /// The attribute of vertex `index`.
    pub fn fetch(&self, index: u32) -> [f32; 4] {
        let mut value = self.stored(index).unwrap_or(self.default);
        if self.bgra {
            value.swap(0, 2);
        }
        value
    }

    /// The numbers from those of the first vertex on, and how many there are from one vertex to the next, if that is
    /// what the buffer holds: 32-bit floats in their order, where floats may lie.
    pub fn floats(&self) -> Option<(&'a [f32], usize)> {
        let is_plain = self.format == VertexFormat::Float32 && !self.bgra;
        let size = size_of::<f32>();
        let stride = self.stride / size;
        if !is_plain
            || !self.stride.is_multiple_of(size)
            || !(1..=stride).contains(&self.components.min(4))
        {
            return None;
        }
        let bytes = self.bytes.get(self.offset..)?;
        let whole = &bytes[..bytes.len() - bytes.len() % size];
        Some((bytemuck::try_cast_slice(whole).ok()?, stride))
    }

    /// How many vertices lie in the buffer as a whole. With a stride of 0 they have no end.
    pub fn vertices(&self) -> usize {
        let size = self.format.size() * self.components.min(4);
        let behind_offset = self.bytes.len().checked_sub(self.offset);
        match behind_offset.and_then(|room| room.checked_sub(size)) {
            Some(room) => room.checked_div(self.stride).map_or(usize::MAX, |n| n + 1),
            None => 0,
        }
    }

    /// The stored components and the default of the others; `None` outside the buffer.
    fn stored(&self, index: u32) -> Option<[f32; 4]> {
        let size = self.format.size();
        let start = usize::try_from(index).ok()?.checked_mul(self.stride)?;
        let start = start.checked_add(self.offset)?;
        let end = start.checked_add(size * self.components.min(4))?;
        let stored = self.bytes.get(start..end)?;
        let mut value = self.default;
        for (component, bytes) in value.iter_mut().zip(stored.chunks_exact(size)) {
            let word = bytes
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u32::from(byte));
            *component = self.format.decode(word);
        }
        Some(value)
    }
}

/// The 64 attributes; those that are not set read as [`DEFAULT_ATTRIBUTE`].
///
/// ```
/// use attila_machine::{AttributeSource, LaneMask, VertexAttribute, VertexBuffers, VertexFormat};
///
/// let colours = [0, 0, 255, 255, 0, 0, 255];
/// let buffers = VertexBuffers::new()
///     .with(3, VertexAttribute::packed(&colours, VertexFormat::Unorm8, 3));
/// let [x, y, z, w] = buffers.fetch(3, [0, 1, 2, 1], LaneMask::all());
/// assert_eq!(x, [0.0, 1.0, 0.0, 1.0]); // vertex 2 is not there as a whole
/// assert_eq!(z, [1.0, 0.0, 0.0, 0.0]);
/// assert_eq!((y, w), ([0.0; 4], [1.0; 4]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct VertexBuffers<'a> {
    attributes: [Option<VertexAttribute<'a>>; ATTRIBUTES as usize],
    /// The first attribute that was set and does not exist.
    beyond: Option<usize>,
}

impl Default for VertexBuffers<'_> {
    fn default() -> Self {
        VertexBuffers {
            attributes: [None; ATTRIBUTES as usize],
            beyond: None,
        }
    }
}

impl<'a> VertexBuffers<'a> {
    /// No attributes.
    pub fn new() -> Self {
        Self::default()
    }

    /// With attribute `index`. There are 64; meshes report one [beyond](VertexBuffers::beyond), and
    /// no program can fetch it.
    #[must_use]
    pub fn with(mut self, index: usize, attribute: VertexAttribute<'a>) -> Self {
        match self.attributes.get_mut(index) {
            Some(place) => *place = Some(attribute),
            None => {
                self.beyond.get_or_insert(index);
            }
        }
        self
    }

    /// With attribute `index` of N floats for each vertex, one after the other.
    #[must_use]
    pub fn with_floats<const N: usize>(self, index: usize, vertices: &'a [[f32; N]]) -> Self {
        let bytes = bytemuck::cast_slice(vertices.as_flattened());
        let attribute = VertexAttribute::packed(bytes, VertexFormat::Float32, N);
        self.with(index, attribute)
    }

    /// The first attribute that was set and does not exist.
    pub fn beyond(&self) -> Option<usize> {
        self.beyond
    }

    /// Attribute `index`, if it is set.
    pub fn get(&self, index: usize) -> Option<&VertexAttribute<'a>> {
        self.attributes.get(index)?.as_ref()
    }
}

impl AttributeSource for VertexBuffers<'_> {
    fn fetch(&self, attribute: u8, index: Lanes<u32>, wanted: LaneMask) -> [Lanes<f32>; 4] {
        let attribute = self
            .attributes
            .get(usize::from(attribute))
            .copied()
            .flatten();
        let lane = |lane: usize| match attribute {
            Some(attribute) if wanted.has(lane) => attribute.fetch(index[lane]),
            _ => DEFAULT_ATTRIBUTE,
        };
        let lanes: Lanes<[f32; 4]> = std::array::from_fn(lane);
        std::array::from_fn(|c| lanes.map(|value| value[c]))
    }

    fn in_any_order(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(format: VertexFormat, bytes: &[u8]) -> f32 {
        VertexAttribute::packed(bytes, format, 1).fetch(0)[0]
    }

    #[test]
    fn every_format_is_decoded() {
        use VertexFormat::*;
        for (format, bytes, value) in [
            (Unorm8, &[255][..], 1.0),
            (Unorm8, &[51], 0.2),
            (Unorm16, &[0xff, 0xff], 1.0),
            (Unorm32, &[0xff; 4], 1.0),
            (Unorm32, &[0, 0, 0, 0x80], 0.5),
            (Snorm8, &[0x81], -1.0),
            (Snorm8, &[0x80], -128.0 / 127.0),
            (Snorm16, &[0x01, 0x80], -1.0),
            (Snorm32, &[0xff, 0xff, 0xff, 0x7f], 1.0),
            (Uint8, &[200], 200.0),
            (Uint16, &[0x34, 0x12], 4660.0),
            (Uint32, &[0xff; 4], 4_294_967_296.0),
            (Sint8, &[0xff], -1.0),
            (Sint16, &[0xfe, 0xff], -2.0),
            (Sint32, &[0, 0, 0, 0x80], -2_147_483_648.0),
            (Float16, &[0x00, 0xc1], -2.5),
            (Float32, &[0, 0, 0x20, 0x40], 2.5),
        ] {
            assert_eq!(first(format, bytes), value, "{format:?} {bytes:?}");
            assert_eq!(format.size(), bytes.len());
        }
    }

    #[test]
    fn halves_are_exact() {
        for (half, bits) in [
            (0x0000, 0x0000_0000),
            (0x8000, 0x8000_0000),
            (0x0001, 0x3380_0000),
            (0x83ff, 0xb87f_c000),
            (0x0400, 0x3880_0000),
            (0x3c01, 0x3f80_2000),
            (0x7bff, 0x477f_e000),
            (0xfc00, 0xff80_0000),
            (0x7e01, 0x7fc0_2000),
        ] {
            assert_eq!(half_to_f32(half).to_bits(), bits, "{half:#06x}");
        }
    }

    #[test]
    fn missing_components_come_from_the_default() {
        let attribute = VertexAttribute {
            default: [9.0, 8.0, 7.0, 6.0],
            ..VertexAttribute::packed(&[1, 2], VertexFormat::Uint8, 2)
        };
        assert_eq!(attribute.fetch(0), [1.0, 2.0, 7.0, 6.0]);
    }

    #[test]
    fn offset_and_stride_are_honoured_and_bgra_is_swapped() {
        let bytes: Vec<u8> = (0..32).collect();
        let attribute = VertexAttribute {
            offset: 3,
            stride: 10,
            bgra: true,
            ..VertexAttribute::packed(&bytes, VertexFormat::Uint8, 4)
        };
        assert_eq!(attribute.fetch(2), [25.0, 24.0, 23.0, 26.0]);
    }

    #[test]
    fn vertices_count_if_they_are_there_as_a_whole() {
        for (length, offset, stride, vertices) in [
            (0, 0, 8, 0),
            (7, 0, 8, 0),
            (8, 0, 8, 1),
            (8, 1, 8, 0),
            (31, 0, 8, 3),
            (32, 0, 8, 4),
            (32, 3, 12, 2),
            (32, 0, 0, usize::MAX),
            (4, 0, 0, 0),
        ] {
            let bytes = vec![0; length];
            let attribute = VertexAttribute {
                offset,
                stride,
                ..VertexAttribute::packed(&bytes, VertexFormat::Float32, 2)
            };
            assert_eq!(attribute.vertices(), vertices, "{length} {offset} {stride}");
        }
    }

    #[test]
    fn no_index_stride_or_offset_leaves_the_buffer() {
        for (offset, stride, components) in [
            (0, 4, 1),
            (2, 4, 1),
            (usize::MAX, 4, 4),
            (0, usize::MAX, 4),
            (0, 4, usize::MAX),
            (usize::MAX, usize::MAX, usize::MAX),
        ] {
            let attribute = VertexAttribute {
                offset,
                stride,
                components,
                ..VertexAttribute::packed(&[0; 5], VertexFormat::Float32, 1)
            };
            assert_eq!(attribute.fetch(u32::MAX), DEFAULT_ATTRIBUTE);
            attribute.fetch(0);
            attribute.vertices();
        }
    }

    #[test]
    fn attributes_that_do_not_exist_have_no_effect() {
        let count = usize::from(ATTRIBUTES);
        let attribute = VertexAttribute::packed(&[1], VertexFormat::Uint8, 1);
        let buffers = VertexBuffers::new().with(count, attribute);
        assert!((0..=count).all(|index| buffers.get(index).is_none()));
    }

    #[test]
    fn attributes_that_are_not_set_read_as_the_default() {
        let value = VertexBuffers::new().fetch(15, [0; 4], LaneMask::all());
        assert_eq!(value, DEFAULT_ATTRIBUTE.map(|component| [component; 4]));
    }
}
