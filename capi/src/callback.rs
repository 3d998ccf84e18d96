//! Callbacks
//!
//! Texture units and vertex attributes of the caller. A callback that returns something else than 0 ends the run or draw
//! with ATTILA_STATUS_CALLBACK. Callbacks must neither throw nor jump out. They may call the library, also to run or draw,
//! up to 16 runs inside each other; objects that the call in progress uses may be used, but not be changed.
//!
//! With several threads, callbacks are called from all of them, at the same time.

use std::ffi::{c_int, c_void};
use std::panic::resume_unwind;
use std::ptr::null_mut;

use ::attila_shader::isa::{TextureShape, TextureTarget};
use ::attila_shader::machine::{LaneMask, Lanes, LevelOfDetail, Lookup, QuadReg, TextureQuery};
use ::attila_shader::{AttributeSource, TextureUnit};

use crate::attila_stage;
use crate::failure::{CallbackStopped, Failure, Outcome};
use crate::memory::User;
use crate::program::stage_number;

/// The question of a texture instruction.
pub type attila_lookup = u32;

/// Filtered texels at `coords`.
pub const ATTILA_LOOKUP_SAMPLE: attila_lookup = 0;
/// `component` of the four texels around `coords`.
pub const ATTILA_LOOKUP_GATHER: attila_lookup = 1;
/// The level of detail of a sample at `coords`.
pub const ATTILA_LOOKUP_LEVEL_OF_DETAIL: attila_lookup = 2;
/// The texel at `texel`.
pub const ATTILA_LOOKUP_FETCH: attila_lookup = 3;
/// The size of the levels `texel[0]`, and the number of levels.
pub const ATTILA_LOOKUP_SIZE: attila_lookup = 4;
/// The number of samples of a texel.
pub const ATTILA_LOOKUP_SAMPLES: attila_lookup = 5;

/// How a sample finds its level of detail.
pub type attila_level = u32;

/// From the derivatives of the coordinates.
pub const ATTILA_LEVEL_IMPLICIT: attila_level = 0;
/// The same, and `level` is added.
pub const ATTILA_LEVEL_BIAS: attila_level = 1;
/// It is `level`.
pub const ATTILA_LEVEL_EXPLICIT: attila_level = 2;
/// From the derivatives `gradient_x` and `gradient_y`.
pub const ATTILA_LEVEL_GRADIENTS: attila_level = 3;

/// A texture instruction for a quad: lanes 0 and 1 above lanes 2 and 3. Numbers are by component or axis, then by lane.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_texture_query {
    pub size: usize,
    pub lookup: attila_lookup,
    pub unit: u32,
    pub stage: attila_stage,
    /// The lanes that execute the instruction, bit n = lane n. The answers of the others do not count.
    pub active: u32,
    /// The code of the kind of image that the instruction names (docs/machine.md); -1 if it names none.
    pub shape: i32,
    /// 1 if texels are to be compared where the sampler compares.
    pub compared: u32,
    pub coords: [[f32; 4]; 4],
    pub texel: [[i32; 4]; 4],
    pub component: u32,
    pub level_kind: attila_level,
    pub level: [f32; 4],
    /// 1 if there is a `reference` beside the coordinates.
    pub has_reference: u32,
    /// 1 if `offset` is to be added.
    pub has_offset: u32,
    pub reference: [f32; 4],
    pub offset: [[i32; 4]; 3],
    pub gradient_x: [[f32; 4]; 3],
    pub gradient_y: [[f32; 4]; 3],
}

impl Default for attila_texture_query {
    fn default() -> attila_texture_query {
        attila_texture_query {
            size: size_of::<attila_texture_query>(),
            lookup: ATTILA_LOOKUP_SAMPLE,
            unit: 0,
            stage: 0,
            active: 0,
            shape: -1,
            compared: 0,
            coords: [[0.0; 4]; 4],
            texel: [[0; 4]; 4],
            component: 0,
            level_kind: ATTILA_LEVEL_IMPLICIT,
            level: [0.0; 4],
            has_reference: 0,
            has_offset: 0,
            reference: [0.0; 4],
            offset: [[0; 4]; 3],
            gradient_x: [[0.0; 4]; 3],
            gradient_y: [[0.0; 4]; 3],
        }
    }
}

/// Answers a query: `out[component][lane]`, which is 0 before. For integers it holds their bits.
pub type attila_answer = Option<
    extern "C" fn(
        user: *mut c_void,
        query: *const attila_texture_query,
        out: *mut [f32; 4],
    ) -> c_int,
>;

/// Texture units of the caller.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_texture_unit {
    pub size: usize,
    /// The units that there are, bit n = unit n.
    pub units: u32,
    /// 1 if answers follow from queries alone, and queries may come in any order and more than once: faster.
    pub in_any_order: u32,
    pub answer: attila_answer,
    pub user: *mut c_void,
}

impl Default for attila_texture_unit {
    fn default() -> attila_texture_unit {
        attila_texture_unit {
            size: size_of::<attila_texture_unit>(),
            units: u32::MAX,
            in_any_order: 0,
            answer: None,
            user: null_mut(),
        }
    }
}

/// Fetches an attribute of four vertices: `out[component][lane]`, which is (0, 0, 0, 1) before. Only the lanes `wanted`
/// count, bit n = lane n.
pub type attila_fetch = Option<
    extern "C" fn(
        user: *mut c_void,
        attribute: u32,
        vertices: *const u32,
        wanted: u32,
        out: *mut [f32; 4],
    ) -> c_int,
>;

/// Vertex attributes of the caller, for programs that fetch them themselves (LDA).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_attribute_source {
    pub size: usize,
    pub fetch: attila_fetch,
    pub user: *mut c_void,
    /// 1 if answers follow from questions alone, and questions may come in any order and more than once: faster.
    pub in_any_order: u32,
    pub reserved: u32,
}

impl Default for attila_attribute_source {
    fn default() -> attila_attribute_source {
        attila_attribute_source {
            size: size_of::<attila_attribute_source>(),
            fetch: None,
            user: null_mut(),
            in_any_order: 0,
            reserved: 0,
        }
    }
}

/// Ends the run that a callback is called from. Only the panic boundary of the call sees it; nothing is printed.
fn stop(which: &'static str) -> ! {
    resume_unwind(Box::new(CallbackStopped(which)))
}

/// Units that ask the caller.
pub(crate) struct CallbackUnits {
    units: u32,
    in_any_order: bool,
    answer: extern "C" fn(*mut c_void, *const attila_texture_query, *mut [f32; 4]) -> c_int,
    user: User,
}

impl CallbackUnits {
    pub(crate) fn new(unit: &attila_texture_unit) -> Outcome<CallbackUnits> {
        Ok(CallbackUnits {
            units: unit.units,
            in_any_order: unit.in_any_order != 0,
            answer: unit.answer.ok_or_else(|| Failure::null("unit.answer"))?,
            user: User::new(unit.user),
        })
    }
}

impl TextureUnit for CallbackUnits {
    fn has_unit(&self, unit: u8) -> bool {
        self.units.checked_shr(unit.into()).unwrap_or(0) & 1 != 0
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        let mut out = [[0.0; 4]; 4];
        match (self.answer)(self.user.get(), &question(query), out.as_mut_ptr()) {
            0 => out.map(|component| component.map(f32::to_bits)),
            _ => stop("a texture callback"),
        }
    }

    fn in_any_order(&self) -> bool {
        self.in_any_order
    }
}

/// A query in C.
fn question(query: &TextureQuery) -> attila_texture_query {
    let (shape, compared) = match query.target {
        TextureTarget::Bound => (-1, true),
        TextureTarget::Named { shape, shadow } => (TextureShape::code(shape).into(), shadow),
    };
    let mut question = attila_texture_query {
        unit: query.unit.into(),
        stage: stage_number(query.stage),
        active: query.active.bits().into(),
        shape,
        compared: compared.into(),
        has_reference: query.lookup.reference().is_some().into(),
        has_offset: query.lookup.offset().is_some().into(),
        reference: query.lookup.reference().unwrap_or_default(),
        offset: query.lookup.offset().unwrap_or_default(),
        ..attila_texture_query::default()
    };
    match query.lookup {
        Lookup::Sample { coords, level, .. } => {
            question.coords = coords;
            set_level(&mut question, level);
        }
        Lookup::Gather {
            coords, component, ..
        } => {
            question.lookup = ATTILA_LOOKUP_GATHER;
            question.coords = coords;
            question.component = component.index() as u32;
        }
        Lookup::LevelOfDetail { coords } => {
            question.lookup = ATTILA_LOOKUP_LEVEL_OF_DETAIL;
            question.coords = coords;
        }
        Lookup::Fetch { at, .. } => {
            question.lookup = ATTILA_LOOKUP_FETCH;
            question.texel = at;
        }
        Lookup::Size { level } => {
            question.lookup = ATTILA_LOOKUP_SIZE;
            question.texel[0] = level;
        }
        Lookup::Samples => question.lookup = ATTILA_LOOKUP_SAMPLES,
    }
    question
}

fn set_level(question: &mut attila_texture_query, level: LevelOfDetail) {
    question.level = level.given().unwrap_or_default();
    question.level_kind = match level {
        LevelOfDetail::Implicit => ATTILA_LEVEL_IMPLICIT,
        LevelOfDetail::Bias(_) => ATTILA_LEVEL_BIAS,
        LevelOfDetail::Explicit(_) => ATTILA_LEVEL_EXPLICIT,
        LevelOfDetail::Gradients(gradients) => {
            question.gradient_x = gradients.dx;
            question.gradient_y = gradients.dy;
            ATTILA_LEVEL_GRADIENTS
        }
    };
}

/// Attributes that the caller fetches.
pub(crate) struct CallbackAttributes {
    in_any_order: bool,
    fetch: extern "C" fn(*mut c_void, u32, *const u32, u32, *mut [f32; 4]) -> c_int,
    user: User,
}

impl CallbackAttributes {
    pub(crate) fn new(source: &attila_attribute_source) -> Outcome<CallbackAttributes> {
        Ok(CallbackAttributes {
            in_any_order: source.in_any_order != 0,
            fetch: source.fetch.ok_or_else(|| Failure::null("source.fetch"))?,
            user: User::new(source.user),
        })
    }
}

impl AttributeSource for CallbackAttributes {
    fn fetch(&self, attribute: u8, index: Lanes<u32>, wanted: LaneMask) -> [Lanes<f32>; 4] {
        let mut out = [[0.0; 4], [0.0; 4], [0.0; 4], [1.0; 4]];
        let (attribute, wanted) = (attribute.into(), wanted.bits().into());
        let status = (self.fetch)(
            self.user.get(),
            attribute,
            index.as_ptr(),
            wanted,
            out.as_mut_ptr(),
        );
        match status {
            0 => out,
            _ => stop("an attribute callback"),
        }
    }

    fn in_any_order(&self) -> bool {
        self.in_any_order
    }
}
