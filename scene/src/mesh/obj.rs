//! OBJ files: lines that begin with `v`, `vt`, `vn` and `f`.
//!
//! Of the others, `l` and `p` would draw lines and points, which meshes do not have, and are refused; curves and surfaces
//! are, too. Groups, materials and smoothing change nothing about vertices.
//!
//! The crate for these files, tobj 4.0, says neither where a file is wrong nor that a corner of a face has no texture
//! coordinates where others have: it gives the next corner's to it.

use std::collections::HashMap;
use std::ops::Range;

use super::Model;

/// The place of a vertex's position, texture coordinates and normal in their lists.
type Corner = [Option<u32>; 3];

/// A mistake in a text.
#[derive(Debug)]
pub(super) struct Mistake {
    pub(super) message: String,
    /// Where, in bytes.
    pub(super) place: Range<usize>,
}

/// The lines read so far.
#[derive(Default)]
struct Reader {
    positions: Vec<[f32; 4]>,
    colours: Vec<[f32; 4]>,
    coordinates: Vec<[f32; 4]>,
    normals: Vec<[f32; 4]>,
    /// Of each position: the sum of the normals of its faces, as long as their areas.
    around: Vec<[f32; 3]>,
    vertices: HashMap<Corner, u32>,
    corners: Vec<Corner>,
    triangles: Vec<[u32; 3]>,
}

/// A word of a line, and where it stands in the text.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    start: usize,
}

impl Word<'_> {
    fn error(&self, message: String) -> Mistake {
        Mistake {
            message,
            place: self.start..self.start + self.text.len(),
        }
    }

    fn number(&self) -> Result<f32, Mistake> {
        let number = self.text.parse();
        number.map_err(|_| self.error(format!("`{}` is not a number", self.text)))
    }
}

/// The model of a text, or what is wrong first.
pub(super) fn read(text: &str) -> Result<Model, Mistake> {
    let mut reader = Reader::default();
    for line in lines(text) {
        let words = words(&text[..line.end], line.start);
        if let [keyword, rest @ ..] = &words[..] {
            reader.line(keyword, rest)?;
        }
    }
    match reader.triangles[..] {
        [] => Err(Mistake {
            message: "the file has no faces".to_owned(),
            place: text.len()..text.len(),
        }),
        [..] => Ok(reader.model()),
    }
}

/// Lines without their ends. A backslash at the end of a line joins it with the next.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let mut end = start;
        if start >= text.len() {
            return None;
        }
        loop {
            end += text[end..].find('\n').unwrap_or(text.len() - end);
            if end == text.len() || !text[start..end].trim_end_matches('\r').ends_with('\\') {
                break;
            }
            end += 1;
        }
        let line = start..end;
        start = end + 1;
        Some(line)
    })
}

/// The words before a comment.
fn words(text: &str, start: usize) -> Vec<Word<'_>> {
    let line = &text[start..];
    let line = &line[..line.find('#').unwrap_or(line.len())];
    let words = line.split(|c: char| c.is_whitespace() || c == '\\');
    let words = words.filter(|word| !word.is_empty());
    let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    words
        .map(|text| Word {
            text,
            start: place(text),
        })
        .collect()
}

impl Reader {
    fn line(&mut self, keyword: &Word<'_>, words: &[Word<'_>]) -> Result<(), Mistake> {
        let numbers = |counts: &[usize]| numbers(keyword, words, counts);
        match keyword.text {
            "v" => self.position(&numbers(&[3, 4, 6])?),
            "vt" => {
                // The first row of an image is at 0.
                let [u, v, _] = padded(&numbers(&[1, 2, 3])?, 0.0);
                self.coordinates.push([u, 1.0 - v, 0.0, 1.0]);
            }
            "vn" => self.normals.push(padded(&numbers(&[3])?, 0.0)),
            "f" => self.face(keyword, words)?,
            "l" | "p" | "curv" | "curv2" | "surf" | "vp" | "cstype" => {
                let message = "lines, points, curves and surfaces are not drawn; a mesh has faces";
                return Err(keyword.error(message.to_owned()));
            }
            "g" | "o" | "s" | "mg" | "usemtl" | "mtllib" | "usemap" | "maplib" | "bevel"
            | "c_interp" | "d_interp" | "lod" | "shadow_obj" | "trace_obj" => {}
            other => {
                let message = format!("`{other}` is not a line of an OBJ file");
                return Err(keyword.error(message));
            }
        }
        Ok(())
    }

    /// x, y, z, and perhaps a weight, which says nothing about faces, or a colour.
    fn position(&mut self, numbers: &[f32]) {
        let [x, y, z, red, green, blue] = padded(numbers, 1.0);
        let is_coloured = numbers.len() == 6;
        self.positions.push([x, y, z, 1.0]);
        self.colours.push(match is_coloured {
            true => [red, green, blue, 1.0],
            false => [1.0; 4],
        });
        self.around.push([0.0; 3]);
    }

    fn face(&mut self, keyword: &Word<'_>, words: &[Word<'_>]) -> Result<(), Mistake> {
        if words.len() < 3 {
            return Err(keyword.error("a face has at least three corners".to_owned()));
        }
        let corners = words.iter().map(|word| self.corner(word));
        let corners = corners.collect::<Result<Vec<Corner>, _>>()?;
        let first = corners[0];
        for pair in corners[1..].windows(2) {
            let triangle = [first, pair[0], pair[1]];
            self.add_normal(triangle.map(|[position, ..]| position.unwrap_or_default() as usize));
            let triangle = triangle.map(|corner| self.vertex(corner));
            self.triangles.push(triangle);
        }
        Ok(())
    }

    /// `position`, `position/coordinates`, `position//normal` or `position/coordinates/normal`.
    fn corner(&self, word: &Word<'_>) -> Result<Corner, Mistake> {
        let mut corner = Corner::default();
        let mut parts = word.text.split('/');
        let lists = [
            ("vertex", self.positions.len()),
            ("texture coordinate", self.coordinates.len()),
            ("normal", self.normals.len()),
        ];
        for (place, (what, count)) in corner.iter_mut().zip(lists) {
            *place = match parts.next() {
                None | Some("") => None,
                Some(number) => {
                    let index = index(number, count);
                    Some(index.ok_or_else(|| {
                        word.error(format!(
                            "there is no {what} {number}; there are {count} so far"
                        ))
                    })?)
                }
            };
        }
        match (corner, parts.next()) {
            ([Some(_), ..], None) => Ok(corner),
            ([None, ..], _) | (_, Some(_)) => {
                let example = "write numbers like 1, 1/2, 1//3 or 1/2/3";
                Err(word.error(format!("`{}` is not a corner; {example}", word.text)))
            }
        }
    }

    /// Adds the normal of a face to those of its corners.
    fn add_normal(&mut self, corners: [usize; 3]) {
        let [a, b, c] = corners.map(|corner| self.positions[corner]);
        let [u, v] = [b, c].map(|end| [0, 1, 2].map(|i: usize| end[i] - a[i]));
        let normal = [(1, 2), (2, 0), (0, 1)].map(|(i, j)| u[i] * v[j] - u[j] * v[i]);
        for corner in corners {
            for (sum, part) in self.around[corner].iter_mut().zip(normal) {
                *sum += part;
            }
        }
    }

    /// The number of a vertex, which corners that are alike share.
    fn vertex(&mut self, corner: Corner) -> u32 {
        let next = self.corners.len() as u32;
        let vertex = *self.vertices.entry(corner).or_insert(next);
        if vertex == next {
            self.corners.push(corner);
        }
        vertex
    }

    fn model(self) -> Model {
        let corners = || self.corners.iter();
        let place = |place: &Option<u32>| place.map(|place| place as usize);
        let positions = || corners().filter_map(|[position, ..]| place(position));
        Model {
            positions: positions().map(|it| self.positions[it]).collect(),
            colours: positions().map(|it| self.colours[it]).collect(),
            coordinates: corners()
                .map(|[_, it, _]| place(it).map_or([0.0, 0.0, 0.0, 1.0], |it| self.coordinates[it]))
                .collect(),
            normals: corners()
                .zip(positions())
                .map(|([_, _, it], position)| {
                    let around = || padded(&self.around[position], 0.0);
                    place(it).map_or_else(around, |it| self.normals[it])
                })
                .collect(),
            triangles: self.triangles,
        }
    }
}

/// The numbers of a line, which has one of these counts.
fn numbers(keyword: &Word<'_>, words: &[Word<'_>], counts: &[usize]) -> Result<Vec<f32>, Mistake> {
    if !counts.contains(&words.len()) {
        let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
        let (what, found) = (keyword.text, words.len());
        let message = format!(
            "`{what}` takes {} numbers, not {found}",
            counts.join(" or ")
        );
        return Err(keyword.error(message));
    }
    words.iter().map(Word::number).collect()
}

/// Numbers, and others for those that are missing.
fn padded<const N: usize>(numbers: &[f32], missing: f32) -> [f32; N] {
    std::array::from_fn(|at| numbers.get(at).copied().unwrap_or(missing))
}

/// The place that a number means in a list: from 1 on, or from -1 back.
fn index(number: &str, count: usize) -> Option<u32> {
    let number: i64 = number.parse().ok()?;
    let place = match number {
        1.. => number - 1,
        ..=0 => number.checked_add(i64::try_from(count).ok()?)?,
    };
    let place = u32::try_from(place).ok()?;
    (number != 0 && (place as usize) < count).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(text: &str) -> Model {
        read(text).unwrap_or_else(|mistake| panic!("{text}: {mistake:?}"))
    }

    #[test]
    fn faces_become_triangles_around_their_first_corner() {
        let square = "v 0 0 0\nv 1 0 0 # corner\nv 1 1 0 1 0 0\nv 0 1 0 0.5\nf 1 2 \\\n 3 4\n";
        let square = model(square);
        assert_eq!(square.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(square.positions[2], [1.0, 1.0, 0.0, 1.0]);
        assert_eq!(square.colours[1..3], [[1.0; 4], [1.0, 0.0, 0.0, 1.0]]);
        assert_eq!(square.normals[1], [0.0, 0.0, 1.0, 0.0]);
        assert_eq!(square.normals[0], [0.0, 0.0, 2.0, 0.0]);
    }

    #[test]
    fn corners_that_are_alike_share_a_vertex() {
        let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.25 0.25\nvn 0 0 -1\n\
                    f -3/1/1 -2 -1\nf 1/1/1 3 2//1\n";
        let model = model(text);
        assert_eq!(model.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(model.coordinates[0], [0.25, 0.75, 0.0, 1.0]);
        assert_eq!(model.coordinates[1], [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(model.normals[3], [0.0, 0.0, -1.0, 0.0]);
    }

    #[test]
    fn mistakes_have_places() {
        let start = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
        for (line, at, message) in [
            ("v 1 2", "v", "`v` takes 3 or 4 or 6 numbers, not 2"),
            ("vn 1 2 x3", "x3", "`x3` is not a number"),
            ("f 1 2", "f", "a face has at least three corners"),
            ("f 1 2 4", "4", "there is no vertex 4; there are 3 so far"),
            ("f 1 2 0", "0", "there is no vertex 0; there are 3 so far"),
            (
                "f 1 -4 2",
                "-4",
                "there is no vertex -4; there are 3 so far",
            ),
            (
                "f 1 2 3/1",
                "3/1",
                "there is no texture coordinate 1; there are 0 so far",
            ),
            (
                "f 1 2 99999999999999999999",
                "99999999999999999999",
                "there is no vertex 99999999999999999999; there are 3 so far",
            ),
            (
                "f 1 2 /1",
                "/1",
                "there is no texture coordinate 1; there are 0 so far",
            ),
            (
                "f 1 2 3///",
                "3///",
                "`3///` is not a corner; write numbers like 1, 1/2, 1//3 or 1/2/3",
            ),
            (
                "l 1 2",
                "l",
                "lines, points, curves and surfaces are not drawn; a mesh has faces",
            ),
            ("solid x", "solid", "`solid` is not a line of an OBJ file"),
            ("", "", "the file has no faces"),
        ] {
            let text = format!("{start}{line}");
            let error = read(&text).unwrap_err();
            assert_eq!((&text[error.place], error.message.as_str()), (at, message));
        }
    }

    #[test]
    fn damaged_files_are_refused_or_read() {
        let text = "v 0 0 0\nv 1 0 0 1 0 0\nvt 1 1\nvn 0 0 1\nv 0 1 0\nf 1/1/1 2//1 -1 \\\n 3\n";
        let bytes = b"0123456789/-. \\\nfvtn#e";
        let mut seed = 1_u64;
        let mut next = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        let mut read_some = 0;
        for _ in 0..20_000 {
            let mut damaged = text.as_bytes().to_vec();
            for _ in 0..=next(4) {
                let at = next(damaged.len());
                damaged[at] = bytes[next(bytes.len())];
            }
            let damaged = String::from_utf8_lossy(&damaged).into_owned();
            match read(&damaged) {
                Ok(model) => {
                    read_some += 1;
                    let vertices = model.positions.len() as u32;
                    let indices = model.triangles.as_flattened();
                    assert!(indices.iter().all(|index| *index < vertices));
                }
                Err(error) => assert!(damaged.get(error.place).is_some()),
            }
        }
        assert!(read_some > 1000, "{read_some}");
    }
}
