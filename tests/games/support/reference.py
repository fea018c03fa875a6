"""Plain programs for Cucù and Lu Stù, as simple as possible, to compare the rules with.

They share only the rule books with the service. In `Deal`, which is Cucù, every card is numbered by its place in the
pack, and every exchange is recorded; so a cat undoes the exchanges of its victim's card without a notion of chains. In
`PlainLuStu` a card is a list of its face and whether it has changed hands. What happened is kept as scenes write it.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

Shares = dict[str, int]
Ask = Callable[[int, str, set[str], list[str], int], tuple[str, Shares]]
"""Asks a seat, in a phase, for one of these words, and with some words for amounts of these persons, of this sum."""

BOUND = 9_007_199_254_740_991
LOW = {"I", "II", "III", "IV", "NUL", "SEC", "MAS", "LEO"}
NUMBERS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV")
RANK = {"LEO": -3, "MAS": -2, "SEC": -1, "NUL": 0} | {face: value for value, face in enumerate(NUMBERS, 1)}


# ---------------------------------------------------------------------- a game of either


class PlainGame:
    """What both games do between the deals: agreements, tokens, re-entries, syndicates, division of the pool."""

    every_elimination = False
    """Whether the price of re-entry doubles with each seat that has lost its tokens, not only with those that pay."""

    def __init__(self, seats: int, tokens: int, stake: int, dealer: int, ask: Ask) -> None:
        self.stack, self.stake, self.dealer, self.ask = tokens, stake, dealer, ask
        self.tokens = [tokens] * seats
        self.virgins = set(range(seats))
        self.pool, self.doublings = stake * seats, 0
        self.net = Counter({str(seat): -stake for seat in range(seats)})
        self.paid: dict[int, Shares] = {}
        self.agreement: Shares = {}
        self.promises: list[tuple[int, int, int]] = []
        self.events: list[str] = []
        self.reentry = self.syndicates = self.talks = self.duty = True
        self.over = False

    def emit(self, *words: object) -> None:
        self.events.append(" ".join(map(str, words)))

    def in_game(self) -> list[int]:
        """The seats with tokens, in the order of speech of the coming deal."""
        seats = len(self.tokens)
        return [seat for step in range(seats) if self.tokens[seat := (self.dealer + 1 + step) % seats]]

    def talk(self, both: list[int]) -> None:
        """Ask the last two for an agreement, the dealer last."""
        if len(both) != 2 or not self.talks or self.agreement:
            return
        names = [str(seat) for seat in sorted(both)]
        for seat, other in (both, both[::-1]):
            word, shares = self.ask(seat, "agreement_offer", {"propose_agreement", "no_proposal"}, names, 100)
            if word == "no_proposal":
                continue
            said = " ".join(f"{name}:{shares[name]}" for name in names)
            self.emit("proposed", seat, said)
            words = {"accept_agreement", "decline_agreement"}
            if self.ask(other, "agreement_answer", words, [], 0)[0] == "accept_agreement":
                self.agreement = shares
                self.emit("agreed", said)
                return

    def settle(self, waiting: list[int]) -> None:
        """Settle the seats without tokens; determine the dealer or the winner."""
        if not any(self.tokens):
            self.emit("all_reentered")
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
            self.emit("dealer_set", self.dealer)

    def comes_back(self, seat: int, phase: str, waiting: list[int]) -> bool:
        """Ask a player with the right of re-entry, and who pays; else the player is out."""
        cost, word = self.stake * 2**self.doublings, ""
        if self.reentry and self.virgins and self.pool + cost <= BOUND:
            out = [str(one) for one, held in enumerate(self.tokens) if not held and one not in waiting]
            payers = [str(seat), *([*out, "zia", "nonno"] if self.syndicates else [])]
            word, shares = self.ask(seat, phase, {"reenter", "decline_reentry"}, payers, cost)
        self.doublings += word == "reenter" or self.every_elimination
        if word != "reenter":
            self.emit("eliminated", seat)
            return False
        self.paid[seat] = shares or {str(seat): cost}
        self.net.subtract(self.paid[seat])
        self.pool += cost
        self.tokens[seat] = self.stack
        self.virgins.discard(seat)
        persons = sorted(self.paid[seat], key=lambda person: (person.isalpha(), person.zfill(2)))
        self.emit("reentered", seat, *(f"{person}:{self.paid[seat][person]}" for person in persons))
        return True

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
                self.emit("prize_paid", *[person] * person.isdecimal(), f"{person}:{amount}")
        self.net.update(prizes)
        self.pool, self.over = 0, True


# ---------------------------------------------------------------------- Cucù


class PlainCucu(PlainGame):
    every_elimination = True

    def play(self, pack: list[str]) -> None:
        order = self.in_game()
        self.talk(order)
        deal = Deal(order, pack, self.tokens, lambda seat, phase, words: self.ask(seat, phase, words, [], 0)[0])
        deal.must_exchange = LOW if self.agreement and self.duty else set()
        deal.events = self.events
        before = len(self.events)
        deal.play()
        for event in self.events[before:]:
            if event.startswith("token_lost"):
                self.virgins.discard(int(event.split()[1]))
        self.settle([seat for seat in order if not self.tokens[seat]])


class Deal:
    """One deal: who sits where, the pack in dealing order, the tokens, and what has happened."""

    def __init__(
        self, order: list[int], pack: list[str], tokens: list[int], ask: Callable[[int, str, set[str]], str]
    ) -> None:
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
            self.events.append(f"card_replaced {dealer} {self.face(dealer)}")
        self.compare()

    def face(self, seat: int) -> str:
        return self.held[seat][1]

    def take(self, seat: int) -> None:
        self.held[seat] = self.pack.pop(0)
        self.events.append(f"dealt {seat} {self.face(seat)}")

    def exchange(self, seat: int, at: int) -> int:
        """Exchange as a seat, first with the one at place ``at``; return the place of the next decision."""
        target = self.order[at]
        self.take(target)
        face = self.face(target)
        if face in ("XII", "XIII", "XIV", "XV"):
            self.events.append(f"card_shown {target} {face}")
        if face == "XIII" and at + 1 < len(self.order):
            self.events.append(f"horse_jumped {seat} to {target}")
            return self.exchange(seat, at + 1)
        if face == "XIII":
            self.held[seat] = self.pack.pop(-1 if self.from_the_top else 0)
            self.events.append(f"card_replaced {seat} {self.face(seat)}")
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
        self.events.append(f"swapped {one} {self.face(one)} {self.face(other)} to {other}")

    def send_home(self, card: int) -> None:
        """Undo the exchanges of a card, the last first."""
        for one, other, moved in reversed(self.exchanges):
            if moved == card:
                self.held[one], self.held[other] = self.held[other], self.held[one]
                self.events.append(f"swap_undone {one} {self.face(one)} {self.face(other)} to {other}")

    def strike(self, seat: int, why: str) -> None:
        """Take a token, but not from a seat with a cuckoo."""
        if self.cuckoo_saves and self.face(seat) == "XV":
            self.events.append(f"card_shown {seat} XV")
            return
        self.tokens[seat] -= 1
        self.events.append(f"token_lost {seat} {why}")
        if not self.tokens[seat]:
            self.events.append(f"last_token_lost {seat}")

    def inn(self, guest: int, host: int) -> None:
        self.events.append(f"inn_announced {host} XI")
        if self.ask(guest, "inn_guest", {"stay_at_inn", "ask_guarantee"}) == "stay_at_inn":
            return
        self.events.append(f"asked {guest}")
        if self.ask(host, "inn_host", {"agree_to_pay", "refuse_to_pay"}) == "agree_to_pay":
            self.hosts[guest] = host
            self.events.append(f"guaranteed {host} to {guest}")
        else:
            self.swap(guest, host)

    # ------------------------------------------------------------------ the comparison

    def compare(self) -> None:
        """Turn up the cards of all who have a token, and take the lost tokens."""
        live = [seat for seat in self.order if self.tokens[seat]]
        self.events += [f"card_revealed {seat} {self.face(seat)}" for seat in live]
        losers = [seat for seat in live if seat in set(self.losers(live))]
        own = {seat for seat in losers if not self.paid_by_host(seat, losers)}
        for seat in losers:
            payer = seat if seat in own else self.hosts[seat]
            self.tokens[payer] -= 1
            why = "inn" if payer != seat else "matto" if self.face(seat) == "MAT" else "low"
            self.events.append(f"token_lost {payer} {why}")

    def losers(self, live: list[int]) -> Iterator[int]:
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


# ---------------------------------------------------------------------- Lu Stù


class PlainLuStu(PlainGame):
    def __init__(self, seats: int, tokens: int, stake: int, dealer: int, ask: Ask) -> None:
        super().__init__(seats, tokens, stake, dealer, ask)
        self.offers, self.money, self.percent = 3, True, True

    def play(self, pack: list[str]) -> None:
        self.order, self.pack = self.in_game(), [[face, False] for face in pack]
        self.before: dict[int, list[object]] = {}
        self.hosts: dict[int, int] = {}
        self.talk(self.order)
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
            self.take(self.order[-1], "card_replaced")
        self.compare()

    def take(self, seat: int, word: str = "dealt") -> None:
        self.before[seat] = self.pack.pop(0)
        self.emit(word, seat, self.before[seat][0])

    def exchange(self, seat: int, at: int) -> int:
        """Exchange as a seat with the one at place ``at``; return the place of the next decision."""
        target = self.order[at]
        self.take(target)
        face = self.before[target][0]
        if face in ("XII", "XIII", "XIV", "XV"):
            self.emit("card_shown", target, face)
        if face == "XIII" and target != self.order[-1]:
            self.emit("horse_jumped", seat, "to", target)
            return self.exchange(seat, at + 1)
        if face == "XIII":
            self.take(seat, "card_replaced")
        elif face == "XIV":
            self.lives(seat, "hunter")
        elif face == "XII" and self.lives(seat, "cat"):
            self.send_back(seat)
        elif face == "XI":
            self.inn(seat, target)
        elif face not in ("XII", "XV"):
            self.swap("swapped", seat, target)
        return at

    def swap(self, word: str, one: int, other: int) -> None:
        """Exchange two cards: both have changed hands."""
        self.before[one], self.before[other] = self.before[other], self.before[one]
        self.before[one][1] = self.before[other][1] = True
        self.emit(word, one, self.before[one][0], self.before[other][0], "to", other)

    def send_back(self, holder: int) -> None:
        """Pass a card back, seat by seat, from its holder to the left."""
        for seat in reversed(self.order[: self.order.index(holder)]):
            if seat not in self.before:
                continue
            face, moved = self.before[seat]
            if face not in ("XI", "XII", "XIII", "XIV", "XV") or (face == "XI" and moved):
                self.swap("swap_reversed", holder, seat)
                holder = seat
                continue
            self.emit("card_shown", seat, face)
            if face in ("XII", "XIV"):
                self.lives(holder, "cat" if face == "XII" else "hunter")
            if face != "XIII":
                return

    def inn(self, guest: int, host: int) -> None:
        self.emit("inn_announced", host, "XI")
        for _ in range(self.offers):
            left = 100 - sum(percent for who, _, percent in self.promises if who == guest)
            able = self.money or (self.percent and left)
            words = {"no_offer", "make_offer"} if able else {"no_offer"}
            kinds = [kind for kind, may in (("money", self.money), ("percent", self.percent and left)) if may]
            word, price = self.ask(guest, "inn_offer", words, kinds, left)
            if word == "no_offer":
                break
            money, percent = price.get("money", 0), price.get("percent", 0)
            self.emit("offered", guest, money, "to", host, *([f"{host}:{percent}"] if percent else []))
            if self.ask(host, "inn_answer", {"accept_offer", "refuse_offer"}, [], 0)[0] == "refuse_offer":
                continue
            if money:
                self.emit("paid", guest, money, "to", host)
                self.net.update({str(guest): -money, str(host): money})
            if percent:
                self.emit("promised", guest, percent, "to", host)
                self.promises.append((guest, host, percent))
            self.emit("card_shown", host, "XI")
            self.swap("swapped", guest, host)
            return
        self.emit("card_shown", host, "XI")
        self.emit("guaranteed", host, "to", guest)
        self.hosts[guest] = host

    def lives(self, seat: int, why: str) -> bool:
        """Take a token at once, and settle a seat without another; returns whether it is still in the game."""
        self.tokens[seat] -= 1
        self.virgins.discard(seat)
        self.emit("token_lost", seat, why)
        if self.tokens[seat] or self.comes_back(seat, "reentry_now", [seat]):
            return True
        del self.before[seat]
        self.emit("set_aside", seat)
        if len(self.in_game()) == 1:
            self.divide(self.in_game()[0])
        return False

    def compare(self) -> None:
        live = [seat for seat in self.order if seat in self.before]
        face = {seat: str(self.before[seat][0]) for seat in live}
        for seat in live:
            self.emit("card_revealed", seat, face[seat])
        fools = [seat for seat in live if face[seat] == "MAT"]
        others = [seat for seat in live if seat not in fools]
        lowest = min(others, key=lambda seat: RANK[face[seat]]) if others else fools[0]
        change = Counter(fools * (len(fools) == 2))
        for seat in change:
            self.emit("token_gained", seat)
        own = change.copy()
        own.subtract(fools * (len(fools) == 1))
        host = self.hosts.get(lowest)
        pays = host if host is not None and face[lowest] == "NUL" and self.tokens[host] > 0 else lowest
        if pays != lowest and self.tokens[pays] + own[pays] <= 0:
            pays = lowest
        for seat in live:
            if seat == lowest:
                self.emit("token_lost", pays, "low" if pays == lowest else "inn")
            elif fools == [seat]:
                self.emit("token_lost", seat, "matto")
        self.virgins -= {*fools, pays} if others else {fools[1]}
        own[pays] -= 1
        for seat, amount in own.items():
            self.tokens[seat] += amount
        self.settle([seat for seat in live if not self.tokens[seat]])


def shared_out(rng: Random, persons: list[str], total: int) -> dict[str, int]:
    """Share a sum out among some of these persons; where two agree, both are named, be it with nothing."""
    if total == 100 and len(persons) == 2 and all(map(str.isdecimal, persons)):
        first = rng.randint(0, 100)
        return dict(zip(persons, (first, 100 - first), strict=True))
    some = rng.sample(persons, rng.randint(0, min(len(persons), total, 3)))
    cuts = sorted(rng.sample(range(1, min(total, 1000)), len(some) - 1)) if some else []
    return {person: high - low for person, low, high in zip(some, [0, *cuts], [*cuts, total], strict=False)}
