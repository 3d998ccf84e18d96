"""Bars of long calls."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec


def bar() -> Callable[[int, int], None] | None:
    """Makes what shows a bar of tqdm, if that is installed."""
    if find_spec("tqdm") is None:
        return None
    shown = import_module("tqdm.auto").tqdm(unit_scale=True)

    def tell(done: int, all: int) -> None:
        shown.total = all
        shown.update(done - shown.n)
        if done == all:
            shown.close()

    return tell
