"""Scenes: what the command `attila render` draws."""

import hashlib
import os
import pathlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from ._attila import Diagnostic, _Scene
from ._cache import CACHE
from ._picture import Picture
from ._player import player_html

Size = tuple[int, int]
Region = tuple[int, int, int, int]
Registers = Mapping[Any, str | ArrayLike]

# The most pixels along a side of what is drawn at once, and of a picture.
TARGET, PICTURE = 1 << 15, 1 << 16


@final
class Scene:
    """A program with the textures, inputs and constants that it is drawn with: what the command `attila render` draws.

    >>> scene = attila.Scene.from_text("mul o1, i6, c0", size=(64, 32), constants={0: (1, 0.5, 0, 1)})
    >>> image = scene.draw()
    >>> image.shape, image[31, 63].tolist()
    ((32, 64, 4), [253, 125, 0, 255])
    >>> np.array_equal(scene.draw((5, 3, 8, 7)), image[3:7, 5:8])
    True

    Scenes are pickled with the files that they name. They are loaded once in a process in which they arrive.
    """

    def __init__(self, name: str, source: bytes, *rest: Any) -> None:
        self._parts = (name, source, *rest)
        self._scene = _Scene(name, source, *rest)
        self._digest: str | None = None

    @staticmethod
    def from_text(
        text: str | bytes,
        *,
        name: str = "scene",
        size: Size = (640, 480),
        constants: Registers | None = None,
        varyings: Registers | None = None,
        textures: Mapping[int | str, str] | None = None,
        program: int | None = None,
    ) -> "Scene":
        """Loads a program of any language.

        `size` is the width and the height of the picture, which is drawn in regions if a side is longer than 32768.
        `constants`, `varyings` and `textures` go over what the program says, and are as the command has them: numbers, a
        sum such as "2*u, v, 0, 1", and a file with its options such as "wall.png, mips". `constants` may set inputs to
        what they are everywhere. Files are relative to the working directory; those that the program names are relative
        to the folder of `name`. `program` takes one of several by its number from 1.
        """
        source = text.encode() if isinstance(text, str) else text
        settings = [*_settings("set", "c", constants), *_settings("varying", "i", varyings)]
        settings += _settings("texture", "t", textures)
        return Scene(name, source, _pair("size", size), program, tuple(settings), None)

    @staticmethod
    def from_file(path: str | os.PathLike[str], **how: Any) -> "Scene":
        """Loads a file; `how` is as for `from_text`."""
        return Scene.from_text(pathlib.Path(path).read_bytes(), **{"name": os.fspath(path), **how})

    def with_size(self, size: Size) -> "Scene":
        """The same scene in a picture of another size."""
        name, source, _, *rest = self._packed()
        return Scene(name, source, _pair("size", size), *rest)

    @property
    def name(self) -> str:
        """What messages call it."""
        return str(self._parts[0])

    @property
    def size(self) -> Size:
        """The width and the height of the picture."""
        width, height = self._parts[2]
        return width, height

    @property
    def warnings(self) -> list[Diagnostic]:
        """Messages that keep it from nothing."""
        return self._scene.warnings()

    def draw(
        self,
        region: Region | None = None,
        *,
        dtype: DTypeLike = np.uint8,
        engine: Literal["auto", "jit", "interp"] = "auto",
        threads: int = 1,
        progress: Callable[[int, int], object] | None = None,
    ) -> Picture:
        """Draws the picture, or the region (left, top, right, bottom) of it, which has the bytes that the whole picture has.

        The array has shape (height, width, 4) and `dtype` uint8, float16 or float32. The background is opaque black.
        """
        width, height = self.size
        left, top, right, bottom = region or (0, 0, width, height)
        if not (0 <= left <= right <= width and 0 <= top <= bottom <= height):
            raise ValueError(f"region is {region}; expected left, top, right and bottom within {width} times {height} pixels")
        columns, rows = right - left, bottom - top
        if max(columns, rows) > TARGET:
            raise ValueError(f"region is {columns} times {rows} pixels; no side may be longer than {TARGET}")
        image = np.zeros((rows, columns, 4), dtype)
        image[..., 3] = 255 if image.dtype == np.uint8 else 1
        self._scene.draw(image, (left, top), engine, threads, progress)
        return Picture(image)

    def _repr_png_(self) -> bytes | None:
        return self.draw(threads=0)._repr_png_()

    def _repr_html_(self) -> str | None:
        name, source, size, program, settings, files = self._packed()
        return None if program else player_html(name, source, size, settings, files)

    def _packed(self) -> tuple[Any, ...]:
        """The parts, with the files that have been read."""
        *parts, files = self._parts
        return (*parts, self._scene.files() if files is None else files)

    @property
    def digest(self) -> str:
        """A hash of all that the picture depends on."""
        if self._digest is None:
            *parts, files = self._packed()
            digest = hashlib.sha256(repr(parts).encode())
            for name, content in sorted(files.items()):
                digest.update(f"{name}\0{len(content)}\0".encode() + content)
            self._digest = digest.hexdigest()
        return self._digest

    def __dask_tokenize__(self) -> str:
        return self.digest

    def __reduce__(self) -> Any:
        return _arrived, (self.digest, self._packed())

    def __repr__(self) -> str:
        width, height = self.size
        return f"<Scene {self.name!r}: {width} times {height} pixels>"


def _arrived(digest: str, parts: tuple[Any, ...]) -> Scene:
    return CACHE.get(digest, lambda: Scene(*parts))


def _pair(name: str, pair: Sequence[int]) -> Size:
    width, height = (int(side) for side in pair)
    if not (0 < width <= PICTURE and 0 < height <= PICTURE):
        raise ValueError(f"{name} is {pair}; expected a width and a height of 1 to {PICTURE}")
    return width, height


def _settings(kind: str, letter: str, given: Registers | None) -> list[tuple[str, str]]:
    return [(kind, f"{_name(letter, key)} = {_text(value)}") for key, value in (given or {}).items()]


def _name(letter: str, key: int | str) -> str:
    return f"{letter}{key}" if isinstance(key, int) else key


def _text(value: str | ArrayLike) -> str:
    # Numbers of 32 bits have a shortest text that is read as the same.
    return value if isinstance(value, str) else ", ".join(str(it) for it in np.atleast_1d(np.asarray(value, np.float32)))
