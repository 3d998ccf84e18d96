//! A program whose registers have been looked up and whose rules have been checked.

use std::collections::BTreeSet;
use std::ops::Range;

use attila_isa::{Component, Diagnostic, Modifiers, Slots, Swizzle};
use smallvec::SmallVec;

use super::dialect::Dialect;
use super::table::TgsiOpcode;
use super::words::{
    File, ImmediateType, Interpolation, Location, Origin, PixelCenter, Primitive, Processor,
    ReturnType, SemanticName, Target,
};

/// A program.
#[derive(Clone, PartialEq, Debug)]
pub struct TgsiProgram {
    /// The kind of program.
    pub processor: Processor,
    /// Its dialect: the one that was chosen, or the one that the text has the marks of.
    pub dialect: Dialect,
    /// General facts.
    pub properties: Properties,
    /// Its inputs, by register. A register whose components have several semantics is there
    /// several times.
    pub inputs: Vec<Varying>,
    /// Its outputs, by register, as inputs are.
    pub outputs: Vec<Varying>,
    /// Its system values, by register.
    pub system_values: Vec<SystemValue>,
    /// The constant buffers that it declares, by number.
    pub constants: Vec<ConstantBuffer>,
    /// Its immediates: `IMM[n]` is the n-th.
    pub immediates: Vec<Immediate>,
    /// The vectors of `IMMX[n]`, by register.
    pub immediate_arrays: Vec<(u32, [u32; 4])>,
    /// The number of the highest temporary, plus 1.
    pub temporaries: u32,
    /// The number of the highest address register, plus 1.
    pub addresses: u32,
    /// The number of the highest predicate register, plus 1.
    pub predicates: u32,
    /// The registers that are addressed relatively. No two entries share a register.
    pub arrays: Vec<Array>,
    /// Its samplers, by number.
    pub samplers: BTreeSet<u32>,
    /// Its views of textures, by number.
    pub views: Vec<View>,
    /// Its buffers, by number.
    pub buffers: BTreeSet<u32>,
    /// Its instructions.
    pub instructions: Vec<Instruction>,
    /// The instructions that are in no subroutine, in pieces between them.
    pub main: Vec<Range<usize>>,
    /// Its subroutines, in the order of the text.
    pub routines: Vec<Routine>,
    /// The number of vectors that PUSHA puts on the stack at most.
    pub stack: u32,
    /// Remarks that do not keep it from running, in the order of the text.
    pub warnings: Vec<Diagnostic>,
}

impl TgsiProgram {
    /// The array that a register belongs to, if that is addressed relatively, here or elsewhere.
    /// Constants are in none: see [`ConstantBuffer::relative`].
    pub fn array_of(&self, register: &Register) -> Option<&Array> {
        if let Some(number) = register.array {
            return self.arrays.get(number);
        }
        let number = register.index.fixed()?;
        let dimension = match register.file == File::TemporaryArray {
            true => register.dimension.and_then(Index::fixed)?,
            false => 0,
        };
        let holds = |array: &&Array| {
            array.file == register.file
                && array.dimension == dimension
                && array.range.contains(&number)
        };
        self.arrays.iter().find(holds)
    }
}

/// The registers of a file that instructions name.
#[derive(Clone, Default, Debug)]
pub(super) struct NamedRegisters {
    /// Registers with fixed numbers, and those that hold addresses.
    pub(super) numbers: BTreeSet<u32>,
    /// Whether addresses choose some.
    pub(super) relative: bool,
}

impl TgsiProgram {
    /// The registers of a file that instructions name.
    pub(super) fn named(&self, file: File) -> NamedRegisters {
        let registers = |instruction: &Instruction| -> Vec<Register> {
            let offsets = instruction.texture.iter().flat_map(|it| &it.offsets);
            let sources = instruction.sources.iter().chain(offsets);
            let read = sources.map(|source| source.register);
            read.chain(instruction.destinations.iter().map(|it| it.register))
                .collect()
        };
        let mut named = NamedRegisters::default();
        for register in self.instructions.iter().flat_map(registers) {
            let indices = register.dimension.into_iter().chain([register.index]);
            let addresses = indices.filter_map(|index| index.address);
            let addresses = addresses.filter(|it| it.file == file);
            named.numbers.extend(addresses.map(|it| it.register));
            if register.file == file {
                named.numbers.extend(register.index.fixed());
                named.relative |= register.index.address.is_some();
            }
        }
        named
    }
}

/// General facts about a program, from its properties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Properties {
    /// The primitives that enter a geometry program.
    pub input_primitive: Option<Primitive>,
    /// The primitives that a geometry program emits.
    pub output_primitive: Option<Primitive>,
    /// The number of vertices that a geometry program emits at most; at most 1,024.
    pub max_vertices: u32,
    /// How often a geometry program runs for each primitive.
    pub invocations: u32,
    /// The corner from which POSITION counts.
    pub origin: Origin,
    /// The fraction of POSITION at the centre of a pixel.
    pub pixel_center: PixelCenter,
    /// Whether COLOR\[0\] goes to all targets.
    pub color_to_all: bool,
    /// Whether positions are in pixels already.
    pub window_space: bool,
    /// Whether a product with a factor 0 is 0, even if the other one is infinite or NaN.
    pub zero_wins: bool,
    /// The number of clip distances.
    pub clip_distances: Option<u32>,
    /// The number of cull distances.
    pub cull_distances: Option<u32>,
    /// Threads of a block, in three dimensions.
    pub block: [u32; 3],
    /// The kind of the program that runs next.
    pub next: Option<Processor>,
    /// Properties that are of no consequence here, or unknown, in the order of the text.
    pub others: Vec<(String, String)>,
}

impl Default for Properties {
    fn default() -> Properties {
        Properties {
            input_primitive: None,
            output_primitive: None,
            max_vertices: 0,
            invocations: 1,
            origin: Origin::UpperLeft,
            pixel_center: PixelCenter::HalfInteger,
            color_to_all: false,
            window_space: false,
            zero_wins: false,
            clip_distances: None,
            cull_distances: None,
            block: [1; 3],
            next: None,
            others: Vec::new(),
        }
    }
}

/// The semantic of a register: its role between programs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Semantic {
    /// Its name.
    pub name: SemanticName,
    /// Its number among those of the same name.
    pub index: u32,
}

/// An input or an output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Varying {
    /// The register.
    pub register: u32,
    /// The components that it has.
    pub mask: Slots,
    /// Its semantic; vertex inputs have none.
    pub semantic: Option<Semantic>,
    /// How it is interpolated, if the text says so.
    pub interpolation: Option<Interpolation>,
    /// Where in the pixel it is taken.
    pub location: Location,
    /// The components that go the shorter way round a cylinder.
    pub wraps: Slots,
    /// Whether it is the same in all programs that compute it in the same way.
    pub invariant: bool,
    /// The streams of its components.
    pub streams: [u32; 4],
    /// Whether there is one for each vertex of the primitive that enters a geometry program.
    pub per_vertex: bool,
    /// Its declaration, in bytes of the text.
    pub span: Range<usize>,
}

/// A value that comes from the system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemValue {
    /// The register.
    pub register: u32,
    /// Its semantic.
    pub semantic: Semantic,
    /// Its declaration, in bytes of the text.
    pub span: Range<usize>,
}

/// A buffer of constants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConstantBuffer {
    /// Its number.
    pub buffer: u32,
    /// The number of the highest register that is declared, plus 1.
    pub size: u32,
    /// The registers that instructions name, without relative addresses.
    pub used: BTreeSet<u32>,
    /// Whether instructions address its registers relatively.
    pub relative: bool,
    /// Whether instructions may choose it by a relative address.
    pub chosen: bool,
}

/// A vector of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Immediate {
    /// The type that the text has written it in.
    pub kind: ImmediateType,
    /// Its words.
    pub bits: [u32; 4],
}

/// Registers that are addressed relatively, one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Array {
    /// Their file: TEMP, IN, OUT, IMM, IMMX or TEMPX.
    pub file: File,
    /// The array of TEMPX.
    pub dimension: u32,
    /// The registers. Where the text gives the array no number, all declared ones of the file.
    pub range: Range<u32>,
    /// Whether instructions write them.
    pub written: bool,
}

/// A texture's shape and type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// Its number.
    pub number: u32,
    /// Its shape.
    pub target: Target,
    /// The types of its components.
    pub types: [ReturnType; 4],
}

/// An index of a register, a buffer, a sampler or a vertex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Index {
    /// The number, or the offset from the address. Negative only with an address.
    pub base: i32,
    /// The address.
    pub address: Option<Address>,
}

impl Index {
    /// The number, if there is no address.
    pub fn fixed(self) -> Option<u32> {
        match self.address {
            None => u32::try_from(self.base).ok(),
            Some(_) => None,
        }
    }
}

/// A component that holds an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// The file: ADDR, TEMP, CONST, IN, SV or IMM.
    pub file: File,
    /// The register.
    pub register: u32,
    /// The component.
    pub component: Component,
}

/// A register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Register {
    /// Its file.
    pub file: File,
    /// The buffer of CONST, 0 unless the text names one; the vertex of geometry inputs; the array of
    /// TEMPX. `None` in all other files.
    pub dimension: Option<Index>,
    /// Its number in the file.
    pub index: Index,
    /// The number in [`TgsiProgram::arrays`] of the array that a relative index addresses. Constants
    /// have none.
    pub array: Option<usize>,
}

/// A destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Destination {
    /// The register: in TEMP, OUT, ADDR, PRED, TEMPX, or NULL, which drops the result.
    pub register: Register,
    /// The components that the instruction names.
    pub mask: Slots,
    /// The components that the register is declared with. Others are not written. Registers that an address chooses
    /// have those of all registers that it can choose.
    pub declared: Slots,
}

/// A source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// The register.
    pub register: Register,
    /// The component of each slot.
    pub swizzle: Swizzle,
    /// Its sign: of floats or integers, as the opcode takes it.
    pub modifiers: Modifiers,
}

/// A clamp of a float result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Saturation {
    /// None.
    None,
    /// `_SAT`: to 0..1.
    Unsigned,
    /// `_SATNV`: to -1..1.
    Signed,
}

/// The predicate that decides, component by component, whether a result is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guard {
    /// The predicate register.
    pub register: u32,
    /// Its component for each written one.
    pub swizzle: Swizzle,
    /// Whether its opposite decides.
    pub negate: bool,
}

/// The texture of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Texture {
    /// The shape, never [`Target::Unknown`].
    pub target: Target,
    /// The sampler. SAMPLE_I and its like have none.
    pub sampler: Option<Index>,
    /// The view. Instructions without one look at the view with the sampler's number.
    pub view: Option<Index>,
    /// The offsets in texels: none, one, or four of TG4. Slots x, y and z matter.
    pub offsets: SmallVec<[Source; 1]>,
}

/// The connection of an instruction with others. Numbers are those of instructions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flow {
    /// None: the next instruction follows.
    Next,
    /// IF, UIF or IFC.
    If {
        /// Its ELSE.
        other: Option<usize>,
        /// Its ENDIF.
        end: usize,
    },
    /// ELSE.
    Else {
        /// Its IF.
        start: usize,
        /// Its ENDIF.
        end: usize,
    },
    /// ENDIF.
    EndIf {
        /// Its IF.
        start: usize,
    },
    /// BGNLOOP.
    Loop {
        /// Its ENDLOOP.
        end: usize,
    },
    /// ENDLOOP.
    EndLoop {
        /// Its BGNLOOP.
        start: usize,
    },
    /// SWITCH.
    Switch {
        /// Its CASEs.
        cases: Vec<usize>,
        /// Its DEFAULT.
        default: Option<usize>,
        /// Its ENDSWITCH.
        end: usize,
    },
    /// CASE or DEFAULT.
    Case {
        /// Its SWITCH.
        start: usize,
    },
    /// ENDSWITCH.
    EndSwitch {
        /// Its SWITCH.
        start: usize,
    },
    /// BRK or BREAKC.
    Break {
        /// The BGNLOOP or SWITCH that is left.
        start: usize,
    },
    /// CONT.
    Continue {
        /// Its BGNLOOP.
        start: usize,
    },
    /// CAL or CALLNZ.
    Call {
        /// The number of the subroutine in [`TgsiProgram::routines`].
        routine: usize,
    },
    /// BRA.
    Jump {
        /// The next instruction, of the same subroutine, or of none as well.
        target: usize,
    },
    /// RET; outside of subroutines it ends the program.
    Return,
    /// BGNSUB.
    BeginRoutine {
        /// The number of the subroutine.
        routine: usize,
    },
    /// ENDSUB, which returns.
    EndRoutine {
        /// The number of the subroutine.
        routine: usize,
    },
    /// END.
    End,
}

/// An instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct Instruction {
    /// The opcode.
    pub opcode: TgsiOpcode,
    /// The clamp of its result.
    pub saturation: Saturation,
    /// Whether its result has to be the same in every program that computes it in the same way.
    pub precise: bool,
    /// The predicate that guards its result.
    pub guard: Option<Guard>,
    /// Its destinations: as many as its opcode has results. STORE has one, NULL
    /// with the mask of the buffer.
    pub destinations: SmallVec<[Destination; 1]>,
    /// Its sources in their order, without samplers, views and buffers. EMIT and ENDPRIM may have
    /// none.
    pub sources: SmallVec<[Source; 3]>,
    /// Its texture.
    pub texture: Option<Texture>,
    /// The number of its buffer.
    pub buffer: Option<u32>,
    /// Its connection with others.
    pub flow: Flow,
    /// The number of vectors on the stack before it, more than at the beginning of its subroutine;
    /// negative where the caller's are taken.
    pub depth: i32,
    /// Where it is in the text, in bytes.
    pub span: Range<usize>,
}

/// A subroutine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Routine {
    /// Its instructions, from BGNSUB to ENDSUB.
    pub instructions: Range<usize>,
    /// The subroutines that it calls, without repetitions. None calls itself by way of others.
    pub calls: Vec<usize>,
    /// The number of vectors on the stack after it, minus those before it.
    pub pushes: i32,
    /// The number of its instructions, and of those that it calls.
    pub length: usize,
}
