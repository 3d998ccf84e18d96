//! The length and the order of steps.

use super::*;

#[test]
fn steps_become_shorter_at_once_and_longer_bit_by_bit() {
    let mut pace = Pace {
        quads: FIRST_QUADS,
        left: 1_000_000,
    };
    pace.after(FIRST_QUADS, Duration::ZERO);
    assert_eq!(pace.quads, 4 * FIRST_QUADS);
    pace.after(4 * FIRST_QUADS, 32 * STEP);
    assert_eq!(pace.quads, FIRST_QUADS / 8);
    pace.after(1, 1000 * STEP);
    assert_eq!(pace.quads, 1);
    for _ in 0..40 {
        pace.after(1, Duration::ZERO);
    }
    assert_eq!(pace.quads as usize, MOST_QUADS);
}

#[test]
fn a_band_begins_at_the_pace_of_the_one_before() {
    let area = Rectangle::all([200, 200]);
    let progress = Progress::new(&|_, _| ControlFlow::Continue(()), &area, Pass::ALL);
    let mut pace = progress.pace(&(0..64));
    assert_eq!(pace.quads, FIRST_QUADS);
    let span = Span {
        quads: FIRST_QUADS,
        ..Span::default()
    };
    let shaded = progress.shade(&[span], &mut pace, |_| Ok(()));
    assert_eq!(shaded, Ok(()));
    assert!(pace.quads > FIRST_QUADS);
    assert_eq!(progress.pace(&(64..128)).quads, pace.quads);
}

#[test]
fn all_quads_are_shaded_once_and_in_their_order() {
    let area = Rectangle::all([200, 200]);
    let progress = Progress::new(&|_, _| ControlFlow::Continue(()), &area, Pass::ALL);
    let mut pace = progress.pace(&(64..128));
    assert_eq!(pace.left, 200 * 64);
    let span = |x, quads, first| Span {
        x,
        quads,
        first,
        ..Span::default()
    };
    let spans = [span(0, 500, 7), span(0, 1, 507), span(2, 63, 508)];
    let mut places = Vec::new();
    let shaded = progress.shade(&spans, &mut pace, |spans| {
        assert!(spans.iter().map(|span| span.quads).sum::<u32>() <= 16_384);
        for span in spans {
            places.extend((0..span.quads).map(|quad| (span.x + 2 * quad, span.first + quad)));
        }
        std::thread::sleep(Duration::from_millis(1));
        Ok(())
    });
    assert_eq!(shaded, Ok(()));
    let expected = spans.iter().flat_map(|span| {
        let quads = 0..span.quads;
        quads.map(|quad| (span.x + 2 * quad, span.first + quad))
    });
    assert_eq!(places, expected.collect::<Vec<_>>());
}
