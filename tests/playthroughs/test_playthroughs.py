"""The playthroughs are what the rules play today, and no game changes without a new edition."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from chitarrella.catalogue import Agreement
from chitarrella.record import Record, read_record, write_record
from tests.kit import CATALOGUE, name
from tests.playthroughs.script import COMMAND, FOLDER, MANIFEST, agreements, closing, manifest, playthrough
from tests.playthroughs.shown import OPTION, SIGN, changed_by_option, features, replayed, says
from tests.playthroughs.write import retire

FILES = sorted(path.name for path in FOLDER.glob("*.txt") if path != MANIFEST)
SHOWN = [file for file in FILES if SIGN in file]
FIXED = [file for file in FILES if SIGN not in file]


def kept(file: str) -> tuple[str, Record]:
    """A playthrough as it is written, and read."""
    written = (FOLDER / file).read_text(encoding="utf-8")
    return written, read_record(CATALOGUE, written)


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
    """A playthrough is a record: read and written again it says the same, events, scores and winners and all."""
    written, record = kept(file)
    said = [line.rstrip() for line in written.splitlines() if line][1:]
    again = [line for line in write_record(CATALOGUE, record).splitlines() if line]
    assert said == [*again, *closing(CATALOGUE.seat(record.agreement), record)], (
        f"{record.agreement.game} does not play as it did: see what {COMMAND} says of editions"
    )


@pytest.mark.parametrize("file", SHOWN)
def test_a_deal_shows_what_it_is_named_for(file: str) -> None:
    """What a file names is in the deal; where that is the option, the same moves come to something else without it."""
    _, record = kept(file)
    game = CATALOGUE.seat(record.agreement)
    steps = replayed(game, game.read(record.position) if record.position else game.start(), record.moves)
    shown = set(features(game, steps))
    if record.agreement.options and changed_by_option(record.agreement, steps):
        shown.add(OPTION)
    assert file.startswith(f"{name(record.agreement._replace(edition=0))}{SIGN}")
    assert says(file) in shown


def test_there_are_enough() -> None:
    """More than six hundred, of every game, and of every number of players a whole match or nine deals."""
    assert len(FILES) >= 600
    assert {f"{game.key}-{players}.txt" for game in CATALOGUE for players in game.seatings} <= set(FIXED)


def test_no_playthrough_was_changed_without_a_new_edition() -> None:
    """Each file is the one that the manifest knows, of the edition that the manifest says; no file is unknown."""
    kept_lines = manifest()
    known = {line.split()[2]: line.split()[0] for line in kept_lines.values()}
    found = {file: sha256((FOLDER / file).read_bytes()).hexdigest() for file in FILES}
    assert known == found, f"a playthrough was changed by hand: raise the edition of its game and run {COMMAND}"
    for file, line in kept_lines.items():
        _, record = kept(file)
        assert int(line.split()[1]) == record.agreement.edition == CATALOGUE.game(record.agreement.game).edition


def test_every_edition_plays_as_it_did() -> None:
    """Records of former editions are kept, and the catalogue plays each by the rules of its own edition."""
    editions: dict[str, set[int]] = {}
    for path in sorted(FOLDER.rglob("*.txt")):
        if path == MANIFEST:
            continue
        written, record = kept(str(path.relative_to(FOLDER)))
        key, number = record.agreement.game, record.agreement.edition
        editions.setdefault(key, set()).add(number)
        assert (path.parent == FOLDER) == (number == CATALOGUE.game(key).edition), path.name
        if path.parent != FOLDER:
            again = [line for line in write_record(CATALOGUE, record).splitlines() if line]
            assert again == [line.rstrip() for line in written.splitlines() if line][1 : len(again) + 1]
    assert editions == {game.key: {edition.number for edition in game.editions} for game in CATALOGUE}


def test_what_a_new_edition_leaves(tmp_path: Path) -> None:
    """A playthrough of a former edition goes into the folder of that edition, word for word."""
    (tmp_path / FILES[0]).write_bytes((FOLDER / FILES[0]).read_bytes())
    moved = retire(tmp_path / FILES[0], 1)
    assert tmp_path / "edition-1" / FILES[0] == moved
    assert moved.read_bytes() == (FOLDER / FILES[0]).read_bytes()
    assert [moved.parent] == list(tmp_path.iterdir())
