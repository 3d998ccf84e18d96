"""Costs of a cluster, and what they make of 1,000 workers: `python cluster.py` prints the tables of docs/cluster.md.

The simulation has one scheduler, which hands out a task at a time, and workers that load the scene first and send each tile
over a link that all of them share.
"""

import heapq
import pickle
import subprocess
import sys
import time
from collections.abc import Callable

import attila

TEXT = """
;! const c0 = -0.745 0.113 256 220
;! varying i6 = 0.9*s, 0.9*t, 0, 1
        mov     r0.xy, i6
loop:   mul     r2.xy, r0, r0
        add     r3.x, r2.x, r2.y
        setpgt  p0, r3.x, c0.z
        jmp     p0, out
        setpgt  p1, r1.x, c0.w
        jmp     p1, out
        mul     r4.x, r0.x, r0.y
        add     r0.x, r2.x, -r2.y
        add     r0.y, r4.x, r4.x
        add     r0.xy, r0, c0
        add     r1.x, r1.x, 1
        jmp     true, loop
out:    mul     o1, r1.x, 0.004 <- end
"""
WORKERS = (10, 100, 1000)
SIDES = (32, 64, 128, 256, 512, 1024)


def seconds(work: Callable[[], object], repeats: int = 7) -> float:
    """The shortest time, as others may use the machine."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def processor() -> str:
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        fields = dict(line.split(":", 1) for line in lines.read().split("\n\n")[0].replace("\t", "").splitlines())
    return f"{fields['model name'].strip()}, family{fields['cpu family']}, model{fields['model']}"


def arrival(scene: attila.Scene) -> float:
    """Loading and compiling in a worker, without the start of Python: what the first tile takes beyond the second."""
    code = (
        "import pickle, sys, time, attila\nsource = sys.stdin.buffer.read()\ntimes = [time.perf_counter()]\n"
        "for _ in range(2):\n    pickle.loads(source).draw((0, 0, 16, 16)); times.append(time.perf_counter())\n"
        "print(times[1] - times[0], times[2] - times[1])"
    )
    run, pickled = [sys.executable, "-c", code], pickle.dumps(scene)
    ran = [subprocess.run(run, input=pickled, capture_output=True, check=True).stdout.split() for _ in range(9)]
    first, second = zip(*ran)
    return min(map(float, first)) - min(map(float, second))


def overhead() -> dict[str, float]:
    """Seconds for each tile beside the drawing, from pictures of a thousand tiles that take no time to draw."""
    flat, tile = attila.Scene.from_text("mov o1, c0", size=(1024, 1024)), 32
    found = {}
    try:
        from distributed import Client, LocalCluster

        from attila.dask import render

        with LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster:
            with Client(cluster):
                found["Dask"] = seconds(lambda: render(flat, tile=tile).compute(), 5) / 1024
    except ImportError as error:
        print(error)
    try:
        import ray

        from attila.ray import render as draw

        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, _node_ip_address="127.0.0.1")
        draw(flat, tile=tile)
        found["Ray"] = seconds(lambda: draw(flat, tile=tile), 5) / 1024
        ray.shutdown()
    except ImportError as error:
        print(error)
    return found


def simulate(workers: int, tiles: int, work: float, load: float, each: float, sent: float) -> float:
    """The seconds that a picture takes: `each` of the scheduler for a task, `sent` of the link for a tile."""
    free = [(load, worker) for worker in range(workers)]
    scheduler = link = 0.0
    for _ in range(tiles):
        ready, worker = heapq.heappop(free)
        scheduler += each
        drawn = max(ready, scheduler) + work
        link = max(link, drawn) + sent
        heapq.heappush(free, (drawn, worker))
    return link


def main() -> None:
    scene = attila.Scene.from_text(TEXT, size=(16384, 16384))
    load = arrival(scene)
    print(processor())
    print(f"bytes of the scene: {len(pickle.dumps(scene))}; loading and compiling: {load * 1e3:.2f} ms")
    middle = 8192
    drawing = {side: seconds(lambda: scene.draw((middle, middle, middle + side, middle + side))) for side in SIDES}
    costs = overhead()
    print("| tile | draws | " + " | ".join(f"{name} adds" for name in costs) + " |")
    for side, time_ in drawing.items():
        shares = (f"{cost * 1e3:.2f} ms, {cost / time_:.0%}" for cost in costs.values())
        print(f"| {side} | {time_ * 1e3:.2f} ms | " + " | ".join(shares) + " |")
    each = costs.get("Dask", 1e-3)
    # Tiles of 512 times 512 pixels over a link of 10 Gbit/s.
    sent = 512 * 512 * 4 / 1.25e9
    print("| tile | 1 worker | " + " | ".join(f"{workers:,}" for workers in WORKERS) + " |")
    for work in (0.02, 0.2, 2.0, 20.0):
        alone, *times = (simulate(workers, 10_000, work, load, each, sent) for workers in (1, *WORKERS))
        print(f"| {work} s | {alone:.0f} s | " + " | ".join(f"{it:.0f} s, {alone / it:.0f}" for it in times) + " |")


if __name__ == "__main__":
    main()
