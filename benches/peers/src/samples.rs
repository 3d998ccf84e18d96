//! Triangles into several samples for each pixel.

use std::error::Error;
use std::io::{self, Write};

use attila_shader::machine::{ErrorChain, SampleCount, SamplePositions};
use serde::Serialize;

use crate::compare::Agreement;
use crate::contract::Mesh;
use crate::gl::List;
use crate::llvmpipe::{Llvmpipe, Multisampled};
use crate::options::{Options, Text};
use crate::ours::{Ours, Source};
use crate::race::{self, Outcome, geometric_mean};
use crate::report::{Failure, Identity};

/// One colour for all that is covered.
const COVERED: &str = "!!ARBfp1.0
MOV result.color, {1.0, 1.0, 1.0, 1.0};
END";

/// Everything that was measured.
#[derive(Serialize)]
pub(crate) struct Report {
    #[serde(flatten)]
    identity: Identity,
    /// Columns and rows.
    size: [u32; 2],
    samples: usize,
    coverage: Vec<Coverage>,
    rows: Vec<Row>,
    /// Programs that could not be measured, with the reasons.
    failures: Vec<Failure>,
}

/// The samples that a mesh covers.
#[derive(Serialize)]
struct Coverage {
    mesh: &'static str,
    /// Samples that both cover.
    covered: usize,
    /// Samples that only one of the two covers.
    different: usize,
}

/// The measurements of a program on a mesh.
#[derive(Serialize)]
struct Row {
    shader: String,
    mesh: &'static str,
    /// Milliseconds for a picture: llvmpipe's, and ours.
    milliseconds: [f64; 2],
    /// Our speed relative to llvmpipe's.
    ratio: f64,
    /// The interquartile range of the ratios, as a part of the median.
    spread: f64,
    /// The agreement of all samples.
    picture: Agreement,
}

/// Compares and measures programs over both meshes.
pub(crate) fn measure(
    count: SampleCount,
    texts: &[Text],
    peer: &Llvmpipe,
    ours: &Ours,
    options: &Options,
) -> Result<Report, Box<dyn Error>> {
    let size = options.size.0;
    let target = Multisampled::new(peer, count.count() as u32)?;
    let places = target.positions();
    let standard = SamplePositions::standard(count);
    let expected: Vec<[f32; 2]> = standard
        .positions()
        .iter()
        .map(|position| position.map(f32::from))
        .collect();
    if places != expected {
        return Err(format!("llvmpipe has its samples elsewhere: {places:?}").into());
    }
    let mut report = Report {
        identity: Identity::new(&peer.identity, options.threads),
        size,
        samples: count.count(),
        coverage: Vec::new(),
        rows: Vec::new(),
        failures: Vec::new(),
    };
    for mesh in [Mesh::whole(size), Mesh::small(size)] {
        let contest = Contest {
            target: &target,
            ours,
            options,
            count,
            list: target.mesh(&mesh),
            mesh: &mesh,
        };
        report.coverage.push(contest.coverage()?);
        for text in texts {
            match contest.measure(text) {
                Ok(row) => report.rows.push(row),
                Err(error) => report.failures.push(Failure {
                    shader: text.name.clone(),
                    reason: ErrorChain(&*error).to_string(),
                }),
            }
        }
    }
    Ok(report)
}

/// A mesh, and those who draw it.
struct Contest<'a> {
    target: &'a Multisampled<'a>,
    ours: &'a Ours,
    options: &'a Options,
    count: SampleCount,
    mesh: &'a Mesh,
    /// The mesh as llvmpipe keeps it.
    list: List,
}

impl Contest<'_> {
    /// Compares the samples that are covered.
    fn coverage(&self) -> Result<Coverage, Box<dyn Error>> {
        let program = self.target.program(COVERED)?;
        let expected = self.target.picture(self.list);
        self.target.delete(program);
        let (_, loaded) = self.ours.compile(Source::Arb(COVERED))?;
        let size = self.options.size.0;
        let mut ready = self
            .ours
            .prepare_mesh(&loaded, self.mesh, self.count, size)?;
        ready.draw()?;
        let ours = ready.planes();
        let [expected, ours] = [&expected, &ours].map(|it| it.as_chunks::<4>().0);
        let pairs = || expected.iter().zip(ours);
        Ok(Coverage {
            mesh: self.mesh.name,
            covered: pairs().filter(|(a, b)| a == b && **a == [255; 4]).count(),
            different: pairs().filter(|(a, b)| a != b).count(),
        })
    }

    /// Compares and measures a program.
    fn measure(&self, text: &Text) -> Result<Row, Box<dyn Error>> {
        let program = self.target.program(&text.text)?;
        let (_, loaded) = self.ours.compile(Source::Arb(&text.text))?;
        let size = self.options.size.0;
        let mut ready = self
            .ours
            .prepare_mesh(&loaded, self.mesh, self.count, size)?;
        let expected = self.target.picture(self.list);
        ready.draw()?;
        let tolerance = self.options.tolerance(loaded.is_textured());
        let picture = Agreement::of(&expected, &ready.planes(), tolerance);
        let mut frame = || ready.draw().expect("it was drawn before");
        let mut peer_frame = || self.target.frame(self.list);
        let Outcome {
            seconds,
            ratio,
            spread,
        } = race::race([&mut peer_frame, &mut frame], self.options.pace());
        self.target.delete(program);
        Ok(Row {
            shader: text.name.clone(),
            mesh: self.mesh.name,
            milliseconds: seconds.map(|seconds| seconds * 1e3),
            ratio,
            spread,
            picture,
        })
    }
}

impl Report {
    /// True if both drew every program, cover the same samples, and agree on their colours.
    pub(crate) fn is_fine(&self) -> bool {
        let mut coverage = self.coverage.iter();
        self.failures.is_empty()
            && coverage.all(|coverage| coverage.different == 0)
            && self.rows.iter().all(|row| row.picture.is_close())
    }

    pub(crate) fn print(&self, json: bool) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if json {
            serde_json::to_writer_pretty(&mut out, self)?;
            return writeln!(out);
        }
        self.identity.print(&mut out)?;
        let ([width, height], samples) = (self.size, self.samples);
        writeln!(out, "{width}x{height} RGBA8 with {samples} samples")?;
        for coverage in &self.coverage {
            self.print_mesh(&mut out, coverage)?;
        }
        for Failure { shader, reason } in &self.failures {
            writeln!(out, "{shader}: {reason}")?;
        }
        Ok(())
    }

    fn print_mesh(&self, out: &mut impl Write, coverage: &Coverage) -> io::Result<()> {
        let Coverage {
            mesh,
            covered,
            different,
        } = coverage;
        writeln!(
            out,
            "\n{mesh}: {covered} samples are covered by both, {different} by one only"
        )?;
        writeln!(
            out,
            "{:<16}{:>12}{:>9}{:>8}{:>8}   of 255",
            "ms", "llvmpipe", "ours", "ratio", "spread"
        )?;
        let rows = || self.rows.iter().filter(|row| row.mesh == *mesh);
        for row in rows() {
            let ([peer, ours], spread) = (row.milliseconds, 100.0 * row.spread);
            let (shader, ratio, picture) = (&row.shader, row.ratio, row.picture);
            writeln!(
                out,
                "{shader:<16}{peer:>12.2}{ours:>9.2}{ratio:>8.2}{spread:>7.0}%   {picture}"
            )?;
        }
        let ratio = geometric_mean(rows().map(|row| row.ratio));
        writeln!(out, "{:<37}{ratio:>8.2}", "geometric mean")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_sample_that_only_one_covers_is_a_difference() {
        for (different, is_fine) in [(0, true), (1, false)] {
            let report = Report {
                identity: Identity::new(&[String::new(), String::new()], 1),
                size: [16, 16],
                samples: 4,
                coverage: vec![Coverage {
                    mesh: "whole",
                    covered: 1024 - different,
                    different,
                }],
                rows: Vec::new(),
                failures: Vec::new(),
            };
            assert_eq!(report.is_fine(), is_fine);
        }
    }
}
