//! Inputs of quads.

use attila_isa::Component;
use attila_machine::arith::{Arith, HostLanes};
use attila_machine::pipeline::{Batch, InputKind, Pipeline, Plane};
use attila_machine::{LANES, Lanes, QuadReg};

use super::Place;

/// Where a component of an input comes from.
#[derive(Clone, Copy)]
struct Source {
    register: usize,
    component: usize,
    kind: InputKind,
    /// Which of a primitive's planes it has, if it has one.
    plane: usize,
}

/// The components of inputs that are filled in.
pub(super) struct Inputs {
    sources: Vec<Source>,
    /// The source of 1/w, if there are perspective inputs.
    one_over_w: Option<Source>,
    /// Planes per primitive.
    planes: usize,
}

impl Inputs {
    pub(super) fn new(pipeline: &Pipeline) -> Inputs {
        let mut planes = 0;
        let mut sources = Vec::new();
        for (register, kinds) in pipeline.inputs.iter().enumerate() {
            for component in Component::ALL.map(Component::index) {
                let kind = kinds[component];
                if kind == InputKind::Unused {
                    continue;
                }
                sources.push(Source {
                    register,
                    component,
                    kind,
                    plane: planes,
                });
                planes += usize::from(kind.has_plane());
            }
        }
        let perspective = sources.iter().any(|it| it.kind == InputKind::Perspective);
        let mut of_w = sources.iter().filter(|it| it.register == 0);
        let one_over_w = of_w.find(|it| it.component == Component::W.index());
        Inputs {
            one_over_w: one_over_w.copied().filter(|_| perspective),
            sources,
            planes,
        }
    }

    /// Fills in the inputs of the quad at `place`, which belongs to `primitive` and has registers at
    /// `first` of arrays.
    pub(super) fn fill(
        &self,
        inputs: &mut [QuadReg],
        batch: &Batch<'_>,
        primitive: usize,
        first: usize,
        place: Place,
    ) {
        if self.sources.is_empty() {
            return;
        }
        let position = Position::of(place);
        let planes = &batch.planes[primitive * self.planes..][..self.planes];
        let anchor = match self.planes {
            0 => [0.0; 2],
            _ => batch.anchors[primitive],
        };
        let value = |source: &Source| {
            let plane = &planes[source.plane];
            if source.kind == InputKind::Flat {
                [plane.at; 4]
            } else {
                position.on(plane, anchor)
            }
        };
        let w = self.one_over_w.as_ref().map(value);
        let w = w.map(|one_over_w| one_over_w.map(|lane| 1.0 / lane));
        for source in &self.sources {
            let Source {
                register,
                component,
                ..
            } = *source;
            let values = match source.kind {
                InputKind::Unused => continue,
                InputKind::Position if component == 0 => position.x,
                InputKind::Position => position.y,
                InputKind::Flat | InputKind::Linear => value(source),
                InputKind::Perspective => {
                    let (over_w, w) = (value(source), w.unwrap_or([1.0; 4]));
                    std::array::from_fn(|lane| over_w[lane] * w[lane])
                }
                InputKind::Array => {
                    inputs[register][component] = batch.arrays[register][first][component];
                    continue;
                }
            };
            inputs[register][component] = values.map(f32::to_bits);
        }
    }
}

/// The centres of a quad's pixels.
struct Position {
    x: Lanes<f32>,
    y: Lanes<f32>,
}

impl Position {
    fn of(place: Place) -> Position {
        let lanes = [0, 1, 2, 3].map(|lane| place.lane(lane));
        Position {
            x: lanes.map(|place| place.x as f32 + 0.5),
            y: lanes.map(|place| place.y as f32 + 0.5),
        }
    }

    /// The plane here.
    fn on(&self, plane: &Plane, [x0, y0]: [f32; 2]) -> Lanes<f32> {
        let x = self.x.map(|x| x - x0);
        let y = self.y.map(|y| y - y0);
        // One rounding each; many hosts do four lanes faster than one after the other.
        let mut lanes = HostLanes::<LANES>;
        let row = lanes.fma(y, [plane.dy; LANES], [plane.at; LANES]);
        lanes.fma(x, [plane.dx; LANES], row)
    }
}
