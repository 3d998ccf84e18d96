use attila_isa::{Component, Slots};
use expect_test::{Expect, expect};

use super::*;

fn accept(text: &str) -> ArbProgram {
    parse(text, &Profile::default()).unwrap_or_else(|error| panic!("{error}\nin\n{text}"))
}

/// Checks the messages on a program, whose header is added: lines count from 2.
fn rejects(header: &str, body: &str, expected: Expect) {
    let text = format!("{header}\n{body}");
    let error = parse(&text, &Profile::default()).expect_err("it has mistakes");
    assert!(error.position() <= text.len());
    expected.assert_eq(&error.to_string());
}

fn vertex(body: &str, expected: Expect) {
    rejects("!!ARBvp1.0", body, expected);
}

fn fragment(body: &str, expected: Expect) {
    rejects("!!ARBfp1.0", body, expected);
}

#[test]
fn several_mistakes_are_reported_at_once() {
    fragment(
        "TEMP a, b
MUV a, fragment.color;
MOV a, c;
MUL a.yx, a, {1, 2, 3, 4, 5};
RCP a, a;
END",
        expect![[r#"
            3:1: error: expected `;`, found `MUV` (every statement ends with `;`)
            4:8: error: `c` is not declared
            5:14: error: a constant has 1 to 4 numbers, not 5
            6:8: error: expected a scalar, not a vector (choose a component, as with `.x`)"#]],
    );
}

#[test]
fn scalars_show_their_operand_and_how_a_number_is_one() {
    fragment(
        "TEMP a;
RCP a.x, 64.0;
RCP a.x, -64;
RCP a.x, -{64, 64, 64, 64};
RCP a.x, 1e99;
RCP a.x, {1, 2};
RCP a.x, -program.env[0];
RCP a.x, 64.0.x;
RCP a.x, -1e20.x;
END",
        expect![[r#"
            3:10: error: expected a scalar, not a vector (write `64.0.x`)
            4:10: error: expected a scalar, not a vector (write `-64.0.x`)
            5:10: error: expected a scalar, not a vector (write `-64.0.x`)
            6:10: error: expected a scalar, not a vector (choose a component, as with `.x`)
            7:10: error: expected a scalar, not a vector (choose a component, as with `.x`)
            8:10: error: expected a scalar, not a vector (choose a component, as with `.x`)"#]],
    );
}

#[test]
fn a_missing_semicolon_does_not_hide_the_next_statement() {
    fragment(
        "TEMP a;\nMOV a, 1\nMOV a, b;\nMOV result.color, a\nEND",
        expect![[r#"
            4:1: error: expected `;`, found `MOV` (every statement ends with `;`)
            4:8: error: `b` is not declared
            6:1: error: expected `;`, found `END` (every statement ends with `;`)"#]],
    );
}

#[test]
fn typing_mistakes_get_advice() {
    fragment(
        "OPTION ARB_fog_exp3;\nTEMP colour;\nmov colour, 1;\nMVO colour, 1;\nMOV colur, state.light[0].difuse;\nARL colour, 1;\nTEX colour, fragment.texcoord, texture, 2d;\nEND",
        expect![[r#"
            2:8: error: fragment programs have no option `ARB_fog_exp3` (did you mean `ARB_fog_exp2`?)
            4:1: error: unknown instruction `mov` (it is written in upper case: `MOV`)
            5:1: error: unknown instruction `MVO` (did you mean `MOV`?)
            6:5: error: `colur` is not declared (did you mean `colour`?)
            6:27: error: fragment programs have no binding with `difuse` here (did you mean `diffuse`?)
            7:1: error: unknown instruction `ARL` (fragment programs have no ARL)
            8:41: error: expected a texture target, found `2`"#]],
    );
}

#[test]
fn names_are_declared_once_and_are_not_reserved() {
    vertex(
        "TEMP a, a, MOV, vertex;\nATTRIB MOV_SAT = vertex.position;\nTEMP fragment, texture, TEX;\nEND",
        expect![[r#"
            2:9: error: `a` is declared twice
            2:12: error: `MOV` is a reserved word, which cannot be declared
            2:17: error: `vertex` is a reserved word, which cannot be declared"#]],
    );
}

#[test]
fn what_a_register_is_decides_how_it_is_used() {
    vertex(
        "ATTRIB i = vertex.color;\nPARAM p = 1;\nPARAM q[] = { 1, {2, 3} };\nOUTPUT o = result.color;\nADDRESS A;\nTEMP t;
MOV i, t;
MOV p, t;
MOV t, o;
MOV t, q;
MOV t, p[0];
MOV t, q[2];
MOV t, A;
MOV A.x, t;
ARL t.x, t.x;
ARL A.y, t.x;
ARL A, t.x;
MOV t, q[t.x];
MOV t, q[A.y];
MOV t, q[A];
MOV t, q[A.x + 5000];
MOV vertex.color, result.color;
END",
        expect![[r#"
            8:5: error: `i` is an attribute, which cannot be written
            9:5: error: `p` is a parameter, which cannot be written
            10:8: error: `o` is an output, which cannot be read
            11:8: error: `q` is a parameter array, which needs an index
            12:10: error: `p` is a parameter, not a parameter array
            13:10: error: index 2 is beyond `q`, whose size is 2
            14:8: error: `A` is an address register, which cannot be read
            15:5: error: only ARL writes address registers
            16:5: error: ARL writes address registers only
            17:7: error: an address register is written as `.x`
            18:6: error: an address register is written as `.x`
            19:10: error: `t` is a temporary, not an address register
            20:12: error: only `.x` of an address register can be used
            21:10: error: an address must be one component (write `A.x`)
            22:10: error: offset 5000 is not from -4096 to 4095
            23:5: error: a result cannot be written here
            23:19: error: results cannot be read"#]],
    );
}

#[test]
fn swizzles_and_masks_have_their_order_and_their_letters() {
    fragment(
        "TEMP t;
MOV t.rx, t;
MOV t.zy, t;
MOV t.xx, t;
MOV t, t.xy;
MOV t, t.xyba;
RCP t, t.xxxx;
MOV t.x.y, t;
SWZ t, t, x, 2, 0, 1;
SWZ t, t, x, r, 0, 1;
SWZ t, -t, x, y, z, w;
SWZ t, t.x, x, y, z, w;
END",
        expect![[r#"
            3:7: error: `rx` is not a write mask (the letters `xyzw` and `rgba` cannot be mixed)
            4:7: error: `zy` is not a write mask: its components are out of order (write `.yz`)
            5:7: error: `xx` is not a write mask: its components are out of order (write `.x`)
            6:10: error: a swizzle has 1 or 4 components, not 2
            7:10: error: `xyba` is not a swizzle (the letters `xyzw` and `rgba` cannot be mixed)
            8:10: error: expected a scalar, which is one component
            9:9: error: nothing can stand here: `y`
            10:14: error: `2` is not a selector (there may be `0`, `1` or a component)
            11:14: error: the letters `xyzw` and `rgba` cannot be mixed
            12:8: error: the source of SWZ has no sign (each of the four selectors may have one)
            13:10: error: the source of SWZ has no swizzle"#]],
    );
    vertex(
        "TEMP t;\nMOV t.r, t;\nEND",
        expect!["3:7: error: `r` is not a write mask"],
    );
}

#[test]
fn bindings_have_their_indices() {
    vertex(
        "PARAM a = state.light.ambient;
PARAM b = state.light[8].ambient;
PARAM c = program.env[0..1];
PARAM d = state.matrix.mvp;
PARAM e[2] = { state.matrix.mvp };
PARAM f[] = { program.local[3..1] };
PARAM g = program.local[1024];
PARAM h = state.fog[0].color;
PARAM i = state.matrix.mvp.row[4];
PARAM j = vertex.color;
ATTRIB k = state.fog.color;
ATTRIB l = vertex.attrib;
ATTRIB m = vertex.weight[1];
OUTPUT n = result.depth;
PARAM o = state;
PARAM p = state.fog.color.x;
PARAM q = state.depth.range;
END",
        expect![[r#"
            2:17: error: `light` needs an index
            3:23: error: index 8 of `light` is above 7
            4:11: error: this is a list of 2, where one parameter has to stand (an array may hold several: `[] = { ... }`)
            5:11: error: this is a list of 4, where one parameter has to stand (an array may hold several: `[] = { ... }`)
            6:9: error: the size is 2; there are 4 initializers
            7:29: error: the range 3..1 is empty
            8:25: error: index 1024 of `local` is above 1023
            9:21: error: `fog` takes no index
            10:32: error: index 4 of `row` is above 3
            11:11: error: a parameter is bound to state or to a constant
            12:12: error: an attribute is bound to an input
            13:19: error: `attrib` needs an index
            14:12: error: the index must be a multiple of 4
            15:19: error: vertex programs have no binding with `depth` here (expected `color`, `fogcoord`, `pointsize`, `position` or `texcoord`)
            16:11: error: the binding continues after `state` (with `clip`, `fog`, `light`, `lightmodel`, `lightprod`, `material`, `matrix`, `point` or `texgen`)
            17:27: error: the binding ends before `x`
            18:17: error: vertex programs have no binding with `depth` here (expected `clip`, `fog`, `light`, `lightmodel`, `lightprod`, `material`, `matrix`, `point` or `texgen`)"#]],
    );
}

#[test]
fn a_texture_unit_has_one_target() {
    fragment(
        "TEMP t;
TEX t, t, texture[1], 2D;
TEX t, t, texture[1], CUBE;
TEX t, t, texture[0], SHADOW2D;
TEX t, t, texture[16], 2D;
TEX t, t, t, 2D;
KIL t.xy;
END",
        expect![[r#"
            4:23: error: texture[1] is sampled as 2D before this (a unit has one target in a program)
            5:23: error: `SHADOW2D` is not a texture target here (it needs `OPTION ARB_fragment_program_shadow;`)
            6:19: error: texture unit 16 does not exist; there are 16
            7:11: error: `t` is not a texture unit (write `texture[0]` or another index)
            8:7: error: a swizzle has 1 or 4 components, not 2"#]],
    );
}

#[test]
fn options_come_first_and_may_exclude_each_other() {
    fragment(
        "OPTION ARB_fog_exp;
OPTION ARB_fog_exp;
OPTION ARB_fog_linear;
OPTION ARB_precision_hint_nicest;
OPTION ARB_precision_hint_fastest;
TEMP t;
OPTION ARB_fragment_program_shadow;
END",
        expect![[r#"
            4:8: error: option `ARB_fog_linear` conflicts with an earlier one
            6:8: error: option `ARB_precision_hint_fastest` conflicts with an earlier one
            8:1: error: options must come before all other statements"#]],
    );
    vertex(
        "OPTION ARB_position_invariant;\nMOV result.position, vertex.position;\nEND",
        expect!["3:5: error: `result.position` is not for programs with ARB_position_invariant"],
    );
}

#[test]
fn colours_have_numbers_where_an_option_allows_several() {
    let program = |option: &str| {
        format!(
            "!!ARBfp1.0\nOPTION {option};\nOUTPUT last = result.color[7];
MOV result.color[1].xy, 1;\nMOV last, 1;\nMOV result.color, 1;\nMOV result.color[0], 1;\nEND"
        )
    };
    for option in ["ARB_draw_buffers", "ATI_draw_buffers"] {
        let instructions = accept(&program(option)).instructions;
        let results = instructions
            .iter()
            .map(|it| it.result.map(|it| it.register));
        let colours = [1, 7, 0, 0].map(|n| Some(ResultRegister::Output(Output::Color(n))));
        assert!(results.eq(colours), "{option}");
    }
    fragment(
        "OPTION ARB_draw_buffers;\nOUTPUT a = result.color[8];\nMOV result.color[0..1], 1;
MOV result.depth[1], 1;\nMOV a, result.color[1];\nEND",
        expect![[r#"
            3:25: error: index 8 of `color` is above 7
            4:18: error: `color` takes one index, not a range
            5:18: error: `depth` takes no index
            6:8: error: results cannot be read"#]],
    );
    fragment(
        "OUTPUT a = result.color[0];\nMOV result.color[1], 1;\nEND",
        expect![[r#"
            2:25: error: `color` takes no index (it needs `OPTION ARB_draw_buffers;`)
            3:18: error: `color` takes no index (it needs `OPTION ARB_draw_buffers;`)"#]],
    );
    vertex(
        "OPTION ARB_draw_buffers;\nMOV result.color[1], 1;\nEND",
        expect![[r#"
            2:8: error: vertex programs have no option `ARB_draw_buffers`
            3:18: error: `color` takes no index"#]],
    );
}

#[test]
fn an_alias_is_another_name_for_a_variable() {
    vertex(
        "TEMP t;\nALIAS a = result.position;\nALIAS b = vertex.attrib[1];\nALIAS c = state.fog.color;\nALIAS d = t.x;
ALIAS e = t[1];\nALIAS f = result;\nMOV a, b;\nMOV f, f;\nEND",
        expect![[r#"
            3:11: error: an alias is another name for a variable, as a whole (`OUTPUT` gives a binding a name)
            4:11: error: an alias is another name for a variable, as a whole (`ATTRIB` gives a binding a name)
            5:11: error: an alias is another name for a variable, as a whole (`PARAM` gives a binding a name)
            6:11: error: an alias is another name for a variable, as a whole
            7:11: error: an alias is another name for a variable, as a whole
            8:11: error: an alias is another name for a variable, as a whole (`OUTPUT` gives a binding a name)"#]],
    );
    accept("!!ARBvp1.0 TEMP t; ALIAS fragment = t; ALIAS a = fragment; MOV a, 1; END");
}

#[test]
fn generic_attributes_are_not_bound_by_both_names() {
    vertex(
        "ATTRIB a = vertex.attrib[10];\nMOV result.position, vertex.texcoord[2];\nEND",
        expect![
            "3:22: error: this attribute has been bound by its other name (generic and conventional attributes share their values: use one name)"
        ],
    );
    accept("!!ARBvp1.0 ATTRIB a = vertex.attrib[1]; ATTRIB b = vertex.position; END");
}

#[test]
fn state_is_in_relative_arrays_once() {
    vertex(
        "PARAM a[] = { program.env[0..3] };\nPARAM b[] = { program.env[3], 1, 1 };\nADDRESS A;
ARL A.x, vertex.position.x;
ADD result.position, a[A.x], b[A.x-1];
END",
        expect![
            "6:32: error: an array that is addressed relatively has a parameter that is there twice (all relatively addressed arrays together may name a state only once)"
        ],
    );
}

#[test]
fn a_text_without_its_ends_is_no_program() {
    rejects(
        " !!ARBvp1.0",
        "END",
        expect![
            "1:1: error: a program begins with `!!ARBvp1.0` or `!!ARBfp1.0` (nothing may stand before it, not even a blank)"
        ],
    );
    vertex("TEMP a;", expect!["2:8: error: the program has no `END`"]);
    let text = "!!ARBvp1.0\nTEMP a;\n";
    let error = parse(text, &Profile::default()).expect_err("there is no END");
    assert_eq!(error.position(), text.len());
    accept("!!ARBvp1.0 END whatever é ; comes after it");
}

#[test]
fn a_byte_order_mark_before_the_text_is_skipped() {
    accept("\u{feff}!!ARBvp1.0 END");
    rejects(
        "\u{feff}!!ARBvp1.0\nTEMP a",
        "END",
        expect!["3:1: error: expected `;`, found `END` (every statement ends with `;`)"],
    );
    rejects(
        "\u{feff}\u{feff}!!ARBvp1.0",
        "END",
        expect![
            "1:1: error: a program begins with `!!ARBvp1.0` or `!!ARBfp1.0` (nothing may stand before it, not even a blank)"
        ],
    );
}

#[test]
fn a_profile_limits_what_a_program_uses() {
    let text = "!!ARBfp1.0
OPTION ARB_fog_linear;
TEMP a, b;
TEX a, fragment.texcoord, texture, 2D;
TEX b, a, texture, 2D;
TEX a, b, texture, 2D;
KIL a;
TEX b, a, texture, 2D;
MUL result.color, a, program.env[23];
END";
    let used = accept(text).resources;
    assert_eq!(
        (used.instructions, used.arithmetic, used.texture),
        (6, 1, 5)
    );
    assert_eq!((used.indirections, used.temporaries), (4, 2));
    assert_eq!((used.parameters, used.attributes), (1, 1));

    let mut profile = Profile::MINIMUM;
    parse(text, &profile).expect("it is small enough");
    profile.fragment.instructions = 7;
    profile.fragment.indirections = 3;
    profile.fragment.temporaries = 2;
    profile.fragment.env = 23;
    let error = parse(text, &profile).expect_err("it is too large");
    expect![[r#"
        3:9: error: the program has 2 temporaries, more than 1
        9:1: error: the program has 6 instructions, more than 5
        9:34: error: index 23 of `env` is above 22
        10:4: error: the program has 4 texture indirections, more than 3"#]]
    .assert_eq(&error.to_string());
}

#[test]
fn names_and_bindings_become_registers() {
    let program = accept(
        "!!ARBvp1.0
OPTION ARB_position_invariant;
ATTRIB colour = vertex . color;
PARAM array[3] = { state.matrix.texture.inverse.row[1 .. 2], {-1, +2.5} };
TEMP position, t;
ALIAS u = t;
ADDRESS A;
ARL A.x, vertex.attrib[6].w;
MAD u.yw, -colour.x, array[A.x - 1], 2;
SWZ result.color.back.secondary, array[2], 0, -1, x, -w;
END",
    );
    assert_eq!((program.temporaries, program.addresses), (2, 1));
    let row = |row| {
        let matrix = Matrix::Texture(0);
        Param::State(State::MatrixRow(matrix, Transform::Inverse, row))
    };
    let last = Param::constant([-1.0, 2.5, 0.0, 1.0]);
    assert_eq!(program.arrays[0].params, [row(1), row(2), last]);
    assert!(program.arrays[0].relative && program.options.position_invariant);
    let [_, mad, swz] = &program.instructions[..] else {
        panic!("there are three instructions");
    };
    let written = mad.result.map(|result| (result.register, result.mask));
    let mask = Slots::Y | Slots::W;
    assert_eq!(written, Some((ResultRegister::Temporary(1), mask)));
    assert_eq!(
        mad.sources[0].register,
        SourceRegister::Input(Input::PrimaryColor)
    );
    assert_eq!(mad.sources[0].select, [Select::Component(Component::X); 4]);
    assert_eq!(mad.sources[0].negate, Slots::all());
    let relative = SourceRegister::Relative {
        array: 0,
        address: 0,
        offset: -1,
    };
    assert_eq!(mad.sources[1].register, relative);
    let two = Param::constant([2.0; 4]);
    assert_eq!(mad.sources[2].register, SourceRegister::Param(two));
    assert_eq!(swz.sources[0].register, SourceRegister::Param(last));
    let (x, w) = (Component::X, Component::W);
    let select = [
        Select::Zero,
        Select::One,
        Select::Component(x),
        Select::Component(w),
    ];
    assert_eq!(swz.sources[0].select, select);
    assert_eq!(swz.sources[0].negate, mask);
}

#[test]
fn fixed_words_are_names_like_others() {
    accept("!!ARBfp1.0 TEMP color, position, env, x, ARL, vertex, ADDRESS; MOV color.x, x.x; END");
}

#[test]
fn a_sign_before_a_number_negates_the_operand() {
    let program = accept("!!ARBfp1.0 ADD result.color, -2, {-2}.x; END");
    let [minus, literal] = program.instructions[0].sources[..] else {
        panic!("there are two sources");
    };
    assert_eq!(minus.negate, Slots::all());
    assert_eq!(
        minus.register,
        SourceRegister::Param(Param::constant([2.0; 4]))
    );
    assert_eq!(literal.negate, Slots::empty());
}

#[test]
fn extensions_that_are_not_turned_on_are_refused() {
    fragment(
        "SHORT TEMP R0;\nADDR R0, R0, R0;\nMOV R0, |R0|;\nMOV R0 (GT), R0;\nMOVC R0, R0;\nEND",
        expect![[r#"
            2:1: error: unknown instruction `SHORT`
            3:1: error: unknown instruction `ADDR` (did you mean `ADD`?)
            4:9: error: expected a register or a constant, found `|`
            5:8: error: expected `,`, found `(`
            6:1: error: unknown instruction `MOVC` (did you mean `MOV`?)"#]],
    );
}

/// `program.env[0..1023]` so many times, with commas between them.
fn ranges(count: usize) -> String {
    vec!["program.env[0..1023]"; count].join(",")
}

#[test]
fn arrays_have_a_limit_together_though_nobody_reads_them() {
    let full = ranges(MAX_ELEMENTS / 1024);
    let text = format!("!!ARBvp1.0\nPARAM a[] = {{ {full} }};\nMOV result.position, a[5];\nEND");
    let [array] = &accept(&text).arrays[..] else {
        panic!("there is one array")
    };
    assert_eq!(array.params.len(), MAX_ELEMENTS);
    vertex(
        &format!("PARAM a[] = {{ {full},\n\n1, 2 }};\nMOV result.position, a[5];\nEND"),
        expect!["4:1: error: the arrays of a program have at most 65536 elements together"],
    );
    vertex(
        &format!("PARAM a[] = {{ {full} }};\nPARAM b[] = {{\n1 }};\nEND"),
        expect!["4:1: error: the arrays of a program have at most 65536 elements together"],
    );
}

#[test]
fn a_list_of_elements_is_not_read_beyond_the_limit() {
    let zeros = "0,".repeat(MAX_ELEMENTS);
    vertex(
        &format!(
            "PARAM a[] = {{ {zeros}\n0, 0 }};\nPARAM b[] = {{ 1 }};\nMOV result.position, a[5];\nMOV result.position, b[5];\nEND"
        ),
        expect![[r#"
            3:1: error: an array has at most 65536 elements
            6:24: error: index 5 is beyond `b`, whose size is 1"#]],
    );
}

#[test]
fn a_range_has_a_limit_whatever_the_profile_says() {
    let mut profile = Profile::default();
    profile.vertex.env = 1 << 20;
    let read = |last: usize| {
        let text = format!("!!ARBvp1.0\nPARAM a[] = {{ program.env[1..{last}] }};\nEND");
        parse(&text, &profile)
    };
    let arrays = read(MAX_ELEMENTS).expect("it is within the limit").arrays;
    assert_eq!(arrays[0].params.len(), MAX_ELEMENTS);
    let error = read(MAX_ELEMENTS + 1).expect_err("the range is too long");
    expect!["2:27: error: a range has at most 65536 parameters"].assert_eq(&error.to_string());
}
