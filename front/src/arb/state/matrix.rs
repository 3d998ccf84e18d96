//! Matrices of four rows and columns.

/// Four rows, in the precision that products and inverses are computed in.
pub(super) type Double = [[f64; 4]; 4];

/// A matrix that transforms column vectors: component `r` of its product with a vector is the dot
/// product of `rows[r]` and the vector.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Matrix4 {
    /// The mathematical rows.
    pub rows: [[f32; 4]; 4],
}

impl Matrix4 {
    /// Changes nothing.
    pub const IDENTITY: Matrix4 = Matrix4 {
        rows: [
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ],
    };

    /// A matrix in OpenGL's order: column by column.
    pub fn from_columns(columns: [f32; 16]) -> Matrix4 {
        let element = |row: usize, column: usize| columns[4 * column + row];
        Matrix4 {
            rows: std::array::from_fn(|row| std::array::from_fn(|column| element(row, column))),
        }
    }

    /// Maps a box to the view volume, as `glOrtho` does: `left` to x = -1, `right` to 1, `bottom` to
    /// y = -1, `top` to 1, and the distances `near` to z = -1, `far` to 1.
    pub fn orthographic(horizontal: [f64; 2], vertical: [f64; 2], depth: [f64; 2]) -> Matrix4 {
        let axis = |[from, to]: [f64; 2]| (2.0 / (to - from), -(to + from) / (to - from));
        let ((x, x0), (y, y0), (z, z0)) = (axis(horizontal), axis(vertical), axis(depth));
        Matrix4::rounded(&[
            [x, 0.0, 0.0, x0],
            [0.0, y, 0.0, y0],
            [0.0, 0.0, -z, z0],
            [0.0, 0.0, 0.0, 1.0],
        ])
    }

    /// Maps what an eye at the origin sees down the z axis to the view volume, as `gluPerspective` does: a field of view of
    /// so many degrees from bottom to top, so many times as wide, between the distances `near` and `far`.
    pub fn perspective(degrees: f64, aspect: f64, [near, far]: [f64; 2]) -> Matrix4 {
        let y = 1.0 / (degrees.to_radians() / 2.0).tan();
        let (depth, depth0) = (far + near, 2.0 * far * near);
        Matrix4::rounded(&[
            [y / aspect, 0.0, 0.0, 0.0],
            [0.0, y, 0.0, 0.0],
            [0.0, 0.0, depth / (near - far), depth0 / (near - far)],
            [0.0, 0.0, -1.0, 0.0],
        ])
    }

    /// Moves an eye to the origin and what it looks at onto the negative z axis, as `gluLookAt` does, with `up` above it.
    pub fn look_at(eye: [f64; 3], at: [f64; 3], up: [f64; 3]) -> Matrix4 {
        let back = unit([0, 1, 2].map(|c| eye[c] - at[c]));
        let right = unit(cross(up, back));
        let axes = [right, cross(back, right), back];
        let [x, y, z] = axes.map(|axis| [axis[0], axis[1], axis[2], -dot(axis, eye)]);
        Matrix4::rounded(&[x, y, z, [0.0, 0.0, 0.0, 1.0]])
    }

    /// The product of this matrix and another: what that does, then what this does.
    #[must_use]
    pub fn times(&self, other: &Matrix4) -> Matrix4 {
        Matrix4::rounded(&product(&self.double(), &other.double()))
    }

    /// The elements as 64-bit numbers.
    pub(super) fn double(&self) -> Double {
        self.rows.map(|row| row.map(f64::from))
    }

    fn rounded(double: &Double) -> Matrix4 {
        Matrix4 {
            rows: double.map(|row| row.map(|element| element as f32)),
        }
    }
}

impl Default for Matrix4 {
    fn default() -> Matrix4 {
        Matrix4::IDENTITY
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i] * b[j] - a[j] * b[i])
}

/// The vector of length 1 in the same direction.
fn unit(vector: [f64; 3]) -> [f64; 3] {
    let length = dot(vector, vector).sqrt();
    vector.map(|component| component / length)
}

/// `a` times `b`: what `b` does, then what `a` does.
pub(super) fn product(a: &Double, b: &Double) -> Double {
    let element = |row: usize, column: usize| (0..4).map(|k| a[row][k] * b[k][column]).sum();
    std::array::from_fn(|row| std::array::from_fn(|column| element(row, column)))
}

/// Rows as columns.
pub(super) fn transpose(matrix: &Double) -> Double {
    std::array::from_fn(|row| std::array::from_fn(|column| matrix[column][row]))
}

/// The inverse; the identity if there is no inverse, or no finite one.
pub(super) fn inverse(matrix: &Double) -> Double {
    let cofactors: Double =
        std::array::from_fn(|row| std::array::from_fn(|column| cofactor(matrix, row, column)));
    let first = matrix[0].iter().zip(&cofactors[0]);
    let determinant: f64 = first.map(|(element, cofactor)| element * cofactor).sum();
    let inverse = transpose(&cofactors).map(|row| row.map(|element| element / determinant));
    if inverse
        .as_flattened()
        .iter()
        .all(|element| element.is_finite())
    {
        inverse
    } else {
        Matrix4::IDENTITY.double()
    }
}

/// The determinant without a row and a column, with its sign.
fn cofactor(matrix: &Double, row: usize, column: usize) -> f64 {
    // From the missing row and column on, round about: that turns the other three, which does not
    // change their determinant.
    let at = |down: usize, right: usize| matrix[(row + down) % 4][(column + right) % 4];
    let pair = |a: usize, b: usize| at(2, a) * at(3, b) - at(2, b) * at(3, a);
    let minor = at(1, 1) * pair(2, 3) - at(1, 2) * pair(1, 3) + at(1, 3) * pair(1, 2);
    if (row + column).is_multiple_of(2) {
        minor
    } else {
        -minor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIXED: Double = [
        [2.0, 0.0, 0.0, 3.0],
        [0.0, 0.0, 4.0, 5.0],
        [0.0, -1.0, 0.0, 6.0],
        [0.0, 0.0, 1.0, 1.0],
    ];

    #[test]
    fn a_matrix_times_its_inverse_is_the_identity() {
        let inverse = inverse(&MIXED);
        let identity = Matrix4::IDENTITY.double();
        assert_eq!(product(&MIXED, &inverse), identity);
        assert_eq!(product(&inverse, &MIXED), identity);
        // By hand: the second is 4 z + 5 w and the last z + w.
        assert_eq!(inverse[3], [0.0, 1.0, 0.0, -4.0]);
        assert_eq!(inverse[2], [0.0, -1.0, 0.0, 5.0]);
    }

    #[test]
    fn an_eye_sees_what_it_looks_at_in_the_middle() {
        let eye = Matrix4::look_at([3.0, 4.0, 0.0], [3.0, 4.0, -10.0], [0.0, 1.0, 0.0]);
        let moved = [
            [1.0, 0.0, 0.0, -3.0],
            [0.0, 1.0, 0.0, -4.0],
            [0.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ];
        assert_eq!(eye.rows, moved);
        let seen = Matrix4::perspective(90.0, 2.0, [1.0, 3.0]).times(&eye);
        let point = |point: [f64; 4]| {
            seen.double()
                .map(|row| row.iter().zip(point).map(|(a, b)| a * b).sum::<f64>() as f32)
        };
        // The corner of the field of view, at the nearest and at the farthest distance.
        assert_eq!(point([5.0, 5.0, -1.0, 1.0]), [1.0, 1.0, -1.0, 1.0]);
        assert_eq!(point([9.0, 7.0, -3.0, 1.0]), [3.0, 3.0, 3.0, 3.0]);
    }

    #[test]
    fn singular_matrices_have_the_identity_as_their_inverse() {
        let identity = Matrix4::IDENTITY.double();
        assert_eq!(inverse(&[[0.0; 4]; 4]), identity);
        let rows = |start: f64| std::array::from_fn(|column| start + column as f64);
        assert_eq!(inverse(&[0.0, 4.0, 8.0, 12.0].map(rows)), identity);
        let mut broken = identity;
        broken[1][2] = f64::NAN;
        assert_eq!(inverse(&broken), identity);
    }

    #[test]
    fn a_product_does_the_right_one_first() {
        let mut shift = Matrix4::IDENTITY.double();
        shift[0][3] = 5.0;
        let mut scale = Matrix4::IDENTITY.double();
        scale[0][0] = 3.0;
        assert_eq!(product(&scale, &shift)[0], [3.0, 0.0, 0.0, 15.0]);
        assert_eq!(product(&shift, &scale)[0], [3.0, 0.0, 0.0, 5.0]);
    }

    #[test]
    fn columns_become_columns() {
        let columns = std::array::from_fn(|index| index as f32);
        assert_eq!(
            Matrix4::from_columns(columns).rows[1],
            [1.0, 5.0, 9.0, 13.0]
        );
    }

    #[test]
    fn an_orthographic_matrix_maps_its_box() {
        let matrix = Matrix4::orthographic([0.0, 250.0], [0.0, 125.0], [-1.0, 1.0]);
        assert_eq!(matrix.rows[0], [0.008, 0.0, 0.0, -1.0]);
        assert_eq!(matrix.rows[1], [0.0, 0.016, 0.0, -1.0]);
        assert_eq!(matrix.rows[2], [0.0, 0.0, -1.0, 0.0]);
        assert_eq!(matrix.rows[3], [0.0, 0.0, 0.0, 1.0]);
    }
}
