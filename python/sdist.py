"""Makes the source distribution: `python sdist.py FOLDER`.

maturin packs the crates that the library is built of, and their manifests as they are. That of the workspace names benches and
members which are not packed, and without which cargo refuses it: they are taken out.
"""

import io
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile


def manifest(text: str, packed: set[str]) -> str:
    def members(found: re.Match[str]) -> str:
        names = (name for name in re.findall(r'"(.*?)"', found[2]) if name == "." or name in packed)
        return found[1] + "[" + ", ".join(f'"{name}"' for name in names) + "]"

    text = re.sub(r"^\[\[bench\]\]\n(?:\w.*\n)*\n*", "", text, flags=re.MULTILINE)
    return re.sub(r"^((?:default-)?members = )\[(.*?)\]", members, text, flags=re.MULTILINE)


def main(folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        project = pathlib.Path(__file__).parent / "Cargo.toml"
        subprocess.run(["maturin", "sdist", "--manifest-path", project, "--out", temporary], check=True)
        (made,) = pathlib.Path(temporary).glob("*.tar.gz")
        with tarfile.open(made) as old, tarfile.open(folder / made.name, "w:gz") as new:
            packed = {member.name.split("/")[1] for member in old if "/" in member.name}
            for member in old:
                content = old.extractfile(member)
                if content and member.name.endswith("/Cargo.toml") and member.name.count("/") == 1:
                    text = manifest(content.read().decode(), packed).encode()
                    member.size, content = len(text), io.BytesIO(text)
                new.addfile(member, content)
    print(folder / made.name)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
