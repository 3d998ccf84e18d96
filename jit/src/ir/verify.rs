//! Checks that a function is well formed. Run in debug builds after every pass.

use super::{Binary, Block, Function, Op, Rate, Target, Terminator, Type, Unary, Value};

impl Function {
    /// Panics with the function's text if it breaks a rule of lane IR.
    pub(crate) fn verify(&self) {
        if let Err(problem) = self.check() {
            panic!("{problem} in\n{self}");
        }
    }

    fn check(&self) -> Result<(), String> {
        let mut defined = vec![false; self.nodes.len()];
        for &value in &self.uniform {
            if self.node(value).rate != Rate::Uniform {
                return Err(format!("{value} is not uniform"));
            }
            self.check_node(value, &defined)?;
            defined[value.0 as usize] = true;
        }
        for &value in &self.row {
            if self.node(value).rate != Rate::Row {
                return Err(format!("{value} is not the same along rows"));
            }
            self.check_node(value, &defined)?;
            defined[value.0 as usize] = true;
        }
        let dominators = self.dominators();
        // What each block leaves defined, to be taken up by the blocks that it dominates.
        let mut leaves: Vec<Vec<bool>> = Vec::with_capacity(self.blocks.len());
        for (index, block) in self.blocks.iter().enumerate() {
            let mut defined = match dominators[index] {
                Some(dominator) => leaves[dominator].clone(),
                None if index == 0 => defined.clone(),
                None => {
                    return Err(format!(
                        "{} stands before its dominator",
                        Block(index as u32)
                    ));
                }
            };
            for &param in &block.params {
                defined[param.0 as usize] = true;
            }
            for &value in &block.body {
                self.check_node(value, &defined)?;
                defined[value.0 as usize] = true;
            }
            self.check_end(&block.end, &defined)?;
            leaves.push(defined);
        }
        Ok(())
    }

    /// The immediate dominator of every block but the entry and those nothing leads to.
    ///
    /// Blocks stand after their dominators, so one ascending pass finds the nearest common
    /// dominator of the forward edges; a loop's back edge comes from a block that its head
    /// dominates and cannot change it.
    fn dominators(&self) -> Vec<Option<usize>> {
        let mut dominators: Vec<Option<usize>> = vec![None; self.blocks.len()];
        let mut reached = vec![false; self.blocks.len()];
        reached[0] = true;
        for index in 0..self.blocks.len() {
            for target in self.blocks[index].end.targets() {
                let to = target.block.0 as usize;
                if to <= index || !reached[index] {
                    continue;
                }
                let mut common = index;
                if let Some(mut other) = dominators[to] {
                    while common != other {
                        if common > other {
                            common = dominators[common].unwrap_or(0);
                        } else {
                            other = dominators[other].unwrap_or(0);
                        }
                    }
                }
                dominators[to] = Some(common);
                reached[to] = true;
            }
        }
        dominators
    }

    fn check_node(&self, value: Value, defined: &[bool]) -> Result<(), String> {
        let node = self.node(value);
        let mut problem = None;
        node.op.operands(|operand| {
            if !defined[operand.0 as usize] {
                problem = Some(format!("{value} uses {operand} before it is computed"));
            }
        });
        if let Some(problem) = problem {
            return Err(problem);
        }
        if !self.operand_types_fit(&node.op, node.ty) {
            return Err(format!("{value} has operands of wrong types"));
        }
        Ok(())
    }

    fn operand_types_fit(&self, op: &Op, ty: Type) -> bool {
        let is = |value: &Value, ty: Type| self.node(*value).ty == ty;
        match op {
            Op::Const(_)
            | Op::Param
            | Op::Load(_)
            | Op::Draw(_)
            | Op::Span(_)
            | Op::Fragment(_)
            | Op::Uniform { .. }
            | Op::TextureField { .. }
            | Op::LoopBudget => true,
            Op::Store(slot, a) => is(a, slot.ty()),
            Op::LoadPixels(pixels) => matches!(pixels.words, 1 | 2 | 4),
            Op::StorePixels(pixels, words) => {
                matches!(pixels.words, 1 | 2 | 4) && words.iter().all(|v| is(v, Type::I32))
            }
            Op::Narrow(a, b) => is(a, Type::I32) && is(b, Type::I32),
            Op::Pack(a, b) | Op::PackPixels(a, b) => is(a, Type::Halves) && is(b, Type::Halves),
            Op::Indexed { index, .. } | Op::Texel { index, .. } => is(index, Type::I32),
            Op::Blend {
                first,
                pitch,
                weights,
                ..
            } => {
                let indices = is(first, Type::I32) && is(pitch, Type::I32);
                indices && weights.iter().all(|v| is(v, Type::F32))
            }
            Op::Transpose(rows) => rows.iter().all(|v| is(v, Type::F32)),
            Op::LevelField { level, .. } => is(level, Type::I32),
            Op::Unary(op, a) => unary_operand(*op).is_none_or(|ty| is(a, ty)),
            Op::Binary(op, a, b) => {
                let ty = binary_operands(*op).unwrap_or(ty);
                is(a, ty) && is(b, ty)
            }
            Op::Shift(_, a, n) => is(a, Type::I32) && *n < 32,
            Op::Fma(a, b, c) => [a, b, c].iter().all(|v| is(v, Type::F32)),
            Op::Select(mask, a, b) => is(mask, Type::Mask) && is(a, ty) && is(b, ty),
            Op::Shuffle(a, lanes) => is(a, ty) && lanes.iter().all(|lane| *lane < 4),
            Op::SlowPath { mask, x, fast, .. } => {
                is(mask, Type::Mask) && is(x, Type::F32) && is(fast, Type::F32)
            }
            Op::Texture {
                coords,
                param,
                active,
                ..
            } => {
                coords.iter().all(|c| is(c, Type::F32))
                    && is(param, Type::F32)
                    && is(active, Type::Mask)
            }
            Op::Attribute { index, wanted, .. } => is(index, Type::I32) && is(wanted, Type::Mask),
            Op::Part(a, component) => is(a, Type::Vec4) && *component < 4,
            Op::FixedMul { a, b, mask, .. } => {
                is(a, Type::F32) && is(b, Type::F32) && is(mask, Type::Mask)
            }
            Op::FixedMulAdd { a, b, c, mask, .. } => {
                [a, b, c].iter().all(|v| is(v, Type::F32)) && is(mask, Type::Mask)
            }
            Op::FixedResult { a, b, .. } => is(a, Type::F32) && is(b, Type::F32),
            Op::Export {
                sample,
                depth,
                mask,
            } => is(sample, Type::I32) && is(depth, Type::F32) && is(mask, Type::Mask),
        }
    }

    fn check_end(&self, end: &Terminator, defined: &[bool]) -> Result<(), String> {
        if let Terminator::Any { mask, .. } = end
            && (self.node(*mask).ty != Type::Mask || !defined[mask.0 as usize])
        {
            return Err(format!("a branch tests {mask}"));
        }
        end.targets()
            .try_for_each(|target| self.check_target(target, defined))
    }

    fn check_target(&self, target: &Target, defined: &[bool]) -> Result<(), String> {
        let Some(block) = self.blocks.get(target.block.0 as usize) else {
            return Err(format!("there is no {}", target.block));
        };
        if target.block == Block(0) || block.params.len() != target.args.len() {
            return Err(format!("wrong arguments for {}", target.block));
        }
        for (&param, &arg) in block.params.iter().zip(&target.args) {
            if self.node(param).ty != self.node(arg).ty || !defined[arg.0 as usize] {
                return Err(format!("{arg} cannot be {param} of {}", target.block));
            }
        }
        Ok(())
    }
}

/// The operand's type; `None` if any will do.
fn unary_operand(op: Unary) -> Option<Type> {
    match op {
        Unary::Fneg | Unary::Fabs | Unary::Sqrt | Unary::Floor | Unary::Nearest | Unary::Trunc => {
            Some(Type::F32)
        }
        Unary::ToF32 | Unary::Iabs => Some(Type::I32),
        Unary::Not => Some(Type::Mask),
        Unary::ToBits | Unary::FromBits => None,
    }
}

/// The operands' type; `None` if it is the result's.
fn binary_operands(op: Binary) -> Option<Type> {
    match op {
        Binary::Fadd
        | Binary::Fsub
        | Binary::Fmul
        | Binary::Fdiv
        | Binary::Fmin
        | Binary::Fmax
        | Binary::Flt
        | Binary::Fle
        | Binary::Feq => Some(Type::F32),
        Binary::Iadd
        | Binary::Isub
        | Binary::Imul
        | Binary::Imin
        | Binary::Imax
        | Binary::Umin
        | Binary::Ilt
        | Binary::Ieq => Some(Type::I32),
        Binary::And | Binary::Or | Binary::Xor => None,
    }
}
