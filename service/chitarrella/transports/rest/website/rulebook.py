"""The rule books as HTML pages in the language of the reader, an anchor for every clause."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from random import Random
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import orjson
from flask import Flask, Response
from werkzeug.exceptions import NotFound

import chitarrella_cards as cards
from chitarrella.api.caller import Caller
from chitarrella.api.converters import RULES_PAGE, picture_path
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.bots import bot_for
from chitarrella.bots.information_state import InformationState
from chitarrella.bots.search import chance_move
from chitarrella.catalogue.record import Record, format_record, parse_record
from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.cards import Card, Hand, UnknownCard
from chitarrella.core.game import AnyGame, IllegalMove, Position, play, seat_to_move, validate_move
from chitarrella.core.model import CHANCE, REFEREE, Event, Move, Refusal, Seat, View, ZoneView
from chitarrella.core.visibility import view_for
from chitarrella.i18n.narration import capital, who
from chitarrella.i18n.table_words import choice_name, choice_names, words_of
from chitarrella.i18n.translator import LANGUAGES, Translator, translator_for
from chitarrella.transports.rest.pages import SVG, cacheable
from chitarrella.transports.rest.problems import JSON
from chitarrella.transports.rest.website.layout import add_page, all_games, card_rows, find_game, hands, render
from chitarrella.transports.rest.website.turn import Turn, of_players, sentence, turns
from chitarrella.v1.catalogue_pb2 import GetGameResponse, Option


class RefusedCard(NamedTuple):
    seat: Seat
    card: Card
    refusals: tuple[Refusal, ...]


class WorkedExample(NamedTuple):
    """A deal before the first card is played, what happens until its first trick is over, and a refused card, if any.

    ``trick`` are the cards of the trick with the seats that played them; ``last_hand`` is the hand of the last of these
    seats before it moved. ``turn`` is what of the whole deal is shown card by card.
    """

    game: AnyGame
    players: int
    view: View
    events: tuple[Event, ...]
    trick: tuple[tuple[Seat, Card], ...]
    last_hand: Hand
    refused: RefusedCard | None
    turn: Turn | None

    @property
    def hands(self) -> list[ZoneView]:
        """The hands that are dealt, by seat; none if a card is dealt to each seat when its turn comes."""
        if self.game.trick_rules is None:
            return []
        in_order = self.game.pack.in_order
        zones = [zone for zone in self.view.zones if zone.name == "hand" and zone.cards]
        return [zone._replace(cards=in_order(zone.cards)) for zone in zones]

    @property
    def turned_up(self) -> list[ZoneView]:
        return [zone for zone in self.view.zones if zone.name == "turn_up" and zone.cards]

    def sentences(self, translator: Translator) -> list[str]:
        return [sentence(event, self.game.pack, translator) for event in self.events]

    def query(self) -> str:
        """The query of the page of questions that asks what the last seat may play to the trick; empty if none can."""
        rules = self.game.trick_rules
        if rules is None:
            return ""
        facts = {fact.name: fact.value for fact in self.view.facts if fact.seat is None}
        values: dict[str, object] = {"game": self.game.key, "players": self.players}
        values |= {"trump": facts.get("trump", "")} if rules.has_trumps else {}
        values |= {"trump_card": facts["turn_up"]} if rules.has_trump_card else {}
        values |= {"stock": facts["stock"]} if "stock" in facts else {}
        played = ",".join(card for seat, card in self.trick if seat != self.trick[-1][0])
        return urlencode(values | {"hand": ",".join(self.last_hand), "trick": played}, safe=",")


# The bots and the seeds of the deals from which an example is chosen.
EXAMPLES: Final = (("greedy", 7), ("greedy", 19), ("random", 6))


@cache
def example_record(key: str) -> str:
    """Return the record of a deal between bots of a game of this distribution, with its usual number of players.

    Of the deals of `EXAMPLES` it is the first with a refused card; in a game without tricks, where cards have powers,
    the one with the most kinds of events.
    """
    catalogue = Catalogue()
    rule_set = catalogue.normalize(RuleSet(key, 0))
    game = catalogue.game_for(rule_set)

    def shown(record: Record) -> int:
        example = _first_trick(game, record)
        if example is None:
            return 0
        return int(example.refused is not None) if game.trick_rules else len({event.kind for event in example.events})

    records = (Record(rule_set, moves=tuple(_bots_moves(game, kind, seed))) for kind, seed in EXAMPLES)
    return format_record(catalogue, max(records, key=shown))


def _bots_moves(game: AnyGame, kind: str, seed: int) -> Iterator[tuple[Seat, Move]]:
    """Play one deal between bots of one kind; yield its moves."""
    bot = bot_for(kind, game)
    rngs = {seat: Random(f"{seed}/seat {seat}") for seat in range(game.seats)}
    table, p, dealt = Random(f"{seed}/table"), game.start(), False
    while (turn := game.turn(p)) is not None and not (turn == CHANCE and dealt):
        seat = seat_to_move(game, p)
        dealt = turn != CHANCE
        if seat is None:
            actor, move = CHANCE, chance_move(game, p, table)
        else:
            actor, move = seat, bot(InformationState(game, p, seat), rngs[seat])
        yield actor, move
        p, _ = play(game, p, actor, move)


def worked_example(catalogue: Catalogue, key: str) -> WorkedExample | None:
    """Return the example of a game; None if it is of another package that has no record of it, or no valid one."""
    paths = (folder / f"{key}.txt" for folder in catalogue.records)
    text = next((path.read_text(encoding="utf-8") for path in paths if path.is_file()), "")
    try:
        text = text or example_record(key)
        record = parse_record(catalogue, text)
        return _first_trick(catalogue.game_for(record.rule_set), record)
    except (IllegalMove, LookupError, ValueError):  # that of another package: the rule book is shown without it
        return None


def _first_trick(game: AnyGame, record: Record) -> WorkedExample | None:
    """Replay a record until its first trick is over, or to its end if the game has no tricks."""
    p, before, events, trick = game.start(), None, list[Event](), list[tuple[Seat, Card]]()
    hand, refused = Hand(), None
    for actor, move in record.moves:
        turn = game.turn(p)
        if turn is not None and _is_play(game, actor, move, trick):
            before = p if before is None else before
            trick += [(turn, card) for card in move.cards]
            hand, refused = _dealt_hand(game, p), _refused(game, p, actor, move)
        p, made = play(game, p, actor, move)
        if before is None:
            continue
        events += made
        ends = [number for number, event in enumerate(events, 1) if event.kind == "trick_taken"]
        if ends:
            del events[ends[0] :]
            break
    if before is None:
        return None
    view = view_for(game, before, REFEREE)
    best = max(turns(game, record), key=lambda turn: turn.worth, default=None)
    return WorkedExample(game, record.rule_set.players, view, tuple(events), tuple(trick), hand, refused, best)


def _is_play(game: AnyGame, actor: Seat, move: Move, trick: list[tuple[Seat, Card]]) -> bool:
    """Whether a move plays to the trick; in a game without tricks every move of a seat belongs to the example."""
    if game.trick_rules is None:
        return actor != CHANCE
    return move.verb in game.trick_rules.verbs(Hand(card for _, card in trick))


def _dealt_hand(game: AnyGame, p: Position) -> Hand:
    zones = view_for(game, p, REFEREE).zones
    return next((zone.cards for zone in zones if zone.name == "hand" and zone.seat == game.turn(p)), Hand())


def _refused(game: AnyGame, p: Position, seat: Seat, legal: Move) -> RefusedCard | None:
    """Return the first card of the hand on turn that may not be played; None if all may."""
    if len(legal.cards) != 1:
        return None
    for card in _dealt_hand(game, p):
        if refusals := validate_move(game, p, seat, legal._replace(cards=(card,))):
            return RefusedCard(seat, card, refusals)
    return None


COMMON: Final = "ALL-"  # what the keys of the clauses that all games have begin with


def add_rulebook_pages(app: Flask, dispatcher: Dispatcher, catalogue: Catalogue) -> None:
    """Register the pages; the parameter ``?language=`` takes precedence over the header Accept-Language."""

    def page(translator: Translator, game: str) -> bytes:
        values = book_values(dispatcher, catalogue, translator, game)
        example = worked_example(catalogue, game)
        return render("rules.html", translator, example=example, picture=picture_path, **values)

    def index(translator: Translator) -> bytes:
        games = all_games(dispatcher, catalogue, Caller(translator=translator))
        return render("books.html", translator, games=hands(games))

    add_page(app, f"{RULES_PAGE}/", index)
    add_page(app, f"{RULES_PAGE}/<game>", page)


def book_values(dispatcher: Dispatcher, catalogue: Catalogue, translator: Translator, key: str) -> dict[str, Any]:
    """Return what a rule book is made of, as HTML and as Markdown."""
    game = find_game(dispatcher, key, Caller(translator=translator))
    common = [clause.key for clause in game.clauses if clause.key.startswith(COMMON)]
    allowed, text = partial(allowed_values, translator), of_players(translator.text)
    how = translator.how_to_play(catalogue.game(key))
    values = {"game": game, "rows": card_rows(game), "allowed": allowed, "home": RULES_PAGE, "common_keys": common}
    return values | {"how": how, "player": lambda seat: capital(who(seat, None, text))}


def allowed_values(translator: Translator, option: Option) -> str:
    """Return the allowed values of an option as text, with what they mean; of cards and packets the notation alone."""
    minimum = option.minimum if option.HasField("minimum") else None
    maximum = option.maximum if option.HasField("maximum") else None
    named = ((value, choice_name(translator, option.name, value, {})) for value in option.choices)
    words = [value if value[:1].isdigit() or value == name else f"{value} ({name})" for value, name in named]
    return translator.allowed(words, minimum, maximum)


def add_table_words(app: Flask, dispatcher: Dispatcher) -> None:
    @cache
    def words(game: str, language: str) -> bytes:
        translator = translator_for(language)
        pack = find_game(dispatcher, game, Caller()).summary.pack
        found = find_game(dispatcher, game, Caller(translator=translator))
        return orjson.dumps(words_of(translator, pack.partition(" ")[0], names_of_choices(translator, found)))

    def serve(game: str, language: str) -> Response:
        if language not in LANGUAGES:
            raise NotFound
        return cacheable(words(game, language), JSON)

    app.add_url_rule("/words/<game>/<language>.json", "table_words", serve)


def names_of_choices(translator: Translator, game: GetGameResponse) -> dict[str, dict[str, str]]:
    cards = {card.code: card.name for card in game.cards}
    return choice_names(translator, [(option.name, option.choices) for option in game.options], cards)


# Seconds for which a picture may be kept. Its URL has no version, so a new release may draw it anew.
MAX_AGE_SECONDS: Final = 24 * 60 * 60


def add_card_pictures(app: Flask) -> None:
    @cache
    def picture(pack: str, code: str) -> bytes:
        if not code:
            return str(cards.sprite(pack)).encode()
        return str(cards.back(pack) if code == "back" else cards.card(code, pack)).encode()

    def serve(pack: str, code: str = "") -> Response:
        try:
            return cacheable(picture(pack, code), SVG, max_age=MAX_AGE_SECONDS)
        except (KeyError, UnknownCard):
            raise NotFound from None

    app.add_url_rule("/cards/<pack>/<code>.svg", "card_picture", serve)
    app.add_url_rule("/cards/<pack>.svg", "pack_picture", serve)
