//! AGAL programs: random texts and byte programs, against the evaluator.

mod random;
