//! The parts of the Debug Adapter Protocol that are used: requests with their arguments, as the protocol names them.

use serde::Deserialize;
use serde_json::Value;

/// A request.
#[derive(Deserialize)]
pub(super) struct Request {
    pub(super) seq: i64,
    pub(super) command: String,
    #[serde(default)]
    pub(super) arguments: Value,
}

/// The editor, as `initialize` describes it.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Client {
    #[serde(default = "yes")]
    pub(super) lines_start_at1: bool,
    #[serde(default = "yes")]
    pub(super) columns_start_at1: bool,
    /// Whether it can be told that what it shows is out of date.
    #[serde(default)]
    pub(super) supports_invalidated_event: bool,
}

impl Default for Client {
    fn default() -> Self {
        Client {
            lines_start_at1: true,
            columns_start_at1: true,
            supports_invalidated_event: false,
        }
    }
}

fn yes() -> bool {
    true
}

/// The arguments of `launch`.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Launch {
    pub(super) program: String,
    /// Column and row.
    pub(super) pixel: Option<[u32; 2]>,
    pub(super) quad: Option<usize>,
    /// More options of `attila debug`.
    #[serde(default)]
    pub(super) args: Vec<String>,
    #[serde(default = "yes")]
    pub(super) stop_on_entry: bool,
}

/// Another pixel of the picture, by its column and row.
#[derive(Deserialize)]
pub(super) struct PixelArgs {
    pub(super) pixel: [u32; 2],
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SourceArgs {
    pub(super) path: Option<String>,
    pub(super) source_reference: Option<i64>,
}

/// A breakpoint in any of the requests that set them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BreakpointArgs {
    pub(super) line: Option<usize>,
    pub(super) instruction_reference: Option<String>,
    pub(super) offset: Option<i64>,
    pub(super) data_id: Option<String>,
    pub(super) access_type: Option<String>,
    pub(super) condition: Option<String>,
    pub(super) hit_condition: Option<String>,
    pub(super) log_message: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct SetBreakpoints {
    pub(super) source: Option<SourceArgs>,
    #[serde(default)]
    pub(super) breakpoints: Vec<BreakpointArgs>,
}

#[derive(Deserialize)]
pub(super) struct SetExceptions {
    pub(super) filters: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ThreadArgs {
    pub(super) thread_id: usize,
    /// `statement`, `line` or `instruction`.
    pub(super) granularity: Option<String>,
    #[serde(default)]
    pub(super) start_frame: usize,
    pub(super) target_id: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ScopesArgs {
    pub(super) frame_id: usize,
}

#[derive(Deserialize)]
pub(super) struct Format {
    #[serde(default)]
    pub(super) hex: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct VariablesArgs {
    pub(super) variables_reference: usize,
    pub(super) format: Option<Format>,
}

/// An expression, in the lane of a frame.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EvaluateArgs {
    #[serde(alias = "name")]
    pub(super) expression: String,
    pub(super) frame_id: Option<usize>,
    pub(super) context: Option<String>,
    pub(super) format: Option<Format>,
    pub(super) variables_reference: Option<usize>,
    /// How it is shown from now on.
    pub(super) kind: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LinesArgs {
    pub(super) source: SourceArgs,
    pub(super) line: usize,
    pub(super) end_line: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DisassembleArgs {
    pub(super) memory_reference: String,
    #[serde(default)]
    pub(super) offset: i64,
    #[serde(default)]
    pub(super) instruction_offset: i64,
    pub(super) instruction_count: usize,
}
