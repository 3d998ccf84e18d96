//! Long runs of quads that are covered as a whole, set apart from the others.

use super::{ALL_ROWS, Corner, PlaneLayout, Rules, Spans, at, coordinate, dice, none, rules};
use attila_machine::pipeline::Span;
use attila_machine::{SampleCount, SamplePositions};

const SIZE: i32 = 120;

/// The spans of the fragments, or of samples at these places, set apart or not.
fn spans(triangle: &[Corner; 3], positions: Option<&SamplePositions>, sets_apart: bool) -> Spans {
    let rules = Rules {
        positions: positions.copied(),
        ..rules(SIZE, SIZE)
    };
    let mut primitives = none(&rules, ALL_ROWS);
    primitives.push(&rules, &PlaneLayout::default(), triangle.each_ref());
    let mut spans = Spans {
        sets_apart,
        ..Spans::default()
    };
    for (_, outline) in &primitives.bins.band(0).outlines {
        match positions {
            None => outline.spans(&rules.area, &mut spans),
            Some(positions) => outline.sample_spans(&rules.area, positions, &mut spans),
        }
    }
    spans
}

/// The primitive and the coverage of each quad by its place: a bit for each fragment, or for each sample of it.
fn covered(spans: &Spans, all: u64) -> Vec<(u32, u64)> {
    let mut covered = vec![(0, 0); (SIZE * SIZE / 4) as usize];
    let mut add = |span: &Span, quad: u32, word: u64| {
        let [column, row] = [span.x / 2 + quad, span.y / 2];
        let place = &mut covered[(row * SIZE.cast_unsigned() / 2 + column) as usize];
        assert_eq!(place.1, 0, "quad {quad} of {span:?} is in two spans");
        *place = (span.primitive, word);
    };
    for span in &spans.spans {
        for quad in 0..span.quads {
            let place = (span.first + quad) as usize;
            let word = spans.samples.get(place).copied();
            let word = word.unwrap_or_else(|| spans.coverage[place].into());
            add(span, quad, word);
        }
    }
    for span in &spans.whole {
        assert!(span.quads >= 16, "{span:?} is short");
        for quad in 0..span.quads {
            add(span, quad, all);
        }
    }
    covered
}

#[test]
fn what_is_set_apart_is_what_the_other_spans_leave_out() {
    let mut dice = dice(8);
    let four = SamplePositions::standard(SampleCount::Four);
    let mut runs = 0;
    for _ in 0..400 {
        let mut corner = || {
            let [x, y] = [0, 1].map(|_| coordinate(&mut dice, SIZE as f32));
            at(x, y)
        };
        let triangle = [corner(), corner(), corner()];
        for (positions, all) in [(None, 0b1111), (Some(&four), 0x000f_000f_000f_000f)] {
            let together = covered(&spans(&triangle, positions, false), all);
            let apart = spans(&triangle, positions, true);
            assert!(covered(&apart, all) == together, "{triangle:?}");
            runs += apart.whole.len();
        }
    }
    assert!(runs > 5_000, "only {runs} runs");
}
