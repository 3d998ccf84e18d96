//! [`TextureCache`]: textures from one load of a program to the next.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use attila_shader::texture::{Dimension, Texture};

use super::TextureSetting;

/// The textures of the scene that was loaded last, for a program that is loaded again while it is written: those with the
/// same setting are not read again. Who has it [clears](TextureCache::clear) it when a file may have changed.
#[derive(Clone, Default)]
pub struct TextureCache(Arc<Mutex<Vec<Known>>>);

/// A texture, and all that decides what it is, but its file.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) setting: TextureSetting,
    pub(super) wanted: Option<Dimension>,
    pub(super) texture: Arc<Texture>,
}

impl TextureCache {
    /// Forgets all textures.
    pub fn clear(&self) {
        self.known().clear();
    }

    /// The texture of a setting for a program that wants a kind of image.
    pub(super) fn find(
        &self,
        setting: &TextureSetting,
        wanted: Option<Dimension>,
    ) -> Option<Arc<Texture>> {
        let known = self.known();
        let same = known.iter().find(|it| {
            let bits = it.setting.options.bits() == setting.options.bits();
            bits && it.setting == *setting && it.wanted == wanted
        });
        same.map(|it| it.texture.clone())
    }

    /// Keeps the textures of a scene, and no others.
    pub(super) fn keep(&self, textures: Vec<Known>) {
        *self.known() = textures;
    }

    fn known(&self) -> MutexGuard<'_, Vec<Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for TextureCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.known();
        let settings = known.iter().map(|it| &it.setting);
        f.debug_set().entries(settings).finish()
    }
}
