//! Tests of the printer.

use super::*;

#[test]
fn floats_print_the_fewest_digits_that_read_back() {
    let cases = [
        (0.0, "0"),
        (1.0, "1"),
        (2.5, "2.5"),
        (0.1, "0.1"),
        (100_000.0, "100000"),
        (16_777_216.0, "16777216"),
        (1e10, "1e10"),
        (1e-45, "1e-45"),
        (f32::MAX, "3.4028235e38"),
    ];
    for (value, text) in cases {
        assert_eq!(shortest(value), text);
        assert_eq!(text.parse(), Ok(value));
    }
}

#[test]
fn immediates_that_have_no_decimal_spelling_print_their_bits() {
    let print = |bits, integer| Literal { bits, integer }.to_string();
    assert_eq!(print(0x7f80_0000, false), "0x7f800000");
    assert_eq!(print(0xbf80_0000, false), "0xbf800000");
    assert_eq!(print(0x7fc0_0001, false), "0x7fc00001");
    assert_eq!(print(0xffff_ffff, true), "0xffffffff");
    assert_eq!(print(0x7fff_ffff, true), "2147483647");
}

#[test]
fn masks_and_swizzles_print_only_what_is_not_plain() {
    assert_eq!(Mask(Slots::all()).to_string(), "");
    assert_eq!(Mask(Slots::empty()).to_string(), ".none");
    assert_eq!(Mask(Slots::X | Slots::W).to_string(), ".xw");
    assert_eq!(Selected(Swizzle::IDENTITY).to_string(), "");
    assert_eq!(Selected(Swizzle::from_bits(0x55)).to_string(), ".y");
    assert_eq!(Selected(Swizzle::from_bits(0xe4)).to_string(), ".wzyx");
}

#[test]
fn a_listing_shows_what_it_is_asked_for() {
    // jmp p0, 0; end
    let bytes: Vec<u8> = [
        0x0000_0000_0000_0000_0000_00f7_39c6_0036_u128,
        0x0000_0000_0000_0000_0000_0000_0000_0137,
    ]
    .iter()
    .flat_map(|word| word.to_le_bytes())
    .collect();
    let program = Program::decode(&bytes).expect("decodes");
    assert_eq!(program.to_string(), "jmp p0, 0\nend\n");
    let full = program.listing().with_indices().with_words().with_labels();
    expect_test::expect![[r#"
        L0:
        0  000000f739c60036 0000000000000000  jmp p0, L0
        1  0000000000000137 0000000000000000  end
    "#]]
    .assert_eq(&full.to_string());
}

#[test]
fn raw_moves_have_a_comment() {
    let moves = "min_raw r0, r1, r1\nmax_raw r0, -|i1.x|, -|i1.x|\nmaxge_raw r0.w, i0.w, i0.w\n\
         cnd_raw r0, c1, c1, c0.x\ncmpge_raw_sat o1, r0, r0, c0.x\n";
    let others = "min_raw r0, r1, r2\nmin_raw r0, r1, -r1\nmin_canon r0, r1, r1\ncnd_raw r0, r1, c1, r1\nend\n";
    let header = ".extended fragment\n";
    let program = Program::assemble(&format!("{header}{moves}{others}")).expect("it assembles");
    let moves: String = moves
        .lines()
        .map(|line| format!("{line} ; raw move\n"))
        .collect();
    let listing = program.to_string();
    assert_eq!(listing, format!("{header}{moves}{others}"));
    assert_eq!(Program::assemble(&listing).expect("it assembles"), program);
}
