"""Narration: the events of a match as English sentences for people.

An event of a kind without a sentence is described by its own fields, so that a new game needs no change here. Suits
and ranks have the names that players use; a pack that is not listed keeps its notation.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from chitarrella.core.cards import Card, Hand, Pack
from chitarrella.core.model import Event, Seat
from chitarrella.core.visibility import Viewer
from chitarrella.i18n.exchange_narration import EXCHANGE_SENTENCES

SENTENCES: Final = {
    "dealer_drawn": "{Who} {is} drawn by lot to deal first.",
    "deal_started": "Deal {amount}: {who} deal{s}.",
    "dealt": "{Who} {is} dealt {cards}.",
    "turned_up": "{cards} is turned up: {word} are trumps.",
    "pack_cut": "{Who} cut{s} the pack, lifting {amount}.",
    "rob_looked": "{Who} look{s} at {cards} that might be robbed.",
    "rob_passed": "{Who} look{s} at no further card.",
    "robbed": "{Who} rob{s} {cards}.",
    "rob_left": "{Who} leave{s} that card.",
    "trionfo_turned": "{cards} is turned up: its twin is the trionfo.",
    "discarded": "{Who} lay{s} aside {cards}.",
    "suit_declared": "{Who} ask{s} for {word}.",
    "stock_cut": "{Who} lift{s} {amount} from the stock and show{s} the lowest card lifted.",
    "card_played": "{Who} play{s} {cards}.",
    "cards_led": "{Who} lead{s} {cards}.",
    "cards_followed": "{Who} follow{s} with {cards}.",
    "trick_taken": "{Who} take{s} the trick ({cards}).",
    "sudden_death": "Sudden death: {who} capture{s} {last} with {first}, which wins the deal at once.",
    "card_drawn": "{Who} draw{s} {cards}.",
    "chips_paid": "{Who} pay{s} {other} {amount} in chips.",
    "turn_up_exchanged": "{Who} lay{s} down {first} and take{s} the turn-up {last}.",
    "revoked": "{Who} revoke{s} with {cards}: {word}.",
    "claimed": "{Who} claim{s} the target with {amount} points; the claim is {word}.",
    "claim_declined": "{Who} make{s} no claim.",
    "signalled": "{Who} signal{s} the {word} of trumps.",
    "hand_shown": "{Who} show{s} {their} partner these cards: {cards}.",
    "deal_counted": "{Word}: {shares}.",
    "deal_won": "{Who} win{s} deal {amount}.",
    "deal_drawn": "Deal {amount} is a stand-off: nobody wins it.",
    "deal_scored": "The deal scores {shares}.",
    "deal_annulled": "{Who} annul{s} deal {amount}: no life is lost, and the same seat deals again.",
    "capotto": "{Who} take{s} every trick, which is capotto.",
    "capotto_saved": "{Who} save{s} the capotto of {other}.",
    "life_lost": "{Who} lose{s} a life: {amount} left.",
    "life_gained": "{Who} gain{s} a life: {amount} now.",
    "fee_paid": "{Who} pay{s} {amount} into the pool.",
    "doctor_called": "{Who} call{s} the doctor; lives received: {amount}.",
    "dropped_out": "{Who} drop{s} out of the match.",
    "died": "{Who} {is} out: no life is left, and the doctor may not be called.",
    "restarted": "Nobody has a life left: all begin again, for the same pool, with this number of lives: {amount}.",
    "pool_won": "{Who} take{s} the pool of {amount}.",
    "game_won": "{Who} win{s} a {word}: it counts {amount}.",
    "rank_bid": "{Who} bid{s} the {word}.",
    "points_bid": "{Who} bid{s} {amount} points.",
    "card_called": "{Who} call{s} {cards}.",
    "bid_passed": "{Who} say{s} pass.",
    "auction_won": "{Who} win{s} the auction with {word}.",
    "trump_announced": "{Who} make{s} {word} trumps and call{s} {cards}.",
    "ally_revealed": "{Who} turn{s} out to be the ally of {other}.",
    "alone_revealed": "{Who} turn{s} out to play alone against all others.",
    "contract_made": "{Who} make{s} the contract, {word}.",
    "contract_lost": "{Who} lose{s} the contract, {word}.",
    "deal_void": "Deal {amount} is void.",
    "match_won": "{Who} win{s} the match.",
    "match_drawn": "The match is drawn: nobody wins it.",
    **EXCHANGE_SENTENCES,
}
"""One sentence for each kind of event, or for a kind with a certain word.

``{s}``, ``{ies}``, ``{is}`` and ``{their}`` agree with the seat at the beginning of the sentence.
"""

LATIN: Final = {"b": "batons", "c": "cups", "d": "coins", "s": "swords"} | {
    "A": "ace",
    "F": "jack",
    "C": "horse",
    "R": "king",
}
"""The words for suits and named ranks of the Italian and the Spanish pack."""
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
    """Map the letters of suits and ranks of ``pack`` to their names; those without a name are left out."""
    return {letters: name for letters in (*pack.suits, *pack.ranks) if (name := name_of(letters, pack))}


def name_of(letters: str, pack: Pack) -> str:
    """Return the name of a suit or rank of ``pack``; empty if it has none, or if ``letters`` is neither."""
    return NAMES.get(kind(pack), {}).get(letters, "") if letters in pack.suits or letters in pack.ranks else ""


def kind(pack: Pack) -> str:
    """Return the kind of a pack, on which the meaning of its letters depends: ``s`` is swords, or spades."""
    return pack.name.partition(" ")[0]


CARD_NAMES: Final = {"Italian": "{rank} of {suit}", "Spanish": "{rank} of {suit}", "French": "{rank} of {suit}"}
"""How rank and suit make the name of a card, by the first word of the pack's name; other packs have no suits."""


def card_name(card: Card, pack: Pack) -> str:
    """Return the name of a card, such as "ace of batons" or "XIV, the hunter"."""
    rank = name_of(card.rank, pack) or card.rank
    if card.suit:
        return f"{rank} of {name_of(card.suit, pack) or card.suit}"
    return rank if rank == card.rank else f"{card.rank}, the {rank}"


def who(seat: Seat, you: Viewer = None) -> str:
    """Return the words for a seat inside a sentence."""
    return "you" if seat == you else f"seat {seat}"


def cards_of(event: Event) -> str:
    """List the visible cards of an event and count the hidden ones."""
    if not event.hidden:
        return " ".join(event.cards)
    backs = "a card" if event.hidden == 1 else f"{event.hidden} cards"
    return f"{' '.join(event.cards)} and {backs}" if event.cards else backs


def narrate(event: Event, pack: Pack, you: Viewer = None) -> str:
    """Describe an event in a sentence; the seat ``you``, if any, is addressed as "you"."""
    sentence = SENTENCES.get(f"{event.kind} {event.word}", SENTENCES.get(event.kind))
    if sentence is None or (event.seat is None and "{who}" in sentence.lower()):
        return _narrate_unknown(event, you)
    mine = event.seat is not None and event.seat == you
    subject = "" if event.seat is None else who(event.seat, you)
    word = name_of(event.word, pack) or event.word.replace("_", " ")
    return sentence.format(
        Who=capital(subject),
        who=subject,
        s="" if mine else "s",
        ies="y" if mine else "ies",
        **{"is": "are" if mine else "is", "their": "your" if mine else "their"},
        cards=cards_of(event),
        named=card_name(event.cards[0], pack) if event.cards else cards_of(event),
        faces=_faces(event, you),
        first=_at(event.cards, 0),
        last=_at(event.cards, -1),
        word=word,
        Word=capital(word),
        amount=event.amount,
        other="" if event.other is None else who(event.other, you),
        shares=shares_text(event.shares, you),
        people=", ".join(_person(person, you) for person, _ in event.shares),
        price=_price(event),
    )


def _narrate_unknown(event: Event, you: Viewer) -> str:
    """Describe an event without a sentence of its own by all of its fields."""
    what = event.kind.replace("_", " ")
    parts = [what if event.seat is None else f"{who(event.seat, you)}: {what}"]
    parts += [event.word.replace("_", " ")] if event.word else []
    parts += [] if event.amount is None else [str(event.amount)]
    parts += [] if event.other is None else [f"to {who(event.other, you)}"]
    parts += [shares_text(event.shares, you)] if event.shares else []
    cards = cards_of(event)
    return capital(", ".join(parts)) + (f" ({cards})." if cards else ".")


def shares_text(shares: Iterable[tuple[str, int]], you: Viewer) -> str:
    """List amounts by person; a person that is a number is a seat."""
    return ", ".join(f"{_person(person, you)} {amount}" for person, amount in shares)


def _person(person: str, you: Viewer) -> str:
    return who(int(person), you) if person.isascii() and person.isdecimal() else " ".join(person.split()) or "?"


def _faces(event: Event, you: Viewer) -> str:
    """Describe which card each of two seats has after an exchange, if both cards are visible; else empty."""
    if len(event.cards) != 2 or event.seat is None or event.other is None:
        return ""
    have = [f"{who(seat, you)} {'have' if seat == you else 'has'}" for seat in (event.seat, event.other)]
    return f": {have[0]} {event.cards[0]} now, {have[1]} {event.cards[1]}"


def _price(event: Event) -> str:
    """Describe an offer: money, a percentage of the prize, or both."""
    parts = [f"{event.amount} in money"] if event.amount else []
    parts += [f"{percent} percent of the prize" for _, percent in event.shares]
    return " and ".join(parts)


def _at(cards: Hand, place: int) -> str:
    return cards[place] if cards else ""


def capital(text: str) -> str:
    """Return ``text`` with its first letter in upper case."""
    return text[:1].upper() + text[1:]
