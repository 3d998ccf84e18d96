//! [`Failure`]: why a call failed, on its way to a status and an error object.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "errors of the library may become more"
)]

use std::any::Any;
use std::error::Error;

use ::attila_shader::draw::ResolveError;
use ::attila_shader::machine::{ErrorChain, pipeline::SpanError};
use ::attila_shader::texture::{ImageError, SamplerError};
use ::attila_shader::{DrawError, MapError, PrepareError, RunError};
use attila_scene::{DrawSceneError, LoadError, NameError, Notice, SettingError};

use crate::status::*;

/// Why a call failed.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) status: attila_status,
    pub(crate) message: String,
    pub(crate) diagnostics: Vec<Notice>,
}

pub(crate) type Outcome<T> = Result<T, Failure>;

/// The payload of a panic with which a callback ends the run that it is called from.
pub(crate) struct CallbackStopped(pub(crate) &'static str);

impl Failure {
    pub(crate) fn new(status: attila_status, message: impl Into<String>) -> Failure {
        Failure {
            status,
            message: message.into(),
            diagnostics: Vec::new(),
        }
    }

    pub(crate) fn null(name: &str) -> Failure {
        Failure::new(ATTILA_STATUS_NULL, format!("`{name}` is null"))
    }

    pub(crate) fn range(message: impl Into<String>) -> Failure {
        Failure::new(ATTILA_STATUS_RANGE, message)
    }

    fn of(status: attila_status, error: &(dyn Error + 'static)) -> Failure {
        Failure::new(status, ErrorChain(error).to_string())
    }

    /// What a panic carries that has come to the boundary.
    pub(crate) fn of_panic(payload: &(dyn Any + Send)) -> Failure {
        if let Some(CallbackStopped(which)) = payload.downcast_ref() {
            return Failure::new(ATTILA_STATUS_CALLBACK, format!("{which} stopped the call"));
        }
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        let text = text.unwrap_or_else(|| "a panic".to_owned());
        Failure::new(
            ATTILA_STATUS_PANIC,
            format!("a fault in the library: {text}"),
        )
    }
}

/// Errors whose kind alone tells the status.
macro_rules! statuses {
    ($($error:ty => $status:ident;)*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::of($status, &error)
            }
        })*
    };
}

statuses! {
    ImageError => ATTILA_STATUS_TEXTURE;
    NameError => ATTILA_STATUS_NAME;
    PrepareError => ATTILA_STATUS_ENGINE;
    ResolveError => ATTILA_STATUS_IMAGE;
    SamplerError => ATTILA_STATUS_TEXTURE;
    SettingError => ATTILA_STATUS_TEXT;
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Failure {
        Failure {
            diagnostics: error.notices.clone(),
            ..Failure::of(ATTILA_STATUS_PROGRAM, &error)
        }
    }
}

fn status_of_run(error: &RunError) -> attila_status {
    match error {
        RunError::LoopBudget { .. } => ATTILA_STATUS_LOOP_BUDGET,
        RunError::Compile(_) => ATTILA_STATUS_ENGINE,
        _ => ATTILA_STATUS_BINDINGS,
    }
}

impl From<DrawError> for Failure {
    fn from(error: DrawError) -> Failure {
        let status = match &error {
            DrawError::Stopped => ATTILA_STATUS_STOPPED,
            DrawError::Span(SpanError::LoopBudget { .. }) => ATTILA_STATUS_LOOP_BUDGET,
            DrawError::Prepare(_) => ATTILA_STATUS_ENGINE,
            DrawError::UnboundTexture(_) => ATTILA_STATUS_BINDINGS,
            DrawError::Bindings(error) => status_of_run(error),
            DrawError::Sizes { .. }
            | DrawError::TooLarge { .. }
            | DrawError::Pitch { .. }
            | DrawError::PitchTooLarge { .. }
            | DrawError::SamplePitch { .. }
            | DrawError::Planes { .. }
            | DrawError::Samples { .. }
            | DrawError::TooShort { .. } => ATTILA_STATUS_IMAGE,
            _ => ATTILA_STATUS_DRAW,
        };
        Failure::of(status, &error)
    }
}

impl From<MapError> for Failure {
    fn from(error: MapError) -> Failure {
        let status = match &error {
            MapError::Stopped { .. } => ATTILA_STATUS_STOPPED,
            MapError::LoopBudget { .. } => ATTILA_STATUS_LOOP_BUDGET,
            MapError::Prepare(_) => ATTILA_STATUS_ENGINE,
            MapError::Run(error) => status_of_run(error),
            _ => ATTILA_STATUS_MAP,
        };
        Failure::of(status, &error)
    }
}

impl From<DrawSceneError> for Failure {
    fn from(error: DrawSceneError) -> Failure {
        match error {
            DrawSceneError::Prepare(error) => error.into(),
            DrawSceneError::Draw(error) => error.into(),
            other => Failure::of(ATTILA_STATUS_DRAW, &other),
        }
    }
}
