"""Scenes: tests of rules as text, in the files of ``data``, for whoever knows the game and not this program.

A scene begins with its clauses and what it shows, then names a table; each line is a step or a check::

    ## BR-5.7 | BR-EX12: s0 lays 2d down for the Ace that is turned up, and everybody sees both.
    briscola 2 deuce_exchange=true
    deal 1: 5c 6c 7c; 0: 2d 3s 4s; up: Ad
    play 1 5c
    0 exchange_turn_up 2d
    events each: turn_up_exchanged 0 2d Ad
    0 has play_card 3s, play_card 4s, play_card Ad

Lines that begin with ``|`` are rows of a table, for each of which the scene is played: its words stand in place of the
names in braces. A method of `Scene` whose name begins with ``do_`` is a word for the table, with ``seat_`` one for a
seat; all else that a seat does is a move, ``0 1 keep, 2 exchange -> swapped 2 V II to 3`` moves and what is told of
them. After such a move, and at the end, the position is written and read back.
"""

import re
from collections.abc import Collection, Iterator
from itertools import accumulate, chain, combinations, count, groupby, takewhile
from random import Random
from typing import Any, NamedTuple

import pytest

from chitarrella.core.game import IllegalMove, legal_moves, validate_move
from chitarrella.core.model import CHANCE, MATCH_OVER, REFEREE, Event, Fact, Move, Viewer
from chitarrella.core.notation import CHANCE_NAME, InvalidPosition, MalformedMove, format_share, parse_actor, parse_move
from chitarrella.core.visibility import visible_to
from chitarrella_testing.expectations import steady_choice
from tests.games.support import table as tables
from tests.games.support.examples import GAMES, section
from tests.games.support.table import Match, any_match, first_cards, in_play, middle, net, pack_for, pack_of, rob, taker
from tests.walks import universe

PARTS = re.compile(r"\s*;\s*")
UNWRITTEN = frozenset({"said", "deal_started", "match_won"})
"""Public events of which scenes of exchange games do not speak: a card is kept, a deal begins, a match is won."""


def scenes() -> Iterator[tuple[str, str, list[str]]]:
    """All scenes, a row of a table each: the clauses, what is shown, and the lines."""
    for block in chain.from_iterable(GAMES.values()):
        clauses, shown, title = block.name.partition(" | ")
        if shown:
            lines = [line for line in block.lines if line and line[0] not in "#|"]
            rows = [[cell.strip() for cell in line.split("|")[1:]] for line in block.lines if line[:1] == "|"]
            for row in rows[1:] or [[]]:
                said = dict(zip(rows[0] if rows else [], row, strict=True))
                yield clauses, title, [line.format(**said) for line in lines]


def params() -> list[Any]:
    """The scenes as parameters of a test, each marked with its clauses."""
    return [
        pytest.param(lines, id=f"{lines[0].split()[0]}-{title[:50]}", marks=pytest.mark.clause(*clauses.split()))
        for clauses, title, lines in scenes()
    ]


def in_words(event: Event) -> str:
    """An event as a record writes it: the kind, seat, cards, word, number, other seat and amounts by person."""
    parts = [event.kind, "" if event.seat is None else str(event.seat), " ".join(event.cards), event.word]
    parts += ["" if event.amount is None else str(event.amount)]
    parts += ["" if event.other is None else f"to {event.other}", *map(format_share, event.shares)]
    return " ".join(filter(None, parts))


def value_in_words(fact: Fact) -> str:
    """The value of a fact; amounts by person are joined by commas."""
    return ",".join(map(format_share, fact.value)) if isinstance(fact.value, tuple) else str(fact.value)


def play_scene(lines: list[str]) -> None:
    """Play a scene; what is wrong is said with the line that says otherwise."""
    scene = Scene(lines[0])
    for line in lines[1:]:
        try:
            scene.follow(line)
        except (AssertionError, ValueError, LookupError, IllegalMove) as wrong:
            raise AssertionError(f"{line!r}: {wrong}") from wrong
    scene.do_reads("back")


class Scene:
    def __init__(self, table: str) -> None:
        self.table = table.split()
        self.match: Match
        self.before: Match | None = None
        self.marked: dict[Viewer, object] = {}
        self.dealt = self.since = 0
        self.do_again("")

    def follow(self, line: str) -> None:
        head, _, rest = line.partition(" ")
        if head.isdecimal() or head == CHANCE_NAME:
            word, _, words = rest.partition(" ")
            special = getattr(self, f"seat_{word}", None)
            self.make(line) if special is None else special(parse_actor(head), words)
        else:
            getattr(self, f"do_{head}")(rest)

    def make(self, line: str) -> None:
        """Make moves, of which several seats in a row may make the same, and check what the referee is told of them."""
        moves, arrow, events = line.partition(" -> ")
        self.since = len(self.match.events)
        for words in moves.split(", "):
            seats = list(takewhile(lambda word: word in (CHANCE_NAME, *map(str, range(20))), words.split()))
            for seat in seats:
                self.match.say(parse_actor(seat), self.move(words.split(maxsplit=len(seats))[-1]))
                self.do_reads("back")
        if arrow:
            self.do_news(f"referee: {events}", {*UNWRITTEN, "dealt"})
        if any(event.kind == "dealer_set" for event in self.match.last):
            assert self.match.last[-1].seat == self.match.p.match_state.dealer

    def move(self, text: str) -> str:
        """A move; PACK stands for the whole pack."""
        return text.replace("PACK", " ".join(self.match.game.pack.cards))

    def viewers(self, words: str) -> list[Viewer]:
        """Viewers by their names: seats, the public, the referee; each is all but the referee."""
        found: list[Viewer] = []
        for word in words.split():
            if word in ("each", "all"):
                found += [None, *range(self.match.game.seats), *([REFEREE] if word == "all" else [])]
            else:
                found.append({"public": None, "referee": REFEREE}.get(word) if word.isalpha() else int(word))
        return found

    # ------------------------------------------------------------------ steps

    def do_again(self, options: str) -> None:
        """Begin anew, with other options beside those of the scene; what was played before can be compared."""
        key, players, *agreed = [*self.table, *options.split()]
        self.before = getattr(self, "match", None)
        self.match = any_match(key, int(players), **dict(option.split("=") for option in agreed))

    def do_start(self, changes: str) -> None:
        """Begin in a position that differs in these fields from the present one; who paid a pool does not matter."""
        said = dict(change.split("=") for change in changes.split())
        if said.get("tokens"):
            full = str(self.match.p.match_state.tokens[0])
            virgins = [str(seat) for seat, held in enumerate(said["tokens"].split(",")) if held == full]
            said.setdefault("virgins", ",".join(virgins) or "-")
        if said.get("pool"):
            each, more = divmod(int(said["pool"]), self.match.game.seats)
            said["net"] = "/".join(f"{seat},{-each - more * (seat == 0)}" for seat in range(self.match.game.seats))
        self.match.p = self.match.game.decode(self.changed(" ".join(f"{name}={value}" for name, value in said.items())))

    def do_deal(self, words: str) -> None:
        """Deal these cards, the rest in any order; in Bisca the card turned up is cut.

        Without a name they are the first of the pack, and behind three dots the last.
        """
        match, dealer = self.match, self.match.p.match_state.dealer
        self.dealt = self.since = len(match.events)
        if ":" not in words:
            first, last = (match.game.pack.hand(part.split()) for part in f"{words}...".split("...")[:2])
            request = match.game.chance_request(match.p)
            match.move(CHANCE, Move(request.verb, pack_of(request.cards, first, last)))
            return
        said = dict(part.split(": ") for part in PARTS.split(words))
        hands = {int(seat): cards for seat, cards in said.items() if seat.isdecimal()}
        match.deal(pack_for(match.game, hands, said.get("up", ""), said.get("stock", ""), dealer))
        if match.p.phase == "cut" and "up" in said:
            match.say((dealer - 1) % match.game.seats, "cut_stock 1")

    def do_late(self, words: str) -> None:
        """A position in the middle of a deal, with these hands, this trick, and what else is said."""
        said = dict(part.split(": ") for part in PARTS.split(words))
        if "up" in said:
            hands = {int(seat): cards for seat, cards in said.items() if seat.isdecimal()}
            leader, robbed = int(said.get("leader", 0)), tuple(said.get("robbed", "/").split("/"))
            self.match = in_play(self.match.game, said["up"], hands, said.get("trick", ""), leader, robbed)
        else:
            self.match = middle(self.match.game, said)

    def do_robbing(self, words: str) -> None:
        """Deal and cut a pack with the ``lifted`` cards at its bottom, the last one first; then hands and stock."""
        said = dict(part.split(": ") for part in PARTS.split(words))
        hands = {int(seat): cards for seat, cards in said.items() if seat.isdecimal()}
        self.match = tables.robbing(self.match.game, said["lifted"], said.get("stock", ""), hands)

    def do_rob(self, words: str) -> None:
        """What a robber does: ``rob_look(X)`` is a look at an X."""
        seat, _, moves = words.partition(": ")
        rob(self.match, int(seat), moves)

    def do_play(self, plays: str) -> None:
        """Play cards, ``1 5c, 0 3s``."""
        self.match.play(plays)

    def do_talk(self, words: str) -> None:
        """Bid in turn, ``0 R, 1 pass, 2 66``."""
        for part in words.split(", "):
            who, what = part.split()
            assert int(who) == self.match.game.turn(self.match.p), part
            bid = "bid_points" if what.isdecimal() and int(what) > 9 else "bid_rank"
            verb = "call_card" if "call_card" in self.match.game.move_specs else bid
            self.match.say(int(who), "pass_bid" if what == "pass" else f"{verb} {what}")

    def do_first(self, tricks: str) -> None:
        """Play the first legal card of each hand for so many tricks, or the first ``card`` of the seat on turn."""
        for _ in range(1 if tricks == "card" else int(tricks) * self.match.game.seats):
            turn = self.match.game.turn(self.match.p) or 0
            actor = self.match.game.controller(turn)
            moves = legal_moves(self.match.game, self.match.p, actor)
            self.match.move(actor, next(move for move in moves if move.verb == "play_card"))

    def do_out(self, deals: str) -> None:
        """Play the first legal card to the end of the deal, or of so many."""
        self.match.play_out(int(deals or 1))

    def do_won(self, side: str) -> None:
        """Play a deal at random that this side wins, or that is a ``draw``."""
        for seed in count():
            trial, rng = Match(self.match.game, self.match.p), Random(seed)
            trial.deal(rng.sample(trial.game.pack.cards, len(trial.game.pack.cards)))
            while (turn := trial.game.turn(trial.p)) not in (None, CHANCE):
                actor = trial.game.controller(turn or 0)
                trial.move(actor, rng.choice(legal_moves(trial.game, trial.p, actor)))
            scoring = trial.game.deal_scoring
            winner = scoring.winner(trial.game, trial.p, scoring.by_side(trial.game, trial.p))
            if side == ("draw" if winner is None else str(winner)):
                self.match.p, self.match.last = trial.p, trial.last
                self.match.events += trial.events
                return

    def do_trick(self, words: str) -> None:
        """Play cards up to the end of a trick, each by the seat on turn, and check what came of it."""
        plays, _, result = words.partition(" -> ")
        for play in plays.split(", "):
            assert int(play.split()[0]) == self.match.game.turn(self.match.p), play
            self.match.say(self.match.game.controller(int(play.split()[0])), self.card(play))
        self.do_took(result)

    def card(self, play: str) -> str:
        """A card as a move, of a dummy with its seat; ``VII=pictures`` asks for a suit."""
        seat, card = play.split()
        dummy = "" if int(seat) == self.match.game.controller(int(seat)) else f" @{seat}"
        return f"play_card {card.replace('=', ' ')}{dummy}"

    def do_took(self, words: str) -> None:
        """Who took the last trick, and if they are named its worth in each count, the chips paid and what is drawn."""
        result, _, draws = words.partition(" draws ")
        result, _, chips = result.partition(" pays ")
        game, trick = self.match.game, self.match.p.tricks[-1]
        found = [trick.winner, *(number for _, number in game.cards.count(trick.cards, self.match.p.trump))]
        wanted = list(map(int, result.split()))
        assert wanted == found[: len(wanted)], found
        assert self.match.p.phase not in game.deal_phases or trick.winner == game.turn(self.match.p)
        drawn = [f"{event.seat} {event.cards[0]}" for event in self.match.last if event.kind == "card_drawn"]
        assert not draws or draws.split(", ") == drawn, drawn
        paid = sum(event.amount or 0 for event in self.match.last if event.kind == "chips_paid")
        assert not chips or int(chips) == paid, paid

    def do_mark(self, _: str) -> None:
        """Remember what everybody sees."""
        self.marked = {viewer: self.match.view(viewer) for viewer in self.viewers("all")}

    # ------------------------------------------------------------------ checks of moves

    def seat_has(self, seat: int, moves: str) -> None:
        """A seat may make these moves and no others."""
        found = self.match.moves(seat)
        assert sorted(filter(None, moves.removeprefix("nothing").split(", "))) == found, found

    def seat_cards(self, seat: int, cards: str) -> None:
        """A seat may play these cards and no others."""
        found = [move.split()[1] for move in self.match.moves(seat) if move.startswith("play_card")]
        assert sorted(cards.split()) == sorted(set(found)), found

    def seat_may(self, seat: int, moves: str) -> None:
        """Moves with these beginnings are in the list of a seat, or with ``not`` before them not; the list is legal."""
        wanted, listed = not moves.startswith("not "), self.match.moves(seat)
        for move in moves.removeprefix("not ").split(", "):
            found = [one for one in listed if f"{one} ".startswith(f"{move} ")]
            assert wanted == bool(found), listed
            assert [] == [code for one in found for code in self.match.codes(seat, one)]

    def seat_can(self, seat: int, moves: str) -> None:
        """A move would be accepted."""
        for move in moves.split(", "):
            assert [] == self.match.codes(seat, self.move(move)), self.match.codes(seat, self.move(move))

    def seat_cannot(self, seat: int, words: str) -> None:
        """Each of these moves is refused, for all these reasons in order, and where they are named by these clauses."""
        moves, _, why = words.partition(": ")
        codes, _, clauses = why.partition(" (")
        for move in map(self.move, moves.split(", ")):
            assert codes.split() == self.match.codes(seat, move), self.match.codes(seat, move)
            assert not clauses or clauses.rstrip(")").split() == self.match.cited(seat, move)

    def seat_instead(self, seat: int, words: str) -> None:
        """The only refusal of a move names the cards that would do instead."""
        move, _, cards = words.partition(": ")
        (refusal,) = self.match.refusals(seat, move)
        assert cards.split() == list(refusal.allowed_cards), refusal.allowed_cards

    def seat_costs(self, seat: int, words: str) -> None:
        """A move is accepted at a price, for the reason and clause that are named."""
        move, _, why = words.partition(": ")
        (refusal,) = validate_move(self.match.game, self.match.p, seat, parse_move(self.match.game, move))
        assert (refusal.reason.penalty, why) == (True, f"{refusal.code} {refusal.clause.key}"), refusal

    def seat_malformed(self, seat: int, text: str) -> None:
        """These words are no move of the game."""
        with pytest.raises(MalformedMove):
            parse_move(self.match.game, text)

    # ------------------------------------------------------------------ checks of the position

    def do_is(self, words: str) -> None:
        """The position has these fields as it is written; a field without a value, or with 0, is not written there."""
        written = dict(word.split("=", 1) for word in self.match.game.encode(self.match.p).split())
        for word in words.split():
            name, _, value = word.partition("=")
            assert value == written.get(name, "0" if value == "0" else ""), f"{name}={written.get(name, '')}"

    def do_turn(self, who: str) -> None:
        """Who is waited for: a seat, the table, or nobody."""
        turn = self.match.game.turn(self.match.p)
        assert who == {None: "nobody", CHANCE: CHANCE_NAME}.get(turn, str(turn)), turn

    def do_hand(self, words: str) -> None:
        seat, _, cards = words.partition(": ")
        assert sorted(cards.split()) == self.match.hand(int(seat)).split(), self.match.hand(int(seat))

    def do_stock(self, words: str) -> None:
        """The cards of the stock, or before and after three dots those with which it begins and ends."""
        begins, dots, ends = words.partition("...")
        stock = " ".join(self.match.p.stock)
        assert stock.startswith(begins.strip()), stock
        assert stock.endswith(ends.strip()) if dots else stock == words, stock

    def do_sides(self, words: str) -> None:
        """The points of each side in the first count, and behind a stroke in the next."""
        sides = self.match.game.deal_scoring.by_side(self.match.game, self.match.p)
        for place, points in enumerate(words.split(" / ")):
            assert points == " ".join(str(counts[place]) for counts in sides), sides

    def do_worth(self, words: str) -> None:
        """What cards are worth, count by count."""
        cards, _, counts = words.partition(" -> ")
        found = self.match.game.cards.count(self.match.game.pack.hand(cards.split()))
        assert counts == " ".join(str(number) for _, number in found), found

    def do_order(self, words: str) -> None:
        """Of two cards of a suit the one further right takes the trick, whichever is played first."""
        game, (suit, _, cards) = self.match.game, words.partition(": ")
        for low, high in combinations(game.pack.hand(cards.split()), 2):
            assert (suit, suit) == (game.cards.suit[low], game.cards.suit[high])
            assert (1, 0) == (taker(game, (low, high)), taker(game, (high, low))), f"{low} {high}"

    def do_decides(self, words: str) -> None:
        """The side that wins a deal with these points of both sides, and behind a stroke those of the next count."""
        game, (points, _, side) = self.match.game, words.partition(" -> ")
        counts = [map(int, count.split()) for count in points.split(" / ")]
        winner = game.deal_scoring.winner(game, game.start(), tuple(zip(*counts, strict=True)))
        assert side == ("draw" if winner is None else str(winner)), winner

    def do_holder(self, words: str) -> None:
        """Who holds a card, ``nobody`` if it is in no hand."""
        card, _, who = words.partition(": ")
        assert who == (" ".join(str(seat) for seat, hand in enumerate(self.match.p.hands) if card in hand) or "nobody")

    def do_net(self, words: str) -> None:
        """What each seat has received less what it has paid, as everybody sees it."""
        found = net(self.match.view(None))
        assert words == " ".join(f"{seat}={amount}" for seat, amount in found.items()), found

    def do_sizes(self, words: str) -> None:
        """The number of cards in each hand, seat by seat."""
        assert words == " ".join(str(len(hand)) for hand in self.match.p.hands)

    def do_points(self, words: str) -> None:
        """The points of each seat in the first count."""
        assert words == " ".join(map(str, self.match.game.points(self.match.p))), self.match.game.points(self.match.p)

    def do_scores(self, words: str) -> None:
        assert words == " ".join(map(str, self.match.game.scores(self.match.p))), self.match.game.scores(self.match.p)

    def do_outcome(self, words: str) -> None:
        """Who has won the match: seats, nobody where it is open, or a draw."""
        won = self.match.game.outcome(self.match.p)
        assert words == ("open" if won is None else " ".join(map(str, sorted(won))) or "draw"), won

    def do_reads(self, _: str) -> None:
        """The position, written and read, is the same."""
        assert self.match.p == self.match.game.decode(self.match.game.encode(self.match.p))

    def changed(self, changes: str) -> str:
        """The position with some fields changed, or left out where nothing is said of them."""
        fields = dict(word.split("=", 1) for word in self.match.game.encode(self.match.p).split())
        fields |= dict(change.split("=", 1) for change in changes.split())
        return " ".join(f"{name}={value}" for name, value in fields.items() if value)

    def do_impossible(self, words: str) -> None:
        """With these fields changed the position is none, for the field that is named."""
        changes, _, field = words.partition(" -> ")
        self.do_reads("back")
        with pytest.raises(InvalidPosition) as refused:
            self.match.game.decode(self.changed(changes))
        assert refused.value.field == (field or refused.value.field), refused.value

    # ------------------------------------------------------------------ checks of what is seen

    def do_events(self, words: str) -> None:
        """The events of the last move as viewers receive them, but for cards played; ``nothing`` is none at all."""
        who, _, said = words.partition(": ")
        for viewer in self.viewers(who):
            found = [in_words(event) for event in self.match.events_for(viewer)]
            if said != "nothing":
                found = [one for one in found if not one.startswith("card_played ")]
            assert [] == found if said == "nothing" else PARTS.split(said) == found, f"{viewer}: {'; '.join(found)}"

    def do_news(self, words: str, unwritten: Collection[str] = UNWRITTEN) -> None:
        """What viewers were told since the last moves or deal, one kind a row: ``token_lost 0 low, 2 cat``."""
        who, _, said = words.partition(": ")
        for viewer in self.viewers(who):
            seen = [event for each in self.match.events[self.since :] if (event := visible_to(each, viewer))]
            written = [event for event in seen if event.kind not in unwritten]
            found = [
                f"{kind} {', '.join(in_words(event).removeprefix(kind).strip() for event in alike)}".strip()
                for kind, alike in groupby(written, lambda event: event.kind)
            ]
            assert PARTS.split(said) == found, f"{viewer}: {'; '.join(found)}"

    def do_kinds(self, words: str) -> None:
        """The kinds of the events of the last move."""
        assert words.split() == [event.kind for event in self.match.last]

    def do_ever(self, words: str, since: int = 0) -> None:
        """All events of a kind so far, without their kind; as the referee gets them, or the viewers that are named."""
        head, _, said = words.partition(": ")
        kind, *who = head.split()
        for viewer in self.viewers(" ".join(who) or "referee"):
            events = [event for event in self.match.events[since:] if event.kind == kind]
            seen = filter(None, (visible_to(event, viewer) for event in events))
            found = [in_words(event).removeprefix(kind).strip() for event in seen]
            assert ([] if said == "none" else PARTS.split(said)) == found, f"{viewer}: {'; '.join(found)}"

    def do_now(self, words: str) -> None:
        """The events of a kind since the pack was dealt."""
        self.do_ever(words, self.dealt)

    def do_knows(self, words: str) -> None:
        """The facts of some names that viewers see, each with all its values: ``ally 3=3``, ``trump d``, ``out``."""
        who, _, said = words.partition(": ")
        for viewer in self.viewers(who):
            for fact in PARTS.split(said):
                name, *values = fact.split()
                found = [one for one in self.match.view(viewer).facts if one.name == name]
                written = [("" if one.seat is None else f"{one.seat}=") + value_in_words(one) for one in found]
                assert sorted(values) == sorted(written), f"{viewer}: {name} {' '.join(written)}"

    def do_zone(self, words: str) -> None:
        """The cards that viewers see in zones: ``hand of 0 = 9 backs``, ``turn_up = As``, ``taken = 3``, the number."""
        who, _, said = words.partition(": ")
        for viewer in self.viewers(who):
            for part in PARTS.split(said):
                place, _, cards = part.partition(" = ")
                name, _, seat = place.partition(" of ")
                named = (one for one in self.match.view(viewer).zones if one.name == name)
                zones = [one for one in named if not seat or str(one.seat) == seat]
                found = [f"{z.size} backs" if z.size and not z.cards else " ".join(z.cards) or "nothing" for z in zones]
                if cards.isdecimal():
                    assert int(cards) == len(zones)
                else:
                    assert [cards] == (found or ["nothing"]), f"{viewer}: {found}"

    def do_faces(self, words: str) -> None:
        """The card before each seat as a viewer sees it, ``-`` where it sees none."""
        who, _, said = words.partition(": ")
        for viewer in self.viewers(who):
            hands = [zone.cards for zone in self.match.view(viewer).zones if zone.name == "hand"]
            assert said == " ".join(str(cards[0]) if cards else "-" for cards in hands), f"{viewer}: {hands}"

    def do_same(self, words: str) -> None:
        """What viewers see is what they saw when it was marked, and they were told nothing of the last move."""
        for viewer in self.viewers(words):
            assert self.marked[viewer] == self.match.view(viewer), viewer
            assert [] == self.match.events_for(viewer), viewer

    def do_alike(self, words: str) -> None:
        """Viewers see, may do and were told the same as in what was played before, whatever they ask."""
        assert self.before is not None
        game, one, other = self.match.game, self.before, self.match
        asked = list(universe(game, Random(0), 60))
        for viewer in self.viewers(words):
            assert one.view(viewer) == other.view(viewer), viewer
            received = [[visible_to(event, viewer) for event in match.events] for match in (one, other)]
            assert received[0] == received[1], viewer
            if viewer is not None:
                assert one.moves(viewer) == other.moves(viewer), viewer
                answers = [[validate_move(game, match.p, viewer, move) for move in asked] for match in (one, other)]
                assert answers[0] == answers[1], viewer


# ---------------------------------------------------------------------- refusals


class Row(NamedTuple):
    """A refusal: the table, the scene, who says what, and what is to be answered."""

    game: str
    agreed: str
    scene: str
    by: str
    move: str
    codes: str
    clauses: str


def read_rows(name: str) -> list[Row]:
    """Read a section of refusals of all games: who says what, every code in the order of checking, every clause cited.

    Columns: ``players and options | scene | by | moves | codes | clauses``; a quotation mark stands for the cell above
    it. A scene is made of steps: ``0: cards`` begins a hand, ``up: card`` is the turn-up, ``play: 1 5c 0 3s`` plays
    cards, ``say: 1 signal A`` makes a move, ``tricks: 7`` plays the first card of every hand so often, ``start`` waits
    for the first pack or lot, ``deal`` goes to the end of the deal, ``over`` to that of the match. PACK is all cards.
    """
    found: list[Row] = []
    for key in GAMES:
        cells = (re.split(r" *\| *", line) for line in section(key, name))
        filled = accumulate(
            cells, lambda above, row: [old if cell == '"' else cell for cell, old in zip(row, above, strict=True)]
        )
        rows = (Row(key, *row) for row in filled)
        found += [row._replace(move=move) for row in rows for move in row.move.split(", ")]
    return found


ROWS, MORE = map(read_rows, ("refusals", "more refusals"))
"""A refusal for every reason, from which vectors are made; and others: several at once, the same at other tables."""


def staged(row: Row) -> Match:
    players, *options = row.agreed.split()
    match = any_match(row.game, int(players), **dict(option.split("=") for option in options))
    steps = [(word, rest.strip()) for word, _, rest in (step.strip().partition(":") for step in row.scene.split(";"))]
    if steps == [("over", "")]:
        assert MATCH_OVER in match.game.reasons, "this match has no end"
        while match.game.turn(match.p) is not None:
            match.play_out()
    elif steps == [("deal", "")]:
        match.play_out()
    elif steps[0][0] == "pack":
        for word, rest in steps:
            _follow(match, word, rest)
    elif steps != [("start", "")]:
        hands = {int(word): rest for word, rest in steps if word.isdecimal()}
        match.deal(pack_for(match.game, hands, dict(steps).get("up", ""), dealer=match.p.match_state.dealer))
        for word, rest in steps:
            _follow(match, word, rest)
    return match


def _follow(match: Match, word: str, rest: str) -> None:
    """Do one step of a scene after the cards are dealt; ``pack`` deals one that begins with these cards."""
    if word == "pack":
        match.deal(pack_of(match.game.chance_request(match.p).cards, match.game.pack.hand(rest.split())))
    elif word == "play":
        match.play(rest)
    elif word == "say":
        match.say(int(rest.split(maxsplit=1)[0]), rest.partition(" ")[2])
    elif word == "moves":
        for number in range(int(rest)):
            match.move(*steady_choice(match.game, match.p, number))
    elif word == "tricks":
        first_cards(match, int(rest))
    else:
        assert word == "up" or word.isdecimal(), word
