import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Diagnostic",
    "Geometry",
    "Mesh",
    "PreparedDraw",
    "Program",
    "ProgramError",
    "Quads",
    "Shader",
    "State",
    "Stopped",
    "Texture",
    "Triangles",
    "Usage",
    "assemble",
    "check",
    "load",
    "resolve",
    "_Scene",
    "_png",
    "_program",
]

class _DLPack(Protocol):
    def __dlpack__(self) -> Any: ...

_Stage = Literal["vertex", "fragment", "geometry", "compute"]
_Engine = Literal["auto", "jit", "interp"]
_Language = Literal["arb", "tgsi", "agal", "ctm", "assembly", "binary"]
_Array = NDArray[Any]
_Floats = NDArray[np.float32]
# float32, or int32 or uint32 as bits.
_Words = _Array
_T = TypeVar("_T")
# A `dict` whose keys are numbers of registers, or their names: 6, "i6" or "fragment.texcoord[0]". Its type is wider here, as
# that of a `dict` of numbers is not one of numbers or names.
_Registers: TypeAlias = Mapping[Any, _T]
# Of all components, or one for each.
_Value = float | Sequence[float] | _Words
# An array of rows, one of each component, or a value.
_Column = _Value | Sequence[_Words]
_Planes = Sequence[Sequence[float]]
_Varying = str | _Value | _Planes
# Gets coordinates of shape (n, 4), and answers with texels that broadcast to that shape.
_Sampler = Callable[[Any], ArrayLike]
_Textures: TypeAlias = Mapping[Any, Texture | _Array | _DLPack | _Sampler]
# Finished and all elements; False stops the call. True shows a bar.
_Progress = Callable[[int, int], object] | bool
_Image = _Array | Sequence[_Array | None] | Mapping[str, _Array] | Mapping[int, _Array]
# Left, top, right, bottom.
_Rectangle = tuple[int, int, int, int]
_Shape: TypeAlias = Triangles | Mesh | Quads
_Format = Literal["rgba8", "bgra8", "rgba8-srgb", "rgba16f", "rgba32f", "r32f", "rgb10a2", "r8"]
_Formats = _Format | Sequence[_Format | None] | Mapping[Any, str]
_Compare = Literal[
    "never", "less", "equal", "less_equal", "greater", "not_equal", "greater_equal", "always"
]
_Equation = tuple[str, str, str]
_Blend = bool | Literal["over", "add"] | _Equation | Mapping[Any, Any]
_Kind = Literal[
    "2d",
    "1d",
    "3d",
    "cube",
    "rect",
    "buffer",
    "1d-array",
    "2d-array",
    "cube-array",
    "2d-ms",
    "2d-ms-array",
]
_Filter = Literal["linear", "nearest"]
_Filters = _Filter | tuple[_Filter, _Filter, Literal["none", "nearest", "linear"]]
_Wrap = Literal["repeat", "clamp", "edge", "border", "mirror"]
_Curve = bool | Literal["linear", "standard", "power"]

class ProgramError(ValueError):
    diagnostics: list[Diagnostic]

class Stopped(RuntimeError): ...

@final
class Diagnostic:
    @property
    def severity(self) -> Literal["error", "warning"]: ...
    @property
    def code(self) -> Literal["syntax", "directive", "program", "file"]: ...
    @property
    def message(self) -> str: ...
    @property
    def help(self) -> list[str]: ...
    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int | None: ...
    @property
    def column(self) -> int | None: ...
    @property
    def offset(self) -> int | None: ...
    @property
    def length(self) -> int | None: ...
    @property
    def text(self) -> str: ...
    def _repr_html_(self) -> str: ...

@final
class Usage:
    @property
    def stage(self) -> _Stage: ...
    @property
    def inputs(self) -> dict[int, str]: ...
    @property
    def outputs(self) -> dict[int, str]: ...
    @property
    def constants(self) -> list[int]: ...
    @property
    def textures(self) -> list[int]: ...
    @property
    def names(self) -> dict[str, str]: ...
    @property
    def kills(self) -> bool: ...
    @property
    def derivatives(self) -> bool: ...
    def _repr_html_(self) -> str: ...

@final
class Program:
    @property
    def instructions(self) -> int: ...
    @property
    def warnings(self) -> list[Diagnostic]: ...
    @property
    def usage(self) -> Usage: ...
    def disassemble(self) -> str: ...
    def translate(self) -> str: ...
    def encode(self) -> bytes: ...
    def prepare(self, engine: _Engine = "auto") -> Shader: ...

@final
class Texture:
    @staticmethod
    def from_array(
        array: ArrayLike | _DLPack,
        *,
        levels: bool | Sequence[ArrayLike] | None = None,
        filter: _Filters | None = None,
        wrap: _Wrap | Sequence[_Wrap] | None = None,
        srgb: _Curve | None = None,
        aniso: int = 1,
        kind: _Kind = "2d",
        format: str | None = None,
        border: Sequence[float] | None = None,
        bias: float = 0.0,
        lod: tuple[float, float] | None = None,
        compare: _Compare | None = None,
        texels: bool = False,
    ) -> Texture: ...
    @staticmethod
    def from_file(
        path: str | os.PathLike[str],
        *,
        levels: bool | None = None,
        filter: _Filters | None = None,
        wrap: _Wrap | Sequence[_Wrap] | None = None,
        srgb: _Curve | None = None,
        aniso: int = 1,
        kind: Literal["2d", "1d", "3d", "cube"] | None = None,
        slices: int | None = None,
        border: Sequence[float] | None = None,
        bias: float = 0.0,
        lod: tuple[float, float] | None = None,
        compare: _Compare | None = None,
        texels: bool = False,
    ) -> Texture: ...
    def free(self) -> None: ...
    @property
    def kind(self) -> _Kind: ...
    @property
    def size(self) -> tuple[int, int, int]: ...
    @property
    def format(self) -> str: ...
    @property
    def levels(self) -> int: ...

@final
class State:
    def __new__(
        cls,
        *,
        depth_test: _Compare = "less",
        depth_write: bool = True,
        alpha_test: tuple[_Compare, float] | None = None,
        blend_constant: tuple[float, float, float, float] = ...,
        write_mask: str | Mapping[Any, str] | None = None,
        cull: Literal["none", "front", "back"] = "none",
        front: Literal["counterclockwise", "clockwise"] = "counterclockwise",
        two_sided: bool = False,
        sample_mask: int = 0xFFFFFFFF,
        sample_shading: bool = False,
        alpha_to_coverage: bool = False,
        raster_samples: int | None = None,
        sample_positions: Sequence[Sequence[int]] | None = None,
        anchor: tuple[float, float] = ...,
        loop_budget: int | None = None,
    ) -> State: ...

@final
class Triangles:
    def __new__(
        cls,
        positions: _Floats,
        indices: _Array | None = None,
        *,
        attributes: _Registers[_Floats] | None = None,
    ) -> Triangles: ...

@final
class Mesh:
    def __new__(
        cls,
        shader: Shader,
        attributes: _Registers[_Array],
        indices: _Array | None = None,
        *,
        constants: _Registers[_Value] | None = None,
        textures: _Textures | None = None,
        instance: int = 0,
        viewport: Sequence[float] | None = None,
        depth_range: tuple[float, float] = ...,
        y_down: bool = False,
        zero_to_one: bool = False,
        clamp_colour: bool = True,
        geometry: Geometry | None = None,
    ) -> Mesh: ...

@final
class Geometry:
    def __new__(
        cls,
        shader: Shader,
        primitives: Literal["points", "lines", "triangles"] = "triangles",
        *,
        constants: _Registers[_Value] | None = None,
        textures: _Textures | None = None,
        max_vertices: int = 1024,
        invocations: int = 1,
    ) -> Geometry: ...

@final
class Quads:
    def __new__(
        cls,
        places: NDArray[np.uint32],
        coverage: NDArray[np.uint16] | None = None,
        *,
        inputs: _Registers[_Floats] | None = None,
    ) -> Quads: ...

@final
class Shader:
    @property
    def engine(self) -> str: ...
    @property
    def program(self) -> Program: ...
    def map(
        self,
        inputs: _Registers[_Column],
        *,
        constants: _Registers[_Value] | None = None,
        textures: _Textures | None = None,
        storage: _Registers[_Words] | None = None,
        outputs: Sequence[int | str] | None = None,
        out: _Registers[_Words | Sequence[_Words]] | None = None,
        killed: NDArray[np.bool_] | NDArray[np.uint8] | None = None,
        quads: bool = False,
        threads: int = 1,
        progress: _Progress | None = None,
    ) -> dict[int, _Floats]: ...
    def explain(
        self,
        inputs: _Registers[_Column],
        *,
        outputs: Sequence[int | str] | None = None,
        out: _Registers[_Words | Sequence[_Words]] | None = None,
    ) -> dict[str, str]: ...
    def draw(
        self,
        image: _Image | None,
        *,
        depth: _Array | None = None,
        varyings: _Registers[_Varying] | None = None,
        constants: _Registers[_Value] | None = None,
        textures: _Textures | None = None,
        storage: _Registers[_Words] | None = None,
        region: _Rectangle | None = None,
        size: tuple[int, int] | None = None,
        shape: _Shape | None = None,
        format: _Formats | None = None,
        blend: _Blend | None = None,
        scissor: _Rectangle | None = None,
        samples: int = 1,
        threads: int = 1,
        state: State | None = None,
        progress: _Progress | None = None,
    ) -> None: ...
    def prepare(
        self,
        image: _Image | _Formats | None,
        *,
        depth: _Array | Literal["d32f", "d24"] | None = None,
        varyings: _Registers[_Varying] | None = None,
        constants: _Registers[_Value] | None = None,
        textures: _Textures | None = None,
        storage: _Registers[_Words] | None = None,
        format: _Formats | None = None,
        blend: _Blend | None = None,
        scissor: _Rectangle | None = None,
        samples: int = 1,
        threads: int = 1,
        state: State | None = None,
    ) -> PreparedDraw: ...

@final
class PreparedDraw:
    def draw(
        self,
        image: _Image | None,
        *,
        depth: _Array | None = None,
        varyings: _Registers[_Varying] | None = None,
        constants: _Registers[_Value] | None = None,
        region: _Rectangle | None = None,
        size: tuple[int, int] | None = None,
        shape: _Shape | None = None,
        progress: _Progress | None = None,
    ) -> None: ...

# A scene that has been loaded, see `_scene.py`.
@final
class _Scene:
    def __new__(
        cls,
        name: str,
        source: bytes,
        size: tuple[int, int],
        program: int | None,
        settings: Sequence[tuple[str, str]],
        files: Mapping[str, bytes] | None,
    ) -> _Scene: ...
    def files(self) -> dict[str, bytes]: ...
    def warnings(self) -> list[Diagnostic]: ...
    def draw(
        self,
        image: _Array,
        origin: tuple[int, int],
        engine: _Engine,
        threads: int,
        progress: _Progress | None,
    ) -> None: ...

def load(
    source: str | bytes | os.PathLike[str],
    *,
    name: str | None = None,
    stage: _Stage | None = None,
    language: _Language | None = None,
    program: int | None = None,
) -> Program: ...
def assemble(text: str) -> Program: ...
def resolve(image: _Array, out: _Array | None = None, *, format: str | None = None) -> _Array: ...
def _png(pixels: bytes, width: int, alpha: bool) -> bytes: ...
def _program(recipe: tuple[Any, ...]) -> Program: ...
def check(text: str, *, language: _Language | None = None) -> list[Diagnostic]: ...
