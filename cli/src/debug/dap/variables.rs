//! Registers and their words as variables, in banks; expressions, and what values are made of.

use attila_shader::debug::{Origin, Place};
use attila_shader::isa::{Bank, Profile};
use attila_shader::machine::{Meaning, StateName};
use serde_json::{Value, json};

use super::launch::NO_PICTURE;
use super::protocol::{EvaluateArgs, ScopesArgs, VariablesArgs};
use super::session::{Answer, Session};
use attila_debugger::{Debugger, meaning};
use attila_debugger::{Kind, Word};

/// What a variable's reference stands for.
#[derive(Clone)]
pub(super) enum Handle {
    Bank(usize, Scope),
    Register(usize, Shown),
}

/// A group of registers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Registers of the text.
    Text,
    Temporaries,
    Inputs,
    Outputs,
    Constants,
    /// Address registers, predicates, masks.
    Others,
}

impl Scope {
    const ALL: [(Scope, &'static str); 6] = [
        (Scope::Text, "Registers of the text"),
        (Scope::Temporaries, "Temporaries"),
        (Scope::Inputs, "Inputs"),
        (Scope::Outputs, "Outputs"),
        (Scope::Constants, "Constants"),
        (Scope::Others, "Addresses, predicates, masks"),
    ];

    fn of(name: StateName) -> Scope {
        let StateName::Register(reg) = name else {
            return Scope::Others;
        };
        match reg.bank() {
            Bank::Input => Scope::Inputs,
            Bank::Output => Scope::Outputs,
            Bank::Constant => Scope::Constants,
            Bank::Temp => Scope::Temporaries,
            Bank::Address => Scope::Others,
        }
    }
}

/// A register, or a part of one.
#[derive(Clone)]
pub(super) struct Shown {
    name: String,
    words: Vec<Cell>,
}

/// A word: in the quad, or of a constant.
#[derive(Clone)]
struct Cell {
    /// With its register.
    name: String,
    from: From,
}

#[derive(Clone, Copy)]
enum From {
    Place(Place),
    Constant(u32),
}

impl Shown {
    /// Places of the quad: those of a register, or one word.
    fn of_places(name: String, places: &[Place], debugger: &Debugger) -> Shown {
        let cell = |place: &Place| Cell {
            name: debugger.name(*place),
            from: From::Place(*place),
        };
        let words = places.iter().map(cell).collect();
        Shown { name, words }
    }

    fn of_constant(index: usize, debugger: &Debugger) -> Shown {
        let name = format!("c{index}");
        let words = debugger
            .recording()
            .constant(index)
            .into_iter()
            .zip("xyzw".chars());
        let cell = |(bits, letter)| Cell {
            name: format!("{name}.{letter}"),
            from: From::Constant(bits),
        };
        let words = words.map(cell).collect();
        Shown { name, words }
    }

    /// What a text names: a register, a word, `r0.xy`, `c3.x`.
    fn named(text: &str, debugger: &Debugger) -> Result<Shown, String> {
        let text = text.trim();
        let (name, letters) = match text.rsplit_once('.') {
            Some((name, letters)) if letters.chars().all(|c| "xyzw".contains(c)) => (name, letters),
            Some(_) | None => (text, ""),
        };
        if let Some(index) = constant(name, debugger) {
            let mut shown = Shown::of_constant(index, debugger);
            let all = shown.words.clone();
            if !letters.is_empty() {
                let word = |letter| all["xyzw".find(letter).unwrap_or(0)].clone();
                shown.words = letters.chars().map(word).collect();
                shown.name = text.to_owned();
            }
            return Ok(shown);
        }
        let places = debugger.places(text).or_else(|error| {
            let word = |letter| debugger.place(&format!("{name}.{letter}"));
            let words: Result<Vec<Place>, _> = letters.chars().map(word).collect();
            words.ok().filter(|it| !it.is_empty()).ok_or(error)
        });
        let places = places.map_err(|error| error.to_string())?;
        Ok(Shown::of_places(text.to_owned(), &places, debugger))
    }

    /// Its words in a lane, for people.
    fn value(&self, debugger: &Debugger, lane: usize, kind: Kind) -> String {
        let words = self
            .words
            .iter()
            .map(|cell| cell.word(debugger, lane, kind));
        let words: Vec<Word> = words.collect();
        let texts: Vec<String> = words.iter().map(ToString::to_string).collect();
        let swatch = match kind {
            Kind::Colour => format!("{} ", swatch(&words)),
            Kind::Own | Kind::Float | Kind::Integer | Kind::Bits => String::new(),
        };
        format!("{swatch}{}", texts.join(", "))
    }
}

impl Cell {
    fn word(&self, debugger: &Debugger, lane: usize, kind: Kind) -> Word {
        match self.from {
            From::Place(place) => debugger.word(place, kind, lane),
            From::Constant(bits) => Word {
                bits,
                kind,
                meaning: Meaning::Float,
            },
        }
    }

    /// The name of its type.
    fn type_name(&self, kind: Kind) -> &'static str {
        let meaning = match self.from {
            From::Place(place) => meaning(place),
            From::Constant(_) => Meaning::Float,
        };
        match (kind, meaning) {
            (Kind::Own, Meaning::Integer | Meaning::Offset) => "int",
            (Kind::Own, Meaning::Truth) => "bool",
            (Kind::Own, Meaning::Samples | Meaning::Fixed) => "bits",
            (Kind::Own, Meaning::Float) => "float",
            (kind, _) => kind.word(),
        }
    }
}

/// The constant that a text names, by its own name or the text's.
fn constant(name: &str, debugger: &Debugger) -> Option<usize> {
    let named = debugger.source().names().iter();
    let mut named = named.filter(|(it, reg)| it == name && reg.bank() == Bank::Constant);
    let own = || name.strip_prefix('c')?.parse().ok();
    let index = named.next().map(|(_, reg)| reg.index()).or_else(own);
    index.filter(|index| *index < usize::from(Bank::Constant.size(Profile::Extended)))
}

/// A colour as pages write it: red, green and blue of 0 to 1, in 256 steps.
fn swatch(words: &[Word]) -> String {
    let byte = |word: &Word| (f32::from_bits(word.bits).clamp(0.0, 1.0) * 255.0).round() as u8;
    let bytes = words
        .iter()
        .take(3)
        .map(|word| format!("{:02x}", byte(word)));
    format!("#{}", bytes.collect::<String>())
}

/// How words are shown: as they were asked for, or as somebody has chosen.
fn kind_of(session: &Session, name: &str, is_hex: bool) -> Kind {
    match is_hex {
        true => Kind::Bits,
        false => session.kinds.get(name).copied().unwrap_or_default(),
    }
}

impl Session {
    pub(super) fn scopes(&mut self, args: &ScopesArgs) -> Answer {
        let lane = lane_of(Some(args.frame_id), self.debugger()?)?;
        let mut scopes = Vec::new();
        for (scope, name) in Scope::ALL {
            let count = shown_in(scope, self.debugger()?).len();
            if count > 0 {
                let reference = self.reference(Handle::Bank(lane, scope));
                scopes.push(json!({
                    "name": name, "variablesReference": reference, "namedVariables": count, "expensive": false,
                }));
            }
        }
        Ok(json!({ "scopes": scopes }).into())
    }

    pub(super) fn variables(&mut self, args: &VariablesArgs) -> Answer {
        self.debugger()?;
        let handle = args.variables_reference.checked_sub(1);
        let handle = handle.and_then(|number| self.handles.get(number)).cloned();
        let handle = handle.ok_or("these variables are those of another step")?;
        let is_hex = args.format.as_ref().is_some_and(|it| it.hex);
        let variables: Vec<Value> = match handle {
            Handle::Bank(lane, scope) => {
                let all = shown_in(scope, self.debugger()?).into_iter();
                all.map(|shown| self.variable(shown, lane, is_hex))
                    .collect::<Result<_, _>>()?
            }
            Handle::Register(lane, shown) => {
                let kind = kind_of(self, &shown.name, is_hex);
                let kind = if kind == Kind::Colour {
                    Kind::Float
                } else {
                    kind
                };
                let word = |cell: &Cell| {
                    let name = cell.name.rsplit('.').next().unwrap_or_default();
                    let value = cell.word(self.debugger()?, lane, kind).to_string();
                    Ok(json!({
                        "name": name, "value": value, "type": cell.type_name(kind), "evaluateName": cell.name,
                        "variablesReference": 0,
                    }))
                };
                shown
                    .words
                    .iter()
                    .map(word)
                    .collect::<Result<_, String>>()?
            }
        };
        Ok(json!({ "variables": variables }).into())
    }

    fn variable(&mut self, shown: Shown, lane: usize, is_hex: bool) -> Result<Value, String> {
        let kind = kind_of(self, &shown.name, is_hex);
        let value = shown.value(self.debugger()?, lane, kind);
        let type_name = shown.words.first().map_or("", |cell| cell.type_name(kind));
        let name = shown.name.clone();
        let reference = match shown.words.len() {
            1 => 0,
            _ => self.reference(Handle::Register(lane, shown)),
        };
        Ok(json!({
            "name": name, "value": value, "type": type_name, "evaluateName": name, "variablesReference": reference,
        }))
    }

    /// A number by which the editor asks for parts.
    fn reference(&mut self, handle: Handle) -> usize {
        self.handles.push(handle);
        self.handles.len()
    }

    /// The whole name of a variable that is a part of another.
    pub(super) fn full_name(&self, name: &str, parent: Option<usize>) -> String {
        let parent = parent.and_then(|it| self.handles.get(it.checked_sub(1)?));
        match parent {
            Some(Handle::Register(_, shown)) => {
                let ending = format!(".{name}");
                let cell = shown.words.iter().find(|cell| cell.name.ends_with(&ending));
                cell.map_or_else(|| name.to_owned(), |cell| cell.name.clone())
            }
            Some(Handle::Bank(..)) | None => name.to_owned(),
        }
    }

    /// An expression: a register or a part of one, `as` a type; in the console, commands of scripts, too.
    pub(super) fn evaluate(&mut self, args: &EvaluateArgs) -> Answer {
        let debugger = self.debugger()?;
        let lane = lane_of(args.frame_id, debugger)?;
        let (name, kind) = match args.expression.rsplit_once(" as ") {
            Some((name, kind)) => (name, Some(read_kind(kind)?)),
            None => (args.expression.as_str(), None),
        };
        let shown = match Shown::named(name, debugger) {
            Ok(shown) => shown,
            Err(_) if args.context.as_deref() == Some("repl") => {
                return self.command(&args.expression);
            }
            Err(message) => return Err(message),
        };
        let is_hex = args.format.as_ref().is_some_and(|it| it.hex);
        let kind = kind.unwrap_or_else(|| kind_of(self, &shown.name, is_hex));
        let result = shown.value(debugger, lane, kind);
        let type_name = shown.words.first().map_or("", |cell| cell.type_name(kind));
        let reference = match shown.words.len() {
            1 => 0,
            _ => self.reference(Handle::Register(lane, shown)),
        };
        Ok(json!({"result": result, "type": type_name, "variablesReference": reference}).into())
    }

    /// Chooses how a register is shown from now on.
    pub(super) fn set_kind(&mut self, args: &EvaluateArgs) -> Answer {
        let shown = Shown::named(&args.expression, self.debugger()?)?;
        let kind = read_kind(args.kind.as_deref().unwrap_or_default())?;
        self.kinds.insert(shown.name, kind);
        Ok(self.invalidated())
    }

    /// What a word is made of: as text, and as nodes with the numbers of their parts.
    pub(super) fn cone(&self, args: &EvaluateArgs) -> Answer {
        let debugger = self.debugger()?;
        let lane = lane_of(args.frame_id, debugger)?;
        let place = debugger
            .place(&args.expression)
            .map_err(|error| error.to_string())?;
        let cone = debugger.recording().cone(place, lane, debugger.step);
        let nodes = cone.nodes().iter().map(|node| {
            let (what, step) = origin(node.origin, debugger);
            json!({"what": what, "lane": node.lane, "bits": node.value, "step": step, "parts": node.parts})
        });
        let nodes: Vec<Value> = nodes.collect();
        Ok(json!({"text": cone.to_string(), "nodes": nodes, "isCut": cone.is_cut()}).into())
    }

    /// The small picture with the pixel.
    pub(super) fn picture(&self) -> Answer {
        let picture = self.debugger()?.subject.picture.as_ref();
        let picture = picture.ok_or(NO_PICTURE)?;
        Ok(json!({
            "size": picture.size, "marked": picture.marked, "pixels": picture.pixels,
            "whole": picture.whole, "pixel": picture.pixel,
        })
        .into())
    }
}

/// The lane of a frame, or that of the pixel.
fn lane_of(frame: Option<usize>, debugger: &Debugger) -> Result<usize, String> {
    match frame {
        None | Some(0) => Ok(debugger.subject.lane),
        Some(frame @ 1..=4) => Ok(frame - 1),
        Some(frame) => Err(format!("there is no frame {frame}; they are lanes, 1 to 4")),
    }
}

fn read_kind(text: &str) -> Result<Kind, String> {
    let message = |()| format!("`{}` is not own, float, int, bits or colour", text.trim());
    text.trim().parse().map_err(message)
}

/// The registers of a group that the program names.
fn shown_in(scope: Scope, debugger: &Debugger) -> Vec<Shown> {
    match scope {
        Scope::Text => {
            let mut registers: Vec<(String, Vec<Place>)> = Vec::new();
            for (name, place) in debugger.variables().iter() {
                let register = name.rsplit_once('.').map_or(name.as_str(), |(it, _)| it);
                match registers.last_mut().filter(|(last, _)| last == register) {
                    Some((_, places)) => places.push(*place),
                    None => registers.push((register.to_owned(), vec![*place])),
                }
            }
            let shown =
                |(name, places): (String, Vec<Place>)| Shown::of_places(name, &places, debugger);
            registers.into_iter().map(shown).collect()
        }
        Scope::Constants => {
            let insts = debugger.recording().program().program().insts().iter();
            let registers = insts.flat_map(|inst| inst.registers().collect::<Vec<_>>());
            let constants = registers.filter(|reg| reg.bank() == Bank::Constant);
            let mut indices: Vec<usize> = constants.map(|reg| reg.index()).collect();
            indices.sort_unstable();
            indices.dedup();
            let shown = |index| Shown::of_constant(index, debugger);
            indices.into_iter().map(shown).collect()
        }
        Scope::Temporaries | Scope::Inputs | Scope::Outputs | Scope::Others => {
            let is_in = |places: &[Place]| match places.first() {
                Some(Place::Word(word)) => Scope::of(word.name()) == scope,
                Some(Place::Scratch { .. }) | None => scope == Scope::Others,
            };
            let registers = debugger.registers().into_iter();
            let registers = registers.filter(|(_, places)| is_in(places));
            registers
                .map(|(name, places)| Shown::of_places(name, &places, debugger))
                .collect()
        }
    }
}

/// What a value comes from, and the step that it is of.
fn origin(origin: Origin, debugger: &Debugger) -> (String, Option<usize>) {
    match origin {
        Origin::Step { place, step } => (debugger.name(place), Some(step)),
        Origin::Start(place) => (debugger.name(place), None),
        Origin::Constant {
            register,
            component,
        } => (format!("c{register}.{}", component.letter()), None),
        Origin::Texture { step, component } => {
            (format!("texel.{}", component.letter()), Some(step))
        }
        Origin::Attribute { step, component } => {
            (format!("attribute.{}", component.letter()), Some(step))
        }
        Origin::Input { step, component } => (format!("input.{}", component.letter()), Some(step)),
        Origin::Buffer { step, component } => {
            (format!("buffer.{}", component.letter()), Some(step))
        }
        Origin::Storage { step, component } => {
            (format!("storage.{}", component.letter()), Some(step))
        }
    }
}
