"""The words that a table needs beside those of the catalogue of games: facts, events, and the words in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypedDict

from chitarrella.core.game import AnyGame
from chitarrella.i18n.english_texts import (
    ADDED_FACT_NAMES,
    ADDED_SENTENCES,
    FACT_NAMES,
    FLAGS,
    MATCH_SENTENCES,
    SEATS,
    WORDS,
)
from chitarrella.i18n.narration import ALTERNATIVE, NAMES, PARTS, SENTENCES
from chitarrella.i18n.translator import Message, Translator, spaced

CHOICE_NAMES: Final = {
    "ace_by_seven.any_suit": "any Ace",
    "ace_by_seven.off": "none",
    "ace_by_seven.same_suit": "the Ace of its suit",
    "all_pass.next_dealer": "the next dealer",
    "all_pass.same_dealer": "the same dealer again",
    "bidding_direction.anticlockwise": "anticlockwise, as the play",
    "bidding_direction.clockwise": "clockwise, against the play",
    "claim_from_deal.after_min_deals": "the one after the least number",
    "cuckoo_protects.always": "always",
    "cuckoo_protects.comparison": "in the comparison only",
    "cut_mode.automatic": "the pack comes cut",
    "cut_mode.player": "a player cuts",
    "doctor_limit.unlimited": "without limit",
    "doctor_limit_scope.per_game": "the whole table",
    "doctor_limit_scope.per_player": "each seat",
    "exchange.none": "no",
    "exchange.seven_two": "yes, Seven and Two",
    "first_dealer.by_lot": "drawn by lot",
    "first_lead.eldest": "eldest",
    "first_lead.soloist": "the soloist",
    "follow.follow": "suit must be followed",
    "follow.follow_or_trump": "suit must be followed; who cannot must trump",
    "follow.free": "any card may be played",
    "four_player_scores.literal": "the same figures as five",
    "four_player_scores.zero_sum": "figures that add up to nothing",
    "horse_dealer_draw.next": "the next card",
    "horse_dealer_draw.top": "the top card",
    "inn_offer_kinds.both": "money, a share of the prize, or both",
    "inn_offer_kinds.money": "money alone",
    "inn_offer_kinds.pool_share": "a share of the prize alone",
    "jan_threshold.default": "30, or the target where that is less",
    "life_cap.unlimited": "without limit",
    "matto_rank.above_nulla": "just above the Nulla",
    "matto_rank.lowest": "lowest",
    "next_dealer.alternate": "each in turn",
    "next_dealer.loser": "the loser",
    "preset.masenghini": "the leaflet in Masenghini's packs",
    "preset.smith": "Smith's sources",
    "revoke_mode.penalize": "penalized",
    "revoke_mode.prevent": "prevented",
    "rob_limit.by_preset": "as the chosen rules have it",
    "rob_limit.unlimited": "without limit",
    "scoring.honours": "honours",
    "scoring.points": "points",
    "seating.full_pack": "drawn from the whole pack",
    "seating.given": "given",
    "seating.half_pack": "drawn from one copy of each face",
    "signals.free": "any trumps",
    "signals.off": "no signals",
    "signals.truthful": "only trumps that they hold",
    "single_matto_from.0": "never",
    "stand_off.double_next": "the next deal that is won counts double",
    "stand_off.none": "no",
    "sudden_death.ace_takes_seven": "an Ace that takes the Seven",
    "sudden_death.ace_takes_ten": "an Ace that takes the Ten",
    "sudden_death.none": "neither",
    "target_check.end_of_deal": "after each deal",
    "target_check.immediate": "after each trick",
    "trump_by.cut": "the stock is cut",
    "trump_by.turn_up": "its first card is turned up",
    "turn_up.after_deal": "after the deal",
    "turn_up.after_first_round": "after the first packets",
    "zero_follow_restriction.by_preset": "as the chosen rules have it",
    "zero_lead_restriction.by_preset": "as the chosen rules have it",
}

ANSWERS: Final = {"true": "yes", "false": "no"}
# How many cards of a hand are dealt at once.
PACKETS: Final = {"packets alike": "{number} at once", "packets": "by turns {numbers}"}
SEAT_OPTIONS: Final = frozenset({"first_dealer"})
# Matches packets: ``3-2``, ``5`` for all at once, ``1x9`` for one after the other.
PACKET_NOTATION: Final = re.compile(r"\d+(?:-\d+)*|\d+x\d+")


def game_messages(game: AnyGame) -> Iterator[Message]:
    """Yield the texts to translate of the values of the options of ``game``; cards and packets have none."""
    for option in game.options:
        for value in option.choices:
            if not (value in ANSWERS or value in game.pack.faces or _are_packets(option.name, value)):
                yield f"choice {option.name}.{value}", _english(option.name, value)


def choice_name(translator: Translator, option: str, value: str, cards: Mapping[str, str]) -> str:
    """Return what ``value`` of an option means; ``cards`` has the names of the cards of the game."""
    text = translator.text
    if value in ANSWERS:
        return text(f"choice {value}", ANSWERS[value])
    if value in cards:
        return cards[value]
    if _are_packets(option, value):
        return _packets(translator, value)
    return text(f"choice {option}.{value}", _english(option, value))


def choice_names(
    translator: Translator, options: Iterable[tuple[str, Sequence[str]]], cards: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    """Return the names of the values of ``options``, which are their names and values, by both."""
    return {name: {value: choice_name(translator, name, value, cards) for value in values} for name, values in options}


def _english(option: str, value: str) -> str:
    return CHOICE_NAMES.get(f"{option}.{value}", spaced(value))


def _are_packets(option: str, value: str) -> bool:
    return f"{option}.{value}" not in CHOICE_NAMES and bool(PACKET_NOTATION.fullmatch(value))


def _packets(translator: Translator, notation: str) -> str:
    """Describe packets: ``3-3-3`` as "3 at once", ``3-2`` as "by turns 3, 2"."""
    numbers = list(dict.fromkeys(notation.partition("x")[0].split("-")))
    if len(numbers) == 1:
        return translator.text("choice packets alike", PACKETS["packets alike"]).format(number=numbers[0])
    listed = ", ".join(notation.split("-"))
    return translator.text("choice packets", PACKETS["packets"]).format(numbers=listed)


class TableWords(TypedDict):
    facts: dict[str, str]
    flags: list[str]  # facts that are true or absent
    seats: list[str]  # facts whose value is a seat
    events: dict[str, str]  # templates of sentences, by kind or by kind and word
    parts: dict[str, str]
    words: dict[str, str]
    choices: dict[str, dict[str, str]]  # by option and value
    seatOptions: list[str]


def third_person(sentence: str) -> str:
    return ALTERNATIVE.sub(r"\2", sentence)


def words_of(
    translator: Translator, kind_of_pack: str, choices: Mapping[str, Mapping[str, str]] | None = None
) -> TableWords:
    """Return the words of a table in one language; ``choices`` are the names of the values of options."""
    text = translator.text
    names = NAMES.get(kind_of_pack, {})
    sentences = {**ADDED_SENTENCES, **SENTENCES, **MATCH_SENTENCES}
    return {
        "facts": {name: text(f"fact {name}", english) for name, english in {**ADDED_FACT_NAMES, **FACT_NAMES}.items()},
        "flags": sorted(FLAGS),
        "seats": sorted(SEATS),
        "events": {kind: third_person(text(f"event {kind}", said)) for kind, said in sentences.items()},
        "parts": _parts(translator),
        "words": {word: translator.noun(word) for word in WORDS}
        | {letters: text(f"name {kind_of_pack} {letters}", name) for letters, name in names.items()},
        "choices": {option: dict(values) for option, values in (choices or {}).items()},
        "seatOptions": sorted(SEAT_OPTIONS),
    }


def _parts(translator: Translator) -> dict[str, str]:
    both, theirs, money, percent = (
        translator.text(f"part {name}", PARTS[name])
        for name in ("both cards", "their card", "money offered", "share offered")
    )
    first = theirs.replace("{card}", "{first}")
    second = theirs.replace("{who}", "{other}").replace("{card}", "{last}")
    faces = both.replace("{first}", first, 1).replace("{second}", second)
    return {"faces": faces, "money": money, "percent": percent}
