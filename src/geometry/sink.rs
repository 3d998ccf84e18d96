//! [`Sink`]: the vertices that the lanes of a quad emit.

use std::sync::{Mutex, MutexGuard, PoisonError};

use attila_machine::{LANES, LaneMask, Lanes, QuadReg, VertexSink, to_lanes};

use super::emitted::STREAMS;

/// Takes the vertices of one quad.
pub(super) struct Sink {
    /// The most vertices of a lane.
    most: usize,
    quad: Mutex<Quad>,
}

/// The vertices of a quad so far.
#[derive(Default)]
struct Quad {
    /// The outputs of the next vertex.
    outputs: Vec<Lanes<[u32; 4]>>,
    lanes: Lanes<Lane>,
}

/// The vertices of a lane so far.
#[derive(Default)]
struct Lane {
    /// Vertices in all streams.
    vertices: usize,
    streams: [Vertices; STREAMS],
}

/// The vertices that a lane has emitted to a stream.
#[derive(Default)]
pub(super) struct Vertices {
    count: usize,
    /// The outputs that the program writes, vertex by vertex.
    pub(super) words: Vec<[u32; 4]>,
    /// The numbers of the vertices behind the strips, ascending.
    pub(super) ends: Vec<usize>,
}

impl Vertices {
    /// Ends the strip, if it has a vertex.
    fn end(&mut self) {
        if self.ends.last().copied().unwrap_or_default() < self.count {
            self.ends.push(self.count);
        }
    }

    fn clear(&mut self) {
        self.count = 0;
        self.words.clear();
        self.ends.clear();
    }
}

impl Sink {
    /// A sink that drops the vertices of a lane beyond `most`.
    pub(super) fn new(most: usize) -> Sink {
        Sink {
            most,
            quad: Mutex::default(),
        }
    }

    /// Hands out what a lane has emitted, stream by stream, and forgets it.
    pub(super) fn take(&self, lane: usize, mut f: impl FnMut(usize, &Vertices)) {
        let lane = &mut self.quad().lanes[lane];
        lane.vertices = 0;
        for (stream, vertices) in lane.streams.iter_mut().enumerate() {
            vertices.end();
            f(stream, vertices);
            vertices.clear();
        }
    }

    fn quad(&self) -> MutexGuard<'_, Quad> {
        self.quad.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl VertexSink for Sink {
    fn output(&self, _: u8, value: &QuadReg) {
        self.quad().outputs.push(to_lanes(value));
    }

    fn emit(&self, stream: u8, lanes: LaneMask) {
        let Quad {
            outputs,
            lanes: all,
        } = &mut *self.quad();
        for index in (0..LANES).filter(|&lane| lanes.has(lane)) {
            let lane = &mut all[index];
            let Some(vertices) = lane.streams.get_mut(usize::from(stream)) else {
                continue;
            };
            if lane.vertices < self.most {
                lane.vertices += 1;
                vertices.count += 1;
                vertices
                    .words
                    .extend(outputs.iter().map(|output| output[index]));
            }
        }
        outputs.clear();
    }

    fn end_primitive(&self, stream: u8, lanes: LaneMask) {
        let mut quad = self.quad();
        for index in (0..LANES).filter(|&lane| lanes.has(lane)) {
            if let Some(vertices) = quad.lanes[index].streams.get_mut(usize::from(stream)) {
                vertices.end();
            }
        }
    }
}
