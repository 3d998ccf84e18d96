import concurrent.futures
import functools
import multiprocessing
import os
import pickle
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import ARB, LONG, picture

import attila

ROWS = np.arange(20, dtype=np.float32).reshape(5, 4)
METHODS = [it for it in ("spawn", "fork") if it in multiprocessing.get_all_start_methods()]
# Later versions warn of every fork of a process with threads.
forks = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


def copied(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


def test_programs_are_pickled() -> None:
    for program in (
        attila.load(ARB, name="tint", stage="fragment", program=1),
        attila.load(b"mov o1, i1", stage="vertex"),
        attila.assemble("mov o1, i6"),
    ):
        copy = copied(program)
        assert repr(copy) == repr(program) and copy.disassemble() == program.disassemble()
        assert copy.usage.stage == program.usage.stage and copy.usage.names == program.usage.names


@pytest.mark.parametrize("engine", ["auto", "interp"])
def test_shaders_are_pickled(engine: Any) -> None:
    shader = attila.load(ARB).prepare(engine)
    copy = copied(shader)
    assert copy.engine == shader.engine and repr(copy.program) == repr(shader.program)
    how: dict[str, Any] = {"inputs": {"fragment.texcoord[0]": ROWS}, "constants": {"tint": 2}}
    assert np.array_equal(copy.map(**how)[1], shader.map(**how)[1])
    assert copied(shader) is copy and copied(shader.program) is copy.program


def in_other_processes(method: str, work: Callable[..., Any], *arguments: Any) -> list[Any]:
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(2, context) as pool:
        return list(pool.map(work, *arguments, timeout=300))


@forks
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("threads", [1, 2])
def test_processes_map_and_draw(method: str, threads: int) -> None:
    shader = attila.assemble("mul o1, i6, c0").prepare()
    scene = attila.Scene.from_text(LONG, size=(64, 200))
    whole, expected = scene.draw(threads=2), shader.map({6: ROWS}, constants={0: 3}, threads=2)[1]
    regions = [(0, top, 64, top + 50) for top in range(0, 200, 50)]
    drawn = in_other_processes(method, functools.partial(scene.draw, threads=threads), regions)
    assert np.array_equal(np.concatenate(drawn), whole)
    double = functools.partial(shader.map, constants={0: 3}, threads=threads)
    for found in in_other_processes(method, double, [{6: ROWS}] * 3):
        assert np.array_equal(found[1], expected)


@forks
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_process_draws_that_is_forked_after_a_draw_on_threads() -> None:
    shader, images = attila.assemble(LONG).prepare(), [picture(256, 64), picture(256, 64)]
    how: dict[str, Any] = {"varyings": {6: "u, v, 0, 1"}, "constants": {0: 0.5}, "threads": 2}
    shader.draw(images[0], **how)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        # Twice, and from what has been forked of it.
        shader.draw(images[1], **how)
        if os.fork() == 0:
            shader.draw(images[1], **how)
            os.write(writer, images[1].tobytes())
        os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with os.fdopen(reader, "rb") as pipe:
        assert pipe.read() == images[0].tobytes()


@pytest.mark.skipif(sys.version_info < (3, 13), reason="there is no Python without its lock before 3.13")
def test_the_lock_stays_off_where_there_is_none() -> None:
    import sysconfig

    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        assert not sys._is_gil_enabled()  # type: ignore[attr-defined,unused-ignore]


def test_the_language_of_a_program_arrives_with_it() -> None:
    for program in (attila.load(ARB, language="arb"), attila.load("mov o1, i6\n", language="assembly")):
        assert pickle.loads(pickle.dumps(program)).disassemble() == program.disassemble()
