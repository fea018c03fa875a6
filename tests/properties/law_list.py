"""The law book: every law, and how to hold a walk against it."""

from __future__ import annotations

from random import Random

from tests.properties.bots import BOT_LAWS
from tests.properties.legality import LEGALITY_LAWS
from tests.properties.money import MONEY_LAWS
from tests.properties.notation import WRITING_LAWS
from tests.properties.secrecy import SECRECY_LAWS
from tests.properties.table import TABLE_LAWS
from tests.walks import Walk

LAWS = {
    law.__name__: law for law in (*TABLE_LAWS, *LEGALITY_LAWS, *SECRECY_LAWS, *MONEY_LAWS, *WRITING_LAWS, *BOT_LAWS)
}
"""Every law by its name; its docstring is its sentence."""

MOMENTARY = frozenset(
    {"conservation", "columns", "purity", "legality", "sharing", "notation"}
    | {"discretion", "visibility", "money", "tokens", "round_trip"}
)
"""Laws of single positions and moves: any part of a walk can be held against them."""
THOUGHTFUL = frozenset(law.__name__ for law in BOT_LAWS)
"""Laws for which somebody has to think."""


def hold(law: str, walk: Walk) -> None:
    """Hold ``walk`` against a law; raises `AssertionError` where it is broken."""
    LAWS[law](walk, Random(f"{law} {walk.seed}"))
