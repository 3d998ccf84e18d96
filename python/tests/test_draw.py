import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest
from conftest import ARB, LONG, picture
from numpy.typing import NDArray

import attila


def test_pictures_are_drawn_in_place(gradient: attila.Shader) -> None:
    image = picture(4, 8)
    address = image.ctypes.data
    gradient.draw(image, varyings={6: "u, v, 0.5, 1"})
    assert image.ctypes.data == address
    assert image[3, 7].tolist() == [239, 223, 127, 255]


MEMORY = """
import resource, numpy, attila
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
shader = attila.assemble("mov o1, i6").prepare()
image = numpy.full((4096, 4096, 4), 7, numpy.uint8)
shader.draw(image[:64, :64], varyings={6: 1}, threads=2)
before = peak()
shader.draw(image, varyings={6: 1}, threads=2)
assert image.min() == 255
print(peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the unit of the peak is that of Linux")
def test_no_picture_is_copied() -> None:
    ran = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    assert int(ran.stdout) < 2048, "KiB for 64 MiB of pixels"


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_floats_are_drawn(gradient: attila.Shader, dtype: type) -> None:
    image = picture(4, 8, dtype)
    gradient.draw(image, varyings={"i6": "8*u, 4*v, 2, -1"})
    y, x = np.mgrid[0:4, 0:8] + 0.5
    assert np.array_equal(image[..., 0], x) and np.array_equal(image[..., 1], y)
    assert (image[..., 2:] == [2, -1]).all()


def test_one_component_is_drawn(gradient: attila.Shader) -> None:
    image = np.zeros((4, 8), np.float32)
    gradient.draw(image, varyings={6: "8*u, 1, 1, 1"})
    assert (image == np.arange(8) + 0.5).all()


def test_programs_name_varyings_and_constants() -> None:
    image = picture(dtype=np.float32)
    shader = attila.load(ARB).prepare()
    shader.draw(image, varyings={"fragment.texcoord[0]": 1}, constants={"tint": (2, 4, 6, 8)})
    assert (image == [1, 2, 3, 8]).all()


@pytest.mark.parametrize("threads", [0, 1, 2])
def test_engines_and_threads_draw_the_same(threads: int) -> None:
    program = attila.assemble("mul r0, i6, c0\nfrc r0, r0\nmul r0, r0, r0\nmov o1, r0")
    images = [picture(133, 77), picture(133, 77)]
    for image, shader in zip(images, (program.prepare(), program.prepare("interp"))):
        shader.draw(image, varyings={6: "3*s, t, u, v"}, constants={0: (3, 5, 7, 9)}, threads=threads)
    assert images[0].any() and np.array_equal(images[0], images[1])


def test_tiles_are_the_whole(gradient: attila.Shader) -> None:
    height, width = 61, 97
    whole, parts, tiles = (picture(height, width, np.float32) for _ in range(3))
    how = {6: "3*s, t, u, 1"}
    gradient.draw(whole, varyings=how)
    for top in range(0, height, 13):
        for left in range(0, width, 29):
            right, bottom = min(left + 29, width), min(top + 13, height)
            region = (left, top, right, bottom)
            gradient.draw(parts, varyings=how, region=region)
            tile = picture(bottom - top, right - left, np.float32)
            gradient.draw(tile, varyings=how, region=region, size=(width, height))
            tiles[top:bottom, left:right] = tile
    assert np.array_equal(parts, whole) and np.array_equal(tiles, whole)


def test_a_region_draws_nothing_else(gradient: attila.Shader) -> None:
    image = picture()
    gradient.draw(image, varyings={6: 1}, region=(2, 3, 5, 6))
    inside = picture()
    inside[3:6, 2:5] = 255
    assert np.array_equal(image, inside)


@pytest.mark.parametrize("dtype", [np.uint8, np.float16, np.float32])
def test_views_draw_only_what_is_theirs(gradient: attila.Shader, dtype: type) -> None:
    for rows, columns in [(slice(2, 9), slice(3, 7)), (slice(1, None, 3), slice(None, 5))]:
        around = picture(12, 10, dtype)
        around[:] = 77
        view = around[rows, columns]
        whole = picture(view.shape[0], view.shape[1], dtype)
        for image in (view, whole):
            gradient.draw(image, varyings={6: "u, v, 0, 1"})
        assert np.array_equal(view, whole)
        view[:] = 77
        assert (around == 77).all()


def test_depths_hide_what_is_farther(gradient: attila.Shader) -> None:
    image, depth = picture(), np.full((8, 8), 0.75, np.float32)
    depth[:, :4] = 0.25
    gradient.draw(image, varyings={6: 1}, depth=depth)
    # A rectangle is at 0.5.
    assert not image[:, :4].any() and (image[:, 4:] == 255).all()
    assert (depth[:, 4:] == 0.5).all() and (depth[:, :4] == 0.25).all()


def test_colours_are_blended_over_what_is_there(gradient: attila.Shader) -> None:
    image = np.ones((2, 2, 4), np.float32)
    gradient.draw(image, varyings={6: (0, 2, 0, 0.5)}, blend=True)
    assert (image[..., :3] == [0.5, 1.5, 0.5]).all()


def test_textures_are_sampled() -> None:
    image = picture(2, 2, np.float32)
    texels = np.arange(16, dtype=np.float32).reshape(2, 2, 4)
    shader = attila.assemble("tex o1, i6, t0").prepare()
    shader.draw(image, varyings={6: "u, v, 0, 1"}, textures={0: texels})
    assert np.array_equal(image, texels)
    with pytest.raises(ValueError, match="texture unit 0, which is not bound"):
        shader.draw(image, varyings={6: "u, v, 0, 1"})


SHAPES = r"expected an array of shape \(height, width, 4\) and dtype uint8, float16 or float32"


@pytest.mark.parametrize(
    ("image", "error", "message"),
    [
        (np.zeros((4, 4, 3), np.uint8), ValueError, r"shape \(4, 4, 3\) and dtype uint8; " + SHAPES),
        (np.zeros((4, 4, 4)), ValueError, r"shape \(4, 4, 4\) and dtype float64; " + SHAPES),
        (np.zeros((4, 4, 4), ">f4"), ValueError, r"dtype >f4; " + SHAPES),
        (np.zeros(4, np.uint8), ValueError, r"shape \(4,\) and dtype uint8; " + SHAPES),
        (np.frombuffer(bytearray(257), np.float32, 64, 1).reshape(4, 4, 4), ValueError, "which is misaligned"),
        ([[0]], TypeError, "image is <class 'list'>; " + SHAPES),
        (picture()[:, ::2], ValueError, r"strides of \[32, 8, 1\] bytes; expected pixels of 4 bytes"),
        (picture()[::-1], ValueError, r"strides of \[-32, 4, 1\] bytes"),
        (picture()[..., ::-1], ValueError, r"strides of \[32, 4, -1\] bytes"),
        (np.asfortranarray(picture()), ValueError, r"strides of \[1, 8, 64\] bytes"),
        (np.broadcast_to(picture(1, 8), (8, 8, 4)), ValueError, r"strides of \[0, 4, 1\] bytes"),
    ],
)
def test_arrays_that_are_no_pictures_are_refused(
    gradient: attila.Shader, image: object, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        gradient.draw(image, varyings={6: 1})  # type: ignore[arg-type]


def test_read_only_and_overlapping_arrays_are_refused(gradient: attila.Shader) -> None:
    image = picture()
    image.flags.writeable = False
    with pytest.raises(ValueError, match="image is an array of shape .* read-only; expected one that"):
        gradient.draw(image, varyings={6: 1})
    shared = np.zeros((8, 8), np.float32)
    with pytest.raises(ValueError, match="depth is .* which has memory that a draw or a map reads or writes; expected an"):
        gradient.draw(shared, varyings={6: 1}, depth=shared)
    with pytest.raises(ValueError, match="depth is .* overlaps no other"):
        gradient.draw(shared[:4, 2:6], varyings={6: 1}, depth=shared[3:7, 5:])
    # Next to each other, in the same rows.
    depth = shared[:, 4:]
    depth[:] = 1
    gradient.draw(shared[:, :4], varyings={6: 2}, depth=depth)
    assert (shared[:, :4] == 2).all() and (depth == 0.5).all()
    # All was given back.
    gradient.draw(shared, varyings={6: 1})


def test_views_overlap_as_numpy_says(gradient: attila.Shader) -> None:
    random = np.random.default_rng(5)
    shared, seen = np.zeros((9, 9), np.float32), set()
    for _ in range(3000):
        height, width, step = random.integers(1, 5), random.integers(1, 5), random.integers(1, 3)
        views = []
        for _ in range(2):
            top, left = random.integers(0, 10 - height * step), random.integers(0, 10 - width)
            views.append(shared[top : top + height * step : step, left : left + width])
        overlap = np.shares_memory(views[0], views[1])
        seen.add(overlap)
        try:
            gradient.draw(views[0], varyings={6: 1}, depth=views[1])
            assert not overlap
        except ValueError as error:
            assert overlap, error
    assert len(seen) == 2


def test_other_mistakes_are_named(gradient: attila.Shader) -> None:
    image = picture()
    with pytest.raises(ValueError, match=r"varying 6: `w` is not a sum"):
        gradient.draw(image, varyings={6: "w"})
    with pytest.raises(ValueError, match=r"region is \[0, 0, 9, 8\]; expected left, top"):
        gradient.draw(image, varyings={6: 1}, region=(0, 0, 9, 8))
    with pytest.raises(ValueError, match="image has 8 times 8 pixels; expected those of the region, 4 times 4"):
        gradient.draw(image, varyings={6: 1}, region=(0, 0, 4, 4), size=(16, 16))
    with pytest.raises(ValueError, match="depth is an array of shape .8, 8. and dtype float64"):
        gradient.draw(image, varyings={6: 1}, depth=np.zeros((8, 8)))
    with pytest.raises(ValueError, match="i6"):
        gradient.draw(image)
    assert not image.any()


def test_empty_pictures_are_drawn(gradient: attila.Shader) -> None:
    for shape in ((0, 5, 4), (5, 0, 4), (0, 0, 4)):
        gradient.draw(np.zeros(shape, np.uint8), varyings={6: 1})


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_is_told_and_may_stop(threads: int) -> None:
    shader, image = attila.assemble(LONG).prepare("interp"), picture(256, 256)
    told: list[tuple[int, int]] = []
    shader.draw(image, varyings={6: 1}, threads=threads, progress=lambda *it: told.append(it))
    assert told == sorted(told) and told[-1] == (65536, 65536)
    with pytest.raises(attila.Stopped, match="returned False"):
        shader.draw(image, varyings={6: 1}, threads=threads, progress=lambda done, all: False)

    raised = LookupError("mine")

    def fails(done: int, all: int) -> None:
        raise raised

    with pytest.raises(LookupError) as error:
        shader.draw(image, varyings={6: 1}, threads=threads, progress=fails)
    assert error.value is raised


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_ends_a_draw(threads: int) -> None:
    shader, image = attila.assemble(LONG).prepare("interp"), picture(8192, 8192)
    # The lock is released, so that this thread runs while the other one draws.
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    start = time.monotonic()
    # Where tests run in the background, a shell has the signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            shader.draw(image, varyings={6: 1}, threads=threads)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    # The whole picture takes minutes.
    assert time.monotonic() - start < 30


def test_threads_draw_to_parts_of_an_array(gradient: attila.Shader) -> None:
    image, whole = picture(64, 64, np.float32), picture(64, 64, np.float32)
    how = {6: "u, v, s, t"}
    gradient.draw(whole, varyings=how)

    def draw(left: int) -> None:
        for _ in range(50):
            region = (left, 0, left + 16, 64)
            gradient.draw(image[:, left : left + 16], varyings=how, region=region, size=(64, 64))

    threads = [threading.Thread(target=draw, args=(left,)) for left in range(0, 64, 16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert np.array_equal(image, whole)


@pytest.mark.parametrize("dtype", [np.uint8, np.float16, np.float32])
@pytest.mark.parametrize("samples", [2, 4, 8, 16])
def test_samples_are_resolved(gradient: attila.Shader, dtype: type, samples: int) -> None:
    image: NDArray[Any] = np.zeros((samples, 9, 7, 4), dtype)
    corners = np.array([[0.3, 0.1], [6.7, 1.3], [1.1, 8.9]], np.float32)
    gradient.draw(image, samples=samples, varyings={6: 1}, shape=attila.Triangles(corners))
    single = attila.resolve(image)
    assert single.shape == (9, 7, 4) and single.dtype == dtype
    mean = image.astype(np.float64).mean(axis=0)
    assert np.abs(single - mean).max() <= (0.5 if dtype == np.uint8 else 1e-3)
    assert len(np.unique(single)) > 2
    memory: NDArray[Any] = np.full((9, 9, 4), 7, dtype)
    assert attila.resolve(image, memory[:, 1:8]).base is not None
    assert np.array_equal(memory[:, 1:8], single) and (memory[:, [0, 8]] == 7).all()


def test_depths_are_resolved_to_the_first_sample_and_formats_are_named() -> None:
    depths = np.arange(16, dtype=np.float32).reshape(4, 2, 2)
    assert np.array_equal(attila.resolve(depths, format="d32f"), depths[0])
    assert np.array_equal(attila.resolve(depths), depths.mean(axis=0))
    packed = np.full((2, 3, 3), 1023, np.uint32)
    assert np.array_equal(attila.resolve(packed, format="d24"), packed[0])
    bright = np.array([[[[0, 0, 0, 255]]], [[[255, 255, 255, 255]]]], np.uint8)
    assert attila.resolve(bright).tolist() == [[[128, 128, 128, 255]]]
    assert attila.resolve(bright, format="rgba8-srgb").tolist() == [[[188, 188, 188, 255]]]


def test_images_that_cannot_be_resolved_are_refused() -> None:
    image = np.zeros((4, 2, 2, 4), np.uint8)
    for wrong, message in (
        (image[0, 0], r"image is an array of shape \(2, 4\)"),
        (image[:3], r"expected an array of shape \(n, height, width, 4\)"),
        (image.astype(np.int16), "dtype int16; expected"),
    ):
        with pytest.raises(ValueError, match=message):
            attila.resolve(wrong)
    with pytest.raises(ValueError, match="2x2 pixels cannot be resolved to 3x2"):
        attila.resolve(image, np.zeros((2, 3, 4), np.uint8))
    with pytest.raises(ValueError, match="out is an array of shape .* and dtype float32; expected"):
        attila.resolve(image, np.zeros((2, 2, 4), np.float32))
    with pytest.raises(ValueError, match="overlaps no other"):
        attila.resolve(image, image[0])


@pytest.mark.parametrize("prepared", [False, True])
def test_draws_read_storage_buffers(prepared: bool) -> None:
    shader = attila.assemble(".extended\nldb o1, c0.x, u3").prepare()
    words, image = np.array([0, 0.2, 0.4, 0.6, 1], np.float32), picture(2, 2)
    given: dict[str, Any] = {"storage": {"u3": words}, "constants": {0: np.array([4, 0, 0, 0], np.int32)}}
    if prepared:
        shader.prepare(image, **given).draw(image)
    else:
        shader.draw(image, **given)
    assert image[1, 1].tolist() == [51, 102, 153, 255]
