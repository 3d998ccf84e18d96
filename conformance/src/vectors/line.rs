//! A line of a file of vectors: a vector of any kind.

use attila_shader::Engine;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::coverage::CoverageVector;
use super::{
    AgalVector, CtmVector, LongVector, OperationVector, SampleVector, Vector, VectorError,
    WordVector,
};

/// A vector of any kind.
pub(super) trait AnyVector {
    /// Its name.
    fn id(&self) -> &str;

    /// The group under which it is counted.
    fn group(&self) -> &str;

    /// Whether it magnifies the last bit of an approximation.
    fn is_sensitive(&self) -> bool {
        false
    }

    /// Its program, an instruction a line.
    fn listing(&self) -> String;

    /// Runs it, and says in what it did not end as expected.
    fn run(&self, engine: &Engine) -> Result<Vec<String>, VectorError>;
}

/// The kinds whose methods have the same names.
macro_rules! vectors {
    ($($Vector:ty: $sensitive:expr;)+) => {$(
        impl AnyVector for $Vector {
            fn id(&self) -> &str {
                &self.id
            }

            fn group(&self) -> &str {
                self.group()
            }

            fn is_sensitive(&self) -> bool {
                let sensitive: fn(&$Vector) -> bool = $sensitive;
                sensitive(self)
            }

            fn listing(&self) -> String {
                self.listing()
            }

            fn run(&self, engine: &Engine) -> Result<Vec<String>, VectorError> {
                self.run(engine)
            }
        }
    )+};
}

vectors! {
    Vector: |it| it.sensitive;
    AgalVector: |it| it.sensitive;
    CtmVector: |it| it.sensitive;
    OperationVector: |_| false;
    WordVector: |_| false;
    LongVector: |_| false;
    SampleVector: |_| false;
    CoverageVector: |_| false;
}

/// Reads a line as what its fields say it is.
pub(super) fn read(text: &[u8]) -> Result<Box<dyn AnyVector>, serde_json::Error> {
    #[derive(Deserialize)]
    struct Kind {
        version: Option<IgnoredAny>,
        long: Option<IgnoredAny>,
        group: Option<String>,
        op: Option<IgnoredAny>,
        lo: Option<IgnoredAny>,
    }
    fn vector<V>(text: &[u8]) -> Result<Box<dyn AnyVector>, serde_json::Error>
    where
        V: AnyVector + for<'de> Deserialize<'de> + 'static,
    {
        Ok(Box::new(serde_json::from_slice::<V>(text)?))
    }
    let kind: Kind = serde_json::from_slice(text)?;
    match (kind.version, kind.long, kind.group.as_deref()) {
        (Some(IgnoredAny), ..) => vector::<AgalVector>(text),
        (None, Some(IgnoredAny), _) => vector::<LongVector>(text),
        (None, None, Some("state" | "my_index" | "address" | "eval")) => {
            vector::<SampleVector>(text)
        }
        (None, None, Some("coverage" | "depth")) => vector::<CoverageVector>(text),
        (None, None, Some("text" | "text-error")) => vector::<CtmVector>(text),
        (None, None, _) if kind.op.is_some() => vector::<OperationVector>(text),
        (None, None, _) if kind.lo.is_some() => vector::<WordVector>(text),
        (None, None, _) => vector::<Vector>(text),
    }
}
