"""The texts of errors and of the log use the terms of docs/glossary.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.test_vocabulary import ROOT, files, prose_retired_in

RETIRED_TEXTS = {"match is over": "finished", "match was over": "finished", "were answered": "acknowledged"}
"""Further phrases that no text of an error or of the log has, and the word to use instead."""


def texts(source: str) -> Iterator[tuple[int, str]]:
    """The texts of errors and of the log with their lines: what is raised, logged, or given to an error."""
    for node in ast.walk(ast.parse(source)):
        call = node.exc if isinstance(node, ast.Raise) else node
        if isinstance(call, ast.Call) and (call is not node or re.match(r"(errors|LOG)\.", ast.unparse(call.func))):
            for leaf in ast.walk(call):
                if isinstance(leaf, ast.Constant) and isinstance(leaf.value, str) and " " in leaf.value:
                    yield leaf.lineno, leaf.value


def test_no_retired_word_in_the_text_of_an_error_or_a_log_line() -> None:
    """No text that a caller or an operator reads uses a retired word; the failure names the word to use instead."""
    read = [(path, *line) for path in files(("service",), ".py") for line in texts(path.read_text(encoding="utf-8"))]
    assert len(read) > 200
    found = [
        f"{path.relative_to(ROOT)}:{line}: {word} -> {instead}"
        for path, line, text in read
        for word, instead in [
            *((entry.word, entry.instead) for entry in prose_retired_in(text)),
            *(pair for pair in RETIRED_TEXTS.items() if pair[0] in text),
        ]
    ]
    assert not found, "\n".join(found)


def test_texts_of_errors_and_logs_are_found() -> None:
    """What is raised, given to an error and logged is found, also in parts; other texts are not."""
    source = """raise ValueError(f"the deck {x} is cut")
error = errors.TooMany("code", "The deck is full.")
LOG.warning("a deck %s", 1)
print("a deck is shown")
"""
    expected = {(1, "the deck "), (1, " is cut"), (2, "The deck is full."), (3, "a deck %s")}
    assert expected == set(texts(source))
