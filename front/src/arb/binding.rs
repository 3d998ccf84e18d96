//! Things that programs can be bound to: inputs, results, parameters.

/// A vector that comes in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Input {
    /// The vertex's position, or the fragment's: window x, y, z and 1/w.
    Position,
    /// Four weights, from this one on.
    Weight(u32),
    /// The normal: x, y, z, 1.
    Normal,
    /// The primary colour.
    PrimaryColor,
    /// The secondary colour.
    SecondaryColor,
    /// The fog coordinate: f, 0, 0, 1.
    FogCoord,
    /// A set of texture coordinates.
    TexCoord(u32),
    /// Four matrix indices, from this one on.
    MatrixIndex(u32),
    /// A generic vertex attribute.
    Generic(u32),
}

impl Input {
    /// The generic attribute that is the same as this conventional one in a vertex program.
    pub fn generic_alias(self) -> Option<u32> {
        match self {
            Input::Position => Some(0),
            Input::Weight(_) => Some(1),
            Input::Normal => Some(2),
            Input::PrimaryColor => Some(3),
            Input::SecondaryColor => Some(4),
            Input::FogCoord => Some(5),
            Input::TexCoord(n) => n.checked_add(8),
            Input::MatrixIndex(_) | Input::Generic(_) => None,
        }
    }
}

/// A side of a surface.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Face {
    /// The front.
    #[default]
    Front,
    /// The back.
    Back,
}

/// A vector that goes out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Output {
    /// The clip position.
    Position,
    /// The primary colour of a side.
    PrimaryColor(Face),
    /// The secondary colour of a side.
    SecondaryColor(Face),
    /// The fog coordinate, in x.
    FogCoord,
    /// The point size, in x.
    PointSize,
    /// A set of texture coordinates.
    TexCoord(u32),
    /// A colour of the fragment, by the number of its draw buffer.
    Color(u32),
    /// The fragment's depth, in z.
    Depth,
}

/// A property of a material.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Material {
    /// The ambient colour.
    Ambient,
    /// The diffuse colour.
    Diffuse,
    /// The specular colour.
    Specular,
    /// The emitted colour.
    Emission,
    /// The specular exponent: s, 0, 0, 1.
    Shininess,
}

/// A property of a light.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Light {
    /// The ambient colour.
    Ambient,
    /// The diffuse colour.
    Diffuse,
    /// The specular colour.
    Specular,
    /// The position, in eye coordinates.
    Position,
    /// Constant, linear and quadratic attenuation, and the spot light's exponent.
    Attenuation,
    /// The spot light's direction, and the cosine of its cut-off angle.
    SpotDirection,
    /// The half vector of a light and a viewer that are infinitely far away, and 1.
    Half,
}

/// A colour of a light times one of a material.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Product {
    /// The product of the ambient colours.
    Ambient,
    /// The product of the diffuse colours.
    Diffuse,
    /// The product of the specular colours.
    Specular,
}

/// A plane that texture coordinates are made with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TexGen {
    /// In eye coordinates.
    Eye,
    /// In object coordinates.
    Object,
}

/// A matrix of OpenGL's state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Matrix {
    /// The model-view matrix of this number; more than 0 with vertex blending.
    ModelView(u32),
    /// The projection matrix.
    Projection,
    /// Projection times the first model-view matrix.
    ModelViewProjection,
    /// The matrix of the texture coordinates of this number.
    Texture(u32),
    /// The palette matrix of this number.
    Palette(u32),
    /// The program matrix of this number.
    Program(u32),
}

/// The operation on a matrix before its rows are read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Transform {
    /// Nothing.
    #[default]
    None,
    /// The inverse.
    Inverse,
    /// The transpose.
    Transpose,
    /// The transpose of the inverse.
    InverseTranspose,
}

/// A vector of the fixed-function state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum State {
    /// A property of a side's material.
    Material(Face, Material),
    /// A property of a light.
    Light(u32, Light),
    /// The ambient colour of the scene.
    LightModelAmbient,
    /// The scene's ambient colour times the material's, plus the emission.
    SceneColor(Face),
    /// A colour of a light times one of a side's material.
    LightProduct(u32, Face, Product),
    /// The plane of a component, from 0 for s, of a set of texture coordinates.
    TexGen(u32, TexGen, u8),
    /// The constant colour of a texture unit.
    TexEnvColor(u32),
    /// The fog's colour.
    FogColor,
    /// Density, start, end, and 1/(end - start).
    FogParams,
    /// A user clip plane.
    ClipPlane(u32),
    /// Point size, its minimum and maximum, and the fade threshold.
    PointSize,
    /// Constant, linear and quadratic attenuation of points, and 1.
    PointAttenuation,
    /// Near, far, far - near, and 1.
    DepthRange,
    /// A row of a matrix.
    MatrixRow(Matrix, Transform, u8),
}

/// A vector that is the same for all vertices or fragments of a draw.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Param {
    /// A parameter that all programs of a kind share.
    Env(u32),
    /// A parameter of this program.
    Local(u32),
    /// Fixed-function state.
    State(State),
    /// Width and height of the window in pixels, 0, and 1. No text can name it;
    /// `ARB_fragment_coord_origin_upper_left` needs it.
    Window,
    /// A constant, as the bits of its components.
    Constant([u32; 4]),
}

impl Param {
    /// A constant.
    pub fn constant(value: [f32; 4]) -> Param {
        Param::Constant(value.map(f32::to_bits))
    }

    /// Whether it is a constant, whose value nothing changes.
    pub fn is_constant(self) -> bool {
        matches!(self, Param::Constant(_))
    }
}
