//! The records that generated code reads and writes: their fields, with names, types and offsets.
//!
//! | record | lives | fields |
//! |---|---|---|
//! | [`QuadIo`](attila_machine::QuadIo), [`QuadState`](attila_machine::QuadState) | per quad | [`Slot`] |
//! | [`Context`](crate::runtime::Context) | per run | [`ContextField`] |
//! | the constants | per run | [`Constant`] |
//! | constant buffers | per run | [`BufferRecord`] |
//! | storage buffers | per run | [`StorageRecord`] |
//! | scratch memory | per quad | [`Scratch`] |
//! | [`Drawing`] and its surfaces | per draw | [`DrawField`], [`DrawWord`], [`SurfaceWord`] |
//! | [`Span`](attila_machine::pipeline::Span), anchors, planes | per span | [`SpanWord`], [`SpanField`] |
//! | columns | per element | [`Column`] |
//! | fragments | per quad of a draw | [`FragmentField`], [`Pixels`] |
//! | [`Descriptor`] | per texture | [`TextureField`] |
//! | [`LevelRecord`] | per level | [`LevelField`], [`LevelPart`] |
//!
//! Lane IR names the fields that hold numbers of a shader, and knows no offset. Emitters ask here
//! for offsets, and walk the other fields without it.

mod address;
mod columns;
mod context;
mod draw;
mod memory;
mod named;
mod quads;
mod query;
mod question;
mod storage;
mod texture;

pub(crate) use address::Address;
pub(crate) use columns::{Column, ColumnShape, Place};
pub(crate) use context::{Constant, ContextField};
#[cfg(test)]
pub(crate) use draw::SURFACES;
pub(crate) use draw::{
    DEPTH_SURFACE, DrawField, DrawWord, Drawing, FragmentField, Pixels, PlaneField, SpanField,
    SpanWord, SurfaceWord, draw_number,
};
pub(crate) use memory::{BufferRecord, Scratch};
pub(crate) use named::Named;
pub(crate) use quads::{ACCUMULATOR, ACCUMULATOR_COMPONENT, LINE, RecordLayout, Slot};
pub(crate) use query::SampleKind;
pub(crate) use question::{Argument, Arguments, Question, QuestionKind};
pub(crate) use storage::{StorageAccess, StorageKind, StorageRecord};
pub(crate) use texture::{Descriptor, LEVELS, LevelField, LevelPart, LevelRecord, TextureField};

/// The components' letters. They stand for the elements of any array of up to four.
pub(crate) const COMPONENTS: [char; 4] = ['x', 'y', 'z', 'w'];

/// The letter of a component, or of an array's element.
fn letter(component: u8) -> char {
    COMPONENTS[usize::from(component)]
}

/// Bytes before word `index` of an array.
fn word(index: u8) -> usize {
    usize::from(index) * size_of::<u32>()
}

#[cfg(test)]
mod tests;
