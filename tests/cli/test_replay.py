"""Recorded matches, played again."""

from pathlib import Path

import pytest

from chitarrella.core.cards import CUCCO
from chitarrella.i18n.translator import translator_for
from tests.cli.run_command import CATALOGUE, invoke, process, recorded, words

PACK = " ".join([*CUCCO.faces, *CUCCO.faces])
COECH = f"""\
game coech
players 4
option first_dealer 3

table  start_deal {PACK}
0      play_card V
1      play_card VI   | a comment is not read
2      play_card MAT
3      play_card XV
1      play_card X
"""
"""A pack that is not shuffled: seat 0 has I to V, seat 1 VI to X, and seats 2 and 3 the pictures, every face twice."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "coech.txt"
    path.write_text(COECH, encoding="utf-8")
    return path


def test_move_by_move() -> None:
    """The referee reads every move with its line and what came of it, and the table at the end; a dash is the input."""
    done = process("replay", "-", stdin=COECH)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == process("replay", "-", stdin="\ufeff" + COECH).stdout, "a byte order mark says nothing"
    lines = [line.rstrip() for line in done.stdout.splitlines()]
    assert "   6  0     play_card V" in lines
    assert "   9  3     play_card XV" in lines
    assert "            Seat 1 takes the trick (V VI MAT XV). It counts 4 half points and 6 units." in lines
    assert "  Trick           Seat 1 X" in lines
    assert "The record ends here; seat 2 is to move." in lines


def test_an_end_without_the_rules() -> None:
    """A resignation behind the moves is said, and then nobody is to move."""
    said = process("replay", "-", stdin=f"{COECH}\nresigned 1\n").stdout
    assert "Seat 1: resigned." in said
    assert "is to move" not in said
    wrong = process("replay", "-", stdin=f"{COECH}\nresigned 4\n")
    assert (1, True) == (wrong.returncode, "there is no seat 4" in wrong.stderr)


@pytest.mark.parametrize(("number", "ends"), [(0, "the table"), (1, "seat 0"), (4, "seat 3"), (99, "seat 2")])
def test_until(file: Path, number: int, ends: str) -> None:
    """Only so many moves are played as are asked for."""
    assert f"The record ends here; {ends} is to move." in invoke("replay", str(file), "--until", str(number)).output


@pytest.mark.parametrize(
    ("good", "bad", "refused", "message", "clause"),
    [
        (
            "2      play_card MAT", "2      play_card XII", "Line 8: seat 2 play_card XII", "XII is not in the hand.",
            "CO-15",
        ),
        (
            "3      play_card XV", f"table  start_deal {PACK}", f"Line 9: the table start_deal {PACK}",
            "This move does not belong to the present phase (play).", "ALL-7",
        ),
    ],
)  # fmt: skip
def test_the_first_refused_move(good: str, bad: str, refused: str, message: str, clause: str) -> None:
    """A move that the rules refuse ends the replay with status 1, its line, the clause and the reason."""
    (broken,) = (c for c in CATALOGUE.game("coech").clauses if c.key == clause)
    done = invoke("replay", "-", stdin=COECH.replace(good, bad))
    assert done.exit_code == 1
    output = " ".join(done.output.split())
    assert output.endswith(f"{refused} is refused. {message} {broken.key}: {broken.text} ({broken.source})")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "there is no game ''"),
        ("game poker\n", "there is no game 'poker'"),
        ("game briscola\nplayers 5\n", "5 cannot play briscola"),
        ("game briscola\nplayers two\n", "Error: players 'two' is no number"),
        ("game briscola\nedition 9\n", "edition 9 of briscola is not kept"),
        ("game briscola\noption signals maybe\n", "'maybe' is not allowed"),
        ("game briscola\nposition xyz=1\n", "there is no such field"),
        ("game briscola\n\n0 play_card XV\n", "line 3: 'XV' is no card of the Italian pack"),
        ("game briscola\n\n0 fly\n", "line 3: verb: 'fly' is no move of briscola"),
        ("game briscola\n\n7 play_card Ab\n", "line 3: there is no seat 7"),
        ("game briscola\n\nsomething else\n", "line 3: 'something' begins neither a heading nor a move"),
        ("\x00\x01\x02", "line 1: "),
    ],
)
def test_what_is_no_record(text: str, says: str) -> None:
    """Text that is no record ends with status 1 and says what is wrong, and where."""
    result = invoke("replay", "-", stdin=text)
    assert result.exit_code == 1
    assert says in " ".join(result.output.split())


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    """A file that is not text at all is no record either."""
    path = tmp_path / "noise"
    path.write_bytes(bytes(range(255, -1, -1)))
    assert invoke("replay", str(path)).exit_code == 1


# ---------------------------------------------------------------------- viewers


def test_viewer_that_is_no_seat_is_refused(file: Path) -> None:
    """Only a seat of the table can look on."""
    result = invoke("replay", str(file), "--as", "4")
    assert (2, True) == (result.exit_code, "there is no seat 4" in result.output)


def test_the_public_sees_what_is_played(file: Path) -> None:
    """The public learns of the cards that were played, and of no other."""
    output = invoke("replay", str(file), "--as", "public").output
    assert {"V", "VI", "MAT", "XV", "X"} == words(output) & set(CUCCO.faces)


def test_a_seat_sees_its_own_hand(file: Path) -> None:
    """A seat learns of its own cards beside the ones that were played."""
    output = invoke("replay", str(file), "--as", "0").output
    assert "You are dealt I II III IV V I II III IV V." in output
    assert {"I", "II", "III", "IV", "V", "VI", "MAT", "XV", "X"} == words(output) & set(CUCCO.faces)


@pytest.mark.parametrize(("viewer", "printed"), [("referee", 1), ("0", 1), ("2", 1), ("1", 0), ("3", 0), ("public", 0)])
def test_a_signal_is_for_the_partner(tmp_path: Path, viewer: str, printed: int) -> None:
    """A signal is told to the seat that gave it, its partner and the referee; to others not even that there was one."""
    path = tmp_path / "match.txt"
    typed = "signal C\n1\nquit\n"
    invoke("play", "briscola", "-p", "4", "--seed", "3", "--bot", "random", "--record", str(path), stdin=typed)
    assert any(actor == 0 and move.verb == "signal" for actor, move in recorded(path).moves)
    output = invoke("replay", str(path), "--as", viewer).output
    assert printed == sum("signals the horse" in line or "signal the horse" in line for line in output.splitlines())


@pytest.mark.parametrize("viewer", ["2", "1"])
def test_refusal_does_not_reveal_the_hand(viewer: str) -> None:
    """At a refused move others learn in their language which clause was broken, and nothing of the hand."""
    refused = COECH.replace("2      play_card MAT", "2      play_card XII")
    result = invoke("replay", "-", "--as", viewer, "--language", "de", stdin=refused)
    assert result.exit_code == 1
    (broken,) = (c for c in CATALOGUE.game("coech").clauses if c.key == "CO-15")
    output = " ".join(result.output.split())
    assert f"CO-15: {translator_for('de').clause(broken)} ({translator_for('de').source(broken.source)})" in output
    assert ("XII ist nicht unter den Handkarten." in output) is ("XII" in words(output)) is (viewer == "2")
