import threading
from typing import Any

import numpy as np
import pytest
from conftest import picture

import attila

TWO = "mov o1, i6\nmul o2, i6, c0"


def test_every_format_is_a_target(gradient: attila.Shader) -> None:
    how: Any = {6: (1, 0.5, 0.25, 1)}
    for shape, dtype, format, expected in [
        ((2, 2, 4), np.uint8, None, [255, 127, 63, 255]),
        ((2, 2, 4), np.uint8, "bgra8", [63, 127, 255, 255]),
        ((2, 2, 4), np.uint8, "rgba8-srgb", [255, 188, 137, 255]),
        ((2, 2, 4), np.float16, None, [1, 0.5, 0.25, 1]),
        ((2, 2, 4), np.float32, None, [1, 0.5, 0.25, 1]),
        ((2, 2), np.float32, None, 1),
        ((2, 2), np.uint32, None, 3 << 30 | 256 << 20 | 512 << 10 | 1023),
        ((2, 2), np.uint8, None, 255),
        ((2, 2), np.uint32, "bgra8", 0xFFFF7F3F),
        ((2, 2, 2), np.uint32, "rgba16f", [0x38003C00, 0x3C003400]),
    ]:
        image: Any = np.zeros(shape, dtype)
        gradient.draw(image, varyings=how, format=format)  # type: ignore[arg-type]
        assert image[1, 1].tolist() == expected, format
    with pytest.raises(ValueError, match=r"image is an array of shape \(2, 2, 4\) .* with 16 bytes for each pixel"):
        gradient.draw(np.zeros((2, 2, 4), np.uint8), varyings=how, format="rgba32f")
    with pytest.raises(ValueError, match='format is "rgba9"; expected one of "rgba8"'):
        gradient.draw(np.zeros((2, 2, 4), np.uint8), varyings=how, format="rgba9")  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 2])
def test_several_targets_are_drawn_at_once(threads: int) -> None:
    shader = attila.assemble(TWO).prepare()
    how: Any = {"varyings": {6: (0, 0.5, 1, 1)}, "constants": {0: 0.5}, "threads": threads}
    first, second = picture(70, 8), picture(70, 8, np.float32)
    for images in ([first, second], {"o1": first, "o2": second}, {1: first, 2: second}):
        first[:], second[:] = 0, 0
        shader.draw(images, **how)
        assert (first == [0, 127, 255, 255]).all() and (second == [0, 0.25, 0.5, 0.5]).all()
    second[:] = 0
    shader.draw([None, second], blend={"o2": "add"}, format={"o2": "rgba32f"}, **how)
    shader.draw({"o2": second}, blend={"o2": ("add", "one", "one")}, **how)
    assert (second == [0, 0.5, 1, 1]).all()
    with pytest.raises(ValueError, match="colour target 1 has 8x69 pixels, but colour target 0 has 8x70|70"):
        shader.draw([first, second[1:]], **how)
    with pytest.raises(ValueError, match="o2 is .* expected an array that overlaps no other"):
        shader.draw([second, second], **how)
    with pytest.raises(KeyError, match='o9 is not a target: "o1" to "o8"'):
        shader.draw({"o9": first}, **how)


def test_samples_are_an_axis(gradient: attila.Shader) -> None:
    memory = np.zeros((4, 9, 8, 4), np.float32)
    image = memory[:, :8]
    corners = np.array([[0, 0], [8, 0], [0, 8]], np.float32)
    gradient.draw(image, varyings={6: 1}, shape=attila.Triangles(corners), samples=4)
    covered = image[..., 0].mean(axis=0)
    assert covered[0, 0] == 1 and covered[7, 7] == 0 and 0 < covered[3, 4] < 1
    assert not memory[:, 8].any()
    with pytest.raises(ValueError, match=r"expected an array of shape \(4, height, width, 4\)"):
        gradient.draw(picture(), varyings={6: 1}, samples=4)
    with pytest.raises(ValueError, match="samples is 3; expected 1, 2, 4, 8 or 16"):
        gradient.draw(picture(), varyings={6: 1}, samples=3)


def test_depths_of_24_bits_are_tested(gradient: attila.Shader) -> None:
    depth = np.full((8, 8), 0xFFFFFF, np.uint32)
    image = picture()
    gradient.draw(image, varyings={6: 1}, depth=depth)
    assert (depth == 0x800000).all() and (image == 255).all()
    image[:] = 0
    gradient.draw(image, varyings={6: 1}, depth=depth, state=attila.State(depth_test="greater"))
    assert not image.any()
    kept = attila.State(depth_test="always", depth_write=False)
    depth[:] = 5
    gradient.draw(None, depth=depth, varyings={6: 1}, state=kept)
    assert (depth == 5).all()


def test_blending_is_described() -> None:
    shader = attila.assemble("mov o1, i6").prepare()
    over = (1, 1, 1, 0.25)
    for blend, expected in [
        (True, [0.625, 0.4375]),
        ("over", [0.625, 0.4375]),
        (False, [1, 0.25]),
        ("add", [1.5, 0.75]),
        (("max", "one", "one"), [1, 0.5]),
        ({"colour": ("add", "zero", "one"), "alpha": ("add", "one", "zero")}, [0.5, 0.25]),
        ({"o1": ("add", "constant_colour", "zero")}, [0.5, 0.25]),
    ]:
        image = np.full((2, 2, 4), 0.5, np.float32)
        state = attila.State(blend_constant=(0.5, 0.5, 0.5, 1))
        shader.draw(image, varyings={6: over}, blend=blend, state=state)  # type: ignore[arg-type]
        assert image[0, 0, [0, 3]].tolist() == expected, blend
    for wrong, error in [("under", ValueError), (("add", "two", "one"), ValueError), (5, TypeError), ({"colour": ("add", "one", "one")}, ValueError)]:
        with pytest.raises(error, match="blend"):
            shader.draw(image, varyings={6: over}, blend=wrong)  # type: ignore[arg-type]


def test_states_hold_the_rest(gradient: attila.Shader) -> None:
    image = picture(dtype=np.float32)
    gradient.draw(image, varyings={6: "u, 0, 0, u"}, state=attila.State(alpha_test=("greater", 0.5)))
    assert not image[:, :4].any() and image[:, 4:, 0].all()
    gradient.draw(image, varyings={6: 3}, state=attila.State(write_mask={"o1": "yw"}), scissor=(1, 1, 3, 3))
    assert image[1, 1].tolist() == [0, 3, 0, 3] and not image[0, 0].any()
    for keyword, message in [
        ({"depth_test": "near"}, 'depth_test is "near"; expected one of "never"'),
        ({"cull": "all"}, 'cull is "all"'),
        ({"raster_samples": 5}, "raster_samples is 5"),
    ]:
        with pytest.raises(ValueError, match=message):
            attila.State(**keyword)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match='write_mask is "q"'):
        gradient.draw(image, varyings={6: 3}, state=attila.State(write_mask="q"))


def test_a_prepared_draw_draws_the_same() -> None:
    shader = attila.assemble("mul o1, i6, c0").prepare()
    image, expected = picture(61, 33, np.float32), picture(61, 33, np.float32)
    how: Any = {"varyings": {6: "u, v, s, t"}, "constants": {0: (1, 2, 3, 4)}, "threads": 2}
    shader.draw(expected, **how)
    for prepared in (shader.prepare(image, **how), shader.prepare("rgba32f", **how)):
        image[:] = 0
        prepared.draw(image)
        assert np.array_equal(image, expected)
        # Other sizes have other planes.
        small, whole = picture(5, 4, np.float32), picture(5, 4, np.float32)
        prepared.draw(small)
        shader.draw(whole, **how)
        assert np.array_equal(small, whole)
        # What one frame is given is not that of the next.
        prepared.draw(small, constants={0: 0}, varyings={6: "v, u, t, s"})
        assert not small.any()
        prepared.draw(image)
        assert np.array_equal(image, expected)
        tile = picture(20, 10, np.float32)
        prepared.draw(tile, region=(3, 5, 13, 25), size=(33, 61))
        assert np.array_equal(tile, expected[5:25, 3:13])
        prepared.draw(np.zeros((0, 4, 4), np.float32))


def test_a_prepared_draw_is_of_certain_formats(gradient: attila.Shader) -> None:
    prepared = gradient.prepare("rgba8", varyings={6: 1})
    with pytest.raises(ValueError, match="image is .* with 4 bytes for each pixel"):
        prepared.draw(picture(dtype=np.float32))
    with pytest.raises(ValueError, match="the kind of input i6 has changed"):
        prepared.draw(picture(), varyings={6: "u, v, 0, 1"})
    with pytest.raises(ValueError, match="depth"):
        prepared.draw(picture(), depth=np.zeros((8, 8), np.float32))
    with pytest.raises(ValueError, match="i6"):
        gradient.prepare("rgba8")
    deep = gradient.prepare("rgba8", depth="d24", varyings={6: 1})
    depth = np.full((8, 8), 0xFFFFFF, np.uint32)
    deep.draw(picture(), depth=depth)
    assert (depth == 0x800000).all()
    assert repr(prepared).startswith('<PreparedDraw of "program" on ')


def test_a_prepared_draw_draws_shapes() -> None:
    shader = attila.assemble("mov o1, i1").prepare()
    corners = np.array([[0, 0], [16, 0], [0, 16]], np.float32)
    colours = np.full((3, 4), 0.5, np.float32)
    prepared = shader.prepare("rgba32f", varyings={1: "perspective"})
    for _ in range(3):
        image = picture(dtype=np.float32)
        prepared.draw(image, shape=attila.Triangles(corners, attributes={1: colours}))
        assert (image == 0.5).all()


def test_threads_share_a_prepared_draw() -> None:
    shader = attila.assemble("mov o1, c0").prepare()
    prepared = shader.prepare("rgba32f")
    wrong: list[int] = []

    def draws(number: int) -> None:
        image = picture(dtype=np.float32)
        for _ in range(200):
            prepared.draw(image, constants={0: number})
            if not (image == number).all():
                wrong.append(number)

    threads = [threading.Thread(target=draws, args=(number,)) for number in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_bar_is_shown_where_tqdm_is(gradient: attila.Shader, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys
    import types

    shown: list[Any] = []

    class Bar:
        n = 0
        total = 0

        def __init__(self, **how: Any) -> None:
            shown.append(self)

        def update(self, n: int) -> None:
            self.n += n

        def close(self) -> None:
            shown.append("closed")

    module: Any = types.ModuleType("tqdm.auto")
    module.tqdm = Bar
    package: Any = types.ModuleType("tqdm")
    package.__spec__ = types.SimpleNamespace(name="tqdm")
    package.auto = module
    monkeypatch.setitem(sys.modules, "tqdm", package)
    monkeypatch.setitem(sys.modules, "tqdm.auto", module)
    gradient.draw(picture(), varyings={6: 1}, progress=True)
    assert shown[0].n == shown[0].total == 64 and shown[-1] == "closed"
    shown.clear()
    gradient.draw(picture(), varyings={6: 1}, progress=False)
    assert not shown
    with pytest.raises(TypeError, match="progress is <class 'int'>; expected True or a callable"):
        gradient.draw(picture(), varyings={6: 1}, progress=5)  # type: ignore[arg-type]
