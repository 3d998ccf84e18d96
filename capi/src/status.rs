//! Status
//!
//! Every function returns one, but for the few that cannot fail.

use crate::attila_text;

/// How a call ended. Numbers are never given another meaning; later versions may have more of them.
pub type attila_status = i32;

/// All is well.
pub const ATTILA_STATUS_OK: attila_status = 0;
/// A pointer is null that must not be.
pub const ATTILA_STATUS_NULL: attila_status = 1;
/// An object has been freed, or is of another type, or never was one.
pub const ATTILA_STATUS_HANDLE: attila_status = 2;
/// Another call is using the object.
pub const ATTILA_STATUS_BUSY: attila_status = 3;
/// The field `size` of a struct is not a size that the library knows.
pub const ATTILA_STATUS_SIZE: attila_status = 4;
/// A number is out of its range, or names nothing.
pub const ATTILA_STATUS_RANGE: attila_status = 5;
/// A text is not UTF-8, or does not say what it has to say.
pub const ATTILA_STATUS_TEXT: attila_status = 6;
/// A pointer to numbers is not a multiple of their size.
pub const ATTILA_STATUS_ALIGNMENT: attila_status = 7;
/// Memory that is written overlaps other memory of the call.
pub const ATTILA_STATUS_OVERLAP: attila_status = 8;
/// The bytes are not a program. The error has diagnostics.
pub const ATTILA_STATUS_PROGRAM: attila_status = 9;
/// The engine cannot run the program.
pub const ATTILA_STATUS_ENGINE: attila_status = 10;
/// The image or the sampler of a texture is not right.
pub const ATTILA_STATUS_TEXTURE: attila_status = 11;
/// What is bound does not suit the program.
pub const ATTILA_STATUS_BINDINGS: attila_status = 12;
/// The program has nothing of that name.
pub const ATTILA_STATUS_NAME: attila_status = 13;
/// The memory of an image is not right: its size, its pitch, or its bytes.
pub const ATTILA_STATUS_IMAGE: attila_status = 14;
/// The draw cannot be made as it is described.
pub const ATTILA_STATUS_DRAW: attila_status = 15;
/// The map cannot be made as it is described.
pub const ATTILA_STATUS_MAP: attila_status = 16;
/// A lane took more backward jumps than it may.
pub const ATTILA_STATUS_LOOP_BUDGET: attila_status = 17;
/// The progress callback has stopped the call.
pub const ATTILA_STATUS_STOPPED: attila_status = 18;
/// Another callback has stopped the call.
pub const ATTILA_STATUS_CALLBACK: attila_status = 19;
/// There are no more.
pub const ATTILA_STATUS_END: attila_status = 20;
/// There is a fault in the library. The objects of the call can only be freed.
pub const ATTILA_STATUS_PANIC: attila_status = 21;

/// The words for each status.
const TEXTS: [&str; 22] = [
    "success",
    "a pointer is null",
    "not an object, or one that has been freed",
    "another call is using the object",
    "the size of a struct is not known",
    "a number is out of its range",
    "a text is not right",
    "a pointer is not aligned",
    "memory overlaps",
    "not a program",
    "the engine cannot run the program",
    "the texture is not right",
    "what is bound does not suit the program",
    "the program has nothing of that name",
    "the memory of an image is not right",
    "the draw cannot be made",
    "the map cannot be made",
    "the loop budget is used up",
    "stopped by the progress callback",
    "stopped by a callback",
    "there are no more",
    "a fault in the library",
];

/// A few words for a status, which stay valid for ever. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_status_text(status: attila_status) -> attila_text {
    let text = usize::try_from(status).ok().and_then(|at| TEXTS.get(at));
    attila_text::of(text.unwrap_or(&"an unknown status"))
}
