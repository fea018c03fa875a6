"""One suite over every transport: recorded games, whole matches and every kind of error give the same results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import cycle
from typing import Any

import pytest
from google.protobuf.message import Message

from chitarrella.api.converters import move_message, rule_set_message
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.notation import parse_move
from chitarrella.v1 import catalogue_pb2, matches_pb2, rules_pb2, table_pb2
from tests.recorded_games.cases import CourseCase, DealCase, course, deals
from tests.transports.all_transports import TRANSPORTS, Failed, Transport
from tests.walks import CATALOGUE


def seat_move(rule_set: RuleSet, seat: int, text: str) -> rules_pb2.SeatMove:
    """Write a move of the notation as a message."""
    return rules_pb2.SeatMove(seat=seat, move=move_message(parse_move(CATALOGUE.game_for(rule_set), text)))


def deal_move(case: DealCase) -> rules_pb2.SeatMove:
    """Write the pack of a recorded deal as the table's move."""
    return rules_pb2.SeatMove(move=table_pb2.Move(verb="start_deal", cards=case.pack))


def in_turn(cases: Iterable[tuple[str, Any]], argument: str) -> pytest.MarkDecorator:
    """Run each case over one transport in turn; that all of them carry the same is shown by other tests."""
    over = [pytest.param(next(TURNS), case, id=name) for name, case in cases]
    return pytest.mark.parametrize(("transport", argument), over, indirect=["transport"])


TURNS = cycle(TRANSPORTS)


def points(view: table_pb2.View) -> tuple[int, ...]:
    """Read what each seat has taken from a view."""
    return tuple(fact.number for fact in view.facts if fact.name == "card_points")


# ---------------------------------------------------------------------- recorded games


@in_turn(((case.id, case) for case in deals()), "case")
def test_recorded_deal_is_validated_by_the_stateless_service(transport: Transport, case: DealCase) -> None:
    """The stateless service plays a recorded deal to the recorded tricks, points and winner."""
    start = transport("StartGame", rules_pb2.StartGameRequest(rule_set=rule_set_message(case.rule_set)))
    moves = [deal_move(case), *(seat_move(case.rule_set, *move) for move in case.moves)]
    played = transport("ApplyMoves", rules_pb2.ApplyMovesRequest(position=start.position, moves=moves))
    assert (len(moves), []) == (played.applied, list(played.refusals))
    taken = [event.seat for event in played.events if event.kind == "trick_taken"]
    assert [trick.winner for trick in case.tricks] == taken
    assert case.points == tuple(played.points)
    assert case.winners == (frozenset(played.view.outcome.winners) if played.view.HasField("outcome") else None)


@in_turn(((case.id, case) for case in deals()), "case")
def test_recorded_deal_is_played_as_a_match(transport: Transport, case: DealCase) -> None:
    """A kept match played from the recorded pack, each seat with its key, ends as it was recorded."""
    opened = transport(
        "CreateMatch",
        matches_pb2.CreateMatchRequest(
            rule_set=rule_set_message(case.rule_set), pack=case.pack, pack_source=matches_pb2.PACK_SOURCE_REFEREE
        ),
    )
    keys = {entry.seat: entry.key for entry in opened.seat_keys}
    taken: list[int] = []
    for number, (seat, text) in enumerate(case.moves):
        request = seat_move(case.rule_set, seat, text).move
        request_id = f"{case.id}-{number}"[-64:]
        play = matches_pb2.PlayMoveRequest(match_id=opened.match_id, move=request, request_id=request_id)
        played = transport("PlayMove", play, keys[seat])
        assert played.accepted, (text, played)
        taken += [event.seat for event in played.events if event.kind == "trick_taken"]
    assert [trick.winner for trick in case.tricks] == taken
    view = transport("GetMatch", matches_pb2.GetMatchRequest(match_id=opened.match_id)).view
    assert case.points == points(view)
    assert case.winners == (frozenset(view.outcome.winners) if view.HasField("outcome") else None)


@in_turn(((case.id, case) for case in course()), "case")
def test_course_state_leads_to_the_next(transport: Transport, case: CourseCase) -> None:
    """From a state of the course both services come to the course's state, or to its winner with his points."""
    rule_set = rule_set_message(case.rule_set)
    position = rules_pb2.Position(rule_set=rule_set, text=case.position)
    moves = [seat_move(case.rule_set, *move) for move in case.moves]
    played = transport("ApplyMoves", rules_pb2.ApplyMovesRequest(position=position, moves=moves))
    assert len(moves) == played.applied
    check(case, played.view)

    opened = transport("CreateMatch", matches_pb2.CreateMatchRequest(rule_set=rule_set, position=case.position))
    for request in moves:
        play = matches_pb2.PlayMoveRequest(match_id=opened.match_id, seat=request.seat, move=request.move)
        assert transport("PlayMove", play, opened.referee_key).accepted
    check(case, transport("GetMatch", matches_pb2.GetMatchRequest(match_id=opened.match_id), opened.referee_key).view)


def check(case: CourseCase, view: table_pb2.View) -> None:
    """Hold a referee's view against what the course says."""
    if case.state is None:
        winners = [] if case.winner is None else [case.winner]
        assert winners == list(view.outcome.winners)
        assert case.winner is None or case.points == points(view)[case.winner]
        return
    hands = tuple(frozenset(zone.cards) for zone in view.zones if zone.name == "hand")
    stock = tuple(card for zone in view.zones if zone.name in ("stock", "turn_up") for card in zone.cards)
    trick = tuple(card for zone in view.zones if zone.name == "trick" for card in zone.cards)
    state = case.state
    assert (state.turn, state.hands, state.stock, state.trick) == (view.turn, hands, stock, trick)


# ---------------------------------------------------------------------- whole matches


@in_turn(((game.key, game.key) for game in CATALOGUE), "game")
def test_deal_of_every_game_from_its_own_move_list(transport: Transport, game: str) -> None:
    """Any game is played through its first deal by moves from its own list, and no move of the list is refused."""
    opened = transport("CreateMatch", matches_pb2.CreateMatchRequest(rule_set=table_pb2.RuleSet(game_id=game)))
    asking = matches_pb2.ListMatchMovesRequest(match_id=opened.match_id)
    for _ in range(60):
        listed = transport("ListMatchMoves", asking, opened.referee_key)
        if not listed.HasField("seat"):
            break
        play = matches_pb2.PlayMoveRequest(
            match_id=opened.match_id, seat=listed.seat, move=listed.moves[-1], expected_revision=listed.revision
        )
        assert transport("PlayMove", play, opened.referee_key).accepted
    assert not isinstance(transport("GetMatch", matches_pb2.GetMatchRequest(match_id=opened.match_id)), Failed)


# ---------------------------------------------------------------------- errors and refusals

BRISCOLA = table_pb2.RuleSet(game_id="briscola")


def agreed(**how: object) -> rules_pb2.StartGameRequest:
    """Ask for the beginning of a game."""
    return rules_pb2.StartGameRequest(rule_set=table_pb2.RuleSet(**{"game_id": "briscola", **how}))  # type: ignore[arg-type]  # of all kinds


WRONG: list[tuple[str, Message, str, str]] = [
    ("GetGame", catalogue_pb2.GetGameRequest(game_id="bridge"), "unknown_game", "game_id"),
    ("ListGames", catalogue_pb2.ListGamesRequest(page_size=101), "bad_request", "page_size"),
    ("StartGame", rules_pb2.StartGameRequest(), "bad_request", "rule_set"),
    ("StartGame", agreed(game_id="bridge"), "unknown_game", "rule_set.game_id"),
    ("StartGame", agreed(players=7), "bad_players", "rule_set.players"),
    ("StartGame", agreed(edition=9), "edition_not_supported", "rule_set.edition"),
    ("StartGame", agreed(options={"joker": "yes"}), "bad_option", "rule_set.options.joker"),
    ("StartGame", agreed(options={"rubber_games": "0"}), "bad_option", "rule_set.options.rubber_games"),
    ("ScoreCards", rules_pb2.ScoreCardsRequest(rule_set=BRISCOLA, cards=["Zz"]), "unknown_card", "cards"),
    (
        "ResolveTrick",
        rules_pb2.ResolveTrickRequest(rule_set=BRISCOLA, cards=["Ab"], trump="x"),
        "unknown_suit",
        "trump",
    ),
    (
        "ResolveTrick",
        rules_pb2.ResolveTrickRequest(
            rule_set=table_pb2.RuleSet(game_id="coech"), cards=["III", "LEO"], trump="pictures"
        ),
        "unknown_suit",
        "trump",
    ),
    (
        "ListPlayableCards",
        rules_pb2.ListPlayableCardsRequest(rule_set=table_pb2.RuleSet(game_id="cucu"), hand=["XV"]),
        "no_tricks",
        "rule_set.game_id",
    ),
    (
        "VerifyShuffle",
        rules_pb2.VerifyShuffleRequest(
            game_id="briscola", commitment="0" * 64, nonce="0" * 64, number=1, cards=["Ab", "Ab"]
        ),
        "bad_pack",
        "cards",
    ),
    (
        "ListLegalMoves",
        rules_pb2.ListLegalMovesRequest(position=rules_pb2.Position(rule_set=BRISCOLA, text="phase=play")),
        "bad_position",
        "position.text",
    ),
    ("CreateMatch", matches_pb2.CreateMatchRequest(rule_set=BRISCOLA, pack=["Ab"]), "bad_pack", "pack"),
    (
        "CreateMatch",
        matches_pb2.CreateMatchRequest(rule_set=BRISCOLA, request_id="short"),
        "bad_request",
        "request_id",
    ),
    (
        "CreateMatch",
        matches_pb2.CreateMatchRequest(rule_set=BRISCOLA, labels={"Cup": "x"}),
        "bad_request",
        "labels.Cup",
    ),
    (
        "CreateMatch",
        matches_pb2.CreateMatchRequest(
            rule_set=BRISCOLA,
            bots=[matches_pb2.BotSeat(seat=0, bot="random"), matches_pb2.BotSeat(seat=99, bot="random")],
        ),
        "bad_request",
        "bots[1].seat",
    ),
    ("GetMatch", matches_pb2.GetMatchRequest(match_id="nobody"), "no_such_match", "match_id"),
    ("ImportMatch", matches_pb2.ImportMatchRequest(record="once upon a time"), "bad_record", "record"),
    ("ImportMatch", matches_pb2.ImportMatchRequest(record="game briscola\n0 play_card Ab"), "bad_record", "record"),
    ("ImportMatch", matches_pb2.ImportMatchRequest(record="game briscola", move_count=1), "bad_request", "move_count"),
]


@pytest.mark.parametrize(("rpc", "request_", "code", "field"), WRONG, ids=lambda value: str(value)[:24])
def test_invalid_request_has_one_code_and_field(
    transport: Transport, rpc: str, request_: Message, code: str, field: str
) -> None:
    """Each fault of a request has one code and names one field, in one spelling, on every transport."""
    failed = transport(rpc, request_)
    assert (code, field) == (failed.code, failed.field)


def test_invalid_keys_seats_and_revisions_have_codes(transport: Transport) -> None:
    """Keys, seats, revisions and request ids that do not fit have their codes; a refused move is an answer."""
    opened = transport("CreateMatch", matches_pb2.CreateMatchRequest(rule_set=BRISCOLA))
    match, key = opened.match_id, opened.seat_keys[0].key
    other = opened.seat_keys[1].key
    listed = transport("ListMatchMoves", matches_pb2.ListMatchMovesRequest(match_id=match), other)
    seat, move, another = listed.seat, listed.moves[0], listed.moves[1]
    play = matches_pb2.PlayMoveRequest

    def code(request: Message, with_key: str, rpc: str = "PlayMove") -> str:
        answer = transport(rpc, request, with_key)
        return answer.code if isinstance(answer, Failed) else answer.refusals[0].code

    for given, expected in (("", "key_needed"), ("nonsense", "bad_key"), ("a b", "bad_key")):
        assert Failed(expected, "authorization") == transport("PlayMove", play(match_id=match, move=move), given)
    assert "key_needed" == code(play(match_id=match, move=move), "")
    assert "bad_key" == code(play(match_id=match, move=move), "nonsense")
    assert "not_your_seat" == code(play(match_id=match, seat=seat, move=move), key)
    assert "not_your_turn" == code(play(match_id=match, move=move), key)
    assert "malformed_move" == code(play(match_id=match, move=table_pb2.Move(verb="play_card")), other)
    assert "malformed_move" == code(play(match_id=match, move=table_pb2.Move(verb="castle")), other)
    assert "unknown_card" == code(play(match_id=match, move=table_pb2.Move(verb="play_card", cards=["Zz"])), other)
    assert "stale_revision" == code(play(match_id=match, move=move, expected_revision=0), other)
    assert "moves_lost" == code(play(match_id=match, move=move, expected_revision=77), other)
    assert "match_running" == code(matches_pb2.GetRecordRequest(match_id=match), key, "GetRecord")
    assert "referee_only" == code(matches_pb2.AbortMatchRequest(match_id=match), key, "AbortMatch")
    assert "bad_cursor" == code(matches_pb2.ListEventsRequest(match_id=match, cursor="x"), key, "ListEvents")
    for rpc, asking in (("ListEvents", matches_pb2.ListEventsRequest), ("WatchMatch", matches_pb2.WatchMatchRequest)):
        assert Failed("moves_lost", "cursor") == transport(rpc, asking(match_id=match, cursor="77.0"), key)
    assert 1 == transport("GetMatch", matches_pb2.GetMatchRequest(match_id=match)).revision
    first = transport("PlayMove", play(match_id=match, move=move, request_id="a" * 16), other)
    again = transport("PlayMove", play(match_id=match, move=move, request_id="a" * 16), other)
    assert (True, False, True) == (first.accepted, first.repeated_request, again.repeated_request)
    assert list(first.events) == list(again.events)
    assert "request_reused" == code(play(match_id=match, move=another, request_id="a" * 16), other)
    transport("AbortMatch", matches_pb2.AbortMatchRequest(match_id=match), opened.referee_key)
    assert "match_aborted" == code(play(match_id=match, move=another), other)


def test_shared_pack_is_proved_after_the_deal(transport: Transport) -> None:
    """The published commitment is what a shared pack follows from, and the proof comes when the deal is over."""
    shared = matches_pb2.PACK_SOURCE_SHARED
    opened = transport("CreateMatch", matches_pb2.CreateMatchRequest(rule_set=BRISCOLA, pack_source=shared))
    match, keys = opened.match_id, {one.seat: one.key for one in opened.seat_keys}
    say = matches_pb2.ContributeSeedRequest
    assert "key_needed" == transport("ContributeSeed", say(match_id=match, client_seed="x")).code
    assert "bad_request" == transport("ContributeSeed", say(match_id=match, client_seed="x\ny"), keys[0]).code
    assert "bad_request" == transport("ContributeSeed", say(match_id=match), keys[0]).code
    assert [0] == list(
        transport("ContributeSeed", say(match_id=match, client_seed="my seed"), keys[1]).awaiting_seeds_from
    )
    assert [0] == list(transport("GetMatch", matches_pb2.GetMatchRequest(match_id=match)).awaiting_seeds_from)
    assert [] == list(
        transport("ContributeSeed", say(match_id=match, client_seed="è mio"), keys[0]).awaiting_seeds_from
    )
    assert "no_shuffle_pending" == transport("ContributeSeed", say(match_id=match, client_seed="late"), keys[0]).code
    hidden = transport("ListShuffles", matches_pb2.ListShufflesRequest(match_id=match), keys[0]).shuffles[0]
    assert (opened.next_commitment, "", []) == (hidden.commitment, hidden.nonce, list(hidden.cards))
    while (
        listed := transport("ListMatchMoves", matches_pb2.ListMatchMovesRequest(match_id=match), opened.referee_key)
    ).moves:
        play = matches_pb2.PlayMoveRequest(match_id=match, seat=listed.seat, move=listed.moves[0])
        assert transport("PlayMove", play, opened.referee_key).accepted
    (shuffle,) = transport("ListShuffles", matches_pb2.ListShufflesRequest(match_id=match)).shuffles
    assert ["è mio", "my seed"] == [one.seed for one in shuffle.client_seeds]
    assert opened.next_commitment == shuffle.commitment
    proof = {
        "commitment": shuffle.commitment,
        "nonce": shuffle.nonce,
        "number": shuffle.number,
        "client_seeds": shuffle.client_seeds,
    }
    fair = transport("VerifyShuffle", rules_pb2.VerifyShuffleRequest(game_id="briscola", cards=shuffle.cards, **proof))
    assert (True, "") == (fair.fair, fair.code)
    unfair = transport(
        "VerifyShuffle", rules_pb2.VerifyShuffleRequest(game_id="briscola", cards=shuffle.cards[::-1], **proof)
    )
    assert (False, "order_mismatch") == (unfair.fair, unfair.code)
    assert (
        "unknown_game"
        == transport("VerifyShuffle", rules_pb2.VerifyShuffleRequest(game_id="bridge", cards=["Ab"], **proof)).code
    )
    assert "bad_request" == transport("VerifyShuffle", rules_pb2.VerifyShuffleRequest(game_id="briscola", **proof)).code


def test_private_match_is_unknown_without_a_key(transport: Transport) -> None:
    """Without one of its keys a private match is an unknown match to every call; with a key it is like any other."""
    opened = transport("CreateMatch", matches_pb2.CreateMatchRequest(rule_set=BRISCOLA, private=True))
    other = transport("CreateMatch", matches_pb2.CreateMatchRequest(rule_set=BRISCOLA))
    move = table_pb2.Move(verb="play_card", cards=["Ab"])
    asked: list[tuple[str, Callable[[str], Message]]] = [
        ("GetMatch", lambda match: matches_pb2.GetMatchRequest(match_id=match)),
        ("ListMatchMoves", lambda match: matches_pb2.ListMatchMovesRequest(match_id=match, seat=0)),
        ("ExplainMatchHand", lambda match: matches_pb2.ExplainMatchHandRequest(match_id=match)),
        (
            "MatchServiceValidateMove",
            lambda match: matches_pb2.MatchServiceValidateMoveRequest(match_id=match, move=move),
        ),
        ("PlayMove", lambda match: matches_pb2.PlayMoveRequest(match_id=match, move=move, expected_revision=9)),
        ("ListEvents", lambda match: matches_pb2.ListEventsRequest(match_id=match, cursor="9.9")),
        ("GetRecord", lambda match: matches_pb2.GetRecordRequest(match_id=match)),
        ("ContributeSeed", lambda match: matches_pb2.ContributeSeedRequest(match_id=match, client_seed="x")),
        ("ListShuffles", lambda match: matches_pb2.ListShufflesRequest(match_id=match)),
        ("RotateKey", lambda match: matches_pb2.RotateKeyRequest(match_id=match)),
        ("AbortMatch", lambda match: matches_pb2.AbortMatchRequest(match_id=match)),
    ]
    for rpc, request in asked:
        nobody = transport(rpc, request("nobody"))
        assert "no_such_match" == nobody.code
        for key in ("", "nonsense", other.seat_keys[0].key, other.referee_key):
            assert nobody == transport(rpc, request(opened.match_id), key), (rpc, key)
    for key in (opened.seat_keys[0].key, opened.referee_key):
        assert 1 == transport("GetMatch", matches_pb2.GetMatchRequest(match_id=opened.match_id), key).revision
