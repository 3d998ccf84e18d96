//! A run as the evaluator sees it: bindings, and the textures that are sampled inline.

use attila_isa::Component;
use attila_machine::{
    DEFAULT_ATTRIBUTE, LANES, LaneMask, Lanes, QuadReg, TextureQuery, VertexSink,
};
use attila_texture::Storage;

use crate::abi::{Constant, Descriptor, LEVELS, LevelField, StorageAccess, TextureField};
use crate::emit::Run;
use crate::ir::{Environment, Vector};

impl Run<'_> {
    fn descriptor(&self, texture: u8) -> &Descriptor {
        &self.textures.descriptors()[usize::from(texture)]
    }
}

impl Environment for Run<'_> {
    fn constant(&self, constant: Constant) -> u32 {
        let register = self.bindings.constants()[usize::from(constant.index)];
        register[usize::from(constant.component)]
    }

    fn buffer(&self, buffer: u8, index: u32, component: Component) -> u32 {
        let vectors = self.bindings.buffers()[usize::from(buffer)];
        let vector = vectors.get(index as usize);
        vector.map_or(0, |vector| vector[component.index()])
    }

    fn storage(&self, access: StorageAccess, mask: LaneMask, of: &[Lanes<u32>]) -> QuadReg {
        let words = self.bindings.storage(usize::from(access.buffer));
        access.perform(words, mask, of[0], [of[2], of[3], of[4], of[5]])
    }

    fn loop_budget(&self) -> u32 {
        self.bindings.loop_budget()
    }

    fn fixed_bits(&self) -> u32 {
        self.bindings.fixed_bits()
    }

    fn texture(&self, texture: u8, field: TextureField) -> u32 {
        self.descriptor(texture).number(field)
    }

    fn level(&self, texture: u8, level: u32, field: LevelField) -> u32 {
        self.descriptor(texture).levels[level as usize % LEVELS].number(field)
    }

    fn texel(&self, texture: u8, storage: Storage, index: u32) -> [u32; 4] {
        let [last, ..] = self.descriptor(texture).last_texel.0;
        let first = index.min(last) as usize * storage.words();
        let all = self.textures.words(texture);
        let mut words = [0; 4];
        words[..storage.words()].copy_from_slice(&all[first..first + storage.words()]);
        words
    }

    fn last_blend(&self, texture: u8) -> u32 {
        let [last, ..] = self.descriptor(texture).last_blend.0;
        last
    }

    fn sample(&self, query: &TextureQuery) -> QuadReg {
        crate::runtime::answer(self.bindings, query)
    }

    fn attribute(&self, attribute: u8, index: Vector, wanted: LaneMask) -> [Lanes<f32>; 4] {
        match self.bindings.attributes() {
            Some(source) => source.fetch(attribute, index, wanted),
            None => DEFAULT_ATTRIBUTE.map(|component| [component; LANES]),
        }
    }

    fn evaluate(&self, quad: usize, register: u8, offset: Vector, input: QuadReg) -> QuadReg {
        crate::runtime::evaluated(self.bindings, quad, register, offset, input)
    }

    fn vertices(&self) -> Option<&dyn VertexSink> {
        self.bindings.vertices()
    }
}
