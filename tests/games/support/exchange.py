"""Games of the exchange family: positions before a deal, events as the rule books write them, and worked examples."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

import pytest
import yaml

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Hand, minus
from chitarrella.core.game import IllegalMove, legal_moves, play, view_for, visible_to
from chitarrella.core.model import CHANCE, REFEREE, Event, Move, Seat, Shares, Viewer
from chitarrella.core.notation import MalformedMove, make_move
from chitarrella.exchange.game import ExchangeGame
from chitarrella.exchange.round import MatchState, Payment, Promise, Round
from tests.walks import CATALOGUE

UNWRITTEN: Final = {"said", "deal_started", "match_won"}
"""Public events without a notation in the rule books: a card is kept, a deal begins, a match is won."""


def in_words(events: Iterable[Event], viewer: Viewer, *, faces: bool = True) -> list[str]:
    """Write the events that a viewer receives; without ``possible_cards`` no cards of a swap are written."""
    visible = [
        event for each in events if (event := visible_to(each, viewer)) is not None and event.kind not in UNWRITTEN
    ]
    said: list[str] = []
    for kind, group in groupby(visible, lambda event: event.kind):
        if kind == "showdown":
            said.append(" ".join([kind, *(f"{event.seat}:{event.cards[0]}" for event in group)]))
        else:
            said += [one_event(event, faces) for event in group]
    return said


def one_event(event: Event, faces: bool) -> str:
    """Write one event."""
    parts = [event.kind, *WORDS[event.kind](event)]
    if event.kind in ("swap", "undo", "reverse") and faces:
        parts += event.cards
    return " ".join(map(str, parts))


def _card(event: Event) -> list[object]:
    return [event.seat, event.cards[0] if event.cards else "?"]


def _two(event: Event) -> list[object]:
    return [event.seat, event.other]


def _shares(event: Event) -> list[object]:
    seat = [] if event.seat is None else [event.seat]
    return [*seat, *(f"{person}:{amount}" for person, amount in event.shares)]


WORDS: dict[str, Callable[[Event], list[object]]] = {
    **dict.fromkeys(("deal", "draw", "show"), _card),
    **dict.fromkeys(("swap", "undo", "reverse", "jump", "guarantee"), _two),
    **dict.fromkeys(("asked", "dead", "gain", "eliminated", "set_aside", "next_dealer"), lambda event: [event.seat]),
    **dict.fromkeys(("announce", "lose"), lambda event: [event.seat, event.word]),
    **dict.fromkeys(("proposal", "agreement"), _shares),
    **dict.fromkeys(("pay", "promise"), lambda event: [event.seat, event.other, event.amount]),
    "offer": lambda event: [event.seat, event.amount, sum(percent for _, percent in event.shares)],
    "free_reentry": lambda event: [],
    "reenter": lambda event: [event.seat, sum(amount for _, amount in event.shares)],
    "prize": lambda event: [*event.shares[0]],
}
"""The arguments of an event after its name, in the order of the rule books."""


def in_any_order(said: Iterable[str]) -> list[str]:
    """Sort the prizes, whose order means nothing; they are last."""
    return sorted(said, key=lambda words: words if words.startswith("prize ") else "")


Said: TypeAlias = Mapping[Any, Any]
"""A document, or a part of one."""

STAKE = 10
"""The default stake of a seat."""


def seat(key: str, players: int, **options: object) -> ExchangeGame:
    """Configure a game of the family; options may be numbers or booleans."""
    words = {name: str(value).lower() for name, value in options.items()}
    game = CATALOGUE.game_for(RuleSet(key, players, tuple(sorted(words.items()))))
    assert isinstance(game, ExchangeGame)
    return game


def shares_of(amounts: Said) -> Shares:
    """The amounts by person."""
    return tuple((str(person), amount) for person, amount in amounts.items())


def in_debt(seats: int, pool: int) -> Shares:
    """Book what is in the pool as paid by the seats; the division does not matter."""
    each = pool // seats
    paid = [pool - each * (seats - 1), *([each] * (seats - 1))]
    return tuple((str(place), -amount) for place, amount in enumerate(paid))


def set_up(key: str, said: Said) -> tuple[ExchangeGame, Round]:
    """Configure the game of an example, and make the position before its first deal."""
    players = said["players"]
    game = seat(key, players, **({"stake": said.get("stake", STAKE)} | said.get("options", {})))
    tokens = tuple(said.get("tokens", [game.tokens] * players))
    virgin = said.get("virgin", [held == game.tokens for held in tokens])
    pool = said.get("pool", game.stake * players)
    paid_by = said.get("syndicates", {})
    match_state = MatchState(
        dealer=said["dealer"],
        tokens=tokens,
        virgins=tuple(place for place in range(players) if virgin[place]),
        pool=pool,
        counter=said.get("counter", 0),
        claims=tuple(sorted(Payment(to, who, n) for to, paid in paid_by.items() for who, n in shares_of(paid))),
        agreement=shares_of(said.get("agreement", {})),
        promises=tuple(Promise(*promise) for promise in said.get("promises", ())),
        net=in_debt(players, pool),
    )
    return game, Round("new_deal", match_state)


def pack_of(cards: Hand, first: Hand, last: Hand = ()) -> Hand:
    """Order ``cards`` so that they begin and end as given; the rest is in any order."""
    rest = cards
    for card in (*first, *last):
        rest = minus(rest, card)
    return (*first, *rest, *last)


class GameInPlay:
    """A game, its position, and all its events so far."""

    def __init__(self, game: ExchangeGame, p: Round, rng: Random) -> None:
        """Start at ``p``."""
        self.game = game
        self.p = p
        self._rng = rng
        self._emitted: list[Event] = []

    @property
    def words(self) -> list[str]:
        """The events in the notation of the reference."""
        return in_words(self._emitted, REFEREE)

    def move(self, actor: Seat, made: Move) -> None:
        """Play a move."""
        self.p, events = play(self.game, self.p, actor, made)
        self._emitted.extend(events)

    def choose(self, actor: Seat, phase: str, verbs: set[str], favoured: set[str]) -> str:
        """Choose one of ``verbs``, a favoured one twice as often; they must be the legal ones of the seat to move."""
        assert (phase, actor) == (self.p.phase, self.game.turn(self.p))
        assert verbs == {each.verb for each in legal_moves(self.game, self.p, actor)}
        return self._rng.choice([*sorted(verbs), *sorted(favoured & verbs)])


DATA = Path(__file__).parent.parent / "data"
FASTEST_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The loader in C, ten times as fast, where PyYAML was built with it."""
TABLE = {"players", "dealer", "tokens", "virgin", "stake", "pool", "counter", "options"}
BARGAINS = {"agreement", "syndicates", "promises"}
PLAYED = {"id", "rules", "pack", "far_end", "play"} | TABLE | BARGAINS
"""The keys of an example that is played, and (`DEALS_PER_UPDATE`) those of a step that are no checks."""
STEP = {"do", "with", "pack", "far_end"}


def documents(key: str) -> list[Said]:
    """Read all examples of a game."""
    text = (DATA / f"{key}.yaml").read_text(encoding="utf-8")
    return list(yaml.load_all(text, FASTEST_LOADER))  # both loaders are safe


def examples(key: str) -> list[Any]:
    """Each example as a test parameter, marked with its clauses."""
    return [
        pytest.param(said, id=said["id"], marks=pytest.mark.clause(*proved_by(said["rules"])))
        for said in documents(key)
    ]


def proved_by(rules: Iterable[str]) -> list[str]:
    """The clauses among the rules of an example; options and rulings are not clauses."""
    return [rule for rule in rules if not re.fullmatch(r"[A-Z]+-[OR]\d+", rule)]


def run(key: str, said: Said) -> None:
    """Play an example of any kind."""
    if "seat_draw" in said:
        draw_seats(key, said)
    elif "next_game" in said:
        call_next_game(key, said["next_game"])
    else:
        assert set() == set(said) - PLAYED, f"{said['id']}: words nobody reads"
        table = Table(key, said)
        for step in said["play"]:
            table.step(step)


# ---------------------------------------------------------------------- play


class Table:
    """A position in which an example is played."""

    def __init__(self, key: str, said: Said) -> None:
        self.game, self.p = set_up(key, said)
        self.said = said
        self.before = dict(self.p.match_state.net)
        self.events: list[Event] = []
        self.pack_size = 0
        self.sound()

    def sound(self) -> None:
        """Check what holds everywhere: the position survives a round trip, and money is conserved."""
        assert self.p == self.game.decode(self.game.encode(self.p))
        match_state = self.p.match_state
        assert 0 == match_state.pool + sum(amount for _, amount in match_state.net)

    def make(self, actor: Seat, move: Move) -> None:
        """Play a move."""
        self.p, events = play(self.game, self.p, actor, move)
        self.events += events
        self.sound()

    def move(self, verb: str, given: Said) -> Move:
        """Make a move from its verb and arguments; raises `MalformedMove`."""
        assert set() == set(given) - {"contributions", "shares", "money", "pool_share"}
        shares = shares_of(given.get("contributions", given.get("shares", {})))
        if given.get("pool_share"):
            shares = ((str(self.p.target), given["pool_share"]),)
        amount = given.get("money", 0) if verb == "make_offer" else None
        return make_move(self.game, verb, amount=amount, shares=shares)

    def deal(self, step: Said) -> None:
        """Deal the pack of the step, or the first of the example."""
        request = self.game.chance_request(self.p)
        self.pack_size = len(request.cards)
        named = self.game.pack.hand(step.get("pack", self.said["pack"]))
        end = step.get("far_end", self.said.get("far_end"))
        self.make(CHANCE, Move(request.verb, pack_of(request.cards, named, self.game.pack.hand([end] if end else []))))

    def step(self, step: Said) -> None:
        """Play the moves of a step, and check all its statements."""
        self.events = []
        for what in [step["do"]] if isinstance(step["do"], str) else step["do"]:
            if what == "deal":
                self.deal(step)
            else:
                actor, verb = what.split()
                self.make(int(actor), self.move(verb, step.get("with", {})))
        for name, value in step.items():
            if name not in STEP:
                check = getattr(self, f"check_{name}")  # an unknown key is an error
                check(value)

    # ------------------------------------------------------------------ what is checked after a step

    def check_events(self, value: list[str]) -> None:
        assert in_any_order(value) == in_any_order(in_words(self.events, REFEREE, faces=False))

    def check_events_for(self, value: Said) -> None:
        for place, expected in value.items():
            viewer = None if place == "public" else int(place)
            assert expected == in_words(self.events, viewer), f"told to {place}"

    def check_cards(self, value: Said) -> None:
        assert dict(value) == self.seen(REFEREE)

    def check_view(self, value: Said) -> None:
        assert value == {place: self.seen(int(place)) for place in value}

    def check_tokens(self, value: list[int]) -> None:
        assert value == [self.fact("tokens", place) for place in range(self.game.seats)]

    def check_virgin(self, value: list[bool]) -> None:
        assert value == [self.fact("virgin", place) == 1 for place in range(self.game.seats)]

    def check_pool(self, value: int) -> None:
        assert value == self.fact("pool")

    def check_promises(self, value: list[list[int]]) -> None:
        promised = [(place, self.fact("promised", place) or ()) for place in range(self.game.seats)]
        assert sorted(value) == sorted([place, int(host), n] for place, hosts in promised for host, n in hosts)

    def check_legal(self, value: list[str]) -> None:
        turn = self.game.turn(self.p)
        assert turn is not None
        assert sorted(value) == sorted({move.verb for move in legal_moves(self.game, self.p, turn)})

    def check_refused(self, value: list[Any]) -> None:
        for each in value:
            said: Said = {"do": each} if isinstance(each, str) else each
            actor, verb = said["do"].split()
            with pytest.raises((IllegalMove, MalformedMove)):
                play(self.game, self.p, int(actor), self.move(verb, said.get("with", {})))

    def check_net(self, value: Said) -> None:
        change = {person: amount - self.before.get(person, 0) for person, amount in self.p.match_state.net}
        assert {str(person): amount for person, amount in value.items()} == {who: n for who, n in change.items() if n}

    def check_pack_size(self, value: int) -> None:
        assert value == self.pack_size

    def check_pack_left(self, value: int) -> None:
        (pack,) = [zone for zone in view_for(self.game, self.p, None).zones if zone.name == "pack"]
        assert value == pack.size

    def check_next(self, value: str) -> None:
        phase, turn = self.game.phase(self.p), self.game.turn(self.p)
        if phase == "new_deal":
            assert (value, CHANCE) == (f"new_deal dealer={self.fact('dealer')}", turn)
        elif phase == "game_over":
            (winner,) = self.game.outcome(self.p) or frozenset()
            assert (value, None) == (f"game_over winner={winner}", turn)
        else:
            cost = self.fact("cost")
            assert value == f"{turn} {phase}" + ("" if cost is None else f" cost={cost}")

    # ------------------------------------------------------------------ looking

    def seen(self, viewer: Viewer) -> dict[int, str]:
        """The faces on the table that a viewer sees."""
        hands = [zone for zone in view_for(self.game, self.p, viewer).zones if zone.name == "hand" and zone.cards]
        return {zone.seat: str(zone.cards[0]) for zone in hands if zone.seat is not None}

    def fact(self, name: str, place: Seat | None = None) -> Any:
        """The value of a public fact; None if there is none."""
        known = view_for(self.game, self.p, None).facts
        return next((fact.value for fact in known if (fact.name, fact.seat) == (name, place)), None)


# ---------------------------------------------------------------------- before and after a game


def draw_seats(key: str, said: Said) -> None:
    """Draw seats by the cards of the example, from a half pack if it has no face twice, and from a whole one."""
    assert {"id", "rules", "seat_draw", "seats"} == set(said)
    listed = [(name, card) for each in said["seat_draw"] for name, card in each.items()]
    once = len({card for _, card in listed}) == len(listed)
    for seating in ("half_pack", "full_pack") if once else ("full_pack",):
        game = seat(key, len(listed), seating=seating)
        request = game.chance_request(game.start())
        cards = pack_of(request.cards, game.pack.hand(card for _, card in listed))
        p, events = play(game, game.start(), CHANCE, Move(request.verb, cards))
        seats = [(name, place) for name, place in zip(said["seats"], range(len(listed)), strict=True)]
        assert seats == [(listed[event.amount or 0][0], event.seat) for event in events]
        assert [dict(listed)[name] for name in said["seats"]] == [event.cards[0] for event in events]
        assert said["seats"] == [listed[player][0] for player in p.match_state.listed]
        assert (0, "new_deal") == (p.match_state.dealer, p.phase)
        assert p == game.decode(game.encode(p))


def call_next_game(key: str, said: Said) -> None:
    """Start the next game as the example does, and check who has which seat, or that it is refused."""
    assert set() == set(said) - {"seats", "winner", "leaving", "joining", "new_seats", "refused"}
    names: list[str] = said["seats"]
    game, over = won_by(key, len(names), names.index(said["winner"]))
    for call in said.get("refused", ()):
        with pytest.raises(IllegalMove):
            play(game, over, CHANCE, Move("start_next_game", shares=changes(names, call)))
    if "new_seats" in said:
        p, (event,) = play(game, over, CHANCE, Move("start_next_game", shares=changes(names, said)))
        table = [names[int(person)] if person.isdecimal() else person for person, _ in event.shares]
        assert [(name, place) for place, name in enumerate(said["new_seats"])] == [
            (name, place) for name, (_, place) in zip(table, event.shares, strict=True)
        ]
        assert event.shares == p.match_state.next_table
        assert p == game.decode(game.encode(p))


def won_by(key: str, players: int, winner: Seat) -> tuple[ExchangeGame, Round]:
    """A finished game that this seat has won over the one at its right."""
    dealer = (winner + 1) % players
    held = [3 if place == winner else 1 if place == dealer else 0 for place in range(players)]
    said = {"players": players, "dealer": dealer, "tokens": held, "virgin": [False] * players}
    table = Table(key, said | {"options": {"end_game_agreement": False}, "pack": ["X", "I"]})
    for what in ("deal", f"{winner} keep", f"{dealer} keep"):
        table.step({"do": what})
    assert "game_over" == table.p.phase
    return table.game, table.p


def changes(names: list[str], call: Said) -> Shares:
    """The shares of a move that starts the next game: players by seat, others by name."""
    called = {name: str(place) for place, name in enumerate(names)}
    leaving = [(called.get(name, name), -1) for name in call.get("leaving", ())]
    return (*leaving, *((called.get(name, name), 1) for name in call.get("joining", ())))
