"""`make image-check` names what it cannot do, and its checks find what they look for."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml

from chitarrella.api.dispatcher import rpcs
from chitarrella.runtime import telemetry
from chitarrella.transports.rest.problems import PROBLEM_TYPES
from chitarrella.transports.webhooks import delivery
from tests.deploy.image import LABELS, MAX_MEGABYTES, check_config, disk_usage, packages_of, unwanted, version
from tests.server.process import StartService, fetched
from tests.stores import start_service

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()


def test_machine_that_cannot_build_fails_with_the_reason(tmp_path: Path) -> None:
    """Without the programs, or without root, the check fails and says what is missing."""
    command = [sys.executable, "-m", "tests.deploy.image"]
    done = subprocess.run(command, cwd=ROOT, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert 1 == done.returncode
    assert re.fullmatch(r"The image is not checked: .*(buildah|root).*\.\n", done.stderr)


def test_every_copied_file_reaches_the_builder() -> None:
    """What the Dockerfile copies from the repository is excepted from .dockerignore."""
    sources = [path for line in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.M) for path in line.split()]
    assert "deploy/sbom.lock" in sources
    assert {f"!{path}" for path in sources} <= set((ROOT / ".dockerignore").read_text().splitlines())


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("opt/chitarrella/lib/python3.11/site-packages/babel/core.py", {"babel"}),
        ("usr/local/lib/python3.13/site-packages/pip/__init__.py", {"pip"}),
        ("usr/lib/python3.11/ensurepip/__init__.py", {"ensurepip"}),
        ("usr/share/python-wheels/pip-23.0.1-py3-none-any.whl", {"pip-23.0.1-py3-none-any.whl"}),
        ("usr/local/bin/pip3", {"pip3"}),
        ("usr/bin/gcc", {"gcc"}),
        ("opt/chitarrella/lib/python3.11/site-packages/flask/app.py", set()),
    ],
)
def test_tools_of_a_build_are_found(tmp_path: Path, path: str, found: set[str]) -> None:
    """Each package and program that only a build needs is found in the files of an image, and no other one."""
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).touch()
    assert found == unwanted(tmp_path)


def test_hard_links_count_once(tmp_path: Path) -> None:
    """The size of an image counts the bytes of a file once for all its names."""
    (tmp_path / "a").write_bytes(bytes(MAX_MEGABYTES))
    (tmp_path / "b").hardlink_to(tmp_path / "a")
    assert MAX_MEGABYTES == disk_usage(tmp_path)


def test_packages_are_read_from_a_bill_of_materials() -> None:
    """The packages are the components with the program itself, by their normalized names."""
    program, other = {"name": "chitarrella", "version": "0.1.0"}, {"name": "typing_extensions", "version": "4.16.0"}
    found = packages_of({"metadata": {"component": program}, "components": [other]})
    assert {"chitarrella": "0.1.0", "typing-extensions": "4.16.0"} == found


def test_image_without_labels_or_with_root_is_refused() -> None:
    """An image that lacks a label, or runs as root, does not pass."""
    labels = dict.fromkeys(LABELS, "text") | {"licenses": "Apache-2.0 AND CC0-1.0", "version": version()}
    labels |= {"revision": "abc", "base.name": "base"}
    health = {"Healthcheck": {"Test": ["CMD", "chitarrella", "health"]}}
    good: dict[str, Any] = {
        "Labels": {f"org.opencontainers.image.{name}": text for name, text in labels.items()},
        "User": "10001",
    }
    check_config(good | health, "abc", "base")
    with pytest.raises(AssertionError):
        check_config(good | health | {"User": "0"}, "abc", "base")
    del good["Labels"]["org.opencontainers.image.revision"]
    with pytest.raises(AssertionError, match="'revision': ''"):
        check_config(good | health, "abc", "base")


# ---------------------------------------------------------------------- monitoring


__all__ = ["start_service"]

FOLDER = Path(__file__).parents[2] / "deploy"
ADDED_BY_PROMETHEUS = {"instance", "job", "le", "pid"}
ROW = re.compile(r"^\| (`chitarrella_[^|]*) \| (\w+) \| ([^|]*)\|", re.MULTILINE)
WORD = re.compile(r"`([^`]+)`")


def rules() -> list[dict[str, Any]]:
    """All alert rules."""
    groups = yaml.safe_load((FOLDER / "monitoring" / "alerts.yaml").read_text(encoding="utf-8"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    """All panels of the dashboard that show something."""
    board = json.loads((FOLDER / "monitoring" / "dashboard.json").read_text(encoding="utf-8"))
    return [panel for panel in board["panels"] if panel["type"] != "row"]


def expressions() -> list[str]:
    """Every expression of the rules and the dashboard; Grafana's interval is one of five minutes."""
    asked = [target["expr"].replace("$__rate_interval", "5m") for panel in panels() for target in panel["targets"]]
    return [*(rule["expr"] for rule in rules()), *asked]


def documented() -> dict[str, set[str]]:
    """The metrics in the guide for operators, each with its labels; a row may name several that begin alike."""
    found: dict[str, set[str]] = {}
    for names, _, labels in ROW.findall((FOLDER / "monitoring" / "README.md").read_text(encoding="utf-8")):
        first, *others = WORD.findall(names)
        stem = re.match(r"chitarrella_(?:matches|process)", first)
        for name in (first, *((stem[0] if stem else "") + other for other in others)):
            found[name] = set(WORD.findall(labels))
    return found


def selectors(node: Any) -> Iterator[promql_parser.VectorSelector]:
    """All selectors in an expression."""
    if isinstance(node, promql_parser.VectorSelector):
        yield node
    parts = [getattr(node, name, None) for name in ("vector_selector", "lhs", "rhs", "expr")]
    for part in [*parts, *getattr(node, "args", ())]:
        if part is not None:
            yield from selectors(part)


def base(name: str, families: dict[str, set[str]]) -> str:
    """The metric that a name belongs to: that of a histogram without what stands behind it."""
    return name if name in families else re.sub(r"_(bucket|count|sum)$", "", name)


VALUES: dict[str, frozenset[str]] = {
    "code": frozenset(known.code for known in PROBLEM_TYPES) | telemetry.OUTCOMES,
    "rpc": frozenset(rpc.path for rpc in rpcs()),
    "outcome": delivery.OUTCOMES,
}
"""Labels that expressions select by, each with all its values in the service."""
PATTERNS = (promql_parser.MatchOp.Re, promql_parser.MatchOp.NotRe)


def unknown_values(expression: str) -> list[str]:
    """The values in an expression that no label has; of a regular expression, the alternatives that match none."""
    unknown = []
    for selector in selectors(promql_parser.parse(expression)):
        for matcher in selector.matchers.matchers:
            is_pattern = matcher.op in PATTERNS
            for value in matcher.value.split("|") if is_pattern else [matcher.value]:
                pattern = value if is_pattern else re.escape(value)
                if not any(re.fullmatch(pattern, known) for known in VALUES[matcher.name]):
                    unknown.append(f"{matcher.name} {value}")
    return unknown


@pytest.mark.parametrize("expression", expressions())
def test_expressions_select_values_that_the_service_has(expression: str) -> None:
    """Every value that an expression selects by is one that the service gives the label."""
    assert [] == unknown_values(expression)


def test_unknown_value_is_found() -> None:
    """A misspelt value is found in the matchers of all kinds, and in functions."""
    assert ["code overload"] == unknown_values('sum(rate(chitarrella_requests_total{code="overload"}[5m])) > 0')
    assert ["outcome fail"] == unknown_values('chitarrella_webhook_deliveries_total{outcome!="fail"}')
    assert ["code OK"] == unknown_values('chitarrella_requests_total{code=~"OK|refused"}')
    assert ["rpc .*Look.*"] == unknown_values('chitarrella_requests_total{rpc!~".*Look.*|.*Watch.*"}')
    used = {
        matcher.name
        for text in expressions()
        for one in selectors(promql_parser.parse(text))
        for matcher in one.matchers.matchers
    }
    assert VALUES.keys() == used


@pytest.mark.parametrize("expression", expressions())
def test_expressions_name_documented_metrics_and_labels(expression: str) -> None:
    """Every metric and every label of an expression stands in the guide for operators."""
    metrics = documented()
    found = list(selectors(promql_parser.parse(expression)))
    assert found
    for selector in found:
        labels = metrics[base(selector.name or "", metrics)]
        assert {matcher.name for matcher in selector.matchers.matchers} <= labels | ADDED_BY_PROMETHEUS


def test_guide_names_every_metric_of_a_service(start_service: StartService) -> None:
    """The guide for operators has exactly the metrics that a service gives."""
    text = fetched(f"{start_service().rest}/metrics")
    given = {
        name + "_total" * (kind == "counter" and not name.endswith("_total"))
        for name, kind in re.findall(r"^# TYPE (\S+) (\w+)$", text, re.MULTILINE)
        if not name.endswith("_created") or "matches" in name
    }
    assert given == documented().keys()


def test_rules_say_what_to_do() -> None:
    """Every rule has a severity, a summary and a description; no name stands twice."""
    names = [rule["alert"] for rule in rules()]
    assert len(set(names)) == len(names) >= 10
    for rule in rules():
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert {"summary", "description"} == rule["annotations"].keys()


def test_panels_say_what_they_show() -> None:
    """Every panel has a title, a description, a unit and a legend; none lies over another."""
    places: set[tuple[int, int]] = set()
    for panel in panels():
        assert panel["title"]
        assert panel["description"]
        assert panel["fieldConfig"]["defaults"]["unit"]
        assert all(target["legendFormat"] for target in panel["targets"])
        at = panel["gridPos"]
        cells = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        assert not cells & places
        places |= cells
