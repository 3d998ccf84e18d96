//! The row of ARB programs among the languages, and the names of their registers.

use attila_isa::Stage;

use super::language::Arb;
use super::lexer::{Lexer, TokenKind};
use super::profile::{Profile, Resources};
use super::program::{ArbProgram, Named, TextureUse};
use super::stage::ArbStage;
use super::state::{FixedState, Parameters};
use super::translation::{Translation, compile, translate};
use super::{HEADERS, parse, stage_of};
use crate::back::Language;
use crate::{
    Constant, Declared, Frame, Input, LanguageInfo, Listing, ParameterValues, SourceError, Texture,
};

/// Vertex and fragment programs.
pub(crate) const LANGUAGE: LanguageInfo = LanguageInfo {
    name: "ARB",
    noun: "an ARB program",
    beginnings: &[HEADERS[0].0, HEADERS[1].0],
    recognise: |text| stage_of(text).is_some(),
    suffix: None,
    frame: Some(Frame {
        begins: |text| stage_of(text).is_some(),
        stage: |text| stage_of(text).map(Stage::from),
        length,
    }),
    compile: |text| compile(text, &Profile::default()).map(|translation| translation.program),
    list,
};

fn list(text: &str, values: &ParameterValues) -> Result<Listing, SourceError> {
    let program = parse(text, &Profile::default())?;
    let translation = translate(&program, text)?;
    let stage = stage_of(text).expect("what has been compiled has a stage");
    let parameters = Parameters {
        local: values.local.clone(),
        env: values.env.clone(),
        window: values.window,
        state: FixedState {
            model_view: vec![values.model_view],
            projection: values.projection,
            ..FixedState::default()
        },
    };
    let inputs = translation.inputs.iter();
    let outputs = translation.outputs.iter();
    let constants = translation.constants(|param| parameters.value(param));
    let constants = constants.zip(&translation.params);
    let constants = constants.map(|((register, value), (_, param))| Constant {
        register,
        value,
        name: (!param.is_constant()).then(|| param.to_string()),
    });
    Ok(Listing {
        counts: counts(stage, &translation.details.resources),
        inputs: inputs
            .map(|(it, n)| Input::new(*n, it.name(stage)))
            .collect(),
        outputs: outputs
            .map(|(output, n)| (*n, output.to_string()))
            .collect(),
        textures: translation.textures.iter().map(texture).collect(),
        constants: constants.collect(),
        declared: declared(&program, &translation),
        buffers: Vec::new(),
        runs_for_samples: false,
        warnings: Vec::new(),
        program: translation.program,
    })
}

fn declared(program: &ArbProgram, translation: &Translation) -> Vec<Declared> {
    let mut list = Vec::new();
    for (name, named) in &program.names {
        let param = |name, param| Declared::param(name, param, translation);
        match *named {
            Named::Input(input) => list.extend(Declared::input(name.clone(), input, translation)),
            Named::Param(one) => list.extend(param(name.clone(), one)),
            Named::Array(number) => {
                let params = program.arrays[number].params.iter().enumerate();
                list.extend(params.filter_map(|(n, one)| param(format!("{name}[{n}]"), *one)));
            }
        }
    }
    list
}

/// The bytes up to the first `END` that is no comment.
fn length(text: &str) -> usize {
    let mut lexer = Lexer::new(text, 0);
    while lexer.token.kind != TokenKind::End && lexer.token.text != "END" {
        lexer.advance();
    }
    lexer.token.end()
}

fn texture(texture: &TextureUse) -> Texture {
    Texture {
        unit: texture.unit,
        shape: Arb::image(*texture),
        word: texture.word().to_owned(),
        sampler: None,
    }
}

/// Counts of the resources that a text uses.
fn counts(stage: ArbStage, used: &Resources) -> String {
    let kinds = match stage {
        ArbStage::Vertex => [(used.instructions, "instructions"), (0, ""), (0, "")],
        ArbStage::Fragment => [
            (used.arithmetic, "arithmetic"),
            (used.texture, "texture"),
            (used.indirections, "indirections"),
        ],
    };
    let registers = [
        (used.temporaries, "temporaries"),
        (used.parameters, "parameters"),
        (used.attributes, "attributes"),
        (used.addresses, "addresses"),
    ];
    let counts = kinds.into_iter().chain(registers);
    let counts = counts.filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts
        .map(|(count, what)| format!("{what} {count}"))
        .collect();
    counts.join(", ")
}
