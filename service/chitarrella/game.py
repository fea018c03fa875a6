"""The treaty: what every game signs, and the few functions that serve them all.

A game is a value. A position is a frozen value. A move leads from one position to the next, and nothing else does:
`play` judges and applies, `legal` lists, `judge` explains, `look` shows a position through one pair of eyes. The list,
the verdict and the explanation cannot disagree, because all three ask `Game.objections`.

Chance is a seat like the others: when a pack or a lot is wanted, `Game.turn` names `CHANCE` and `Game.chance` says
what is wanted. So a list of moves is a whole match, and the same list always leads to the same position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TypeAlias, TypeVar

from chitarrella.cards import Pack
from chitarrella.option import BadChoice, Option
from chitarrella.words import (
    CHANCE,
    DEALT_IN,
    MATCH_OVER,
    NOT_YOUR_TURN,
    WRONG_PHASE,
    Chance,
    Clause,
    Clue,
    Edition,
    Event,
    Eyes,
    Fact,
    Form,
    Move,
    Pile,
    Reason,
    Refusal,
    Seat,
    View,
    Zone,
    sees,
)

P = TypeVar("P")
"""The position of a family: a frozen value."""


class Refused(Exception):
    """A move that the rules forbid; carries every broken clause, and nothing has changed."""

    def __init__(self, refusals: tuple[Refusal, ...]) -> None:
        """Keep the ``refusals``, in the order in which they are reported."""
        super().__init__("; ".join(refusal.because for refusal in refusals))
        self.refusals = refusals


class Game(Protocol[P]):
    """What both families sign: a seated game, ready to be played.

    ``seats`` are the places at the table, numbered in order of play. ``forms`` says what the moves look like,
    ``clauses`` is the rule book, ``refuse`` quotes it.
    """

    @property
    def key(self) -> str:
        """Name the game, as the catalogue does."""

    @property
    def edition(self) -> int:
        """Number this version of its rules."""

    @property
    def pack(self) -> Pack:
        """Give the cards it is played with."""

    @property
    def seats(self) -> int:
        """Count the places at the table."""

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """Give the rule book."""

    @property
    def forms(self) -> Mapping[str, Form]:
        """Give every move that this game has, by its verb."""

    def refuse(self, reason: Reason, *, verb: str = "", word: str = "", amount: int | None = None) -> Refusal:
        """Refuse for ``reason``, quoting this game's own clause, or that of the move ``verb`` where it has one."""

    def start(self) -> P:
        """Give the position before the first card."""

    def phase(self, p: P) -> str:
        """Name the stretch of the game that ``p`` is in, in the words of the specification."""

    def belongs(self, p: P, verb: str) -> bool:
        """Tell whether such a move belongs to the present phase, and to the state that the phase is in."""

    def over(self, p: P) -> bool:
        """Tell whether no move will ever be accepted again."""

    def turn(self, p: P) -> Seat | None:
        """Name the seat the game waits for: `CHANCE` for a pack or a lot, None when it is over."""

    def chance(self, p: P) -> Chance:
        """Say what `CHANCE` has to supply; only asked when it is to move."""

    def controller(self, seat: Seat) -> Seat:
        """Name the seat whose person moves the cards of ``seat``: itself, but for a dummy its partner."""

    def candidates(self, p: P, actor: Seat) -> Iterable[Move]:
        """Offer all that ``actor`` could physically do now, whether or not a rule objects."""

    def reach(self, p: P, actor: Seat) -> Iterable[Move]:
        """Offer the same as `candidates`, but also what would have to wait for its turn."""

    def possession(self, p: P, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Say whether ``seat`` lacks what ``move`` names."""

    def objections(self, p: P, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """List every clause that ``move`` of ``seat`` would break, possession first; the one source of legality."""

    def apply(self, p: P, seat: Seat, move: Move, tell: list[Event]) -> P:
        """Give the position after ``move``, adding to ``tell`` what happened; never judges."""

    def zones(self, p: P) -> Iterable[Zone]:
        """Say where the cards lie: every card of the pack in exactly one zone."""

    def facts(self, p: P) -> Iterable[Fact]:
        """Say what else is true of the table."""

    def clues(self, p: P, eyes: Eyes) -> Iterable[Clue]:
        """Say what those eyes can tell of the cards that they do not see."""

    def squared(self, p: P, eyes: Eyes) -> P:
        """Give ``p``, in which other cards now lie where those eyes see none, without what they were never told."""

    def points(self, p: P) -> tuple[int, ...]:
        """Count what each seat has taken in this deal, in the first count of the game."""

    def scores(self, p: P) -> tuple[int, ...]:
        """Give the standing of the match, seat by seat."""

    def outcome(self, p: P) -> frozenset[Seat] | None:
        """Name the seats that have won the match: empty for a draw, None while it lasts."""

    def write(self, p: P) -> str:
        """Put a position into one line of notation."""

    def read(self, text: str) -> P:
        """Read that line; raises `BadPosition` where it says nothing, or something impossible at a table."""


class Book(Game[P], Protocol[P]):
    """A game with all that the catalogue tells of it."""

    @property
    def title(self) -> str:
        """Name it as the players do."""

    @property
    def place(self) -> str:
        """Say where it is played."""

    @property
    def sources(self) -> tuple[str, ...]:
        """Name the documents its rules rest on."""

    @property
    def editions(self) -> tuple[Edition, ...]:
        """Tell how its rules have changed, up to this edition."""

    @property
    def seatings(self) -> Mapping[int, Callable[[Any], Any]]:
        """Say how many may play, and what each number changes."""

    @property
    def options(self) -> tuple[Option[Any], ...]:
        """List what a table may agree upon."""

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """List every reason for which a move may be refused."""

    @property
    def grounds(self) -> Mapping[str, Clause]:
        """Give the clause behind each reason code."""

    def conflict(self) -> BadChoice | None:
        """Name two choices that exclude each other."""


AnyGame: TypeAlias = Book[Any]
"""A game of whatever family, for those who hand positions around and do not look into them."""

Position: TypeAlias = Any
"""A position of whatever family."""


def judge(game: Game[P], p: P, actor: Seat, move: Move) -> tuple[Refusal, ...]:
    """List every clause that ``move`` by ``actor`` would break, phase first, then turn, then the rest.

    An empty answer means that the move is legal. A clause that has no answer because an earlier one is broken is
    left out: out of phase nobody is on turn, and out of turn only possession can be asked, and that only of a hand
    which is the actor's to play: the answer tells what it holds.
    """
    form = game.forms[move.verb]
    if not game.belongs(p, move.verb):
        return (game.refuse(MATCH_OVER) if game.over(p) else game.refuse(WRONG_PHASE, word=game.phase(p)),)
    seat = actor if move.seat is None else move.seat
    turn = game.turn(p)
    person = CHANCE if form.by_chance else game.controller(seat)
    if person != actor:  # nothing is said of a hand that is not the actor's
        return (game.refuse(MATCH_OVER) if turn is None else game.refuse(NOT_YOUR_TURN, verb=move.verb, amount=turn),)
    if form.free or seat == turn:
        return game.objections(p, seat, move)
    return (game.refuse(NOT_YOUR_TURN, verb=move.verb, amount=turn), *game.possession(p, seat, move))


def legal(game: Game[P], p: P, actor: Seat) -> tuple[Move, ...]:
    """List what ``actor`` may do: the candidates nobody objects to, acts out of turn among them."""
    against = game.objections
    return tuple([m for m in game.candidates(p, actor) if not against(p, actor if m.seat is None else m.seat, m)])


def by_default(game: Game[P], p: P, actor: Seat) -> Move:
    """Give the move that ``actor``, who is on turn, is taken to make when the time is over.

    It is the one that the game names for that, such as a pass; else the first of the legal ones.
    """
    moves = [move for move in legal(game, p, actor) if not game.forms[move.verb].free]
    return next((move for move in moves if game.forms[move.verb].lapse), moves[0])


def play(game: Game[P], p: P, actor: Seat, move: Move) -> tuple[P, tuple[Event, ...]]:
    """Judge and apply one move; raises `Refused` and changes nothing where a clause is broken."""
    refusals = judge(game, p, actor, move)
    if not accepted(refusals):
        raise Refused(refusals)
    return applied(game, p, actor, move)


def accepted(refusals: tuple[Refusal, ...]) -> bool:
    """Tell whether a move with these clauses against it is played all the same: there are none, or all have a price."""
    return not refusals or all(refusal.reason.penalty for refusal in refusals)


def applied(game: Game[P], p: P, actor: Seat, move: Move) -> tuple[P, tuple[Event, ...]]:
    """Apply one move that has just been judged on ``p`` and was accepted; does not judge it again."""
    tell: list[Event] = []
    after = game.apply(p, actor if move.seat is None else move.seat, move, tell)
    return after, tuple(tell)


def replay(game: Game[P], moves: Iterable[tuple[Seat, Move]], p: P | None = None) -> P:
    """Play ``moves`` one after the other from the start, or from ``p``; raises `Refused` at the first that fails."""
    at = game.start() if p is None else p
    for actor, move in moves:
        at, _ = play(game, at, actor, move)
    return at


def actors(game: Game[P], p: P) -> tuple[Seat, ...]:
    """Name the seats whose persons may do something now, in order of seats; tells who holds what, so referee only."""
    persons = sorted({game.controller(seat) for seat in range(game.seats)})
    return tuple(seat for seat in persons if legal(game, p, seat))


def waited_for(game: Game[P], p: P) -> Seat | None:
    """Name the seat of the person whom the table waits for; nobody while it waits for a pack or a lot, or is over."""
    turn = game.turn(p)
    return None if turn is None or turn == CHANCE else game.controller(turn)


def look(game: Game[P], p: P, eyes: Eyes) -> View:
    """Show the table through one pair of eyes: backs where the eyes may not see, no secret fact at all."""
    return View(
        phase=game.phase(p),
        turn=game.turn(p),
        piles=tuple(
            Pile(zone.name, zone.seat, zone.cards if sees(zone.seen_by, eyes) else (), len(zone.cards), zone.leader)
            for zone in game.zones(p)
        ),
        facts=tuple(fact for fact in game.facts(p) if sees(fact.seen_by, eyes)),
        scores=game.scores(p),
        winners=game.outcome(p),
    )


def around(view: View, seats: int, first: Seat) -> tuple[Seat, ...]:
    """Go once round the seats that take part in the deal, in order of play, beginning with ``first``."""
    part = {fact.seat for fact in view.facts if fact.name == DEALT_IN} or range(seats)
    return tuple(seat for step in range(seats) if (seat := (first + step) % seats) in part)


def told(event: Event, eyes: Eyes) -> Event | None:
    """Give the event as those eyes learn of it: without its cards, or not at all."""
    if not sees(event.known_to, eyes):
        return None
    return event if sees(event.seen_by, eyes) else event._replace(cards=(), hidden=len(event.cards))
