"""The pages are true: their blocks run, their links lead somewhere, and the files, targets and names in them exist.

A block of `sh` or `python` is run, in a folder of its page, after the blocks before it. A `json` or `text` block right
behind it is its output, where `...` stands for anything. A block below a comment `<!-- not run: why -->` is not run.
"""

from __future__ import annotations

import doctest
import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "service/chitarrella"
PAGES = {str(path.relative_to(ROOT)): path.read_text() for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))}
OTHER_PAGES = (
    "clients/README.md",
    "clients/TUTORIAL.md",
    "deploy/README.md",
    "proto/README.md",
    *(str(path.relative_to(ROOT)) for path in (ROOT / "examples/README.md", *ROOT.glob("examples/*/README.md"))),
)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"(?:^<!-- not run: (.+?) -->\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!\w+:)([^)\s]*)\)")
ADDRESSES = re.compile(r"gRPC +(\S+)\nREST +http://(\S+)")
EXAMPLE_GAME = "games/briscoletta.py"
"""The game that docs/adding-a-game.md makes up."""
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


class Block(NamedTuple):
    """An executable block, and the output that the page shows; None where it shows none."""

    kind: str
    text: str
    output_kind: str
    output: str | None


def executable_blocks(text: str) -> list[Block]:
    """The blocks of a page that are run, in their order."""
    found = list(BLOCK.finditer(text))
    blocks = []
    for match, following in zip_longest(found, found[1:]):
        reason, kind, body = match.groups()
        if reason or kind not in ("sh", "python"):
            continue
        is_output = following and following[2] in ("json", "text") and not text[match.end() : following.start()].strip()
        shown = (following[2], following[3]) if following and is_output else ("", None)
        blocks.append(Block(kind, body, *shown))
    return blocks


WITH_BLOCKS = sorted(page for page, text in PAGES.items() if executable_blocks(text))


@pytest.fixture(scope="module")
def service_addresses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Run `make run` on free ports; returns the gRPC and the REST address that it prints."""
    data = tmp_path_factory.mktemp("pages") / "data"
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # we may be in a make
    env |= {"CHITARRELLA_GRPC_ADDRESS": "127.0.0.1:0", "CHITARRELLA_REST_ADDRESS": "127.0.0.1:0"}
    process = subprocess.Popen(
        ["make", "run", f"DATA={data}", f"PYTHON={sys.executable}", "ARGS="],
        cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    printed = ""
    while not (found := ADDRESSES.search(printed)):
        line = process.stdout.readline()
        assert line, f"the service ended after: {printed}"
        printed += line
    yield found[1], found[2]
    os.killpg(process.pid, 15)
    process.stdout.close()
    process.wait(20)


def run(block: Block, folder: Path) -> str:
    """Run a block and return what it prints."""
    text = block.text.replace(".venv/bin/", f"{Path(sys.executable).parent}/")
    command = ["bash", "-euo", "pipefail", "-c", text] if block.kind == "sh" else [sys.executable, "-c", text]
    env = {**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": "en"}
    result = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=250, check=False)
    assert (0, "") == (result.returncode, result.stderr), text
    return result.stdout


@pytest.mark.timeout(300)
@pytest.mark.parametrize("page", WITH_BLOCKS)
def test_blocks_run(page: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Each block of the page runs without an error, and prints what the page shows."""
    for block in executable_blocks(PAGES[page]):
        here = block
        if "127.0.0.1" in block.text:
            grpc, rest = request.getfixturevalue("service_addresses")
            here = block._replace(text=block.text.replace("127.0.0.1:50051", grpc).replace("127.0.0.1:8080", rest))
        printed = run(here, tmp_path)
        if block.output is None:
            continue
        if block.output_kind == "json":
            assert json.loads(block.output) == json.loads(printed)
        else:
            assert doctest.OutputChecker().check_output(block.output, printed, doctest.ELLIPSIS), printed


def anchors(text: str) -> set[str]:
    """The anchors of the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", FENCED.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", [*sorted(PAGES), *OTHER_PAGES])
def test_links_resolve(page: str) -> None:
    """A link to a file of the repository leads to one, and its anchor to a heading."""
    here = ROOT / page
    for target in LINK.findall(FENCED.sub("", here.read_text())):
        name, _, anchor = target.partition("#")
        path = (here.parent / name) if name else here
        assert path.exists(), f"{page}: {target}"
        assert not anchor or anchor in anchors(path.read_text()), f"{page}: {target}"


def code_of(text: str) -> list[str]:
    """What a page shows as code: spans and blocks."""
    return re.findall(r"(?<!`)`([^`\n]+)`(?!`)", FENCED.sub("", text)) + FENCED.findall(text)


@pytest.mark.parametrize("page", sorted(PAGES))
def test_named_files_exist(page: str) -> None:
    """A path in a code span is one of the repository, or of the package; a capital word in it stands for any name."""
    top = "|".join(re.escape(path.name) for path in ROOT.iterdir() if path.is_dir() and path.name != "build")
    folders = "|".join(path.name for path in PACKAGE.iterdir() if path.is_dir())
    for span in code_of(FENCED.sub("", PAGES[page])):
        if span == EXAMPLE_GAME or not re.fullmatch(rf"(?:{top}|{folders})/[\w./*{{}}-]*", span):
            continue
        pattern = re.sub(r"(?<![A-Za-z])[A-Z]{3,}(?![A-Za-z]|\.md)", "*", span).rstrip("/")
        assert any(ROOT.glob(pattern)) or any(PACKAGE.glob(pattern)), f"{page}: {span}"


@pytest.mark.parametrize("page", sorted(PAGES))
def test_make_targets_exist(page: str) -> None:
    """Every `make` in a code span or block names targets of the Makefile."""
    named = {target for code in code_of(PAGES[page]) for target in re.findall(r"\bmake ([a-z][a-z-]*)", code)}
    assert named <= TARGETS


def test_every_make_target_is_explained() -> None:
    """Every target that `make help` lists stands in a code span or block of the README or of CONTRIBUTING.md."""
    listed = re.findall(r"^([a-z-]+):.* ## ", (ROOT / "Makefile").read_text(), re.MULTILINE)
    code = code_of(PAGES["README.md"]) + code_of(PAGES["CONTRIBUTING.md"])
    assert len(listed) > 20
    assert set() == set(listed) - {target for text in code for target in re.findall(r"\bmake ([a-z][a-z-]*)", text)}


def test_contributing_lists_the_folders_of_tests() -> None:
    """The table of the tests in CONTRIBUTING.md names every folder of tests/."""
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/*.py")}
    rows = re.findall(r"^\| (`.*?) \|", PAGES["CONTRIBUTING.md"], re.MULTILINE)
    assert folders <= {name for row in rows for name in re.findall(r"`(\w+)`", row)}


def resolve(name: str) -> Any:
    """The module, class or function of the package with this dotted name; raises where there is none."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        path = PACKAGE.joinpath(*parts[:length])
        if path.with_suffix(".py").exists() or (path / "__init__.py").exists():
            found: Any = importlib.import_module(f"chitarrella.{'.'.join(parts[:length])}")
            for attribute in parts[length:]:
                found = getattr(found, attribute)
            return found
    raise AssertionError(f"no module {name}")


def test_diagrams_name_the_code() -> None:
    """Every participant of a sequence diagram is a module or class, and has the function of each call to it."""
    calls = 0
    for diagram in re.findall(r"^```mermaid\nsequenceDiagram\n(.*?)^```$", PAGES["ARCHITECTURE.md"], re.M | re.S):
        participants = dict(re.findall(r"^ *participant (\w+) as ([\w.]+)$", diagram, re.MULTILINE))
        for key, function in re.findall(r"->>(\w+): (\w+)\(", diagram):
            assert hasattr(resolve(participants[key]), function), f"{participants[key]}.{function}"
            calls += 1
    assert calls > 10


def test_readme_begins_with_the_command_that_starts_the_service() -> None:
    """`make run`, which the other blocks need, is the README's first block."""
    first = BLOCK.search(PAGES["README.md"])
    assert first is not None
    assert ("sh", "make run\n") == first.groups()[1:]


def test_readme_fits_one_screen() -> None:
    """The README stays short: what needs more room has a page of its own."""
    assert len(PAGES["README.md"].splitlines()) <= 75
