// attila.h: shader programs of ATTILA, ARB, TGSI, AGAL and CTM on the CPU.
//
// This file is made of capi/src by `UPDATE_EXPECT=1 cargo test -p attila-capi header`. docs/c.md is the guide.
//
// Objects       A pointer to one is a number that the library looks up, and no address. An object that has been freed is
//               refused (ATTILA_STATUS_HANDLE), and so is null, unless a function says that it may be null.
// attila_own    What is returned through such a parameter is the caller's, who frees it by the function of its type; what
//               is passed through one is gone. Everything else is lent until the call ends.
// Texts         A pointer and a length, in UTF-8. Those that the library returns end with the object that they were
//               asked of.
// Structs       Those that begin with `size` are set by their ATTILA_..._INIT and may become longer: a program that was
//               compiled with an older header goes on to work. All others stay as they are.
// Threads       Each function says from which threads it may be called. No call waits for another one.
// Exceptions    None leaves the library, and none may enter it from a callback.
//
// The library cannot find out, and the caller must see to it, that memory which is lent has the size that is said and is
// there for the length of the call; that nobody else changes it meanwhile, nor reads pixels that are being drawn; and that
// texts are not read after their object was freed.

#ifndef ATTILA_H
#define ATTILA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ATTILA_VERSION_MAJOR 0
#define ATTILA_VERSION_MINOR 1
#define ATTILA_VERSION_PATCH 0
// As attila_version() returns it.
#define ATTILA_VERSION \
    (ATTILA_VERSION_MAJOR * 1000000 + ATTILA_VERSION_MINOR * 1000 + ATTILA_VERSION_PATCH)

// Marks what the caller frees.
#define attila_own

#ifdef __cplusplus
extern "C" {
#endif

// -- Basics ----------------------------------------------------------------------------------------------

// A text in UTF-8, which need not end with a zero. A text of the length 0 may have any pointer.
typedef struct attila_text {
    const char *data;
    // In bytes.
    size_t length;
} attila_text;

// Bytes that are only read. Those of the length 0 may have any pointer.
typedef struct attila_bytes {
    const void *data;
    size_t length;
} attila_bytes;

// How two numbers have to compare.
typedef uint32_t attila_compare;

// There is no comparison.
#define ATTILA_COMPARE_OFF 0
#define ATTILA_COMPARE_NEVER 1
#define ATTILA_COMPARE_LESS 2
#define ATTILA_COMPARE_EQUAL 3
#define ATTILA_COMPARE_LESS_EQUAL 4
#define ATTILA_COMPARE_GREATER 5
#define ATTILA_COMPARE_NOT_EQUAL 6
#define ATTILA_COMPARE_GREATER_EQUAL 7
#define ATTILA_COMPARE_ALWAYS 8

// The version of the library that runs, to be compared with ATTILA_VERSION, that of the header. Callable from any
// thread.
uint32_t attila_version(void);

// The number of objects that have not been freed, of all types and of the whole process: for tests that look for
// leaks. Callable from any thread.
size_t attila_live_objects(void);

// -- Status ----------------------------------------------------------------------------------------------
// Every function returns one, but for the few that cannot fail.

// How a call ended. Numbers are never given another meaning; later versions may have more of them.
typedef int32_t attila_status;

// All is well.
#define ATTILA_STATUS_OK 0
// A pointer is null that must not be.
#define ATTILA_STATUS_NULL 1
// An object has been freed, or is of another type, or never was one.
#define ATTILA_STATUS_HANDLE 2
// Another call is using the object.
#define ATTILA_STATUS_BUSY 3
// The field `size` of a struct is not a size that the library knows.
#define ATTILA_STATUS_SIZE 4
// A number is out of its range, or names nothing.
#define ATTILA_STATUS_RANGE 5
// A text is not UTF-8, or does not say what it has to say.
#define ATTILA_STATUS_TEXT 6
// A pointer to numbers is not a multiple of their size.
#define ATTILA_STATUS_ALIGNMENT 7
// Memory that is written overlaps other memory of the call.
#define ATTILA_STATUS_OVERLAP 8
// The bytes are not a program. The error has diagnostics.
#define ATTILA_STATUS_PROGRAM 9
// The engine cannot run the program.
#define ATTILA_STATUS_ENGINE 10
// The image or the sampler of a texture is not right.
#define ATTILA_STATUS_TEXTURE 11
// What is bound does not suit the program.
#define ATTILA_STATUS_BINDINGS 12
// The program has nothing of that name.
#define ATTILA_STATUS_NAME 13
// The memory of an image is not right: its size, its pitch, or its bytes.
#define ATTILA_STATUS_IMAGE 14
// The draw cannot be made as it is described.
#define ATTILA_STATUS_DRAW 15
// The map cannot be made as it is described.
#define ATTILA_STATUS_MAP 16
// A lane took more backward jumps than it may.
#define ATTILA_STATUS_LOOP_BUDGET 17
// The progress callback has stopped the call.
#define ATTILA_STATUS_STOPPED 18
// Another callback has stopped the call.
#define ATTILA_STATUS_CALLBACK 19
// There are no more.
#define ATTILA_STATUS_END 20
// There is a fault in the library. The objects of the call can only be freed.
#define ATTILA_STATUS_PANIC 21

// A few words for a status, which stay valid for ever. Callable from any thread.
attila_text attila_status_text(attila_status status);

// -- Errors ----------------------------------------------------------------------------------------------
// Functions that may fail in many ways have a last parameter `error`, which may be null. If it is not, it gets an
// object that says more than the status, or null if the call succeeds. What was there before is overwritten, and not
// freed.

// An error: a status, a message, and diagnostics of a program.
typedef struct attila_error attila_error;

// Errors keep a program from running, warnings do not.
typedef uint32_t attila_severity;

#define ATTILA_SEVERITY_WARNING 0
#define ATTILA_SEVERITY_ERROR 1

// A message about a program. Texts are those of the object that it was asked of, and end with it.
typedef struct attila_diagnostic {
    size_t size;
    attila_severity severity;
    // From 1; 0: the message has no place.
    uint32_t line;
    // In characters, from 1; 0: the message has no place.
    uint32_t column;
    uint32_t reserved;
    // Of the place, in bytes of the program's text.
    size_t offset;
    size_t length;
    // The name that the program was loaded by.
    attila_text file;
    attila_text message;
    // Further lines; empty if there are none.
    attila_text help;
    // One line as compilers print it, with the help below.
    attila_text display;
} attila_diagnostic;

#define ATTILA_DIAGNOSTIC_INIT {sizeof(attila_diagnostic), 0, 0, 0, 0, 0, 0, {0, 0}, {0, 0}, {0, 0}, {0, \
    0}}

// Frees an error, and with it its texts. Null is allowed. Callable from any thread.
attila_status attila_error_free(attila_own attila_error *error);

// The status that the call returned which made the error. Callable from any thread.
attila_status attila_error_status(const attila_error *error, attila_status *out);

// The message of an error: a sentence, or a line for each diagnostic. It ends with the error. Callable from any thread.
attila_status attila_error_message(const attila_error *error,
                                   attila_text *out);

// A diagnostic of an error, by its number from 0; ATTILA_STATUS_END after the last. Its texts end with the error.
// Callable from any thread.
attila_status attila_error_diagnostic(const attila_error *error,
                                      size_t index,
                                      attila_diagnostic *out);

// -- Programs --------------------------------------------------------------------------------------------
// A program is loaded from bytes of any form: a text in assembly, ARB, TGSI, AGAL or CTM, bytes of AGAL, words in
// hexadecimal, or a raw binary. Programs do not change, so that any number of threads may use one.

// A program that has been loaded and checked.
typedef struct attila_program attila_program;

// What a program is for. In options, 0 is whatever the program says.
typedef uint32_t attila_stage;

#define ATTILA_STAGE_ANY 0
#define ATTILA_STAGE_VERTEX 1
#define ATTILA_STAGE_FRAGMENT 2
#define ATTILA_STAGE_GEOMETRY 3
#define ATTILA_STAGE_COMPUTE 4

// How bytes are read.
typedef uint32_t attila_form;

// As what they look like.
#define ATTILA_FORM_DETECT 0
// As text; its beginning, or the suffix of its name, tells the language.
#define ATTILA_FORM_TEXT 1
// As a raw binary, 16 bytes for each instruction.
#define ATTILA_FORM_BINARY 2

// How a program is loaded.
typedef struct attila_load_options {
    size_t size;
    // What diagnostics call it. A suffix may tell the language, as that of a file does. Default: "program".
    attila_text name;
    // Expects a program for a stage: takes it among several, and puts assembly into it.
    attila_stage stage;
    attila_form form;
    // Takes a program among several, by its number from 1; 0: the only one.
    size_t number;
} attila_load_options;

#define ATTILA_LOAD_OPTIONS_INIT {sizeof(attila_load_options), {0, 0}, 0, 0, 0}

// What a program reads and writes. Bit n of a mask is number n; the components of a register are bits 0 to 3, x to w.
typedef struct attila_usage {
    size_t size;
    attila_stage stage;
    uint32_t instructions;
    // The components that are read of each input.
    uint8_t inputs[64];
    // The components that are written of each output.
    uint8_t outputs[64];
    // The texture units that instructions name.
    uint32_t textures;
    uint32_t reserved;
    // The attributes of vertices that the program fetches itself.
    uint64_t attributes;
    // 1 if it may kill fragments, else 0.
    uint32_t kills;
    // 1 if it asks for derivatives, or samples textures that need them.
    uint32_t derivatives;
} attila_usage;

#define ATTILA_USAGE_INIT {sizeof(attila_usage), 0, 0, {0}, {0}, 0, 0, 0, 0, 0}

// The kinds of registers that have names in texts.
typedef uint32_t attila_bank;

#define ATTILA_BANK_INPUT 0
#define ATTILA_BANK_CONSTANT 1

// A register: i6 or c3.
typedef struct attila_register {
    attila_bank bank;
    uint32_t number;
} attila_register;

// Loads a program. Nothing but its bytes is read: textures that a text names by files are not.
// `options` and `error` may be null. Callable from any thread.
attila_status attila_program_load(attila_bytes source,
                                  const attila_load_options *options,
                                  attila_own attila_program **out,
                                  attila_own attila_error **error);

// Frees a program, and with it its texts. Shaders and bindings that were made of it stay. Null is allowed. Callable
// from any thread.
attila_status attila_program_free(attila_own attila_program *program);

// A warning about a program, by its number from 0; ATTILA_STATUS_END after the last. Its texts end with the program.
// Callable from any thread.
attila_status attila_program_warning(const attila_program *program,
                                     size_t index,
                                     attila_diagnostic *out);

// The program in assembly. The text ends with the program. Callable from any thread.
attila_status attila_program_disassembly(const attila_program *program, attila_text *out);

// The program as a binary, which can be loaded again. The bytes end with the program. Callable from any thread.
attila_status attila_program_binary(const attila_program *program,
                                    attila_bytes *out);

// What a program reads and writes. Callable from any thread.
attila_status attila_program_usage(const attila_program *program, attila_usage *out);

// The register that a text has a name for: `fragment.texcoord[0]`, `program.local[1]`, `v0`, `fc1`, or just `c3`.
// `error` may be null. Callable from any thread.
attila_status attila_program_register(const attila_program *program,
                                      attila_text name,
                                      attila_register *out,
                                      attila_own attila_error **error);

// -- Shaders ---------------------------------------------------------------------------------------------
// A shader is a program that an engine has made ready. Shaders do not change, so that any number of threads may use
// one.

// A program that is ready to run.
typedef struct attila_shader attila_shader;

// What runs a program. The results are the same.
typedef uint32_t attila_engine;

// The JIT, or the interpreter where the JIT cannot compile the program.
#define ATTILA_ENGINE_AUTO 0
#define ATTILA_ENGINE_JIT 1
#define ATTILA_ENGINE_INTERP 2

// How a program is made ready.
typedef struct attila_prepare_options {
    size_t size;
    attila_engine engine;
    // The width of the JIT's vectors: 128, 256 or 512 bits. 0: what the environment variable ATTILA_VECTORS says, or
    // the widest that the processor has.
    uint32_t vector_bits;
} attila_prepare_options;

#define ATTILA_PREPARE_OPTIONS_INIT {sizeof(attila_prepare_options), 0, 0}

// Makes a program ready. `options` and `error` may be null. Callable from any thread.
attila_status attila_shader_prepare(const attila_program *program,
                                    const attila_prepare_options *options,
                                    attila_own attila_shader **out,
                                    attila_own attila_error **error);

// Frees a shader. Draws that were made of it stay. Null is allowed. Callable from any thread.
attila_status attila_shader_free(attila_own attila_shader *shader);

// The name of the engine that runs a shader, such as "jit". Callable from any thread.
attila_status attila_shader_engine(const attila_shader *shader, attila_text *out);

// Why ATTILA_ENGINE_AUTO took the interpreter; empty if it did not. The text ends with the shader. Callable from any
// thread.
attila_status attila_shader_refusal(const attila_shader *shader,
                                    attila_text *out);

// -- Textures --------------------------------------------------------------------------------------------
// A texture is an image with a sampler. Textures do not change, so that any number of threads and bindings may use
// one.

// An image with a sampler.
typedef struct attila_texture attila_texture;

// The kind of an image's coordinates.
typedef uint32_t attila_dimension;

#define ATTILA_DIMENSION_2D 0
#define ATTILA_DIMENSION_1D 1
#define ATTILA_DIMENSION_3D 2
// Six faces: +X, -X, +Y, -Y, +Z, -Z.
#define ATTILA_DIMENSION_CUBE 3
// 2D, at coordinates in texels.
#define ATTILA_DIMENSION_RECT 4
// A row of texels that are fetched.
#define ATTILA_DIMENSION_BUFFER 5
#define ATTILA_DIMENSION_1D_ARRAY 6
#define ATTILA_DIMENSION_2D_ARRAY 7
#define ATTILA_DIMENSION_CUBE_ARRAY 8
// 2D, with several samples for each texel.
#define ATTILA_DIMENSION_2D_MS 9
#define ATTILA_DIMENSION_2D_MS_ARRAY 10

// Called once when the library no longer needs memory that it was lent, from the thread that made it so. Must not
// throw.
typedef void (*attila_release)(void *user);

// The texels of an image.
typedef struct attila_image_data {
    size_t size;
    attila_dimension dimension;
    uint32_t width;
    // 1 where there is only one axis.
    uint32_t height;
    // Layers of a 3D image, else 1.
    uint32_t depth;
    // Layers of an array, or cubes; else 1.
    uint32_t layers;
    // Of a texel, in a multisampled image; else 1.
    uint32_t samples;
    // The name of the format, as docs/textures.md lists them: "rgba8" if it is empty, "bgra8", "dxt1", "rgba16f", …
    attila_text format;
    // Bytes for each level, the largest first: slices, of rows, of texels or blocks, all without gaps.
    const attila_bytes *levels;
    size_t level_count;
    // 1: makes the smaller levels from the first.
    uint32_t make_mipmaps;
    // 1: keeps compressed texels as exact as their format defines them, and not with 8 bits.
    uint32_t exact;
    // If it is set, the bytes are lent until it is called with `user`. If not, they are copied before the call ends.
    // If the texture is not made, it is not called.
    attila_release release;
    void *user;
} attila_image_data;

#define ATTILA_IMAGE_DATA_INIT {sizeof(attila_image_data), 0, 1, 1, 1, 1, 1, {0, 0}, 0, 1, 0, 0, 0, 0}

// How texels of one level become a sample.
typedef uint32_t attila_filter;

#define ATTILA_FILTER_LINEAR 0
#define ATTILA_FILTER_NEAREST 1

// How levels become a sample where the image is minified.
typedef uint32_t attila_mip;

// The base level only.
#define ATTILA_MIP_NONE 0
#define ATTILA_MIP_NEAREST 1
#define ATTILA_MIP_LINEAR 2

// The texels past the ends of an axis.
typedef uint32_t attila_wrap;

// Clamp to the edge for cubes and rectangles, repeat for others.
#define ATTILA_WRAP_DEFAULT 0
#define ATTILA_WRAP_REPEAT 1
// OpenGL's CLAMP, which meets the border halfway.
#define ATTILA_WRAP_CLAMP 2
#define ATTILA_WRAP_CLAMP_TO_EDGE 3
#define ATTILA_WRAP_CLAMP_TO_BORDER 4
#define ATTILA_WRAP_MIRRORED_REPEAT 5

// How red, green and blue become linear.
typedef uint32_t attila_srgb;

// They are.
#define ATTILA_SRGB_LINEAR 0
// v^2.2, as in ATTILA.
#define ATTILA_SRGB_POWER 1
#define ATTILA_SRGB_STANDARD 2

// The colour of a depth texture.
typedef uint32_t attila_depth_mode;

// Each component is compared, as in ATTILA.
#define ATTILA_DEPTH_MODE_COMPONENTS 0
#define ATTILA_DEPTH_MODE_LUMINANCE 1
#define ATTILA_DEPTH_MODE_INTENSITY 2
#define ATTILA_DEPTH_MODE_ALPHA 3

// How an image is sampled.
typedef struct attila_sampler {
    size_t size;
    attila_filter mag;
    attila_filter min;
    attila_mip mip;
    // Along s, t and r.
    attila_wrap wrap[3];
    float lod_min;
    float lod_max;
    float lod_bias;
    uint32_t base_level;
    uint32_t max_level;
    // 1 to 16.
    uint32_t max_anisotropy;
    // The colour of the border.
    float border[4];
    // Compares texels, on the left, with a reference; ATTILA_COMPARE_OFF does not.
    attila_compare compare;
    attila_depth_mode depth_mode;
    attila_srgb srgb;
    // 1: coordinates are texels.
    uint32_t texel_coordinates;
    // 1: the level of detail counts from the base level, as in OpenGL, and not from level 0.
    uint32_t lod_from_base;
    // 1: all lanes of a quad sample the same face of a cube, as in ATTILA.
    uint32_t cube_face_per_quad;
} attila_sampler;

#define ATTILA_SAMPLER_INIT {sizeof(attila_sampler), 0, 0, 0, {0, 0, 0}, 0, 14, 0, 0, 14, 1, {0, 0, 0, \
    0}, 0, 0, 0, 0, 0, 0}

// Makes a texture. `state` may be null for the defaults, and `error` may be null. Callable from any thread.
attila_status attila_texture_new(const attila_image_data *data,
                                 const attila_sampler *state,
                                 attila_own attila_texture **out,
                                 attila_own attila_error **error);

// Frees a texture. Bindings that have it keep it. Null is allowed. Callable from any thread.
attila_status attila_texture_free(attila_own attila_texture *texture);

// -- Callbacks -------------------------------------------------------------------------------------------
// Texture units and vertex attributes of the caller. A callback that returns something else than 0 ends the run or draw
// with ATTILA_STATUS_CALLBACK. Callbacks must neither throw nor jump out. They may call the library, also to run or draw,
// up to 16 runs inside each other; objects that the call in progress uses may be used, but not be changed.
//
// With several threads, callbacks are called from all of them, at the same time.

// The question of a texture instruction.
typedef uint32_t attila_lookup;

// Filtered texels at `coords`.
#define ATTILA_LOOKUP_SAMPLE 0
// `component` of the four texels around `coords`.
#define ATTILA_LOOKUP_GATHER 1
// The level of detail of a sample at `coords`.
#define ATTILA_LOOKUP_LEVEL_OF_DETAIL 2
// The texel at `texel`.
#define ATTILA_LOOKUP_FETCH 3
// The size of the levels `texel[0]`, and the number of levels.
#define ATTILA_LOOKUP_SIZE 4
// The number of samples of a texel.
#define ATTILA_LOOKUP_SAMPLES 5

// How a sample finds its level of detail.
typedef uint32_t attila_level;

// From the derivatives of the coordinates.
#define ATTILA_LEVEL_IMPLICIT 0
// The same, and `level` is added.
#define ATTILA_LEVEL_BIAS 1
// It is `level`.
#define ATTILA_LEVEL_EXPLICIT 2
// From the derivatives `gradient_x` and `gradient_y`.
#define ATTILA_LEVEL_GRADIENTS 3

// A texture instruction for a quad: lanes 0 and 1 above lanes 2 and 3. Numbers are by component or axis, then by lane.
typedef struct attila_texture_query {
    size_t size;
    attila_lookup lookup;
    uint32_t unit;
    attila_stage stage;
    // The lanes that execute the instruction, bit n = lane n. The answers of the others do not count.
    uint32_t active;
    // The code of the kind of image that the instruction names (docs/machine.md); -1 if it names none.
    int32_t shape;
    // 1 if texels are to be compared where the sampler compares.
    uint32_t compared;
    float coords[4][4];
    int32_t texel[4][4];
    uint32_t component;
    attila_level level_kind;
    float level[4];
    // 1 if there is a `reference` beside the coordinates.
    uint32_t has_reference;
    // 1 if `offset` is to be added.
    uint32_t has_offset;
    float reference[4];
    int32_t offset[3][4];
    float gradient_x[3][4];
    float gradient_y[3][4];
} attila_texture_query;

// Answers a query: `out[component][lane]`, which is 0 before. For integers it holds their bits.
typedef int (*attila_answer)(void *user, const attila_texture_query *query, float (*out)[4]);

// Texture units of the caller.
typedef struct attila_texture_unit {
    size_t size;
    // The units that there are, bit n = unit n.
    uint32_t units;
    // 1 if answers follow from queries alone, and queries may come in any order and more than once: faster.
    uint32_t in_any_order;
    attila_answer answer;
    void *user;
} attila_texture_unit;

#define ATTILA_TEXTURE_UNIT_INIT {sizeof(attila_texture_unit), 0xffffffff, 0, 0, 0}

// Fetches an attribute of four vertices: `out[component][lane]`, which is (0, 0, 0, 1) before. Only the lanes `wanted`
// count, bit n = lane n.
typedef int (*attila_fetch)(void *user,
                            uint32_t attribute,
                            const uint32_t *vertices,
                            uint32_t wanted,
                            float (*out)[4]);

// Vertex attributes of the caller, for programs that fetch them themselves (LDA).
typedef struct attila_attribute_source {
    size_t size;
    attila_fetch fetch;
    void *user;
    // 1 if answers follow from questions alone, and questions may come in any order and more than once: faster.
    uint32_t in_any_order;
    uint32_t reserved;
} attila_attribute_source;

#define ATTILA_ATTRIBUTE_SOURCE_INIT {sizeof(attila_attribute_source), 0, 0, 0, 0}

// -- Bindings --------------------------------------------------------------------------------------------
// Bindings are what a program reads beside its inputs: constants, constant buffers, textures, vertex attributes. Any
// number of draws and maps may use bindings at the same time. While they do, a call that changes them returns
// ATTILA_STATUS_BUSY.

// Constants, textures and vertex attributes.
typedef struct attila_bindings attila_bindings;

// Makes bindings with the constants and buffers that a program gives itself, and with the names of its text. `program`
// may be null: then all constants are 0, and have no names. `error` may be null. Callable from any thread.
attila_status attila_bindings_new(const attila_program *program,
                                  attila_own attila_bindings **out,
                                  attila_own attila_error **error);

// Frees bindings. Null is allowed. Callable from any thread.
attila_status attila_bindings_free(attila_own attila_bindings *bindings);

// Sets `count` constants from number `first` on: four floats each, x to w. Callable from any thread.
attila_status attila_bindings_constants(attila_bindings *bindings,
                                        size_t first,
                                        const float *values,
                                        size_t count);

// The same with raw words, for integers.
attila_status attila_bindings_constant_bits(attila_bindings *bindings,
                                            size_t first,
                                            const uint32_t *words,
                                            size_t count);

// Sets the constant that the program's text has a name for, such as `program.local[1]`, `CONST[0][1]` or `fc1`, to four
// floats. `error` may be null. Callable from any thread.
attila_status attila_bindings_set(attila_bindings *bindings,
                                  attila_text name,
                                  const float *value,
                                  attila_own attila_error **error);

// Copies `count` vectors of four words each into constant buffer `index`. Callable from any thread.
attila_status attila_bindings_buffer(attila_bindings *bindings,
                                     size_t index,
                                     const uint32_t *words,
                                     size_t count);

// Puts a texture to a unit, which keeps it until another is put there. Units that a callback answers for are asked of
// that. Callable from any thread.
attila_status attila_bindings_texture(attila_bindings *bindings,
                                      size_t unit,
                                      const attila_texture *texture);

// Has a callback answer for all texture units; null takes it away. `user` must stay valid until then, or until the
// bindings are freed. Callable from any thread.
attila_status attila_bindings_texture_unit(attila_bindings *bindings,
                                           const attila_texture_unit *unit);

// Has a callback fetch vertex attributes, for programs that ask for them themselves; null takes it away. `user` must
// stay valid until then, or until the bindings are freed. Callable from any thread.
attila_status attila_bindings_attribute_source(attila_bindings *bindings,
                                               const attila_attribute_source *source);

// Lets each lane take that many backward jumps in place of 65,536. Callable from any thread.
attila_status attila_bindings_loop_budget(attila_bindings *bindings, uint32_t budget);

// -- Images ----------------------------------------------------------------------------------------------
// Images are memory of the caller that draws store to, lent for the length of a call. Only pixels are touched, never the
// bytes between rows or between samples: threads may draw to different columns of the same rows.

// How pixels are stored, words little-endian.
typedef uint32_t attila_format;

// A byte each, truncated as ATTILA does it.
#define ATTILA_FORMAT_RGBA8 0
#define ATTILA_FORMAT_BGRA8 1
// Red, green and blue are encoded as sRGB.
#define ATTILA_FORMAT_RGBA8_SRGB 2
#define ATTILA_FORMAT_RGBA16F 3
#define ATTILA_FORMAT_RGBA32F 4
#define ATTILA_FORMAT_R32F 5
// Red in the lowest 10 bits, alpha in the highest 2.
#define ATTILA_FORMAT_RGB10A2 6
#define ATTILA_FORMAT_R8 7
// A depth of 32 bits.
#define ATTILA_FORMAT_D32F 256
// A depth of 24 bits in the low bytes of a word.
#define ATTILA_FORMAT_D24 257

// Pixels in memory, the upper row first.
typedef struct attila_image {
    size_t size;
    void *pixels;
    // The bytes that there are at `pixels`; 0: exactly as many as the image needs.
    size_t bytes;
    uint32_t width;
    uint32_t height;
    attila_format format;
    // Of a pixel: 1, 2, 4, 8 or 16. Each sample has a plane of its own.
    uint32_t samples;
    // Bytes from one row to the next; 0: no gap.
    size_t pitch;
    // Bytes from one sample's plane to the next; 0: no gap.
    size_t sample_pitch;
} attila_image;

#define ATTILA_IMAGE_INIT {sizeof(attila_image), 0, 0, 0, 0, 0, 1, 0, 0}

// -- State of draws --------------------------------------------------------------------------------------

// The factor of a colour before it is mixed, as in OpenGL.
typedef uint32_t attila_factor;

#define ATTILA_FACTOR_ZERO 0
#define ATTILA_FACTOR_ONE 1
#define ATTILA_FACTOR_SRC_COLOUR 2
#define ATTILA_FACTOR_ONE_MINUS_SRC_COLOUR 3
#define ATTILA_FACTOR_DST_COLOUR 4
#define ATTILA_FACTOR_ONE_MINUS_DST_COLOUR 5
#define ATTILA_FACTOR_SRC_ALPHA 6
#define ATTILA_FACTOR_ONE_MINUS_SRC_ALPHA 7
#define ATTILA_FACTOR_DST_ALPHA 8
#define ATTILA_FACTOR_ONE_MINUS_DST_ALPHA 9
#define ATTILA_FACTOR_CONSTANT_COLOUR 10
#define ATTILA_FACTOR_ONE_MINUS_CONSTANT_COLOUR 11
#define ATTILA_FACTOR_CONSTANT_ALPHA 12
#define ATTILA_FACTOR_ONE_MINUS_CONSTANT_ALPHA 13
#define ATTILA_FACTOR_SRC_ALPHA_SATURATE 14

// How two products are put together. Minimum and maximum take colours without factors.
typedef uint32_t attila_blend_op;

#define ATTILA_BLEND_ADD 0
#define ATTILA_BLEND_SUBTRACT 1
#define ATTILA_BLEND_REVERSE_SUBTRACT 2
#define ATTILA_BLEND_MIN 3
#define ATTILA_BLEND_MAX 4

// Which triangles are left out.
typedef uint32_t attila_cull;

#define ATTILA_CULL_NONE 0
#define ATTILA_CULL_FRONT 1
#define ATTILA_CULL_BACK 2

// How colours are mixed with those that are there.
typedef struct attila_blend {
    // 0: colours replace what is there.
    uint32_t enabled;
    attila_blend_op colour_op;
    attila_factor colour_src;
    attila_factor colour_dst;
    attila_blend_op alpha_op;
    attila_factor alpha_src;
    attila_factor alpha_dst;
} attila_blend;

// A rectangle of pixels: columns from `x0` to `x1` - 1, rows from `y0` to `y1` - 1.
typedef struct attila_rect {
    int64_t x0;
    int64_t y0;
    int64_t x1;
    int64_t y1;
} attila_rect;

// The state of a draw.
typedef struct attila_state {
    size_t size;
    // A fragment is kept if its depth, on the left, compares like this with the stored one. Off: a depth image is left
    // alone.
    attila_compare depth_compare;
    // 1: stores depths.
    uint32_t depth_write;
    // A fragment is kept if `o1.w`, on the left, compares like this with `alpha_reference`.
    attila_compare alpha_compare;
    float alpha_reference;
    // For each colour image.
    attila_blend blend[8];
    float blend_constant[4];
    // The components that are stored of each colour image, bit 0 = red.
    uint8_t write_mask[8];
    // If `has_scissor` is 1, draws only there.
    attila_rect scissor;
    uint32_t has_scissor;
    attila_cull cull;
    // 1: triangles show their front whose vertices go with the clock, and not against it.
    uint32_t front_clockwise;
    // 1: triangles that show their back have the colours of the back, attributes 3 and 4.
    uint32_t two_sided;
    // Draws only to these samples, bit n = sample n.
    uint32_t sample_mask;
    // 1: runs the program for each sample.
    uint32_t sample_shading;
    // 1: has `o1.w` choose samples.
    uint32_t alpha_to_coverage;
    // Covers pixels of images with one sample by so many samples; 0: by as many as they have.
    uint32_t raster_samples;
    // As many are set of `sample_positions`, in sixteenths of a pixel from the centre; 0: the standard positions.
    uint32_t sample_position_count;
    int8_t sample_positions[16][2];
    // Where planes start from.
    float anchor[2];
    // Draws on up to so many threads; 0: as many as there are processors.
    uint32_t threads;
} attila_state;

#define ATTILA_STATE_INIT {sizeof(attila_state), 2, 1, 0, 0, {{0, 0, 0, 0, 0, 0, 0}}, {0, 0, 0, 0}, {15, \
    15, 15, 15, 15, 15, 15, 15}, {0, 0, 0, 0}, 0, 0, 0, 0, 0xffffffff, 0, 0, 0, 0, {{0, 0}}, {0, 0}, 1}

// -- Inputs of draws -------------------------------------------------------------------------------------

// A value that changes by the same amount from pixel to pixel. It starts from the upper left corner of the image, or
// from the `anchor` of the state.
typedef struct attila_plane {
    // The value there.
    float at;
    // The increase per column.
    float dx;
    // The increase per row.
    float dy;
} attila_plane;

// Where an input comes from.
typedef uint32_t attila_input_kind;

// `at` of the planes.
#define ATTILA_INPUT_FLAT 0
// The planes.
#define ATTILA_INPUT_LINEAR 1
// The planes of values that are divided by w, as attributes in perspective are. The plane of 1/w is that of i0.w.
#define ATTILA_INPUT_PERSPECTIVE 2
// For i0: the position in x and y, and the planes of depth and of 1/w in z and w.
#define ATTILA_INPUT_POSITION 3
// An attribute of vertices, in perspective.
#define ATTILA_INPUT_VERTICES 4
// An attribute of vertices, linear in the window.
#define ATTILA_INPUT_VERTICES_LINEAR 5
// The attribute of the last vertex.
#define ATTILA_INPUT_VERTICES_FLAT 6
// An array with a register for each quad, which attila_draw_quads is given.
#define ATTILA_INPUT_ARRAY 7

// The point of a pixel at which an input is evaluated.
typedef uint32_t attila_location;

#define ATTILA_LOCATION_CENTRE 0
// The centre if all samples are covered, else one that is.
#define ATTILA_LOCATION_CENTROID 1
// The sample, for each of which the program runs then.
#define ATTILA_LOCATION_SAMPLE 2

// An input of a draw.
typedef struct attila_varying {
    size_t size;
    attila_input_kind kind;
    attila_location location;
    // One for each component.
    attila_plane planes[4];
    // Components, bit 0 = x, of an attribute of vertices that go the shorter way round a cylinder.
    uint32_t wraps;
    uint32_t reserved;
} attila_varying;

#define ATTILA_VARYING_INIT {sizeof(attila_varying), 0, 0, {{0, 0, 0}}, 0, 0}

// -- Frames ----------------------------------------------------------------------------------------------
// The bindings and images that a draw is given each time, and the place of the images in a larger picture.

// Hears that `done` of `all` pixels or elements are finished, at most about 20 ms apart. Something else than 0 stops the
// call with ATTILA_STATUS_STOPPED. Called from the threads that work, one at a time. Must not throw.
typedef int (*attila_progress)(void *user, uint64_t done, uint64_t all);

// The bindings that a draw reads, and the images that it stores to.
typedef struct attila_frame {
    size_t size;
    // Null: all constants are 0.
    const attila_bindings *bindings;
    // The images that outputs o1 to o8 are stored to; null where there is none.
    const attila_image *colour[8];
    // The image that depths are compared with and stored to, or null.
    const attila_image *depth;
    // If `picture` is not 0, the images are a tile of a picture of `picture` pixels, the first pixel of which is at
    // `origin`. Shapes, planes and positions are those of the picture, and so are the pixels that are drawn.
    int32_t origin[2];
    uint32_t picture[2];
    // May be null.
    attila_progress progress;
    void *user;
} attila_frame;

#define ATTILA_FRAME_INIT {sizeof(attila_frame), 0, {0}, 0, {0, 0}, {0, 0}, 0, 0}

// -- Draws -----------------------------------------------------------------------------------------------
// A draw is a fragment shader with inputs and state. It compiles its code when it first draws to images of some formats,
// and draws again without allocating. One thread at a time may use a draw: a call that finds it in use returns
// ATTILA_STATUS_BUSY. For several threads there is attila_draw_clone, or the field `threads` of the state.

// A shader with the inputs and the state of a draw.
typedef struct attila_draw attila_draw;

// Makes a draw. `state` may be null for the defaults, and `error` may be null. Callable from any thread.
attila_status attila_draw_new(const attila_shader *shader,
                              const attila_state *state,
                              attila_own attila_draw **out,
                              attila_own attila_error **error);

// Frees a draw. Null is allowed. Callable from any thread.
attila_status attila_draw_free(attila_own attila_draw *draw);

// Makes a draw that is the same, with the code that has been compiled, for another thread. Callable from any thread.
attila_status attila_draw_clone(const attila_draw *draw,
                                attila_own attila_draw **out);

// Changes the state of a draw, which is compiled anew if its code depends on it. `error` may be null. Callable from any
// thread.
attila_status attila_draw_state(attila_draw *draw,
                                const attila_state *state,
                                attila_own attila_error **error);

// Says where input `number` comes from; null: from where it comes by default, which is the position for i0, and for
// others attributes of the vertices, if there are. Values of the same kind are changed without compiling anything.
// Callable from any thread.
attila_status attila_draw_input(attila_draw *draw,
                                size_t number,
                                const attila_varying *input);

// -- Shapes ----------------------------------------------------------------------------------------------

// 2x2 pixels to be shaded.
typedef struct attila_quad {
    // Column of the left pixels, an even number.
    uint32_t x;
    // Row of the upper pixels, an even number.
    uint32_t y;
    // The covered samples of each pixel, bit n = sample n: upper left, upper right, lower left, lower right.
    uint16_t coverage[4];
} attila_quad;

// An input with a register for each quad: 16 numbers, four pixels of x, four of y, four of z, four of w.
typedef struct attila_array {
    size_t size;
    size_t input;
    const float *numbers;
    // Number of registers.
    size_t count;
} attila_array;

#define ATTILA_ARRAY_INIT {sizeof(attila_array), 0, 0, 0}

// How a component of a vertex attribute is stored, little-endian.
typedef uint32_t attila_vertex_format;

#define ATTILA_VERTEX_FLOAT32 0
#define ATTILA_VERTEX_FLOAT16 1
// Fractions of the greatest number.
#define ATTILA_VERTEX_UNORM8 2
#define ATTILA_VERTEX_UNORM16 3
#define ATTILA_VERTEX_UNORM32 4
#define ATTILA_VERTEX_SNORM8 5
#define ATTILA_VERTEX_SNORM16 6
#define ATTILA_VERTEX_SNORM32 7
// As numbers.
#define ATTILA_VERTEX_UINT8 8
#define ATTILA_VERTEX_UINT16 9
#define ATTILA_VERTEX_UINT32 10
#define ATTILA_VERTEX_SINT8 11
#define ATTILA_VERTEX_SINT16 12
#define ATTILA_VERTEX_SINT32 13

// An attribute of consecutive vertices in a buffer. Vertices that are not there as a whole have `value`.
typedef struct attila_attribute {
    size_t size;
    // The number of the attribute, which is that of the vertex program's input.
    uint32_t number;
    attila_vertex_format format;
    uint32_t components;
    // 1: stored as blue, green, red, alpha.
    uint32_t bgra;
    attila_bytes buffer;
    // Bytes before the first vertex.
    size_t offset;
    // Bytes from one vertex to the next; 0: the attribute is the same for all.
    size_t stride;
    // The components that are not stored.
    float value[4];
} attila_attribute;

#define ATTILA_ATTRIBUTE_INIT {sizeof(attila_attribute), 0, 0, 4, 0, {0, 0}, 0, 0, {0, 0, 0, 1}}

// Triangles whose vertices are already where they belong in the window.
typedef struct attila_triangles {
    size_t size;
    // Four numbers for each vertex: column and row in pixels, depth from 0 to 1, and 1/w, which is 1 for what is flat on
    // the screen.
    const float *positions;
    // Number of vertices.
    size_t count;
    // Arrays that have four numbers for each vertex.
    const attila_array *attributes;
    size_t attribute_count;
    // Three for each triangle; null: the vertices in their order.
    const void *indices;
    size_t index_count;
    // 16 or 32.
    uint32_t index_bits;
    uint32_t reserved;
} attila_triangles;

#define ATTILA_TRIANGLES_INIT {sizeof(attila_triangles), 0, 0, 0, 0, 0, 0, 32, 0}

// Triangles whose vertices go through a program of their own. Its output o0 is the position in clip space, and its
// outputs o1 to o15 become the fragment program's inputs.
typedef struct attila_mesh {
    size_t size;
    // The vertex program.
    const attila_shader *shader;
    // Bindings of the vertex program; null: all constants are 0.
    const attila_bindings *bindings;
    const attila_attribute *attributes;
    size_t attribute_count;
    // Three for each triangle; null: the vertices from 0 to `index_count` - 1 in their order.
    const void *indices;
    size_t index_count;
    // 16 or 32.
    uint32_t index_bits;
    // The number of the instance.
    uint32_t instance;
    // 1: depths in clip space are from 0 to w, as in Direct3D, and not from -w.
    uint32_t zero_to_one;
    // 1: the first colour is clamped to [0, 1], as by ATTILA's fixed stages.
    uint32_t clamp_colour;
    // 1: clip space maps to `viewport` and `depth_range`, and not to the whole picture.
    uint32_t has_viewport;
    // 1: y of clip space grows down the rows of `viewport`.
    uint32_t y_down;
    // Column, row, width and height.
    float viewport[4];
    float depth_range[2];
} attila_mesh;

#define ATTILA_MESH_INIT {sizeof(attila_mesh), 0, 0, 0, 0, 0, 0, 32, 0, 0, 1, 0, 0, {0, 0, 0, 0}, {0, 1}}

// Draws a rectangle of pixels, as far as it is within the images. Nothing may be null but `error`. Callable from any
// thread.
attila_status attila_draw_rect(attila_draw *draw,
                               const attila_frame *frame,
                               attila_rect area,
                               attila_own attila_error **error);

// Draws quads in their order, for a renderer with its own rasteriser. `arrays` has what inputs of the kind
// ATTILA_INPUT_ARRAY hold for each quad; it may be null if there are none, and `error` may be null. Callable from any
// thread.
attila_status attila_draw_quads(attila_draw *draw,
                                const attila_frame *frame,
                                const attila_quad *quads,
                                size_t quad_count,
                                const attila_array *arrays,
                                size_t array_count,
                                attila_own attila_error **error);

// Draws triangles. Inputs that the vertices have attributes for come from there, in perspective, unless they are set
// otherwise. Nothing may be null but `error` and what the struct says. Callable from any thread.
attila_status attila_draw_triangles(attila_draw *draw,
                                    const attila_frame *frame,
                                    const attila_triangles *triangles,
                                    attila_own attila_error **error);

// Draws a mesh. Nothing may be null but `error` and what the struct says. Callable from any thread.
attila_status attila_draw_mesh(attila_draw *draw,
                               const attila_frame *frame,
                               const attila_mesh *mesh,
                               attila_own attila_error **error);

// -- Maps ------------------------------------------------------------------------------------------------
// A map runs a program for each element of columns of numbers.

// The numbers of an input. They are vectors of `components` numbers, or a slice for each component; if both are null, the
// input is `value` for all elements.
typedef struct attila_column {
    size_t size;
    // The number of the input.
    size_t number;
    // 1 to 4. Others are 0, and w is 1.
    size_t components;
    // Number of elements.
    size_t count;
    // The vectors.
    const float *vectors;
    // Numbers from the beginning of one vector to that of the next; 0: no gap.
    size_t stride;
    // The slices.
    const float *slices[4];
    float value[4];
} attila_column;

#define ATTILA_COLUMN_INIT {sizeof(attila_column), 0, 4, 0, 0, 0, {0, 0, 0, 0}, {0, 0, 0, 1}}

// Room for the numbers of an output: vectors of `components` numbers, or a slice for each component. Numbers between
// vectors stay as they are.
typedef struct attila_output {
    size_t size;
    // The number of the output.
    size_t number;
    // 1 to 4. Others are dropped.
    size_t components;
    // Number of elements.
    size_t count;
    // The vectors.
    float *vectors;
    // Numbers from the beginning of one vector to that of the next; 0: no gap.
    size_t stride;
    // The slices.
    float *slices[4];
} attila_output;

#define ATTILA_OUTPUT_INIT {sizeof(attila_output), 0, 4, 0, 0, 0, {0, 0, 0, 0}}

// What a map reads and writes.
typedef struct attila_map {
    size_t size;
    const attila_column *inputs;
    size_t input_count;
    const attila_output *outputs;
    size_t output_count;
    // If it is not null, gets a 1 for each of `killed_count` elements that is killed, and a 0 for others.
    uint8_t *killed;
    size_t killed_count;
    // Runs on up to so many threads; 0: as many as there are processors.
    uint32_t threads;
    // 1: four successive elements are a quad, with derivatives.
    uint32_t quads;
    // May be null.
    attila_progress progress;
    void *user;
} attila_map;

#define ATTILA_MAP_INIT {sizeof(attila_map), 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}

// Runs a program for each element. `bindings` may be null: then all constants are 0. `error` may be null. Callable from
// any thread.
attila_status attila_shader_map(const attila_shader *shader,
                                const attila_bindings *bindings,
                                const attila_map *map,
                                attila_own attila_error **error);

// A text that ends with a zero.
static inline attila_text attila_text_of(const char *text) {
    attila_text it;
    it.data = text;
    it.length = text ? strlen(text) : 0;
    return it;
}

// The same as bytes, for attila_program_load.
static inline attila_bytes attila_bytes_of(const char *text) {
    attila_bytes it;
    it.data = text;
    it.length = text ? strlen(text) : 0;
    return it;
}

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
