//! The machine state of a quad, in the layout that both engines use.
//!
//! Registers hold untyped 32-bit words. A register of a quad is stored component by component,
//! `[component][lane]`, so that one component of all lanes is one 16-byte vector.

use crate::engine::RunError;
use crate::quad::{LANES, LaneMask, Lanes};
use crate::samples::QuadSamples;
use attila_isa::{
    ADDRESSES, BASE_INPUTS, BASE_OUTPUTS, Bank, INPUTS, Inputs, OUTPUTS, Outputs, PREDICATES,
    Profile, Reg, Slots, Temps, Usage,
};

/// One register of a quad: `[component][lane]`, raw words.
pub type QuadReg = [Lanes<u32>; 4];

/// Samples of a fragment, for kill masks and exported depths.
pub const SAMPLES: usize = 16;

/// The inputs and the results of a quad, with the registers of the base profile.
pub type QuadIo = QuadRecord<BASE_INPUTS, BASE_OUTPUTS>;

/// The inputs and the results of a quad, with the registers of the extended profile.
pub type ExtendedQuadIo = QuadRecord<INPUTS, OUTPUTS>;

/// The inputs and the results of a quad: `I` input and `O` output registers.
///
/// A run reads `inputs` and `samples`, and writes `kill`, those `outputs` that the program names and, if the
/// program exports depth, `depth`. It leaves everything else as it is.
///
/// Records begin where a line of the cache does, as registers are as long as one: if they began elsewhere, each
/// register would take two lines from memory.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct QuadRecord<const I: usize, const O: usize> {
    /// i0 and so on.
    pub inputs: Inputs<QuadReg, I>,
    /// o0 and so on.
    pub outputs: Outputs<QuadReg, O>,
    /// Killed samples of each lane, bit n = sample n. A killed fragment has all 16 set.
    pub kill: Lanes<u32>,
    /// Exported depths, `[sample][lane]`, f32 bits.
    pub depth: [Lanes<u32>; SAMPLES],
    /// The samples of the pixels, for programs that ask for them.
    pub samples: QuadSamples,
}

impl<const I: usize, const O: usize> Default for QuadRecord<I, O> {
    fn default() -> Self {
        QuadRecord {
            inputs: Inputs::default(),
            outputs: Outputs::default(),
            kill: [0; LANES],
            depth: [[0; LANES]; SAMPLES],
            samples: QuadSamples::default(),
        }
    }
}

/// `kill` of a lane whose whole fragment is killed.
pub const KILL_ALL: u32 = (1 << SAMPLES) - 1;

impl<const I: usize, const O: usize> QuadRecord<I, O> {
    /// Sets input register `index`: one (x, y, z, w) per lane. No program can read a register that
    /// does not exist: setting it has no effect.
    pub fn set_input(&mut self, index: usize, lanes: Lanes<[f32; 4]>) {
        if let Some(input) = self.inputs.get_mut(index) {
            *input = from_lanes(lanes.map(|lane| lane.map(f32::to_bits)));
        }
    }

    /// Output register `index`: one (x, y, z, w) per lane. No program can write a register that does
    /// not exist: it is 0.
    pub fn output(&self, index: usize) -> Lanes<[f32; 4]> {
        let output = self.outputs.get(index).copied().unwrap_or_default();
        to_lanes(&output).map(|lane| lane.map(f32::from_bits))
    }

    /// The same quad in a record of another size: registers that this one does not have are 0.
    pub fn resized<const J: usize, const P: usize>(&self) -> QuadRecord<J, P> {
        QuadRecord {
            inputs: Inputs::from_fn(|reg| self.inputs.get(reg).copied().unwrap_or_default()),
            outputs: Outputs::from_fn(|reg| self.outputs.get(reg).copied().unwrap_or_default()),
            kill: self.kill,
            depth: self.depth,
            samples: self.samples.clone(),
        }
    }

    /// Whether the record has the registers that a program uses.
    ///
    /// # Errors
    ///
    /// The first register that it does not have.
    pub fn check(usage: &Usage) -> Result<(), RunError> {
        let beyond = |bank, used: &[Slots], count: usize| {
            let beyond = used
                .iter()
                .skip(count)
                .position(|slots| !slots.is_empty())?;
            Reg::within(Profile::Extended, bank, (count + beyond) as u16)
        };
        let input = beyond(Bank::Input, &usage.inputs, I);
        match input.or_else(|| beyond(Bank::Output, &usage.outputs, O)) {
            Some(register) => Err(RunError::MissingRegister { register }),
            None => Ok(()),
        }
    }

    /// The lanes whose whole fragment was killed.
    pub fn killed(&self) -> LaneMask {
        LaneMask::from_lanes(self.kill.map(|samples| samples == KILL_ALL))
    }
}

/// A register given lane by lane, as `[component][lane]`.
pub fn from_lanes(lanes: Lanes<[u32; 4]>) -> QuadReg {
    std::array::from_fn(|c| std::array::from_fn(|lane| lanes[lane][c]))
}

/// A register lane by lane.
pub fn to_lanes(reg: &QuadReg) -> Lanes<[u32; 4]> {
    std::array::from_fn(|lane| std::array::from_fn(|c| reg[c][lane]))
}

/// A register of floats, as `[component][lane]`.
#[inline]
pub fn from_floats(floats: [Lanes<f32>; 4]) -> QuadReg {
    floats.map(|component| component.map(f32::to_bits))
}

/// A register's words as floats.
#[inline]
pub fn to_floats(reg: &QuadReg) -> [Lanes<f32>; 4] {
    reg.map(|component| component.map(f32::from_bits))
}

/// A value of the fixed-point accumulator: a sign and a magnitude with twice the fraction bits
/// of [`Bindings::fixed_bits`](crate::Bindings::fixed_bits), its integer part modulo 2^32.
///
/// A magnitude of 0 has a sign, too, as a result of -0 shows. numerics.md 9 has the corner cases: a
/// NaN is +0, and so is the product of a NaN and anything; infinity times anything but 0, and
/// infinity as a summand, have all bits of the magnitude set; the sum of equal magnitudes and
/// different signs has the sign of its first summand, the product.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(C)]
pub struct Fixed {
    /// The magnitude.
    pub magnitude: u64,
    /// 1 for minus, 0 for plus.
    pub negative: u64,
}

/// Everything that a program changes besides its results.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(16))]
pub struct RegFile {
    /// r0-r255.
    pub temps: Temps<QuadReg>,
    /// a0-a3, as i32 bits.
    pub addresses: [QuadReg; ADDRESSES],
    /// p0-p31: all bits set for true, 0 for false.
    pub predicates: [Lanes<u32>; PREDICATES as usize],
    /// The fixed-point accumulator, `[component][lane]`.
    pub accumulator: [Lanes<Fixed>; 4],
    /// The current sample.
    pub sample: Lanes<u32>,
}

impl Default for RegFile {
    fn default() -> Self {
        RegFile {
            temps: Temps::all(QuadReg::default()),
            addresses: [QuadReg::default(); ADDRESSES],
            predicates: [[0; LANES]; PREDICATES as usize],
            accumulator: [[Fixed::default(); LANES]; 4],
            sample: [0; LANES],
        }
    }
}

impl RegFile {
    /// The lanes in which predicate register `index` is true: none if it does not exist.
    pub fn predicate(&self, index: usize) -> LaneMask {
        let words = self.predicates.get(index).copied().unwrap_or_default();
        LaneMask::from_lanes(words.map(|word| word != 0))
    }

    /// Sets predicate register `index` lane by lane. It has no effect if there is no such register.
    pub fn set_predicate(&mut self, index: usize, lanes: LaneMask) {
        if let Some(words) = self.predicates.get_mut(index) {
            *words = lanes.to_lanes().map(|lane| if lane { u32::MAX } else { 0 });
        }
    }
}

/// A quad with all of its registers, which a stateful run takes over from the caller and hands
/// back: for debugging and for comparing engines. It has the registers of the extended profile, 25 KiB
/// of them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[repr(C)]
pub struct QuadState {
    /// Inputs and results. Outputs start as they are here, not as 0.
    pub io: ExtendedQuadIo,
    /// The other registers.
    pub regs: RegFile,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_stored_component_by_component() {
        let mut quad = QuadIo::default();
        quad.set_input(3, [[1.0, 2.0, 3.0, 4.0], [5.0; 4], [6.0; 4], [7.0; 4]]);
        assert_eq!(quad.inputs[3][1].map(f32::from_bits), [2.0, 5.0, 6.0, 7.0]);
        quad.outputs[2] = quad.inputs[3];
        assert_eq!(quad.output(2)[0], [1.0, 2.0, 3.0, 4.0]);
    }

    #[test]
    fn registers_that_do_not_exist_are_0_and_stay_so() {
        let mut state = QuadState::default();
        state.io.set_input(INPUTS, [[1.0; 4]; 4]);
        state.regs.set_predicate(PREDICATES.into(), LaneMask::all());
        assert_eq!(state, QuadState::default());
        state.io.outputs = Outputs::all([[7; 4]; 4]);
        assert_eq!(state.io.output(OUTPUTS), [[0.0; 4]; 4]);
        let base = QuadIo {
            outputs: Outputs::all([[7; 4]; 4]),
            ..QuadIo::default()
        };
        assert_eq!(base.output(BASE_OUTPUTS), [[0.0; 4]; 4]);
        assert!(state.regs.predicate(PREDICATES.into()).is_empty());
    }

    #[test]
    fn a_fragment_is_killed_when_all_its_samples_are() {
        let quad = QuadIo {
            kill: [KILL_ALL, 0, 1, KILL_ALL],
            ..QuadIo::default()
        };
        assert_eq!(quad.killed(), LaneMask::LANE0 | LaneMask::LANE3);
    }
}
