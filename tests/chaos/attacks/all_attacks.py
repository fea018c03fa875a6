"""The attacks by name, in the order in which they are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from tests.chaos.attacks import bombs, connections, crowds, store_outages
from tests.chaos.attacks.victim import Attacked

Attack = Callable[[Path, float], Attacked]
"""Attacks a service of its own in a folder; the number scales the attack, 1 for the full one."""

ATTACKS: Mapping[str, Attack] = {
    "bombs": bombs.attack,
    "no-memory": store_outages.no_memory,
    "hanging": store_outages.hanging,
    "resets-grpc": connections.resets_of_grpc,
    "resets-http": connections.resets_of_http,
    "slow": connections.slow_requests,
    "bots": crowds.bots,
    "watchers": crowds.watchers,
}
