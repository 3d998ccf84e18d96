//! Variables: values that wait in the frame from one block to the next.

use iced_x86::Code;

use super::allocate::slots::FRAME;
use super::forms::Form;
use super::mir::{Arg, Class, Holds, Home, Mem, Vreg};
use super::values::Emission;
use crate::ir::{Type, Value, Variable};

impl Emission<'_> {
    /// Where a variable is.
    fn place_of(&mut self, variable: Variable, class: Class) -> Home {
        if let Some(&known) = self.variables.get(&variable.0) {
            return self.vregs.home(known).expect("it is in memory");
        }
        let (size, holds) = match class {
            Class::Vector => (self.width.bytes(), Holds::Vector),
            Class::Mask => (8, Holds::Bits),
        };
        let home = Home {
            base: FRAME,
            displacement: self.frame_bytes(size, size),
            holds,
        };
        let vreg = self.vregs.at_home(class, home);
        self.variables.insert(variable.0, vreg);
        home
    }

    /// Reads a variable.
    pub(super) fn recall(&mut self, variable: Variable, ty: Type) -> Vreg {
        let class = self.class_of(ty);
        let home = self.place_of(variable, class);
        let from = Arg::Mem(Mem::at(home.base, home.displacement));
        let result = self.vregs.add(class);
        let code = match class {
            Class::Vector => Form::Movaps.code(self.width),
            Class::Mask => Code::VEX_Kmovw_kr_km16,
        };
        self.push(code, &[Arg::Def(result), from]);
        result
    }

    /// Writes a variable.
    pub(super) fn keep(&mut self, variable: Variable, of: Value) {
        let class = self.class_of(self.function.node(of).ty);
        let home = self.place_of(variable, class);
        let to = Arg::Mem(Mem::at(home.base, home.displacement));
        let value = self.value(of, 0);
        let code = match class {
            Class::Vector => Form::MovapsTo.code(self.width),
            Class::Mask => Code::VEX_Kmovw_m16_kr,
        };
        self.push(code, &[to, Arg::Use(value)]);
    }
}
