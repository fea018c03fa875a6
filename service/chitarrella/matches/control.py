"""Control state of a match: everything the service stores beside the game position.

It lies in the same row as the position, so that a writer has read it and a compare-and-set protects it. A control
action is a log entry like a move, but belongs to no game: ``0 !contribute_seed SEED``.
"""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple
from urllib.parse import quote, unquote

from chitarrella.core.model import CHANCE, Event, Seat, public_event
from chitarrella.core.notation import format_actor, parse_actor
from chitarrella.core.provable_shuffle import ClientSeeds
from chitarrella.matches.newer_release import not_known

CONTRIBUTE_SEED, SHUFFLE_NOW, TIME_OVER, ASSIGN_BOT = "!contribute_seed", "!shuffle_now", "!time_over", "!assign_bot"
"""Control actions: seeds of the next shuffle, clocks and bots."""
ADVANCE_CLOCK = "!advance_clock"
"""The control action that advances the clock of a test."""
REQUEST_TAKEBACK, AGREE_TAKEBACK, DECLINE_TAKEBACK, TAKE_BACK = (
    "!request_takeback",
    "!agree_takeback",
    "!decline_takeback",
    "!take_back",
)
"""Control actions of a takeback."""
ROTATE_KEY = "!rotate_key"
"""The control action that replaces a key."""
MOVES_LOST, REPORT_LOSS = "!moves_lost", "!report_loss"
"""Control actions after a loss of the store: that moves are lost, and that a seat was told."""
KINDS: Final = frozenset(
    (
        *(CONTRIBUTE_SEED, SHUFFLE_NOW, TIME_OVER, ASSIGN_BOT, ADVANCE_CLOCK, ROTATE_KEY, MOVES_LOST, REPORT_LOSS),
        *(REQUEST_TAKEBACK, AGREE_TAKEBACK, DECLINE_TAKEBACK, TAKE_BACK),
    )
)
"""Every kind of control action that this release knows."""


class BotAssignment(NamedTuple):
    """A seat that a bot plays; ``think_ms`` is the time it may think, 0 for the bot's default."""

    seat: Seat
    bot: str
    think_ms: int = 0


class RotatedKey(NamedTuple):
    """A role whose key was replaced: a seat, or `CHANCE` for the referee.

    ``key_hash`` is the hash of its key now, ``previous_hash`` that of the key before it; empty for the first key, whose
    hash is in the metadata.
    """

    role: Seat
    key_hash: str
    previous_hash: str = ""


class ControlState(NamedTuple):
    """The control state of a match.

    ``shuffles`` counts the shuffles so far, of packs and lots. ``client_seeds`` are the seeds that seats have added to
    the next one, and ``shuffle_now`` says that it waits for no more of them. ``turn_started`` is when the seat on turn
    began to think, in milliseconds since 1970, and ``banks`` what is left of each seat's time bank, in milliseconds.
    ``takeback_request`` lists the seats that want the last decision taken back: first the one that asked.
    ``advanced_ms`` is by how many milliseconds the clock of a test was advanced since its creation.
    ``rotated_keys`` has an element for each role whose key was replaced; the keys of the others are in the metadata.
    ``searched_ms`` is the processor time in milliseconds that searches of its bots have used.
    ``lost_at`` is the revision that says that moves are lost, 0 for none, and ``reported`` the seats (`CHANCE` for the
    referee) that a refused request has told of it since, each with the token of that request.
    """

    shuffles: int = 0
    client_seeds: ClientSeeds = ()
    shuffle_now: bool = False
    turn_started: int = 0
    banks: tuple[int, ...] = ()
    bots: tuple[BotAssignment, ...] = ()
    takeback_request: tuple[Seat, ...] = ()
    advanced_ms: int = 0
    rotated_keys: tuple[RotatedKey, ...] = ()
    lost_at: int = 0
    reported: tuple[tuple[Seat, str], ...] = ()
    searched_ms: int = 0

    def bot(self, seat: Seat | None) -> BotAssignment | None:
        """The bot that plays ``seat``, None where a person does."""
        return next((bot for bot in self.bots if bot.seat == seat), None)

    def rotated_key(self, role: Seat) -> RotatedKey | None:
        """The key of a seat, or of the referee (`CHANCE`), where it was replaced; None where it is still the first."""
        return next((key for key in self.rotated_keys if key.role == role), None)


class ControlAction(NamedTuple):
    """One control action: who acts, the kind, and its argument."""

    actor: Seat
    kind: str
    value: str = ""


DEFAULT: Final = ControlState()
"""The control state of a new match."""
ENCODER: Final = json.JSONEncoder(separators=(",", ":"))
"""Writes JSON without spaces."""


def encode_control(control: ControlState) -> str:
    """Encode a control state as a JSON object without the fields that have their default; empty where all have."""
    values = zip(ControlState._fields, control, DEFAULT, strict=True)
    changed: dict[str, Any] = {name: value for name, value, default in values if value != default}
    if control.bots:
        changed["bots"] = [bot._asdict() for bot in control.bots]
    return ENCODER.encode(changed) if changed else ""


def decode_control(text: str) -> ControlState:
    """Decode what `encode_control` wrote. Raises `errors.NotPossibleNow` for what a newer release wrote."""
    if not text:
        return DEFAULT
    fields: dict[str, Any] = json.loads(text)
    try:
        return _control_of(fields)
    except TypeError as error:  # a field that is not known
        raise not_known() from error


def _control_of(fields: dict[str, Any]) -> ControlState:
    return ControlState(**fields)._replace(
        client_seeds=tuple((seat, seed) for seat, seed in fields.get("client_seeds", ())),
        banks=tuple(fields.get("banks", ())),
        bots=tuple(BotAssignment(**bot) for bot in fields.get("bots", ())),
        takeback_request=tuple(fields.get("takeback_request", ())),
        rotated_keys=tuple(RotatedKey(*key) for key in fields.get("rotated_keys", ())),
        reported=tuple((seat, token) for seat, token in fields.get("reported", ())),
    )


def format_action(action: ControlAction) -> str:
    """Format a control action as a log entry."""
    return f"{format_actor(action.actor)} {action.kind} {quote(action.value, safe='')}".rstrip()


def parse_action(entry: str) -> ControlAction | None:
    """Parse a log entry; None where it is a move. Raises `errors.NotPossibleNow` for a kind of a newer release."""
    actor, _, rest = entry.partition(" ")
    if not rest.startswith("!"):
        return None
    kind, _, value = rest.partition(" ")
    if kind not in KINDS:
        raise not_known()
    return ControlAction(parse_actor(actor), kind, unquote(value))


def bot_action(bot: BotAssignment) -> ControlAction:
    """The action that assigns a seat to a bot, or, where the bot has no name, back to a person."""
    return ControlAction(bot.seat, ASSIGN_BOT, f"{bot.bot} {bot.think_ms}".strip() if bot.bot else "")


def advance_action(seconds: int) -> ControlAction:
    """The action that moves the time of a test forward."""
    return ControlAction(CHANCE, ADVANCE_CLOCK, str(seconds))


def _bot_assignment(action: ControlAction) -> BotAssignment:
    name, _, think_ms = action.value.partition(" ")
    return BotAssignment(action.actor, name, int(think_ms or 0))


LOSS_EVENT: Final = "moves_lost"
"""Kind of the event that says that moves are lost; its amount is its own revision, behind all that were lost."""
PLAIN_EVENTS: Final = {
    SHUFFLE_NOW: "shuffle_requested",
    TIME_OVER: "time_over",
    REQUEST_TAKEBACK: "takeback_requested",
    AGREE_TAKEBACK: "takeback_agreed",
    DECLINE_TAKEBACK: "takeback_declined",
}
"""Event kinds of the actions whose events carry only the seat."""


def events_of(action: ControlAction) -> tuple[Event, ...]:
    """The public events of a control action; none for what is nobody else's business."""
    seat = action.actor if action.actor >= 0 else None
    if action.kind in (ROTATE_KEY, REPORT_LOSS):
        return ()
    if action.kind == MOVES_LOST:
        return (public_event(LOSS_EVENT, seat, amount=int(action.value)),)
    if action.kind == CONTRIBUTE_SEED:
        return (public_event("contributed", seat, word=action.value),)
    if action.kind == TAKE_BACK:
        return (public_event("taken_back", seat, amount=int(action.value)),)
    if action.kind == ADVANCE_CLOCK:
        return (public_event("clock_advanced", seat, amount=int(action.value)),)
    if action.kind == ASSIGN_BOT:
        bot = _bot_assignment(action)
        return (public_event("bot_seated", seat, word=bot.bot) if bot.bot else public_event("bot_left", seat),)
    return (public_event(PLAIN_EVENTS[action.kind], seat),)


def apply_action(control: ControlState, action: ControlAction) -> ControlState:
    """The control state after a control action."""
    if action.kind == CONTRIBUTE_SEED:
        seeds = {**dict(control.client_seeds), action.actor: action.value}
        return control._replace(client_seeds=tuple(sorted(seeds.items())))
    if action.kind == ASSIGN_BOT:
        bot = _bot_assignment(action)
        others = [other for other in control.bots if other.seat != action.actor]
        return control._replace(bots=tuple(sorted([*others, bot] if bot.bot else others)))
    if action.kind == ADVANCE_CLOCK:
        return control._replace(advanced_ms=control.advanced_ms + int(action.value) * 1000)
    if action.kind == ROTATE_KEY:
        before = control.rotated_key(action.actor)
        key = RotatedKey(action.actor, action.value, before.key_hash if before else "")
        kept = [other for other in control.rotated_keys if other.role != action.actor]
        return control._replace(rotated_keys=tuple(sorted([*kept, key])))
    if action.kind == MOVES_LOST:
        return control._replace(lost_at=int(action.value), reported=())
    if action.kind == REPORT_LOSS:
        return control._replace(reported=tuple(sorted({**dict(control.reported), action.actor: action.value}.items())))
    if action.kind in (REQUEST_TAKEBACK, AGREE_TAKEBACK):
        return control._replace(takeback_request=(*control.takeback_request, action.actor))
    if action.kind in (DECLINE_TAKEBACK, TAKE_BACK):
        return control._replace(takeback_request=())
    return control._replace(shuffle_now=True) if action.kind == SHUFFLE_NOW else control


def after_move(control: ControlState, *, is_public: bool = True, is_chance: bool = False) -> ControlState:
    """The control state after a move.

    A public move cancels a takeback request; a private one leaves it, or everybody would learn of the move. A move of
    chance (``is_chance``) uses up the client seeds.
    """
    if control.takeback_request and is_public:
        control = control._replace(takeback_request=())
    if is_chance:
        control = control._replace(shuffles=control.shuffles + 1, client_seeds=(), shuffle_now=False)
    return control
