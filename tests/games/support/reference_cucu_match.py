"""A second implementation of a match of Cucù: agreements, tokens, re-entries, syndicates, division of the pool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from tests.games.support.reference_cucu import Deal

Shares = dict[str, int]
Ask = Callable[[int, str, set[str], list[str], int], tuple[str, Shares]]
"""Asks a seat, in a phase, for one of these words, and with some words for amounts of these persons, of this sum."""

BOUND = 9_007_199_254_740_991
LOW = {"I", "II", "III", "IV", "NUL", "SEC", "MAS", "LEO"}


class Game:
    """A game: the options of the table, and how it stands."""

    def __init__(self, seats: int, tokens: int, stake: int, dealer: int, ask: Ask) -> None:
        self.stack, self.stake, self.dealer, self.ask = tokens, stake, dealer, ask
        self.tokens = [tokens] * seats
        self.virgins = set(range(seats))
        self.pool = stake * seats
        self.net = Counter({str(seat): -stake for seat in range(seats)})
        self.eliminations = 0
        self.paid: dict[int, Shares] = {}
        self.agreement: Shares = {}
        self.events: list[str] = []
        self.reentry = self.syndicates = self.talks = self.duty = True
        self.over = False

    def in_game(self) -> list[int]:
        """The seats with tokens, in the order of speech of the coming deal."""
        seats = len(self.tokens)
        return [seat for step in range(seats) if self.tokens[seat := (self.dealer + 1 + step) % seats]]

    def play(self, pack: list[str]) -> None:
        """Play a deal, and settle it."""
        order = self.in_game()
        if len(order) == 2 and self.talks and not self.agreement:
            self.talk(order)
        deal = Deal(order, pack, self.tokens, lambda seat, phase, words: self.ask(seat, phase, words, [], 0)[0])
        deal.must_exchange = LOW if self.agreement and self.duty else set()
        deal.events = self.events
        before = len(self.events)
        deal.play()
        for event in self.events[before:]:
            if event.startswith("lose"):
                self.virgins.discard(int(event.split()[1]))
        self.settle(order)

    def talk(self, both: list[int]) -> None:
        """Ask the last two for an agreement, the dealer last."""
        for seat, other in (both, both[::-1]):
            names = [str(one) for one in sorted(both)]
            word, shares = self.ask(seat, "agreement_offer", {"propose_agreement", "no_proposal"}, names, 100)
            if word == "no_proposal":
                continue
            said = " ".join(f"{name}:{shares[name]}" for name in names)
            self.events.append(f"proposal {seat} {said}")
            words = {"accept_agreement", "decline_agreement"}
            if self.ask(other, "agreement_answer", words, [], 0)[0] == "accept_agreement":
                self.agreement = shares
                self.events.append(f"agreement {said}")
                return

    def settle(self, order: list[int]) -> None:
        """Settle the seats without tokens; determine the dealer or the winner."""
        waiting = [seat for seat in order if not self.tokens[seat]]
        if not any(self.tokens):
            self.events.append("free_reentry")
            self.tokens = [self.stack] * len(self.tokens)
            self.virgins, self.paid, self.agreement, waiting = set(), {}, {}, []
        while waiting:
            seat = waiting[0]
            self.eliminations += 1
            cost = self.stake * 2 ** (self.eliminations - 1)
            back = self.reentry and self.virgins and self.pool + cost <= BOUND and self.pays(seat, cost, waiting)
            if not back:
                self.events.append(f"eliminated {seat}")
            waiting.pop(0)
        players = self.in_game()
        if len(players) == 1:
            self.divide(players[0])
        else:
            self.dealer = players[0]
            self.events.append(f"next_dealer {self.dealer}")

    def pays(self, seat: int, cost: int, waiting: list[int]) -> bool:
        """Ask a player about re-entry, and who pays."""
        others = [str(one) for one, held in enumerate(self.tokens) if not held and one not in waiting]
        payers = [str(seat), *(others if self.syndicates else []), *(["zia", "nonno"] if self.syndicates else [])]
        word, shares = self.ask(seat, "reentry", {"reenter", "decline_reentry"}, payers, cost)
        if word == "decline_reentry":
            return False
        self.paid[seat] = shares or {str(seat): cost}
        self.net.subtract(self.paid[seat])
        self.pool += cost
        self.tokens[seat] = self.stack
        self.virgins.discard(seat)
        self.events.append(f"reenter {seat} {cost}")
        return True

    def divide(self, winner: int) -> None:
        """Divide the pool."""
        parts = {int(name): self.pool * share // 100 for name, share in self.agreement.items()}
        parts[winner] = parts.get(winner, 0) + self.pool - sum(parts.values())
        prizes: Counter[str] = Counter()
        for seat, part in parts.items():
            paid = self.paid.get(seat, {str(seat): 1})
            for person, amount in paid.items():
                prizes[person] += part * amount // sum(paid.values())
            prizes[str(seat)] += part - sum(part * amount // sum(paid.values()) for amount in paid.values())
        self.events += [f"prize {person} {amount}" for person, amount in prizes.items() if amount]
        self.net.update(prizes)
        self.pool, self.over = 0, True


def shared_out(rng: Random, persons: list[str], total: int) -> dict[str, int]:
    """Share a sum out among some of these persons; where two agree, both are named, be it with nothing."""
    if total == 100 and len(persons) == 2 and all(map(str.isdecimal, persons)):
        first = rng.randint(0, 100)
        return dict(zip(persons, (first, 100 - first), strict=True))
    some = rng.sample(persons, rng.randint(0, min(len(persons), total, 3)))
    cuts = sorted(rng.sample(range(1, min(total, 1000)), len(some) - 1)) if some else []
    return {person: high - low for person, low, high in zip(some, [0, *cuts], [*cuts, total], strict=False)}
