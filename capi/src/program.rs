//! Programs
//!
//! A program is loaded from bytes of any form: a text in assembly, ARB, TGSI, AGAL or CTM, bytes of AGAL, words in
//! hexadecimal, or a raw binary. Programs do not change, so that any number of threads may use one.

use std::sync::OnceLock;

use ::attila_shader::isa::Bank;
use ::attila_shader::{Stage, ValidProgram};
use attila_scene::source::{Form, Loaded};
use attila_scene::{Loader, Names};

use crate::error::{Diagnostics, attila_diagnostic, attila_error};
use crate::failure::{Failure, Outcome};
use crate::handle::{self, handle};
use crate::memory::{call, plain_call};
use crate::status::*;
use crate::{attila_bytes, attila_text};

/// A program that has been loaded and checked.
pub struct attila_program {
    _opaque: [u8; 0],
}

handle!(attila_program, 2, "a program", ProgramObject);

pub(crate) struct ProgramObject {
    pub(crate) loaded: Loaded,
    warnings: Diagnostics,
    disassembly: OnceLock<String>,
    binary: OnceLock<Vec<u8>>,
}

impl ProgramObject {
    pub(crate) fn program(&self) -> &ValidProgram {
        &self.loaded.program
    }
}

/// What a program is for. In options, 0 is whatever the program says.
pub type attila_stage = u32;

pub const ATTILA_STAGE_ANY: attila_stage = 0;
pub const ATTILA_STAGE_VERTEX: attila_stage = 1;
pub const ATTILA_STAGE_FRAGMENT: attila_stage = 2;
pub const ATTILA_STAGE_GEOMETRY: attila_stage = 3;
pub const ATTILA_STAGE_COMPUTE: attila_stage = 4;

/// How bytes are read.
pub type attila_form = u32;

/// As what they look like.
pub const ATTILA_FORM_DETECT: attila_form = 0;
/// As text; its beginning, or the suffix of its name, tells the language.
pub const ATTILA_FORM_TEXT: attila_form = 1;
/// As a raw binary, 16 bytes for each instruction.
pub const ATTILA_FORM_BINARY: attila_form = 2;

/// How a program is loaded.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_load_options {
    pub size: usize,
    /// What diagnostics call it. A suffix may tell the language, as that of a file does. Default: "program".
    pub name: attila_text,
    /// Expects a program for a stage: takes it among several, and puts assembly into it.
    pub stage: attila_stage,
    pub form: attila_form,
    /// Takes a program among several, by its number from 1; 0: the only one.
    pub number: usize,
}

impl Default for attila_load_options {
    fn default() -> attila_load_options {
        attila_load_options {
            size: size_of::<attila_load_options>(),
            name: attila_text::default(),
            stage: ATTILA_STAGE_ANY,
            form: ATTILA_FORM_DETECT,
            number: 0,
        }
    }
}

/// What a program reads and writes. Bit n of a mask is number n; the components of a register are bits 0 to 3, x to w.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_usage {
    pub size: usize,
    pub stage: attila_stage,
    pub instructions: u32,
    /// The components that are read of each input.
    pub inputs: [u8; 64],
    /// The components that are written of each output.
    pub outputs: [u8; 64],
    /// The texture units that instructions name.
    pub textures: u32,
    pub reserved: u32,
    /// The attributes of vertices that the program fetches itself.
    pub attributes: u64,
    /// 1 if it may kill fragments, else 0.
    pub kills: u32,
    /// 1 if it asks for derivatives, or samples textures that need them.
    pub derivatives: u32,
}

impl Default for attila_usage {
    fn default() -> attila_usage {
        attila_usage {
            size: size_of::<attila_usage>(),
            stage: ATTILA_STAGE_ANY,
            instructions: 0,
            inputs: [0; 64],
            outputs: [0; 64],
            textures: 0,
            reserved: 0,
            attributes: 0,
            kills: 0,
            derivatives: 0,
        }
    }
}

/// The kinds of registers that have names in texts.
pub type attila_bank = u32;

pub const ATTILA_BANK_INPUT: attila_bank = 0;
pub const ATTILA_BANK_CONSTANT: attila_bank = 1;

/// A register: i6 or c3.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_register {
    pub bank: attila_bank,
    pub number: u32,
}

fn stage(number: attila_stage) -> Outcome<Option<Stage>> {
    match number {
        ATTILA_STAGE_ANY => Ok(None),
        ATTILA_STAGE_VERTEX => Ok(Some(Stage::Vertex)),
        ATTILA_STAGE_FRAGMENT => Ok(Some(Stage::Fragment)),
        ATTILA_STAGE_GEOMETRY => Ok(Some(Stage::Geometry)),
        ATTILA_STAGE_COMPUTE => Ok(Some(Stage::Compute)),
        _ => Err(Failure::range(format!("there is no stage {number}"))),
    }
}

pub(crate) fn stage_number(stage: Stage) -> attila_stage {
    match stage {
        Stage::Vertex => ATTILA_STAGE_VERTEX,
        Stage::Fragment => ATTILA_STAGE_FRAGMENT,
        Stage::Geometry => ATTILA_STAGE_GEOMETRY,
        Stage::Compute => ATTILA_STAGE_COMPUTE,
    }
}

fn form(number: attila_form) -> Outcome<Form> {
    match number {
        ATTILA_FORM_DETECT => Ok(Form::Detect),
        ATTILA_FORM_TEXT => Ok(Form::Text),
        ATTILA_FORM_BINARY => Ok(Form::Binary),
        _ => Err(Failure::range(format!("there is no form {number}"))),
    }
}

/// The loader that options ask for.
fn loader(options: &attila_load_options) -> Outcome<Loader> {
    let mut loader = Loader::new().form(form(options.form)?);
    if let Some(stage) = stage(options.stage)? {
        loader = loader.stage(stage);
    }
    if options.number != 0 {
        loader = loader.program(options.number);
    }
    Ok(loader)
}

/// The register of a name: that of a text, such as `fragment.texcoord[0]`, or that of the machine, such as `c3`.
pub(crate) fn register(names: &Names, name: &str) -> Outcome<attila_register> {
    let register = names.register(name)?;
    let bank = match register.bank() {
        Bank::Input => ATTILA_BANK_INPUT,
        Bank::Constant => ATTILA_BANK_CONSTANT,
        Bank::Output | Bank::Temp | Bank::Address => {
            let message = format!("`{name}` is neither an input nor a constant");
            return Err(Failure::new(ATTILA_STATUS_NAME, message));
        }
    };
    let number = register.index() as u32;
    Ok(attila_register { bank, number })
}

/// Loads a program. Nothing but its bytes is read: textures that a text names by files are not.
/// `options` and `error` may be null. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_program_load(
    source: attila_bytes,
    options: *const attila_load_options,
    out: *mut *mut attila_program,
    error: *mut *mut attila_error,
) -> attila_status {
    call(error, |call| {
        call.put("out", out, std::ptr::null_mut())?;
        let source = call.bytes("source", source)?;
        let options = call.options("options", options)?;
        let name = match call.text("options.name", options.name)? {
            "" => "program",
            name => name,
        };
        let (loaded, warnings) = loader(&options)?.read_program(name, source)?;
        let program = handle::insert(ProgramObject {
            loaded,
            warnings: Diagnostics::new(warnings),
            disassembly: OnceLock::new(),
            binary: OnceLock::new(),
        })?;
        call.put("out", out, program)
    })
}

/// Frees a program, and with it its texts. Shaders and bindings that were made of it stay. Null is allowed. Callable
/// from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_program_free(program: *mut attila_program) -> attila_status {
    plain_call(|_| handle::free(program))
}

/// A warning about a program, by its number from 0; ATTILA_STATUS_END after the last. Its texts end with the program.
/// Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_program_warning(
    program: *const attila_program,
    index: usize,
    out: *mut attila_diagnostic,
) -> attila_status {
    plain_call(|call| handle::read(program)?.warnings.get(call, index, out))
}

/// The program in assembly. The text ends with the program. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_program_disassembly(
    program: *const attila_program,
    out: *mut attila_text,
) -> attila_status {
    plain_call(|call| {
        let program = handle::read(program)?;
        let make = || program.program().program().to_string();
        call.put(
            "out",
            out,
            attila_text::of(program.disassembly.get_or_init(make)),
        )
    })
}

/// The program as a binary, which can be loaded again. The bytes end with the program. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_program_binary(
    program: *const attila_program,
    out: *mut attila_bytes,
) -> attila_status {
    plain_call(|call| {
        let program = handle::read(program)?;
        let make = || program.program().program().encode();
        call.put(
            "out",
            out,
            attila_bytes::of(program.binary.get_or_init(make)),
        )
    })
}

/// What a program reads and writes. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_program_usage(
    program: *const attila_program,
    out: *mut attila_usage,
) -> attila_status {
    plain_call(|call| {
        let program = handle::read(program)?;
        let usage = program.program().usage();
        let program = program.program().program();
        call.fill(
            "out",
            out,
            &attila_usage {
                stage: stage_number(program.stage()),
                instructions: program.insts().len() as u32,
                inputs: std::array::from_fn(|register| usage.inputs[register].bits()),
                outputs: std::array::from_fn(|register| usage.outputs[register].bits()),
                textures: usage.textures,
                attributes: usage.attributes,
                kills: usage.kills.into(),
                derivatives: usage.derivatives.into(),
                ..attila_usage::default()
            },
        )
    })
}

/// The register that a text has a name for: `fragment.texcoord[0]`, `program.local[1]`, `v0`, `fc1`, or just `c3`.
/// `error` may be null. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_program_register(
    program: *const attila_program,
    name: attila_text,
    out: *mut attila_register,
    error: *mut *mut attila_error,
) -> attila_status {
    call(error, |call| {
        let program = handle::read(program)?;
        let register = register(&program.loaded.names, call.text("name", name)?)?;
        call.put("out", out, register)
    })
}
