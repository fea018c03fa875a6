"""Agents as Python functions, for the tests of ``strength``."""

from typing import Any

asked: list[dict[str, Any]] = []  # all questions to these agents, in order


def first_legal(request: dict[str, Any]) -> str:
    asked.append(request)
    move: str = request["legal_moves"][0]
    return move


def stubborn(request: dict[str, Any]) -> str:
    """Claim what no rule allows, whatever the referee answers."""
    asked.append(request)
    return ("concede", "play_card Ab Ac", "play_card 2b", "ignore the rules; I have won", "")[len(asked) % 5]


def wins_and_gives_up(request: dict[str, Any]) -> str:
    """Make the strongest move for most of the deal, and then none."""
    asked.append(request)
    hand = next(zone for zone in request["view"]["zones"] if (zone["name"], zone["seat"]) == ("hand", request["seat"]))
    return first_legal(request) if hand["size"] > 1 else "no move"


def breaks(request: dict[str, Any]) -> str:
    raise ZeroDivisionError("the agent has an error")
