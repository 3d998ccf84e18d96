//! Variables: values that wait in the frame from one block to the next.

use iced_x86::Code;
use rustc_hash::FxHashMap;

use super::forms::Form;
use super::mir::{Arg, Class, Holds, Home, Vreg};
use super::values::Emission;
use crate::ir::{Type, Value, Variable};

/// The places of variables.
#[derive(Default)]
pub(super) struct Variables(FxHashMap<Variable, Home>);

impl Emission<'_> {
    /// Where a variable is.
    fn place_of(&mut self, variable: Variable, class: Class) -> Home {
        let known = self.variables.0.get(&variable).copied();
        let home = known.unwrap_or_else(|| self.frame_home(Holds::of(class)));
        self.variables.0.insert(variable, home);
        home
    }

    /// Reads a variable.
    pub(super) fn recall(&mut self, variable: Variable, ty: Type) -> Vreg {
        let class = self.class_of(ty);
        let home = self.place_of(variable, class);
        let from = Arg::Mem(home.mem());
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
        let value = self.value(of, 0);
        self.store_home(home, value);
    }
}
