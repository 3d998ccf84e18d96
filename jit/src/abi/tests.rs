//! Offsets are those of the fields.

use attila_machine::{QuadIo, QuadState};

use super::*;

/// The address of a field of `record`, relative to it.
fn within<T, F>(record: &T, field: &F) -> Option<usize> {
    Some(core::ptr::from_ref(field).addr() - core::ptr::from_ref(record).addr())
}

#[test]
fn offsets_are_those_of_the_fields() {
    let (reg, component) = (7, 2);
    let io = QuadIo::default();
    let at = |slot| RecordLayout::Io.offset(slot);
    assert_eq!(
        at(Slot::Input { reg, component }),
        within(&io, &io.inputs[7][2])
    );
    assert_eq!(
        at(Slot::Output { reg, component }),
        within(&io, &io.outputs[7][2])
    );
    assert_eq!(at(Slot::Kill), within(&io, &io.kill));
    assert_eq!(at(Slot::Depth { sample: 9 }), within(&io, &io.depth[9]));
    assert_eq!(at(Slot::Temp { reg, component }), None);

    let state = QuadState::default();
    let at = |slot| RecordLayout::State.offset(slot);
    let regs = &state.regs;
    assert_eq!(
        at(Slot::Input { reg, component }),
        within(&state, &state.io.inputs[7][2])
    );
    assert_eq!(
        at(Slot::Temp { reg, component }),
        within(&state, &regs.temps[7][2])
    );
    let address = Slot::Address { reg: 1, component };
    assert_eq!(at(address), within(&state, &regs.addresses[1][2]));
    assert_eq!(
        at(Slot::Predicate { reg: 31 }),
        within(&state, &regs.predicates[31])
    );
    assert_eq!(at(Slot::Sample), within(&state, &regs.sample));
    assert_eq!(
        at(Slot::Coverage),
        within(&state, &state.io.samples.coverage)
    );
    let positions = within(&state, &state.io.samples.positions);
    assert_eq!(RecordLayout::State.positions(), positions);
    let positions = within(&io, &io.samples.positions);
    assert_eq!(RecordLayout::Io.positions(), positions);
    assert_eq!(
        RecordLayout::State.accumulator(),
        within(&state, &regs.accumulator)
    );
}

#[test]
fn numbers_of_a_part_of_a_level_stand_side_by_side() {
    for part in [LevelPart::Texels, LevelPart::Scale, LevelPart::Depth] {
        let fields = part.fields();
        let first = fields[0].offset_of(0);
        assert!(first.is_multiple_of(16), "{part:?} is not aligned");
        for (place, &field) in (0..).zip(fields) {
            assert_eq!(field.ty(), part.types()[usize::from(place)], "{field}");
            assert_eq!(field.offset_of(0), first + word(place), "{field}");
            assert_eq!(LevelPart::with(field), (part, place), "{field}");
        }
    }
}
