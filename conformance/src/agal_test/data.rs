//! The constants, vertices and indices of a test.

use std::collections::BTreeMap;

use attila_shader::isa::{Diagnostics, Remark, Stage};
use attila_shader::machine::{VertexAttribute, VertexFormat};

use super::command::Constant;
use super::sections::Sections;
use crate::sections::lines;
use crate::words::Words;

/// Registers of attributes.
const ATTRIBUTES: u16 = 16;

/// The formats of attributes: how a component is stored, and how many there are.
const FORMATS: [(&str, (VertexFormat, usize)); 5] = [
    ("float1", (VertexFormat::Float32, 1)),
    ("float2", (VertexFormat::Float32, 2)),
    ("float3", (VertexFormat::Float32, 3)),
    ("float4", (VertexFormat::Float32, 4)),
    ("bytes4", (VertexFormat::Unorm8, 4)),
];

/// An attribute of all vertices, packed.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Attribute {
    pub(super) register: u16,
    format: VertexFormat,
    components: usize,
    bytes: Vec<u8>,
}

impl Attribute {
    /// As meshes take it. Missing components are 0, 0 and 1.
    pub(super) fn packed(&self) -> VertexAttribute<'_> {
        VertexAttribute::packed(&self.bytes, self.format, self.components)
    }
}

/// Reads the constants.
pub(super) fn constants(
    text: &str,
    sections: &Sections,
    diagnostics: &mut Diagnostics,
) -> BTreeMap<Constant, [f32; 4]> {
    let mut constants = BTreeMap::new();
    for (start, line) in lines(text, sections.constants.clone()) {
        let mut words = Words::new(start, line);
        match constant(&mut words) {
            Ok(values) => constants.extend(values),
            Err(remark) => diagnostics.error(remark),
        }
    }
    constants
}

/// `fc3 = 1 2 3 4 5`: four numbers for each register, and 0 for the rest of the last one.
pub(super) fn constant(words: &mut Words<'_>) -> Result<Vec<(Constant, [f32; 4])>, Remark> {
    let (name, span) = words.ahead();
    let stage = match name.get(..2) {
        Some("vc") => Some(Stage::Vertex),
        Some("fc") => Some(Stage::Fragment),
        Some(_) | None => None,
    };
    let first = stage.and_then(|stage| Some((stage, name[2..].parse::<u16>().ok()?)));
    let Some((stage, first)) = first else {
        let message = format!("`{name}` is not a constant, such as `fc0`");
        return Err(Remark::new(span, message));
    };
    words.take(name);
    words.choice(&[("=", ())])?;
    let mut numbers = vec![words.number()?];
    while !words.at_end() {
        numbers.push(words.number()?);
    }
    words.end()?;
    let registers = numbers.chunks(4).enumerate().map(|(index, numbers)| {
        let number = first.saturating_add(index as u16);
        let mut value = [0.0; 4];
        value[..numbers.len()].copy_from_slice(numbers);
        (Constant { stage, number }, value)
    });
    Ok(registers.collect())
}

/// Reads the vertices.
pub(super) fn attributes(
    text: &str,
    sections: &Sections,
    diagnostics: &mut Diagnostics,
) -> Vec<Attribute> {
    let mut lines = lines(text, sections.vertices.clone());
    let Some((start, line)) = lines.next() else {
        return Vec::new();
    };
    let mut attributes = match header(Words::new(start, line)) {
        Ok(attributes) => attributes,
        Err(remark) => {
            diagnostics.error(remark);
            return Vec::new();
        }
    };
    for (start, line) in lines {
        if let Err(remark) = vertex(&mut attributes, Words::new(start, line)) {
            diagnostics.error(remark);
        }
    }
    attributes
}

/// `va0 float3 va1 bytes4`.
fn header(mut words: Words<'_>) -> Result<Vec<Attribute>, Remark> {
    let mut attributes: Vec<Attribute> = Vec::new();
    while !words.at_end() {
        let (name, span) = words.ahead();
        let register = name.strip_prefix("va").and_then(|it| it.parse().ok());
        let Some(register) = register.filter(|it| *it < ATTRIBUTES) else {
            let message = format!(
                "`{name}` is not an attribute, `va0` to `va{}`",
                ATTRIBUTES - 1
            );
            return Err(Remark::new(span, message));
        };
        if attributes.iter().any(|it| it.register == register) {
            return Err(Remark::new(span, format!("`{name}` appears twice")));
        }
        words.take(name);
        let (format, components) = words.choice(&FORMATS)?;
        attributes.push(Attribute {
            register,
            format,
            components,
            bytes: Vec::new(),
        });
    }
    Ok(attributes)
}

fn vertex(attributes: &mut [Attribute], mut words: Words<'_>) -> Result<(), Remark> {
    for attribute in attributes {
        for _ in 0..attribute.components {
            if attribute.format == VertexFormat::Unorm8 {
                let byte = words.index("byte", 0..256)?;
                attribute.bytes.push(byte as u8);
            } else {
                attribute.bytes.extend(words.number()?.to_le_bytes());
            }
        }
    }
    words.end()
}

/// Reads the indices, of which every three are a triangle.
pub(super) fn triangles(
    text: &str,
    sections: &Sections,
    diagnostics: &mut Diagnostics,
) -> Vec<[u32; 3]> {
    let mut indices = Vec::new();
    for (start, line) in lines(text, sections.indices.clone()) {
        let mut words = Words::new(start, line);
        while !words.at_end() {
            match words.index("index", 0..u32::from(u16::MAX) + 1) {
                Ok(index) => indices.push(index),
                Err(remark) => {
                    diagnostics.error(remark);
                    break;
                }
            }
        }
    }
    let (triangles, rest) = indices.as_chunks();
    if let (false, Some(section)) = (rest.is_empty(), &sections.indices) {
        let message = "every three indices are a triangle";
        diagnostics.error(Remark::new(section.end..section.end, message));
    }
    triangles.to_vec()
}
