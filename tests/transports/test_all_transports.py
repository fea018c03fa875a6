"""Every kind of error, over all transports."""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.transports.all_transports import Failed, Transport
from tests.walks import CATALOGUE

BRISCOLA, HARJAN = {"game_id": "briscola"}, {"game_id": "harjan"}
COECH = {"game_id": "coech"}
START = {"rule_set": BRISCOLA, "text": (GAME := CATALOGUE.game("briscola")).encode(GAME.start())}
PLAYED: dict[str, Any] = {"seat": 0, "move": {"verb": "play_card", "cards": ["Ab"]}}
FOR_DUMMY = {"seat": 0, "move": {"verb": "play_card", "cards": ["Ab"], "dummy_seat": 1}}
SHUFFLED = {"seat": 0, "move": {"verb": "start_deal", "cards": ["Ab"]}}
MANY = [{"seat": 99}] * 300
PROOF: dict[str, Any] = {"commitment": "0" * 64, "nonce": "0" * 64, "number": 1}
BOTS = [{"seat": 0, "bot": "random"}, {"seat": 99, "bot": "random"}]

WRONG: list[tuple[str, dict[str, Any], str, str]] = [
    ("GetGame", {"game_id": "bridge"}, "unknown_game", "game_id"),
    ("ListGames", {"page_size": 101}, "bad_request", "page_size"),
    ("StartGame", {}, "bad_request", "rule_set"),
    ("StartGame", {"rule_set": {"game_id": "bridge"}}, "unknown_game", "rule_set.game_id"),
    ("StartGame", {"rule_set": {**BRISCOLA, "players": 7}}, "bad_players", "rule_set.players"),
    ("StartGame", {"rule_set": {**BRISCOLA, "edition": 9}}, "edition_not_supported", "rule_set.edition"),
    ("StartGame", {"rule_set": {**BRISCOLA, "options": {"joker": "yes"}}}, "bad_option", "rule_set.options.joker"),
    (
        *("StartGame", {"rule_set": {**BRISCOLA, "options": {"x" * 40_000: "yes"}}}),
        *("bad_request", f"rule_set.options.{'x' * 100}"),
    ),
    (
        *("StartGame", {"rule_set": {**BRISCOLA, "options": {"rubber_games": "0"}}}),
        *("bad_option", "rule_set.options.rubber_games"),
    ),
    ("ScoreCards", {"rule_set": BRISCOLA, "cards": ["Zz"]}, "unknown_card", "cards"),
    ("ScoreCards", {"rule_set": BRISCOLA, "cards": ["Ab", "3b", "Ab"]}, "bad_position", "cards"),
    ("ResolveTrick", {"rule_set": BRISCOLA, "cards": ["Ab"], "trump": "x"}, "unknown_suit", "trump"),
    ("ResolveTrick", {"rule_set": COECH, "cards": ["III", "LEO"], "trump": "pictures"}, "unknown_suit", "trump"),
    ("ResolveTrick", {"rule_set": BRISCOLA, "cards": ["Ab", "Ab"]}, "bad_position", "cards"),
    ("ResolveTrick", {"rule_set": BRISCOLA, "cards": ["Ab", "3b", "4b"]}, "bad_position", "cards"),
    ("ResolveTrick", {"rule_set": {"game_id": "cucu"}, "cards": ["I", "II"]}, "no_tricks", "rule_set.game_id"),
    ("ScoreCards", {"rule_set": {"game_id": "cucu"}, "cards": ["I"]}, "no_tricks", "rule_set.game_id"),
    ("VerifyShuffle", {"game_id": "briscola", "cards": ["Ab", "Ab"], **PROOF}, "bad_cards", "cards"),
    ("VerifyShuffle", {"game_id": "bridge", "cards": ["Ab"], **PROOF}, "unknown_game", "game_id"),
    ("VerifyShuffle", {"game_id": "bridge", "lots": [0, 1], "amount": 1, **PROOF}, "unknown_game", "game_id"),
    ("VerifyShuffle", {"game_id": "briscola", **PROOF}, "bad_request", "cards"),
    ("ListLegalMoves", {"position": {"rule_set": BRISCOLA, "text": "phase=play"}}, "bad_position", "position.text"),
    ("ApplyMoves", {"position": {"rule_set": BRISCOLA, "text": "x"}, "moves": MANY}, "bad_request", "moves[0].seat"),
    ("ApplyMoves", {"position": START, "moves": [PLAYED, {"move": PLAYED["move"]}]}, "malformed_move", "moves[1].seat"),
    ("ApplyMoves", {"position": START, "moves": [PLAYED, SHUFFLED]}, "malformed_move", "moves[1].seat"),
    ("ApplyMoves", {"position": START, "moves": [FOR_DUMMY]}, "malformed_move", "moves[0].move.dummy_seat"),
    ("CreateMatch", {"rule_set": BRISCOLA, "pack": ["Ab"]}, "bad_cards", "pack"),
    ("CreateMatch", {"rule_set": BRISCOLA, "request_id": "short"}, "bad_request", "request_id"),
    ("CreateMatch", {"rule_set": BRISCOLA, "labels": {"Cup": "x"}}, "bad_request", "labels.Cup"),
    ("CreateMatch", {"rule_set": BRISCOLA, "bots": BOTS}, "bad_request", "bots[1].seat"),
    ("GetMatch", {"match_id": "nobody"}, "no_such_match", "match_id"),
    ("ImportMatch", {"record": "once upon a time"}, "bad_record", "record"),
    ("ImportMatch", {"record": "game briscola\n0 play_card Ab"}, "bad_record", "record"),
    ("ImportMatch", {"record": "game briscola", "move_count": 1}, "bad_request", "move_count"),
]


@pytest.mark.parametrize(("rpc", "request_", "code", "field"), WRONG, ids=lambda value: str(value)[:24])
def test_invalid_request_has_one_code_and_field(
    transports: Sequence[Transport], rpc: str, request_: dict[str, Any], code: str, field: str
) -> None:
    """Each fault of a request has one code and names one field, in one spelling, on every transport."""
    (failed,) = {ask(rpc, **request_) for ask in transports}
    assert (code, field) == (failed.code, failed.field)


def test_invalid_keys_seats_and_revisions_have_codes(transport: Transport) -> None:
    """Keys, seats, revisions and request ids that do not fit have their codes; a refused move is an answer."""
    opened = transport("CreateMatch", rule_set=BRISCOLA)
    match, referee, (key, other) = opened.match.match_id, opened.referee_key, (one.key for one in opened.seat_keys)
    listed = transport("ListMatchMoves", match_id=match, key=other)
    seat, move, another = listed.seat, listed.moves[0], listed.moves[1]

    def code(rpc: str, with_key: str, **fields: Any) -> str:
        answer = transport(rpc, key=with_key, match_id=match, **fields)
        return f"{answer.code} {answer.field}".strip() if isinstance(answer, Failed) else answer.refusals[0].code

    for rpc, with_key, fields, expected in (
        ("PlayMove", "", {"move": move}, "key_needed authorization"),
        ("PlayMove", "nonsense", {"move": move}, "bad_key authorization"),
        ("PlayMove", "a b", {"move": move}, "bad_key authorization"),
        ("PlayMove", key, {"move": move, "seat": seat}, "not_your_seat seat"),
        ("PlayMove", key, {"move": move}, "not_your_turn"),
        ("PlayMove", other, {"move": {"verb": "play_card"}}, "malformed_move move.cards"),
        ("PlayMove", other, {"move": {"verb": "castle"}}, "malformed_move move.verb"),
        ("PlayMove", other, {"move": {"verb": "play_card", "cards": ["Zz"]}}, "unknown_card move.cards"),
        ("PlayMove", other, {"move": move, "expected_revision": 0}, "stale_revision expected_revision"),
        ("PlayMove", other, {"move": move, "expected_revision": 77}, "stale_revision expected_revision"),
        ("ListMatchMoves", "", {}, "key_needed authorization"),
        ("GetMatch", "nonsense", {}, "bad_key authorization"),
        ("GetMatch", key, {"seat": 1}, "not_your_seat seat"),
        ("GetMatch", referee, {"seat": 5}, "no_such_seat seat"),
        ("ContributeSeed", "", {"client_seed": "x"}, "key_needed authorization"),
        ("ContributeSeed", key, {"client_seed": "x\ny"}, "bad_request client_seed"),
        ("ContributeSeed", key, {"client_seed": ""}, "bad_request client_seed"),
        ("ContributeSeed", key, {"client_seed": "x"}, "no_shuffle_pending"),
        ("GetRecord", key, {}, "match_running"),
        ("AbortMatch", key, {}, "referee_only"),
        ("ListEvents", key, {"page_token": "x"}, "bad_cursor page_token"),
        ("ListEvents", key, {"page_token": "77.0"}, "moves_lost page_token"),
        ("WatchMatch", key, {"cursor": "77.0"}, "moves_lost cursor"),
        ("WatchMatch", key, {"cursor": "x"}, "bad_cursor cursor"),
        ("WatchMatch", "", {"seat": 1}, "key_needed authorization"),
        ("WatchMatch", "nonsense", {}, "bad_key authorization"),
    ):
        assert expected == code(rpc, with_key, **fields), (rpc, fields)
    assert 1 == transport("GetMatch", match_id=match).revision
    play: dict[str, Any] = {"match_id": match, "key": other, "request_id": "a" * 16}
    first, again = transport("PlayMove", move=move, **play), transport("PlayMove", move=move, **play)
    assert (True, False, True) == (first.accepted, first.repeated_request, again.repeated_request)
    assert list(first.events) == list(again.events)
    assert Failed("request_reused", "request_id") == transport("PlayMove", move=another, **play)
    transport("AbortMatch", match_id=match, key=referee)
    assert "match_aborted" == code("PlayMove", other, move=another) == code("GetRecord", other)


def test_private_match_is_unknown_without_a_key(transports: Sequence[Transport]) -> None:
    """Without one of its keys a private match is an unknown match to every call; with a key it is like any other."""
    ask = transports[0]
    opened, other = (ask("CreateMatch", rule_set=BRISCOLA, private=private) for private in (True, False))
    move = {"verb": "play_card", "cards": ["Ab"]}
    asked: dict[str, dict[str, Any]] = {
        "GetMatch": {}, "ListMatchMoves": {"seat": 0}, "ExplainMatchHand": {}, "ValidateMatchMove": {"move": move},
        "PlayMove": {"move": move, "expected_revision": 9}, "ListEvents": {"page_token": "9.9"}, "GetRecord": {},
        "ContributeSeed": {"client_seed": "x"}, "ListShuffles": {}, "RotateKey": {},
        "JoinMatch": {"player_name": "Ada"}, "ResignMatch": {}, "DecideMatch": {"reason": "x"}, "UpdateMatch": {},
        "PauseClock": {}, "AddTime": {"duration": {"seconds": 1}}, "AbortMatch": {},
    }  # fmt: skip
    for rpc, fields in asked.items():
        nobody = Failed("no_such_match", "match_id")
        assert {nobody} == {transport(rpc, match_id="nobody", **fields) for transport in transports}
        for key in ("", "nonsense", other.seat_keys[0].key, other.referee_key):
            found = {one(rpc, match_id=opened.match.match_id, key=key, **fields) for one in transports}
            assert {nobody} == found, (rpc, key)
    for key in (opened.seat_keys[0].key, opened.referee_key):
        assert 1 == ask("GetMatch", match_id=opened.match.match_id, key=key).revision
