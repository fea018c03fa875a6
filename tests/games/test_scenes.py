"""The scenes of all games, and every reason for which a game may refuse a move, provoked."""

import pytest

from chitarrella.core.model import CHANCE
from chitarrella.core.notation import CHANCE_NAME
from chitarrella.i18n.translator import ENGLISH
from tests.games.support.scenes import MORE, ROWS, Row, params, play_scene, staged
from tests.walks import CATALOGUE


@pytest.mark.parametrize("lines", params())
def test_scene(lines: list[str]) -> None:
    """Every line of a scene is legal, or holds."""
    play_scene(lines)


@pytest.mark.clause(
    "ALL-4", "ALL-7", "ALL-10", "ALL-11", "BR-5.10", "BN-5.5", "BQ-5.6", "BS-5.7", "BG-5.8", "BB-5.6", "SN-5.5"
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
    known = {reason.code for reason in CATALOGUE.reasons(key)}
    provoked = {code for row in ROWS if row.game == key for code in row.codes.split()}
    assert known == provoked


def test_every_game_has_rows() -> None:
    """No game of the catalogue is without refusals in the table."""
    assert {game.key for game in CATALOGUE} == {row.game for row in ROWS}
