"""Scopa, a game of another package: what its entry point names."""

from pathlib import Path

from chitarrella_scopa.scopa import SCOPA

GAMES = (SCOPA,)
SENTENCES = {
    "cards_laid": "{cards} lie on the table.",
    "captured": "{Who} [capture|captures] {cards}.",
    "sweep": "{Who} [clear|clears] the table, which is a scopa.",
    "rest_taken": "{Who} [take|takes] what is left on the table ({cards}).",
    "point_won cards": "{Who} [get|gets] the point for the most cards.",
    "point_won coins": "{Who} [get|gets] the point for the most coins.",
    "point_won settebello": "{Who} [get|gets] the point for the seven of coins.",
    "point_won primiera": "{Who} [get|gets] the point for primiera.",
}
FACT_NAMES = {"sweeps": "scope"}
LOCALE = Path(__file__).with_name("locale")
