//! Mesa's llvmpipe, told to use as many threads as we do and vectors of 256 bits.

mod scene;

use crate::contract::{self, Inputs, Mesh};
use crate::gl::{Gl, List, NoPeer, Program, Refused, Samples, Sampling, Stage, Vertex};
use crate::race::timed;

/// Environment variables that Mesa reads when it is loaded. No cache may hide the time of compiling.
pub(crate) const ENVIRONMENT: [(&str, &str); 4] = [
    ("GALLIUM_DRIVER", "llvmpipe"),
    ("LIBGL_ALWAYS_SOFTWARE", "1"),
    ("LP_NATIVE_VECTOR_WIDTH", "256"),
    ("MESA_SHADER_CACHE_DISABLE", "true"),
];

/// The environment variable with the number of its threads besides the caller's, which draws only if there are
/// none.
pub(crate) const THREADS: &str = "LP_NUM_THREADS";

/// The environment variable that has it filter textures with floats instead of 8 bits.
pub(crate) const FLOAT_FILTER: (&str, &str) = ("GALLIVM_PERF", "no_aos_sampling");

/// Hands all inputs on.
const VERTEX_PROGRAM: &str = "!!ARBvp1.0
MOV result.position, vertex.position;
MOV result.color, vertex.color;
MOV result.texcoord[0], vertex.texcoord[0];
MOV result.texcoord[1], vertex.texcoord[1];
MOV result.texcoord[2], vertex.texcoord[2];
END";

/// A program for the first draw, before any measurement. It is not one of those that are measured.
const WARM_UP: &str = "!!ARBfp1.0
TEMP sum;
ADD sum, fragment.texcoord[1], fragment.texcoord[2];
MAD result.color, sum, 0.125, fragment.color;
END";

/// Pixels along each side of the first pictures.
pub(crate) const FIRST_DRAW: u32 = 16;

/// The renderer.
pub(crate) struct Llvmpipe {
    gl: Gl,
    inputs: Inputs,
    corners: [Vertex; 4],
    size: [u32; 2],
    /// Its name and its version.
    pub(crate) identity: [String; 2],
}

impl Llvmpipe {
    pub(crate) fn new(
        [width, height]: [u32; 2],
        inputs: &Inputs,
        sampling: Sampling,
    ) -> Result<Llvmpipe, NoPeer> {
        let gl = Gl::new(width, height)?;
        for (unit, levels) in (0..).zip(contract::textures()) {
            gl.texture(unit, &levels, contract::TEXELS, sampling);
        }
        let places = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        let peer = Llvmpipe {
            inputs: inputs.clone(),
            corners: places.map(|(u, v)| corner(inputs, u, v)),
            size: [width, height],
            identity: gl.identity(),
            gl,
        };
        for (stage, text) in [(Stage::Vertex, VERTEX_PROGRAM), (Stage::Fragment, WARM_UP)] {
            peer.gl.program(stage, text).map_err(NoPeer::Program)?;
        }
        peer.first_draw();
        peer.gl.check().map_err(NoPeer::Gl)?;
        Ok(peer)
    }

    /// True if the renderer is llvmpipe.
    pub(crate) fn is_llvmpipe(&self) -> bool {
        self.identity[0].contains("llvmpipe")
    }

    /// Makes a program and draws a few pixels; with the seconds that it takes.
    pub(crate) fn compile(&self, text: &str) -> Result<(f64, Program), Refused> {
        let (seconds, program) = timed(|| {
            let program = self.gl.program(Stage::Fragment, text)?;
            self.gl.parameters(&contract::ENV, &contract::LOCAL);
            self.first_draw();
            Ok(program)
        });
        Ok((seconds, program?))
    }

    fn first_draw(&self) {
        self.gl.viewport(FIRST_DRAW, FIRST_DRAW);
        self.frame();
    }

    /// Frees a program.
    pub(crate) fn delete(&self, program: Program) {
        self.gl.delete(program);
        self.gl.finish();
    }

    /// Draws with `program` from now on; its picture.
    pub(crate) fn picture(&self, program: Program) -> Vec<u8> {
        let [width, height] = self.size;
        self.gl.bind(program);
        self.gl.parameters(&contract::ENV, &contract::LOCAL);
        self.gl.viewport(width, height);
        self.gl.clear();
        self.frame();
        self.gl.pixels(width, height)
    }

    /// Draws a picture and waits for it. llvmpipe drops a picture that the next one covers before it is
    /// drawn.
    pub(crate) fn frame(&self) {
        self.gl.draw(&self.corners);
        self.gl.finish();
    }
}

/// A target with several samples, into which the renderer draws.
pub(crate) struct Multisampled<'a> {
    peer: &'a Llvmpipe,
    samples: Samples,
}

impl Multisampled<'_> {
    /// Has `peer` draw into pixels with `count` samples from now on.
    pub(crate) fn new(peer: &Llvmpipe, count: u32) -> Result<Multisampled<'_>, NoPeer> {
        let samples = peer.gl.samples(count, peer.size)?;
        let [width, height] = peer.size;
        peer.gl.viewport(width, height);
        Ok(Multisampled { peer, samples })
    }

    /// The positions of samples, in sixteenths of a pixel from its centre.
    pub(crate) fn positions(&self) -> Vec<[f32; 2]> {
        let positions = self.peer.gl.positions(&self.samples).into_iter();
        let positions = positions.map(|position| position.map(|it| 16.0 * it - 8.0));
        positions.collect()
    }

    /// Keeps a mesh.
    pub(crate) fn mesh(&self, mesh: &Mesh) -> List {
        let [width, height] = self.peer.size.map(|side| side as f32);
        let corners = mesh.triangles.as_flattened().iter();
        let vertices: Vec<Vertex> = corners
            .map(|[x, y]| corner(&self.peer.inputs, x / width, y / height))
            .collect();
        self.peer.gl.list(&vertices)
    }

    /// Makes a program, and draws with it from now on.
    pub(crate) fn program(&self, text: &str) -> Result<Program, Refused> {
        let program = self.peer.gl.program(Stage::Fragment, text)?;
        self.peer.gl.parameters(&contract::ENV, &contract::LOCAL);
        Ok(program)
    }

    /// Frees a program.
    pub(crate) fn delete(&self, program: Program) {
        self.peer.delete(program);
    }

    /// The samples of a picture of the mesh, one plane of pixels after another.
    pub(crate) fn picture(&self, mesh: List) -> Vec<u8> {
        self.peer.gl.clear();
        self.frame(mesh);
        self.peer.gl.planes(&self.samples, self.peer.size)
    }

    /// Draws the mesh and waits for it.
    pub(crate) fn frame(&self, mesh: List) {
        self.peer.gl.draw_list(mesh);
        self.peer.gl.finish();
    }
}

fn corner(inputs: &Inputs, u: f32, v: f32) -> Vertex {
    Vertex {
        position: [2.0 * u - 1.0, 2.0 * v - 1.0, 0.0, 1.0],
        colour: inputs.colour.map(|slope| slope.value(u, v)),
        coordinates: inputs
            .coordinates
            .map(|set| set.map(|slope| slope.value(u, v))),
    }
}
