//! Registers and memory that allocated instructions work on.

use std::collections::BTreeMap;
use std::ops::Range;

use iced_x86::{Code, Instruction, OpKind, Register};

use super::regions::Made;
use super::values::{TURNS, fma_result, home_value, is_cold, result};
use crate::emit::wide::allocate::slots::FRAME;
use crate::emit::wide::allocate::{Allocated, Out};
use crate::emit::wide::forms::{Form, Width};
use crate::emit::wide::mir::{End, Holds, Region};

/// A machine whose registers hold a number each.
pub(super) struct Machine {
    width: Width,
    seed: u64,
    vectors: [Option<u64>; 32],
    masks: [Option<u64>; 8],
    /// By base and displacement, the bytes and the number that is there.
    memory: BTreeMap<(u32, i32), (i32, u64)>,
    frame: Range<usize>,
    pub(super) trace: Vec<u64>,
    /// Instructions that only move.
    pub(super) moves: usize,
}

impl Machine {
    /// A machine with nothing but the region's values that are in memory always.
    pub(super) fn new(width: Width, made: &Made, frame: Range<usize>, seed: u64) -> Machine {
        let mut machine = Machine {
            width,
            seed,
            vectors: [None; 32],
            masks: [None; 8],
            memory: BTreeMap::new(),
            frame,
            trace: Vec::new(),
            moves: 0,
        };
        for &vreg in &made.homes {
            let home = made.vregs.home(vreg).expect("it is one of those");
            let bytes = match home.holds {
                Holds::Word => 4,
                Holds::Bits => 2,
                Holds::Vector => width.bytes() as i32,
            };
            let place = (home.base as u32, home.displacement);
            machine.memory.insert(place, (bytes, home_value(vreg)));
        }
        machine
    }

    /// Runs a region.
    pub(super) fn run(&mut self, region: &Region, allocated: &Allocated) {
        let mut block = 0;
        for _ in 0..TURNS {
            self.all(allocated.block(block));
            let (number, edge) = match &region.blocks[block].end {
                End::Leave(_) => return,
                End::Jump(edge) => (0, edge),
                End::Any { then, other, .. } => {
                    let mask = allocated.masks[block].expect("its mask is in a register");
                    let mask = self.get(mask);
                    self.trace.push(mask);
                    if mask & 1 != 0 { (0, then) } else { (1, other) }
                }
            };
            if let Some(moves) = allocated.edges.get(&(block, number)) {
                self.all(moves);
            }
            block = edge.block;
        }
    }

    fn all<'a>(&mut self, out: impl IntoIterator<Item = &'a Out>) {
        for one in out {
            match one {
                Out::Inst(instruction) => self.step(instruction),
                Out::Split(ways) => {
                    let is_cold = is_cold(self.seed, &self.trace);
                    self.trace.push(7);
                    self.all(if is_cold { &ways.cold } else { &ways.hot });
                }
                Out::Origin(_) => {}
                Out::Jump(..) | Out::Label(_) => unreachable!("none are made"),
            }
        }
    }

    fn slot(&mut self, register: Register) -> &mut Option<u64> {
        let number = |first: Register| register as usize - first as usize;
        if (Register::K0..=Register::K7).contains(&register) {
            return &mut self.masks[number(Register::K0)];
        }
        let first = match self.width {
            Width::V256 => Register::YMM0,
            Width::V512 => Register::ZMM0,
        };
        &mut self.vectors[number(first)]
    }

    fn get(&mut self, register: Register) -> u64 {
        self.slot(register)
            .unwrap_or_else(|| panic!("nothing is in {register:?}"))
    }

    fn place(instruction: &Instruction) -> (u32, i32) {
        let base = instruction.memory_base() as u32;
        (base, instruction.memory_displacement64() as i32)
    }

    /// The number in memory, where so many bytes have to be.
    fn load(&self, instruction: &Instruction, bytes: i32) -> u64 {
        let known = self.memory.get(&Self::place(instruction));
        let &(size, value) =
            known.unwrap_or_else(|| panic!("nothing is where {instruction} reads"));
        assert_eq!(size, bytes, "{instruction}");
        value
    }

    /// Writes a value; the former contents of all its bytes are lost.
    fn store(&mut self, instruction: &Instruction, bytes: i32, value: u64) {
        let (base, displacement) = Self::place(instruction);
        let end = displacement + bytes;
        assert_eq!(base, FRAME as u32, "{instruction}");
        let is_inside = displacement >= self.frame.start as i32 && end <= self.frame.end as i32;
        assert!(is_inside, "{instruction} is outside of {:?}", self.frame);
        assert_eq!(displacement % bytes, 0, "{instruction}");
        self.memory.retain(|&(of, start), &mut (size, _)| {
            of != base || start >= end || start + size <= displacement
        });
        self.memory.insert((base, displacement), (bytes, value));
    }

    /// Moves, if the instruction does nothing else.
    fn moved(&mut self, instruction: &Instruction) -> bool {
        let code = instruction.code();
        let vector = self.width.bytes() as i32;
        let bytes = if code == Form::Movaps.code(self.width) && !instruction.has_op_mask() {
            vector
        } else if code == Form::Broadcastss.code(self.width) {
            4
        } else if code == Code::VEX_Kmovw_kr_km16 {
            2
        } else if code == Form::MovapsTo.code(self.width) {
            let value = self.get(instruction.op1_register());
            self.store(instruction, vector, value);
            return true;
        } else if code == Code::VEX_Kmovw_m16_kr {
            let value = self.get(instruction.op1_register());
            self.store(instruction, 2, value);
            return true;
        } else {
            return false;
        };
        let value = if instruction.op1_kind() == OpKind::Memory {
            self.load(instruction, bytes)
        } else {
            assert_ne!(bytes, 4, "{instruction}");
            self.get(instruction.op1_register())
        };
        *self.slot(instruction.op0_register()) = Some(value);
        true
    }

    /// The number that an operand is.
    fn operand(&mut self, instruction: &Instruction, number: u32) -> u64 {
        if instruction.op_kind(number) == OpKind::Register {
            return self.get(instruction.op_register(number));
        }
        if instruction.memory_index() != Register::None {
            return self.get(instruction.memory_index());
        }
        let is_word = instruction.is_broadcast();
        self.load(
            instruction,
            if is_word {
                4
            } else {
                self.width.bytes() as i32
            },
        )
    }

    fn step(&mut self, instruction: &Instruction) {
        if self.moved(instruction) {
            self.moves += 1;
            return;
        }
        let name = format!("{:?}", instruction.code());
        let is_gather = name.contains("gather");
        let reads_only = name.contains("test");
        let reads_first = is_gather
            || name.contains("Vpermt2q")
            || reads_only
            || instruction.has_op_mask() && name.contains("Vpandd");
        let value = if let Some(order) = ["132", "213", "231"].iter().find(|it| name.contains(*it))
        {
            let [x, y, z] = [0, 1, 2].map(|number| self.operand(instruction, number));
            let of = match *order {
                "132" => [x, z, y],
                "213" => [y, x, z],
                _ => [y, z, x],
            };
            fma_result([name.contains("fn"), name.contains("sub")], of)
        } else {
            let (mut operands, mut constants) = (Vec::new(), Vec::new());
            for number in u32::from(!reads_first)..instruction.op_count() {
                if instruction.op_kind(number) == OpKind::Immediate8 {
                    constants.push(instruction.immediate8());
                } else {
                    operands.push(self.operand(instruction, number));
                }
            }
            if instruction.has_op_mask() {
                operands.push(self.get(instruction.op_mask()));
            }
            result(instruction.code(), &constants, &operands)
        };
        self.trace.push(value);
        if is_gather {
            self.end_gather(instruction);
        }
        if !reads_only {
            *self.slot(instruction.op0_register()) = Some(value);
        }
    }

    /// A gather clears its mask, and wants registers that differ.
    fn end_gather(&mut self, instruction: &Instruction) {
        let (into, lanes) = (instruction.op0_register(), instruction.memory_index());
        let mask = match self.width {
            Width::V256 => instruction.op2_register(),
            Width::V512 => instruction.op_mask(),
        };
        let differ = into != lanes && lanes != mask && into != mask;
        assert!(differ, "{instruction} is not valid");
        *self.slot(mask) = Some(0);
    }
}
