//! Storage buffers: for any address of a lane, nothing outside of its buffer is read or written.
//!
//! Memory has one thread, so that no access has to be atomic.

use super::function::{Emission, at};
use super::locals::Local;
use super::ops::Instruction;
use crate::abi::{ContextField, StorageAccess, StorageKind, StorageRecord};
use crate::ir::Value;

/// Bytes of a word, as a power of two.
const SHIFT: i32 = 2;

/// A buffer's words.
#[derive(Clone, Copy)]
struct Words {
    /// The address of the first, or of a word that is 0 if there is not one, in all lanes.
    first: Local,
    /// How many there are, in all lanes.
    count: Local,
}

/// The word that each lane names.
#[derive(Clone, Copy)]
struct Place {
    /// Its address, and the buffer's first for other lanes.
    addresses: Local,
    /// The lanes whose word is there.
    within: Local,
}

/// The change of a word by an atomic operation.
enum Change {
    /// The result of an instruction on it and a value.
    To(Instruction),
    /// The value.
    Replaced,
    /// The word or the value, of which the instruction says whether it is the word.
    Chosen(Instruction),
    /// The second value, if it is equal to the first.
    Compared,
}

impl Change {
    /// The change that an access makes, if it makes one of its words.
    fn of(kind: StorageKind) -> Option<Change> {
        Some(match kind {
            StorageKind::Add => Change::To(|i| i.i32_add()),
            StorageKind::And => Change::To(|i| i.i32_and()),
            StorageKind::Or => Change::To(|i| i.i32_or()),
            StorageKind::Xor => Change::To(|i| i.i32_xor()),
            StorageKind::Exchange => Change::Replaced,
            StorageKind::Umin => Change::Chosen(|i| i.i32_lt_u()),
            StorageKind::Umax => Change::Chosen(|i| i.i32_gt_u()),
            StorageKind::Imin => Change::Chosen(|i| i.i32_lt_s()),
            StorageKind::Imax => Change::Chosen(|i| i.i32_gt_s()),
            StorageKind::Compare => Change::Compared,
            StorageKind::Load | StorageKind::Store | StorageKind::Size => return None,
        })
    }
}

impl Emission<'_> {
    /// Accesses a storage buffer.
    pub(super) fn storage(&mut self, whole: Value, access: StorageAccess, of: &[Value]) {
        let of: Vec<Local> = of.iter().map(|&operand| self.local(operand)).collect();
        let (&[address, mask], values) = of.split_first_chunk().expect("it has an address");
        let words = self.storage_words(access.buffer);
        let results = if let Some(change) = Change::of(access.kind) {
            let place = self.storage_place(words, 0, address, mask);
            vec![self.changed(place, &change, [values[0], values[1]])]
        } else if access.kind == StorageKind::Size {
            self.push(words.count);
            self.ins().i32_const(SHIFT).i32x4_shl();
            vec![self.vector()]
        } else if access.kind == StorageKind::Load {
            let load = |n| self.load_storage(words, n, address, mask);
            (0..4).map(load).collect()
        } else {
            let written = access.written.components().map(|component| {
                let n = component.index();
                (
                    self.storage_place(words, n as u32, address, mask),
                    values[n],
                )
            });
            let written: Vec<_> = written.collect();
            self.store_storage(&written);
            Vec::new()
        };
        for part in 0..4u8 {
            let result = results.get(usize::from(part)).copied();
            self.define_part(whole, part, |it| match result {
                Some(result) => it.push(result),
                None => it.literal(0),
            });
        }
    }

    fn storage_words(&mut self, buffer: u8) -> Words {
        self.context_address(ContextField::Storage);
        let records = self.address();
        let [first, count] = [
            StorageRecord::words_of(buffer),
            StorageRecord::count_of(buffer),
        ]
        .map(|offset| {
            self.splat_word(records, offset);
            self.vector()
        });
        Words { first, count }
    }

    /// Word number `n` after each lane's address, in the lanes of a mask.
    fn storage_place(&mut self, words: Words, n: u32, address: Local, mask: Local) -> Place {
        self.push(address);
        self.ins().i32_const(SHIFT).i32x4_shr_u();
        if n > 0 {
            self.literal(n);
            self.ins().i32x4_add();
        }
        let index = self.vector();
        self.push(index);
        self.push(words.count);
        self.ins().i32x4_lt_u();
        self.push(mask);
        self.ins().v128_and();
        let within = self.vector();
        self.push(index);
        self.push(within);
        self.ins().v128_and().i32_const(SHIFT).i32x4_shl();
        self.push(words.first);
        self.ins().i32x4_add();
        Place {
            addresses: self.vector(),
            within,
        }
    }

    fn load_storage(&mut self, words: Words, n: u32, address: Local, mask: Local) -> Local {
        let place = self.storage_place(words, n, address, mask);
        self.gather_at(place.addresses, 0);
        self.push(place.within);
        self.ins().v128_and();
        self.vector()
    }

    /// Writes values to their places, one lane after the other.
    fn store_storage(&mut self, places: &[(Place, Local)]) {
        for lane in 0..4 {
            for &(place, value) in places {
                self.address_or_sink(place, lane);
                self.push(value);
                self.ins().v128_store32_lane(at(0), lane);
            }
        }
    }

    /// Changes the word of each lane, one lane after the other. Returns the old words.
    fn changed(&mut self, place: Place, change: &Change, values: [Local; 2]) -> Local {
        self.literal(0);
        let all = self.vector();
        for lane in 0..4 {
            self.address_or_sink(place, lane);
            let address = self.address();
            self.push(address);
            self.ins().i32_load(at(0));
            let old = self.address();
            self.push(address);
            self.new_word(change, old, values, lane);
            self.ins().i32_store(at(0));
            self.push(all);
            self.push(old);
            self.ins().i32x4_replace_lane(lane).local_set(all.0);
        }
        self.push(all);
        self.push(place.within);
        self.ins().v128_and();
        self.vector()
    }

    fn new_word(&mut self, change: &Change, old: Local, [a, b]: [Local; 2], lane: u8) {
        let extracted = |it: &mut Self, of: Local| {
            it.push(of);
            it.ins().i32x4_extract_lane(lane);
        };
        match change {
            Change::To(instruction) => {
                self.push(old);
                extracted(self, a);
                self.then(*instruction);
            }
            Change::Replaced => extracted(self, a),
            Change::Chosen(instruction) => {
                self.push(old);
                extracted(self, a);
                self.push(old);
                extracted(self, a);
                self.then(*instruction);
                self.ins().select();
            }
            Change::Compared => {
                extracted(self, b);
                self.push(old);
                self.push(old);
                extracted(self, a);
                self.ins().i32_eq().select();
            }
        }
    }

    /// A lane's address, or that of a word that nobody reads.
    fn address_or_sink(&mut self, place: Place, lane: u8) {
        let (base, sink) = (self.bases.uniforms, self.frame.sink);
        self.lane_address(place.addresses, lane);
        self.push(base);
        self.ins().i32_const(sink as i32).i32_add();
        self.push(place.within);
        self.ins().i32x4_extract_lane(lane).select();
    }
}
