//! Reads the operands of texture instructions that name a target: `xtex_o r0, r1, r2, t3.2d`.

use super::diagnostic::Remark;
use super::lexer::TokenKind;
use super::parser::{Parsed, Parser, quote, usage};
use super::suggest::nearest;
use crate::access::TextureAccess;
use crate::code;
use crate::inst::Inst;
use crate::opcode::{Opcode, OperandKind};
use crate::operand::RelAddr;
use crate::target::{TextureShape, TextureTarget};

impl Parser<'_, '_> {
    /// Reads all that follows the mnemonic: the gathered component, the result, the operands, the
    /// texture.
    pub(super) fn query(&mut self, inst: &mut Inst, level_zero: bool, offset: bool) -> Parsed<()> {
        let op = inst.op;
        let mut gather = None;
        if self.accept('.') {
            gather = Some(self.component()?);
        }
        self.result(inst)?;
        let start = self.token.start;
        self.query_operands(inst, offset)?;
        let mut texture = self.texture(inst)?;
        texture.level_zero = level_zero;
        if let Some(component) = gather {
            texture.gather = component;
        }
        let written = start..self.end();
        let fits = texture
            .check(op)
            .map(|()| gather.is_none() || op == Opcode::Tg4);
        inst.texture = Some(texture);
        match fits {
            Ok(true) => Ok(()),
            Ok(false) => {
                let message = format!("`{op}` gathers no component");
                Err(Remark::new(written, message)
                    .code(&code::text::COMPONENTS)
                    .help(usage(op)))
            }
            Err(error) => Err(Remark::new(written, error.to_string()).help(usage(op))),
        }
    }

    /// The operands up to the texture, of which `offset` has the last one be an offset in texels.
    fn query_operands(&mut self, inst: &mut Inst, offset: bool) -> Parsed<()> {
        let op = inst.op;
        let mut read = Vec::new();
        while self.next_operand(op)? {
            let index = read.len().min(2);
            let kind = op.operands().get(index).copied();
            let kind = kind.unwrap_or(OperandKind::Ignored);
            read.push((self.token.span(), self.source(op, 0, kind)?));
        }
        if offset {
            let has_offset = matches!(op.operands(), [.., OperandKind::Texels]);
            let Some((span, operand)) = read.pop() else {
                return Err(self.missing(op, "the offset"));
            };
            if !has_offset {
                let message = format!("`{op}` takes no offset");
                return Err(Remark::new(span, message)
                    .code(&code::text::OPERANDS)
                    .help(usage(op)));
            }
            inst.operands[2] = operand;
        }
        for (place, kind) in op.operands().iter().take(2).enumerate() {
            if matches!(kind, OperandKind::Absent | OperandKind::Texels) {
                continue;
            }
            if !read.is_empty() {
                inst.operands[place] = read.remove(0).1;
            } else if !kind.may_be_absent() {
                return Err(self.missing(op, &format!("operand {}", place + 1)));
            }
        }
        match read.into_iter().next() {
            Some((span, _)) => {
                let message = format!("`{op}` takes no further operand");
                Err(Remark::new(span, message)
                    .code(&code::text::OPERANDS)
                    .help(usage(op)))
            }
            None => Ok(()),
        }
    }

    /// Takes the comma before the next operand. False before the texture.
    fn next_operand(&mut self, op: Opcode) -> Parsed<bool> {
        if matches!(self.token.kind, TokenKind::End | TokenKind::Arrow) {
            return Err(self.missing(op, "the texture"));
        }
        self.expect(',')?;
        Ok(self.token_digits('t').is_none())
    }

    fn missing(&self, op: Opcode, what: &str) -> Remark {
        let end = self.end();
        Remark::new(end..end, format!("{what} of `{op}` is missing"))
            .code(&code::text::OPERANDS)
            .help(usage(op))
    }

    /// `t3.2d`, `t3[a0.x].shadow_cube`.
    fn texture(&mut self, inst: &mut Inst) -> Parsed<TextureAccess> {
        let Some(digits) = self.token_digits('t') else {
            return Err(self.expected("a texture unit"));
        };
        let token = self.take();
        let last = self.profile.texture_units() - 1;
        let unit = digits.parse().ok().filter(|unit| *unit <= last);
        let unit = unit.ok_or_else(|| {
            let message = format!("texture unit {digits} does not exist; the last is {last}");
            Remark::new(token.span(), message).code(&code::text::NAME)
        })?;
        if self.accept('[') {
            let start = self.token.start;
            let address = self.address()?;
            if address.offset != 0 {
                let message = "the address of a texture unit has no offset";
                let remark = Remark::new(start..self.end(), message);
                return Err(remark.help("add it to the unit's number"));
            }
            inst.relative = Some(RelAddr {
                offset: 0,
                ..address
            });
        }
        Ok(TextureAccess::new(unit, self.target()?))
    }

    fn target(&mut self) -> Parsed<TextureTarget> {
        // `.2d` begins like a number.
        let number = Some(self.token).filter(|token| token.kind == TokenKind::Number);
        let name = match number.and_then(|token| token.text.strip_prefix('.')) {
            Some(name) => name,
            None => {
                self.expect('.')
                    .map_err(|remark| remark.help("a target follows, as in `t0.2d`"))?;
                self.token.text
            }
        };
        let token = self.take();
        let lower = name.to_ascii_lowercase();
        let (plain, shadow) = match lower.strip_prefix("shadow_") {
            Some(plain) => (plain, true),
            None => (&*lower, false),
        };
        let names = TextureShape::ALL.map(TextureShape::name);
        let found = TextureShape::ALL
            .into_iter()
            .find(|shape| shape.name() == plain);
        match found {
            Some(shape) => Ok(TextureTarget::Named { shape, shadow }),
            None => {
                let message = format!("{} is not a texture target", quote(name));
                let remark = Remark::new(token.span(), message).code(&code::text::TEXTURE);
                Err(match nearest(plain, names) {
                    Some(known) => {
                        let prefix = if shadow { "shadow_" } else { "" };
                        let help = format!("did you mean `{known}`?");
                        let fixed = format!("{prefix}{known}");
                        remark.help(help).fix(token.span(), fixed)
                    }
                    None => remark.help(format!("targets are {}", names.join(", "))),
                })
            }
        }
    }
}
