//! Components that wrap: 0 and 1 are the same place of a cylinder, and values go the shorter way round it.

use attila_isa::Slots;

/// Adds whole numbers to components of `values`, so that each comes as near as it can to the greatest one, the
/// lower one of two that are equally near.
pub(super) fn wrap(values: &mut [[f64; 4]; 3], slots: Slots) {
    for component in slots.components() {
        let along = || values.iter().map(|value| value[component.index()]);
        let greatest = along().fold(f64::NEG_INFINITY, f64::max);
        for value in values.iter_mut().map(|it| &mut it[component.index()]) {
            let turns = (greatest - *value - 0.5).ceil();
            if turns.is_finite() {
                *value += turns;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(values: [f64; 3]) -> [f64; 3] {
        let mut all = values.map(|value| [value, value, 0.0, 0.0]);
        wrap(&mut all, Slots::X);
        assert_eq!(
            all.map(|value| value[1].to_bits()),
            values.map(f64::to_bits)
        );
        all.map(|value| value[0])
    }

    #[test]
    fn values_come_as_near_to_the_greatest_as_whole_numbers_bring_them() {
        assert_eq!(wrapped([0.25, 0.5, 0.75]), [0.25, 0.5, 0.75]);
        assert_eq!(wrapped([0.875, 0.125, 0.125]), [0.875, 1.125, 1.125]);
        assert_eq!(wrapped([0.125, 0.5, 0.875]), [1.125, 0.5, 0.875]);
        assert_eq!(wrapped([-2.25, 3.0, 1.5]), [2.75, 3.0, 2.5]);
        assert_eq!(wrapped([0.0, 0.0, 1.5]), [1.0, 1.0, 1.5]);
    }

    #[test]
    fn infinity_and_nan_stay() {
        assert_eq!(
            wrapped([f64::INFINITY, 0.25, 0.0]),
            [f64::INFINITY, 0.25, 0.0]
        );
        let [nan, least, greatest] = wrapped([f64::NAN, 0.0, 0.75]);
        assert!(nan.is_nan());
        assert_eq!([least, greatest], [1.0, 0.75]);
    }
}
