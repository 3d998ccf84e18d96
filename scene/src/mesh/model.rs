//! [`Model`]: vertices and triangles.

use std::path::Path;
use std::str::FromStr;

use super::{Shape, obj};
use crate::error::Error;
use crate::host::{Host, Message};
use crate::loader::{LoadError, heard};
use crate::notice::{Files, Notices};
use crate::scene::{SettingError, numbered};
use crate::source;

/// The most bytes that are read of a file.
const LIMIT: u64 = 1 << 30;

/// Vertices, each with all attributes, and triangles of their indices.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Model {
    /// Positions, with 1 as the fourth component.
    pub positions: Vec<[f32; 4]>,
    /// Normals of any length, with 0 as the fourth component.
    pub normals: Vec<[f32; 4]>,
    /// Colours, white where a file has none.
    pub colours: Vec<[f32; 4]>,
    /// Texture coordinates, 0 at the left and at the top, with 0 and 1 as the last components.
    pub coordinates: Vec<[f32; 4]>,
    /// The vertices of each triangle, counter-clockwise seen from its front.
    pub triangles: Vec<[u32; 3]>,
}

/// A part of a model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Attribute {
    /// [`Model::positions`].
    Position,
    /// [`Model::normals`].
    Normal,
    /// [`Model::colours`].
    Colour,
    /// [`Model::coordinates`].
    Coordinates,
}

impl Attribute {
    /// All of them.
    pub const ALL: [Attribute; 4] = [
        Attribute::Position,
        Attribute::Normal,
        Attribute::Colour,
        Attribute::Coordinates,
    ];

    /// Its name in texts.
    pub const fn name(self) -> &'static str {
        match self {
            Attribute::Position => "position",
            Attribute::Normal => "normal",
            Attribute::Colour => "color",
            Attribute::Coordinates => "texcoord",
        }
    }

    /// The input that holds it unless something else is said: that of generic attributes in ARB vertex programs.
    pub const fn input(self) -> usize {
        match self {
            Attribute::Position => 0,
            Attribute::Normal => 2,
            Attribute::Colour => 3,
            Attribute::Coordinates => 8,
        }
    }
}

/// An input of a vertex program, and what it holds: `i1=texcoord`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AttributeSetting {
    /// The input's number.
    pub input: usize,
    /// What it holds.
    pub attribute: Attribute,
}

impl FromStr for AttributeSetting {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<AttributeSetting, SettingError> {
        let example = "i1=texcoord";
        let (name, value) = text
            .split_once('=')
            .ok_or(SettingError::NoValue { example })?;
        let mut all = Attribute::ALL.into_iter();
        let attribute = all.find(|attribute| attribute.name() == value.trim());
        Ok(AttributeSetting {
            input: numbered(name, 'i')?,
            attribute: attribute.ok_or_else(|| SettingError::Attribute(value.trim().to_owned()))?,
        })
    }
}

impl Model {
    /// The model of a [shape](Shape)'s name, or of an OBJ file: its vertices and faces. Faces become triangles around their
    /// first corner. Normals that are missing are those of the faces around a vertex, by area. The host hears what is wrong
    /// with the file, and where.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is not an OBJ file with a triangle.
    pub fn read(path: &Path, host: &dyn Host) -> Result<Model, Error> {
        if let Some(shape) = path.to_str().and_then(Shape::named) {
            return Ok(shape.model());
        }
        let bytes = source::read(path, LIMIT, host)?;
        // Names and comments may be in any encoding.
        let text = String::from_utf8_lossy(&bytes);
        obj::read(&text).map_err(|mistake| {
            let message = Message::error(mistake.message).at(mistake.place);
            host.report(&host.name(path), &text, vec![message]);
            Error::Reported
        })
    }

    /// The same with a file that comes from elsewhere than the file system.
    ///
    /// # Errors
    ///
    /// All that is wrong with it.
    pub fn read_with(path: &Path, files: &Files<'_>) -> Result<Model, LoadError> {
        let (model, _) = heard(Notices::with_files(files), |host| Model::read(path, host))?;
        Ok(model)
    }

    /// A part of it, vertex by vertex.
    pub fn attribute(&self, attribute: Attribute) -> &[[f32; 4]] {
        match attribute {
            Attribute::Position => &self.positions,
            Attribute::Normal => &self.normals,
            Attribute::Colour => &self.colours,
            Attribute::Coordinates => &self.coordinates,
        }
    }

    /// The middle of the box around it, and the radius of a sphere around that in which it lies.
    pub fn bounds(&self) -> ([f64; 3], f64) {
        let edge = |c: usize, start: f32, f: fn(f32, f32) -> f32| {
            let along = self.positions.iter().map(|position| position[c]);
            f64::from(along.filter(|it| it.is_finite()).fold(start, f))
        };
        let ends = [0, 1, 2].map(|c| {
            [
                edge(c, f32::INFINITY, f32::min),
                edge(c, f32::NEG_INFINITY, f32::max),
            ]
        });
        if ends.as_flattened().iter().any(|end| !end.is_finite()) {
            return ([0.0; 3], 1.0);
        }
        let squares = ends.map(|[least, greatest]| ((greatest - least) / 2.0).powi(2));
        let radius = squares.iter().sum::<f64>().sqrt();
        let middle = ends.map(|[least, greatest]| (least + greatest) / 2.0);
        (middle, if radius > 0.0 { radius } else { 1.0 })
    }
}
