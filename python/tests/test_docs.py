import doctest
import pathlib
import re
from typing import Any

import numpy as np
import pytest
from conftest import ARB

import attila

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"


def test_the_page_says_what_works(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    pathlib.Path("shade.arbfp").write_text(ARB)
    names: dict[str, Any] = {}
    blocks = re.findall("```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    for block in blocks:
        exec(block, names)
        if "threads=0)" in block and "image = " in block:
            assert names["image"][-1, -1].tolist() == [127, 127, 0, 255]
    assert "2 1 unknown instruction `foo`" in capsys.readouterr().out
    assert names["result"][1].shape == (1_000_000, 4)
    assert names["texture"].levels == 7


def test_examples_of_the_documentation_are_right() -> None:
    names: dict[str, Any] = {"attila": attila, "np": np}
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    tests = finder.find(attila, "attila", attila, globs=names)
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
