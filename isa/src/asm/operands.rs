//! Reads operands: registers with masks and swizzles, immediates, truth values, numbers.

use std::ops::Range;

use super::diagnostic::Remark;
use super::header::add_header;
use super::lexer::{Token, TokenKind};
use super::literals::{constant_value, digits_behind_0x, float, integer, raw_bits};
use super::parser::{Constant, Parsed, Parser, does_not_exist, quote, usage};
use crate::bank::{Bank, Reg};
use crate::code;
use crate::opcode::{OpFlags, Opcode, OperandKind};
use crate::operand::{BoolSrc, Component, Imm, Modifiers, Operand, RelAddr, Slots, Src, Swizzle};
use crate::profile::Profile;
use crate::reads::Reads;
use crate::text::is_whole;

const REGISTERS: &str = "registers are i0-i15, r0-r31, c0-c511, a0 and a1, and o0-o15 as results";
const EXTENDED_REGISTERS: &str =
    "registers are i0-i63, r0-r255, c0-c511, a0 to a3, and o0-o63 as results";
const COMPONENTS: &str = "components are x, y, z, w or r, g, b, a";

impl<'a> Parser<'a, '_> {
    /// A register that can be written.
    pub(super) fn result_register(&mut self, op: Opcode) -> Parsed<Reg> {
        if self.token_digits('p').is_some() {
            let message = format!("`{op}` writes a register, not a predicate");
            return Err(Remark::new(self.token.span(), message)
                .code(&code::text::OPERANDS)
                .help(usage(op)));
        }
        let (token, reg) = self.register("a result register")?;
        if reg.bank().is_writable() {
            return Ok(reg);
        }
        let message = format!("{} cannot be written", quote(token.text));
        Err(Remark::new(token.span(), message)
            .code(&code::text::OPERANDS)
            .help("results go to o, r or a registers"))
    }

    /// A register of any bank, without relative address.
    fn register(&mut self, what: &str) -> Parsed<(Token<'a>, Reg)> {
        if self.token.kind != TokenKind::Word {
            return Err(self.expected(what));
        }
        let known = Bank::ALL.into_iter().find_map(|bank| {
            let digits = self.token_digits(bank.letter())?;
            Some((bank, digits))
        });
        let Some((bank, digits)) = known else {
            return Err(self.no_register(what));
        };
        let token = self.take();
        let index: Option<u16> = digits.parse().ok();
        let within = |profile| index.and_then(|index| Reg::within(profile, bank, index));
        let reg = within(self.profile).ok_or_else(|| {
            let last = format!("{}{}", bank.letter(), bank.size(self.profile) - 1);
            let remark = does_not_exist(token, &last);
            match within(Profile::Extended) {
                Some(_) => add_header(remark),
                None => remark,
            }
        })?;
        Ok((token, reg))
    }

    /// The next token is a word, but no register.
    fn no_register(&self, what: &str) -> Remark {
        let other_kind = ['p', 's', 't', 'v'].into_iter();
        if other_kind
            .filter_map(|letter| self.token_digits(letter))
            .count()
            > 0
        {
            return self.expected(what);
        }
        let message = format!("unknown register {}", quote(self.token.text));
        let remark = Remark::new(self.token.span(), message).code(&code::text::NAME);
        match (meant_register(self.profile, self.token.text), self.profile) {
            (Some(reg), _) => remark.did_you_mean(&reg.to_string()),
            (None, Profile::Base) => remark.help(REGISTERS),
            (None, Profile::Extended) => remark.help(EXTENDED_REGISTERS),
        }
    }

    /// The components of a result; all if none are named.
    pub(super) fn mask(&mut self) -> Parsed<Slots> {
        if !self.accept('.') {
            return Ok(Slots::all());
        }
        let word = self.word("a write mask")?;
        if word.text.eq_ignore_ascii_case("none") {
            return Ok(Slots::empty());
        }
        let components = components(word, "a write mask")?;
        let mask: Slots = components.iter().map(|c| Slots::only(*c)).collect();
        if components.iter().copied().eq(mask.components()) {
            return Ok(mask);
        }
        let sorted: String = mask.components().map(Component::letter).collect();
        let message = "a write mask names components once, in the order x, y, z, w";
        let remark = Remark::new(word.span(), message).code(&code::text::COMPONENTS);
        let help = format!("did you mean `.{sorted}`?");
        Err(remark.help(help).fix(word.span(), sorted))
    }

    /// The swizzle of a source, if it has one.
    fn swizzle(&mut self) -> Parsed<Swizzle> {
        if !self.accept('.') {
            return Ok(Swizzle::IDENTITY);
        }
        let word = self.word("a swizzle")?;
        match *components(word, "a swizzle")? {
            [c] => Ok(Swizzle::broadcast(c)),
            [x, y, z, w] => Ok(Swizzle::new([x, y, z, w])),
            ref some => {
                let message = format!("a swizzle has one component or four, not {}", some.len());
                let full: String = (0..4)
                    .map(|slot| some[slot.min(some.len() - 1)].letter())
                    .collect();
                let remark = Remark::new(word.span(), message).code(&code::text::COMPONENTS);
                let help = format!("did you mean `.{full}`?");
                Err(remark.help(help).fix(word.span(), full))
            }
        }
    }

    /// A register or immediate with its modifiers.
    pub(super) fn source(
        &mut self,
        op: Opcode,
        index: usize,
        kind: OperandKind,
    ) -> Parsed<Operand> {
        let start = self.token.start;
        let negate = self.accept('-');
        let absolute = self.accept('|');
        let modifiers = Modifiers { negate, absolute };
        if absolute && self.token.kind == TokenKind::Mark('-') {
            let message = "the sign stands in front of the bars";
            return Err(Remark::new(self.token.span(), message).help("write `-|…|`"));
        }
        let mut selected = start..start;
        let operand = if self.token.kind == TokenKind::Number {
            let bits = self.immediate(op, index, kind, negate)?;
            Operand::Imm(Imm { bits, modifiers })
        } else {
            let reg = self.source_register(start)?;
            let register_end = self.end();
            let swizzle = self.swizzle()?;
            selected = register_end..self.end();
            Operand::Reg(Src {
                reg,
                swizzle,
                modifiers,
            })
        };
        if absolute {
            self.expect('|')?;
            if self.token.kind == TokenKind::Mark('.') {
                let remark = self.expected("`,`");
                return Err(remark.help("the swizzle stands inside the bars"));
            }
        }
        if let Operand::Reg(src) = operand {
            self.check_scalar(op, kind, src, start..self.end(), selected);
            self.check_swizzle(op, kind, src, start)?;
        }
        Ok(operand)
    }

    /// An input, of which the value at another place is asked for.
    pub(super) fn input(&mut self, op: Opcode, index: usize) -> Parsed<Operand> {
        let start = self.token.start;
        let operand = self.source(op, index, OperandKind::Input)?;
        if let Operand::Reg(Src { reg, modifiers, .. }) = operand
            && reg.bank() == Bank::Input
            && modifiers == Modifiers::default()
        {
            return Ok(operand);
        }
        let message = format!("`{op}` takes an input without modifiers");
        Err(Remark::new(start..self.end(), message)
            .code(&code::text::OPERANDS)
            .help(usage(op)))
    }

    /// A register that can be read; `start` is where its operand begins.
    fn source_register(&mut self, start: usize) -> Parsed<Reg> {
        if let Some(constant) = self.constant(start)? {
            return Ok(constant);
        }
        let (token, reg) = self.register("a source")?;
        if reg.bank().is_readable() {
            return Ok(reg);
        }
        let message = format!("{} cannot be read", quote(token.text));
        Err(Remark::new(token.span(), message)
            .code(&code::text::OPERANDS)
            .help("keep the value in a temporary"))
    }

    /// A constant, absolute or relative, if the next token is one.
    fn constant(&mut self, start: usize) -> Parsed<Option<Reg>> {
        let numbered = self.token_digits('c').is_some();
        let bare = self.token.text.eq_ignore_ascii_case("c");
        if !numbered && !bare {
            return Ok(None);
        }
        let reg = if numbered {
            self.register("a constant")?.1
        } else {
            self.take();
            if self.token.kind != TokenKind::Mark('[') {
                return Err(self.expected("the constant's number or `[`"));
            }
            Reg::new(Bank::Constant, 0).expect("there are constants")
        };
        let relative = if self.accept('[') {
            Some(self.address()?)
        } else {
            None
        };
        let span = start..self.end();
        self.constants.push(Constant { span, relative });
        Ok(Some(reg))
    }

    /// The content of the brackets of a relative constant, and the closing bracket.
    pub(super) fn address(&mut self) -> Parsed<RelAddr> {
        if self.token.kind == TokenKind::Number {
            let help = format!("write `c{}` for a fixed constant", self.token.text);
            return Err(self.expected("an address register").help(help));
        }
        let (token, reg) = self.register("an address register")?;
        if reg.bank() != Bank::Address {
            let message = format!("{} is not an address register", quote(token.text));
            return Err(Remark::new(token.span(), message)
                .code(&code::text::OPERANDS)
                .help("load it with `arl a0.x, …`"));
        }
        self.expect('.')
            .map_err(|remark| remark.help("as in `a0.x`"))?;
        let component = self.component()?;
        let offset = self.address_offset()?;
        self.expect(']')?;
        Ok(RelAddr {
            reg,
            component,
            offset,
        })
    }

    fn address_offset(&mut self) -> Parsed<i16> {
        let start = self.token.start;
        let subtract = self.accept('-');
        if !subtract && !self.accept('+') {
            return Ok(0);
        }
        let negate = subtract != self.accept('-');
        let (_, magnitude) = self.whole_number()?;
        let offset = magnitude.map(|m| if negate { -m } else { m });
        offset
            .and_then(|offset| i16::try_from(offset).ok())
            .filter(|offset| RelAddr::OFFSETS.contains(offset))
            .ok_or_else(|| {
                Remark::new(start..self.end(), "the offset is not within -256 to 255")
                    .code(&code::text::NUMBER)
                    .help("put the rest into the constant's number")
            })
    }

    /// One component, as a letter.
    pub(super) fn component(&mut self) -> Parsed<Component> {
        let word = self.word("a component")?;
        match *components(word, "a component")? {
            [c] => Ok(c),
            _ => {
                let message = format!("expected one component, found {}", quote(word.text));
                Err(Remark::new(word.span(), message).code(&code::text::COMPONENTS))
            }
        }
    }

    /// Scalar operands take slot w, which only a broadcast makes plain (D24).
    fn check_scalar(
        &mut self,
        op: Opcode,
        kind: OperandKind,
        src: Src,
        span: Range<usize>,
        swizzle: Range<usize>,
    ) {
        let scalar = matches!(
            kind,
            OperandKind::Float(Reads::W) | OperandKind::Int(Reads::W) | OperandKind::Index
        );
        if scalar && src.swizzle.as_broadcast().is_none() {
            let taken = src.swizzle.source(Component::W).letter();
            let message = format!("`{op}` reads one component, here {taken}");
            let help = format!("write `{}.{taken}` to say so", src.reg);
            let remark = Remark::new(span, message)
                .code(&code::text::COMPONENTS)
                .help(help);
            self.warn(remark.fix(swizzle, format!(".{taken}")));
        }
    }

    /// The bits of an immediate, whose sign is a modifier.
    fn immediate(
        &mut self,
        op: Opcode,
        index: usize,
        kind: OperandKind,
        negate: bool,
    ) -> Parsed<u32> {
        let token = self.take();
        if !op.has(OpFlags::IMM) || index != 1 {
            let message = if op.has(OpFlags::IMM) {
                format!("only the second operand of `{op}` can be an immediate")
            } else {
                format!("`{op}` takes no immediate")
            };
            let help = self.constant_help(token, kind);
            return Err(Remark::new(token.span(), message)
                .code(&code::text::OPERANDS)
                .help(help));
        }
        if let Some(digits) = digits_behind_0x(token.text) {
            return raw_bits(token, digits);
        }
        if matches!(kind, OperandKind::Int(_)) {
            integer(op, token, negate)
        } else {
            float(token)
        }
    }

    /// The help for a number that cannot stand where it stands: the line that makes it a constant.
    fn constant_help(&mut self, token: Token<'_>, kind: OperandKind) -> String {
        let value = constant_value(token, kind).filter(|_| self.diagnostics.has_room());
        let given = value.and_then(|value| Some((self.spare.register(&value)?, value)));
        match given {
            Some((reg, value)) => {
                format!("add the line `;! const {reg} = {value}`, and write `{reg}`")
            }
            None => "put the value into a constant".to_owned(),
        }
    }

    /// A predicate, a constant's component, `true` or `false`.
    pub(super) fn truth_value(&mut self) -> Parsed<BoolSrc> {
        let start = self.token.start;
        let negate = self.accept('!');
        if self.token_digits('p').is_some() {
            let pred = self.pred()?;
            return Ok(BoolSrc::Pred { pred, negate });
        }
        if let Some(reg) = self.constant(start)? {
            let component = self.tested_component(reg, start)?;
            return Ok(BoolSrc::Constant {
                reg,
                component,
                negate,
            });
        }
        match [true, false]
            .into_iter()
            .find(|value| self.is_literal(*value))
        {
            Some(value) if negate => {
                let help = format!("write `{}`", !value);
                let place = start..self.token.end();
                let remark = self.expected("a predicate").help(help);
                Err(remark.fix(place, (!value).to_string()))
            }
            Some(value) => {
                self.take();
                Ok(BoolSrc::Literal(value))
            }
            None => Err(self.no_truth_value()),
        }
    }

    fn is_literal(&self, value: bool) -> bool {
        self.token
            .text
            .eq_ignore_ascii_case(if value { "true" } else { "false" })
    }

    fn no_truth_value(&self) -> Remark {
        let help = if self.token.kind == TokenKind::Mark('-') {
            "the opposite of a truth value is written `!`"
        } else {
            "compare values into a predicate first, as with `setpgt`"
        };
        self.expected("a predicate, a constant, `true` or `false`")
            .help(help)
    }

    /// The component of a constant that is a truth value; w if none is named, as for every scalar.
    fn tested_component(&mut self, reg: Reg, start: usize) -> Parsed<Component> {
        if self.accept('.') {
            return self.component();
        }
        let message = "one component of the constant is tested, here w";
        let remark = Remark::new(start..self.end(), message).code(&code::text::COMPONENTS);
        let end = self.end()..self.end();
        let help = format!("write `{reg}.w` to say so");
        self.warn(remark.help(help).fix(end, ".w"));
        Ok(Component::W)
    }

    /// A distance in instructions, or 0 and the label that it leads to.
    pub(super) fn jump_target(&mut self) -> Parsed<(i32, Option<Token<'a>>)> {
        if self.token.kind == TokenKind::Word {
            return Ok((0, Some(self.take())));
        }
        let start = self.token.start;
        let negate = self.accept('-');
        if !negate {
            self.accept('+');
        }
        if self.token.kind != TokenKind::Number {
            return Err(self.expected("a label or a distance"));
        }
        let (_, magnitude) = self.whole_number()?;
        let distance = magnitude.map(|m| if negate { -m } else { m });
        let distance = distance.and_then(|distance| i32::try_from(distance).ok());
        let too_far = || {
            Remark::new(start..self.end(), "the distance does not fit 32 bits")
                .code(&code::text::NUMBER)
        };
        Ok((distance.ok_or_else(too_far)?, None))
    }

    /// Decimal digits; no value if there are too many for any use.
    pub(super) fn whole_number(&mut self) -> Parsed<(Token<'a>, Option<i64>)> {
        if self.token.kind != TokenKind::Number || !is_whole(self.token.text) {
            return Err(self.expected("an integer"));
        }
        let token = self.take();
        Ok((token, token.text.parse().ok()))
    }
}

/// The register that a misspelled one is likely to be: letters for the digits they look like.
fn meant_register(profile: Profile, word: &str) -> Option<Reg> {
    if word.len() > 4 {
        return None;
    }
    let mut chars = word.to_ascii_lowercase().into_bytes().into_iter();
    let letter = chars.next()?;
    let digits = chars.map(|c| match c {
        b'o' => '0',
        b'l' | b'i' => '1',
        other => char::from(other),
    });
    let digits: String = digits.collect();
    let bank = Bank::ALL
        .into_iter()
        .find(|bank| bank.letter() == char::from(letter))?;
    Reg::within(profile, bank, digits.parse().ok()?)
}

/// The components that `word` names, at most four.
fn components(word: Token<'_>, what: &str) -> Parsed<Vec<Component>> {
    let index = |names: &str| -> Option<Vec<Component>> {
        let find = |c: char| names.find(c.to_ascii_lowercase());
        let indices: Option<Vec<usize>> = word.text.chars().map(find).collect();
        Some(indices?.into_iter().map(|i| Component::ALL[i]).collect())
    };
    if word.text.len() <= 4
        && let Some(components) = index("xyzw").or_else(|| index("rgba"))
    {
        return Ok(components);
    }
    let message = format!("{} is not {what}", quote(word.text));
    Err(Remark::new(word.span(), message).help(COMPONENTS))
}
