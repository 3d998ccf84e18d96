"""Random draws by the interface for C, called by ctypes and from a compiled program: the same bytes as from Rust."""

import ctypes
import os
import pathlib
import re
import shutil
import subprocess
from typing import Any

import numpy as np
import pytest
from pictures import HEIGHT, PITCH, WIDTH, before, checksum, compare, floats, printed

CAPI = pathlib.Path(__file__).parents[2] / "capi"
FOLDER = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target")) / "ci"
LIBRARY = FOLDER / "deps/libattila.so"
ENGINES = {"auto": 0, "interp": 2}
D32F, BINARY, FRAGMENT = 256, 2, 2
FLAT, LINEAR, VERTICES = 0, 1, 4

pytestmark = pytest.mark.skipif(not LIBRARY.exists(), reason="the library for C is not built")


def structures() -> tuple[dict[str, Any], dict[str, Any]]:
    """The structures of the header, and the numbers that they are filled with."""
    text = re.sub(r"//[^\n]*", "", (CAPI / "include/attila.h").read_text())
    kinds: dict[str, Any] = {"float": ctypes.c_float, "size_t": ctypes.c_size_t}
    kinds |= {f"{it}_t": getattr(ctypes, f"c_{it}") for it in "int8 uint8 uint16 int32 uint32 int64 uint64".split()}
    kinds |= {name: kinds[of] for of, name in re.findall(r"typedef (\w+_t) (attila_\w+);", text)}
    for name, body in re.findall(r"typedef struct (attila_\w+) {(.*?)}", text, re.DOTALL):
        fields = []
        for kind, star, field, counts in re.findall(r"(\w+) (\*?)(\w+)((?:\[\d+\])*);", body):
            # What is no number here is a pointer to a function.
            made = ctypes.c_void_p if star else kinds.get(kind, ctypes.c_void_p)
            for count in reversed(re.findall(r"\d+", counts)):
                made = made * int(count)
            fields.append((field, made))
        kinds[name] = type(name, (ctypes.Structure,), {"_fields_": fields})
    filled = {}
    for init in re.findall(r"#define ATTILA_\w+_INIT ({.*?})\n", text.replace("\\\n", ""), re.DOTALL):
        (name,) = re.findall(r"sizeof\((\w+)\)", init)
        numbers = init.replace(f"sizeof({name})", str(ctypes.sizeof(kinds[name])))
        filled[name] = eval(numbers.replace("{", "(").replace("}", ",)"))
    return kinds, filled


KINDS, FILLED = structures()


def made(name: str, **fields: Any) -> Any:
    """A structure as its macro fills it, with other fields."""
    it = KINDS[name](*FILLED[name])
    for field, value in fields.items():
        setattr(it, field, value)
    return it


class Record(ctypes.Structure):
    """What capi/tests/draws.c reads."""

    _fields_ = [
        *((name, ctypes.c_size_t) for name in ("program", "constants", "inputs", "vertices", "memory")),
        ("budget", ctypes.c_uint32),
        ("has_depth", ctypes.c_uint32),
        *(
            (name, KINDS[f"attila_{kind}"])
            for name, kind in (
                ("prepare", "prepare_options"),
                ("state", "state"),
                ("colour", "image"),
                ("depth", "image"),
                ("frame", "frame"),
                ("area", "rect"),
            )
        ),
    ]


class Constant(ctypes.Structure):
    _fields_ = [("index", ctypes.c_size_t), ("words", ctypes.c_uint32 * 4)]


class Input(ctypes.Structure):
    _fields_ = [("number", ctypes.c_size_t), ("varying", KINDS["attila_varying"])]


def state(picture: dict[str, Any]) -> Any:
    it = made(
        "attila_state",
        depth_compare=picture["compare"] + 1,
        blend_constant=tuple(floats(picture["blend_constant"])),
        anchor=tuple(floats(picture["anchor"])),
        sample_mask=picture["sample_mask"],
        threads=picture["threads"],
    )
    it.write_mask[0] = picture["mask"]
    if alpha := picture["alpha"]:
        it.alpha_compare, it.alpha_reference = alpha[0] + 1, floats(alpha)[1]
    if picture["blend"]:
        it.blend[0] = (1, *picture["blend"])
    if picture["scissor"]:
        it.has_scissor, it.scissor = 1, tuple(picture["scissor"])
    return it


def described(picture: dict[str, Any], engine: str) -> tuple[Record, list[Any]]:
    """A draw, and what it counts."""
    program, vertices = bytes.fromhex(picture["program"]), floats(picture["vertices"]).reshape(-1, 2, 4)
    constants = [Constant(index, tuple(words)) for index, words in picture["constants"]]
    inputs = []
    for number, is_flat, words in picture["planes"]:
        kind = VERTICES if len(vertices) and number == 1 else FLAT if is_flat else LINEAR
        planes = tuple(map(tuple, floats(words).reshape(4, 3)))
        inputs.append(Input(number, made("attila_varying", kind=kind, planes=planes)))
    memory = [before(picture["seed"]), before(picture["seed"] + 1)]
    formats = picture["format"], D32F + max(picture["depth"] - 1, 0)
    how = {"bytes": memory[0].size, "width": WIDTH, "height": HEIGHT, "samples": picture["samples"], "pitch": PITCH}
    colour, depth = (made("attila_image", format=format, **how) for format in formats)
    origin = picture["origin"]
    frame = made("attila_frame", origin=tuple(origin), picture=(100, 100)) if origin else made("attila_frame")
    prepare = made("attila_prepare_options", engine=ENGINES[engine])
    counts = len(program), len(constants), len(inputs), len(vertices), memory[0].size
    numbers = picture["budget"], picture["depth"] != 0
    record = Record(*counts, *numbers, prepare, state(picture), colour, depth, frame, (0, 0, 100, 100))
    texels = bytes.fromhex(picture["texels"])
    attributes = [np.ascontiguousarray(vertices[:, part]) for part in (0, 1)]
    return record, [program, constants, texels, inputs, *attributes, *memory]


def result(status: int, memory: list[Any]) -> list[int] | None:
    return [checksum(it) for it in memory] if status == 0 else None


def test_random_pictures_have_the_bytes_of_rust_by_ctypes() -> None:
    library = ctypes.CDLL(str(LIBRARY.resolve()))
    void, size = ctypes.c_void_p, ctypes.c_size_t

    def call(name: str, *arguments: Any) -> None:
        assert getattr(library, f"attila_{name}")(*arguments) == 0, name

    def new(name: str, *arguments: Any) -> ctypes.c_void_p:
        handle = void()
        call(name, *arguments, ctypes.byref(handle), None)
        return handle

    def draw(picture: dict[str, Any], engine: str) -> list[int] | None:
        record, (source, constants, texels, inputs, positions, colours, *memory) = described(picture, engine)
        options = made("attila_load_options", form=BINARY, stage=FRAGMENT)
        in_c = ctypes.create_string_buffer(source, len(source))
        program = new("program_load", KINDS["attila_bytes"](ctypes.addressof(in_c), len(source)), ctypes.byref(options))
        shader = new("shader_prepare", program, ctypes.byref(record.prepare))
        drawing, bindings = new("draw_new", shader, ctypes.byref(record.state)), new("bindings_new", program)
        for constant in constants:
            call("bindings_constant_bits", bindings, size(constant.index), constant.words, size(1))
        in_c = ctypes.create_string_buffer(texels, len(texels))
        level = KINDS["attila_bytes"](ctypes.addressof(in_c), len(texels))
        data = made("attila_image_data", width=4, height=4, levels=ctypes.addressof(level))
        texture = new("texture_new", ctypes.byref(data), None)
        for unit in range(16):
            call("bindings_texture", bindings, size(unit), texture)
        call("bindings_loop_budget", bindings, ctypes.c_uint32(record.budget))
        for it in inputs:
            call("draw_input", drawing, size(it.number), ctypes.byref(it.varying))
        record.colour.pixels, record.depth.pixels = (it.ctypes.data for it in memory)
        frame = record.frame
        frame.bindings, frame.colour[0] = bindings.value, ctypes.addressof(record.colour)
        frame.depth = ctypes.addressof(record.depth) if record.has_depth else None
        if record.vertices:
            array = made("attila_array", input=1, numbers=colours.ctypes.data, count=record.vertices)
            where = {"positions": positions.ctypes.data, "count": record.vertices}
            shape = made("attila_triangles", attributes=ctypes.addressof(array), attribute_count=1, **where)
            status = library.attila_draw_triangles(drawing, ctypes.byref(frame), ctypes.byref(shape), None)
        else:
            status = library.attila_draw_rect(drawing, ctypes.byref(frame), record.area, None)
        for name, handle in {"draw": drawing, "bindings": bindings, "texture": texture, "shader": shader}.items():
            call(f"{name}_free", handle)
        call("program_free", program)
        return result(status, memory)

    compare(printed(300), draw)
    assert library.attila_live_objects() == 0


@pytest.mark.skipif(not shutil.which("cc"), reason="there is no compiler of C")
def test_random_pictures_have_the_bytes_of_rust_in_a_compiled_program(tmp_path: pathlib.Path) -> None:
    warnings = "-std=c99 -Wall -Wextra -Werror -pedantic".split()
    source, program, library = CAPI / "tests/draws.c", tmp_path / "draws", LIBRARY.resolve()
    link = [str(library), f"-Wl,-rpath,{tmp_path}"]
    (tmp_path / "libattila.so.0").symlink_to(library)
    subprocess.run(["cc", *warnings, f"-I{CAPI / 'include'}", str(source), "-o", str(program), *link], check=True)

    with (tmp_path / "draws.bin").open("wb") as file:
        for picture in printed(300):
            for engine in ("interp", "auto"):
                record, parts = described(picture, engine)
                for part in (record, *parts):
                    for it in part if isinstance(part, list) else [part]:
                        file.write(it)
    drawn = subprocess.run([program, file.name], capture_output=True, check=True).stdout
    records = np.frombuffer(drawn, np.uint8).reshape(2 * 300, -1)
    found = (result(int(it[:4].view(np.int32)[0]), np.split(it[4:], 2)) for it in records)
    compare(printed(300), lambda picture, engine: next(found))
