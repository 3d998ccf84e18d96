import doctest
import pathlib
import re
from typing import Any

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
    for block in re.findall("```python\n(.*?)```", PAGE.read_text(), re.DOTALL):
        exec(block, names)
    assert "2 1 unknown instruction `foo`" in capsys.readouterr().out
    assert names["result"][1].shape == (1_000_000, 4)
    assert names["image"][-1, -1].tolist() == [127, 127, 0, 255]


def test_examples_of_the_documentation_are_right() -> None:
    assert doctest.testmod(attila).failed == 0
    assert doctest.testmod(attila).attempted > 3


def test_everything_is_documented() -> None:
    for name in attila.__all__:
        public = getattr(attila, name)
        assert public.__doc__, name
        members = vars(public).items() if isinstance(public, type) else []
        for member, value in members:
            if callable(value) and not member.startswith("_"):
                assert value.__doc__, f"{name}.{member}"
