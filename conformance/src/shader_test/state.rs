//! OpenGL's state, as far as commands change it.

use std::collections::BTreeMap;

use attila_shader::front::arb::ArbStage;
use attila_shader::texture::ImageError;

use super::WINDOW;
use super::command::{Command, Parameter, ParameterBank};
use super::textures::UnitTexture;
use attila_shader::front::arb::state::Matrix4;
use attila_shader::front::arb::{Input, Parameters, Target};

/// The sets of texture coordinates that vertices have.
const TEXTURE_COORDINATES: usize = 8;

/// Attributes that nothing sets.
const UNSET: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// The state.
pub(super) struct State {
    pub(super) vertex: Parameters,
    pub(super) fragment: Parameters,
    /// The colour of vertices.
    color: [f32; 4],
    texture_coordinates: [[f32; 4]; TEXTURE_COORDINATES],
    /// The buffers that are cleared, and their values.
    pub(super) clear_color: Option<[f32; 4]>,
    pub(super) clear_depth: Option<f32>,
    pub(super) depth_test: bool,
    pub(super) two_sided: bool,
    pub(super) textures: BTreeMap<(u32, Target), UnitTexture>,
}

impl Default for State {
    fn default() -> State {
        let parameters = Parameters {
            window: [WINDOW; 2],
            ..Parameters::default()
        };
        State {
            vertex: parameters.clone(),
            fragment: parameters,
            color: [1.0; 4],
            texture_coordinates: [UNSET; TEXTURE_COORDINATES],
            clear_color: None,
            clear_depth: None,
            depth_test: false,
            two_sided: false,
            textures: BTreeMap::new(),
        }
    }
}

impl State {
    /// Does what a command does, if it changes state.
    pub(super) fn apply(&mut self, command: &Command) -> Result<(), ImageError> {
        match *command {
            Command::ClearColor(colour) => self.clear_color = Some(colour),
            Command::ClearDepth(depth) => self.clear_depth = Some(depth),
            Command::Color(colour) => self.color = colour,
            Command::TexCoord(unit, coordinates) => {
                let set = self.texture_coordinates.get_mut(unit as usize);
                set.into_iter().for_each(|place| *place = coordinates);
            }
            Command::Ortho(sides) => self.ortho(sides),
            Command::Parameter(parameter, value) => self.set(parameter, value),
            Command::DepthTest => self.depth_test = true,
            Command::TwoSided => self.two_sided = true,
            Command::Texture(unit, target, kind) => {
                let texture = UnitTexture::new(target, kind)?;
                self.textures.insert((unit, target), texture);
            }
            Command::TexParameter(unit, target, parameter) => {
                let texture = self.textures.get_mut(&(unit, target));
                texture
                    .into_iter()
                    .for_each(|texture| texture.set(parameter));
            }
            Command::Clear | Command::Draw(..) | Command::Probe(_) => {}
        }
        Ok(())
    }

    fn ortho(&mut self, sides: [f32; 4]) {
        let [left, right, bottom, top] = sides.map(f64::from);
        let projection = Matrix4::orthographic([left, right], [bottom, top], [-1.0, 1.0]);
        for parameters in [&mut self.vertex, &mut self.fragment] {
            parameters.state.projection = projection;
        }
    }

    fn set(&mut self, parameter: Parameter, value: [f32; 4]) {
        let parameters = match parameter.stage {
            ArbStage::Vertex => &mut self.vertex,
            ArbStage::Fragment => &mut self.fragment,
        };
        let bank = match parameter.bank {
            ParameterBank::Env => &mut parameters.env,
            ParameterBank::Local => &mut parameters.local,
        };
        bank.insert(parameter.index, value);
    }

    /// An input of each corner of a rectangle: lower left, lower right, upper left, upper right.
    pub(super) fn corners(
        &self,
        input: Input,
        rectangle: [f32; 4],
        coordinates: Option<[f32; 4]>,
    ) -> [[f32; 4]; 4] {
        // Generic attributes are the conventional ones of the same numbers.
        match input {
            Input::Position | Input::Generic(0) => spread(rectangle, [0.0, 1.0]),
            Input::TexCoord(0) | Input::Generic(8) if let Some(coordinates) = coordinates => {
                spread(coordinates, [0.0, 1.0])
            }
            Input::Weight(0) | Input::Generic(1) => [[1.0, 0.0, 0.0, 0.0]; 4],
            Input::Normal | Input::Generic(2) => [[0.0, 0.0, 1.0, 1.0]; 4],
            Input::PrimaryColor | Input::Generic(3) => [self.color; 4],
            Input::TexCoord(unit) => [self.coordinates(unit); 4],
            Input::Generic(number) if number >= 8 => [self.coordinates(number - 8); 4],
            Input::SecondaryColor | Input::FogCoord | Input::Generic(_) => [UNSET; 4],
            Input::Weight(_) | Input::MatrixIndex(_) => [[0.0; 4]; 4],
        }
    }

    fn coordinates(&self, unit: u32) -> [f32; 4] {
        let set = self.texture_coordinates.get(unit as usize);
        set.copied().unwrap_or(UNSET)
    }
}

/// The corners of a rectangle, with the last two components.
fn spread([x, y, width, height]: [f32; 4], [z, w]: [f32; 2]) -> [[f32; 4]; 4] {
    let (right, top) = (x + width, y + height);
    [[x, y], [right, y], [x, top], [right, top]].map(|[x, y]| [x, y, z, w])
}
