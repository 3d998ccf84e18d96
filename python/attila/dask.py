"""Pictures in tiles and maps over columns, under Dask: `pip install 'attila[dask]'`.

Nothing is drawn before Dask is asked for it, by its threads, by processes or by a cluster.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _tiles
from ._attila import Shader
from ._scene import Scene, Size

with _tiles.extra("dask"):
    import dask
    import dask.array
    from dask.delayed import delayed

__all__ = ["map", "render"]


def render(
    scene: Scene,
    size: Size | None = None,
    *,
    tile: int | tuple[int, int] = 256,
    dtype: DTypeLike = np.uint8,
    engine: Literal["auto", "jit", "interp"] = "auto",
    threads: int = 1,
) -> dask.array.Array:
    """The picture of a scene as an array in tiles of `tile` pixels, or (width, height): the bytes of `scene.draw()`.

    A worker is sent the scene once. Tiles are drawn with `threads` each, as Dask has threads of its own.
    """
    scene = scene if size is None else scene.with_size(size)
    (columns, rows), (width, height) = _tiles.sides(tile), scene.size
    return dask.array.map_blocks(
        _tile,
        chunks=(_tiles.cut(height, rows), _tiles.cut(width, columns), (4,)),
        meta=np.empty((0, 0, 0), dtype),
        scene=_shared(scene),
        how={"dtype": np.dtype(dtype), "engine": engine, "threads": threads},
    )


def map(
    shader: Shader,
    inputs: Mapping[Any, Any],
    frame: Any = None,
    *,
    constants: Mapping[Any, Any] | None = None,
    textures: Mapping[int, Any] | None = None,
    outputs: Sequence[int] | None = None,
    threads: int = 1,
) -> Any:
    """`shader.map` over arrays of Dask, or over a data frame.

    Inputs are arrays of shape (n, 4), or of fewer components, or a value for all; at least one is an array of Dask. The
    result is an array for each output. With a data frame, inputs are lists of names of its columns, or values; the result is
    the frame with columns such as "o1.x".
    """
    how: dict[str, Any] = {"constants": constants, "textures": textures, "threads": threads}
    if frame is not None:
        how["outputs"] = outputs
        meta = _tiles.map_frame(shader, frame._meta, inputs, how)
        return frame.map_partitions(_rows, _shared(shader), dict(inputs), how, meta=meta)
    if outputs is None:
        outputs = list(shader.program.usage.outputs)
    arrays = {key: value for key, value in inputs.items() if isinstance(value, dask.array.Array)}
    # Axis 0 is that of the rows, 1 that of the results, and those of the inputs are contracted.
    pairs = [it for n, array in enumerate(arrays.values(), 2) for it in (array, (0, n))]
    results = dask.array.blockwise(
        _columns,
        (0, 1),
        *pairs,
        new_axes={1: 4 * len(outputs)},
        concatenate=True,
        meta=np.empty((0, 0), np.float32),
        shader=_shared(shader),
        keys=list(arrays),
        values={key: value for key, value in inputs.items() if key not in arrays},
        outputs=list(outputs),
        how=how,
    )
    return {number: results[:, 4 * n : 4 * n + 4] for n, number in enumerate(outputs)}


def _shared(thing: Scene | Shader) -> Any:
    """A node of the graph, which a worker gets once, and not with each task."""
    return delayed(thing, pure=True, traverse=False)


def _tile(scene: Scene, how: Mapping[str, Any], block_info: Any = None) -> NDArray[Any]:
    (top, bottom), (left, right), _ = block_info[None]["array-location"]
    return _tiles.draw(scene, (int(left), int(top), int(right), int(bottom)), how)


def _rows(frame: Any, shader: Shader, inputs: Mapping[Any, Any], how: Mapping[str, Any]) -> Any:
    return _tiles.map_frame(shader, frame, inputs, how)


def _columns(
    *arrays: NDArray[Any],
    shader: Shader,
    keys: Sequence[Any],
    values: Mapping[Any, Any],
    outputs: Sequence[int],
    how: Mapping[str, Any],
) -> NDArray[np.float32]:
    return _tiles.flat(shader, {**dict(zip(keys, arrays)), **values}, outputs, how)
