//! Meshes: [a model](Model) of a file, its vertex program, and [a camera](Camera) that looks at it.
//!
//! ```text
//! file ─► Model ─► attributes ─► vertex program ─► triangles, and inputs of the fragment program
//!           └────► Camera ─────► its matrices
//! ```

mod camera;
mod model;
mod obj;
mod shape;

pub use camera::{Camera, CameraError};
pub use model::{Attribute, AttributeSetting, Model};
pub use shape::Shape;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use attila_shader::draw::{Cull, Draw, FrontFace, Interpolation, Mesh, Varying, Viewport};
use attila_shader::front::ParameterValues;
use attila_shader::front::arb::state::Matrix4;
use attila_shader::isa::OUTPUTS;
use attila_shader::{Shader, Stage, VertexBuffers};

use crate::error::Error;
use crate::host::Host;
use crate::loader::{LoadError, heard};
use crate::notice::{Files, Notices};
use crate::scene::Scene;
use crate::sections::Choice;
use crate::source::{Form, Reading, Source};
use crate::textures::TextureOptions;

/// A model, and what its vertices go through.
#[non_exhaustive]
pub struct MeshScene {
    /// The vertex program, with its constants and textures.
    pub vertex: Scene,
    /// The vertices and triangles.
    pub model: Model,
    /// The part of the model that each of the program's inputs holds.
    pub attributes: BTreeMap<usize, Attribute>,
    /// Whether the vertex program reads a matrix of the camera.
    pub reads_camera: bool,
    /// The constants whose values come from the camera, rather than from its text.
    pub seen_constants: BTreeSet<usize>,
    /// The triangles that are left out.
    pub cull: Cull,
    /// The part of the picture that clip space maps to; `None`: all of it.
    pub viewport: Option<Viewport>,
}

impl MeshScene {
    /// All triangles of a model, all over the picture. Attributes have the numbers that ARB programs give them.
    pub fn new(vertex: Scene, model: Model) -> MeshScene {
        MeshScene {
            vertex,
            model,
            reads_camera: false,
            seen_constants: BTreeSet::new(),
            attributes: Attribute::ALL.map(|it| (it.input(), it)).into(),
            cull: Cull::None,
            viewport: None,
        }
    }

    /// The same with the vertex program of a file. It reads [the camera's matrices](Camera::matrices) as
    /// `state.matrix.modelview` and `state.matrix.projection` if it is an ARB program. In any other language the rows from
    /// the model to clip space are its first four constants, unless it has values for these itself.
    ///
    /// # Errors
    ///
    /// There is no such program, and the host has heard why if the error is [`Error::Reported`].
    pub fn load(
        host: &dyn Host,
        file: &Path,
        model: Model,
        [model_view, projection]: [Matrix4; 2],
        window: [u32; 2],
    ) -> Result<MeshScene, Error> {
        let stage = Some(Stage::Vertex);
        let choice = Choice {
            number: None,
            stage,
        };
        let source = Source::read(file, Form::Detect, choice, host)?;
        let rows = projection.times(&model_view).rows;
        let rows = || (0..).zip(rows);
        let (is_arb, is_translated) = (source.language() == Some("ARB"), source.is_translated());
        let parameters = ParameterValues {
            local: rows().filter(|_| !is_arb).collect(),
            window,
            model_view,
            projection,
            ..ParameterValues::default()
        };
        // A translation has the values of what it reads.
        let others = ParameterValues {
            window,
            ..ParameterValues::default()
        };
        let [seen, unseen] = [&parameters, &others].map(|values| {
            let listing = source.list(values, &Notices::default());
            listing.map(|listing| (listing.constants, listing.buffers))
        });
        let (mut reads_camera, mut seen_constants) = (false, BTreeSet::new());
        if let (true, Ok((seen, buffers)), Ok((unseen, others))) = (is_translated, seen, unseen) {
            let both = seen.iter().zip(&unseen);
            let of_the_camera = both.filter(|(seen, unseen)| seen != unseen);
            seen_constants.extend(of_the_camera.map(|(seen, _)| seen.register));
            reads_camera = !seen_constants.is_empty() || buffers != others;
        }
        let draft = source.draft(&Reading::new(file, stage, parameters), host);
        let mut vertex = Scene::load(host, draft, &TextureOptions::default())?;
        let (usage, directives) = (vertex.loaded.program.usage(), &mut vertex.loaded.directives);
        let reads = |constant| usage.relative_constants || usage.constants.contains(&constant);
        for (constant, row) in rows().map(|(number, row)| (number as usize, row)) {
            if !is_translated && reads(constant) {
                let own = directives.constants.entry(constant);
                if let Entry::Vacant(_) = own {
                    seen_constants.insert(constant);
                    reads_camera = true;
                }
                own.or_insert(row.map(f32::to_bits));
            }
        }
        let mesh = MeshScene::new(vertex, model);
        Ok(MeshScene {
            reads_camera,
            seen_constants,
            ..mesh
        })
    }

    /// The same with the vertex program of a file that comes from elsewhere than the file system. Warnings come with it.
    ///
    /// # Errors
    ///
    /// All that is wrong with it.
    pub fn load_with(
        files: &Files<'_>,
        file: &Path,
        model: Model,
        matrices: [Matrix4; 2],
        window: [u32; 2],
    ) -> Result<MeshScene, LoadError> {
        let (mut mesh, warnings) = heard(Notices::with_files(files), |host| {
            MeshScene::load(host, file, model, matrices, window)
        })?;
        mesh.vertex.warnings = warnings;
        Ok(mesh)
    }

    /// A draw whose inputs are what the vertex program writes. The others stay as they are.
    #[must_use]
    pub fn draw_on<'a>(&self, draw: Draw<'a>) -> Draw<'a> {
        let draw = draw.cull(self.cull, FrontFace::CounterClockwise);
        let usage = self.vertex.loaded.program.usage();
        let outputs = (1..OUTPUTS).filter(|output| usage.writes_output(*output));
        let smooth = Varying::vertices(Interpolation::Perspective);
        outputs.fold(draw, |draw, output| draw.varying(output, smooth))
    }

    /// The parts of the model that the vertex program has as inputs.
    pub fn buffers(&self) -> VertexBuffers<'_> {
        let attributes = self.attributes.iter();
        attributes.fold(VertexBuffers::new(), |buffers, (input, attribute)| {
            buffers.with_floats(*input, self.model.attribute(*attribute))
        })
    }

    /// Lends the mesh that [`Draw::mesh`] takes, with [the vertex program's shader](Scene::shader).
    pub fn with_mesh<T>(&self, shader: &Shader, f: impl FnOnce(&Mesh<'_>) -> T) -> T {
        let buffers = self.buffers();
        let bindings = self.vertex.bindings();
        let mesh = Mesh::new(shader, &buffers, &self.model.triangles).bindings(&bindings);
        f(&match self.viewport {
            Some(viewport) => mesh.viewport(viewport),
            None => mesh,
        })
    }
}
