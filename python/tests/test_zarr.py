"""A picture that no memory has room for goes to compressed files, tile by tile."""

import os
import pathlib
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from conftest import lacks

import attila

# Uniform but for its borders: what is measured is neither the program nor the compression.
TEXT = ";! varying i6 = u, v, 0, 1\nsge r0, i6, 0.25\nadd o1, r0, 0.002"
TILE = 2048

# Draws the scene on two threads, and prints the most memory that the process has had, in KB.
ZARR = """
import resource, sys, attila, zarr
from concurrent.futures import ThreadPoolExecutor
text, path, side, tile = *sys.argv[1:3], int(sys.argv[3]), int(sys.argv[4])
scene = attila.Scene.from_text(text, size=(side, side))
store = zarr.open(path, mode="w", shape=(side, side, 4), chunks=(tile, tile, 4), dtype="u1")
def draw(place):
    left, top = place
    store[top:top + tile, left:left + tile] = scene.draw((left, top, left + tile, top + tile))
with ThreadPoolExecutor(2) as pool:
    list(pool.map(draw, ((left, top) for top in range(0, side, tile) for left in range(0, side, tile))))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
DASK = """
import resource, sys, dask, attila.dask
text, path, side, tile = *sys.argv[1:3], int(sys.argv[3]), int(sys.argv[4])
scene = attila.Scene.from_text(text, size=(side, side))
with dask.config.set(scheduler="threads", num_workers=2):
    attila.dask.render(scene, tile=tile).to_zarr(path)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.skipif(lacks("zarr"), reason="zarr is not installed")
@pytest.mark.parametrize("module, script", [("zarr", ZARR), ("dask", DASK)])
def test_a_picture_goes_to_zarr_without_being_in_memory(module: str, script: str, tmp_path: pathlib.Path) -> None:
    if lacks(module):
        pytest.skip(f"{module} is not installed")
    side = int(os.environ.get("ATTILA_SIDE", 8192))
    import zarr

    path = str(tmp_path / "picture.zarr")
    run = [sys.executable, "-c", script, TEXT, path, str(side), str(TILE)]
    peak = int(subprocess.run(run, check=True, stdout=subprocess.PIPE).stdout) << 10
    print(f"{side} times {side} pixels, {4 * side * side >> 20} MB, by {module}: {peak >> 20} MB resident")
    assert peak < 1 << 30
    stored: Any = zarr.open(path, mode="r")
    random = np.random.default_rng(3)
    assert stored.shape == (side, side, 4)
    scene = attila.Scene.from_text(TEXT, size=(side, side))
    corners = [(0, 0), (side - 70, side - 50), *random.integers(0, side - 70, (20, 2)).tolist()]
    for left, top in corners:
        part = scene.draw((left, top, left + 70, top + 50))
        assert np.array_equal(stored[top : top + 50, left : left + 70], part), (left, top)
