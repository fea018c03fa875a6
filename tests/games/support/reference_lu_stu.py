"""A second implementation of Lu Stù, as simple as possible, to compare the rules with.

It shares only the rule book with the service: a card is a list of its face and whether it has changed hands, a game
a few numbers, and events are recorded in the notation of the rule book.
"""

from __future__ import annotations

from collections import Counter

from tests.games.support.reference_cucu_match import BOUND, LOW, Ask, Shares

NUMBERS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV")
RANK = {"LEO": -3, "MAS": -2, "SEC": -1, "NUL": 0} | {face: value for value, face in enumerate(NUMBERS, 1)}


class Game:
    """A game: the options of the table, how it stands, and the deal that is being played."""

    def __init__(self, seats: int, tokens: int, stake: int, dealer: int, ask: Ask) -> None:
        self.stack, self.stake, self.dealer, self.ask = tokens, stake, dealer, ask
        self.tokens = [tokens] * seats
        self.virgins = set(range(seats))
        self.pool, self.bought = stake * seats, 0
        self.net = Counter({str(seat): -stake for seat in range(seats)})
        self.paid: dict[int, Shares] = {}
        self.agreement: Shares = {}
        self.promises: list[tuple[int, int, int]] = []
        self.events: list[str] = []
        self.reentry = self.syndicates = self.talks = self.duty = True
        self.offers, self.money, self.percent = 3, True, True
        self.over = False

    def emit(self, *words: object) -> None:
        """Record an event."""
        self.events.append(" ".join(map(str, words)))

    def in_game(self) -> list[int]:
        """The seats with tokens, in the order of speech of the coming deal."""
        seats = len(self.tokens)
        return [seat for step in range(seats) if self.tokens[seat := (self.dealer + 1 + step) % seats]]

    # ------------------------------------------------------------------ a deal

    def play(self, pack: list[str]) -> None:
        """Play a deal, and settle it."""
        self.order, self.pack = self.in_game(), [[face, False] for face in pack]
        self.before: dict[int, list[object]] = {}
        self.hosts: dict[int, int] = {}
        if len(self.order) == 2 and self.talks and not self.agreement:
            self.talk()
        at = 0
        self.take(self.order[0])
        while at < len(self.order) - 1 and not self.over:
            seat = self.order[at]
            bound = self.duty and self.agreement and self.before[seat][0] in LOW
            if self.ask(seat, "turn", {"exchange"} if bound else {"keep", "exchange"}, [], 0)[0] == "keep":
                at += 1
                self.take(self.order[at])
            else:
                at = self.exchange(seat, at + 1)
        if self.over:
            return
        if self.ask(self.order[-1], "dealer_turn", {"keep", "draw"}, [], 0)[0] == "draw":
            self.take(self.order[-1], "draw")
        self.compare()

    def talk(self) -> None:
        """Ask the last two for an agreement, the dealer last."""
        names = [str(seat) for seat in sorted(self.order)]
        for seat, other in (self.order, self.order[::-1]):
            word, shares = self.ask(seat, "agreement_offer", {"propose_agreement", "no_proposal"}, names, 100)
            if word == "no_proposal":
                continue
            said = " ".join(f"{name}:{shares[name]}" for name in names)
            self.emit("proposal", seat, said)
            if self.ask(other, "agreement_answer", {"accept_agreement", "decline_agreement"}, [], 0)[0][0] == "a":
                self.agreement = shares
                self.emit("agreement", said)
                return

    def take(self, seat: int, word: str = "deal") -> None:
        """Take the top card."""
        self.before[seat] = self.pack.pop(0)
        self.emit(word, seat, self.before[seat][0])

    def exchange(self, seat: int, at: int) -> int:
        """Exchange as a seat with the one at place ``at``; return the place of the next decision."""
        target = self.order[at]
        self.take(target)
        face = self.before[target][0]
        if face in ("XII", "XIII", "XIV", "XV"):
            self.emit("show", target, face)
        if face == "XIII" and target != self.order[-1]:
            self.emit("jump", seat, target)
            return self.exchange(seat, at + 1)
        if face == "XIII":
            self.take(seat, "draw")
        elif face == "XIV":
            self.lives(seat, "hunter")
        elif face == "XII" and self.lives(seat, "cat"):
            self.send_back(seat)
        elif face == "XI":
            self.inn(seat, target)
        elif face not in ("XII", "XV"):
            self.swap("swap", seat, target)
        return at

    def swap(self, word: str, one: int, other: int) -> None:
        """Exchange two cards: both have changed hands."""
        self.before[one], self.before[other] = self.before[other], self.before[one]
        self.before[one][1] = self.before[other][1] = True
        self.emit(word, one, other, self.before[one][0], self.before[other][0])

    def send_back(self, holder: int) -> None:
        """Pass a card back, seat by seat, from its holder to the left."""
        for seat in reversed(self.order[: self.order.index(holder)]):
            if seat not in self.before:
                continue
            face, moved = self.before[seat]
            if face not in ("XI", "XII", "XIII", "XIV", "XV") or (face == "XI" and moved):
                self.swap("reverse", holder, seat)
                holder = seat
                continue
            self.emit("show", seat, face)
            if face in ("XII", "XIV"):
                self.lives(holder, "cat" if face == "XII" else "hunter")
            if face != "XIII":
                return

    def inn(self, guest: int, host: int) -> None:
        """Bargain for an inn."""
        self.emit("announce", host, "XI")
        for _ in range(self.offers):
            left = 100 - sum(percent for who, _, percent in self.promises if who == guest)
            able = self.money or (self.percent and left)
            words = {"no_offer", "make_offer"} if able else {"no_offer"}
            kinds = [kind for kind, may in (("money", self.money), ("percent", self.percent and left)) if may]
            word, price = self.ask(guest, "inn_offer", words, kinds, left)
            if word == "no_offer":
                break
            money, percent = price.get("money", 0), price.get("percent", 0)
            self.emit("offer", guest, money, percent)
            if self.ask(host, "inn_answer", {"accept_offer", "refuse_offer"}, [], 0)[0] == "refuse_offer":
                continue
            if money:
                self.emit("pay", guest, host, money)
                self.net.update({str(guest): -money, str(host): money})
            if percent:
                self.emit("promise", guest, host, percent)
                self.promises.append((guest, host, percent))
            self.emit("show", host, "XI")
            self.swap("swap", guest, host)
            return
        self.emit("show", host, "XI")
        self.emit("guarantee", host, guest)
        self.hosts[guest] = host

    def lives(self, seat: int, why: str) -> bool:
        """Take a token at once, and settle a seat without another; returns whether it is still in the game."""
        self.tokens[seat] -= 1
        self.virgins.discard(seat)
        self.emit("lose", seat, why)
        if self.tokens[seat] or self.comes_back(seat, "reentry_now", [seat]):
            return True
        del self.before[seat]
        self.emit("set_aside", seat)
        if len(self.in_game()) == 1:
            self.divide(self.in_game()[0])
        return False

    # ------------------------------------------------------------------ the comparison and after

    def compare(self) -> None:
        """Turn up the cards, count losses and gains, and settle."""
        live = [seat for seat in self.order if seat in self.before]
        face = {seat: str(self.before[seat][0]) for seat in live}
        self.emit("showdown", *(f"{seat}:{face[seat]}" for seat in live))
        fools = [seat for seat in live if face[seat] == "MAT"]
        others = [seat for seat in live if seat not in fools]
        lowest = min(others, key=lambda seat: RANK[face[seat]]) if others else fools[0]
        change = Counter(fools * (len(fools) == 2))
        for seat in change:
            self.emit("gain", seat)
        own = change.copy()
        own.subtract(fools * (len(fools) == 1))
        host = self.hosts.get(lowest)
        pays = host if host is not None and face[lowest] == "NUL" and self.tokens[host] > 0 else lowest
        if pays != lowest and self.tokens[pays] + own[pays] <= 0:
            pays = lowest
        for seat in live:
            if seat == lowest:
                self.emit("lose", pays, "low" if pays == lowest else "inn")
            elif fools == [seat]:
                self.emit("lose", seat, "matto")
        self.virgins -= {*fools, pays} if others else {fools[1]}
        own[pays] -= 1
        for seat, amount in own.items():
            self.tokens[seat] += amount
        self.settle([seat for seat in live if not self.tokens[seat]])

    def settle(self, waiting: list[int]) -> None:
        """Settle the seats without tokens; determine the dealer or the winner."""
        if not any(self.tokens):
            self.emit("free_reentry")
            self.tokens = [self.stack] * len(self.tokens)
            self.virgins, self.paid, self.agreement, waiting = set(), {}, {}, []
        while waiting:
            self.comes_back(waiting[0], "reentry", waiting)
            waiting = waiting[1:]
        players = self.in_game()
        if len(players) == 1:
            self.divide(players[0])
        else:
            self.dealer = players[0]
            self.emit("next_dealer", self.dealer)

    def comes_back(self, seat: int, phase: str, waiting: list[int]) -> bool:
        """Ask a player with the right of re-entry, and who pays; else the player is out."""
        cost = self.stake * 2**self.bought
        if self.reentry and self.virgins and self.pool + cost <= BOUND:
            out = [str(one) for one, held in enumerate(self.tokens) if not held and one not in waiting]
            payers = [str(seat), *([*out, "zia", "nonno"] if self.syndicates else [])]
            word, shares = self.ask(seat, phase, {"reenter", "decline_reentry"}, payers, cost)
            if word == "reenter":
                self.paid[seat] = shares or {str(seat): cost}
                self.net.subtract(self.paid[seat])
                self.pool, self.bought, self.tokens[seat] = self.pool + cost, self.bought + 1, self.stack
                self.emit("reenter", seat, cost)
                return True
        self.emit("eliminated", seat)
        return False

    def divide(self, winner: int) -> None:
        """Divide the pool: by agreement, then by the winner's promises, then among who paid for a seat's tokens."""
        parts = {int(name): self.pool * share // 100 for name, share in self.agreement.items()}
        parts[winner] = parts.get(winner, 0) + self.pool - sum(parts.values())
        prizes: Counter[str] = Counter()
        for guest, host, percent in self.promises:
            prizes[str(host)] += parts[winner] * percent // 100 if guest == winner else 0
        parts[winner] -= sum(prizes.values())
        for seat, part in parts.items():
            paid = self.paid.get(seat, {str(seat): 1})
            each = {person: part * amount // sum(paid.values()) for person, amount in paid.items()}
            prizes.update(each)
            prizes[str(seat)] += part - sum(each.values())
        for person, amount in prizes.items():
            if amount:
                self.emit("prize", person, amount)
        self.net.update(prizes)
        self.pool, self.over = 0, True
