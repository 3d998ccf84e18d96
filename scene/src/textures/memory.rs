//! The limit on the memory of textures: a small file may hold a large image.

use attila_shader::texture::{Sampler, Shape, Texture};

use super::file::TextureError;

/// The limit for all textures of a program unless an option says otherwise, in MiB.
pub const DEFAULT_LIMIT: u64 = 1024;

const MIB: u64 = 1 << 20;

/// The memory of textures, and its limit. Files that are being read, and their decoders' own memory, are
/// not counted.
#[derive(Clone, Copy)]
pub(super) struct Memory {
    /// In MiB.
    limit: u64,
    /// In bytes.
    used: u64,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory::new(DEFAULT_LIMIT)
    }
}

impl Memory {
    /// A limit of `limit` MiB, all of them free.
    pub(super) fn new(limit: u64) -> Memory {
        Memory { limit, used: 0 }
    }

    /// Takes the memory that a texture needs, as an image and as texels that generated code samples
    /// inline.
    pub(super) fn take(&mut self, shape: &Shape, sampler: &Sampler) -> Result<(), TextureError> {
        let used = self.used + Texture::bytes(shape, sampler)? as u64;
        if used > self.limit * MIB {
            return Err(TextureError::Memory {
                needed: used.div_ceil(MIB),
                limit: self.limit,
            });
        }
        self.used = used;
        Ok(())
    }
}
