//! Derivatives, kills, lookups, flow, vertices that are emitted, and buffers.

use attila_isa::Opcode;

use super::super::super::table::TgsiOpcode as T;
use super::Recipe::{Atomic, Nothing, One, Whole, Without};
use super::{Recipe, Row};

const LOAD: Recipe = Whole(|it, instruction| it.load(instruction));
const STORE: Recipe = Whole(|it, instruction| it.store_words(instruction));
const BUFFER_SIZE: Recipe = Whole(|it, instruction| it.buffer_size(instruction));
const COMPARE_AND_SWAP: Recipe = Whole(|it, instruction| it.exchange_if_equal(instruction));
const INTERPOLATE: Recipe = Whole(|it, instruction| it.interpolated(instruction));
const SAMPLE: Recipe = Whole(|it, instruction| it.sample(instruction));
const FETCH: Recipe = Whole(|it, instruction| it.fetch(instruction));
const GATHER: Recipe = Whole(|it, instruction| it.gather(instruction));
const LEVEL: Recipe = Whole(|it, instruction| it.level(instruction));
const SIZE: Recipe = Whole(|it, instruction| it.size(instruction));
const FLOW: Recipe = Whole(|it, instruction| it.flow(instruction));

pub(super) const ROWS: &[Row] = &[
    (T::Ddx, One(|it, operands| it.ddx(operands))),
    (T::Ddy, One(|it, operands| it.ddy(operands))),
    (T::DdxFine, One(|it, operands| it.ddx_fine(operands))),
    (T::DdyFine, One(|it, operands| it.ddy_fine(operands))),
    (T::KillIf, One(|it, operands| it.kill_if(operands))),
    (T::Kill, Without(|it, operands| it.kill(operands))),
    (T::Demote, Without(|it, operands| it.kill(operands))),
    (
        T::ReadHelper,
        Without(|it, operands| it.read_helper(operands)),
    ),
    (T::InterpCentroid, INTERPOLATE),
    (T::InterpSample, INTERPOLATE),
    (T::InterpOffset, INTERPOLATE),
    // Textures.
    (T::Tex, SAMPLE),
    (T::Txb, SAMPLE),
    (T::Txl, SAMPLE),
    (T::Txp, SAMPLE),
    (T::Txd, SAMPLE),
    (T::TexLz, SAMPLE),
    (T::Tex2, SAMPLE),
    (T::Txb2, SAMPLE),
    (T::Txl2, SAMPLE),
    (T::Txf, FETCH),
    (T::TxfLz, FETCH),
    (T::Tg4, GATHER),
    (T::Lodq, LEVEL),
    (T::Txq, SIZE),
    (T::TxqLz, SIZE),
    (T::Txqs, Whole(|it, instruction| it.samples(instruction))),
    (T::Sample, SAMPLE),
    (T::SampleB, SAMPLE),
    (T::SampleC, SAMPLE),
    (T::SampleCLz, SAMPLE),
    (T::SampleD, SAMPLE),
    (T::SampleL, SAMPLE),
    (T::SampleI, FETCH),
    (T::SampleIMs, FETCH),
    (T::Gather4, GATHER),
    (T::Sviewinfo, SIZE),
    (T::Lod, LEVEL),
    // Flow.
    (T::Nop, Nothing),
    (T::If, FLOW),
    (T::Uif, FLOW),
    (T::Ifc, FLOW),
    (T::Else, FLOW),
    (T::Endif, FLOW),
    (T::Bgnloop, FLOW),
    (T::Endloop, FLOW),
    (T::Brk, FLOW),
    (T::Breakc, FLOW),
    (T::Cont, FLOW),
    (T::Switch, FLOW),
    (T::Case, FLOW),
    (T::Default, FLOW),
    (T::Endswitch, FLOW),
    (T::Bra, FLOW),
    (T::Cal, FLOW),
    (T::Callnz, FLOW),
    (T::Ret, FLOW),
    (T::Bgnsub, FLOW),
    (T::Endsub, FLOW),
    (T::End, FLOW),
    // Geometry.
    (
        T::Emit,
        Whole(|it, instruction| it.emit(Opcode::Emit, instruction)),
    ),
    (
        T::Endprim,
        Whole(|it, instruction| it.emit(Opcode::Endprim, instruction)),
    ),
    // Buffers.
    (T::Load, LOAD),
    (T::Store, STORE),
    (T::Resq, BUFFER_SIZE),
    (T::Atomuadd, Atomic(Opcode::Atomadd)),
    (T::Atomxchg, Atomic(Opcode::Atomxchg)),
    (T::Atomcas, COMPARE_AND_SWAP),
    (T::Atomand, Atomic(Opcode::Atomand)),
    (T::Atomor, Atomic(Opcode::Atomor)),
    (T::Atomxor, Atomic(Opcode::Atomxor)),
    (T::Atomumin, Atomic(Opcode::Atomumin)),
    (T::Atomumax, Atomic(Opcode::Atomumax)),
    (T::Atomimin, Atomic(Opcode::Atomimin)),
    (T::Atomimax, Atomic(Opcode::Atomimax)),
];
