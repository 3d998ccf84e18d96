//! [`Camera`]: where a model is seen from.

use std::f64::consts::FRAC_PI_2;
use std::str::FromStr;

use attila_shader::front::arb::state::Matrix4;
use thiserror::Error;

use super::Model;

/// The field of view from bottom to top unless something else is said, in degrees.
const FIELD: f64 = 40.0;

/// The way from the middle of a model to the eye unless something else is said.
const FROM: [f64; 3] = [0.4, 0.3, 0.866];

/// The least distance of the near plane, of that of the far plane.
const NEAREST: f64 = 1e-3;

/// An eye and where it looks: `3,2,5:0,0,0:40`. y points up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Camera {
    /// Where the eye is.
    pub eye: [f64; 3],
    /// Where it looks; `None`: to the middle of the model.
    pub at: Option<[f64; 3]>,
    /// The field of view from bottom to top, in degrees.
    pub degrees: f64,
}

/// Why a text is no camera.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum CameraError {
    /// A part is not what it should be.
    #[error(
        "`{0}` is not {1}; write an eye, what it looks at and its field of view like 3,2,5:0,0,0:40"
    )]
    Part(String, &'static str),
    /// The eye is where it looks.
    #[error("the eye is where it looks")]
    Blind,
}

impl FromStr for Camera {
    type Err = CameraError;

    fn from_str(text: &str) -> Result<Camera, CameraError> {
        let mut parts = text.splitn(3, ':');
        let eye = point(parts.next().unwrap_or_default())?;
        let at = parts.next().map(point).transpose()?;
        let degrees = parts.next().map(field).transpose()?;
        match at {
            Some(at) if at == eye => Err(CameraError::Blind),
            Some(_) | None => Ok(Camera {
                eye,
                at,
                degrees: degrees.unwrap_or(FIELD),
            }),
        }
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|it: &f64| it.abs() < 1e15)
}

fn point(text: &str) -> Result<[f64; 3], CameraError> {
    let numbers = text.split(',').map(number).collect::<Option<Vec<f64>>>();
    let point = numbers.and_then(|numbers| numbers.try_into().ok());
    point.ok_or_else(|| CameraError::Part(text.to_owned(), "a point of three numbers"))
}

fn field(text: &str) -> Result<f64, CameraError> {
    let field = number(text).filter(|field| (0.01..179.0).contains(field));
    field.ok_or_else(|| CameraError::Part(text.to_owned(), "a field of view from 0.01 to 179"))
}

impl Camera {
    /// One that sees all of a model, from before and above it.
    pub fn around(model: &Model, aspect: f64) -> Camera {
        let (middle, radius) = model.bounds();
        let narrow = (FIELD.to_radians() / 2.0).tan() * aspect.min(1.0);
        let distance = radius / narrow.atan().sin();
        Camera {
            eye: [0, 1, 2].map(|c| middle[c] + distance * FROM[c]),
            at: Some(middle),
            degrees: FIELD,
        }
    }

    /// The same around what it looks at: turned to the right and up, in degrees, and so many times as far away. Straight
    /// above and below is as far as it goes.
    #[must_use]
    pub fn moved(self, model: &Model, [right, up]: [f64; 2], times: f64) -> Camera {
        let at = self.at.unwrap_or(model.bounds().0);
        let [x, y, z] = [0, 1, 2].map(|c| self.eye[c] - at[c]);
        let distance = (x * x + y * y + z * z).sqrt();
        let longitude = x.atan2(z) + right.to_radians();
        let latitude = (y / distance).asin() + up.to_radians();
        let latitude = latitude.clamp(-FRAC_PI_2, FRAC_PI_2);
        let from = [
            latitude.cos() * longitude.sin(),
            latitude.sin(),
            latitude.cos() * longitude.cos(),
        ];
        Camera {
            eye: [0, 1, 2].map(|c| at[c] + times * distance * from[c]),
            at: Some(at),
            ..self
        }
    }

    /// The matrices from a model to the space of the eye, and from there to clip space, in a picture that is so many times
    /// as wide as high. All of the model before the eye is between the near and the far plane.
    pub fn matrices(&self, model: &Model, aspect: f64) -> [Matrix4; 2] {
        let [x, y, z] = self.eye;
        let at = self.at.unwrap_or_else(|| match model.bounds() {
            // An eye in the middle looks down the z axis.
            (middle, _) if middle == self.eye => [x, y, z - 1.0],
            (middle, _) => middle,
        });
        let is_steep = at[0] == x && at[2] == z;
        let up = if is_steep {
            [0.0, 0.0, -1.0]
        } else {
            [0.0, 1.0, 0.0]
        };
        let view = Matrix4::look_at(self.eye, at, up);
        let back = view.rows[2].map(f64::from);
        let distances = model.positions.iter().map(|position| {
            let along = back.iter().zip(position);
            -along.map(|(a, b)| a * f64::from(*b)).sum::<f64>()
        });
        let distances = distances.filter(|distance| distance.is_finite() && *distance > 0.0);
        let (near, far) = distances.fold((f64::INFINITY, 0.0_f64), |(near, far), distance| {
            (near.min(distance), far.max(distance))
        });
        let far = if far > 0.0 { far * 1.01 } else { 1.0 };
        let near = near.clamp(far * NEAREST, far / 2.0) * 0.99;
        [
            view,
            Matrix4::perspective(self.degrees, aspect, [near, far]),
        ]
    }
}
