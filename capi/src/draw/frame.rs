//! Frames
//!
//! The bindings and images that a draw is given each time, and the place of the images in a larger picture.

use std::ffi::{c_int, c_void};
use std::ops::ControlFlow;
use std::ptr::{null, null_mut};
use std::sync::LazyLock;

use ::attila_shader::draw::{Buffer, Frame};
use ::attila_shader::machine::QuadReg;
use ::attila_shader::{Bindings, ColourFormat, DepthFormat, Draw, DrawError, SampleCount};
use smallvec::SmallVec;

use super::{attila_draw, attila_state, state};
use crate::bindings::attila_bindings;
use crate::failure::Outcome;
use crate::handle;
use crate::image::{attila_image, buffer, colour_format, depth_format, note, samples};
use crate::memory::{Call, Regions, User};

/// Hears that `done` of `all` pixels or elements are finished, at most about 20 ms apart. Something else than 0 stops the
/// call with ATTILA_STATUS_STOPPED. Called from the threads that work, one at a time. Must not throw.
pub type attila_progress = Option<extern "C" fn(user: *mut c_void, done: u64, all: u64) -> c_int>;

/// The bindings that a draw reads, and the images that it stores to.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_frame {
    pub size: usize,
    /// Null: all constants are 0.
    pub bindings: *const attila_bindings,
    /// The images that outputs o1 to o8 are stored to; null where there is none.
    pub colour: [*const attila_image; 8],
    /// The image that depths are compared with and stored to, or null.
    pub depth: *const attila_image,
    /// If `picture` is not 0, the images are a tile of a picture of `picture` pixels, the first pixel of which is at
    /// `origin`. Shapes, planes and positions are those of the picture, and so are the pixels that are drawn.
    pub origin: [i32; 2],
    pub picture: [u32; 2],
    /// May be null.
    pub progress: attila_progress,
    pub user: *mut c_void,
}

impl Default for attila_frame {
    fn default() -> attila_frame {
        attila_frame {
            size: size_of::<attila_frame>(),
            bindings: null(),
            colour: [null(); 8],
            depth: null(),
            origin: [0; 2],
            picture: [0; 2],
            progress: None,
            user: null_mut(),
        }
    }
}

/// Formats of images, their samples, and the inputs that vertices have: all that a draw is compiled for.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Formats {
    colours: [Option<ColourFormat>; 8],
    depth: Option<DepthFormat>,
    samples: SampleCount,
    vertices: u64,
}

impl Formats {
    pub(super) fn has_colour(&self, index: usize) -> bool {
        self.colours[index].is_some()
    }

    /// The inputs that vertices have attributes for, beyond the position.
    pub(super) fn given_by_vertices(&self) -> impl Iterator<Item = usize> + use<> {
        let vertices = self.vertices;
        (1..64).filter(move |register| vertices >> register & 1 != 0)
    }

    /// Gives a draw targets of these formats.
    pub(super) fn targets<'a>(
        &self,
        mut draw: Draw<'a>,
        state: &attila_state,
    ) -> Outcome<Draw<'a>> {
        for (index, format) in self.colours.iter().enumerate() {
            if let Some(format) = *format {
                draw = draw.target(index, Buffer::from(format).with_samples(self.samples));
            }
        }
        if let (Some(format), Some(state)) = (self.depth, state::depth_state(state)?) {
            draw = draw.depth(Buffer::from(format).with_samples(self.samples), state);
        }
        Ok(draw)
    }
}

const NAMES: [&str; 8] = [
    "frame.colour[0]",
    "frame.colour[1]",
    "frame.colour[2]",
    "frame.colour[3]",
    "frame.colour[4]",
    "frame.colour[5]",
    "frame.colour[6]",
    "frame.colour[7]",
];

/// The images of a frame, most of which have one or two.
struct Images {
    colours: SmallVec<[(usize, attila_image, ColourFormat); 2]>,
    depth: Option<(attila_image, DepthFormat)>,
    formats: Formats,
}

impl Images {
    fn read(
        call: &Call,
        frame: &attila_frame,
        state: &attila_state,
        vertices: u64,
    ) -> Outcome<Images> {
        let mut images = Images {
            colours: SmallVec::new(),
            depth: None,
            formats: Formats {
                vertices,
                ..Formats::default()
            },
        };
        let given = frame.colour.iter().enumerate();
        for (index, pointer) in given.filter(|(_, pointer)| !pointer.is_null()) {
            let image = call.given(NAMES[index], *pointer)?;
            let format = colour_format(&image)?;
            images.formats.colours[index] = Some(format);
            images.formats.samples = samples(&image)?;
            images.colours.push((index, image, format));
        }
        if !frame.depth.is_null() && state.depth_compare != 0 {
            let image = call.given("frame.depth", frame.depth)?;
            let format = depth_format(&image)?;
            images.formats.depth = Some(format);
            images.formats.samples = samples(&image)?;
            images.depth = Some((image, format));
        }
        Ok(images)
    }

    /// Adds the memory of the images.
    fn note(&self, regions: &mut Regions) {
        for (index, image, format) in &self.colours {
            note(NAMES[*index], image, *format, regions);
        }
        if let Some((image, format)) = &self.depth {
            note("frame.depth", image, *format, regions);
        }
    }

    /// The images as targets of draws, once their memory has been checked.
    fn colours<'a>(
        &self,
        call: &'a Call,
    ) -> impl Iterator<Item = Outcome<(usize, Buffer<'a, ColourFormat>)>> {
        let target = |(index, image, format): &(usize, attila_image, ColourFormat)| {
            Ok((*index, buffer(call, NAMES[*index], image, *format)?))
        };
        self.colours.iter().map(target)
    }

    fn depth<'a>(&self, call: &'a Call) -> Outcome<Option<Buffer<'a, DepthFormat>>> {
        let target = |(image, format): &_| buffer(call, "frame.depth", image, *format);
        self.depth.as_ref().map(target).transpose()
    }
}

/// The data of a shape.
#[derive(Default)]
pub(super) struct Brought<'a> {
    /// The inputs that vertices have attributes for, bit n = input n.
    pub(super) vertices: u64,
    /// Arrays of inputs.
    pub(super) arrays: Vec<(usize, &'a [QuadReg])>,
    /// The memory that it reads.
    pub(super) regions: Regions,
}

/// Nothing bound.
static UNBOUND: LazyLock<Bindings<'static>> = LazyLock::new(Bindings::new);

/// Draws a shape.
pub(super) fn draw(
    call: &Call,
    draw: *mut attila_draw,
    frame: *const attila_frame,
    brought: Brought<'_>,
    shape: impl FnOnce(&mut Frame<'_>) -> Result<(), DrawError>,
) -> Outcome<()> {
    let given = call.given("frame", frame)?;
    let mut object = handle::write(draw)?;
    let object = &mut *object;
    let read = match given.bindings.is_null() {
        true => None,
        false => Some(handle::read(given.bindings)?),
    };
    let bindings = read.as_ref().map_or(&*UNBOUND, |read| read.bindings());
    let images = Images::read(call, &given, &object.state, brought.vertices)?;
    let mut regions = brought.regions;
    images.note(&mut regions);
    regions.check()?;
    let mut prepared = object.prepared(&images.formats)?;
    let user = User::new(given.user);
    let listener = move |done, all| match given.progress.map_or(0, |it| it(user.get(), done, all)) {
        0 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let mut frame = prepared.draw.frame(bindings);
    for colour in images.colours(call) {
        let (index, colour) = colour?;
        frame = frame.target(index, colour);
    }
    if let Some(depth) = images.depth(call)? {
        frame = frame.depth(depth);
    }
    for register in object.changed.drain(..) {
        if let Some(varying) = object.inputs.get(&register) {
            frame = frame.varying(register, *varying);
        }
    }
    for (register, array) in brought.arrays {
        frame = frame.varying(register, ::attila_shader::Varying::quads(array));
    }
    if given.picture != [0; 2] {
        frame = frame.origin(given.origin, given.picture);
    }
    if given.progress.is_some() {
        frame = frame.progress(&listener);
    }
    let drawn = shape(&mut frame);
    object.prepared = Some(prepared);
    Ok(drawn?)
}
