"""What a player sees: the table, what happened, the hand explained, and colours."""

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Card
from chitarrella.core.game import play
from chitarrella.core.model import CHANCE, EVERYBODY, Move
from chitarrella.core.notation import parse_move
from chitarrella.core.visibility import view_for, visible_to
from chitarrella_terminal.screen import Screen
from tests.cli.run_command import BRISCOLA, CATALOGUE, COECH, SEATINGS, invoke, process, recorded, trimmed, words


def test_the_table_of_briscola() -> None:
    """The table shows trump, turn-up, stock, backs, points, the dealer, the trick and the hand with its numbers."""
    lines = [line.rstrip() for line in invoke(*BRISCOLA, stdin="quit\n").output.splitlines()]
    assert any(line.startswith("Briscola · deal 1 · trumps batons · turn-up 5b · stock 34 ─") for line in lines)
    assert " ▸  You, seat 0                   0          0  dealer" in lines
    assert "    Seat 1       ▮▮               0          0" in lines
    assert "  Trick           Seat 1 4c" in lines
    assert "  Your hand       1:Ad   2:6d   3:7s" in lines


def test_the_table_of_coech() -> None:
    """Cards that may not be played have no number, two copies of a face stand together, a dummy lies open."""
    lines = [line.rstrip() for line in invoke(*COECH, stdin="quit\n").output.splitlines()]
    assert "  Your hand       III III   V   VI   VII VII   VIII   1:MAS   2:SEC   3:NUL" in lines
    assert "  Dummy, seat 2   I   II II   IV IV   VI   X   MAT   XIII   XIV" in lines


def test_a_dummy_of_somebody_else_lies_open() -> None:
    """With two players the other dummy lies open too, in the row of its seat."""
    lines = invoke("play", "coech", "-p", "2", "--seed", "5", stdin="quit\n").output.splitlines()
    (row,) = (line for line in lines if "Seat 3, dummy of 1" in line)
    assert len(words(row) & set(CATALOGUE.game("coech").pack.faces)) > 3


def test_events_are_printed() -> None:
    """A trick is told: its cards, who takes it and what it counts, who draws; the card another draws stays hidden."""
    output = invoke(*BRISCOLA, stdin="6d\n6b\nCc\nquit\n").output
    assert "  You play 6d.\n  Seat 1 takes the trick (4c 6d).\n  Seat 1 draws a card. You draw 6b." in trimmed(output)
    assert "  You take the trick (Cc 7d). It counts 3 card points." in output


def test_signal_of_a_partner_is_shown() -> None:
    """A signal of the partner is told and stays in view; those of opponents are not."""
    output = invoke("play", "briscola", "--players", "4", "--seed", "3", stdin="quit\n").output
    assert "Seat 2 signals the ace of trumps." in output
    (row,) = (line for line in output.splitlines() if "Seat 2, your partner" in line)
    assert " ace" in row


@pytest.mark.parametrize(("key", "players"), SEATINGS)
def test_nothing_hidden_is_shown(key: str, players: int, tmp_path: Path) -> None:
    """Before one's first card none is named that lies in another hand or the stock, but one called or shown to all."""
    file = tmp_path / "match.txt"
    output = invoke(
        *("play", key, "--players", str(players), "--seed", "8", "--record", str(file)), stdin="hand\nhint\nquit\n"
    ).output
    record = recorded(file)
    game = CATALOGUE.game_for(record.rule_set)
    p, shown = game.start(), set[Card]()
    for actor, move in record.moves:
        p, events = play(game, p, actor, move)
        shown |= {card for event in events if (visible := visible_to(event, None)) for card in visible.cards}
    unseen = (zone for zone in game.zones(p) if zone.seen_by is not EVERYBODY and 0 not in zone.seen_by)
    hidden = [card for zone in unseen for card in zone.cards]
    seen = [card for zone in game.zones(p) if zone.seen_by is EVERYBODY or 0 in zone.seen_by for card in zone.cards]
    seen += [game.pack.card(str(fact.value)) for fact in game.facts(p) if fact.name == "called_card"]
    assert hidden
    assert set() == (set(hidden) - set(seen) - shown) & words(output)


def test_hint_is_a_legal_move() -> None:
    """A hint names a move by its number and in full, and that move can be made."""
    output = invoke(*BRISCOLA, stdin="hint\n2\nquit\n").output
    assert "  2: play_card 6d\n" in trimmed(output)
    assert "You play 6d." in output


def test_the_hand_explained() -> None:
    """Every card of the hand is explained: its name, what it counts, and which clause forbids it, if any."""
    output = process(*COECH, stdin="hand\nquit\n", COLUMNS="200").stdout
    lines = [" ".join(line.split()) for line in output.splitlines()]
    assert "MAS MAS, the mask nothing may be played" in lines
    why = "No: The suit led is pictures, and must be followed while the hand holds it: SEC NUL MAS. (CO-17)"
    assert f"VII VII VII 1 half point and 2 units {why}" in lines


@pytest.mark.parametrize("typed", ["?", "help", ""])
def test_help(typed: str) -> None:
    """Help names what can be typed, with a move that can be made now as the example."""
    output = trimmed(invoke(*BRISCOLA, stdin=f"{typed}\nquit\n").output)
    assert "  play_card 7s        make a move in full\n" in output
    assert "  record FILE         write the match so far to a file, for 'chitarrella replay'\n" in output


def test_table_is_shown_again() -> None:
    """The table is shown again when it is asked for."""
    assert 2 == invoke(*BRISCOLA, stdin="table\nquit\n").output.count("Briscola · deal 1")


# ---------------------------------------------------------------------- colour


TERMINAL = {"FORCE_COLOR": "1", "TERM": "xterm-256color"}


@pytest.mark.parametrize(
    ("environ", "shown", "absent"),
    [
        ({}, ["1:MAS"], "\x1b"),
        ({"PYTHONIOENCODING": "ascii"}, ["1:MAS"], "▮"),
        (TERMINAL, ["\x1b[2mIII III\x1b[0m", "1:\x1b[1;35mMAS\x1b[0m"], "⚔"),
        (TERMINAL | {"NO_COLOR": "1"}, ["1:\x1b[1mMAS\x1b[0m"], "\x1b[1;35m"),
    ],
    ids=["pipe", "ASCII", "colour", "NO_COLOR"],
)
def test_colours_are_those_of_the_output(environ: dict[str, str], shown: list[str], absent: str) -> None:
    """A terminal has the colours of suits, dimmed where a card may not be played; NO_COLOR and a pipe have none."""
    done = process(*COECH, stdin="hand\nV\nquit\n", **environ)
    assert done.returncode == 0
    assert [] == [text for text in shown if text not in done.stdout]
    assert absent not in done.stdout


def test_several_cards_a_seat() -> None:
    """At Harjan all that lies on the table was led by one seat, and the Jacks of the trump colour count twelve."""
    game = CATALOGUE.game_for(RuleSet("harjan", 2, (("first_dealer", "1"),)))
    first = ["3h", "Th", "8h", "Jc", "Js", "Ad", "2c", "4c", "Qd", "5d", "7d", "9d", "6c"]
    pack = game.pack.hand([*first, *(card for card in game.pack.cards if card not in first)])
    p, events = play(game, game.start(), CHANCE, Move("start_deal", pack))
    out = StringIO()
    screen = Screen(Console(file=out, width=150), game, 1)
    screen.print_events([visible for event in events if (visible := visible_to(event, 1))])
    p, events = play(game, p, 0, parse_move(game, "lead_cards 3h Th 8h"))
    screen.print_table(view_for(game, p, 1))
    (trick,) = (line for line in out.getvalue().splitlines() if line.startswith("  Trick"))
    assert ["Trick", "Seat", "0", "3h", "8h", "Th"] == trick.split()
    p, events = play(game, p, 1, parse_move(game, "follow_cards Jc Js Ad"))
    screen.print_events(events)
    assert "It counts 45 card points." in out.getvalue()


ENGLISH_WORDS = {"Seat", "seat", "You", "deal", "plays", "takes", "trick", "cards", "hand", "counts", "dealer", "score"}
"""Words that stand in nearly every deal that is played in English."""


@pytest.mark.parametrize("code", ["it", "de"])
def test_a_deal_in_another_language(code: str) -> None:
    """What is printed of a deal has no English words, and what is typed stays the same."""
    arguments = ("play", "coteccio", "--players", "4", "--seed", "3")
    output = invoke(*arguments, "--language", code, stdin="?\nhand\nXX\n1\n1\n1\nquit\n").output
    seen = set(words("\n".join(line for line in output.splitlines() if line.strip() not in {"> hand", "> ?"})))
    english = set(words(invoke(*arguments, stdin="hand\n1\n1\n1\nquit\n").output))
    assert len(ENGLISH_WORDS & english) > 8
    assert {"hand"} >= ENGLISH_WORDS & seen


def test_suits_have_symbols_on_a_terminal() -> None:
    """On a terminal a card is followed by the symbol of its suit; cards are typed without it."""
    output = process(*BRISCOLA, stdin="7s\nquit\n", FORCE_COLOR="1", NO_COLOR="1", TERM="xterm-256color").stdout
    assert "7s⚔" in output
    assert "You play" in output
