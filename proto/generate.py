"""Generate the Python code of the contract: `python proto/generate.py`.

The service and the Python client share one generated package, ``chitarrella.v1`` (service/chitarrella/v1).  A proto
file maps to the module of the same path: proto/chitarrella/v1/table.proto becomes chitarrella/v1/table_pb2.py.

The contract imports buf/validate/validate.proto.  protoc would put its module into a top-level package ``buf``, which
no wheel supplies and which is not ours to install.  So the module goes into ``chitarrella.v1`` too, and the imports of
the generated code are rewritten to match.  Its generated stub is long and has one user; it is replaced by a stub of a
few lines that leaves every name untyped.

Comments of the contract are not part of the generated modules.  They are written to
service/chitarrella/v1/comments.json by the full name of the element, for programs that show the contract to people.

`--check` writes nothing: it generates into a temporary folder, prints each file that differs, and exits 1 if one does.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from google.protobuf.descriptor_pb2 import FileDescriptorSet

PROTO = Path(__file__).resolve().parent
ROOT = PROTO.parent
THIRD_PARTY = PROTO / "third_party"

PACKAGE = Path("service/chitarrella/v1")
"""The generated package; a file in it that is not generated is removed."""

# The module of validate.proto: where protoc puts it, and where it belongs.
VALIDATE = re.compile(r"\bbuf\.validate(?= import validate_pb2|\.validate_pb2')")
# Static methods beside the stub of each service, which gRPC calls experimental; nobody calls them here.
EXPERIMENTAL = re.compile(r"(?s)\n\n # This class is part of an EXPERIMENTAL API\.\nclass .*?(?=\n\n\nclass |\Z)")
VALIDATE_STUB = '''"""Untyped: see proto/generate.py."""

from typing import Any

def __getattr__(name: str) -> Any: ...
'''

# Google's protos are installed with googleapis-common-protos; other tools and languages use the copies in third_party.
GOOGLE = ("annotations.proto", "field_behavior.proto", "http.proto")

# Plugins of protoc and their options: for every proto, and for protos that define a service.
MESSAGES = {"python": "", "pyi": ""}
SERVICES = {"grpc_python": "", "mypy_grpc": "quiet"}

# Plugins that are not built into grpcio-tools, with their executables.
SCRIPTS = {
    "mypy_grpc": "protoc-gen-mypy_grpc",
}

# third_party lies inside proto: unless it comes first, protoc finds its files under two names.
PROTOC = (sys.executable, "-m", "grpc_tools.protoc", f"-I{THIRD_PARTY}", f"-I{PROTO}")


def main() -> int:
    """Generate the code, or check it. Returns the exit status: 1 if `--check` found a file that is not up to date."""
    parser = argparse.ArgumentParser(description="Generate the Python code of the contract.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is not up to date")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        generate(fresh)
        stale = differences(fresh)
        if not check:
            replace(fresh, stale)
    for name in stale:
        print(f"{'not up to date' if check else 'brought up to date'}: {name}")
    if check and stale:
        print("The generated code is not what the contract says: run `make proto`.", file=sys.stderr)
        return 1
    print("The generated code is up to date.")
    return 0


def generate(into: Path) -> None:
    """Write every generated file below `into`, laid out as in the repository."""
    package = into / PACKAGE
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('"""Generated from proto/chitarrella/v1 by proto/generate.py."""\n')
    contract = sorted(PROTO.glob("chitarrella/v1/*.proto"))
    services = [path for path in contract if re.search(r"^service ", path.read_text(), re.MULTILINE)]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder)
        protoc(MESSAGES, [*contract, THIRD_PARTY / "buf/validate/validate.proto"], output)
        protoc(SERVICES, services, output)
        for module in output.rglob("*.py*"):
            (package / module.name).write_text(EXPERIMENTAL.sub("", VALIDATE.sub("chitarrella.v1", module.read_text())))
    (package / "validate_pb2.pyi").write_text(VALIDATE_STUB)
    (package / "comments.json").write_text(json.dumps(dict(comments(contract)), indent=1, ensure_ascii=False) + "\n")
    google = into / "proto/third_party/google/api"
    google.mkdir(parents=True)
    for name in GOOGLE:
        (google / name).write_bytes((files("google.api") / name).read_bytes())


def protoc(plugins: dict[str, str], protos: list[Path], out: Path) -> None:
    """Run protoc once, with several plugins over several protos."""
    scripts = Path(sysconfig.get_path("scripts"))
    command = list(PROTOC)
    for name, option in plugins.items():
        command.append(f"--{name}_out={out}")
        if option:
            command.append(f"--{name}_opt={option}")
        if name in SCRIPTS:
            command.append(f"--plugin=protoc-gen-{name}={scripts / SCRIPTS[name]}")
    subprocess.run([*command, *map(str, protos)], check=True)


def comments(protos: list[Path]) -> Iterator[tuple[str, str]]:
    """Yield the full name and the leading comment of each service, method, message, field and enum that has one."""
    with tempfile.TemporaryDirectory() as folder:
        described = Path(folder) / "contract"
        command = [*PROTOC, f"--descriptor_set_out={described}", "--include_source_info"]
        subprocess.run([*command, *map(str, protos)], check=True)
        contract = FileDescriptorSet.FromString(described.read_bytes())
    for file in contract.file:
        for place in file.source_code_info.location:
            if place.leading_comments and len(place.path) % 2 == 0:  # an odd path leads to something without a name
                text = " ".join(place.leading_comments.split())
                yield ".".join((file.package, *names(file, place.path))), text


def names(thing: Any, path: Iterable[int]) -> Iterator[str]:
    """Yield the names of the elements along a path of SourceCodeInfo (field numbers and indexes in turn)."""
    steps = iter(path)
    for number, index in zip(steps, steps, strict=True):
        thing = getattr(thing, thing.DESCRIPTOR.fields_by_number[number].name)[index]
        yield thing.name


def differences(fresh: Path) -> list[str]:
    """Return the files, by their path in the repository, that are missing, different or no longer generated."""
    made = {path.relative_to(fresh).as_posix() for path in fresh.rglob("*") if path.is_file()}
    kept = {path.relative_to(ROOT).as_posix() for path in sources(ROOT / PACKAGE)}
    return sorted(name for name in made | kept if content(fresh / name) != content(ROOT / name))


def content(path: Path) -> bytes | None:
    """Return the content of a file, or None if it does not exist."""
    return path.read_bytes() if path.is_file() else None


def sources(folder: Path) -> list[Path]:
    """Return the files below a folder, without Python's caches."""
    return [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]


def replace(fresh: Path, names: list[str]) -> None:
    """Update the named files of the repository; remove those that are no longer generated."""
    for name in names:
        if (fresh / name).is_file():
            (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(fresh / name, ROOT / name)
        else:
            (ROOT / name).unlink()


if __name__ == "__main__":
    sys.exit(main())
