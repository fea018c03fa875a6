"""Tressette, a game of another package: what its entry point names."""

from pathlib import Path

from chitarrella_tressette.tressette import TRESSETTE

GAMES = (TRESSETTE,)
SENTENCES = {"declared": "{Who} [declare|declares] {cards}: points {amount}."}
EVENTS = {"declared": ("seat cards amount", "The seat has declared these cards, for so many points.")}
FACT_NAMES = {"declared": "declared", "thirds": "thirds"}
LOCALE = Path(__file__).with_name("locale")
RECORDS = Path(__file__).with_name("records")
