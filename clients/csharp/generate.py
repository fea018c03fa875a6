"""Write the C# code of the contract: `python clients/csharp/generate.py`, with the Python of the repository's .venv.

It installs the pinned protoc into build/, has buf generate into a temporary folder, and brings Generated/ up to that.
`--check` writes nothing there: it names each file that differs and exits 1 if one does; where dotnet is on the PATH, it
also has the project compiled.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROTO = HERE.parents[1] / "proto"
BUF = PROTO / "node_modules/.bin/buf"
PROTOC = HERE / "build/protoc"
GENERATED = HERE / "Generated"


def main() -> int:
    """Generate, or check what is there; the exit status says whether all is well."""
    parser = argparse.ArgumentParser(description="Write the C# code of the contract.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is not up to date")
    check = parser.parse_args().check
    install_protoc()
    with tempfile.TemporaryDirectory() as folder:
        template = "../clients/csharp/buf.gen.yaml"
        subprocess.run([BUF, "generate", "--template", template, "-o", folder], cwd=PROTO, check=True)
        made = texts(Path(folder) / GENERATED.name)
    stale = sorted(
        name for name in made.keys() | texts(GENERATED).keys() if made.get(name) != texts(GENERATED).get(name)
    )
    for name in stale:
        print(f"{'not up to date' if check else 'brought up to date'}: {GENERATED.name}/{name}")
    if check:
        return int(bool(stale)) or compiled()
    shutil.rmtree(GENERATED, ignore_errors=True)
    GENERATED.mkdir()
    for name, text in made.items():
        (GENERATED / name).write_bytes(text)
    return 0


def install_protoc() -> None:
    """Install the pinned protoc, unless the very same is there."""
    pinned, installed = HERE / "requirements.txt", PROTOC / "requirements.txt"
    if installed.is_file() and installed.read_bytes() == pinned.read_bytes():
        return
    shutil.rmtree(PROTOC, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", "--require-hashes", "--target", PROTOC, "-r", pinned], check=True)
    shutil.copyfile(pinned, installed)


def texts(folder: Path) -> dict[str, bytes]:
    """Read the files of a folder."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.cs"))}


def compiled() -> int:
    """Compile, if there is something to do it with; the exit status of that."""
    if shutil.which("dotnet") is None:
        print("The generated code is up to date. It was not compiled: dotnet is not on the PATH.")
        return 0
    return subprocess.run(["dotnet", "build", "--nologo"], cwd=HERE, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
