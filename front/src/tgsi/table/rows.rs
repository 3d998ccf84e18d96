//! The rows of the opcode table.

use super::form::*;
use super::{ALL, EARLY, Feature, LATER, Role, T7, T10, T23, TgsiOpcodeInfo};

macro_rules! opcodes {
    ($($opcode:ident $name:literal $dialects:ident $form:ident $role:ident $(($feature:ident))? $doc:literal;)*) => {
        /// An instruction's opcode.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum TgsiOpcode {
            $(#[doc = $doc] $opcode,)*
        }

        /// All opcodes, in the order of [`TgsiOpcode`].
        pub const OPCODES: &[TgsiOpcodeInfo] = &[
            $(TgsiOpcodeInfo {
                opcode: TgsiOpcode::$opcode,
                name: $name,
                dialects: $dialects,
                form: $form,
                role: Role::$role $((Feature::$feature))?,
                doc: $doc,
            },)*
        ];
    };
}

opcodes! {
    // Floats, by components.
    Mov "MOV" ALL COPY Plain "The source.";
    Add "ADD" ALL FLOAT2 Plain "The sum.";
    Sub "SUB" EARLY FLOAT2 Plain "The difference.";
    Mul "MUL" ALL FLOAT2 Plain "The product.";
    Mad "MAD" ALL FLOAT3 Plain "The product of two, plus the third; two roundings.";
    Fma "FMA" T23 FLOAT3 Plain "The product of two, plus the third; one rounding.";
    Div "DIV" ALL FLOAT2 Plain "The quotient.";
    Min "MIN" ALL FLOAT2 Plain "The smaller one.";
    Max "MAX" ALL FLOAT2 Plain "The larger one.";
    Abs "ABS" EARLY FLOAT1 Plain "The absolute value.";
    Ssg "SSG" ALL FLOAT1 Plain "1 above 0, -1 below, else 0.";
    Frc "FRC" ALL FLOAT1 Plain "The source minus its floor.";
    Flr "FLR" ALL FLOAT1 Plain "The floor; written to an address register, a whole number as ARL's.";
    Ceil "CEIL" ALL FLOAT1 Plain "The smallest whole number that is not below the source.";
    Round "ROUND" ALL FLOAT1 Plain "The nearest whole number.";
    Trunc "TRUNC" ALL FLOAT1 Plain "The whole part.";
    Clamp "CLAMP" EARLY FLOAT3 Plain "The first source between the second and the third.";
    Cmp "CMP" ALL FLOAT3 Plain "The second source where the first is below 0, else the third.";
    Cnd "CND" EARLY FLOAT3 Plain "The first source where the third is above 0.5, else the second.";
    Lrp "LRP" ALL FLOAT3 Plain "The second and the third source, mixed by the first.";
    Slt "SLT" ALL FLOAT2 Plain "1 where the first is below the second, else 0.";
    Sge "SGE" ALL FLOAT2 Plain "1 where the first is not below the second, else 0.";
    Seq "SEQ" ALL FLOAT2 Plain "1 where both are equal, else 0.";
    Sne "SNE" ALL FLOAT2 Plain "1 where they differ, else 0.";
    Sgt "SGT" ALL FLOAT2 Plain "1 where the first is above the second, else 0.";
    Sle "SLE" ALL FLOAT2 Plain "1 where the first is not above the second, else 0.";
    Sfl "SFL" EARLY FLOAT2 Plain "0; the sources do not matter.";
    Str "STR" EARLY FLOAT2 Plain "1; the sources do not matter.";
    Ldexp "LDEXP" T23 LOAD_EXPONENT Plain "The first source times 2 to the power of the second.";
    // Floats, one result for all components.
    Rcp "RCP" ALL SCALAR1 Plain "The reciprocal.";
    Rcc "RCC" EARLY SCALAR1 Plain "The reciprocal, neither too close to 0 nor too far from it.";
    Rsq "RSQ" ALL SCALAR1 Plain "The reciprocal of the square root.";
    Sqrt "SQRT" LATER SCALAR1 Plain "The square root.";
    Ex2 "EX2" ALL SCALAR1 Plain "2 to the power of the source.";
    Lg2 "LG2" ALL SCALAR1 Plain "The logarithm to base 2.";
    Pow "POW" ALL SCALAR2 Plain "The first source to the power of the second.";
    Sin "SIN" ALL SCALAR1 Plain "The sine.";
    Cos "COS" ALL SCALAR1 Plain "The cosine.";
    Dp2 "DP2" ALL DOT2 Plain "The dot product of two components.";
    Dp2a "DP2A" EARLY DOT2_ADD Plain "The dot product of two components, plus x of the third source.";
    Dp3 "DP3" ALL DOT3 Plain "The dot product of three components.";
    Dp4 "DP4" ALL DOT4 Plain "The dot product of four components.";
    Dph "DPH" EARLY DOT_HOMOGENEOUS Plain "The dot product of three components, plus the second w.";
    // Floats, each component by its own rule.
    Lit "LIT" ALL LIGHT Plain "Lighting factors: 1, diffuse, specular, 1.";
    Exp "EXP" ALL SCALAR1 Plain "2 to the floor, the fraction, 2 to the source, 1.";
    Log "LOG" ALL SCALAR1 Plain "Exponent, mantissa, logarithm to base 2, 1.";
    Dst "DST" ALL DISTANCE Plain "1, the product of y, the first z, the second w.";
    Xpd "XPD" EARLY DOT3 Plain "The cross product, and 1.";
    Nrm "NRM" EARLY NORMAL3 Plain "Three components divided by their length, and 1.";
    Nrm4 "NRM4" EARLY NORMAL4 Plain "Four components divided by their length.";
    Scs "SCS" EARLY SCALAR1 Plain "Cosine, sine, 0, 1.";
    Rfl "RFL" EARLY DOT3 Plain "The second source reflected by the first, and 1.";
    X2d "X2D" EARLY TRANSFORM Plain "A point moved by a vector in a coordinate system.";
    // Bits of floats.
    Pk2h "PK2H" ALL PACK2 Plain "x and y as half floats in one word.";
    Pk2us "PK2US" ALL PACK2 Plain "x and y as 16-bit fractions of 1 in one word.";
    Pk4b "PK4B" ALL PACK4 Plain "Four signed bytes in one word, biased by 128.";
    Pk4ub "PK4UB" ALL PACK4 Plain "Four 8-bit fractions of 1 in one word.";
    Up2h "UP2H" ALL UNPACK Plain "Two half floats of a word, in x and y, and again in z and w.";
    Up2us "UP2US" ALL UNPACK Plain "Two 16-bit fractions of a word, in x and y, and again in z and w.";
    Up4b "UP4B" ALL UNPACK Plain "The four signed bytes of a word.";
    Up4ub "UP4UB" ALL UNPACK Plain "The four 8-bit fractions of a word.";
    // Comparisons with masks as results.
    Fseq "FSEQ" LATER COMPARE Plain "All bits where both floats are equal, else none.";
    Fsne "FSNE" LATER COMPARE Plain "All bits where the floats differ, else none.";
    Fslt "FSLT" LATER COMPARE Plain "All bits where the first float is below the second, else none.";
    Fsge "FSGE" LATER COMPARE Plain "All bits where the first float is not below the second, else none.";
    Ucmp "UCMP" LATER SELECT Plain "The second source where the first has a bit, else the third.";
    // Conversions.
    F2i "F2I" ALL FLOAT_TO_INT Plain "The whole part as a signed integer.";
    F2u "F2U" ALL FLOAT_TO_UINT Plain "The whole part as an unsigned integer.";
    I2f "I2F" ALL INT_TO_FLOAT Plain "A signed integer as a float.";
    U2f "U2F" ALL UINT_TO_FLOAT Plain "An unsigned integer as a float.";
    // Integers.
    And "AND" ALL UINT2 Plain "The bits that both have.";
    Or "OR" ALL UINT2 Plain "The bits that one of them has.";
    Xor "XOR" ALL UINT2 Plain "The bits in which they differ.";
    Not "NOT" ALL UINT1 Plain "The bits that the source does not have.";
    Shl "SHL" ALL UINT2 Plain "The first source shifted up, by the second modulo 32.";
    Ishr "ISHR" ALL INT2 Plain "The first source shifted down with its sign, by the second modulo 32.";
    Ushr "USHR" ALL UINT2 Plain "The first source shifted down with zeros, by the second modulo 32.";
    Uadd "UADD" ALL INT2 Plain "The sum.";
    Umul "UMUL" ALL UINT2 Plain "The low word of the product.";
    Umad "UMAD" ALL UINT3 Plain "The low word of the product of two, plus the third.";
    ImulHi "IMUL_HI" LATER INT2 Plain "The high word of the signed product.";
    UmulHi "UMUL_HI" LATER UINT2 Plain "The high word of the unsigned product.";
    Ineg "INEG" ALL INT1 Plain "The source with the other sign.";
    Iabs "IABS" LATER INT1 Plain "The absolute value.";
    Issg "ISSG" LATER INT1 Plain "1 above 0, -1 below, else 0.";
    Imin "IMIN" ALL INT2 Plain "The smaller signed one.";
    Imax "IMAX" ALL INT2 Plain "The larger signed one.";
    Umin "UMIN" ALL UINT2 Plain "The smaller unsigned one.";
    Umax "UMAX" ALL UINT2 Plain "The larger unsigned one.";
    Idiv "IDIV" ALL INT2 Plain "The signed quotient; 0 of a division by 0.";
    Udiv "UDIV" ALL UINT2 Plain "The unsigned quotient; all bits of a division by 0.";
    Mod "MOD" ALL INT2 Plain "The signed remainder; all bits of a division by 0.";
    Umod "UMOD" ALL UINT2 Plain "The unsigned remainder; all bits of a division by 0.";
    Sad "SAD" EARLY UINT3 Plain "The absolute difference of two, plus the third.";
    Islt "ISLT" ALL INT_COMPARE Plain "All bits where the first is below the second as signed numbers.";
    Isge "ISGE" ALL INT_COMPARE Plain "All bits where the first is not below the second as signed numbers.";
    Uslt "USLT" ALL UINT2 Plain "All bits where the first is below the second as unsigned numbers.";
    Usge "USGE" ALL UINT2 Plain "All bits where the first is not below the second as unsigned numbers.";
    Useq "USEQ" ALL UINT2 Plain "All bits where both are equal.";
    Usne "USNE" ALL UINT2 Plain "All bits where they differ.";
    Ibfe "IBFE" T23 INT3 Plain "A signed field: of the first source, from a bit on, so many bits.";
    Ubfe "UBFE" T23 UINT3 Plain "An unsigned field: of the first source, from a bit on, so many bits.";
    Bfi "BFI" T23 INSERT Plain "The first source with the second as its field from a bit on, so many bits.";
    Brev "BREV" T23 UINT1 Plain "The bits in the opposite order.";
    Popc "POPC" T23 UINT1 Plain "The number of bits.";
    Lsb "LSB" T23 UINT1 Plain "The number of the lowest bit, or -1.";
    Imsb "IMSB" T23 INT1 Plain "The number of the highest bit that is not like the sign, or -1.";
    Umsb "UMSB" T23 UINT1 Plain "The number of the highest bit, or -1.";
    // Addresses.
    Arl "ARL" ALL FLOAT_TO_INT Plain "The floor, as an address.";
    Arr "ARR" ALL FLOAT_TO_INT Plain "The floor of the source plus 0.5, as an address.";
    Uarl "UARL" LATER LOAD_UNSIGNED Plain "An integer, as an address.";
    Ara "ARA" EARLY INT1 Plain "The sums of x and z, and of y and w, of addresses.";
    Pusha "PUSHA" EARLY PUSH Stack "Puts a vector on the stack.";
    Popa "POPA" EARLY POP Stack "Takes a vector from the stack.";
    // Doubles.
    Dadd "DADD" ALL DOUBLE2 Plain "The sum.";
    Dmul "DMUL" ALL DOUBLE2 Plain "The product.";
    Ddiv "DDIV" ALL DOUBLE2 Plain "The quotient.";
    Dmad "DMAD" ALL DOUBLE3 Plain "The product of two, plus the third; two roundings.";
    Dfma "DFMA" T23 DOUBLE3 Plain "The product of two, plus the third; one rounding.";
    Dmin "DMIN" ALL DOUBLE2 Plain "The smaller one.";
    Dmax "DMAX" ALL DOUBLE2 Plain "The larger one.";
    Drcp "DRCP" ALL DOUBLE1 Plain "The reciprocal.";
    Dsqrt "DSQRT" ALL DOUBLE1 Plain "The square root.";
    Drsq "DRSQ" T23 DOUBLE1 Plain "The reciprocal of the square root.";
    Dabs "DABS" T23 DOUBLE1 Plain "The absolute value.";
    Dneg "DNEG" T23 DOUBLE1 Plain "The source with the other sign.";
    Dssg "DSSG" T23 DOUBLE1 Plain "1 above 0, -1 below, else 0.";
    Dfrac "DFRAC" ALL DOUBLE1 Plain "The source minus its floor.";
    Dflr "DFLR" T23 DOUBLE1 Plain "The floor.";
    Dceil "DCEIL" T23 DOUBLE1 Plain "The smallest whole number that is not below the source.";
    Dtrunc "DTRUNC" T23 DOUBLE1 Plain "The whole part.";
    Dround "DROUND" T23 DOUBLE1 Plain "The nearest whole number, even between two.";
    Dldexp "DLDEXP" ALL DOUBLE_EXPONENT Plain "The first source times 2 to the power of the second.";
    Dfracexp "DFRACEXP" ALL DOUBLE_SPLIT Plain "The mantissa from 0.5 to 1, and the exponent.";
    Dseq "DSEQ" ALL DOUBLE_COMPARE Plain "All bits where both doubles are equal.";
    Dsne "DSNE" T23 DOUBLE_COMPARE Plain "All bits where the doubles differ.";
    Dslt "DSLT" ALL DOUBLE_COMPARE Plain "All bits where the first double is below the second.";
    Dsge "DSGE" T23 DOUBLE_COMPARE Plain "All bits where the first double is not below the second.";
    F2d "F2D" T23 FLOAT_TO_DOUBLE Plain "A float as a double.";
    I2d "I2D" T23 INT_TO_DOUBLE Plain "A signed integer as a double.";
    U2d "U2D" T23 UINT_TO_DOUBLE Plain "An unsigned integer as a double.";
    D2f "D2F" T23 DOUBLE_TO_FLOAT Plain "A double as a float.";
    D2i "D2I" T23 DOUBLE_TO_INT Plain "The whole part of a double as a signed integer.";
    D2u "D2U" T23 DOUBLE_TO_UINT Plain "The whole part of a double as an unsigned integer.";
    // Fragments.
    Ddx "DDX" ALL FLOAT1 Derivative "The difference between fragments of a row.";
    Ddy "DDY" ALL FLOAT1 Derivative "The difference between fragments of a column.";
    DdxFine "DDX_FINE" T23 FLOAT1 Derivative "The difference between the fragments of the own row.";
    DdyFine "DDY_FINE" T23 FLOAT1 Derivative "The difference between the fragments of the own column.";
    KillIf "KILL_IF" LATER KILLING Kill "Drops the fragment if a component is below 0.";
    Kill "KILL" LATER NOTHING Kill "Drops the fragment.";
    Demote "DEMOTE" T23 NOTHING Kill "Drops the fragment, which goes on for its neighbours.";
    InterpCentroid "INTERP_CENTROID" T23 FLOAT1 Interpolate "An input at the centroid of the covered samples.";
    InterpSample "INTERP_SAMPLE" T23 SAMPLE_NUMBER Interpolate "An input at a sample.";
    InterpOffset "INTERP_OFFSET" T23 OFFSET Interpolate "An input at a distance from the centre of the pixel.";
    // Textures, by sampler.
    Tex "TEX" ALL TEXTURE Sample "A texture at the coordinates.";
    Txb "TXB" ALL TEXTURE_W Sample "The same, with w added to the level.";
    Txl "TXL" ALL TEXTURE_W Lookup "The same, at the level w.";
    Txp "TXP" ALL TEXTURE_W Sample "The same, at the coordinates divided by w.";
    Txd "TXD" ALL TEXTURE_GRADIENTS Lookup "The same, with derivatives of the coordinates.";
    TexLz "TEX_LZ" T23 TEXTURE Lookup "The same, at level 0.";
    Tex2 "TEX2" LATER TEXTURE_X Sample "The same, compared with x of the second source.";
    Txb2 "TXB2" LATER TEXTURE_X Sample "The same, with x of the second source added to the level.";
    Txl2 "TXL2" LATER TEXTURE_X Lookup "The same, at the level that is x of the second source.";
    Txf "TXF" ALL FETCH Lookup "The texel at whole coordinates, of the level or the sample w.";
    TxfLz "TXF_LZ" T23 FETCH_FIRST Lookup "The texel at whole coordinates, of level 0.";
    Tg4 "TG4" T23 GATHER Lookup "One component of the four texels around the coordinates.";
    Lodq "LODQ" T23 LEVEL Sample "The level that would be looked up.";
    Txq "TXQ" ALL SIZE Lookup "The size of a level, and the number of levels.";
    TxqLz "TXQ_LZ" T23 SIZE_FIRST Lookup "The size of level 0.";
    Txqs "TXQS" T23 SIZE_FIRST Lookup "The number of samples.";
    // Textures, by view and sampler.
    Sample "SAMPLE" LATER SAMPLE Sample "A texture at the coordinates.";
    SampleB "SAMPLE_B" LATER SAMPLE_X Sample "The same, with a number added to the level.";
    SampleC "SAMPLE_C" LATER SAMPLE_X Sample "The same, compared with a number.";
    SampleCLz "SAMPLE_C_LZ" LATER SAMPLE_X Lookup "The same, compared with a number, at level 0.";
    SampleD "SAMPLE_D" LATER SAMPLE_GRADIENTS Lookup "The same, with derivatives of the coordinates.";
    SampleL "SAMPLE_L" LATER SAMPLE_X Lookup "The same, at a level.";
    SampleI "SAMPLE_I" LATER SAMPLE_FETCH Lookup "The texel at whole coordinates, of the level w.";
    SampleIMs "SAMPLE_I_MS" LATER SAMPLE_FETCH_MULTI Lookup "A sample of the texel at whole coordinates.";
    Gather4 "GATHER4" LATER SAMPLE Lookup "The first component of the four texels around the coordinates.";
    Sviewinfo "SVIEWINFO" LATER SAMPLE_SIZE Lookup "The size of a level, and the number of levels.";
    Lod "LOD" T23 SAMPLE Sample "The level that would be looked up.";
    SamplePos "SAMPLE_POS" LATER SAMPLE_POSITION Refused(SamplePositions) "The position of a sample.";
    SampleInfo "SAMPLE_INFO" LATER SAMPLE_POSITION Refused(SamplePositions) "The number of samples.";
    // Flow.
    Nop "NOP" ALL NOTHING Plain "Nothing.";
    If "IF" ALL CONDITION Flow "Runs the instructions up to ELSE or ENDIF where the source is not 0.";
    Uif "UIF" LATER CONDITION_BITS Flow "The same, where the source has a bit.";
    Ifc "IFC" EARLY CONDITION_BITS Flow "The same, where the source has a bit.";
    Else "ELSE" ALL NOTHING Flow "Runs the instructions up to ENDIF where those of IF have not run.";
    Endif "ENDIF" ALL NOTHING Flow "Ends IF.";
    Bgnloop "BGNLOOP" ALL NOTHING Flow "Repeats the instructions up to ENDLOOP.";
    Endloop "ENDLOOP" ALL NOTHING Flow "Goes on after BGNLOOP.";
    Brk "BRK" ALL NOTHING Flow "Leaves the innermost loop or SWITCH.";
    Breakc "BREAKC" EARLY CONDITION_BITS Flow "The same, where the source has a bit.";
    Cont "CONT" ALL NOTHING Flow "Goes on with the next turn of the innermost loop.";
    Switch "SWITCH" ALL CONDITION_BITS Flow "Goes on after the CASE of this value, or after DEFAULT.";
    Case "CASE" ALL CONDITION_BITS Flow "A value of SWITCH.";
    Default "DEFAULT" ALL NOTHING Flow "All other values of SWITCH.";
    Endswitch "ENDSWITCH" ALL NOTHING Flow "Ends SWITCH.";
    Bra "BRA" EARLY NOTHING Flow "Goes on at an instruction.";
    Cal "CAL" ALL NOTHING Flow "Runs a subroutine.";
    Callnz "CALLNZ" EARLY CONDITION_BITS Flow "The same, where the source has a bit.";
    Ret "RET" ALL NOTHING Flow "Goes on after CAL; ends the program outside of subroutines.";
    Bgnsub "BGNSUB" ALL NOTHING Flow "Begins a subroutine.";
    Endsub "ENDSUB" ALL NOTHING Flow "Ends a subroutine.";
    End "END" ALL NOTHING Flow "Ends the program.";
    // Geometry.
    Emit "EMIT" ALL STREAM Emit "Emits the outputs as a vertex.";
    Endprim "ENDPRIM" ALL STREAM Emit "Ends the primitive.";
    // Buffers.
    Load "LOAD" LATER READ_BUFFER Memory "Words of a buffer, from a byte on.";
    Store "STORE" LATER WRITE_BUFFER Memory "Writes words of a buffer, from a byte on.";
    Resq "RESQ" T23 BUFFER_SIZE Memory "The size of a buffer in bytes.";
    Atomuadd "ATOMUADD" LATER ATOMIC Memory "Adds to a word of a buffer; the old word.";
    Atomxchg "ATOMXCHG" LATER ATOMIC Memory "Replaces a word of a buffer; the old word.";
    Atomcas "ATOMCAS" LATER ATOMIC_EXCHANGE Memory "Replaces a word of a buffer if it has a value; the old word.";
    Atomand "ATOMAND" LATER ATOMIC Memory "Keeps bits of a word of a buffer; the old word.";
    Atomor "ATOMOR" LATER ATOMIC Memory "Sets bits of a word of a buffer; the old word.";
    Atomxor "ATOMXOR" LATER ATOMIC Memory "Flips bits of a word of a buffer; the old word.";
    Atomumin "ATOMUMIN" LATER ATOMIC Memory "The smaller unsigned word replaces one of a buffer; the old word.";
    Atomumax "ATOMUMAX" LATER ATOMIC Memory "The larger unsigned word replaces one of a buffer; the old word.";
    Atomimin "ATOMIMIN" LATER ATOMIC Memory "The smaller signed word replaces one of a buffer; the old word.";
    Atomimax "ATOMIMAX" LATER ATOMIC Memory "The larger signed word replaces one of a buffer; the old word.";
    // Opcodes that are refused.
    Barrier "BARRIER" LATER NOTHING Refused(Barriers) "Waits for the other threads of the block.";
    Membar "MEMBAR" T23 CONDITION_BITS Refused(Fences) "Orders memory accesses.";
    Mfence "MFENCE" T10 UNTYPED0 Refused(Fences) "Orders memory accesses.";
    Lfence "LFENCE" T10 UNTYPED0 Refused(Fences) "Orders reads.";
    Sfence "SFENCE" T10 UNTYPED0 Refused(Fences) "Orders writes.";
    Atomfadd "ATOMFADD" T23 ATOMIC Refused(OtherAtomics) "Adds a float to a word of a buffer.";
    AtomincWrap "ATOMINC_WRAP" T23 ATOMIC Refused(OtherAtomics) "Counts a word of a buffer up to a limit.";
    AtomdecWrap "ATOMDEC_WRAP" T23 ATOMIC Refused(OtherAtomics) "Counts a word of a buffer down from a limit.";
    Bgnfor "BGNFOR" T7 UNTYPED1 Refused(LoopCounters) "Repeats the instructions up to ENDFOR so many times.";
    Endfor "ENDFOR" T7 NOTHING Refused(LoopCounters) "Goes on after BGNFOR.";
    Rep "REP" T7 CONDITION_BITS Refused(LoopCounters) "Repeats the instructions up to ENDREP so many times.";
    Endrep "ENDREP" T7 NOTHING Refused(LoopCounters) "Goes on after REP.";
    M4x4 "M4X4" T7 UNTYPED2 Refused(Matrices) "The product of four components and four rows.";
    M4x3 "M4X3" T7 UNTYPED2 Refused(Matrices) "The product of four components and three rows.";
    M3x4 "M3X4" T7 UNTYPED2 Refused(Matrices) "The product of three components and four rows.";
    M3x3 "M3X3" T7 UNTYPED2 Refused(Matrices) "The product of three components and three rows.";
    M3x2 "M3X2" T7 UNTYPED2 Refused(Matrices) "The product of three components and two rows.";
    Fbfetch "FBFETCH" T23 UNTYPED1 Refused(FramebufferFetch) "The colour of the target.";
    Clock "CLOCK" T23 UNTYPED0 Refused(Clocks) "The time.";
    ReadHelper "READ_HELPER" T23 UNTYPED0 Plain "Whether the fragment only helps its neighbours.";
    Ballot "BALLOT" T23 UNTYPED1 Refused(Subgroups) "A bit for each thread.";
    ReadFirst "READ_FIRST" T23 UNTYPED1 Refused(Subgroups) "The value of the first thread.";
    ReadInvoc "READ_INVOC" T23 UNTYPED2 Refused(Subgroups) "The value of a thread.";
    VoteAny "VOTE_ANY" T23 UNTYPED1 Refused(Subgroups) "Whether any thread has a bit.";
    VoteAll "VOTE_ALL" T23 UNTYPED1 Refused(Subgroups) "Whether all threads have a bit.";
    VoteEq "VOTE_EQ" T23 UNTYPED1 Refused(Subgroups) "Whether all threads have the same value.";
    Img2hnd "IMG2HND" T23 UNTYPED1 Refused(Handles) "The handle of an image.";
    Samp2hnd "SAMP2HND" T23 UNTYPED1 Refused(Handles) "The handle of a texture.";
    F2u64 "F2U64" T23 UNTYPED1 Refused(Int64) "A float as an unsigned 64-bit integer.";
    F2i64 "F2I64" T23 UNTYPED1 Refused(Int64) "A float as a signed 64-bit integer.";
    U2i64 "U2I64" T23 UNTYPED1 Refused(Int64) "An unsigned integer as a 64-bit one.";
    I2i64 "I2I64" T23 UNTYPED1 Refused(Int64) "A signed integer as a 64-bit one.";
    D2u64 "D2U64" T23 UNTYPED1 Refused(Int64) "A double as an unsigned 64-bit integer.";
    D2i64 "D2I64" T23 UNTYPED1 Refused(Int64) "A double as a signed 64-bit integer.";
    U642f "U642F" T23 UNTYPED1 Refused(Int64) "An unsigned 64-bit integer as a float.";
    I642f "I642F" T23 UNTYPED1 Refused(Int64) "A signed 64-bit integer as a float.";
    U642d "U642D" T23 UNTYPED1 Refused(Int64) "An unsigned 64-bit integer as a double.";
    I642d "I642D" T23 UNTYPED1 Refused(Int64) "A signed 64-bit integer as a double.";
    I64abs "I64ABS" T23 UNTYPED1 Refused(Int64) "The absolute value.";
    I64ssg "I64SSG" T23 UNTYPED1 Refused(Int64) "1 above 0, -1 below, else 0.";
    I64neg "I64NEG" T23 UNTYPED1 Refused(Int64) "The source with the other sign.";
    U64add "U64ADD" T23 UNTYPED2 Refused(Int64) "The sum.";
    U64mul "U64MUL" T23 UNTYPED2 Refused(Int64) "The product.";
    I64div "I64DIV" T23 UNTYPED2 Refused(Int64) "The signed quotient.";
    U64div "U64DIV" T23 UNTYPED2 Refused(Int64) "The unsigned quotient.";
    I64mod "I64MOD" T23 UNTYPED2 Refused(Int64) "The signed remainder.";
    U64mod "U64MOD" T23 UNTYPED2 Refused(Int64) "The unsigned remainder.";
    U64shl "U64SHL" T23 UNTYPED2 Refused(Int64) "The first source shifted up.";
    I64shr "I64SHR" T23 UNTYPED2 Refused(Int64) "The first source shifted down with its sign.";
    U64shr "U64SHR" T23 UNTYPED2 Refused(Int64) "The first source shifted down with zeros.";
    I64min "I64MIN" T23 UNTYPED2 Refused(Int64) "The smaller signed one.";
    I64max "I64MAX" T23 UNTYPED2 Refused(Int64) "The larger signed one.";
    U64min "U64MIN" T23 UNTYPED2 Refused(Int64) "The smaller unsigned one.";
    U64max "U64MAX" T23 UNTYPED2 Refused(Int64) "The larger unsigned one.";
    U64seq "U64SEQ" T23 UNTYPED2 Refused(Int64) "All bits where both are equal.";
    U64sne "U64SNE" T23 UNTYPED2 Refused(Int64) "All bits where they differ.";
    I64slt "I64SLT" T23 UNTYPED2 Refused(Int64) "All bits where the first is below the second, signed.";
    U64slt "U64SLT" T23 UNTYPED2 Refused(Int64) "All bits where the first is below the second, unsigned.";
    I64sge "I64SGE" T23 UNTYPED2 Refused(Int64) "All bits where the first is not below the second, signed.";
    U64sge "U64SGE" T23 UNTYPED2 Refused(Int64) "All bits where the first is not below the second, unsigned.";
}
