//! Conditions, loops, choices, calls, jumps and guards, with lanes that part.

use attila_shader::front::tgsi::Dialect::{T7, T10, T23};

use super::check_lanes;

const X: [f32; 4] = [0.0, 1.0, 2.0, 5.0];
const IMMEDIATES: &str = "IMM FLT32 { 1.0, 2.0, 10.0, 100.0 }\nIMM UINT32 { 0, 1, 2, 5 }\n";

fn check(dialect: attila_shader::front::tgsi::Dialect, body: &str, expected: [f32; 4]) {
    check_lanes(dialect, &format!("{IMMEDIATES}{body}"), X, expected);
}

#[test]
fn each_lane_takes_its_branch() {
    let body = "MOV TEMP[0], IN[0]
IF IN[0].xxxx
 SLT TEMP[1], IN[0], IMM[0].yyyy
 IF TEMP[1].xxxx
  ADD TEMP[0], TEMP[0], IMM[0].zzzz
 ELSE
  ADD TEMP[0], TEMP[0], IMM[0].wwww
 ENDIF
ELSE
 MOV TEMP[0], -IMM[0].xxxx
ENDIF
MOV OUT[0], TEMP[0]";
    for dialect in [T7, T10, T23] {
        check(dialect, body, [-1.0, 11.0, 102.0, 105.0]);
    }
}

#[test]
fn loops_end_for_each_lane() {
    let body = "MOV TEMP[1], IMM[0].zzzz
BGNLOOP
 SGE TEMP[2].x, TEMP[0].xxxx, IN[0].xxxx
 IF TEMP[2].xxxx
  BRK
 ENDIF
 ADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx
 SEQ TEMP[2].x, TEMP[0].xxxx, IMM[0].yyyy
 IF TEMP[2].xxxx
  CONT
 ENDIF
 ADD TEMP[1].x, TEMP[1].xxxx, IMM[0].xxxx
ENDLOOP
MOV OUT[0], TEMP[1]";
    for dialect in [T7, T10, T23] {
        check(dialect, body, [10.0, 11.0, 11.0, 14.0]);
    }
}

#[test]
fn breakc_tests_bits() {
    let body = "BGNLOOP
 SGE TEMP[2].x, TEMP[0].xxxx, IN[0].xxxx
 BREAKC TEMP[2].xxxx
 ADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
ENDLOOP
MOV OUT[0], TEMP[0]";
    check(T7, body, [0.0, 2.0, 2.0, 6.0]);
}

#[test]
fn lanes_fall_through_cases() {
    let body = "ARL TEMP[1], IN[0]
MOV TEMP[0], IMM[0].zzzz
SWITCH TEMP[1].xxxx
CASE IMM[1].yyyy
 ADD TEMP[0], TEMP[0], IMM[0].xxxx
DEFAULT
 ADD TEMP[0], TEMP[0], IMM[0].wwww
 BRK
CASE IMM[1].zzzz
 MOV TEMP[0], IMM[0].yyyy
ENDSWITCH
MOV OUT[0], TEMP[0]";
    for dialect in [T7, T10, T23] {
        check(dialect, body, [110.0, 111.0, 2.0, 110.0]);
    }
}

#[test]
fn brk_leaves_a_switch_and_cont_the_turn_around_it() {
    let body = "ARL TEMP[1], IN[0]
BGNLOOP
 UADD TEMP[2].x, TEMP[2].xxxx, IMM[1].yyyy
 UADD TEMP[3].x, TEMP[2].xxxx, -IMM[1].wwww
 UIF TEMP[3].xxxx
 ELSE
  BRK
 ENDIF
 SWITCH TEMP[1].xxxx
 CASE IMM[1].yyyy
  CONT
 CASE IMM[1].zzzz
  BRK
 DEFAULT
  ADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx
 ENDSWITCH
 ADD TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz
ENDLOOP
MOV OUT[0], TEMP[0]";
    check(T23, body, [44.0, 0.0, 40.0, 44.0]);
}

#[test]
fn subroutines_return_to_their_calls() {
    let body = "MOV TEMP[0], IN[0]
CAL :6
CAL :6
CALLNZ IN[0].xxxx :6
MOV OUT[0], TEMP[0]
RET
BGNSUB
 SGE TEMP[1].x, TEMP[0].xxxx, IMM[0].yyyy
 IF TEMP[1].xxxx
  CAL :14
  RET
 ENDIF
 ADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx
ENDSUB
BGNSUB
 ADD TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz
ENDSUB
";
    // The calls add 1 below 2, and 10 otherwise.
    check(T7, body, [2.0, 22.0, 32.0, 35.0]);
}

#[test]
fn the_main_program_may_return_early() {
    let body = "MOV TEMP[0], IMM[0].wwww
MOV OUT[0], TEMP[0]
IF IN[0].xxxx
 RET
ENDIF
MOV OUT[0], IMM[0].xxxx";
    check(T10, body, [1.0, 100.0, 100.0, 100.0]);
}

#[test]
fn outputs_may_be_read() {
    let body = "MOV OUT[0], IN[0]
IF IN[0].xxxx
 RET
ENDIF
ADD OUT[0], OUT[0], IMM[0].xxxx";
    check(T10, body, [1.0, 1.0, 2.0, 5.0]);
}

#[test]
fn jumps_skip_instructions() {
    let body = "MOV TEMP[0], IN[0]
IF IN[0].xxxx
 BRA :5
ENDIF
MOV TEMP[0], IMM[0].wwww
ADD OUT[0], TEMP[0], IMM[0].xxxx";
    check(T7, body, [101.0, 2.0, 3.0, 6.0]);
}

#[test]
fn predicates_guard_components_of_lanes() {
    let body = "DCL PRED[0]
SGE PRED[0], IN[0].xxxx, IMM[0]
MOV TEMP[0], IN[0]
(PRED[0].yxxx) ADD TEMP[0].xy, TEMP[0], IMM[0].wwww
(!PRED[0].xxxx) MOV TEMP[0].x, IMM[0].zzzz
MOV OUT[0], TEMP[0]";
    check(T7, body, [10.0, 1.0, 102.0, 105.0]);
}

#[test]
fn the_stack_holds_addresses_across_calls() {
    let body = "ARL ADDR[0], IN[0].xxxx
PUSHA ADDR[0]
CAL :6
POPA ADDR[0]
MOV OUT[0], CONST[ADDR[0].x]
RET
BGNSUB
 ARL ADDR[0], IMM[0].zzzz
 PUSHA ADDR[0]
 ARL ADDR[0], IMM[0].wwww
 POPA ADDR[0]
ENDSUB";
    check(T7, body, [0.0, 1.0, 2.0, 5.0]);
}
