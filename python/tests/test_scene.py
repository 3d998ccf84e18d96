import pathlib
import pickle
import struct
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from conftest import COMMAND

import attila
from attila._cache import CACHE

WALL = (
    ";! texture t0 = bricks\n;! const c0 = 0.5 1 1 1\n;! varying i6 = 2*u, 2*v, 0, 1\n"
    "tex r0, i6, t0\nmul o1, r0, c0\n"
)
DOT = bytes([0, 0, 2, *[0] * 9, 1, 0, 1, 0, 24, 0, 3, 2, 1])


def wall(tmp_path: pathlib.Path) -> pathlib.Path:
    """A scene with a texture beside it, in blue, green and red."""
    (tmp_path / "dot.tga").write_bytes(DOT)
    path = tmp_path / "wall.attila"
    path.write_text(";! texture t0 = dot.tga\ntex o1, i6, t0\n")
    return path


def test_scenes_are_drawn_with_their_textures(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "wall.attila"
    path.write_text(WALL)
    scene = attila.Scene.from_file(path, size=(48, 32))
    image = scene.draw()
    assert image.shape == (32, 48, 4) and image.dtype == np.uint8 and len(np.unique(image)) > 4
    assert np.array_equal(image, scene.draw(engine="interp", threads=2))
    assert np.array_equal(image, attila.Scene.from_text(WALL, size=(48, 32)).draw())
    assert np.array_equal(image[:16, :24], image[16:, 24:])
    assert scene.size == (48, 32) and scene.warnings == []
    assert repr(scene) == f"<Scene {str(path)!r}: 48 times 32 pixels>"


@pytest.mark.parametrize("dtype", [np.uint8, np.float16, np.float32])
def test_regions_are_the_bytes_of_the_picture(dtype: type) -> None:
    scene, random = attila.Scene.from_text(WALL, size=(101, 67)), np.random.default_rng(7)
    whole = scene.draw(dtype=dtype)
    for _ in range(50):
        left, right = sorted(int(it) for it in random.integers(0, 102, 2))
        top, bottom = sorted(int(it) for it in random.integers(0, 68, 2))
        part = scene.draw((left, top, right, bottom), dtype=dtype)
        assert part.tobytes() == whole[top:bottom, left:right].tobytes()


def test_the_last_pixels_of_a_picture_that_no_array_holds_are_the_same_in_any_region() -> None:
    text = ";! texture t0 = bricks\n;! varying i6 = 900*u, 700*v, s, t\ntex r0, i6, t0\n"
    text += "ddx r1, i6\nmul r1, r1, 90.0\nadd o1, r1, r0"
    side, random = 65536, np.random.default_rng(5)
    scene = attila.Scene.from_text(text, size=(side, side))
    whole = scene.draw((side - 131, side - 77, side, side), engine="interp")
    assert len(np.unique(whole)) > 20
    for _ in range(20):
        left, right = sorted(int(it) for it in random.integers(0, 132, 2))
        top, bottom = sorted(int(it) for it in random.integers(0, 78, 2))
        places = (side - 131 + left, side - 77 + top, side - 131 + right, side - 77 + bottom)
        assert scene.draw(places).tobytes() == whole[top:bottom, left:right].tobytes()


@pytest.mark.skipif(not COMMAND, reason="the command attila is not built")
@pytest.mark.parametrize("demo", ["julia", "bumps", "map", "plasma"])
def test_scenes_are_what_the_command_draws(demo: str, tmp_path: pathlib.Path) -> None:
    path = pathlib.Path(__file__).parents[2] / f"cli/src/demo/{demo}.attila"
    part = attila.Scene.from_file(path, size=(203, 131)).draw((31, 7, 150, 126))
    how = ["--size", "203x131", "--region", "31,7,119,119", "-o", str(tmp_path / "part.ppm")]
    subprocess.run([COMMAND, "render", str(path), *how], check=True)
    assert (tmp_path / "part.ppm").read_bytes() == b"P6\n119 119\n255\n" + part[..., :3].tobytes()


def test_options_go_over_what_a_program_says() -> None:
    text = ";! const c0 = 1 0 0 1\n;! varying i6 = 0\nadd o1, c0, i6"
    scene = attila.Scene.from_text(text, size=(2, 2), constants={0: (0, 0, 1, 1)}, varyings={"i6": "0, 1, 0, 0"})
    assert scene.draw()[0, 0].tolist() == [0, 255, 255, 255]
    white = attila.Scene.from_text("tex o1, i6, t0", size=(2, 2), textures={0: "white"})
    assert white.draw()[0, 0].tolist() == [255, 255, 255, 255]
    arb = "!!ARBfp1.0\nPARAM tint = program.local[1];\nMOV result.color, tint;\nEND"
    tinted = attila.Scene.from_text(arb, size=(2, 2), constants={"tint": (0.1, 0.2, 0.3, np.inf)})
    assert (tinted.draw(dtype=np.float32)[0, 0] == np.array([0.1, 0.2, 0.3, np.inf], np.float32)).all()


def test_a_scene_knows_the_size_of_its_window() -> None:
    text = "!!ARBfp1.0\nMUL result.color, fragment.position, 0.01;\nEND"
    small = attila.Scene.from_text(text, size=(4, 4))
    large = small.with_size((8, 6))
    assert large.size == (8, 6) and large.draw().shape == (6, 8, 4)
    assert np.array_equal(large.draw()[:4, :4, 0], small.draw()[..., 0])


def test_what_is_killed_is_black_and_opaque() -> None:
    scene = attila.Scene.from_text("kil -c0\nmov o1, i6", size=(3, 2), constants={0: 1})
    assert (scene.draw() == [0, 0, 0, 255]).all() and (scene.draw(dtype=np.float16) == [0, 0, 0, 1]).all()


def test_mistakes_in_scenes_are_named(tmp_path: pathlib.Path) -> None:
    with pytest.raises(ValueError, match=r"size is \(65537, 1\); expected a width and a height of 1 to 65536"):
        attila.Scene.from_text(WALL, size=(65537, 1))
    with pytest.raises(ValueError, match="region is 32769 times 1 pixels; no side may be longer than 32768"):
        attila.Scene.from_text(WALL, size=(65536, 65536)).draw((0, 0, 32769, 1))
    with pytest.raises(ValueError, match=r"region is \(0, 0, 9, 8\); expected left, top, right and bottom within 8 times 8"):
        attila.Scene.from_text(WALL, size=(8, 8)).draw((0, 0, 9, 8))
    with pytest.raises(ValueError, match="i6 = w: "):
        attila.Scene.from_text(WALL, varyings={6: "w"})
    with pytest.raises(FileNotFoundError):
        attila.Scene.from_file(tmp_path / "none.attila")
    with pytest.raises(attila.ProgramError, match="none.png: No such file|none.png: entity not found"):
        attila.Scene.from_text(";! texture t0 = none.png\ntex o1, i6, t0")
    with pytest.raises(ValueError, match='there is no engine "gpu"'):
        attila.Scene.from_text(WALL).draw(engine="gpu")  # type: ignore[arg-type]


def test_scenes_are_pickled_with_their_files(tmp_path: pathlib.Path) -> None:
    path = wall(tmp_path)
    scene = attila.Scene.from_file(path, size=(2, 2))
    pickled = pickle.dumps(scene)
    (tmp_path / "dot.tga").unlink()
    path.unlink()
    # Another process has not read them before.
    draw = "import pickle, sys; print(pickle.load(sys.stdin.buffer).draw()[0, 0].tolist())"
    drawn = subprocess.run([sys.executable, "-c", draw], input=pickled, capture_output=True, check=True)
    assert drawn.stdout.decode().strip() == "[1, 2, 3, 255]"


def test_scenes_are_loaded_once_in_a_process() -> None:
    scene = attila.Scene.from_text(WALL, size=(8, 8))
    before = attila.cache_info()
    first, second = (pickle.loads(pickle.dumps(scene)) for _ in range(2))
    assert first is second and np.array_equal(first.draw(), scene.draw())
    after = attila.cache_info()
    assert after.misses - before.misses == 1 and after.hits - before.hits == 1
    other = pickle.loads(pickle.dumps(attila.Scene.from_text(WALL, size=(8, 9))))
    assert other.size == (8, 9)
    for width in range(1, after.maxsize + 2):
        pickle.loads(pickle.dumps(scene.with_size((width, 1))))
    assert attila.cache_info().currsize == after.maxsize == len(CACHE.kept)
    assert pickle.loads(pickle.dumps(scene)) is not first


def test_pictures_are_png_files(tmp_path: pathlib.Path) -> None:
    image = attila.Scene.from_text(WALL, size=(5, 3)).draw()
    file = image.png(alpha=True)
    assert file.startswith(b"\x89PNG\r\n\x1a\n") and struct.unpack(">2I2B", file[16:26]) == (5, 3, 8, 6)
    (tmp_path / "image.png").write_bytes(file)
    read: dict[int | str, str] = {0: f"{tmp_path / 'image.png'}, nearest"}
    assert np.array_equal(attila.Scene.from_text("tex o1, i6, t0", size=(5, 3), textures=read).draw(), image)
    grey: Any = image[..., 0]
    assert image._repr_png_() == image.png() and grey._repr_png_() is None
    floats = np.array([[[0.5, 2, -1, np.nan]]], np.float32)
    assert attila.Picture(floats).png(True) == attila.Picture(np.array([[[127, 255, 0, 255]]], np.uint8)).png(True)
    with pytest.raises(ValueError, match=r"shape \(2, 2\); expected"):
        attila.Picture(np.zeros((2, 2))).png()


def test_notebooks_show_usage_and_diagnostics() -> None:
    usage = attila.assemble("tex r0, i6, t3\nmul o1, r0, c2").usage
    assert "<td>i6</td><td>xy" in usage._repr_html_() and "<td>t3</td>" in usage._repr_html_()
    (error,) = attila.check("foo r0, <b>")[:1]
    assert "#b00020" in error._repr_html_() and "<b>" not in error._repr_html_()
