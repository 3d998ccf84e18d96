import io
import pathlib
import subprocess
import sys

import pytest
from conftest import ARB

import attila
from attila.__main__ import main


def test_programs_run(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "half.arbfp"
    path.write_text(ARB)
    assert main(["run", str(path), "-s", "fragment.texcoord[0]=1,2,3,4", "-s", "tint=2"]) == 0
    assert capsys.readouterr().out.split() == ["o1", "1.0", "2.0", "3.0", "8.0"]
    assert main(["run", str(path), "-s", "hue=1"]) == 1
    assert "does not read `hue`" in capsys.readouterr().err


def test_programs_are_drawn(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "a.attila", tmp_path / "a.png"
    path.write_text("mul o1, i6, c0")
    how = ["--size", "40x30", "--set", "c0=1,0.5,0,1", "--varying", "i6=v,u,0,1", "-o", str(out)]
    assert main(["render", str(path), *how, "--region", "8,4,20,10"]) == 0
    scene = attila.Scene.from_text(
        "mul o1, i6, c0", size=(40, 30), constants={0: (1, 0.5, 0, 1)}, varyings={6: "v,u,0,1"}
    )
    assert out.read_bytes() == scene.draw((8, 4, 28, 14)).png()
    assert main(["render", str(path), *how, "--region", "8,4,40,10"]) == 1
    assert "region is (8, 4, 48, 14)" in capsys.readouterr().err


def test_programs_are_checked_and_shown(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "half.arbfp"
    path.write_text(ARB)
    assert main(["check", str(path)]) == 0
    assert "2 instructions, a fragment program" in capsys.readouterr().out
    assert main(["dis", str(path)]) == 0
    shown = capsys.readouterr().out
    assert main(["translate", str(path)]) == 0
    translated = capsys.readouterr().out
    assert "; i6 = fragment.texcoord[0]" in translated and translated.endswith(shown.split("\n", 1)[1])
    assert attila.assemble("mov o1, i6").translate() == attila.assemble("mov o1, i6").disassemble()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"foo r0")))
    assert main(["check", "-"]) == 1
    assert "<stdin>:1:1: error: unknown instruction `foo`" in capsys.readouterr().out


def test_the_package_is_a_command() -> None:
    ran = subprocess.run([sys.executable, "-m", "attila", "dis", "-"], input=b"mov o1, i6", capture_output=True)
    assert ran.returncode == 0 and b"mov o1, i6" in ran.stdout
