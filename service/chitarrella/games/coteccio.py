"""Coteccio of Trieste: avoid points, or take every trick; four lives each, a doctor, and a pool for the last alive.

Source: S003. Rulings fill its gaps; the clauses name them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from chitarrella.core.cards import ITALIAN
from chitarrella.core.model import EVERYBODY, Clause, Event, Fact, Seat, public_event
from chitarrella.core.options import (
    Choices,
    GameEntry,
    InvalidOption,
    Option,
    bool_option,
    choice_option,
    number_option,
)
from chitarrella.tricks import lives
from chitarrella.tricks.card_values import Count, Order
from chitarrella.tricks.dealing import Dealing, PartialDeal
from chitarrella.tricks.following import FollowSuit
from chitarrella.tricks.layout import PartialLayout
from chitarrella.tricks.options import deal_packets, first_dealer
from chitarrella.tricks.parts import DealScoring
from chitarrella.tricks.play import Play
from chitarrella.tricks.rules import Rules, keep_record
from chitarrella.tricks.seating import alone
from chitarrella.tricks.table import Table

PAGE = "S003"

CLAUSES = (
    Clause("CC-1", "Two to seven play, each for himself, and keep their seats; a seat with lives is in, one with none waits for its word on the doctor, and a seat that is out is passed over wherever neighbours are named.", PAGE),
    Clause("CC-2", "There are four suits, and in each ace, king, knight, jack, 7, 6, 5, 4, 3, 2 rank in this order.", PAGE),
    Clause("CC-3", "An ace counts 6, a king 5, a knight 4, a jack 3, other cards nothing; the fifth trick counts 6 more.", PAGE),
    Clause("CC-4", "A suit is worth 18 and the pack 72; a deal is worth the cards that were dealt, and 6.", PAGE),
    Clause("CC-5", "The first lead goes round, and whoever sits at the left of the leader deals.", PAGE),
    Clause("CC-6", "The first dealer is agreed or drawn by lot; the seat at the right of the dealer leads.", f"{PAGE}; a web source for the lot"),
    Clause("CC-7", "Each seat that is in gets five cards, one at a time unless other packets are agreed, the leader first and the dealer last; nobody ever sees the rest.", f"{PAGE}, rulings CC-R1, CC-R2"),
    Clause("CC-8", "After a deal that was scored the next seat that is in leads, and the seat at its left deals, even if it has just dealt.", f"{PAGE}, ruling CC-R22"),
    Clause("CC-9", "After an annulled deal the same seat deals and the same seat leads; when the match ends both stay named.", PAGE),
    Clause("CC-10", "Any card may be led; a suit that was led must be followed while the hand holds it; there are no trumps, and nobody has to beat.", PAGE),
    Clause("CC-11", "A card that is forced is played all the same, the fifth one too.", "ruling CC-R32"),
    Clause("CC-12", "Who has won all of the first four tricks either annuls the deal or leads the last card; nobody else, and at no other time, may annul.", f"{PAGE}, rulings CC-R4, CC-R5"),
    Clause("CC-13", "Every broken clause is named: match and phase first, then the turn, then possession, then the suit; to annul is refused in the tricks, also once the last card is led.", "ruling"),
    Clause("CC-14", "The highest card of the suit led takes the trick, and who takes it leads to the next.", PAGE),
    Clause("CC-15", "A seat has the points of the cards in its tricks, and 6 for the fifth trick.", PAGE),
    Clause("CC-16", "Each seat that has most points loses a life, be it one, several or all.", PAGE),
    Clause("CC-17", "Capotto: who has won four tricks, leads the last card and wins again gains a life, and everybody else loses one, whatever the points.", PAGE),
    Clause("CC-18", "A capotto that is saved costs its player a life and gives one to the seat that won the fifth trick, whatever the points.", PAGE),
    Clause("CC-19", "An annulled deal changes no lives, and nobody calls the doctor.", PAGE),
    Clause("CC-20", "All lives of a deal change at once; there is no limit to gains unless a cap is agreed, above which a gain is lost and the losses stand.", f"{PAGE}, rulings CC-R10, CC-R35"),
    Clause("CC-21", "After a scored deal the seats without lives are seen to one by one, from the leader of that deal on.", "ruling CC-R11"),
    Clause("CC-22", "Who has no lives may call the doctor while two others are alive and the limit leaves a call; for the limit calls are counted since the last restart, or since the first deal where that is agreed, and for the pool in all.", f"{PAGE}, rulings CC-R13, CC-R20"),
    Clause("CC-23", "Who may call chooses between the doctor and dropping out; who may not is out at once.", PAGE),
    Clause("CC-24", "The doctor is paid into the pool, and gives as many lives as the other living seat with the fewest has.", PAGE),
    Clause("CC-25", "Who is out stays out, gets nothing back, and cannot call later.", f"{PAGE}, ruling CC-R21"),
    Clause("CC-26", "The only seat with lives left takes the whole pool; with two or more the match goes on.", PAGE),
    Clause("CC-27", "If nobody has a life left all are in again, those who were out too, with their first lives and the same pool; the seat at the right of the last leader leads.", f"{PAGE}, rulings CC-R14 to CC-R17"),
    Clause("CC-28", "Everybody pays the stake once; the result is what a seat receives less its stake and its fees.", PAGE),
)  # fmt: skip

CARD_POINTS = Count("card_points", {"A": 6, "R": 5, "C": 4, "F": 3})
"""The card points of each rank that has any."""
LAST_TRICK_POINTS = 6
"""The points of the last trick."""


@dataclass(frozen=True)
class LastTrickCounts(DealScoring):
    """Card points, with extra points for the fifth trick (CC-3, CC-15)."""

    avoided = True

    def points(self, g: Rules, t: Table) -> tuple[int, ...]:
        """Return what each seat has taken in this deal."""
        points = list(super().points(g, t))
        if len(t.tricks) == lives.HAND_SIZE:
            points[t.tricks[-1].winner] += LAST_TRICK_POINTS
        return tuple(points)


@dataclass(frozen=True)
class OpenTricks(PartialLayout):
    """The layout of a partial deal, whose points are counted with the last trick (CC-12, CC-15)."""

    def points(self, g: Rules, t: Table) -> Iterator[Fact]:
        for seat, points in enumerate(g.deal_scoring.points(g, t)):
            yield Fact("points", points, seat, EVERYBODY)

    def shape_fault(self, g: Rules, t: Table) -> tuple[str, str] | None:
        """Check that the winner of four tricks, and nobody else, has the choice and can break a deal off."""
        if fault := super().shape_fault(g, t):
            return fault
        if (t.phase in g.deal_phases and lives.sweeper(t) is not None) != (t.phase == g.phases[0].name):
            return "phase", f"{g.phases[0].name} comes when one seat has won the first four tricks"
        if t.phase == g.dealing.name and any(t.hands) and lives.sweeper(t) is None:
            return "hands", "only the winner of four tricks can have annulled a deal"
        return None


@dataclass(frozen=True)
class Coteccio(lives.LastAlive):
    """Most points cost a life (CC-16). Who wins four tricks and leads on stakes one life against many (CC-17, CC-18)."""

    def life_changes(self, g: Rules, t: Table, events: list[Event]) -> dict[Seat, int]:
        """Return the lives won and lost, by seat."""
        participants, points = lives.living_seats(g, t), g.deal_scoring.points(g, t)
        events.append(
            public_event(
                "deal_counted", word="points", shares=tuple((str(seat), points[seat]) for seat in participants)
            )
        )
        soloist, last = lives.sweeper(t._replace(tricks=t.tricks[:-1])), t.tricks[-1].winner
        if soloist is None:
            return {seat: -1 for seat in participants if points[seat] == max(points)}
        if soloist == last:
            events.append(public_event("capotto_made", soloist))
            return {seat: 1 if seat == soloist else -1 for seat in participants}
        events.append(public_event("capotto_saved", last, other=soloist))
        return {soloist: -1, last: 1}


UNLIMITED: dict[str, None] = {"unlimited": None}
"""The choice of an option that sets no limit."""
MAX_START = 1_000_000
"""Limit of lives and money at the start, so that everything derived from them fits into 32 bits."""
ONE_BY_ONE = "1-1-1-1-1"
"""The choice of packets by which five cards are dealt singly."""
PACKETS = {
    "-".join(map(str, row)): row
    for length in range(lives.HAND_SIZE, 0, -1)
    for row in product(range(1, lives.HAND_SIZE + 1), repeat=length)
    if sum(row) == lives.HAND_SIZE
}
"""Every way to deal five cards in packets, by its notation."""

LIVES = number_option("lives", "How many lives everybody begins with.", PAGE, 4, 1, MAX_START)
STAKE = number_option("stake", "What everybody pays into the pool.", PAGE, 1000, 0, MAX_START)
DOCTOR_FEE = number_option("doctor_fee", "What a call for the doctor costs.", PAGE, 500, 0, MAX_START)
DOCTOR_LIMIT: Option[int | None] = number_option(
    "doctor_limit",
    "How often the doctor may be called.",
    "S003 names no number; ruling CC-R13",
    1,
    0,
    words=UNLIMITED,
)
DOCTOR_LIMIT_SCOPE = choice_option(
    "doctor_limit_scope",
    "Whether the limit is that of each seat, or of the whole table.",
    "ruling CC-R13",
    {"per_player": lives.own_calls, "per_game": lives.all_calls},
)
DOCTOR_RESET_ON_RESTART = bool_option(
    "doctor_reset_on_restart", "Whether a restart gives the calls back.", "ruling CC-R14", default=True
)
LIFE_CAP: Option[int | None] = number_option(
    "life_cap",
    "How many lives one may have at most; not fewer than everybody begins with.",
    "ruling CC-R10",
    "unlimited",
    1,
    words=UNLIMITED,
)
DEAL_PACKETS = deal_packets("S003 is silent; ruling CC-R1", PACKETS, ONE_BY_ONE)
FIRST_DEALER = first_dealer(6, "a web source", lot=True)


def rules(agreed: Choices) -> Rules:
    cap, at_start = agreed[LIFE_CAP], agreed[LIVES]
    if cap is not None and cap < at_start:
        raise InvalidOption("options.life_cap", f"it cannot be below the {at_start} lives at the start")
    match = Coteccio(
        lives=at_start,
        cap=cap,
        stake=agreed[STAKE],
        fee=agreed[DOCTOR_FEE],
        limit=agreed[DOCTOR_LIMIT],
        count_calls=agreed[DOCTOR_LIMIT_SCOPE],
        calls_after_restart=lives.no_calls if agreed[DOCTOR_RESET_ON_RESTART] else lives.same_calls,
    )
    return Rules(
        agreed,
        seating=alone(agreed.players),
        pack=ITALIAN,
        order=Order(("A", "R", "C", "F", "7", "6", "5", "4", "3", "2"), (CARD_POINTS,)),
        dealing=Dealing("deal", PartialDeal(agreed[DEAL_PACKETS])),
        phases=(lives.LastTrickChoice(), Play((lives.AnnulDeal(),), lives.PLAY, lives.PlayOn())),
        between=(lives.Doctor(match),),
        series=match,
        following=FollowSuit(),
        deal_scoring=LastTrickCounts(),
        trick_effects=(lives.AfterFourTricks(),),
        layout=OpenTricks(),
        own=lives.Lives,
        carry_over=keep_record,
        dealt_in_seats=lives.living_seats,
        first_dealer=agreed[FIRST_DEALER],
    )


COTECCIO = GameEntry(
    key="coteccio",
    title="Coteccio",
    place="Trieste",
    description="A trick game to avoid: most points cost a life, and the last one alive takes the pool.",
    sources=("S003",),
    players=(4, 2, 3, 5, 6, 7),
    options=(
        LIVES,
        STAKE,
        DOCTOR_FEE,
        DOCTOR_LIMIT,
        DOCTOR_LIMIT_SCOPE,
        DOCTOR_RESET_ON_RESTART,
        LIFE_CAP,
        DEAL_PACKETS,
        FIRST_DEALER,
    ),
    rules=rules,
    own_clauses=CLAUSES,
    citations={"bad_dealer": "CC-6", "must_follow_suit": "CC-10", "annul_not_available": "CC-12"},
)

GAMES = (COTECCIO,)
