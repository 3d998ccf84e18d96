//! The values of inputs at pixels' centres (drawing.md 1).

use attila_shader::draw::{FrontFace, MAX_ANCHOR};
use attila_shader::isa::PRIMITIVE_ID;
use attila_shader::machine::arith::fma;
use attila_shader::machine::pipeline::{InputKind, Plane};

use super::super::case::{DrawCase, FrameCase};
use super::cover::{Outline, Place, STEPS};
use super::window::Triangle;

/// A rounding to f32, relative to its result.
const ROUNDING: f64 = 1.0 / (1 << 24) as f64;

/// The most that f32 loses in a step where its numbers are denormal.
const LEAST: f64 = f32::from_bits(1) as f64;

/// A rounding to f64, with room for a few of them.
const FINE: f64 = 1.0 / (1_u64 << 48) as f64;

/// Beyond this, sums may overflow, and nothing is said about them.
const LARGE: f64 = 1e30;

/// Inputs are within this of those of exact arithmetic, as a part of the largest value at a vertex (drawing.md 1).
const STATED: f64 = 1e-5;

/// The least height of a triangle of which that is said, in pixels.
const THICK: f64 = 1.0 / 32.0;

/// The value that an input has to have.
pub(super) enum Want {
    /// These bits.
    Bits(u32),
    /// A positive number, or a negative one.
    Sign(bool),
    /// About this: see [`Near`].
    Near(Near),
    /// Nothing is said.
    Any,
}

/// An exact value, and how far planes may be off.
pub(super) struct Near {
    value: f64,
    /// By f64 roundings, before those of the plane.
    fine: f64,
    /// Whatever the plane.
    stated: Option<f64>,
}

/// A plane, and the point that it starts from.
#[derive(Clone, Copy)]
pub(super) struct Given {
    pub(super) plane: Plane,
    pub(super) anchor: [f32; 2],
}

impl Given {
    /// The value at a place, as engines evaluate it.
    fn value(&self, [x, y]: [f32; 2]) -> f32 {
        let [x0, y0] = self.anchor;
        let Plane { at, dx, dy } = self.plane;
        fma(x - x0, dx, fma(y - y0, dy, at))
    }

    /// How far roundings of a plane's numbers, and of its steps, may move its value.
    fn roundings(&self, [x, y]: [f32; 2]) -> f64 {
        let [right, down] = [x - self.anchor[0], y - self.anchor[1]].map(f64::from);
        let [at, dx, dy] = [self.plane.at, self.plane.dx, self.plane.dy].map(f64::from);
        let (across, below) = ((right * dx).abs(), (down * dy).abs());
        let numbers = at.abs() + across + below;
        let steps = (at + down * dy).abs() + (at + down * dy + right * dx).abs();
        1.001 * ROUNDING * (numbers + steps)
    }

    /// How far the same may move it where numbers are denormal.
    fn denormal(&self, [x, y]: [f32; 2]) -> f64 {
        let [right, down] = [x - self.anchor[0], y - self.anchor[1]].map(f64::from);
        LEAST * (3.0 + right.abs() + down.abs())
    }
}

impl Want {
    /// Something wrong with a plane at a place. `skipped` counts what is not looked at.
    pub(super) fn fault(&self, given: &Given, at: [f32; 2], skipped: &mut u64) -> Option<String> {
        let value = given.value(at);
        match *self {
            Want::Bits(bits) => {
                let own = given.plane.at.to_bits();
                (own != bits).then(|| format!("is {own:#010x}, not {bits:#010x}"))
            }
            Want::Sign(is_positive) => {
                let own = given.plane.at;
                let is_right = own != 0.0 && own.is_sign_positive() == is_positive;
                let sign = if is_positive { "positive" } else { "negative" };
                (!is_right).then(|| format!("is {own}, which is not {sign}"))
            }
            Want::Near(ref near) => {
                let bound = near.fine + given.roundings(at);
                let bound = near.stated.map_or(bound, |stated| bound.min(stated));
                let bound = bound + given.denormal(at);
                let off = (f64::from(value) - near.value).abs();
                // Written so that a NaN is wrong.
                let is_right = off <= bound;
                (!is_right)
                    .then(|| format!("is {value}, {off:e} from {}, not {bound:e}", near.value))
            }
            Want::Any => {
                *skipped += 1;
                None
            }
        }
    }
}

/// Whether distances from a point to the centres of pixels are exact.
pub(super) fn is_exact(anchor: [f32; 2], centre: [f32; 2]) -> bool {
    anchor
        .iter()
        .zip(centre)
        .all(|(at, centre)| f64::from(centre - at) == f64::from(centre) - f64::from(*at))
}

/// The point that the draw's planes start from: a multiple of 1/256, of 1/128 and so on (drawing.md 1).
pub(super) fn snapped(anchor: [f32; 2]) -> [f32; 2] {
    anchor.map(|at| {
        let farthest = f64::from(at.abs().min(MAX_ANCHOR)).ceil() + 32_768.0;
        let mut unit = 1.0 / 256.0;
        while unit < 0.5 && farthest > unit * (1 << 24) as f64 {
            unit *= 2.0;
        }
        ((f64::from(at) / unit).round_ties_even() * unit) as f32
    })
}

/// An input that the draw has for everything.
pub(super) fn of_draw(case: &DrawCase, plane: Plane, kind: InputKind, at: [f32; 2]) -> Want {
    if kind == InputKind::Flat {
        return Want::Bits(plane.at.to_bits());
    }
    let anchor = snapped(case.anchor);
    let [right, down] = [0, 1].map(|axis| f64::from(at[axis]) - f64::from(anchor[axis]));
    let [start, dx, dy] = [plane.at, plane.dx, plane.dy].map(f64::from);
    let terms = start.abs() + (right * dx).abs() + (down * dy).abs();
    if terms.is_nan() || terms > LARGE {
        return Want::Any;
    }
    Want::Near(Near {
        value: start + right * dx + down * dy,
        fine: FINE * terms,
        stated: None,
    })
}

/// The corners' shares of the value at a place, and how exact they are.
struct Shares {
    shares: [f64; 3],
    error: f64,
}

fn shares(outline: &Outline, [x, y]: [f32; 2]) -> Shares {
    let place = [x, y].map(|at| f64::from(at) * STEPS as f64);
    let to = |corner: Place| [corner[0] - place[0], corner[1] - place[1]];
    let [a, b, c] = outline.places.map(to);
    let pairs = [(b, c), (c, a), (a, b)];
    let shares = pairs.map(|(p, q)| (p[0] * q[1] - p[1] * q[0]) / outline.twice);
    // With whole numbers of 30 bits, products and their difference have 61: two roundings each.
    let sizes =
        pairs.map(|(p, q)| ((p[0] * q[1]).abs() + (p[1] * q[0]).abs()) / outline.twice.abs());
    Shares {
        shares,
        error: FINE * sizes.into_iter().fold(0.0, f64::max),
    }
}

/// A triangle with what is known of it at a place.
pub(super) struct Seen<'a> {
    pub(super) case: &'a DrawCase,
    pub(super) frame: &'a FrameCase,
    pub(super) triangle: &'a Triangle,
    pub(super) outline: &'a Outline,
}

impl Seen<'_> {
    /// The value of an input's component at a place that the triangle covers.
    pub(super) fn want(
        &self,
        (register, component): (usize, usize),
        given: &Given,
        at: [f32; 2],
    ) -> Want {
        let windows = self.triangle.windows();
        let of_window = |component: usize| windows.map(|window| window[component]);
        match (register, component) {
            (0, 2 | 3) => self.near(of_window(component).map(f64::from), given, at),
            (15, 3) => self.area(),
            (PRIMITIVE_ID, 0) => Want::Bits(self.triangle.number),
            _ if !self.case.vertices[register] => {
                let plane = self.frame.planes[register][component];
                of_draw(self.case, plane, self.case.kinds[register][component], at)
            }
            _ => {
                let Some(attribute) = self.frame.attributes.get(&self.source(register)) else {
                    return Want::Any;
                };
                let kind = self.case.kinds[register][component];
                let mut round = self.case.set_up.wraps[register].components();
                let spread = (
                    kind == InputKind::Linear,
                    round.any(|it| it.index() == component),
                );
                let values = self.triangle.values(attribute, component, spread);
                match kind {
                    InputKind::Flat => {
                        Want::Bits(self.triangle.flat(attribute, component).to_bits())
                    }
                    InputKind::Linear => self.near(values, given, at),
                    InputKind::Perspective => {
                        let reciprocals = of_window(3).map(f64::from);
                        let over_w = [0, 1, 2].map(|v| values[v] * reciprocals[v]);
                        self.near(over_w, given, at)
                    }
                    InputKind::Unused | InputKind::Position | InputKind::Array => Want::Any,
                }
            }
        }
    }

    /// Whether it shows its front.
    fn is_front(&self) -> bool {
        (self.outline.twice > 0.0) == (self.case.front == FrontFace::Clockwise)
    }

    /// The attribute that an input is.
    fn source(&self, register: usize) -> usize {
        let has_back = [1, 2].contains(&register)
            && self.case.set_up.two_sided
            && self.frame.attributes.contains_key(&(register + 2));
        match has_back && !self.is_front() {
            true => register + 2,
            false => register,
        }
    }

    /// Pixels, positive for a front.
    fn area(&self) -> Want {
        let is_front = self.is_front();
        let area = self.outline.twice.abs() / (2 * STEPS * STEPS) as f64;
        let area = if is_front { area } else { -area };
        match self.outline.is_near {
            true => Want::Bits((area as f32).to_bits()),
            false => Want::Sign(is_front),
        }
    }

    /// The plane that has these values at the corners.
    fn near(&self, values: [f64; 3], given: &Given, at: [f32; 2]) -> Want {
        let largest = values.map(f64::abs).into_iter().fold(0.0, f64::max);
        let are_numbers = values.iter().all(|value| value.is_finite());
        let Shares { shares, error } = shares(self.outline, at);
        let value: f64 = (0..3).map(|corner| shares[corner] * values[corner]).sum();
        let sizes: f64 = (0..3)
            .map(|corner| (shares[corner] * values[corner]).abs())
            .sum();
        let slopes = self.slopes(values);
        let are_small = largest < LARGE && slopes.iter().all(|slope| *slope < LARGE);
        if !are_numbers || !are_small {
            return Want::Any;
        }
        // The set-up goes from the first vertex to the anchor, and the plane from there.
        let first = self.outline.places[0].map(|place| place / STEPS as f64);
        let ways = [0, 1].map(|axis| {
            let anchor = f64::from(given.anchor[axis]);
            (anchor - first[axis]).abs() + (f64::from(at[axis]) - anchor).abs()
        });
        let steps = slopes[0] * ways[0] + slopes[1] * ways[1];
        let fine = (FINE + error + self.doubt()) * (sizes + 3.0 * largest + steps);
        let is_inside = shares.iter().all(|share| *share >= 0.0);
        let is_plain = is_inside && self.outline.is_near && self.height() > THICK;
        Want::Near(Near {
            value,
            fine,
            stated: is_plain.then_some(STATED * largest),
        })
    }

    /// How exact the area is, in which f64 terms of a far triangle may cancel.
    fn doubt(&self) -> f64 {
        let [a, b, c] = self.outline.places;
        let term = |x: usize, y: usize| ((b[x] - a[x]) * (c[y] - a[y])).abs();
        match self.outline.is_near {
            true => 0.0,
            false => FINE * (term(0, 1) + term(1, 0)) / self.outline.twice.abs(),
        }
    }

    /// By how much the terms of a value grow per pixel, along either axis.
    fn slopes(&self, values: [f64; 3]) -> [f64; 2] {
        let [a, b, c] = self.outline.places;
        let second = (values[1] - values[0]).abs();
        let third = (values[2] - values[0]).abs();
        let scale = STEPS as f64 / self.outline.twice.abs();
        [1, 0].map(|other: usize| {
            let (to_b, to_c) = ((b[other] - a[other]).abs(), (c[other] - a[other]).abs());
            scale * (second * to_c + third * to_b)
        })
    }

    /// The least height, in pixels.
    fn height(&self) -> f64 {
        let [a, b, c] = self.outline.places;
        let length = |p: Place, q: Place| (q[0] - p[0]).hypot(q[1] - p[1]);
        let longest = length(a, b).max(length(b, c)).max(length(c, a));
        self.outline.twice.abs() / longest / STEPS as f64
    }
}
