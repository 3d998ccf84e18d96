//! Errors
//!
//! Functions that may fail in many ways have a last parameter `error`, which may be null. If it is not, it gets an
//! object that says more than the status, or null if the call succeeds. What was there before is overwritten, and not
//! freed.

use attila_scene::{Notice, Severity};

use crate::attila_text;
use crate::failure::{Failure, Outcome};
use crate::handle::{self, handle};
use crate::memory::{Call, plain_call};
use crate::status::*;

/// An error: a status, a message, and diagnostics of a program.
pub struct attila_error {
    _opaque: [u8; 0],
}

handle!(attila_error, 1, "an error", ErrorObject);

pub(crate) struct ErrorObject {
    status: attila_status,
    message: String,
    diagnostics: Diagnostics,
}

/// Errors keep a program from running, warnings do not.
pub type attila_severity = u32;

pub const ATTILA_SEVERITY_WARNING: attila_severity = 0;
pub const ATTILA_SEVERITY_ERROR: attila_severity = 1;

/// A message about a program. Texts are those of the object that it was asked of, and end with it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_diagnostic {
    pub size: usize,
    pub severity: attila_severity,
    /// From 1; 0: the message has no place.
    pub line: u32,
    /// In characters, from 1; 0: the message has no place.
    pub column: u32,
    pub reserved: u32,
    /// Of the place, in bytes of the program's text.
    pub offset: usize,
    pub length: usize,
    /// The name that the program was loaded by.
    pub file: attila_text,
    pub message: attila_text,
    /// Further lines; empty if there are none.
    pub help: attila_text,
    /// One line as compilers print it, with the help below.
    pub display: attila_text,
}

impl Default for attila_diagnostic {
    fn default() -> attila_diagnostic {
        attila_diagnostic {
            size: size_of::<attila_diagnostic>(),
            severity: ATTILA_SEVERITY_WARNING,
            line: 0,
            column: 0,
            reserved: 0,
            offset: 0,
            length: 0,
            file: attila_text::default(),
            message: attila_text::default(),
            help: attila_text::default(),
            display: attila_text::default(),
        }
    }
}

/// Messages with the texts that they do not have themselves.
pub(crate) struct Diagnostics(Vec<Diagnostic>);

struct Diagnostic {
    notice: Notice,
    help: String,
    display: String,
}

impl Diagnostics {
    pub(crate) fn new(notices: Vec<Notice>) -> Diagnostics {
        let notices = notices.into_iter();
        let all = notices.map(|notice| Diagnostic {
            help: notice.message.notes.join("\n"),
            display: notice.to_string(),
            notice,
        });
        Diagnostics(all.collect())
    }

    /// Fills a struct with a message.
    pub(crate) fn get(
        &self,
        call: &Call,
        index: usize,
        out: *mut attila_diagnostic,
    ) -> Outcome<()> {
        let end = || {
            Failure::new(
                ATTILA_STATUS_END,
                format!("there are {} diagnostics", self.0.len()),
            )
        };
        let Diagnostic {
            notice,
            help,
            display,
        } = self.0.get(index).ok_or_else(end)?;
        let place = notice.message.place.clone().unwrap_or(0..0);
        let [line, column] = notice.place.unwrap_or([0, 0]);
        call.fill(
            "out",
            out,
            &attila_diagnostic {
                severity: match notice.message.severity {
                    Severity::Warning => ATTILA_SEVERITY_WARNING,
                    Severity::Error => ATTILA_SEVERITY_ERROR,
                },
                line: line as u32,
                column: column as u32,
                offset: place.start,
                length: place.len(),
                file: attila_text::of(&notice.file),
                message: attila_text::of(&notice.message.message),
                help: attila_text::of(help),
                display: attila_text::of(display),
                ..attila_diagnostic::default()
            },
        )
    }
}

/// Gives the caller an object for a failure.
pub(crate) fn put_error(call: &Call, out: *mut *mut attila_error, failure: Failure) -> Outcome<()> {
    let object = ErrorObject {
        status: failure.status,
        message: failure.message,
        diagnostics: Diagnostics::new(failure.diagnostics),
    };
    call.put("error", out, handle::insert(object)?)
}

/// Frees an error, and with it its texts. Null is allowed. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_error_free(error: *mut attila_error) -> attila_status {
    plain_call(|_| handle::free(error))
}

/// The status that the call returned which made the error. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_error_status(
    error: *const attila_error,
    out: *mut attila_status,
) -> attila_status {
    plain_call(|call| call.put("out", out, handle::read(error)?.status))
}

/// The message of an error: a sentence, or a line for each diagnostic. It ends with the error. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_error_message(
    error: *const attila_error,
    out: *mut attila_text,
) -> attila_status {
    plain_call(|call| {
        let error = handle::read(error)?;
        call.put("out", out, attila_text::of(&error.message))
    })
}

/// A diagnostic of an error, by its number from 0; ATTILA_STATUS_END after the last. Its texts end with the error.
/// Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_error_diagnostic(
    error: *const attila_error,
    index: usize,
    out: *mut attila_diagnostic,
) -> attila_status {
    plain_call(|call| handle::read(error)?.diagnostics.get(call, index, out))
}
