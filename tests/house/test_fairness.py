"""Fair deals: what was promised before the first card is what was dealt, and anybody can check it afterwards."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from chitarrella import errors
from chitarrella.affairs import CONTRIBUTE, DEAL_NOW, Act, Affairs
from chitarrella.cards import ITALIAN
from chitarrella.catalogue import Agreement
from chitarrella.drawing import Draw, draws_of, next_commitment, words_awaited
from chitarrella.fairness import check, commitment_to, nonce_of, ordered
from chitarrella.game import legal, waited_for
from chitarrella.header import Clock
from chitarrella.kept import Wish
from chitarrella.referee import Referee
from chitarrella.store import Added, Again, Moved
from chitarrella.words import CHANCE, Move
from tests.house.table import CATALOGUE, LONG_MATCH, SHORT, go_on, play_out, steward

VECTORS = [line.split("\t") for line in (Path(__file__).parent / "draws.txt").read_text().splitlines()[3:]]
LOT = Agreement("coech", 2, (("first_dealer", "by_lot"),))


def read_words(text: str) -> tuple[tuple[int, str], ...]:
    """Read ``SEAT WORD`` joined by commas; nothing is ``-``."""
    pairs = [] if text == "-" else [pair.split(" ", 1) for pair in text.split(",")]
    return tuple((int(seat), word) for seat, word in pairs)


# ---------------------------------------------------------------------- the shuffle


@pytest.mark.parametrize(("nonce", "number", "words", "commitment", "order"), VECTORS)
def test_vectors(nonce: str, number: str, words: str, commitment: str, order: str) -> None:
    """The shuffle gives what is written down for others to test against."""
    assert commitment == commitment_to(nonce)
    drawn = ordered(ITALIAN.cards, nonce, int(number), read_words(words))
    assert order.split() == list(drawn)
    assert not check(ITALIAN.cards, drawn, commitment, nonce, int(number), read_words(words))


def test_the_shuffle_as_it_is_written() -> None:
    """The steps of the description, said once more in other words, give the same order."""
    nonce, number, words = "ab" * 32, 7, ((0, "first"), (3, "señora è qui"))
    text = f"chitarrella draw 1\n{nonce}\n{number}\n0 first\n3 señora è qui\n"
    key, stream = sha256(text.encode()).digest(), b""
    for block in range(30):
        stream += sha256(key + block.to_bytes(8, "big")).digest()
    numbers = [int.from_bytes(stream[at : at + 8], "big") for at in range(0, len(stream), 8)]
    cards = list(ITALIAN.cards)
    for place in range(39, 0, -1):
        while numbers[0] >= 2**64 // (place + 1) * (place + 1):
            numbers.pop(0)
        other = numbers.pop(0) % (place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    assert tuple(cards) == ordered(ITALIAN.cards, nonce, number, words)


def test_every_place_is_as_likely() -> None:
    """Over many draws every thing lies as often in every place, as far as chance allows."""
    draws, things = 12_000, 6
    lying = Counter(
        (place, thing) for draw in range(draws) for place, thing in enumerate(ordered(range(things), "n", draw))
    )
    expected = draws / things
    square = sum((lying[place, thing] - expected) ** 2 / expected for place in range(things) for thing in range(things))
    assert things * things == len(lying)
    assert square < 60  # 25 degrees of freedom: beyond 60 in one of ten thousand runs, and this one is always the same


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"nonce": "cd" * 32}, "commitment_mismatch"),
        ({"commitment": commitment_to("cd" * 32)}, "commitment_mismatch"),
        ({"number": 2}, "order_mismatch"),
        ({"words": ((0, "other"),)}, "order_mismatch"),
        ({"words": ()}, "order_mismatch"),
    ],
)
def test_what_does_not_fit(changed: dict[str, object], code: str) -> None:
    """Another nonce, number or word is noticed, and it is said what does not fit."""
    nonce = "ab" * 32
    proof = {"commitment": commitment_to(nonce), "nonce": nonce, "number": 1, "words": ((0, "mine"),)}
    drawn = ordered(ITALIAN.cards, nonce, 1, ((0, "mine"),))
    assert not check(ITALIAN.cards, drawn, **proof)  # type: ignore[arg-type]
    assert code == check(ITALIAN.cards, drawn, **{**proof, **changed})  # type: ignore[arg-type]
    swapped = (drawn[1], drawn[0], *drawn[2:])
    assert "order_mismatch" == check(ITALIAN.cards, swapped, **proof)  # type: ignore[arg-type]


# ---------------------------------------------------------------------- kept matches


def draws(referee: Referee, match: str) -> list[Draw]:
    """Go through the draws of a match."""
    story, lines = referee.chronicle(match)
    return draws_of(story, lines, referee.see(match).header)


def promised(referee: Referee, match: str) -> str:
    """Read the commitment to the next draw."""
    seen = referee.see(match)
    return next_commitment(seen.header, seen.affairs)


def test_what_was_promised_is_dealt(referee: Referee, other: Referee) -> None:
    """The commitment that stood there before a deal is the one that its pack follows from, deal after deal."""
    opened = referee.open(LONG_MATCH)
    before = [promised(referee, opened.match)]
    for _ in range(2):
        go_on(referee, opened.match, 40)
        before.append(promised(other, opened.match))
    made = draws(other, opened.match)
    assert [1, 2, 3] == [draw.number for draw in made]
    seed = opened.seen.header.seed
    for draw, commitment in zip(made[1:], before, strict=False):
        nonce = nonce_of(seed, draw.number)
        assert commitment == commitment_to(nonce)
        assert draw.fair
        assert not check(ITALIAN.cards, draw.move.cards, commitment, nonce, draw.number)


def test_when_the_proof_is_told(referee: Referee) -> None:
    """A pack is proved when its deal is over and all lies open, not before; a lot at once."""
    opened = referee.open(LONG_MATCH)
    go_on(referee, opened.match, 39)
    assert [False] == [draw.open for draw in draws(referee, opened.match)]
    go_on(referee, opened.match, 1)
    assert [True, False] == [draw.open for draw in draws(referee, opened.match)]
    lot = referee.open(LOT)
    assert [("draw_dealer", True), ("start_deal", False)] == [
        (draw.move.verb, draw.open) for draw in draws(referee, lot.match)
    ]


def test_a_whole_match_is_proved(referee: Referee) -> None:
    """When the match is over every draw is."""
    opened = referee.open(SHORT)
    play_out(referee, opened.match)
    assert {(True, True)} == {(draw.fair, draw.open) for draw in draws(referee, opened.match)}


def test_a_pack_that_was_handed_in_is_marked(referee: Referee) -> None:
    """There is nothing to prove a pack by that somebody brought along; the next one is the service's again."""
    opened = referee.open(LONG_MATCH, pack=tuple(reversed(ITALIAN.cards)))
    go_on(referee, opened.match, 40)
    assert [False, True] == [draw.fair for draw in draws(referee, opened.match)]


def test_the_referee_deals(referee: Referee) -> None:
    """Where the referee hands in the packs nothing is promised."""
    opened = referee.open(SHORT, packs="referee")
    assert "" == promised(referee, opened.match)


def test_seeds_differ(referee: Referee) -> None:
    """No two matches promise the same."""
    assert 20 == len({promised(referee, referee.open(SHORT).match) for _ in range(20)})


# ---------------------------------------------------------------------- words of the seats


def test_the_pack_waits_for_every_word(referee: Referee, other: Referee) -> None:
    """A shared pack is dealt when the last person has said a word, and follows from all of them."""
    opened = referee.open(SHORT, packs="shared")
    first = promised(referee, opened.match)
    assert (CHANCE, (0, 1)) == (opened.seen.game.turn(opened.seen.position), words_awaited(opened.seen))
    seen = steward(referee).act(opened.match, Act(1, CONTRIBUTE, "uno|due %"))
    assert ((0,), 1) == (words_awaited(seen), seen.page.revision)
    seen = steward(other).act(opened.match, Act(0, CONTRIBUTE, "tre"))
    assert ((), 3, Affairs(1)) == (words_awaited(seen), seen.page.revision, seen.affairs)
    (draw,) = draws(other, opened.match)
    assert ((0, "tre"), (1, "uno|due %")) == draw.words
    nonce = nonce_of(seen.header.seed, 1)
    assert not check(ITALIAN.cards, draw.move.cards, first, nonce, 1, draw.words)
    assert "order_mismatch" == check(ITALIAN.cards, draw.move.cards, first, nonce, 1)


def test_words_of_later_deals(referee: Referee) -> None:
    """The next pack waits for words again; the record of the match is one of its moves alone."""
    opened = referee.open(LONG_MATCH, packs="shared")
    for word in ("a", "b"):
        for seat in (0, 1):
            steward(referee).act(opened.match, Act(seat, CONTRIBUTE, word))
        go_on(referee, opened.match, 40)
    assert (0, 1) == words_awaited(referee.see(opened.match))
    assert [True, True] == [draw.open for draw in draws(referee, opened.match)]
    assert [((0, "a"), (1, "a")), ((0, "b"), (1, "b"))] == [draw.words for draw in draws(referee, opened.match)]
    assert "!" not in referee.record(opened.match)


def test_the_referee_waits_no_longer(referee: Referee) -> None:
    """The referee may have the pack dealt with the words that are there."""
    opened = referee.open(SHORT, packs="shared")
    steward(referee).act(opened.match, Act(1, CONTRIBUTE, "here"))
    seen = steward(referee).act(opened.match, Act(CHANCE, DEAL_NOW))
    assert seen.position.hands
    assert [((1, "here"),)] == [draw.words for draw in draws(referee, opened.match)]


@pytest.mark.parametrize("packs", ["referee", "shared"])
def test_a_pack_is_no_lot(referee: Referee, packs: str) -> None:
    """Where the lot of the first dealer has not been drawn as it was agreed, no pack is taken in its stead."""
    agreement = Agreement("coech", 4)
    pack = CATALOGUE.seat(agreement).pack.cards
    with pytest.raises(errors.BadRequest) as failed:
        referee.open(agreement, packs=packs, pack=pack)
    assert ("bad_pack", "pack") == (failed.value.code, failed.value.field)
    opened = referee.open(agreement, pack=pack)
    assert [True, False] == [draw.fair for draw in draws(referee, opened.match)]


def test_no_word_is_awaited_where_a_match_was_ended(referee: Referee) -> None:
    """A match that waits for words and is ended waits for none."""
    opened = referee.open(SHORT, packs="shared")
    assert () == words_awaited(referee.end(opened.match))


def impossible(referee: Referee, match: str, act: Act) -> str:
    """Try an act of the house that is not possible now, and give the reason code."""
    with pytest.raises(errors.NotPossibleNow) as failed:
        steward(referee).act(match, act)
    return failed.value.code


def test_words_that_come_too_late(referee: Referee) -> None:
    """The same word again changes nothing; another one, or one when no pack is waiting, is not possible."""
    opened = referee.open(SHORT, packs="shared")
    first = steward(referee).act(opened.match, Act(0, CONTRIBUTE, "mine"))
    assert first.page == steward(referee).act(opened.match, Act(0, CONTRIBUTE, "mine")).page
    assert "already_contributed" == impossible(referee, opened.match, Act(0, CONTRIBUTE, "better"))
    steward(referee).act(opened.match, Act(1, CONTRIBUTE, "yours"))
    for act in (Act(1, CONTRIBUTE, "late"), Act(CHANCE, DEAL_NOW)):
        assert "no_draw_awaited" == impossible(referee, opened.match, act)
    alone = referee.open(SHORT)
    assert "no_draw_awaited" == impossible(referee, alone.match, Act(0, CONTRIBUTE, "word"))
    ended = referee.open(SHORT, packs="shared")
    referee.end(ended.match)
    assert "match_ended" == impossible(referee, ended.match, Act(0, CONTRIBUTE, "word"))


def test_the_last_word_for_a_lot_is_none_for_the_pack(referee: Referee, other: Referee) -> None:
    """A word that is sent once more, its answer being lost, is not taken for a word for the draw that comes next."""
    opened = referee.open(LOT, packs="shared")
    steward(referee).act(opened.match, Act(0, CONTRIBUTE, "mine"), "first")
    last = Act(1, CONTRIBUTE, "yours")
    drawn = steward(referee).act(opened.match, last, "last")
    assert ["draw_dealer"] == [draw.move.verb for draw in draws(referee, opened.match)]
    assert (0, 1) == words_awaited(drawn)
    assert drawn.page == steward(other).act(opened.match, last, "last").page
    for act in (Act(1, CONTRIBUTE, "better"), last._replace(actor=0)):
        with pytest.raises(errors.AlreadyExists) as reused:
            steward(other).act(opened.match, act, "last" if act.actor else "first")
        assert ("request_reused", "request_id") == (reused.value.code, reused.value.field)
    assert (0,) == words_awaited(steward(other).act(opened.match, last, "for the pack"))


def test_an_answer_that_was_lost_on_the_way_from_the_store(
    referee: Referee, hour: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the store has added, and is sent again because the line broke, is done; and what is due is noted down."""
    append = referee.store.append

    def twice(*lines: Any) -> Added | Moved | Again:
        append(*lines)
        return append(*lines)

    monkeypatch.setattr(referee.store, "append", twice)
    opened = referee.open(LOT, packs="shared", clock=Clock(1_000, 0))
    assert (0,) == words_awaited(steward(referee).act(opened.match, Act(1, CONTRIBUTE, "yours")))
    assert "deal" not in referee.moves(opened.match)[-1]
    referee.store.remind(opened.match, None)
    assert (0, 1) == words_awaited(steward(referee).act(opened.match, Act(0, CONTRIBUTE, "mine")))
    assert [opened.match] == referee.store.due(hour[0] + 1_001, 1, 10)
    hour[0] += 1_001
    ruled, seen = steward(referee).rule_on_time(opened.match)
    assert (True, ()) == (ruled, words_awaited(seen))
    referee.store.remind(opened.match, None)
    seat = waited_for(seen.game, seen.position) or 0
    played = referee.play(opened.match, Wish(seat, legal(seen.game, seen.position, seat)[0]))
    assert (True, False) == (played.accepted, played.repeated)
    assert [opened.match] == referee.store.due(hour[0] + 1_001, 1, 10)


def test_nothing_is_played_before_the_pack(referee: Referee) -> None:
    """While words are waited for every move of a seat is one of another phase."""
    opened = referee.open(SHORT, packs="shared")
    played = referee.play(opened.match, Wish(0, Move("play_card", ITALIAN.cards[:1])))
    assert (False, ["wrong_phase"]) == (played.accepted, [refusal.code for refusal in played.refusals])
