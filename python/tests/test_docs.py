import doctest
import pathlib
import re
import subprocess
import sys
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
    for function in (attila.assemble, attila.check, attila.load, attila.resolve):
        tests += finder.find(function, f"attila.{function.__name__}", False, globs=dict(names))
    tried = {test.name for test in tests if test.examples}
    assert all(runner.run(test).failed == 0 for test in tests)
    wanted = "load check resolve Program.translate Shader.draw Shader.map Texture Geometry Mesh Quads".split()
    assert all(f"attila.{name}" in tried for name in wanted), tried


PUBLIC = [
    (name, [it for it in vars(getattr(attila, name)) if not it.startswith("_")] if name[0].isupper() else [])
    for name in attila.__all__
]


def test_everything_is_documented() -> None:
    for name, members in PUBLIC:
        assert getattr(attila, name).__doc__, name
        for member in members:
            assert getattr(getattr(attila, name), member).__doc__, f"{name}.{member}"


@pytest.mark.skipif(not find_spec("pdoc"), reason="pdoc is not installed")
def test_everything_has_a_section_of_the_reference(tmp_path: pathlib.Path) -> None:
    parts = ["attila", "!attila.dask", "!attila.ray"]
    subprocess.run([sys.executable, "-W", "error", "-m", "pdoc", *parts, "-o", str(tmp_path)], check=True)
    page = (tmp_path / "attila.html").read_text()
    for name, members in PUBLIC:
        assert f'<section id="{name}">' in page, name
        assert all(f'id="{name}.{member}"' in page for member in members), name
