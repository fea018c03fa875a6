"""Match operations other than moves of persons: client seeds, the clock, bots, takebacks, keys.

Each operation is a control action, a log entry like a move, and is appended in the same way: only behind the row that
it was checked on.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable
from hmac import compare_digest
from random import Random

from chitarrella import errors
from chitarrella.core.cards import Card
from chitarrella.core.game import AnyGame, Position, default_move
from chitarrella.core.model import CHANCE, EVERYBODY, Move, Seat
from chitarrella.core.visibility import can_see
from chitarrella.matches import log_writer
from chitarrella.matches.chance import awaiting_seeds_from, bot_chance
from chitarrella.matches.clock import bot_due, deadline, is_time_over, now_ms
from chitarrella.matches.history import Decision
from chitarrella.matches.metadata import (
    ADD_TIME,
    AGREE_TAKEBACK,
    ASK_PAUSE,
    ASSIGN_BOT,
    CONTRIBUTE_SEED,
    DECIDE,
    DECLINE_TAKEBACK,
    JOIN,
    NO_BOTS,
    NO_TAKEBACKS,
    PAUSE_CLOCK,
    REQUEST_TAKEBACK,
    RESIGN,
    RESUME_CLOCK,
    ROTATE_KEY,
    SHUFFLE_NOW,
    TAKE_BACK,
    TIME_OVER,
    BotAssignment,
    ControlAction,
    ControlState,
    Snapshot,
    advance_action,
    apply_action,
    bot_action,
    digest,
    format_action,
    key_changes,
    parse_action,
    role_of_previous_key,
)
from chitarrella.matches.model import AppendOutcome
from chitarrella.matches.service import (
    MatchService,
    check_advance,
    check_client_seed,
    check_clock,
    check_in_progress,
    check_revision,
    check_talk,
    match_aborted,
)
from chitarrella.storage.rows import Appended, Duplicate, untimed


def last_decisions(snapshot: Snapshot, decisions: list[Decision], actor: Seat) -> list[Decision]:
    """The decisions that a takeback of ``actor`` is about: the last; of a person among bots, all since its own."""
    others = [seat for seat in snapshot.metadata.seats if seat != actor]
    if actor != CHANCE and all(snapshot.control.bot(seat) for seat in others):
        for place in reversed(range(len(decisions))):
            if decisions[place].actor == actor:
                return decisions[place:]
    return decisions[-1:]


def check_takeback(
    snapshot: Snapshot, last: list[Decision], actor: Seat, *, decline: bool, expected: int | None
) -> errors.ChitarrellaError | None:
    requested_by = snapshot.control.takeback_request
    if error := check_in_progress(snapshot) or check_revision(snapshot, expected):
        return error
    if actor != CHANCE and NO_TAKEBACKS in snapshot.metadata.restrictions:
        return errors.NotPossibleNow("restricted", "This match was created without takebacks.")
    if not last or (decline and not requested_by):
        return errors.NotPossibleNow("nothing_to_take_back", "No decision was made since the last shuffle.")
    if not requested_by and actor not in (last[0].actor, CHANCE):
        return errors.NotPossibleNow("not_your_decision", f"The last decision was made by seat {last[0].actor}.")
    if not requested_by and actor != CHANCE and snapshot.control.takeback_declined:
        return errors.NotPossibleNow("already_declined", "This decision was asked for once, and it was declined.")
    return None


def check_seen(game: AnyGame, last: list[Decision], entries: list[str]) -> errors.ChitarrellaError | None:
    """The error for decisions that are taken back and have shown a card; ``entries`` are the log if they are
    several.

    Who takes back what bots have played has seen their cards. Those that replace persons have not agreed for them.
    """
    asking = last[0].actor
    played_by_bots = bots_from_the_start(entries) if entries else ()
    for one in last:
        if reveals_cards(game, one, one.actor if one.actor in played_by_bots else asking):
            return errors.NotPossibleNow("cards_were_seen", "This decision moved hidden cards.")
    return None


def bots_from_the_start(entries: list[str]) -> set[Seat]:
    """The seats that bots have held ever since the match was created, which wrote all entries of one time."""
    begun = untimed(entries[0])[1]
    changes = [(action, untimed(entry)[1]) for entry in entries if (action := parse_action(entry))]
    bots = [(action, at) for action, at in changes if action.kind == ASSIGN_BOT]
    replaced = {action.actor for action, at in bots if not action.value}
    return {action.actor for action, at in bots if at == begun} - replaced


def reveals_cards(game: AnyGame, decision: Decision, viewer: Seat) -> bool:
    """Whether a decision has moved cards that ``viewer`` did not see, or has shown any to some seats alone."""
    zones_after, facts_before = list(game.zones(decision.after)), list(game.facts(decision.before))
    new_cards = [
        fact for fact in game.facts(decision.after) if isinstance(fact.value, Card) and fact not in facts_before
    ]
    return any(fact.seen_by is not EVERYBODY for fact in new_cards) or any(
        not can_see(zone.seen_by, viewer) and zone not in zones_after for zone in game.zones(decision.before)
    )


def takeback_actions(
    snapshot: Snapshot, last: list[Decision], actor: Seat, *, decline: bool
) -> tuple[ControlAction, ...]:
    """The actions by which a seat requests, agrees or declines; empty where nothing would change."""
    take_back = tuple(ControlAction(one.actor, TAKE_BACK, str(one.revision)) for one in reversed(last))
    requested_by = snapshot.control.takeback_request
    if decline:
        return (ControlAction(actor, DECLINE_TAKEBACK),)
    if actor == CHANCE:
        return take_back
    if actor in requested_by:
        return ()
    agreement = ControlAction(actor, AGREE_TAKEBACK if requested_by else REQUEST_TAKEBACK)
    control = snapshot.control._replace(takeback_request=(*requested_by, actor))
    return (agreement,) if awaiting_answers_from(snapshot._replace(control=control)) else (agreement, *take_back)


def awaiting_answers_from(snapshot: Snapshot) -> tuple[Seat, ...]:
    """The persons that have not answered a takeback request yet; bots agree to everything."""
    requested_by, control = snapshot.control.takeback_request, snapshot.control
    return tuple(seat for seat in control.persons(snapshot.metadata) if requested_by and seat not in requested_by)


MIN_RECOVERY_LENGTH = 16  # characters of a request id that cannot be guessed, as for `CreateMatch`

CheckAccess = Callable[[Snapshot], object]  # raises an error where the caller's key is not accepted by a snapshot


def _is_current(snapshot: Snapshot, role: Seat, key: str) -> bool:
    rotated = snapshot.control.rotated_key(role)
    return rotated is not None and compare_digest(rotated.key_hash, digest(key))


ChooseMove = Callable[[AnyGame, Position, BotAssignment, Random], Move]
ObserveBotMove = Callable[[str, str, float], None]  # the bot on turn, the one that chose, processor seconds
# Takes the monotonic time at which a move that a search has found is due, and what plays it; whether it is played, or
# will be
Hold = Callable[[float, Callable[[], bool]], bool]


class MatchOperations:
    """Client seeds, the clock, bots, takebacks and keys. Thread-safe; all state is in the store."""

    def __init__(
        self, service: MatchService, choose_move: ChooseMove, observe: ObserveBotMove = lambda *_: None
    ) -> None:
        self.repository = service.repository
        self.writer = service.writer
        self.lists = service.lists
        self._open_matches = service.open_matches
        self._derive = service.derive
        self._choose_move, self._observe = choose_move, observe

    def contribute_seed(self, match: str, action: ControlAction, request_id: str = "") -> Snapshot:
        """Add a client seed, or shuffle without more of them; the last one makes the shuffle. Idempotent, but without
        ``request_id`` the same seed again counts for the next shuffle. Raises `errors.NotPossibleNow`,
        `errors.AlreadyExists`.
        """
        if repeated := self._repeated(match, action, request_id):
            return repeated
        token = log_writer.request_token(action.actor, request_id)

        def attempt(snapshot: Snapshot) -> AppendOutcome | None:
            seeds = dict(snapshot.control.client_seeds)
            if action.kind == CONTRIBUTE_SEED and seeds.get(action.actor) == action.value:
                return None
            self.writer.check_reported(match, snapshot, action.actor, None, token)
            if error := check_client_seed(snapshot, action):
                raise error
            return self._append_agreed(match, snapshot, action, token=token)

        return self.writer.retry(match, attempt)[1]

    def _repeated(self, match: str, action: ControlAction, request_id: str) -> Snapshot | None:
        """The match where a call with this request id has added ``action`` to it; None where none has."""
        if not request_id:
            return None
        snapshot, position = self.writer.read(match, log_writer.request_token(action.actor, request_id))
        if position is None:
            return None
        log_writer.repeated_entries(self.repository, match, position, format_action(action).__eq__)
        return snapshot

    def assign_bot(self, match: str, bot: BotAssignment, actor: Seat = CHANCE) -> Snapshot:
        """Assign a seat to a bot or, without a name, a person. Idempotent. Raises `NotPossibleNow`, `QuotaExceeded`."""
        bot = bot if bot.bot else BotAssignment(bot.seat, "")

        def attempt(snapshot: Snapshot) -> AppendOutcome | None:
            if (snapshot.control.bot(bot.seat) or BotAssignment(bot.seat, "")) == bot:
                return None
            if error := check_in_progress(snapshot) or check_talk(snapshot, actor):
                raise error
            if actor != CHANCE and NO_BOTS in snapshot.metadata.restrictions:
                raise errors.NotPossibleNow("restricted", "This match was created without bots.")
            if bot.bot and not snapshot.control.bots:
                self._open_matches.add_bots(match, snapshot)
            return self._append_agreed(match, snapshot, bot_action(bot), talker=actor)

        snapshot = self.writer.retry(match, attempt)[1]
        if not snapshot.control.bots:
            self._open_matches.remove_bots(match, snapshot.metadata)
        return snapshot

    def join(self, match: str, seat: Seat) -> Snapshot:
        """Record that a seat is there; the last person starts a clock that waits. Raises `NotPossibleNow`."""

        def attempt(snapshot: Snapshot) -> AppendOutcome | None:
            if seat in snapshot.control.joined:
                return None
            if error := check_in_progress(snapshot):
                raise error
            return self._append_agreed(match, snapshot, ControlAction(seat, JOIN))

        return self.writer.retry(match, attempt)[1]

    def resign(self, match: str, seat: Seat, *, forfeits: bool = False) -> Snapshot:
        """Resign for a seat, or let it forfeit. Idempotent. Raises `errors.NotPossibleNow`."""
        action = ControlAction(seat, RESIGN, "forfeited" if forfeits else "")
        return self._append(match, action, is_done=lambda control: seat in control.resigned)

    def decide(self, match: str, winners: tuple[Seat, ...], reason: str) -> Snapshot:
        """End a match with these winners, for the referee or the platform. Idempotent. Raises `NotPossibleNow`."""
        action = ControlAction(CHANCE, DECIDE, f"{','.join(map(str, winners))} {reason}")
        return self._append(match, action, is_done=lambda one: (one.verdict, one.reason) == (winners, reason))

    def _append(
        self,
        match: str,
        action: ControlAction,
        check: Callable[[Snapshot], errors.ChitarrellaError | None] = check_in_progress,
        is_done: Callable[[ControlState], bool] = lambda _: False,
        token: str = "",
    ) -> Snapshot:
        def attempt(snapshot: Snapshot) -> AppendOutcome | None:
            if is_done(snapshot.control):
                return None
            if error := check(snapshot):
                raise error
            return self._append_agreed(match, snapshot, action, token=token)

        return self.writer.retry(match, attempt)[1]

    def _append_agreed(
        self, match: str, snapshot: Snapshot, action: ControlAction, *, token: str = "", talker: Seat = CHANCE
    ) -> AppendOutcome:
        """Append an action, and what every person has agreed to behind it: nobody waits for a person who leaves.

        Where a call with this token was faster, raises `errors.AlreadyExists` if that was another action.
        """
        after = snapshot._replace(control=apply_action(snapshot.control, action))
        control, persons, before = after.control, set(after.control.persons(after.metadata)), None
        actions = [action]
        if not after.is_over and self._is_clock_agreed(match, after, persons):
            actions.append(ControlAction(CHANCE, RESUME_CLOCK if control.paused_at else PAUSE_CLOCK))
        if control.takeback_request and not awaiting_answers_from(after):
            replay = self.repository.replay(match, snapshot, lambda one: one.is_closed)
            if last := last_decisions(after, replay.run().decisions, control.takeback_request[0]):
                actions.extend(takeback_actions(after, last, CHANCE, decline=False))
                before = last[0].before
        outcome = self.writer.append_actions(match, snapshot, actions, before, token, talker)
        if isinstance(outcome.result, Duplicate):
            is_same = format_action(action).__eq__
            log_writer.repeated_entries(self.repository, match, outcome.result.position, is_same)
        return outcome

    def _is_clock_agreed(self, match: str, snapshot: Snapshot, persons: set[Seat]) -> bool:
        """Whether every person has asked to pause the clock or resume it, or is there where it waits for the first."""
        control = snapshot.control
        if control.pause_request:
            return persons <= set(control.pause_request)
        if not (snapshot.metadata.clock.starts_when_joined and control.paused_at and persons <= set(control.joined)):
            return False
        return RESUME_CLOCK not in map(_kind_of, self.repository.read_log(match))

    def pause_clock(self, match: str, actor: Seat, *, resume: bool) -> Snapshot:
        """Pause a clock or let it go on: for `CHANCE` at once, for seats when every person has asked for it.
        Raises `errors.NotPossibleNow`, `errors.QuotaExceeded`.
        """

        def attempt(snapshot: Snapshot) -> AppendOutcome | None:
            control = snapshot.control
            if error := check_clock(snapshot) or check_talk(snapshot, actor):
                raise error
            if resume != bool(control.paused_at) or actor in control.pause_request:
                return None
            if actor == CHANCE:
                kind = RESUME_CLOCK if resume else PAUSE_CLOCK
                return self.writer.append_actions(match, snapshot, (ControlAction(CHANCE, kind),))
            return self._append_agreed(match, snapshot, ControlAction(actor, ASK_PAUSE), talker=actor)

        return self.writer.retry(match, attempt)[1]

    def add_time(self, match: str, seat: Seat, seconds: int, request_id: str = "") -> Snapshot:
        """Add to the bank of a seat. A request id is carried out once. Raises `errors.NotPossibleNow`."""
        action = ControlAction(CHANCE, ADD_TIME, f"{seat} {seconds}")
        if repeated := self._repeated(match, action, request_id):
            return repeated
        return self._append(match, action, check_clock, token=log_writer.request_token(CHANCE, request_id))

    def enforce_clock(self, match: str) -> tuple[bool, Snapshot]:
        """Play or shuffle where the time is over; returns whether it was. Raises `errors.NotPossibleNow`."""

        def attempt(snapshot: Snapshot) -> AppendOutcome | None:
            if deadline(snapshot) is None:
                raise errors.NotPossibleNow("no_clock", "No clock runs at this match now.")
            return self._append_timeout(match, snapshot) if is_time_over(snapshot) else None

        return self.writer.retry(match, attempt)

    def advance_clock(self, match: str, seconds: int, request_id: str = "") -> tuple[bool, Snapshot]:
        """Move the time of a test forward and enforce the clock, in one append; a request id is carried out once.
        Returns whether the time was over. Raises `errors.NotPossibleNow`, `errors.BadRequest`, `errors.AlreadyExists`.
        """
        action, token = advance_action(seconds), log_writer.request_token(CHANCE, request_id)
        for _ in range(log_writer.MAX_ATTEMPTS):
            snapshot, position = self.writer.read(match, token if request_id else "")
            if position is not None:
                entries = log_writer.repeated_entries(self.repository, match, position, format_action(action).__eq__)
                # a timeout behind it belongs to it, because the time stood still after it
                return any(_kind_of(entry) == TIME_OVER for entry in entries[1:2]), snapshot
            if error := check_advance(snapshot, seconds):
                raise error
            is_over = is_time_over(snapshot._replace(control=apply_action(snapshot.control, action)))
            append = self._append_timeout if is_over else self.writer.append_actions
            outcome = append(match, snapshot, (action,), token=token)
            if isinstance(outcome.result, Appended):
                return is_over, outcome.snapshot
        raise log_writer.too_many_conflicts()

    def _append_timeout(
        self, match: str, snapshot: Snapshot, actions: tuple[ControlAction, ...] = (), *, token: str = ""
    ) -> AppendOutcome:
        if missing := awaiting_seeds_from(snapshot):
            timeouts = tuple(ControlAction(seat, TIME_OVER) for seat in missing)
            shuffle_now = ControlAction(CHANCE, SHUFFLE_NOW)
            return self.writer.append_actions(match, snapshot, (*actions, *timeouts, shuffle_now), token=token)
        seat = min(snapshot.turns, key=snapshot.control.banks.__getitem__)  # whose time was over first
        move = default_move(snapshot.game, snapshot.position, seat)
        actions = (*actions, ControlAction(seat, TIME_OVER))
        return self.writer.append_service_move(match, snapshot, seat, move, actions, token)

    def run_due(self, match: str, snapshot: Snapshot | None = None, hold: Hold = lambda due, play: play()) -> bool:
        """Play for a bot or enforce the clock; returns whether anything was due. Raises `errors.NotFound`.

        A move that was searched for is given to ``hold``, until the bot's think time is over.
        """
        begun = time.monotonic()
        snapshot = snapshot or self.repository.load(match)
        if (seat := snapshot.resigned_on_turn) is not None:
            move = default_move(snapshot.game, snapshot.position, seat)
            return isinstance(self.writer.append_service_move(match, snapshot, seat, move).result, Appended)
        if (bot := snapshot.bot_on_turn) is None:
            if not is_time_over(snapshot):
                self.writer.schedule(match, snapshot)
                return False
            return self.enforce_clock(match)[0]
        if bot_due(snapshot, now_ms()):
            self.writer.schedule(match, snapshot)
            return False
        is_searching = self.writer.searching_bot(snapshot) is not None
        moving = bot if is_searching else log_writer.without_search(bot)
        start = time.thread_time()
        move = self._choose_move(snapshot.game, snapshot.position, moving, bot_chance(snapshot))
        seconds = time.thread_time() - start
        self._observe(bot.bot, moving.bot, seconds)
        searched_ms = math.ceil(1000 * seconds) if is_searching else 0

        def attempt(now: Snapshot) -> AppendOutcome | None:
            """Play the move unless another decision came first: what is said meanwhile starts no second search."""
            if now.bot_turn != snapshot.bot_turn:
                return None
            control = now.control._replace(searched_ms=now.control.searched_ms + searched_ms)
            return self.writer.append_service_move(match, now._replace(control=control), bot.seat, move)

        def play() -> bool:
            return self.writer.retry(match, attempt, snapshot)[0]

        return hold(begun + log_writer.think_seconds(bot), play) if is_searching else play()

    def take_back(
        self, match: str, actor: Seat, *, decline: bool = False, expected: int | None = None, request_id: str = ""
    ) -> tuple[bool, Snapshot]:
        """Request that the last decision be taken back, or answer a request. Returns whether it is taken back now.
        Raises `errors.NotPossibleNow` with the reason, `errors.Stale`, `errors.AlreadyExists`.
        """
        token = log_writer.request_token(actor, request_id)
        for _ in range(log_writer.MAX_ATTEMPTS):
            snapshot, position = self.writer.read(match, token if request_id else "")
            if position is not None:
                return self._replay_takeback(match, position, decline=decline), snapshot
            self.writer.check_reported(match, snapshot, actor, expected, token)
            # from the last shuffle on: behind it nothing can be taken back
            replay = self.repository.replay(match, snapshot, lambda one: one.is_closed)
            if replay.start + len(replay.entries) != snapshot.row.length:  # another writer was faster
                continue
            last = last_decisions(snapshot, replay.run().decisions, actor)
            if error := check_takeback(snapshot, last, actor, decline=decline, expected=expected):
                raise error
            if error := check_seen(snapshot.game, last, self.repository.read_log(match) if len(last) > 1 else []):
                raise error
            actions = takeback_actions(snapshot, last, actor, decline=decline)
            if not actions:
                return False, snapshot
            before = last[0].before if last else None
            outcome = self.writer.append_actions(match, snapshot, actions, before, token)
            if isinstance(outcome.result, Duplicate):
                return self._replay_takeback(match, outcome.result.position, decline=decline), outcome.snapshot
            if isinstance(outcome.result, Appended):
                return actions[-1].kind == TAKE_BACK, outcome.snapshot
        raise log_writer.too_many_conflicts()

    def _replay_takeback(self, match: str, position: int, *, decline: bool) -> bool:
        kinds = (DECLINE_TAKEBACK,) if decline else (REQUEST_TAKEBACK, AGREE_TAKEBACK, TAKE_BACK)
        entries = log_writer.repeated_entries(self.repository, match, position, lambda entry: _kind_of(entry) in kinds)
        together = [entry for entry in entries[:2] if untimed(entry)[1] == untimed(entries[0])[1]]
        return TAKE_BACK in map(_kind_of, together)  # not one that somebody else has added since

    def rotate_key(
        self, match: str, role: Seat, check_access: CheckAccess, *, by_referee: bool = False, request_id: str = ""
    ) -> tuple[str, Snapshot]:
        """Replace the key of ``role``, a seat or `CHANCE` for the referee; returns the new key. Idempotent.
        ``check_access`` is called with every snapshot that a new key is to be appended to: of several requests with one
        old key, one succeeds. Raises what it raises, `errors.NotPossibleNow`, `errors.QuotaExceeded`, and
        `errors.AlreadyExists` for a request id that was used otherwise.
        """
        key = self._derive_key(match, role, by_referee=by_referee, request_id=request_id)
        action = ControlAction(role, ROTATE_KEY, digest(key))
        token = log_writer.request_token(role, request_id)

        def attempt(snapshot: Snapshot) -> AppendOutcome | None:
            if _is_current(snapshot, role, key):
                return None
            check_access(snapshot)
            if snapshot.row.aborted:
                raise match_aborted()
            if role != CHANCE and not by_referee:
                if error := check_talk(snapshot, role):
                    raise error
                snapshot = snapshot._replace(control=snapshot.control.with_talk(key_changes(role), 1))
            outcome = self.writer.append_actions(match, snapshot, (action,), token=token)
            if isinstance(outcome.result, Duplicate) and not _is_current(outcome.snapshot, role, key):
                raise log_writer.request_reused()
            return outcome

        return key, self.writer.retry(match, attempt)[1]

    def recover_key(self, match: str, snapshot: Snapshot, old_key: str, request_id: str) -> tuple[Seat, str] | None:
        """The role and the key that a repeated request gave, by the key that it replaced; None where it is not one."""
        role = role_of_previous_key(snapshot.metadata, snapshot.control, old_key)
        if role is None or len(request_id) < MIN_RECOVERY_LENGTH:
            return None
        key = self._derive_key(match, role, by_referee=False, request_id=request_id)
        return (role, key) if _is_current(snapshot, role, key) else None

    def _derive_key(self, match: str, role: Seat, *, by_referee: bool, request_id: str) -> str:
        purpose = f"rotated key of {role} by {'referee' if by_referee else 'holder'}"
        return self._derive(f"{match} {request_id or secrets.token_hex(16)}", purpose)


def _kind_of(entry: str) -> str:
    action = parse_action(entry)
    return action.kind if action else ""
