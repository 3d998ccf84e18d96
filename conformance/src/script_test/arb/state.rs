//! OpenGL's state, as far as commands change it.

use std::collections::BTreeMap;
use std::sync::Arc;

use attila_shader::draw::{Cull, DepthImage, DepthState, Draw, FrontFace, Mesh, Viewport};
use attila_shader::front::arb::state::Matrix4;
use attila_shader::front::arb::{Arb, ArbStage, Input, Parameters, Target};
use attila_shader::isa::Slots;
use attila_shader::machine::pipeline::DepthFormat;
use attila_shader::texture::{Sampler, Texture, Textures};

use super::WINDOW;
use super::textures::changed;
use crate::script_test::attributes::Attribute;
use crate::script_test::error::Fault;
use crate::script_test::picture::Picture;
use crate::script_test::program::{Misfit, Program};

/// Attributes that nothing sets.
const UNSET: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// A rectangle as a strip: the corners are numbered as [`State::corners`] gives them.
const TRIANGLES: [[u32; 3]; 2] = [[0, 1, 2], [2, 1, 3]];

/// The state, with the programs and the picture.
pub(super) struct State {
    vertex: Program<Arb>,
    fragment: Program<Arb>,
    /// The parameters of vertex programs, and those of fragment programs.
    parameters: [Parameters; 2],
    /// The colour of vertices.
    pub(super) color: [f32; 4],
    /// By unit.
    pub(super) texture_coordinates: BTreeMap<u32, [f32; 4]>,
    /// The values of the buffers that are cleared.
    pub(super) clear_color: Option<[f32; 4]>,
    pub(super) clear_depth: Option<f32>,
    pub(super) depth_test: bool,
    pub(super) two_sided: bool,
    pub(super) textures: BTreeMap<(u32, Target), Arc<Texture>>,
    /// Floats; what is stored in bytes is made of them when it is looked at.
    pub(super) colour: Picture,
    pub(super) depth: DepthImage,
}

impl State {
    pub(super) fn new(vertex: Program<Arb>, fragment: Program<Arb>) -> State {
        let parameters = Parameters {
            window: [WINDOW; 2],
            ..Parameters::default()
        };
        State {
            vertex,
            fragment,
            parameters: [parameters.clone(), parameters],
            color: [1.0; 4],
            texture_coordinates: BTreeMap::new(),
            clear_color: None,
            clear_depth: None,
            depth_test: false,
            two_sided: false,
            textures: BTreeMap::new(),
            colour: Picture::floats([WINDOW; 2], true),
            depth: DepthImage::new(DepthFormat::D32F, WINDOW, WINDOW),
        }
    }

    /// The parameters of the programs of a stage.
    pub(super) fn parameters(&mut self, stage: ArbStage) -> &mut Parameters {
        let [vertex, fragment] = &mut self.parameters;
        match stage {
            ArbStage::Vertex => vertex,
            ArbStage::Fragment => fragment,
        }
    }

    /// Makes the projection map left, right, bottom, top to the window. The model-view matrix is the identity, always.
    pub(super) fn ortho(&mut self, sides: [f32; 4]) {
        let [left, right, bottom, top] = sides.map(f64::from);
        let projection = Matrix4::orthographic([left, right], [bottom, top], [-1.0, 1.0]);
        for parameters in &mut self.parameters {
            parameters.state.projection = projection;
        }
    }

    /// Changes the sampler of a texture.
    pub(super) fn change_sampler(
        &mut self,
        unit: (u32, Target),
        change: impl FnOnce(&mut Sampler),
    ) {
        if let Some(texture) = self.textures.get_mut(&unit) {
            *texture = changed(texture, change);
        }
    }

    /// Clears the buffers for which values have been set.
    pub(super) fn clear(&mut self) {
        if let Some(colour) = self.clear_color {
            self.colour.fill(colour.map(f32::to_bits));
        }
        if let Some(depth) = self.clear_depth {
            self.depth.fill(depth.clamp(0.0, 1.0));
        }
    }

    /// Draws a rectangle: x, y, width, height; and s, t, width, height of unit 0's coordinates.
    pub(super) fn draw(
        &mut self,
        rectangle: [f32; 4],
        coordinates: Option<[f32; 4]>,
    ) -> Result<(), Fault> {
        let textures = self.bound_textures()?;
        self.check(&textures)?;
        let inputs = self.vertex.translation.inputs.iter();
        let corners = inputs.map(|&(input, register)| {
            let corners = self.corners(input, rectangle, coordinates);
            Attribute::words(register.into(), &corners.map(|it| it.map(f32::to_bits)))
        });
        let corners: Vec<Attribute> = corners.collect();
        let buffers = Attribute::buffers(&corners);
        let [vertex, fragment] = &self.parameters;
        let vertex = self.vertex.bindings(|param| vertex.value(param));
        let fragment = self.fragment.bindings(|param| fragment.value(param));
        let fragment = fragment.with_textures(&textures);
        let size = WINDOW as f32;
        let viewport = Viewport {
            // The first row is the lowest.
            y_down: true,
            ..Viewport::new(0.0, 0.0, size, size)
        };
        let mesh = Mesh::new(&self.vertex.shader, &buffers, &TRIANGLES)
            .bindings(&vertex)
            .viewport(viewport);
        let mut draw = Draw::new(&self.fragment.shader)
            .bindings(&fragment)
            .two_sided(self.two_sided)
            // Turned over, as the first row is the lowest.
            .cull(Cull::None, FrontFace::Clockwise);
        for image in self.colour.images() {
            draw = draw.target(0, image);
        }
        if self.depth_test {
            let test = DepthState::default();
            draw = draw.depth(&mut self.depth, test);
        }
        Ok(draw.mesh(&mesh)?)
    }

    /// Checks that the programs fit each other and the textures.
    fn check(&self, textures: &Textures) -> Result<(), Misfit> {
        let name = |input: Input| {
            let is_varying = input != Input::Position;
            is_varying.then(|| input.name(ArbStage::Fragment))
        };
        // The other components of the fog coordinate are always the same.
        let needs = |input, [read, _]: [Slots; 2]| match input == Input::FogCoord {
            true => read & Slots::X,
            false => read,
        };
        self.fragment.check(&self.vertex, name, needs, textures)
    }

    /// The textures that the fragment program's units are bound to.
    fn bound_textures(&self) -> Result<Textures, Fault> {
        let mut textures = Textures::new();
        for used in &self.fragment.translation.textures {
            let own = self.textures.get(&(used.unit, used.target));
            // One for another target is not a texture for this, as the check says.
            let mut others = self
                .textures
                .iter()
                .filter(|((unit, _), _)| *unit == used.unit);
            if let Some(texture) = own.or_else(|| others.next().map(|(_, it)| it)) {
                textures.bind(used.unit as usize, Arc::clone(texture))?;
            }
        }
        Ok(textures)
    }

    /// An input of each corner of a rectangle: lower left, lower right, upper left, upper right.
    fn corners(
        &self,
        input: Input,
        rectangle: [f32; 4],
        coordinates: Option<[f32; 4]>,
    ) -> [[f32; 4]; 4] {
        // Generic attributes are the conventional ones of the same numbers.
        match input {
            Input::Position | Input::Generic(0) => spread(rectangle),
            Input::TexCoord(0) | Input::Generic(8) if let Some(coordinates) = coordinates => {
                spread(coordinates)
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
        let set = self.texture_coordinates.get(&unit);
        set.copied().unwrap_or(UNSET)
    }
}

/// The corners of a rectangle.
fn spread([x, y, width, height]: [f32; 4]) -> [[f32; 4]; 4] {
    let (right, top) = (x + width, y + height);
    [[x, y], [right, y], [x, top], [right, top]].map(|[x, y]| [x, y, 0.0, 1.0])
}
