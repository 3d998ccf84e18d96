//! Test vectors: programs with known results, one JSON object a line, possibly compressed.
//!
//! A vector is a quad: its program as hexadecimal bytes, the registers before and after the run,
//! the samples to answer texture requests with and the requests themselves. Words are eight
//! hexadecimal digits. What the state before the run leaves out is 0. What the state after it
//! leaves out is 0 for results and unchanged for other registers. Lanes whose fragment is killed
//! are compared on their kill mask and their requests only.
//!
//! Two words are the same if their bits are; unless the vector is exact, any two NaNs are, and as
//! many units in the last place may lie between floats as the vector says. A vector marked
//! sensitive makes such a small error larger, and is counted apart.
//!
//! A line with a `version` is a vector of an AGAL program: see [`AgalVector`]. One of the group `text` or `text-error`
//! is one of a CTM text ([`CtmVector`]). Another one without a `program` is an operation on many scalars
//! ([`OperationVector`]), or a line of assembly with its word ([`WordVector`]); or it is about samples: a statement in the
//! long spelling ([`LongVector`]), or a pixel ([`SampleVector`]).
//!
//! Files are read line by line. A line has at most [`MAX_LINE`] bytes, and a compressed file gives at
//! most [`MAX_UNPACKED`]: a small file can say that it is a very large one.

mod agal;
mod check;
mod coverage;
mod ctm;
mod format;
mod line;
mod operations;
mod player;
mod samples;
mod words;

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use attila_shader::front::SourceError;
use attila_shader::front::agal::BytesError;
use attila_shader::isa::{AsmError, DecodeError, Program, ValidateError};
use attila_shader::machine::{DEFAULT_FIXED_BITS, PrepareError, QuadState, RunError};
use flate2::read::MultiGzDecoder;
use thiserror::Error;

use crate::oracle::shade;
use line::AnyVector;

pub use agal::AgalVector;
pub use coverage::CoverageVector;
pub use ctm::CtmVector;
pub use format::Vector;
pub use operations::{OperationVector, WordVector};
pub use samples::SampleVector;
pub use words::LongVector;

use attila_shader::Engine;
use attila_shader::draw::DrawError;

/// How the vectors of a group went.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Count {
    /// Vectors as expected.
    pub pass: usize,
    /// Vectors not as expected.
    pub fail: usize,
    /// Vectors marked sensitive, as expected.
    pub sensitive_pass: usize,
    /// Vectors marked sensitive, not as expected. They are no failures.
    pub sensitive_fail: usize,
}

/// How vectors went.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// By group, in alphabetical order.
    pub groups: BTreeMap<String, Count>,
    /// The first failures in full: those of sensitive vectors are not among them.
    pub failures: Vec<VectorFailure>,
}

/// The most bytes of a line, which is a vector.
pub const MAX_LINE: usize = 1 << 22;

/// The most bytes that a compressed file may give.
pub const MAX_UNPACKED: u64 = 1 << 26;

/// Failures that a summary describes.
const DESCRIBED: usize = 20;

/// A vector that did not end as expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VectorFailure {
    /// The vector's name.
    pub id: String,
    /// Its group.
    pub group: String,
    /// Its line, from 1.
    pub line: usize,
    /// The program, an instruction a line.
    pub program: String,
    /// Everything that was not as expected.
    pub differences: Vec<String>,
}

impl fmt::Display for VectorFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} (group {}, line {})", self.id, self.group, self.line)?;
        for line in self.program.lines() {
            writeln!(f, "    {line}")?;
        }
        for difference in &self.differences {
            writeln!(f, "  {difference}")?;
        }
        Ok(())
    }
}

/// Why vectors could not be run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VectorsError {
    /// The file cannot be read.
    #[error("line {line}")]
    Read {
        /// The line, from 1.
        line: usize,
        /// Why not.
        source: io::Error,
    },
    /// A line is longer than any vector.
    #[error("line {line}: the line is too long; the limit is {MAX_LINE} bytes")]
    TooLong {
        /// The line, from 1.
        line: usize,
    },
    /// A line is not a vector.
    #[error("line {line}{}", mistake(.source))]
    Format {
        /// The line, from 1.
        line: usize,
        /// Why not.
        source: serde_json::Error,
    },
    /// A vector's program is none, or does not run.
    #[error("line {line}: {id}")]
    Run {
        /// The line, from 1.
        line: usize,
        /// The vector's name.
        id: String,
        /// Why not.
        source: VectorError,
    },
}

fn mistake(error: &serde_json::Error) -> &'static str {
    match error.is_syntax() || error.is_eof() {
        true => " is not JSON; vectors are lines of JSON",
        false => "",
    }
}

/// Why one vector could not be run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VectorError {
    /// The bytes are no program.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The bytes are no AGAL program.
    #[error(transparent)]
    Bytes(#[from] BytesError),
    /// The text is no program.
    #[error(transparent)]
    Text(#[from] SourceError),
    /// The text is no assembly.
    #[error(transparent)]
    Assembly(#[from] AsmError),
    /// The vector names a register that programs do not have.
    #[error("it names a register that programs do not have")]
    Register,
    /// Pixels have no such samples.
    #[error("no pixel has such samples")]
    Samples,
    /// The draw failed.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// The pixel is outside of the picture.
    #[error("the pixel is outside of the picture")]
    Pixel,
    /// The program is not valid.
    #[error(transparent)]
    Validate(#[from] ValidateError),
    /// The engine cannot compile it.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    /// The run stopped.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Opens a file of vectors, compressed with gzip or not.
///
/// # Errors
///
/// The file cannot be read.
pub fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    Ok(reader(File::open(path)?))
}

/// Reads vectors, compressed with gzip or not. Reading fails where a compressed file gives more than
/// [`MAX_UNPACKED`] bytes.
pub fn reader(source: impl Read + 'static) -> Box<dyn BufRead> {
    let mut plain = BufReader::new(source);
    let is_gzip = plain
        .fill_buf()
        .is_ok_and(|start| start.starts_with(&[0x1f, 0x8b]));
    if is_gzip {
        Box::new(BufReader::new(Unpacked {
            source: MultiGzDecoder::new(plain),
            room: MAX_UNPACKED,
        }))
    } else {
        Box::new(plain)
    }
}

/// A compressed file, unpacked.
struct Unpacked<R> {
    source: R,
    /// The bytes that may still come.
    room: u64,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.room = self.room.checked_sub(count as u64).ok_or_else(|| {
            let message =
                format!("the file is too large; the limit is {MAX_UNPACKED} bytes after unpacking");
            io::Error::other(message)
        })?;
        Ok(count)
    }
}

/// Reads a line, with its end, in place of what is in `text`. At the end of the source it is empty.
fn read_line(
    source: &mut impl BufRead,
    line: usize,
    text: &mut Vec<u8>,
) -> Result<(), VectorsError> {
    text.clear();
    let mut source = source.take(MAX_LINE as u64 + 1);
    let read = source.read_until(b'\n', text);
    read.map_err(|source| VectorsError::Read { line, source })?;
    if text.len() > MAX_LINE {
        return Err(VectorsError::TooLong { line });
    }
    Ok(())
}

/// Runs all vectors on `engine`. Empty lines are skipped.
///
/// # Errors
///
/// The first line that cannot be run. A vector that ends otherwise than expected is no error.
pub fn run_vectors(engine: &Engine, mut source: impl BufRead) -> Result<Summary, VectorsError> {
    let mut summary = Summary::default();
    let mut text = Vec::new();
    for line in 1.. {
        read_line(&mut source, line, &mut text)?;
        if text.is_empty() {
            break;
        }
        if text.trim_ascii().is_empty() {
            continue;
        }
        let vector = line::read(&text);
        let vector = vector.map_err(|source| VectorsError::Format { line, source })?;
        let differences = vector.run(engine).map_err(|source| VectorsError::Run {
            line,
            id: vector.id().to_owned(),
            source,
        })?;
        summary.add(line, &*vector, differences);
    }
    Ok(summary)
}

impl Vector {
    /// Runs the vector and says in what it did not end as expected.
    ///
    /// # Errors
    ///
    /// The program is none, or the run stopped.
    pub fn run(&self, engine: &Engine) -> Result<Vec<String>, VectorError> {
        let program = Program::decode(&self.program.0)?
            .with_stage(self.stage.into())
            .validate()?;
        let fixed_bits = self.fx_bits.unwrap_or(DEFAULT_FIXED_BITS);
        let bindings = self.bindings().with_fixed_bits(fixed_bits);

        let player = player::Player::new(self);
        let mut quads = [self.start()];
        engine.prepare_stateful(&program)?.run(
            &bindings
                .clone()
                .with_textures(&player)
                .with_attributes(&player),
            &mut quads,
        )?;
        let mut differences = check::differences(self, &quads[0], check::Scope::Everything);
        differences.extend(player.differences());
        if self.starts_clear() {
            let player = player::Player::new(self);
            let start = self.start();
            let mut quads = [start.clone()];
            shade(
                &engine.prepare(&program)?,
                &bindings.with_textures(&player).with_attributes(&player),
                &mut quads,
            )?;
            let [quad] = quads;
            let quad = QuadState {
                io: quad.io,
                ..start
            };
            let shading = check::differences(self, &quad, check::Scope::Results);
            let shading = shading.into_iter().chain(player.differences());
            differences.extend(shading.map(|text| format!("shading: {text}")));
        }
        Ok(differences)
    }

    fn group(&self) -> &str {
        &self.group
    }

    fn listing(&self) -> String {
        match Program::decode(&self.program.0) {
            Ok(program) => program.listing().with_indices().to_string(),
            Err(error) => error.to_string(),
        }
    }
}

impl Summary {
    fn add(&mut self, line: usize, vector: &dyn AnyVector, differences: Vec<String>) {
        let count = self.groups.entry(vector.group().to_owned()).or_default();
        *match (vector.is_sensitive(), differences.is_empty()) {
            (false, true) => &mut count.pass,
            (false, false) => &mut count.fail,
            (true, true) => &mut count.sensitive_pass,
            (true, false) => &mut count.sensitive_fail,
        } += 1;
        if !vector.is_sensitive() && !differences.is_empty() && self.failures.len() < DESCRIBED {
            self.failures.push(VectorFailure {
                id: vector.id().to_owned(),
                group: vector.group().to_owned(),
                line,
                program: vector.listing(),
                differences,
            });
        }
    }

    /// Adds what another file gave.
    pub fn merge(&mut self, other: Summary) {
        for (group, count) in other.groups {
            let sum = self.groups.entry(group).or_default();
            *sum = sum.plus(count);
        }
        let room = DESCRIBED.saturating_sub(self.failures.len());
        self.failures.extend(other.failures.into_iter().take(room));
    }

    /// All groups together.
    pub fn total(&self) -> Count {
        let counts = self.groups.values();
        counts.fold(Count::default(), |sum, count| sum.plus(*count))
    }
}

impl Count {
    fn plus(self, other: Count) -> Count {
        Count {
            pass: self.pass + other.pass,
            fail: self.fail + other.fail,
            sensitive_pass: self.sensitive_pass + other.sensitive_pass,
            sensitive_fail: self.sensitive_fail + other.sensitive_fail,
        }
    }
}
