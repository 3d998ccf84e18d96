//! Tiles: targets that are a part of a larger picture.

use attila_shader::draw::{ColourImage, Draw, DrawError, Vertices};
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

#[test]
fn a_picture_has_the_limit_of_targets() {
    for shader in shaders("mov o1, i0") {
        let mut tile = image(TILE);
        let draw = Draw::new(&shader).origin([40_000, 0], [1 << 16, 1 << 15]);
        let error = draw.target(0, &mut tile).rect(0..1 << 16, 0..1);
        assert!(matches!(error, Err(DrawError::Picture { .. })), "{error:?}");
        assert_eq!(
            error.unwrap_err().to_string(),
            "the picture has 65536x32768 pixels; no side may be longer than 32768"
        );
    }
}
