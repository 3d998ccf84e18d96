//! Columns in the memory of a run.

use attila_machine::{Columns, KILL_ALL, LANES, RunError};

use super::image::Image;
use super::{Parts, WasmCode};
use crate::abi::{Address, ColumnShape};
use crate::emit::Run;

impl WasmCode {
    pub(super) fn map_columns(
        &self,
        run: &Run<'_>,
        shape: &ColumnShape,
        columns: &mut Columns<'_>,
    ) -> Result<(), RunError> {
        if columns.elements == 0 {
            return Ok(());
        }
        let mut image = Image::default();
        let mut numbers = |numbers: &[f32]| image.words(numbers.iter().map(|it| it.to_bits()));
        let values = columns.values.iter().map(|(_, value)| &value[..]);
        let inputs = columns.inputs.iter().map(|part| part.values);
        let mut places: Vec<usize> = values.chain(inputs).map(&mut numbers).collect();
        let outputs = columns.outputs.iter().map(|part| numbers(part.values));
        let outputs: Vec<usize> = outputs.collect();
        places.extend(&outputs);
        let killed = image.room(columns.elements * size_of::<u32>());
        places.push(killed);
        let table = image.room(places.len() * Address::<u8>::SIZE);
        for (n, &place) in places.iter().enumerate() {
            image.put_address(table + n * Address::<u8>::SIZE, place);
        }
        let parts = Parts {
            columns: table,
            count: columns.elements / LANES,
            ..Parts::default()
        };
        let failure = self.call(run, &mut image, parts);
        for (part, first) in columns.outputs.iter_mut().zip(outputs) {
            for (n, number) in part.values.iter_mut().enumerate() {
                *number = f32::from_bits(image.word(first + 4 * n));
            }
        }
        if let Some(all) = columns.killed.as_mut().filter(|_| shape.tells_killed) {
            for (n, element) in all.iter_mut().enumerate() {
                *element = (image.word(killed + 4 * n) == KILL_ALL).into();
            }
        }
        match failure {
            None => Ok(()),
            Some(failure) => Err(failure.in_records(self.layout, run)),
        }
    }
}
