"""Write all the Python code that is made from the contract: `python proto/generate.py`.

The path of a proto is the path of its module, and `service/` is where both begin: proto/chitarrella/v1/table.proto
becomes service/chitarrella/v1/table_pb2.py, whose absolute imports are right as they stand.  validate.proto becomes
service/buf/validate/validate_pb2.py, because the generated code imports it and no wheel supplies it.

The Python client has a copy of the messages and the stubs inside its own package, all in one folder and importing each
other from there.  It is made of the very same files, because a process may hold both the server and the client: two
descriptions of one proto are no trouble as long as they are the same to the last byte.

The comments of the contract are not in the generated modules; they go into service/chitarrella/v1/comments.json, by the
name of what they stand before, for those who show the contract to people.

`--check` writes nothing: it generates into a temporary folder, names each file that differs, and exits 1 if one does.
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

# Folders that hold generated code and nothing else: what is in them and not generated is removed.
OWNED = ("service/chitarrella/v1", "service/buf", "clients/python/src/chitarrella_client/v1")

# Google's protos come installed with googleapis-common-protos; the copies are for every other tool and language.
GOOGLE = ("annotations.proto", "field_behavior.proto", "http.proto")

# Plugins of protoc and their options: what every proto needs, and what only a proto with a service does.
MESSAGES = {"python": "", "mypy": "quiet"}
SERVICES = {"grpc_python": "", "mypy_grpc": "quiet", "connectrpc": "protobuf=google"}

# The plugins that are not built into grpcio-tools, and the scripts that they are.
SCRIPTS = {
    "mypy": "protoc-gen-mypy",
    "mypy_grpc": "protoc-gen-mypy_grpc",
    "connectrpc": "protoc-gen-connectrpc",
}

# third_party is inside proto: it goes first, or its protos would be found under two names.
PROTOC = (sys.executable, "-m", "grpc_tools.protoc", f"-I{THIRD_PARTY}", f"-I{PROTO}")


def main() -> int:
    """Generate, or check what is there; the exit status says whether all is well."""
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
    """Make every generated file below `into`, laid out as in the repository."""
    service = into / "service"
    package = service / "chitarrella" / "v1"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('"""Generated from proto/chitarrella/v1 by proto/generate.py."""\n')
    contract = sorted(PROTO.glob("chitarrella/v1/*.proto"))
    services = [path for path in contract if re.search(r"^service ", path.read_text(), re.MULTILINE)]
    protoc(MESSAGES, [*contract, THIRD_PARTY / "buf/validate/validate.proto"], service)
    protoc(SERVICES, services, service)
    (package / "comments.json").write_text(json.dumps(dict(comments(contract)), indent=1, ensure_ascii=False) + "\n")
    copy_for_client(service, into / "clients/python/src/chitarrella_client/v1")
    google = into / "proto/third_party/google/api"
    google.mkdir(parents=True)
    for name in GOOGLE:
        (google / name).write_bytes((files("google.api") / name).read_bytes())


def copy_for_client(service: Path, package: Path) -> None:
    """Put what the Python client needs of the service's generated code into a package of its own."""
    package.mkdir(parents=True)
    for made in (service / "chitarrella/v1" / "__init__.py", *sorted(service.rglob("*_pb2*"))):
        text = re.sub(
            r"^from (?:chitarrella\.v1|buf\.validate) import", "from . import", made.read_text(), flags=re.MULTILINE
        )
        # The module that a message names as its own, for pickle and repr.
        text = re.sub(r"'(?:chitarrella\.v1|buf\.validate)\.(\w+_pb2)'", r"'chitarrella_client.v1.\1'", text)
        (package / made.name).write_text(text)


def protoc(plugins: dict[str, str], protos: list[Path], out: Path) -> None:
    """Run the plugins over the protos, in one go."""
    if not protos:
        return
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
    """Go through the comments that stand before services, methods, messages, fields and enums."""
    with tempfile.TemporaryDirectory() as folder:
        described = Path(folder) / "contract"
        command = [*PROTOC, f"--descriptor_set_out={described}", "--include_source_info"]
        subprocess.run([*command, *map(str, protos)], check=True)
        contract = FileDescriptorSet.FromString(described.read_bytes())
    for file in contract.file:
        for place in file.source_code_info.location:
            if place.leading_comments and len(place.path) % 2 == 0:  # else it leads to what has no name
                text = " ".join(place.leading_comments.split())
                yield ".".join((file.package, *names(file, place.path))), text


def names(thing: Any, path: Iterable[int]) -> Iterator[str]:
    """Name what a path of field numbers and indexes leads to, as source code info writes it."""
    steps = iter(path)
    for number, index in zip(steps, steps, strict=True):
        thing = getattr(thing, thing.DESCRIPTOR.fields_by_number[number].name)[index]
        yield thing.name


def differences(fresh: Path) -> list[str]:
    """The files, by their path in the repository, that are missing, different or no longer generated."""
    made = {path.relative_to(fresh).as_posix() for path in fresh.rglob("*") if path.is_file()}
    kept = {path.relative_to(ROOT).as_posix() for folder in OWNED for path in sources(ROOT / folder)}
    return sorted(name for name in made | kept if content(fresh / name) != content(ROOT / name))


def content(path: Path) -> bytes | None:
    """What is in a file, or None where there is none."""
    return path.read_bytes() if path.is_file() else None


def sources(folder: Path) -> list[Path]:
    """The files below a folder, less what Python caches there."""
    return [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]


def replace(fresh: Path, names: list[str]) -> None:
    """Bring the named files of the repository to what was generated, removing those that were not."""
    for name in names:
        if (fresh / name).is_file():
            (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(fresh / name, ROOT / name)
        else:
            (ROOT / name).unlink()


if __name__ == "__main__":
    sys.exit(main())
