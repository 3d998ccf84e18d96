//! Bindings as programs write them.

use std::fmt;

use super::binding::{
    Face, Input, Light, Material, Matrix, Output, Param, Product, State, TexGen, Transform,
};
use crate::arb::ArbStage;

impl Input {
    /// The binding, in a program of `stage`.
    pub fn name(self, stage: ArbStage) -> String {
        let name = match self {
            Input::Position => "position".to_owned(),
            Input::Weight(n) => format!("weight[{n}]"),
            Input::Normal => "normal".to_owned(),
            Input::PrimaryColor => "color".to_owned(),
            Input::SecondaryColor => "color.secondary".to_owned(),
            Input::FogCoord => "fogcoord".to_owned(),
            Input::TexCoord(n) => format!("texcoord[{n}]"),
            Input::MatrixIndex(n) => format!("matrixindex[{n}]"),
            Input::Generic(n) => format!("attrib[{n}]"),
        };
        format!("{stage}.{name}")
    }
}

/// As programs write it.
impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("result.")?;
        match self {
            Output::Position => f.write_str("position"),
            Output::PrimaryColor(Face::Front) | Output::Color(0) => f.write_str("color"),
            Output::Color(n) => write!(f, "color[{n}]"),
            Output::PrimaryColor(Face::Back) => f.write_str("color.back"),
            Output::SecondaryColor(Face::Front) => f.write_str("color.secondary"),
            Output::SecondaryColor(Face::Back) => f.write_str("color.back.secondary"),
            Output::FogCoord => f.write_str("fogcoord"),
            Output::PointSize => f.write_str("pointsize"),
            Output::TexCoord(n) => write!(f, "texcoord[{n}]"),
            Output::Depth => f.write_str("depth"),
        }
    }
}

/// As programs write it, constants with four components. They have no way to write
/// [`Param::Window`].
impl fmt::Display for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Param::Env(n) => write!(f, "program.env[{n}]"),
            Param::Local(n) => write!(f, "program.local[{n}]"),
            Param::State(state) => state.fmt(f),
            Param::Window => f.write_str("the size of the window"),
            Param::Constant(bits) => {
                let [x, y, z, w] = bits.map(f32::from_bits);
                write!(f, "{{{x}, {y}, {z}, {w}}}")
            }
        }
    }
}

/// As programs write it.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("state.")?;
        match self {
            State::Material(face, property) => {
                write!(f, "material{}.{}", side(*face), material(*property))
            }
            State::Light(n, property) => write!(f, "light[{n}].{}", light(*property)),
            State::LightModelAmbient => f.write_str("lightmodel.ambient"),
            State::SceneColor(face) => write!(f, "lightmodel{}.scenecolor", side(*face)),
            State::LightProduct(n, face, colour) => {
                write!(f, "lightprod[{n}]{}.{}", side(*face), product(*colour))
            }
            State::TexGen(n, plane, coordinate) => {
                let coordinate = ["s", "t", "r", "q"][usize::from(*coordinate & 3)];
                let plane = match plane {
                    TexGen::Eye => "eye",
                    TexGen::Object => "object",
                };
                write!(f, "texgen[{n}].{plane}.{coordinate}")
            }
            State::TexEnvColor(n) => write!(f, "texenv[{n}].color"),
            State::FogColor => f.write_str("fog.color"),
            State::FogParams => f.write_str("fog.params"),
            State::ClipPlane(n) => write!(f, "clip[{n}].plane"),
            State::PointSize => f.write_str("point.size"),
            State::PointAttenuation => f.write_str("point.attenuation"),
            State::DepthRange => f.write_str("depth.range"),
            State::MatrixRow(matrix, transform, row) => {
                write!(f, "matrix.{matrix}{}.row[{row}]", suffix(*transform))
            }
        }
    }
}

/// As programs write it.
impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Matrix::ModelView(n) => write!(f, "modelview[{n}]"),
            Matrix::Projection => f.write_str("projection"),
            Matrix::ModelViewProjection => f.write_str("mvp"),
            Matrix::Texture(n) => write!(f, "texture[{n}]"),
            Matrix::Palette(n) => write!(f, "palette[{n}]"),
            Matrix::Program(n) => write!(f, "program[{n}]"),
        }
    }
}

/// The front is what is meant where nothing is said.
fn side(face: Face) -> &'static str {
    match face {
        Face::Front => "",
        Face::Back => ".back",
    }
}

fn material(property: Material) -> &'static str {
    match property {
        Material::Ambient => "ambient",
        Material::Diffuse => "diffuse",
        Material::Specular => "specular",
        Material::Emission => "emission",
        Material::Shininess => "shininess",
    }
}

fn light(property: Light) -> &'static str {
    match property {
        Light::Ambient => "ambient",
        Light::Diffuse => "diffuse",
        Light::Specular => "specular",
        Light::Position => "position",
        Light::Attenuation => "attenuation",
        Light::SpotDirection => "spot.direction",
        Light::Half => "half",
    }
}

fn product(colour: Product) -> &'static str {
    match colour {
        Product::Ambient => "ambient",
        Product::Diffuse => "diffuse",
        Product::Specular => "specular",
    }
}

fn suffix(transform: Transform) -> &'static str {
    match transform {
        Transform::None => "",
        Transform::Inverse => ".inverse",
        Transform::Transpose => ".transpose",
        Transform::InverseTranspose => ".invtrans",
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Profile, ResultRegister, SourceRegister, parse};
    use super::*;

    /// Checks that what `source` is bound to is written like that.
    fn check(header: &str, stage: ArbStage, source: &str) {
        let text = format!("{header}\nTEMP t;\nMOV t, {source};\nEND");
        let program = parse(&text, &Profile::default()).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let name = match program.instructions[0].sources[0].register {
            SourceRegister::Input(input) => input.name(stage),
            SourceRegister::Param(param) => param.to_string(),
            SourceRegister::Temporary(_) | SourceRegister::Relative { .. } => String::new(),
        };
        assert_eq!(name, source);
    }

    #[test]
    fn inputs_and_parameters_are_printed_as_they_are_read() {
        for source in [
            "vertex.position",
            "vertex.weight[0]",
            "vertex.normal",
            "vertex.color",
            "vertex.color.secondary",
            "vertex.fogcoord",
            "vertex.texcoord[7]",
            "vertex.matrixindex[0]",
            "vertex.attrib[15]",
            "state.material.ambient",
            "state.material.back.shininess",
            "state.light[7].spot.direction",
            "state.light[0].half",
            "state.lightmodel.ambient",
            "state.lightmodel.back.scenecolor",
            "state.lightprod[2].back.specular",
            "state.texgen[1].eye.q",
            "state.texgen[0].object.s",
            "state.fog.params",
            "state.clip[5].plane",
            "state.point.size",
            "state.point.attenuation",
            "state.matrix.modelview[1].invtrans.row[2]",
            "state.matrix.projection.inverse.row[0]",
            "state.matrix.mvp.transpose.row[3]",
            "state.matrix.texture[3].row[1]",
            "state.matrix.palette[9].row[1]",
            "state.matrix.program[7].row[1]",
            "program.env[1]",
            "program.local[95]",
            "{1, 0.5, -2, 0}",
        ] {
            check("!!ARBvp1.0", ArbStage::Vertex, source);
        }
        for source in [
            "fragment.position",
            "fragment.color",
            "fragment.texcoord[0]",
            "state.texenv[1].color",
            "state.depth.range",
            "state.fog.color",
        ] {
            check("!!ARBfp1.0", ArbStage::Fragment, source);
        }
    }

    #[test]
    fn results_are_printed_as_they_are_read() {
        let read = |header: &str, result: &str| {
            let text = format!("{header}\nMOV {result}, 1;\nEND");
            let program = parse(&text, &Profile::default()).unwrap_or_else(|e| panic!("{e}"));
            match program.instructions[0].result.expect("it has one").register {
                ResultRegister::Output(output) => output.to_string(),
                ResultRegister::Temporary(_) | ResultRegister::Address(_) => String::new(),
            }
        };
        for result in [
            "result.position",
            "result.color",
            "result.color.back",
            "result.color.secondary",
            "result.color.back.secondary",
            "result.fogcoord",
            "result.pointsize",
            "result.texcoord[2]",
        ] {
            assert_eq!(read("!!ARBvp1.0", result), result);
        }
        let fragment = "!!ARBfp1.0\nOPTION ARB_draw_buffers;";
        for result in ["result.color", "result.color[1]", "result.depth"] {
            assert_eq!(read(fragment, result), result);
        }
    }
}
