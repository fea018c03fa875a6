"""The referee: the use cases of a kept match. Reads a page, asks the rules, adds a page."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable

from chitarrella import errors
from chitarrella.affairs import (
    Affairs,
    BotSeat,
    act_of,
    after_act,
    after_move,
    read_act,
    write_act,
    write_affairs,
)
from chitarrella.against import against_move
from chitarrella.cards import Hand
from chitarrella.catalogue import Agreement
from chitarrella.chronicle import Chronicle, Cursor, Ears, Told, is_draw, is_public, write_entry
from chitarrella.drawing import REFEREE as REFEREE_DEALS
from chitarrella.drawing import SERVICE, replayed, supplied
from chitarrella.game import AnyGame, Position, accepted, applied, judge, waited_for
from chitarrella.header import NO_CLOCK, Clock, Header, hashed, write_header
from chitarrella.keeper import Keeper, store_errors
from chitarrella.kept import Done, Made, Opened, Played, Seen, Wish
from chitarrella.notation import TABLE
from chitarrella.post import ENDED
from chitarrella.store import Added, Again, Lines, Moved, Page, chained, entry_of
from chitarrella.timing import Step, pressed, seconds_kept, set_going, when_due
from chitarrella.words import CHANCE, REFEREE, Event, Eyes, Move, Seat

MATCH_DIGITS = 20
TOKEN_DIGITS = 16
"""What stands in the store for a request id: enough that no two of a match are ever alike."""
SEED_BYTES = 32
TRIES = 64
"""How often a move is judged anew when others were faster; a table has at most twenty of them."""


class Referee(Keeper):
    """Keeps matches. Safe to be used by many threads; all state is in the store."""

    # ------------------------------------------------------------------ opening and closing

    def open(
        self,
        agreement: Agreement,
        *,
        position: str = "",
        pack: Hand = (),
        packs: str = SERVICE,
        private: bool = False,
        expires: int = 0,
        moves: tuple[tuple[Seat, Move], ...] = (),
        clock: Clock = NO_CLOCK,
        bots: tuple[BotSeat, ...] = (),
        platform: str = "",
        request: str = "",
    ) -> Opened:
        """Open a match, make ``moves`` of a record, and deal; ``request`` makes the same call again the same match.

        Raises what the catalogue and the notation raise, `errors.BadRequest` for a move that the rules refuse, and
        `errors.AlreadyExists` for the id of another call.
        """
        agreement = self.catalogue.settle(agreement)
        game = self.catalogue.seat(agreement)
        named = f"{platform} {request}" if platform else request
        name = named if request else secrets.token_hex(16)
        match = self._derived(name, "match")[:MATCH_DIGITS]
        seats = tuple(seat for seat in range(game.seats) if game.controller(seat) == seat)
        keys = tuple((seat, self._derived(name, f"seat {seat}")) for seat in seats)
        referee = self._derived(name, "referee")
        header = Header(
            agreement=agreement,
            position=position,
            packs=packs,
            expires=expires or self._expires,
            seats=seats,
            keys=tuple(hashed(key) for key in (*(key for _, key in keys), referee)),
            asked=hashed(repr((agreement, position, pack, packs, private, expires, moves, clock, bots))),
            seed=secrets.token_hex(SEED_BYTES),
            private=private,
            platform=platform,
            opened_at=int(time.time()),
            clock=clock,
        )
        seen, lines = _begun(header, game, moves, pack, bots)
        with store_errors(match):
            if platform:
                self._announce(platform, match, 0, len(lines))
            created = self.store.create(match, seen.page, lines, seconds_kept(seen, now()))
        seen = seen if created else self.see(match)
        if seen.header.asked != header.asked:
            raise errors.AlreadyExists("request_reused", "This request id opened another match.", "request_id")
        self._remind(match, seen)
        if platform:
            with store_errors():
                self.store.enlist(platform, match, seen.header.opened_at)
        self._memory.keep(match, seen)
        return Opened(match, keys, referee, seen)

    def end(self, match: str) -> Seen:
        """End a match before its time; ending it twice changes nothing."""
        platform = self.known(match).header.platform
        with store_errors(match):
            if platform:
                self._announce(platform, match, ENDED, ENDED)
            self.store.end(match)
        return self.see(match)

    def delete(self, match: str) -> None:
        """Forget a match at once, and take it off the list of its platform."""
        header = self.header(match)
        self._memory.forget(match)
        with store_errors(match):
            self.store.delete(match)
            if header.platform:
                self.store.strike(header.platform, (entry_of(match, header.opened_at),))

    # ------------------------------------------------------------------ playing

    def play(self, match: str, wish: Wish) -> Played:
        """Judge a move and add it; exactly once for one request id, and only behind the page it was judged on.

        Raises `errors.Stale` where the table has moved on from the expected revision, `errors.NotPossibleNow` where
        the match was ended, `errors.AlreadyExists` where the request id made another move.
        """
        token = token_of(wish.actor, wish.request)
        seen, number, fresh = self._memory.get(match), None, False
        for _ in range(TRIES):
            if seen is None:
                seen, number = self.read(match, wish.request and token)
                fresh = True
            if number is not None:
                return self._again(match, seen, wish, number)
            against = against_move(seen, wish)
            if against and not fresh:
                seen = None
                continue
            if isinstance(against, errors.ChitarrellaError):
                raise against
            if not accepted(against):
                return Played(False, against, seen.page.revision, (), seen)
            done = self._add(match, seen, wish, token)
            if isinstance(done.answer, Added):
                return Played(True, against, done.seen.page.revision, _heard(seen, wish.actor, done.told), done.seen)
            if isinstance(done.answer, Again):
                played = self._again(match, done.seen, wish, done.answer.number)
                return played._replace(repeated=bool(wish.request))
            seen, fresh = done.seen, True
        raise crowded()

    def _add(self, match: str, seen: Seen, wish: Wish, token: str) -> Done:
        """Apply the move, supply what chance has to supply after it, and add it all in one go."""
        position, events = applied(seen.game, seen.position, wish.actor, wish.move)
        draw = is_draw(seen.game, wish.actor, wish.move)
        affairs = after_move(seen.affairs, heard=is_public(events), draw=draw)
        decided = wish.actor == waited_for(seen.game, seen.position) and not seen.game.forms[wish.move.verb].free
        made = Made((write_entry(wish.actor, wish.move),), (events,), decided)
        return self.append(match, seen, position, affairs, made, token)

    def read(self, match: str, request: str) -> tuple[Seen, int | None]:
        """Read the last page, and what ``request`` did; who did it may have fallen before noting what is due."""
        seen, number = super().read(match, request)
        if number is not None:
            self._remind(match, seen)
        return seen, number

    def append(self, match: str, seen: Seen, p: Position, affairs: Affairs, made: Made, token: str) -> Done:
        """Add what was ``made`` behind the page of ``seen`` and leads to ``p``, and what chance supplies after it."""
        dealt = supplied(seen.game, p, seen.header, affairs)
        drawn = dealt.affairs.draws != seen.affairs.draws  # words for the next draw have a time of their own
        step = Step(seen.position, dealt.position, made.decided or drawn)
        affairs = pressed(seen.header.clock, seen.game, step, dealt.affairs, now())
        after = seen._replace(position=dealt.position, affairs=affairs)
        revision = seen.page.revision + sum(map(is_public, made.told)) + dealt.public
        lines = Lines((*made.lines, *dealt.lines), seen.game.write(dealt.position), revision, write_affairs(affairs))
        with store_errors(match):
            if platform := seen.header.platform:
                self._announce(platform, match, seen.page.number, seen.page.number + len(lines.moves))
            answer = self.store.append(match, seen.page, lines, token, seconds_kept(after, now()))
        if isinstance(answer, Moved):
            return Done(answer, self._seen(match, answer.page), ())
        if isinstance(answer, Again):  # it was added, and only the answer lost
            after = self.see(match)
            self._remind(match, seen, after)
            return Done(answer, after, ())
        after = after._replace(page=answer.page)
        self._memory.keep(match, after)
        self._remind(match, seen, after)
        return Done(answer, after, (*made.told, *dealt.told))

    def remind(self, match: str, seen: Seen) -> None:
        """Note down when there is something to see to at a match, and have it seen to where that is now."""
        when = when_due(seen, now())
        with store_errors(match):
            self.store.remind(match, when)
        if when is not None and when <= now():
            self.due.set()

    def _remind(self, match: str, *pages: Seen) -> None:
        """Note down what is due at the last of ``pages``, if a clock runs or there is, or just was, a bot."""
        if any(seen.header.clock.runs or seen.affairs.bots for seen in pages):
            self.remind(match, pages[-1])

    def _again(self, match: str, seen: Seen, wish: Wish, number: int) -> Played:
        """Answer a repeated request as it was answered the first time."""
        story, lines = self.chronicle(match)
        if number >= len(lines):  # it was deleted meanwhile
            raise errors.MatchNotFound
        if lines[number] != write_entry(wish.actor, wish.move):
            raise errors.AlreadyExists("request_reused", "This request id made another move.", "request_id")
        story.pass_over(lines[:number])
        before = self._at(seen, story)
        refusals = judge(before.game, before.position, wish.actor, wish.move)
        own = number + 1
        while own < len(lines) and _by_table(lines[own]) and seen.header.packs != REFEREE_DEALS:
            own += 1
        told = tuple(events for _, events in story.go_on(lines[number:own]))
        return Played(
            True, refusals, story.revision, _heard(before, wish.actor, told), self._at(seen, story), repeated=True
        )

    def _at(self, seen: Seen, story: Chronicle) -> Seen:
        """Give a match as it stood where its story has come to."""
        page = seen.page._replace(revision=story.revision)
        return Seen(page, seen.header, story.game, story.position, story.affairs)


def _begun(
    header: Header, game: AnyGame, moves: Iterable[tuple[Seat, Move]], pack: Hand, bots: tuple[BotSeat, ...]
) -> tuple[Seen, tuple[str, ...]]:
    """Begin a match: the moves of a record, the bots, then what chance supplies; gives its first page and its log."""
    start = game.read(header.position) if header.position else game.start()
    made = replayed(game, start, moves)
    affairs = set_going(header.clock, game, made.affairs, now())
    for bot in bots:
        affairs = after_act(affairs, act_of(bot))
    dealt = supplied(game, made.position, header, affairs, pack)
    lines = made.lines + tuple(write_act(act_of(bot)) for bot in bots) + dealt.lines
    kept = write_header(header)
    page = Page(
        kept,
        len(lines),
        chained("", (kept, *lines)),  # so that no other match of this name can be taken for it
        game.write(dealt.position),
        made.public + len(bots) + dealt.public,
        affairs=write_affairs(dealt.affairs),
    )
    return Seen(page, header, game, dealt.position, dealt.affairs), lines


def _by_table(line: str) -> bool:
    """Tell whether a line of the log is a pack or a lot."""
    return line.startswith(f"{TABLE} ") and not read_act(line)


def crowded() -> errors.TooMany:
    """Say that others were faster every time."""
    return errors.TooMany("too_many", "Too many are moving at this table at once; try again.")


def token_of(actor: Seat, request: str) -> str:
    """Give what stands in the store for a request id of a seat, whoever speaks for it."""
    return hashed(f"{actor} {request}")[:TOKEN_DIGITS] if request else new_token()


def new_token() -> str:
    """Make what stands in the store for a call without a request id."""
    return secrets.token_hex(TOKEN_DIGITS // 2)


def now() -> int:
    """Read the clock of this machine, in milliseconds since 1970."""
    return int(time.time() * 1000)


def _heard(before: Seen, actor: Seat, told: tuple[tuple[Event, ...], ...]) -> tuple[Told, ...]:
    """Tell the mover what came of the move."""
    eyes: Eyes = REFEREE if actor == CHANCE else actor
    ears = Ears(eyes, Cursor())
    revision = before.page.revision
    heard = []
    for events in told:
        revision += is_public(events)
        if (one := ears.hear(revision, events)) is not None:
            heard.append(one)
    return tuple(heard)
