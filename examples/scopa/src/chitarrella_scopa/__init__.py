"""Scopa, a game of another package: what its entry point names."""

from pathlib import Path

from chitarrella_scopa.scopa import SCOPA

GAMES = (SCOPA,)
SENTENCES = {
    "cards_laid": "{cards} lie on the table.",
    "captured": "{Who} [capture|captures] {cards}.",
    "swept": "{Who} [clear|clears] the table, which is a scopa.",
    "rest_taken": "{Who} [take|takes] what is left on the table ({cards}).",
    "point_won cards": "{Who} [get|gets] the point for the most cards.",
    "point_won coins": "{Who} [get|gets] the point for the most coins.",
    "point_won settebello": "{Who} [get|gets] the point for the seven of coins.",
    "point_won primiera": "{Who} [get|gets] the point for primiera.",
}
EVENTS = {
    "deal_started": ("seat amount", "The seat deals; the amount numbers the deal."),
    "dealt": ("seat cards hidden", "The seat was dealt these cards."),
    "cards_laid": ("cards", "Cards lie on the table."),
    "card_played": ("seat cards", "The seat has played a card."),
    "captured": ("seat cards", "The seat has captured cards."),
    "swept": ("seat", "The seat has cleared the table."),
    "rest_taken": ("seat cards", "The seat has taken what was left on the table."),
    "point_won": ("seat word", "The seat has won the point of the word."),
    "deal_scored": ("shares", "What the deal adds to the scores."),
    "match_won": ("seat", "The seat has won the match."),
}
FACT_NAMES = {"sweeps": "scope"}
LOCALE = Path(__file__).with_name("locale")
