"""The command `python -m attila`: runs, draws, checks, disassembles and translates a program."""

import argparse
import pathlib
import sys
from typing import Any

import numpy as np

import attila


def pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError("`=` is missing; write it like c0=0.5")
    return name.strip(), value


def numbers(count: int, separator: str) -> Any:
    def parse(text: str) -> tuple[int, ...]:
        parts = text.split(separator)
        if len(parts) != count:
            raise argparse.ArgumentTypeError(f"expected {count} numbers with `{separator}` between them")
        return tuple(int(part) for part in parts)

    return parse


def read(path: str) -> tuple[bytes, str]:
    """The bytes of a file, and its name in messages."""
    return (sys.stdin.buffer.read(), "<stdin>") if path == "-" else (pathlib.Path(path).read_bytes(), path)


def load(path: str) -> attila.Program:
    source, name = read(path)
    return attila.load(source, name=name)


def vector(text: str) -> list[float]:
    values = [float(number) for number in text.split(",")]
    return values * 4 if len(values) == 1 else values


def run(args: argparse.Namespace) -> int:
    program = load(args.file)
    names = program.usage.names
    constants: dict[str, list[float]] = {}
    inputs: dict[Any, Any] = {number: np.zeros((1, 4), np.float32) for number in program.usage.inputs}
    for name, text in args.set:
        register = names.get(name, name)
        if register[:1] == "i" and register[1:].isdigit():
            inputs[int(register[1:])] = np.array([vector(text)], np.float32)
        else:
            constants[register] = vector(text)
    # A map is as long as its inputs.
    inputs = inputs or {0: np.zeros((1, 4), np.float32)}
    for number, rows in program.prepare(args.engine).map(inputs, constants=constants).items():
        print(f"o{number}", *(f"{component:<13}" for component in rows[0].tolist()))
    return 0


def render(args: argparse.Namespace) -> int:
    source, name = read(args.file)
    scene = attila.Scene.from_text(
        source,
        name=name,
        size=args.size,
        constants=dict(args.set),
        varyings=dict(args.varying),
        textures=dict(args.texture),
    )
    x, y, width, height = args.region or (0, 0, *scene.size)
    image = scene.draw((x, y, x + width, y + height), engine=args.engine, threads=args.threads)
    pathlib.Path(args.output).write_bytes(image.png(args.alpha))
    print(f"wrote {args.output}")
    return 0


def check(args: argparse.Namespace) -> int:
    try:
        program = load(args.file)
        found = program.warnings
    except attila.ProgramError as error:
        found = error.diagnostics
    for diagnostic in found:
        print(diagnostic)
    wrong = any(diagnostic.severity == "error" for diagnostic in found)
    if not wrong:
        print(f"{args.file}: {program.instructions} instructions, a {program.usage.stage} program")
    return int(wrong)


def dis(args: argparse.Namespace) -> int:
    print(load(args.file).disassemble().rstrip())
    return 0


def translate(args: argparse.Namespace) -> int:
    print(load(args.file).translate().rstrip())
    return 0


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m attila", description=__doc__)
    commands = top.add_subparsers(required=True)
    for command, purpose in (
        (run, "run a program on one element and print its outputs"),
        (render, "draw a program into a PNG file"),
        (check, "report all errors and warnings"),
        (dis, "show a program as assembly"),
        (translate, "the same, with comments that name its registers"),
    ):
        one = commands.add_parser(command.__name__, help=purpose, description=purpose)
        one.set_defaults(command=command)
        one.add_argument("file", metavar="FILE", help="a program of any language; `-` is standard input")
        if command in (run, render):
            one.add_argument("-s", "--set", type=pair, action="append", default=[], metavar="REG=VALUES")
            one.add_argument("--engine", choices=("auto", "jit", "interp"), default="auto")
        if command is render:
            one.add_argument("-o", "--output", default="attila.png", metavar="FILE")
            one.add_argument("--size", type=numbers(2, "x"), default=(640, 480), metavar="WxH")
            one.add_argument("--region", type=numbers(4, ","), metavar="X,Y,W,H")
            one.add_argument("--varying", type=pair, action="append", default=[], metavar="REG=SUMS")
            one.add_argument("--texture", type=pair, action="append", default=[], metavar="tN=FILE[,OPTIONS]")
            one.add_argument("--threads", type=int, default=1, metavar="N")
            one.add_argument("--alpha", action="store_true", help="write alpha instead of an opaque picture")
    return top


def main(arguments: list[str] | None = None) -> int:
    args = parser().parse_args(arguments)
    try:
        return int(args.command(args))
    except (ValueError, KeyError, OSError, RuntimeError) as error:
        print(error.args[0] if isinstance(error, KeyError) else error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
