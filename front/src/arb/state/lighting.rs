//! Materials and lights.

use super::super::binding::{Light, Material, Product};

/// The material of one side of surfaces.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SurfaceMaterial {
    /// The ambient colour.
    pub ambient: [f32; 4],
    /// The diffuse colour.
    pub diffuse: [f32; 4],
    /// The specular colour.
    pub specular: [f32; 4],
    /// The emitted colour.
    pub emission: [f32; 4],
    /// The specular exponent.
    pub shininess: f32,
}

impl Default for SurfaceMaterial {
    fn default() -> SurfaceMaterial {
        SurfaceMaterial {
            ambient: [0.2, 0.2, 0.2, 1.0],
            diffuse: [0.8, 0.8, 0.8, 1.0],
            specular: [0.0, 0.0, 0.0, 1.0],
            emission: [0.0, 0.0, 0.0, 1.0],
            shininess: 0.0,
        }
    }
}

impl SurfaceMaterial {
    pub(super) fn value(&self, property: Material) -> [f32; 4] {
        match property {
            Material::Ambient => self.ambient,
            Material::Diffuse => self.diffuse,
            Material::Specular => self.specular,
            Material::Emission => self.emission,
            Material::Shininess => [self.shininess, 0.0, 0.0, 1.0],
        }
    }
}

/// A light.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LightSource {
    /// The ambient colour.
    pub ambient: [f32; 4],
    /// The diffuse colour.
    pub diffuse: [f32; 4],
    /// The specular colour.
    pub specular: [f32; 4],
    /// Where it is, in eye coordinates; with w = 0 the direction that it comes from.
    pub position: [f32; 4],
    /// Constant, linear and quadratic attenuation.
    pub attenuation: [f32; 3],
    /// Where the spot light points to, in eye coordinates.
    pub spot_direction: [f32; 3],
    /// How much the spot light is focused.
    pub spot_exponent: f32,
    /// The angle between the spot light's axis and its border, in degrees; 180 for none.
    pub spot_cutoff: f32,
}

impl LightSource {
    /// The initial state of light `index`: the first one is white, the others are black.
    pub fn initial(index: usize) -> LightSource {
        let level = if index == 0 { 1.0 } else { 0.0 };
        LightSource {
            ambient: [0.0, 0.0, 0.0, 1.0],
            diffuse: [level, level, level, 1.0],
            specular: [level, level, level, 1.0],
            position: [0.0, 0.0, 1.0, 0.0],
            attenuation: [1.0, 0.0, 0.0],
            spot_direction: [0.0, 0.0, -1.0],
            spot_exponent: 0.0,
            spot_cutoff: 180.0,
        }
    }

    pub(super) fn value(&self, property: Light) -> [f32; 4] {
        match property {
            Light::Ambient => self.ambient,
            Light::Diffuse => self.diffuse,
            Light::Specular => self.specular,
            Light::Position => self.position,
            Light::Attenuation => {
                let [constant, linear, quadratic] = self.attenuation;
                [constant, linear, quadratic, self.spot_exponent]
            }
            Light::SpotDirection => {
                let [x, y, z] = self.spot_direction;
                let cosine = f64::from(self.spot_cutoff).to_radians().cos();
                [x, y, z, cosine as f32]
            }
            Light::Half => self.half(),
        }
    }

    /// Half way between the light's direction and the viewer's.
    fn half(&self) -> [f32; 4] {
        let [x, y, z, _] = self.position.map(f64::from);
        let [x, y, z] = normalised([x, y, z]);
        let [x, y, z] = normalised([x, y, z + 1.0]);
        [x as f32, y as f32, z as f32, 1.0]
    }

    /// A colour of this light on a material; alpha is the material's.
    pub(super) fn on(&self, material: &SurfaceMaterial, product: Product) -> [f32; 4] {
        let (light, material) = match product {
            Product::Ambient => (self.ambient, material.ambient),
            Product::Diffuse => (self.diffuse, material.diffuse),
            Product::Specular => (self.specular, material.specular),
        };
        let [r, g, b] = [0, 1, 2].map(|channel| light[channel] * material[channel]);
        [r, g, b, material[3]]
    }
}

/// A vector of length 1 in the same direction; none has no direction, and stays what it is.
fn normalised(vector: [f64; 3]) -> [f64; 3] {
    let squared: f64 = vector.iter().map(|component| component * component).sum();
    if squared == 0.0 {
        return vector;
    }
    vector.map(|component| component / squared.sqrt())
}
