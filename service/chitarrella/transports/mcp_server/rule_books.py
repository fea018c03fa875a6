"""The rule books as resources: ``chitarrella://rules/GAME``, in another language with ``?language=it``."""

from __future__ import annotations

from collections.abc import Iterator

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp.server.mcpserver.resources import FunctionResource

from chitarrella.i18n.translator import LANGUAGES, Translator, translator_for
from chitarrella.transports.mcp_server.clients import Connect
from chitarrella_client.catalogue import Game
from chitarrella_client.errors import UnknownGame

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
