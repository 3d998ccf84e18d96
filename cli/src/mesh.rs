//! `--vertex`, `--mesh` and `--camera`: a mesh in place of the rectangle, as options.

use std::path::{Path, PathBuf};

use attila_scene::mesh::{AttributeSetting, Camera, MeshScene, Model};
use attila_scene::{ByName, Scene, ValueSetting, VaryingSetting};
use attila_shader::Engine;
use attila_shader::draw::{DepthState, Draw, DrawError};

use crate::engines;
use crate::error::CliError;
use crate::render::Size;
use crate::report::Reporter;
use crate::samples::Samples;
use crate::scene::SceneArgs;

/// A mesh, as options of a command with the argument `program`.
#[derive(clap::Args)]
pub(crate) struct MeshArgs {
    /// The fragment program, in place of FILE
    #[arg(long, value_name = "FILE", requires = "vertex")]
    pub(crate) fragment: Option<PathBuf>,
    /// Draw a mesh with this vertex program. What it writes to o1 and on are the inputs of the fragment program
    #[arg(long, value_name = "FILE", requires = "mesh", requires = "program")]
    vertex: Option<PathBuf>,
    /// The mesh: an OBJ file, or a shape: cube, sphere or torus
    #[arg(long, value_name = "FILE|SHAPE", requires = "vertex")]
    pub(crate) mesh: Option<PathBuf>,
    /// Look at the mesh from EYE to AT [default: its middle], with so many degrees from bottom to top [default: 40; without
    /// the option, all of the mesh is seen from before and above it]
    #[arg(
        long,
        value_name = "EYE[:AT[:DEGREES]]",
        allow_hyphen_values = true,
        requires = "vertex"
    )]
    camera: Option<Camera>,
    /// Preset a constant of the vertex program, as --set does for the fragment program; may be repeated
    #[arg(
        long,
        value_name = "REG=VALUES",
        allow_hyphen_values = true,
        requires = "vertex"
    )]
    vertex_set: Vec<ByName<ValueSetting>>,
    /// The part of the mesh that an input of the vertex program holds: position, normal, color or texcoord [default: i0,
    /// i2, i3 and i8, as the attributes of ARB programs]; may be repeated
    #[arg(long, value_name = "REG=PART", requires = "vertex")]
    attribute: Vec<ByName<AttributeSetting>>,
}

impl MeshArgs {
    /// The files that it is made of, beside the fragment program.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        [&self.vertex, &self.mesh]
            .into_iter()
            .flatten()
            .map(PathBuf::as_path)
    }

    /// The mesh that options describe, in a picture of a size, for the scene of other options.
    pub(crate) fn mesh(
        &self,
        size: Size,
        (scene, options): (&Scene, &SceneArgs),
        reporter: &Reporter,
    ) -> Result<Option<MeshScene>, CliError> {
        let (Some(vertex), Some(mesh)) = (&self.vertex, &self.mesh) else {
            return Ok(None);
        };
        let model = Model::read(mesh, reporter)?;
        let aspect = f64::from(size.width) / f64::from(size.height);
        let camera = self
            .camera
            .unwrap_or_else(|| Camera::around(&model, aspect));
        let seen = camera.matrices(&model, aspect);
        let mut mesh = MeshScene::load(reporter, vertex, model, seen, size.sides())?;
        if self.camera.is_some() && !mesh.reads_camera {
            let reason = "the program reads none of the camera's matrices: c0 to c3, or `state.matrix` of ARB programs";
            return Err(no_effect(&mesh.vertex, "--camera", reason.to_owned()));
        }
        MeshArgs::check_inputs(&mesh, scene, options)?;
        for setting in &self.vertex_set {
            let setting = mesh.vertex.named(setting)?;
            if let ValueSetting::Input(_) = setting {
                let reason = "inputs hold parts of the mesh; `--attribute` says which".to_owned();
                return Err(no_effect(&mesh.vertex, "--vertex-set", reason));
            }
            mesh.vertex.set(reporter, &setting);
        }
        for setting in &self.attribute {
            let AttributeSetting { input, attribute } = mesh.vertex.named(setting)?;
            if mesh.vertex.loaded.program.usage().inputs[input].is_empty() {
                let option = "--attribute";
                let reason = format!("the program does not read i{input}");
                return Err(no_effect(&mesh.vertex, option, reason));
            }
            mesh.attributes.insert(input, attribute);
        }
        Ok(Some(mesh))
    }

    /// Refuses inputs of the fragment program that options set, and that the mesh gives.
    fn check_inputs(mesh: &MeshScene, scene: &Scene, options: &SceneArgs) -> Result<(), CliError> {
        let usage = mesh.vertex.loaded.program.usage();
        let given = |option, VaryingSetting { input, .. }: VaryingSetting| {
            let reason = format!("the vertex program writes o{input}, which becomes i{input}");
            match usage.writes_output(input) {
                true => Err(no_effect(scene, option, reason)),
                false => Ok(()),
            }
        };
        for setting in &options.set {
            if let ValueSetting::Input(setting) = scene.named(setting)? {
                given("--set", setting)?;
            }
        }
        let mut varying = options.varying.iter();
        varying.try_for_each(|setting| given("--varying", scene.named(setting)?))
    }
}

/// Draws a mesh, with a depth test in a tile of a picture, or else a rectangle over all of the picture.
pub(crate) fn draw(
    draw: Draw<'_>,
    mesh: Option<&MeshScene>,
    engine: &Engine,
    (samples, tile, picture): (Samples, Size, Size),
) -> Result<Result<(), DrawError>, CliError> {
    let Some(mesh) = mesh else {
        return Ok(draw.rect(0..picture.width, 0..picture.height));
    };
    let vertex = engines::prepare(engine, &mesh.vertex.loaded.program)?;
    let mut depth = samples.depths(tile);
    let draw = mesh.draw_on(draw.depth(&mut depth, DepthState::default()));
    Ok(mesh.with_mesh(&vertex, |mesh| draw.mesh(mesh)))
}

/// An option without an effect on a scene.
fn no_effect(scene: &Scene, option: &'static str, reason: String) -> CliError {
    CliError::NoEffect {
        name: scene.loaded.name.clone(),
        option,
        reason,
    }
}
