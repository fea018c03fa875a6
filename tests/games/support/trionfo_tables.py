"""Helpers for Cuccu a trionfo: positions in mid-deal, deals of examples, and random ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count
from random import Random

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Card, minus
from chitarrella.core.game import legal_moves
from chitarrella.core.model import CHANCE, Seat
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.table import Table
from tests.games.support.examples import Block, blocks
from tests.games.support.past_tricks import past
from tests.games.support.table import Hands, Match, seat
from tests.walks import Walk

KEY = "cuccu-a-trionfo"
CUT_ALREADY = {"cut_mode": "automatic"}
LIMITS = {"preset", "rob_limit", "zero_lead_restriction", "zero_follow_restriction"}
CHOICES = {*LIMITS, "trionfo_in_suit", "show_robbed", "cut_mode", "match_deals", "target_wins"}
"""The options that an example may name."""


def checks(kind: str) -> list[Block]:
    """The blocks of one kind."""
    return [block for block in blocks(f"{KEY}.txt") if block.lines[0] == f"check: {kind}"]


def complete_deals() -> list[Block]:
    """The complete deals."""
    return [block for block in blocks(f"{KEY}.txt") if block.lines[0].startswith("game:")]


def agreed(said: dict[str, str]) -> dict[str, str]:
    """The options that an example names; unlimited has a word of its own."""
    return {name: value.replace("null", "unlimited") for name, value in said.items() if name in CHOICES}


def side(words: str) -> int | None:
    """Parse ``side 0 wins`` or ``draw``."""
    return None if words.strip() == "draw" else int(words.split()[1])


def game(dealer: Seat = 0, /, **options: str) -> TrickGame:
    """Configure the game; a match has many deals unless given otherwise."""
    return seat(KEY, 4, **{"match_deals": "9", "first_dealer": str(dealer), **options})


# ---------------------------------------------------------------------- plays in words: 3 VII=pictures


def perform(match: Match, plays: str) -> Match:
    """Play cards, each by its seat, which must be on turn."""
    for words in plays.split(", "):
        place, card = words.split()
        assert int(place) == match.game.turn(match.p)
        match.say(int(place), f"play_card {card.replace('=', ' ')}")
    return match


def playable(match: Match, place: Seat) -> list[str]:
    """The cards a seat may play, a led trionfo with each of its suits."""
    return [move.removeprefix("play_card ").replace(" ", "=") for move in match.moves(place)]


def answer(match: Match, place: Seat, card: str) -> list[str]:
    """The codes for which a card is refused."""
    return match.codes(place, f"play_card {card}")


# ---------------------------------------------------------------------- tables in the middle of a deal


def in_play(
    table: TrickGame, turn_up: str, hands: Hands, plays: str = "", leader: Seat = 0, robbed: Sequence[str] = ("", "")
) -> Match:
    """A position in play: these cards and this trick; the other hands are filled up, all else was played before.

    The twin of the turn-up is out of play where no hand and no trick holds it. ``robbed`` was laid aside again.
    """
    trick = [words.split() for words in plays.split(", ")] if plays else []
    leader = int(trick[0][0]) if trick else leader
    first, _, declared = trick[0][1].partition("=") if trick else ("", "", "")
    laid = table.pack.hand([first, *(card for _, card in trick[1:])] if trick else [])
    held = [list(table.pack.hand(hands.get(place, "").split())) for place in range(4)]
    gone = [table.pack.hand(cards.split()) for cards in robbed]
    known = (table.pack.card(turn_up), *laid, *(card for hand in held for card in hand), *gone[0], *gone[1])
    rest = _left(table, known)
    out = 7 - len(gone[0]) - len(gone[1])
    stock = tuple(sorted(rest, key=lambda card: card != turn_up)[:out])
    rest = _less(rest, stock)
    played = {int(place) for place, _ in trick}
    size = max(len(hand) + (place in played) for place, hand in enumerate(held))
    for place, hand in enumerate(held):
        while len(hand) + (place in played) < size:
            hand.append(rest.pop())
    dealer = (leader - 1) % 4
    own = table.own(20, tuple(_robber(cards) for cards in gone), declared)
    match_state = table.start().match_state._replace(deal=1, dealer=dealer)
    hands_ = tuple(map(tuple, held))
    p = Table("play", match_state, hands_, stock, table.pack.card(turn_up), "", leader, laid, own=own)
    p = p._replace(tricks=past(table, p, tuple(rest), leader))
    return Match(table, table.decode(table.encode(p)))


def _robber(cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], bool, tuple[Card, ...]]:
    return cards, False, cards


def _left(table: TrickGame, known: Sequence[Card]) -> list[Card]:
    return _less(list(table.pack.cards), known)


def _less(cards: Sequence[Card], known: Sequence[Card]) -> list[Card]:
    rest = tuple(cards)
    for card in known:
        rest = minus(rest, card)
    return list(rest)


def cut_pack(table: TrickGame, lifted: str, top: str = "", hands: Hands | None = None, dealer: Seat = 0) -> list[Card]:
    """Make a pack that begins with ``lifted``; cut there, these hands are dealt, and ``top`` is on the stock."""
    places: dict[int, Card] = dict(enumerate(table.pack.hand(lifted.split())))
    at = len(places)
    for packet in range(8):
        owner = (dealer + 1 + packet) % 4
        cards = table.pack.hand((hands or {}).get(owner, "").split())[4 * (packet // 4) : 4 * (packet // 4) + 4]
        places.update(enumerate(cards, at + 4 * packet))
    places.update(enumerate(table.pack.hand(top.split()), at + 32))
    others = iter(_left(table, list(places.values())))
    return [places[place] if place in places else next(others) for place in range(40)]


def robbing(table: TrickGame, lifted: str, top: str = "", hands: Hands | None = None) -> Match:
    """Deal and cut a pack with these cards at its bottom, the last one first."""
    match = Match(table)
    dealer = match.p.match_state.dealer
    match.deal(cut_pack(table, lifted, top, hands, dealer))
    match.say((dealer - 1) % 4, f"cut {len(lifted.split())}")
    return match


SEEN = re.compile(r"rob_look\((\w+)\)")


def rob(match: Match, place: Seat, moves: str) -> Match:
    """Play the robbery of an example; ``rob_look(X)`` is a look at an X, and ``-`` is no move."""
    for words in moves.split(", ") if moves != "-" else []:
        seen = SEEN.fullmatch(words)
        assert place == match.game.turn(match.p)
        match.say(place, "rob_look" if seen else words)
        if seen:
            assert (seen[1],) == match.last[0].cards
    return match


# ---------------------------------------------------------------------- random deals


def play_at_random(match: Match, rng: Random) -> Match:
    """Deal a pack and play one deal at random."""
    match.deal(rng.sample(match.game.pack.cards, 40))
    while (turn := match.game.turn(match.p)) not in (None, CHANCE):
        assert turn is not None
        match.move(turn, rng.choice(legal_moves(match.game, match.p, turn)))
    return match


def play_for(match: Match, winner: int | None) -> None:
    """Play one deal that this side wins, or that is drawn."""
    for seed in count():
        trial = play_at_random(Match(match.game, match.p), Random(seed))
        if match.game.deal_scoring.winner(match.game, trial.p, points_of(trial)) == winner:
            match.p = trial.p
            match.events += trial.events
            return


def points_of(match: Match) -> tuple[tuple[int, ...], ...]:
    """The points of the sides."""
    return match.game.deal_scoring.by_side(match.game, match.p)


TABLES = [
    RuleSet(KEY, 4, (("match_deals", "2"), *options))
    for options in (
        (),
        (("preset", "masenghini"),),
        (("show_robbed", "true"), ("trionfo_in_suit", "true")),
        (("cut_mode", "automatic"), ("rob_limit", "1")),
    )
]
"""The rule sets of the random deals."""


def game_of(walk: Walk) -> TrickGame:
    """The game of a walk."""
    assert isinstance(walk.game, TrickGame)
    return walk.game
