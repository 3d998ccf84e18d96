//! [`Job`]: a program over a rectangle or a mesh, on each engine.

use std::fmt;
use std::io::Write;
use std::time::{Duration, Instant};

use attila_scene::Scene;
use attila_scene::mesh::MeshScene;
use attila_scene::picture::{Depth, FileKind, Picture};
use attila_shader::draw::{ColourImage, DepthImage, DepthState, Mesh};
use attila_shader::machine::pipeline::Compare;
use attila_shader::{Bindings, DrawError, Engine, Shader};

use super::size::{Region, Size};
use super::{Args, SHOWN, file};
use crate::engines::{self, EngineArg};
use crate::error::CliError;
use crate::output::Output;
use crate::progress::Progress;
use crate::report::Reporter;
use crate::samples::Samples;

/// A program and what it is drawn with.
pub(super) struct Job<'a> {
    pub(super) bindings: &'a Bindings<'a>,
    pub(super) scene: &'a Scene,
    /// Drawn in place of a rectangle.
    pub(super) mesh: Option<&'a MeshScene>,
    pub(super) samples: Samples,
    /// The size of the whole picture.
    pub(super) picture: Size,
    /// The part of it that is drawn.
    pub(super) region: Region,
    pub(super) threads: usize,
    /// The output that becomes the picture.
    pub(super) output: usize,
}

/// How a picture was drawn.
#[derive(Clone, Copy, Default)]
pub(super) struct Drawn {
    pub(super) engine: &'static str,
    /// Making the program ready.
    pub(super) prepare: Duration,
    /// Shading all pixels.
    pub(super) shade: Duration,
    pub(super) pixels: u64,
}

impl Job<'_> {
    /// Draws with every engine that is asked for, compares, and writes the picture.
    /// Whether all have drawn the same.
    pub(super) fn draw_all(
        &self,
        args: &Args,
        depth: Depth,
        output: &Output,
    ) -> Result<bool, CliError> {
        let depths = args.depth.as_deref().map(Output::open).transpose()?;
        let mut out = output.messages();
        let (mut first, mut identical) = (None, true);
        let engines = args.engine.unwrap_or(EngineArg::Auto);
        let vectors = args.vectors.with_perf(args.perf, engines)?;
        for engine in engines.engines_with(vectors)? {
            let mut image = self.samples.image(depth.target(), self.region.size)?;
            args.background.fill(&mut image, depth);
            let has_depth = depths.is_some() || self.mesh.is_some();
            let mut depth = has_depth.then(|| self.samples.depths(self.region.size));
            let drawn = self.draw(&engine, &mut image, depth.as_mut())?;
            let size = self.region.size;
            writeln!(out, "{} {size} {drawn}", self.scene.loaded.name)?;
            let layers = (image, depth);
            identical &= first.as_ref().is_none_or(|first| *first == layers);
            first.get_or_insert(layers);
        }
        if let Some((image, depth_image)) = first {
            let picture = Picture::new(image.resolved(), depth);
            let picture = match args.alpha {
                true => picture,
                false => picture.opaque(),
            };
            file::write(output, &picture)?;
            writeln!(out, "wrote {output}")?;
            if let (Some(file), Some(image)) = (&depths, depth_image) {
                file::write(file, &depth_picture(image, file::kind(file.path())))?;
                writeln!(out, "wrote {file}")?;
            }
        }
        if !identical {
            Reporter::new().error("the engines' pictures differ");
        }
        Ok(identical)
    }

    pub(super) fn draw(
        &self,
        engine: &Engine,
        image: &mut ColourImage,
        depth: Option<&mut DepthImage>,
    ) -> Result<Drawn, CliError> {
        let start = Instant::now();
        let shader = engines::prepare(engine, &self.scene.loaded.program)?;
        let vertex = self.mesh.map(|mesh| &mesh.vertex.loaded.program);
        let vertex = vertex.map(|program| engines::prepare(engine, program));
        let drawn = match (self.mesh, vertex.transpose()?) {
            (Some(mesh), Some(vertex)) => mesh.with_mesh(&vertex, |mesh| {
                self.draw_with(&shader, Some(mesh), image, depth)
            }),
            (None, _) | (_, None) => self.draw_with(&shader, None, image, depth),
        };
        let (prepared, finished) = drawn.map_err(|source| CliError::Render {
            name: self.scene.loaded.name.clone(),
            source,
        })?;
        Ok(Drawn {
            engine: shader.engine(),
            prepare: prepared - start,
            shade: finished - prepared,
            pixels: self.region.size.pixels(),
        })
    }

    /// Draws, and says when everything was prepared and when it was drawn.
    fn draw_with(
        &self,
        shader: &Shader,
        mesh: Option<&Mesh<'_>>,
        image: &mut ColourImage,
        mut depth: Option<&mut DepthImage>,
    ) -> Result<(Instant, Instant), DrawError> {
        let target = self.output - SHOWN;
        let draw = self.samples.draw(self.scene, shader, self.picture);
        let draw = match self.mesh {
            Some(mesh) => mesh.draw_on(draw),
            None => draw,
        };
        let mut draw = draw.threads(self.threads).target(target, &mut *image);
        if let Some(depth) = &mut depth {
            let compare = match mesh {
                Some(_) => Compare::Less,
                None => Compare::Always,
            };
            let state = DepthState {
                compare,
                write: true,
            };
            draw = draw.depth(&mut **depth, state);
        }
        let mut draw = draw.prepare()?;
        match mesh {
            Some(_) => draw.compile_for_triangles(self.bindings)?,
            None => draw.compile_for_rectangles(self.bindings)?,
        }
        let prepared = Instant::now();
        let progress = Progress::new(0);
        let listener = |done, all| progress.set(done, all);
        let [width, height] = self.picture.sides();
        let mut frame = draw.frame(self.bindings).target(target, image);
        if let Some(depth) = depth {
            frame = frame.depth(depth);
        }
        let frame = frame.origin(self.region.at.map(|at| at as i32), [width, height]);
        let mut frame = frame.progress(&listener);
        match mesh {
            Some(mesh) => frame.mesh(mesh)?,
            None => frame.rect(0..width, 0..height)?,
        }
        Ok((prepared, Instant::now()))
    }
}

/// Depths as a picture for a kind of file, as exactly as that holds them.
fn depth_picture(image: DepthImage, kind: FileKind) -> Picture {
    let depths = kind.depths();
    let depth = match depths.contains(&Depth::Float) {
        true => Depth::Float,
        false => Depth::Sixteen,
    };
    Picture::of_depths(image.resolved(), depth)
}

impl Drawn {
    pub(super) fn megapixels_per_second(&self) -> f64 {
        self.pixels as f64 / self.shade.as_secs_f64().max(1e-9) / 1e6
    }

    /// Adds what the same engine drew besides.
    pub(super) fn add(&mut self, other: &Drawn) {
        self.engine = other.engine;
        self.prepare += other.prepare;
        self.shade += other.shade;
        self.pixels += other.pixels;
    }
}

impl fmt::Display for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = |duration: Duration| duration.as_secs_f64() * 1e3;
        write!(
            f,
            "{}: {:.1} ms, {:.1} Mpixel/s, prepared in {:.2} ms",
            self.engine,
            milliseconds(self.shade),
            self.megapixels_per_second(),
            milliseconds(self.prepare)
        )
    }
}
