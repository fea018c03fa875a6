"""The playthroughs are what the rules play today, and no game changes without a new edition."""

from __future__ import annotations

from hashlib import sha256

import pytest

from chitarrella.catalogue import Agreement
from chitarrella.record import read_record, write_record
from tests.kit import CATALOGUE, name
from tests.playthroughs.script import COMMAND, FOLDER, MANIFEST, agreements, manifest, playthrough

FILES = sorted(path.name for path in FOLDER.glob("*.txt") if path != MANIFEST)


@pytest.mark.parametrize("agreement", agreements(), ids=name)
def test_a_rule_set_plays_as_it_is_written(agreement: Agreement) -> None:
    """A match played by the fixed rule is word for word the playthrough in its file."""
    path = FOLDER / f"{name(agreement)}.txt"
    played = playthrough(agreement)
    if played is None:
        assert not path.exists(), f"the option changes nothing, so {path.name} is not needed: run {COMMAND}"
        return
    assert path.exists(), f"{path.name} is missing: run {COMMAND}, and read it against the rule book"
    assert path.read_text(encoding="utf-8") == played, (
        f"{agreement.game} does not play as it did. If that is not meant, repair it. If it is, raise the edition of "
        f"the game and run {COMMAND}."
    )


@pytest.mark.parametrize("file", FILES)
def test_a_playthrough_reads_back(file: str) -> None:
    """A playthrough is a record: read and written again it says the same, comments and all."""
    written = (FOLDER / file).read_text(encoding="utf-8")
    said = [line.rstrip() for line in written.splitlines() if line and not line.startswith("|")]
    again = write_record(CATALOGUE, read_record(CATALOGUE, written))
    assert said == [line for line in again.splitlines() if line]


def test_no_playthrough_was_changed_without_a_new_edition() -> None:
    """Each file is the one that the manifest knows, of the edition that the manifest says; no file is unknown."""
    kept = manifest()
    known = {line.split()[2]: line.split()[0] for line in kept.values()}
    found = {file: sha256((FOLDER / file).read_bytes()).hexdigest() for file in FILES}
    assert known == found, f"a playthrough was changed by hand: raise the edition of its game and run {COMMAND}"
    for file, line in kept.items():
        agreement = read_record(CATALOGUE, (FOLDER / file).read_text(encoding="utf-8")).agreement
        assert int(line.split()[1]) == agreement.edition == CATALOGUE.game(agreement.game).edition
