"""Tressette, a game of another package: `GAMES` and `LOCALE` are what its entry point names."""

from pathlib import Path

from chitarrella_tressette.tressette import TRESSETTE

GAMES = (TRESSETTE,)
LOCALE = Path(__file__).with_name("locale")
