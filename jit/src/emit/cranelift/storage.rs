//! Storage buffers: for any address of a lane, nothing outside of its buffer is read or written.
//!
//! Other threads may use the same words. Each is read, written or changed by one instruction.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I32X4};
use cranelift_codegen::ir::{self as clif, AtomicRmwOp, InstBuilder, MemFlagsData};

use super::memory::table_flags;
use super::shader::Emission;
use crate::abi::{ContextField, StorageAccess, StorageKind, StorageRecord};
use crate::ir::Value;

/// A buffer's words.
#[derive(Clone, Copy)]
struct Words {
    /// The address of the first, or of a word that is 0 if there is not one.
    first: clif::Value,
    /// How many there are, in all lanes.
    count: clif::Value,
}

/// The word that each lane names.
struct Place {
    /// Its address, and the buffer's first for other lanes.
    addresses: [clif::Value; 4],
    /// The lanes whose word is there.
    within: clif::Value,
}

impl Emission<'_, '_> {
    /// Accesses a storage buffer.
    pub(super) fn storage(
        &mut self,
        whole: Value,
        access: StorageAccess,
        operands: &[Value],
    ) -> Option<clif::Value> {
        let of: Vec<_> = operands.iter().map(|&a| self.value(a, 0)).collect();
        let (&[address, mask], values) = of.split_first_chunk().expect("it has an address");
        let words = self.words_of(access.buffer);
        let wanted = |n: &u8| self.plan.parts.contains_key(&(whole, *n));
        let wanted = (0..4).rev().find(wanted).map_or(0, |last| last + 1);
        let mut results = match access.kind {
            StorageKind::Size => {
                let bytes = self.ins().ishl_imm_u(words.count, SHIFT);
                vec![bytes]
            }
            StorageKind::Load => {
                let load = |n| self.load_storage(words, n, address, mask);
                (0..wanted).map(load).collect()
            }
            StorageKind::Store => {
                let written = access.written.components();
                let places = written.map(|component| {
                    let n = component.index();
                    (self.storage_place(words, n as u8, address, mask), values[n])
                });
                let places: Vec<_> = places.collect();
                self.store_storage(&places);
                Vec::new()
            }
            StorageKind::Add
            | StorageKind::Exchange
            | StorageKind::Compare
            | StorageKind::And
            | StorageKind::Or
            | StorageKind::Xor
            | StorageKind::Umin
            | StorageKind::Umax
            | StorageKind::Imin
            | StorageKind::Imax => {
                let place = self.storage_place(words, 0, address, mask);
                vec![self.atomic(access.kind, &place, [values[0], values[1]])]
            }
        };
        while results.len() < usize::from(wanted) {
            results.push(self.literal(0, I32X4));
        }
        self.define_parts(whole, 0, &results);
        None
    }

    /// The words of the buffer with a number.
    fn words_of(&mut self, buffer: u8) -> Words {
        let (context, pointer) = (self.bases.context, self.pointer);
        let records = ContextField::Storage.offset() as i32;
        let records = self.load_once(context, table_flags(), pointer, records);
        let [first, count] = [
            StorageRecord::words_of(buffer),
            StorageRecord::count_of(buffer),
        ];
        let first = self.load_once(records, table_flags(), pointer, first as i32);
        let count = self.load_once(records, table_flags(), I32, count as i32);
        let count = self.ins().splat(I32X4, count);
        Words { first, count }
    }

    /// Word number `n` after each lane's address, in the lanes of a mask.
    fn storage_place(
        &mut self,
        words: Words,
        n: u8,
        address: clif::Value,
        mask: clif::Value,
    ) -> Place {
        let index = self.ins().ushr_imm_u(address, SHIFT);
        let index = if n > 0 {
            let n = self.literal(n.into(), I32X4);
            self.ins().iadd(index, n)
        } else {
            index
        };
        let within = self.ins().icmp(IntCC::UnsignedLessThan, index, words.count);
        let within = self.ins().band(within, mask);
        let index = self.ins().band(index, within);
        let offsets = self.ins().ishl_imm_u(index, SHIFT);
        let offsets = self.offsets(offsets);
        let addresses = offsets.map(|offset| self.ins().iadd(words.first, offset));
        Place { addresses, within }
    }

    fn load_storage(
        &mut self,
        words: Words,
        n: u8,
        address: clif::Value,
        mask: clif::Value,
    ) -> clif::Value {
        let place = self.storage_place(words, n, address, mask);
        let loaded = self.gathered_with(MemFlagsData::trusted(), place.addresses, 0);
        self.ins().band(loaded, place.within)
    }

    /// Writes values to their places, one lane after the other.
    fn store_storage(&mut self, places: &[(Place, clif::Value)]) {
        for lane in 0..4 {
            for (place, value) in places {
                let address = self.address_or_own(place, lane);
                let word = self.ins().extractlane(*value, lane);
                let flags = MemFlagsData::trusted();
                self.ins().store(flags, word, address, 0);
            }
        }
    }

    /// Changes the word of each lane, one lane after the other. Returns the old words.
    fn atomic(
        &mut self,
        kind: StorageKind,
        place: &Place,
        values: [clif::Value; 2],
    ) -> clif::Value {
        let flags = MemFlagsData::trusted();
        let mut all = None;
        for lane in 0..4 {
            let address = self.address_or_own(place, lane);
            let [a, b] = values.map(|value| self.ins().extractlane(value, lane));
            let old = match operation(kind) {
                Some(operation) => self.ins().atomic_rmw(I32, flags, operation, address, a),
                None => self.ins().atomic_cas(flags, address, a, b),
            };
            all = Some(match all {
                None => self.ins().splat(I32X4, old),
                Some(all) => self.ins().insertlane(all, old, lane),
            });
        }
        let all = all.expect("there are lanes");
        self.ins().band(all, place.within)
    }

    /// A lane's address, or that of a word on the stack that nobody reads.
    fn address_or_own(&mut self, place: &Place, lane: u8) -> clif::Value {
        let (slot, pointer) = (self.vectors(), self.pointer);
        let own = self.ins().stack_addr(pointer, slot, 0);
        let within = self.ins().extractlane(place.within, lane);
        let address = place.addresses[usize::from(lane)];
        self.ins().select(within, address, own)
    }
}

/// Bytes of a word, as a power of two.
const SHIFT: i64 = 2;

/// The change of a word by a value. `None` for the one that compares it with a value.
fn operation(kind: StorageKind) -> Option<AtomicRmwOp> {
    match kind {
        StorageKind::Add => Some(AtomicRmwOp::Add),
        StorageKind::Exchange => Some(AtomicRmwOp::Xchg),
        StorageKind::And => Some(AtomicRmwOp::And),
        StorageKind::Or => Some(AtomicRmwOp::Or),
        StorageKind::Xor => Some(AtomicRmwOp::Xor),
        StorageKind::Umin => Some(AtomicRmwOp::Umin),
        StorageKind::Umax => Some(AtomicRmwOp::Umax),
        StorageKind::Imin => Some(AtomicRmwOp::Smin),
        StorageKind::Imax => Some(AtomicRmwOp::Smax),
        StorageKind::Compare | StorageKind::Load | StorageKind::Store | StorageKind::Size => None,
    }
}
