//! The bindings of both languages, one row each.
//!
//! A row's pattern is the words of the binding with dots between them. `[]` may have an index, and
//! means 0 without; `[n]` needs one; `[..]` needs one or a range. `<face>` stands for `front`,
//! `back` or nothing, `<transform>` for `inverse`, `transpose`, `invtrans` or nothing, `<row>` for
//! `row[a]`, `row[a..b]` or nothing, and `<coordinate>` for `s`, `t`, `r` or `q`.

use super::binding::{
    Face, Input, Light, Material, Matrix, Output, Param, Product, State, TexGen, Transform,
};
use super::opcode::Stages::{self, Both, Fragment, Vertex};
use super::profile::Profile;

/// The meaning of a binding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// An input.
    Input(Input),
    /// A result.
    Output(Output),
    /// Parameters.
    Params {
        list: Vec<Param>,
        /// Whether it is several by the way it is written, even if it is only one.
        several: bool,
    },
}

/// The variable parts of a pattern, as they were written.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Captures {
    /// The index, or the first of a range.
    pub(super) index: u32,
    /// The end of the range, if it is one.
    pub(super) last: Option<u32>,
    pub(super) face: Face,
    pub(super) transform: Transform,
    /// First and last row; whether it is written as a range.
    pub(super) rows: Option<(u8, u8, bool)>,
    pub(super) coordinate: u8,
}

impl Captures {
    fn list(&self, param: fn(u32) -> Param) -> Bound {
        Bound::Params {
            list: (self.index..=self.last.unwrap_or(self.index))
                .map(param)
                .collect(),
            several: self.last.is_some(),
        }
    }

    /// Rows of a matrix: all four unless some are named.
    fn rows(&self, matrix: Matrix) -> Bound {
        let (first, last, several) = self.rows.unwrap_or((0, 3, true));
        let row = |row| Param::State(State::MatrixRow(matrix, self.transform, row));
        Bound::Params {
            list: (first..=last).map(row).collect(),
            several,
        }
    }
}

fn state(state: State) -> Bound {
    Bound::Params {
        list: vec![Param::State(state)],
        several: false,
    }
}

/// One binding.
pub(super) struct Row {
    /// The programs that have it.
    pub(super) stages: Stages,
    /// How it is written.
    pub(super) pattern: &'static str,
    /// Its index has to be below this.
    pub(super) limit: fn(&Profile) -> u32,
    /// Its meaning.
    pub(super) bind: fn(&Captures) -> Bound,
}

macro_rules! rows {
    ($($stages:ident $pattern:literal $([$($limit:ident).+])? => |$c:pat_param| $bound:expr;)*) => {
        &[$(Row {
            stages: $stages,
            pattern: $pattern,
            limit: rows!(@limit $($($limit).+)?),
            bind: |$c| $bound,
        },)*]
    };
    (@limit $($limit:ident).+) => { |profile| profile.$($limit).+ };
    (@limit) => { |_| u32::MAX };
}

/// All bindings.
pub(super) const BINDINGS: &[Row] = rows! {
    Vertex "vertex.position" => |_| Bound::Input(Input::Position);
    Vertex "vertex.weight[]" [vertex_units] => |c| Bound::Input(Input::Weight(c.index));
    Vertex "vertex.normal" => |_| Bound::Input(Input::Normal);
    Vertex "vertex.color" => |_| Bound::Input(Input::PrimaryColor);
    Vertex "vertex.color.primary" => |_| Bound::Input(Input::PrimaryColor);
    Vertex "vertex.color.secondary" => |_| Bound::Input(Input::SecondaryColor);
    Vertex "vertex.fogcoord" => |_| Bound::Input(Input::FogCoord);
    Vertex "vertex.texcoord[]" [texture_coordinates] => |c| Bound::Input(Input::TexCoord(c.index));
    Vertex "vertex.matrixindex[n]" [vertex_units] => |c| Bound::Input(Input::MatrixIndex(c.index));
    Vertex "vertex.attrib[n]" [generic_attributes] => |c| Bound::Input(Input::Generic(c.index));

    Fragment "fragment.color" => |_| Bound::Input(Input::PrimaryColor);
    Fragment "fragment.color.primary" => |_| Bound::Input(Input::PrimaryColor);
    Fragment "fragment.color.secondary" => |_| Bound::Input(Input::SecondaryColor);
    Fragment "fragment.texcoord[]" [texture_coordinates] => |c| Bound::Input(Input::TexCoord(c.index));
    Fragment "fragment.fogcoord" => |_| Bound::Input(Input::FogCoord);
    Fragment "fragment.position" => |_| Bound::Input(Input::Position);

    Vertex "result.position" => |_| Bound::Output(Output::Position);
    Vertex "result.color.<face>" => |c| Bound::Output(Output::PrimaryColor(c.face));
    Vertex "result.color.<face>.primary" => |c| Bound::Output(Output::PrimaryColor(c.face));
    Vertex "result.color.<face>.secondary" => |c| Bound::Output(Output::SecondaryColor(c.face));
    Vertex "result.fogcoord" => |_| Bound::Output(Output::FogCoord);
    Vertex "result.pointsize" => |_| Bound::Output(Output::PointSize);
    Vertex "result.texcoord[]" [texture_coordinates] => |c| Bound::Output(Output::TexCoord(c.index));
    Fragment "result.color[]" [draw_buffers] => |c| Bound::Output(Output::Color(c.index));
    Fragment "result.depth" => |_| Bound::Output(Output::Depth);

    Both "state.material.<face>.ambient" => |c| state(State::Material(c.face, Material::Ambient));
    Both "state.material.<face>.diffuse" => |c| state(State::Material(c.face, Material::Diffuse));
    Both "state.material.<face>.specular" => |c| state(State::Material(c.face, Material::Specular));
    Both "state.material.<face>.emission" => |c| state(State::Material(c.face, Material::Emission));
    Both "state.material.<face>.shininess" => |c| state(State::Material(c.face, Material::Shininess));
    Both "state.light[n].ambient" [lights] => |c| state(State::Light(c.index, Light::Ambient));
    Both "state.light[n].diffuse" [lights] => |c| state(State::Light(c.index, Light::Diffuse));
    Both "state.light[n].specular" [lights] => |c| state(State::Light(c.index, Light::Specular));
    Both "state.light[n].position" [lights] => |c| state(State::Light(c.index, Light::Position));
    Both "state.light[n].attenuation" [lights] => |c| state(State::Light(c.index, Light::Attenuation));
    Both "state.light[n].spot.direction" [lights] => |c| state(State::Light(c.index, Light::SpotDirection));
    Both "state.light[n].half" [lights] => |c| state(State::Light(c.index, Light::Half));
    Both "state.lightmodel.ambient" => |_| state(State::LightModelAmbient);
    Both "state.lightmodel.<face>.scenecolor" => |c| state(State::SceneColor(c.face));
    Both "state.lightprod[n].<face>.ambient" [lights] => |c| state(State::LightProduct(c.index, c.face, Product::Ambient));
    Both "state.lightprod[n].<face>.diffuse" [lights] => |c| state(State::LightProduct(c.index, c.face, Product::Diffuse));
    Both "state.lightprod[n].<face>.specular" [lights] => |c| state(State::LightProduct(c.index, c.face, Product::Specular));
    Vertex "state.texgen[].eye.<coordinate>" [texture_coordinates] => |c| state(State::TexGen(c.index, TexGen::Eye, c.coordinate));
    Vertex "state.texgen[].object.<coordinate>" [texture_coordinates] => |c| state(State::TexGen(c.index, TexGen::Object, c.coordinate));
    Fragment "state.texenv[].color" [texture_units] => |c| state(State::TexEnvColor(c.index));
    Both "state.fog.color" => |_| state(State::FogColor);
    Both "state.fog.params" => |_| state(State::FogParams);
    Vertex "state.clip[n].plane" [clip_planes] => |c| state(State::ClipPlane(c.index));
    Vertex "state.point.size" => |_| state(State::PointSize);
    Vertex "state.point.attenuation" => |_| state(State::PointAttenuation);
    Fragment "state.depth.range" => |_| state(State::DepthRange);
    Both "state.matrix.modelview[].<transform>.<row>" [vertex_units] => |c| c.rows(Matrix::ModelView(c.index));
    Both "state.matrix.projection.<transform>.<row>" => |c| c.rows(Matrix::Projection);
    Both "state.matrix.mvp.<transform>.<row>" => |c| c.rows(Matrix::ModelViewProjection);
    Both "state.matrix.texture[].<transform>.<row>" [texture_coordinates] => |c| c.rows(Matrix::Texture(c.index));
    Both "state.matrix.palette[n].<transform>.<row>" [palette_matrices] => |c| c.rows(Matrix::Palette(c.index));
    Both "state.matrix.program[n].<transform>.<row>" [program_matrices] => |c| c.rows(Matrix::Program(c.index));

    Vertex "program.env[..]" [vertex.env] => |c| c.list(Param::Env);
    Vertex "program.local[..]" [vertex.local] => |c| c.list(Param::Local);
    Fragment "program.env[..]" [fragment.env] => |c| c.list(Param::Env);
    Fragment "program.local[..]" [fragment.local] => |c| c.list(Param::Local);
};
