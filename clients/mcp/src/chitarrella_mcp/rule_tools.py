"""Tools that ask about games, rules and positions; nothing is stored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, TypeAlias

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp.server.mcpserver.resources import FunctionResource
from pydantic import Field

from chitarrella.i18n.translator import LANGUAGES, Translator, translator_for
from chitarrella_client import ChitarrellaError, PartialPosition, PartialTrick, RuleSet
from chitarrella_client.catalogue import Game
from chitarrella_client.errors import UnknownGame
from chitarrella_mcp.tool_types import (
    CardCounts,
    Connect,
    GameDescription,
    GameKey,
    GameList,
    Language,
    Options,
    OwnHand,
    OwnMove,
    Players,
    RuleBookPage,
    TrickWinner,
    answered,
    own_move,
)

Hand: TypeAlias = Annotated[str, Field(description="The cards of the hand, separated by blanks, such as 'Ab 3c'.")]
"""The parameter for a hand."""
Trick: TypeAlias = Annotated[
    str | None, Field(description="The cards of the trick in order of play; '' for a lead, null if unknown.")
]
"""The parameter for a trick."""
Trump: TypeAlias = Annotated[
    str | None, Field(description="The code of the trump suit; '' for no trumps, null if unknown.")
]
"""The parameter for the trump suit."""
TrumpCard: TypeAlias = Annotated[
    str | None, Field(description="In games with a single trump card: that card; '' for none, null if unknown.")
]
"""The parameter for the trump card."""
DeclaredSuit: TypeAlias = Annotated[
    str | None, Field(description="The suit that the leader of the trump card has declared; '' for none.")
]
"""The parameter for the declared suit."""
StockSize: TypeAlias = Annotated[int | None, Field(description="The number of cards to draw; null if unknown.", ge=0)]
"""The parameter for the size of the stock."""


class RuleTools:
    """The tools about rules. Each method is a tool: its name, its description and its schema are read off."""

    def __init__(self, client: Connect) -> None:
        """Ask through ``client``."""
        self._client = client

    @answered
    def list_games(self, language: Language = "en") -> GameList:
        """List the games, with their keys and numbers of players."""
        return GameList(tuple(self._client(language).games()))

    @answered
    def get_game(self, game: GameKey, language: Language = "en") -> GameDescription:
        """Describe a game: its cards, its options, and the notation of its moves. explain_rule has its clauses."""
        found = self._client(language).game(game)
        return GameDescription(found.summary, found.options, found.moves, found.cards)

    @answered
    def explain_rule(
        self,
        game: GameKey,
        clause: Annotated[str, Field(description="The key of a clause, or the code of a refusal; '' for all.")] = "",
        language: Language = "en",
    ) -> RuleBookPage:
        """Quote a clause of the rule book of a game with its source, or the whole rule book."""
        book = self._client(language).game(game)
        keys = {clause, *(reason.clause_key for reason in book.reasons if reason.code == clause)}
        clauses = tuple(one for one in book.clauses if not clause or one.key in keys)
        if not clauses:
            raise ChitarrellaError("no_such_clause", f"The rule book of {game} has no clause of that name.", "clause")
        return RuleBookPage(game, clauses)

    @answered
    def explain_hand(
        self,
        game: GameKey,
        hand: Hand,
        trick: Trick = None,
        trump: Trump = None,
        trump_card: TrumpCard = None,
        declared_suit: DeclaredSuit = None,
        stock_size: StockSize = None,
        players: Players = 0,
        options: Options = None,
        language: Language = "en",
    ) -> OwnHand:
        """Explain for every card of a hand whether it may be played to a trick, and which clause forbids it.

        For games of tricks. What is not given is unknown, and an answer names what it depends on.
        """
        position = _position(game, players, options, hand, trick, trump, trump_card, declared_suit, stock_size)
        explained = self._client(language).rules.explain_hand(position)
        return OwnHand(tuple(own_move(one, one.move) for one in explained), explained.depends_on)

    @answered
    def validate_move(
        self,
        game: GameKey,
        move: Annotated[str, Field(description="A move in the notation, such as 'play_card Ab'.")],
        hand: Hand,
        trick: Trick = None,
        trump: Trump = None,
        trump_card: TrumpCard = None,
        declared_suit: DeclaredSuit = None,
        stock_size: StockSize = None,
        players: Players = 0,
        options: Options = None,
        language: Language = "en",
    ) -> OwnMove:
        """Check whether a move would be accepted from a hand, and which clauses it would break; nothing is played."""
        position = _position(game, players, options, hand, trick, trump, trump_card, declared_suit, stock_size)
        return own_move(self._client(language).rules.validate_move(position, move), move)

    @answered
    def resolve_trick(
        self,
        game: GameKey,
        cards: Annotated[str, Field(description="The cards in order of play, separated by blanks.")],
        trump: Trump = None,
        trump_card: TrumpCard = None,
        players: Players = 0,
        options: Options = None,
    ) -> TrickWinner:
        """Find the card that takes a trick, and what the trick counts."""
        rule_set = RuleSet(game, players, options or {})
        trick = self._client("en").rules.resolve_trick(rule_set, cards, trump, trump_card)
        counts = {score.name: score.value for score in trick.scores}
        return TrickWinner(trick.winning_index, trick.winning_card, counts, trick.depends_on)

    @answered
    def score_cards(
        self,
        game: GameKey,
        cards: Annotated[str, Field(description="The cards taken, separated by blanks.")],
        trump: Trump = None,
        players: Players = 0,
        options: Options = None,
    ) -> CardCounts:
        """Count cards that a player has taken."""
        found = self._client("en").rules.score_cards(RuleSet(game, players, options or {}), cards, trump)
        return CardCounts({score.name: score.value for score in found.scores}, found.depends_on)


def _position(
    game: str,
    players: int,
    options: Options,
    hand: str,
    trick: str | None,
    trump: str | None,
    trump_card: str | None,
    declared_suit: str | None,
    stock_size: int | None,
) -> PartialPosition:
    """Return what is known of a position, with the hand at the seat that plays to the trick."""
    seat = 0
    cards = None if trick is None else PartialTrick(trick, declared_suit=declared_suit)
    return PartialPosition(
        RuleSet(game, players, options or {}),
        hands={seat: hand},
        trick=cards,
        trump=trump,
        trump_card=trump_card,
        stock_size=stock_size,
    )


URI = "chitarrella://rules/{game}"
"""The address of the rule book of a game."""
MIME_TYPE = "text/markdown"
"""The form of the rule books."""


def add_rule_books(server: MCPServer, client: Connect) -> None:
    """Offer the rule book of every game; the list of games is read once, their books when they are asked for."""

    def rule_book(game: str, language: str = "en") -> str:
        if language not in LANGUAGES:
            raise ResourceNotFoundError(f"Languages: {', '.join(LANGUAGES)}.")
        try:
            return "\n".join(_lines(client(language).game(game), translator_for(language)))
        except UnknownGame as error:
            raise ResourceNotFoundError(str(error)) from error

    server.resource(URI + "{?language}", name="rule_book", title="Rule book of a game", mime_type=MIME_TYPE)(rule_book)
    for game in client("en").games():
        server.add_resource(
            FunctionResource.from_function(
                lambda key=game.game_id: rule_book(key),
                uri=URI.format(game=game.game_id),
                name=game.game_id,
                title=f"Rules of {game.title}",
                mime_type=MIME_TYPE,
            )
        )


def _lines(game: Game, translator: Translator) -> Iterator[str]:
    """Yield the lines of a rule book."""
    about, heading = game.summary, translator.cli_text
    yield f"# {about.title}\n\n{about.place}. {heading('players')}: {', '.join(map(str, about.players))}."
    yield f"\n## {heading('cards')}: {about.pack}\n"
    for card in game.cards:
        copies = "" if card.copies == 1 else f", x {card.copies}"
        yield f"- `{card.code}` {card.name}{copies}" + ("" if card.points is None else f" = {card.points}")
    yield f"\n## {heading('options')}\n"
    for option in game.options:
        allowed = ", ".join(option.choices) or f"{option.minimum}, {option.maximum or '...'}"
        yield f"- `{option.name}` ({allowed}; {heading('default')} {option.default}): {option.description}"
    yield f"\n## {heading('moves')}\n"
    yield from (f"- `{move.notation}`: {move.description}" for move in game.moves if not move.by_chance)
    yield f"\n## {heading('rule book')}\n"
    yield from (f"- **{clause.key}** {clause.text} ({clause.source})" for clause in game.clauses)
