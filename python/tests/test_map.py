from typing import Any, Literal

import numpy as np
import pytest
from conftest import ARB
from numpy.typing import NDArray

import attila

MAD = attila.assemble("mad o1, i1, c0, i2\nmov o2.x, i1")


def numbers(rows: int, columns: int = 4) -> NDArray[np.float32]:
    return np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)


@pytest.mark.parametrize("engine", ["auto", "interp"])
@pytest.mark.parametrize("threads", [0, 1, 2])
def test_rows_are_mapped(engine: Literal["auto", "interp"], threads: int) -> None:
    rows = numbers(1001)
    result = MAD.prepare(engine).map(
        {1: rows, "i2": (1, 2, 3, 4)}, constants={"c0": 2}, threads=threads
    )
    assert sorted(result) == [1, 2]
    assert np.array_equal(result[1], rows * 2 + np.array([1, 2, 3, 4], np.float32))
    assert np.array_equal(result[2][:, 0], rows[:, 0]) and not result[2][:, 1:].any()


def test_outputs_are_chosen() -> None:
    assert list(MAD.prepare().map({1: numbers(5), 2: 0.0}, outputs=[2])) == [2]


def test_fewer_components_are_filled_and_strides_are_followed() -> None:
    shader = attila.assemble("mov o1, i1").prepare()
    assert shader.map({1: numbers(3, 2)})[1].tolist() == [[0, 1, 0, 1], [2, 3, 0, 1], [4, 5, 0, 1]]
    for view in (numbers(20)[::3], np.asfortranarray(numbers(7)), numbers(9, 8)[:, 2:6]):
        assert np.array_equal(shader.map({1: view})[1], view)
    odd = np.frombuffer(b"?" + numbers(5).tobytes(), np.float32, offset=1).reshape(5, 4)
    assert not odd.flags.aligned and np.array_equal(shader.map({1: odd})[1], numbers(5))
    assert shader.map({1: numbers(0)})[1].shape == (0, 4)


def test_registers_have_the_names_of_the_text() -> None:
    shader = attila.load(ARB).prepare()
    rows = numbers(6)
    result = shader.map({"fragment.texcoord[0]": rows}, constants={"tint": (2, 2, 2, 1)})
    (colours,) = result.values()
    assert np.array_equal(colours, rows)
    with pytest.raises(KeyError, match="does not read `hue`; it reads `fragment.texcoord"):
        shader.map({"hue": rows})
    with pytest.raises(KeyError, match="`tint` is not an input: i0 to i63"):
        shader.map({"tint": rows})
    with pytest.raises(KeyError, match="512 is not a constant: c0 to c511"):
        shader.map({6: rows}, constants={512: 1})


def test_textures_are_arrays() -> None:
    shader = attila.assemble("tex o1, i6, t1").prepare()
    texels = np.array([[[1, 2, 3, 4], [5, 6, 7, 8]]], np.float32)
    at = np.array([[0.25, 0.5], [0.75, 0.5]], np.float32)
    assert np.array_equal(shader.map({6: at}, textures={1: texels})[1], texels[0])
    white = np.full((2, 2, 4), 255, np.uint8)
    assert (shader.map({6: at}, textures={1: white})[1] == 1).all()
    with pytest.raises(ValueError, match=r"texture 1 is an array of shape \(2, 2\) and dtype float64"):
        shader.map({6: at}, textures={1: np.zeros((2, 2))})


ADD = attila.assemble("add o1, i1, i2")


def columns(rows: NDArray[np.float32]) -> tuple[NDArray[np.float32], ...]:
    return tuple(np.ascontiguousarray(column) for column in rows.T)


@pytest.mark.parametrize("engine", ["auto", "interp"])
@pytest.mark.parametrize("threads", [1, 2])
def test_columns_are_mapped_in_place(engine: Literal["auto", "interp"], threads: int) -> None:
    shader = ADD.prepare(engine)
    rows, others = numbers(1001), numbers(1001) * 3
    expected = rows + others
    fortran = np.asfortranarray(others)
    for one in (rows, columns(rows), fortran / 3):
        for two in (others, columns(others), fortran):
            given = {1: one, 2: two}
            assert set(shader.explain(given).values()) <= {
                "read in place, by rows",
                "read in place, by columns",
                "a fresh array",
            }
            assert np.array_equal(shader.map(given, threads=threads)[1], expected)
    two = shader.map({1: columns(rows)[:2], 2: 0.0})[1]
    assert np.array_equal(two[:, :2], rows[:, :2]) and (two[:, 2:] == [0, 1]).all()


def test_what_is_copied_is_explained() -> None:
    shader = ADD.prepare()
    rows = numbers(9)
    odd = np.frombuffer(b"?" + numbers(5).tobytes(), np.float32, offset=1).reshape(5, 4)
    cases: list[tuple[Any, str]] = [
        (rows, "read in place, by rows"),
        (rows[::3], "read in place, by rows"),
        (numbers(9, 8)[:, 2:6], "read in place, by rows"),
        (np.asfortranarray(rows), "read in place, by columns"),
        (rows[::-1], "copied: its rows run backwards or overlap"),
        (np.broadcast_to(rows[0], (3, 4)), "copied: its rows run backwards or overlap"),
        (rows[:, ::2], "copied: neither its rows nor its columns are without gaps"),
        (odd, "copied: its elements are misaligned"),
        ((rows[:, 0], rows[:, 1]), "copied, at least in part: its elements have gaps or are misaligned"),
    ]
    for view, how in cases:
        assert shader.explain({1: view, 2: 0.0})["i1"] == how
        array = np.stack(view, axis=1) if isinstance(view, tuple) else view
        result = shader.map({1: view, 2: 0.0})[1]
        assert np.array_equal(result[:, : array.shape[1]], array), how
    out = np.zeros((9, 4), np.float32)
    said = shader.explain({1: rows, 2: 1.0}, out={1: out})
    assert said == {"i1": "read in place, by rows", "i2": "the same for all", "o1": "written in place"}


@pytest.mark.parametrize("threads", [1, 2])
def test_results_are_written_to_arrays_of_ones_own(threads: int) -> None:
    shader = MAD.prepare()
    rows, how = numbers(40000), {"constants": {0: 1}, "threads": threads}
    expected = shader.map({1: rows, 2: 5.0}, **how)  # type: ignore[arg-type]
    memory = np.full((40000, 7), 77, np.float32)
    x, y = np.zeros(40000, np.float32), np.zeros(40000, np.float32)
    result = shader.map({1: rows, 2: 5.0}, out={"o1": memory[:, 1:4], 2: (x,)}, **how)  # type: ignore[arg-type]
    assert np.shares_memory(result[1], memory) and sorted(result) == [1, 2]
    assert np.array_equal(memory[:, 1:4], expected[1][:, :3])
    assert (memory[:, 0] == 77).all() and (memory[:, 4:] == 77).all()
    assert np.array_equal(x, expected[2][:, 0])
    fortran = np.zeros((40000, 4), np.float32, order="F")
    result = shader.map({1: rows, 2: 5.0}, out={1: fortran}, outputs=[2], **how)  # type: ignore[arg-type]
    assert np.array_equal(fortran, expected[1]) and np.array_equal(result[2], expected[2])
    assert list(shader.map({1: rows, 2: 5.0}, out={1: (x, y)}, **how)) == [1]  # type: ignore[arg-type]
    assert np.array_equal(y, expected[1][:, 1])


def test_integers_are_bits() -> None:
    shader = attila.assemble(".extended\naddi o1, i1, c0").prepare()
    dtypes: list[Any] = [np.int32, np.uint32]
    for dtype in dtypes:
        rows = np.arange(12, dtype=dtype).reshape(3, 4)
        out = np.zeros((3, 4), dtype)
        shader.map({1: rows}, constants={0: np.array([1, 2, 3, 4], dtype)}, out={1: out})
        assert np.array_equal(out, rows + np.array([1, 2, 3, 4], dtype))
    assert np.array_equal(shader.map({1: out}, constants={"c0": 0})[1].view(np.uint32), out)


def test_rows_that_are_killed_are_told() -> None:
    shader = attila.assemble("kil i1\nmov o1, i1").prepare()
    rows = np.array([[1, 1, 1, 1], [-1, 1, 1, 1], [2, 2, 2, 2]], np.float32)
    dtypes: list[Any] = [np.bool_, np.uint8]
    for dtype in dtypes:
        killed = np.full(3, 1, dtype)
        result = shader.map({1: rows}, killed=killed)[1]
        assert killed.tolist() == [0, 1, 0] and result.tolist() == [[1] * 4, [0] * 4, [2] * 4]
    out = np.full((3, 4), 9, np.float32)
    shader.map({1: rows}, out={1: out})
    assert out[1].tolist() == [9] * 4
    with pytest.raises(ValueError, match=r"killed is .* expected an array of shape \(n,\) and dtype bool or uint8"):
        shader.map({1: rows}, killed=np.zeros((3, 1), np.uint8))
    with pytest.raises(ValueError, match="the program kills no element"):
        ADD.prepare().map({1: rows, 2: 0.0}, killed=np.zeros(3, np.uint8))


def test_rows_may_be_quads() -> None:
    shader = attila.assemble("ddx o1, i1").prepare()
    rows = np.array([[1], [3], [5], [9]], np.float32)
    assert shader.map({1: rows}, quads=True)[1][:, 0].tolist() == [2, 2, 4, 4]
    with pytest.raises(ValueError, match="elements have no neighbours"):
        shader.map({1: rows})


def test_absurd_numbers_of_rows_are_refused() -> None:
    shader = attila.assemble("mov o1, i1").prepare()
    one = np.zeros(1, np.float32)
    for rows in (1 << 40, 1 << 57):
        with pytest.raises((MemoryError, ValueError)):
            shader.map({1: np.broadcast_to(one, (rows, 4))})
        with pytest.raises((MemoryError, ValueError)):
            shader.map({1: (np.broadcast_to(one, (rows,)),)})


def test_what_is_written_overlaps_nothing() -> None:
    shader = ADD.prepare()
    rows = numbers(8)
    with pytest.raises(ValueError, match="output 1 is .* memory that a draw or a map reads or writes"):
        shader.map({1: rows, 2: 0.0}, out={1: rows})
    # Next to each other, in the same rows.
    memory = np.zeros((8, 8), np.float32)
    memory[:, :4] = rows
    shader.map({1: memory[:, :4], 2: 1.0}, out={1: memory[:, 4:]})
    assert np.array_equal(memory[:, 4:], rows + 1)
    # An array may be read twice.
    assert np.array_equal(shader.map({1: rows, 2: rows})[1], rows * 2)
    rows.flags.writeable = False
    for out, message in [
        (rows, "output 1 is an array of shape .* read-only"),
        (np.zeros((8, 4)), "output 1 is an array of shape .8, 4. and dtype float64; expected shape"),
        (np.zeros((8, 5), np.float32), r"output 1 is an array of shape \(8, 5\)"),
        (np.zeros((8, 8), np.float32)[:, ::2], "neither its rows nor its columns"),
        (np.zeros((7, 4), np.float32), "7 elements"),
        ((np.zeros((8, 4), np.float32)[:, 0],), "have gaps"),
        (np.frombuffer(bytearray(129), np.float32, 32, 1).reshape(8, 4), "misaligned"),
    ]:
        with pytest.raises(ValueError, match=message):
            shader.map({1: numbers(8), 2: 0.0}, out={1: out})  # type: ignore[dict-item]


def test_wrong_inputs_are_refused() -> None:
    shader = MAD.prepare()
    with pytest.raises(ValueError, match=r"input 1 is an array of shape \(3, 4\) and dtype float64; expected shape"):
        shader.map({1: np.zeros((3, 4)), 2: 0})
    with pytest.raises(ValueError, match=r"shape \(3, 5\) and dtype float32; expected shape \(n, 1\) to"):
        shader.map({1: np.zeros((3, 5), np.float32), 2: 0})
    with pytest.raises(ValueError, match="no input is an array"):
        shader.map({1: 0, 2: 0})
    with pytest.raises(ValueError, match="has 3 numbers; expected one or four"):
        shader.map({1: numbers(3), 2: (1, 2, 3)})
    with pytest.raises(TypeError, match="expected a number or four numbers"):
        shader.map({1: numbers(3), 2: object()})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="i2"):
        shader.map({1: numbers(3)})
    with pytest.raises(ValueError, match="elements"):
        shader.map({1: numbers(3), 2: numbers(4)})
    with pytest.raises(ValueError):
        shader.map({1: numbers(3), 2: 0}, outputs=[7])


def test_a_map_is_stopped_by_its_progress() -> None:
    shader = MAD.prepare()
    with pytest.raises(attila.Stopped):
        shader.map({1: numbers(1 << 18), 2: 0}, progress=lambda done, all: False)


@pytest.mark.parametrize("engine", ["auto", "interp"])
def test_storage_buffers_are_read_and_written(engine: Literal["auto", "interp"]) -> None:
    text = ".extended\natomadd r0.x, c0.x, u1, c0.y\nstb u0.x, i0.x, i1.x\nldb o1, i0.x, u2"
    shader = attila.assemble(text).prepare(engine)
    places = np.arange(0, 40, 4, dtype=np.int32).reshape(-1, 1)
    stored, counted = np.zeros((2, 5), np.float32), np.array([7], np.uint32)
    given = np.arange(40, dtype=np.float32)
    values = np.arange(10, 20, dtype=np.float32).reshape(-1, 1)
    constants = {0: np.array([0, 1, 0, 0], np.int32)}
    results = shader.map({0: places, 1: values}, constants=constants, storage={0: stored, "u1": counted, 2: given})
    assert np.array_equal(stored.ravel(), values.ravel()) and counted.tolist() == [17]
    assert np.array_equal(results[1], [given[n : n + 4] for n in range(10)])


def test_wrong_storage_is_refused() -> None:
    shader = attila.assemble(".extended\nstb u0.x, i0.x, i1.x\nmov o1, i0").prepare()
    words = np.zeros(8, np.uint32)
    for array, message in (
        (words[::2], "storage is an array of shape .4,. and dtype uint32; expected an array of float32, int32 or uint32"),
        (words.astype(np.uint16), "dtype uint16; expected"),
        (np.broadcast_to(words, (1, 8)), "which is read-only"),
    ):
        with pytest.raises(ValueError, match=message):
            shader.map({0: np.zeros((1, 4), np.float32)}, storage={0: array})
    with pytest.raises(KeyError, match="32 is not a storage buffer: u0 to u31"):
        shader.map({0: np.zeros((1, 4), np.float32)}, storage={32: words})
    with pytest.raises(ValueError, match="writes storage buffers, which only runs do"):
        shader.draw(np.zeros((2, 2, 4), np.uint8), storage={0: words})
