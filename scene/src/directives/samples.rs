//! Lines about the samples of the pixels.

use attila_shader::isa::Remark;
use attila_shader::machine::{
    LANES, Lanes, NO_SAMPLE, QuadSamples, QuadState, SampleCount, SamplePositions, StateKind,
    StateName, offset_of_packed, packed_offset,
};

use super::parse::Line;
use super::words::{self, Plain};
use super::{Directives, Setting};

/// The word for a program that runs for the whole pixel.
const NONE: &str = "none";

impl Line<'_> {
    /// One number for all lanes, or one for each; `none` for no sample.
    pub(super) fn sample_numbers(&mut self, lane: Option<usize>) -> Result<Lanes<u32>, Remark> {
        let first = self.sample_number()?;
        if lane.is_some() || self.peek().is_none() {
            return Ok([first; LANES]);
        }
        let mut lanes = [first; LANES];
        for word in &mut lanes[1..] {
            *word = self.sample_number()?;
        }
        Ok(lanes)
    }

    fn sample_number(&mut self) -> Result<u32, Remark> {
        let word = self.expect("a number")?;
        if word.lower() == NONE {
            return Ok(NO_SAMPLE);
        }
        words::parse(word.text, Plain::Integer).map_err(|message| word.fault(message))
    }

    /// An offset along x and one along y, packed.
    pub(super) fn position(&mut self) -> Result<Lanes<u32>, Remark> {
        let mut offset = [0; 2];
        for coordinate in &mut offset {
            let word = self.expect("two offsets in 1/16 pixel")?;
            *coordinate = word
                .text
                .parse()
                .map_err(|_| word.fault(format!("`{}` is not an integer of 16 bits", word.text)))?;
        }
        Ok([packed_offset(offset); LANES])
    }
}

impl Directives {
    /// Gives samples the standard positions in quads where lines name their number, but no positions.
    pub(super) fn place_samples(&self, quads: &mut [QuadState]) {
        let about = |setting: &Setting, quad: usize| setting.quad.is_none_or(|only| only == quad);
        let of_kind = |kind: StateKind, quad: usize| {
            let mut starts = self.starts.iter();
            starts.any(|setting| setting.name.kind() == Some(kind) && about(setting, quad))
        };
        // A text may have very many lines about something else.
        let names_count = |setting: &Setting| setting.name == StateName::SampleCount;
        if !self.starts.iter().any(names_count) {
            return;
        }
        for (index, quad) in quads.iter_mut().enumerate() {
            if of_kind(StateKind::SampleCount, index) && !of_kind(StateKind::Position, index) {
                quad.io.samples.positions = standard(&quad.io.samples);
            }
        }
    }
}

/// The positions that samples have if no line names them.
fn standard(samples: &QuadSamples) -> [u32; 16] {
    match SampleCount::of(samples.count[0] as usize) {
        Some(count) => SamplePositions::standard(count).packed(),
        None => [0; 16],
    }
}

/// The lines that make the samples of a quad; `prefix` names the quad. Samples as they are without a line are
/// not named.
pub(super) fn lines(samples: &QuadSamples, prefix: &str) -> Vec<String> {
    let start = QuadSamples::default();
    let number = |word: u32| match word {
        NO_SAMPLE => NONE.to_owned(),
        word => word.to_string(),
    };
    let numbers = |lanes: Lanes<u32>| match lanes {
        [first, ..] if lanes == [first; LANES] => number(first),
        _ => lanes.map(number).join(" "),
    };
    let per_lane = |lanes: Lanes<u32>| lanes.map(|word| format!("{word:#06x}")).join(" ");
    let mut lines = Vec::new();
    let mut line = |kind: StateKind, name: &str, value: String| {
        let named = [kind.word(), prefix.trim_end(), name];
        let named: Vec<&str> = named.into_iter().filter(|word| !word.is_empty()).collect();
        lines.push(format!(";! {} = {value}", named.join(" ")));
    };
    if samples.count != start.count {
        line(StateKind::SampleCount, "", numbers(samples.count));
    }
    if samples.coverage != start.coverage {
        line(StateKind::Coverage, "", per_lane(samples.coverage));
    }
    if samples.own != start.own {
        line(StateKind::OwnSample, "", numbers(samples.own));
    }
    let placed = match samples.count == start.count {
        true => start.positions,
        false => standard(samples),
    };
    if samples.positions != placed {
        for (sample, &position) in samples.positions.iter().enumerate() {
            // The first line says that there are any.
            if sample == 0 || position != 0 {
                let [x, y] = offset_of_packed(position);
                line(
                    StateKind::Position,
                    &format!("s{sample}"),
                    format!("{x} {y}"),
                );
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::{parse, start_lines};
    use super::*;

    fn start(text: &str) -> Vec<QuadState> {
        parse(text, &[]).expect("the text is right").start()
    }

    #[test]
    fn samples_have_standard_positions_unless_lines_name_others() {
        let quads = start(
            ";! quads 3\n;! samples = 4\n;! samples q1 = 2\n;! coverage = 1 0x6 15 0\n;! own-sample q2 = 3\n\
             ;! position q2 s1 = -8 7\n;! coverage[2] q1 = 1",
        );
        let standard = |count| SamplePositions::standard(count).packed();
        assert_eq!(quads[0].io.samples.positions, standard(SampleCount::Four));
        assert_eq!(quads[1].io.samples.positions, standard(SampleCount::Two));
        assert_eq!(quads[0].io.samples.coverage, [1, 6, 15, 0]);
        assert_eq!(quads[1].io.samples.coverage, [1, 6, 1, 0]);
        assert_eq!(quads[0].io.samples.own, [NO_SAMPLE; 4]);
        assert_eq!(quads[2].io.samples.own, [3; 4]);
        assert_eq!(quads[2].io.samples.positions[..2], [0, 0x0007_fff8]);
    }

    #[test]
    fn lines_about_samples_read_back_as_they_were() {
        let mut quads = vec![QuadState::default(); 4];
        let samples = &mut quads[1].io.samples;
        samples.count = [8; 4];
        samples.coverage = [0x81, 0, 0xff, 0xffff_ffff];
        samples.positions = SamplePositions::standard(SampleCount::Eight).packed();
        let samples = &mut quads[2].io.samples;
        samples.own = [5, 5, NO_SAMPLE, 5];
        samples.positions[3] = packed_offset([-8, 7]);
        let samples = &mut quads[3].io.samples;
        // Samples that are all at the centre.
        samples.count = [4; 4];
        samples.coverage = [0; 4];
        let lines = start_lines(&quads);
        assert_eq!(start(&lines.join("\n")), quads, "{lines:#?}");
        assert_eq!(
            start_lines(&quads[1..2]),
            [
                ";! samples = 8",
                ";! coverage = 0x0081 0x0000 0x00ff 0xffffffff"
            ]
        );
    }

    #[test]
    fn faults_in_lines_about_samples_are_pointed_out() {
        for (line, message) in [
            (";! position s16 = 0 0", "1:13: `s16` is not s0 to s15"),
            (
                ";! position s1 = 0",
                "1:19: two offsets in 1/16 pixel is missing",
            ),
            (
                ";! position s1 = 0 x",
                "1:20: `x` is not an integer of 16 bits",
            ),
            (";! samples = 1.5", "1:14: `1.5` is not an integer"),
            (
                ";! expect coverage = 1",
                "1:11: `coverage` is not a result of a run; expected o0 to o63, r0 to r255, a0 to a3, p0 to p31, \
                 kill, depth, sample or accumulator",
            ),
        ] {
            let errors = parse(line, &[]).expect_err(line);
            assert_eq!(errors[0].to_string(), message);
        }
    }
}
