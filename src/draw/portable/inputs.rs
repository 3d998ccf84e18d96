//! Inputs of quads.

use attila_isa::Component;
use attila_machine::arith::{Arith, HostLanes};
use attila_machine::pipeline::{Batch, InputKind, Location, Pipeline, Plane};
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
    /// Where each register is evaluated.
    locations: attila_isa::Inputs<Location>,
    /// The source of 1/w, if there are perspective inputs.
    one_over_w: Option<Source>,
    /// The plane of depth, if there is one.
    depth: Option<Source>,
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
        let of_position = |component: Component| {
            let mut of_position = sources.iter().filter(|it| it.register == 0);
            let source = of_position.find(|it| it.component == component.index());
            source.copied().filter(|it| it.kind.has_plane())
        };
        Inputs {
            locations: pipeline.locations,
            one_over_w: of_position(Component::W).filter(|_| perspective),
            depth: of_position(Component::Z),
            sources,
            planes,
        }
    }

    /// Fills in the inputs of a quad of `primitive` that has registers at `first` of arrays, each at its
    /// location among `spots`.
    pub(super) fn fill(
        &self,
        inputs: &mut [QuadReg],
        batch: &Batch<'_>,
        primitive: usize,
        first: usize,
        spots: &Spots,
    ) {
        let Some((planes, anchor)) = self.planes(batch, primitive) else {
            return;
        };
        let value =
            |source: &Source, spot: &Spot| spot.value(source.kind, &planes[source.plane], anchor);
        let w = |spot: &Spot| {
            let one_over_w = self.one_over_w.as_ref();
            one_over_w.map(|source| value(source, spot).map(|lane| 1.0 / lane))
        };
        let w = spots.0.each_ref().map(w);
        for source in &self.sources {
            let Source {
                register,
                component,
                ..
            } = *source;
            let location = self.locations[register] as usize;
            let spot = &spots.0[location];
            let values = match source.kind {
                InputKind::Unused => continue,
                InputKind::Position => spot.position(component),
                InputKind::Flat | InputKind::Linear => value(source, spot),
                InputKind::Perspective => {
                    let (over_w, w) = (value(source, spot), w[location].unwrap_or([1.0; 4]));
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

    /// The plane of depth at a spot; 0 if there is none.
    pub(super) fn depth(&self, batch: &Batch<'_>, primitive: usize, spot: &Spot) -> Lanes<f32> {
        match (&self.depth, self.planes(batch, primitive)) {
            (Some(depth), Some((planes, anchor))) => {
                spot.value(depth.kind, &planes[depth.plane], anchor)
            }
            _ => [0.0; LANES],
        }
    }

    /// The planes of a primitive, and the point that they start from; `None` without inputs.
    fn planes<'b>(&self, batch: &Batch<'b>, primitive: usize) -> Option<(&'b [Plane], [f32; 2])> {
        if self.sources.is_empty() {
            return None;
        }
        let planes = &batch.planes[primitive * self.planes..][..self.planes];
        let anchor = match self.planes {
            0 => [0.0; 2],
            _ => batch.anchors[primitive],
        };
        Some((planes, anchor))
    }
}

/// A point in each pixel of a quad.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    place: Place,
    /// From the centres, in pixels: x of each lane, and y.
    offset: [Lanes<f32>; 2],
}

/// The points of a quad's pixels, by their [`Location`].
pub(super) struct Spots(pub(super) [Spot; 3]);

impl Spot {
    /// The centres of the pixels.
    pub(super) fn centre(place: Place) -> Spot {
        Spot {
            place,
            offset: [[0.0; LANES]; 2],
        }
    }

    /// These points, in sixteenths of a pixel from the centre.
    pub(super) fn at(place: Place, offsets: Lanes<[i8; 2]>) -> Spot {
        let along = |axis: usize| offsets.map(|offset| f32::from(offset[axis]) / 16.0);
        Spot {
            place,
            offset: [along(0), along(1)],
        }
    }

    /// The centres of the pixels along an axis.
    fn centres(&self, axis: usize) -> Lanes<f32> {
        [0, 1, 2, 3].map(|lane| {
            let Place { x, y } = self.place.lane(lane);
            [x, y][axis] as f32 + 0.5
        })
    }

    /// The window positions along an axis.
    fn position(&self, axis: usize) -> Lanes<f32> {
        self.distances(axis, 0.0)
    }

    /// The distances from the anchor along an axis. That of the centre is exact, so there is one
    /// rounding.
    fn distances(&self, axis: usize, anchor: f32) -> Lanes<f32> {
        let (centres, offset) = (self.centres(axis), self.offset[axis]);
        std::array::from_fn(|lane| (centres[lane] - anchor) + offset[lane])
    }

    /// An input here.
    fn value(&self, kind: InputKind, plane: &Plane, [x0, y0]: [f32; 2]) -> Lanes<f32> {
        if kind == InputKind::Flat {
            return [plane.at; LANES];
        }
        let (x, y) = (self.distances(0, x0), self.distances(1, y0));
        // One rounding each; many hosts do four lanes faster than one after the other.
        let mut lanes = HostLanes::<LANES>;
        let row = lanes.fma(y, [plane.dy; LANES], [plane.at; LANES]);
        lanes.fma(x, [plane.dx; LANES], row)
    }
}
