import os
import pathlib
import signal
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
import ray
from pictures import SCENES, printed
from pictures import scene as random_scene
from scenes import ENDLESS, JULIA, odd, random, scene  # noqa: F401

import attila.ray


@pytest.fixture(scope="module", autouse=True)
def two_workers() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1", object_store_memory=100 << 20)
    yield
    ray.shutdown()


def test_tiles_are_the_picture(scene: attila.Scene, random: np.random.Generator) -> None:
    for dtype in (np.uint8, np.float32):
        whole = scene.draw(dtype=dtype)
        picture = attila.ray.render(scene, tile=odd(random), dtype=dtype)
        assert isinstance(picture, attila.Picture) and picture.tobytes() == whole.tobytes()
    large = scene.with_size((307, 205))
    assert attila.ray.render(scene, (307, 205), tile=odd(random)).tobytes() == large.draw().tobytes()


def test_a_process_loads_a_scene_once() -> None:
    scene = attila.Scene.from_text(JULIA, size=(97, 99))
    attila.ray.render(scene, tile=10)
    info = ray.get(ray.remote(attila.cache_info).remote())
    assert info.misses < 10 < info.hits


def test_a_failed_tile_names_its_region_and_its_program() -> None:
    scene = attila.Scene.from_text(ENDLESS, name="endless.attila", size=(20, 20))
    with pytest.raises(RuntimeError, match=r"endless.attila, region \(0, 0, 20, 20\): .*jumps"):
        attila.ray.render(scene)


def test_the_picture_is_whole_if_a_worker_is_killed(tmp_path: pathlib.Path) -> None:
    scene = attila.Scene.from_text(JULIA, size=(400, 300))
    flag, draw = str(tmp_path / "killed"), attila._tiles.draw

    def kill_once(scene: Any, region: Any, how: Any) -> Any:
        """Kills the process that is to draw the tile in the middle."""
        if region[:2] == (5 * 37, 4 * 37) and not os.path.exists(flag):
            os.close(os.open(flag, os.O_CREAT))
            os.kill(os.getpid(), signal.SIGKILL)
        return draw(scene, region, how)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attila._tiles, "draw", kill_once)
        picture = attila.ray.render(scene, tile=37)
    assert os.path.exists(flag) and picture.tobytes() == scene.draw().tobytes()


def test_columns_are_mapped_in_blocks() -> None:
    shader = attila.assemble("mad o1, i1, c0, i2\nmov o3.xy, i1").prepare()
    rows = np.arange(4000, dtype=np.float32).reshape(1000, 4)
    how: dict[str, Any] = {"constants": {0: (1, 2, 3, 4)}}
    expected = shader.map({1: rows, 2: 0.5}, **how)
    found = attila.ray.map(shader, {1: rows, 2: 0.5}, rows=170, **how)
    assert found.keys() == expected.keys()
    assert all(np.array_equal(found[number], expected[number]) for number in expected)


def test_data_sets_are_mapped() -> None:
    shader = attila.assemble("mul o1.xy, i6, c0").prepare()
    frame = pd.DataFrame({"u": np.arange(100.0), "v": np.arange(100.0) * 2})
    mapped = attila.ray.map(shader, {6: ["u", "v"]}, ray.data.from_pandas(frame), constants={0: (2, 3, 0, 0)})
    found = mapped.to_pandas().sort_values("u", ignore_index=True)
    assert (found["o1.x"] == frame["u"] * 2).all() and (found["o1.y"] == frame["v"] * 3).all()


def test_folders_of_frames_are_drawn_over(tmp_path: pathlib.Path) -> None:
    shader = attila.assemble("tex r0, i6, t0\nadd o1, c0, -r0").prepare()
    how: dict[str, Any] = {"varyings": {6: "u, v, 0, 1"}, "constants": {0: (1, 1, 1, 2)}}
    for frame in range(20):
        picture = np.full((6, 8, 4), 10 * frame, np.uint8)
        (tmp_path / f"{frame:02}.png").write_bytes(attila.Picture(picture).png())
    frames = attila.ray.frames(ray.data.read_images(str(tmp_path)), shader, **how)
    drawn = [row["image"] for row in frames.take_all()]
    assert all(frame.shape == (6, 8, 4) for frame in drawn)
    values = sorted(int(frame[0, 0, 0]) for frame in drawn)
    assert len(values) == 20 and all(abs(value - (65 + 10 * n)) <= 1 for n, value in enumerate(values))


@pytest.mark.parametrize("engine", ["interp", "auto"])
def test_random_scenes_have_the_bytes_of_rust(engine: Any) -> None:
    for picture in (picture for picture in printed(300)[:SCENES] if picture["scene_drawn"]):
        image = attila.ray.render(random_scene(picture), tile=tuple(picture["scene_tile"]), engine=engine)
        assert image.tobytes().hex() == picture["scene_drawn"], picture["seed"]
