//! Statements that choose, repeat and call.

use expect_test::expect;

use super::super::{Flow, TgsiProgram};
use super::{accept, fragment, mistakes_of_fragment, rejects_fragment};
use crate::back::MAX_NESTED;

fn flows(program: &TgsiProgram) -> Vec<Flow> {
    program
        .instructions
        .iter()
        .map(|it| it.flow.clone())
        .collect()
}

#[test]
fn statements_know_their_ends() {
    let program = fragment(
        "BGNLOOP
IF TEMP[0].xxxx
BRK
ELSE
CONT
ENDIF
ENDLOOP",
    );
    let expected = [
        Flow::Loop { end: 6 },
        Flow::If {
            other: Some(3),
            end: 5,
        },
        Flow::Break { start: 0 },
        Flow::Else { start: 1, end: 5 },
        Flow::Continue { start: 0 },
        Flow::EndIf { start: 1 },
        Flow::EndLoop { start: 0 },
        Flow::End,
    ];
    assert_eq!(flows(&program), expected);
}

#[test]
fn brk_leaves_a_switch_and_cont_the_loop_around_it() {
    let program = fragment(
        "BGNLOOP
SWITCH TEMP[0].xxxx
CASE IMM[0].xxxx
BRK
DEFAULT
CONT
CASE IMM[0].yyyy
BREAKC TEMP[0]
ENDSWITCH
BRK
ENDLOOP",
    );
    let flows = flows(&program);
    let switch = Flow::Switch {
        cases: vec![2, 6],
        default: Some(4),
        end: 8,
    };
    assert_eq!(flows[1], switch);
    assert_eq!(flows[3], Flow::Break { start: 1 });
    assert_eq!(flows[5], Flow::Continue { start: 0 });
    assert_eq!(flows[7], Flow::Break { start: 1 });
    assert_eq!(flows[9], Flow::Break { start: 0 });
}

#[test]
fn calls_lead_to_subroutines() {
    let program = fragment(
        "CAL :4
CALLNZ TEMP[0].xxxx :4
CAL :7
END
BGNSUB
MOV TEMP[0], IN[0]
ENDSUB
BGNSUB
CAL :4
CAL :4
RET
ENDSUB",
    );
    let flows = flows(&program);
    assert_eq!(flows[0], Flow::Call { routine: 0 });
    assert_eq!(flows[2], Flow::Call { routine: 1 });
    assert_eq!(flows[10], Flow::Return);
    assert_eq!(program.main, [0..4, 12..13]);
    let routines: Vec<_> = program
        .routines
        .iter()
        .map(|it| (it.instructions.clone(), it.calls.clone(), it.length))
        .collect();
    assert_eq!(routines, [(4..7, vec![], 3), (7..12, vec![0], 11)]);
}

#[test]
fn jumps_lead_to_instructions_by_their_order() {
    let program = fragment("BRA :2\nMOV TEMP[0], IN[0]\nMOV OUT[0], TEMP[0]");
    assert_eq!(program.instructions[0].flow, Flow::Jump { target: 2 });
}

#[test]
fn statements_are_nested_a_thousand_deep_and_no_deeper() {
    for [begin, end] in [
        ["IF TEMP[0].xxxx", "ENDIF"],
        ["BGNLOOP", "BRK\nENDLOOP"],
        ["SWITCH TEMP[0].xxxx\nDEFAULT", "ENDSWITCH"],
    ] {
        let nested = |depth: usize| {
            let [begins, ends] = [begin, end].map(|line| format!("{line}\n").repeat(depth));
            format!("{begins}ADD TEMP[0], TEMP[0], IN[0]\n{ends}MOV OUT[0], TEMP[0]")
        };
        // The main program counts, as it is called.
        fragment(&nested(MAX_NESTED - 1));
        let first = 9 + MAX_NESTED * begin.lines().count();
        let expected =
            format!("{first}:1: error: statements and calls are nested more than 1000 deep");
        assert_eq!(mistakes_of_fragment(&nested(MAX_NESTED + 1)), expected);
    }
}

#[test]
fn statements_without_ends_are_refused() {
    rejects_fragment(
        "ELSE
ENDIF
ENDLOOP
CASE IMM[0]
DEFAULT
ENDSWITCH
BRK
CONT
BREAKC TEMP[0]
ENDSUB",
        expect![[r#"
            9:1: error: ELSE stands outside of IF
            10:1: error: ENDIF has no IF
            11:1: error: ENDLOOP has no BGNLOOP
            12:1: error: CASE stands outside of SWITCH
            13:1: error: DEFAULT stands outside of SWITCH
            14:1: error: ENDSWITCH has no SWITCH
            15:1: error: BRK stands outside of loops and SWITCH
            16:1: error: CONT stands outside of loops
            17:1: error: BREAKC stands outside of loops and SWITCH
            18:1: error: ENDSUB has no BGNSUB"#]],
    );
    rejects_fragment(
        "IF TEMP[0]\nBGNLOOP\nENDIF\nSWITCH TEMP[0]",
        expect![[r#"
        10:1: error: BGNLOOP has no ENDLOOP
        12:1: error: SWITCH has no ENDSWITCH"#]],
    );
    rejects_fragment(
        "IF TEMP[0]\nELSE\nELSE\nENDIF\nSWITCH TEMP[0]\nDEFAULT\nDEFAULT\nIF TEMP[0]\nCASE IMM[0]\nENDIF\nENDSWITCH",
        expect![[r#"
            11:1: error: IF has another ELSE already
            15:1: error: SWITCH has another DEFAULT already
            17:1: error: CASE stands outside of SWITCH"#]],
    );
}

#[test]
fn a_faulty_instruction_keeps_its_place_in_the_structure() {
    rejects_fragment(
        "IF TEMP[9]\nELES\nENDIF\nBGNLOOP\nIF\nBRK\nENDIF FOO[0]\nENDLOOP",
        expect![[r#"
            9:4: error: `TEMP[9]` is not declared (the text declares TEMP[0..3])
            10:1: error: unknown opcode `ELES` (did you mean `ELSE`?)
            13:1: error: IF takes 1 operands, not 0 (a source)
            15:7: error: there is no register file `FOO`"#]],
    );
}

#[test]
fn programs_have_ends() {
    super::rejects("FRAG\nNOP", expect!["2:4: error: the program has no END"]);
    super::rejects(
        "FRAG\nEND\nNOP",
        expect!["3:4: error: the program runs past its last instruction; END is missing"],
    );
    accept("FRAG\nEND\nBGNSUB\nRET\nENDSUB");
}

#[test]
fn subroutines_have_beginnings_and_ends() {
    rejects_fragment(
        "CAL :2\nEND\nBGNSUB\nRET",
        expect!["13:1: error: the subroutine runs into END"],
    );
    rejects_fragment(
        "CAL :1\nBGNSUB\nRET\nENDSUB",
        expect![
            "10:1: error: the program runs into the subroutine (END or RET has to stand before it)"
        ],
    );
    rejects_fragment(
        "BGNLOOP\nBGNSUB\nBGNSUB\nENDSUB",
        expect![[r#"
        9:1: error: BGNLOOP has no ENDLOOP
        10:1: error: the program runs into the subroutine (END or RET has to stand before it)
        10:1: error: BGNSUB has no ENDSUB
        11:1: error: the program runs into the subroutine (END or RET has to stand before it)"#]],
    );
    rejects_fragment(
        "CAL :1\nCAL\nCALLNZ TEMP[0]\nCAL :9\nEND\nBGNSUB\nENDSUB",
        expect![[r#"
            9:6: error: instruction 1 is not a BGNSUB (a BGNSUB is at 5)
            10:1: error: CAL needs the number of a BGNSUB (as in `CAL :10`)
            11:1: error: CALLNZ needs the number of a BGNSUB (as in `CALLNZ :10`)
            12:6: error: instruction 9 is not a BGNSUB (a BGNSUB is at 5)"#]],
    );
    rejects_fragment(
        "CAL :0",
        expect!["9:6: error: instruction 0 is not a BGNSUB (there is not a BGNSUB)"],
    );
}

#[test]
fn jumps_stay_in_their_subroutine() {
    rejects_fragment(
        "BRA :99\nBRA\nBRA :6\nCAL :5\nEND\nBGNSUB\nNOP\nBRA :0\nENDSUB",
        expect![[r#"
            9:6: error: there is no instruction 99; the last is 9
            10:1: error: BRA needs the number of an instruction (as in `BRA :10`)
            11:6: error: instruction 6 is in another subroutine
            16:6: error: instruction 0 is in another subroutine"#]],
    );
}

#[test]
fn recursion_is_refused_with_its_cycle() {
    rejects_fragment(
        "CAL :2\nEND\nBGNSUB\nCAL :5\nENDSUB\nBGNSUB\nCAL :8\nENDSUB\nBGNSUB\nCAL :5\nCAL :8\nENDSUB",
        expect![[r#"
            14:1: error: the subroutine at 5 calls itself: 5 calls 8 calls 5
            17:1: error: the subroutine at 8 calls itself: 8 calls 8"#]],
    );
}

#[test]
fn calls_in_place_have_a_limit() {
    let mut body = String::from("CAL :2\nEND\n");
    for routine in 0..17 {
        let next = 6 + 4 * routine;
        body.push_str(&format!("BGNSUB\nCAL :{next}\nCAL :{next}\nENDSUB\n"));
    }
    body.push_str("BGNSUB\nENDSUB");
    rejects_fragment(
        &body,
        expect![
            "9:1: error: with its subroutines in place of calls the program has more than 65536 instructions"
        ],
    );
    let mut body = String::from("CAL :2\nEND\n");
    for routine in 0..64 {
        body.push_str(&format!("BGNSUB\nCAL :{}\nENDSUB\n", 5 + 3 * routine));
    }
    body.push_str("BGNSUB\nENDSUB");
    rejects_fragment(
        &body,
        expect!["9:1: error: calls are nested more than 64 deep"],
    );
}

#[test]
fn the_stack_has_a_depth_at_every_instruction() {
    let program = fragment(
        "PUSHA ADDR[0]
CAL :6
CAL :6
POPA ADDR[0].x
POPA ADDR[0]
END
BGNSUB
POPA ADDR[0]
PUSHA ADDR[0]
IF TEMP[0]
PUSHA ADDR[0]
ELSE
PUSHA ADDR[0]
ENDIF
ENDSUB
END",
    );
    let depths: Vec<i32> = program.instructions.iter().map(|it| it.depth).collect();
    assert_eq!(depths[..6], [0, 1, 2, 3, 2, 1]);
    assert_eq!(depths[6..15], [0, 0, -1, 0, 0, 1, 0, 1, 1]);
    assert_eq!((program.routines[0].pushes, program.stack), (1, 3));
}

#[test]
fn a_stack_that_is_empty_or_uneven_is_refused() {
    rejects_fragment(
        "POPA ADDR[0]",
        expect!["9:1: error: the stack of PUSHA is empty here"],
    );
    rejects_fragment(
        "IF TEMP[0]\nPUSHA ADDR[0]\nENDIF",
        expect![
            "11:1: error: the stack of PUSHA is not equally deep on all ways to this instruction"
        ],
    );
    rejects_fragment(
        "BGNLOOP\nPUSHA ADDR[0]\nENDLOOP",
        expect![
            "9:1: error: the stack of PUSHA is not equally deep on all ways to this instruction"
        ],
    );
    rejects_fragment(
        "CAL :2\nEND\nBGNSUB\nPOPA ADDR[0]\nENDSUB",
        expect!["9:1: error: the subroutine takes more from the stack of PUSHA than it holds"],
    );
    rejects_fragment(
        "CAL :2\nEND\nBGNSUB\nIF TEMP[0]\nRET\nENDIF\nPUSHA ADDR[0]\nENDSUB",
        expect![
            "13:1: error: the stack of PUSHA is not equally deep on all ways to this instruction"
        ],
    );
    rejects_fragment(
        "CALLNZ TEMP[0] :2\nEND\nBGNSUB\nPUSHA ADDR[0]\nENDSUB",
        expect![
            "10:1: error: the stack of PUSHA is not equally deep on all ways to this instruction"
        ],
    );
    rejects_fragment(
        &"PUSHA ADDR[0]\n".repeat(65),
        expect!["73:1: error: the stack of PUSHA is more than 64 vectors deep"],
    );
}
