"""What arrives by pickle, made once in a process for each content."""

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, TypeVar

from . import _attila
from ._attila import Program, Shader

T = TypeVar("T")


class CacheInfo(NamedTuple):
    """How often something arrived that was there, how often it was made, and how much may be and is kept."""

    hits: int
    misses: int
    maxsize: int
    currsize: int


class Cache:
    """Keeps what was used last, and makes nothing twice."""

    def __init__(self, maxsize: int) -> None:
        self.info = CacheInfo(0, 0, maxsize, 0)
        self.kept: OrderedDict[Hashable, Any] = OrderedDict()
        self.unlock()
        if hasattr(os, "register_at_fork"):
            # The thread that may have locked it is not in the child.
            os.register_at_fork(after_in_child=self.unlock)

    def unlock(self) -> None:
        self.lock = threading.RLock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        with self.lock:
            found = key in self.kept
            made: T = self.kept[key] if found else make()
            self.kept[key] = made
            self.kept.move_to_end(key)
            if len(self.kept) > self.info.maxsize:
                self.kept.popitem(last=False)
            hits, misses, maxsize, _ = self.info
            self.info = CacheInfo(hits + found, misses + (not found), maxsize, len(self.kept))
            return made


CACHE = Cache(64)


def cache_info() -> CacheInfo:
    """Counts of programs, shaders and scenes that arrived in this process by pickle."""
    return CACHE.info


def program(recipe: tuple[Any, ...]) -> Program:
    return CACHE.get(recipe, lambda: _attila._program(recipe))


def shader(recipe: tuple[Any, ...], engine: Any) -> Shader:
    return CACHE.get((recipe, engine), lambda: program(recipe).prepare(engine))
