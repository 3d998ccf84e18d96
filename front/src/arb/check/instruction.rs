//! Checks instructions: what they write, read and sample.

use std::ops::Range;

use attila_isa::{Remark, Slots, code, nearest};
use smallvec::SmallVec;

use super::super::binding::Param;
use super::super::bindings::Bound;
use super::super::matching::roots;
use super::super::opcode::Form;
use super::super::parser::quote;
use super::super::program::{
    Destination, Instruction, ResultRegister, Source, SourceRegister, TextureUse,
};
use super::super::syntax::{
    Index, IndexKind, InstructionSyntax, Name, Operand, Path, Segment, Value,
};
use super::suffix::{component, mask, selectors, swizzle};
use super::{Checked, Checker, Symbol, wrong};

impl<'a> Checker<'a, '_> {
    /// Checks all parts, so that mistakes in several operands are all reported.
    pub(super) fn instruction(&mut self, syntax: &InstructionSyntax<'a>) -> Checked<()> {
        let form = syntax.opcode.info().form;
        let result = syntax.result.as_ref().map(|path| self.result(path, form));
        let result = result.transpose().unwrap_or_else(|problem| {
            self.report(problem);
            None
        });
        let mut sources = SmallVec::new();
        for operand in &syntax.operands {
            match self.source(operand, syntax, form) {
                Ok(source) => sources.push(source),
                Err(problem) => self.report(problem),
            }
        }
        let texture = syntax.texture.as_ref();
        let texture = texture.map(|(unit, target)| self.texture(unit, target));
        self.program.instructions.push(Instruction {
            opcode: syntax.opcode,
            saturate: syntax.saturate,
            result,
            sources,
            texture: texture.transpose()?,
            span: syntax.span.clone(),
        });
        Ok(())
    }

    fn result(&mut self, path: &Path<'a>, form: Form) -> Checked<Destination> {
        let stage = self.program.stage;
        let is_address = form == Form::Address;
        let (register, suffix) = if roots(stage).contains(&path.root.name.text) {
            let (bound, suffix) = self.resolve(path)?;
            let Bound::Output(output) = bound else {
                return wrong(path.span(), "a result cannot be written here");
            };
            self.bind_output(output, path.span())?;
            (ResultRegister::Output(output), suffix)
        } else {
            (self.writable(path)?, path.rest.as_slice())
        };
        let mask = mask(suffix, stage)?;
        match (matches!(register, ResultRegister::Address(_)), is_address) {
            (true, true) if suffix.is_empty() || mask != Slots::X => {
                let end = path.span().end;
                let span = suffix.first().map_or(end..end, |s| s.name.span());
                wrong(span, "an address register is written as `.x`")
            }
            (false, true) => wrong(path.span(), "ARL writes address registers only"),
            (true, false) => wrong(path.span(), "only ARL writes address registers"),
            (true, true) | (false, false) => Ok(Destination { register, mask }),
        }
    }

    fn writable(&self, path: &Path<'a>) -> Checked<ResultRegister> {
        let symbol = self.look_up(&path.root.name)?;
        let register = match symbol {
            Symbol::Temporary(number) => ResultRegister::Temporary(number),
            Symbol::Address(number) => ResultRegister::Address(number),
            Symbol::Output(output) => ResultRegister::Output(output),
            Symbol::Input(_) | Symbol::Param(_) | Symbol::Array(_) => {
                let (name, what) = (quote(path.root.name.text), symbol.what());
                let message = format!("{name} is {what}, which cannot be written");
                return wrong(path.root.name.span(), message);
            }
            Symbol::Broken => return Err(None),
        };
        self.not_an_array(&path.root, symbol)?;
        Ok(register)
    }

    fn not_an_array(&self, root: &Segment<'a>, symbol: Symbol) -> Checked<()> {
        let Some(index) = &root.index else {
            return Ok(());
        };
        let (name, what) = (quote(root.name.text), symbol.what());
        let message = format!("{name} is {what}, not a parameter array");
        wrong(index.span.clone(), message)
    }

    fn source(
        &mut self,
        operand: &Operand<'a>,
        syntax: &InstructionSyntax<'a>,
        form: Form,
    ) -> Checked<Source> {
        let stage = self.program.stage;
        let (register, suffix) = match &operand.value {
            Value::Path(path) => self.readable(path)?,
            Value::Literal(literal) => {
                let param = Param::constant(literal.value);
                self.params.insert(param);
                let suffix = literal.suffix.as_slice();
                (SourceRegister::Param(param), suffix)
            }
        };
        let all = if operand.negate {
            Slots::all()
        } else {
            Slots::empty()
        };
        let (select, negate) = match form {
            Form::Vectors(_) | Form::Sample | Form::Kill => (swizzle(suffix, stage)?, all),
            Form::Scalars(_) | Form::Address => match component(suffix, stage)? {
                Some(select) => (select, all),
                None => return Err(Some(not_a_scalar(operand))),
            },
            Form::Selectors => {
                if let Some(segment) = suffix.first() {
                    let message = "the source of SWZ has no swizzle";
                    return wrong(segment.name.span(), message);
                }
                selectors(&syntax.selectors, stage)?
            }
        };
        Ok(Source {
            register,
            select,
            negate,
        })
    }

    fn readable<'p>(&mut self, path: &'p Path<'a>) -> Checked<(SourceRegister, &'p [Segment<'a>])> {
        let stage = self.program.stage;
        if !roots(stage).contains(&path.root.name.text) {
            return Ok((self.variable(&path.root)?, &path.rest));
        }
        let (bound, suffix) = self.resolve(path)?;
        let register = match bound {
            Bound::Input(input) => {
                self.bind_input(input, path.span())?;
                SourceRegister::Input(input)
            }
            Bound::Params { list, several } => match *list {
                [param] if !several => {
                    self.params.insert(param);
                    SourceRegister::Param(param)
                }
                _ => {
                    let message = "an operand is one parameter; these are several";
                    return wrong(path.span(), message);
                }
            },
            Bound::Output(_) => return wrong(path.span(), "results cannot be read"),
        };
        Ok((register, suffix))
    }

    fn variable(&mut self, root: &Segment<'a>) -> Checked<SourceRegister> {
        let symbol = self.look_up(&root.name)?;
        let register = match symbol {
            Symbol::Temporary(number) => SourceRegister::Temporary(number),
            Symbol::Input(input) => SourceRegister::Input(input),
            Symbol::Param(param) => {
                self.params.insert(param);
                SourceRegister::Param(param)
            }
            Symbol::Array(number) => return self.element(number, root),
            Symbol::Address(_) | Symbol::Output(_) => {
                let (name, what) = (quote(root.name.text), symbol.what());
                let message = format!("{name} is {what}, which cannot be read");
                return wrong(root.name.span(), message);
            }
            Symbol::Broken => return Err(None),
        };
        self.not_an_array(root, symbol)?;
        Ok(register)
    }

    /// An element of the array `number`.
    fn element(&mut self, number: usize, root: &Segment<'a>) -> Checked<SourceRegister> {
        let name = || quote(root.name.text);
        let Some(index) = &root.index else {
            let message = format!("{} is a parameter array, which needs an index", name());
            return wrong(root.name.span(), message);
        };
        let Index { kind, span } = &**index;
        match kind {
            IndexKind::Single(index) => {
                let params = &self.program.arrays[number].params;
                let Some(param) = params.get(*index as usize) else {
                    let (name, size) = (name(), params.len());
                    let message = format!("index {index} is beyond {name}, whose size is {size}");
                    return wrong(span.clone(), message);
                };
                self.params.insert(*param);
                Ok(SourceRegister::Param(*param))
            }
            IndexKind::Range(..) => wrong(span.clone(), "an operand is one element, not a range"),
            IndexKind::Relative {
                address,
                component,
                offset,
            } => {
                let address = self.address_register(address, component.as_ref())?;
                self.check_offset(*offset, span.clone())?;
                self.make_relative(number, span.clone())?;
                Ok(SourceRegister::Relative {
                    array: number,
                    address,
                    offset: *offset,
                })
            }
        }
    }

    fn address_register(&self, name: &Name<'a>, component: Option<&Name<'a>>) -> Checked<usize> {
        let symbol = self.look_up(name)?;
        let number = match symbol {
            Symbol::Address(number) => number,
            Symbol::Broken => return Err(None),
            Symbol::Temporary(_)
            | Symbol::Input(_)
            | Symbol::Output(_)
            | Symbol::Param(_)
            | Symbol::Array(_) => {
                let (name_text, what) = (quote(name.text), symbol.what());
                let message = format!("{name_text} is {what}, not an address register");
                return wrong(name.span(), message);
            }
        };
        match component {
            Some(component) if component.text == "x" => Ok(number),
            Some(component) => wrong(
                component.span(),
                "only `.x` of an address register can be used",
            ),
            None => {
                let remark = Remark::new(name.span(), "an address must be one component")
                    .code(&code::text::COMPONENTS);
                let end = name.span().end;
                let help = format!("write `{}.x`", name.text);
                Err(Some(remark.help(help).fix(end..end, ".x")))
            }
        }
    }

    fn check_offset(&self, offset: i64, span: Range<usize>) -> Checked<()> {
        let (least, most) = self.profile.offsets;
        if (least..=most).contains(&offset) {
            return Ok(());
        }
        wrong(
            span,
            format!("offset {offset} is not from {least} to {most}"),
        )
    }

    /// State may be in arrays that are addressed relatively only once.
    fn make_relative(&mut self, number: usize, span: Range<usize>) -> Checked<()> {
        let array = &mut self.program.arrays[number];
        if array.relative {
            return Ok(());
        }
        array.relative = true;
        for param in &array.params {
            if !matches!(param, Param::Constant(_)) && !self.relative.insert(*param) {
                let message = "an array that is addressed relatively has a parameter that is \
                               there twice";
                let remark = Remark::new(span, message).code(&code::text::TWICE);
                let help = "all relatively addressed arrays together may name a state only once";
                return Err(Some(remark.help(help)));
            }
        }
        Ok(())
    }

    fn texture(&mut self, unit: &Path<'a>, target: &Name<'a>) -> Checked<TextureUse> {
        let number = self.texture_unit(unit)?;
        let Some(texture) = TextureUse::parse(number, target.text) else {
            let message = format!("{} is not a texture target", quote(target.text));
            let remark = Remark::new(target.span(), message).code(&code::text::TEXTURE);
            return Err(Some(match nearest(target.text, TextureUse::words()) {
                Some(near) => remark.did_you_mean(near),
                None => remark,
            }));
        };
        if texture.shadow && !self.program.options.shadow {
            let message = format!("{} is not a texture target here", quote(target.text));
            let remark = Remark::new(target.span(), message).code(&code::text::TEXTURE);
            let help = "it needs `OPTION ARB_fragment_program_shadow;`";
            return Err(Some(remark.help(help)));
        }
        let mut known = self.program.textures.iter();
        match known.find(|other| other.unit == number) {
            None => self.program.textures.push(texture),
            Some(other) if *other != texture => {
                let before = other.word();
                let message = format!("texture[{number}] is sampled as {before} before this");
                let remark = Remark::new(target.span(), message).code(&code::text::TEXTURE);
                return Err(Some(remark.help("a unit has one target in a program")));
            }
            Some(_) => {}
        }
        Ok(texture)
    }

    fn texture_unit(&self, unit: &Path<'a>) -> Checked<u32> {
        let name = &unit.root.name;
        if name.text != "texture" || !unit.rest.is_empty() {
            let message = format!("{} is not a texture unit", quote(name.text));
            let remark = Remark::new(unit.span(), message).code(&code::text::NAME);
            return Err(Some(remark.help("write `texture[0]` or another index")));
        }
        let Some(index) = &unit.root.index else {
            return Ok(0);
        };
        let IndexKind::Single(number) = index.kind else {
            return wrong(index.span.clone(), "a texture unit is a number");
        };
        let count = self.profile.texture_units;
        if number >= count {
            let message = format!("texture unit {number} does not exist; there are {count}");
            return wrong(index.span.clone(), message);
        }
        Ok(number)
    }
}

/// The remark about a source of which one component has to be chosen.
fn not_a_scalar(operand: &Operand<'_>) -> Remark {
    let number = match &operand.value {
        Value::Literal(literal) => Some(literal.value[0])
            .filter(|number| number.is_finite() && literal.value == [*number; 4]),
        Value::Path(_) => None,
    };
    let remark = Remark::new(operand.span.clone(), "expected a scalar, not a vector")
        .code(&code::text::EXPECTED);
    match number {
        // The point has to be there: `64.x` is not a number and a component.
        Some(number) => {
            let sign = if operand.negate { "-" } else { "" };
            let written = format!("{sign}{number:?}.x");
            let help = format!("write `{written}`");
            remark.help(help).fix(operand.span.clone(), written)
        }
        None => remark.help("choose a component, as with `.x`"),
    }
}
