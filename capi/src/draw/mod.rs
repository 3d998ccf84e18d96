//! Draws
//!
//! A draw is a fragment shader with inputs and state. It compiles its code when it first draws to images of some formats,
//! and draws again without allocating. One thread at a time may use a draw: a call that finds it in use returns
//! ATTILA_STATUS_BUSY. For several threads there is attila_draw_clone, or the field `threads` of the state.

mod frame;
mod input;
mod shapes;
mod state;

use std::collections::BTreeMap;
use std::ptr::null_mut;

use ::attila_shader::draw::{Interpolation, Varying};
use ::attila_shader::isa::INPUTS;
use ::attila_shader::{Draw, PreparedDraw, Shader};

use crate::error::attila_error;
use crate::failure::{Failure, Outcome};
use crate::handle::{self, handle};
use crate::memory::{call, plain_call};
use crate::shader::attila_shader;
use crate::status::*;

use frame::Formats;
pub use frame::*;
pub use input::*;
pub use shapes::*;
pub use state::*;

/// A shader with the inputs and the state of a draw.
pub struct attila_draw {
    _opaque: [u8; 0],
}

handle!(attila_draw, 6, "a draw", DrawObject);

#[derive(Clone)]
pub(crate) struct DrawObject {
    shader: Shader,
    state: attila_state,
    inputs: BTreeMap<usize, Varying<'static>>,
    /// In memory of its own, so that it can be taken out for the time of a call: after a panic it is prepared anew.
    prepared: Option<Box<Prepared>>,
    /// Inputs whose planes have changed since it was prepared.
    changed: Vec<usize>,
}

/// A draw that is prepared for images of some formats.
#[derive(Clone)]
struct Prepared {
    formats: Formats,
    draw: PreparedDraw,
}

impl DrawObject {
    /// The draw, prepared for formats.
    fn prepared(&mut self, formats: &Formats) -> Outcome<Box<Prepared>> {
        if let Some(prepared) = self.prepared.take_if(|it| it.formats == *formats) {
            return Ok(prepared);
        }
        let mut draw = state::describe(Draw::new(&self.shader), &self.state, formats)?;
        for (&register, &varying) in &self.inputs {
            draw = draw.varying(register, varying);
        }
        for register in formats.given_by_vertices() {
            if !self.inputs.contains_key(&register) {
                draw = draw.varying(register, Varying::vertices(Interpolation::Perspective));
            }
        }
        let draw = formats.targets(draw, &self.state)?.prepare()?;
        self.changed.clear();
        let formats = formats.clone();
        Ok(Box::new(Prepared { formats, draw }))
    }

    fn set_input(&mut self, register: usize, varying: Option<Varying<'static>>) -> Outcome<()> {
        if register >= INPUTS {
            let message = format!(
                "input i{register} does not exist; the last is i{}",
                INPUTS - 1
            );
            return Err(Failure::range(message));
        }
        let before = match varying {
            Some(varying) => self.inputs.insert(register, varying),
            None => self.inputs.remove(&register),
        };
        let same = matches!((before, varying), (Some(a), Some(b)) if input::same_kind(&a, &b));
        match same {
            true if self.changed.contains(&register) => {}
            true => self.changed.push(register),
            false => self.prepared = None,
        }
        Ok(())
    }
}

/// Makes a draw. `state` may be null for the defaults, and `error` may be null. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_draw_new(
    shader: *const attila_shader,
    state: *const attila_state,
    out: *mut *mut attila_draw,
    error: *mut *mut attila_error,
) -> attila_status {
    call(error, |call| {
        call.put("out", out, null_mut())?;
        let shader = handle::read(shader)?.shader.clone();
        let state = call.options("state", state)?;
        // Its mistakes are found here, and not by the first draw.
        state::describe(Draw::new(&shader), &state, &Formats::default())?;
        let draw = handle::insert(DrawObject {
            shader,
            state,
            inputs: BTreeMap::new(),
            prepared: None,
            changed: Vec::new(),
        })?;
        call.put("out", out, draw)
    })
}

/// Frees a draw. Null is allowed. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_draw_free(draw: *mut attila_draw) -> attila_status {
    plain_call(|_| handle::free(draw))
}

/// Makes a draw that is the same, with the code that has been compiled, for another thread. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_draw_clone(
    draw: *const attila_draw,
    out: *mut *mut attila_draw,
) -> attila_status {
    plain_call(|call| {
        call.put("out", out, null_mut())?;
        let twin = (*handle::read(draw)?).clone();
        call.put("out", out, handle::insert(twin)?)
    })
}

/// Changes the state of a draw, which is compiled anew if its code depends on it. `error` may be null. Callable from any
/// thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_draw_state(
    draw: *mut attila_draw,
    state: *const attila_state,
    error: *mut *mut attila_error,
) -> attila_status {
    call(error, |call| {
        let state = call.given("state", state)?;
        let mut draw = handle::write(draw)?;
        state::describe(Draw::new(&draw.shader), &state, &Formats::default())?;
        draw.state = state;
        draw.prepared = None;
        Ok(())
    })
}

/// Says where input `number` comes from; null: from where it comes by default, which is the position for i0, and for
/// others attributes of the vertices, if there are. Values of the same kind are changed without compiling anything.
/// Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_draw_input(
    draw: *mut attila_draw,
    number: usize,
    input: *const attila_varying,
) -> attila_status {
    plain_call(|call| {
        let varying = match input.is_null() {
            true => None,
            false => Some(input::varying(&call.given("input", input)?)?),
        };
        handle::write(draw)?.set_input(number, varying)
    })
}
