//! The instructions that each AGAL instruction becomes.

use attila_isa::{Component, Opcode, Remark, ResultPath, Slots, code};
use smallvec::SmallVec;

use super::super::opcode::AgalOpcode as A;
use super::super::program::Token;
use super::{Current, Lowering, Operand, Operands, Place, Register, Sampler, Step};
use crate::back::Condition;

const XYZ: Slots = Slots::X.union(Slots::Y).union(Slots::Z);

impl Lowering {
    /// Adds the instructions of a token that has been checked.
    pub(super) fn token(&mut self, token: &Token) -> Result<(), Remark> {
        self.current = Current {
            result: token.destination.as_ref().map(|it| self.place(it)),
            sampler: token.sampler.as_ref().map(|(sampler, _)| *sampler),
            span: token.span.clone(),
        };
        // Nothing is written to an empty mask.
        match token.destination.is_some() && self.mask().is_empty() {
            true => Ok(()),
            false => self.instructions(token),
        }
    }

    fn instructions(&mut self, token: &Token) -> Result<(), Remark> {
        let span = token.span.clone();
        match token.opcode {
            A::Mov => self.same(Opcode::Mov, token),
            A::Add => self.same(Opcode::Add, token),
            A::Sub => self.subtract(token),
            A::Mul => self.same(Opcode::Mul, token),
            A::Div => self.same(Opcode::Div, token),
            A::Rcp => self.scalars(Opcode::Rcp, token),
            A::Min => self.same(Opcode::Min, token),
            A::Max => self.same(Opcode::Max, token),
            A::Frc => self.same(Opcode::Frc, token),
            A::Sqt => self.scalars(Opcode::Sqrt, token),
            A::Rsq => self.scalars(Opcode::Rsqt, token),
            A::Pow => self.scalars(Opcode::Pow, token),
            A::Log => self.scalars(Opcode::Lg2, token),
            A::Exp => self.scalars(Opcode::Ex2, token),
            A::Nrm => self.normalise(token),
            A::Sin => self.scalars(Opcode::Sin, token),
            A::Cos => self.scalars(Opcode::Cos, token),
            A::Crs => self.cross_product(token),
            A::Dp3 => self.same(Opcode::Dp3, token),
            A::Dp4 => self.same(Opcode::Dp4, token),
            A::Abs => self.copy(token, Operand::absolute),
            A::Neg => self.copy(token, Operand::negated),
            A::Sat => self.saturate(token),
            A::M33 => self.matrix(Opcode::Dp3, token),
            A::M44 | A::M34 => self.matrix(Opcode::Dp4, token),
            A::Ddx => self.same(Opcode::Ddx, token),
            A::Ddy => self.same(Opcode::Ddy, token),
            A::Ife => self.branch(Opcode::Setpeq, false, token),
            A::Ine => self.branch(Opcode::Setpeq, true, token),
            A::Ifg => self.branch(Opcode::Setpgt, false, token),
            A::Ifl => self.branch(Opcode::Setplt, false, token),
            A::Els => self.code.begin_else(span)?,
            A::Eif => self.code.end_if(span)?,
            A::Kil => self.kill(token),
            A::Tex => self.sample(token),
            A::Sge => self.same(Opcode::Sgeo, token),
            A::Slt => self.same(Opcode::Slt, token),
            A::Sgn => self.same(Opcode::Sgn, token),
            A::Seq => self.same(Opcode::Seq, token),
            A::Sne => self.same(Opcode::Sne, token),
            A::Ted | A::Tld => {
                let message = format!("`{}` is not supported", token.opcode);
                return Err(Remark::new(span, message).code(&code::text::ABSENT));
            }
        }
        Ok(())
    }

    /// The sources of a token that has `N` of them, as checked ones do.
    fn operands<const N: usize>(&mut self, token: &Token) -> [Operand; N] {
        std::array::from_fn(|index| match token.sources.get(index) {
            Some(source) => self.operand(source, 0),
            None => Operand::absent(),
        })
    }

    fn subtract(&mut self, token: &Token) {
        let [a, b] = self.operands(token);
        self.finish(Opcode::Add, [a, b.negated()]);
    }

    /// The source with another sign.
    fn copy(&mut self, token: &Token, sign: fn(Operand) -> Operand) {
        let [a] = self.operands(token);
        self.finish(Opcode::Mov, [sign(a)]);
    }

    fn kill(&mut self, token: &Token) {
        let [a] = self.operands(token);
        self.finish(Opcode::Kil, [a.only(Component::X)]);
    }

    fn saturate(&mut self, token: &Token) {
        self.same(Opcode::Mov, token);
        if let Some(step) = self.code.last_mut() {
            step.path = ResultPath::Saturate;
        }
    }

    /// One instruction with the same operands.
    fn same(&mut self, op: Opcode, token: &Token) {
        match token.sources.len() {
            1 => {
                let [a] = self.operands(token);
                self.finish(op, [a]);
            }
            _ => {
                let [a, b] = self.operands(token);
                self.finish(op, [a, b]);
            }
        }
    }

    /// One instruction for each component, or for several of the same sources.
    fn scalars(&mut self, op: Opcode, token: &Token) {
        let sources = token.sources.iter();
        let operands: Operands = sources.map(|source| self.operand(source, 0)).collect();
        let taken = |slot: Component| operands.iter().map(move |it| it.swizzle.source(slot));
        let mut groups: SmallVec<[Slots; 4]> = SmallVec::new();
        for slot in self.mask().components() {
            let is_equal = |group: &&mut Slots| {
                let mut slots = group.components();
                slots
                    .next()
                    .is_some_and(|first| taken(first).eq(taken(slot)))
            };
            match groups.iter_mut().find(is_equal) {
                Some(group) => *group |= Slots::only(slot),
                None => groups.push(Slots::only(slot)),
            }
        }
        let (place, delayed) = self.place_of_several(token, groups.len());
        for group in groups {
            let first = group.components().next().unwrap_or(Component::X);
            let operands: Operands = operands.iter().map(|it| it.only(first)).collect();
            let span = self.current.span.clone();
            self.push(op, Some((place, group)), &operands, None, span);
        }
        self.finish_several(delayed);
    }

    /// The dot product of each row, for the components that are written.
    fn matrix(&mut self, op: Opcode, token: &Token) {
        let [vector, rows] = token.sources.as_slice() else {
            return;
        };
        let mask = self.mask();
        let (place, delayed) = self.place_of_several(token, mask.components().count());
        for (row, component) in (0..).zip(Component::ALL) {
            if mask.has(component) {
                let vector = self.operand(vector, 0);
                let row = self.operand(rows, row);
                self.write(place, Slots::only(component), op, [vector, row]);
            }
        }
        self.finish_several(delayed);
    }

    /// The place that `count` instructions write one after the other: a temporary, if they overwrite what
    /// the later ones read.
    fn place_of_several(&mut self, token: &Token, count: usize) -> (Place, Option<usize>) {
        match self.current.result {
            Some((place, _)) if count < 2 || !self.overwrites_source(token) => (place, None),
            Some(_) | None => {
                let temp = self.code.temp();
                (Place::Temp(temp), Some(temp))
            }
        }
    }

    /// Writes the result that has been kept in a temporary.
    fn finish_several(&mut self, delayed: Option<usize>) {
        if let Some(temp) = delayed {
            self.finish(Opcode::Mov, [Operand::temp(temp)]);
        }
    }

    fn normalise(&mut self, token: &Token) {
        let [a] = self.operands(token);
        let square = self.value(Slots::X, Opcode::Dp3, [a, a]);
        let inverse = self.value(Slots::X, Opcode::Rsqt, [square.only(Component::X)]);
        self.finish(Opcode::Mul, [a, inverse.only(Component::X)]);
    }

    /// Both products are rounded, as nothing is fused.
    fn cross_product(&mut self, token: &Token) {
        use Component::{W, X, Y, Z};
        let [a, b] = self.operands(token);
        let (to_yzx, to_zxy) = ([Y, Z, X, W], [Z, X, Y, W]);
        let mask = self.mask() & XYZ;
        let product = self.value(mask, Opcode::Mul, [a.swizzled(to_yzx), b.swizzled(to_zxy)]);
        let operands = [a.swizzled(to_zxy).negated(), b.swizzled(to_yzx), product];
        self.finish(Opcode::Mad, operands);
    }

    /// Begins instructions for lanes that compare so, or for the others.
    fn branch(&mut self, op: Opcode, negate: bool, token: &Token) {
        let [a, b] = self
            .operands(token)
            .map(|it: Operand| it.only(Component::X));
        let span = token.span.clone();
        let condition = self.code.compare(op, [a, b], span.clone());
        let condition = Condition {
            negate,
            ..condition
        };
        self.code.begin_if(condition, span);
    }

    /// The texture at the coordinates, with the bias in their w.
    fn sample(&mut self, token: &Token) {
        let [coordinates] = self.operands(token);
        let bias = self.current.sampler.map_or(0.0, Sampler::level_bias);
        if bias == 0.0 {
            return self.finish(Opcode::Tex, [coordinates]);
        }
        let place = self.value(XYZ, Opcode::Mov, [coordinates]);
        let span = self.current.span.clone();
        if let Register::Temp(temp) = place.register {
            let result = Some((Place::Temp(temp), Slots::W));
            let bias = Operand::constant([bias; 4]);
            self.code
                .push(Step::new(Opcode::Mov, result, &[bias], span));
        }
        self.finish(Opcode::Txb, [place]);
    }
}
