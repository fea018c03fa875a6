"""Batches that need the processor for long, many at once, and batches of hands that would need it for an hour."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final

import httpx

from lab.chaos.attacks.crowds import ANOTHER_ADDRESS
from lab.chaos.attacks.victim import Attacked, Effect, Victim

BATCHES = 40
"""Batches of each kind, all at once."""
QUESTIONS = 1000
CALL_SECONDS = 120.0
PACK: Final = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
STARTS: Final = {"startGame": {"ruleSet": {"gameId": "lu-stu", "players": 20}}}
"""A game whose first position is long."""
WHOLE_PACK: Final = {"listPlayableCards": {"ruleSet": {"gameId": "harjan", "players": 2}, "hand": PACK}}
"""A hand larger than any that is dealt, with some forty thousand sets of cards to lead."""
ANSWERED, OVERLOADED, REFUSED = "answered", "overloaded", "refused"
RIGHT: Final = {ANSWERED, OVERLOADED, REFUSED}


def attack(folder: Path, scale: float) -> Attacked:
    """Send batches of both kinds from another address."""
    with closing(Victim(folder)) as victim:
        return victim.attacked(partial(send_batches, victim.rest, max(1, int(BATCHES * scale))))


def send_batches(rest: str, number: int) -> Effect:
    """Send so many batches of each kind at once.

    It is right if batches were answered, others refused at most because too many waited, and every impossible hand was
    refused.
    """
    bodies = [{"questions": [question] * QUESTIONS} for question in (STARTS, WHOLE_PACK) for _ in range(number)]
    transport = httpx.HTTPTransport(local_address=ANOTHER_ADDRESS, limits=httpx.Limits(max_connections=None))
    with (
        httpx.Client(transport=transport, timeout=CALL_SECONDS, trust_env=False) as client,
        ThreadPoolExecutor(len(bodies)) as threads,
    ):
        found = Counter(threads.map(partial(_send, client, f"{rest}/v1/rules:batch"), bodies))
    note = ", ".join(f"{count} {outcome}" for outcome, count in sorted(found.items()))
    return Effect(found.total(), note, bool(found[ANSWERED]) and found.keys() <= RIGHT)


def _send(client: httpx.Client, url: str, body: dict[str, Any]) -> str:
    """Send a batch; returns what became of it, all of its questions alike."""
    try:
        response = client.post(url, json=body)
    except httpx.HTTPError as error:
        return type(error).__name__
    answer = response.json()
    if not response.is_success:
        return str(answer["code"])
    kinds = {ANSWERED if "error" not in one else str(one["error"]["code"]) for one in answer["answers"]}
    if STARTS in body["questions"]:
        return ANSWERED if kinds == {ANSWERED} else f"{sorted(kinds)} of {len(answer['answers'])}"
    return REFUSED if kinds == {"bad_position"} else f"a hand of the whole pack: {sorted(kinds)}"
