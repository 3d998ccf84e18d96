//! Measuring two side by side, on the time that the process has on a processor.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

/// The length of a measurement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// The number of turns of each.
    pub(crate) rounds: usize,
    /// The approximate length of a turn.
    pub(crate) turn: Duration,
    pub(crate) clock: Clock,
}

/// The time that is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Clock {
    /// The process's on processors.
    Processor,
    /// That which passes.
    Wall,
}

/// The result of a race.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    /// Seconds of a frame, the median over the turns: of the first and of the second.
    pub(crate) seconds: [f64; 2],
    /// The speed of the second relative to the first, the median over the rounds.
    pub(crate) ratio: f64,
    /// The interquartile range of the ratios, as a part of their median.
    pub(crate) spread: f64,
}

/// Calls both in turn. A disturbance that lasts longer than a round hits both to the same degree; the
/// median drops shorter ones.
pub(crate) fn race(mut racers: [&mut dyn FnMut(); 2], pace: Pace) -> Outcome {
    let frames = racers.each_mut().map(|frame| frames(*frame, pace));
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..pace.rounds.max(1) {
        for ((frame, count), times) in racers.iter_mut().zip(frames).zip(&mut times) {
            times.push(turn(*frame, count, pace.clock));
        }
    }
    let [first, second] = &times;
    let ratios: Vec<f64> = first.iter().zip(second).map(|(a, b)| a / b).collect();
    let [low, ratio, high] = quartiles(ratios);
    Outcome {
        seconds: times.map(median),
        ratio,
        spread: (high - low) / ratio,
    }
}

/// The number of calls of `frame` in a turn.
fn frames(frame: &mut dyn FnMut(), pace: Pace) -> u32 {
    frame();
    let once = turn(frame, 1, pace.clock).min(turn(frame, 1, pace.clock));
    (pace.turn.as_secs_f64() / once.max(1e-6)).ceil().max(1.0) as u32
}

/// Seconds of a call, on average.
fn turn(frame: &mut dyn FnMut(), count: u32, clock: Clock) -> f64 {
    let (start, passing) = (ProcessTime::now(), Instant::now());
    for _ in 0..count {
        frame();
    }
    let time = match clock {
        Clock::Processor => start.elapsed(),
        Clock::Wall => passing.elapsed(),
    };
    time.as_secs_f64() / f64::from(count)
}

/// Seconds that `work` takes, and its result.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = ProcessTime::now();
    let result = work();
    (start.elapsed().as_secs_f64(), result)
}

/// The value in the middle.
pub(crate) fn median(values: Vec<f64>) -> f64 {
    quartiles(values)[1]
}

/// The values after a quarter, half, and three quarters of all.
fn quartiles(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    [1, 2, 3].map(|quarter| values.get(last * quarter / 4).copied().unwrap_or(f64::NAN))
}

/// The geometric mean.
pub(crate) fn geometric_mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| {
        (sum + value.ln(), count + 1)
    });
    (sum / f64::from(count)).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_do_not_depend_on_the_order() {
        assert_eq!(quartiles(vec![5.0, 1.0, 4.0, 2.0, 3.0]), [2.0, 3.0, 4.0]);
        assert_eq!(quartiles(vec![7.0]), [7.0; 3]);
    }

    #[test]
    fn a_geometric_mean_weighs_halves_as_doubles() {
        let mean = geometric_mean([0.5, 2.0, 3.0, 1.0 / 3.0].into_iter());
        assert!((mean - 1.0).abs() < 1e-12);
    }
}
