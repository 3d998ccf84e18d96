"""Scenes whose tiles differ in time, and depend on what is beyond their borders."""

import pathlib
import runpy

import numpy as np
import pytest

import attila

# Every lane goes round the loop as often as its own point needs, so that tiles take different times.
JULIA = runpy.run_path(str(pathlib.Path(__file__).parents[2] / "cluster.py"))["TEXT"]

# Derivatives and levels of textures at the borders of tiles are those of the whole.
WALL = """
;! texture t0 = bricks
;! const c0 = 8
;! varying i6 = 5*u, 3*v, 0, 1
        tex     r0, i6, t0
        ddx     r1, i6
        mad     o1, r1, c0, r0
"""

ENDLESS = """
loop:   setpgt  p0, r0.x, 2
        jmp     p0, out
        add     r0.x, r0.x, 0.0
        jmp     true, loop
out:    mov     o1, r0 <- end
"""

SCENES = {"julia": JULIA, "wall": WALL}


def odd(random: np.random.Generator) -> tuple[int, int]:
    """The width and the height of a tile, odd as often as not."""
    width, height = random.integers(11, 120, 2)
    return int(width), int(height)


@pytest.fixture(params=SCENES)
def scene(request: pytest.FixtureRequest) -> attila.Scene:
    return attila.Scene.from_text(SCENES[request.param], name=f"{request.param}.attila", size=(203, 131))


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(11)
