//! [`Column`] and [`ColumnMut`]: where numbers of elements lie in memory.

use attila_machine::{DEFAULT_ATTRIBUTE, Part};

/// The values of an input register for every element.
///
/// | from | an element is |
/// |---|---|
/// | `&[[f32; 4]]`, or of fewer numbers | a vector |
/// | `[&x, &y, &z, &w]`, or fewer slices | a number of each slice |
/// | [`Column::strided`] | some numbers out of every `stride` |
/// | `[x, y, z, w]` | the same for all |
///
/// Components that are not given are those of vertex attributes: 0, 0, 0, 1.
#[derive(Clone, Debug)]
pub struct Column<'a> {
    pub(super) parts: Vec<Part<&'a [f32]>>,
    pub(super) value: [f32; 4],
}

/// Room for the values of an output register for every element.
///
/// It is made from the same layouts as a [`Column`]. Components that it has no room for are dropped, and numbers
/// between the elements stay as they are.
#[derive(Debug)]
pub struct ColumnMut<'a> {
    pub(super) parts: Vec<Part<&'a mut [f32]>>,
}

/// Vectors in a slice.
fn vectors<V>(values: V, stride: usize, components: usize) -> Vec<Part<V>> {
    vec![Part {
        register: 0,
        component: 0,
        components,
        stride,
        values,
    }]
}

/// A slice for each component.
fn components<V, const N: usize>(slices: [V; N]) -> Vec<Part<V>> {
    const { assert!(N >= 1 && N <= 4, "a register has four components") };
    let parts = slices.into_iter().enumerate();
    let parts = parts.map(|(component, values)| Part {
        register: 0,
        component,
        components: 1,
        stride: 1,
        values,
    });
    parts.collect()
}

impl<'a> Column<'a> {
    /// Vectors of 1 to 4 components, `stride` numbers from the beginning of one to that of the next. The last may end
    /// with the slice.
    ///
    /// ```
    /// # use attila_shader::map::Column;
    /// // Position and texture coordinates of each vertex.
    /// let vertices = [0.0, 1.0, 2.0, 0.5, 0.5, 3.0, 4.0, 5.0, 0.25, 0.75];
    /// let positions = Column::strided(&vertices, 5, 3);
    /// let coordinates = Column::strided(&vertices[3..], 5, 2);
    /// ```
    pub fn strided(values: &'a [f32], stride: usize, components: usize) -> Column<'a> {
        Column {
            parts: vectors(values, stride, components),
            value: DEFAULT_ATTRIBUTE,
        }
    }
}

impl<'a> ColumnMut<'a> {
    /// As [`Column::strided`].
    pub fn strided(values: &'a mut [f32], stride: usize, components: usize) -> ColumnMut<'a> {
        ColumnMut {
            parts: vectors(values, stride, components),
        }
    }
}

impl From<[f32; 4]> for Column<'_> {
    fn from(value: [f32; 4]) -> Self {
        Column {
            parts: Vec::new(),
            value,
        }
    }
}

impl<'a, const N: usize> From<[&'a [f32]; N]> for Column<'a> {
    fn from(slices: [&'a [f32]; N]) -> Self {
        Column {
            parts: components(slices),
            value: DEFAULT_ATTRIBUTE,
        }
    }
}

impl<'a, const N: usize> From<&'a [[f32; N]]> for Column<'a> {
    fn from(vectors: &'a [[f32; N]]) -> Self {
        const { assert!(N >= 1 && N <= 4, "a register has four components") };
        Column::strided(vectors.as_flattened(), N, N)
    }
}

impl<'a, const N: usize> From<&'a Vec<[f32; N]>> for Column<'a> {
    fn from(vectors: &'a Vec<[f32; N]>) -> Self {
        vectors.as_slice().into()
    }
}

impl<'a, const N: usize, const M: usize> From<&'a [[f32; N]; M]> for Column<'a> {
    fn from(vectors: &'a [[f32; N]; M]) -> Self {
        vectors.as_slice().into()
    }
}

impl<'a, const N: usize> From<[&'a mut [f32]; N]> for ColumnMut<'a> {
    fn from(slices: [&'a mut [f32]; N]) -> Self {
        ColumnMut {
            parts: components(slices),
        }
    }
}

impl<'a, const N: usize> From<&'a mut [[f32; N]]> for ColumnMut<'a> {
    fn from(vectors: &'a mut [[f32; N]]) -> Self {
        const { assert!(N >= 1 && N <= 4, "a register has four components") };
        ColumnMut::strided(vectors.as_flattened_mut(), N, N)
    }
}

impl<'a, const N: usize> From<&'a mut Vec<[f32; N]>> for ColumnMut<'a> {
    fn from(vectors: &'a mut Vec<[f32; N]>) -> Self {
        vectors.as_mut_slice().into()
    }
}

impl<'a, const N: usize, const M: usize> From<&'a mut [[f32; N]; M]> for ColumnMut<'a> {
    fn from(vectors: &'a mut [[f32; N]; M]) -> Self {
        vectors.as_mut_slice().into()
    }
}
