"""The nouns of the treaty: seats, moves, events, zones, facts, clauses and refusals.

They are plain immutable values without behaviour of their own, the same for every game and on every door.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from chitarrella.cards import Card, Hand

Seat: TypeAlias = int
"""A place at the table, numbered from 0 in the order of play."""

CHANCE: Final[Seat] = -1
"""The seat that shuffles and draws lots: the table itself, never a person."""

REFEREE: Final[Seat] = -2
"""Eyes that see everything."""

Eyes: TypeAlias = Seat | None
"""Who looks: a seat, `REFEREE`, or None for the public."""

Sight: TypeAlias = frozenset[Seat] | None
"""Who may see: these seats, or None for everybody."""


class Money(int):
    """An amount in the smallest unit of money, which may be too large for 32 bits."""


EVERYBODY: Final[Sight] = None
NOBODY: Final[frozenset[Seat]] = frozenset()

ANY_NUMBER: Final = range(-(2**31), 2**31)
"""The amounts of a move that takes any: which of them will do the rules say, with a code of their own."""

Shares: TypeAlias = tuple[tuple[str, int], ...]
"""Amounts by person, a seat being written as its number."""

MOST_SHARES, LONGEST_NAME, MOST_AMOUNT = 64, 80, 2**53
"""How many persons a move may name, how long their names may be, and the greatest amount, up or down."""


def sees(sight: Sight, eyes: Eyes) -> bool:
    """Tell whether those eyes are among the ones that may see."""
    return sight is None or eyes == REFEREE or eyes in sight


class Move(NamedTuple):
    """What a seat does: an open verb with closed kinds of arguments.

    ``seat`` is given only where somebody moves the cards of another seat (a dummy's); ``word`` is a rank, a suit or
    an answer; ``amount`` a number.
    """

    verb: str
    cards: Hand = ()
    word: str = ""
    amount: int | None = None
    seat: Seat | None = None
    shares: Shares = ()


class Form(NamedTuple):
    """What a move looks like: which arguments it takes, when it belongs, and whether it waits for its turn.

    An empty word among ``words`` says that the move also goes without one. A ``lapse`` is what a seat is taken to do
    that does not answer in time.
    """

    verb: str
    means: str
    phases: frozenset[str]
    cards: tuple[int, int] = (0, 0)
    words: tuple[str, ...] = ()
    amounts: range | None = None
    seat: bool = False
    shares: bool = False
    free: bool = False
    by_chance: bool = False
    lapse: bool = False


class Chance(NamedTuple):
    """What `CHANCE` has to supply: ``cards`` in some order, or one of ``amounts``."""

    verb: str
    cards: Hand = ()
    amounts: tuple[int, ...] = ()


class Event(NamedTuple):
    """What happened, who learns that it did (``known_to``) and who sees its cards (``seen_by``): by default nobody."""

    kind: str
    seat: Seat | None = None
    cards: Hand = ()
    word: str = ""
    amount: int | None = None
    other: Seat | None = None
    shares: Shares = ()
    known_to: Sight = NOBODY
    seen_by: Sight = NOBODY
    hidden: int = 0


class Zone(NamedTuple):
    """A place where cards lie; ``leader`` is the seat that played the first of them, where that means something."""

    name: str
    seat: Seat | None
    cards: Hand
    seen_by: Sight = NOBODY
    leader: Seat | None = None


class Pile(NamedTuple):
    """A zone as somebody sees it: its cards, or only its size."""

    name: str
    seat: Seat | None
    cards: Hand
    size: int
    leader: Seat | None


class Fact(NamedTuple):
    """Anything else that is true of the table: a word, a number, an amount of money, or amounts by person."""

    name: str
    value: str | int | Shares
    seat: Seat | None = None
    seen_by: Sight = NOBODY


class Clue(NamedTuple):
    """What can be told of cards that lie face down: which of them lie in these ``zones`` of ``seat``.

    All that lies there is among ``cards``, or at least so ``many``; with a ``place``, counted from either end, the one
    card that lies at it.
    """

    zones: tuple[str, ...]
    seat: Seat | None
    cards: frozenset[Card]
    many: int | None = None
    place: int | None = None


DEALT_IN: Final = "dealt_in"
"""The fact, by seat, that a seat takes part in the deal on the table; where nobody has it, all do."""


class View(NamedTuple):
    """The table through one pair of eyes."""

    phase: str
    turn: Seat | None
    piles: tuple[Pile, ...]
    facts: tuple[Fact, ...]
    scores: tuple[int, ...]
    winners: frozenset[Seat] | None


class Clause(NamedTuple):
    """One sentence of the rule book, under the number that tests, refusals and records cite.

    ``source`` names the document the rule rests on, or "ruling" where the sources are silent.
    """

    key: str
    says: str
    source: str


class Edition(NamedTuple):
    """A version of the rules of a game, and what changed with it in a sentence."""

    number: int
    changes: str


class Reason(NamedTuple):
    """A kind of refusal: a code that never changes, and the English sentence that explains it.

    The sentence may name ``{word}``, ``{amount}``, ``{instead}`` and ``{held}`` of the refusal. A ``penalty`` is not
    a bar: the move is accepted, and costs what the clause says.
    """

    code: str
    says: str
    penalty: bool = False


class Refusal(NamedTuple):
    """A broken clause with the particulars: what would do ``instead``, what was ``held``, the word or number."""

    reason: Reason
    clause: Clause
    instead: Hand = ()
    held: Hand = ()
    word: str = ""
    amount: int | None = None

    @property
    def code(self) -> str:
        """The stable reason code."""
        return self.reason.code

    @property
    def because(self) -> str:
        """Say it in an English sentence."""
        return self.reason.says.format(
            word=self.word, amount=self.amount, instead=" ".join(self.instead), held=" ".join(self.held)
        )


MATCH_OVER = Reason("match_over", "The match is over; no move and no pack is accepted any more.")
WRONG_PHASE = Reason("wrong_phase", "This move does not belong to the present phase ({word}).")
NOT_YOUR_TURN = Reason("not_your_turn", "It is not this seat's turn; the table waits for seat {amount}.")
NOT_IN_HAND = Reason("not_in_hand", "{word} is not in the hand.")
BAD_PACK = Reason("bad_pack", "The pack must hold every card of the game as often as the game has it, in any order.")
BAD_DEALER = Reason("bad_dealer", "Seat {amount} does not deal in this match.")


def public(
    kind: str,
    seat: Seat | None = None,
    cards: Hand = (),
    word: str = "",
    amount: int | None = None,
    other: Seat | None = None,
    shares: Shares = (),
) -> Event:
    """Make an event that everybody learns of in full."""
    return Event(kind, seat, cards, word, amount, other, shares, EVERYBODY, EVERYBODY)


def covert(kind: str, seat: Seat, cards: Hand, seen_by: Sight) -> Event:
    """Make an event everybody knows to have happened, while only ``seen_by`` see the cards."""
    return Event(kind, seat, cards, known_to=EVERYBODY, seen_by=seen_by)


def secret(kind: str, seat: Seat, to: frozenset[Seat], cards: Hand = (), word: str = "") -> Event:
    """Make an event of which nobody but ``to`` ever learns."""
    return Event(kind, seat, cards, word, known_to=to, seen_by=to)
