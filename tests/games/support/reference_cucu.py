"""A second implementation of a deal of Cucù, as simple as possible, to compare the rules with.

It shares only the rule book with the service. Every card is numbered by its place in the pack, and every exchange is
recorded; so a cat undoes the exchanges of its victim's card without a notion of chains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

Ask = Callable[[int, str, set[str]], str]
"""Asks a seat, in a phase, for one of these words."""

NUMBERS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV")
RANK = {"LEO": -3, "MAS": -2, "SEC": -1, "NUL": 0} | {face: value for value, face in enumerate(NUMBERS, 1)}


class Deal:
    """One deal: who sits where, the pack in dealing order, the tokens, and what has happened."""

    def __init__(self, order: list[int], pack: list[str], tokens: list[int], ask: Ask) -> None:
        self.order = order
        self.pack = list(enumerate(pack))
        self.tokens = tokens
        self.ask = ask
        self.held: dict[int, tuple[int, str]] = {}
        self.exchanges: list[tuple[int, int, int]] = []
        self.hosts: dict[int, int] = {}
        self.events: list[str] = []
        self.from_the_top = True
        self.cuckoo_saves = True
        self.must_exchange: set[str] = set()

    def play(self) -> None:
        """Play the deal to the end of the comparison."""
        at = 0
        self.take(self.order[0])
        while at < len(self.order) - 1:
            seat = self.order[at]
            bound = self.face(seat) in self.must_exchange
            if self.ask(seat, "turn", {"exchange"} if bound else {"keep", "exchange"}) == "keep":
                at += 1
                self.take(self.order[at])
            else:
                at = self.exchange(seat, at + 1)
        dealer = self.order[-1]
        if self.ask(dealer, "dealer_turn", {"keep", "draw"}) == "draw":
            self.held[dealer] = self.pack.pop(0)
            self.events.append(f"draw {dealer} {self.face(dealer)}")
        self.compare()

    def face(self, seat: int) -> str:
        """The face before a seat."""
        return self.held[seat][1]

    def take(self, seat: int) -> None:
        """Deal a card."""
        self.held[seat] = self.pack.pop(0)
        self.events.append(f"deal {seat} {self.face(seat)}")

    def exchange(self, seat: int, at: int) -> int:
        """Exchange as a seat, first with the one at place ``at``; return the place of the next decision."""
        target = self.order[at]
        self.take(target)
        face = self.face(target)
        if face in ("XII", "XIII", "XIV", "XV"):
            self.events.append(f"show {target} {face}")
        if face == "XIII" and at + 1 < len(self.order):
            self.events.append(f"jump {seat} {target}")
            return self.exchange(seat, at + 1)
        if face == "XIII":
            self.held[seat] = self.pack.pop(-1 if self.from_the_top else 0)
            self.events.append(f"draw {seat} {self.face(seat)}")
        elif face == "XIV":
            self.strike(seat, "hunter")
        elif face == "XII":
            self.strike(seat, "cat")
            self.send_home(self.held[seat][0])
        elif face == "XI":
            self.inn(seat, target)
        elif face != "XV":
            self.swap(seat, target)
        return at

    def swap(self, one: int, other: int) -> None:
        """Exchange two cards, and write down which card went on."""
        self.exchanges.append((one, other, self.held[one][0]))
        self.held[one], self.held[other] = self.held[other], self.held[one]
        self.events.append(f"swap {one} {other} {self.face(one)} {self.face(other)}")

    def send_home(self, card: int) -> None:
        """Undo the exchanges of a card, the last first."""
        for one, other, moved in reversed(self.exchanges):
            if moved == card:
                self.held[one], self.held[other] = self.held[other], self.held[one]
                self.events.append(f"undo {one} {other} {self.face(one)} {self.face(other)}")

    def strike(self, seat: int, why: str) -> None:
        """Take a token, but not from a seat with a cuckoo."""
        if self.cuckoo_saves and self.face(seat) == "XV":
            self.events.append(f"show {seat} XV")
            return
        self.tokens[seat] -= 1
        self.events.append(f"lose {seat} {why}")
        if not self.tokens[seat]:
            self.events.append(f"dead {seat}")

    def inn(self, guest: int, host: int) -> None:
        """Play an inn."""
        self.events.append(f"announce {host} XI")
        if self.ask(guest, "inn_guest", {"stay_at_inn", "ask_guarantee"}) == "stay_at_inn":
            return
        self.events.append(f"asked {guest}")
        if self.ask(host, "inn_host", {"agree_to_pay", "refuse_to_pay"}) == "agree_to_pay":
            self.hosts[guest] = host
            self.events.append(f"guarantee {host} {guest}")
        else:
            self.swap(guest, host)

    # ------------------------------------------------------------------ the comparison

    def compare(self) -> None:
        """Turn up the cards of all who have a token, and take the lost tokens."""
        live = [seat for seat in self.order if self.tokens[seat]]
        self.events.append(" ".join(["showdown", *(f"{seat}:{self.face(seat)}" for seat in live)]))
        losers = [seat for seat in live if seat in set(self.losers(live))]
        own = {seat for seat in losers if not self.paid_by_host(seat, losers)}
        for seat in losers:
            payer = seat if seat in own else self.hosts[seat]
            self.tokens[payer] -= 1
            why = "inn" if payer != seat else "matto" if self.face(seat) == "MAT" else "low"
            self.events.append(f"lose {payer} {why}")

    def losers(self, live: list[int]) -> Iterator[int]:
        """The seats that lose."""
        fools = [seat for seat in live if self.face(seat) == "MAT"]
        single = fools if len(fools) == 1 else []
        worth = {seat: 14.5 if seat in fools else float(RANK[self.face(seat)]) for seat in live if seat not in single}
        yield from single
        lowest = min(worth.values(), default=15.0)
        yield from (seat for seat, value in worth.items() if value == lowest < 15)

    def paid_by_host(self, guest: int, losers: list[int]) -> bool:
        """Whether a host can and must pay for this guest."""
        host = self.hosts.get(guest)
        if host is None or self.face(guest) != "NUL" or not self.tokens[host]:
            return False
        if self.cuckoo_saves and self.face(host) == "XV":
            return False
        pays_himself = host in losers and not self.paid_by_host(host, losers)
        return self.tokens[host] - pays_himself > 0
