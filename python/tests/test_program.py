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
    assert first.code == second.code == "syntax"


def test_errors_show_lines_with_carets() -> None:
    with pytest.raises(attila.ProgramError) as raised:
        attila.load("\tmov r0, \u00e4\u00f6\nmul r0, r1\nfoo r0, r1\n", name="a.attila")
    lines = str(raised.value).splitlines()
    assert lines[1:3] == ["1 | \tmov r0, \u00e4\u00f6", "  | \t        ^"]
    assert "3 | foo r0, r1\n  | ^^^" in str(raised.value)
    # From Python 3.11 on.
    notes = getattr(raised.value, "__notes__", None)
    assert notes in (None, ["3 errors and 0 warnings in all"])


def test_diagnostics_say_what_they_are_about() -> None:
    (directive,) = attila.check(";! const c0 = red\nmov o1, c0")
    (warning,) = attila.check("mov o1, r5")
    assert (directive.code, directive.severity, directive.line) == ("directive", "error", 1)
    assert (warning.code, warning.severity, warning.line) == ("program", "warning", 1)
    with pytest.raises(attila.ProgramError) as raised:
        attila.load(ARB, program=3)
    (file,) = raised.value.diagnostics
    assert file.code == "file" and file.line is None


def test_languages_are_chosen(tmp_path: pathlib.Path) -> None:
    agal = "mov ft0, v0\nmov oc, ft0"
    assert attila.load(agal + "\n", language="agal").usage.stage == "fragment"
    assert attila.check(agal, language="agal") == []
    assert attila.load(ARB, language="arb").instructions == 2
    words = attila.assemble("mov o1, i1").encode()
    with pytest.raises(attila.ProgramError):
        attila.load(ARB, language="tgsi")
    with pytest.raises(attila.ProgramError):
        attila.load(ARB, language="assembly")
    assert attila.load("mov o1, i1\n", language="assembly").instructions == 1
    assert attila.load(words, language="binary").instructions == 1
    with pytest.raises(ValueError, match='there is no language "hlsl"; expected "arb", "tgsi", "agal", "ctm", "assembly" or'):
        attila.load(ARB, language="hlsl")  # type: ignore[arg-type]


def test_translations_can_be_run() -> None:
    program = attila.load(ARB)
    text = program.translate()
    assert "; i6 = fragment.texcoord[0]" in text and ";! const c" in text
    again = attila.load(text)
    assert again.disassemble() == program.disassemble()
    assembly = attila.assemble("mov o1, i6")
    assert assembly.translate() == assembly.disassemble()


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
