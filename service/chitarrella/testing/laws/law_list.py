"""All laws, and how a walk is checked against one."""

from __future__ import annotations

from random import Random

from chitarrella.testing.laws.bots import BOT_LAWS
from chitarrella.testing.laws.legality import LEGALITY_LAWS
from chitarrella.testing.laws.money import MONEY_LAWS
from chitarrella.testing.laws.notation import NOTATION_LAWS
from chitarrella.testing.laws.partial import PARTIAL_LAWS
from chitarrella.testing.laws.secrecy import SECRECY_LAWS
from chitarrella.testing.laws.table import TABLE_LAWS
from chitarrella.testing.walks import Walk

LAW_GROUPS = (TABLE_LAWS, LEGALITY_LAWS, SECRECY_LAWS, MONEY_LAWS, NOTATION_LAWS, PARTIAL_LAWS, BOT_LAWS)
"""The groups of laws."""
LAWS = {law.__name__: law for laws in LAW_GROUPS for law in laws}
"""Every law by name; its docstring states it."""

SINGLE_POSITION = frozenset(
    {"conservation", "columns", "purity", "legality", "shares", "notation"}
    | {"partner_secrecy", "visibility", "money", "tokens", "round_trip"}
)
"""Laws of single positions and moves: they can be checked on any part of a walk."""
NEEDS_BOT = frozenset(law.__name__ for law in BOT_LAWS)
"""Laws that run bots, which takes long."""


def check_law(law: str, walk: Walk) -> None:
    """Check a law on ``walk``; raises `AssertionError` if it is broken."""
    LAWS[law](walk, Random(f"{law} {walk.seed}"))
