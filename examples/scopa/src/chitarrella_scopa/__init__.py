"""Scopa, a game of another package: `GAMES` and `LOCALE` are what its entry point names."""

from pathlib import Path

from chitarrella_scopa.scopa import SCOPA

GAMES = (SCOPA,)
LOCALE = Path(__file__).with_name("locale")
