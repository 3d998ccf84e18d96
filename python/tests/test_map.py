from typing import Literal

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


def test_wrong_inputs_are_refused() -> None:
    shader = MAD.prepare()
    with pytest.raises(ValueError, match=r"input 1 is an array of shape \[3, 4\] and dtype float64"):
        shader.map({1: np.zeros((3, 4)), 2: 0})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match=r"shape \[3, 5\] and dtype float32; expected shape \(n, 4\)"):
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
