import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Diagnostic",
    "Program",
    "ProgramError",
    "Shader",
    "Stopped",
    "Usage",
    "assemble",
    "check",
    "load",
    "_Scene",
    "_program",
]

_Stage = Literal["vertex", "fragment", "geometry", "compute"]
_Engine = Literal["auto", "jit", "interp"]
_Array = NDArray[Any]
_Floats = NDArray[np.float32]
_T = TypeVar("_T")
# A `dict` whose keys are numbers of registers, or their names: 6, "i6" or "fragment.texcoord[0]". Its type is wider here, as
# that of a `dict` of numbers is not one of numbers or names.
_Registers = Mapping[Any, _T]
# Of all components, or one for each.
_Value = float | Sequence[float] | _Floats
# Finished and all elements; False stops the call.
_Progress = Callable[[int, int], object]

class ProgramError(ValueError):
    diagnostics: list[Diagnostic]

class Stopped(RuntimeError): ...

@final
class Diagnostic:
    @property
    def severity(self) -> Literal["error", "warning"]: ...
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
    def prepare(self, engine: _Engine = "auto") -> Shader: ...

@final
class Shader:
    @property
    def engine(self) -> str: ...
    @property
    def program(self) -> Program: ...
    def map(
        self,
        inputs: _Registers[_Value],
        *,
        constants: _Registers[_Value] | None = None,
        textures: Mapping[int, _Array] | None = None,
        outputs: Sequence[int] | None = None,
        threads: int = 1,
        progress: _Progress | None = None,
    ) -> dict[int, _Floats]: ...
    def draw(
        self,
        image: _Array,
        *,
        varyings: _Registers[str | _Value] | None = None,
        constants: _Registers[_Value] | None = None,
        textures: Mapping[int, _Array] | None = None,
        region: tuple[int, int, int, int] | None = None,
        size: tuple[int, int] | None = None,
        threads: int = 1,
        blend: bool = False,
        depth: _Floats | None = None,
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
    program: int | None = None,
) -> Program: ...
def assemble(text: str) -> Program: ...
def _program(recipe: tuple[Any, ...]) -> Program: ...
def check(text: str) -> list[Diagnostic]: ...
