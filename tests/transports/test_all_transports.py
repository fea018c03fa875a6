"""One suite over every transport: recorded games, whole matches and every kind of error give the same results."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from google.protobuf.message import Message

from chitarrella.api.converters import move_message, rule_set_message
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.notation import parse_move
from chitarrella.v1 import catalogue_pb2, matches_pb2, rules_pb2, table_pb2
from tests.recorded_games.cases import CourseCase, DealCase, course, deals
from tests.transports.all_transports import Failed, Transport
from tests.walks import CATALOGUE


def seat_move(rule_set: RuleSet, seat: int, text: str) -> rules_pb2.SeatMove:
    """Write a move of the notation as a message."""
    return rules_pb2.SeatMove(seat=seat, move=move_message(parse_move(CATALOGUE.game_for(rule_set), text)))


def deal_move(case: DealCase) -> rules_pb2.SeatMove:
    """Write the pack of a recorded deal as the table's move."""
    return rules_pb2.SeatMove(move=table_pb2.Move(verb="start_deal", cards=case.pack))


def points(view: table_pb2.View) -> tuple[int, ...]:
    """Read what each seat has taken from a view."""
    return tuple(fact.number for fact in view.facts if fact.name == "card_points")


# ---------------------------------------------------------------------- recorded games


@pytest.mark.parametrize("case", deals(), ids=lambda case: case.id)
def test_recorded_deal_is_judged_by_the_stateless_service(transport: Transport, case: DealCase) -> None:
    """The stateless service plays a recorded deal to the recorded tricks, points and winner."""
    start = transport("StartGame", rules_pb2.StartGameRequest(agreement=rule_set_message(case.rule_set)))
    moves = [deal_move(case), *(seat_move(case.rule_set, *move) for move in case.moves)]
    played = transport("PlayMoves", rules_pb2.PlayMovesRequest(position=start.position, moves=moves))
    assert (len(moves), []) == (played.played, list(played.refusals))
    taken = [event.seat for event in played.events if event.kind == "trick_taken"]
    assert [trick.winner for trick in case.tricks] == taken
    assert case.points == tuple(played.points)
    assert case.winners == (frozenset(played.view.outcome.winners) if played.view.HasField("outcome") else None)


@pytest.mark.parametrize("case", deals(), ids=lambda case: case.id)
def test_recorded_deal_is_played_as_a_match(transport: Transport, case: DealCase) -> None:
    """A kept match played from the recorded pack, each seat with its key, ends as it was recorded."""
    opened = transport(
        "CreateMatch",
        matches_pb2.CreateMatchRequest(
            agreement=rule_set_message(case.rule_set), pack=case.pack, pack_source=matches_pb2.PACK_SOURCE_REFEREE
        ),
    )
    keys = {entry.seat: entry.key for entry in opened.seat_keys}
    taken: list[int] = []
    for number, (seat, text) in enumerate(case.moves):
        request = seat_move(case.rule_set, seat, text).move
        request_id = f"{case.id}-{number}"[-64:]
        play = matches_pb2.PlayMoveRequest(match=opened.match, move=request, request_id=request_id)
        played = transport("PlayMove", play, keys[seat])
        assert played.accepted, (text, played)
        taken += [event.seat for event in played.events if event.kind == "trick_taken"]
    assert [trick.winner for trick in case.tricks] == taken
    view = transport("GetMatch", matches_pb2.GetMatchRequest(match=opened.match)).view
    assert case.points == points(view)
    assert case.winners == (frozenset(view.outcome.winners) if view.HasField("outcome") else None)


@pytest.mark.parametrize("case", course(), ids=lambda case: case.id)
def test_course_state_leads_to_the_next(transport: Transport, case: CourseCase) -> None:
    """From a state of the course both services come to the course's state, or to its winner with his points."""
    rule_set = rule_set_message(case.rule_set)
    position = rules_pb2.Position(agreement=rule_set, line=case.position)
    moves = [seat_move(case.rule_set, *move) for move in case.moves]
    played = transport("PlayMoves", rules_pb2.PlayMovesRequest(position=position, moves=moves))
    assert len(moves) == played.played
    check(case, played.view)

    opened = transport("CreateMatch", matches_pb2.CreateMatchRequest(agreement=rule_set, position=case.position))
    for request in moves:
        play = matches_pb2.PlayMoveRequest(match=opened.match, seat=request.seat, move=request.move)
        assert transport("PlayMove", play, opened.referee_key).accepted
    check(case, transport("GetMatch", matches_pb2.GetMatchRequest(match=opened.match), opened.referee_key).view)


def check(case: CourseCase, view: table_pb2.View) -> None:
    """Hold a referee's view against what the course says."""
    if case.state is None:
        winners = [] if case.winner is None else [case.winner]
        assert winners == list(view.outcome.winners)
        assert case.winner is None or case.points == points(view)[case.winner]
        return
    hands = tuple(frozenset(pile.cards) for pile in view.piles if pile.name == "hand")
    stock = tuple(card for pile in view.piles if pile.name in ("stock", "turn_up") for card in pile.cards)
    trick = tuple(card for pile in view.piles if pile.name == "trick" for card in pile.cards)
    state = case.state
    assert (state.turn, state.hands, state.stock, state.trick) == (view.turn, hands, stock, trick)


# ---------------------------------------------------------------------- whole matches


@pytest.mark.parametrize("game", [game.key for game in CATALOGUE])
def test_deal_of_every_game_from_its_own_move_list(transport: Transport, game: str) -> None:
    """Any game is played through its first deal by moves from its own list, and no move of the list is refused."""
    opened = transport("CreateMatch", matches_pb2.CreateMatchRequest(agreement=table_pb2.Agreement(game=game)))
    asking = matches_pb2.ListMatchMovesRequest(match=opened.match)
    for _ in range(60):
        listed = transport("ListMatchMoves", asking, opened.referee_key)
        if not listed.HasField("seat"):
            break
        play = matches_pb2.PlayMoveRequest(
            match=opened.match, seat=listed.seat, move=listed.moves[-1], expected_revision=listed.revision
        )
        assert transport("PlayMove", play, opened.referee_key).accepted
    assert not isinstance(transport("GetMatch", matches_pb2.GetMatchRequest(match=opened.match)), Failed)


# ---------------------------------------------------------------------- errors and refusals

BRISCOLA = table_pb2.Agreement(game="briscola")


def agreed(**how: object) -> rules_pb2.StartGameRequest:
    """Ask for the beginning of a game."""
    return rules_pb2.StartGameRequest(agreement=table_pb2.Agreement(**{"game": "briscola", **how}))  # type: ignore[arg-type]  # of all kinds


WRONG: list[tuple[str, Message, str, str]] = [
    ("GetGame", catalogue_pb2.GetGameRequest(game="bridge"), "unknown_game", "game"),
    ("ListGames", catalogue_pb2.ListGamesRequest(page_size=101), "bad_request", "page_size"),
    ("StartGame", rules_pb2.StartGameRequest(), "bad_request", "agreement"),
    ("StartGame", agreed(game="bridge"), "unknown_game", "agreement.game"),
    ("StartGame", agreed(players=7), "bad_players", "agreement.players"),
    ("StartGame", agreed(edition=9), "edition_not_kept", "agreement.edition"),
    ("StartGame", agreed(options={"joker": "yes"}), "bad_option", "agreement.options.joker"),
    ("StartGame", agreed(options={"rubber_games": "0"}), "bad_option", "agreement.options.rubber_games"),
    ("CountPile", rules_pb2.CountPileRequest(agreement=BRISCOLA, cards=["Zz"]), "unknown_card", "cards"),
    (
        "ResolveTrick",
        rules_pb2.ResolveTrickRequest(agreement=BRISCOLA, cards=["Ab"], trump="x"),
        "unknown_suit",
        "trump",
    ),
    (
        "ResolveTrick",
        rules_pb2.ResolveTrickRequest(
            agreement=table_pb2.Agreement(game="coech"), cards=["III", "LEO"], trump="pictures"
        ),
        "unknown_suit",
        "trump",
    ),
    (
        "ListPlayableCards",
        rules_pb2.ListPlayableCardsRequest(agreement=table_pb2.Agreement(game="harjan"), hand=["Ah"]),
        "no_tricks",
        "agreement.game",
    ),
    (
        "VerifyDraw",
        rules_pb2.VerifyDrawRequest(game="briscola", commitment="0" * 64, nonce="0" * 64, number=1, cards=["Ab", "Ab"]),
        "bad_pack",
        "cards",
    ),
    (
        "ListLegalMoves",
        rules_pb2.ListLegalMovesRequest(position=rules_pb2.Position(agreement=BRISCOLA, line="phase=play")),
        "bad_position",
        "position.line",
    ),
    ("CreateMatch", matches_pb2.CreateMatchRequest(agreement=BRISCOLA, pack=["Ab"]), "bad_pack", "pack"),
    (
        "CreateMatch",
        matches_pb2.CreateMatchRequest(agreement=BRISCOLA, request_id="short"),
        "bad_request",
        "request_id",
    ),
    ("GetMatch", matches_pb2.GetMatchRequest(match="nobody"), "no_such_match", "match"),
    ("ImportMatch", matches_pb2.ImportMatchRequest(record="once upon a time"), "bad_record", "record"),
    ("ImportMatch", matches_pb2.ImportMatchRequest(record="game briscola\n0 play_card Ab"), "bad_record", "record"),
    ("ImportMatch", matches_pb2.ImportMatchRequest(record="game briscola", moves=1), "bad_request", "moves"),
]


@pytest.mark.parametrize(("rpc", "request_", "code", "field"), WRONG, ids=lambda value: str(value)[:24])
def test_invalid_request_has_one_code_and_field(
    transport: Transport, rpc: str, request_: Message, code: str, field: str
) -> None:
    """Each fault of a request has one code and names one field, on every transport."""
    failed = transport(rpc, request_)
    assert (code, field.replace("_", "")) == (failed.code, failed.field.replace("_", "").lower())


def test_invalid_keys_seats_and_revisions_have_codes(transport: Transport) -> None:
    """Keys, seats, revisions and request ids that do not fit have their codes; a refused move is an answer."""
    opened = transport("CreateMatch", matches_pb2.CreateMatchRequest(agreement=BRISCOLA))
    match, key = opened.match, opened.seat_keys[0].key
    other = opened.seat_keys[1].key
    listed = transport("ListMatchMoves", matches_pb2.ListMatchMovesRequest(match=match), other)
    seat, move, another = listed.seat, listed.moves[0], listed.moves[1]
    play = matches_pb2.PlayMoveRequest

    def code(request: Message, with_key: str, rpc: str = "PlayMove") -> str:
        answer = transport(rpc, request, with_key)
        return answer.code if isinstance(answer, Failed) else answer.refusals[0].code

    assert "key_needed" == code(play(match=match, move=move), "")
    assert "bad_key" == code(play(match=match, move=move), "nonsense")
    assert "not_your_seat" == code(play(match=match, seat=seat, move=move), key)
    assert "not_your_turn" == code(play(match=match, move=move), key)
    assert "malformed_move" == code(play(match=match, move=table_pb2.Move(verb="play_card")), other)
    assert "malformed_move" == code(play(match=match, move=table_pb2.Move(verb="castle")), other)
    assert "unknown_card" == code(play(match=match, move=table_pb2.Move(verb="play_card", cards=["Zz"])), other)
    assert "stale_revision" == code(play(match=match, move=move, expected_revision=77), other)
    assert "match_running" == code(matches_pb2.GetRecordRequest(match=match), key, "GetRecord")
    assert "referee_only" == code(matches_pb2.EndMatchRequest(match=match), key, "EndMatch")
    assert "bad_cursor" == code(matches_pb2.ListEventsRequest(match=match, cursor="x"), key, "ListEvents")
    assert 1 == transport("GetMatch", matches_pb2.GetMatchRequest(match=match)).revision
    first = transport("PlayMove", play(match=match, move=move, request_id="a" * 16), other)
    again = transport("PlayMove", play(match=match, move=move, request_id="a" * 16), other)
    assert (True, False, True) == (first.accepted, first.repeated_request, again.repeated_request)
    assert list(first.events) == list(again.events)
    assert "request_reused" == code(play(match=match, move=another, request_id="a" * 16), other)
    transport("EndMatch", matches_pb2.EndMatchRequest(match=match), opened.referee_key)
    assert "match_ended" == code(play(match=match, move=another), other)


def test_shared_pack_is_proved_after_the_deal(transport: Transport) -> None:
    """The published commitment is what a shared pack follows from, and the proof comes when the deal is over."""
    shared = matches_pb2.PACK_SOURCE_SHARED
    opened = transport("CreateMatch", matches_pb2.CreateMatchRequest(agreement=BRISCOLA, pack_source=shared))
    match, keys = opened.match, {one.seat: one.key for one in opened.seat_keys}
    say = matches_pb2.ContributeToDealRequest
    assert "key_needed" == transport("ContributeToDeal", say(match=match, word="x")).code
    assert "bad_request" == transport("ContributeToDeal", say(match=match, word="x\ny"), keys[0]).code
    assert "bad_request" == transport("ContributeToDeal", say(match=match), keys[0]).code
    assert [0] == list(transport("ContributeToDeal", say(match=match, word="my word"), keys[1]).words_awaited)
    assert [0] == list(transport("GetMatch", matches_pb2.GetMatchRequest(match=match)).words_awaited)
    assert [] == list(transport("ContributeToDeal", say(match=match, word="è mio"), keys[0]).words_awaited)
    assert "no_draw_awaited" == transport("ContributeToDeal", say(match=match, word="late"), keys[0]).code
    hidden = transport("ListDraws", matches_pb2.ListDrawsRequest(match=match), keys[0]).draws[0]
    assert (opened.next_commitment, "", []) == (hidden.commitment, hidden.nonce, list(hidden.cards))
    while (
        listed := transport("ListMatchMoves", matches_pb2.ListMatchMovesRequest(match=match), opened.referee_key)
    ).moves:
        play = matches_pb2.PlayMoveRequest(match=match, seat=listed.seat, move=listed.moves[0])
        assert transport("PlayMove", play, opened.referee_key).accepted
    (draw,) = transport("ListDraws", matches_pb2.ListDrawsRequest(match=match)).draws
    assert ["è mio", "my word"] == [one.word for one in draw.words]
    assert opened.next_commitment == draw.commitment
    proof = {"commitment": draw.commitment, "nonce": draw.nonce, "number": draw.number, "words": draw.words}
    fair = transport("VerifyDraw", rules_pb2.VerifyDrawRequest(game="briscola", cards=draw.cards, **proof))
    assert (True, "") == (fair.fair, fair.code)
    unfair = transport("VerifyDraw", rules_pb2.VerifyDrawRequest(game="briscola", cards=draw.cards[::-1], **proof))
    assert (False, "order_mismatch") == (unfair.fair, unfair.code)
    assert (
        "unknown_game"
        == transport("VerifyDraw", rules_pb2.VerifyDrawRequest(game="bridge", cards=["Ab"], **proof)).code
    )
    assert "bad_request" == transport("VerifyDraw", rules_pb2.VerifyDrawRequest(game="briscola", **proof)).code


def test_private_match_is_unknown_without_a_key(transport: Transport) -> None:
    """Without one of its keys a private match is an unknown match to every call; with a key it is like any other."""
    opened = transport("CreateMatch", matches_pb2.CreateMatchRequest(agreement=BRISCOLA, private=True))
    other = transport("CreateMatch", matches_pb2.CreateMatchRequest(agreement=BRISCOLA))
    move = table_pb2.Move(verb="play_card", cards=["Ab"])
    asked: list[tuple[str, Callable[[str], Message]]] = [
        ("GetMatch", lambda match: matches_pb2.GetMatchRequest(match=match)),
        ("ListMatchMoves", lambda match: matches_pb2.ListMatchMovesRequest(match=match, seat=0)),
        ("ExplainMatchHand", lambda match: matches_pb2.ExplainMatchHandRequest(match=match)),
        ("JudgeMove", lambda match: matches_pb2.JudgeMoveRequest(match=match, move=move)),
        ("PlayMove", lambda match: matches_pb2.PlayMoveRequest(match=match, move=move, expected_revision=9)),
        ("ListEvents", lambda match: matches_pb2.ListEventsRequest(match=match, cursor="9.9")),
        ("GetRecord", lambda match: matches_pb2.GetRecordRequest(match=match)),
        ("ContributeToDeal", lambda match: matches_pb2.ContributeToDealRequest(match=match, word="x")),
        ("ListDraws", lambda match: matches_pb2.ListDrawsRequest(match=match)),
        ("EndMatch", lambda match: matches_pb2.EndMatchRequest(match=match)),
    ]
    for rpc, request in asked:
        nobody = transport(rpc, request("nobody"))
        assert "no_such_match" == nobody.code
        for key in ("", "nonsense", other.seat_keys[0].key, other.referee_key):
            assert nobody == transport(rpc, request(opened.match), key), (rpc, key)
    for key in (opened.seat_keys[0].key, opened.referee_key):
        assert 1 == transport("GetMatch", matches_pb2.GetMatchRequest(match=opened.match), key).revision
