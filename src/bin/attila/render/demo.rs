//! The demo: several programs side by side, drawn by both engines.

use std::fmt;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use attila_shader::{Bindings, Engine, Picture};

use super::{Args, Drawn, Job, Size, messages, png};
use crate::FAULT;
use crate::error::CliError;
use crate::input::Loaded;
use crate::report::Reporter;
use crate::scene::Scene;
use crate::setup;

/// Where the demo goes if nothing else is said.
const DEFAULT_OUTPUT: &str = "attila-demo.png";

/// The colour between the panels.
const FRAME: [u8; 4] = [24, 26, 30, 255];

/// The cells that the picture is divided into, across and down.
const CELLS: usize = 3;

/// A part of the picture, in cells, and the programs that are drawn there one over the other.
struct Panel {
    what: &'static str,
    column: usize,
    row: usize,
    cells: usize,
    programs: &'static [(&'static str, &'static str)],
}

macro_rules! programs {
    ($($name:literal),*) => {
        &[$(($name, include_str!(concat!("../../../demo/", $name)))),*]
    };
}

const PANELS: [Panel; 6] = [
    Panel {
        what: "ray marching, mip maps",
        column: 0,
        row: 0,
        cells: 2,
        programs: programs!["ring.attila"],
    },
    Panel {
        what: "bump mapping",
        column: 2,
        row: 0,
        cells: 1,
        programs: programs!["bumps.attila"],
    },
    Panel {
        what: "a loop per lane",
        column: 2,
        row: 1,
        cells: 1,
        programs: programs!["julia.attila"],
    },
    Panel {
        what: "sines and cosines",
        column: 0,
        row: 2,
        cells: 1,
        programs: programs!["plasma.attila"],
    },
    Panel {
        what: "killed fragments",
        column: 1,
        row: 2,
        cells: 1,
        programs: programs!["dusk.attila", "sheet.attila"],
    },
    Panel {
        what: "derivatives",
        column: 2,
        row: 2,
        cells: 1,
        programs: programs!["map.attila"],
    },
];

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let size = args.size.unwrap_or(Size {
        width: 1200,
        height: 900,
    });
    let output = args.output.as_deref().unwrap_or(Path::new(DEFAULT_OUTPUT));
    let engines = match args.engine {
        Some(engine) => engine.engines()?,
        None => Engine::all(),
    };
    let mut out = messages(output);
    let mut posters = vec![Picture::new(size.width, size.height, FRAME); engines.len()];
    let mut shaded = vec![Drawn::default(); engines.len()];
    for panel in &PANELS {
        let drawn = panel.draw(&engines, size, &mut posters)?;
        writeln!(out, "{}", Line(panel.what, &drawn))?;
        shaded
            .iter_mut()
            .zip(&drawn)
            .for_each(|(sum, one)| sum.add(one));
    }
    writeln!(out, "{}", Line("all of it", &shaded))?;
    png::write(output, &posters[0], false)?;
    let identical = posters.windows(2).all(|pair| pair[0] == pair[1]);
    if let [_, _, ..] = posters[..] {
        let verdict = if identical { "identical" } else { "DIFFERENT" };
        writeln!(out, "the engines' pictures are {verdict}")?;
    }
    writeln!(out, "wrote {} ({size})", output.display())?;
    Ok(if identical {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAULT)
    })
}

impl Panel {
    /// Draws the panel with every engine, each into its own poster.
    fn draw(
        &self,
        engines: &[Engine],
        size: Size,
        posters: &mut [Picture],
    ) -> Result<Vec<Drawn>, CliError> {
        let (x, y, size) = self.place(size);
        let mut sums = vec![Drawn::default(); engines.len()];
        let mut pictures = vec![Picture::new(size.width, size.height, FRAME); engines.len()];
        for (name, text) in self.programs {
            let reporter = Reporter::new();
            let loaded = Loaded::from_text(&reporter, name, text)?;
            let scene = Scene::new(&reporter, &loaded, &[])?;
            let textures = scene.units.load(loaded.program.usage().textures)?;
            let bindings = Bindings::new().with_textures(&textures);
            let job = Job {
                loaded: &loaded,
                bindings: &setup::bind(&loaded.directives, bindings),
                scene: &scene,
            };
            for (index, engine) in engines.iter().enumerate() {
                sums[index].add(&job.draw(engine, &mut pictures[index])?);
            }
        }
        for (poster, picture) in posters.iter_mut().zip(&pictures) {
            poster.paste(picture, x, y);
        }
        Ok(sums)
    }

    /// The upper left corner and the size of the panel in a poster of the given size.
    fn place(&self, poster: Size) -> (usize, usize, Size) {
        let gap = poster.width.min(poster.height) / 150;
        // Half a gap on either side of a panel, and as much around the poster.
        let edge = |side: usize, cell: usize| gap + (side - gap) * cell / CELLS;
        let (left, right) = (self.column, self.column + self.cells);
        let (top, bottom) = (self.row, self.row + self.cells);
        let x = edge(poster.width, left);
        let y = edge(poster.height, top);
        let size = Size {
            width: (edge(poster.width, right) - x).saturating_sub(gap).max(1),
            height: (edge(poster.height, bottom) - y).saturating_sub(gap).max(1),
        };
        (x, y, size)
    }
}

/// A line of the report: what was drawn, and how fast each engine was.
struct Line<'a>(&'static str, &'a [Drawn]);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line(what, drawn) = self;
        write!(f, "{what:<22}")?;
        for one in *drawn {
            let milliseconds = one.shade.as_secs_f64() * 1e3;
            write!(f, "  {:<6} {milliseconds:8.1} ms", one.engine)?;
            write!(f, " {:8.1} Mpixel/s", one.megapixels_per_second())?;
        }
        if let [first, second] = drawn {
            let ratio = first.shade.as_secs_f64() / second.shade.as_secs_f64().max(1e-9);
            write!(f, "  {ratio:5.1}x")?;
        }
        Ok(())
    }
}
