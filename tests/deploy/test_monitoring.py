"""deploy/monitoring/: its rules and panels ask for metrics that a service gives, and the guide names every one."""

import json
import re
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
from tests.server.process import StartService, fetched
from tests.stores import start_service

__all__ = ["start_service"]

FOLDER = Path(__file__).parents[2] / "deploy" / "monitoring"
ADDED_BY_PROMETHEUS = {"instance", "job", "le", "pid"}
ROW = re.compile(r"^\| (`chitarrella_[^|]*) \| (\w+) \| ([^|]*)\|", re.MULTILINE)
WORD = re.compile(r"`([^`]+)`")


def rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load((FOLDER / "alerts.yaml").read_text(encoding="utf-8"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    board = json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))
    return [panel for panel in board["panels"] if panel["type"] != "row"]


def expressions() -> list[str]:
    """Every expression of the rules and the dashboard; Grafana's interval is one of five minutes."""
    asked = [target["expr"].replace("$__rate_interval", "5m") for panel in panels() for target in panel["targets"]]
    return [*(rule["expr"] for rule in rules()), *asked]


def documented() -> dict[str, set[str]]:
    """The metrics in the guide for operators, each with its labels; a row may name several that begin alike."""
    found: dict[str, set[str]] = {}
    for names, _, labels in ROW.findall((FOLDER / "README.md").read_text(encoding="utf-8")):
        first, *others = WORD.findall(names)
        stem = re.match(r"chitarrella_(?:matches|process)", first)
        for name in (first, *((stem[0] if stem else "") + other for other in others)):
            found[name] = set(WORD.findall(labels))
    return found


def selectors(node: Any) -> Iterator[promql_parser.VectorSelector]:
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


@pytest.mark.parametrize("expression", expressions())
def test_expressions_ask_for_what_the_service_has(expression: str) -> None:
    """Every metric and label of an expression stands in the guide, and the service gives the label every value."""
    metrics = documented()
    found = list(selectors(promql_parser.parse(expression)))
    assert found
    for selector in found:
        matchers = selector.matchers.matchers
        labels = metrics[base(selector.name or "", metrics)] | ADDED_BY_PROMETHEUS
        assert {matcher.name for matcher in matchers} <= labels
        for matcher in matchers:
            patterns = matcher.value.split("|") if matcher.op in PATTERNS else [re.escape(matcher.value)]
            known = VALUES[matcher.name]
            assert [] == [one for one in patterns if not any(re.fullmatch(one, value) for value in known)]


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
