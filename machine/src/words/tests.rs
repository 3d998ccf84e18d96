use std::collections::BTreeSet;

use super::*;

#[test]
fn every_word_has_one_name_which_reads_back() {
    let words: Vec<StateWord> = StateWord::all().collect();
    let names: BTreeSet<String> = words.iter().map(ToString::to_string).collect();
    assert_eq!(names.len(), words.len());
    for word in words {
        assert_eq!(word.to_string().parse(), Ok(word), "{word}");
        let name = word.name().to_string();
        assert_eq!(name.to_uppercase().parse(), Ok(word.name()), "{name}");
    }
    for (text, words) in [
        ("r3", "r3.x"),
        ("kill", "kill"),
        ("accumulator w", "accumulator w sign"),
    ] {
        let name: StateName = text.parse().expect("it is a name");
        assert_eq!(
            name.words().next().map(|word| word.to_string()).as_deref(),
            Some(words)
        );
    }
}

#[test]
fn words_are_all_of_a_state_and_do_not_overlap() {
    let mut state = QuadState::default();
    let is_position = |word: &StateWord| matches!(word.name(), StateName::Position(_));
    let positions = || StateWord::all().filter(is_position);
    let others = || StateWord::all().filter(|word| !is_position(word));
    for (n, word) in (1..).zip(others()) {
        word.set(&mut state, [4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3]);
    }
    // Positions are the same in all lanes.
    for (n, word) in (1..).zip(positions()) {
        word.set_lane(&mut state, 2, n);
    }
    for (n, word) in (1..).zip(positions()) {
        assert_eq!(word.get(&state), [n; 4], "{word}");
    }
    for (n, word) in (1..).zip(others()) {
        assert_eq!(
            word.get(&state),
            [4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3],
            "{word}"
        );
    }
    StateWord::all().for_each(|word| word.set(&mut state, [0; 4]));
    let mut cleared = QuadState::default();
    cleared.io.samples.count = [0; 4];
    cleared.io.samples.coverage = [0; 4];
    cleared.io.samples.own = [0; 4];
    assert_eq!(state, cleared);
    let (registers, others) = (64 + 64 + 256 + 4, 32 + 1 + 16 + 1 + 3 + 16);
    assert_eq!(StateWord::all().count(), 4 * registers + others + 4 * 3);
    assert_eq!(
        StateWord::all().count() - StateWord::changed().count(),
        4 * 64 + 3 + 16
    );
}

#[test]
fn offsets_are_those_of_the_lanes() {
    let state = QuadState::default();
    let of = |lanes: &Lanes<u32>| {
        let start = core::ptr::from_ref(&state).addr();
        Some(core::ptr::from_ref(lanes).addr() - start)
    };
    let at = |text: &str| text.parse::<StateWord>().expect("it is a word").offset();
    assert_eq!(at("i15.y"), of(&state.io.inputs[15][1]));
    assert_eq!(at("o2.w"), of(&state.io.outputs[2][3]));
    assert_eq!(at("r31.z"), of(&state.regs.temps[31][2]));
    assert_eq!(at("a1.x"), of(&state.regs.addresses[1][0]));
    assert_eq!(at("p30"), of(&state.regs.predicates[30]));
    assert_eq!(at("kill"), of(&state.io.kill));
    assert_eq!(at("depth s9"), of(&state.io.depth[9]));
    assert_eq!(at("sample"), of(&state.regs.sample));
    assert_eq!(at("accumulator x low"), None);
    assert_eq!(at("samples"), of(&state.io.samples.count));
    assert_eq!(at("coverage"), of(&state.io.samples.coverage));
    assert_eq!(at("own-sample"), of(&state.io.samples.own));
    assert_eq!(at("position s3"), None);
}

#[test]
fn other_texts_are_refused_with_the_names_that_there_are() {
    let refused = |text: &str| {
        text.parse::<StateWord>()
            .expect_err("it is not a word")
            .to_string()
    };
    assert_eq!(refused("r256.x"), "`r256` is not r0 to r255");
    assert_eq!(refused("p+1"), "`p+1` is not p0 to p31");
    assert_eq!(refused("depth s16"), "`s16` is not s0 to s15");
    assert_eq!(
        refused("accumulator q high"),
        "`q` is not a component x, y, z or w"
    );
    assert_eq!(refused("i0.é"), "`é` is not a component x, y, z or w");
    for text in [
        "r3",
        "c0",
        "kill.x",
        "r3 high",
        "s2",
        "",
        "q1",
        "accumulator x",
    ] {
        assert_eq!(
            refused(text),
            format!("`{text}` is not part of a quad's state")
        );
    }
}
