//! The demo: several programs side by side, drawn by both engines.

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use attila_conformance::columns::Columns;
use attila_scene::Scene;
use attila_scene::picture::{Depth, Picture};
use attila_scene::source::Draft;
use attila_scene::textures::TextureOptions;
use attila_shader::Engine;
use attila_shader::draw::ColourBuffer;
use attila_shader::machine::pipeline::ColourFormat;
use clap::error::ErrorKind;

use super::job::{Drawn, Job};
use super::{Args, Region, SHOWN, Size, file, torus};
use crate::FAULT;
use crate::engines::EngineArg;
use crate::error::CliError;
use crate::output::Output;
use crate::report::Reporter;
use crate::samples::Samples;

/// Where the demo goes if nothing else is said.
const DEFAULT_OUTPUT: &str = "attila-demo.png";

/// The format that panels are drawn in.
const FORMAT: ColourFormat = ColourFormat::Rgba8;

/// The colour between the panels.
const FRAME: [u8; 4] = [24, 26, 30, 255];

/// The cells that the picture is divided into, across and down.
const CELLS: [u32; 2] = [4, 3];

/// A part of the picture, in cells, and the programs that are drawn there one over the other.
struct Panel {
    what: &'static str,
    column: u32,
    row: u32,
    cells: [u32; 2],
    programs: &'static [(&'static str, &'static str)],
    /// If they are not drawn over all of the panel, but over a mesh: what makes that.
    vertices: Option<(&'static str, &'static str)>,
}

impl Panel {
    /// One cell, all of which the programs are drawn over.
    const fn small(
        what: &'static str,
        [column, row]: [u32; 2],
        programs: &'static [(&'static str, &'static str)],
    ) -> Panel {
        Panel {
            what,
            column,
            row,
            cells: [1, 1],
            programs,
            vertices: None,
        }
    }
}

macro_rules! program {
    ($name:literal) => {
        ($name, include_str!(concat!("../demo/", $name)))
    };
}

const PANELS: [Panel; 7] = [
    Panel {
        cells: [3, 2],
        ..Panel::small("ray marching, mip maps", [0, 0], &[program!("ring.attila")])
    },
    Panel::small("bump mapping", [3, 0], &[program!("bumps.attila")]),
    Panel::small("a loop per lane", [3, 1], &[program!("julia.attila")]),
    Panel {
        vertices: Some(program!("torus-vertex.attila")),
        ..Panel::small("a mesh in bricks", [0, 2], &[program!("torus.attila")])
    },
    Panel::small("sines and cosines", [1, 2], &[program!("plasma.attila")]),
    Panel::small(
        "killed fragments",
        [2, 2],
        &[program!("dusk.attila"), program!("sheet.attila")],
    ),
    Panel::small("derivatives", [3, 2], &[program!("map.attila")]),
];

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let size = args.size.unwrap_or(Size {
        width: 1200,
        height: 900,
    });
    let samples = args.samples.samples()?;
    let path = args.output.as_deref().unwrap_or(Path::new(DEFAULT_OUTPUT));
    let kind = file::kind(path);
    let fits = kind.check(Depth::Eight, args.alpha);
    fits.map_err(|error| CliError::usage(ErrorKind::ValueValidation, error))?;
    let output = Output::open(path)?;
    let chosen = args.engine.unwrap_or(EngineArg::Both);
    let vectors = args.vectors.with_perf(args.perf, chosen)?;
    let engines = match args.engine {
        Some(engine) => engine.engines_with(vectors)?,
        None if vectors.are_given() => EngineArg::Both.engines_with(vectors)?,
        None => std::iter::once(Engine::interp())
            .chain(Engine::jit().ok())
            .collect(),
    };
    let mut out = output.messages();
    let posters = engines.iter().map(|_| poster(size));
    let mut posters = posters.collect::<Result<Vec<_>, _>>()?;
    let mut shaded = vec![Drawn::default(); engines.len()];
    for panel in &PANELS {
        let drawn = panel.draw(&engines, (samples, args.threads), size, &mut posters)?;
        writeln!(out, "{}", Line(panel.what, &drawn))?;
        shaded
            .iter_mut()
            .zip(&drawn)
            .for_each(|(sum, one)| sum.add(one));
    }
    writeln!(out, "{}", Line("all of it", &shaded))?;
    let identical = posters.windows(2).all(|pair| pair[0] == pair[1]);
    let is_compared = posters.len() > 1;
    let picture = Picture::from_pixels(size.width as usize, posters.swap_remove(0));
    file::write(&output, &picture.opaque())?;
    if is_compared {
        let verdict = if identical { "identical" } else { "DIFFERENT" };
        writeln!(out, "the engines' pictures are {verdict}")?;
    }
    writeln!(out, "wrote {output} ({size})")?;
    Ok(if identical {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAULT)
    })
}

/// The picture without panels.
fn poster(size: Size) -> Result<Vec<[u8; 4]>, CliError> {
    let mut pixels = Vec::new();
    let Size { width, height } = size;
    let memory = pixels.try_reserve_exact(size.pixels() as usize);
    memory.map_err(|_| CliError::Memory {
        width,
        height,
        samples: String::new(),
    })?;
    pixels.resize(size.pixels() as usize, FRAME);
    Ok(pixels)
}

impl Panel {
    /// Draws the panel with every engine, each into its own poster.
    fn draw(
        &self,
        engines: &[Engine],
        (samples, threads): (Samples, usize),
        poster: Size,
        posters: &mut [Vec<[u8; 4]>],
    ) -> Result<Vec<Drawn>, CliError> {
        let (x, y, size) = self.place(poster);
        let mut sums = vec![Drawn::default(); engines.len()];
        let mut images = Vec::new();
        for _ in engines {
            let mut image = samples.image(FORMAT, size)?;
            image.fill(FRAME);
            images.push(image);
        }
        let reporter = Reporter::new();
        let read = |(name, text)| Draft::from_text(&reporter, name, text);
        let vertices = self
            .vertices
            .map(|vertices| Scene::load(&reporter, read(vertices), &TextureOptions::default()));
        let mesh = vertices
            .transpose()?
            .map(|vertices| torus::mesh(vertices, size));
        for &program in self.programs {
            let scene = Scene::load(&reporter, read(program), &TextureOptions::default())?;
            let job = Job {
                bindings: &scene.bindings(),
                scene: &scene,
                mesh: mesh.as_ref(),
                samples: samples.with_shading(scene.sample_shading),
                picture: size,
                region: Region::whole(size),
                threads,
                output: SHOWN,
            };
            for (index, engine) in engines.iter().enumerate() {
                let image = &mut images[index];
                let mut depth = mesh.as_ref().map(|_| samples.depths(size));
                sums[index].add(&job.draw(engine, image, depth.as_mut())?);
            }
        }
        for (pixels, image) in posters.iter_mut().zip(&mut images) {
            let at = y as usize * poster.width as usize + x as usize;
            let place = ColourBuffer::new(FORMAT, size.width, size.height, &mut pixels[at..]);
            let place = place.with_pitch(size_of_val(&FRAME) * poster.width as usize);
            let resolved = ColourBuffer::from(image).resolve_to(place);
            resolved.map_err(|source| CliError::Resolve {
                name: self.what.to_owned(),
                source,
            })?;
        }
        Ok(sums)
    }

    /// The upper left corner and the size of the panel in a poster of the given size.
    fn place(&self, poster: Size) -> (u32, u32, Size) {
        let gap = poster.width.min(poster.height) / 150;
        // Half a gap on either side of a panel, and as much around the poster.
        let across = |cell: u32| gap + (poster.width - gap) * cell / CELLS[0];
        let down = |cell: u32| gap + (poster.height - gap) * cell / CELLS[1];
        let (x, right) = (across(self.column), across(self.column + self.cells[0]));
        let (y, bottom) = (down(self.row), down(self.row + self.cells[1]));
        let size = Size {
            width: (right - x).saturating_sub(gap).max(1),
            height: (bottom - y).saturating_sub(gap).max(1),
        };
        (x, y, size)
    }
}

/// A line of the report: what was drawn, and how fast each engine was.
struct Line<'a>(&'static str, &'a [Drawn]);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line(what, drawn) = self;
        let (mut columns, mut cells) = (Columns::default().left(22), vec![(*what).to_owned()]);
        for one in *drawn {
            columns = columns.left(6).right(11).right(17);
            let milliseconds = one.shade.as_secs_f64() * 1e3;
            cells.push(one.engine.to_owned());
            cells.push(format!("{milliseconds:.1} ms"));
            cells.push(format!("{:.1} Mpixel/s", one.megapixels_per_second()));
        }
        if let [first, second] = drawn {
            let ratio = first.shade.as_secs_f64() / second.shade.as_secs_f64().max(1e-9);
            columns = columns.right(6);
            cells.push(format!("{ratio:.1}x"));
        }
        f.write_str(&columns.line(&cells))
    }
}
