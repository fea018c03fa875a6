"""Core value types: seats, moves, events, zones, facts, clauses and refusals.

They are immutable, have no behaviour of their own, and are the same for every game and every transport.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from functools import lru_cache
from typing import ClassVar, Final, Generic, NamedTuple, TypeAlias, TypeVar, final

from chitarrella.core.cards import Card, Hand

# Who may see a card, an event or a fact; `core.visibility` hides it from the others
REFEREE: Final = -2
"""The viewer who sees everything."""

Viewer: TypeAlias = int | None
"""Who looks: a seat, `REFEREE`, or None for the public."""


class Everybody(Enum):
    """The type of `EVERYBODY`."""

    EVERYBODY = "everybody"


Visibility: TypeAlias = frozenset[int] | Everybody
"""Who may see: these seats, or `EVERYBODY`. `REFEREE` always may. None is no visibility, so a forgotten value fails."""

EVERYBODY: Final = Everybody.EVERYBODY
"""What everybody sees."""
NOBODY: Final[frozenset[int]] = frozenset()
"""What nobody sees but the referee."""


Seat: TypeAlias = int
"""A place at the table, numbered from 0 in the order of play."""

CHANCE: Final[Seat] = -1
"""The seat that shuffles and draws lots. No person sits there."""


new_record: Final = tuple.__new__
"""Builds a named tuple from its class and all of its values, in half the time of a call of the class."""


class Money(int):
    """An amount in the smallest unit of money. It may need more than 32 bits."""


ANY_AMOUNT: Final = range(-(2**31), 2**31)
"""The amounts of a move that takes any 32-bit number. The rules refuse the wrong ones, with a reason of their own."""

Shares: TypeAlias = tuple[tuple[str, int], ...]
"""Amounts by person. A seat is written as its number."""

MAX_SHARES, MAX_NAME_LENGTH, MAX_AMOUNT = 64, 80, 2**53
"""Limits of a move: number of persons, length of a name in characters, and absolute value of an amount."""


class Move(NamedTuple):
    """What a seat does: a verb of the game with arguments of fixed kinds.

    ``seat`` is set only where a person moves the cards of another seat (a dummy). ``choice`` is a rank, a suit or an
    answer. ``amount`` is a number.
    """

    verb: str
    cards: Hand = ()
    choice: str = ""
    amount: int | None = None
    seat: Seat | None = None
    shares: Shares = ()


@lru_cache(maxsize=256)
def plain_move(verb: str) -> Move:
    """Return the move of a verb that takes no argument."""
    return Move(verb)


class MoveSpec(NamedTuple):
    """The schema of a move: its arguments, the phases it belongs to, and whether it waits for its turn.

    - ``cards``: least and greatest number of cards. ``choices``: allowed words; an empty one makes the word optional.
    - ``amounts``: range of the number, None for no number. ``seat``, ``shares``: whether it takes one.
    - ``out_of_turn``: it does not wait for the turn. ``by_chance``: `CHANCE` makes it.
    - ``timeout_default``: the move of a seat that does not move in time.
    """

    verb: str
    description: str
    phases: frozenset[str]
    cards: tuple[int, int] = (0, 0)
    choices: tuple[str, ...] = ()
    amounts: range | None = None
    seat: bool = False
    shares: bool = False
    out_of_turn: bool = False
    by_chance: bool = False
    timeout_default: bool = False


class ChanceRequest(NamedTuple):
    """What `CHANCE` has to supply: ``cards`` in some order, or one of ``amounts``."""

    verb: str
    cards: Hand = ()
    amounts: tuple[int, ...] = ()


class Event(NamedTuple):
    """What happened, with its visibility.

    ``known_to`` are the viewers who learn that it happened, ``seen_by`` those who see its cards; by default nobody.
    ``hidden`` is the number of cards that were removed for a viewer.
    """

    kind: str
    seat: Seat | None = None
    cards: Hand = ()
    word: str = ""
    amount: int | None = None
    other: Seat | None = None
    shares: Shares = ()
    known_to: Visibility = NOBODY
    seen_by: Visibility = NOBODY
    hidden: int = 0


class Zone(NamedTuple):
    """A place where cards lie. ``leader`` is the seat that played the first card, in zones where that matters."""

    name: str
    seat: Seat | None
    cards: Hand
    seen_by: Visibility = NOBODY
    leader: Seat | None = None


class ZoneView(NamedTuple):
    """A zone as one viewer sees it: its cards, or only its size."""

    name: str
    seat: Seat | None
    cards: Hand
    size: int
    leader: Seat | None


class Fact(NamedTuple):
    """A named value of a view beside the zones: a word, a number, an amount of money, or amounts by person.

    A value of type `Card` is a card that the viewer sees; a card that is only named, wherever it lies, is a plain word.
    """

    name: str
    value: str | int | Shares
    seat: Seat | None = None
    seen_by: Visibility = NOBODY


class Inference(NamedTuple):
    """What follows about hidden cards: which of ``cards`` lie in ``zones`` of ``seat``.

    Without ``many`` and ``place``, all cards there are among ``cards``. With ``many``, at least that number of them lie
    there. With ``place``, an index counted from either end, the card at that index is one of them.
    """

    zones: tuple[str, ...]
    seat: Seat | None
    cards: frozenset[Card]
    many: int | None = None
    place: int | None = None


def held_card(seat: Seat, card: Card) -> Inference:
    """Return that the hand of ``seat`` holds ``card``."""
    return Inference(("hand",), seat, frozenset({card}), 1)


DEALT_IN: Final = "dealt_in"
"""The fact, by seat, that a seat takes part in the present deal. Where no seat has it, all take part."""


class View(NamedTuple):
    """The table as one viewer sees it. ``turns`` are all seats that have to play, ``turn`` is the first of them."""

    phase: str
    turn: Seat | None
    turns: tuple[Seat, ...]
    zones: tuple[ZoneView, ...]
    facts: tuple[Fact, ...]
    scores: tuple[int, ...]
    winners: frozenset[Seat] | None


class Clause(NamedTuple):
    """One sentence of the rule book, with the key that tests, refusals and records cite.

    ``source`` names the document the rule rests on, or "ruling" where the sources are silent.
    """

    key: str
    text: str
    source: str


class Edition(NamedTuple):
    """A version of the rules of a game, and in one sentence what changed with it."""

    number: int
    changes: str


class SuitRanking(NamedTuple):
    """The ranks of a suit, strongest first, and what each counts, by the name of the count.

    ``suit`` is empty where the ranking holds for every suit of the pack.
    """

    suit: str
    ranks: tuple[str, ...]
    counts: Mapping[str, tuple[int, ...]]


class CardSpec(NamedTuple):
    """A card of a game: its suit, its place in it, what it counts, and how many of it the pack has.

    - ``suit``: the suit that it counts as; empty where the pack has none.
    - ``order``: its place in its suit, or among all cards where there are no suits. A higher number beats a lower one.
      0 is a card without a place: it loses to every other one.
    - ``points``: what it counts in the main count where no suit is trumps; None where cards count nothing.
    """

    card: Card
    suit: str
    order: int
    points: int | None
    copies: int


class ZoneSpec(NamedTuple):
    """A kind of zone: its name, what lies there, and who sees its cards unless more is shown (`seen_by_word`)."""

    name: str
    description: str
    seen_by: str


class Reason(NamedTuple):
    """A kind of refusal: a stable code, and an English template of the explanation.

    The template may use ``{word}``, ``{amount}``, ``{allowed_cards}`` and ``{offending_cards}`` of the refusal. With
    ``penalty`` the move is accepted, at the price that the rules set. A ``duty`` binds only the seat to move; any other
    reason is of a condition. With ``depends_on_seat`` of two seats with the same cards one may break it and the other
    not.
    """

    code: str
    text: str
    penalty: bool = False
    duty: bool = False
    depends_on_seat: bool = False


class Refusal(NamedTuple):
    """A broken clause with its particulars: the cards that would be allowed, those at fault, a word or a number.

    `chitarrella.i18n.translator.Translator.reason` makes a sentence of it.
    """

    reason: Reason
    clause: Clause
    allowed_cards: Hand = ()
    offending_cards: Hand = ()
    word: str = ""
    amount: int | None = None

    @property
    def code(self) -> str:
        """The stable reason code."""
        return self.reason.code


MATCH_OVER = Reason("match_over", "The match is finished; no move and no pack is accepted any more.")
"""The reason for every move after the end of a match."""
WRONG_PHASE = Reason("wrong_phase", "This move does not belong to the present phase ({word}).")
"""The reason for a move of another phase; the word is the present one."""
NOT_YOUR_TURN = Reason("not_your_turn", "It is not this seat's turn; the table waits for seat {amount}.")
"""The reason for a move out of turn; the amount is the seat to move."""
NOT_IN_HAND = Reason("not_in_hand", "{word} is not in the hand.")
"""The reason for a card that the seat does not hold; the word is the card."""
BAD_PACK = Reason("bad_pack", "The pack must hold every card of the game as often as the game has it, in any order.")
"""The reason for a pack with other cards than those of the game."""
BAD_DEALER = Reason("bad_dealer", "Seat {amount} does not deal in this match.")
"""The reason for a dealer that the match does not allow; the amount is the seat."""


def public_event(
    kind: str,
    seat: Seat | None = None,
    cards: Hand = (),
    word: str = "",
    amount: int | None = None,
    other: Seat | None = None,
    shares: Shares = (),
) -> Event:
    """Build an event that everybody sees in full."""
    return new_record(Event, (kind, seat, cards, word, amount, other, shares, EVERYBODY, EVERYBODY, 0))


def hidden_cards_event(kind: str, seat: Seat, cards: Hand, seen_by: Visibility) -> Event:
    """Build an event that everybody learns of, and whose cards only ``seen_by`` see."""
    return new_record(Event, (kind, seat, cards, "", None, None, (), EVERYBODY, seen_by, 0))


def private_event(kind: str, seat: Seat, to: frozenset[Seat], cards: Hand = (), word: str = "") -> Event:
    """Build an event that nobody but the seats ``to`` learns of."""
    return Event(kind, seat, cards, word, known_to=to, seen_by=to)


# One kind of move
G = TypeVar("G")
"""The interface of a game that the actions of a family use."""
P = TypeVar("P")
"""The position type of a family."""


class BaseAction(Generic[G, P]):
    """What the kinds of moves of all families have in common: schema, offers, refusals and effect.

    ``reasons`` are those of its `refusals`, beyond phase and turn: a clause belongs to `conditions` or to `duties`.
    """

    spec: MoveSpec
    reasons: ClassVar[tuple[Reason, ...]] = ()

    def offers(self, g: G, p: P, seat: Seat, /) -> Iterable[Move]:
        """Return the moves that ``seat`` could make, legal or not: at least the simplest ones, and none of chance."""
        return () if self.spec.by_chance else (plain_move(self.spec.verb),)

    def legal_moves(self, g: G, p: P, seat: Seat, /) -> Iterable[Move]:
        """Return those of the `offers` that are not refused, if ``seat`` may make such a move now."""
        return [move for move in self.offers(g, p, seat) if not self.refusals(g, p, seat, move)]

    def conditions(self, g: G, p: P, seat: Seat, move: Move, /) -> tuple[Refusal, ...]:
        """Return the clauses that ``move`` of ``seat`` breaks whosever turn it is.

        They follow from the move, the cards of ``seat``, the options and the position, and never from a card that is
        hidden from ``seat``.
        """
        return ()

    def duties(self, g: G, p: P, seat: Seat, move: Move, /) -> tuple[Refusal, ...]:
        """Return the clauses that ``move`` breaks because ``seat`` is to move and must do something else.

        A duty that has no answer because a condition is broken is left out.
        """
        return ()

    @final
    def refusals(self, g: G, p: P, seat: Seat, move: Move, /) -> tuple[Refusal, ...]:
        """Return every clause that ``move`` breaks if ``seat`` is to move: conditions, then duties."""
        return self.conditions(g, p, seat, move) + self.duties(g, p, seat, move)

    def apply(self, g: G, p: P, seat: Seat, move: Move, events: list[Event], /) -> P:
        """Return the position after ``move`` and append what happened to ``events``; does not check legality."""
        raise NotImplementedError(self.spec.verb)
