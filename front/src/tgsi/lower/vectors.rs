//! Operations whose components follow different rules.

use attila_isa::{Component, Opcode, Slots};

use super::super::dialect::Lighting;
use super::{Lowering, Operand, number};

const XYZ: Slots = Slots::X.union(Slots::Y).union(Slots::Z);

impl Lowering<'_> {
    /// Writes a temporary that holds the result.
    fn finish_with(&mut self, temp: usize) {
        self.finish(Opcode::Mov, [Operand::temp(temp)]);
    }

    /// LIT: `max(x, 0)`, and `x > 0 ? max(y, 0)^clamp(w, -128, 128) : 0`, between ones.
    pub(super) fn light(&mut self, [a]: [Operand; 1]) {
        use Component::{W, X, Y};
        match self.rules.lighting {
            Lighting::Machine => return self.finish(Opcode::Lit, [a]),
            Lighting::Selected => {}
        }
        let above = self.value(Slots::X | Slots::Y, Opcode::Max, [a, number(0.0)]);
        // MIN and MAX give their second operand where one is NaN: NaN stays, as CLAMP keeps it.
        let exponent = self.scalar(Opcode::Min, [number(128.0), a.only(W)]);
        let exponent = self.scalar(Opcode::Max, [number(-128.0), exponent]);
        let specular = self.scalar(Opcode::Pow, [above.only(Y), exponent]);
        let temp = self.code.temp();
        self.write_masked(temp, Slots::X | Slots::W, Opcode::Mov, [number(1.0)]);
        self.write_masked(temp, Slots::Y, Opcode::Mov, [above.only(X)]);
        let operands = [a.only(X).negated(), specular, number(0.0)];
        self.write_masked(temp, Slots::Z, Opcode::Cmp, operands);
        self.finish_with(temp);
    }

    pub(super) fn cross_product(&mut self, [a, b]: [Operand; 2]) {
        use Component::{W, X, Y, Z};
        let (to_yzx, to_zxy) = ([Y, Z, X, W], [Z, X, Y, W]);
        let operands = [a.swizzled(to_zxy), b.swizzled(to_yzx)];
        let product = self.value(self.mask() & XYZ, Opcode::Mul, operands);
        let operands = [a.swizzled(to_yzx), b.swizzled(to_zxy), product.negated()];
        let temp = self.code.temp();
        self.write_masked(temp, XYZ, Opcode::Mad, operands);
        self.write_masked(temp, Slots::W, Opcode::Mov, [number(1.0)]);
        self.finish_with(temp);
    }

    /// NRM: a vector by the reciprocal of its length, and 1.
    pub(super) fn normal3(&mut self, [a]: [Operand; 1]) {
        let square = self.scalar(Opcode::Dp3, [a, a]);
        let scale = self.scalar(self.root_opcode(), [square]);
        let temp = self.code.temp();
        self.write_masked(temp, XYZ, Opcode::Mul, [a, scale]);
        self.write_masked(temp, Slots::W, Opcode::Mov, [number(1.0)]);
        self.finish_with(temp);
    }

    pub(super) fn normal4(&mut self, [a]: [Operand; 1]) {
        let square = self.scalar(Opcode::Dp4, [a, a]);
        let scale = self.scalar(self.root_opcode(), [square]);
        self.finish(Opcode::Mul, [a, scale]);
    }

    pub(super) fn cosine_and_sine(&mut self, [a]: [Operand; 1]) {
        let angle = a.only(Component::X);
        let temp = self.code.temp();
        self.write_masked(temp, Slots::X, Opcode::Cos, [angle]);
        self.write_masked(temp, Slots::Y, Opcode::Sin, [angle]);
        let rest = Operand::constant([0.0, 0.0, 0.0, 1.0]);
        self.write_masked(temp, Slots::Z | Slots::W, Opcode::Mov, [rest]);
        self.finish_with(temp);
    }

    /// `2 * (a·b) / (a·a) * a - b`, and 1.
    pub(super) fn reflection(&mut self, [a, b]: [Operand; 2]) {
        let both = self.scalar(Opcode::Dp3, [a, b]);
        let both = self.scalar(Opcode::Add, [both, both]);
        let square = self.scalar(Opcode::Dp3, [a, a]);
        let scale = self.scalar(Opcode::Div, [both, square]);
        let temp = self.code.temp();
        self.write_masked(temp, XYZ, Opcode::Mad, [scale, a, b.negated()]);
        self.write_masked(temp, Slots::W, Opcode::Mov, [number(1.0)]);
        self.finish_with(temp);
    }

    /// A point in the plane moved by b.x and b.y of the columns of a matrix; twice.
    pub(super) fn transform(&mut self, [point, b, matrix]: [Operand; 3]) {
        use Component::{W, X, Y, Z};
        let point = point.swizzled([X, Y, X, Y]);
        let first = [b.only(X), matrix.swizzled([X, Z, X, Z]), point];
        let first = self.part(Opcode::Mad, first);
        self.finish(
            Opcode::Mad,
            [b.only(Y), matrix.swizzled([Y, W, Y, W]), first],
        );
    }
}
