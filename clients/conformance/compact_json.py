"""The layout of the scenario files: JSON that is compact, and reads and diffs by the line.

A value stands on one line if it fits; else a list has an item a line, and an object its members, short ones together. A
text of several lines is an object with the list of its lines, so that a change of one line shows as such.
"""

from __future__ import annotations

import json
from typing import Any

WIDTH = 140
"""Columns of a line; only a single string may be longer."""
LINES = "lines"
"""The only member of the object that stands for a text of several lines."""


def split(value: Any) -> Any:
    """Replace every text of several lines by the object with its lines."""
    if isinstance(value, str):
        return {LINES: value.split("\n")} if "\n" in value else value
    if isinstance(value, dict):
        return {key: split(item) for key, item in value.items()}
    return [split(item) for item in value] if isinstance(value, list) else value


def joined(value: Any) -> Any:
    """Restore the texts that ``split`` has replaced."""
    if isinstance(value, dict):
        if value.keys() == {LINES}:
            return "\n".join(value[LINES])
        return {key: joined(item) for key, item in value.items()}
    return [joined(item) for item in value] if isinstance(value, list) else value


def compact(document: dict[str, Any]) -> str:
    """Format a document, one member a line at the outermost level."""
    members = [_format(item, f"{json.dumps(key)}: ", 1) for key, item in document.items()]
    return "{\n " + ",\n ".join(members) + "\n}\n"


def _format(value: Any, prefix: str, depth: int) -> str:
    """Format a value after ``prefix``, indented by ``depth`` spaces where it needs several lines."""
    line = prefix + json.dumps(value, ensure_ascii=False)
    one_line = depth + len(line) < WIDTH  # a comma may follow
    if one_line or not isinstance(value, dict | list) or not value:
        return line
    if isinstance(value, dict):
        first, last = "{", "}"
        parts = [_format(item, f"{json.dumps(key, ensure_ascii=False)}: ", depth + 1) for key, item in value.items()]
    else:
        first, last = "[", "]"
        parts = [_format(item, "", depth + 1) for item in value]
    if isinstance(value, dict) or not (
        any(isinstance(item, dict | list) for item in value) or prefix == f'"{LINES}": '
    ):
        parts = _packed(parts, depth + 1)
    indent = "\n" + " " * (depth + 1)
    return f"{prefix}{first}{indent}{(',' + indent).join(parts)}\n{' ' * depth}{last}"


def _packed(parts: list[str], depth: int) -> list[str]:
    """Put neighbours on one line as long as they fit; a part of several lines stays alone."""
    lines: list[str] = []
    for part in parts:
        if lines and "\n" not in lines[-1] + part and depth + len(f"{lines[-1]}, {part}") < WIDTH:
            lines[-1] += f", {part}"
        else:
            lines.append(part)
    return lines
