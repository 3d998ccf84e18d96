from typing import Any, Literal

import numpy as np
import pytest
from conftest import picture
from numpy.typing import NDArray

import attila

ENGINES: list[Literal["interp", "auto"]] = ["interp", "auto"]
CORNERS = np.array([[0, 0, 0.25, 1], [8, 0, 0.25, 1], [0, 8, 0.25, 1], [8, 8, 0.75, 1]], np.float32)
COLOURS = np.array([[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1], [1, 1, 1, 1]], np.float32)
FACES = [[0, 1, 2], [1, 3, 2]]


@pytest.fixture
def shader() -> attila.Shader:
    return attila.assemble("mov o1, i1").prepare()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("threads", [1, 2])
def test_triangles_are_drawn(engine: Literal["interp", "auto"], threads: int) -> None:
    shader = attila.assemble("mov o1, i1").prepare(engine)
    images = []
    for indices in (
        np.array(FACES, np.uint16),
        np.array(FACES, np.uint32),
        np.array(FACES, np.uint16).ravel(),
    ):
        image = picture(dtype=np.float32)
        triangles = attila.Triangles(CORNERS, indices, attributes={"i1": COLOURS})
        shader.draw(image, shape=triangles, threads=threads)
        images.append(image)
    y, x = np.mgrid[0:8, 0:8] / 8 + 1 / 16
    expected = np.where(x + y < 1, 1 - x - y, x + y - 1)
    assert np.allclose(images[0][..., 0], expected, atol=1e-6)
    assert all(np.array_equal(image, images[0]) for image in images)


def test_vertices_without_indices_are_triangles_in_their_order(shader: attila.Shader) -> None:
    image, indexed = picture(), picture()
    order = np.ravel(FACES)
    shader.draw(image, shape=attila.Triangles(CORNERS[order], attributes={1: COLOURS[order]}))
    shader.draw(indexed, shape=attila.Triangles(CORNERS, np.array(FACES, np.uint32), attributes={1: COLOURS}))
    assert image.any() and np.array_equal(image, indexed)


def test_components_that_are_missing_are_filled(shader: attila.Shader) -> None:
    image = picture(dtype=np.float32)
    corners = np.ascontiguousarray(CORNERS[:, :2])
    colours = np.ascontiguousarray(COLOURS[:, :1])
    depth = np.ones((8, 8), np.float32)
    shader.draw(image, depth=depth, shape=attila.Triangles(corners, np.array(FACES, np.uint32), attributes={1: colours}))
    assert (depth == 0).all() and (image[..., 1:] == [0, 0, 1]).all()


def test_attributes_are_spread_as_varyings_say(shader: attila.Shader) -> None:
    corners = CORNERS.copy()
    corners[3, 3] = 0.25
    triangles = attila.Triangles(corners, np.array(FACES, np.uint32), attributes={1: COLOURS})
    drawn = {}
    for how in ("perspective", "linear", "flat", None):
        drawn[how] = picture(dtype=np.float32)
        shader.draw(drawn[how], shape=triangles, varyings={1: how} if how else {})
    assert np.array_equal(drawn[None], drawn["perspective"])
    assert not np.array_equal(drawn["linear"], drawn["perspective"])
    assert (drawn["flat"] == COLOURS[2]).all()
    everywhere = picture(dtype=np.float32)
    shader.draw(everywhere, shape=triangles, varyings={1: (1, 2, 3, 4)})
    assert (everywhere == [1, 2, 3, 4]).all()


VERTEX = "mov o0, i0\nmul o1, i1, c0"


@pytest.mark.parametrize("engine", ENGINES)
def test_meshes_are_drawn(engine: Literal["interp", "auto"]) -> None:
    vertices = attila.load(VERTEX, stage="vertex").prepare(engine)
    shader = attila.assemble("mov o1, i1").prepare(engine)
    # Interleaved, and colours as bytes.
    memory = np.zeros(4, [("place", "<f4", 4), ("colour", "u1", 4)])
    memory["place"] = CORNERS / [4, -4, 1, 1] - [1, -1, 0, 0]
    memory["colour"] = COLOURS * 255
    image, other = picture(dtype=np.float32), picture(dtype=np.float32)
    mesh = attila.Mesh(
        vertices,
        {0: memory["place"], 1: memory["colour"]},
        np.array(FACES, np.uint16),
        constants={"c0": (1, 0.5, 1, 1)},
    )
    shader.draw(image, shape=mesh, threads=2)
    shader.draw(other, shape=attila.Triangles(CORNERS, np.array(FACES, np.uint32), attributes={1: COLOURS}))
    assert np.allclose(image, other * [1, 0.5, 1, 1], atol=1e-6)
    part = picture(dtype=np.float32)
    mesh = attila.Mesh(
        vertices,
        {0: memory["place"], 1: memory["colour"]},
        np.array(FACES, np.uint32),
        constants={0: 1},
        viewport=(0, 0, 4, 4),
    )
    shader.draw(part, shape=mesh)
    assert part[:4, :4].any() and not part[4:].any() and not part[:, 4:].any()


def test_dtypes_of_attributes_are_formats(shader: attila.Shader) -> None:
    vertices = attila.load("mov o0, i0\nmov o1, i1", stage="vertex").prepare()
    corners = np.array([[-1, -1], [3, -1], [-1, 3]], np.float32)
    cases: list[tuple[Any, Any, Any]] = [
        (np.uint8, [51, 255], [0.2, 1]),
        (np.int8, [-127, 127], [0, 1]),
        (np.uint16, [0, 65535], [0, 1]),
        (np.int16, [32767, 0], [1, 0]),
        (np.uint32, [1, 0], [1, 0]),
        (np.int32, [-1, 1], [0, 1]),
        (np.float16, [0.5, 0.25], [0.5, 0.25]),
    ]
    for dtype, values, expected in cases:
        image = picture(dtype=np.float32)
        colours = np.array([values] * 3, dtype)
        shader.draw(image, shape=attila.Mesh(vertices, {0: corners, 1: colours}))
        assert np.allclose(image, [*expected, 0, 1], atol=1e-6), dtype


def test_culling_and_masks_are_states(shader: attila.Shader) -> None:
    triangles = attila.Triangles(CORNERS, np.array(FACES[:1], np.uint32), attributes={1: COLOURS})
    sides = {}
    for cull in ("front", "back"):
        image = picture()
        shader.draw(image, shape=triangles, state=attila.State(cull=cull))
        sides[cull] = image.any()
    assert sorted(sides.values()) == [False, True]
    image = picture()
    shader.draw(image, shape=triangles, state=attila.State(front="clockwise", cull="back"))
    assert image.any() != sides["back"]


@pytest.mark.parametrize("engine", ENGINES)
def test_quads_are_drawn_with_their_coverage(engine: Literal["interp", "auto"]) -> None:
    shader = attila.assemble("mov o1, i1").prepare(engine)
    places = np.array([[0, 0], [6, 2]], np.uint32)
    coverage = np.array([[1, 0, 0, 1], [1, 1, 1, 1]], np.uint16)
    inputs = np.arange(32, dtype=np.float32).reshape(2, 4, 4)
    image = picture(dtype=np.float32)
    shader.draw(image, shape=attila.Quads(places, coverage, inputs={1: inputs}))
    assert image[0, 0].tolist() == inputs[0, :, 0].tolist() and image[1, 1].tolist() == inputs[0, :, 3].tolist()
    assert not image[0, 1].any() and not image[1, 0].any()
    assert image[3, 6].tolist() == inputs[1, :, 2].tolist()
    assert np.count_nonzero(image.any(axis=2)) == 6


def test_regions_of_shapes_are_scissors_and_tiles(shader: attila.Shader) -> None:
    triangles = attila.Triangles(CORNERS, np.array(FACES, np.uint32), attributes={1: COLOURS})
    whole, part, tiles = (picture(dtype=np.float32) for _ in range(3))
    shader.draw(whole, shape=triangles)
    shader.draw(part, shape=triangles, region=(1, 2, 7, 5), scissor=(0, 3, 6, 8))
    expected = np.zeros_like(whole)
    expected[3:5, 1:6] = whole[3:5, 1:6]
    assert np.array_equal(part, expected)
    for top in (0, 3):
        for left in (0, 5):
            region = (left, top, [5, 8][left > 0], [3, 8][top > 0])
            view = tiles[region[1] : region[3], region[0] : region[2]]
            shader.draw(view, shape=triangles, region=region, size=(8, 8))
    assert np.array_equal(tiles, whole)


@pytest.mark.parametrize(
    ("shape", "error", "message"),
    [
        (attila.Triangles(CORNERS.astype(float)), ValueError, r"positions is an array of shape \(4, 4\) and dtype float64"),
        (attila.Triangles(CORNERS, np.array(FACES)), ValueError, r"indices is .* dtype int64; expected .* uint16 or uint32"),
        (attila.Triangles(CORNERS, np.zeros(4, np.uint32)), ValueError, r"indices is an array of shape \(4,\)"),
        (attila.Triangles(CORNERS, np.array([0, 1, 4], np.uint16)), ValueError, "vertex 4; the mesh has 4"),
        (attila.Triangles(CORNERS[::2, ::2]), ValueError, "positions .* gaps"),
        (attila.Triangles(CORNERS, attributes={1: COLOURS[:2]}), ValueError, "2 values for 4 vertices"),
        (attila.Quads(np.array([[1, 0]], np.uint32)), ValueError, "quad 0 is at"),
        (5, TypeError, "shape is <class 'int'>; expected Triangles, Mesh or Quads"),
    ],
)
def test_wrong_shapes_are_refused(shader: attila.Shader, shape: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        shader.draw(picture(), shape=shape, varyings={1: 0})


def test_arrays_give_each_pixel_its_value() -> None:
    shader = attila.assemble("ddx r0, i6\nadd o1, i6, r0").prepare()
    values = np.random.default_rng(3).random((7, 9, 3), np.float32)
    image = picture(7, 9, np.float32)
    attila.assemble("mov o1, i6").prepare().draw(image, varyings={6: values})
    assert np.array_equal(image[..., :3], values) and (image[..., 3] == 1).all()
    # Derivatives are those of neighbours, also at the borders of regions.
    shader.draw(image, varyings={6: values})
    parts = picture(7, 9, np.float32)
    for region in ((0, 0, 5, 7), (5, 0, 9, 3), (5, 3, 9, 7)):
        shader.draw(parts, varyings={6: values}, region=region, threads=2)
    assert np.array_equal(parts, image)
    words = np.arange(63, dtype=np.int32).reshape(7, 9, 1)
    attila.assemble("mov o1, i6").prepare().draw(image, varyings={6: words})
    assert np.array_equal(image.view(np.int32)[..., :1], words)
    with pytest.raises(ValueError, match=r"varying 6 is .* expected shape \(7, 9, 4\)"):
        shader.draw(image, varyings={6: values[1:]})
    with pytest.raises(ValueError, match="an array over pixels"):
        shader.prepare(image, varyings={6: values})


def test_planes_start_at_the_first_pixel() -> None:
    shader, image = attila.assemble("mov o1, i6").prepare(), picture(4, 4, np.float32)
    planes: Any = [[1, 0.5, 0], [2, 0, 0.25], [3, 0, 0], [4, 1, 1]]
    shader.draw(image, varyings={6: planes})
    y, x = np.mgrid[0:4, 0:4] + 0.5
    assert np.array_equal(image[..., 0], 1 + 0.5 * x) and np.array_equal(image[..., 3], 4 + x + y)
    array: NDArray[np.float32] = np.array(planes, np.float32)
    again = picture(4, 4, np.float32)
    shader.draw(again, varyings={6: array})
    assert np.array_equal(again, image)


# A triangle at each point: the vertices are those of the point, moved by constants, and the colour is its attribute.
GEOMETRY = ".extended geometry\nlda r0, i0.y, t0\nlda r1, i0.y, t1\nmov o1, r1\nmov o0, r0\n" + "".join(
    f"add o0.xy, r0, c{n}\nemit s0\n" for n in range(3)
)
MOVES = {0: (0, 0, 0, 0), 1: (0.5, 0, 0, 0), 2: (0, 0.5, 0, 0)}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("prepared", [False, True])
def test_geometry_programs_make_triangles(engine: Literal["interp", "auto"], prepared: bool) -> None:
    vertices = attila.load("mov o0, i0\nmov o1, i1", stage="vertex").prepare(engine)
    geometry = attila.Geometry(attila.assemble(GEOMETRY).prepare(engine), "points", constants=MOVES)
    places = np.array([[-1, -1], [0, 0], [0.5, -0.5]], np.float32)
    mesh = attila.Mesh(vertices, {0: places, 1: COLOURS[:3]}, np.array([0, 2], np.uint16), geometry=geometry)
    shader, image, expected = attila.assemble("mov o1, i1").prepare(engine), picture(16, 16), picture(16, 16)
    if prepared:
        shader.prepare(image, varyings={1: "perspective"}).draw(image, shape=mesh)
    else:
        shader.draw(image, shape=mesh)
    corners = np.array([place + MOVES[n][:2] for place in places[[0, 2]] for n in range(3)], np.float32)
    simple = attila.Mesh(vertices, {0: corners, 1: np.repeat(COLOURS[[0, 2]], 3, axis=0)})
    shader.draw(expected, shape=simple)
    assert np.array_equal(image, expected) and (image[..., 0].any() and image[..., 2].any())


def test_primitives_of_geometry_programs_have_their_vertices(shader: attila.Shader) -> None:
    vertices = attila.load(b"mov o0, i0", stage="vertex").prepare()
    text = ".extended geometry\nmov r1.x, c0\nlda r0, i0.y, t0\nmov o0, r0\nmov o1, c1\nemit s0\n"
    text += "lda o0, c0.x, t0\nemit s0\nlda o0, c0.y, t0\nemit s0"
    program = attila.assemble(text).prepare()
    corners = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]], np.float32)
    constants: dict[int, Any] = {0: np.array([1, 2, 0, 0], np.int32), 1: 1}
    for kind, indices, count in (("triangles", [[0, 1, 2], [2, 1, 3]], 2), ("lines", [0, 1, 2, 3], 0)):
        geometry = attila.Geometry(program, kind, constants=constants)  # type: ignore[arg-type]
        image = picture()
        shader.draw(image, shape=attila.Mesh(vertices, {0: corners}, np.array(indices, np.uint32), geometry=geometry))
        # The third vertex of a line reads as the middle of the window.
        assert image[..., 0].all() if count else 0 < (image[..., 0] > 0).sum() < 64
    with pytest.raises(ValueError, match=r"expected an array of shape \(2 \* n,\) or \(n, 2\)"):
        shader.draw(picture(), shape=attila.Mesh(vertices, {0: corners}, np.zeros((1, 3), np.uint16), geometry=geometry))
    with pytest.raises(ValueError, match='primitives is "quads"; expected one of "points", "lines", "triangles"'):
        attila.Geometry(program, "quads")  # type: ignore[arg-type]
    few = attila.Geometry(program, "triangles", constants=constants, max_vertices=1025)
    with pytest.raises(ValueError, match="may emit 1025 vertices; the limit is 1024"):
        shader.draw(picture(), shape=attila.Mesh(vertices, {0: corners}, geometry=few))
