//! The words of the language that are not opcodes.

use std::fmt;

use attila_isa::Stage;

/// Defines an enum whose values are words of the language.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal $(| $other:literal)*,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name {
            $(#[doc = concat!("`", $word, "`.")] $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &[$name] = &[$($name::$variant,)*];

            /// The word, in upper case.
            pub const fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }

            /// Finds one by its word, or by another that texts have for it, in letters of either case.
            pub fn find(word: &str) -> Option<$name> {
                let all = [$(($name::$variant, $word), $(($name::$variant, $other),)*)*];
                let found = all.iter().find(|row| row.1.eq_ignore_ascii_case(word));
                found.map(|row| row.0)
            }
        }

        /// As texts write it.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.word())
            }
        }
    };
}

words! {
    /// The kind of a program: the first word of its text.
    Processor {
        Fragment = "FRAG",
        Vertex = "VERT",
        Geometry = "GEOM",
        Compute = "COMP",
        TessellationControl = "TESS_CTRL",
        TessellationEvaluation = "TESS_EVAL",
        Task = "TASK",
        Mesh = "MESH",
    }
}

impl Processor {
    /// The stage of ATTILA that runs such programs, if there is one.
    pub const fn stage(self) -> Option<Stage> {
        match self {
            Processor::Fragment => Some(Stage::Fragment),
            Processor::Vertex => Some(Stage::Vertex),
            Processor::Geometry => Some(Stage::Geometry),
            Processor::Compute => Some(Stage::Compute),
            Processor::TessellationControl
            | Processor::TessellationEvaluation
            | Processor::Task
            | Processor::Mesh => None,
        }
    }

    /// Its name in messages.
    pub const fn noun(self) -> &'static str {
        match self {
            Processor::Fragment => "fragment",
            Processor::Vertex => "vertex",
            Processor::Geometry => "geometry",
            Processor::Compute => "compute",
            Processor::TessellationControl | Processor::TessellationEvaluation => "tessellation",
            Processor::Task => "task",
            Processor::Mesh => "mesh",
        }
    }
}

words! {
    /// A register file.
    File {
        Null = "NULL",
        Constant = "CONST",
        Input = "IN",
        Output = "OUT",
        Temporary = "TEMP",
        Sampler = "SAMP",
        Address = "ADDR",
        Immediate = "IMM",
        Predicate = "PRED",
        SystemValue = "SV",
        Resource = "RES",
        SamplerView = "SVIEW",
        ImmediateArray = "IMMX",
        TemporaryArray = "TEMPX",
        Image = "IMAGE",
        Buffer = "BUFFER",
        Memory = "MEMORY",
        ConstantBuffer = "CONSTBUF",
        HardwareAtomic = "HWATOMIC" | "HW_ATOMIC",
        HalfTemporary = "TEMP16",
        Loop = "LOOP",
    }
}

words! {
    /// The semantic of an input, an output or a system value.
    SemanticName {
        Position = "POSITION",
        Color = "COLOR",
        BackColor = "BCOLOR",
        Fog = "FOG",
        PointSize = "PSIZE",
        Generic = "GENERIC",
        Normal = "NORMAL",
        Face = "FACE",
        EdgeFlag = "EDGEFLAG",
        PrimitiveId = "PRIM_ID",
        InstanceId = "INSTANCEID",
        VertexId = "VERTEXID",
        Stencil = "STENCIL",
        ClipDistance = "CLIPDIST",
        ClipVertex = "CLIPVERTEX",
        GridSize = "GRID_SIZE",
        BlockId = "BLOCK_ID",
        BlockSize = "BLOCK_SIZE",
        ThreadId = "THREAD_ID",
        TextureCoordinate = "TEXCOORD",
        PointCoordinate = "PCOORD",
        ViewportIndex = "VIEWPORT_INDEX",
        Layer = "LAYER",
        CullDistance = "CULLDIST",
        SampleId = "SAMPLEID",
        SamplePosition = "SAMPLEPOS",
        SampleMask = "SAMPLEMASK",
        InvocationId = "INVOCATIONID",
        VertexIdNoBase = "VERTEXID_NOBASE",
        BaseVertex = "BASEVERTEX",
        Patch = "PATCH",
        TessellationCoordinate = "TESSCOORD",
        TessellationOuter = "TESSOUTER",
        TessellationInner = "TESSINNER",
        VerticesIn = "VERTICESIN",
        HelperInvocation = "HELPER_INVOCATION",
        FragmentHelper = "FRAG_HELPER",
        BaseInstance = "BASEINSTANCE",
        DrawId = "DRAWID",
        WorkDimension = "WORK_DIM",
        SubgroupSize = "SUBGROUP_SIZE",
        SubgroupInvocation = "SUBGROUP_INVOCATION",
        SubgroupEqMask = "SUBGROUP_EQ_MASK",
        SubgroupGeMask = "SUBGROUP_GE_MASK",
        SubgroupGtMask = "SUBGROUP_GT_MASK",
        SubgroupLeMask = "SUBGROUP_LE_MASK",
        SubgroupLtMask = "SUBGROUP_LT_MASK",
        UserData = "CS_USER_DATA_AMD",
        ViewportMask = "VIEWPORT_MASK",
    }
}

words! {
    /// The way in which an input changes over a primitive.
    Interpolation {
        Constant = "CONSTANT",
        Linear = "LINEAR",
        Perspective = "PERSPECTIVE",
        Color = "COLOR",
    }
}

words! {
    /// The place in a pixel at which an input is taken.
    Location {
        Center = "CENTER",
        Centroid = "CENTROID",
        Sample = "SAMPLE",
    }
}

words! {
    /// The shape of a texture, and whether its texels are compared.
    Target {
        Unknown = "UNKNOWN",
        Buffer = "BUFFER",
        OneD = "1D",
        TwoD = "2D",
        ThreeD = "3D",
        Cube = "CUBE",
        Rectangle = "RECT",
        ShadowOneD = "SHADOW1D",
        ShadowTwoD = "SHADOW2D",
        ShadowRectangle = "SHADOWRECT",
        OneDArray = "1D_ARRAY",
        TwoDArray = "2D_ARRAY",
        ShadowOneDArray = "SHADOW1D_ARRAY",
        ShadowTwoDArray = "SHADOW2D_ARRAY",
        ShadowCube = "SHADOWCUBE",
        TwoDMultisample = "2D_MSAA",
        TwoDArrayMultisample = "2D_ARRAY_MSAA",
        CubeArray = "CUBEARRAY",
        ShadowCubeArray = "SHADOWCUBEARRAY",
    }
}

words! {
    /// The type of the components of a texel.
    ReturnType {
        Float = "FLOAT",
        Unorm = "UNORM",
        Snorm = "SNORM",
        Sint = "SINT",
        Uint = "UINT",
    }
}

words! {
    /// The type of an immediate.
    ImmediateType {
        Float = "FLT32",
        Uint = "UINT32",
        Int = "INT32",
        Double = "FLT64",
        Uint64 = "UINT64",
        Int64 = "INT64",
    }
}

words! {
    /// A kind of primitive.
    Primitive {
        Points = "POINTS",
        Lines = "LINES",
        LineLoop = "LINE_LOOP",
        LineStrip = "LINE_STRIP",
        Triangles = "TRIANGLES",
        TriangleStrip = "TRIANGLE_STRIP",
        TriangleFan = "TRIANGLE_FAN",
        Quads = "QUADS",
        QuadStrip = "QUAD_STRIP",
        Polygon = "POLYGON",
        LinesAdjacency = "LINES_ADJACENCY",
        LineStripAdjacency = "LINE_STRIP_ADJACENCY",
        TrianglesAdjacency = "TRIANGLES_ADJACENCY",
        TriangleStripAdjacency = "TRIANGLE_STRIP_ADJACENCY",
        Patches = "PATCHES",
    }
}

impl Primitive {
    /// The number of vertices of a primitive that a geometry program may take; `None` for other kinds.
    pub const fn input_vertices(self) -> Option<u32> {
        match self {
            Primitive::Points => Some(1),
            Primitive::Lines => Some(2),
            Primitive::LinesAdjacency => Some(4),
            Primitive::Triangles => Some(3),
            Primitive::TrianglesAdjacency => Some(6),
            Primitive::LineLoop
            | Primitive::LineStrip
            | Primitive::TriangleStrip
            | Primitive::TriangleFan
            | Primitive::Quads
            | Primitive::QuadStrip
            | Primitive::Polygon
            | Primitive::LineStripAdjacency
            | Primitive::TriangleStripAdjacency
            | Primitive::Patches => None,
        }
    }

    /// Whether a geometry program may emit them.
    pub const fn is_output(self) -> bool {
        matches!(
            self,
            Primitive::Points | Primitive::LineStrip | Primitive::TriangleStrip
        )
    }
}

words! {
    /// A general fact about a program.
    PropertyName {
        GsInputPrimitive = "GS_INPUT_PRIMITIVE",
        GsOutputPrimitive = "GS_OUTPUT_PRIMITIVE",
        GsMaxOutputVertices = "GS_MAX_OUTPUT_VERTICES",
        GsInvocations = "GS_INVOCATIONS",
        FsCoordOrigin = "FS_COORD_ORIGIN",
        FsCoordPixelCenter = "FS_COORD_PIXEL_CENTER",
        FsColor0WritesAllCbufs = "FS_COLOR0_WRITES_ALL_CBUFS",
        FsDepthLayout = "FS_DEPTH_LAYOUT",
        FsEarlyDepthStencil = "FS_EARLY_DEPTH_STENCIL",
        FsPostDepthCoverage = "FS_POST_DEPTH_COVERAGE",
        FsBlendEquationAdvanced = "FS_BLEND_EQUATION_ADVANCED",
        VsProhibitUcps = "VS_PROHIBIT_UCPS",
        VsWindowSpacePosition = "VS_WINDOW_SPACE_POSITION",
        NumClipdistEnabled = "NUM_CLIPDIST_ENABLED",
        NumCulldistEnabled = "NUM_CULLDIST_ENABLED",
        NextShader = "NEXT_SHADER",
        CsFixedBlockWidth = "CS_FIXED_BLOCK_WIDTH",
        CsFixedBlockHeight = "CS_FIXED_BLOCK_HEIGHT",
        CsFixedBlockDepth = "CS_FIXED_BLOCK_DEPTH",
        LegacyMathRules = "LEGACY_MATH_RULES",
        MulZeroWins = "MUL_ZERO_WINS",
        LayerViewportRelative = "LAYER_VIEWPORT_RELATIVE",
        SeparableProgram = "SEPARABLE_PROGRAM",
        TcsVerticesOut = "TCS_VERTICES_OUT",
        TesPrimMode = "TES_PRIM_MODE",
        TesSpacing = "TES_SPACING",
        TesVertexOrderCw = "TES_VERTEX_ORDER_CW",
        TesPointMode = "TES_POINT_MODE",
        VsBlitSgprs = "VS_BLIT_SGPRS_AMD",
        CsUserDataComponents = "CS_USER_DATA_COMPONENTS_AMD",
    }
}

words! {
    /// The corner of a window from which fragments are counted.
    Origin {
        UpperLeft = "UPPER_LEFT",
        LowerLeft = "LOWER_LEFT",
    }
}

words! {
    /// The coordinates of the centre of a fragment.
    PixelCenter {
        HalfInteger = "HALF_INTEGER",
        Integer = "INTEGER",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_either_case() {
        for file in File::ALL {
            assert_eq!(File::find(file.word()), Some(*file));
        }
        assert_eq!(Target::find("2d_array"), Some(Target::TwoDArray));
        assert_eq!(Target::find("2D_ARRAYS"), None);
        assert_eq!(File::find("hw_atomic"), Some(File::HardwareAtomic));
    }

    #[test]
    fn only_five_kinds_of_primitives_enter_geometry_programs() {
        let kinds = Primitive::ALL.iter();
        let inputs = kinds.filter_map(|kind| kind.input_vertices());
        assert_eq!(inputs.collect::<Vec<_>>(), [1, 2, 3, 4, 6]);
    }
}
