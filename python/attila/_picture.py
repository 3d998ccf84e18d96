"""Pictures, and what notebooks show."""

import html
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._attila import Diagnostic, Usage, _png


class Picture(np.ndarray[Any, np.dtype[Any]]):
    """An array of pixels that notebooks show: `attila.Picture(array)` shares the memory of an array."""

    def __new__(cls, array: ArrayLike) -> "Picture":
        return np.asarray(array).view(cls)

    def png(self, alpha: bool = False) -> bytes:
        """The picture as a PNG file with 8 bits: red, green and blue, and alpha if it is asked for.

        Floats become bytes as in draws: 255 times the number within 0 and 1, truncated, and a NaN is 1.
        """
        if self.ndim != 3 or self.shape[2] != 4 or not self.size:
            raise ValueError(f"a picture of shape {self.shape}; expected (height, width, 4)")
        return _png(_bytes(np.asarray(self)).tobytes(), self.shape[1], alpha)

    def _repr_png_(self) -> bytes | None:
        is_picture = self.ndim == 3 and self.shape[2] == 4 and self.size
        return self.png() if is_picture else None


def _bytes(pixels: NDArray[Any]) -> NDArray[np.uint8]:
    if pixels.dtype == np.uint8:
        return pixels
    clamped = np.clip(np.where(np.isnan(pixels), 1, pixels), 0, 1).astype(np.float32)
    return (clamped * np.float32(255)).astype(np.uint8)


def usage_html(self: Usage) -> str:
    """A table of registers."""
    names: dict[str, list[str]] = {}
    for name, register in self.names.items():
        names.setdefault(register, []).append(name)
    registers = [(f"i{n}", letters) for n, letters in self.inputs.items()]
    registers += [(f"o{n}", letters) for n, letters in self.outputs.items()]
    registers += [(f"c{n}", "") for n in self.constants] + [(f"t{n}", "") for n in self.textures]
    cells = ((register, letters, ", ".join(names.get(register, []))) for register, letters in registers)
    rows = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in cells)
    head = f"<tr><th>{self.stage}</th><th>components</th><th>names</th></tr>"
    return f"<table>{head}{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def diagnostic_html(self: Diagnostic) -> str:
    """The text, in the colour of its severity."""
    colour = {"error": "#b00020", "warning": "#8a6d00"}.get(self.severity, "inherit")
    return f'<pre style="color: {colour}">{html.escape(str(self))}</pre>'


# Both are compiled, and what notebooks ask for is written more easily here.
setattr(Usage, "_repr_html_", usage_html)
setattr(Diagnostic, "_repr_html_", diagnostic_html)
