//! Every format against values worked out by hand.

use attila_texture::{Channel, Dimension, Format, Image, Size};

/// The first texel of an image of one block or texel.
fn texel(format: Format, bytes: &[u8]) -> [f32; 4] {
    block(format, bytes)[0]
}

/// The texels of an image of one block, or the one of an image of one texel.
fn block(format: Format, bytes: &[u8]) -> Vec<[f32; 4]> {
    let side = if format.is_compressed() { 4 } else { 1 };
    let image = Image::from_levels(Dimension::D2, format, Size::d2(side, side), &[bytes]);
    let image = image.expect("the bytes are as many as they should be");
    let row = |j| (0..side).map(move |i| [i, j, 0]);
    (0..side)
        .flat_map(row)
        .map(|at| image.texel(0, at).unwrap())
        .collect()
}

/// A numerator and a denominator.
type Fraction = (u32, u32);

/// n / d for each channel.
fn parts(channels: [Fraction; 4]) -> [f32; 4] {
    channels.map(|(n, d)| n as f32 / d as f32)
}

const ONE: Fraction = (1, 1);
const ZERO: Fraction = (0, 1);

/// 12h of 255.
const L8: Fraction = (0x12, 255);

/// Formats of unsigned fields, the bytes of a texel, and its channels.
#[expect(clippy::unusual_byte_groupings, reason = "the groups are fields")]
const UNSIGNED: [(Format, &[u8], [Fraction; 4]); 38] = [
    (Format::A8, &[0x12], [ZERO, ZERO, ZERO, L8]),
    (
        Format::A12,
        &[0x34, 0xf2],
        [ZERO, ZERO, ZERO, (0x234, 4095)],
    ),
    (
        Format::A16,
        &[0x34, 0x12],
        [ZERO, ZERO, ZERO, (0x1234, 65535)],
    ),
    (Format::L8, &[0x12], [L8, L8, L8, ONE]),
    (Format::L12, &[0x34, 0xf2], replicated((0x234, 4095), ONE)),
    (Format::L16, &[0x34, 0x12], replicated((0x1234, 65535), ONE)),
    (Format::L4A4, &[0x52], replicated((5, 15), (2, 15))),
    (Format::A4L4, &[0x52], replicated((2, 15), (5, 15))),
    (
        Format::L6A2,
        &[0b1001_1001],
        replicated((0b10_0110, 63), (1, 3)),
    ),
    (Format::L8A8, &[0x12, 0x34], replicated(L8, (0x34, 255))),
    (
        Format::L12A4,
        &[0x34, 0x12],
        replicated((0x123, 4095), (4, 15)),
    ),
    (
        Format::L12A12,
        &[0x56, 0x34, 0x12, 0xff],
        replicated((0x123, 4095), (0x456, 4095)),
    ),
    (
        Format::L16A16,
        &[0x34, 0x12, 0x78, 0x56],
        replicated((0x1234, 65535), (0x5678, 65535)),
    ),
    (Format::I8, &[0x12], replicated(L8, L8)),
    (
        Format::I12,
        &[0x34, 0xf2],
        replicated((0x234, 4095), (0x234, 4095)),
    ),
    (
        Format::I16,
        &[0x34, 0x12],
        replicated((0x1234, 65535), (0x1234, 65535)),
    ),
    (
        Format::Rgb332,
        &[0b101_110_01],
        [(5, 7), (6, 7), (1, 3), ONE],
    ),
    (
        Format::Rgb444,
        &[0x34, 0xf2],
        [(2, 15), (3, 15), (4, 15), ONE],
    ),
    (
        Format::Rgb555,
        &[0b001_00011, 0b1_10001_01],
        [(17, 31), (9, 31), (3, 31), ONE],
    ),
    (
        Format::Rgb565,
        &[0b001_00011, 0b10001_101],
        [(17, 31), (41, 63), (3, 31), ONE],
    ),
    (
        Format::Rgb888,
        &[1, 2, 3, 4],
        [(1, 255), (2, 255), (3, 255), ONE],
    ),
    (
        Format::Bgr888,
        &[1, 2, 3, 4],
        [(3, 255), (2, 255), (1, 255), ONE],
    ),
    (
        Format::Argb4444,
        &[0x34, 0x12],
        [(2, 15), (3, 15), (4, 15), (1, 15)],
    ),
    (
        Format::Argb1555,
        &[0b001_00011, 0b1_10001_01],
        [(17, 31), (9, 31), (3, 31), ONE],
    ),
    (
        Format::Rgb101010,
        &word(3 << 30 | 700 << 20 | 500 << 10 | 3),
        [(700, 1023), (500, 1023), (3, 1023), ONE],
    ),
    (
        Format::Rgb121212,
        &word(200 << 24 | 3000 << 12 | 5),
        [(200, 255), (3000, 4095), (5, 4095), ONE],
    ),
    (
        Format::Rgba2222,
        &[0b11_10_01_00],
        [(3, 3), (2, 3), (1, 3), (0, 3)],
    ),
    (
        Format::Rgba4444,
        &[0x12, 0x34],
        [(1, 15), (2, 15), (3, 15), (4, 15)],
    ),
    (
        Format::Rgba5551,
        &[0b01_00011_1, 0b10001_101],
        [(17, 31), (0b10101, 31), (3, 31), ONE],
    ),
    (
        Format::Rgba1010102,
        &word(700 << 22 | 500 << 12 | 3 << 2 | 2),
        [(700, 1023), (500, 1023), (3, 1023), (2, 3)],
    ),
    (
        Format::Rgba8,
        &[1, 2, 3, 4],
        [(1, 255), (2, 255), (3, 255), (4, 255)],
    ),
    (
        Format::Bgra8,
        &[1, 2, 3, 4],
        [(3, 255), (2, 255), (1, 255), (4, 255)],
    ),
    (Format::R8, &[0x12], [L8, ZERO, ZERO, ONE]),
    (Format::Rg8, &[0x12, 0x34], [L8, (0x34, 255), ZERO, ONE]),
    (
        Format::R16,
        &[0x34, 0x12],
        [(0x1234, 65535), ZERO, ZERO, ONE],
    ),
    (
        Format::Rg16,
        &[0x34, 0x12, 0x78, 0x56],
        [(0x1234, 65535), (0x5678, 65535), ZERO, ONE],
    ),
    (
        Format::Rgba16,
        &[1, 0, 2, 0, 3, 0, 0, 1],
        [(1, 65535), (2, 65535), (3, 65535), (256, 65535)],
    ),
    (
        Format::Depth24,
        &[0x56, 0x34, 0x12, 0xff],
        replicated((0x12_3456, 0xff_ffff), ONE),
    ),
];

#[test]
fn unsigned_fields_are_divided_by_their_largest_values() {
    for (format, bytes, channels) in UNSIGNED {
        assert_eq!(texel(format, bytes), parts(channels), "{format}");
    }
}

const fn replicated(luminance: Fraction, alpha: Fraction) -> [Fraction; 4] {
    [luminance, luminance, luminance, alpha]
}

const fn word(word: u32) -> [u8; 4] {
    word.to_le_bytes()
}

#[test]
fn signed_bytes_are_divided_by_127() {
    let minus = -128.0 / 127.0;
    assert_eq!(texel(Format::L8Snorm, &[0x80]), [minus, minus, minus, 1.0]);
    assert_eq!(
        texel(Format::L8A8Snorm, &[0x7f, 0xff]),
        [1.0, 1.0, 1.0, -1.0 / 127.0]
    );
}

#[test]
fn floats_are_what_they_are() {
    // 1.5, -2, the smallest binary16, infinity.
    let halves = [0x00, 0x3e, 0x00, 0xc0, 0x01, 0x00, 0x00, 0x7c];
    let smallest = 2f32.powi(-24);
    assert_eq!(texel(Format::R16F, &halves[..2]), [1.5, 0.0, 0.0, 1.0]);
    assert_eq!(texel(Format::Rg16F, &halves[..4]), [1.5, -2.0, 0.0, 1.0]);
    assert_eq!(
        texel(Format::Rgba16F, &halves),
        [1.5, -2.0, smallest, f32::INFINITY]
    );
    let floats: Vec<u8> = [1.5_f32, -1e30, 1e-45, 7.0]
        .iter()
        .flat_map(|f| f.to_le_bytes())
        .collect();
    assert_eq!(texel(Format::R32F, &floats[..4]), [1.5, 0.0, 0.0, 1.0]);
    assert_eq!(texel(Format::Rg32F, &floats[..8]), [1.5, -1e30, 0.0, 1.0]);
    assert_eq!(texel(Format::Rgba32F, &floats), [1.5, -1e30, 1e-45, 7.0]);
}

/// A colour block: red above blue, then the indices 0 to 3 in each row.
const COLOURS: [u8; 8] = [0x00, 0xf8, 0x1f, 0x00, 0xe4, 0xe4, 0xe4, 0xe4];
/// The same with the colours exchanged.
const EXCHANGED: [u8; 8] = [0x1f, 0x00, 0x00, 0xf8, 0xe4, 0xe4, 0xe4, 0xe4];

/// Colours of bytes, from 0 to 255.
fn bytes(texels: &[[f32; 4]]) -> Vec<[u8; 4]> {
    texels
        .iter()
        .map(|texel| texel.map(|value| (value * 255.0).round() as u8))
        .collect()
}

#[test]
fn dxt1_mixes_its_colours_in_thirds_or_halves() {
    let row = |format, block_bytes: &[u8]| bytes(&block(format, block_bytes)[4..8]);
    let thirds = [
        [255, 0, 0, 255],
        [0, 0, 255, 255],
        [170, 0, 85, 255],
        [85, 0, 170, 255],
    ];
    assert_eq!(row(Format::Dxt1Rgb, &COLOURS), thirds);
    assert_eq!(row(Format::Dxt1Rgba, &COLOURS), thirds);
    let halves = [[0, 0, 255, 255], [255, 0, 0, 255], [127, 0, 127, 255]];
    let opaque = row(Format::Dxt1Rgb, &EXCHANGED);
    let transparent = row(Format::Dxt1Rgba, &EXCHANGED);
    assert_eq!(opaque[..3], halves);
    assert_eq!(transparent[..3], halves);
    assert_eq!([opaque[3], transparent[3]], [[0, 0, 0, 255], [0; 4]]);
}

#[test]
fn dxt_end_points_keep_the_whole_bytes_of_their_fields() {
    for n in 0..64_u16 {
        let colour = (n / 2) << 11 | n << 5 | (n / 2);
        let mut encoded = [0; 8];
        encoded[..2].copy_from_slice(&colour.to_le_bytes());
        let [r, g, b, a] = bytes(&block(Format::Dxt1Rgb, &encoded))[0].map(u16::from);
        assert_eq!(
            [r, g, b, a],
            [n / 2 * 255 / 31, n * 255 / 63, r, 255],
            "{n}"
        );
    }
}

#[test]
fn dxt3_has_alpha_of_its_own_and_always_thirds() {
    let mut encoded = vec![0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe];
    encoded.extend(EXCHANGED);
    let texels = bytes(&block(Format::Dxt3, &encoded));
    let alpha: Vec<u8> = texels.iter().map(|texel| texel[3]).collect();
    assert_eq!(alpha, (0..16).map(|n| 17 * n).collect::<Vec<u8>>());
    assert_eq!(texels[2][..3], [85, 0, 170]);
    assert_eq!(texels[3][..3], [170, 0, 85]);
}

/// A ramp with the indices 0 to 7, twice.
fn ramp(first: u8, second: u8) -> [u8; 8] {
    let indices = (0..16_u64).fold(0, |bits, texel| bits | (texel % 8) << (3 * texel));
    let [a, b, c, d, e, f, ..] = indices.to_le_bytes();
    [first, second, a, b, c, d, e, f]
}

/// Values of bytes that are 1 at `scale`.
fn scaled(values: &[f32], scale: f32) -> Vec<f32> {
    values.iter().map(|value| (value * scale).round()).collect()
}

#[test]
fn ramps_have_six_values_between_their_ends_or_four_and_the_constants() {
    let sevenths = [200.0, 60.0, 180.0, 160.0, 140.0, 120.0, 100.0, 80.0];
    let fifths = [60.0, 200.0, 88.0, 116.0, 144.0, 172.0, 0.0, 255.0];
    for (ends, want) in [((200, 60), sevenths), ((60, 200), fifths)] {
        let ramp = ramp(ends.0, ends.1);
        let dxt5 = block(Format::Dxt5, &[ramp, COLOURS].concat());
        let alpha: Vec<f32> = dxt5.iter().map(|texel| texel[3]).collect();
        assert_eq!(scaled(&alpha[..8], 255.0), want);
        let latc1 = block(Format::Latc1, &ramp);
        assert!(
            latc1
                .iter()
                .zip(&alpha)
                .all(|(texel, &l)| *texel == [l, l, l, 1.0])
        );
        let latc2 = block(Format::Latc2, &[ramp, self::ramp(9, 9)].concat());
        assert!(
            latc2
                .iter()
                .zip(&latc1)
                .all(|(two, one)| two[..3] == one[..3])
        );
        assert_eq!(latc2[0][3], 9.0 / 255.0);
    }
}

#[test]
fn equal_ends_choose_the_constants() {
    let luminance = block(Format::Latc1, &ramp(51, 51))
        .into_iter()
        .map(|texel| texel[0]);
    let fifth = 51.0 / 255.0;
    assert_eq!(
        luminance.skip(4).take(4).collect::<Vec<_>>(),
        [fifth, fifth, 0.0, 1.0]
    );
    let white = [0xff, 0xff, 0xff, 0xff, 0xe4, 0xe4, 0xe4, 0xe4];
    let row = bytes(&block(Format::Dxt1Rgba, &white)[..4]);
    assert_eq!(row, [[255; 4], [255; 4], [255; 4], [0; 4]]);
}

#[test]
fn signed_ramps_go_below_0_and_end_at_0_or_exactly_at_minus_1() {
    // -100 to 40 in fifths, which f32 falls short of where they are negative, then the constants.
    let ramp = ramp((-100_i8).cast_unsigned(), 40);
    let want = [-100.0, 40.0, -71.0, -43.0, -15.0, 12.0, 0.0, 127.0];
    let luminance = |texels: Vec<[f32; 4]>| texels.iter().map(|t| t[0]).collect::<Vec<_>>();
    let one = luminance(block(Format::Latc1Snorm, &ramp));
    assert_eq!(scaled(&one[..8], 127.0), want);
    let two = block(Format::Latc2Snorm, &[ramp, ramp].concat());
    assert!(two.iter().all(|texel| texel[3] == texel[0]));
    assert_eq!(scaled(&luminance(two)[..8], 127.0), want);
    let exact =
        Image::from_levels_exact(Dimension::D2, Format::Latc1Snorm, Size::d2(4, 4), &[&ramp]);
    let exact = exact.expect("one block");
    assert_eq!(exact.texel(0, [2, 1, 0]).unwrap(), [-1.0, -1.0, -1.0, 1.0]);
    assert!((exact.texel(0, [2, 0, 0]).unwrap()[0] + 72.0 / 127.0).abs() < 1e-6);
}

#[test]
fn blocks_beyond_the_edge_of_an_image_are_cut() {
    // 6x5 texels are 2x2 blocks; each of one colour: red, blue, blue, red.
    let red = [0x00, 0xf8, 0, 0, 0, 0, 0, 0];
    let blue = [0x1f, 0x00, 0, 0, 0, 0, 0, 0];
    let encoded = [red, blue, blue, red].concat();
    let image = Image::from_levels(Dimension::D2, Format::Dxt1Rgb, Size::d2(6, 5), &[&encoded]);
    let image = image.expect("four blocks");
    assert_eq!(image.bytes().len(), 6 * 5 * 4);
    let is_red = |i, j| image.texel(0, [i, j, 0]).unwrap()[0] == 1.0;
    assert!(is_red(3, 3) && !is_red(4, 3) && !is_red(3, 4) && is_red(5, 4));
}

#[test]
fn rows_of_the_table_are_consistent() {
    for &format in Format::ALL {
        let layout = format.layout();
        assert!([1, 2, 4, 8, 16].contains(&layout.bytes), "{format}");
        assert!(!format.stored().is_compressed());
        assert_eq!(format.stored().layout(), layout);
        for channel in layout.channels {
            let end = match channel {
                Channel::Zero | Channel::One | Channel::IntegerOne => 0,
                Channel::Unorm { shift, bits }
                | Channel::Uint { shift, bits }
                | Channel::Sint { shift, bits } => shift + bits,
                Channel::Snorm { shift } => shift + 8,
                Channel::Half { shift } => shift + 16,
                Channel::Float { shift } => shift + 32,
            };
            assert!(end <= layout.bytes * 8, "{format}: {channel:?}");
        }
        let same_name = |other: &&Format| other.name() == format.name();
        assert_eq!(Format::ALL.iter().filter(same_name).count(), 1, "{format}");
    }
    assert_eq!(Format::ALL.len(), 74);
}

#[test]
fn dividing_a_byte_is_two_products_and_a_sum() {
    // 1/255 in two parts; the first has few enough bits for an exact product. Generated code may
    // divide by 255 this way.
    let high = f32::from_bits((1.0_f32 / 255.0).to_bits() & 0xffff_ff00);
    let low = (1.0 / 255.0 - f64::from(high)) as f32;
    for byte in 0..=255_u8 {
        let byte = f32::from(byte);
        assert_eq!(byte * high + byte * low, byte / 255.0);
    }
}
