"""Generate the Python code of the contract: `python proto/generate.py`; installing the project does the same.

The service and the Python client share one generated package, ``chitarrella.v1`` (service/chitarrella/v1), which git
does not keep; nor does it keep that of the operator's calls, ``chitarrella.admin.v1``.  A proto file maps to the module
of the same path: proto/chitarrella/v1/table.proto becomes chitarrella/v1/table_pb2.py.

The contract imports buf/validate/validate.proto.  protoc would put its module into a top-level package ``buf``, which
no wheel supplies and which is not ours to install.  So the module goes into ``chitarrella.v1`` too, and the imports of
the generated code are rewritten to match.  Its generated stub is long and has one user; it is replaced by a stub of a
few lines that leaves every name untyped.

Comments of the contract are not part of the generated modules.  They are written to
service/chitarrella/v1/comments.json by the full name of the element, for programs that show the contract to people.

`--check` writes nothing: it prints each file, or copy in third_party, that is not up to date, and then exits 1.
`--third-party VALIDATE` brings the copies up to date; VALIDATE is the validate.proto of a source distribution.
"""

from __future__ import annotations

import argparse
import json
import os
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

HOME = ROOT / "service"
PACKAGES = ("chitarrella/v1", "chitarrella/admin/v1")
"""The generated packages; a file in them that is not generated is removed."""

# The module of validate.proto: where protoc puts it, and where it belongs.
VALIDATE = re.compile(r"\bbuf\.validate(?= import validate_pb2|\.validate_pb2')")
# Static methods beside the stub of each service, which gRPC calls experimental; nobody calls them here.
EXPERIMENTAL = re.compile(r"(?s)\n\n # This class is part of an EXPERIMENTAL API\.\nclass .*?(?=\n\n\nclass |\Z)")
VALIDATE_STUB = '''"""Untyped: see proto/generate.py."""

from typing import Any

def __getattr__(name: str) -> Any: ...
'''

# Google's protos are installed with googleapis-common-protos; other tools and languages use the copies in third_party.
GOOGLE = ("api/annotations.proto", "api/http.proto", "rpc/status.proto")

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
    """Generate the code, or take or check the copies. Returns the exit status: 1 if `--check` found a stale copy."""
    parser = argparse.ArgumentParser(description="Generate the Python code of the contract.")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is not up to date")
    choice.add_argument("--third-party", type=Path, metavar="VALIDATE", help="bring the copies up to date")
    given = parser.parse_args()
    if given.check:
        made = google_copies() | {HOME / name: text.encode() for name, text in generate().items()}
        stale = [path.relative_to(ROOT) for path, content in made.items() if not same(path, content)]
        for path in stale:
            print(f"not up to date: {path}; see {Path(__file__).relative_to(ROOT)}", file=sys.stderr)
        return int(bool(stale))
    if given.third_party:
        (THIRD_PARTY / "buf/validate/validate.proto").write_text(reduced(given.third_party.read_text()))
        for path, content in google_copies().items():
            path.write_bytes(content)
    write()
    return 0


def write() -> None:
    """Write every generated file into the package, and remove what is not generated any more."""
    made = generate()
    for package in PACKAGES:
        (HOME / package).mkdir(parents=True, exist_ok=True)
        for path in (HOME / package).iterdir():
            if path.is_file() and f"{package}/{path.name}" not in made:
                path.unlink()
    for name, text in made.items():
        if not same(HOME / name, text.encode()):
            (HOME / name).write_text(text, encoding="utf-8")


def generate() -> dict[str, str]:
    """Return the text of every generated file by its path in the folder of the service."""
    contract = sorted(path for package in PACKAGES for path in PROTO.glob(f"{package}/*.proto"))
    services = [path for path in contract if re.search(r"^service ", path.read_text(), re.MULTILINE)]
    made = {f"{one}/__init__.py": f'"""Generated from proto/{one} by proto/generate.py."""\n' for one in PACKAGES}
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder)
        protoc(MESSAGES, [*contract, THIRD_PARTY / "buf/validate/validate.proto"], output)
        protoc(SERVICES, services, output)
        for module in output.rglob("*.py*"):
            place = (
                "chitarrella/v1" if module.parent.name == "validate" else module.parent.relative_to(output).as_posix()
            )
            text = EXPERIMENTAL.sub("", VALIDATE.sub("chitarrella.v1", module.read_text()))
            made[f"{place}/{module.name}"] = text
    messages = sorted(path.stem for path in contract if path.parent.parent.name == "chitarrella")
    made["chitarrella/v1/__init__.py"] += "\n" + "".join(
        f"from chitarrella.v1.{name}_pb2 import *\n" for name in messages
    )
    made["chitarrella/v1/validate_pb2.pyi"] = VALIDATE_STUB
    made["chitarrella/v1/comments.json"] = json.dumps(dict(comments(contract)), indent=1, ensure_ascii=False) + "\n"
    return made


def google_copies() -> dict[Path, bytes]:
    """Return what googleapis-common-protos has, without its comments, by the path of its copy."""
    made = {}
    for name in GOOGLE:
        folder, _, file = name.partition("/")
        licence, code = without_comments((files(f"google.{folder}") / file).read_text())
        text = f"{licence}\n// Changed for Chitarrella: without comments.\n\n{code}"
        made[THIRD_PARTY / "google" / name] = text.encode()
    return made


def reduced(validate: str) -> str:
    """Return validate.proto without its comments and its expressions in CEL, which every validator has itself."""
    licence, code = without_comments(validate)
    text = r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'"
    code = re.sub(rf"\(predefined\)\.cel = {{(?:[^\"'}}]|{text})*}},?\s*", "", code)
    code = re.sub(r" ?\[\s*\]", "", code)
    return f"{licence}\n// Changed for Chitarrella: without comments, and without the expressions in CEL.\n\n{code}"


def without_comments(proto: str) -> tuple[str, str]:
    """Return the licence at the head of a proto, and the rest without the comments that have lines of their own."""
    licence, code = proto.split("\nsyntax", 1)
    return licence, re.sub(r"(?m)^ *//.*\n", "", f"syntax{code}")


def protoc(plugins: dict[str, str], protos: list[Path], out: Path) -> None:
    """Run protoc once, with several plugins over several protos."""
    places = os.pathsep.join(
        (sysconfig.get_path("scripts"), os.environ.get("PATH", ""))
    )  # a build has them on the PATH
    command = list(PROTOC)
    for name, option in plugins.items():
        command.append(f"--{name}_out={out}")
        if option:
            command.append(f"--{name}_opt={option}")
        if name in SCRIPTS:
            command.append(f"--plugin=protoc-gen-{name}={shutil.which(SCRIPTS[name], path=places)}")
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


def same(path: Path, content: bytes) -> bool:
    """Whether a file has this content already."""
    return path.is_file() and path.read_bytes() == content


if __name__ == "__main__":
    sys.exit(main())
