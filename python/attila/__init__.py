"""JIT-accelerated emulator of ATTILA GPU shader programs.

>>> import attila, numpy as np
>>> shader = attila.assemble("mad o1, i1, c0, i2").prepare()
>>> colours = np.full((1001, 4), 0.5, np.float32)
>>> shaded = shader.map({1: colours, 2: 0.25}, constants={0: (1, 2, 3, 4)})
>>> shaded[1][1000].tolist()
[0.75, 1.25, 1.75, 2.25]
"""

from ._attila import (
    Diagnostic,
    Geometry,
    Mesh,
    PreparedDraw,
    Program,
    ProgramError,
    Quads,
    Shader,
    State,
    Stopped,
    Texture,
    Triangles,
    Usage,
    assemble,
    check,
    load,
    resolve,
)
from ._cache import CacheInfo, cache_info
from ._picture import Picture
from ._scene import Scene

__all__ = [
    "CacheInfo",
    "Diagnostic",
    "Geometry",
    "Mesh",
    "Picture",
    "PreparedDraw",
    "Program",
    "ProgramError",
    "Quads",
    "Scene",
    "Shader",
    "State",
    "Stopped",
    "Texture",
    "Triangles",
    "Usage",
    "assemble",
    "cache_info",
    "check",
    "load",
    "resolve",
]
