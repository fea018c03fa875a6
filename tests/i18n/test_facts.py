"""The names of facts that are translated are those that games have."""

from __future__ import annotations

import re
from pathlib import Path

from chitarrella.i18n.table_texts import FACT_NAMES

FACTS = Path(__file__).parents[2] / "docs" / "facts.md"


def test_every_fact_has_a_name() -> None:
    """The names are those of the table of facts, which is compared with the games."""
    table = FACTS.read_text(encoding="utf-8").partition("<!-- facts -->")[2]
    assert sorted(FACT_NAMES) == re.findall(r"^\| `(\w+)`", table, re.MULTILINE)
