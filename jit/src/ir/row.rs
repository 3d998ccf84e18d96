//! A row of the table of operations, and the macro that makes the operations of the rows.

use super::types::{Kind, Results};

/// Whether a node has to stay where it is, and what its result depends on besides operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    /// Computes, from operands and from what stays the same during the draw.
    Pure,
    /// Reads what is known of the span.
    ReadsSpan,
    /// Reads what is the quad's own.
    ReadsQuad,
    /// Writes what is the quad's own.
    Writes,
    /// Writes a variable: only blocks that follow can tell, and twice is the same as once.
    Keeps,
    /// Reads or writes memory of the quad's own, by a call or without. Such nodes keep their order.
    Own,
    /// Asks a texture unit or fetches an attribute, and keeps its order. What users make sees that of all quads, unless it
    /// says that it does not mind.
    Asks,
    /// Calls something else that users make, or accesses memory that quads share, and keeps its order: that of all quads
    /// can be seen.
    Tells,
}

impl Effect {
    /// Whether nodes keep their order, used or not.
    pub(crate) fn is_ordered(self) -> bool {
        match self {
            Effect::Own | Effect::Asks | Effect::Tells => true,
            Effect::Pure
            | Effect::ReadsSpan
            | Effect::ReadsQuad
            | Effect::Writes
            | Effect::Keeps => false,
        }
    }
}

/// A property that only some operations have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flag {
    /// The operation takes channels of pixels as well as lanes, beside them what is the same in all lanes:
    /// each lane of the result depends on that lane of the operands only, and costs next to nothing if nobody
    /// wants it.
    Channels,
    /// Its two operands may change places.
    Commutes,
}

/// A row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    /// The name in texts.
    pub(crate) name: &'static str,
    pub(crate) operands: &'static [Kind],
    pub(crate) results: Results,
    pub(crate) effect: Effect,
    /// Cycles from operands to result, roughly, on processors of today.
    pub(crate) latency: u32,
    /// Whether the operation takes channels of pixels as well.
    pub(crate) channels: bool,
    /// Whether the two operands may change places.
    pub(crate) commutes: bool,
}

/// A row's list of operands.
macro_rules! operands {
    ([$($operand:expr),*]) => { &[$($operand),*] };
    (($operands:expr)) => { $operands };
}

/// A row's results.
macro_rules! results {
    (Nothing) => {
        Results::Nothing
    };
    (Same) => {
        Results::Same
    };
    (Given) => {
        Results::Given
    };
    (Part) => {
        Results::Part
    };
    (Components) => {
        Results::Components
    };
    ([$ty:ident; 4]) => {
        Results::Several(&[Type::$ty; 4])
    };
    (($results:expr)) => {
        $results
    };
    ($ty:ident) => {
        Results::One(Type::$ty)
    };
}

macro_rules! operations {
    (
        $(#[$unary_doc:meta])*
        Unary {$(
            $(#[$u_doc:meta])*
            $Unary:ident = $u_name:literal $u_operands:tt -> $u_results:tt,
                $u_latency:literal $(, $u_flag:ident)*;
        )*}
        $(#[$binary_doc:meta])*
        Binary {$(
            $(#[$b_doc:meta])*
            $Binary:ident = $b_name:literal $b_operands:tt -> $b_results:tt,
                $b_latency:literal $(, $b_flag:ident)*;
        )*}
        $(#[$shift_doc:meta])*
        Shift {$(
            $(#[$s_doc:meta])*
            $Shift:ident = $s_name:literal $s_operands:tt -> $s_results:tt, $s_latency:literal;
        )*}
        $(#[$op_doc:meta])*
        Op {$(
            $(#[$o_doc:meta])*
            $Op:ident $(($($field:ident: $Field:ty),+))? = $o_name:literal
                $o_operands:tt -> $o_results:tt, $effect:ident, $o_latency:literal
                $(, $o_flag:ident)*;
        )*}
    ) => {
        $(#[$unary_doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum Unary { $($(#[$u_doc])* $Unary,)* }

        $(#[$binary_doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum Binary { $($(#[$b_doc])* $Binary,)* }

        $(#[$shift_doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum Shift { $($(#[$s_doc])* $Shift,)* }

        $(#[$op_doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum Op {
            /// One operand, lane by lane.
            Unary(Unary),
            /// Two operands, lane by lane.
            Binary(Binary),
            /// A shift by a constant, 0..32.
            Shift(Shift, u8),
            $($(#[$o_doc])* $Op $(($($Field),+))?,)*
        }

        /// The names of all operations.
        #[cfg(test)]
        pub(super) const NAMES: &[&str] = &[$($u_name,)* $($b_name,)* $($s_name,)* $($o_name),*];

        impl Op {
            /// The operation's row.
            #[inline(always)]
            #[allow(unused_variables, reason = "most rows are the same for all immediates")]
            pub(crate) fn row(&self) -> Row {
                match *self {
                    $(Op::Unary(Unary::$Unary) => Row {
                        name: $u_name,
                        operands: operands!($u_operands),
                        results: results!($u_results),
                        effect: Effect::Pure,
                        latency: $u_latency,
                        channels: false $(|| matches!(Flag::$u_flag, Flag::Channels))*,
                        commutes: false,
                    },)*
                    $(Op::Binary(Binary::$Binary) => Row {
                        name: $b_name,
                        operands: operands!($b_operands),
                        results: results!($b_results),
                        effect: Effect::Pure,
                        latency: $b_latency,
                        channels: false $(|| matches!(Flag::$b_flag, Flag::Channels))*,
                        commutes: false $(|| matches!(Flag::$b_flag, Flag::Commutes))*,
                    },)*
                    $(Op::Shift(Shift::$Shift, _) => Row {
                        name: $s_name,
                        operands: operands!($s_operands),
                        results: results!($s_results),
                        effect: Effect::Pure,
                        latency: $s_latency,
                        channels: false,
                        commutes: false,
                    },)*
                    $(Op::$Op $(($($field),+))? => Row {
                        name: $o_name,
                        operands: operands!($o_operands),
                        results: results!($o_results),
                        effect: Effect::$effect,
                        latency: $o_latency,
                        channels: false $(|| matches!(Flag::$o_flag, Flag::Channels))*,
                        commutes: false,
                    },)*
                }
            }

            /// Calls `f` with every immediate in turn.
            pub(super) fn immediates(&self, f: &mut dyn FnMut(&dyn Immediate)) {
                match self {
                    Op::Unary(_) | Op::Binary(_) => {}
                    Op::Shift(_, bits) => f(bits),
                    $(Op::$Op $(($($field),+))? => { $($(f($field);)+)? })*
                }
            }

            /// The operation `name`, with immediates that `words` gives in turn.
            #[cfg(test)]
            pub(super) fn read(
                name: &str,
                words: &mut super::immediate::Words<'_>,
            ) -> Result<Op, String> {
                $(if name == $u_name {
                    return Ok(Op::Unary(Unary::$Unary));
                })*
                $(if name == $b_name {
                    return Ok(Op::Binary(Binary::$Binary));
                })*
                $(if name == $s_name {
                    return Ok(Op::Shift(Shift::$Shift, words.next()?));
                })*
                $(if name == $o_name {
                    return Ok(Op::$Op $(($(words.next::<$Field>()?),+))?);
                })*
                Err(format!("`{name}` is not an operation"))
            }
        }
    };
}

pub(super) use {operands, operations, results};
