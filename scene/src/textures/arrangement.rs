//! Pictures that are more than a 2D image: a row, slices, or the faces of a cube.

use attila_shader::texture::{CUBE_FACES, Dimension, Image, ImageError, Shape, Size};

use super::file::TextureError;

/// The image that a file is to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arrangement {
    /// The one that the file says.
    Plain,
    /// A 1D image: the picture has one row.
    Row,
    /// A 3D image of that many slices, one below the other; without a number, one that the file says.
    Slices(Option<u32>),
    /// A cube whose faces are in a strip or a cross.
    Faces,
}

/// Where the faces of a cube are in a picture of `columns` by `rows` squares.
struct Grid {
    columns: u32,
    rows: u32,
    /// The column and the row of each face.
    faces: [[u32; 2]; CUBE_FACES],
    /// The face that stands on its head.
    turned: Option<usize>,
}

/// Strips in the order +x, -x, +y, -y, +z, -z, and crosses around +z. In a cross that stands, the side -z hangs on -y.
const GRIDS: [Grid; 4] = [
    Grid {
        columns: 6,
        rows: 1,
        faces: [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [5, 0]],
        turned: None,
    },
    Grid {
        columns: 1,
        rows: 6,
        faces: [[0, 0], [0, 1], [0, 2], [0, 3], [0, 4], [0, 5]],
        turned: None,
    },
    Grid {
        columns: 4,
        rows: 3,
        faces: [[2, 1], [0, 1], [1, 0], [1, 2], [1, 1], [3, 1]],
        turned: None,
    },
    Grid {
        columns: 3,
        rows: 4,
        faces: [[2, 1], [0, 1], [1, 0], [1, 2], [1, 1], [1, 3]],
        turned: Some(5),
    },
];

impl Arrangement {
    /// The image that a file becomes which holds an image of the shape `file`.
    pub(super) fn shape(self, file: Shape) -> Result<Shape, TextureError> {
        let Size { width, height, .. } = file.size;
        let (dimension, size) = match (self, file.dimension) {
            (Arrangement::Plain, _)
            | (Arrangement::Row, Dimension::D1)
            | (Arrangement::Slices(None), Dimension::D3)
            | (Arrangement::Faces, Dimension::Cube) => return Ok(file),
            (Arrangement::Row, Dimension::D2) if height == 1 => (Dimension::D1, file.size),
            (Arrangement::Row, Dimension::D2) => return Err(TextureError::NotARow(height)),
            (Arrangement::Slices(Some(slices)), Dimension::D2) => {
                if !height.is_multiple_of(slices) {
                    return Err(TextureError::Slices { height, slices });
                }
                (Dimension::D3, Size::d3(width, height / slices, slices))
            }
            (Arrangement::Slices(None), Dimension::D2) => return Err(TextureError::NoSlices),
            (Arrangement::Faces, Dimension::D2) => {
                let (_, side) = grid(file.size).ok_or(TextureError::Faces { width, height })?;
                (Dimension::Cube, Size::cube(side))
            }
            (Arrangement::Row | Arrangement::Slices(_) | Arrangement::Faces, given) => {
                return Err(TextureError::NotAPicture(given));
            }
        };
        if self != Arrangement::Row && file.levels > 1 {
            return Err(TextureError::LevelsOfParts(file.levels));
        }
        Ok(Shape {
            dimension,
            size,
            ..file
        })
    }

    /// The image of that shape from the one that the file holds.
    pub(super) fn image(shape: &Shape, file: Image) -> Result<Image, ImageError> {
        let (format, bytes) = (file.format(), file.bytes());
        match (file.dimension(), shape.dimension) {
            (Dimension::D2, Dimension::Cube) => {
                Image::from_texels(Dimension::Cube, format, shape.size, faces(&file))
            }
            (given, wanted) if given != wanted => {
                let levels = file.levels().iter();
                let ends = levels.clone().skip(1).map(|level| level.offset);
                let ends = ends.chain([bytes.len()]);
                let levels = levels
                    .zip(ends)
                    .map(|(level, end)| &bytes[level.offset..end]);
                Image::from_levels(wanted, format, shape.size, &levels.collect::<Vec<_>>())
            }
            _ => Ok(file),
        }
    }
}

/// The places of faces in a picture of that size, and the texels along a side of each.
fn grid(size: Size) -> Option<(&'static Grid, u32)> {
    let fits = |grid: &&Grid| {
        size.width.is_multiple_of(grid.columns)
            && size.height.is_multiple_of(grid.rows)
            && size.width / grid.columns == size.height / grid.rows
    };
    let grid = GRIDS.iter().find(fits)?;
    Some((grid, size.width / grid.columns))
}

/// The texels of the faces of a cube.
fn faces(picture: &Image) -> Vec<u8> {
    let Some((grid, side)) = grid(picture.size()) else {
        return Vec::new();
    };
    let row_bytes = picture.levels()[0].row_bytes;
    let texel = row_bytes / picture.size().width as usize;
    let side = side as usize;
    let mut texels = Vec::with_capacity(CUBE_FACES * side * side * texel);
    for (face, [column, row]) in grid.faces.into_iter().enumerate() {
        let is_turned = grid.turned == Some(face);
        for line in 0..side {
            let line = if is_turned { side - 1 - line } else { line };
            let start = (row as usize * side + line) * row_bytes + column as usize * side * texel;
            let line = &picture.bytes()[start..start + side * texel];
            match is_turned {
                true => line.rchunks(texel).for_each(|one| texels.extend(one)),
                false => texels.extend_from_slice(line),
            }
        }
    }
    texels
}
