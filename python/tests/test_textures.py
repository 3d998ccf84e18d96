import array
import gc
import pathlib
from typing import Any, Literal

import numpy as np
import pytest
from conftest import picture
from numpy.typing import NDArray

import attila

TEX = "tex o1, i6, t0"
ENGINES: list[Literal["interp", "auto"]] = ["interp", "auto"]


def sampled(texture: Any, at: Any, text: str = TEX, **how: Any) -> NDArray[np.float32]:
    """Samples of both engines, which are the same."""
    program = attila.assemble(text)
    rows = np.atleast_2d(np.array(at, np.float32))
    results = [program.prepare(it).map({6: rows}, textures={0: texture}, **how)[1] for it in ENGINES]
    assert results[0].tobytes() == results[1].tobytes()
    return results[0]


@pytest.mark.parametrize(
    ("dtype", "channels", "format"),
    [
        (np.uint8, 1, "r8"),
        (np.uint8, 2, "rg8"),
        (np.uint8, 3, "rgba8"),
        (np.uint8, 4, "rgba8"),
        (np.uint16, 3, "rgba16"),
        (np.uint16, 4, "rgba16"),
        (np.float16, 1, "r16f"),
        (np.float16, 3, "rgba16f"),
        (np.float32, 1, "r32f"),
        (np.float32, 2, "rg32f"),
        (np.float32, 3, "rgba32f"),
        (np.float32, 4, "rgba32f"),
        (np.int8, 4, "rgba8-sint"),
        (np.int16, 2, "rg16-sint"),
        (np.int32, 3, "rgba32-sint"),
        (np.uint32, 4, "rgba32-uint"),
    ],
)
def test_dtypes_and_channels_are_formats(dtype: Any, channels: int, format: str) -> None:
    texels = np.ones((2, 3, channels), dtype)
    texture = attila.Texture.from_array(texels)
    assert (texture.format, texture.kind, texture.size, texture.levels) == (format, "2d", (3, 2, 1), 1)
    got = sampled(texture, (0.5, 0.5))
    one = np.array(1, dtype)
    if np.issubdtype(dtype, np.integer):
        scale = {np.uint8: 255, np.uint16: 65535}.get(dtype)
        value: Any = one / np.float32(scale) if scale else one.astype(np.int32).view(np.float32)
        rest: Any = np.float32(1) if scale else np.int32(1).view(np.float32)
    else:
        value, rest = np.float32(1), np.float32(1)
    expected = [value if c < channels else (rest if c == 3 else 0) for c in range(4)]
    assert got[0].tobytes() == np.array(expected, np.float32).tobytes()


@pytest.mark.parametrize(
    ("kind", "shape", "size", "text", "at"),
    [
        ("1d", (4,), (4, 1, 1), "xtex o1, i6, t0.1d", (0.375,)),
        ("2d", (2, 4), (4, 2, 1), TEX, (0.375, 0.25)),
        ("rect", (2, 4), (4, 2, 1), TEX, (1.5, 0.5)),
        ("3d", (2, 2, 4), (4, 2, 2), "xtex o1, i6, t0.3d", (0.375, 0.25, 0.25)),
        ("1d-array", (2, 4), (4, 1, 1), "xtex o1, i6, t0.1d_array", (0.375, 0)),
        ("2d-array", (2, 2, 4), (4, 2, 1), "xtex o1, i6, t0.2d_array", (0.375, 0.25, 0)),
    ],
)
def test_kinds_have_their_axes(
    kind: Any, shape: tuple[int, ...], size: tuple[int, int, int], text: str, at: tuple[float, ...]
) -> None:
    texels = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    texture = attila.Texture.from_array(texels, kind=kind, filter="nearest")
    assert (texture.kind, texture.size) == (kind, size)
    if "xtex" in text:
        text = ".extended\n" + text
    assert sampled(texture, at, text)[0, 0] == 1


def test_cubes_have_six_faces() -> None:
    faces = np.zeros((6, 2, 2, 4), np.float32)
    faces[:] = np.arange(6)[:, None, None, None]
    cube = attila.Texture.from_array(faces, kind="cube")
    directions = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    assert sampled(cube, directions)[:, 0].tolist() == [0, 1, 2, 3, 4, 5]
    cubes = attila.Texture.from_array(faces[None].repeat(2, 0), kind="cube-array")
    assert cubes.kind == "cube-array" and cubes.size == (2, 2, 1)
    with pytest.raises(ValueError, match=r"array is an array of shape \(5, 2, 2, 4\) .* expected shape \(6, height, width\)"):
        attila.Texture.from_array(faces[:5], kind="cube")


def test_formats_are_named() -> None:
    texels = np.array([[[1, 2, 3, 4]]], np.uint8)
    texture = attila.Texture.from_array(texels, format="bgra8")
    assert (sampled(texture, (0, 0))[0] * 255).round().tolist() == [3, 2, 1, 4]
    blocks = np.zeros((1, 2, 8), np.uint8)
    assert attila.Texture.from_array(blocks, format="dxt1-rgb").size == (8, 4, 1)
    with pytest.raises(ValueError, match='there is no format "rgba9"'):
        attila.Texture.from_array(texels, format="rgba9")
    with pytest.raises(ValueError, match="with 8 bytes for each texel"):
        attila.Texture.from_array(texels, format="rgba16f")


def test_levels_are_made_or_given() -> None:
    texels = np.zeros((2, 4, 4), np.float32)
    texels[:, 2:] = 1
    made = attila.Texture.from_array(texels, levels=True)
    assert made.levels == 3
    at = "mov r0, i6\nmov r0.w, c0\ntxl o1, r0, t0"
    assert (sampled(made, (0, 0), at, constants={0: 2}) == 0.5).all()
    given = attila.Texture.from_array(texels, levels=[np.full((1, 2, 4), 5, np.float32)], filter="nearest")
    assert given.levels == 2
    assert (sampled(given, (0, 0), at, constants={0: 1}) == 5).all()
    mixed = attila.Texture.from_array(
        texels, levels=[np.full((1, 2, 4), 5, np.float32)], filter=("nearest", "nearest", "linear")
    )
    assert (sampled(mixed, (0.1, 0), at, constants={0: 0.5}) == 2.5).all()
    with pytest.raises(ValueError, match="level 1 has another size or format than it should have: 2x1x1 texels of rgba32f"):
        attila.Texture.from_array(texels, levels=[np.zeros((2, 2, 4), np.float32)])


def test_samplers_are_described() -> None:
    texels = np.arange(4, dtype=np.float32).reshape(1, 4)
    at = [(-0.125, 0.5), (1.125, 0.5), (1.375, 0.5)]
    for wrap, expected in [
        ("repeat", [3, 0, 1]),
        ("edge", [0, 3, 3]),
        ("mirror", [0, 3, 2]),
        ("border", [9, 9, 9]),
        (("border", "edge"), [9, 9, 9]),
    ]:
        texture = attila.Texture.from_array(
            texels, wrap=wrap, filter="nearest", border=(9, 9, 9, 9)  # type: ignore[arg-type]
        )
        assert sampled(texture, at)[:, 0].tolist() == expected
    linear = attila.Texture.from_array(texels)
    assert sampled(linear, (0.25, 0.5))[0, 0] == 0.5
    half = np.full((1, 1, 4), 128, np.uint8)
    decoded = sampled(attila.Texture.from_array(half, srgb=True), (0, 0))[0]
    assert abs(decoded[0] - 0.2158605) < 1e-6 and decoded[3] == np.float32(128) / np.float32(255)
    texel = attila.Texture.from_array(texels, texels=True, filter="nearest")
    assert sampled(texel, (2.5, 0.5))[0, 0] == 2
    compared = attila.Texture.from_array(texels, compare="less", filter="nearest")
    assert sampled(compared, (0.375, 0.5, 2))[0, 0] == 1
    for keyword, message in [
        ({"filter": "cubic"}, 'filter is "cubic"; expected one of "linear", "nearest"'),
        ({"wrap": "around"}, 'wrap is "around"; expected one of "repeat"'),
        ({"aniso": 17}, "17"),
        ({"kind": "4d"}, 'kind is "4d"; expected one of "2d"'),
    ]:
        with pytest.raises(ValueError, match=message):
            attila.Texture.from_array(texels, **keyword)  # type: ignore[arg-type]


class Lent:
    """Has the protocol of DLPack and nothing else."""

    def __init__(self, held: NDArray[Any]) -> None:
        self.held = held

    def __dlpack__(self, **how: Any) -> Any:
        return self.held.__dlpack__(**how)

    def __dlpack_device__(self) -> Any:
        return self.held.__dlpack_device__()


def test_whoever_has_memory_has_texels() -> None:
    texels = np.arange(8, dtype=np.float32).reshape(2, 4)
    flat = array.array("f", texels.ravel().tolist())
    for source in (Lent(texels), texels.data, texels[::-1][::-1], np.asfortranarray(texels)):
        texture = attila.Texture.from_array(source)
        assert texture.size == (4, 2, 1) and sampled(texture, (0.375, 0.75))[0, 0] == 5
    assert attila.Texture.from_array(flat, kind="1d").size == (8, 1, 1)
    assert attila.Texture.from_array(bytearray(b"abc"), kind="1d").format == "r8"
    with pytest.raises(ValueError, match="dtype float64; expected shape .* dtype uint8, uint16"):
        attila.Texture.from_array(texels.astype(float))
    with pytest.raises(ValueError, match="dtype >f4"):
        attila.Texture.from_array(texels.astype(">f4"))


def test_textures_are_read_from_files(tmp_path: pathlib.Path) -> None:
    texels = np.arange(6 * 4, dtype=np.uint8).reshape(1, 6, 4)
    path = tmp_path / "a, b = c*d.png"
    path.write_bytes(attila.Picture(texels).png(alpha=True))
    texture = attila.Texture.from_file(path, filter="nearest")
    assert texture.size == (6, 1, 1) and texture.levels == 1
    assert (sampled(texture, (0.25, 0.5)) * 255).round()[0].tolist() == texels[0, 1].tolist()
    assert attila.Texture.from_file(str(path), levels=True).levels == 3
    assert attila.Texture.from_file(path, kind="1d").kind == "1d"
    assert attila.Texture.from_file(path, kind="cube").size == (1, 1, 1)
    tall = tmp_path / "tall.png"
    tall.write_bytes(attila.Picture(texels.reshape(6, 1, 4)).png(alpha=True))
    assert attila.Texture.from_file(tall, kind="3d", slices=3).size == (1, 2, 3)
    path.write_bytes(b"GIF89a")
    with pytest.raises(ValueError, match="a, b = c.d.png: the file is .*textures are"):
        attila.Texture.from_file(path)
    with pytest.raises(FileNotFoundError):
        attila.Texture.from_file(tmp_path / "none.png")


def test_a_freed_texture_is_refused() -> None:
    texels = np.ones((1, 1, 4), np.float32)
    texture = attila.Texture.from_array(texels)
    shader = attila.assemble(TEX).prepare()
    image = picture(dtype=np.float32)
    prepared = shader.prepare(image, varyings={6: 0}, textures={0: texture})
    texture.free()
    texture.free()
    assert repr(texture) == "<Texture, freed>"
    with pytest.raises(ValueError, match="the texture has been freed"):
        shader.draw(image, varyings={6: 0}, textures={0: texture})
    with pytest.raises(ValueError, match="the texture has been freed"):
        texture.size
    # What has it keeps it.
    prepared.draw(image)
    assert (image == 1).all()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("threads", [0, 1, 2])
def test_a_callable_is_a_texture(engine: Literal["interp", "auto"], threads: int) -> None:
    asked: list[tuple[Any, Any]] = []

    def checks(at: NDArray[np.float32]) -> NDArray[np.float32]:
        asked.append((at.shape, at.dtype))
        return np.floor(at * 4) % 2

    image, expected = picture(70, 9, np.float32), picture(70, 9, np.float32)
    shader = attila.assemble(TEX).prepare(engine)
    how = {6: "u, v, 0.3, 1"}
    shader.draw(image, varyings=how, textures={0: checks}, threads=threads)
    attila.assemble("mul r0, i6, 4.0\nfrc r1, r0\nadd r0, r0, -r1\nmul r0, r0, 0.5\nfrc r0, r0\nadd o1, r0, r0").prepare(
        engine
    ).draw(expected, varyings=how)
    assert np.array_equal(image[..., :3], expected[..., :3])
    assert set(asked) == {((4, 4), np.dtype(np.float32))}


@pytest.mark.parametrize("engine", ENGINES)
def test_answers_are_broadcast_and_integers_are_bits(engine: Literal["interp", "auto"]) -> None:
    at = np.zeros((3, 2), np.float32)
    shader = attila.assemble(TEX).prepare(engine)
    answers: list[tuple[Any, Any]] = [
        (2.5, [2.5] * 4),
        ((1, 2, 3, 4), [1, 2, 3, 4]),
        (np.arange(4.0)[:, None] * 0 + 7, [7] * 4),
        (np.array([1, 2, 3, 4], np.float32), [1, 2, 3, 4]),
    ]
    for answer, expected in answers:
        got = shader.map({6: at}, textures={0: lambda _: answer})[1]
        assert got.tolist() == [expected] * 3
    got = shader.map({6: at}, textures={0: lambda _: np.array([1, -1, 3, 4], np.int32)})[1]
    assert got.view(np.int32).tolist() == [[1, -1, 3, 4]] * 3
    fetch = attila.assemble(".extended\ntxf o1, c0, t0.2d").prepare(engine)
    seen: list[Any] = []

    def sees(at: Any) -> float:
        seen.append(at)
        return 0

    fetch.map({6: at}, constants={0: np.array([5, 6, 7, 1], np.int32)}, textures={0: sees})
    assert seen[0].dtype == np.int32 and seen[0][0].tolist() == [5, 6, 7, 1]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("threads", [0, 1, 2])
def test_an_exception_of_a_callable_is_raised_as_it_is(engine: Literal["interp", "auto"], threads: int) -> None:
    shader, image = attila.assemble(TEX).prepare(engine), picture(300, 9)
    raised = LookupError("mine")

    def fails(at: NDArray[np.float32]) -> float:
        if at[0, 1] > 0.5:
            raise raised
        return 1.0

    for call in (
        lambda: shader.draw(image, varyings={6: "u, v, 0, 1"}, textures={0: fails}, threads=threads),
        lambda: shader.prepare(image, varyings={6: "u, v, 0, 1"}, textures={0: fails}, threads=threads).draw(image),
        lambda: shader.map({6: np.ones((50, 2), np.float32)}, textures={0: fails}, threads=threads),
    ):
        with pytest.raises(LookupError) as error:
            call()
        assert error.value is raised
    assert (image[0] == 255).all() and not image[-1].any()
    # All is well after that.
    shader.draw(image, varyings={6: 0}, textures={0: lambda _: 1}, threads=threads)
    assert (image == 255).all()


def test_a_callable_of_a_vertex_program_is_called() -> None:
    vertices = attila.load("txl r0, i1, t0\nmov o0, i0\nmov o1, r0", stage="vertex").prepare()
    corners = np.array([[-1, -1], [3, -1], [-1, 3]], np.float32)
    image = picture(dtype=np.float32)
    shader = attila.assemble("mov o1, i1").prepare()

    def mesh(texture: Any) -> attila.Mesh:
        return attila.Mesh(vertices, {0: corners, 1: corners}, textures={0: texture})

    shader.draw(image, shape=mesh(lambda _: (0.25, 0.5, 0.75, 1)), threads=2)
    assert (image == [0.25, 0.5, 0.75, 1]).all()
    with pytest.raises(ZeroDivisionError):
        shader.draw(image, shape=mesh(lambda _: 1 / 0), threads=2)
    with pytest.raises(ValueError, match="prepare the draw with threads=1"):
        shader.prepare(image, varyings={1: "flat"}, threads=2).draw(image, shape=mesh(lambda _: 1))
    with pytest.raises(ZeroDivisionError):
        shader.prepare(image, varyings={1: "flat"}).draw(image, shape=mesh(lambda _: 1 / 0))


def test_what_is_no_texture_is_refused() -> None:
    shader = attila.assemble(TEX).prepare()
    image = picture()
    for texture, error, message in [
        ("wall.png", TypeError, "texture 0 is <class 'str'>; expected a Texture, an array or a callable"),
        (np.zeros((2, 2)), ValueError, r"texture 0 is an array of shape \(2, 2\) and dtype float64"),
        (lambda _: "red", ValueError, "could not convert string to float"),
        (lambda _: np.zeros((5, 5)), ValueError, "broadcast"),
    ]:
        with pytest.raises(error, match=message):
            shader.draw(image, varyings={6: 0}, textures={0: texture})  # type: ignore[dict-item]
    with pytest.raises(KeyError, match="32 is not a texture unit: t0 to t31"):
        shader.draw(image, varyings={6: 0}, textures={32: np.zeros((1, 1, 4), np.uint8)})
    size = attila.assemble(".extended\ntxq o1, c0, t0.2d").prepare()
    with pytest.raises(NotImplementedError, match="texture 0 is a callable, .* the program has `txq`"):
        size.draw(image, textures={"t0": lambda _: 0})


def test_callables_are_not_kept() -> None:
    class Counts:
        def __call__(self, at: Any) -> float:
            return 0.0

    import weakref

    counts = Counts()
    gone = weakref.ref(counts)
    attila.assemble(TEX).prepare().draw(picture(), varyings={6: 0}, textures={0: counts})
    del counts
    gc.collect()
    assert gone() is None
