//! The part of the frame where values are that have no register.

use iced_x86::Register;
use rustc_hash::FxHashMap;

use crate::emit::wide::forms::Width;
use crate::emit::wide::mir::{Class, Holds, Home, Vreg};

/// The register that the frame is counted from.
pub(in crate::emit::wide) const FRAME: Register = Register::RBP;

/// A place that is free.
struct Free {
    home: Home,
    /// The instruction that read it last.
    since: u32,
}

/// How a value has a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Has {
    /// It has none.
    Not,
    /// Until it is used for the last time.
    Lent,
    /// It is its alone.
    Own,
}

/// Places in the frame. They are given again to values that are computed after the last use.
pub(in crate::emit::wide) struct Slots {
    /// Bytes of the frame that are taken.
    size: usize,
    given: FxHashMap<Vreg, Home>,
    /// How each value of the region has its place.
    has: Vec<Has>,
    free: [Vec<Free>; 2],
}

impl Slots {
    /// A frame of which so many bytes are taken.
    pub(in crate::emit::wide) fn new(size: usize) -> Slots {
        Slots {
            size,
            given: FxHashMap::default(),
            has: Vec::new(),
            free: [Vec::new(), Vec::new()],
        }
    }

    /// From here on instructions are numbered from 0 again, and no value is left.
    pub(in crate::emit::wide) fn begin_region(&mut self, vregs: usize) {
        for home in std::mem::take(&mut self.given).into_values() {
            self.free[home.holds.class() as usize].push(Free { home, since: 0 });
        }
        for free in self.free.iter_mut().flatten() {
            free.since = 0;
        }
        self.has.clear();
        self.has.resize(vregs, Has::Not);
    }

    /// Bytes of the frame that are taken.
    pub(in crate::emit::wide) fn size(&self) -> usize {
        self.size
    }

    /// A value's place.
    pub(in crate::emit::wide) fn get(&self, vreg: Vreg) -> Option<Home> {
        self.given.get(&vreg).copied()
    }

    /// Whether it has one.
    pub(in crate::emit::wide) fn has(&self, vreg: Vreg) -> bool {
        self.has[vreg.index()] != Has::Not
    }

    /// A place for a value that is computed by instruction number `since`.
    pub(in crate::emit::wide) fn give(
        &mut self,
        vreg: Vreg,
        class: Class,
        width: Width,
        since: u32,
    ) -> Home {
        let free = &mut self.free[class as usize];
        let home = match free.iter().position(|free| free.since <= since) {
            Some(place) => free.swap_remove(place).home,
            None => self.add(class, width),
        };
        self.given.insert(vreg, home);
        self.has[vreg.index()] = Has::Lent;
        home
    }

    /// A place that no other value of the region takes.
    pub(in crate::emit::wide) fn give_for_good(
        &mut self,
        vreg: Vreg,
        class: Class,
        width: Width,
    ) -> Home {
        let home = self.add(class, width);
        self.given.insert(vreg, home);
        self.has[vreg.index()] = Has::Own;
        home
    }

    /// A place of its own.
    pub(in crate::emit::wide) fn add(&mut self, class: Class, width: Width) -> Home {
        let holds = Holds::of(class);
        let size = holds.bytes(width);
        self.size = self.size.next_multiple_of(size);
        let displacement = self.size as i32;
        self.size += size;
        Home {
            base: FRAME,
            displacement,
            holds,
        }
    }

    /// Instruction number `now` was the last that needs a value.
    pub(in crate::emit::wide) fn release(&mut self, vreg: Vreg, now: u32) {
        if self.has[vreg.index()] != Has::Lent {
            return;
        }
        self.has[vreg.index()] = Has::Not;
        if let Some(home) = self.given.remove(&vreg) {
            self.free[home.holds.class() as usize].push(Free { home, since: now });
        }
    }
}
