"""What Dask and Ray have in common: tiles of pictures, and rows of data frames."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._attila import Shader
from ._scene import Region, Scene

COMPONENTS = "xyzw"


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Imports what an extra of the package installs."""
    try:
        yield
    except ImportError as error:
        raise ImportError(f"{error}; attila.{name} needs what `pip install 'attila[{name}]'` installs") from error


def cut(length: int, tile: int) -> tuple[int, ...]:
    """The lengths of tiles along a side."""
    if tile < 1:
        raise ValueError(f"tile is {tile}; expected at least 1 pixel")
    return tuple(min(tile, length - start) for start in range(0, length, tile))


def sides(tile: int | tuple[int, int]) -> tuple[int, int]:
    """The width and the height of a tile."""
    return (tile, tile) if isinstance(tile, int) else tile


def draw(scene: Scene, region: Region, how: Mapping[str, Any]) -> NDArray[Any]:
    """A tile. If it fails, the error names the program and the region: who asks for a picture has not chosen its tiles."""
    try:
        return np.asarray(scene.draw(region, **how))
    except Exception as error:
        raise RuntimeError(f"{scene.name}, region {region}: {error}") from error


def map_frame(shader: Shader, frame: Any, inputs: Mapping[Any, Any], how: Mapping[str, Any]) -> Any:
    """A data frame of pandas with the results of a map over it, in columns such as "o1.x".

    The names of columns in `inputs`, a list for each register, stand for their numbers.
    """
    given = {key: _columns(frame, value) for key, value in inputs.items()}
    results = shader.map(given, **how)
    written = shader.program.usage.outputs
    columns = ((number, letter) for number in results for letter in written.get(number, COMPONENTS))
    return frame.assign(**{f"o{n}.{letter}": results[n][:, COMPONENTS.index(letter)] for n, letter in columns})


def _columns(frame: Any, value: Any) -> Any:
    is_names = isinstance(value, Sequence) and all(isinstance(name, str) for name in value)
    return frame[list(value)].to_numpy(np.float32) if is_names else value


def flat(shader: Shader, inputs: Mapping[Any, Any], outputs: Sequence[int], how: Mapping[str, Any]) -> NDArray[np.float32]:
    """The results of a map side by side."""
    results = shader.map(inputs, outputs=outputs, **how)
    return np.concatenate([results[number] for number in outputs], axis=1)
