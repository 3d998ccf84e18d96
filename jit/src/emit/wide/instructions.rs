//! The machine's instructions, from operands that have places.

use std::borrow::BorrowMut;

use iced_x86::{Code, Instruction, OpKind, Register};

use super::allocate::{Place, memory};
use super::forms::{Form, Width};
use super::mir::{Arg, Class, Fma, Holds, Home, Mem, Under, Vreg, Vregs};

/// The register with a number.
pub(super) fn register(width: Width, class: Class, number: u8) -> Register {
    let first = match (class, width) {
        (Class::Vector, Width::V256) => Register::YMM0,
        (Class::Vector, Width::V512) => Register::ZMM0,
        (Class::Mask, _) => Register::K0,
    };
    first + u32::from(number)
}

/// Operands of an instruction, a bit for each.
const FIRST: u8 = 1;
const SECOND: u8 = 2;
const THIRD: u8 = 4;

/// The operands of an instruction that are parts of vectors, and the first register of that size.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the encoder's codes are thousands, of which those with parts of vectors are named"
)]
fn part(code: Code) -> Option<(u8, Register)> {
    match code {
        Code::VEX_Vpmovzxwd_ymm_xmmm128
        | Code::VEX_Vcvtps2pd_ymm_xmmm128
        | Code::VEX_Vcvtph2ps_ymm_xmmm128
        | Code::VEX_Vcvtdq2pd_ymm_xmmm128
        | Code::VEX_Vbroadcastss_ymm_xmm
        | Code::VEX_Vpbroadcastd_ymm_xmmm32
        | Code::EVEX_Vbroadcastss_zmm_k1z_xmmm32
        | Code::VEX_Vmovups_xmmm128_xmm
        | Code::EVEX_Vmovups_xmmm128_k1z_xmm
        | Code::EVEX_Vmovss_m32_k1_xmm
        | Code::VEX_Vmovd_rm32_xmm
        | Code::EVEX_Vmovd_rm32_xmm
        | Code::VEX_Vmovq_rm64_xmm
        | Code::EVEX_Vmovq_rm64_xmm
        | Code::VEX_Vpextrd_rm32_xmm_imm8
        | Code::EVEX_Vpextrd_rm32_xmm_imm8
        | Code::VEX_Vpextrq_rm64_xmm_imm8
        | Code::EVEX_Vpextrq_rm64_xmm_imm8
        | Code::VEX_Vmovss_m32_xmm => Some((SECOND, Register::XMM0)),
        Code::VEX_Vmovups_xmm_xmmm128
        | Code::EVEX_Vmovups_xmm_k1z_xmmm128
        | Code::VEX_Vpmovzxbd_xmm_xmmm32
        | Code::VEX_Vmovd_xmm_rm32
        | Code::EVEX_Vmovd_xmm_rm32
        | Code::VEX_Vmovq_xmm_xmmm64
        | Code::EVEX_Vmovq_xmm_xmmm64
        | Code::VEX_Vextractf128_xmmm128_ymm_imm8
        | Code::EVEX_Vextractf32x4_xmmm128_k1z_zmm_imm8
        | Code::VEX_Vcvtpd2ps_xmm_ymmm256
        | Code::VEX_Vcvttpd2dq_xmm_ymmm256
        | Code::VEX_Vcvtps2ph_xmmm128_ymm_imm8 => Some((FIRST, Register::XMM0)),
        Code::VEX_Vpinsrd_xmm_xmm_rm32_imm8
        | Code::VEX_Vmaskmovps_xmm_xmm_m128
        | Code::EVEX_Vpinsrd_xmm_xmm_rm32_imm8
        | Code::VEX_Vmovhps_xmm_xmm_m64
        | Code::EVEX_Vmovhps_xmm_xmm_m64 => Some((FIRST | SECOND, Register::XMM0)),
        Code::VEX_Vinsertf128_ymm_ymm_xmmm128_imm8
        | Code::EVEX_Vinsertf32x4_zmm_k1z_zmm_xmmm128_imm8 => Some((THIRD, Register::XMM0)),
        Code::EVEX_Vmovups_ymmm256_k1z_ymm
        | Code::EVEX_Vpmovdb_xmmm64_k1z_ymm
        | Code::EVEX_Vcvtps2pd_zmm_k1z_ymmm256b32_sae
        | Code::EVEX_Vcvtph2ps_zmm_k1z_ymmm256_sae
        | Code::EVEX_Vpmovzxwd_zmm_k1z_ymmm256
        | Code::EVEX_Vcvtdq2pd_zmm_k1z_ymmm256b32_er
        | Code::EVEX_Vpgatherdq_zmm_k1_vm32y => Some((SECOND, Register::YMM0)),
        Code::EVEX_Vmovups_ymm_k1z_ymmm256
        | Code::EVEX_Vpmovzxbd_ymm_k1z_xmmm64
        | Code::EVEX_Vextracti64x4_ymmm256_k1z_zmm_imm8
        | Code::EVEX_Vextractf32x8_ymmm256_k1z_zmm_imm8
        | Code::EVEX_Vcvtpd2ps_ymm_k1z_zmmm512b64_er
        | Code::EVEX_Vcvttpd2dq_ymm_k1z_zmmm512b64_sae
        | Code::EVEX_Vcvtps2ph_ymmm256_k1z_zmm_imm8_sae
        | Code::EVEX_Vpmovdw_ymmm256_k1z_zmm => Some((FIRST, Register::YMM0)),
        _ => None,
    }
}

/// The register of another size that is a part of a whole vector.
fn of_size(first: Register, whole: Register) -> Register {
    let number = |from: Register| first + (whole as u32 - from as u32);
    if (Register::ZMM0..=Register::ZMM31).contains(&whole) {
        number(Register::ZMM0)
    } else if (Register::YMM0..=Register::YMM31).contains(&whole) {
        number(Register::YMM0)
    } else {
        whole
    }
}

/// An instruction whose operands are filled in.
pub(super) struct Building<I>(I, u32);

/// Begins an instruction.
pub(super) fn begin(code: Code) -> Building<Instruction> {
    begin_in(Instruction::default(), code)
}

/// Begins an instruction in place of an empty one.
fn begin_in<I: BorrowMut<Instruction>>(mut empty: I, code: Code) -> Building<I> {
    empty.borrow_mut().set_code(code);
    Building(empty, 0)
}

impl<I: BorrowMut<Instruction>> Building<I> {
    /// The next operand is a register.
    pub(super) fn register(&mut self, register: Register) -> &mut Building<I> {
        self.0.borrow_mut().set_op_kind(self.1, OpKind::Register);
        self.0.borrow_mut().set_op_register(self.1, register);
        self.1 += 1;
        self
    }

    /// The next operand is memory.
    pub(super) fn memory(&mut self, mem: Mem) -> &mut Building<I> {
        self.0.borrow_mut().set_op_kind(self.1, OpKind::Memory);
        self.0.borrow_mut().set_memory_base(mem.base);
        self.0.borrow_mut().set_memory_index(mem.index);
        self.0.borrow_mut().set_memory_index_scale(mem.scale.into());
        self.0
            .borrow_mut()
            .set_memory_displacement64(i64::from(mem.displacement).cast_unsigned());
        self.0
            .borrow_mut()
            .set_memory_displ_size(u32::from(mem.displacement != 0));
        self.0.borrow_mut().set_is_broadcast(mem.broadcast);
        self.1 += 1;
        self
    }

    /// The next operand is a constant.
    pub(super) fn immediate(&mut self, value: u8) -> &mut Building<I> {
        self.0.borrow_mut().set_op_kind(self.1, OpKind::Immediate8);
        self.0.borrow_mut().set_immediate8(value);
        self.1 += 1;
        self
    }

    /// The next operand is a constant of 32 bits.
    pub(super) fn immediate32(&mut self, value: u32) -> &mut Building<I> {
        self.0.borrow_mut().set_op_kind(self.1, OpKind::Immediate32);
        self.0.borrow_mut().set_immediate32(value);
        self.1 += 1;
        self
    }

    /// The next operand is a constant of 32 bits, the sign coming in above.
    pub(super) fn immediate32to64(&mut self, value: i32) -> &mut Building<I> {
        self.0
            .borrow_mut()
            .set_op_kind(self.1, OpKind::Immediate32to64);
        self.0.borrow_mut().set_immediate32to64(i64::from(value));
        self.1 += 1;
        self
    }

    /// The next operand is a constant of 64 bits.
    pub(super) fn immediate64(&mut self, value: u64) -> &mut Building<I> {
        self.0.borrow_mut().set_op_kind(self.1, OpKind::Immediate64);
        self.0.borrow_mut().set_immediate64(value);
        self.1 += 1;
        self
    }

    /// Only the elements of a mask are written; others become 0 if `zeroing`.
    pub(super) fn under(&mut self, mask: Register, zeroing: bool) -> &mut Building<I> {
        self.0.borrow_mut().set_op_mask(mask);
        self.0.borrow_mut().set_zeroing_masking(zeroing);
        self
    }

    /// The instruction.
    pub(super) fn end(&self) -> Instruction {
        *self.0.borrow()
    }
}

/// Fills in an empty instruction, whose operands have places. It is done where the instruction stays:
/// a copy that follows writes of single bytes waits for them.
pub(super) fn op(
    into: &mut Instruction,
    width: Width,
    code: Code,
    args: &[Arg],
    under: Under,
    vregs: &Vregs,
    place_of: impl Fn(Vreg) -> Place,
) {
    let mut form = begin_in(into, code);
    let number = |vreg| match place_of(vreg) {
        Place::Register(number) => register(width, vregs.class(vreg), number),
        Place::Memory(_) => unreachable!("v{vreg:?} is not in a register"),
    };
    let part = part(code);
    let sized = |operand, whole| match part {
        Some((places, first)) if places >> operand & 1 == 1 => of_size(first, whole),
        Some(_) | None => whole,
    };
    for (place, arg) in args.iter().enumerate() {
        match *arg {
            Arg::Def(vreg) | Arg::DefEarly(vreg) | Arg::Use(vreg) | Arg::Tied(vreg, _) => {
                form.register(sized(place, number(vreg)))
            }
            Arg::UseMem(vreg) | Arg::UseWhole(vreg) => match place_of(vreg) {
                Place::Register(_) => form.register(sized(place, number(vreg))),
                Place::Memory(home) => form.memory(memory(home)),
            },
            Arg::Fixed(register) => form.register(sized(place, register)),
            Arg::Mem(mem) => form.memory(mem),
            Arg::Lanes(base, lanes, scale, displacement) => {
                let lanes = sized(place, number(lanes));
                form.memory(Mem::at(base, displacement).plus(lanes, scale))
            }
            Arg::Imm(value) => form.immediate(value),
        };
    }
    match under {
        Under::All => &mut form,
        Under::Mask(mask) => form.under(number(mask), false),
        Under::Zeroing(mask) => form.under(number(mask), true),
        Under::Fixed(mask) => form.under(mask, false),
        // Scatters of AVX-512 have their mask like gathers; AVX2 has none.
        Under::Consumed(mask, _) => match width {
            Width::V256 => form.register(number(mask)),
            Width::V512 => form.under(number(mask), false),
        },
    };
}

/// A register's contents to another.
pub(super) fn copy(width: Width, class: Class, into: u8, from: u8) -> Instruction {
    let code = match class {
        Class::Vector => Form::Movaps.code(width),
        Class::Mask => Code::VEX_Kmovw_kr_km16,
    };
    let [into, from] = [into, from].map(|number| register(width, class, number));
    begin(code).register(into).register(from).end()
}

/// Memory to a register.
pub(super) fn load(width: Width, class: Class, into: u8, home: Home) -> Instruction {
    let code = match (class, home.holds) {
        (Class::Vector, Holds::Vector | Holds::Bits) => Form::Movaps.code(width),
        (Class::Vector, Holds::Word) => Form::Broadcastss.code(width),
        (Class::Mask, _) => Code::VEX_Kmovw_kr_km16,
    };
    let into = register(width, class, into);
    begin(code).register(into).memory(home.mem()).end()
}

/// A register to memory.
pub(super) fn store(width: Width, class: Class, home: Home, from: u8) -> Instruction {
    let code = match class {
        Class::Vector => Form::MovapsTo.code(width),
        Class::Mask => Code::VEX_Kmovw_m16_kr,
    };
    let from = register(width, class, from);
    begin(code).memory(home.mem()).register(from).end()
}

/// a * b + c in the register `into`, which holds operand number `tied`.
pub(super) fn fma(
    width: Width,
    fma: &Fma,
    tied: usize,
    into: u8,
    places: [Place; 3],
) -> Instruction {
    let [a, b, c] = places;
    let is_memory = |place| matches!(place, Place::Memory(_));
    // The second operand, and the third, which may be in memory.
    let (order, second, third) = match tied {
        2 if is_memory(a) => (Order::F231, b, a),
        2 => (Order::F231, a, b),
        _ => {
            let other = if tied == 0 { b } else { a };
            if is_memory(other) {
                (Order::F132, c, other)
            } else {
                (Order::F213, other, c)
            }
        }
    };
    let code = fma_code(width, order, fma);
    let of = |place| match place {
        Place::Register(number) => register(width, Class::Vector, number),
        Place::Memory(_) => unreachable!("at most one operand is in memory"),
    };
    let into = register(width, Class::Vector, into);
    let mut form = begin(code);
    form.register(into).register(of(second));
    match third {
        Place::Register(_) => form.register(of(third)).end(),
        Place::Memory(home) => form.memory(memory(home)).end(),
    }
}

/// Which operands are multiplied.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// First times third plus second.
    F132,
    /// Second times first plus third.
    F213,
    /// Second times third plus first.
    F231,
}

macro_rules! fma_codes {
    ($width:expr, $order:expr, $fma:expr; $($double:literal, $product:literal, $sum:literal:
        $a132:ident $a213:ident $a231:ident, $z132:ident $z213:ident $z231:ident;)*) => {
        match ($fma.double, $fma.negates_product, $fma.negates_sum, $width, $order) {
            $(($double, $product, $sum, Width::V256, Order::F132) => Code::$a132,
            ($double, $product, $sum, Width::V256, Order::F213) => Code::$a213,
            ($double, $product, $sum, Width::V256, Order::F231) => Code::$a231,
            ($double, $product, $sum, Width::V512, Order::F132) => Code::$z132,
            ($double, $product, $sum, Width::V512, Order::F213) => Code::$z213,
            ($double, $product, $sum, Width::V512, Order::F231) => Code::$z231,)*
        }
    };
}

fn fma_code(width: Width, order: Order, fma: &Fma) -> Code {
    fma_codes! { width, order, fma;
        false, false, false:
            VEX_Vfmadd132ps_ymm_ymm_ymmm256 VEX_Vfmadd213ps_ymm_ymm_ymmm256
            VEX_Vfmadd231ps_ymm_ymm_ymmm256, EVEX_Vfmadd132ps_zmm_k1z_zmm_zmmm512b32_er
            EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er;
        false, false, true:
            VEX_Vfmsub132ps_ymm_ymm_ymmm256 VEX_Vfmsub213ps_ymm_ymm_ymmm256
            VEX_Vfmsub231ps_ymm_ymm_ymmm256, EVEX_Vfmsub132ps_zmm_k1z_zmm_zmmm512b32_er
            EVEX_Vfmsub213ps_zmm_k1z_zmm_zmmm512b32_er EVEX_Vfmsub231ps_zmm_k1z_zmm_zmmm512b32_er;
        false, true, false:
            VEX_Vfnmadd132ps_ymm_ymm_ymmm256 VEX_Vfnmadd213ps_ymm_ymm_ymmm256
            VEX_Vfnmadd231ps_ymm_ymm_ymmm256, EVEX_Vfnmadd132ps_zmm_k1z_zmm_zmmm512b32_er
            EVEX_Vfnmadd213ps_zmm_k1z_zmm_zmmm512b32_er EVEX_Vfnmadd231ps_zmm_k1z_zmm_zmmm512b32_er;
        false, true, true:
            VEX_Vfnmsub132ps_ymm_ymm_ymmm256 VEX_Vfnmsub213ps_ymm_ymm_ymmm256
            VEX_Vfnmsub231ps_ymm_ymm_ymmm256, EVEX_Vfnmsub132ps_zmm_k1z_zmm_zmmm512b32_er
            EVEX_Vfnmsub213ps_zmm_k1z_zmm_zmmm512b32_er EVEX_Vfnmsub231ps_zmm_k1z_zmm_zmmm512b32_er;
        true, false, false:
            VEX_Vfmadd132pd_ymm_ymm_ymmm256 VEX_Vfmadd213pd_ymm_ymm_ymmm256
            VEX_Vfmadd231pd_ymm_ymm_ymmm256, EVEX_Vfmadd132pd_zmm_k1z_zmm_zmmm512b64_er
            EVEX_Vfmadd213pd_zmm_k1z_zmm_zmmm512b64_er EVEX_Vfmadd231pd_zmm_k1z_zmm_zmmm512b64_er;
        true, false, true:
            VEX_Vfmsub132pd_ymm_ymm_ymmm256 VEX_Vfmsub213pd_ymm_ymm_ymmm256
            VEX_Vfmsub231pd_ymm_ymm_ymmm256, EVEX_Vfmsub132pd_zmm_k1z_zmm_zmmm512b64_er
            EVEX_Vfmsub213pd_zmm_k1z_zmm_zmmm512b64_er EVEX_Vfmsub231pd_zmm_k1z_zmm_zmmm512b64_er;
        true, true, false:
            VEX_Vfnmadd132pd_ymm_ymm_ymmm256 VEX_Vfnmadd213pd_ymm_ymm_ymmm256
            VEX_Vfnmadd231pd_ymm_ymm_ymmm256, EVEX_Vfnmadd132pd_zmm_k1z_zmm_zmmm512b64_er
            EVEX_Vfnmadd213pd_zmm_k1z_zmm_zmmm512b64_er EVEX_Vfnmadd231pd_zmm_k1z_zmm_zmmm512b64_er;
        true, true, true:
            VEX_Vfnmsub132pd_ymm_ymm_ymmm256 VEX_Vfnmsub213pd_ymm_ymm_ymmm256
            VEX_Vfnmsub231pd_ymm_ymm_ymmm256, EVEX_Vfnmsub132pd_zmm_k1z_zmm_zmmm512b64_er
            EVEX_Vfnmsub213pd_zmm_k1z_zmm_zmmm512b64_er EVEX_Vfnmsub231pd_zmm_k1z_zmm_zmmm512b64_er;
    }
}
