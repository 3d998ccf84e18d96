//! Vertices and buffers of a test.

use std::collections::BTreeMap;
use std::ops::Range;

use attila_shader::isa::{Diagnostics, Remark};

use crate::sections::{Sections, lines};
use crate::words::Words;

/// Registers of vertex inputs.
const REGISTERS: Range<u32> = 0..64;

/// The value of an attribute without data: (0, 0, 0, 1).
const DEFAULT: [u32; 4] = [0, 0, 0, 0x3f80_0000];

/// The attributes of vertices.
#[derive(Clone, Default, Debug)]
pub(super) struct Vertices {
    /// The input register of each attribute.
    registers: Vec<u32>,
    /// Vertex by vertex, a vector for each register.
    values: Vec<[u32; 4]>,
}

impl Vertices {
    /// The words of an attribute of a vertex.
    pub(super) fn get(&self, vertex: u32, register: u32) -> [u32; 4] {
        let place = self.registers.iter().position(|it| *it == register);
        let value = place.and_then(|place| {
            let index = vertex as usize * self.registers.len() + place;
            self.values.get(index)
        });
        value.copied().unwrap_or(DEFAULT)
    }
}

/// Reads the vertices.
pub(super) fn vertices(text: &str, sections: &Sections, diagnostics: &mut Diagnostics) -> Vertices {
    let mut vertices = Vertices::default();
    let mut lines = lines(text, sections.get("[vertex data]"));
    let Some((start, line)) = lines.next() else {
        return vertices;
    };
    if let Err(remark) = registers(&mut vertices, Words::new(start, line)) {
        diagnostics.error(remark);
        return vertices;
    }
    for (start, line) in lines {
        if let Err(remark) = vertex(&mut vertices, Words::new(start, line)) {
            diagnostics.error(remark);
        }
    }
    vertices
}

fn registers(vertices: &mut Vertices, mut words: Words<'_>) -> Result<(), Remark> {
    while !words.at_end() {
        let (name, span) = words.ahead();
        let register = words.indexed("IN", REGISTERS)?;
        if vertices.registers.contains(&register) {
            return Err(Remark::new(span, format!("`{name}` appears twice")));
        }
        vertices.registers.push(register);
    }
    words.end()
}

fn vertex(vertices: &mut Vertices, mut words: Words<'_>) -> Result<(), Remark> {
    for _ in 0..vertices.registers.len() {
        let mut bits = [0; 4];
        for word in &mut bits {
            *word = words.float_bits()?;
        }
        vertices.values.push(bits);
    }
    words.end()
}

/// The words of buffers, by number: those of compute programs.
pub(super) fn buffers(
    text: &str,
    sections: &Sections,
    diagnostics: &mut Diagnostics,
) -> BTreeMap<u32, Vec<u32>> {
    let mut buffers = BTreeMap::new();
    for (start, line) in lines(text, sections.get("[buffers]")) {
        let mut words = Words::new(start, line);
        let mut read = || {
            let number = words.indexed("BUFFER", 0..32)?;
            let mut content = Vec::new();
            while !words.at_end() {
                content.push(words.integer_bits()?);
            }
            words.end().map(|()| (number, content))
        };
        match read() {
            Ok((number, content)) => {
                buffers.insert(number, content);
            }
            Err(remark) => diagnostics.error(remark),
        }
    }
    buffers
}
