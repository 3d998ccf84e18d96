import doctest
import pathlib
import re
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from conftest import ARB

import attila

DOCS = pathlib.Path(__file__).parents[2] / "docs"


def run(page: str, kinds: str = "") -> dict[str, Any]:
    """The names that the blocks of a page define."""
    names: dict[str, Any] = {}
    for block in re.findall(f"```python{kinds}\n(.*?)```", (DOCS / page).read_text(), re.DOTALL):
        exec(block, names)
    return names


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working directory with the files that pages name."""
    monkeypatch.chdir(tmp_path)
    pathlib.Path("shade.arbfp").write_text(ARB)
    pathlib.Path("julia.attila").write_text((DOCS / "../cli/src/demo/julia.attila").read_text())


@pytest.mark.usefixtures("folder")
def test_the_page_says_what_works(capsys: pytest.CaptureFixture[str]) -> None:
    names = run("python.md")
    assert "2 1 unknown instruction `foo`" in capsys.readouterr().out
    assert names["result"][1].shape == (1_000_000, 4)
    assert names["texture"].levels == 7
    assert names["region"].tobytes() == names["scene"].draw()[100:150, 100:200].tobytes()


@pytest.mark.usefixtures("folder")
def test_the_page_about_clusters_says_what_works() -> None:
    # The blocks for Dask and Ray are not run here.
    names = run("cluster.md", "(?: dask)?" if find_spec("distributed") else "")
    assert names["image"].shape == (2048, 2048, 4)


def test_examples_of_the_documentation_are_right() -> None:
    names: dict[str, Any] = {"attila": attila, "np": np}
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    tests = finder.find(attila, "attila", attila, globs=names)
    tests += finder.find(attila._scene, "attila._scene", attila._scene, extraglobs=names)
    # The compiled functions have no module that doctest knows.
    for function in (attila.assemble, attila.check, attila.load):
        tests += finder.find(function, f"attila.{function.__name__}", False, globs=dict(names))
    tried = {test.name for test in tests if test.examples}
    assert all(runner.run(test).failed == 0 for test in tests)
    for name in ("load", "check", "Program.translate", "Shader.draw", "Shader.map", "Texture", "Mesh", "Quads"):
        assert f"attila.{name}" in tried, name


def test_everything_is_documented() -> None:
    for name in attila.__all__:
        public = getattr(attila, name)
        assert public.__doc__, name
        members = vars(public).items() if isinstance(public, type) else []
        for member, value in members:
            if callable(value) and not member.startswith("_"):
                assert value.__doc__, f"{name}.{member}"
