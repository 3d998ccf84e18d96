//! Looks names up and checks the rules that a program has to keep.
//!
//! Statements are looked at in their order, as names have to be declared before they are used. A
//! declaration with a mistake still declares its name, as [`Symbol::Broken`], so that its uses are
//! not reported as well.

mod instruction;
mod limits;
mod suffix;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use attila_isa::{Diagnostics, Remark, code, nearest};

use super::binding::{Input, Output, Param};
use super::bindings::Bound;
use super::matching::{resolve, roots};
use super::opcode::ArbOpcode;
use super::options::{OptionError, Options};
use super::parser::{DECLARATIONS, quote, split_saturation};
use super::profile::{MAX_ELEMENTS, Profile, Resources};
use super::program::{ArbProgram, Named, ParamArray};
use super::syntax::{Initializer, Name, Path, Segment, Statement, Value};
use crate::arb::ArbStage;

/// How many names are considered as what a misspelled one may have been meant to be.
const NAMES_COMPARED: usize = 1000;

/// The meaning of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Symbol {
    Temporary(usize),
    Address(usize),
    Input(Input),
    Output(Output),
    Param(Param),
    Array(usize),
    /// Its declaration has been reported.
    Broken,
}

impl Symbol {
    /// The kind of symbol, in messages.
    fn what(self) -> &'static str {
        match self {
            Symbol::Temporary(_) => "a temporary",
            Symbol::Address(_) => "an address register",
            Symbol::Input(_) => "an attribute",
            Symbol::Output(_) => "an output",
            Symbol::Param(_) => "a parameter",
            Symbol::Array(_) => "a parameter array",
            Symbol::Broken => "a faulty declaration",
        }
    }
}

/// A rule that is broken: `None` where the reason has been reported already.
type Checked<T> = Result<T, Option<Remark>>;

fn wrong<T>(span: Range<usize>, message: impl Into<String>) -> Checked<T> {
    Err(Some(Remark::new(span, message)))
}

pub(super) struct Checker<'a, 'c> {
    profile: &'c Profile,
    diagnostics: &'c mut Diagnostics,
    symbols: BTreeMap<&'a str, Symbol>,
    /// Where temporaries and address registers are declared.
    temporaries: Vec<Range<usize>>,
    addresses: Vec<Range<usize>>,
    inputs: BTreeSet<Input>,
    /// The number of elements that the arrays have so far; at most [`MAX_ELEMENTS`].
    elements: usize,
    /// Parameters that are read singly.
    params: BTreeSet<Param>,
    /// Parameters in arrays that are addressed relatively.
    relative: BTreeSet<Param>,
    program: ArbProgram,
}

impl<'a, 'c> Checker<'a, 'c> {
    pub(super) fn new(
        stage: ArbStage,
        profile: &'c Profile,
        diagnostics: &'c mut Diagnostics,
    ) -> Checker<'a, 'c> {
        Checker {
            profile,
            diagnostics,
            symbols: BTreeMap::new(),
            temporaries: Vec::new(),
            addresses: Vec::new(),
            inputs: BTreeSet::new(),
            elements: 0,
            params: BTreeSet::new(),
            relative: BTreeSet::new(),
            program: ArbProgram {
                stage,
                options: Options::default(),
                temporaries: 0,
                addresses: 0,
                names: Vec::new(),
                arrays: Vec::new(),
                instructions: Vec::new(),
                textures: Vec::new(),
                resources: Resources::default(),
            },
        }
    }

    /// The program of all statements. `end` is where what concerns all of it is reported.
    pub(super) fn program(mut self, end: usize) -> ArbProgram {
        self.check_limits(end);
        let names = self.symbols.into_iter().filter_map(|(name, symbol)| {
            let named = match symbol {
                Symbol::Input(input) => Named::Input(input),
                Symbol::Param(param) => Named::Param(param),
                Symbol::Array(number) => Named::Array(number),
                Symbol::Temporary(_) | Symbol::Address(_) | Symbol::Output(_) | Symbol::Broken => {
                    return None;
                }
            };
            Some((name.to_owned(), named))
        });
        self.program.names = names.collect();
        self.program
    }

    fn report(&mut self, problem: Option<Remark>) {
        if let Some(remark) = problem {
            self.diagnostics.error(remark);
        }
    }

    /// Checks the next statement.
    pub(super) fn statement(&mut self, statement: &Statement<'a>) {
        match statement {
            Statement::Option(name) => {
                if let Err(problem) = self.option(name) {
                    self.report(problem);
                }
            }
            Statement::Attrib(name, path) => {
                let symbol = self.attrib(path);
                self.declare(name, symbol);
            }
            Statement::Output(name, path) => {
                let symbol = self.output(path);
                self.declare(name, symbol);
            }
            Statement::Param(name, initializer) => {
                let symbol = self.param(initializer);
                self.declare(name, symbol);
            }
            Statement::Temp(names) => self.temp(names),
            Statement::Address(names) => self.address(names),
            Statement::Alias(name, target) => {
                let symbol = self.look_up(target);
                self.declare(name, symbol);
            }
            Statement::Instruction(instruction) => {
                if let Err(problem) = self.instruction(instruction) {
                    self.report(problem);
                }
            }
            Statement::Broken(names) => {
                for name in names {
                    self.declare(name, Ok(Symbol::Broken));
                }
            }
        }
    }

    fn option(&mut self, name: &Name<'a>) -> Checked<()> {
        let stage = self.program.stage;
        let text = quote(name.text);
        match self.program.options.turn_on(name.text, stage) {
            Ok(()) => Ok(()),
            Err(OptionError::Conflict) => wrong(
                name.span(),
                format!("option {text} conflicts with an earlier one"),
            ),
            Err(OptionError::Unknown) => {
                let message = format!("{stage} programs have no option {text}");
                let remark = Remark::new(name.span(), message).code(&code::text::ABSENT);
                let near = nearest_long(name.text, Options::names(stage));
                Err(Some(match near {
                    Some(near) => remark.did_you_mean(near),
                    None => remark,
                }))
            }
        }
    }

    fn temp(&mut self, names: &[Name<'a>]) {
        for name in names {
            let symbol = Symbol::Temporary(self.temporaries.len());
            self.temporaries.push(name.span());
            self.declare(name, Ok(symbol));
        }
    }

    fn address(&mut self, names: &[Name<'a>]) {
        for name in names {
            let symbol = Symbol::Address(self.addresses.len());
            self.addresses.push(name.span());
            self.declare(name, Ok(symbol));
        }
    }

    fn declare(&mut self, name: &Name<'a>, symbol: Checked<Symbol>) {
        let symbol = symbol.unwrap_or_else(|problem| {
            self.report(problem);
            Symbol::Broken
        });
        let mistake = if !name.text.starts_with(|c: char| !c.is_ascii_digit()) {
            "is not a name"
        } else if is_reserved(name.text, self.program.stage) {
            "is a reserved word, which cannot be declared"
        } else if self.symbols.contains_key(name.text) {
            "is declared twice"
        } else {
            self.symbols.insert(name.text, symbol);
            return;
        };
        let message = format!("{} {mistake}", quote(name.text));
        self.report(Some(Remark::new(name.span(), message)));
    }

    fn look_up(&self, name: &Name<'a>) -> Checked<Symbol> {
        if let Some(symbol) = self.symbols.get(name.text) {
            return Ok(*symbol);
        }
        let message = format!("{} is not declared", quote(name.text));
        let remark = Remark::new(name.span(), message).code(&code::text::NAME);
        let known = self.symbols.keys().copied().take(NAMES_COMPARED);
        let has_room = self.diagnostics.has_room();
        Err(Some(
            match has_room.then(|| nearest(name.text, known)).flatten() {
                Some(near) => remark.did_you_mean(near),
                None => remark,
            },
        ))
    }

    /// The binding of `path` as a whole.
    fn bound(&self, path: &Path<'a>) -> Checked<Bound> {
        let stage = self.program.stage;
        let root = &path.root.name;
        if !roots(stage).contains(&root.text) {
            let message = format!("{} is not a binding", quote(root.text));
            let remark = Remark::new(root.span(), message).code(&code::text::NAME);
            return Err(Some(
                match nearest(root.text, roots(stage)).filter(|_| !path.rest.is_empty()) {
                    Some(near) => remark.did_you_mean(near),
                    None => remark.help("another name for a variable is an `ALIAS`"),
                },
            ));
        }
        let (bound, rest) = self.resolve(path)?;
        match rest.first() {
            None => Ok(bound),
            Some(segment) => {
                let text = quote(segment.name.text);
                let message = format!("the binding ends before {text}");
                wrong(segment.name.span(), message)
            }
        }
    }

    /// The binding that `path` begins with, and the words after it.
    fn resolve<'p>(&self, path: &'p Path<'a>) -> Checked<(Bound, &'p [Segment<'a>])> {
        let stage = self.program.stage;
        let has_one_colour = stage == ArbStage::Fragment && !self.program.options.draw_buffers;
        if let ("result", [segment, ..]) = (path.root.name.text, path.rest.as_slice())
            && let ("color", Some(index), true) =
                (segment.name.text, &segment.index, has_one_colour)
        {
            let remark = Remark::new(index.span.clone(), "`color` takes no index")
                .code(&code::text::OPERANDS);
            return Err(Some(remark.help("it needs `OPTION ARB_draw_buffers;`")));
        }
        resolve(path, stage, self.profile, self.diagnostics).map_err(Some)
    }

    fn attrib(&mut self, path: &Path<'a>) -> Checked<Symbol> {
        match self.bound(path)? {
            Bound::Input(input) => {
                self.bind_input(input, path.span())?;
                Ok(Symbol::Input(input))
            }
            Bound::Output(_) | Bound::Params { .. } => {
                wrong(path.span(), "an attribute is bound to an input")
            }
        }
    }

    fn output(&mut self, path: &Path<'a>) -> Checked<Symbol> {
        match self.bound(path)? {
            Bound::Output(output) => {
                self.bind_output(output, path.span())?;
                Ok(Symbol::Output(output))
            }
            Bound::Input(_) | Bound::Params { .. } => {
                wrong(path.span(), "an output is bound to a result")
            }
        }
    }

    /// Generic vertex attributes and conventional ones may be the same.
    fn bind_input(&mut self, input: Input, span: Range<usize>) -> Checked<()> {
        self.inputs.insert(input);
        if self.program.stage == ArbStage::Fragment {
            return Ok(());
        }
        let is_alias = |generic: Input, other: Input| {
            let number = other.generic_alias();
            number.is_some_and(|number| generic == Input::Generic(number))
        };
        let same = |other: &Input| is_alias(input, *other) || is_alias(*other, input);
        if self.inputs.iter().any(same) {
            let message = "this attribute has been bound by its other name";
            let remark = Remark::new(span, message);
            let help = "generic and conventional attributes share their values: use one name";
            return Err(Some(remark.help(help)));
        }
        if let Input::Weight(first) | Input::MatrixIndex(first) = input
            && first % 4 != 0
        {
            return wrong(span, "the index must be a multiple of 4");
        }
        Ok(())
    }

    fn bind_output(&self, output: Output, span: Range<usize>) -> Checked<()> {
        if output == Output::Position && self.program.options.position_invariant {
            let message = "`result.position` is not for programs with ARB_position_invariant";
            return wrong(span, message);
        }
        Ok(())
    }

    fn param(&mut self, initializer: &Initializer<'a>) -> Checked<Symbol> {
        let (size, items) = match initializer {
            Initializer::One(value) => return Ok(Symbol::Param(self.single_param(value)?)),
            Initializer::Array { size, items } => (size, items),
        };
        let room = MAX_ELEMENTS - self.elements;
        let mut params = Vec::new();
        for item in items {
            params.extend(self.params(item)?.0);
            if params.len() > room {
                let message = format!(
                    "the arrays of a program have at most {MAX_ELEMENTS} elements together"
                );
                return wrong(item.span(), message);
            }
        }
        if let Some((size, span)) = size
            && *size as usize != params.len()
        {
            let count = params.len();
            let message = format!("the size is {size}; there are {count} initializers");
            return wrong(span.clone(), message);
        }
        let number = self.program.arrays.len();
        self.elements += params.len();
        self.program.arrays.push(ParamArray {
            params,
            relative: false,
        });
        Ok(Symbol::Array(number))
    }

    fn single_param(&self, value: &Value<'a>) -> Checked<Param> {
        match self.params(value)? {
            (list, false) if list.len() == 1 => Ok(list[0]),
            (list, _) => {
                let count = list.len();
                let message =
                    format!("this is a list of {count}, where one parameter has to stand");
                let remark = Remark::new(value.span(), message);
                Err(Some(
                    remark.help("an array may hold several: `[] = { ... }`"),
                ))
            }
        }
    }

    /// The parameters that a value in a declaration stands for, and whether it is written as
    /// several.
    fn params(&self, value: &Value<'a>) -> Checked<(Vec<Param>, bool)> {
        let path = match value {
            Value::Literal(literal) => return Ok((vec![Param::constant(literal.value)], false)),
            Value::Path(path) => path,
        };
        match self.bound(path)? {
            Bound::Params { list, several } => Ok((list, several)),
            Bound::Input(_) | Bound::Output(_) => wrong(
                path.span(),
                "a parameter is bound to state or to a constant",
            ),
        }
    }
}

/// The option nearest to `name`: options are longer than the names that [`nearest`] compares, and
/// differ at their ends.
fn nearest_long(name: &str, options: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let common = |option: &str| {
        let both = name.bytes().zip(option.bytes());
        both.take_while(|(a, b)| a == b).count()
    };
    let best = options.max_by_key(|option| common(option))?;
    (common(best) > "ARB_".len()).then_some(best)
}

/// Whether nothing can be declared by this name.
fn is_reserved(word: &str, stage: ArbStage) -> bool {
    let (plain, saturated) = split_saturation(word);
    let is_opcode = ArbOpcode::find(plain, stage)
        .is_some_and(|op| !saturated || stage == ArbStage::Fragment && op.has_saturated_form());
    let declares = DECLARATIONS.contains(&word);
    let is_texture = word == "texture" && stage == ArbStage::Fragment;
    is_opcode
        || declares && (word != "ADDRESS" || stage == ArbStage::Vertex)
        || is_texture
        || word == "END"
        || roots(stage).contains(&word)
}
