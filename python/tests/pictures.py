"""Random draws, which an example of the crate `attila-conformance` prints with what Rust draws."""

import functools
import json
import os
import pathlib
import subprocess
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray

import attila

WIDTH, HEIGHT, PITCH, SAMPLES = 9, 70, 9 * 16 + 16, 4
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
PLACES = np.arange(1, PITCH * HEIGHT * SAMPLES + 1, dtype=np.uint64)

COMPARES: Any = "never less equal less_equal greater not_equal greater_equal always".split()
OPERATIONS = "add subtract reverse_subtract min max".split()
FACTORS = (
    "zero one src_colour one_minus_src_colour dst_colour one_minus_dst_colour src_alpha one_minus_src_alpha dst_alpha "
    "one_minus_dst_alpha constant_colour one_minus_constant_colour constant_alpha one_minus_constant_alpha "
    "src_alpha_saturate"
).split()
# Scenes that are drawn where that takes long: all in `.ci/slow cluster`.
SCENES = int(os.environ.get("ATTILA_SCENES", 30))
# Formats, and the dtypes and channels of their pixels.
FORMATS: Any = [
    ("rgba8", np.uint8, 4),
    ("bgra8", np.uint8, 4),
    ("rgba8-srgb", np.uint8, 4),
    ("rgba16f", np.float16, 4),
    ("rgba32f", np.float32, 4),
    ("r32f", np.float32, 0),
    ("rgb10a2", np.uint32, 0),
    ("r8", np.uint8, 0),
]


def before(seed: int) -> NDArray[np.uint8]:
    words = PLACES * (MULTIPLIER ^ np.uint64(seed << 8))
    return (words >> np.uint64(32)).astype(np.uint8)


def checksum(memory: NDArray[np.uint8]) -> int:
    terms = (memory.astype(np.uint64) + np.uint64(1)) * (PLACES * MULTIPLIER | np.uint64(1))
    return int(terms.sum())


def floats(words: list[int]) -> NDArray[np.float32]:
    return np.array(words, np.uint32).view(np.float32)


def view(memory: NDArray[np.uint8], dtype: Any, channels: int, picture: dict[str, Any]) -> NDArray[Any]:
    """Pixels in memory with gaps, those that are within the picture."""
    size, left, samples = np.dtype(dtype).itemsize, outside(picture), picture["samples"]
    pixel = size * max(channels, 1)
    shape, strides = [HEIGHT, WIDTH - left], [PITCH, pixel]
    if channels:
        shape, strides = shape + [channels], strides + [size]
    if samples > 1:
        shape, strides = [samples] + shape, [PITCH * HEIGHT] + strides
    return np.ndarray(shape, dtype, memory, left * pixel, strides)


def outside(picture: dict[str, Any]) -> int:
    """The columns of targets that are to the left of the picture."""
    return max(0, -picture["origin"][0]) if picture["origin"] else 0


def keywords(picture: dict[str, Any]) -> dict[str, Any]:
    """The keywords that say the same as a picture."""
    given: dict[str, Any] = {"samples": picture["samples"], "threads": picture["threads"]}
    given["format"] = FORMATS[picture["format"]][0]
    given["constants"] = {n: np.array(words, np.uint32) for n, words in picture["constants"]}
    planes = ((n, is_flat, floats(words).reshape(4, 3)) for n, is_flat, words in picture["planes"])
    given["varyings"] = {n: it[:, 0] if is_flat else it for n, is_flat, it in planes}
    texels = np.frombuffer(bytes.fromhex(picture["texels"]), np.uint8).reshape(4, 4, 4)
    given["textures"] = {unit: attila.Texture.from_array(texels) for unit in range(16)}
    if blend := picture["blend"]:
        colour, alpha = ((OPERATIONS[op], FACTORS[a], FACTORS[b]) for op, a, b in (blend[:3], blend[3:]))
        given["blend"] = {"o1": {"colour": colour, "alpha": alpha}}
    if picture["scissor"]:
        given["scissor"] = tuple(picture["scissor"])
    given["state"] = attila.State(
        depth_test=COMPARES[picture["compare"]],
        alpha_test=(COMPARES[picture["alpha"][0]], float(floats(picture["alpha"])[1])) if picture["alpha"] else None,
        blend_constant=tuple(floats(picture["blend_constant"])),
        anchor=tuple(floats(picture["anchor"])),
        sample_mask=picture["sample_mask"],
        write_mask={"o1": "".join(c for bit, c in enumerate("xyzw") if picture["mask"] >> bit & 1)},
        loop_budget=picture["budget"],
    )
    return given


def place(picture: dict[str, Any]) -> dict[str, Any]:
    """The shape, and the tile."""
    given: dict[str, Any] = {}
    if vertices := picture["vertices"]:
        positions = floats(vertices).reshape(-1, 2, 4)
        corners, colours = np.ascontiguousarray(positions[:, 0]), np.ascontiguousarray(positions[:, 1])
        indices = np.arange(12, dtype=np.uint16)
        given["shape"] = attila.Triangles(corners, indices, attributes={1: colours})
    if origin := picture["origin"]:
        left, top = origin
        given["size"], given["region"] = (100, 100), (max(left, 0), top, left + WIDTH, top + HEIGHT)
    return given


def draw(picture: dict[str, Any], engine: Literal["interp", "auto"], prepared: bool) -> list[int] | None:
    """Checksums after the draw, or nothing if it is refused."""
    binary = bytes.fromhex(picture["program"])
    program = attila.load(binary, language="binary", stage="fragment")
    shader = program.prepare(engine)
    pixels, depths = before(picture["seed"]), before(picture["seed"] + 1)
    _, dtype, channels = FORMATS[picture["format"]]
    image = view(pixels, dtype, channels, picture)
    given, where = keywords(picture), place(picture)
    if picture["vertices"]:
        given["varyings"][1] = "perspective"
    depth = None
    if picture["depth"]:
        depth = view(depths, [np.float32, np.uint32][picture["depth"] - 1], 0, picture)
    try:
        if prepared:
            shader.prepare(image, depth=depth, **given).draw(image, depth=depth, **where)
        else:
            shader.draw(image, depth=depth, **given, **where)
    except (ValueError, RuntimeError):
        return None
    return [checksum(pixels), checksum(depths)]


@functools.cache
def printed(count: int) -> list[dict[str, Any]]:
    path = os.environ.get("ATTILA_PICTURES")
    if not path:
        pytest.skip("ATTILA_PICTURES does not name the example `pictures` of attila-conformance")
    lines = subprocess.run([path, str(count), str(PITCH)], capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in lines.splitlines()]


def compare(pictures: list[dict[str, Any]], draw: Callable[[dict[str, Any], Any], list[int] | None]) -> None:
    """Compares what an interface draws on both engines with what Rust does."""
    drawn = set()
    for picture in pictures:
        untouched = [checksum(before(picture["seed"])), checksum(before(picture["seed"] + 1))]
        for engine, expected in zip(("interp", "auto"), picture["checksums"]):
            assert draw(picture, engine) == expected, (picture["seed"], engine)
            if expected and expected != untouched:
                drawn.add(picture["seed"])
    assert len(drawn) > len(pictures) // 3, f"only {len(drawn)} pictures have changed"


def scene(picture: dict[str, Any]) -> attila.Scene:
    return attila.Scene.from_text(picture["scene"], name="random.attila", size=picture["scene_size"])


def expected(picture: dict[str, Any]) -> NDArray[np.uint8] | None:
    """What Rust draws of the scene of a picture."""
    width, height = picture["scene_size"]
    drawn = picture["scene_drawn"]
    return None if drawn is None else np.frombuffer(bytes.fromhex(drawn), np.uint8).reshape(height, width, 4)


def regions(picture: dict[str, Any]) -> list[tuple[int, int, int, int]]:
    """The tiles of the scene of a picture."""
    (width, height), (columns, rows) = picture["scene_size"], picture["scene_tile"]
    starts = ((left, top) for top in range(0, height, rows) for left in range(0, width, columns))
    return [(left, top, min(left + columns, width), min(top + rows, height)) for left, top in starts]


def compare_command(picture: dict[str, Any], command: str, folder: pathlib.Path) -> None:
    """Compares what the command draws with what Rust does: the whole and a tile, on both engines."""
    (folder / "random.attila").write_text(picture["scene"])
    (width, height), image, tiles = picture["scene_size"], expected(picture), regions(picture)
    for left, top, right, bottom in ((0, 0, width, height), tiles[picture["seed"] % len(tiles)]):
        where = ["--size", f"{width}x{height}", "--region", f"{left},{top},{right - left},{bottom - top}"]
        run = [command, "render", "random.attila", "--engine", "both", "-o", "drawn.ppm", *where]
        status = subprocess.run(run, cwd=folder, capture_output=True).returncode
        if image is None:
            # Where the budget of loops runs out, some tiles are drawn all the same.
            assert status or right - left < width or bottom - top < height, picture["seed"]
            continue
        part = image[top:bottom, left:right, :3]
        header = f"P6\n{right - left} {bottom - top}\n255\n".encode()
        assert status == 0 and (folder / "drawn.ppm").read_bytes() == header + part.tobytes(), picture["seed"]
