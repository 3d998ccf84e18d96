//! Tiles: targets that are a part of a larger picture.

use attila_shader::Shader;
use attila_shader::draw::{
    Buffer, ColourBuffer, ColourImage, Draw, DrawError, MAX_PICTURE, Vertices,
};
use attila_shader::machine::arith::fma;
use attila_shader::machine::pipeline::ColourFormat;

use super::common::{numbered, shaders};

/// Columns and rows of the picture.
const PICTURE: [u32; 2] = [11, 9];

/// Columns and rows of tiles that may be larger.
const TILE: [u32; 2] = [14, 12];

/// What no draw stores.
const BEFORE: [f32; 4] = [-1.0; 4];

/// Derivatives, the position, and planes.
const PROGRAM: &str = "ddx r0, i6\nddy r1, i6\nadd r0, r0, r1\nadd r0, r0, i6\nadd o1, r0, i0";

fn image([width, height]: [u32; 2]) -> ColourImage {
    let mut image = ColourImage::new(ColourFormat::Rgba32F, width, height);
    image.fill(BEFORE);
    image
}

#[test]
fn a_tile_may_reach_beyond_every_edge_of_its_picture() {
    let places = [
        [1.5, -3.0, 0.2, 1.0],
        [14.0, 4.0, 0.8, 0.5],
        [-2.0, 9.5, 0.5, 1.0],
    ];
    let triangles = Vertices::new(&places);
    for shader in shaders(PROGRAM) {
        let draw = || Draw::new(&shader).varying(6, numbered());
        for is_rect in [true, false] {
            let shape = |draw: Draw<'_>| match is_rect {
                true => draw.rect(0..11, 1..9),
                false => draw.triangles(&triangles, &[[0, 1, 2]]),
            };
            let mut whole = image(PICTURE);
            shape(draw().target(0, &mut whole)).expect("it draws");
            for origin in [[0, 0], [-3, -5], [-1, 2], [5, 3], [7, 6], [-20, 0], [0, 9]] {
                let mut tile = image(TILE);
                let tiled = draw().origin(origin, PICTURE).target(0, &mut tile);
                shape(tiled).expect("it draws");
                for (x, y) in (0..TILE[1]).flat_map(|y| (0..TILE[0]).map(move |x| (x, y))) {
                    let [column, row] = [origin[0] + x as i32, origin[1] + y as i32];
                    let place = [u32::try_from(column), u32::try_from(row)];
                    let expected = match place {
                        [Ok(column), Ok(row)] => whole.pixel::<[f32; 4]>(column, row),
                        [_, _] => None,
                    };
                    let got = tile.pixel::<[f32; 4]>(x, y);
                    let shown = (origin, x, y);
                    assert_eq!(got, expected.or(Some(BEFORE)), "{shown:?} {is_rect}");
                }
            }
        }
    }
}

/// A picture that no one target could be.
const LARGE: [u32; 2] = [MAX_PICTURE, MAX_PICTURE - 1];

/// Its last columns and rows.
const CORNER: [u32; 2] = [37, 29];

#[derive(Clone, Copy, Debug)]
enum Shape {
    Rectangle,
    /// Over all of the picture.
    Large,
    /// A few pixels.
    Small,
    /// Some hundred.
    Medium,
}

impl Shape {
    fn draw(self, draw: Draw<'_>) -> Result<(), DrawError> {
        let [right, below] = LARGE.map(|side| side as f32);
        let near = |side: f32| {
            let corners = [[side, 3.25], [2.5, side], [0.125, 0.5]];
            corners.map(|[x, y]| [right - x, below - y, 0.25, 0.5])
        };
        let places = match self {
            Shape::Rectangle => return draw.rect(0..LARGE[0], 0..LARGE[1]),
            Shape::Large => [[0.0, 9.0], [2.0 * right, 2.5 * below], [1.5 * right, -3.5]]
                .map(|[x, y]| [x, y, 0.75, x]),
            Shape::Small => near(7.5),
            Shape::Medium => near(27.5),
        };
        let places = places.map(|[x, y, z, w]| [x, y, z, 1.0 / (1.0 + w)]);
        draw.triangles(&Vertices::new(&places), &[[0, 1, 2]])
    }

    /// The corner of the large picture, in tiles.
    fn corner(self, shader: &Shader, anchor: [f32; 2], tile: [u32; 2]) -> Vec<[f32; 4]> {
        let mut pixels = vec![BEFORE; (CORNER[0] * CORNER[1]) as usize];
        let format = ColourFormat::Rgba32F;
        let starts = |axis: usize| (0..CORNER[axis]).step_by(tile[axis] as usize);
        for [left, top] in starts(1).flat_map(|top| starts(0).map(move |left| [left, top])) {
            let [width, height] =
                [0, 1].map(|axis| tile[axis].min(CORNER[axis] - [left, top][axis]));
            let memory = &mut pixels[(top * CORNER[0] + left) as usize..];
            let buffer: ColourBuffer<'_> = Buffer::new(format, width, height, memory);
            let from = [0, 1].map(|axis| LARGE[axis] - CORNER[axis] + [left, top][axis]);
            let draw = Draw::new(shader)
                .varying(6, numbered())
                .anchor(anchor)
                .origin(from.map(u32::cast_signed), LARGE)
                .target(0, buffer.with_pitch(CORNER[0] as usize * format.size()));
            self.draw(draw).expect("it draws");
        }
        pixels
    }
}

#[test]
fn the_last_pixels_of_a_picture_that_no_target_could_be_are_the_same_for_every_tiling() {
    use Shape::{Large, Medium, Rectangle, Small};
    let shaders = shaders(PROGRAM);
    for shape in [Rectangle, Large, Medium, Small] {
        for anchor in [[0.0, 0.0], [65_535.9, -8_322.004], [-1e7, 0.25]] {
            let expected = shape.corner(&shaders[0], anchor, CORNER);
            let drawn = expected.iter().filter(|pixel| **pixel != BEFORE).count();
            assert!(drawn >= 10, "{shape:?} covers {drawn} pixels");
            for (shader, tile) in shaders
                .iter()
                .flat_map(|it| [[37, 29], [16, 8], [5, 3]].map(|tile| (it, tile)))
            {
                let got = shape.corner(shader, anchor, tile);
                assert!(
                    got == expected,
                    "{shape:?} from {anchor:?} in {tile:?}, {}",
                    shader.engine()
                );
            }
        }
    }
}

#[test]
fn planes_in_a_picture_that_no_target_could_be_are_exact() {
    for shader in shaders("mov o1, i6") {
        // The planes are moved by 1/256 of a pixel, from where distances would need 25 bits.
        let pixels = Shape::Rectangle.corner(&shader, [0.0, -8_322.0 - 1.0 / 256.0], CORNER);
        for (index, pixel) in pixels.iter().enumerate() {
            let [x, y] = [index as u32 % CORNER[0], index as u32 / CORNER[0]];
            let x = (LARGE[0] - CORNER[0] + x) as f32 + 0.5;
            let y = (LARGE[1] - CORNER[1] + y) as f32 + 0.5 + 8_322.0;
            let both = fma(x, 1.0, fma(y, 100.0, 100.0 / 256.0));
            assert_eq!(*pixel, [x, fma(y, 1.0, 1.0 / 256.0), both, 1.0]);
        }
    }
}

#[test]
fn a_picture_has_a_limit() {
    for shader in shaders("mov o1, i0") {
        let mut tile = image(TILE);
        let draw = Draw::new(&shader).origin([40_000, 0], [MAX_PICTURE + 1, 1 << 15]);
        let error = draw.target(0, &mut tile).rect(0..1 << 16, 0..1);
        assert!(matches!(error, Err(DrawError::Picture { .. })), "{error:?}");
        assert_eq!(
            error.unwrap_err().to_string(),
            "the picture has 65537x32768 pixels; no side may be longer than 65536"
        );
    }
}
