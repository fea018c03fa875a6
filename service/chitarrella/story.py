"""Stories: what happened at the table, in English sentences for people.

An `Event` of a kind that has no sentence here is told all the same, in its own words, so that a new game needs no
change. The names of suits and ranks are those that players use; a pack that is not listed keeps its notation.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from chitarrella.cards import Card, Hand, Pack
from chitarrella.sayings import EXCHANGES
from chitarrella.words import Event, Eyes, Seat

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
    **EXCHANGES,
}
"""One sentence for each kind of event, or for a kind with a certain word.

``{s}``, ``{ies}``, ``{is}`` and ``{their}`` go with the seat that it begins with.
"""

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
"""What the letters of the notation stand for, by the first word of the pack's name."""


def names(pack: Pack) -> dict[str, str]:
    """Give the names of the suits and ranks of ``pack``, as far as they have any beside their notation."""
    known = NAMES.get(pack.name.partition(" ")[0], {})
    return {text: known[text] for text in (*pack.suits, *pack.ranks) if text in known}


def name(card: Card, pack: Pack) -> str:
    """Say a card in words: "ace of batons", "XIV, the hunter"."""
    known = names(pack)
    rank = known.get(card.rank, card.rank)
    if card.suit:
        return f"{rank} of {known.get(card.suit, card.suit)}"
    return rank if rank == card.rank else f"{card.rank}, the {rank}"


def who(seat: Seat, you: Eyes = None) -> str:
    """Name a seat inside a sentence."""
    return "you" if seat == you else f"seat {seat}"


def cards_of(event: Event) -> str:
    """Name the cards that are seen, and count the ones that are not."""
    if not event.hidden:
        return " ".join(event.cards)
    backs = "a card" if event.hidden == 1 else f"{event.hidden} cards"
    return f"{' '.join(event.cards)} and {backs}" if event.cards else backs


def tell(event: Event, pack: Pack, you: Eyes = None) -> str:
    """Say in a sentence what happened; ``you`` is the seat that is spoken to, if any."""
    sentence = SENTENCES.get(f"{event.kind} {event.word}", SENTENCES.get(event.kind))
    if sentence is None or (event.seat is None and "{who}" in sentence.lower()):
        return _tell_unknown(event, you)
    mine = event.seat is not None and event.seat == you
    subject = "" if event.seat is None else who(event.seat, you)
    word = names(pack).get(event.word, event.word.replace("_", " "))
    return sentence.format(
        Who=capital(subject),
        who=subject,
        s="" if mine else "s",
        ies="y" if mine else "ies",
        **{"is": "are" if mine else "is", "their": "your" if mine else "their"},
        cards=cards_of(event),
        named=name(event.cards[0], pack) if event.cards else cards_of(event),
        faces=_faces(event, you),
        first=_at(event.cards, 0),
        last=_at(event.cards, -1),
        word=word,
        Word=capital(word),
        amount=event.amount,
        other="" if event.other is None else who(event.other, you),
        shares=said_shares(event.shares, you),
        people=", ".join(_person(person, you) for person, _ in event.shares),
        price=_price(event),
    )


def _tell_unknown(event: Event, you: Eyes) -> str:
    """Say an event that has no sentence of its own, leaving nothing out."""
    what = event.kind.replace("_", " ")
    parts = [what if event.seat is None else f"{who(event.seat, you)}: {what}"]
    parts += [event.word.replace("_", " ")] if event.word else []
    parts += [] if event.amount is None else [str(event.amount)]
    parts += [] if event.other is None else [f"to {who(event.other, you)}"]
    parts += [said_shares(event.shares, you)] if event.shares else []
    cards = cards_of(event)
    return capital(", ".join(parts)) + (f" ({cards})." if cards else ".")


def said_shares(shares: Iterable[tuple[str, int]], you: Eyes) -> str:
    """Say who has how much; a person that is a number is a seat."""
    return ", ".join(f"{_person(person, you)} {amount}" for person, amount in shares)


def _person(person: str, you: Eyes) -> str:
    return who(int(person), you) if person.isascii() and person.isdecimal() else " ".join(person.split()) or "?"


def _faces(event: Event, you: Eyes) -> str:
    """Say which card each of two seats has now, to those who may know."""
    if len(event.cards) != 2 or event.seat is None or event.other is None:
        return ""
    have = [f"{who(seat, you)} {'have' if seat == you else 'has'}" for seat in (event.seat, event.other)]
    return f": {have[0]} {event.cards[0]} now, {have[1]} {event.cards[1]}"


def _price(event: Event) -> str:
    """Say what is offered: money, a percentage of the prize, or both."""
    parts = [f"{event.amount} in money"] if event.amount else []
    parts += [f"{percent} percent of the prize" for _, percent in event.shares]
    return " and ".join(parts)


def _at(cards: Hand, place: int) -> str:
    return cards[place] if cards else ""


def capital(text: str) -> str:
    """Begin a sentence."""
    return text[:1].upper() + text[1:]
