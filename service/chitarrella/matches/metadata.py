"""What a match is beside its position: the metadata fixed at its creation, the control state that changes, its end.

A `Snapshot` is all of it, as it was last read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest
from typing import Any, Final, NamedTuple
from urllib.parse import quote, unquote

from chitarrella import errors
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame, Position, persons_to_move, seat_to_move
from chitarrella.core.model import CHANCE, Event, Seat, public_event
from chitarrella.core.notation import format_actor, parse_actor
from chitarrella.core.provable_shuffle import ClientSeeds
from chitarrella.storage.rows import MatchRow, untimed

UNKNOWN_RULES: Final = frozenset({"edition_not_supported", "game_not_installed"})  # another worker may know them


def not_known() -> errors.NotPossibleNow:
    message = "A newer release has written to this match; this worker cannot read it."
    return errors.NotPossibleNow("edition_not_supported", message)


DIGEST_LENGTH = 32  # hexadecimal digits of a digest in the metadata
ENCODER: Final = json.JSONEncoder(separators=(",", ":"))  # writes JSON without spaces


class Clock(NamedTuple):
    """Time control, in milliseconds: for each decision, each seat's bank for the whole match beside that, and what is
    added to the bank after each decision. It may stand still until every person has joined.
    """

    move_ms: int = 0
    bank_ms: int = 0
    increment_ms: int = 0
    starts_when_joined: bool = False


NO_CLOCK = Clock()  # the clock of a match without time limits

Labels = tuple[tuple[str, str], ...]  # keys with values, in the order of keys
PlayerNames = tuple[tuple[Seat, str], ...]  # in the order of seats; personal data, which belong in no log


class MatchDetails(NamedTuple):
    """What a platform may change of a match later; the fields are those of `MatchMetadata`."""

    ttl_seconds: int
    external_id: str
    labels: Labels
    player_names: PlayerNames


class MatchMetadata(NamedTuple):
    """What is fixed when a match is created.

    ``position`` is where the match starts, empty for the start of the game. ``seats`` are those that a person or a bot
    holds; a dummy is none of them. ``key_hashes`` has the hash of the first key of each of ``seats``, then one for the
    referee; keys that replaced them are in the `ControlState`.
    ``request_hash`` stands for the whole request that created the match, so that another request under the same
    request id is noticed. ``seed`` is the secret from which every shuffle of the match is derived. A ``private`` match
    is hidden from whoever has no key of it. ``platform`` is the platform whose API key created it. ``created_at`` is
    in seconds since 1970, ``ttl_seconds`` counted from the last move. A ``sandbox`` match is a test of a platform: its
    time stands still (`matches.clock`), and its bots choose by its seed. ``external_id``, ``labels`` and
    ``player_names`` are the platform's own; the service only stores them. ``address_digest`` stands for the network
    from which a match without a platform was created; it is keyed with the secret of the store, empty where unknown.
    The first moves of an ``imported`` match come from a record. ``restrictions`` name what it does not allow, and
    ``spectator_hash`` is the hash of the key of its spectators, empty without one.
    """

    rule_set: RuleSet
    position: str
    pack_source: str
    ttl_seconds: int
    seats: tuple[Seat, ...]
    key_hashes: tuple[str, ...]
    request_hash: str
    seed: str
    private: bool = False
    platform: str = ""
    created_at: int = 0
    clock: Clock = NO_CLOCK
    sandbox: bool = False
    external_id: str = ""
    labels: Labels = ()
    player_names: PlayerNames = ()
    address_digest: str = ""
    imported: bool = False
    restrictions: tuple[str, ...] = ()
    spectator_hash: str = ""

    @property
    def details(self) -> MatchDetails:
        return MatchDetails(self.ttl_seconds, self.external_id, self.labels, self.player_names)

    def with_details(self, text: str) -> MatchMetadata:
        """The same metadata with the details that `encode_details` wrote later; none in an empty text."""
        if not text:
            return self
        return self._replace(**MatchDetails(*_frozen(json.loads(text)))._asdict())

    @property
    def owner(self) -> str:
        """Whom the searches of its bots are charged to: the platform, or whoever created it without one."""
        return f"platform:{self.platform}" if self.platform else f"address:{self.address_digest}"


def _frozen(value: Any) -> Any:
    """What JSON has written, with tuples again in place of its lists."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]


def encode_metadata(metadata: MatchMetadata) -> str:
    """JSON without fields that have their default: the release before, which refuses new ones, can read it."""
    defaults = MatchMetadata._field_defaults
    fields = {name: value for name, value in metadata._asdict().items() if value != defaults.get(name, NotImplemented)}
    fields |= {"rule_set": metadata.rule_set._asdict(), "clock": metadata.clock._asdict()}
    return ENCODER.encode(fields)


def encode_details(details: MatchDetails) -> str:
    return ENCODER.encode(details)


def decode_metadata(text: str) -> MatchMetadata:
    """Decode what `encode_metadata` wrote. Raises `errors.NotPossibleNow` for what a newer release wrote."""
    fields: dict[str, Any] = {name: _frozen(value) for name, value in json.loads(text).items()}
    rule_set = {name: _frozen(value) for name, value in fields["rule_set"].items()}
    try:
        return MatchMetadata(**fields | {"rule_set": RuleSet(**rule_set), "clock": Clock(**fields["clock"])})
    except TypeError as error:  # a field that is not known
        raise not_known() from error


NO_TAKEBACKS, NO_BOTS, NO_SPECTATORS = "no_takebacks", "no_bots", "no_spectators"  # what a match may not allow
CONTRIBUTE_SEED, SHUFFLE_NOW, TIME_OVER, ASSIGN_BOT = "!contribute_seed", "!shuffle_now", "!time_over", "!assign_bot"
ADVANCE_CLOCK = "!advance_clock"  # the control action that advances the clock of a test
REQUEST_TAKEBACK, AGREE_TAKEBACK = "!request_takeback", "!agree_takeback"
DECLINE_TAKEBACK, TAKE_BACK = "!decline_takeback", "!take_back"
ROTATE_KEY = "!rotate_key"  # the control action that replaces a key
RESIGN, DECIDE, JOIN = "!resign", "!decide", "!join"  # a seat gives up; who has won, and why; a seat is there
ASK_PAUSE, PAUSE_CLOCK, RESUME_CLOCK, ADD_TIME = "!ask_pause", "!pause_clock", "!resume_clock", "!add_time"
MOVES_LOST, REPORT_LOSS = "!moves_lost", "!report_loss"  # that moves are lost, and that a seat was told


class BotAssignment(NamedTuple):
    """A seat that a bot plays; ``think_ms`` is the time it may think, 0 for the bot's default.

    It moves ``delay_ms`` after the last decision at the earliest.
    """

    seat: Seat
    bot: str
    think_ms: int = 0
    delay_ms: int = 0


class RotatedKey(NamedTuple):
    """A role whose key was replaced; ``previous_hash`` is empty where its first key, in the metadata, was the last."""

    role: Seat
    key_hash: str
    previous_hash: str = ""


def key_changes(seat: Seat) -> int:
    """What the keys that a seat has replaced are counted as in `ControlState.talk`: no public entry of any seat."""
    return CHANCE - 1 - seat


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
    referee) that a refused request has told of it since, each with the token of that request. ``talk`` counts the
    public entries since cards last moved by the seat whose quota they use up, `CHANCE` for nobody's, and as
    `key_changes` what a seat has replaced of keys; ``takeback_declined`` says that the last decision was asked for.
    ``joined`` and ``resigned`` are seats. ``verdict`` are the seats that the referee or the platform has named as the
    winners, and ``reason`` says why. ``ended_at`` is when the match was over, in milliseconds since 1970, as is
    ``paused_at``, since when its clock stands still, 0 for neither. ``pause_request`` lists the seats that want that
    changed, and ``charged_ms`` is what the last decision has cost its bank.
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
    talk: tuple[tuple[Seat, int], ...] = ()
    takeback_declined: bool = False
    joined: tuple[Seat, ...] = ()
    resigned: tuple[Seat, ...] = ()
    verdict: tuple[Seat, ...] | None = None
    reason: str = ""
    ended_at: int = 0
    paused_at: int = 0
    pause_request: tuple[Seat, ...] = ()
    charged_ms: int = 0

    def with_talk(self, actor: Seat, entries: int) -> ControlState:
        counts = dict(self.talk)
        return self._replace(talk=tuple(sorted({**counts, actor: counts.get(actor, 0) + entries}.items())))

    def talk_of(self, seat: Seat) -> int:
        """How much of its quota of talk a seat has used up."""
        return sum(count for one, count in self.talk if one in (seat, key_changes(seat)))

    def persons(self, metadata: MatchMetadata) -> tuple[Seat, ...]:
        """The seats whose persons are waited for: not those of bots, and of nobody who has resigned."""
        return tuple(seat for seat in metadata.seats if self.bot(seat) is None and seat not in self.resigned)

    def bot(self, seat: Seat | None) -> BotAssignment | None:
        return next((bot for bot in self.bots if bot.seat == seat), None)

    def rotated_key(self, role: Seat) -> RotatedKey | None:
        return next((key for key in self.rotated_keys if key.role == role), None)


class ControlAction(NamedTuple):
    """One control action: who acts, the kind, and its argument."""

    actor: Seat
    kind: str
    value: str = ""


DEFAULT: Final = ControlState()  # the control state of a new match


@lru_cache(maxsize=1024)  # nearly every move of a match has the control state of the move before
def encode_control(control: ControlState) -> str:
    """Encode a control state as a JSON object without the fields that have their default; empty where all have."""
    values = zip(ControlState._fields, control, DEFAULT, strict=True)
    changed: dict[str, Any] = {name: value for name, value, default in values if value != default}
    if control.bots:
        changed["bots"] = [_bot_fields(bot) for bot in control.bots]
    return ENCODER.encode(changed) if changed else ""


def _bot_fields(bot: BotAssignment) -> dict[str, Any]:
    """The fields of a bot; a release that knows no delay reads one without it."""
    fields = bot._asdict()
    return fields if bot.delay_ms else {name: value for name, value in fields.items() if name != "delay_ms"}


def decode_control(text: str) -> ControlState:
    """Decode what `encode_control` wrote. Raises `errors.NotPossibleNow` for what a newer release wrote."""
    if not text:
        return DEFAULT
    fields: dict[str, Any] = {name: _frozen(value) for name, value in json.loads(text).items()}
    try:
        return ControlState(**fields)._replace(
            bots=tuple(BotAssignment(**bot) for bot in fields.get("bots", ())),
            rotated_keys=tuple(RotatedKey(*key) for key in fields.get("rotated_keys", ())),
        )
    except TypeError as error:  # a field that is not known
        raise not_known() from error


def format_action(action: ControlAction) -> str:
    return f"{format_actor(action.actor)} {action.kind} {quote(action.value, safe='')}".rstrip()


def parse_action(entry: str) -> ControlAction | None:
    """Parse a log entry; None where it is a move. Raises `errors.NotPossibleNow` for a kind of a newer release."""
    actor, _, rest = untimed(entry)[0].partition(" ")
    if not rest.startswith("!"):
        return None
    kind, _, value = rest.partition(" ")
    if kind not in (*EVENTS, ROTATE_KEY, REPORT_LOSS):
        raise not_known()
    return ControlAction(parse_actor(actor), kind, unquote(value))


def bot_action(bot: BotAssignment) -> ControlAction:
    times = f"{bot.think_ms} {bot.delay_ms}" if bot.delay_ms else bot.think_ms
    return ControlAction(bot.seat, ASSIGN_BOT, f"{bot.bot} {times}" if bot.bot else "")


def advance_action(seconds: int) -> ControlAction:
    return ControlAction(CHANCE, ADVANCE_CLOCK, str(seconds))


def _bot_assignment(action: ControlAction) -> BotAssignment:
    name, *times = action.value.split(" ")
    return BotAssignment(action.actor, name, *map(int, times))


LOSS_EVENT: Final = "moves_lost"  # its amount is its own revision, behind all that were lost
EVENTS: Final = {
    SHUFFLE_NOW: "shuffle_requested",
    TIME_OVER: "timed_out",
    REQUEST_TAKEBACK: "takeback_requested",
    AGREE_TAKEBACK: "takeback_agreed",
    DECLINE_TAKEBACK: "takeback_declined",
    JOIN: "joined",
    ASK_PAUSE: "pause_requested",
    PAUSE_CLOCK: "clock_paused",
    RESUME_CLOCK: "clock_resumed",
    RESIGN: "resigned",
    CONTRIBUTE_SEED: "contributed",
    DECIDE: "match_decided",
    ASSIGN_BOT: "bot_seated",
    ADD_TIME: "time_added",
    MOVES_LOST: LOSS_EVENT,
    TAKE_BACK: "taken_back",
    ADVANCE_CLOCK: "clock_advanced",
}  # the kind of event of each action that has one
AMOUNTS: Final = frozenset({ADD_TIME, MOVES_LOST, TAKE_BACK, ADVANCE_CLOCK})  # their argument ends with a number


def events_of(action: ControlAction) -> tuple[Event, ...]:
    if action.kind not in EVENTS:
        return ()
    kind, value = EVENTS[action.kind], action.value
    seat = action.actor if action.actor >= 0 else None
    if action.kind in AMOUNTS:
        whose, _, amount = value.rpartition(" ")
        return (public_event(kind, int(whose) if whose else seat, amount=int(amount)),)
    if action.kind == RESIGN:
        kind = value or kind
    elif action.kind == ASSIGN_BOT and not value:
        kind = "bot_left"
    word = {CONTRIBUTE_SEED: value, DECIDE: value.partition(" ")[2], ASSIGN_BOT: value.partition(" ")[0]}
    return (public_event(kind, seat, word=word.get(action.kind, "")),)


def apply_action(control: ControlState, action: ControlAction) -> ControlState:
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
    if action.kind == RESIGN:
        return control._replace(resigned=tuple(sorted({*control.resigned, action.actor})), takeback_request=())
    if action.kind == DECIDE:
        seats, _, reason = action.value.partition(" ")
        winners = tuple(int(seat) for seat in seats.split(",") if seat)
        return control._replace(verdict=winners, reason=reason, takeback_request=())
    if action.kind == JOIN:
        return control._replace(joined=tuple(sorted({*control.joined, action.actor})))
    if action.kind == ASK_PAUSE:
        return control._replace(pause_request=(*control.pause_request, action.actor))
    if action.kind in (REQUEST_TAKEBACK, AGREE_TAKEBACK):
        return control._replace(takeback_request=(*control.takeback_request, action.actor))
    if action.kind in (DECLINE_TAKEBACK, TAKE_BACK):
        return control._replace(takeback_request=(), takeback_declined=action.kind == DECLINE_TAKEBACK)
    return control._replace(shuffle_now=True) if action.kind == SHUFFLE_NOW else control


def ending_lines(entries: Iterable[str]) -> tuple[str, ...]:
    """The lines of a record for the resignations and the verdict in a log."""
    actions = [action for entry in entries if (action := parse_action(entry))]
    lines = [f"{action.value or 'resigned'} {action.actor}" for action in actions if action.kind == RESIGN]
    return (*lines, *(f"decided {action.value}" for action in actions if action.kind == DECIDE))


def ending_actions(lines: Iterable[str]) -> tuple[ControlAction, ...]:
    """The resignations and the verdict of the lines of a record."""
    parts = [(head, rest) for head, _, rest in (line.partition(" ") for line in lines)]
    return tuple(
        ControlAction(CHANCE, DECIDE, rest)
        if head == "decided"
        else ControlAction(int(rest), RESIGN, "" if head == "resigned" else head)
        for head, rest in parts
    )


SPECTATOR: Final = -3  # the role of the key of spectators, in place of a seat


# The keys of a match
def key_hashes(metadata: MatchMetadata, control: ControlState) -> dict[Seat, str]:
    """The hashes of the keys that are accepted: one for each seat of a person or bot, and the referee's (`CHANCE`)."""
    first = dict(zip((*metadata.seats, CHANCE), metadata.key_hashes, strict=True))
    if metadata.spectator_hash:
        first[SPECTATOR] = metadata.spectator_hash
    return first | {key.role: key.key_hash for key in control.rotated_keys} if control.rotated_keys else first


def role_of_key(metadata: MatchMetadata, control: ControlState, key: str) -> Seat | None:
    """The seat whose key ``key`` is, `CHANCE` for the referee's key, None for any other key and for a closed one."""
    return _role_of_hash(key_hashes(metadata, control), key)


def role_of_previous_key(metadata: MatchMetadata, control: ControlState, key: str) -> Seat | None:
    """The seat whose key ``key`` was until its last rotation, `CHANCE` for the referee; None for any other key."""
    first = dict(zip((*metadata.seats, CHANCE), metadata.key_hashes, strict=True))
    previous = {rotated.role: rotated.previous_hash or first[rotated.role] for rotated in control.rotated_keys}
    return _role_of_hash(previous, key)


def _role_of_hash(hashes: dict[Seat, str], key: str) -> Seat | None:
    """The role with the hash of ``key``. All are compared, so that the time does not depend on which one matches."""
    given = digest(key)
    found: Seat | None = None
    for role, stored in hashes.items():
        if compare_digest(given, stored):
            found = role
    return found


PLAYED, RESIGNED, DECIDED = "played", "resigned", "decided"


class Ending(NamedTuple):
    """How a match ends: by its rules, because sides resign, or because its referee or platform decides it."""

    kind: str
    winners: frozenset[Seat]


def ending(game: AnyGame, p: Position, control: ControlState) -> Ending | None:
    """How a match has ended that stands at ``p``; None while it goes on.

    A side of which a seat has resigned cannot win. Where one side is left, that has won.
    """
    if control.verdict is not None:
        return Ending(DECIDED, frozenset(control.verdict))
    lost = {game.sides[seat] for seat in control.resigned}
    if game.is_finished(p):
        winners = game.outcome(p) or frozenset()
        return Ending(PLAYED, frozenset(seat for seat in winners if game.sides[seat] not in lost))
    left = set(game.sides) - lost
    if not lost or len(left) > 1:
        return None
    return Ending(RESIGNED, frozenset(seat for seat, side in enumerate(game.sides) if side in left))


def is_decided(game: AnyGame, p: Position, control: ControlState) -> bool:
    """Whether a match is over though its rules do not say so."""
    if not control.resigned and control.verdict is None:
        return False
    return not game.is_finished(p) and ending(game, p, control) is not None


def is_over(game: AnyGame, p: Position, control: ControlState) -> bool:
    return game.is_finished(p) or is_decided(game, p, control)


OPEN, FINISHED, ABORTED = "open", "finished", "aborted"  # the states of a match


class Snapshot(NamedTuple):
    """A match as it was last read: the row, and what it decodes to."""

    row: MatchRow
    metadata: MatchMetadata
    game: AnyGame
    position: Position
    control: ControlState

    @property
    def is_decided(self) -> bool:
        """Whether the match is over though its rules do not say so: by resignations or a verdict."""
        return is_decided(self.game, self.position, self.control)

    @property
    def is_over(self) -> bool:
        """Whether the match came to an end; one that was aborted did not."""
        return is_over(self.game, self.position, self.control)

    @property
    def state(self) -> str:
        return ABORTED if self.row.aborted else FINISHED if self.is_over else OPEN

    @property
    def turn(self) -> Seat | None:
        """The seat of the person or bot that has to move; None where nobody has, also because the match is over."""
        return None if self.row.aborted or self.is_decided else seat_to_move(self.game, self.position)

    @property
    def turns(self) -> tuple[Seat, ...]:
        """All seats of persons or bots that have to move: `turn`, and those that decide at the same time."""
        return () if self.row.aborted or self.is_decided else persons_to_move(self.game, self.position)

    @property
    def resigned_on_turn(self) -> Seat | None:
        """The first of those that have to move whose person has resigned, None where none has."""
        return next((seat for seat in self.turns if seat in self.control.resigned), None)

    @property
    def bot_on_turn(self) -> BotAssignment | None:
        """The first bot of those that have to move, None where no bot has."""
        return next(filter(None, map(self.control.bot, self.turns)), None)

    @property
    def bot_turn(self) -> tuple[BotAssignment | None, int]:
        """`bot_on_turn` and since when; what is said at the table leaves it as it is."""
        return self.bot_on_turn, self.row.turn_since
