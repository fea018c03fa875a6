"""English names of facts, and of words in facts and events; sentences for events of a match that are no move.

They are translated together with the rules. `docs/facts.md` says what each fact means.
"""

from __future__ import annotations

from typing import Final

FACT_NAMES: Final = {
    "agreement": "agreed division of the pool",
    "ally": "plays with the soloist",
    "alone": "plays alone",
    "announced": "announced card",
    "bid": "bid",
    "bidder": "last bid by",
    "called_card": "called card",
    "card_points": "card points",
    "chips": "chips",
    "controller": "played by",
    "cost": "price of a re-entry",
    "deal": "deal",
    "dealer": "dealer",
    "deals_won": "deals won",
    "dealt_in": "plays in this deal",
    "declared_suit": "suit asked for",
    "doctor_calls": "calls of the doctor that are limited",
    "doctor_calls_total": "calls of the doctor",
    "doubled": "the next deal counts double",
    "draws": "deals that nobody won",
    "exchanged": "card taken for the turn-up",
    "games": "games won",
    "guarantee": "pays for the zero of",
    "half_points": "half points",
    "honours": "honours",
    "leader": "leads to the first trick",
    "lifted": "cards lifted",
    "listed": "number on the list",
    "lives": "lives",
    "looked": "looked at a card and left it",
    "looked_at": "card looked at",
    "net": "won and lost",
    "next_game": "seats in the next game",
    "offered_money": "money offered",
    "offered_share": "percent offered",
    "out": "out of the match",
    "payment": "paid for this deal",
    "points": "points of this deal",
    "pool": "pool",
    "promised": "percent promised",
    "proposal": "proposed division of the pool",
    "required": "points needed",
    "revoke": "card of the revoke",
    "revoke_code": "duty broken by the revoke",
    "robbed": "cards robbed",
    "robbed_card": "robbed card",
    "side_half_points": "half points of the side",
    "side_units": "units of the side",
    "signal": "signalled trump",
    "stock": "cards in the stock",
    "syndicate": "tokens paid by others",
    "tokens": "tokens",
    "total": "total of the game",
    "trump": "trumps",
    "turn_up": "turn-up",
    "units": "units",
    "virgin": "no token lost or bought",
}
"""The names of all facts of all games, in the order of the alphabet."""

FLAGS: Final = frozenset({"alone", "dealt_in", "doubled", "looked", "out", "virgin"})
"""The facts whose value says only that they are true."""
SEATS: Final = frozenset({"ally", "bidder", "controller", "dealer", "guarantee", "leader"})
"""The facts whose value is a seat."""

WORDS: Final = (
    *("card_points", "half_points", "honours", "points", "units"),
    *("numbers", "pictures"),
    *("pass", "alone", "with_an_ally", "game", "jan", "slam", "right", "wrong"),
    "must_follow_suit",
)
"""What events and facts name beside cards, suits and ranks: counts, suits without a letter, answers, broken duties."""

MATCH_SENTENCES: Final = {
    "contributed": "{Who} adds a seed to the shuffle: {word}.",
    "shuffle_requested": "The shuffle waits for no more seeds.",
    "time_over": "The time of {who} is over.",
    "bot_seated": "A bot plays for {who}: {word}.",
    "bot_left": "A person plays for {who} again.",
    "clock_advanced": "The clock of the match moves forward, by this many seconds: {amount}.",
    "takeback_requested": "{Who} asks to take the last decision back.",
    "takeback_agreed": "{Who} agrees to take the last decision back.",
    "takeback_declined": "{Who} does not agree to take the last decision back.",
    "taken_back": "The last decision of {who} is taken back.",
    "moves_lost": "The service has lost moves; the match goes on from the last one that it has.",
}
"""Sentences for what happens at a match beside the moves, by kind of event."""
