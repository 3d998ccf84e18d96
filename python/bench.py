"""Times calls from Python against the same by the Rust API, in turns.

cargo build --release --manifest-path python/Cargo.toml --example own_speed
python python/bench.py target/release/examples/own_speed

The package has to be installed with the same profile, as `pip install ./python` does.
"""

import pathlib
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import attila

SIDE, LANES, TURNS = 1024, 1 << 20, 51

JULIA = pathlib.Path(__file__).parents[1] / "cli" / "src" / "demo" / "julia.attila"


def processor() -> str:
    names = (line for line in open("/proc/cpuinfo") if line.startswith("model name"))
    return next(names, "?: unknown processor").split(":")[1].strip()


def nanoseconds(work: Callable[[], object], times: int) -> float:
    start = time.perf_counter_ns()
    for _ in range(times):
        work()
    return time.perf_counter_ns() - start


class Rust:
    """The same work in a process of its own."""

    def __init__(self, path: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([path], stdin=pipe, stdout=pipe, text=True, bufsize=1)

    def time(self, name: str, times: int) -> float:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(f"{name} {times}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def in_turns(one: Callable[[], float], two: Callable[[], float]) -> tuple[float, float, float]:
    """The least of both, and their ratio: others use the machine, too."""
    one(), two()
    firsts, seconds = zip(*((one(), two()) for _ in range(TURNS)))
    return min(firsts), min(seconds), min(firsts) / min(seconds)


def row(name: str, rust: float, python: float, result: str, wanted: str) -> None:
    print(f"| {name:38} | {rust / 1e3:10.2f} | {python / 1e3:10.2f} | {result:>14} | {wanted:>14} |")


def draws(rust: Rust) -> None:
    shader = attila.assemble("mul o1, i6, c0").prepare()
    image = np.zeros((SIDE, SIDE, 4), np.uint8)
    how: Any = {"varyings": {6: "u, v, 0, 1"}, "constants": {0: 1}}

    def draw() -> None:
        shader.draw(image, **how)

    own, ours, ratio = in_turns(lambda: rust.time("draw", 10), lambda: nanoseconds(draw, 10))
    row(f"draw, {SIDE}x{SIDE} RGBA8", own / 10, ours / 10, f"{ratio:.3f} of Rust", "0.98 of Rust")

    prepared = shader.prepare("rgba8", **how)
    small = image[:8, :8].copy()

    def call() -> None:
        prepared.draw(small)

    own, ours, _ = in_turns(lambda: rust.time("call", 5000), lambda: nanoseconds(call, 5000))
    above = (ours - own) / 5000
    row("prepared call, 8x8", own / 5000, ours / 5000, f"{above / 1e3:.2f} us above", "1.5 us above")


def maps(rust: Rust) -> None:
    shader = attila.assemble("mad o1, i1, c0, i2").prepare()
    one, two, out = (np.full((LANES, 4), 0.5, np.float32) for _ in range(3))
    given, results, constants = {1: one, 2: two}, {1: out}, {0: 1}

    def run() -> None:
        shader.map(given, out=results, constants=constants)

    own, ours, ratio = in_turns(lambda: rust.time("map", 3), lambda: nanoseconds(run, 3))
    row("map, a million lanes", own / 3, ours / 3, f"{ratio:.3f} of Rust", "0.95 of Rust")


def threads() -> None:
    shader = attila.load(JULIA).prepare()
    image = np.zeros((SIDE, SIDE, 4), np.uint8)

    def draw(count: int) -> float:
        how = {6: "0.9*s, 0.9*t, 0, 1"}
        return nanoseconds(lambda: shader.draw(image, varyings=how, threads=count), 1)

    one, two, ratio = in_turns(lambda: draw(1), lambda: draw(2))
    row("Julia set: one thread, two threads", one, two, f"{ratio:.2f} times", "1.8 times")


def main() -> None:
    rust = Rust(sys.argv[1])
    print(f"{processor()}, Python {sys.version.split()[0]}, NumPy {np.__version__}; the least of {TURNS} turns\n")
    print(f"| {'':38} | {'Rust, us':>10} | {'Python, us':>10} | {'':>14} | {'wanted':>14} |")
    print(f"|{'-' * 40}|{'-' * 11}:|{'-' * 11}:|{'-' * 15}:|{'-' * 15}:|")
    draws(rust)
    maps(rust)
    threads()


if __name__ == "__main__":
    main()
