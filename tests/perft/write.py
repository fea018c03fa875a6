"""Write the perft files of all games: what is kept, or the full set. Counts of a game change only with its edition."""

from __future__ import annotations

from functools import partial
from multiprocessing import Pool
from pathlib import Path

from chitarrella.perft.files import read_cases
from tests.perft.cases import (
    FULL,
    KEPT,
    PUBLISHED_FILE,
    all_kept,
    clauses,
    kept_rule_sets,
    of_game,
    published,
    rule_sets,
    section,
)
from tests.walks import CATALOGUE


def write(folder: Path, *, full: bool) -> list[Path]:
    """Count every case and write the files; take away files that are of no game. The full set has no published ones."""
    chosen, extent = (rule_sets(), FULL) if full else (kept_rule_sets(), KEPT)
    texts = {} if full else {PUBLISHED_FILE: published()}
    with Pool() as pool:
        sections = dict(zip(chosen, pool.imap(partial(section, extent=extent), chosen), strict=True))
    for game in CATALOGUE:
        texts[f"{game.key}.perft"] = of_game(game.key, [sections[one] for one in chosen if one.game == game.key])
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.perft"):
        if path.name not in texts:
            path.unlink()
    for file, text in texts.items():
        (folder / file).write_text(text, encoding="utf-8")
    return [folder / file for file in sorted(texts)]


def uncovered(folder: Path) -> set[str]:
    """Find the clauses by which the full set refuses something and the kept files nothing."""
    cases = [written for path in folder.glob("*.perft") for written in read_cases(path.read_text(encoding="utf-8"))]
    return clauses(cases) - clauses(all_kept())
