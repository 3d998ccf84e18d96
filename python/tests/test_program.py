import pathlib

import pytest
from conftest import ARB

import attila


def test_programs_are_loaded_from_paths_bytes_and_texts(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "half.arbfp"
    path.write_text(ARB)
    programs = [attila.load(source) for source in (path, str(path), ARB, ARB.encode())]
    assert len({program.disassemble() for program in programs}) == 1
    assert repr(programs[2]) == "<Program \"program\": 2 instructions>"
    assert repr(attila.load(ARB, name="tint")) == "<Program \"tint\": 2 instructions>"


def test_what_is_disassembled_can_be_assembled() -> None:
    program = attila.load(ARB)
    assert attila.assemble(program.disassemble()).disassemble() == program.disassemble()


def test_usage_tells_registers_components_and_names() -> None:
    usage = attila.load(ARB).usage
    assert usage.stage == "fragment"
    assert usage.inputs == {6: "xyzw"}
    assert usage.outputs == {1: "xyzw"}
    assert usage.textures == [] and not usage.kills and not usage.derivatives
    assert usage.names["fragment.texcoord[0]"] == "i6"
    assert usage.names["tint"] == usage.names["program.local[1]"]
    sampling = attila.assemble("tex o1, i6, t3\nkil -i6").usage
    assert sampling.textures == [3] and sampling.kills and sampling.derivatives


def test_stages_and_programs_of_a_file_are_chosen() -> None:
    assert attila.load(b"mov o1, i1", stage="vertex").usage.stage == "vertex"
    with pytest.raises(attila.ProgramError, match="there is no program 3"):
        attila.load(ARB, program=3)
    with pytest.raises(ValueError, match='there is no stage "pixel"; expected "vertex"'):
        attila.load(ARB, stage="pixel")  # type: ignore[arg-type]


def test_errors_of_programs_have_places() -> None:
    with pytest.raises(attila.ProgramError) as raised:
        attila.load("mul r0, r1\nfoo r0, r1\n", name="a.attila")
    assert isinstance(raised.value, ValueError)
    assert str(raised.value).startswith("a.attila:1:11: error: operand 2 of `mul` is missing")
    first, second = raised.value.diagnostics
    assert (first.line, first.column, first.offset) == (1, 11, 10)
    assert first.help == ["help: usage: mul[_sat] dst, a, b|imm"]
    assert (second.line, second.column, second.severity) == (2, 1, "error")
    assert second.file == "a.attila" and second.message == "unknown instruction `foo`"
    assert str(second) == second.text == "a.attila:2:1: error: unknown instruction `foo`"


def test_check_says_all_and_raises_nothing() -> None:
    assert attila.check("mov o1, i6") == []
    assert [it.severity for it in attila.check("mul r0, r1\nfoo r0, r1")] == ["error", "error"]


def test_files_that_are_missing_are_pythons_errors(tmp_path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError):
        attila.load(tmp_path / "none.attila")
    with pytest.raises(TypeError, match="expected a path, bytes or a text"):
        attila.load(5)  # type: ignore[arg-type]


def test_engines_are_named() -> None:
    program = attila.assemble("mov o1, i6")
    assert program.prepare("interp").engine == "interp"
    assert program.prepare().engine in ("jit", "interp")
    with pytest.raises(ValueError, match='there is no engine "gpu"'):
        program.prepare("gpu")  # type: ignore[arg-type]
