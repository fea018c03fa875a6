"""Convert between the types of the rules and the messages of the contract.

Functions ``read_*`` convert from a message, and raise `errors.BadRequest` with the path of the invalid field; functions
``*_message`` convert to a message. Those of the catalogue are in `chitarrella.api.catalogue_converters`, those of
updates in `chitarrella.api.streams`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from chitarrella import errors
from chitarrella.catalogue.record import InvalidRecord, Record, parse_record
from chitarrella.catalogue.registry import Catalogue, RuleSet, UnknownEdition, UnknownGame
from chitarrella.core.game import AnyGame
from chitarrella.core.model import (
    CHANCE,
    ChanceRequest,
    Clause,
    Event,
    Fact,
    Money,
    Move,
    Refusal,
    Seat,
    Shares,
    View,
    ZoneView,
)
from chitarrella.core.notation import InvalidPosition
from chitarrella.core.options import InvalidOption
from chitarrella.i18n.translator import ENGLISH, Translator
from chitarrella.questions.reading import build_move, configured_game
from chitarrella.v1 import rules_pb2, table_pb2

RULES_PAGE: Final = "/docs/rules"
"""The path of the rule books over REST."""

# ---------------------------------------------------------------------- from messages


def read_rule_set(message: table_pb2.RuleSet) -> RuleSet:
    """Read a rule set."""
    options = tuple(sorted(message.options.items())) if message.options else ()
    return RuleSet(message.game_id, message.players, options, message.edition)


def read_game(catalogue: Catalogue, message: table_pb2.RuleSet, field: str = "rule_set") -> AnyGame:
    """Return the game configured by a rule set.

    Raises `errors.BadRequest` with the invalid field, `errors.NotPossibleNow` for an edition that is not supported.
    """
    return configured_game(catalogue, read_rule_set(message), field)


def find_game(catalogue: Catalogue, key: str, field: str = "game_id") -> AnyGame:
    """Return a game by its key, without options; raises `errors.BadRequest`."""
    try:
        return catalogue.game(key)
    except UnknownGame as error:
        raise errors.BadRequest("unknown_game", str(error), field) from error


def read_record(catalogue: Catalogue, text: str) -> Record:
    """Read a match record.

    Raises `errors.BadRequest` with the invalid line, `errors.NotPossibleNow` for an edition that is not supported.
    """
    try:
        record = parse_record(catalogue, text)
        catalogue.game_for(record.rule_set).decode(record.position) if record.position else None
    except UnknownEdition as error:
        raise errors.NotPossibleNow("edition_not_supported", str(error), "record") from error
    except (InvalidRecord, UnknownGame, InvalidOption, InvalidPosition) as error:
        raise errors.BadRequest("bad_record", str(error).removeprefix("line 0: "), "record") from error
    return record


def read_move(game: AnyGame, message: table_pb2.Move, actor: Seat, field: str = "move") -> Move:
    """Read a move of ``actor``.

    Raises `errors.BadRequest` for an unknown card, for a move that the game does not have, and for one that belongs to
    a seat where ``actor`` is `CHANCE`, or the reverse.
    """
    shares: Shares = tuple((share.person, share.amount) for share in message.shares) if message.shares else ()
    amount = message.amount if message.HasField("amount") else None
    seat = message.seat if message.HasField("seat") else None
    return build_move(game, actor, message.verb, message.cards, message.choice, amount, seat, shares, field)


# ---------------------------------------------------------------------- to messages


def move_message(move: Move) -> table_pb2.Move:
    """Convert a move."""
    return table_pb2.Move(
        verb=move.verb,
        cards=move.cards,
        choice=move.choice,
        amount=move.amount,
        seat=move.seat,
        shares=_share_messages(move.shares),
    )


def _share_messages(shares: Shares) -> list[table_pb2.Share]:
    return [table_pb2.Share(person=person, amount=amount) for person, amount in shares]


def event_message(event: Event) -> table_pb2.Event:
    """Convert an event, as its viewer sees it."""
    return table_pb2.Event(
        kind=event.kind,
        seat=event.seat,
        cards=event.cards,
        hidden=event.hidden,
        word=event.word,
        amount=event.amount,
        other=event.other,
        shares=_share_messages(event.shares) if event.shares else None,
    )


def clause_message(clause: Clause, translator: Translator = ENGLISH) -> table_pb2.Clause:
    """Convert a clause of the rule book."""
    return table_pb2.Clause(key=clause.key, text=translator.clause(clause), source=translator.source(clause.source))


def item_error_message(error: errors.ChitarrellaError) -> table_pb2.ItemError:
    """Convert the error of one item of a batch."""
    return table_pb2.ItemError(code=error.code, message=error.message, field=error.field)


def refusal_messages(
    game: AnyGame, refusals: Sequence[Refusal], translator: Translator = ENGLISH
) -> list[table_pb2.Refusal] | None:
    """Convert refusals. None stands for no refusals: a field left out is cheaper than an empty list."""
    if not refusals:
        return None
    return [
        table_pb2.Refusal(
            code=refusal.code,
            clause=clause_message(refusal.clause, translator),
            message=translator.reason(refusal, game.pack),
            allowed_cards=refusal.allowed_cards,
            offending_cards=refusal.offending_cards,
            word=refusal.word,
            amount=refusal.amount,
            penalty=refusal.reason.penalty,
            page=f"{RULES_PAGE}/{game.key}#{refusal.clause.key}",
        )
        for refusal in refusals
    ]


def timestamp_message(milliseconds: int | None) -> Timestamp | None:
    """Convert a time in milliseconds since 1970; None stays None."""
    if milliseconds is None:
        return None
    return Timestamp(seconds=milliseconds // 1000, nanos=milliseconds % 1000 * 1_000_000)


def _zone_message(zone: ZoneView) -> table_pb2.Zone:
    return table_pb2.Zone(name=zone.name, seat=zone.seat, cards=zone.cards, size=zone.size, leader=zone.leader)


def _fact_message(fact: Fact) -> table_pb2.Fact:
    if isinstance(fact.value, str):
        return table_pb2.Fact(name=fact.name, seat=fact.seat, word=fact.value)
    if isinstance(fact.value, tuple):
        shares = table_pb2.Shares(shares=_share_messages(fact.value))
        return table_pb2.Fact(name=fact.name, seat=fact.seat, shares=shares)
    if isinstance(fact.value, Money):
        return table_pb2.Fact(name=fact.name, seat=fact.seat, money=fact.value)
    return table_pb2.Fact(name=fact.name, seat=fact.seat, number=fact.value)


def view_message(view: View) -> table_pb2.View:
    """Convert a view."""
    waiting, turn = waiting_message(view.turn)
    return table_pb2.View(
        phase=view.phase,
        waiting=waiting,
        turn=turn,
        zones=map(_zone_message, view.zones),
        facts=map(_fact_message, view.facts),
        scores=view.scores,
        outcome=None if view.winners is None else table_pb2.Outcome(winners=sorted(view.winners)),
    )


def waiting_message(turn: Seat | None) -> tuple[table_pb2.Waiting.ValueType, Seat | None]:
    """Convert the seat to move: None if the game waits for nobody, `CHANCE` if for a pack or a lot."""
    if turn is None:
        return table_pb2.WAITING_NOBODY, None
    if turn == CHANCE:
        return table_pb2.WAITING_CHANCE, None
    return table_pb2.WAITING_SEAT, turn


def rule_set_message(rule_set: RuleSet) -> table_pb2.RuleSet:
    """Convert a rule set."""
    return table_pb2.RuleSet(
        game_id=rule_set.game,
        players=rule_set.players,
        options=dict(rule_set.options),
        edition=rule_set.edition,
    )


def chance_request_message(chance: ChanceRequest) -> rules_pb2.ChanceRequest:
    """Convert what chance has to supply: a verb, and the cards or amounts to choose from."""
    return rules_pb2.ChanceRequest(verb=chance.verb, cards=chance.cards, amounts=chance.amounts)
