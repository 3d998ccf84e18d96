//! A desktop OpenGL context without a window, and the few calls that are needed, loaded when the
//! program runs.
//!
//! The only module with `unsafe` code. Its functions are safe to call.
#![allow(
    unsafe_code,
    reason = "nobody but the caller can vouch for foreign functions"
)]

mod samples;
mod scene;

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_void};
use std::marker::PhantomData;
use std::mem;
use std::ptr;

use libloading::Library;
use thiserror::Error;

pub(crate) use samples::{List, Samples};
pub(crate) use scene::{ATTRIBUTES, Buffers, Pixels, Target};

/// Reasons why there is no driver to compare with.
#[derive(Debug, Error)]
pub(crate) enum NoPeer {
    #[error("libEGL cannot be loaded: {0}")]
    Library(#[from] libloading::Error),
    #[error("the library has no {0:?}")]
    Missing(&'static CStr),
    #[error("{0} failed")]
    Egl(&'static str),
    #[error("Mesa refuses a program of ours: {0}")]
    Program(Refused),
    #[error("there is no target with {0} samples")]
    Samples(u32),
    #[error("Mesa refuses the program that reads samples")]
    Reader,
    #[error("OpenGL reports error {0:#06x} while it is set up")]
    Gl(u32),
}

/// The driver's reason for refusing a program.
#[derive(Debug, Error)]
#[error("at byte {position}: {message}")]
pub(crate) struct Refused {
    position: i32,
    message: String,
}

type FindFunction = unsafe extern "system" fn(*const c_char) -> *const c_void;

/// Declares functions as fields, and how all of them are found.
macro_rules! entry_points {
    ($($field:ident = $symbol:literal ($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions, with the types of the specifications.
        struct EntryPoints {
            $($field: unsafe extern "system" fn($($argument),*) $(-> $result)?,)*
        }

        impl EntryPoints {
            fn find(find: FindFunction) -> Result<EntryPoints, NoPeer> {
                Ok(EntryPoints {
                    $($field: {
                        // SAFETY: the name ends with a 0.
                        let found = unsafe { find($symbol.as_ptr()) };
                        if found.is_null() {
                            return Err(NoPeer::Missing($symbol));
                        }
                        // SAFETY: a function of that name has this type.
                        unsafe {
                            mem::transmute::<
                                *const c_void,
                                unsafe extern "system" fn($($argument),*) $(-> $result)?,
                            >(found)
                        }
                    },)*
                })
            }
        }
    };
}

entry_points! {
    get_platform_display = c"eglGetPlatformDisplayEXT" (u32, *mut c_void, *const i32) -> *mut c_void;
    initialize = c"eglInitialize" (*mut c_void, *mut i32, *mut i32) -> u32;
    bind_api = c"eglBindAPI" (u32) -> u32;
    choose_config = c"eglChooseConfig"
        (*mut c_void, *const i32, *mut *mut c_void, i32, *mut i32) -> u32;
    create_context = c"eglCreateContext"
        (*mut c_void, *mut c_void, *mut c_void, *const i32) -> *mut c_void;
    make_current = c"eglMakeCurrent" (*mut c_void, *mut c_void, *mut c_void, *mut c_void) -> u32;
    get_error = c"glGetError" () -> u32;
    get_string = c"glGetString" (u32) -> *const u8;
    get_integer = c"glGetIntegerv" (u32, *mut i32);
    enable = c"glEnable" (u32);
    disable = c"glDisable" (u32);
    viewport = c"glViewport" (i32, i32, i32, i32);
    clear = c"glClear" (u32);
    finish = c"glFinish" ();
    read_pixels = c"glReadPixels" (i32, i32, i32, i32, u32, u32, *mut c_void);
    active_texture = c"glActiveTexture" (u32);
    gen_textures = c"glGenTextures" (i32, *mut u32);
    bind_texture = c"glBindTexture" (u32, u32);
    tex_image = c"glTexImage2D" (u32, i32, i32, i32, i32, i32, u32, u32, *const c_void);
    tex_parameter = c"glTexParameteri" (u32, u32, i32);
    gen_framebuffers = c"glGenFramebuffers" (i32, *mut u32);
    bind_framebuffer = c"glBindFramebuffer" (u32, u32);
    delete_textures = c"glDeleteTextures" (i32, *const u32);
    delete_framebuffers = c"glDeleteFramebuffers" (i32, *const u32);
    framebuffer_texture = c"glFramebufferTexture2D" (u32, u32, u32, u32, i32);
    check_framebuffer = c"glCheckFramebufferStatus" (u32) -> u32;
    gen_programs = c"glGenProgramsARB" (i32, *mut u32);
    delete_programs = c"glDeleteProgramsARB" (i32, *const u32);
    bind_program = c"glBindProgramARB" (u32, u32);
    program_string = c"glProgramStringARB" (u32, u32, i32, *const c_void);
    env_parameter = c"glProgramEnvParameter4fvARB" (u32, u32, *const f32);
    local_parameter = c"glProgramLocalParameter4fvARB" (u32, u32, *const f32);
    gen_buffers = c"glGenBuffers" (i32, *mut u32);
    delete_buffers = c"glDeleteBuffers" (i32, *const u32);
    bind_buffer = c"glBindBuffer" (u32, u32);
    buffer_data = c"glBufferData" (u32, isize, *const c_void, u32);
    attribute_pointer = c"glVertexAttribPointer" (u32, i32, u32, u8, i32, *const c_void);
    enable_attribute = c"glEnableVertexAttribArray" (u32);
    draw_elements = c"glDrawElements" (u32, i32, u32, *const c_void);
    draw_buffer = c"glDrawBuffer" (u32);
    depth_function = c"glDepthFunc" (u32);
    blend_function = c"glBlendFunc" (u32, u32);
    begin = c"glBegin" (u32);
    end = c"glEnd" ();
    colour = c"glColor4fv" (*const f32);
    coordinates = c"glMultiTexCoord4fv" (u32, *const f32);
    vertex = c"glVertex4fv" (*const f32);
    gen_lists = c"glGenLists" (i32) -> u32;
    new_list = c"glNewList" (u32, u32);
    end_list = c"glEndList" ();
    call_list = c"glCallList" (u32);
    tex_image_multisample = c"glTexImage2DMultisample" (u32, i32, u32, i32, i32, u8);
    get_multisample = c"glGetMultisamplefv" (u32, u32, *mut f32);
    create_shader = c"glCreateShader" (u32) -> u32;
    shader_source = c"glShaderSource" (u32, i32, *const *const c_char, *const i32);
    compile_shader = c"glCompileShader" (u32);
    create_program = c"glCreateProgram" () -> u32;
    attach_shader = c"glAttachShader" (u32, u32);
    link_program = c"glLinkProgram" (u32);
    get_program = c"glGetProgramiv" (u32, u32, *mut i32);
    use_program = c"glUseProgram" (u32);
    uniform_location = c"glGetUniformLocation" (u32, *const c_char) -> i32;
    uniform_integer = c"glUniform1i" (i32, i32);
}

const EGL_PLATFORM_SURFACELESS_MESA: u32 = 0x31DD;
const EGL_OPENGL_API: u32 = 0x30A2;
/// Attributes of a configuration: it can render desktop OpenGL to a pixel buffer, with 8 bits a
/// channel.
const CONFIGURATION: [i32; 13] = [
    0x3033, 1, // EGL_SURFACE_TYPE, EGL_PBUFFER_BIT
    0x3040, 8, // EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT
    0x3024, 8, // EGL_RED_SIZE
    0x3023, 8, // EGL_GREEN_SIZE
    0x3022, 8, // EGL_BLUE_SIZE
    0x3021, 8,      // EGL_ALPHA_SIZE
    0x3038, // EGL_NONE
];

const TRIANGLES: u32 = 4;
const QUADS: u32 = 7;
const DITHER: u32 = 0x0BD0;
const TEXTURE_2D: u32 = 0x0DE1;
const UNSIGNED_BYTE: u32 = 0x1401;
const RGBA: u32 = 0x1908;
const RENDERER: u32 = 0x1F01;
const VERSION: u32 = 0x1F02;
const NEAREST: i32 = 0x2600;
const LINEAR: i32 = 0x2601;
const LINEAR_MIPMAP_LINEAR: i32 = 0x2703;
const TEXTURE_MAG_FILTER: u32 = 0x2800;
const TEXTURE_MIN_FILTER: u32 = 0x2801;
const TEXTURE_WRAP_S: u32 = 0x2802;
const TEXTURE_WRAP_T: u32 = 0x2803;
const REPEAT: i32 = 0x2901;
const COLOR_BUFFER_BIT: u32 = 0x4000;
const RGBA8: i32 = 0x8058;
const CLAMP_TO_EDGE: i32 = 0x812F;
const TEXTURE0: u32 = 0x84C0;
/// The texture unit of targets. Programs have others.
const TARGETS: u32 = TEXTURE0 + 2;
const PROGRAM_ERROR_POSITION: u32 = 0x864B;
const PROGRAM_ERROR_STRING: u32 = 0x8874;
const PROGRAM_FORMAT_ASCII: u32 = 0x8875;
const COLOR_ATTACHMENT0: u32 = 0x8CE0;
const FRAMEBUFFER_COMPLETE: u32 = 0x8CD5;
const FRAMEBUFFER: u32 = 0x8D40;

/// A kind of program.
#[derive(Clone, Copy)]
#[repr(u32)]
pub(crate) enum Stage {
    Vertex = 0x8620,
    Fragment = 0x8804,
}

/// A program that was accepted.
#[derive(Clone, Copy)]
pub(crate) struct Program {
    stage: Stage,
    name: u32,
}

/// Filters of textures.
#[derive(Clone, Copy)]
pub(crate) struct Sampling {
    pub(crate) linear: bool,
    pub(crate) mipmaps: bool,
    pub(crate) repeat: bool,
}

/// A corner of what is drawn.
#[derive(Clone, Copy)]
pub(crate) struct Vertex {
    pub(crate) position: [f32; 4],
    pub(crate) colour: [f32; 4],
    pub(crate) coordinates: [[f32; 4]; 3],
}

/// A context that is current on this thread, with an RGBA8 target. There is one at most, and it lasts
/// as long as the program.
pub(crate) struct Gl {
    call: EntryPoints,
    /// The framebuffer with the target.
    framebuffer: u32,
    /// The buffer of the triangles that are drawn.
    drawn: Cell<u32>,
    /// Contexts belong to a thread.
    _not_send: PhantomData<*mut ()>,
}

impl Gl {
    /// Loads the library, makes a context and a cleared target of `width` times `height` pixels.
    pub(crate) fn new(width: u32, height: u32) -> Result<Gl, NoPeer> {
        // SAFETY: the library's initialisation asks nothing of us.
        let library = unsafe { Library::new("libEGL.so.1") }?;
        let find = {
            // SAFETY: a function of that name has this type.
            let find = unsafe { library.get::<FindFunction>(c"eglGetProcAddress") }?;
            *find
        };
        // Never unloaded: drivers leave data in threads.
        mem::forget(library);
        let mut gl = Gl {
            call: EntryPoints::find(find)?,
            framebuffer: 0,
            drawn: Cell::new(0),
            _not_send: PhantomData,
        };
        gl.make_context()?;
        gl.make_target([width, height])?;
        Ok(gl)
    }

    fn make_context(&self) -> Result<(), NoPeer> {
        let call = &self.call;
        let (mut configuration, mut count) = (ptr::null_mut(), 0);
        // SAFETY: null is the default display; lists end with EGL_NONE; there is room for the one
        // configuration that is asked for; objects are used only if they have been made.
        unsafe {
            let display = (call.get_platform_display)(
                EGL_PLATFORM_SURFACELESS_MESA,
                ptr::null_mut(),
                ptr::null(),
            );
            if display.is_null() {
                return Err(NoPeer::Egl("eglGetPlatformDisplayEXT"));
            }
            if (call.initialize)(display, ptr::null_mut(), ptr::null_mut()) == 0 {
                return Err(NoPeer::Egl("eglInitialize"));
            }
            if (call.bind_api)(EGL_OPENGL_API) == 0 {
                return Err(NoPeer::Egl("eglBindAPI"));
            }
            let attributes = CONFIGURATION.as_ptr();
            let chosen =
                (call.choose_config)(display, attributes, &mut configuration, 1, &mut count);
            if chosen == 0 || count == 0 {
                return Err(NoPeer::Egl("eglChooseConfig"));
            }
            let context =
                (call.create_context)(display, configuration, ptr::null_mut(), ptr::null());
            if context.is_null() {
                return Err(NoPeer::Egl("eglCreateContext"));
            }
            if (call.make_current)(display, ptr::null_mut(), ptr::null_mut(), context) == 0 {
                return Err(NoPeer::Egl("eglMakeCurrent"));
            }
        }
        Ok(())
    }

    fn make_target(&mut self, size: [u32; 2]) -> Result<(), NoPeer> {
        self.framebuffer = self.target(&[Pixels::Rgba8], size)?.framebuffer;
        // SAFETY: a context is current.
        unsafe { (self.call.disable)(DITHER) };
        self.clear();
        self.check().map_err(NoPeer::Gl)
    }

    /// The renderer and its version.
    pub(crate) fn identity(&self) -> [String; 2] {
        [RENDERER, VERSION].map(|name| self.string(name))
    }

    fn string(&self, name: u32) -> String {
        // SAFETY: a context is current, and its strings last at least until the next call.
        unsafe {
            let string = (self.call.get_string)(name);
            if string.is_null() {
                return String::new();
            }
            let string = CStr::from_ptr(string.cast());
            string.to_string_lossy().into_owned()
        }
    }

    /// The error of an earlier call, if there is one.
    pub(crate) fn check(&self) -> Result<(), u32> {
        // SAFETY: a context is current.
        match unsafe { (self.call.get_error)() } {
            0 => Ok(()),
            error => Err(error),
        }
    }

    /// Binds a new texture to `unit`: square levels of RGBA8 texels, each half as large as the last.
    pub(crate) fn texture(&self, unit: u32, levels: &[Vec<u8>], side: usize, sampling: Sampling) {
        let mut name = 0;
        // SAFETY: a context is current, and there is room for the name.
        unsafe {
            (self.call.active_texture)(TEXTURE0 + unit);
            (self.call.gen_textures)(1, &mut name);
            (self.call.bind_texture)(TEXTURE_2D, name);
        }
        for (level, texels) in levels.iter().enumerate() {
            let side = side >> level;
            assert_eq!(texels.len(), 4 * side * side, "level {level} is complete");
            let (level, side, from) = (level as i32, side as i32, texels.as_ptr().cast());
            // SAFETY: a context is current, and as many texels are there as are read.
            unsafe {
                let image = self.call.tex_image;
                image(
                    TEXTURE_2D,
                    level,
                    RGBA8,
                    side,
                    side,
                    0,
                    RGBA,
                    UNSIGNED_BYTE,
                    from,
                );
            }
        }
        let mag = if sampling.linear { LINEAR } else { NEAREST };
        let min = if sampling.mipmaps {
            LINEAR_MIPMAP_LINEAR
        } else {
            mag
        };
        let wrap = if sampling.repeat {
            REPEAT
        } else {
            CLAMP_TO_EDGE
        };
        let parameters = [
            (TEXTURE_MAG_FILTER, mag),
            (TEXTURE_MIN_FILTER, min),
            (TEXTURE_WRAP_S, wrap),
            (TEXTURE_WRAP_T, wrap),
        ];
        for (parameter, value) in parameters {
            // SAFETY: a context is current.
            unsafe { (self.call.tex_parameter)(TEXTURE_2D, parameter, value) };
        }
    }

    /// Makes a program, and draws with it from now on.
    pub(crate) fn program(&self, stage: Stage, text: &str) -> Result<Program, Refused> {
        let (mut name, mut position) = (0, -1);
        let length = i32::try_from(text.len()).unwrap_or(i32::MAX);
        // SAFETY: a context is current; there is room for the name and the position; the text is as
        // long as is said.
        unsafe {
            (self.call.gen_programs)(1, &mut name);
            (self.call.bind_program)(stage as u32, name);
            let from = text.as_ptr().cast();
            (self.call.program_string)(stage as u32, PROGRAM_FORMAT_ASCII, length, from);
            (self.call.get_integer)(PROGRAM_ERROR_POSITION, &mut position);
            (self.call.enable)(stage as u32);
        }
        if position == -1 {
            return Ok(Program { stage, name });
        }
        // The error that goes with it.
        let _ = self.check();
        Err(Refused {
            position,
            message: self.string(PROGRAM_ERROR_STRING),
        })
    }

    /// Draws with `program` from now on.
    pub(crate) fn bind(&self, program: Program) {
        // SAFETY: a context is current.
        unsafe { (self.call.bind_program)(program.stage as u32, program.name) };
    }

    /// Deletes a program.
    pub(crate) fn delete(&self, program: Program) {
        // SAFETY: a context is current, and one name is read.
        unsafe { (self.call.delete_programs)(1, &program.name) };
    }

    /// Sets the parameters of fragment programs, and of the one that is bound.
    pub(crate) fn parameters(&self, env: &[[f32; 4]], local: &[[f32; 4]]) {
        for (index, value) in (0..).zip(env) {
            // SAFETY: a context is current, and four numbers are read.
            unsafe { (self.call.env_parameter)(Stage::Fragment as u32, index, value.as_ptr()) };
        }
        self.local(Stage::Fragment, local);
    }

    /// Sets the first parameters of the program that is bound.
    pub(crate) fn local(&self, stage: Stage, local: &[[f32; 4]]) {
        for (index, value) in (0..).zip(local) {
            // SAFETY: a context is current, and four numbers are read.
            unsafe { (self.call.local_parameter)(stage as u32, index, value.as_ptr()) };
        }
    }

    /// Sets the part of the target that is drawn to, from its lower left corner.
    pub(crate) fn viewport(&self, width: u32, height: u32) {
        // SAFETY: a context is current.
        unsafe { (self.call.viewport)(0, 0, width as i32, height as i32) };
    }

    /// Sets all pixels to 0.
    pub(crate) fn clear(&self) {
        // SAFETY: a context is current.
        unsafe { (self.call.clear)(COLOR_BUFFER_BIT) };
    }

    /// Draws a quadrilateral.
    pub(crate) fn draw(&self, corners: &[Vertex; 4]) {
        self.vertices(QUADS, corners);
    }

    /// Draws primitives of a kind.
    fn vertices(&self, kind: u32, vertices: &[Vertex]) {
        let call = &self.call;
        // SAFETY: a context is current; each call reads four numbers.
        unsafe {
            (call.begin)(kind);
            for vertex in vertices {
                (call.colour)(vertex.colour.as_ptr());
                for (unit, coordinates) in (TEXTURE0..).zip(&vertex.coordinates) {
                    (call.coordinates)(unit, coordinates.as_ptr());
                }
                (call.vertex)(vertex.position.as_ptr());
            }
            (call.end)();
        }
    }

    /// Waits until all is drawn.
    pub(crate) fn finish(&self) {
        // SAFETY: a context is current.
        unsafe { (self.call.finish)() };
    }

    /// The target's lower left part, rows from the bottom, RGBA.
    pub(crate) fn pixels(&self, width: u32, height: u32) -> Vec<u8> {
        let mut pixels = vec![0; 4 * width as usize * height as usize];
        let to = pixels.as_mut_ptr().cast();
        let (width, height) = (width as i32, height as i32);
        // SAFETY: a context is current, and rows of 4-byte pixels have no gaps.
        unsafe { (self.call.read_pixels)(0, 0, width, height, RGBA, UNSIGNED_BYTE, to) };
        pixels
    }
}
