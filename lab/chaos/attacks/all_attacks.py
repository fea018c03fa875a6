"""The attacks by their word on the command line, in the order in which they are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from lab.chaos.attacks import batches, bombs, connections, crowds, store_outages
from lab.chaos.attacks.victim import Attacked


class Attack(NamedTuple):
    """An attack: its name on the page of proofs, and the function that makes it.

    The function attacks a service of its own in a folder. The number scales the attack, 1 for the full one.
    """

    name: str
    make: Callable[[Path, float], Attacked]


ATTACKS: Mapping[str, Attack] = {
    "bombs": Attack("request bombs", bombs.attack),
    "no-memory": Attack("store without memory", store_outages.no_memory),
    "hanging": Attack("hanging store", store_outages.hanging),
    "resets-grpc": Attack("reset streams at the gRPC port", connections.resets_of_grpc),
    "resets-http": Attack("reset streams at the HTTP port", connections.resets_of_http),
    "slow": Attack("slow requests", connections.slow_requests),
    "batches": Attack("costly batches", batches.attack),
    "bots": Attack("matches of bots", crowds.bots),
    "watchers": Attack("SSE watchers", crowds.watchers),
}
