//! The report that is printed.

use std::io::{self, Write};

use serde::Serialize;

use crate::compare::Agreement;
use crate::race::{Outcome, geometric_mean};

/// Who was measured.
#[derive(Serialize)]
pub(crate) struct Identity {
    /// The machine's processor.
    processor: String,
    /// The other's name, and its version.
    peer: [String; 2],
    /// Threads of each.
    threads: u8,
}

/// Everything that was measured.
#[derive(Serialize)]
pub(crate) struct Report {
    #[serde(flatten)]
    pub(crate) identity: Identity,
    /// Columns and rows.
    pub(crate) size: [u32; 2],
    pub(crate) rows: Vec<Row>,
    /// Programs that could not be measured, with the reasons.
    pub(crate) failures: Vec<Failure>,
}

/// The measurements of a program.
#[derive(Serialize)]
pub(crate) struct Row {
    pub(crate) shader: String,
    /// Millions of pixels in a second: llvmpipe's, and ours.
    pub(crate) mpixels: [f64; 2],
    /// Our speed relative to llvmpipe's.
    pub(crate) ratio: f64,
    /// The interquartile range of the ratios, as a part of the median.
    pub(crate) spread: f64,
    /// Milliseconds from the text to the first pixels: llvmpipe's, and ours.
    pub(crate) compile_ms: [f64; 2],
    pub(crate) picture: Agreement,
    /// The same program in TGSI.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tgsi: Option<Tgsi>,
}

/// Our measurements of a program in TGSI, relative to ours of its ARB form.
#[derive(Serialize)]
pub(crate) struct Tgsi {
    /// Its speed.
    pub(crate) ratio: f64,
    /// The interquartile range of the ratios, as a part of the median.
    pub(crate) spread: f64,
    /// Its time to compile.
    pub(crate) compile_ratio: f64,
    pub(crate) picture: Agreement,
}

/// A program that one of the two did not draw.
#[derive(Serialize)]
pub(crate) struct Failure {
    pub(crate) shader: String,
    pub(crate) reason: String,
}

impl Identity {
    pub(crate) fn new(peer: &[String; 2], threads: u8) -> Identity {
        Identity {
            processor: processor(),
            peer: peer.clone(),
            threads,
        }
    }

    pub(crate) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let [name, version] = &self.peer;
        let threads = match self.threads {
            1 => "one thread".to_owned(),
            several => format!("{several} threads"),
        };
        writeln!(out, "{}\n{name}, {version}\n{threads}", self.processor)
    }
}

/// The processor's name, where it is known how to find out.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let value = |wanted| {
        let mut lines = text.lines().filter_map(|line| line.split_once(':'));
        let line = lines.find(|(key, _)| key.trim() == wanted);
        line.map(|(_, value)| value.trim())
    };
    let Some(name) = value("model name") else {
        return std::env::consts::ARCH.to_owned();
    };
    // Virtual machines hide the rest of the name.
    match (value("cpu family"), value("model")) {
        (Some(family), Some(model)) => format!("{name}, family {family}, model {model}"),
        (None, _) | (_, None) => name.to_owned(),
    }
}

impl Row {
    pub(crate) fn new(
        shader: &str,
        [width, height]: [u32; 2],
        outcome: Outcome,
        compile: [f64; 2],
        picture: Agreement,
    ) -> Row {
        let pixels = f64::from(width) * f64::from(height);
        Row {
            shader: shader.to_owned(),
            mpixels: outcome.seconds.map(|seconds| pixels / seconds / 1e6),
            ratio: outcome.ratio,
            spread: outcome.spread,
            compile_ms: compile.map(|seconds| seconds * 1e3),
            picture,
            tgsi: None,
        }
    }

    /// llvmpipe's time to compile relative to ours.
    fn compile_ratio(&self) -> f64 {
        let [peer, ours] = self.compile_ms;
        peer / ours
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let Row {
            shader,
            mpixels: [peer, ours],
            ratio,
            spread,
            compile_ms: [peer_ms, ours_ms],
            picture,
            tgsi: _,
        } = self;
        let (spread, compile_ratio) = (100.0 * spread, self.compile_ratio());
        writeln!(
            out,
            "{shader:<16}{peer:>9.1}{ours:>9.1}{ratio:>8.2}{spread:>7.0}%\
             {peer_ms:>10.1}{ours_ms:>8.2}{compile_ratio:>8.1}   {picture}"
        )
    }
}

impl Report {
    /// True if both drew every program, and the pictures agree.
    pub(crate) fn is_fine(&self) -> bool {
        let twins = self.rows.iter().filter_map(|row| row.tgsi.as_ref());
        let mut pictures = self
            .rows
            .iter()
            .map(|row| row.picture)
            .chain(twins.map(|twin| twin.picture));
        self.failures.is_empty() && pictures.all(|picture| picture.is_close())
    }

    pub(crate) fn print_json(&self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        serde_json::to_writer_pretty(&mut out, self)?;
        writeln!(out)
    }

    pub(crate) fn print(&self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        self.identity.print(&mut out)?;
        let [width, height] = self.size;
        writeln!(out, "{width}x{height} RGBA8\n")?;
        writeln!(
            out,
            "{:<16}{:>26}{:>8}{:>26}\n{:<16}{:>9}{:>9}{:>8}{:>8}{:>10}{:>8}{:>8}   of 255",
            "",
            "Mpixel/s         ",
            "",
            "compile ms       ",
            "",
            "llvmpipe",
            "ours",
            "ratio",
            "spread",
            "llvmpipe",
            "ours",
            "ratio",
        )?;
        for row in &self.rows {
            row.print(&mut out)?;
        }
        let ratio = geometric_mean(self.rows.iter().map(|row| row.ratio));
        let compile = geometric_mean(self.rows.iter().map(Row::compile_ratio));
        writeln!(out, "{:<34}{ratio:>8.2}{compile:>34.1}", "geometric mean")?;
        self.print_tgsi(&mut out)?;
        for Failure { shader, reason } in &self.failures {
            writeln!(out, "{shader}: {reason}")?;
        }
        Ok(())
    }

    /// The table of programs that were drawn in TGSI, too.
    fn print_tgsi(&self, out: &mut impl Write) -> io::Result<()> {
        let twins = self.rows.iter();
        let twins = twins.filter_map(|row| Some((&row.shader, row.tgsi.as_ref()?)));
        let twins: Vec<_> = twins.collect();
        if twins.is_empty() {
            return Ok(());
        }
        let (speed, compile) = ("speed", "compile");
        writeln!(out, "\nTGSI relative to ARB, both ours")?;
        writeln!(out, "{:<16}{speed:>8}{:>8}{compile:>10}", "", "spread")?;
        for (shader, twin) in &twins {
            let Tgsi {
                ratio,
                spread,
                compile_ratio,
                picture,
            } = twin;
            let spread = 100.0 * spread;
            writeln!(
                out,
                "{shader:<16}{ratio:>8.2}{spread:>7.0}%{compile_ratio:>10.2}   {picture}"
            )?;
        }
        let ratio = geometric_mean(twins.iter().map(|(_, twin)| twin.ratio));
        let compile = geometric_mean(twins.iter().map(|(_, twin)| twin.compile_ratio));
        writeln!(out, "{:<16}{ratio:>8.2}{compile:>18.2}", "geometric mean")
    }
}
