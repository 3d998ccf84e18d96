//! Attributes of vertices in memory.

use attila_shader::isa::{Diagnostics, Remark};
use attila_shader::machine::{VertexAttribute, VertexBuffers, VertexFormat};

use super::sections::Sections;
use super::words::Words;

/// An attribute of all vertices, packed.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Attribute {
    pub(super) register: u32,
    pub(super) format: VertexFormat,
    pub(super) components: usize,
    pub(super) bytes: Vec<u8>,
}

impl Attribute {
    /// Vectors of words, or of the bits of floats.
    pub(super) fn words(register: u32, vectors: &[[u32; 4]]) -> Attribute {
        let words = vectors.as_flattened().iter();
        Attribute {
            register,
            format: VertexFormat::Float32,
            components: 4,
            bytes: words.flat_map(|word| word.to_le_bytes()).collect(),
        }
    }

    /// As meshes take them. Missing components are 0, 0 and 1.
    pub(super) fn buffers(attributes: &[Attribute]) -> VertexBuffers<'_> {
        let buffers = VertexBuffers::new();
        attributes.iter().fold(buffers, |buffers, it| {
            let packed = VertexAttribute::packed(&it.bytes, it.format, it.components);
            buffers.with(it.register as usize, packed)
        })
    }

    /// Reads `[vertex data]`: a line of registers, each of which `header` makes an attribute of, and a line for each
    /// vertex. `float` reads the bits of a float.
    pub(super) fn read(
        sections: &Sections<'_>,
        header: impl Fn(&mut Words<'_>) -> Result<Attribute, Remark>,
        float: fn(&mut Words<'_>) -> Result<u32, Remark>,
        diagnostics: &mut Diagnostics,
    ) -> Vec<Attribute> {
        let mut lines = sections.lines("[vertex data]");
        let Some((start, line)) = lines.next() else {
            return Vec::new();
        };
        let mut attributes = match registers(Words::new(start, line), header) {
            Ok(attributes) => attributes,
            Err(remark) => {
                diagnostics.error(remark);
                return Vec::new();
            }
        };
        for (start, line) in lines {
            if let Err(remark) = vertex(&mut attributes, Words::new(start, line), float) {
                diagnostics.error(remark);
            }
        }
        attributes
    }
}

fn registers(
    mut words: Words<'_>,
    header: impl Fn(&mut Words<'_>) -> Result<Attribute, Remark>,
) -> Result<Vec<Attribute>, Remark> {
    let mut attributes: Vec<Attribute> = Vec::new();
    while !words.at_end() {
        let (name, span) = words.ahead();
        let attribute = header(&mut words)?;
        if attributes
            .iter()
            .any(|it| it.register == attribute.register)
        {
            return Err(Remark::new(span, format!("`{name}` appears twice")));
        }
        attributes.push(attribute);
    }
    words.end()?;
    Ok(attributes)
}

fn vertex(
    attributes: &mut [Attribute],
    mut words: Words<'_>,
    float: fn(&mut Words<'_>) -> Result<u32, Remark>,
) -> Result<(), Remark> {
    for attribute in attributes {
        for _ in 0..attribute.components {
            if attribute.format == VertexFormat::Unorm8 {
                let byte = words.index("byte", 0..256)?;
                attribute.bytes.push(byte as u8);
            } else {
                attribute.bytes.extend(float(&mut words)?.to_le_bytes());
            }
        }
    }
    words.end()
}
