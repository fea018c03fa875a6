"""Between the nouns of the rules and the messages of the contract, both ways; the rule book has a file of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chitarrella import errors
from chitarrella.cards import Hand, Pack, UnknownCard
from chitarrella.catalogue import Agreement, Catalogue, EditionNotKept, UnknownGame
from chitarrella.chronicle import Told
from chitarrella.game import AnyGame, Position, look
from chitarrella.notation import MalformedMove, make_move
from chitarrella.option import BadChoice
from chitarrella.record import BadRecord, Record, read_record
from chitarrella.sheet import BadPosition
from chitarrella.tongues import ENGLISH, Tongue
from chitarrella.v1 import matches_pb2, rules_pb2, table_pb2
from chitarrella.words import CHANCE, Chance, Clause, Event, Eyes, Fact, Money, Move, Pile, Refusal, Seat, Shares

RULES_PAGE = "/docs/rules"
"""Where the rule books stand at the REST door."""

# ---------------------------------------------------------------------- from messages


def read_agreement(message: table_pb2.Agreement) -> Agreement:
    """Read what a table has agreed upon."""
    options = tuple(sorted(message.options.items())) if message.options else ()
    return Agreement(message.game, message.players, options, message.edition)


def read_game(catalogue: Catalogue, message: table_pb2.Agreement, field: str = "agreement") -> AnyGame:
    """Seat the game of an agreement; raises `errors.BadRequest` with the field at fault."""
    try:
        return catalogue.seat(read_agreement(message))
    except UnknownGame as error:
        raise errors.BadRequest("unknown_game", str(error), f"{field}.game") from error
    except EditionNotKept as error:
        raise errors.NotPossibleNow("edition_not_kept", str(error), f"{field}.edition") from error
    except BadChoice as error:
        code = "bad_players" if error.field == "players" else "bad_option"
        raise errors.BadRequest(code, str(error), f"{field}.{error.field}") from error


def read_position(game: AnyGame, line: str, field: str = "position.line") -> Position:
    """Read a position; raises `errors.BadRequest`."""
    try:
        return game.read(line)
    except BadPosition as error:
        raise errors.BadRequest("bad_position", str(error), field) from error


def find_game(catalogue: Catalogue, key: str, field: str = "game") -> AnyGame:
    """Find a game that is not seated; raises `errors.BadRequest`."""
    try:
        return catalogue.game(key)
    except UnknownGame as error:
        raise errors.BadRequest("unknown_game", str(error), field) from error


def read_a_record(catalogue: Catalogue, text: str) -> Record:
    """Read a record; raises `errors.BadRequest` with the line at fault."""
    try:
        record = read_record(catalogue, text)
        catalogue.seat(record.agreement).read(record.position) if record.position else None
    except EditionNotKept as error:
        raise errors.NotPossibleNow("edition_not_kept", str(error), "record") from error
    except (BadRecord, UnknownGame, BadChoice, BadPosition) as error:
        raise errors.BadRequest("bad_record", str(error).removeprefix("line 0: "), "record") from error
    return record


def read_cards(game: AnyGame, texts: Iterable[str], field: str) -> Hand:
    """Read cards of a game; raises `errors.BadRequest`."""
    return read_pack(game.pack, texts, field)


def read_pack(pack: Pack, texts: Iterable[str], field: str) -> Hand:
    """Read cards of a pack; raises `errors.BadRequest`."""
    try:
        return pack.hand(texts)
    except UnknownCard as error:
        raise errors.BadRequest("unknown_card", str(error), field) from error


def read_move(game: AnyGame, message: table_pb2.Move, actor: Seat, field: str = "move") -> Move:
    """Read a move of ``actor``; raises `errors.BadRequest` for what is no move of the game, or not of such an actor."""
    shares: Shares = tuple((share.person, share.amount) for share in message.shares) if message.shares else ()
    amount = message.amount if message.HasField("amount") else None
    seat = message.seat if message.HasField("seat") and message.seat != actor else None
    try:
        move = make_move(game, message.verb, message.cards, message.word, amount, seat, shares)
    except UnknownCard as error:
        raise errors.BadRequest("unknown_card", str(error), f"{field}.cards") from error
    except MalformedMove as error:
        raise errors.BadRequest("malformed_move", str(error), f"{field}.{error.field}") from error
    if game.forms[move.verb].by_chance != (actor == CHANCE):
        maker = "the table, so it names no seat" if game.forms[move.verb].by_chance else "a seat, which must be named"
        raise errors.BadRequest(
            "malformed_move", f"{move.verb} is made by {maker}", f"{field.removesuffix('move')}seat"
        )
    return move


def read_seat(game: AnyGame, seat: Seat, field: str = "seat") -> Seat:
    """Check that somebody sits at ``seat``; raises `errors.BadRequest` for a seat that is not there, or a dummy's."""
    if seat >= game.seats or game.controller(seat) != seat:
        raise errors.BadRequest("no_such_seat", f"nobody sits at seat {seat} of this table", field)
    return seat


# ---------------------------------------------------------------------- to messages


def move_message(move: Move) -> table_pb2.Move:
    """Write a move."""
    return table_pb2.Move(
        verb=move.verb,
        cards=move.cards,
        word=move.word,
        amount=move.amount,
        seat=move.seat,
        shares=_shares(move.shares),
    )


def _shares(shares: Shares) -> list[table_pb2.Share]:
    return [table_pb2.Share(person=person, amount=amount) for person, amount in shares]


def event_message(event: Event) -> table_pb2.Event:
    """Write an event, as somebody was told of it."""
    return table_pb2.Event(
        kind=event.kind,
        seat=event.seat,
        cards=event.cards,
        hidden=event.hidden,
        word=event.word,
        amount=event.amount,
        other=event.other,
        shares=_shares(event.shares) if event.shares else None,
    )


def told_message(told: Told) -> matches_pb2.WatchMatchResponse:
    """Write what somebody was told of a move."""
    return matches_pb2.WatchMatchResponse(
        revision=told.cursor.revision, cursor=str(told.cursor), events=map(event_message, told.events)
    )


def clause_message(clause: Clause, tongue: Tongue = ENGLISH) -> table_pb2.Clause:
    """Write a clause."""
    return table_pb2.Clause(key=clause.key, says=tongue.clause(clause), source=tongue.source(clause.source))


def fault_message(error: errors.ChitarrellaError) -> table_pb2.Fault:
    """Write why one of many was not done."""
    return table_pb2.Fault(code=error.code, because=error.because, field=error.field)


def refusal_messages(
    game: AnyGame, refusals: Sequence[Refusal], tongue: Tongue = ENGLISH
) -> list[table_pb2.Refusal] | None:
    """Write broken clauses; None says that there are none, which is quicker than a list without any."""
    if not refusals:
        return None
    return [
        table_pb2.Refusal(
            code=refusal.code,
            clause=clause_message(refusal.clause, tongue),
            because=tongue.because(refusal, game.pack),
            instead=refusal.instead,
            held=refusal.held,
            word=refusal.word,
            amount=refusal.amount,
            penalty=refusal.reason.penalty,
            page=f"{RULES_PAGE}/{game.key}#{refusal.clause.key}",
        )
        for refusal in refusals
    ]


def _pile(pile: Pile) -> table_pb2.Pile:
    return table_pb2.Pile(name=pile.name, seat=pile.seat, cards=pile.cards, size=pile.size, leader=pile.leader)


def _fact(fact: Fact) -> table_pb2.Fact:
    if isinstance(fact.value, str):
        return table_pb2.Fact(name=fact.name, seat=fact.seat, word=fact.value)
    if isinstance(fact.value, tuple):
        shares = table_pb2.Shares(shares=_shares(fact.value))
        return table_pb2.Fact(name=fact.name, seat=fact.seat, shares=shares)
    if isinstance(fact.value, Money):
        return table_pb2.Fact(name=fact.name, seat=fact.seat, money=fact.value)
    return table_pb2.Fact(name=fact.name, seat=fact.seat, number=fact.value)


def view_message(game: AnyGame, p: Position, eyes: Eyes) -> table_pb2.View:
    """Write what those eyes see of a position."""
    view = look(game, p, eyes)
    waiting, turn = waiting_message(view.turn)
    return table_pb2.View(
        phase=view.phase,
        waiting=waiting,
        turn=turn,
        piles=map(_pile, view.piles),
        facts=map(_fact, view.facts),
        scores=view.scores,
        outcome=None if view.winners is None else table_pb2.Outcome(winners=sorted(view.winners)),
    )


def waiting_message(turn: Seat | None) -> tuple[table_pb2.Waiting.ValueType, Seat | None]:
    """Say whom the table waits for."""
    if turn is None:
        return table_pb2.WAITING_NOBODY, None
    if turn == CHANCE:
        return table_pb2.WAITING_TABLE, None
    return table_pb2.WAITING_SEAT, turn


def agreement_message(agreement: Agreement) -> table_pb2.Agreement:
    """Write what a table has agreed upon."""
    return table_pb2.Agreement(
        game=agreement.game,
        players=agreement.players,
        options=dict(agreement.options),
        edition=agreement.edition,
    )


def wanted_message(chance: Chance) -> rules_pb2.Wanted:
    """Write what the table has to supply."""
    return rules_pb2.Wanted(verb=chance.verb, cards=chance.cards, amounts=chance.amounts)
