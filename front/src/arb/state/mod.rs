//! Values of parameters: fixed-function state, environment and local parameters.
//!
//! A program's [`Param`]s are fed from a [`Parameters`]. The state in it is that of OpenGL 1.5, as
//! far as programs can read it. Values that depend on other state, like inverse matrices and
//! products of lights and materials, are computed when they are asked for, with 64-bit numbers
//! where that takes more than one step.

mod lighting;
mod matrix;

pub use lighting::{LightSource, SurfaceMaterial};
pub use matrix::Matrix4;

use std::collections::BTreeMap;

use super::binding::{Face, Matrix, Param, State, TexGen, Transform};
use matrix::{Double, inverse, product, transpose};

#[cfg(test)]
mod tests;

/// The planes that the four texture coordinates of a set are made with: s, t, r, q.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TexGenPlanes {
    /// In eye coordinates.
    pub eye: [[f32; 4]; 4],
    /// In object coordinates.
    pub object: [[f32; 4]; 4],
}

impl Default for TexGenPlanes {
    fn default() -> TexGenPlanes {
        let mut planes = [[0.0; 4]; 4];
        planes[0][0] = 1.0;
        planes[1][1] = 1.0;
        TexGenPlanes {
            eye: planes,
            object: planes,
        }
    }
}

/// Fog.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FogState {
    /// Its colour.
    pub color: [f32; 4],
    /// Its density, for exponential fog.
    pub density: f32,
    /// Where linear fog starts.
    pub start: f32,
    /// Where linear fog hides everything.
    pub end: f32,
}

impl Default for FogState {
    fn default() -> FogState {
        FogState {
            color: [0.0; 4],
            density: 1.0,
            start: 0.0,
            end: 1.0,
        }
    }
}

impl FogState {
    fn params(&self) -> [f32; 4] {
        let range = self.end - self.start;
        [self.density, self.start, self.end, 1.0 / range]
    }
}

/// How large points are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PointState {
    /// The size, in pixels.
    pub size: f32,
    /// The smallest size.
    pub min: f32,
    /// The largest size. An implementation chooses what it is at first: here it is 64.
    pub max: f32,
    /// Points fade below this size.
    pub fade: f32,
    /// Constant, linear and quadratic attenuation.
    pub attenuation: [f32; 3],
}

impl Default for PointState {
    fn default() -> PointState {
        PointState {
            size: 1.0,
            min: 0.0,
            max: 64.0,
            fade: 1.0,
            attenuation: [1.0, 0.0, 0.0],
        }
    }
}

impl PointState {
    fn sizes(&self) -> [f32; 4] {
        [self.size, self.min, self.max, self.fade]
    }
}

/// The state that programs can read; at first, what it is in a new OpenGL context.
///
/// Lists may have any length: what is beyond their ends is as it is at first.
#[derive(Clone, PartialEq, Debug)]
pub struct FixedState {
    /// The model-view matrices, by vertex unit.
    pub model_view: Vec<Matrix4>,
    /// The projection matrix.
    pub projection: Matrix4,
    /// The texture matrices, by set of coordinates.
    pub texture: Vec<Matrix4>,
    /// The palette of matrices.
    pub palette: Vec<Matrix4>,
    /// The matrices for programs.
    pub program: Vec<Matrix4>,
    /// The material of front sides.
    pub front: SurfaceMaterial,
    /// The material of back sides.
    pub back: SurfaceMaterial,
    /// The lights. The first one is [white](LightSource::initial) at first.
    pub lights: Vec<LightSource>,
    /// The light model's ambient colour.
    pub ambient: [f32; 4],
    /// The planes of texture coordinates, by set.
    pub tex_gen: Vec<TexGenPlanes>,
    /// The constant colours of texture units.
    pub tex_env: Vec<[f32; 4]>,
    /// Fog.
    pub fog: FogState,
    /// The user clip planes, in eye coordinates.
    pub clip_planes: Vec<[f32; 4]>,
    /// Points.
    pub point: PointState,
    /// The depths of the near and of the far plane in the window.
    pub depth_range: [f32; 2],
}

impl Default for FixedState {
    fn default() -> FixedState {
        FixedState {
            model_view: Vec::new(),
            projection: Matrix4::IDENTITY,
            texture: Vec::new(),
            palette: Vec::new(),
            program: Vec::new(),
            front: SurfaceMaterial::default(),
            back: SurfaceMaterial::default(),
            lights: Vec::new(),
            ambient: [0.2, 0.2, 0.2, 1.0],
            tex_gen: Vec::new(),
            tex_env: Vec::new(),
            fog: FogState::default(),
            clip_planes: Vec::new(),
            point: PointState::default(),
            depth_range: [0.0, 1.0],
        }
    }
}

impl FixedState {
    /// The value that a program reads where it is bound to `state`.
    ///
    /// OpenGL leaves some values open. Here a singular matrix has the identity as its inverse. The
    /// half vector of a light without a direction points to the viewer. The half vector of a light
    /// exactly opposite to the viewer is 0, 0, 0, 1. Fog that ends where it starts has an infinite
    /// factor.
    ///
    /// # Panics
    ///
    /// If a matrix has no such row, or if a texture coordinate has no such component. Programs that have
    /// been parsed do not name any.
    pub fn value(&self, state: State) -> [f32; 4] {
        match state {
            State::Material(face, property) => self.material(face).value(property),
            State::Light(light, property) => self.light(light).value(property),
            State::LightModelAmbient => self.ambient,
            State::SceneColor(face) => self.scene_color(face),
            State::LightProduct(light, face, product) => {
                self.light(light).on(self.material(face), product)
            }
            State::TexGen(set, space, coordinate) => self.plane(set, space, coordinate),
            State::TexEnvColor(unit) => element(&self.tex_env, unit),
            State::FogColor => self.fog.color,
            State::FogParams => self.fog.params(),
            State::ClipPlane(index) => element(&self.clip_planes, index),
            State::PointSize => self.point.sizes(),
            State::PointAttenuation => {
                let [constant, linear, quadratic] = self.point.attenuation;
                [constant, linear, quadratic, 1.0]
            }
            State::DepthRange => {
                let [near, far] = self.depth_range;
                [near, far, far - near, 1.0]
            }
            State::MatrixRow(matrix, transform, row) => {
                let rows = transformed(&self.matrix(matrix), transform);
                rows[usize::from(row)].map(|element| element as f32)
            }
        }
    }

    fn material(&self, face: Face) -> &SurfaceMaterial {
        match face {
            Face::Front => &self.front,
            Face::Back => &self.back,
        }
    }

    fn light(&self, index: u32) -> LightSource {
        let index = index as usize;
        let light = self.lights.get(index).copied();
        light.unwrap_or_else(|| LightSource::initial(index))
    }

    fn scene_color(&self, face: Face) -> [f32; 4] {
        let material = self.material(face);
        let [r, g, b] = [0, 1, 2].map(|channel| {
            self.ambient[channel] * material.ambient[channel] + material.emission[channel]
        });
        [r, g, b, material.diffuse[3]]
    }

    fn plane(&self, set: u32, space: TexGen, coordinate: u8) -> [f32; 4] {
        let planes: TexGenPlanes = element(&self.tex_gen, set);
        let planes = match space {
            TexGen::Eye => planes.eye,
            TexGen::Object => planes.object,
        };
        planes[usize::from(coordinate)]
    }

    fn matrix(&self, matrix: Matrix) -> Double {
        let model_view = |unit| element::<Matrix4>(&self.model_view, unit).double();
        match matrix {
            Matrix::ModelView(unit) => model_view(unit),
            Matrix::Projection => self.projection.double(),
            Matrix::ModelViewProjection => product(&self.projection.double(), &model_view(0)),
            Matrix::Texture(set) => element::<Matrix4>(&self.texture, set).double(),
            Matrix::Palette(index) => element::<Matrix4>(&self.palette, index).double(),
            Matrix::Program(index) => element::<Matrix4>(&self.program, index).double(),
        }
    }
}

/// An element of a list, or what it is at first.
fn element<T: Copy + Default>(list: &[T], index: u32) -> T {
    list.get(index as usize).copied().unwrap_or_default()
}

fn transformed(matrix: &Double, transform: Transform) -> Double {
    match transform {
        Transform::None => *matrix,
        Transform::Inverse => inverse(matrix),
        Transform::Transpose => transpose(matrix),
        Transform::InverseTranspose => transpose(&inverse(matrix)),
    }
}

/// All that the parameters of a program are fed from. Parameters that are not set are 0, 0, 0, 0.
///
/// ```
/// use attila_front::arb::{Param, Parameters, State};
///
/// let mut parameters = Parameters::default();
/// parameters.local.insert(3, [0.0, 0.5, 0.5, 1.0]);
/// assert_eq!(parameters.value(Param::Local(3)), [0.0, 0.5, 0.5, 1.0]);
/// assert_eq!(parameters.value(Param::Env(3)), [0.0; 4]);
/// parameters.state.fog.end = 5.0;
/// assert_eq!(parameters.value(Param::State(State::FogParams)), [1.0, 0.0, 5.0, 0.2]);
/// ```
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Parameters {
    /// The parameters that all programs of a kind share.
    pub env: BTreeMap<u32, [f32; 4]>,
    /// The parameters of the program.
    pub local: BTreeMap<u32, [f32; 4]>,
    /// Fixed-function state.
    pub state: FixedState,
    /// Width and height of the window in pixels.
    pub window: [u32; 2],
}

impl Parameters {
    /// The value that a program reads where it is bound to `param`.
    pub fn value(&self, param: Param) -> [f32; 4] {
        let set = |vectors: &BTreeMap<u32, [f32; 4]>, index| {
            vectors.get(&index).copied().unwrap_or_default()
        };
        match param {
            Param::Env(index) => set(&self.env, index),
            Param::Local(index) => set(&self.local, index),
            Param::State(state) => self.state.value(state),
            Param::Window => {
                let [width, height] = self.window.map(|pixels| pixels as f32);
                [width, height, 0.0, 1.0]
            }
            Param::Constant(bits) => bits.map(f32::from_bits),
        }
    }
}
