//! Measurements as a table or as JSON.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use attila_conformance::columns::Columns;
use attila_shader::machine::pipeline::LateDepth;
use attila_shader::machine::{ErrorChain, SampleCount};
use attila_shader::{CodeInfo, PrepareError};
use serde_json::{Value, json};

use super::Measured;
use crate::FAULT;
use crate::render::Size;
use crate::report::Reporter;
use crate::samples::Samples;

/// All that was measured.
pub(super) struct Report {
    /// The program.
    pub(super) name: String,
    pub(super) instructions: usize,
    pub(super) size: Size,
    pub(super) samples: Samples,
    /// The JIT's code, or the reason why it does not exist.
    pub(super) code: Result<CodeInfo, PrepareError>,
    /// The interpreter first, then the JIT, if it takes the program; for the same numbers of threads.
    pub(super) measured: Vec<Measured>,
    /// Why a depth test would come after the program.
    pub(super) late_depth: Option<LateDepth>,
    /// Whether all drew the same picture.
    pub(super) identical: bool,
}

impl Report {
    /// The exit code that tells whether the pictures were the same.
    pub(super) fn exit_code(&self) -> ExitCode {
        if self.identical {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(FAULT)
        }
    }

    pub(super) fn print(&self, json: bool) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if json {
            writeln!(out, "{}", self.json())?;
        } else {
            self.table(&mut out)?;
        }
        if !self.identical {
            Reporter::new().error("the engines' pictures differ");
        }
        Ok(())
    }

    /// Millions of pixels in a second.
    fn speed(&self, frame: Duration) -> f64 {
        self.size.pixels() as f64 / frame.as_secs_f64().max(1e-9) / 1e6
    }

    fn table(&self, out: &mut impl Write) -> io::Result<()> {
        let Report { name, size, .. } = self;
        let instructions = counted(self.instructions, "instruction");
        let samples = self.samples();
        writeln!(out, "{name}: {instructions}, {size} pixels{samples}\n")?;
        let frames = &self.measured[0].frames;
        let columns = Columns::default().left(14).right(10);
        let columns = frames.iter().fold(columns, |it, _| it.right(18));
        let threads = frames
            .iter()
            .map(|(threads, _)| counted(*threads, "thread"));
        let head = [String::new(), "compile".to_owned()];
        let mut rows = vec![head.into_iter().chain(threads).collect()];
        rows.extend(self.measured.iter().map(|measured| self.row(measured)));
        rows.extend(self.ratios());
        out.write_all(columns.table(&rows).as_bytes())?;
        self.facts(out)
    }

    /// An engine, its time to compile, and its speeds.
    fn row(&self, measured: &Measured) -> Vec<String> {
        let compile = measured.compile.as_secs_f64() * 1e3;
        let mut cells = vec![measured.engine.to_owned(), format!("{compile:.2} ms")];
        let speeds = measured.frames.iter().map(|(_, frame)| self.speed(*frame));
        cells.extend(speeds.map(|speed| format!("{speed:.1} Mpixel/s")));
        cells
    }

    /// The samples of pixels, if there are several.
    fn samples(&self) -> String {
        match (self.samples.count(), self.samples.shading()) {
            (SampleCount::One, _) => String::new(),
            (count, false) => format!(" with {} samples, shaded together", count.count()),
            (count, true) => format!(" with {} samples, shaded one by one", count.count()),
        }
    }

    /// How much faster the JIT is.
    fn ratios(&self) -> Option<Vec<String>> {
        let [interp, jit] = &self.measured[..] else {
            return None;
        };
        let mut cells = vec!["jit / interp".to_owned(), String::new()];
        let frames = interp.frames.iter().zip(&jit.frames);
        cells.extend(frames.map(|((_, slow), (_, fast))| {
            let ratio = slow.as_secs_f64() / fast.as_secs_f64().max(1e-9);
            format!("{ratio:.1}x")
        }));
        Some(cells)
    }

    fn facts(&self, out: &mut impl Write) -> io::Result<()> {
        match &self.code {
            Ok(code) => code_facts(out, code)?,
            Err(error) => writeln!(out, "\njit: {}", ErrorChain(error))?,
        }
        match self.late_depth {
            None => writeln!(out, "depth test: before the program")?,
            Some(why) => writeln!(out, "depth test: after the program, as {why}")?,
        }
        for measured in &self.measured {
            if let Some(calls) = measured.calls {
                let (engine, count) = (measured.engine, calls.count);
                let share = calls.share * 100.0;
                writeln!(
                    out,
                    "texture calls, {engine}: {count}, {share:.0} % of the time"
                )?;
            }
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let engines = self.measured.iter().map(|measured| self.engine(measured));
        let code = self.code.as_ref().map(|code| {
            json!({
                "bytes": code.bytes,
                "lanes": code.lanes,
                "quads": code.quads,
                "vectors": code.lanes * 32,
                "not_wider": code.narrower.map(|why| why.to_string()),
                "samples_by_code": code.inlined,
                "samples_by_calls": code.called,
            })
        });
        json!({
            "program": self.name,
            "instructions": self.instructions,
            "width": self.size.width,
            "height": self.size.height,
            "samples": self.samples.count().count(),
            "sample_shading": self.samples.shading(),
            "depth_test_after_program": self.late_depth.map(|why| why.to_string()),
            "identical": self.identical,
            "engines": engines.collect::<Vec<Value>>(),
            "jit_code": code.as_ref().ok(),
            "jit_error": code.as_ref().err().map(|error| ErrorChain(*error).to_string()),
        })
    }

    fn engine(&self, measured: &Measured) -> Value {
        let speed = |&(threads, frame): &(usize, Duration)| json!({ "threads": threads, "mpixels_per_second": self.speed(frame) });
        let calls = measured
            .calls
            .map(|calls| json!({ "count": calls.count, "time_share": calls.share }));
        json!({
            "engine": measured.engine,
            "compile_ms": measured.compile.as_secs_f64() * 1e3,
            "speed": measured.frames.iter().map(speed).collect::<Vec<Value>>(),
            "texture_calls": calls,
        })
    }
}

fn code_facts(out: &mut impl Write, code: &CodeInfo) -> io::Result<()> {
    let &CodeInfo {
        bytes,
        lanes,
        quads,
        inlined,
        called,
        narrower,
        ..
    } = code;
    let quads = counted(quads, "quad");
    writeln!(
        out,
        "\njit code: {bytes} bytes, {lanes} lanes, {quads} at a time"
    )?;
    let why = narrower.map(|why| format!(": {why}"));
    let bits = 32 * lanes;
    writeln!(out, "jit vectors: {bits} bits{}", why.unwrap_or_default())?;
    if inlined + called > 0 {
        writeln!(out, "jit samples: {inlined} inlined, {called} by calls")?;
    }
    Ok(())
}

/// A number of things.
fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}
