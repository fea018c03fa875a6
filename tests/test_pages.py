"""The pages are true: their blocks run, their links lead somewhere, and the files, targets and names in them exist.

So are the files for contributors, CI, hooks and dev container, and the pages of the examples.

A block of `sh` or `python` is run, in a folder of its page, after the blocks before it. A `json` or `text` block right
behind it is its output, where `...` stands for anything. A block below a comment `<!-- not run: why -->` is not run.
"""

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
from types import ModuleType
from typing import Any, NamedTuple

import pytest
import yaml

from chitarrella.core import cards, game

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "service/chitarrella"
PAGES = {str(path.relative_to(ROOT)): path.read_text() for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))}
OTHER_PAGES = (
    "clients/README.md",
    "clients/TUTORIAL.md",
    *(str(path.relative_to(ROOT)) for path in ROOT.glob("deploy/**/*.md")),
    "proto/README.md",
    *(str(path.relative_to(ROOT)) for path in (ROOT / "examples/README.md", *ROOT.glob("examples/*/README.md"))),
)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"(?:^<!-- not run: (.+?) -->\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!\w+:)([^)\s]*)\)")
ADDRESSES = re.compile(r"gRPC +(\S+)\nREST +http://(\S+)")
EXAMPLE_GAME = "games/briscoletta.py"  # the game that docs/adding-a-game.md makes up
PARTS = (
    *("check-python", "check-proto", "check-deploy", "check-web"),
    *("pytest", "full-rules", "full-clients", "full-image"),
)
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


class Block(NamedTuple):
    """An executable block, and the output that the page shows; None where it shows none."""

    kind: str
    text: str
    output_kind: str
    output: str | None


def executable_blocks(text: str) -> list[Block]:
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
    """`make help` says what each target does, but for the parts of `check` and of a full test."""
    makefile = (ROOT / "Makefile").read_text()
    listed = set(re.findall(r"^([a-z-]+):.* ## \w", makefile, re.MULTILINE))
    assert {*PARTS} == TARGETS - listed


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


def test_readme_begins_with_a_question_and_its_answer() -> None:
    """The README's first block asks a running service, its second one is the answer."""
    question, answer, *_ = BLOCK.finditer(PAGES["README.md"])
    assert ("sh", "json") == (question[2], answer[2])
    assert question[3].startswith("curl -s http://127.0.0.1:8080/")


DAILY = ["install", "run", "test", "check"]  # the verbs of daily work, each one command


def test_readme_names_the_four_verbs_of_daily_work() -> None:
    """The last block of the README is the four verbs: `make run` is what the other blocks need."""
    *_, last = BLOCK.finditer(PAGES["README.md"])
    assert [f"make {verb}" for verb in DAILY] == [line.partition("  ")[0] for line in last[3].splitlines()]


def test_readme_fits_one_screen() -> None:
    """The README stays short: what needs more room has a page of its own."""
    text = PAGES["README.md"]
    words = [word for word in FENCED.sub("", text).split() if word.strip("|-")]
    assert len(text.splitlines()) <= 75
    assert len(words) <= 300


def read_yaml(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text())


def test_ci_runs_the_same_here_and_hosted() -> None:
    """The CI script and the hosted workflow run the same verbs of daily work, each one once; tests run `make run`."""
    script = re.findall(r"^ *(.*(?:\bmake\b|\.venv\b).*)$", (ROOT / ".ci/run").read_text().partition("\nset ")[2], re.M)
    job = read_yaml(".github/workflows/ci.yml")["jobs"]["ci"]
    steps = [step["run"] for step in job["steps"] if re.search(r"\bmake\b|\.venv\b", step.get("run", ""))]
    assert script == [step for step in steps if step != "${{ matrix.command }}"] + job["strategy"]["matrix"]["command"]
    assert sorted(command.split()[1] for command in script) == sorted(set(DAILY) - {"run"})


def test_hosted_ci_has_what_tests_would_be_skipped_without() -> None:
    """The hosted workflow has the whole history, for the upgrade, and Go, for kustomize."""
    used = (one for one in read_yaml(".github/workflows/ci.yml")["jobs"]["ci"]["steps"] if "uses" in one)
    steps = {step["uses"].partition("@")[0]: step for step in used}
    assert {"fetch-depth": 0} == steps["actions/checkout"]["with"]
    assert "if" not in steps["actions/setup-go"]


def test_make_run_honours_the_data_folder_of_the_environment() -> None:
    """The folder of `make run` is DATA, else the one that the environment names for the service."""
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith("MAKE")
    }  # of a make around us
    for given, expected in (({}, "./data"), ({"CHITARRELLA_DATA": "/srv/a"}, "/srv/a"), ({"DATA": "/srv/b"}, "/srv/b")):
        env = {name: value for name, value in inherited.items() if name not in ("DATA", "CHITARRELLA_DATA")}
        how: dict[str, Any] = {"cwd": ROOT, "env": env | given, "capture_output": True, "text": True}
        printed = subprocess.run(["make", "--dry-run", "run"], **how, check=True).stdout
        assert f"CHITARRELLA_DATA='{expected}'" in printed


def test_hooks_are_local() -> None:
    """Every hook runs a program of the virtual environment or a target of make; none is fetched."""
    (repository,) = read_yaml(".pre-commit-config.yaml")["repos"]
    assert "local" == repository["repo"]
    for hook in repository["hooks"]:
        program, *arguments = hook["entry"].split()
        assert "system" == hook["language"]
        assert program.startswith(".venv/bin/") or arguments[-1] in TARGETS, hook["entry"]


def test_the_dev_container_is_a_stage_of_the_dockerfile() -> None:
    """The dev container is built from a stage that exists, and runs as a user that exists there."""
    settings = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())
    build = settings["build"]
    dockerfile = (ROOT / ".devcontainer" / build["dockerfile"]).resolve()
    assert ROOT / "Dockerfile" == dockerfile
    stages = re.split(r"^FROM ", dockerfile.read_text(), flags=re.MULTILINE)[1:]
    (stage,) = (text for text in stages if text.partition("\n")[0].endswith(f" AS {build['target']}"))
    assert re.search(rf"\buseradd .*\b{settings['remoteUser']}$", stage, re.MULTILINE)
    assert settings["postCreateCommand"].split()[1] in TARGETS
    assert " AS " not in stages[-1].partition("\n")[0], "the image of the service is the last stage"


def test_every_copied_file_reaches_the_builder() -> None:
    """What the Dockerfile copies from the repository is excepted from .dockerignore."""
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    sources = {path for line in copied for path in line.split()}
    assert "deploy/sbom.lock" in sources
    assert {f"!{path}" for path in sources} <= set((ROOT / ".dockerignore").read_text().splitlines())


PROGRAMS = {"lobby": ["lobby.ts"], "telegram-bot": ["bot.py"], "validator": ["main.go"]}
PROGRAMS["terminal-kotlin"] = ["src/Table.kt", "table"]
"""The files of each program, without its test and its settings, in the order of the Makefile."""


def test_make_runs_every_example() -> None:
    """The Makefile names the examples that are here, each of which has a test."""
    named = re.findall(r"^EXAMPLES := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert [" ".join(PROGRAMS)] == named
    assert all(list((ROOT / "examples" / name).glob("test_*.py")) for name in PROGRAMS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_example_is_small(name: str) -> None:
    """A program has fewer than 150 lines that are not empty."""
    texts = [(ROOT / "examples" / name / file).read_text() for file in PROGRAMS[name]]
    assert sum(bool(line.strip()) for text in texts for line in text.splitlines()) < 150


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_pages_lead_to_every_example(name: str) -> None:
    """The page of the examples and the integration guide link to each, whose page has the command that tests it."""
    assert f"]({name}/README.md)" in (ROOT / "examples/README.md").read_text()
    assert f"](../examples/{name}/README.md)" in (ROOT / "docs/integration.md").read_text()
    assert f"`make examples ARGS={name}`" in (ROOT / "examples" / name / "README.md").read_text()


@pytest.mark.parametrize("module", [cards, game], ids=lambda module: str(module.__name__))
def test_examples_in_docstrings_are_true(module: ModuleType) -> None:
    """What the docstrings of the rules show at a prompt is what Python answers."""
    found = doctest.testmod(module)
    assert found.attempted
    assert not found.failed


def test_every_promise_is_tested_and_every_test_promised() -> None:
    """The tests that the section on upgrades of the workers names are all that there are of rolling upgrades."""
    section = (ROOT / "deploy" / "workers.md").read_text().partition("\n## Upgrades\n")[2].partition("\n## ")[0]
    sources = [path.read_text() for path in (ROOT / "tests" / "upgrade").glob("test_rolling_*.py")]
    tests = {name for source in sources for name in re.findall(r"^def (test_\w+)", source, re.MULTILINE)}
    assert tests == set(re.findall(r"`(test_\w+)`", section)) != set()
