import multiprocessing
import os
import pathlib
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import dask
import dask.array as da
import dask.dataframe as dd
import distributed
import numpy as np
import pandas as pd
import pytest
from pictures import SCENES, printed
from pictures import scene as random_scene
from scenes import ENDLESS, JULIA, odd, random, scene  # noqa: F401

import attila.dask


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Two processes with a thread each."""
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    )
    with cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def pool() -> Iterator[Any]:
    """Two processes that are started once."""
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.mark.parametrize("scheduler", ["synchronous", "threads", "processes"])
def test_tiles_are_the_picture(scene: attila.Scene, scheduler: str, random: np.random.Generator) -> None:
    for dtype in (np.uint8, np.float32):
        whole = scene.draw(dtype=dtype)
        picture = attila.dask.render(scene, tile=odd(random), dtype=dtype)
        assert picture.shape == whole.shape and picture.dtype == whole.dtype
        assert picture.compute(scheduler=scheduler).tobytes() == whole.tobytes()


def test_random_tiles_are_the_picture(scene: attila.Scene, random: np.random.Generator) -> None:
    whole = scene.draw()
    for _ in range(20):
        picture = attila.dask.render(scene, tile=odd(random), engine="auto").compute(scheduler="threads")
        assert picture.tobytes() == whole.tobytes()


def test_a_cluster_draws_the_picture(client: Any, scene: attila.Scene, random: np.random.Generator) -> None:
    picture = attila.dask.render(scene, (307, 205), tile=odd(random)).compute()
    assert picture.tobytes() == scene.with_size((307, 205)).draw().tobytes()


@pytest.mark.parametrize("engine", ["interp", "auto"])
@pytest.mark.parametrize("scheduler", ["threads", "processes", "cluster"])
def test_random_scenes_have_the_bytes_of_rust(client: Any, pool: Any, scheduler: str, engine: Any) -> None:
    drawn = [picture for picture in printed(300)[:SCENES] if picture["scene_drawn"]]
    how = {"cluster": {"scheduler": client}, "processes": {"scheduler": scheduler, "pool": pool}}
    for picture in drawn:
        image = attila.dask.render(random_scene(picture), tile=tuple(picture["scene_tile"]), engine=engine)
        found = image.compute(**how.get(scheduler, {"scheduler": scheduler}))
        assert found.tobytes().hex() == picture["scene_drawn"], picture["seed"]
    assert len(drawn) > SCENES / 2


def test_a_worker_loads_a_scene_once(client: Any) -> None:
    scene = attila.Scene.from_text(JULIA, size=(97, 99))
    before = client.run(attila.cache_info)
    attila.dask.render(scene, tile=10).compute()
    for worker, (hits, misses, _, _) in client.run(attila.cache_info).items():
        assert misses - before[worker].misses == 1
        assert hits - before[worker].hits < 3, "it arrives once or twice, for a hundred tiles"


def test_a_failed_tile_names_its_region_and_its_program() -> None:
    scene = attila.Scene.from_text(ENDLESS, name="endless.attila", size=(20, 20))
    picture = attila.dask.render(scene, tile=16)
    with pytest.raises(RuntimeError, match=r"endless.attila, region \(0, 0, 16, 16\): .*jumps"):
        picture[:16, :16].compute(scheduler="synchronous")


def test_the_picture_is_whole_if_a_worker_is_killed(client: Any, tmp_path: pathlib.Path) -> None:
    scene = attila.Scene.from_text(JULIA, size=(400, 300))
    flag = str(tmp_path / "killed")

    def kill_once(block: Any, block_id: Any = None) -> Any:
        """Kills the process that has drawn the tile in the middle."""
        if block_id == (4, 5, 0) and not os.path.exists(flag):
            os.close(os.open(flag, os.O_CREAT))
            os.kill(os.getpid(), signal.SIGKILL)
        return block

    before = set(client.run(os.getpid).values())
    picture = attila.dask.render(scene, tile=37)
    picture = da.map_blocks(kill_once, picture, dtype=picture.dtype, meta=picture._meta)
    assert picture.compute().tobytes() == scene.draw().tobytes()
    client.wait_for_workers(2)
    assert os.path.exists(flag) and set(client.run(os.getpid).values()) != before


def test_columns_are_mapped_in_blocks() -> None:
    shader = attila.assemble("mad o1, i1, c0, i2\nmov o3.xy, i4").prepare()
    rows = np.arange(4000, dtype=np.float32).reshape(1000, 4)
    few = np.arange(2000, dtype=np.float32).reshape(1000, 2)
    how: dict[str, Any] = {"constants": {0: (1, 2, 3, 4)}}
    expected = shader.map({1: rows, 2: 0.5, 4: few}, **how)
    columns = {1: da.from_array(rows, chunks=(300, 3)), 2: 0.5, 4: da.from_array(few, chunks=(170, 2))}
    for scheduler in ("synchronous", "threads", "processes"):
        found = dask.compute(attila.dask.map(shader, columns, **how), scheduler=scheduler)[0]
        assert found.keys() == expected.keys()
        assert all(np.array_equal(found[number], expected[number]) for number in expected)
    only = attila.dask.map(shader, columns, outputs=[3], **how)
    assert list(only) == [3] and only[3].shape == (1000, 4)


def test_data_frames_are_mapped() -> None:
    shader = attila.assemble("mul o1.xy, i6, c0").prepare()
    frame = pd.DataFrame({"u": np.arange(100.0), "v": np.arange(100.0) * 2, "name": "a"})
    mapped = attila.dask.map(
        shader, {6: ["u", "v"]}, dd.from_pandas(frame, npartitions=3), constants={0: (2, 3, 0, 0)}
    )
    assert list(mapped.columns) == ["u", "v", "name", "o1.x", "o1.y"]
    found = mapped.compute(scheduler="threads")
    assert (found["o1.x"] == frame["u"] * 2).all() and (found["o1.y"] == frame["v"] * 3).all()
    assert found["o1.x"].dtype == np.float32
