"""English sentences for the events of exchange games, by kind of event, or by kind and word.

`chitarrella.i18n.narration` fills in ``{cards}``, ``{faces}``, ``{shares}`` and the other placeholders.
"""

from __future__ import annotations

from typing import Final

EXCHANGE_SENTENCES: Final = {
    "seat_drawn": "Player {amount} of the list draws {cards} and takes the place of {whom}.",
    "deal": "{Who} [are|is] dealt {cards}.",
    "said keep": "{Who} [keep|keeps] the card.",
    "said exchange": "{Who} [want|wants] to exchange.",
    "swap": "{Who} and {other} exchange cards{faces}.",
    "show": "{Who} [show|shows] {named}.",
    "jump": "The horse is jumped: {who} [try|tries] the seat beyond {other}.",
    "undo": "The exchange of {whom} with {other} is undone{faces}.",
    "reverse": "The card goes back from {whom} to {other}{faces}.",
    "draw": "{Who} [lay|lays] the card aside and [take|takes] {cards} from the pack.",
    "announce": "{Who} [announce|announces] an inn, without showing it.",
    "said stay_at_inn": "{Who} [stay|stays] at the inn with the card.",
    "asked": "{Who} [ask|asks] who pays if the card is a zero.",
    "guarantee": "{Who} will pay for {other} if that card is a zero.",
    "said refuse_to_pay": "{Who} will not pay, so inn and card change places.",
    "offer": "{Who} [offer|offers] {other} for the inn: {price}.",
    "said no_offer": "{Who} [offer|offers] nothing.",
    "said accept_offer": "{Who} [take|takes] the offer.",
    "said refuse_offer": "{Who} [refuse|refuses] the offer.",
    "pay": "{Who} [pay|pays] {other} {amount}.",
    "promise": "{Who} [promise|promises] {other} {amount} percent of the prize.",
    "showdown": "{Who} [turn|turns] up {cards}.",
    "gain": "{Who} [gain|gains] a token for one of the two fools.",
    "lose low": "{Who} [lose|loses] a token for the lowest card.",
    "lose matto": "{Who} [lose|loses] a token for the fool.",
    "lose inn": "{Who} [lose|loses] a token for the guest at the inn.",
    "lose hunter": "{Who} [lose|loses] a token to the hunter.",
    "lose cat": "{Who} [lose|loses] a token to the cat.",
    "dead": "That was the last token of {whom}, so this card is dead.",
    "set_aside": "The card of {whom} is set aside.",
    "eliminated": "{Who} [are|is] out of the game.",
    "said decline_reentry": "{Who} will not pay for new tokens.",
    "reenter": "{Who} [are|is] back with new tokens; into the pool pay: {shares}.",
    "free_reentry": "Nobody has a token left, so everybody comes back with new ones for nothing.",
    "next_dealer": "{Who} [deal|deals] next.",
    "proposal": "{Who} [propose|proposes] to divide the pool, in percent: {shares}.",
    "said no_proposal": "{Who} [make|makes] no proposal.",
    "agreement": "The last two agree to divide the pool, in percent: {shares}.",
    "said decline_agreement": "{Who} [decline|declines] the proposal.",
    "prize": "The pool pays out: {shares}.",
    "next_game": "In the next game sit, from seat 0 on: {people}.",
}
"""The sentences; a key such as ``lose cat`` is a kind of event with its word."""
