//! Bindings
//!
//! Bindings are what a program reads beside its inputs: constants, constant buffers, textures, vertex attributes. Any
//! number of draws and maps may use bindings at the same time. While they do, a call that changes them returns
//! ATTILA_STATUS_BUSY.

use std::ptr::null_mut;
use std::sync::Arc;

use ::attila_shader::Bindings;
use ::attila_shader::isa::{BUFFERS, CONSTANTS};
use ::attila_shader::machine::MAX_BUFFER;
use ::attila_shader::texture::{Textures, UNITS};
use attila_scene::Names;
use attila_scene::directives::Directives;
use attila_scene::setting::bind;
use self_cell::self_cell;

use crate::attila_text;
use crate::callback::{
    CallbackAttributes, CallbackUnits, attila_attribute_source, attila_texture_unit,
};
use crate::error::attila_error;
use crate::failure::{Failure, Outcome};
use crate::handle::{self, handle};
use crate::memory::{call, plain_call};
use crate::program::{ATTILA_BANK_CONSTANT, attila_program, register};
use crate::status::*;
use crate::texture::attila_texture;

/// Constants, textures and vertex attributes.
pub struct attila_bindings {
    _opaque: [u8; 0],
}

handle!(attila_bindings, 5, "bindings", BindingsObject);

/// The memory that bindings refer to.
#[derive(Clone, Default)]
struct Held {
    textures: Textures,
    units: Option<Arc<CallbackUnits>>,
    attributes: Option<Arc<CallbackAttributes>>,
    buffers: [Arc<[[u32; 4]]>; BUFFERS as usize],
}

self_cell!(
    /// Bindings with what they refer to.
    struct Bound {
        owner: Held,
        #[covariant]
        dependent: Bindings,
    }
);

impl Bound {
    /// Binds what is held. Constants and limits are those of `before`.
    fn of(held: Held, before: &Bindings<'_>) -> Bound {
        Bound::new(held, |held| {
            let mut bindings = Bindings::new()
                .with_loop_budget(before.loop_budget())
                .with_fixed_bits(before.fixed_bits());
            for (index, value) in before.constants().iter().enumerate() {
                bindings.set_constant_bits(index, *value);
            }
            for (index, buffer) in held.buffers.iter().enumerate() {
                bindings = bindings.with_buffer(index, buffer);
            }
            if let Some(attributes) = &held.attributes {
                bindings = bindings.with_attributes(&**attributes);
            }
            match &held.units {
                Some(units) => bindings.with_textures(&**units),
                None => bindings.with_textures(&held.textures),
            }
        })
    }
}

pub(crate) struct BindingsObject {
    bound: Bound,
    names: Names,
}

impl BindingsObject {
    fn new(directives: &Directives, names: Names) -> BindingsObject {
        let bindings = bind(directives, Bindings::new());
        let mut held = Held::default();
        for (index, vectors) in &directives.buffers {
            if let Some(buffer) = held.buffers.get_mut(*index) {
                *buffer = vectors.as_slice().into();
            }
        }
        BindingsObject {
            bound: Bound::of(held, &bindings),
            names,
        }
    }

    pub(crate) fn bindings(&self) -> &Bindings<'_> {
        self.bound.borrow_dependent()
    }

    /// Changes what is referred to, and binds all of it again.
    fn hold(&mut self, change: impl FnOnce(&mut Held)) {
        let mut held = self.bound.borrow_owner().clone();
        change(&mut held);
        self.bound = Bound::of(held, self.bound.borrow_dependent());
    }

    fn set_constants(&mut self, first: usize, values: &[[u32; 4]]) -> Outcome<()> {
        let end = first.checked_add(values.len());
        if end.is_none_or(|end| end > CONSTANTS) {
            let message = format!(
                "{} constants from c{first} on; the last is c{}",
                values.len(),
                CONSTANTS - 1
            );
            return Err(Failure::range(message));
        }
        self.bound.with_dependent_mut(|_, bindings| {
            for (index, value) in values.iter().enumerate() {
                bindings.set_constant_bits(first + index, *value);
            }
        });
        Ok(())
    }
}

/// Makes bindings with the constants and buffers that a program gives itself, and with the names of its text. `program`
/// may be null: then all constants are 0, and have no names. `error` may be null. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_bindings_new(
    program: *const attila_program,
    out: *mut *mut attila_bindings,
    error: *mut *mut attila_error,
) -> attila_status {
    call(error, |call| {
        call.put("out", out, null_mut())?;
        let object = match program.is_null() {
            true => BindingsObject::new(&Directives::default(), Names::default()),
            false => {
                let program = handle::read(program)?;
                BindingsObject::new(&program.loaded.directives, program.loaded.names.clone())
            }
        };
        call.put("out", out, handle::insert(object)?)
    })
}

/// Frees bindings. Null is allowed. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_bindings_free(bindings: *mut attila_bindings) -> attila_status {
    plain_call(|_| handle::free(bindings))
}

/// Sets `count` constants from number `first` on: four floats each, x to w. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_bindings_constants(
    bindings: *mut attila_bindings,
    first: usize,
    values: *const f32,
    count: usize,
) -> attila_status {
    attila_bindings_constant_bits(bindings, first, values.cast(), count)
}

/// The same with raw words, for integers.
#[unsafe(no_mangle)]
pub extern "C" fn attila_bindings_constant_bits(
    bindings: *mut attila_bindings,
    first: usize,
    words: *const u32,
    count: usize,
) -> attila_status {
    plain_call(|call| {
        let values = call.slice("values", words.cast::<[u32; 4]>(), count)?;
        handle::write(bindings)?.set_constants(first, values)
    })
}

/// Sets the constant that the program's text has a name for, such as `program.local[1]`, `CONST[0][1]` or `fc1`, to four
/// floats. `error` may be null. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_bindings_set(
    bindings: *mut attila_bindings,
    name: attila_text,
    value: *const f32,
    error: *mut *mut attila_error,
) -> attila_status {
    call(error, |call| {
        let name = call.text("name", name)?;
        let value = call.value("value", value.cast::<[u32; 4]>())?;
        let mut bindings = handle::write(bindings)?;
        let register = register(&bindings.names, name)?;
        match register.bank {
            ATTILA_BANK_CONSTANT => bindings.set_constants(register.number as usize, &[value]),
            _ => {
                let message = format!("`{name}` is an input of draws and maps, not a constant");
                Err(Failure::new(ATTILA_STATUS_NAME, message))
            }
        }
    })
}

/// Copies `count` vectors of four words each into constant buffer `index`. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_bindings_buffer(
    bindings: *mut attila_bindings,
    index: usize,
    words: *const u32,
    count: usize,
) -> attila_status {
    plain_call(|call| {
        let vectors = call.slice("words", words.cast::<[u32; 4]>(), count)?;
        if index >= BUFFERS.into() || count > MAX_BUFFER {
            let message = format!(
                "buffer b{index} of {count} vectors; the last is b31, the limit {MAX_BUFFER}"
            );
            return Err(Failure::range(message));
        }
        handle::write(bindings)?.hold(|held| held.buffers[index] = vectors.into());
        Ok(())
    })
}

/// Puts a texture to a unit, which keeps it until another is put there. Units that a callback answers for are asked of
/// that. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_bindings_texture(
    bindings: *mut attila_bindings,
    unit: usize,
    texture: *const attila_texture,
) -> attila_status {
    plain_call(|_| {
        let texture = Arc::clone(&*handle::read(texture)?);
        if unit >= UNITS {
            return Err(Failure::range(format!(
                "there is no texture unit {unit}; there are {UNITS}"
            )));
        }
        handle::write(bindings)?.hold(|held| {
            held.textures.bind(unit, texture).expect("the unit is one");
        });
        Ok(())
    })
}

/// Has a callback answer for all texture units; null takes it away. `user` must stay valid until then, or until the
/// bindings are freed. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_bindings_texture_unit(
    bindings: *mut attila_bindings,
    unit: *const attila_texture_unit,
) -> attila_status {
    plain_call(|call| {
        let units = match unit.is_null() {
            true => None,
            false => Some(Arc::new(CallbackUnits::new(&call.given("unit", unit)?)?)),
        };
        handle::write(bindings)?.hold(|held| held.units = units);
        Ok(())
    })
}

/// Has a callback fetch vertex attributes, for programs that ask for them themselves; null takes it away. `user` must
/// stay valid until then, or until the bindings are freed. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_bindings_attribute_source(
    bindings: *mut attila_bindings,
    source: *const attila_attribute_source,
) -> attila_status {
    plain_call(|call| {
        let attributes = match source.is_null() {
            true => None,
            false => Some(Arc::new(CallbackAttributes::new(
                &call.given("source", source)?,
            )?)),
        };
        handle::write(bindings)?.hold(|held| held.attributes = attributes);
        Ok(())
    })
}

/// Lets each lane take that many backward jumps in place of 65,536. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_bindings_loop_budget(
    bindings: *mut attila_bindings,
    budget: u32,
) -> attila_status {
    plain_call(|_| {
        let mut bindings = handle::write(bindings)?;
        bindings.bound.with_dependent_mut(|_, bindings| {
            *bindings = std::mem::take(bindings).with_loop_budget(budget);
        });
        Ok(())
    })
}
