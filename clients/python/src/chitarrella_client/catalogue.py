"""Games as the catalogue describes them, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from chitarrella_client.types import Clause, OpenEnum


class Family(OpenEnum):
    """How a game is played; a value added by a newer service is read as ``UNKNOWN``."""

    UNKNOWN = 0
    TRICKS = 1
    EXCHANGE = 2
    """By exchanging cards."""
    OTHER = 3


class ScoreDirection(OpenEnum):
    """Which score of a match is better; a value added by a newer service is read as ``UNKNOWN``."""

    UNKNOWN = 0
    HIGHER_WINS = 1
    LOWER_WINS = 2


@dataclass(frozen=True, slots=True)
class GameSummary:
    """The key data of a game."""

    game_id: str
    """Its key."""
    title: str
    """Its name as players use it."""
    place: str
    players: tuple[int, ...]
    """The allowed numbers of players."""
    default_players: int
    """The number of players where a rule set does not say."""
    pack: str
    """The name of the pack."""
    sources: tuple[str, ...]
    """The documents that its rules rest on."""
    edition: int
    """The current edition of its rules."""
    distribution: str
    """The Python distribution that the game comes from: chitarrella, or a package of the operator."""
    version: str
    """The version of that distribution."""
    family: Family = Family.UNKNOWN
    description: str = ""
    """What game it is, in a sentence in the language of the client."""
    languages: tuple[str, ...] = ()
    """Those of its rule book, such as "it"."""
    score_direction: ScoreDirection = ScoreDirection.UNKNOWN

    def __str__(self) -> str:
        """Return the key, the name, the place and the numbers of players."""
        return f"{self.game_id}: {self.title} ({self.place}), {', '.join(map(str, self.players))} players"


class OptionType(OpenEnum):
    """The type of the value of an option; a value added by a newer service is read as ``UNKNOWN``."""

    UNKNOWN = 0
    BOOL = 1
    """``true`` or ``false``."""
    INTEGER = 2
    """A whole number, or one of the choices if there are any."""
    CHOICE = 3


@dataclass(frozen=True, slots=True)
class Option:
    """An option: one of ``choices``, or a whole number from ``minimum`` to ``maximum``."""

    name: str
    description: str
    """What it changes."""
    source: str
    """The document it rests on."""
    default: str
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    """None if it takes no number."""
    maximum: int | None = None
    """None if there is no upper bound."""
    type: OptionType = OptionType.UNKNOWN
    label: str = ""
    """A name of a few words for a form, in the language of the client."""
    players: tuple[int, ...] = ()
    """The numbers of players for which it changes anything."""
    sets_length: bool = False
    """Whether it says how long a match is."""


@dataclass(frozen=True, slots=True)
class MoveSpec:
    """The arguments of a move, and the phases it belongs to."""

    verb: str
    description: str = ""
    """What the move does."""
    phases: tuple[str, ...] = ()
    min_cards: int = 0
    max_cards: int = 0
    choices: tuple[str, ...] = ()
    """The words it takes as its choice; an empty one makes the choice optional. None: it takes no choice."""
    takes_amount: bool = False
    """It takes an amount."""
    takes_dummy_seat: bool = False
    """It may name the dummy whose card is played."""
    takes_shares: bool = False
    """It takes amounts by person."""
    out_of_turn: bool = False
    """It does not wait for the turn of its seat."""
    by_chance: bool = False
    """It is a move of chance (a shuffle, a lot), not of a seat."""
    timeout_default: bool = False
    """It is the move of a seat that does not move in time."""
    notation: str = ""
    """Its notation: small letters stay, capitals are placeholders, parts in brackets are optional."""


@dataclass(frozen=True, slots=True)
class ReasonCode:
    """A reason for which a move may be refused, and its clause."""

    code: str
    text: str
    """The explanation in the language of the client, with placeholders in braces."""
    clause_key: str
    """The key of the clause."""


@dataclass(frozen=True, slots=True)
class Edition:
    """A version of the rules of a game."""

    number: int
    changes: str
    """What changed with it, as a sentence."""
    supported: bool = True
    """Matches and records of this edition can still be played."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card of a game, as it ranks and counts where no suit is trumps."""

    code: str
    """Its notation."""
    name: str
    """Its name in the language of the client."""
    suit: str
    """The code of the suit that it counts as; empty where cards have no suit."""
    rank: str
    order: int
    """Its place in its suit, or among all cards: a higher number beats a lower one. 0: it has none, and loses."""
    points: int | None = None
    """What it counts in the first score of `Rules.score_cards`; None where no card counts anything."""
    copies: int = 1
    """How many of it the pack has."""
    picture_path: str = ""
    """The path of its picture; empty if the service has none."""


@dataclass(frozen=True, slots=True)
class Suit:
    """A suit that cards count as."""

    code: str
    name: str


@dataclass(frozen=True, slots=True)
class Side:
    """The seats of one side, in order of play."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Partnership:
    """Who plays together, at one number of players."""

    players: int
    sides: tuple[Side, ...]


class Audience(OpenEnum):
    """Who sees the cards of a zone; a value added by a newer service is read as ``UNKNOWN``."""

    UNKNOWN = 0
    NOBODY = 1
    OWNER = 2
    """Who plays the cards of the seat."""
    EVERYBODY = 3


@dataclass(frozen=True, slots=True)
class ZoneSpec:
    """A kind of zone: a place where cards lie."""

    name: str
    description: str
    """What lies there."""
    seen_by: Audience
    """Who sees its cards unless a rule shows more."""


@dataclass(frozen=True, slots=True)
class EventSpec:
    """A kind of event."""

    kind: str
    description: str
    """When it comes, in English."""
    fields: tuple[str, ...] = ()
    """The fields of `Event` that it may have."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game with everything the catalogue has, including the rule book."""

    summary: GameSummary
    pack: tuple[str, ...]
    """Every card in canonical order."""
    options: tuple[Option, ...]
    moves: tuple[MoveSpec, ...]
    reasons: tuple[ReasonCode, ...]
    clauses: tuple[Clause, ...]
    editions: tuple[Edition, ...] = ()
    cards: tuple[Card, ...] = ()
    """Each different card in canonical order; like suits and zones those of the players and options."""
    suits: tuple[Suit, ...] = ()
    partnerships: tuple[Partnership, ...] = ()
    """The partners at each number of players that has fixed ones."""
    zones: tuple[ZoneSpec, ...] = ()
    events: tuple[EventSpec, ...] = ()
    """The kinds of events, those of the match itself included."""

    def card(self, code: str) -> Card:
        """Return a card by its notation; raises `KeyError`."""
        for card in self.cards:
            if card.code == code:
                return card
        raise KeyError(code)
