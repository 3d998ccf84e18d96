//! The state of draws: tests, blending, samples.

use attila_shader::draw::{Cull, DepthState, FrontFace};
use attila_shader::isa::Slots;
use attila_shader::machine::pipeline::{Blend, BlendEquation, BlendFactor, BlendOp};
use attila_shader::{Compare, Draw, SampleCount};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::targets;
use crate::values::{Words, word};

const COMPARES: &Words<Compare> = &[
    ("never", Compare::Never),
    ("less", Compare::Less),
    ("equal", Compare::Equal),
    ("less_equal", Compare::LessEqual),
    ("greater", Compare::Greater),
    ("not_equal", Compare::NotEqual),
    ("greater_equal", Compare::GreaterEqual),
    ("always", Compare::Always),
];

const OPERATIONS: &Words<BlendOp> = &[
    ("add", BlendOp::Add),
    ("subtract", BlendOp::Subtract),
    ("reverse_subtract", BlendOp::ReverseSubtract),
    ("min", BlendOp::Min),
    ("max", BlendOp::Max),
];

const FACTORS: &Words<BlendFactor> = &[
    ("zero", BlendFactor::Zero),
    ("one", BlendFactor::One),
    ("src_colour", BlendFactor::SrcColour),
    ("one_minus_src_colour", BlendFactor::OneMinusSrcColour),
    ("dst_colour", BlendFactor::DstColour),
    ("one_minus_dst_colour", BlendFactor::OneMinusDstColour),
    ("src_alpha", BlendFactor::SrcAlpha),
    ("one_minus_src_alpha", BlendFactor::OneMinusSrcAlpha),
    ("dst_alpha", BlendFactor::DstAlpha),
    ("one_minus_dst_alpha", BlendFactor::OneMinusDstAlpha),
    ("constant_colour", BlendFactor::ConstantColour),
    (
        "one_minus_constant_colour",
        BlendFactor::OneMinusConstantColour,
    ),
    ("constant_alpha", BlendFactor::ConstantAlpha),
    (
        "one_minus_constant_alpha",
        BlendFactor::OneMinusConstantAlpha,
    ),
    ("src_alpha_saturate", BlendFactor::SrcAlphaSaturate),
];

const CULLS: &Words<Cull> = &[
    ("none", Cull::None),
    ("front", Cull::Front),
    ("back", Cull::Back),
];

const FRONTS: &Words<FrontFace> = &[
    ("counterclockwise", FrontFace::CounterClockwise),
    ("clockwise", FrontFace::Clockwise),
];

/// A number of samples.
pub(crate) fn samples(what: &str, count: usize) -> PyResult<SampleCount> {
    SampleCount::of(count).ok_or_else(|| {
        PyValueError::new_err(format!("{what} is {count}; expected 1, 2, 4, 8 or 16"))
    })
}

pub(crate) fn compare(what: &str, text: &str) -> PyResult<Compare> {
    word(what, text, COMPARES)
}

/// Components such as `xyz`.
fn components(what: &str, text: &str) -> PyResult<Slots> {
    let slot = |letter| match letter {
        'x' | 'r' => Some(Slots::X),
        'y' | 'g' => Some(Slots::Y),
        'z' | 'b' => Some(Slots::Z),
        'w' | 'a' => Some(Slots::W),
        _ => None,
    };
    let slots: Option<Slots> = text.chars().map(slot).collect();
    slots.ok_or_else(|| {
        PyValueError::new_err(format!("{what} is {text:?}; expected some of \"xyzw\""))
    })
}

/// What a keyword gives each target: the same object, or those of a dict.
fn per_target<'py>(
    given: &Bound<'py, PyAny>,
    targets: &[usize],
) -> PyResult<Vec<(usize, Bound<'py, PyAny>)>> {
    match given.cast::<PyDict>() {
        Ok(dict) if !dict.contains("colour")? && !dict.contains("alpha")? => dict
            .iter()
            .map(|(key, value)| Ok((targets::index(&key)?, value)))
            .collect(),
        Ok(_) | Err(_) => {
            let all = targets.iter();
            Ok(all.map(|index| (*index, given.clone())).collect())
        }
    }
}

fn equation(given: &Bound<'_, PyAny>) -> PyResult<BlendEquation> {
    let [op, src, dst] = given.extract::<[String; 3]>().map_err(|_| {
        PyTypeError::new_err(
            "blend: an equation is a tuple such as (\"add\", \"src_alpha\", \"one\")",
        )
    })?;
    Ok(BlendEquation {
        op: word("the operation of blend", &op, OPERATIONS)?,
        src: word("the source's factor of blend", &src, FACTORS)?,
        dst: word("the destination's factor of blend", &dst, FACTORS)?,
    })
}

/// `True` and "over" mix by the alpha of the program, and "add" adds.
fn blend(given: &Bound<'_, PyAny>) -> PyResult<Option<Blend>> {
    if let Ok(given) = given.cast::<PyBool>() {
        return Ok(given.is_true().then_some(Blend::OVER));
    }
    if let Ok(name) = given.extract::<String>() {
        let named = [("over", Blend::OVER), ("add", Blend::ADD)];
        return word("blend", &name, &named).map(Some);
    }
    let Ok(both) = given.cast::<PyDict>() else {
        return equation(given).map(|equation| Some(Blend::all(equation)));
    };
    let part = |name: &str| match both.get_item(name)? {
        Some(part) => equation(&part),
        None => Err(PyValueError::new_err(format!("blend has no {name:?}"))),
    };
    Ok(Some(Blend {
        colour: part("colour")?,
        alpha: part("alpha")?,
    }))
}

/// How colours are mixed with what targets have.
pub(crate) fn blends(
    given: Option<&Bound<'_, PyAny>>,
    targets: &[usize],
) -> PyResult<Vec<(usize, Blend)>> {
    let Some(given) = given else {
        return Ok(Vec::new());
    };
    let mut blends = Vec::new();
    for (index, given) in per_target(given, targets)? {
        blends.extend(blend(&given)?.map(|blend| (index, blend)));
    }
    Ok(blends)
}

/// The state of draws that is seldom set: tests, masks, samples. States do not change.
///
/// `depth_test` and the first of `alpha_test` are "never", "less", "equal", "less_equal", "greater", "not_equal",
/// "greater_equal" or "always". `write_mask` has the components that are stored, such as "xyz", of all targets, or of each
/// in a dict. `cull` leaves out triangles that show their "front" or "back". `sample_positions` are in sixteenths of a pixel
/// from the centre.
///
/// >>> shader = attila.assemble("mov o1, i6").prepare()
/// >>> image = np.zeros((2, 2, 4), np.uint8)
/// >>> shader.draw(image, varyings={6: 1}, state=attila.State(write_mask="xw"))
/// >>> image[0, 0].tolist()
/// [255, 0, 0, 255]
#[pyclass(frozen, module = "attila")]
#[derive(Debug)]
pub(crate) struct State {
    depth: DepthState,
    alpha: (Compare, f32),
    blend_constant: [f32; 4],
    write_mask: Option<Py<PyAny>>,
    cull: (Cull, FrontFace),
    two_sided: bool,
    sample_mask: u32,
    sample_shading: bool,
    alpha_to_coverage: bool,
    raster_samples: Option<SampleCount>,
    sample_positions: Vec<[i8; 2]>,
    anchor: [f32; 2],
    loop_budget: Option<u32>,
}

#[pymethods]
impl State {
    #[new]
    #[pyo3(signature = (*, depth_test="less", depth_write=true, alpha_test=None, blend_constant=(0.0, 0.0, 0.0, 0.0),
        write_mask=None, cull="none", front="counterclockwise", two_sided=false, sample_mask=0xffff_ffff,
        sample_shading=false, alpha_to_coverage=false, raster_samples=None, sample_positions=None, anchor=(0.0, 0.0),
        loop_budget=None))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn new(
        depth_test: &str,
        depth_write: bool,
        alpha_test: Option<(String, f32)>,
        blend_constant: (f32, f32, f32, f32),
        write_mask: Option<Py<PyAny>>,
        cull: &str,
        front: &str,
        two_sided: bool,
        sample_mask: u32,
        sample_shading: bool,
        alpha_to_coverage: bool,
        raster_samples: Option<usize>,
        sample_positions: Option<Vec<[i8; 2]>>,
        anchor: (f32, f32),
        loop_budget: Option<u32>,
    ) -> PyResult<State> {
        let alpha = match alpha_test {
            None => (Compare::Always, 0.0),
            Some((text, reference)) => (compare("alpha_test", &text)?, reference),
        };
        let raster_samples = raster_samples.map(|count| samples("raster_samples", count));
        Ok(State {
            depth: DepthState {
                compare: compare("depth_test", depth_test)?,
                write: depth_write,
            },
            alpha,
            blend_constant: blend_constant.into(),
            write_mask,
            cull: (word("cull", cull, CULLS)?, word("front", front, FRONTS)?),
            two_sided,
            sample_mask,
            sample_shading,
            alpha_to_coverage,
            raster_samples: raster_samples.transpose()?,
            sample_positions: sample_positions.unwrap_or_default(),
            anchor: anchor.into(),
            loop_budget,
        })
    }

    fn __repr__(&self) -> String {
        format!("<State: depth {:?}, alpha {:?}>", self.depth, self.alpha)
    }
}

impl State {
    pub(crate) fn depth(&self) -> DepthState {
        self.depth
    }

    /// The backward jumps that a lane may take, if that is not what the program says.
    pub(crate) fn loop_budget(&self) -> Option<u32> {
        self.loop_budget
    }

    /// Tells a draw with these targets.
    pub(crate) fn describe<'a>(
        &self,
        py: Python<'_>,
        draw: Draw<'a>,
        targets: &[usize],
    ) -> PyResult<Draw<'a>> {
        let mut draw = draw
            .alpha_test(self.alpha.0, self.alpha.1)
            .blend_constant(self.blend_constant)
            .cull(self.cull.0, self.cull.1)
            .two_sided(self.two_sided)
            .sample_mask(self.sample_mask)
            .sample_shading(self.sample_shading)
            .alpha_to_coverage(self.alpha_to_coverage)
            .anchor(self.anchor);
        if let Some(mask) = &self.write_mask {
            for (index, mask) in per_target(mask.bind(py), targets)? {
                draw =
                    draw.write_mask(index, components("write_mask", &mask.extract::<String>()?)?);
            }
        }
        if let Some(count) = self.raster_samples {
            draw = draw.raster_samples(count);
        }
        Ok(match &self.sample_positions[..] {
            [] => draw,
            positions => draw.sample_positions(positions),
        })
    }
}
