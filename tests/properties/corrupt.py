"""Corrupts lines of notation by small random edits."""

import re
from collections.abc import Callable
from typing import TypeAlias

from hypothesis import strategies as st

Edit: TypeAlias = tuple[str, int, int]  # the kind of edit, and two numbers that choose the place and the replacement

SIGNS = "0123456789-~.,/;|=%@ :abcdRF\n\x00é²٣"
NUMBERS = ("-1", "0", "1", "2", "3", "4", "7", "99", "-99999", "9999999999999999", "007", "-0", "", "~", ".", "-")


def edits(most: int = 4) -> st.SearchStrategy[list[Edit]]:
    numbers = st.integers(0, 2**16)
    return st.lists(st.tuples(st.sampled_from(sorted(EDITS)), numbers, numbers), min_size=1, max_size=most)


def corrupt(line: str, changes: list[Edit], other: str = "") -> str:
    """Edit ``line``; some edits take parts of ``other``, a valid line of the same kind."""
    for what, where, which in changes:
        line = EDITS[what](line, other, where, which)
    return line


def _cut(line: str, other: str, where: int, which: int) -> str:
    at = where % (len(line) + 1)
    return line[:at] + line[at + 1 + which % 3 :]


def _insert(line: str, other: str, where: int, which: int) -> str:
    at = where % (len(line) + 1)
    return line[:at] + SIGNS[which % len(SIGNS)] + line[at:]


def _drop_word(line: str, other: str, where: int, which: int) -> str:
    words = line.split(" ")
    del words[where % len(words)]
    return " ".join(words)


def _borrow_word(line: str, other: str, where: int, which: int) -> str:
    words, others = line.split(" "), other.split(" ")
    words[where % len(words)] = others[which % len(others)]
    return " ".join(words)


def _add_word(line: str, other: str, where: int, which: int) -> str:
    others = other.split(" ")
    return f"{line} {others[which % len(others)]}"


def _change_value(line: str, other: str, where: int, which: int) -> str:
    return _replace_token(line, r"(?<==)[^ ]*", where, NUMBERS[which % len(NUMBERS)])


def _change_number(line: str, other: str, where: int, which: int) -> str:
    return _replace_token(line, r"-?\d+\b", where, NUMBERS[which % len(NUMBERS)])


def _change_token(line: str, other: str, where: int, which: int) -> str:
    """Replace one word, card or number by another of the line."""
    tokens = re.findall(r"[\w.~-]+", line) or ["x"]
    return _replace_token(line, r"[\w.~-]+", where, tokens[which % len(tokens)])


def _swap_tokens(line: str, other: str, where: int, which: int) -> str:
    spans = [found.span() for found in re.finditer(r"[\w~.-]+", line)]
    if not spans:
        return line
    (a, b), (c, d) = sorted((spans[where % len(spans)], spans[which % len(spans)]))
    return line if a == c else line[:a] + line[c:d] + line[b:c] + line[a:b] + line[d:]


def _move_token(line: str, other: str, where: int, which: int) -> str:
    """Move a card or number behind another one."""
    spans = [found.span() for found in re.finditer(r",?[\w~.-]+(?=[,/; ]|$)", line)]
    if not spans:
        return line
    a, b = spans[where % len(spans)]
    token, rest = line[a:b].lstrip(","), line[:a] + line[b:]
    ends = [found.end() for found in re.finditer(r"[\w~-](?=[,/; ]|$)", rest)] or [0]
    at = ends[which % len(ends)]
    return f"{rest[:at]},{token}{rest[at:]}"


def _replace_token(line: str, pattern: str, where: int, text: str) -> str:
    spans = [found.span() for found in re.finditer(pattern, line)]
    if not spans:
        return line
    a, b = spans[where % len(spans)]
    return line[:a] + text + line[b:]


EDITS: dict[str, Callable[[str, str, int, int], str]] = {
    "add word": _add_word, "borrow word": _borrow_word, "change number": _change_number, "change token": _change_token,
    "change value": _change_value, "cut": _cut, "drop word": _drop_word, "insert": _insert, "move token": _move_token,
    "swap tokens": _swap_tokens,
}  # fmt: skip
