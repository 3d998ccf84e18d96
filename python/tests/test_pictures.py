"""Random draws and scenes: the same bytes from Python and from the command as from Rust."""

import pathlib

import pytest
from conftest import COMMAND
from pictures import SCENES, compare, compare_command, draw, expected, printed, regions, scene


@pytest.mark.parametrize("prepared", [False, True])
def test_random_pictures_have_the_bytes_of_rust(prepared: bool) -> None:
    compare(printed(300), lambda picture, engine: draw(picture, engine, prepared))


def test_random_scenes_have_the_bytes_of_rust_in_tiles() -> None:
    for picture in printed(300):
        image, drawn = expected(picture), scene(picture)
        for engine in ("interp", "auto"):
            if image is None:
                with pytest.raises(RuntimeError, match="jumps"):
                    drawn.draw(engine=engine)
                continue
            for region in (None, *regions(picture)):
                left, top, right, bottom = region or (0, 0, *drawn.size)
                part = drawn.draw(region, engine=engine)
                assert part.tobytes() == image[top:bottom, left:right].tobytes(), (picture["seed"], engine, region)


@pytest.mark.skipif(not COMMAND, reason="the command attila is not built")
def test_the_command_draws_random_scenes_with_the_bytes_of_rust(tmp_path: pathlib.Path) -> None:
    for picture in printed(300)[:SCENES]:
        compare_command(picture, COMMAND, tmp_path)
