//! [`Emitted`]: the vertices that a geometry program has made.

use std::ops::Range;

use attila_isa::{OUTPUTS, Usage};

use super::sink::Vertices;

/// Streams of vertices.
pub(super) const STREAMS: usize = attila_isa::STREAMS as usize;

/// The vertices that a geometry program has made, in the order of primitives, then of invocations, then
/// of emission.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Emitted {
    streams: [Stream; STREAMS],
}

impl Emitted {
    pub(super) fn new(usage: &Usage) -> Emitted {
        let written = |register: &usize| usage.writes_output(*register);
        let registers: Vec<usize> = (0..OUTPUTS).filter(written).collect();
        let empty = Stream {
            registers,
            vertices: 0,
            words: Vec::new(),
            strips: Vec::new(),
        };
        Emitted {
            streams: std::array::from_fn(|_| empty.clone()),
        }
    }

    /// The vertices of stream `index`; there are four streams, and draws take the first.
    ///
    /// # Panics
    ///
    /// If there is no such stream.
    pub fn stream(&self, index: usize) -> &Stream {
        &self.streams[index]
    }

    /// Adds the vertices that an invocation has emitted to a stream.
    pub(super) fn append(
        &mut self,
        stream: usize,
        vertices: &Vertices,
        primitive: u32,
        invocation: u32,
    ) {
        self.streams[stream].append(vertices, primitive, invocation);
    }
}

/// Vertices of one stream.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Stream {
    vertices: usize,
    /// The outputs of each vertex, ascending.
    registers: Vec<usize>,
    /// Their values, vertex by vertex.
    words: Vec<[u32; 4]>,
    strips: Vec<Strip>,
}

/// Vertices that an invocation emitted before it ended the primitive.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Strip {
    /// The vertices of the stream.
    pub vertices: Range<usize>,
    /// The number of the primitive that went in.
    pub primitive: u32,
    /// The number of the invocation.
    pub invocation: u32,
}

impl Stream {
    /// The number of vertices.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// The strips, none of them empty.
    pub fn strips(&self) -> impl Iterator<Item = &Strip> {
        self.strips.iter()
    }

    /// Output `register` of a vertex, raw words. A register that the program does not write, and a
    /// vertex that is not there, is 0.
    pub fn output(&self, vertex: usize, register: usize) -> [u32; 4] {
        let place = self.registers.iter().position(|it| *it == register);
        let word = place.and_then(|place| self.words.get(vertex * self.registers.len() + place));
        word.copied().unwrap_or_default()
    }

    /// The triangles of all strips: three neighbouring vertices each, of which every second has its
    /// first two swapped, so that all turn the same way.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> {
        self.strips.iter().flat_map(|strip| {
            let Range { start, end } = strip.vertices;
            (start + 2..end).map(move |last| {
                let [a, b, c] = [last - 2, last - 1, last].map(|vertex| vertex as u32);
                match (last - start) % 2 {
                    0 => [a, b, c],
                    _ => [b, a, c],
                }
            })
        })
    }

    /// The lines of all strips.
    pub fn lines(&self) -> impl Iterator<Item = [u32; 2]> {
        self.strips.iter().flat_map(|strip| {
            let Range { start, end } = strip.vertices;
            (start + 1..end).map(|last| [last as u32 - 1, last as u32])
        })
    }

    fn append(&mut self, vertices: &Vertices, primitive: u32, invocation: u32) {
        let base = self.vertices;
        let mut start = 0;
        for &end in &vertices.ends {
            self.strips.push(Strip {
                vertices: base + start..base + end,
                primitive,
                invocation,
            });
            start = end;
        }
        self.vertices += start;
        self.words.extend(&vertices.words);
    }
}
