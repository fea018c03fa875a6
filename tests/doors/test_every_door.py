"""One suite through every door: recorded games, whole matches, and every kind of error come out the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from google.protobuf.message import Message

from chitarrella.catalogue import Agreement
from chitarrella.notation import read_move
from chitarrella.v1 import catalogue_pb2, matches_pb2, rules_pb2, table_pb2
from chitarrella.wire import agreement_message, move_message
from tests.doors.every import Door, Failed
from tests.kit import CATALOGUE
from tests.records.cases import CourseCase, DealCase, course, deals


def said(agreement: Agreement, seat: int, text: str) -> rules_pb2.SeatMove:
    """Write a move of the notation as a message."""
    return rules_pb2.SeatMove(seat=seat, move=move_message(read_move(CATALOGUE.seat(agreement), text)))


def dealt(case: DealCase) -> rules_pb2.SeatMove:
    """Write the pack of a recorded deal as the table's move."""
    return rules_pb2.SeatMove(move=table_pb2.Move(verb="start_deal", cards=case.pack))


def points(view: table_pb2.View) -> tuple[int, ...]:
    """Read what each seat has taken from a view."""
    return tuple(fact.number for fact in view.facts if fact.name == "card_points")


# ---------------------------------------------------------------------- recorded games


@pytest.mark.parametrize("case", deals(), ids=lambda case: case.id)
def test_a_recorded_deal_is_judged(door: Door, case: DealCase) -> None:
    """The stateless service plays a recorded deal to the recorded tricks, points and winner."""
    start = door("StartGame", rules_pb2.StartGameRequest(agreement=agreement_message(case.agreement)))
    moves = [dealt(case), *(said(case.agreement, *move) for move in case.moves)]
    played = door("PlayMoves", rules_pb2.PlayMovesRequest(position=start.position, moves=moves))
    assert (len(moves), []) == (played.played, list(played.refusals))
    taken = [event.seat for event in played.events if event.kind == "trick_taken"]
    assert [trick.winner for trick in case.tricks] == taken
    assert case.points == tuple(played.points)
    assert case.winners == (frozenset(played.view.outcome.winners) if played.view.HasField("outcome") else None)


@pytest.mark.parametrize("case", deals(), ids=lambda case: case.id)
def test_a_recorded_deal_is_kept(door: Door, case: DealCase) -> None:
    """A kept match played from the recorded pack, each seat with its key, ends as it was recorded."""
    opened = door(
        "CreateMatch",
        matches_pb2.CreateMatchRequest(
            agreement=agreement_message(case.agreement), pack=case.pack, pack_source=matches_pb2.PACK_SOURCE_REFEREE
        ),
    )
    keys = {entry.seat: entry.key for entry in opened.seat_keys}
    taken: list[int] = []
    for number, (seat, text) in enumerate(case.moves):
        wish = said(case.agreement, seat, text).move
        request_id = f"{case.id}-{number}"[-64:]
        play = matches_pb2.PlayMoveRequest(match=opened.match, move=wish, request_id=request_id)
        played = door("PlayMove", play, keys[seat])
        assert played.accepted, (text, played)
        taken += [event.seat for event in played.events if event.kind == "trick_taken"]
    assert [trick.winner for trick in case.tricks] == taken
    view = door("GetMatch", matches_pb2.GetMatchRequest(match=opened.match)).view
    assert case.points == points(view)
    assert case.winners == (frozenset(view.outcome.winners) if view.HasField("outcome") else None)


@pytest.mark.parametrize("case", course(), ids=lambda case: case.id)
def test_a_case_of_the_course(door: Door, case: CourseCase) -> None:
    """From a state of the course both services come to the course's state, or to its winner with his points."""
    agreement = agreement_message(case.agreement)
    position = rules_pb2.Position(agreement=agreement, line=case.position)
    moves = [said(case.agreement, *move) for move in case.moves]
    played = door("PlayMoves", rules_pb2.PlayMovesRequest(position=position, moves=moves))
    assert len(moves) == played.played
    check(case, played.view)

    opened = door("CreateMatch", matches_pb2.CreateMatchRequest(agreement=agreement, position=case.position))
    for wish in moves:
        play = matches_pb2.PlayMoveRequest(match=opened.match, seat=wish.seat, move=wish.move)
        assert door("PlayMove", play, opened.referee_key).accepted
    check(case, door("GetMatch", matches_pb2.GetMatchRequest(match=opened.match), opened.referee_key).view)


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
def test_a_deal_of_every_game(door: Door, game: str) -> None:
    """Any game is played through its first deal by moves from its own list, and no move of the list is refused."""
    opened = door("CreateMatch", matches_pb2.CreateMatchRequest(agreement=table_pb2.Agreement(game=game)))
    asking = matches_pb2.ListMatchMovesRequest(match=opened.match)
    for _ in range(60):
        listed = door("ListMatchMoves", asking, opened.referee_key)
        if not listed.HasField("seat"):
            break
        play = matches_pb2.PlayMoveRequest(
            match=opened.match, seat=listed.seat, move=listed.moves[-1], expected_revision=listed.revision
        )
        assert door("PlayMove", play, opened.referee_key).accepted
    assert not isinstance(door("GetMatch", matches_pb2.GetMatchRequest(match=opened.match)), Failed)


# ---------------------------------------------------------------------- errors and refusals

BRISCOLA = table_pb2.Agreement(game="briscola")


def agreed(**how: object) -> rules_pb2.StartGameRequest:
    """Ask for the beginning of a game."""
    return rules_pb2.StartGameRequest(agreement=table_pb2.Agreement(**{"game": "briscola", **how}))  # type: ignore[arg-type]


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
def test_what_is_wrong_has_a_code(door: Door, rpc: str, request_: Message, code: str, field: str) -> None:
    """Each thing that can be wrong about a request has one code and names one field, on every door."""
    failed = door(rpc, request_)
    assert (code, field.replace("_", "")) == (failed.code, failed.field.replace("_", "").lower())


def test_what_is_wrong_at_a_table(door: Door) -> None:
    """Keys, seats, revisions and request ids that do not fit have their codes; a refused move is an answer."""
    opened = door("CreateMatch", matches_pb2.CreateMatchRequest(agreement=BRISCOLA))
    match, key = opened.match, opened.seat_keys[0].key
    other = opened.seat_keys[1].key
    listed = door("ListMatchMoves", matches_pb2.ListMatchMovesRequest(match=match), other)
    seat, move, another = listed.seat, listed.moves[0], listed.moves[1]
    play = matches_pb2.PlayMoveRequest

    def code(request: Message, with_key: str, rpc: str = "PlayMove") -> str:
        answer = door(rpc, request, with_key)
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
    assert 1 == door("GetMatch", matches_pb2.GetMatchRequest(match=match)).revision
    first = door("PlayMove", play(match=match, move=move, request_id="a" * 16), other)
    again = door("PlayMove", play(match=match, move=move, request_id="a" * 16), other)
    assert (True, False, True) == (first.accepted, first.repeated_request, again.repeated_request)
    assert list(first.events) == list(again.events)
    assert "request_reused" == code(play(match=match, move=another, request_id="a" * 16), other)
    door("EndMatch", matches_pb2.EndMatchRequest(match=match), opened.referee_key)
    assert "match_ended" == code(play(match=match, move=another), other)


def test_a_draw_is_proved(door: Door) -> None:
    """What was promised before a shared pack is what it follows from, and the proof is told when all lies open."""
    shared = matches_pb2.PACK_SOURCE_SHARED
    opened = door("CreateMatch", matches_pb2.CreateMatchRequest(agreement=BRISCOLA, pack_source=shared))
    match, keys = opened.match, {one.seat: one.key for one in opened.seat_keys}
    say = matches_pb2.ContributeToDealRequest
    assert "key_needed" == door("ContributeToDeal", say(match=match, word="x")).code
    assert "bad_request" == door("ContributeToDeal", say(match=match, word="x\ny"), keys[0]).code
    assert "bad_request" == door("ContributeToDeal", say(match=match), keys[0]).code
    assert [0] == list(door("ContributeToDeal", say(match=match, word="my word"), keys[1]).words_awaited)
    assert [0] == list(door("GetMatch", matches_pb2.GetMatchRequest(match=match)).words_awaited)
    assert [] == list(door("ContributeToDeal", say(match=match, word="è mio"), keys[0]).words_awaited)
    assert "no_draw_awaited" == door("ContributeToDeal", say(match=match, word="late"), keys[0]).code
    hidden = door("ListDraws", matches_pb2.ListDrawsRequest(match=match), keys[0]).draws[0]
    assert (opened.next_commitment, "", []) == (hidden.commitment, hidden.nonce, list(hidden.cards))
    while (listed := door("ListMatchMoves", matches_pb2.ListMatchMovesRequest(match=match), opened.referee_key)).moves:
        play = matches_pb2.PlayMoveRequest(match=match, seat=listed.seat, move=listed.moves[0])
        assert door("PlayMove", play, opened.referee_key).accepted
    (draw,) = door("ListDraws", matches_pb2.ListDrawsRequest(match=match)).draws
    assert ["è mio", "my word"] == [one.word for one in draw.words]
    assert opened.next_commitment == draw.commitment
    proof = {"commitment": draw.commitment, "nonce": draw.nonce, "number": draw.number, "words": draw.words}
    fair = door("VerifyDraw", rules_pb2.VerifyDrawRequest(game="briscola", cards=draw.cards, **proof))
    assert (True, "") == (fair.fair, fair.code)
    unfair = door("VerifyDraw", rules_pb2.VerifyDrawRequest(game="briscola", cards=draw.cards[::-1], **proof))
    assert (False, "order_mismatch") == (unfair.fair, unfair.code)
    assert "unknown_game" == door("VerifyDraw", rules_pb2.VerifyDrawRequest(game="bridge", cards=["Ab"], **proof)).code
    assert "bad_request" == door("VerifyDraw", rules_pb2.VerifyDrawRequest(game="briscola", **proof)).code


def test_a_stranger_learns_nothing_of_a_private_match(door: Door) -> None:
    """Without one of its keys a private match sounds like none, whatever is asked; with a key it is like any other."""
    opened = door("CreateMatch", matches_pb2.CreateMatchRequest(agreement=BRISCOLA, private=True))
    other = door("CreateMatch", matches_pb2.CreateMatchRequest(agreement=BRISCOLA))
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
        nobody = door(rpc, request("nobody"))
        assert "no_such_match" == nobody.code
        for key in ("", "nonsense", other.seat_keys[0].key, other.referee_key):
            assert nobody == door(rpc, request(opened.match), key), (rpc, key)
    for key in (opened.seat_keys[0].key, opened.referee_key):
        assert 1 == door("GetMatch", matches_pb2.GetMatchRequest(match=opened.match), key).revision
