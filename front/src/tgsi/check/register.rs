//! Looks registers up.

use std::ops::Range;

use attila_isa::{Remark, Slots, code};

use super::super::program::{Address, ConstantBuffer, Index, Register};
use super::super::syntax;
use super::super::table::Type;
use super::super::words::File;
use super::declare::{DIMENSIONS, refused_file};
use super::operand::single;
use super::{Checked, Checker, wrong};

/// The use of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    Read,
    Write,
}

impl Checker<'_> {
    /// Lists the constant buffers that are declared.
    pub(super) fn list_constants(&mut self) {
        let dimensions = self.declared.of(File::Constant).dimensions();
        let buffers = dimensions.map(|(buffer, ranges)| ConstantBuffer {
            buffer,
            size: ranges.end(),
            used: Default::default(),
            relative: false,
            chosen: false,
        });
        self.program.constants = buffers.collect();
        self.program.temporaries = self.declared.of(File::Temporary).end();
        self.program.addresses = self.declared.of(File::Address).end();
        self.program.predicates = self.declared.of(File::Predicate).end();
    }

    /// A register that is read as a value, or written.
    pub(super) fn register(
        &mut self,
        syntax: &syntax::Register<'_>,
        access: Access,
    ) -> Checked<Register> {
        let file = syntax.file;
        self.may_access(syntax, access)?;
        let (dimension, index) = match (file, &syntax.second) {
            (File::Constant | File::TemporaryArray, Some(second)) => {
                (Some(self.index(&syntax.first)?), second)
            }
            (File::Constant | File::TemporaryArray, None) => {
                let zero = Index {
                    base: 0,
                    address: None,
                };
                (Some(zero), &syntax.first)
            }
            (File::Input, Some(second)) if self.vertices_in() => {
                (Some(self.index(&syntax.first)?), second)
            }
            (_, Some(second)) => {
                let message = format!("registers of {file} have one index");
                return wrong(second.span.clone(), message);
            }
            (_, None) => (None, &syntax.first),
        };
        let index = self.index(index)?;
        match file {
            File::Constant => self.constant(syntax, dimension, index)?,
            File::Input => self.input(syntax, dimension, index)?,
            File::Null
            | File::Output
            | File::Temporary
            | File::Sampler
            | File::Address
            | File::Immediate
            | File::Predicate
            | File::SystemValue
            | File::Resource
            | File::SamplerView
            | File::ImmediateArray
            | File::TemporaryArray
            | File::Image
            | File::Buffer
            | File::Memory
            | File::ConstantBuffer
            | File::HardwareAtomic
            | File::HalfTemporary
            | File::Loop => self.plain(syntax, dimension, index)?,
        }
        let array = self.array(syntax, dimension, index, access)?;
        Ok(Register {
            file,
            dimension,
            index,
            array,
        })
    }

    /// Whether inputs may have the number of a vertex.
    fn vertices_in(&self) -> bool {
        self.program.processor == super::Processor::Geometry
    }

    fn may_access(&mut self, syntax: &syntax::Register<'_>, access: Access) -> Checked<()> {
        let file = syntax.file;
        if let Some(feature) = refused_file(file) {
            self.refuse(feature, syntax.word, syntax.span.clone());
            return Err(None);
        }
        let span = syntax.span.clone();
        let allowed = match file {
            File::Temporary
            | File::Output
            | File::Address
            | File::Predicate
            | File::TemporaryArray => true,
            File::Constant
            | File::Input
            | File::Immediate
            | File::SystemValue
            | File::ImmediateArray => access == Access::Read,
            File::Null => access == Access::Write,
            File::Sampler
            | File::SamplerView
            | File::Buffer
            | File::Resource
            | File::Image
            | File::Memory
            | File::ConstantBuffer
            | File::HardwareAtomic
            | File::HalfTemporary
            | File::Loop => false,
        };
        match (allowed, access) {
            (true, _) => Ok(()),
            (false, Access::Read) => wrong(span, format!("{file} has no values to read here")),
            (false, Access::Write) => wrong(span, format!("{file} cannot be written")),
        }
    }

    /// A number, or an address and its offset.
    pub(super) fn index(&mut self, index: &syntax::Index<'_>) -> Checked<Index> {
        let too_large = || wrong(index.span.clone(), "the index is too large");
        let relative = match &index.kind {
            syntax::IndexKind::Number(number) => {
                return i32::try_from(*number).map_or_else(
                    |_| too_large(),
                    |base| {
                        Ok(Index {
                            base,
                            address: None,
                        })
                    },
                );
            }
            syntax::IndexKind::Relative(relative) => relative,
        };
        let Ok(base) = i32::try_from(relative.offset) else {
            return too_large();
        };
        let (file, register) = (relative.file, relative.register);
        let holds_integers = matches!(
            file,
            File::Address
                | File::Temporary
                | File::Constant
                | File::Input
                | File::SystemValue
                | File::Immediate
        );
        if !holds_integers {
            let message = format!("registers of {file} cannot be addresses");
            return wrong(relative.span.clone(), message);
        }
        let component = single(relative.component.as_ref())?;
        if !self.is_declared(file, 0, register) {
            return Err(self.missing(file, None, register, relative.span.clone()));
        }
        if file == File::Constant {
            self.use_constant(0, Some(register));
        }
        Ok(Index {
            base,
            address: Some(Address {
                file,
                register,
                component,
            }),
        })
    }

    fn is_declared(&self, file: File, dimension: u32, register: u32) -> bool {
        match file {
            File::Immediate => (register as usize) < self.program.immediates.len(),
            File::Null => true,
            File::Constant
            | File::Input
            | File::Output
            | File::Temporary
            | File::Sampler
            | File::Address
            | File::Predicate
            | File::SystemValue
            | File::Resource
            | File::SamplerView
            | File::ImmediateArray
            | File::TemporaryArray
            | File::Image
            | File::Buffer
            | File::Memory
            | File::ConstantBuffer
            | File::HardwareAtomic
            | File::HalfTemporary
            | File::Loop => {
                let registers = self.declared.of(file);
                registers.find(dimension, register).is_some()
            }
        }
    }

    /// The remark on a register that is not declared. Each is reported once.
    fn missing(
        &mut self,
        file: File,
        dimension: Option<u32>,
        register: u32,
        span: Range<usize>,
    ) -> Option<Remark> {
        let key = (file, dimension.unwrap_or(0), register);
        if self.declared.of(file).broken || !self.missing.insert(key) {
            return None;
        }
        let prefix = match dimension {
            Some(dimension) => format!("{file}[{dimension}]"),
            None => file.word().to_owned(),
        };
        let remark = Remark::new(span, format!("`{prefix}[{register}]` is not declared"))
            .code(&code::text::NAME);
        if file == File::Immediate {
            let last = self.program.immediates.len().checked_sub(1);
            return Some(match last {
                Some(last) => remark.help(format!("the last one is `IMM[{last}]`")),
                None => remark.help("the text has no immediates"),
            });
        }
        let ranges = self.declared.of(file).of(dimension.unwrap_or(0));
        let listed = ranges.filter(|_| self.diagnostics.has_room());
        let listed = listed.and_then(|ranges| ranges.listed(&prefix));
        Some(match listed {
            Some(listed) => remark.help(format!("the text declares {listed}")),
            None => remark.help(format!("write `DCL {prefix}[{register}]`")),
        })
    }

    /// A register of a file whose registers have nothing else in common.
    fn plain(
        &mut self,
        syntax: &syntax::Register<'_>,
        dimension: Option<Index>,
        index: Index,
    ) -> Checked<()> {
        let file = syntax.file;
        let number = match dimension {
            None => 0,
            Some(dimension) => match dimension.fixed() {
                Some(number) => number,
                None => {
                    let message = format!("the arrays of {file} have fixed numbers");
                    return wrong(syntax.first.span.clone(), message);
                }
            },
        };
        let written = syntax.second.as_ref().and(Some(number));
        match index.fixed() {
            Some(register) if self.is_declared(file, number, register) => Ok(()),
            Some(register) => {
                let span = syntax.span.clone();
                Err(self.missing(file, written, register, span))
            }
            None => self.relative_file(syntax, number),
        }
    }

    /// A file whose registers are addressed relatively: some have to be declared.
    fn relative_file(&mut self, syntax: &syntax::Register<'_>, dimension: u32) -> Checked<()> {
        let file = syntax.file;
        let registers = self.declared.of(file);
        let is_empty = match file == File::Immediate {
            true => self.program.immediates.is_empty(),
            false => registers.of(dimension).is_none(),
        };
        if !is_empty {
            return Ok(());
        }
        if registers.broken {
            return Err(None);
        }
        let prefix = match syntax.second.is_some() && file != File::Input {
            true => format!("{file}[{dimension}]"),
            false => file.word().to_owned(),
        };
        let message = format!("no register of `{prefix}` is declared");
        wrong(syntax.span.clone(), message)
    }

    fn input(
        &mut self,
        syntax: &syntax::Register<'_>,
        vertex: Option<Index>,
        index: Index,
    ) -> Checked<()> {
        let most = self.vertices.unwrap_or(u32::MAX);
        if let Some(number) = vertex.and_then(Index::fixed)
            && number >= most
        {
            let message = format!("the primitive has no vertex {number}; it has {most}");
            return wrong(syntax.first.span.clone(), message);
        }
        let Some(register) = index.fixed() else {
            return self.relative_file(syntax, 0);
        };
        let entry = self.declared.of(File::Input).find(0, register);
        let Some(per_vertex) = entry.map(|entry| entry.per_vertex) else {
            let span = syntax.span.clone();
            return Err(self.missing(File::Input, None, register, span));
        };
        match (per_vertex, vertex.is_some()) {
            (true, false) => {
                let message = format!("`IN[{register}]` needs the number of a vertex");
                let remark = Remark::new(syntax.span.clone(), message);
                Err(Some(remark.help(format!("as in `IN[0][{register}]`"))))
            }
            (false, true) => {
                let message = format!("`IN[{register}]` is not an input of vertices");
                let remark = Remark::new(syntax.span.clone(), message);
                Err(Some(remark.help("write it without the number of a vertex")))
            }
            (true, true) | (false, false) => Ok(()),
        }
    }

    fn constant(
        &mut self,
        syntax: &syntax::Register<'_>,
        buffer: Option<Index>,
        index: Index,
    ) -> Checked<()> {
        let Some(buffer) = buffer.and_then(Index::fixed) else {
            for constants in &mut self.program.constants {
                constants.chosen = true;
                constants.relative |= index.address.is_some();
                constants.used.extend(index.fixed());
            }
            return self.any_buffer(syntax);
        };
        if buffer >= DIMENSIONS {
            let message = format!("there are {DIMENSIONS} constant buffers");
            return wrong(syntax.first.span.clone(), message);
        }
        let written = syntax.second.as_ref().and(Some(buffer));
        if let Some(register) = index.fixed() {
            if !self.is_declared(File::Constant, buffer, register) {
                let span = syntax.span.clone();
                return Err(self.missing(File::Constant, written, register, span));
            }
        } else {
            self.relative_file(syntax, buffer)?;
        }
        self.use_constant(buffer, index.fixed());
        Ok(())
    }

    fn any_buffer(&mut self, syntax: &syntax::Register<'_>) -> Checked<()> {
        match self.program.constants.is_empty() {
            false => Ok(()),
            true if self.declared.of(File::Constant).broken => Err(None),
            true => wrong(syntax.span.clone(), "no constant buffer is declared"),
        }
    }

    /// Notes that a constant is read; relatively, if it has no number.
    fn use_constant(&mut self, buffer: u32, register: Option<u32>) {
        let list = &mut self.program.constants;
        let Ok(place) = list.binary_search_by_key(&buffer, |constants| constants.buffer) else {
            return;
        };
        match register {
            Some(register) => {
                list[place].used.insert(register);
            }
            None => list[place].relative = true,
        }
    }

    /// The array that a relative index addresses.
    fn array(
        &mut self,
        syntax: &syntax::Register<'_>,
        dimension: Option<Index>,
        index: Index,
        access: Access,
    ) -> Checked<Option<usize>> {
        let file = syntax.file;
        let number = syntax.array.as_ref();
        if let Some((number, span)) = number {
            let registers = self.declared.of(file);
            if !registers.arrays.contains_key(number) {
                if registers.broken {
                    return Err(None);
                }
                let message = format!("array {number} of {file} is not declared");
                return wrong(span.clone(), message);
            }
        }
        if file == File::Constant || index.address.is_none() {
            return Ok(None);
        }
        let is_vector = matches!(
            file,
            File::Temporary
                | File::Input
                | File::Output
                | File::Immediate
                | File::ImmediateArray
                | File::TemporaryArray
        );
        if !is_vector {
            let message = format!("registers of {file} have fixed numbers");
            return wrong(syntax.span.clone(), message);
        }
        let dimension = match file == File::TemporaryArray {
            true => dimension.and_then(Index::fixed).unwrap_or(0),
            false => 0,
        };
        let key = (file, dimension, number.map(|(number, _)| *number));
        Ok(Some(self.uses.add(key, access == Access::Write)))
    }

    /// The components that a register is declared with; those of all that an address may choose.
    pub(super) fn declared_components(&self, register: &Register) -> Slots {
        let dimension = register.dimension.and_then(Index::fixed).unwrap_or(0);
        let ranges = self.declared.of(register.file).of(dimension);
        let components = ranges.map(|ranges| match register.index.fixed() {
            Some(number) => ranges.mask(number..=number),
            None => ranges.mask(0..=u32::MAX),
        });
        components.unwrap_or(Slots::all())
    }

    /// The number of a sampler, a view or a buffer.
    pub(super) fn unit(&mut self, file: File, syntax: &syntax::Operand<'_>) -> Checked<Index> {
        let register = &syntax.register;
        if let Some(feature) = refused_file(register.file) {
            self.refuse(feature, register.word, register.span.clone());
            return Err(None);
        }
        if register.file != file {
            let message = format!(
                "expected a register of {file}, found one of {}",
                register.file
            );
            return wrong(register.span.clone(), message);
        }
        if syntax.negate || syntax.absolute {
            let message = format!("registers of {file} have no sign");
            return wrong(syntax.span.clone(), message);
        }
        if let (Some(word), false) = (&register.components, file == File::Buffer) {
            let message = format!("registers of {file} have no components");
            return wrong(word.span(), message);
        }
        if let Some(second) = &register.second {
            let message = format!("registers of {file} have one index");
            return wrong(second.span.clone(), message);
        }
        let index = self.index(&register.first)?;
        self.plain(register, None, index)?;
        Ok(index)
    }

    /// Whether a result of a type may be written to a file.
    pub(super) fn fits(
        &self,
        file: File,
        kind: Type,
        is_floor: bool,
        span: &Range<usize>,
    ) -> Checked<()> {
        let is_float = matches!(kind, Type::Float | Type::Double);
        if file != File::Address || !is_float || is_floor {
            return Ok(());
        }
        let remark = Remark::new(span.clone(), "an address register holds integers");
        Err(Some(remark.help("write it with ARL, ARR or UARL")))
    }
}
