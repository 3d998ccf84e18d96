import os
import shutil
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import attila


def lacks(module: str) -> bool:
    spec = find_spec(module)
    # Ray has a folder `ray` among temporary files, which is no module.
    return spec is None or spec.origin is None


EXTRAS = {"distributed": "dask", "ray": "ray", "nbclient": "notebook"}
collect_ignore = [f"cluster/test_{name}.py" for needed, name in EXTRAS.items() if lacks(needed)]

# `.ci/run` builds it before the tests.
COMMAND = shutil.which(os.environ.get("CARGO_TARGET_DIR", "target") + "/ci/attila") or ""

ARB = """!!ARBfp1.0
PARAM tint = program.local[1];
PARAM half = { 0.5, 0.5, 0.5, 1.0 };
TEMP t;
MUL t, fragment.texcoord[0], tint;
MUL result.color, t, half;
END"""

# Much work for each pixel.
LONG = "mov r0, c0\n" + "\n".join(f"mad r0, r0, c{n % 4}, i6" for n in range(400)) + "\nmov o1, r0"


@pytest.fixture
def gradient() -> attila.Shader:
    return attila.assemble("mov o1, i6").prepare()


def picture(height: int = 8, width: int = 8, dtype: type = np.uint8) -> NDArray[Any]:
    return np.zeros((height, width, 4), dtype)
