//! A quad of a draw.

use attila_isa::Component;
use attila_machine::pipeline::{Batch, Pipeline, Span, Surface, Surfaces};
use attila_machine::{Fixed, LANES, LaneMask, Lanes};

use crate::abi::{
    DEPTH_SURFACE, DrawField, FragmentField, Pixels, PlaneField, SpanField, draw_number,
};
use crate::ir::{Quad, Vector};

/// Everything that the quads of a draw share.
pub(super) struct Scene<'a> {
    batch: &'a Batch<'a>,
    /// Planes of a primitive.
    planes: usize,
    /// The sample that the program runs for, if it runs for each.
    own: Option<usize>,
}

impl<'a> Scene<'a> {
    /// Takes a batch that [was checked](Batch::check) for the pipeline.
    pub(super) fn new(pipeline: &Pipeline, batch: &'a Batch<'a>, own: Option<usize>) -> Scene<'a> {
        Scene {
            own,
            batch,
            planes: pipeline.plane_count(),
        }
    }
}

/// A quad on its way to the surfaces.
pub(super) struct DrawnQuad<'a, 's> {
    scene: &'a Scene<'a>,
    surfaces: &'a mut Surfaces<'s>,
    span: Span,
    /// The quad's number in the span.
    index: u32,
    accumulator: [Lanes<Fixed>; 4],
    /// The words to be written when the quad is done.
    stores: Vec<(Pixels, Vec<Vector>)>,
}

impl<'a, 's> DrawnQuad<'a, 's> {
    pub(super) fn new(
        scene: &'a Scene<'a>,
        surfaces: &'a mut Surfaces<'s>,
        span: Span,
        index: u32,
    ) -> DrawnQuad<'a, 's> {
        DrawnQuad {
            scene,
            surfaces,
            span,
            index,
            accumulator: [[Fixed::default(); LANES]; 4],
            stores: Vec::new(),
        }
    }

    /// Writes the pixels.
    pub(super) fn finish(mut self) {
        for (pixels, words) in std::mem::take(&mut self.stores) {
            for lane in 0..LANES {
                let place = self.place(pixels, lane);
                let plane = self.plane(pixels);
                let bytes = &mut self.surface_mut(pixels).planes[plane];
                let bytes = &mut bytes[place..place + pixels.size()];
                for (bytes, word) in bytes.chunks_mut(size_of::<u32>()).zip(&words) {
                    bytes.copy_from_slice(&word[lane].to_le_bytes()[..bytes.len()]);
                }
            }
        }
    }

    /// The plane of pixels.
    fn plane(&self, pixels: Pixels) -> usize {
        self.scene.own.unwrap_or(pixels.sample.into())
    }

    fn surface(&self, pixels: Pixels) -> &Surface<'s> {
        let surface = if pixels.surface == DEPTH_SURFACE {
            &self.surfaces.depth
        } else {
            &self.surfaces.colours[usize::from(pixels.surface)]
        };
        surface.as_ref().expect("the batch was checked")
    }

    fn surface_mut(&mut self, pixels: Pixels) -> &mut Surface<'s> {
        let surface = if pixels.surface == DEPTH_SURFACE {
            &mut self.surfaces.depth
        } else {
            &mut self.surfaces.colours[usize::from(pixels.surface)]
        };
        surface.as_mut().expect("the batch was checked")
    }

    /// Column and row of a lane's pixel.
    fn pixel(&self, lane: usize) -> [u32; 2] {
        let [column, row] = [lane % 2, lane / 2].map(|offset| offset as u32);
        [self.span.x + 2 * self.index + column, self.span.y + row]
    }

    /// The first byte of a lane's pixel.
    fn place(&self, pixels: Pixels, lane: usize) -> usize {
        let surface = self.surface(pixels);
        let ([x, y], [left, top]) = (self.pixel(lane), surface.origin);
        let [column, row] = [x - left, y - top].map(|offset| offset as usize);
        row * surface.pitch + column * pixels.size()
    }

    fn anchor(&self) -> [f32; 2] {
        self.scene.batch.anchors[self.span.primitive as usize]
    }

    /// From the anchor to the pixels' centres, along an axis.
    fn distance(&self, axis: usize) -> Vector {
        std::array::from_fn(|lane| {
            let centre = self.pixel(lane)[axis] as f32 + 0.5;
            (centre - self.anchor()[axis]).to_bits()
        })
    }

    /// The quad's place in coverage and arrays.
    fn number(&self) -> usize {
        self.span.first as usize + self.index as usize
    }
}

impl Quad for DrawnQuad<'_, '_> {
    fn draw(&self, field: DrawField) -> u32 {
        draw_number(self.scene.batch, self.scene.own, field)
    }

    fn span(&self, field: SpanField) -> Vector {
        let number = match field {
            SpanField::Y => return self.distance(1),
            SpanField::Anchor(axis) => self.anchor()[usize::from(axis)],
            SpanField::Plane(plane, number) => {
                let first = self.span.primitive as usize * self.scene.planes;
                let plane = self.scene.batch.planes[first + usize::from(plane)];
                match number {
                    PlaneField::At => plane.at,
                    PlaneField::Dx => plane.dx,
                    PlaneField::Dy => plane.dy,
                }
            }
        };
        [number.to_bits(); LANES]
    }

    fn fragment(&self, field: FragmentField) -> Vector {
        let batch = self.scene.batch;
        match field {
            FragmentField::X => self.distance(0),
            FragmentField::Coverage => {
                let covered = LaneMask::from_bits_truncate(batch.coverage[self.number()]);
                covered
                    .to_lanes()
                    .map(|lane| if lane { u32::MAX } else { 0 })
            }
            FragmentField::Samples => {
                let (words, _) = batch.coverage.as_chunks::<{ size_of::<u16>() }>();
                let first = LANES * self.number();
                std::array::from_fn(|lane| u16::from_le_bytes(words[first + lane]).into())
            }
            FragmentField::Input { reg, component } => {
                batch.arrays[usize::from(reg)][self.number()][usize::from(component)]
            }
        }
    }

    fn position(&self, sample: usize) -> u32 {
        self.scene.batch.positions.packed()[sample]
    }

    fn load_pixels(&self, pixels: Pixels, word: u8) -> Vector {
        let bytes = &self.surface(pixels).planes[self.plane(pixels)];
        std::array::from_fn(|lane| {
            let pixel = &bytes[self.place(pixels, lane)..][..pixels.size()];
            let mut words = pixel.chunks(size_of::<u32>());
            let word = words.nth(word.into()).unwrap_or_default();
            word.iter()
                .rfold(0, |word, byte| word << 8 | u32::from(*byte))
        })
    }

    fn store_pixels(&mut self, pixels: Pixels, words: &[Vector]) {
        self.stores.push((pixels, words.to_vec()));
    }

    fn accumulator(&mut self, component: Component) -> &mut Lanes<Fixed> {
        &mut self.accumulator[component.index()]
    }
}
