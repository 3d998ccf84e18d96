"""Pictures in tiles, maps over columns, and frames of data sets, under Ray: `pip install 'attila[ray]'`.

A scene or a shader is put into Ray's store once, and each process loads it once.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _tiles
from ._attila import Shader
from ._picture import Picture
from ._scene import Region, Scene, Size

with _tiles.extra("ray"):
    import ray

__all__ = ["frames", "map", "render"]

# Tasks that wait for a processor: enough that none is without one while results are fetched.
AHEAD = 4


def render(
    scene: Scene,
    size: Size | None = None,
    *,
    tile: int | tuple[int, int] = 256,
    dtype: DTypeLike = np.uint8,
    engine: Literal["auto", "jit", "interp"] = "auto",
    threads: int = 1,
) -> Picture:
    """Draws the picture of a scene in tiles of `tile` pixels, or (width, height): the bytes of `scene.draw()`."""
    scene = scene if size is None else scene.with_size(size)
    width, height = scene.size
    image = np.empty((height, width, 4), dtype)
    how = {"dtype": image.dtype, "engine": engine, "threads": threads}
    shared, task = ray.put(scene), ray.remote(_tiles.draw)
    regions = _regions(scene.size, _tiles.sides(tile))
    for region, pixels in _each(regions, lambda region: task.remote(shared, region, how)):
        left, top, right, bottom = region
        image[top:bottom, left:right] = pixels
    return Picture(image)


def map(
    shader: Shader,
    inputs: Mapping[Any, Any],
    dataset: Any = None,
    *,
    rows: int = 1 << 18,
    constants: Mapping[Any, Any] | None = None,
    textures: Mapping[int, Any] | None = None,
    outputs: Sequence[int] | None = None,
    threads: int = 1,
) -> Any:
    """`shader.map` over arrays of NumPy in blocks of `rows`, or over a data set.

    With a data set, inputs are lists of names of its columns, or values; the result is the data set with columns such as
    "o1.x".
    """
    how: dict[str, Any] = {"constants": constants, "textures": textures, "threads": threads}
    shared = ray.put(shader)
    if dataset is not None:
        how["outputs"] = outputs
        given = {"shader": shared, "inputs": dict(inputs), "how": how}
        return dataset.map_batches(_rows, batch_format="pandas", fn_kwargs=given)
    if outputs is None:
        outputs = list(shader.program.usage.outputs)
    columns = {key: value for key, value in inputs.items() if isinstance(value, np.ndarray) and value.ndim == 2}
    count = max((len(column) for column in columns.values()), default=0)
    results = np.empty((count, 4 * len(outputs)), np.float32)
    task = ray.remote(_tiles.flat)

    def start(block: slice) -> Any:
        given = {**inputs, **{key: column[block] for key, column in columns.items()}}
        return task.remote(shared, given, list(outputs), how)

    blocks = (slice(first, first + rows) for first in range(0, count, rows))
    for block, found in _each(blocks, start):
        results[block] = found
    return {number: results[:, 4 * n : 4 * n + 4] for n, number in enumerate(outputs)}


def frames(dataset: Any, shader: Shader, *, unit: int = 0, column: str = "image", **how: Any) -> Any:
    """Draws over each frame of a data set, such as `ray.data.read_images(folder)`, with the frame in a texture unit.

    `how` is as for `shader.draw`. Frames have 3 or 4 components; the results have 4.
    """
    given = {"shader": ray.put(shader), "unit": unit, "column": column, "how": how}
    return dataset.map_batches(_frames, batch_size=16, fn_kwargs=given)


def _regions(size: Size, tile: tuple[int, int]) -> Iterator[Region]:
    (width, height), (columns, rows) = size, tile
    for top in range(0, height, rows):
        for left in range(0, width, columns):
            yield left, top, min(left + columns, width), min(top + rows, height)


def _each(things: Iterator[Any], start: Any) -> Iterator[tuple[Any, Any]]:
    """Things and what their tasks return, as they end. Not all are started at once: results wait in the store's memory."""
    running: dict[Any, Any] = {}
    most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
    for thing in things:
        if len(running) >= most:
            yield _first(running)
        running[start(thing)] = thing
    while running:
        yield _first(running)


def _first(running: dict[Any, Any]) -> tuple[Any, Any]:
    (done,), _ = ray.wait(list(running))
    return running.pop(done), ray.get(done)


def _here(shared: Any) -> Any:
    return ray.get(shared) if isinstance(shared, ray.ObjectRef) else shared


def _rows(batch: Any, shader: Any, inputs: Mapping[Any, Any], how: Mapping[str, Any]) -> Any:
    return _tiles.map_frame(_here(shader), batch, inputs, how)


def _frames(batch: dict[str, Any], shader: Any, unit: int, column: str, how: Mapping[str, Any]) -> dict[str, Any]:
    drawn = [_frame(_here(shader), frame, unit, how) for frame in batch[column]]
    return {**batch, column: np.stack(drawn) if len({frame.shape for frame in drawn}) == 1 else drawn}


def _frame(shader: Shader, frame: NDArray[Any], unit: int, how: Mapping[str, Any]) -> NDArray[Any]:
    texels = np.full((*frame.shape[:2], 4), 255, np.uint8)
    texels[..., : frame.shape[2]] = frame
    image = np.zeros_like(texels)
    shader.draw(image, **{**how, "textures": {**how.get("textures", {}), unit: texels}})
    return image
