"""What the cards of the exchange games do but for the inn: cat, cuckoo, horse, hunter; and what a lost token means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from chitarrella.core.model import Event, Seat, public_event
from chitarrella.exchange.parts import CAT, HORSE, HUNTER, INN, Effect, Penalty, Rules
from chitarrella.exchange.reentry import REENTRY_NOW, count_loss, eliminate
from chitarrella.exchange.round import (
    Round,
    card_of,
    draw_next,
    held_by,
    in_game,
    lose_token,
    next_speaker,
    put_aside,
    show_card,
    swap_cards,
    swap_event,
)
from chitarrella.exchange.turns import asker_and_target, give_turn, pass_to_target, try_exchange

STRIKING_CARDS = {CAT: "cat", HUNTER: "hunter"}
"""Cards that, met on the way back, cost the holder a token, with the word of the event."""


class UndoSwaps(Effect):
    """The asker loses a token, and the card returns along the chain of its swaps."""

    def apply(self, g: Rules, r: Round, events: list[Event]) -> Round:
        """Show the cat, take the token, and undo the swaps, the last one first. No card on the way stops it."""
        asker, target = asker_and_target(r)
        r = g.penalty.take_token(g, show_card(r, target, events), asker, "cat", events)
        for giver, taker in reversed(list(zip(r.chain, r.chain[1:], strict=False))):
            r = swap_cards(r, giver, taker)
            events.append(swap_event("swap_undone", r, giver, taker))
        return g.penalty.continue_deal(g, r._replace(chain=()), events)


class SendBack(Effect):
    """The asker loses a token and must try to give the card back."""

    def apply(self, g: Rules, r: Round, events: list[Event]) -> Round:
        """Show the cat and take the token. The penalty sends the card back unless the asker is out."""
        asker, target = asker_and_target(r)
        r = show_card(r, target, events)._replace(chain=(), reverse=True)
        return g.penalty.continue_deal(g, g.penalty.take_token(g, r, asker, "cat", events), events)


def send_card_back(g: Rules, r: Round, holder: Seat, events: list[Event]) -> Round:
    """Send the card of ``holder`` back, seat by seat, until a card stops it or no seat is left.

    A plain card is swapped, and its owner becomes the holder. An inn that has changed hands counts as plain.
    """
    partner = left_of(r, holder)
    while partner is not None:
        card = card_of(r, partner)
        is_plain = card.rank not in g.effects or (card.rank == INN and held_by(r, partner).moved)
        if is_plain:
            r = swap_cards(r, holder, partner)
            events.append(swap_event("swap_reversed", r, holder, partner))
            holder = partner
        else:
            r = show_card(r, partner, events)
            if card.rank in STRIKING_CARDS:
                return g.penalty.take_token(g, r, holder, STRIKING_CARDS[card.rank], events)
            if card.rank != HORSE:
                return r
        partner = left_of(r, partner)
    return r


def left_of(r: Round, seat: Seat) -> Seat | None:
    """Return the nearest earlier speaker who has a card; None before the first."""
    earlier = [one for one in r.order[: r.order.index(seat)] if r.held[one]]
    return earlier[-1] if earlier else None


class StopExchange(Effect):
    """The cuckoo is shown and nothing changes hands."""

    def apply(self, g: Rules, r: Round, events: list[Event]) -> Round:
        """Show the cuckoo; the target moves next."""
        return pass_to_target(show_card(r, asker_and_target(r)[1], events)._replace(chain=()))


@dataclass(frozen=True)
class Jump(Effect):
    """The horse is shown, and the exchange goes on with the next seat.

    At the dealer's horse the asker takes a card of the pack instead, by ``draw``: the next one, or the card at the end
    from which nothing is dealt.
    """

    draw: Callable[[Round, Seat, list[Event]], Round] = draw_next

    def apply(self, g: Rules, r: Round, events: list[Event]) -> Round:
        """Show the horse, then try the exchange with the seat beyond, or draw."""
        asker, horse = asker_and_target(r)
        r = show_card(r, horse, events)
        beyond = next_speaker(r, horse)
        if beyond is None:
            return pass_to_target(self.draw(r, asker, events)._replace(chain=()))
        events.append(public_event("horse_jumped", asker, other=horse))
        return try_exchange(g, r.with_exchange(r.chain, r.asker, beyond), beyond, events)


class Shoot(Effect):
    """The hunter is shown, nothing changes hands, and the asker loses a token."""

    def apply(self, g: Rules, r: Round, events: list[Event]) -> Round:
        """Show the hunter and take the token."""
        asker, target = asker_and_target(r)
        r = show_card(r, target, events)._replace(chain=())
        return g.penalty.continue_deal(g, g.penalty.take_token(g, r, asker, "hunter", events), events)


class DeadCard(Penalty):
    """A seat that loses its last token is dead for this deal. Its card stays and counts for nothing."""

    def take_token(self, g: Rules, r: Round, seat: Seat, why: str, events: list[Event]) -> Round:
        """Take the token. A seat with a protecting card shows it and keeps the token."""
        if card_of(r, seat).rank in g.protectors:
            return show_card(r, seat, events)
        r = lose_token(r, seat, why, events)
        if not r.match_state.tokens[seat]:
            events.append(public_event("last_token_lost", seat))
        return r

    def continue_deal(self, g: Rules, r: Round, events: list[Event]) -> Round:
        return pass_to_target(r)

    def settles_after_comparison(self, was_compared: bool) -> bool:
        """Return True: every seat without tokens is settled after the comparison."""
        return True

    def eliminate(self, g: Rules, r: Round, seat: Seat, events: list[Event]) -> Round:
        """Raise `NotImplementedError`: no seat leaves the game in the middle of a deal."""
        raise NotImplementedError


# The penalty at once
class ImmediatePenalty(Penalty):
    """A seat that loses its last token re-enters at once, or leaves the game and its card the deal."""

    def take_token(self, g: Rules, r: Round, seat: Seat, why: str, events: list[Event]) -> Round:
        """Take the token. If it was the last one, ask the seat to re-enter or eliminate it."""
        r = lose_token(r, seat, why, events)
        if r.match_state.tokens[seat]:
            return r
        r = count_loss(g, r)
        if g.reentry.cost(g.stake, r.match_state) is not None:
            return r._replace(phase=REENTRY_NOW, at=seat)
        return self.eliminate(g, r, seat, events)

    def settles_after_comparison(self, was_compared: bool) -> bool:
        """Return whether the card was compared: the others were settled in the middle of the deal."""
        return was_compared

    def eliminate(self, g: Rules, r: Round, seat: Seat, events: list[Event]) -> Round:
        """Set the card aside. A single player left wins without a comparison."""
        r = put_aside(eliminate(r, seat, events), seat)._replace(reverse=False)
        events.append(public_event("set_aside", seat))
        return g.finish(r, events) if len(in_game(r)) == 1 else r

    def continue_deal(self, g: Rules, r: Round, events: list[Event]) -> Round:
        """Send the card back where that is due, then pass the turn to the target."""
        if r.reverse and not self.is_interrupted(g, r):
            r = send_card_back(g, r._replace(reverse=False), asker_and_target(r)[0], events)
        return r if self.is_interrupted(g, r) else give_turn(r, asker_and_target(r)[1])

    def is_interrupted(self, g: Rules, r: Round) -> bool:
        """Whether a seat has to decide on re-entry first, or the game is over."""
        return r.phase == REENTRY_NOW or g.is_finished(r)
