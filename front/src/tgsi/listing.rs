//! The row of TGSI programs among the languages, and the names of their registers.

use std::collections::{BTreeMap, BTreeSet};

use attila_isa::Inst;

use super::language::{Input as TgsiInput, Param, TextureUse, Tgsi};
use super::lexer::{Lexer, Token, TokenKind};
use super::parser::DECLARATIONS;
use super::program::TgsiProgram;
use super::table::TgsiOpcode;
use super::translation::{Translation, compile, translate};
use super::words::Processor;
use super::{Options, parse, processor_of};
use crate::back::Language;
use crate::{
    Constant, Declared, Frame, Input, LanguageInfo, Listing, ParameterValues, SourceError, Texture,
};

/// Programs of the four stages.
pub(crate) const LANGUAGE: LanguageInfo = LanguageInfo {
    name: "TGSI",
    noun: "a TGSI program",
    beginnings: &[
        Processor::Vertex.word(),
        Processor::Fragment.word(),
        Processor::Geometry.word(),
        Processor::Compute.word(),
    ],
    recognise: |text| processor_of(text).is_some(),
    suffix: None,
    frame: Some(Frame {
        begins,
        stage: |text| processor_of(text).and_then(Processor::stage),
        length,
    }),
    compile: |text| compile(text, &Options::default()).map(|translation| translation.program),
    list,
};

/// Whether a text begins with a line that has nothing but the kind of a program, as Mesa prints it, and
/// goes on with a statement.
fn begins(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default().trim_end();
    if !Processor::ALL.iter().any(|it| it.word() == line) {
        return false;
    }
    let mut lexer = Lexer::new(text, true);
    lexer.advance();
    let Token {
        kind, text: word, ..
    } = lexer.token;
    match kind {
        TokenKind::Integer => lexer.peek().kind == TokenKind::Mark(':'),
        TokenKind::Word => DECLARATIONS.contains(&word) || TgsiOpcode::find(word).is_some(),
        TokenKind::Float
        | TokenKind::Hexadecimal
        | TokenKind::Mark(_)
        | TokenKind::Range
        | TokenKind::Unknown
        | TokenKind::End => false,
    }
}

/// The bytes up to `END`, and up to the last `ENDSUB` of the routines that stand after it.
fn length(text: &str) -> usize {
    let mut lexer = Lexer::new(text, true);
    let mut end = skip_to(&mut lexer, "END");
    loop {
        if lexer.token.kind == TokenKind::Integer && lexer.peek().kind == TokenKind::Mark(':') {
            lexer.advance();
            lexer.advance();
        }
        if !lexer.token.text.eq_ignore_ascii_case("BGNSUB") {
            return end;
        }
        end = skip_to(&mut lexer, "ENDSUB");
    }
}

/// Goes on after the next `word`, and says where it ends.
fn skip_to(lexer: &mut Lexer<'_>, word: &str) -> usize {
    while lexer.token.kind != TokenKind::End && !lexer.token.text.eq_ignore_ascii_case(word) {
        lexer.advance();
    }
    let end = lexer.token.end();
    lexer.advance();
    end
}

fn list(text: &str, values: &ParameterValues) -> Result<Listing, SourceError> {
    let options = Options {
        dialect: values.dialect,
        ..Options::default()
    };
    let program = parse(text, &options)?;
    let translation = translate(&program, text)?;
    let constants = translation.constants(|param| value(param, values));
    let constants = constants.zip(&translation.params);
    let constants = constants.map(|((register, value), (_, param))| Constant {
        register,
        value,
        name: match param {
            Param::Constant(_) => None,
            Param::Buffer { .. } | Param::Window => Some(param.to_string()),
        },
    });
    let constants = constants.collect();
    let read: BTreeSet<u8> = translation
        .program
        .insts()
        .iter()
        .filter_map(Inst::buffer)
        .collect();
    let buffers = read
        .into_iter()
        .map(|number| (number, vectors(u32::from(number), &translation, values)));
    let buffers = buffers.collect();
    let inputs = translation.inputs.iter();
    let outputs = translation.outputs.iter();
    Ok(Listing {
        counts: counts(&translation),
        inputs: inputs
            .map(|(it, n)| Input::new(*n, it.to_string()))
            .collect(),
        outputs: outputs
            .map(|(output, n)| (*n, output.to_string()))
            .collect(),
        textures: translation.textures.iter().map(texture).collect(),
        constants,
        declared: declared(&program, &translation),
        buffers,
        runs_for_samples: translation.details.runs_for_samples(),
        warnings: translation.details.warnings,
        program: translation.program,
    })
}

/// The names of registers of the text, beside those of what is in them.
fn declared(program: &TgsiProgram, translation: &Translation) -> Vec<Declared> {
    let registers = program.inputs.chunk_by(|a, b| a.register == b.register);
    let inputs = registers.filter_map(|register| match register {
        [one] if !one.per_vertex => Some((format!("IN[{}]", one.register), one.semantic?)),
        // One for each vertex, or one whose components have several semantics.
        [..] => None,
    });
    let values = program.system_values.iter();
    let values = values.map(|it| (format!("SV[{}]", it.register), it.semantic));
    let inputs = inputs.chain(values).filter_map(|(name, semantic)| {
        Declared::input(name, TgsiInput::Semantic(semantic), translation)
    });
    let params = translation.params.iter().filter_map(|(_, param)| {
        let Param::Buffer {
            buffer: 0,
            register,
        } = param
        else {
            return None;
        };
        Declared::param(format!("CONST[{register}]"), *param, translation)
    });
    let immediates = (0..program.immediates.len()).map(|number| Declared {
        name: format!("IMM[{number}]"),
        register: None,
    });
    inputs.chain(params).chain(immediates).collect()
}

/// The registers of a buffer up to the last one that has a value.
fn vectors(buffer: u32, translation: &Translation, values: &ParameterValues) -> Vec<[f32; 4]> {
    let mut declared = translation.details.constants.iter();
    let size = declared
        .find(|it| it.buffer == buffer)
        .map_or(0, |it| it.size);
    let list = match buffer {
        0 => &values.local,
        1 => &values.env,
        _ => return Vec::new(),
    };
    let last = list.range(..size).next_back();
    let count = last.map_or(0, |(register, _)| register + 1);
    let registers = 0..count;
    registers
        .map(|register| value(Param::Buffer { buffer, register }, values))
        .collect()
}

/// The value of a parameter: buffer 0 holds the program's own parameters, and buffer 1 those that programs
/// share.
fn value(param: Param, values: &ParameterValues) -> [f32; 4] {
    let from =
        |list: &BTreeMap<u32, [f32; 4]>, register| list.get(&register).copied().unwrap_or_default();
    match param {
        Param::Constant(bits) => bits.map(f32::from_bits),
        Param::Buffer {
            buffer: 0,
            register,
        } => from(&values.local, register),
        Param::Buffer {
            buffer: 1,
            register,
        } => from(&values.env, register),
        Param::Buffer { .. } => [0.0; 4],
        Param::Window => {
            let [width, height] = values.window.map(|size| size as f32);
            [width, height, 0.0, 1.0]
        }
    }
}

fn texture(texture: &TextureUse) -> Texture {
    Texture {
        unit: texture.unit,
        shape: Tgsi::image(*texture),
        word: texture.target.word().to_owned(),
        sampler: None,
    }
}

/// Counts of what a text declares.
fn counts(translation: &Translation) -> String {
    let details = &translation.details;
    let counts = [
        (details.inputs.len(), "inputs"),
        (details.outputs.len(), "outputs"),
        (details.system_values.len(), "system values"),
        (details.samplers.len(), "samplers"),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts = counts.map(|(count, what)| format!("{what} {count}"));
    let dialect = format!("dialect {}", details.dialect);
    [dialect]
        .into_iter()
        .chain(counts)
        .collect::<Vec<_>>()
        .join(", ")
}
