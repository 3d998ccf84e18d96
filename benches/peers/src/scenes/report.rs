//! The table of scenes.

use std::io::{self, Write};

use serde::Serialize;

use super::{Geometry, Scene};
use crate::compare::Agreement;
use crate::race::Outcome;
use crate::report::{Failure, Identity};

/// Everything that was measured.
#[derive(Serialize)]
pub(crate) struct Report {
    #[serde(flatten)]
    pub(crate) identity: Identity,
    pub(crate) rows: Vec<Row>,
    /// Scenes that could not be measured, with the reasons.
    pub(crate) failures: Vec<Failure>,
}

/// The measurements of a scene.
#[derive(Serialize)]
pub(crate) struct Row {
    scene: &'static str,
    /// Microseconds of a frame: llvmpipe's, and ours.
    microseconds: [f64; 2],
    /// Our speed relative to llvmpipe's.
    ratio: f64,
    /// The interquartile range of the ratios, as a part of the median.
    spread: f64,
    /// Nanoseconds of a mesh's triangle: llvmpipe's, and ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    triangle: Option<[f64; 2]>,
    picture: Agreement,
}

impl Row {
    pub(super) fn new(
        scene: &Scene,
        geometry: &Geometry,
        Outcome {
            seconds,
            ratio,
            spread,
        }: Outcome,
        picture: Agreement,
    ) -> Row {
        let (is_mesh, count) = (geometry.rectangles.is_empty(), geometry.triangles.len());
        Row {
            scene: scene.name,
            microseconds: seconds.map(|it| 1e6 * it),
            ratio,
            spread,
            triangle: is_mesh.then(|| seconds.map(|it| 1e9 * it / count as f64)),
            picture,
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let ([peer, ours], spread) = (self.microseconds, 100.0 * self.spread);
        let (scene, ratio, picture) = (self.scene, self.ratio, self.picture);
        write!(
            out,
            "{scene:<34}{peer:>10.1}{ours:>10.1}{ratio:>8.2}{spread:>7.0}%"
        )?;
        match self.triangle {
            Some([peer, ours]) => write!(out, "{peer:>10.1}{ours:>8.1}")?,
            None => write!(out, "{:18}", "")?,
        }
        let [pixels, beyond] = picture.counts();
        writeln!(out, "{pixels:>9}{beyond:>8}   {picture}")
    }
}

impl Report {
    /// True if both drew every scene, and the pictures agree.
    pub(crate) fn is_fine(&self) -> bool {
        self.failures.is_empty() && self.rows.iter().all(|row| row.picture.is_close())
    }

    pub(crate) fn print(&self, json: bool) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if json {
            serde_json::to_writer_pretty(&mut out, self)?;
            return writeln!(out);
        }
        self.identity.print(&mut out)?;
        writeln!(
            out,
            "\n{:<34}{:^20}{:16}{:^18}{:^17}\n{:<34}{:>10}{:>10}{:>8}{:>8}{:>10}{:>8}{:>9}{:>8}",
            "",
            "us a frame",
            "",
            "ns a triangle",
            "pixels",
            "",
            "llvmpipe",
            "ours",
            "ratio",
            "spread",
            "llvmpipe",
            "ours",
            "drawn",
            "beyond",
        )?;
        for row in &self.rows {
            row.print(&mut out)?;
        }
        for Failure { shader, reason } in &self.failures {
            writeln!(out, "{shader}: {reason}")?;
        }
        Ok(())
    }
}
