//! The same programs with several filters and sizes of pictures.

use std::error::Error;
use std::io::{self, Write};

use serde::Serialize;

use crate::options::{Filter, Options, PictureSize, Text};
use crate::race::geometric_mean;
use crate::report::Report;

/// Filters, and repetitions of textures along each side of the picture.
const FILTERS: [(Filter, f32, &str); 3] = [
    (Filter::Nearest, 1.0, "nearest"),
    (Filter::Bilinear, 1.0, "bilinear"),
    (Filter::Trilinear, 10.0, "trilinear, 10 times"),
];

/// Columns and rows: fewer than a thread is worth, odd ones, and those of the other measurements.
const SIZES: [[u32; 2]; 3] = [[64, 64], [1021, 517], [1024, 1024]];

/// Reports for each filter and size.
#[derive(Serialize)]
pub(crate) struct Sweep {
    cells: Vec<Cell>,
}

#[derive(Serialize)]
struct Cell {
    filter: &'static str,
    report: Report,
}

/// Measures all of them.
pub(crate) fn measure(
    texts: &[Text],
    options: &Options,
    compare: impl Fn(&[Text], &Options) -> Result<Report, Box<dyn Error>>,
) -> Result<Sweep, Box<dyn Error>> {
    let mut cells = Vec::new();
    for (filter, scale, name) in FILTERS {
        for size in SIZES {
            let mut of_cell = options.clone();
            (of_cell.filter, of_cell.scale) = (filter, scale);
            of_cell.size = PictureSize(size);
            let report = compare(texts, &of_cell)?;
            cells.push(Cell {
                filter: name,
                report,
            });
        }
    }
    Ok(Sweep { cells })
}

impl Sweep {
    /// True if all reports are.
    pub(crate) fn is_fine(&self) -> bool {
        self.cells.iter().all(|cell| cell.report.is_fine())
    }

    pub(crate) fn print(&self, json: bool) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if json {
            serde_json::to_writer_pretty(&mut out, self)?;
            return writeln!(out);
        }
        if let Some(cell) = self.cells.first() {
            cell.report.identity.print(&mut out)?;
        }
        writeln!(
            out,
            "\n{:<22}{:<12}{:>8}{:>8}   program with the lowest ratio",
            "filter", "size", "mean", "lowest"
        )?;
        for Cell { filter, report } in &self.cells {
            let [width, height] = report.size;
            let size = format!("{width}x{height}");
            let mean = geometric_mean(report.rows.iter().map(|row| row.ratio));
            let lowest = report
                .rows
                .iter()
                .min_by(|a, b| a.ratio.total_cmp(&b.ratio));
            let (ratio, shader) = lowest.map_or((f64::NAN, ""), |it| (it.ratio, &it.shader));
            let fine = if report.is_fine() { "" } else { "   DIFFERENT" };
            writeln!(
                out,
                "{filter:<22}{size:<12}{mean:>8.2}{ratio:>8.2}   {shader}{fine}"
            )?;
        }
        Ok(())
    }
}
