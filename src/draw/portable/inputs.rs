//! Inputs of quads.

use attila_isa::Component;
use attila_machine::arith::{Arith, HostLanes};
use attila_machine::pipeline::{Batch, InputKind, Location, Pipeline, Plane};
use attila_machine::{LANES, Lanes, QuadReg};

use super::Place;

/// Where a component of an input comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    pub(super) register: usize,
    pub(super) component: usize,
    pub(super) kind: InputKind,
    /// Which of a primitive's planes it has, if it has one.
    pub(super) plane: usize,
}

/// The components of inputs that are filled in.
#[derive(Clone, Debug)]
pub(super) struct Inputs {
    sources: Vec<Source>,
    /// Where each register is evaluated.
    locations: attila_isa::Inputs<Location>,
    /// The source of 1/w, if there are perspective inputs.
    one_over_w: Option<Source>,
    /// The plane of depth, if there is one.
    depth: Option<Source>,
    /// Planes per primitive.
    pub(super) planes: usize,
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
        let Some(planes) = self.planes(batch, primitive) else {
            return;
        };
        let w = spots.0.each_ref().map(|spot| self.w(&planes, spot));
        for source in &self.sources {
            let Source {
                register,
                component,
                ..
            } = *source;
            let location = self.locations[register] as usize;
            let component = &mut inputs[register][component];
            match source.kind {
                InputKind::Array => {
                    *component = batch.arrays[register][first][source.component];
                }
                InputKind::Unused
                | InputKind::Position
                | InputKind::Flat
                | InputKind::Linear
                | InputKind::Perspective => {
                    let values = source.value(&planes, &spots.0[location], w[location]);
                    *component = values.map(f32::to_bits);
                }
            }
        }
    }

    /// A register at a spot of a quad of `primitive`. Components that come from arrays are 0: a draw that
    /// evaluates them is refused.
    pub(super) fn register(
        &self,
        register: usize,
        batch: &Batch<'_>,
        primitive: usize,
        spot: &Spot,
    ) -> QuadReg {
        let mut value = QuadReg::default();
        if let Some(planes) = self.planes(batch, primitive) {
            let w = self.w(&planes, spot);
            let sources = self.sources.iter();
            for source in sources.filter(|source| source.register == register) {
                let values = source.value(&planes, spot, w);
                value[source.component] = values.map(f32::to_bits);
            }
        }
        value
    }

    /// w at a spot, if there are perspective inputs.
    fn w(&self, planes: &Planes<'_>, spot: &Spot) -> Lanes<f32> {
        match &self.one_over_w {
            Some(source) => planes.value(source, spot).map(|lane| 1.0 / lane),
            None => [1.0; LANES],
        }
    }

    /// The plane of depth at a spot; 0 if there is none.
    pub(super) fn depth(&self, batch: &Batch<'_>, primitive: usize, spot: &Spot) -> Lanes<f32> {
        match (&self.depth, self.planes(batch, primitive)) {
            (Some(depth), Some(planes)) => planes.value(depth, spot),
            (None, _) | (_, None) => [0.0; LANES],
        }
    }

    /// The planes of a primitive; `None` without inputs.
    fn planes<'b>(&self, batch: &Batch<'b>, primitive: usize) -> Option<Planes<'b>> {
        if self.sources.is_empty() {
            return None;
        }
        Some(Planes {
            planes: &batch.planes[primitive * self.planes..][..self.planes],
            anchor: match self.planes {
                0 => [0.0; 2],
                _ => batch.anchors[primitive],
            },
        })
    }
}

/// The planes of a primitive, and the point that they start from.
struct Planes<'a> {
    planes: &'a [Plane],
    anchor: [f32; 2],
}

impl Planes<'_> {
    /// A component that has a plane, at a spot.
    fn value(&self, source: &Source, spot: &Spot) -> Lanes<f32> {
        let plane = &self.planes[source.plane];
        if source.kind == InputKind::Flat {
            return [plane.at; LANES];
        }
        let [x, y] = [0, 1].map(|axis| spot.distances(axis, self.anchor[axis]));
        // One rounding each; many hosts do four lanes faster than one after the other.
        let mut lanes = HostLanes::<LANES>;
        let row = lanes.fma(y, [plane.dy; LANES], [plane.at; LANES]);
        lanes.fma(x, [plane.dx; LANES], row)
    }
}

impl Source {
    /// The component at a spot where w is `w`. 0 of one that has no value for every spot.
    fn value(&self, planes: &Planes<'_>, spot: &Spot, w: Lanes<f32>) -> Lanes<f32> {
        match self.kind {
            InputKind::Unused | InputKind::Array => [0.0; LANES],
            InputKind::Position => spot.distances(self.component, 0.0),
            InputKind::Flat | InputKind::Linear => planes.value(self, spot),
            InputKind::Perspective => {
                let over_w = planes.value(self, spot);
                std::array::from_fn(|lane| over_w[lane] * w[lane])
            }
        }
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
        Spot::at(place, [[0; 2]; LANES])
    }

    /// These points, in sixteenths of a pixel from the centre.
    pub(super) fn at(place: Place, offsets: Lanes<[i16; 2]>) -> Spot {
        let along = |axis: usize| offsets.map(|offset| f32::from(offset[axis]) / 16.0);
        Spot {
            place,
            offset: [along(0), along(1)],
        }
    }

    /// The distances from `anchor` along an axis. That of a centre is exact, so there is one rounding.
    fn distances(&self, axis: usize, anchor: f32) -> Lanes<f32> {
        let centres = [0, 1, 2, 3].map(|lane| {
            let Place { x, y } = self.place.lane(lane);
            [x, y][axis] as f32 + 0.5
        });
        let offset = self.offset[axis];
        std::array::from_fn(|lane| (centres[lane] - anchor) + offset[lane])
    }
}
