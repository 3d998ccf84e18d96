"""Scenes whose tiles differ in time, and depend on what is beyond their borders."""

import numpy as np
import pytest

import attila

# Every lane goes round the loop as often as its own point needs, so that tiles take different times.
JULIA = """
;! const c0 = -0.745 0.113 256 500
;! varying i6 = 0.9*s, 0.9*t, 0, 1
        mov     r0.xy, i6
loop:   mul     r2.xy, r0, r0
        add     r3.x, r2.x, r2.y
        setpgt  p0, r3.x, c0.z
        jmp     p0, out
        setpgt  p1, r1.x, c0.w
        jmp     p1, out
        mul     r4.x, r0.x, r0.y
        add     r0.x, r2.x, -r2.y
        add     r0.y, r4.x, r4.x
        add     r0.xy, r0, c0
        add     r1.x, r1.x, 1
        jmp     true, loop
out:    mul     o1, r1.x, 0.004 <- end
"""

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
