//! Do engines agree with each other and with known results? One runner, its subjects, case texts, vectors,
//! corpora and script tests.
//!
//! ```text
//!  seed, index ─► make ─► case ─► check ─► nothing, or a fault ─► shrink ─► text, report
//!                                (engines)
//! ```
//!
//! * [`Subject`] is a kind of cases: [`Case`], a program and what it runs on, with random programs or random images;
//!   [`draws`], all that is around programs in a draw; [`texts`], texts in a language that compiles to programs.
//! * [`fuzz`](fuzz()) makes many cases of a subject and checks them; [`shrink`](shrink()) makes the first that has a
//!   fault as small as it gets; [`store`] writes it to a file that `tests/all/regressions.rs` runs from then on.
//! * [`generate`] makes random programs; [`oracle`] runs one on engines, in every way in which they can be called, and
//!   finds the first difference of any kind.
//! * [`vectors`] runs programs whose results are known; [`corpus`] finds out whether the right texts are
//!   programs, and checks these.
//!
//! Limits of the comparison: both engines share the approximations of `attila_shader::machine::approx`,
//! the opcode table and the decoder. Errors in those are found by the sweep against f64, by the
//! vectors and by the encodings of the reference.
#![forbid(unsafe_code)]

pub mod agal_corpus;
pub mod altered;
pub mod binaries;
mod case;
pub mod census;
pub mod columns;
pub mod corpus;
mod counted;
mod dice;
pub mod draws;
pub mod generate;
pub mod hostile;
mod nan_payload;
pub mod oracle;
pub mod pictures;
mod recorder;
pub mod recordings;
mod regressions;
pub mod report;
mod round_trip;
mod runner;
pub mod script_test;
mod shrink;
mod subject;
pub mod texts;
pub mod textures;
pub mod values;
pub mod vectors;

pub use case::{Case, CaseError, CaseOptions};
pub use dice::{ByteRng, Dice};
pub use nan_payload::NanFlow;
pub use regressions::{check_text, store};
pub use round_trip::round_trip;
pub use runner::{Failure, Progress, Report, Sequence, fuzz};
pub use shrink::shrink;
pub use subject::{Fault, Pass, Subject, Tally, case};
