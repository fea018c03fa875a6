"""Questions about the rules and the games, and the words of a table."""

from typing import Any, cast

import grpc
import pytest

from chitarrella import errors, v1
from chitarrella.api import rules
from chitarrella.api.converters import write_page_token
from chitarrella.api.status import MAX_TEXT, shortened, status_of
from chitarrella.catalogue.registry import UnknownGame
from chitarrella.i18n.table_words import choice_names, words_of
from chitarrella.i18n.translator import LANGUAGES, translator_for
from chitarrella.transports.inprocess import channel
from tests.transports.all_transports import RPCS, Failed, Transport, status_error
from tests.transports.rest_client import Rest, failed
from tests.walks import CATALOGUE

BRISCOLA = {"game_id": "briscola"}


def test_moves_of_a_dummy_are_public(transport: Transport) -> None:
    """CO, section 5: the hand of a dummy lies open, and so does what may be played from it, for everybody."""
    rule_set = {"game_id": "coech", "players": 2, "options": {"first_dealer": "1"}}
    opened = transport("CreateMatch", rule_set=rule_set)
    match, keys = opened.match.match_id, {one.seat: one.key for one in opened.seat_keys}
    legal = [transport("ListMatchMoves", match_id=match, seat=2, key=key).moves for key in ("", keys[1], keys[0])]
    assert {2} == {move.dummy_seat for move in legal[0]}
    assert [list(legal[0])] * 3 == [list(each) for each in legal]
    assert {2} == {each.move.dummy_seat for each in transport("ExplainMatchHand", match_id=match, seat=2).moves}
    hidden = [transport("ListMatchMoves", match_id=match, seat=1, key=key).code for key in (keys[0], "")]
    assert ["not_your_seat", "key_needed"] == hidden


def test_long_text_ends_with_an_ellipsis_after_a_word() -> None:
    """A text that is cut for the headers of gRPC says so: it ends after a whole word, with an ellipsis."""
    with pytest.raises(UnknownGame) as unknown:
        CATALOGUE.game("bridge")
    whole = str(unknown.value)
    text = status_of(errors.NotFound("unknown_game", whole)).message
    kept = text.removesuffix("\N{HORIZONTAL ELLIPSIS}")
    assert 150 < len(text) <= MAX_TEXT
    assert text != kept
    assert whole.startswith(kept)
    assert not whole[len(kept)].isalnum()
    assert "x" * (MAX_TEXT - 1) + "\N{HORIZONTAL ELLIPSIS}" == shortened("x" * 500)
    assert "x" * MAX_TEXT == shortened("x" * MAX_TEXT)


def test_invalid_key_header_in_process() -> None:
    """A header that is no key is UNAUTHENTICATED without a server too."""
    with channel() as inside:
        for ask, rpc in ((inside.unary_unary, "GetMatch"), (inside.unary_stream, "WatchMatch")):
            call: Any = ask(RPCS[rpc].path, RPCS[rpc].request.SerializeToString, bytes)
            with pytest.raises(grpc.RpcError) as refused:
                list(call(RPCS[rpc].request(match_id="nobody"), metadata=(("authorization", "Basic dTpw"),)))
            assert grpc.StatusCode.UNAUTHENTICATED == cast(Any, refused.value).code()


def test_invalid_page_token_is_refused(transport: Transport) -> None:
    """What is no page_token of the call, a key or the token of another call, is refused; a token is not a key."""
    of_others = write_page_token("ListMatches", "madrasso"), write_page_token("ListGames", "x")
    for token in ("zzz", "madrasso", "é", *of_others):
        assert Failed("bad_request", "page_token") == transport("ListGames", page_token=token)
    page = transport("ListGames", page_size=19)
    assert page.games[-1].game_id not in page.next_page_token
    assert ["zifuli"] == [game.game_id for game in transport("ListGames", page_token=page.next_page_token).games]


def test_catalogue_names_the_default_number_of_players(transport: Transport) -> None:
    """The catalogue says which number of players an agreement has that names none."""
    for game in transport("ListGames", page_size=100).games:
        opened = transport("CreateMatch", rule_set={"game_id": game.game_id})
        assert game.default_players == len(opened.seat_keys)


def test_cards_suits_moves_and_partners_of_a_game(transport: Transport) -> None:
    """GetGame describes each card by the suit that it counts as, every move, and the seats that play together."""
    names = "coech", "briscola", "cucu", "lu-stu"
    coech, briscola, cucu, lu_stu = (transport("GetGame", game_id=name) for name in names)
    hunter = next(card for card in coech.cards if card.code == "XIV")
    assert ("hunter", "pictures", "XIV", 8, 2, 2, "/cards/cucco/XIV.svg") == (
        *(hunter.name, hunter.suit, hunter.rank, hunter.order),
        *(hunter.points, hunter.copies, hunter.picture_path),
    )
    assert [("numbers", "numbers"), ("pictures", "pictures")] == [(suit.code, suit.name) for suit in coech.suits]
    assert {players: [[0, 2], [1, 3]] for players in (2, 3, 4)} == partners(coech)
    assert {"pack": "NOBODY", "hand": "OWNER", "trick": "EVERYBODY"}.items() <= {
        (zone.name, v1.Audience.Name(zone.seen_by).removeprefix("AUDIENCE_"))
        for zone in coech.zones
        if zone.description
    }
    assert {4: [[0, 2], [1, 3]]} == partners(briscola)
    assert ({}, [], {False}) == (partners(cucu), list(cucu.suits), {card.HasField("points") for card in cucu.cards})
    for game in (cucu, lu_stu):
        assert "draw_seats" in {move.verb for move in game.moves}, "also where a table has to agree upon it"


def test_a_game_is_described_for_a_rule_set(transport: Transport) -> None:
    """GetGame describes moves, cards and options of the players and options that it names, and refuses wrong ones."""
    summary = transport("GetGame", game_id="lu-stu").summary
    assert (v1.FAMILY_EXCHANGE, v1.SCORE_DIRECTION_HIGHER_WINS, ["en", "it", "de"]) == (
        *(summary.family, summary.score_direction),
        list(summary.languages),
    )
    alone, pairs = (transport("GetGame", game_id="briscola", players=players) for players in (2, 4))
    assert {"signals", "show_final_hand"} == {one.name for one in pairs.options} - {one.name for one in alone.options}
    target, limit, signals = (
        next(one for one in transport("GetGame", game_id=game).options if one.name == name)
        for game, name in (("briscola", "rubber_games"), ("coteccio", "doctor_limit"), ("briscola", "signals"))
    )
    assert ["INTEGER", "INTEGER", "CHOICE"] == [
        v1.OptionType.Name(one.type).removeprefix("OPTION_TYPE_") for one in (target, limit, signals)
    ]
    assert ("Signals", [4]) == (signals.label, list(signals.players))
    drawn = transport("GetGame", game_id="cucu", options=["seating=given"])
    assert "draw_seats" not in {move.verb for move in drawn.moves}
    dealt = next(each for each in drawn.events if each.kind == "dealt")
    assert ["seat", "cards", "hidden"] == list(dealt.fields)
    assert {"joined", "match_decided"} <= {each.kind for each in drawn.events}
    for more, code, field in (
        ({"players": 7}, "bad_players", "players"),
        ({"options": ["signals=loud"]}, "bad_option", "options.signals"),
        ({"options": ["signals"]}, "bad_request", "options[0]"),
    ):
        refused = transport("GetGame", game_id="briscola", **more)
        assert (code, field) == (refused.code, refused.field)


def partners(game: Any) -> dict[int, list[list[int]]]:
    return {each.players: [list(side.seats) for side in each.sides] for each in game.partnerships}


def test_legal_moves_depend_on_the_rule_set(transport: Transport) -> None:
    """What may be done in a position hangs on its agreement, whatever was asked before; under others it may be none."""
    tricks = "1/Cb,7b/1;1/Ab,3c/1;1/Fc,Ac/0;0/Rd,3s/1;1/Rb,2b/1;1/5s,6s/0;0/4d,2d/0;0/3d,6c/0;0/As,4s/0;0/Fd,6b/0"
    tricks += ";0/Rc,2c/0;0/6d,4b/0;0/Ad,Cd/0;0/Fs,Rs/1;1/5b,Fb/0;0/7d,5c/0;0/Cs,7c/0"
    line = f"phase=play deal=1 wins=0,0 hands=7s,5d/3b,4c,2s turn_up=2s trump=s trick=Cc tricks={tricks}"

    def legal(players: int, **options: str) -> Any:
        rule_set = {"game_id": "brisca", "players": players, "options": options}
        return transport("ListLegalMoves", position={"rule_set": rule_set, "text": line})

    for _ in range(2):
        assert [3, 1] == [len(legal(2, follow=follow).moves) for follow in ("free", "follow")]
        assert Failed("bad_position", "position.text") == legal(3)


# ---------------------------------------------------------------------- apply moves


DEAL = {"move": {"verb": "start_deal", "cards": CATALOGUE.game("briscola").pack.cards}}


def test_questions_of_a_batch_build_on_earlier_ones(ask: Transport) -> None:
    """A question takes the position of an earlier answer; one without a position, or a later one, is an error."""
    good: list[dict[str, Any]] = [
        {"start_game": {"rule_set": BRISCOLA}},
        {"apply_moves": {"moves": [DEAL]}, "position_of": 0},
        {"list_legal_moves": {}, "position_of": 1},
    ]
    wrong: list[dict[str, Any]] = [{"list_legal_moves": {}, "position_of": index} for index in (2, 3, 9)]
    scored = {"score_cards": {"rule_set": {"game_id": "madrasso"}, "cards": ["Ab"]}, "position_of": 0}
    answers = ask("Batch", questions=[*good, *wrong, scored]).answers
    assert list(answers[1].apply_moves.legal_moves) == list(answers[2].list_legal_moves.moves) != []
    assert [Failed("bad_request", "position_of")] * 4 == [status_error(one.error) for one in answers[3:]]


def test_answers_of_a_batch_are_bounded(ask: Transport, monkeypatch: pytest.MonkeyPatch) -> None:
    """A response fits into the message that clients of gRPC accept; what is left of the questions is too large."""
    deal: list[dict[str, Any]] = [
        {"start_game": {"rule_set": BRISCOLA}},
        {"apply_moves": {"moves": [DEAL]}, "position_of": 0},
    ]
    asked = [*deal, *({"explain_hand": {"seat": 0}, "position_of": 1} for _ in range(5))]
    whole = ask("Batch", questions=asked).answers
    most = rules.MAX_BATCH_BYTES
    monkeypatch.setattr(rules, "MAX_BATCH_BYTES", sum(one.ByteSize() for one in whole[:4]))
    *answered, first, second, third = ask("Batch", questions=asked).answers
    assert list(whole[:4]) == answered
    assert ["too_large"] * 3 == [status_error(one.error).code for one in (first, second, third)]
    assert most + 1000 * (first.ByteSize() + 10) < 4 * 2**20, "with an error for each question"


def test_every_penalty_is_given(ask: Transport) -> None:
    """Madrasso with penalized revokes: the price of an accepted move stands with its index, not among the refusals."""
    (revokes,) = [option.name for option in CATALOGUE.entry("madrasso").options if "revoke" in option.name]
    position = ask("StartGame", rule_set={"game_id": "madrasso", "options": {revokes: "penalize"}}).position
    while True:
        response, penal = ask("ListLegalMoves", position=position), []
        if response.HasField("chance_request"):
            chance = response.chance_request
            amount = chance.amounts[0] if chance.amounts else None
            move = v1.SeatMove(move={"verb": chance.verb, "cards": chance.cards, "amount": amount})
        else:
            explained = ask("ExplainHand", position=position).moves
            penal = [one.move for one in explained if one.refusals and all(no.penalty for no in one.refusals)]
            move = v1.SeatMove(seat=response.seat, move=(penal or response.moves)[0])
        applied = ask("ApplyMoves", position=position, moves=[move])
        assert (1, []) == (applied.applied, list(applied.refusals))
        if penal:
            break
        assert not applied.penalties
        position = applied.position
    (penalty,) = applied.penalties
    assert (0, ["must_follow_suit"]) == (penalty.index, [refusal.code for refusal in penalty.refusals])
    assert all(refusal.penalty for refusal in penalty.refusals)


# ---------------------------------------------------------------------- table words


def test_words_are_those_of_the_catalogue_of_texts(rest: str) -> None:
    """The words are served in each language, to pages of every origin, with a tag; suits are those of the pack."""
    game, curl = CATALOGUE.game("briscola"), Rest(rest)
    options = [(option.name, option.choices) for option in game.entry.options]
    for code in LANGUAGES:
        answer, translator = curl.get(path := f"/words/briscola/{code}.json"), translator_for(code)
        assert (200, "*") == (answer.status_code, answer.headers["Access-Control-Allow-Origin"])
        names = choice_names(translator, options, {card: translator.card(card, game.pack) for card in game.pack.cards})
        assert words_of(translator, "Italian", names) == answer.json()
        assert 304 == curl.get(path, headers={"If-None-Match": answer.headers["ETag"]}).status_code
    failed(curl.get("/words/poker/it.json"), 404, "unknown_game", "game_id")
    failed(curl.get("/words/briscola/fr.json"), 404, "no_such_route")
