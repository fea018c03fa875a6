"""Games that other people played, and test cases that other people wrote, as the rules understand them.

From each record is made what was agreed, the pack or the position, the moves, and the outcome. Cards and moves are in
the notation, so the same cases can be played on the library and over every transport. The records are one JSON object a
line, and have what is read here, with cards as texts:

- ``briscola-deals``: ten deals of Briscola for two, network matches of 2008 and matches against a robot, four of them
  broken off; from https://github.com/aaaasmile/CuperativaSoloRuby, commit e972b10ff072.
- ``briscolone-deals``: two deals of Briscolone, one of them broken off; from the same.
- ``briscola-states``: Briscola for two, 100 times a state, moves, and the state or the result they lead to; from two
  groups of a course at the Politecnico di Milano, the first 11 from https://github.com/amarildolikmeta/Briscola, commit
  2558308347c2, the others from https://github.com/FrancescoPinto/BriscolaAndroidApp, commit 240e0f370a27.

``file`` is the one that a deal was recorded in. ``hands`` are the first hands, seat 0 first; ``stock`` the cards to
draw, next first, the turn-up last; ``leader`` leads to the first trick. In ``tricks``, card i of ``cards`` is that of
seat (lead + i) mod 2, and ``draws`` are pairs of seat and card, in order. ``points`` are per seat; so is ``outcome``,
as recorded. In a state, ``piles`` hold the cards taken, trick by trick; ``moves`` are pairs of seat and card.
"""

import bz2
import json
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple, cast

from chitarrella.catalogue.registry import RuleSet
from chitarrella.tricks.rules import Rules
from tests.games.support.table import taker
from tests.walks import CATALOGUE

FOLDER = Path(__file__).parent


class DrawnTrick(NamedTuple):
    """A trick as it was recorded: who led, the cards in order of play, who took it, its points, who drew what."""

    lead: int
    cards: tuple[str, ...]
    winner: int
    points: int
    draws: tuple[tuple[int, str], ...]


class DealCase(NamedTuple):
    """A deal of a network match; a deal that was broken off has no outcome.

    ``hands`` are the first hands, seat 0 first; ``stock`` the cards to draw, a turn-up last; ``outcome`` the points of
    both seats as the server wrote them down.
    """

    id: str
    rule_set: RuleSet
    pack: tuple[str, ...]
    hands: tuple[frozenset[str], ...]
    stock: tuple[str, ...]
    trump: str
    tricks: tuple[DrawnTrick, ...]
    points: tuple[int, ...]
    outcome: tuple[int, ...] | None

    @property
    def moves(self) -> tuple[tuple[int, str], ...]:
        """Who played what, in the notation of moves."""
        played = ((trick.lead + place, card) for trick in self.tricks for place, card in enumerate(trick.cards))
        return tuple((seat % 2, f"play_card {card}") for seat, card in played)

    @property
    def winners(self) -> frozenset[int] | None:
        """Who has won a match of one won deal: nobody yet where the deal was broken off, or where nobody won it."""
        if self.outcome is None or self.outcome[0] == self.outcome[1]:
            return None
        return frozenset({self.outcome.index(max(self.outcome))})


class State(NamedTuple):
    """A table as the course wrote it down; hands have no order, the cards taken are in the order of the tricks."""

    turn: int
    trump: str
    stock: tuple[str, ...]
    trick: tuple[str, ...]
    hands: tuple[frozenset[str], ...]
    taken: tuple[tuple[str, ...], ...]


class CourseCase(NamedTuple):
    """A position, moves, and what they lead to: a state, or else the winner (None for a draw) and his points."""

    id: str
    rule_set: RuleSet
    position: str
    moves: tuple[tuple[int, str], ...]
    state: State | None
    winner: int | None
    points: int | None


@cache
def deals() -> tuple[DealCase, ...]:
    """Every recorded deal, of Briscola and Briscolone."""
    return tuple(_deal(*record) for path in sorted(FOLDER.glob("*-deals.jsonl.bz2")) for record in _records(path))


@cache
def course() -> tuple[CourseCase, ...]:
    return tuple(_course(*record) for record in _records(FOLDER / "briscola-states.jsonl.bz2"))


def _records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each line with its id, which begins with the game."""
    for number, line in enumerate(bz2.decompress(path.read_bytes()).splitlines(), 1):
        yield f"{path.name.partition('.')[0]}-{number}", json.loads(line)


def _cards(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _by_seat(text: str) -> tuple[tuple[int, str], ...]:
    """Read pairs of a seat and a card: ``1 7c, 0 3s``."""
    pairs = [pair.split() for pair in text.split(", ")] if text else []
    return tuple((int(seat), card) for seat, card in pairs)


def _deal(key: str, record: dict[str, Any]) -> DealCase:
    """The dealer sits before the leader; the pack is dealt in one packet each, and its next card is the turn-up."""
    hands, leader = tuple(map(_cards, record["hands"])), record["leader"]
    options = (("first_dealer", str(1 - leader)), ("rubber_games", "1"))
    stock = _cards(record["stock"])
    rest = (stock[-1], *stock[:-1]) if record["trump"] else stock
    pack, tricks = (*hands[leader], *hands[1 - leader], *rest), tuple(map(_trick, record["tricks"]))
    ends = tricks, tuple(record["points"]), record["outcome"] and tuple(record["outcome"])
    rule_set = RuleSet(key.partition("-")[0], 2, options)
    return DealCase(key, rule_set, pack, tuple(map(frozenset, hands)), stock, record["trump"], *ends)


def _trick(trick: dict[str, Any]) -> DrawnTrick:
    draws = _by_seat(trick.get("draws", ""))
    return DrawnTrick(trick["lead"], _cards(trick["cards"]), trick["winner"], trick["points"], draws)


def _course(key: str, record: dict[str, Any]) -> CourseCase:
    end = record["end"]
    rule_set = RuleSet(key.partition("-")[0], 2, (("rubber_games", "1"),))
    begins, ends = position(rule_set, _state(record["start"])), _state(end) if "turn" in end else None
    moves = tuple((seat, f"play_card {card}") for seat, card in _by_seat(record["moves"]))
    return CourseCase(key, rule_set, begins, moves, ends, end.get("winner"), end.get("points"))


def _state(words: dict[str, Any]) -> State:
    hands = tuple(frozenset(_cards(hand)) for hand in words["hands"])
    seen = words["trump"], _cards(words["stock"]), _cards(words["table"])
    return State(words["turn"], *seen, hands, tuple(map(_cards, words["piles"])))


def position(rule_set: RuleSet, state: State) -> str:
    leader = (state.turn - len(state.trick)) % 2
    tricks = in_order(rule_set, state, leader)
    first = int(tricks[0].partition("/")[0]) if tricks else leader
    words = {
        "phase": "play", "deal": "1", "dealer": str(1 - first), "wins": "0,0",
        "hands": "/".join(",".join(sorted(hand)) or "-" for hand in state.hands), "stock": ",".join(state.stock),
        "turn_up": turn_up(state), "trump": state.trump, "leader": str(leader), "trick": ",".join(state.trick),
        "tricks": ";".join(tricks),
    }  # fmt: skip
    return " ".join(f"{name}={value}" for name, value in words.items() if value)


def turn_up(state: State) -> str:
    """The last card of the stock; where that is drawn, some trump that may have been it: one held or played last."""
    late = [*sorted(state.hands[0] | state.hands[1]), *state.trick, *reversed(state.taken[0] + state.taken[1])]
    return next(card for card in ([state.stock[-1]] if state.stock else late) if card.endswith(state.trump))


def in_order(rule_set: RuleSet, state: State, leader: int) -> list[str]:
    """Put the tricks into an order in which whoever takes one leads to the next, and ``leader`` leads now.

    The tricks of one player keep their order. The course has states that were written by hand and have no such order;
    there the tricks are put into another, and some are led by the other card.
    """
    game = cast("Rules", CATALOGUE.game_for(rule_set))
    taken: list[list[tuple[int, str]]] = []
    for winner, cards in enumerate(state.taken):
        pairs = [cards[at : at + 2] for at in range(0, len(cards), 2)]
        tricks = [game.pack.hand(pair) for pair in pairs]
        best = [taker(game, trick, state.trump) for trick in tricks]
        leads = [(winner - place) % 2 for place in best]
        taken.append([(lead, f"{lead}/{','.join(pair)}/{winner}") for lead, pair in zip(leads, pairs, strict=True)])

    @cache
    def chain(zero: int, one: int, now: int) -> list[str] | None:
        """Order the first ``zero`` and ``one`` tricks of the two players so that ``now_ms`` took the last of them."""
        if not zero + one:
            return []
        at = (zero, one)[now]
        if not at:
            return None
        lead, text = taken[now][at - 1]
        left = (zero - 1, one) if now == 0 else (zero, one - 1)
        before = chain(*left, lead) if any(left) else []
        return None if before is None else [*before, text]

    found = chain(len(taken[0]), len(taken[1]), leader)
    return some_order(game, state, leader) if found is None else found


def some_order(game: Rules, state: State, leader: int) -> list[str]:
    """Put the tricks into any order that can have been, the card led of as few of them as possible being the other."""

    def trick(pair: tuple[str, ...], winner: int) -> tuple[int, int, str]:
        cards = game.pack.hand(pair)
        lead = (winner - taker(game, cards, state.trump)) % 2
        return lead, winner, f"{lead}/{','.join(pair)}/{winner}"

    taken = ((winner, tricks, at) for winner, tricks in enumerate(state.taken) for at in range(0, len(tricks), 2))
    ways = [[trick(pair[::way], winner) for way in (1, -1)] for winner, of, at in taken for pair in [of[at : at + 2]]]
    for number in range(len(ways)):
        for turned in combinations(range(len(ways)), number):
            tricks = [way[place in turned] for place, way in enumerate(ways)]
            if found := led_on(tricks, leader):
                return found
    raise ValueError("these tricks cannot have been")


def led_on(tricks: list[tuple[int, int, str]], leader: int) -> list[str]:
    """Go back from the trick that ``leader`` took last, staying with a seat while it can; empty where some are left."""
    left, found = list(tricks), list[str]()
    while mine := [trick for trick in left if trick[1] == leader]:
        trick = next((one for one in mine if one[0] == leader), mine[0])
        left.remove(trick)
        found.insert(0, trick[2])
        leader = trick[0]
    return [] if left else found
