//! Do two engines agree? Random programs, the comparison, shrinking, and test vectors.
//!
//! ```text
//!  seed, index ─► generate ─► Case ─► oracle ─► nothing, or a Divergence ─► shrink ─► case text
//!                 (values)            (engines)                             report
//! ```
//!
//! * [`generate`] makes a [`Case`]: a valid program, and everything that it runs on.
//! * [`oracle`] runs it on two engines, in every way in which they can be called, and finds the
//!   first difference of any kind.
//! * [`shrink`] makes a differing case as small as it gets; [`report`] shows it to people;
//!   [`store`] writes it to a file that `tests/all/regressions.rs` runs from then on.
//! * [`fuzz`](fuzz()) does all of that many times.
//! * [`textures`] does it with real images, samplers and coordinates, [`draws`] with all that is around
//!   programs in a draw, [`arb`] with texts of ARB programs.
//! * [`vectors`] runs programs whose results are known; [`corpus`] finds out whether the right texts are
//!   programs.
//!
//! What agreement does not prove: both engines share the approximations of `attila_shader::machine::approx`,
//! the opcode table and the decoder. Errors in those are found by the sweep against f64, by the
//! vectors and by the encodings of the reference.
#![forbid(unsafe_code)]

pub mod arb;
mod case;
mod cases;
pub mod corpus;
mod dice;
pub mod directives;
pub mod draws;
mod fuzz;
pub mod generate;
pub mod oracle;
mod payload;
pub mod report;
pub mod shader_test;
pub mod shrink;
mod stored;
pub mod textures;
mod units;
pub mod values;
pub mod vectors;

pub use case::{Case, CaseError};
pub use cases::{Progress, Sequence};
pub use dice::{ByteRng, Dice};
pub use fuzz::{Failure, FuzzOptions, FuzzReport, Statistics, case, fuzz};
pub use payload::NanFlow;
pub use stored::{check_text, store, store_text};
