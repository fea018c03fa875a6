"""Coteccio of Trieste: avoid points, or take every trick; four lives each, a doctor, and a pool for the last alive.

Source: S003. Rulings fill its gaps; the clauses name them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from chitarrella import tricks
from chitarrella.core.cards import ITALIAN
from chitarrella.core.model import EVERYBODY, Event, Fact, Seat, public_event
from chitarrella.core.options import (
    Choices,
    GameEntry,
    InvalidOption,
    Option,
    bool_option,
    choice_option,
    number_option,
    rule_book,
)
from chitarrella.tricks import lives
from chitarrella.tricks.scoring import report_last_trick

PAGE = "S003"

CARD_POINTS = tricks.Count("card_points", {"A": 6, "R": 5, "C": 4, "F": 3})
"""The card points of each rank that has any."""
LAST_TRICK_POINTS = 6
"""The points of the last trick."""


@dataclass(frozen=True)
class LastTrickCounts(tricks.DealScoring):
    """Card points, with extra points for the fifth trick (CC-3, CC-15)."""

    avoided = True

    def points(self, g: tricks.Rules, t: tricks.Table) -> tuple[int, ...]:
        points = list(super().points(g, t))
        if len(t.tricks) == lives.HAND_SIZE:
            points[t.tricks[-1].winner] += LAST_TRICK_POINTS
        return tuple(points)


@dataclass(frozen=True)
class OpenTricks(tricks.PartialLayout):
    """The layout of a partial deal, whose points are counted with the last trick (CC-12, CC-15)."""

    def points(self, g: tricks.Rules, t: tricks.Table) -> Iterator[Fact]:
        for seat, points in enumerate(g.deal_scoring.points(g, t)):
            yield Fact("points", points, seat, EVERYBODY)

    def shape_fault(self, g: tricks.Rules, t: tricks.Table) -> tuple[str, str] | None:
        """Check that the winner of four tricks, and nobody else, has the choice and can break a deal off."""
        if fault := super().shape_fault(g, t):
            return fault
        if (t.phase in g.deal_phases and lives.capotto_seat(t) is not None) != (t.phase == g.phases[0].name):
            return "phase", f"{g.phases[0].name} comes when one seat has won the first four tricks"
        if t.phase == g.dealing.name and any(t.hands) and lives.capotto_seat(t) is None:
            return "hands", "only the winner of four tricks can have annulled a deal"
        return None


@dataclass(frozen=True)
class Coteccio(lives.LastAlive):
    """Most points cost a life (CC-16). Who wins four tricks and leads on stakes one life against many (CC-17, CC-18)."""

    def life_changes(self, g: tricks.Rules, t: tricks.Table, events: list[Event]) -> dict[Seat, int]:
        participants, points = lives.living_seats(g, t), g.deal_scoring.points(g, t)
        events.append(
            public_event(
                "deal_counted", word="points", shares=tuple((str(seat), points[seat]) for seat in participants)
            )
        )
        report_last_trick(g, t, LAST_TRICK_POINTS, events)
        soloist, last = lives.capotto_seat(t._replace(tricks=t.tricks[:-1])), t.tricks[-1].winner
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

LIVES = number_option("lives", "How many lives everybody begins with.", PAGE, 4, 1, MAX_START).of_length()
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
DEAL_PACKETS = tricks.deal_packets("S003 is silent; ruling CC-R1", PACKETS, ONE_BY_ONE)
FIRST_DEALER = tricks.first_dealer(6, "a web source", lot=True)


def rules(agreed: Choices) -> tricks.Rules:
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
    return tricks.Rules(
        agreed,
        seating=tricks.alone(agreed.players),
        pack=ITALIAN,
        order=tricks.Order(("A", "R", "C", "F", "7", "6", "5", "4", "3", "2"), (CARD_POINTS,)),
        dealing=tricks.Dealing("deal", tricks.PartialDeal(agreed[DEAL_PACKETS])),
        phases=(lives.LastTrickChoice(), tricks.Play((lives.AnnulDeal(),), lives.PLAY, lives.PlayOn())),
        between=(lives.Doctor(match),),
        series=match,
        following=tricks.FollowSuit(),
        deal_scoring=LastTrickCounts(),
        trick_effects=(lives.AfterFourTricks(),),
        layout=OpenTricks(),
        own=lives.Lives,
        carry_over=tricks.keep_record,
        dealt_in_seats=lives.living_seats,
        first_dealer=agreed[FIRST_DEALER],
    )


COTECCIO = GameEntry(
    key="coteccio",
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
    book=rule_book(__file__),
)

GAMES = (COTECCIO,)
