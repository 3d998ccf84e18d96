//! The constants, vertices and indices of a test.

use std::collections::BTreeMap;

use attila_shader::isa::{Diagnostics, Remark, Stage};
use attila_shader::machine::VertexFormat;

use crate::script_test::attributes::Attribute;
use crate::script_test::sections::Sections;
use crate::script_test::words::Words;

/// The values of constants, by stage and number.
pub(super) type Constants = BTreeMap<(Stage, u16), [f32; 4]>;

/// Registers of attributes.
const ATTRIBUTES: u32 = 16;

/// The formats of attributes: how a component is stored, and how many there are.
const FORMATS: [(&str, (VertexFormat, usize)); 5] = [
    ("float1", (VertexFormat::Float32, 1)),
    ("float2", (VertexFormat::Float32, 2)),
    ("float3", (VertexFormat::Float32, 3)),
    ("float4", (VertexFormat::Float32, 4)),
    ("bytes4", (VertexFormat::Unorm8, 4)),
];

/// Reads the constants.
pub(super) fn constants(sections: &Sections<'_>, diagnostics: &mut Diagnostics) -> Constants {
    let mut constants = Constants::new();
    for (start, line) in sections.lines("[constants]") {
        match constant(&mut Words::new(start, line)) {
            Ok(values) => constants.extend(values),
            Err(remark) => diagnostics.error(remark),
        }
    }
    constants
}

/// `fc3 = 1 2 3 4 5`: four numbers for each register, and 0 for the rest of the last one.
pub(super) fn constant(words: &mut Words<'_>) -> Result<Constants, Remark> {
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
        ((stage, number), value)
    });
    Ok(registers.collect())
}

/// Reads the vertices.
pub(super) fn attributes(sections: &Sections<'_>, diagnostics: &mut Diagnostics) -> Vec<Attribute> {
    let float = |words: &mut Words<'_>| words.number().map(f32::to_bits);
    Attribute::read(sections, header, float, diagnostics)
}

/// `va0 float3`.
fn header(words: &mut Words<'_>) -> Result<Attribute, Remark> {
    let (name, span) = words.ahead();
    let register = name.strip_prefix("va").and_then(|it| it.parse().ok());
    let Some(register) = register.filter(|it| *it < ATTRIBUTES) else {
        let last = ATTRIBUTES - 1;
        let message = format!("`{name}` is not an attribute, `va0` to `va{last}`");
        return Err(Remark::new(span, message));
    };
    words.take(name);
    let (format, components) = words.choice(&FORMATS)?;
    Ok(Attribute {
        register,
        format,
        components,
        bytes: Vec::new(),
    })
}

/// Reads the indices, of which every three are a triangle.
pub(super) fn triangles(sections: &Sections<'_>, diagnostics: &mut Diagnostics) -> Vec<[u32; 3]> {
    let mut indices = Vec::new();
    for (start, line) in sections.lines("[indices]") {
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
    if !rest.is_empty() {
        let end = sections.body("[indices]").end;
        let message = "every three indices are a triangle";
        diagnostics.error(Remark::new(end..end, message));
    }
    triangles.to_vec()
}
