"""What happens when an exchange meets a special card that has just been dealt to the target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chitarrella.exchange.round import Round, card_of, drawn, following, shown, swapped, told_swap
from chitarrella.exchange.tokens import token_lost
from chitarrella.exchange.turns import go_on, meet, parties
from chitarrella.words import Event, Seat, public

if TYPE_CHECKING:
    from chitarrella.exchange.game import ExchangeGame


class Effect:
    """What a special card does."""

    def met(self, g: ExchangeGame, r: Round, tell: list[Event]) -> Round:
        """Settle the exchange of ``r.asker`` with ``r.target``, who has just been dealt this card."""
        raise NotImplementedError


class Arrest(Effect):
    """The cuckoo: shown, and nothing changes hands."""

    def met(self, g: ExchangeGame, r: Round, tell: list[Event]) -> Round:
        """Show it; the target decides next."""
        return go_on(shown(r, parties(r)[1], tell)._replace(chain=()))


class Shoot(Effect):
    """The hunter: shown, and the asker loses a token."""

    def met(self, g: ExchangeGame, r: Round, tell: list[Event]) -> Round:
        """Show it and strike."""
        asker, target = parties(r)
        r = shown(r, target, tell)._replace(chain=())
        return g.penalty.go_on(g, g.penalty.strike(g, r, asker, "hunter", tell), tell)


@dataclass(frozen=True)
class Jump(Effect):
    """The horse: shown and passed over. From the dealer's horse the asker takes a card of the pack instead.

    ``far_end`` says that it is the card at the end from which nothing is dealt.
    """

    far_end: bool = False

    def met(self, g: ExchangeGame, r: Round, tell: list[Event]) -> Round:
        """Try it with the seat beyond, or draw."""
        asker, horse = parties(r)
        r = shown(r, horse, tell)
        beyond = following(r, horse)
        if beyond is None:
            return go_on(drawn(r, asker, self.far_end, tell)._replace(chain=()))
        tell.append(public("jump", asker, other=horse))
        return meet(g, r, beyond, tell)


class Undo(Effect):
    """The cat of Campli: the asker loses a token, and the card goes home along the chain of its swaps."""

    def met(self, g: ExchangeGame, r: Round, tell: list[Event]) -> Round:
        """Show it, strike, undo the last swap first; no card on the way can stop it."""
        asker, target = parties(r)
        r = g.penalty.strike(g, shown(r, target, tell), asker, "cat", tell)
        for giver, taker in reversed(list(zip(r.chain, r.chain[1:], strict=False))):
            r = swapped(r, giver, taker)
            tell.append(told_swap("undo", r, giver, taker))
        return g.penalty.go_on(g, r._replace(chain=()), tell)


# ---------------------------------------------------------------------- losing a token in the middle of a deal


class Penalty:
    """What it means to lose a token to a hunter or a cat."""

    def strike(self, g: ExchangeGame, r: Round, seat: Seat, why: str, tell: list[Event]) -> Round:
        """Take the token."""
        raise NotImplementedError

    def go_on(self, g: ExchangeGame, r: Round, tell: list[Event]) -> Round:
        """Go on after the effect: the target decides next."""
        return go_on(r)

    def settles(self, compared: bool) -> bool:
        """Tell whether a seat without tokens is settled after the comparison, in which its card was or was not."""
        return True

    def out(self, g: ExchangeGame, r: Round, seat: Seat, tell: list[Event]) -> Round:
        """Let a seat without tokens that does not buy itself back be out, in the middle of the deal."""
        raise NotImplementedError


class DeadCard(Penalty):
    """Who loses the last token is dead for this deal: his card stays where it is and counts for nothing."""

    def strike(self, g: ExchangeGame, r: Round, seat: Seat, why: str, tell: list[Event]) -> Round:
        """Take the token, but from nobody who has a card that protects; he shows it."""
        if card_of(r, seat).rank in g.protectors:
            return shown(r, seat, tell)
        r = token_lost(r, seat, why, tell)
        if not r.standing.tokens[seat]:
            tell.append(public("dead", seat))
        return r
