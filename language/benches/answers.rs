//! Answers about a program of 8,192 instructions, the longest of the base profile: 20 ms are what a person notices.

use std::fmt::Write as _;
use std::hint::black_box;

use attila_language::{Document, NoCosts};
use criterion::{Criterion, criterion_group, criterion_main};

/// A valid text with as many instructions as there may be.
fn text() -> String {
    let mut text = ";! const c0 = 1 2 3 4\nmov r0, i0\n".to_owned();
    for number in 0..8189 {
        let (target, source) = (number % 31, (number + 1) % 31);
        match number % 1000 {
            999 => {
                writeln!(text, "jmp p0, l{number}\nl{number}:").expect("strings take everything")
            }
            _ => writeln!(
                text,
                "mad r{target}.xyz, r{source}, c0, -r0 ; step {number}"
            )
            .expect("strings take everything"),
        }
    }
    text + "mov o1, r0\n"
}

fn answers(criterion: &mut Criterion) {
    let text = text();
    let middle = text.len() / 2;
    let document = Document::new("long.attila", text.clone());
    assert!(
        document.parts()[0].program.is_some(),
        "{:?}",
        document.problems()
    );
    let place = document
        .occurrences()
        .iter()
        .find(|it| it.span.start >= middle);
    let at = place.expect("there are registers").span.start;
    let label = document.symbols().iter().find(|it| it.name == "l999");
    let label = label.expect("there are labels").span.start;
    criterion.bench_function("read", |b| {
        b.iter(|| Document::new("long.attila", black_box(text.clone())))
    });
    criterion.bench_function("hover", |b| {
        b.iter(|| document.hover(black_box(at), &NoCosts))
    });
    criterion.bench_function("complete", |b| b.iter(|| document.complete(black_box(at))));
    criterion.bench_function("signature", |b| {
        b.iter(|| document.signature(black_box(at)))
    });
    criterion.bench_function("rename", |b| {
        b.iter(|| document.rename(black_box(label), "other"))
    });
    criterion.bench_function("folds", |b| b.iter(|| document.folds()));
    criterion.bench_function("hints", |b| b.iter(|| document.hints(0..text.len())));
    criterion.bench_function("format", |b| b.iter(|| document.format()));
}

criterion_group!(benches, answers);
criterion_main!(benches);
