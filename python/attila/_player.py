"""The player of the playground: a program that is drawn where it is shown, without a kernel."""

import base64
import html
import json
import pathlib
import re
from collections.abc import Mapping, Sequence

# What `web/build` makes; packages that were built before it have none.
SCRIPT = pathlib.Path(__file__).with_name("player.js")

# The longest side that the player has.
SIDE = 4096

# How the files begin that the player reads: PNG and JPEG.
IMAGES = (b"\x89PNG", b"\xff\xd8")

# Names of inputs, which `constants` of a scene may have, too.
INPUT = re.compile(r"[iv]\d+|(fragment|vertex)\..*|(?!CONST)[A-Z]+\[.*")

Setting = tuple[str, str]


def player_html(
    name: str, source: bytes, size: tuple[int, int], settings: Sequence[Setting], files: Mapping[str, bytes]
) -> str | None:
    """A frame with a program, its picture and fields for its constants; none if the player cannot show the same."""
    constants, text = _constants(settings), _text(source)
    readable = all(content.startswith(IMAGES) for content in files.values())
    if constants is None or text is None or not readable or max(size) > SIDE or not SCRIPT.exists():
        return None
    width, height = size
    links = "".join(
        f'<a download="{html.escape(path)}" href="data:;base64,{base64.b64encode(content).decode()}"></a>'
        for path, content in files.items()
    )
    shown = html.escape(text)
    page = (
        '<!doctype html><meta charset="utf-8"><style>body { margin: 0; background: #fff; font: 14px sans-serif }</style>'
        f'<attila-shader name="{html.escape(name)}" width="{width}" height="{height}" controls'
        f' constants="{html.escape(json.dumps(constants))}">{shown}{links}</attila-shader>'
        f"<details><summary>{html.escape(name)}</summary><pre>{shown}</pre></details>"
        f"<script>{SCRIPT.read_text(encoding='utf-8')}</script>"
        # The frame is as high as what it shows.
        "<script>new ResizeObserver(() => { frameElement.style.height = `${document.documentElement.offsetHeight}px`; })"
        ".observe(document.documentElement);</script>"
    )
    style = f"border: 0; width: 100%; height: {height + 40}px"
    return f'<iframe title="{html.escape(name)}" style="{style}" srcdoc="{html.escape(page)}"></iframe>'


def _text(source: bytes) -> str | None:
    try:
        text = source.decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _constants(settings: Sequence[Setting]) -> dict[str, list[float]] | None:
    """Constants by their names; none if there is something that is not a constant of one number or of four."""
    constants: dict[str, list[float]] = {}
    for kind, setting in settings:
        name, _, value = setting.partition(" = ")
        if kind != "set" or INPUT.fullmatch(name):
            return None
        try:
            numbers = [float(it) for it in value.split(",")]
        except ValueError:
            return None
        if len(numbers) not in (1, 4) or not all(abs(it) < float("inf") for it in numbers):
            return None
        constants[name] = numbers if len(numbers) == 4 else numbers * 4
    return constants
