"""Packs: which cards are in play, and how often."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import cast

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import CUCCO, ITALIAN, Card, Pack
from chitarrella.core.game import NO_TRUMP_CARD, AnyGame, TrickState, play, validate_move
from chitarrella.core.model import CHANCE, CardSpec, Move, seen_by_word
from chitarrella.core.options import InvalidOption
from chitarrella.exchange.base import CUCKOO
from chitarrella.exchange.game import ExchangeGame
from chitarrella.exchange.round import Held
from tests.walks import CATALOGUE, known_walk, values


@pytest.mark.parametrize(
    ("pack", "cards", "surplus"),
    [
        (ITALIAN, "Ab 3b Ac", ""),
        (ITALIAN, "Ab 3b Ab Ab Ac Ac", "Ab Ac"),
        (ITALIAN.without(ITALIAN.card("2b")), "2b 2c", "2b"),
        (CUCCO, "XV XV MAT MAT", ""),
        (CUCCO, "XV XV XV NUL", "XV"),
    ],
)
def test_surplus_are_the_faces_that_are_named_too_often(pack: Pack, cards: str, surplus: str) -> None:
    """A face may be named as often as the pack in play has it: once, twice with two copies, never if left out."""
    assert surplus == " ".join(pack.surplus(pack.hand(cards.split())))


@pytest.mark.parametrize(
    ("pack", "cards", "missing"),
    [
        (ITALIAN, " ".join(ITALIAN.cards[2:]), " ".join(ITALIAN.cards[:2])),
        (ITALIAN, " ".join(ITALIAN.cards), ""),
        (ITALIAN.without(ITALIAN.card("2b")), " ".join(ITALIAN.cards), ""),
        (CUCCO, " ".join(CUCCO.cards[1:]), CUCCO.cards[0]),
    ],
)
def test_missing_are_the_faces_that_are_not_named_often_enough(pack: Pack, cards: str, missing: str) -> None:
    """A face is missing if it is named less often than the pack in play has it."""
    assert missing == " ".join(pack.missing(pack.hand(cards.split())))


@pytest.mark.parametrize("rule_set", [RuleSet("briscola", 2), RuleSet("coech", 2), RuleSet("cucu", 2)])
def test_a_wrong_pack_is_refused_with_what_is_wrong_with_it(rule_set: RuleSet) -> None:
    """The refusal of a pack names the cards that it misses and those that it has too often."""
    game = CATALOGUE.game_for(rule_set)
    p = game.start()
    while not game.chance_request(p).cards:
        request = game.chance_request(p)
        p, _ = play(game, p, CHANCE, Move(request.verb, amount=request.amounts[0]))
    verb, cards = game.chance_request(p).verb, game.chance_request(p).cards
    spoilt = (*cards[:-1], cards[0])
    (refusal,) = validate_move(game, p, CHANCE, Move(verb, spoilt))
    assert ("bad_pack", (cards[-1],), (cards[0],)) == (refusal.code, refusal.allowed_cards, refusal.offending_cards)


# ---------------------------------------------------------------------- card specs


GAMES = [CATALOGUE.game_for(RuleSet(game.key, max(game.seatings))) for game in CATALOGUE]
TRICK_GAMES = [game for game in GAMES if game.trick_rules is not None]
EXCHANGE_GAMES = [game for game in GAMES if game.trick_rules is None]

NEXT_HIGHER = "bohemian-schneider"
"""The game in which only the next higher card takes a trick (SN-6.1)."""

OFTEN_SEEN_BY_MORE = {"hand", "aside"}
"""Zones whose cards rules may show: of a dummy, to a partner, by turning them up."""

WALKS = 60
"""Walks of each game: enough for zones that few deals have."""

GUIDE = Path(__file__).parents[2] / "docs" / "showing-a-table.md"


def key(game: AnyGame) -> str:
    """The key of a game, for the name of a test."""
    return game.key


@pytest.mark.parametrize("game", GAMES, ids=key)
def test_each_card_once(game: AnyGame) -> None:
    """The specs are those of the pack in canonical order, and each says how many of its card there are."""
    assert game.pack.cards == tuple(spec.card for spec in game.card_specs for _ in range(spec.copies))
    assert len(game.card_specs) == len({spec.card for spec in game.card_specs})


@pytest.mark.parametrize("game", TRICK_GAMES, ids=key)
def test_the_order_is_that_of_tricks(game: AnyGame) -> None:
    """Of two cards of a suit the higher number takes the trick, of equal ones that played first; another suit never."""
    for led, answer in product(game.card_specs, repeat=2):
        assert takes(game, led, answer) == int(led.suit == answer.suit and beats(game, answer, led))


def takes(game: AnyGame, led: CardSpec, answer: CardSpec) -> int | None:
    """The index of the card that takes a trick of two, where no suit is trumps."""
    assert game.trick_rules is not None
    state = TrickState(
        (led.card, answer.card), trump="", trump_card=NO_TRUMP_CARD, declared_suit=led.suit, stock_size=0
    )
    return game.trick_rules.winning_index(state).value


def beats(game: AnyGame, card: CardSpec, other: CardSpec) -> bool:
    """Whether the order of ``card`` is high enough to take ``other``."""
    return card.order == other.order + 1 if game.key == NEXT_HIGHER else card.order > other.order


@pytest.mark.parametrize("game", TRICK_GAMES, ids=key)
def test_points_are_those_of_score_cards(game: AnyGame) -> None:
    """Each card counts alone what ScoreCards gives first where no suit is trumps; together they count something."""
    assert game.trick_rules is not None
    for spec in game.card_specs:
        _, points = game.trick_rules.count((spec.card,), "")[0]
        assert points == spec.points
    assert sum(cast(int, spec.points) for spec in game.card_specs) > 0


@pytest.mark.parametrize("game", EXCHANGE_GAMES, ids=key)
def test_the_order_is_that_of_the_comparison(game: AnyGame) -> None:
    """Of two cards the one of the lower number loses, but for a cuckoo; equal ones are told apart by nothing else."""
    assert isinstance(game, ExchangeGame)
    for first, second in product(game.card_specs, repeat=2):
        losers = losing_seats(game, first, second)
        if first.order != second.order:
            lower = 0 if first.order < second.order else 1
            assert lower in losers
            assert 1 - lower not in losers or 0 == (first, second)[lower].order  # a fool loses beside the lowest other
        elif first.card.rank == CUCKOO:
            assert losers <= {0}
        elif first.order:
            assert 0 in losers


def losing_seats(game: ExchangeGame, first: CardSpec, second: CardSpec) -> set[int]:
    """The seats that lose if two players hold these cards at the end of a deal."""
    held = (Held(first.card), Held(second.card))
    return {seat for seat, _ in game.comparison.compare(game, game.start()._replace(held=held), (0, 1)).losers}


@pytest.mark.parametrize("game", EXCHANGE_GAMES, ids=key)
def test_cards_that_count_nothing(game: AnyGame) -> None:
    """In an exchange game no card counts and there are no suits; the fool alone has no place in the order."""
    assert {(None, "")} == {(spec.points, spec.suit) for spec in game.card_specs}
    assert ["MAT"] == [spec.card for spec in game.card_specs if not spec.order]
    assert set(range(20)) == {spec.order for spec in game.card_specs}


def test_places_by_hand() -> None:
    """The Ace of Briscola is the tenth of its suit, the Matto of Cöch the lowest picture, the X the highest number."""
    by_game = {game.key: {str(spec.card): spec for spec in game.card_specs} for game in GAMES}
    assert ("b", 10, 11, 1) == by_game["briscola"]["Ab"][1:]
    assert ("pictures", 1, 0, 2) == by_game["coech"]["MAT"][1:]
    assert ("numbers", 10, 2, 2) == by_game["coech"]["X"][1:]


@pytest.mark.clause("CO-7", "CU-12", "LS-12", "ZI-2", "CT-2")
@pytest.mark.parametrize("game", [game for game in GAMES if len(game.pack.cards) > len(game.pack.faces)], ids=key)
def test_copies_are_alike(game: AnyGame) -> None:
    """With other copies of the faces in the pack every move has the same position and events."""
    walk = known_walk(RuleSet(game.key, game.seats), "copies", 2, 6)
    p = walk.game.start()
    for step in walk.steps:
        copies = tuple(Card(card.rank, card.suit) for card in step.move.cards)
        p, events = play(walk.game, p, step.actor, step.move._replace(cards=copies))
        assert (step.after, step.events) == (p, events)


@pytest.mark.parametrize("game", tuple(CATALOGUE), ids=key)
def test_zones_are_those_of_views(game: AnyGame) -> None:
    """Every zone of a walk is described, every zone described comes up, and is seen by those who are named."""
    seen: dict[str, set[str]] = {}
    for seed in range(WALKS):
        players = sorted(game.seatings)[seed % len(game.seatings)]
        walk = known_walk(RuleSet(game.key, players), f"zones {seed}", 1, 1)
        for zone in (zone for p in walk.positions for zone in walk.game.zones(p)):
            seen.setdefault(zone.name, set()).add(seen_by_word(zone.seen_by))
    specs = {spec.name: spec.seen_by for spec in game.zone_specs}
    assert specs.keys() == seen.keys()
    for name, words in seen.items():
        assert words == {specs[name]} or (name in OFTEN_SEEN_BY_MORE and words <= {specs[name], "everybody"})


def test_options_that_change_cards_and_zones() -> None:
    """The guide for integrators lists the options that change what GetGame says of cards and zones."""
    changed = {
        (game.key, option.name, what)
        for game in GAMES
        for option in game.options
        for value in values(option)
        for what in changes(game, option.name, value)
    }
    text = GUIDE.read_text(encoding="utf-8").partition("<!-- options that change cards -->")[2]
    lines = text.strip().partition("\n\n")[0].splitlines()[2:]
    rows = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]
    assert sorted(changed) == sorted((game, option, what) for game, option, what, _ in rows)


def changes(game: AnyGame, option: str, value: str) -> list[str]:
    """What a value of an option changes, with the most players; nothing where it is not allowed."""
    try:
        table = CATALOGUE.game_for(RuleSet(game.key, max(game.seatings), ((option, value),)))
    except InvalidOption:
        return []
    cards = [] if table.card_specs == game.card_specs else ["cards"]
    return cards if table.zone_specs == game.zone_specs else [*cards, "zones"]
