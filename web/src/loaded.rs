//! [`Loaded`]: what is drawn.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::ops::Range;
use std::path::Path;

use attila_language::Lines;
use attila_scene::mesh::{Camera, MeshScene, Model};
use attila_scene::textures::TextureCache;
use attila_scene::{Files, LoadError, Loader, Scene};
use attila_shader::front::ParameterValues;
use attila_shader::{Engine, Shader, Stage};
use serde_json::Value;

use crate::drawing::{self, Ready};
use crate::editor;
use crate::message::{self, EngineName, MeshText, Picture, Text};

/// A size of pictures, and where a mesh is seen from in them.
type Seen = ([u32; 2], [f64; 3]);

/// A scene, with the text that it is made of.
pub(crate) struct Loaded {
    program: Text,
    lines: Lines,
    pub(crate) scene: Scene,
    textures: TextureCache,
    /// The size of the pictures that the scene is for.
    window: [u32; 2],
    mesh: Option<Mesh>,
    shaders: Option<Shaders>,
}

/// A mesh as it is seen in a picture.
struct Mesh {
    /// The name of its model, unless there may be another of that name.
    model: Option<String>,
    vertex: Text,
    scene: MeshScene,
    seen: Seen,
    /// Constants of the program of vertices, before anybody sets them.
    constants: BTreeMap<usize, [u32; 4]>,
}

/// Programs as an engine runs them.
struct Shaders {
    engine: EngineName,
    fragment: Shader,
    vertex: Option<Shader>,
}

/// A program that there is a mistake in.
pub(crate) enum Mistake<'a> {
    /// The program of fragments.
    Fragment(&'a Text, LoadError),
    /// The program of vertices.
    Vertex(&'a Text, LoadError),
}

impl Mistake<'_> {
    /// The problems of the page's list.
    pub(crate) fn problems(&self) -> Vec<Value> {
        let (program, text, error) = match self {
            Mistake::Fragment(text, error) => ("fragment", text, error),
            Mistake::Vertex(text, error) => ("vertex", text, error),
        };
        let mut problems = editor::mistakes(text, error);
        let all = problems.iter_mut();
        all.for_each(|problem| problem["program"] = program.into());
        problems
    }
}

impl Loaded {
    /// The scene of a program, perhaps with a mesh, in pictures that are likely to have a size. What was read for the
    /// scene before is not read again.
    pub(crate) fn new<'a>(
        program: &'a Text,
        mesh: Option<&'a MeshText>,
        window: [u32; 2],
        files: &Files<'_>,
        before: Option<&Loaded>,
    ) -> Result<Loaded, Mistake<'a>> {
        let textures = before.map(|it| it.textures.clone()).unwrap_or_default();
        let scene = fragments(program, window, files, &textures);
        let scene = scene.map_err(|error| Mistake::Fragment(program, error))?;
        let before = before.and_then(|it| it.mesh.as_ref());
        let mesh = mesh.map(|mesh| Mesh::new(mesh, window, files, before));
        Ok(Loaded {
            scene,
            textures,
            window,
            program: program.clone(),
            lines: Lines::new(&program.text),
            mesh: mesh
                .transpose()
                .map_err(|(text, error)| Mistake::Vertex(text, error))?,
            shaders: None,
        })
    }

    /// Takes note that files may have others in their place.
    pub(crate) fn forget_files(&mut self) {
        self.textures.clear();
        if let Some(mesh) = &mut self.mesh {
            mesh.model = None;
        }
    }

    /// Where bytes of its text begin and end.
    pub(crate) fn span(&self, span: &Range<usize>) -> Value {
        editor::span_in(&self.program.text, &self.lines, span)
    }

    /// The mesh.
    pub(crate) fn mesh(&self) -> Option<&MeshScene> {
        self.mesh.as_ref().map(|mesh| &mesh.scene)
    }

    /// What a picture is drawn with. Makes its code unless the last picture had the same engine.
    pub(crate) fn ready(
        &mut self,
        picture: &Picture,
        engine: &Engine,
        files: &Files<'_>,
    ) -> Result<Ready<'_>, String> {
        let rows = drawing::check(&self.scene, picture)?;
        if self.window != picture.size {
            let scene = fragments(&self.program, picture.size, files, &self.textures);
            self.scene = scene.map_err(drawing::message)?;
            (self.window, self.shaders) = (picture.size, None);
        }
        if let Some(mesh) = &mut self.mesh {
            let is_same = mesh.see(picture, files)?;
            self.shaders = self.shaders.take().filter(|_| is_same);
        }
        let vertex = self.mesh.as_ref().map(|mesh| &mesh.scene.vertex);
        let shaders = match self.shaders.take() {
            Some(shaders) if shaders.engine == picture.engine => shaders,
            Some(_) | None => Shaders {
                engine: picture.engine,
                fragment: self.scene.shader(engine).map_err(drawing::message)?,
                vertex: vertex
                    .map(|scene| scene.shader(engine))
                    .transpose()
                    .map_err(drawing::message)?,
            },
        };
        let shaders = self.shaders.insert(shaders);
        let mesh = self.mesh.as_ref().map(|mesh| &mesh.scene);
        Ok(Ready {
            scene: &self.scene,
            shader: &shaders.fragment,
            mesh: mesh.zip(shaders.vertex.as_ref()),
            rows,
            size: picture.size,
        })
    }
}

/// The scene of a program, in pictures of a size.
fn fragments(
    Text { name, text }: &Text,
    window: [u32; 2],
    files: &Files<'_>,
    textures: &TextureCache,
) -> Result<Scene, LoadError> {
    let parameters = ParameterValues {
        window,
        ..ParameterValues::default()
    };
    let loader = Loader::new().parameters(parameters).texture_cache(textures);
    loader.prefer(Stage::Fragment).read_with(name, text, files)
}

impl Mesh {
    fn new<'a>(
        MeshText { model, vertex }: &'a MeshText,
        window: [u32; 2],
        files: &Files<'_>,
        before: Option<&Mesh>,
    ) -> Result<Mesh, (&'a Text, LoadError)> {
        let name = Some(model.clone());
        let model = match before.filter(|it| it.model == name) {
            Some(before) => before.scene.model.clone(),
            None => {
                let model = Model::read_with(Path::new(model), files);
                model.map_err(|error| (vertex, error))?
            }
        };
        let seen = (window, message::from_before());
        let scene = Mesh::seen(vertex, model, seen, files).map_err(|error| (vertex, error))?;
        Ok(Mesh {
            model: name,
            vertex: vertex.clone(),
            constants: scene.vertex.loaded.directives.constants.clone(),
            scene,
            seen,
        })
    }

    fn seen(
        vertex: &Text,
        model: Model,
        (size, [right, up, times]): Seen,
        files: &Files<'_>,
    ) -> Result<MeshScene, LoadError> {
        let name = Path::new(&vertex.name);
        let with_text = |path: &Path| match path == name {
            true => Ok(Box::new(Cursor::new(vertex.text.clone())) as Box<dyn Read>),
            false => files(path),
        };
        let aspect = f64::from(size[0]) / f64::from(size[1]);
        let camera = Camera::around(&model, aspect).moved(&model, [right, up], times);
        let matrices = camera.matrices(&model, aspect);
        MeshScene::load_with(&with_text, name, model, matrices, size)
    }

    /// Goes into a picture. Returns whether the program has the instructions that it had.
    fn see(&mut self, picture: &Picture, files: &Files<'_>) -> Result<bool, String> {
        let wanted = (picture.size, picture.view);
        let mut is_same = true;
        if self.seen != wanted {
            let before = self.scene.vertex.loaded.program.clone();
            let name = self.model.take();
            let model = std::mem::take(&mut self.scene.model);
            let scene = Mesh::seen(&self.vertex, model, wanted, files);
            self.scene = scene.map_err(drawing::message)?;
            self.model = name;
            self.constants = self.scene.vertex.loaded.directives.constants.clone();
            self.seen = wanted;
            let now = &self.scene.vertex.loaded.program;
            is_same = now.program().insts() == before.program().insts();
        }
        let constants = &mut self.scene.vertex.loaded.directives.constants;
        constants.clone_from(&self.constants);
        let set = picture.vertex_constants.iter();
        constants.extend(set.map(|(number, value)| (*number, value.map(f32::to_bits))));
        Ok(is_same)
    }
}
