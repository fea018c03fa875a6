"""Every reason for which any game may refuse a move, provoked: the rows of ``data/refusals*.txt``."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from chitarrella.core.model import CHANCE, MATCH_OVER
from chitarrella.core.notation import CHANCE_NAME
from chitarrella.core.options import InvalidOption, configure
from chitarrella.i18n.translator import ENGLISH
from chitarrella_testing.expectations import steady_choice
from tests.games.support.examples import DATA
from tests.games.support.exchange_layouts import pack_of
from tests.games.support.table import Match, any_match, first_cards, pack_for
from tests.walks import CATALOGUE, variants


class Row(NamedTuple):
    """A refusal: the table, the scene, who says what, and what is to be answered."""

    game: str
    agreed: str
    scene: str
    by: str
    move: str
    codes: str
    clauses: str


def read_rows(files: str) -> list[Row]:
    """Read the rows of some files."""
    lines = [line for path in sorted(DATA.glob(files)) for line in path.read_text(encoding="utf-8").splitlines()]
    return [Row(*(part.strip() for part in line.split("|"))) for line in lines if line and not line.startswith("#")]


ROWS, MORE = read_rows("refusals*.txt"), read_rows("more-refusals.txt")
"""A refusal for every reason, from which vectors are made, and others."""


def staged(row: Row) -> Match:
    """Bring the table into the scene of a row."""
    players, *options = row.agreed.split()
    match = any_match(row.game, int(players), **dict(option.split("=") for option in options))
    steps = [(word, rest.strip()) for word, _, rest in (step.strip().partition(":") for step in row.scene.split(";"))]
    if steps == [("over", "")]:
        assert MATCH_OVER in match.game.reasons, "this match has no end"
        while match.game.turn(match.p) is not None:
            match.play_out()
    elif steps == [("deal", "")]:
        match.play_out()
    elif steps[0][0] == "pack":
        for word, rest in steps:
            _follow(match, word, rest)
    elif steps != [("start", "")]:
        hands = {int(word): rest for word, rest in steps if word.isdecimal()}
        match.deal(pack_for(match.game, hands, dict(steps).get("up", ""), dealer=match.p.match_state.dealer))
        for word, rest in steps:
            _follow(match, word, rest)
    return match


def _follow(match: Match, word: str, rest: str) -> None:
    """Do one step of a scene after the cards are dealt; ``pack`` deals one that begins with these cards."""
    if word == "pack":
        match.deal(pack_of(match.game.chance_request(match.p).cards, match.game.pack.hand(rest.split())))
    elif word == "play":
        match.play(rest)
    elif word == "say":
        who, _, what = rest.partition(" ")
        match.say(int(who), what)
    elif word == "moves":
        for number in range(int(rest)):
            match.move(*steady_choice(match.game, match.p, number))
    elif word == "tricks":
        first_cards(match, int(rest))
    else:
        assert word == "up" or word.isdecimal(), word


@pytest.mark.clause(
    "ALL-4", "ALL-7", "BR-5.10", "BN-5.5", "BQ-5.6", "BS-5.7", "BG-5.8", "BB-5.6", "SN-5.5", "HU-5.6", "EL-5.5"
)
@pytest.mark.clause("HU-5.6", "EL-5.5", "HA-5.8", "MA-5.10", "BC-5.11", "CC-13", "CO-20", "CT-31", "ZI-22", "BG-5.2")
@pytest.mark.parametrize(
    "row", [pytest.param(row, id=f"{row.game}-{row.codes}-{row.move}"[:60]) for row in (*ROWS, *MORE)]
)
def test_refusal(row: Row) -> None:
    """Every broken clause is named in the order of checking and cites the rule book, and nothing has changed."""
    match = staged(row)
    actor = CHANCE if row.by == CHANCE_NAME else int(row.by)
    move = row.move.replace("PACK", " ".join(match.game.pack.cards))
    refusals = match.refusals(actor, move)
    assert row.codes.split() == [refusal.code for refusal in refusals]
    assert row.clauses.split() == [refusal.clause.key for refusal in refusals]
    sentences = [ENGLISH.reason(refusal, match.game.pack) for refusal in refusals]
    assert all(sentence and "{" not in sentence for sentence in sentences)


@pytest.mark.parametrize("key", sorted({row.game for row in ROWS}))
def test_every_reason_code_is_provoked(key: str) -> None:
    """No reason code of the catalogue is without a row that provokes it, and no row names another."""
    game = CATALOGUE.game(key)
    known = {reason.code for reason in game.reasons}
    for players in game.seatings:
        for option in game.options:
            for value in (*option.choices, *(["0", "1"] if option.minimum == 0 else [])):
                try:
                    known |= {reason.code for reason in configure(game, players, {option.name: value}).reasons}
                except InvalidOption:
                    continue
    for rule_set in variants():
        known |= {reason.code for reason in CATALOGUE.game_for(rule_set).reasons if rule_set.game == key}
    provoked = {code for row in ROWS if row.game == key for code in row.codes.split()}
    assert known == provoked


def test_every_game_has_rows() -> None:
    """No game of the catalogue is without refusals in the table."""
    assert {game.key for game in CATALOGUE} == {row.game for row in ROWS}
