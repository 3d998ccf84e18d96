import base64
import html
import pathlib
import re
from html.parser import HTMLParser

import numpy as np
import pytest

import attila
from attila import _player

TEXT = ";! const c0 = 0.5 1 1 1 ; <b>\nmul o1, i6, c0\n"


@pytest.fixture(autouse=True)
def script(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A player in place of the one that may have been built."""
    path = tmp_path / "player.js"
    path.write_text("'the player'")
    monkeypatch.setattr(_player, "SCRIPT", path)
    return path


class Page(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: dict[str, dict[str, str | None]] = {}
        self.text = ""
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements[tag] = dict(attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


def page(scene: attila.Scene) -> Page:
    """What is in the frame that notebooks show."""
    shown = scene._repr_html_()
    assert shown is not None
    inner = Page(shown).elements["iframe"]["srcdoc"]
    assert inner is not None
    return Page(inner)


def test_notebooks_show_a_scene_with_the_player() -> None:
    scene = attila.Scene.from_text(TEXT, name="a<b>.attila", size=(48, 32), constants={0: (1, 0.1, 0, 1)})
    shown = page(scene)
    element = shown.elements["attila-shader"]
    assert (element["name"], element["width"], element["height"]) == ("a<b>.attila", "48", "32")
    assert element["constants"] == '{"c0": [1.0, 0.1, 0.0, 1.0]}'
    # Twice: for the player and for the reader.
    assert shown.text.count(TEXT) == 2 and "'the player'" in shown.text and "b" not in shown.elements
    assert page(attila.Scene.from_text(TEXT, constants={"c0": 2})).elements["attila-shader"]["constants"] == (
        '{"c0": [2.0, 2.0, 2.0, 2.0]}'
    )


DOT = bytes([0, 0, 2, *[0] * 9, 1, 0, 1, 0, 24, 0, 3, 2, 1])


def textured(path: pathlib.Path, content: bytes) -> attila.Scene:
    """A scene that names a file beside it."""
    path.write_bytes(content)
    program = path.with_name("wall.attila")
    program.write_text(f";! texture t0 = {path.name}\ntex o1, i6, t0\n")
    return attila.Scene.from_file(program, size=(2, 2))


def test_files_go_with_the_player(tmp_path: pathlib.Path) -> None:
    file = attila.Scene.from_text(TEXT, size=(2, 2)).draw().png()
    link = page(textured(tmp_path / "dot.png", file)).elements["a"]
    assert link["download"] == str(tmp_path / "dot.png")
    assert link["href"] == f"data:;base64,{base64.b64encode(file).decode()}"


def test_what_the_player_cannot_show_is_a_picture(tmp_path: pathlib.Path, script: pathlib.Path) -> None:
    scenes = [
        attila.Scene.from_text(TEXT, size=(4097, 2)),
        attila.Scene.from_text(TEXT, varyings={6: "2*u, v, 0, 1"}),
        attila.Scene.from_text(TEXT, constants={"i6": (1, 0, 0, 1)}),
        attila.Scene.from_text(TEXT, constants={0: (np.inf, 0, 0, 1)}),
        attila.Scene.from_text("tex o1, i6, t0", textures={0: "bricks"}),
        attila.Scene.from_text("!!ARBfp1.0\nMOV result.color, 1.0;\nEND", program=1),
        textured(tmp_path / "dot.tga", DOT),
    ]
    for scene in scenes:
        assert scene._repr_html_() is None and scene._repr_png_()
    scene = attila.Scene.from_text(TEXT, size=(2, 2))
    assert scene._repr_html_()
    script.unlink()
    assert scene._repr_html_() is None


def test_a_frame_ends_where_its_attribute_does() -> None:
    shown = attila.Scene.from_text(TEXT)._repr_html_()
    assert shown is not None
    (source,) = re.findall('srcdoc="([^"]*)"></iframe>$', shown)
    assert "<script>'the player'</script>" in html.unescape(source)
