"""English sentences for the events of exchange games, by kind of event, or by kind and word.

`chitarrella.i18n.narration` fills in ``{cards}``, ``{faces}``, ``{shares}`` and the other placeholders.
"""

from __future__ import annotations

from typing import Final

EXCHANGE_SENTENCES: Final = {
    "seat_drawn": "Player {amount} of the list draws {cards} and takes the place of {who}.",
    "deal": "{Who} {is} dealt {cards}.",
    "said keep": "{Who} keep{s} the card.",
    "said exchange": "{Who} want{s} to exchange.",
    "swap": "{Who} and {other} exchange cards{faces}.",
    "show": "{Who} show{s} {named}.",
    "jump": "The horse is jumped: {who} tr{ies} the seat beyond {other}.",
    "undo": "The exchange of {who} with {other} is undone{faces}.",
    "reverse": "The card goes back from {who} to {other}{faces}.",
    "draw": "{Who} lay{s} the card aside and take{s} {cards} from the pack.",
    "announce": "{Who} announce{s} an inn, without showing it.",
    "said stay_at_inn": "{Who} stay{s} at the inn with the card.",
    "asked": "{Who} ask{s} who pays if the card is a zero.",
    "guarantee": "{Who} will pay for {other} if that card is a zero.",
    "said refuse_to_pay": "{Who} will not pay, so inn and card change places.",
    "offer": "{Who} offer{s} {other} for the inn: {price}.",
    "said no_offer": "{Who} offer{s} nothing.",
    "said accept_offer": "{Who} take{s} the offer.",
    "said refuse_offer": "{Who} refuse{s} the offer.",
    "pay": "{Who} pay{s} {other} {amount}.",
    "promise": "{Who} promise{s} {other} {amount} percent of the prize.",
    "showdown": "{Who} turn{s} up {cards}.",
    "gain": "{Who} gain{s} a token for one of the two fools.",
    "lose low": "{Who} lose{s} a token for the lowest card.",
    "lose matto": "{Who} lose{s} a token for the fool.",
    "lose inn": "{Who} lose{s} a token for the guest at the inn.",
    "lose hunter": "{Who} lose{s} a token to the hunter.",
    "lose cat": "{Who} lose{s} a token to the cat.",
    "dead": "That was the last token of {who}, so this card is dead.",
    "set_aside": "The card of {who} is set aside.",
    "eliminated": "{Who} {is} out of the game.",
    "said decline_reentry": "{Who} will not pay for new tokens.",
    "reenter": "{Who} {is} back with new tokens; into the pool pay: {shares}.",
    "free_reentry": "Nobody has a token left, so everybody comes back with new ones for nothing.",
    "next_dealer": "{Who} deal{s} next.",
    "proposal": "{Who} propose{s} to divide the pool, in percent: {shares}.",
    "said no_proposal": "{Who} make{s} no proposal.",
    "agreement": "The last two agree to divide the pool, in percent: {shares}.",
    "said decline_agreement": "{Who} decline{s} the proposal.",
    "prize": "The pool pays out: {shares}.",
    "next_game": "In the next game sit, from seat 0 on: {people}.",
}
"""The sentences; a key such as ``lose cat`` is a kind of event with its word."""
