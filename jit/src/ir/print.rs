//! Lane IR as text, for `attila emit --stage ir` and for snapshot tests.

use std::fmt;

use crate::abi::COMPONENTS;

use super::{Binary, Block, Function, Node, Op, Shift, Target, Terminator, Type, Unary, Value};

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "block{}", self.0)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Type::None => "none",
            Type::F32 => "f32",
            Type::I32 => "i32",
            Type::Mask => "mask",
            Type::Vec4 => "vec4",
            Type::Halves => "halves",
        })
    }
}

impl Unary {
    fn name(self) -> &'static str {
        match self {
            Unary::Fneg => "fneg",
            Unary::Fabs => "fabs",
            Unary::Sqrt => "sqrt",
            Unary::Floor => "floor",
            Unary::Nearest => "nearest",
            Unary::Trunc => "trunc",
            Unary::ToF32 => "tof32",
            Unary::ToBits => "tobits",
            Unary::FromBits => "frombits",
            Unary::Iabs => "iabs",
            Unary::Not => "not",
        }
    }
}

impl Binary {
    fn name(self) -> &'static str {
        match self {
            Binary::Fadd => "fadd",
            Binary::Fsub => "fsub",
            Binary::Fmul => "fmul",
            Binary::Fdiv => "fdiv",
            Binary::Fmin => "fmin",
            Binary::Fmax => "fmax",
            Binary::Flt => "flt",
            Binary::Fle => "fle",
            Binary::Feq => "feq",
            Binary::Iadd => "iadd",
            Binary::Isub => "isub",
            Binary::Imul => "imul",
            Binary::Imin => "imin",
            Binary::Imax => "imax",
            Binary::Umin => "umin",
            Binary::And => "and",
            Binary::Or => "or",
            Binary::Xor => "xor",
            Binary::Ilt => "ilt",
            Binary::Ieq => "ieq",
        }
    }
}

impl Shift {
    fn name(self) -> &'static str {
        match self {
            Shift::Left => "shl",
            Shift::RightUnsigned => "shru",
            Shift::RightSigned => "shrs",
        }
    }
}

/// A constant as a person would write it.
fn constant(f: &mut fmt::Formatter<'_>, bits: u32, ty: Type) -> fmt::Result {
    match ty {
        Type::F32 if !f32::from_bits(bits).is_nan() => write!(f, "{:?}", f32::from_bits(bits)),
        Type::Mask if bits == 0 => f.write_str("false"),
        Type::Mask if bits == u32::MAX => f.write_str("true"),
        Type::I32 if bits.cast_signed().unsigned_abs() < 0x1_0000 => {
            write!(f, "{}", bits.cast_signed())
        }
        Type::F32 | Type::I32 | Type::Mask | Type::None | Type::Vec4 | Type::Halves => {
            write!(f, "{bits:#010x}")
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.op {
            Op::Const(bits) => constant(f, bits, self.ty),
            Op::Param => f.write_str("param"),
            Op::Uniform { index, component } => {
                write!(f, "c{index}.{}", COMPONENTS[usize::from(component)])
            }
            Op::Indexed { index, component } => {
                write!(f, "c[{index}].{}", COMPONENTS[usize::from(component)])
            }
            Op::Load(slot) => write!(f, "load {slot}"),
            Op::Store(slot, a) => write!(f, "store {slot}, {a}"),
            Op::Draw(field) => write!(f, "draw {field}"),
            Op::Span(field) => write!(f, "span {field}"),
            Op::Fragment(field) => write!(f, "fragment {field}"),
            Op::LoadPixels(pixels) => write!(f, "load {pixels}"),
            Op::StorePixels(pixels, words) => {
                write!(f, "store {pixels}")?;
                let words = words.iter().take(usize::from(pixels.words));
                words.into_iter().try_for_each(|word| write!(f, ", {word}"))
            }
            Op::Narrow(a, b) => write!(f, "narrow {a}, {b}"),
            Op::Pack(a, b) => write!(f, "pack {a}, {b}"),
            Op::PackPixels(a, b) => write!(f, "pack pixels {a}, {b}"),
            Op::Unary(op, a) => write!(f, "{} {a}", op.name()),
            Op::Binary(op, a, b) => write!(f, "{} {a}, {b}", op.name()),
            Op::Shift(op, a, n) => write!(f, "{} {a}, {n}", op.name()),
            Op::Fma(a, b, c) => write!(f, "fma {a}, {b}, {c}"),
            Op::Select(mask, a, b) => write!(f, "select {mask}, {a}, {b}"),
            Op::Shuffle(a, [i, j, k, l]) => write!(f, "shuffle {a}, {i}{j}{k}{l}"),
            Op::SlowPath {
                path,
                mask,
                x,
                fast,
            } => {
                write!(f, "slow {path:?}, {mask}, {x}, {fast}")
            }
            Op::TextureField { texture, field } => write!(f, "texture{texture}.{field}"),
            Op::LevelField {
                texture,
                field,
                level,
                alike,
            } => {
                let lanes = if alike { " alike" } else { "" };
                write!(f, "texture{texture}.level[{level}{lanes}].{field}")
            }
            Op::Texel { texture, index, .. } => write!(f, "texture{texture}.texel[{index}]"),
            Op::Blend {
                texture,
                first,
                pitch,
                alike,
                weights: [a, b, c, d],
                ..
            } => {
                let lanes = if alike { " alike" } else { "" };
                write!(
                    f,
                    "texture{texture}.blend[{first}, {pitch}{lanes}], {a}, {b}, {c}, {d}"
                )
            }
            Op::Transpose([a, b, c, d]) => write!(f, "transpose {a}, {b}, {c}, {d}"),
            Op::Texture {
                op,
                unit,
                stage,
                coords: [s, t, r],
                param,
                active,
            } => {
                write!(
                    f,
                    "texture {op:?} t{unit} {stage}, {s}, {t}, {r}, {param}, {active}"
                )
            }
            Op::Attribute {
                attribute,
                index,
                wanted,
            } => {
                write!(f, "attribute t{attribute}, {index}, {wanted}")
            }
            Op::Part(a, component) => write!(f, "{a}.{}", COMPONENTS[usize::from(component)]),
            Op::FixedMul {
                component,
                a,
                b,
                mask,
            } => {
                write!(
                    f,
                    "fixmul {}, {a}, {b}, {mask}",
                    COMPONENTS[usize::from(component)]
                )
            }
            Op::FixedMulAdd {
                component,
                a,
                b,
                c,
                mask,
            } => {
                write!(
                    f,
                    "fixmad {}, {a}, {b}, {c}, {mask}",
                    COMPONENTS[usize::from(component)]
                )
            }
            Op::FixedResult { component, a, b } => {
                write!(
                    f,
                    "fixresult {}, {a}, {b}",
                    COMPONENTS[usize::from(component)]
                )
            }
            Op::Export {
                sample,
                depth,
                mask,
            } => write!(f, "export {sample}, {depth}, {mask}"),
            Op::LoopBudget => f.write_str("loop budget"),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.block)?;
        if !self.args.is_empty() {
            let args: Vec<String> = self.args.iter().map(Value::to_string).collect();
            write!(f, "({})", args.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Terminator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Terminator::Jump(target) => write!(f, "jump {target}"),
            Terminator::Any { mask, then, other } => write!(f, "any {mask} ? {then} : {other}"),
            Terminator::Done => f.write_str("done"),
            Terminator::Fail { pc } => write!(f, "fail at {pc}"),
        }
    }
}

impl Function {
    fn write_node(&self, f: &mut fmt::Formatter<'_>, value: Value) -> fmt::Result {
        let node = self.node(value);
        if node.ty == Type::None {
            return writeln!(f, "  {node}");
        }
        writeln!(f, "  {value}: {} = {node}", node.ty)
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.uniform.is_empty() {
            writeln!(f, "uniform:")?;
            self.uniform
                .iter()
                .try_for_each(|&value| self.write_node(f, value))?;
        }
        if !self.row.is_empty() {
            writeln!(f, "row:")?;
            self.row
                .iter()
                .try_for_each(|&value| self.write_node(f, value))?;
        }
        for (index, block) in self.blocks.iter().enumerate() {
            write!(f, "{}", Block(index as u32))?;
            if !block.params.is_empty() {
                let param = |&value: &Value| format!("{value}: {}", self.node(value).ty);
                let params: Vec<String> = block.params.iter().map(param).collect();
                write!(f, "({})", params.join(", "))?;
            }
            writeln!(f, ":")?;
            block
                .body
                .iter()
                .try_for_each(|&value| self.write_node(f, value))?;
            writeln!(f, "  {}", block.end)?;
        }
        Ok(())
    }
}
