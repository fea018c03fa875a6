"""The scenes of all games, and every reason for which a game may refuse a move, provoked."""

import pytest

from chitarrella.core.model import CHANCE
from chitarrella.core.notation import CHANCE_NAME
from chitarrella.i18n.translator import ENGLISH
from tests.games.support.examples import GAMES, HEADS, section, stated
from tests.games.support.scenes import MORE, ROWS, Row, params, play_scene, staged
from tests.walks import CATALOGUE


@pytest.mark.parametrize("lines", params())
def test_scene(lines: list[str]) -> None:
    """Every line of a scene is legal, or holds."""
    play_scene(lines)


PROVED = stated("refusals")


@pytest.mark.clause("ALL-4", "ALL-7", "ALL-10", "ALL-11")
@pytest.mark.parametrize(
    "row",
    [
        pytest.param(
            row, id=f"{row.game}-{row.codes}-{row.move}"[:60], marks=pytest.mark.clause(*PROVED.get(row.game, []))
        )
        for row in (*ROWS, *MORE)
    ],
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


@pytest.mark.parametrize("key", GAMES)
def test_every_reason_code_is_provoked(key: str) -> None:
    """No reason code of the catalogue is without a row that provokes it, and no row names another."""
    known = {reason.code for reason in CATALOGUE.reasons(key)}
    provoked = {code for row in ROWS if row.game == key for code in row.codes.split()}
    assert known == provoked


LINES = {"examples", "totals", "refusals", "deals", "page", "measured"}


def test_every_game_has_its_file() -> None:
    """Each game of the catalogue has a file with options and refusals, and no file has another game or another line."""
    assert {game.key for game in CATALOGUE} == GAMES.keys()
    assert set().union(*HEADS.values()) <= LINES
    assert [] == [(key, name) for key in GAMES for name in ("options", "refusals") if not section(key, name)]
