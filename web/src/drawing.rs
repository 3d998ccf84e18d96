//! Pixels.

use std::collections::BTreeSet;
use std::fmt::Display;

use attila_scene::mesh::MeshScene;
use attila_scene::{Control, ControlKind, Scene};
use attila_shader::draw::{ColourImage, DepthImage, DepthState, Draw, PreparedDraw};
use attila_shader::isa::{Bank, Stage};
use attila_shader::machine::pipeline::DepthFormat;
use attila_shader::{Bindings, ColourFormat, Shader};
use serde_json::{Value, json};

use crate::loaded::Loaded;
use crate::message::Picture;
use crate::session::{Answered, Session};

/// The most pixels of a picture.
const MOST: u64 = 4096 * 4096;

/// Depths of meshes.
const DEPTH: DepthFormat = DepthFormat::D32F;

/// The pixels before the draw, as `attila render` has them.
pub(crate) const BACKGROUND: [u8; 4] = [0, 0, 0, 255];

/// Programs with what they are drawn with, for a picture.
pub(crate) struct Ready<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) shader: &'a Shader,
    pub(crate) mesh: Option<(&'a MeshScene, &'a Shader)>,
    /// The first row, and the first that is not drawn.
    pub(crate) rows: [u32; 2],
    pub(crate) size: [u32; 2],
}

impl Ready<'_> {
    /// Draws in a tile of the picture: the mesh, with a depth test, or else a rectangle over all of it.
    pub(crate) fn paint(
        &self,
        draw: Draw<'_>,
        first: [u32; 2],
        [width, height]: [u32; 2],
    ) -> Result<(), String> {
        let draw = self.scene.draw_on(draw, self.size);
        let draw = draw.origin(first.map(u32::cast_signed), self.size);
        let drawn = match self.mesh {
            None => draw.rect(0..self.size[0], 0..self.size[1]),
            Some((mesh, shader)) => {
                let mut depths = DepthImage::new(DEPTH, width, height);
                depths.fill(1.0_f32);
                let draw = draw.depth(&mut depths, DepthState::default());
                mesh.with_mesh(shader, |triangles| mesh.draw_on(draw).mesh(triangles))
            }
        };
        drawn.map_err(message)
    }

    /// The draw, to be compiled.
    pub(crate) fn prepared(&self) -> Result<PreparedDraw, String> {
        let draw = self.scene.draw_on(Draw::new(self.shader), self.size);
        let draw = draw.target(0, ColourFormat::Rgba8);
        let draw = match self.mesh {
            None => draw,
            Some((mesh, _)) => mesh.draw_on(draw.depth(DEPTH, DepthState::default())),
        };
        draw.prepare().map_err(message)
    }

    /// An image for the rows that are drawn.
    pub(crate) fn image(&self, format: ColourFormat) -> Result<ColourImage, String> {
        let [width, height] = self.tile();
        let image = ColourImage::new(format, width, height);
        match image.bytes().is_empty() {
            false => Ok(image),
            true => Err(format!(
                "there is no memory for a picture of {width}x{height} pixels"
            )),
        }
    }

    /// Columns and rows that are drawn.
    pub(crate) fn tile(&self) -> [u32; 2] {
        [self.size[0], self.rows[1] - self.rows[0]]
    }
}

/// The constants and controls of a scene, its instructions and its stage.
pub(crate) fn describe(loaded: &Loaded) -> Value {
    let program = &loaded.scene.loaded.program;
    json!({
        "fragment": fields(&loaded.scene, &BTreeSet::new()),
        "vertex": loaded.mesh().map(|mesh| fields(&mesh.vertex, &mesh.seen_constants)),
        "instructions": program.program().insts().len(),
        "stage": program.program().stage().name(),
    })
}

/// The constants of a program that can be set. Some are not, as they have their values from elsewhere.
fn fields(scene: &Scene, elsewhere: &BTreeSet<usize>) -> Value {
    let program = &scene.loaded.program;
    let usage = program.usage();
    let names = || scene.loaded.names.registers();
    let set = scene.loaded.directives.constants.keys();
    let constants: BTreeSet<usize> = usage.constants.iter().chain(set).copied().collect();
    let constants = constants.into_iter().filter_map(|number| {
        let is_it =
            |reg: &attila_shader::isa::Reg| reg.bank() == Bank::Constant && reg.index() == number;
        // What the text declares comes last, and says more.
        let name = names().filter(|(_, reg)| is_it(reg)).last();
        let name = name.map(|(name, _)| name.to_owned());
        let is_settable = scene.loaded.is_assembly || name.is_some();
        let is_settable = is_settable && !elsewhere.contains(&number);
        let value = scene.loaded.directives.constants.get(&number);
        let value = value.copied().unwrap_or_default().map(f32::from_bits);
        is_settable.then(|| {
            json!({
                "number": number,
                "name": name.unwrap_or_else(|| format!("c{number}")),
                "value": value.map(|it| it.is_finite().then_some(it)),
            })
        })
    });
    json!({
        "constants": constants.collect::<Vec<_>>(),
        "controls": scene.controls.iter().map(control).collect::<Vec<_>>(),
    })
}

fn control(control: &Control) -> Value {
    let (kind, range) = match control.kind {
        ControlKind::Range(range) => ("range", Some(range)),
        ControlKind::Colour => ("colour", None),
        ControlKind::Time => ("time", None),
        ControlKind::Mouse => ("mouse", None),
    };
    json!({
        "kind": kind,
        "range": range,
        "constant": control.constant,
        "components": control.components,
    })
}

/// The bindings of a scene, with what the page sets.
pub(crate) fn bindings<'a>(scene: &'a Scene, picture: &Picture) -> Bindings<'a> {
    let constants = picture.constants.iter();
    constants.fold(scene.bindings(), |bindings, (number, value)| {
        bindings.with_constant(*number, *value)
    })
}

/// Refuses pictures that are no pictures.
pub(crate) fn check(scene: &Scene, picture: &Picture) -> Result<[u32; 2], String> {
    let [width, height] = picture.size;
    let pixels = u64::from(width) * u64::from(height);
    let rows = picture.rows.unwrap_or([0, height]);
    let stage = scene.loaded.program.program().stage();
    let constants = picture.constants.iter().chain(&picture.vertex_constants);
    let constant = constants.map(|(number, _)| *number).max();
    if pixels == 0 || pixels > MOST {
        return Err(format!(
            "a picture has 1 to {MOST} pixels, not {width}x{height}"
        ));
    }
    if rows[0] >= rows[1] || rows[1] > height {
        return Err(format!(
            "there are no rows {} to {} of {height}",
            rows[0], rows[1]
        ));
    }
    if let Some(constant) = constant.filter(|it| *it >= attila_shader::isa::CONSTANTS) {
        return Err(format!("there is no constant c{constant}"));
    }
    match stage {
        Stage::Fragment => Ok(rows),
        other @ (Stage::Vertex | Stage::Geometry | Stage::Compute) => Err(format!(
            "it is a {} program, which draws nothing alone",
            other.name()
        )),
    }
}

/// Makes the code.
pub(crate) fn compile(session: &mut Session, picture: &Picture) -> Answered {
    let ready = session.ready(picture)?;
    let bindings = bindings(ready.scene, picture);
    let mut draw = ready.prepared()?;
    // Which code a mesh needs its triangles say when they are drawn.
    if ready.mesh.is_none() {
        draw.compile_for_rectangles(&bindings).map_err(message)?;
    }
    Ok((json!({ "ahead": ready.mesh.is_none() }), Vec::new()))
}

/// Draws rows.
pub(crate) fn draw(session: &mut Session, picture: &Picture) -> Answered {
    let ready = session.ready(picture)?;
    let mut image = ready.image(ColourFormat::Rgba8)?;
    image.fill(BACKGROUND);
    let bindings = bindings(ready.scene, picture);
    let draw = Draw::new(ready.shader).bindings(&bindings);
    ready.paint(draw.target(0, &mut image), [0, ready.rows[0]], ready.tile())?;
    let mut pixels = image.into_bytes();
    // A page would mix the picture with what is behind it.
    let alphas = pixels.iter_mut().skip(3).step_by(4);
    alphas.for_each(|it| *it = 255);
    let answer = json!({ "engine": ready.shader.engine(), "rows": ready.rows });
    Ok((answer, pixels))
}

/// An error, in words.
pub(crate) fn message(error: impl Display) -> String {
    error.to_string()
}
