"""Narration: the events of a match as sentences for people, English ones unless they are translated.

An event of a kind without a sentence is described by its own fields, so that a new game needs no change here. Suits
and ranks have the names that players use; a pack that is not listed keeps its notation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from chitarrella.core.cards import Card, Hand, Pack
from chitarrella.core.model import Event, Seat, Viewer
from chitarrella.i18n.english_texts import ADDED_SENTENCES

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

SENTENCES: Final = {
    "dealer_drawn": "{Who} [are|is] drawn by lot to deal first.",
    "deal_started": "Deal {amount}: {who} [deal|deals].",
    "dealt": "{Who} [are|is] dealt {cards}.",
    "turned_up": "{cards} is turned up: {word} are trumps.",
    "pack_cut": "{Who} [cut|cuts] the pack, lifting {amount}.",
    "rob_looked": "{Who} [look|looks] at {cards} that might be robbed.",
    "rob_passed": "{Who} [look|looks] at no further card.",
    "robbed": "{Who} [rob|robs] {cards}.",
    "rob_left": "{Who} [leave|leaves] that card.",
    "trionfo_turned": "{cards} is turned up: its twin is the trionfo.",
    "discarded": "{Who} [lay|lays] aside {cards}.",
    "suit_declared": "{Who} [ask|asks] for {word}.",
    "stock_cut": "{Who} [lift|lifts] {amount} from the stock and [show|shows] the lowest card lifted.",
    "card_played": "{Who} [play|plays] {cards}.",
    "cards_led": "{Who} [lead|leads] {cards}.",
    "cards_followed": "{Who} [follow|follows] with {cards}.",
    "trick_taken": "{Who} [take|takes] the trick ({cards}).",
    "sudden_death": "Sudden death: {who} [capture|captures] {last} with {first}, which wins the deal at once.",
    "card_drawn": "{Who} [draw|draws] {cards}.",
    "chips_paid": "{Who} [pay|pays] {other} {amount} in chips.",
    "turn_up_exchanged": "{Who} [lay|lays] down {first} and [take|takes] the turn-up {last}.",
    "revoked": "{Who} [revoke|revokes] with {cards}: {word}.",
    "claimed": "{Who} [claim|claims] the target with {amount} points; the claim is {word}.",
    "claim_declined": "{Who} [make|makes] no claim.",
    "signalled": "{Who} [signal|signals] the {word} of trumps.",
    "hand_shown": "{Who} [show|shows] [your|their] partner these cards: {cards}.",
    "deal_counted": "{Word}: {shares}.",
    "deal_won": "{Who} [win|wins] deal {amount}.",
    "deal_drawn": "Deal {amount} is a stand-off: nobody wins it.",
    "deal_scored": "The deal scores {shares}.",
    "deal_annulled": "{Who} [annul|annuls] deal {amount}: no life is lost, and the same seat deals again.",
    "capotto": "{Who} [take|takes] every trick, which is capotto.",
    "capotto_saved": "{Who} [save|saves] the capotto of {other}.",
    "life_lost": "{Who} [lose|loses] a life: {amount} left.",
    "life_gained": "{Who} [gain|gains] a life: {amount} now.",
    "fee_paid": "{Who} [pay|pays] {amount} into the pool.",
    "doctor_called": "{Who} [call|calls] the doctor; lives received: {amount}.",
    "dropped_out": "{Who} [drop|drops] out of the match.",
    "died": "{Who} [are|is] out: no life is left, and the doctor may not be called.",
    "restarted": "Nobody has a life left: all begin again, for the same pool, with this number of lives: {amount}.",
    "pool_won": "{Who} [take|takes] the pool of {amount}.",
    "game_won": "{Who} [win|wins] a {word}: it counts {amount}.",
    "rank_bid": "{Who} [bid|bids] the {word}.",
    "points_bid": "{Who} [bid|bids] {amount} points.",
    "card_called": "{Who} [call|calls] {cards}.",
    "bid_passed": "{Who} [say|says] pass.",
    "auction_won": "{Who} [win|wins] the auction with {word}.",
    "trump_announced": "{Who} [make|makes] {word} trumps and [call|calls] {cards}.",
    "ally_revealed": "{Who} [turn|turns] out to be the ally of {other}.",
    "alone_revealed": "{Who} [turn|turns] out to play alone against all others.",
    "contract_made": "{Who} [make|makes] the contract, {word}.",
    "contract_lost": "{Who} [lose|loses] the contract, {word}.",
    "deal_void": "Deal {amount} is void.",
    "match_won": "{Who} [win|wins] the match.",
    "match_drawn": "The match is drawn: nobody wins it.",
    **EXCHANGE_SENTENCES,
}
"""One sentence for each kind of event, or for a kind with a certain word.

Of ``[play|plays]`` the first part is for a reader who sits at the seat of the event, the second one for all others.
``{who}`` is that seat as a subject, ``{whom}`` as an object, ``{other}`` the other seat as an object.
"""

PARTS: Final = {
    "you": "you",
    "you object": "you",
    "seat": "seat {seat}",
    "seat object": "seat {seat}",
    "one card": "a card",
    "hidden cards": "{number} cards",
    "more cards": "{cards} and {hidden}",
    "named card": "{code}, the {name}",
    "your card": "you have {card}",
    "their card": "{who} has {card}",
    "both cards": ": {first} now, {second}",
    "money offered": "{amount} in money",
    "share offered": "{amount} percent of the prize",
    "and": "{first} and {second}",
    "to": "to {who}",
}

# Words of events that are neither cards, suits nor counts.
EVENT_WORDS: Final = ("alone", "with_an_ally", "game", "slam", "right", "wrong", "points", "must_follow_suit", "pass")

ALTERNATIVE: Final = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")  # matches words that depend on whether the reader is meant

Text: TypeAlias = Callable[[str, str], str]  # translates an English text with its id, as `Translator.text` does

LATIN: Final = {"b": "batons", "c": "cups", "d": "coins", "s": "swords"} | {
    "A": "ace",
    "F": "jack",
    "C": "horse",
    "R": "king",
}
NAMES: Final = {
    "Italian": LATIN,
    "Spanish": LATIN,
    "French": {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
    | {"T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"},
    "Cucco": {"MAT": "fool", "MAS": "mask", "SEC": "bucket", "NUL": "zero", "LEO": "lion"}
    | {"XI": "inn", "XII": "cat", "XIII": "horse", "XIV": "hunter", "XV": "cuckoo"},
}
"""Names for the letters of the notation, by the first word of the pack's name."""


def names(pack: Pack) -> dict[str, str]:
    return {letters: name for letters in (*pack.suits, *pack.ranks) if (name := name_of(letters, pack))}


def name_of(letters: str, pack: Pack) -> str:
    """Return the name of a suit or rank of ``pack``; empty if it has none, or if ``letters`` is neither."""
    return NAMES.get(kind(pack), {}).get(letters, "") if letters in pack.suits or letters in pack.ranks else ""


def kind(pack: Pack) -> str:
    """Return the kind of a pack, on which the meaning of its letters depends: ``s`` is swords, or spades."""
    return pack.name.partition(" ")[0]


# How rank and suit make the name of a card, by the first word of the pack's name; other packs have no suits.
CARD_NAMES: Final = {"Italian": "{rank} of {suit}", "Spanish": "{rank} of {suit}", "French": "{rank} of {suit}"}


def untranslated(_key: str, english: str) -> str:
    return english


def card_name(card: Card, pack: Pack, text: Text = untranslated) -> str:
    """Return the name of a card, such as "ace of batons" or "XIV, the hunter"."""
    rank = translated_name(card.rank, pack, text) or card.rank
    if card.suit:
        template = text(f"card {kind(pack)}", CARD_NAMES.get(kind(pack), "{rank} of {suit}"))
        return template.format(rank=rank, suit=translated_name(card.suit, pack, text) or card.suit)
    return rank if rank == card.rank else _part(text, "named card", code=card.rank, name=rank)


def who(seat: Seat, you: Viewer = None, text: Text = untranslated, case: str = "") -> str:
    """Return the words for a seat inside a sentence; ``case`` is ``" object"`` where the seat is no subject."""
    return _part(text, f"you{case}") if seat == you else _part(text, f"seat{case}", seat=seat)


def cards_of(event: Event, text: Text = untranslated) -> str:
    if not event.hidden:
        return " ".join(event.cards)
    backs = _part(text, "one card") if event.hidden == 1 else _part(text, "hidden cards", number=event.hidden)
    return _part(text, "more cards", cards=" ".join(event.cards), hidden=backs) if event.cards else backs


def narrate(event: Event, pack: Pack, you: Viewer = None, text: Text = untranslated) -> str:
    """Describe an event in a sentence; the seat ``you``, if any, is addressed as "you". ``text`` translates."""
    key, english = _template(event)
    if not english or (event.seat is None and "{who" in english.lower()):
        return _narrate_unknown(event, you, text)
    reader = event.seat is not None and event.seat == you
    subject, whom = ("", "") if event.seat is None else (who(event.seat, you, text), _object(event.seat, you, text))
    word = word_of(event.word, pack, text)
    sentence = ALTERNATIVE.sub(lambda found: found[1 if reader else 2], text(f"event {key}", english))
    narrated = sentence.format(
        Who=capital(subject),
        who=subject,
        whom=whom,
        cards=cards_of(event, text),
        named=card_name(event.cards[0], pack, text) if event.cards else cards_of(event, text),
        faces=_faces(event, you, text),
        first=_at(event.cards, 0),
        last=_at(event.cards, -1),
        word=word,
        Word=capital(word),
        amount=event.amount,
        other="" if event.other is None else _object(event.other, you, text),
        shares=shares_text(event.shares, you, text),
        people=", ".join(_person(person, you, text) for person, _ in event.shares),
        price=_price(event, text),
    )
    return narrated if event.cards and narrated.startswith(event.cards[0]) else capital(narrated)


def _template(event: Event) -> tuple[str, str]:
    for texts in (SENTENCES, ADDED_SENTENCES):
        for key in (f"{event.kind} {event.word}", event.kind):
            if key in texts:
                return key, texts[key]
    return event.kind, ""


def word_of(word: str, pack: Pack, text: Text = untranslated) -> str:
    """Return a word of an event or a fact as people say it: the name of a suit or rank, or the word itself."""
    return translated_name(word, pack, text) or (text(f"word {word}", word.replace("_", " ")) if word else "")


def translated_name(letters: str, pack: Pack, text: Text) -> str:
    english = name_of(letters, pack)
    return text(f"name {kind(pack)} {letters}", english) if english else ""


def _narrate_unknown(event: Event, you: Viewer, text: Text) -> str:
    what = event.kind.replace("_", " ")
    parts = [what if event.seat is None else f"{who(event.seat, you, text)}: {what}"]
    parts += [event.word.replace("_", " ")] if event.word else []
    parts += [] if event.amount is None else [str(event.amount)]
    parts += [] if event.other is None else [_part(text, "to", who=_object(event.other, you, text))]
    parts += [shares_text(event.shares, you, text)] if event.shares else []
    cards = cards_of(event, text)
    return capital(", ".join(parts)) + (f" ({cards})." if cards else ".")


def shares_text(shares: Iterable[tuple[str, int]], you: Viewer, text: Text = untranslated) -> str:
    """List amounts by person; a person that is a number is a seat."""
    return ", ".join(f"{_person(person, you, text)} {amount}" for person, amount in shares)


def _person(person: str, you: Viewer, text: Text) -> str:
    is_seat = person.isascii() and person.isdecimal()
    return who(int(person), you, text) if is_seat else " ".join(person.split()) or "?"


def _faces(event: Event, you: Viewer, text: Text) -> str:
    """Describe which card each of two seats has after an exchange, if both cards are visible; else empty."""
    if len(event.cards) != 2 or event.seat is None or event.other is None:
        return ""
    first, second = (
        _part(text, "your card", card=card)
        if seat == you
        else _part(text, "their card", who=who(seat, you, text), card=card)
        for seat, card in zip((event.seat, event.other), event.cards, strict=True)
    )
    return _part(text, "both cards", first=first, second=second)


def _price(event: Event, text: Text) -> str:
    parts = [_part(text, "money offered", amount=event.amount)] if event.amount else []
    parts += [_part(text, "share offered", amount=percent) for _, percent in event.shares]
    return _part(text, "and", first=parts[0], second=parts[1]) if len(parts) == 2 else "".join(parts)


def _object(seat: Seat, you: Viewer, text: Text) -> str:
    return who(seat, you, text, " object")


def _part(text: Text, key: str, **values: object) -> str:
    return text(f"part {key}", PARTS[key]).format(**values)


def _at(cards: Hand, place: int) -> str:
    return cards[place] if cards else ""


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
