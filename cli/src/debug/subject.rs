//! The subject of the debugger, as options say it.

use std::path::Path;

use attila_conformance::Subject as _;
use attila_conformance::draws::DrawCase;
use attila_scene::ByName;
use attila_scene::mesh::MeshScene;
use attila_scene::setting::{self, RegisterSetting};
use attila_scene::source::{self, Loaded};
use attila_scene::{Scene, ValueSetting};
use attila_shader::debug::{Recording, Source};
use attila_shader::draw::{ColourImage, Draw};
use attila_shader::machine::QuadState;
use attila_shader::machine::pipeline::ColourFormat;
use attila_shader::{Bindings, Engine};
use clap::error::ErrorKind;

use attila_debugger::{Small, Subject};

use super::Args;
use crate::engines;
use crate::error::CliError;
use crate::input::{ProgramArgs, expect_fragments};
use crate::mesh;
use crate::pixel::Pixel;
use crate::render::Size;
use crate::report::Reporter;
use crate::samples::Samples;
use crate::scene::SceneArgs;
use crate::setup;

/// The most pixels along a side of the small picture.
const SMALL: u32 = 96;

/// The subject that options describe.
pub(super) fn of(args: &Args, reporter: &Reporter) -> Result<Subject, CliError> {
    match args.quad {
        Some(number) => quad(args, number, reporter),
        None if args.case => case(args, reporter),
        None => pixel(args, reporter),
    }
}

/// A case that `attila fuzz` has stored: a pixel of a draw, or the first quad of a program.
fn case(args: &Args, reporter: &Reporter) -> Result<Subject, CliError> {
    let text = source::read_text(args.file(), reporter)?;
    let name = source::name_of(args.file());
    let failed = |message: String| CliError::Case {
        name: name.clone(),
        message,
    };
    let Some(case) = DrawCase::read(&text) else {
        return quad(args, 0, reporter);
    };
    let case = case.map_err(failed)?;
    let [width, height] = case.size;
    let Pixel(pixel) = args.pixel.unwrap_or(Pixel([width / 2, height / 2]));
    let debugged = case.look(args.frame, pixel, |history, bindings| {
        let Some(fragment) = history.fragments.last() else {
            return Err(CliError::Uncovered { pixel });
        };
        let program = &case.shaded.program;
        let bindings = bindings.clone().with_inputs(fragment);
        let recording = Recording::of(program, &bindings, &fragment.start, args.limits());
        Ok(Subject {
            name: name.clone(),
            file: Some(args.file().to_owned()),
            source: Source::new(&text, program.program()),
            recording: recording.map_err(|source| CliError::Run {
                name: name.clone(),
                source,
            })?,
            lane: fragment.lane,
            history: Some(history.clone()),
            picture: None,
        })
    });
    debugged.map_err(failed)?
}

/// A quad of registers.
fn quad(args: &Args, quad: usize, reporter: &Reporter) -> Result<Subject, CliError> {
    let draft = args.program().read(reporter)?;
    let scene = Scene::load(reporter, draft, &args.textures.options())?;
    let set = args.settings::<RegisterSetting>()?;
    let set = set.iter().map(|setting| scene.named(setting));
    let set = set.collect::<Result<Vec<RegisterSetting>, _>>()?;
    let state = args.state.as_deref();
    let count = u32::try_from(quad + 1).ok();
    let directives = setup::collect(reporter, &scene.loaded, state, count, &set)?;
    let bindings = Bindings::new().with_textures(&scene.textures);
    let bindings = setup::with_budget(setting::bind(&directives, bindings), args.budget);
    let bindings = setting::bind_storage(&directives, bindings);
    let start = directives.start().into_iter().nth(quad).unwrap_or_default();
    recorded(args, (args.file(), &scene.loaded), &bindings, &start)
}

/// The quad of a pixel: of the last fragment that was kept, or else of the last, perhaps of one triangle; or that of a
/// triangle's vertices.
fn pixel(args: &Args, reporter: &Reporter) -> Result<Subject, CliError> {
    let size = args.size.unwrap_or(Size::DEFAULT);
    let pixel = args.pixel.unwrap_or(Pixel::middle(size)).check(size)?;
    let samples = args.samples.samples()?;
    let draft = args.program().read_to_draw(size, reporter)?;
    let options = SceneArgs {
        set: args.settings::<ValueSetting>()?,
        varying: args.varying.clone(),
        textures: args.textures.clone(),
        parameters: args.parameters.clone(),
    };
    let scene = options.scene(reporter, expect_fragments(draft)?)?;
    let mesh = args.mesh.mesh(size, (&scene, &options), reporter)?;
    if let (Some(mesh), Some(triangle), None) = (&mesh, args.triangle, args.pixel) {
        return vertices(args, mesh, triangle);
    }
    let samples = samples.with_shading(scene.sample_shading);
    let bindings = setup::with_budget(scene.bindings(), args.budget);
    let history = pixel.history((&scene, mesh.as_ref()), samples, &bindings, size)?;
    let is_meant = |number| args.triangle.is_none_or(|triangle| triangle == number);
    let Some(fragment) = attila_debugger::fragment(&history, is_meant) else {
        return Err(CliError::Uncovered { pixel: pixel.0 });
    };
    let start = fragment.start.clone();
    let own = bindings.clone().with_inputs(fragment);
    let program = (args.file(), &scene.loaded);
    let mut subject = recorded(args, program, &own, &start)?;
    subject.lane = fragment.lane;
    subject.picture = small((&scene, mesh.as_ref()), size, pixel);
    subject.history = Some(history);
    Ok(subject)
}

/// The vertices of a triangle, the last of them twice.
fn vertices(args: &Args, mesh: &MeshScene, triangle: u32) -> Result<Subject, CliError> {
    let triangles = &mesh.model.triangles;
    let Some(&[a, b, c]) = triangles.get(triangle as usize) else {
        let message = format!("triangle {triangle} is not one of {}", triangles.len());
        return Err(CliError::usage(ErrorKind::ValueValidation, message));
    };
    let shader = engines::prepare(&Engine::interp(), &mesh.vertex.loaded.program)?;
    let start = mesh.with_mesh(&shader, |mesh| mesh.start([a, b, c, c]));
    let bindings = setup::with_budget(mesh.vertex.bindings(), args.budget);
    let buffers = mesh.buffers();
    let bindings = bindings.with_attributes(&buffers);
    let file = args.mesh.files().next().unwrap_or(args.file());
    recorded(args, (file, &mesh.vertex.loaded), &bindings, &start)
}

fn recorded(
    args: &Args,
    (file, loaded): (&Path, &Loaded),
    bindings: &Bindings<'_>,
    start: &QuadState,
) -> Result<Subject, CliError> {
    let recording = Recording::of(&loaded.program, bindings, start, args.limits());
    let recording = recording.map_err(|source| CliError::Run {
        name: loaded.name.clone(),
        source,
    })?;
    let has_text = !loaded.text.is_empty();
    Ok(Subject {
        file: has_text.then(|| file.to_owned()),
        ..Subject::new(&loaded.name, recording, loaded.debug_source())
    })
}

impl Args {
    fn program(&self) -> ProgramArgs {
        ProgramArgs::new(
            self.file().to_owned(),
            self.form,
            self.parameters.clone(),
            self.number,
        )
    }

    /// The presets, of the kind that the mode has.
    fn settings<T>(&self) -> Result<Vec<ByName<T>>, CliError>
    where
        ByName<T>: std::str::FromStr<Err: std::fmt::Display>,
    {
        let read = |text: &String| {
            text.parse()
                .map_err(|error: <ByName<T> as std::str::FromStr>::Err| {
                    let message = format!("invalid value '{text}' for '--set': {error}");
                    CliError::usage(ErrorKind::ValueValidation, message)
                })
        };
        self.set.iter().map(read).collect()
    }
}

/// The scene in few pixels; `None` if it cannot be drawn.
fn small(
    (scene, mesh): (&Scene, Option<&MeshScene>),
    size: Size,
    Pixel([x, y]): Pixel,
) -> Option<Small> {
    let longest = size.width.max(size.height);
    let scaled =
        |at: u32| (u64::from(at) * u64::from(SMALL) / u64::from(longest.max(SMALL))) as u32;
    let sides = size.sides().map(|side| scaled(side).max(1));
    let [width, height] = sides;
    let tile = Size { width, height };
    let mut image = ColourImage::new(ColourFormat::Rgba8, width, height);
    let shader = scene.shader(&Engine::auto()).ok()?;
    let bindings = scene.bindings();
    let draw = scene.draw_on(Draw::new(&shader), sides);
    let draw = draw.bindings(&bindings).target(0, &mut image);
    let drawn = mesh::draw(
        draw,
        mesh,
        &Engine::auto(),
        (Samples::default(), tile, tile),
    );
    drawn.ok()?.ok()?;
    let rows = (0..sides[1]).flat_map(|row| (0..sides[0]).map(move |column| (column, row)));
    Some(Small {
        size: sides,
        pixels: rows.filter_map(|(x, y)| image.pixel(x, y)).collect(),
        marked: [scaled(x).min(sides[0] - 1), scaled(y).min(sides[1] - 1)],
        whole: size.sides(),
        pixel: [x, y],
    })
}
