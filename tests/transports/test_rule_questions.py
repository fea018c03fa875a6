"""Questions about part of a position, open hands, and invalid messages, over every transport."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from chitarrella.api.caller import Caller
from chitarrella.api.converters import write_page_token
from chitarrella.api.status import MAX_TEXT, shortened
from chitarrella.catalogue.registry import Catalogue, UnknownGame
from chitarrella.i18n.table_words import choice_names, words_of
from chitarrella.i18n.translator import LANGUAGES, translator_for
from chitarrella.transports.inprocess import Service, channel
from chitarrella.v1 import catalogue_pb2, matches_pb2, rules_pb2, table_pb2
from chitarrella.v1 import rules_pb2 as pb
from tests.transports.all_transports import RPCS, Failed, Transport, grpc_opened
from tests.transports.conftest import WiredService
from tests.transports.rest_client import Rest, failed
from tests.walks import CATALOGUE

BRISCOLA = table_pb2.RuleSet(game_id="briscola")
HARJAN = table_pb2.RuleSet(game_id="harjan")
FRENCH_CARDS = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]


def test_stateless_trick_questions(transport: Transport) -> None:
    """HA-EX8: a trick of several cards is taken by who beats every one led; EL-EX2: duties that wait for the stock."""
    harjan, elfern = (table_pb2.RuleSet(game_id=game) for game in ("harjan", "elfern"))
    for cards, place in ((["Th", "8h", "3h", "Ah", "2d", "3d"], 0), (["Qs", "Kd", "As", "Ad"], 2)):
        taken = transport("ResolveTrick", rules_pb2.ResolveTrickRequest(rule_set=harjan, cards=cards, trump="c"))
        assert (place, cards[place]) == (taken.winning_index, taken.winning_card)
    hand = ["Ad", "9c", "Kh"]
    for stock_left, free in ((True, 3), (False, 1)):
        asking = rules_pb2.ListPlayableCardsRequest(rule_set=elfern, hand=hand, trick=["8d"], stock_left=stock_left)
        assert free == sum(not move.refusals for move in transport("ListPlayableCards", asking).moves)


@pytest.mark.parametrize(
    ("rpc", "request_", "field"),
    [
        ("ResolveTrick", rules_pb2.ResolveTrickRequest(rule_set=BRISCOLA, cards=["Ab", "Ab"]), "cards"),
        ("ResolveTrick", rules_pb2.ResolveTrickRequest(rule_set=BRISCOLA, cards=["Ab", "3b", "4b"]), "cards"),
        ("ScoreCards", rules_pb2.ScoreCardsRequest(rule_set=BRISCOLA, cards=["Ab", "3b", "Ab"]), "cards"),
        (
            "ListPlayableCards",
            rules_pb2.ListPlayableCardsRequest(rule_set=BRISCOLA, hand=["Ab"], trick=["Ab"]),
            "hand",
        ),
        (
            "ListPlayableCards",
            rules_pb2.ListPlayableCardsRequest(rule_set=BRISCOLA, hand=["Ab"], trick=["3b", "4b"]),
            "trick",
        ),
        ("ListPlayableCards", rules_pb2.ListPlayableCardsRequest(rule_set=HARJAN, hand=FRENCH_CARDS), "hand"),
        (
            "ListPlayableCards",
            rules_pb2.ListPlayableCardsRequest(rule_set=HARJAN, hand=FRENCH_CARDS[:6], trick=FRENCH_CARDS[6:13]),
            "trick",
        ),
    ],
    ids=[
        "card twice in a trick",
        "trick too long",
        "card twice among cards taken",
        "card twice",
        "trick complete",
        "hand larger than any that is dealt",
        "more cards led than a hand has",
    ],
)
def test_impossible_cards_are_refused(transport: Transport, rpc: str, request_: Any, field: str) -> None:
    """A card cannot lie there twice, and no trick or hand has more cards than in any deal of the game."""
    assert Failed("bad_position", field) == transport(rpc, request_)


def test_moves_of_a_dummy_are_public(transport: Transport) -> None:
    """CO, section 5: the hand of a dummy lies open, and so does what may be played from it, for everybody."""
    rule_set = table_pb2.RuleSet(game_id="coech", players=2, options={"first_dealer": "1"})
    opened = transport("CreateMatch", matches_pb2.CreateMatchRequest(rule_set=rule_set))
    keys = {one.seat: one.key for one in opened.seat_keys}
    asking = matches_pb2.ListMatchMovesRequest(match_id=opened.match_id, seat=2)
    legal = [transport("ListMatchMoves", asking, key) for key in ("", keys[1], keys[0])]
    assert legal[0].moves
    assert {2} == {move.seat for move in legal[0].moves}
    assert [list(legal[0].moves)] * 3 == [list(each.moves) for each in legal]
    explained = transport("ExplainMatchHand", matches_pb2.ExplainMatchHandRequest(match_id=opened.match_id, seat=2))
    assert {2} == {each.move.seat for each in explained.moves}
    hidden = matches_pb2.ListMatchMovesRequest(match_id=opened.match_id, seat=1)
    assert ["not_your_seat", "key_needed"] == [transport("ListMatchMoves", hidden, key).code for key in (keys[0], "")]


def test_many_violations_fit_into_the_headers(transport: Transport) -> None:
    """Details travel as headers over gRPC: of very many fields at fault so many are named that there is room."""
    start = transport("StartGame", rules_pb2.StartGameRequest(rule_set=BRISCOLA))
    requests = [rules_pb2.SeatMove(seat=99) for _ in range(300)]
    failed = transport("ApplyMoves", rules_pb2.ApplyMovesRequest(position=start.position, moves=requests))
    assert "bad_request" == failed.code
    briscola = table_pb2.RuleSet(game_id="briscola", options={"x" * 40_000: "yes"})
    assert transport("StartGame", rules_pb2.StartGameRequest(rule_set=briscola)).code in ("bad_request", "bad_option")


def test_long_text_ends_with_an_ellipsis_after_a_word(wired: WiredService) -> None:
    """A text that is cut for the headers of gRPC says so: it ends after a whole word, with an ellipsis."""
    with grpc_opened(wired) as address, grpc.insecure_channel(address) as channel:
        path = "/chitarrella.v1.CatalogueService/GetGame"
        with pytest.raises(grpc.RpcError) as failed:
            channel.unary_unary(path)(b"\x0a\x06bridge", timeout=10)  # type: ignore[arg-type]  # bytes, as they are
        text = cast(Any, failed.value).details()
    with pytest.raises(UnknownGame) as unknown:
        Catalogue().game("bridge")
    kept = text.removesuffix("\N{HORIZONTAL ELLIPSIS}")
    assert 150 < len(text) <= MAX_TEXT
    assert text != kept
    assert str(unknown.value).startswith(kept)
    assert not str(unknown.value)[len(kept)].isalnum()
    assert "x" * (MAX_TEXT - 1) + "\N{HORIZONTAL ELLIPSIS}" == shortened("x" * 500)
    assert "x" * MAX_TEXT == shortened("x" * MAX_TEXT)


def test_invalid_move_of_a_list_is_named(transport: Transport) -> None:
    """Of several moves it is said which one lacks its seat, or has one too many."""
    start = transport("StartGame", rules_pb2.StartGameRequest(rule_set=BRISCOLA))
    play, shuffle = (
        table_pb2.Move(verb="play_card", cards=["Ab"]),
        table_pb2.Move(verb=start.chance_request.verb, cards=["Ab"]),
    )
    for wrong in (rules_pb2.SeatMove(move=play), rules_pb2.SeatMove(seat=0, move=shuffle)):
        requests = [rules_pb2.SeatMove(seat=0, move=play), wrong]
        failed = transport("ApplyMoves", rules_pb2.ApplyMovesRequest(position=start.position, moves=requests))
        assert Failed("malformed_move", "moves[1].seat") == failed


@pytest.mark.parametrize("rpc", ["GetMatch", "WatchMatch"])
@pytest.mark.parametrize(
    ("sent", "header", "code", "expected"),
    [
        (b"\x0a\xff", "Bearer key", grpc.StatusCode.INVALID_ARGUMENT, "bad_request"),
        (b"\x0a\x01m" + bytes(1024 * 1024), "Bearer key", grpc.StatusCode.RESOURCE_EXHAUSTED, "too_large"),
        (b"", "Basic dTpw", grpc.StatusCode.UNAUTHENTICATED, "bad_key"),
    ],
)
def test_malformed_grpc_calls_are_the_callers_fault(
    wired: WiredService, rpc: str, sent: bytes, header: str, code: grpc.StatusCode, expected: str
) -> None:
    """Bytes that are no message, and a header that is no key, are the caller's fault over gRPC too, and told so."""
    path = f"/chitarrella.v1.MatchService/{rpc}"
    with grpc_opened(wired) as address, grpc.insecure_channel(address) as channel:
        ask: Any = channel.unary_unary(path) if rpc == "GetMatch" else channel.unary_stream(path)
        with pytest.raises(grpc.RpcError) as failed:
            list(ask(sent, metadata=(("authorization", header),)))
        assert (code, expected) == (cast(Any, failed.value).code(), reason(failed.value))


@pytest.mark.parametrize("kind", ["unary_unary", "unary_stream", "stream_unary", "stream_stream"])
@pytest.mark.parametrize("path", ["/chitarrella.v1.MatchService/DealMeAnAce", "/somebody.else.Service/Get"])
def test_unknown_rpc_has_a_reason_code(wired: WiredService, path: str, kind: str) -> None:
    """A call of an rpc that there is not ends as UNIMPLEMENTED with the code that REST has for an unknown path."""
    with grpc_opened(wired) as address, grpc.insecure_channel(address) as channel:
        call = getattr(channel, kind)(path)
        request = iter([b"x", b"y"]) if kind.startswith("stream") else b"x"
        with pytest.raises(grpc.RpcError) as failed:
            list(call(request, timeout=10))
        assert (grpc.StatusCode.UNIMPLEMENTED, "no_such_route") == (
            cast(Any, failed.value).code(),
            reason(failed.value),
        )


def reason(error: grpc.RpcError) -> str:
    """The reason code in the details of a failed call."""
    status, info = rpc_status.from_call(cast(Any, error)), error_details_pb2.ErrorInfo()
    assert status is not None
    assert status.details[0].Unpack(info)
    return str(info.reason)


def test_invalid_key_header_in_process() -> None:
    """So it is without a server."""
    metadata = (("authorization", "Basic dTpw"),)
    with channel() as inside:
        for ask in (inside.unary_unary, inside.unary_stream):
            rpc = "GetMatch" if ask == inside.unary_unary else "WatchMatch"
            request = RPCS[rpc].request(match_id="nobody")
            call: Any = ask(f"/chitarrella.v1.MatchService/{rpc}", RPCS[rpc].request.SerializeToString, bytes)
            with pytest.raises(grpc.RpcError) as failed:
                list(call(request, metadata=metadata))
            assert grpc.StatusCode.UNAUTHENTICATED == cast(Any, failed.value).code()


def test_invalid_page_token_is_refused(transport: Transport) -> None:
    """What is no page_token of the call, a key or the token of another call, is refused; a token is not a key."""
    for token in (
        "zzz",
        "madrasso",
        "é",
        write_page_token("ListMatches", "madrasso"),
        write_page_token("ListGames", "x"),
    ):
        asked = catalogue_pb2.ListGamesRequest(page_token=token)
        assert Failed("bad_request", "page_token") == transport("ListGames", asked)
    page = transport("ListGames", catalogue_pb2.ListGamesRequest(page_size=17))
    assert page.games[-1].game_id not in page.next_page_token
    (last,) = transport("ListGames", catalogue_pb2.ListGamesRequest(page_token=page.next_page_token)).games
    assert "zifuli" == last.game_id


def test_catalogue_names_the_default_number_of_players(transport: Transport) -> None:
    """The catalogue says which number of players an agreement has that names none."""
    listed = transport("ListGames", catalogue_pb2.ListGamesRequest(page_size=100)).games
    for game in listed:
        rule_set = table_pb2.RuleSet(game_id=game.game_id)
        opened = transport("CreateMatch", matches_pb2.CreateMatchRequest(rule_set=rule_set))
        assert game.default_players == len(opened.seat_keys)


def test_proof_of_a_lot_names_its_game(transport: Transport) -> None:
    """Also the proof of a lot names the game it was drawn for."""
    asking = rules_pb2.VerifyShuffleRequest(
        game_id="bridge", commitment="0" * 64, nonce="0" * 64, number=1, lots=[0, 1], amount=1
    )
    assert Failed("unknown_game", "game_id") == transport("VerifyShuffle", asking)


def test_every_move_of_a_game_is_described(transport: Transport) -> None:
    """Also one that there is only where a table has agreed upon it, such as drawing seats from half a pack."""
    for game in ("cucu", "lu-stu"):
        moves = transport("GetGame", catalogue_pb2.GetGameRequest(game_id=game)).moves
        assert "draw_seats" in {move.verb for move in moves}


def test_cards_suits_and_partners_of_a_game(transport: Transport) -> None:
    """GetGame describes each card by the suit that it counts as; dummies sit with the side of their partner."""
    coech = transport("GetGame", catalogue_pb2.GetGameRequest(game_id="coech"))
    hunter = next(card for card in coech.cards if card.code == "XIV")
    assert ("hunter", "pictures", "XIV", 8, 2, 2, "/cards/cucco/XIV.svg") == (
        *(hunter.name, hunter.suit, hunter.rank, hunter.order),
        *(hunter.points, hunter.copies, hunter.picture_url),
    )
    assert [("numbers", "numbers"), ("pictures", "pictures")] == [(suit.code, suit.name) for suit in coech.suits]
    assert {2: [[0, 2], [1, 3]], 3: [[0, 2], [1, 3]], 4: [[0, 2], [1, 3]]} == partners(coech)
    assert {"pack": "nobody", "hand": "owner", "trick": "everybody"}.items() <= {
        (zone.name, zone.seen_by) for zone in coech.zones if zone.description
    }
    assert {4: [[0, 2], [1, 3]]} == partners(transport("GetGame", catalogue_pb2.GetGameRequest(game_id="briscola")))
    cucu = transport("GetGame", catalogue_pb2.GetGameRequest(game_id="cucu"))
    assert ({}, [], {False}) == (partners(cucu), list(cucu.suits), {card.HasField("points") for card in cucu.cards})


def partners(game: Any) -> dict[int, list[list[int]]]:
    """The seats of each side by number of players."""
    return {each.players: [list(side.seats) for side in each.sides] for each in game.partnerships}


def test_legal_moves_depend_on_the_rule_set(transport: Transport) -> None:
    """What may be done in a position hangs on its agreement, whatever was asked before; under others it may be none."""
    tricks = "1/Cb,7b/1;1/Ab,3c/1;1/Fc,Ac/0;0/Rd,3s/1;1/Rb,2b/1;1/5s,6s/0;0/4d,2d/0;0/3d,6c/0;0/As,4s/0;0/Fd,6b/0"
    tricks += ";0/Rc,2c/0;0/6d,4b/0;0/Ad,Cd/0;0/Fs,Rs/1;1/5b,Fb/0;0/7d,5c/0;0/Cs,7c/0"
    line = f"phase=play deal=1 wins=0,0 hands=7s,5d/3b,4c,2s turn_up=2s trump=s trick=Cc tricks={tricks}"

    def legal(players: int, **options: str) -> Any:
        rule_set = table_pb2.RuleSet(game_id="brisca", players=players, options=options)
        position = rules_pb2.Position(rule_set=rule_set, text=line)
        return transport("ListLegalMoves", rules_pb2.ListLegalMovesRequest(position=position))

    for _ in range(2):
        assert [3, 1] == [len(legal(2, follow=follow).moves) for follow in ("free", "follow")]
        assert Failed("bad_position", "position.text") == legal(3)


# ---------------------------------------------------------------------- apply moves


RULES = "/chitarrella.v1.RulesService"
MADRASSO = table_pb2.RuleSet(game_id="madrasso")


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """A service in this process."""
    one = Service()
    yield one
    one.close()


def ask(service: Service, rpc: str, request: Any) -> Any:
    """The answer of an rpc of `RulesService`."""
    return service.dispatcher.answer(f"{RULES}/{rpc}", request, Caller())


def deal(game: str) -> pb.SeatMove:
    """The pack of a game in its canonical order."""
    return pb.SeatMove(move=table_pb2.Move(verb="start_deal", cards=CATALOGUE.game(game).pack.cards))


def test_applied_moves_come_with_the_next_legal_ones(service: Service) -> None:
    """After the moves the response has the seat to move and its legal moves, the same as ListLegalMoves."""
    start = ask(service, "StartGame", pb.StartGameRequest(rule_set=table_pb2.RuleSet(game_id="briscola")))
    applied = ask(service, "ApplyMoves", pb.ApplyMovesRequest(position=start.position, moves=[deal("briscola")]))
    listed = ask(service, "ListLegalMoves", pb.ListLegalMovesRequest(position=applied.position))
    assert listed.seat == applied.view.turn
    assert listed.moves
    assert list(listed.moves) == list(applied.legal_moves)


def test_questions_of_a_batch_build_on_earlier_ones(service: Service) -> None:
    """A question takes the position of an earlier answer; one without a position, or a later one, is an error."""
    start = pb.Question(start_game=pb.StartGameRequest(rule_set=table_pb2.RuleSet(game_id="briscola")))
    dealt = pb.Question(apply_moves=pb.ApplyMovesRequest(moves=[deal("briscola")]), position_of=0)
    listed = pb.Question(list_legal_moves=pb.ListLegalMovesRequest(), position_of=1)
    wrong = [pb.Question(list_legal_moves=pb.ListLegalMovesRequest(), position_of=index) for index in (2, 3, 9)]
    scored = pb.Question(score_cards=pb.ScoreCardsRequest(rule_set=MADRASSO, cards=["Ab"]), position_of=0)
    answers = ask(service, "Batch", pb.BatchRequest(questions=[start, dealt, listed, *wrong, scored])).answers
    assert list(answers[1].apply_moves.legal_moves) == list(answers[2].list_legal_moves.moves) != []
    assert [("bad_request", "position_of")] * 4 == [(one.error.code, one.error.field) for one in answers[3:]]


def test_every_penalty_is_given(service: Service) -> None:
    """Madrasso with penalized revokes: the price of an accepted move stands with its index, not among the refusals."""
    options = {option.name for option in CATALOGUE.game("madrasso").options}
    (revokes,) = [name for name in options if "revoke" in name]
    rule_set = table_pb2.RuleSet(game_id="madrasso", options={revokes: "penalize"})
    start = ask(service, "StartGame", pb.StartGameRequest(rule_set=rule_set))
    position, revoke = start.position, False
    while True:
        response = ask(service, "ListLegalMoves", pb.ListLegalMovesRequest(position=position))
        if response.HasField("chance_request"):
            chance = response.chance_request
            amount = chance.amounts[0] if chance.amounts else None
            move = pb.SeatMove(move=table_pb2.Move(verb=chance.verb, cards=chance.cards, amount=amount))
        else:
            explained = ask(service, "ExplainHand", pb.ExplainHandRequest(position=position)).moves
            penal = [one.move for one in explained if one.refusals and all(no.penalty for no in one.refusals)]
            move = pb.SeatMove(seat=response.seat, move=(penal or response.moves)[0])
            revoke = bool(penal)
        applied = ask(service, "ApplyMoves", pb.ApplyMovesRequest(position=position, moves=[move]))
        assert (1, []) == (applied.applied, list(applied.refusals))
        if revoke:
            break
        assert not applied.penalties
        position = applied.position
    (penalty,) = applied.penalties
    assert (0, ["must_follow_suit"]) == (penalty.index, [refusal.code for refusal in penalty.refusals])
    assert all(refusal.penalty for refusal in penalty.refusals)


# ---------------------------------------------------------------------- table words


WORDS_GAME = Catalogue().game("briscola")


@pytest.fixture
def curl(rest: str) -> Rest:
    """A caller without a key."""
    return Rest(rest)


@pytest.mark.parametrize("code", LANGUAGES)
def test_words_are_those_of_the_catalogue_of_texts(curl: Rest, code: str) -> None:
    """The words are served in each language, to pages of every origin, with a tag; suits are those of the pack."""
    answer = curl.get(f"/words/briscola/{code}.json")
    assert (200, "*") == (answer.status_code, answer.headers["Access-Control-Allow-Origin"])
    translator = translator_for(code)
    options = [(option.name, option.choices) for option in WORDS_GAME.options]
    names = choice_names(
        translator,
        options,
        {card: translator.card(card, WORDS_GAME.pack) for card in WORDS_GAME.pack.cards},
    )
    assert words_of(translator, "Italian", names) == answer.json()
    again = curl.get(f"/words/briscola/{code}.json", headers={"If-None-Match": answer.headers["ETag"]})
    assert 304 == again.status_code


def test_no_words_of_unknown_games_and_languages(curl: Rest) -> None:
    """A game that there is not, and a language that the service does not speak, are not found."""
    failed(curl.get("/words/poker/it.json"), 404, "unknown_game", "game_id")
    failed(curl.get("/words/briscola/fr.json"), 404, "no_such_route")
