//! Lane IR as text, for `attila emit --stage ir` and for tests.
//!
//! Values are numbered as they stand in the text, so that a function's text does not depend on the
//! nodes that passes have left over.

use std::fmt;

use super::{Block, Edge, Function, Terminator, Type, Value};

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "block{}", self.0)
    }
}

/// The numbers of values in a function's text.
pub(super) struct Names(Vec<Option<u32>>);

impl Names {
    pub(super) fn of(function: &Function) -> Names {
        let mut names = vec![None; function.nodes.len()];
        let blocks = function.blocks.iter();
        let blocks = blocks.flat_map(|block| block.params.iter().chain(&block.body));
        let values = function.uniform.iter().chain(&function.row).chain(blocks);
        let named = values.filter(|&&value| function.node(value).ty != Type::None);
        for (number, value) in (0..).zip(named) {
            names[value.0 as usize] = Some(number);
        }
        Names(names)
    }

    /// The value's name. One that stands nowhere is marked.
    pub(super) fn name(&self, value: Value) -> String {
        match self.0.get(value.0 as usize) {
            Some(Some(number)) => format!("v{number}"),
            Some(None) | None => format!("v?{}", value.0),
        }
    }

    fn list(&self, values: &[Value]) -> String {
        let names: Vec<String> = values.iter().map(|&value| self.name(value)).collect();
        names.join(", ")
    }

    fn edge(&self, edge: &Edge) -> String {
        if edge.args.is_empty() {
            return edge.block.to_string();
        }
        format!("{}({})", edge.block, self.list(&edge.args))
    }
}

/// A function on its way to text.
struct Printer<'a> {
    function: &'a Function,
    names: Names,
}

impl Printer<'_> {
    fn nodes(&self, f: &mut fmt::Formatter<'_>, values: &[Value]) -> fmt::Result {
        values.iter().try_for_each(|&value| self.node(f, value))
    }

    fn node(&self, f: &mut fmt::Formatter<'_>, value: Value) -> fmt::Result {
        let node = self.function.node(value);
        f.write_str("  ")?;
        match node.ty {
            Type::None => {}
            Type::Several => write!(f, "{} = ", self.names.name(value))?,
            Type::F32
            | Type::I32
            | Type::Mask
            | Type::F64
            | Type::Halves
            | Type::Pixel
            | Type::PixelI32
            | Type::PixelHalves => write!(f, "{}: {} = ", self.names.name(value), node.ty)?,
        }
        f.write_str(node.op.row().name)?;
        let mut separator = " ";
        let mut result = Ok(());
        node.op.immediates(&mut |immediate| {
            result = result
                .and_then(|()| f.write_str(separator))
                .and_then(|()| immediate.write(node.ty, f));
            separator = ", ";
        });
        result?;
        if !node.operands.is_empty() {
            write!(f, "{separator}{}", self.names.list(&node.operands))?;
        }
        writeln!(f)
    }

    fn block(&self, f: &mut fmt::Formatter<'_>, block: Block) -> fmt::Result {
        let data = self.function.block(block);
        write!(f, "{block}")?;
        if !data.params.is_empty() {
            let param = |&value: &Value| {
                let ty = self.function.node(value).ty;
                format!("{}: {ty}", self.names.name(value))
            };
            let params: Vec<String> = data.params.iter().map(param).collect();
            write!(f, "({})", params.join(", "))?;
        }
        writeln!(f, ":")?;
        self.nodes(f, &data.body)?;
        match &data.end {
            Terminator::Jump(edge) => writeln!(f, "  jump {}", self.names.edge(edge)),
            Terminator::Any { mask, then, other } => writeln!(
                f,
                "  any {} ? {} : {}",
                self.names.name(*mask),
                self.names.edge(then),
                self.names.edge(other)
            ),
            Terminator::Done => writeln!(f, "  done"),
            Terminator::Fail { pc } => writeln!(f, "  fail at {pc}"),
        }
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let printer = Printer {
            function: self,
            names: Names::of(self),
        };
        for (title, values) in [("uniform", &self.uniform), ("row", &self.row)] {
            if !values.is_empty() {
                writeln!(f, "{title}:")?;
                printer.nodes(f, values)?;
            }
        }
        let mut blocks = (0..self.blocks.len()).map(|index| Block(index as u32));
        blocks.try_for_each(|block| printer.block(f, block))
    }
}
