//! Records in the memory of a run: the slots that the function names.

use attila_isa::Component;
use attila_machine::{Fixed, RunError, SAMPLES};

use super::image::Image;
use super::{Parts, WasmCode};
use crate::abi::{ACCUMULATOR_COMPONENT, Slot};
use crate::emit::Run;
use crate::emit::eval::RecordQuad;
use crate::ir::Quad as _;

impl WasmCode {
    pub(super) fn run_records<R>(&self, run: &Run<'_>, records: &mut [R]) -> Result<(), RunError>
    where
        for<'q> RecordQuad<'q>: From<&'q mut R>,
    {
        if records.is_empty() {
            return Ok(());
        }
        let mut slots: Vec<Slot> = Vec::new();
        for slot in self.function.slots() {
            if !slots.contains(&slot) {
                slots.push(slot);
            }
        }
        let mut image = Image::default();
        let size = self.layout.size();
        let first = image.room(records.len() * size);
        for (n, record) in records.iter_mut().enumerate() {
            self.put(&mut image, first + n * size, &mut record.into(), &slots);
        }
        let parts = Parts {
            first,
            count: records.len(),
            ..Parts::default()
        };
        let failure = self.call(run, &mut image, parts);
        for (n, record) in records.iter_mut().enumerate() {
            self.take(&image, first + n * size, &mut record.into(), &slots);
        }
        match failure {
            None => Ok(()),
            Some(failure) => Err(failure.in_records(self.layout, run)),
        }
    }

    fn offset(&self, slot: Slot) -> usize {
        let offset = self.layout.offset(slot);
        offset.expect("lowering names only slots that the layout has")
    }

    fn put(&self, image: &mut Image, at: usize, quad: &mut RecordQuad<'_>, slots: &[Slot]) {
        for &slot in slots {
            image.put(at + self.offset(slot), *quad.slot(slot));
        }
        if let Some(positions) = self.layout.positions() {
            let all = (0..SAMPLES).map(|sample| quad.position(sample));
            image.put(at + positions, all);
        }
        let Some(accumulator) = self.layout.accumulator() else {
            return;
        };
        for component in Component::ALL {
            let at = at + accumulator + component.index() * ACCUMULATOR_COMPONENT;
            let lanes = quad.accumulator(component).map(|number| {
                let Fixed {
                    magnitude,
                    negative,
                } = number;
                [magnitude, negative].map(|half| [half as u32, (half >> 32) as u32])
            });
            image.put(at, lanes.as_flattened().as_flattened().iter().copied());
        }
    }

    fn take(&self, image: &Image, at: usize, quad: &mut RecordQuad<'_>, slots: &[Slot]) {
        for &slot in slots {
            *quad.slot(slot) = image.words_at(at + self.offset(slot));
        }
        let Some(accumulator) = self.layout.accumulator() else {
            return;
        };
        for component in Component::ALL {
            let at = at + accumulator + component.index() * ACCUMULATOR_COMPONENT;
            for (lane, number) in quad.accumulator(component).iter_mut().enumerate() {
                let [a, b, c, d] = image.words_at(at + lane * size_of::<Fixed>());
                let long = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
                *number = Fixed {
                    magnitude: long(a, b),
                    negative: long(c, d),
                };
            }
        }
    }
}
