"""Playing at the terminal, with the moves typed or piped in."""

from __future__ import annotations

from pathlib import Path

import pytest

from chitarrella.core.game import legal_moves, validate_move
from chitarrella.core.model import CHANCE, Move
from chitarrella.core.notation import format_move
from chitarrella.core.options import default_players
from chitarrella.i18n.translator import translator_for
from chitarrella_terminal.card_style import CardStyle
from chitarrella_terminal.screen import InvalidInput, ordered_moves, parse_input
from tests.cli.run_command import (
    ALWAYS_FIRST,
    BRISCOLA,
    CATALOGUE,
    COECH,
    FIRST_THEN_QUIT,
    SEATINGS,
    WITH_END,
    WITHOUT_END,
    invoke,
    over,
    process,
    recorded,
)
from tests.games.support.table import game, in_play

# ---------------------------------------------------------------------- whole matches


WHOLE = [
    (key, players, bot)
    for key, players in WITH_END
    for bot in ("random", "greedy")
    if bot == "random" or players != default_players(CATALOGUE.game(key))
]
"""Every match with an end and either bot, but those that are played as a process."""


@pytest.mark.parametrize(("key", "players", "bot"), WHOLE)
def test_a_whole_match(key: str, players: int, bot: str, tmp_path: Path) -> None:
    """Always the first move offered is a match that keeps the rules to its end, with a winner or a draw."""
    file = tmp_path / "match.txt"
    result = invoke(
        *("play", key, "--players", str(players), "--bot", bot, "--seed", "2", "--record", str(file)),
        stdin=ALWAYS_FIRST,
    )
    assert result.exit_code == 0
    assert " the match." in result.output or "The match is drawn" in result.output
    assert over(recorded(file))


@pytest.mark.parametrize(("key", "players"), WITHOUT_END)
@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_match_without_an_end_goes_on_until_the_player_quits(key: str, players: int, bot: str, tmp_path: Path) -> None:
    """Where wins are only tallied, deals follow each other until the player leaves, and the record keeps the rules."""
    file = tmp_path / "match.txt"
    result = invoke(
        *("play", key, "--players", str(players), "--bot", bot, "--seed", "5", "--record", str(file)),
        stdin=FIRST_THEN_QUIT,
    )
    assert result.exit_code == 0
    assert "Deal 2:" in result.output
    assert not over(recorded(file))


@pytest.mark.parametrize("key", sorted({key for key, _ in WITH_END}))
def test_a_whole_match_as_a_process(key: str, tmp_path: Path) -> None:
    """The same holds for the command as a user starts it, with moves piped in and nothing on the error stream."""
    file = tmp_path / "match.txt"
    done = process("play", key, "--seed", "5", "--record", str(file), stdin=ALWAYS_FIRST)
    assert (done.returncode, done.stderr) == (0, "")
    assert over(recorded(file))
    assert " the match." in done.stdout or "The match is drawn" in done.stdout


@pytest.mark.parametrize(("key", "players"), SEATINGS)
def test_every_seat_can_be_played(key: str, players: int) -> None:
    """A person may take any seat that is no dummy's, and is told its number."""
    game = CATALOGUE.game(key)
    seated = game.seatings[players](game)
    for seat in range(seated.seats):
        result = invoke("play", key, "--players", str(players), "--seat", str(seat), stdin="quit\n")
        person = seated.controller(seat) == seat
        assert (0 if person else 2) == result.exit_code
        assert (f"you have seat {seat}" if person else f"seat {seat} is a dummy") in result.output


def test_no_such_seat() -> None:
    """A seat that the table does not have is refused before the first card."""
    result = invoke("play", "briscola", "--seat", "2")
    assert result.exit_code == 2
    assert "there is no seat 2; seats are numbered 0 to 1." in result.output


# ---------------------------------------------------------------------- ways to type a move


@pytest.mark.parametrize("typed", ["2", "6d", "6D", "play_card 6d", "PLAY_CARD 6D", "  6d  "])
def test_ways_to_type_a_card(typed: str) -> None:
    """A number, a card or a whole move play the same card, in letters of any size."""
    result = invoke(*BRISCOLA, stdin=f"{typed}\nquit\n")
    assert "You play 6d." in result.output


@pytest.mark.parametrize("typed", ["1", "MAT", "mat", "play_card MAT", "play_card MAT @2"])
def test_ways_to_type_a_card_of_a_dummy(typed: str) -> None:
    """At the turn of one's dummy a card is one of the dummy's, whether its seat is named or not."""
    result = invoke(*COECH, stdin=f"MAS\n{typed}\nquit\n")
    assert "Seat 2 plays MAT." in result.output


@pytest.mark.parametrize("typed", ["signal C", "signal c", "4"])
def test_ways_to_type_a_signal(typed: str) -> None:
    """A move without cards is typed by its number or its words, and leaves the turn where it is."""
    result = invoke("play", "briscola", "--players", "4", "--seed", "3", stdin=f"{typed}\n1\nquit\n")
    assert "You signal the horse of trumps." in result.output
    assert "You play Cc." in result.output


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("foo", "'foo' is neither a card of the Italian pack nor a move."),
        ("XIV", "'XIV' is neither a card of the Italian pack nor a move."),
        ("0", "there is no move number 0; the moves are numbered 1 to 3."),
        ("4", "there is no move number 4; the moves are numbered 1 to 3."),
        ("9" * 5000, "there is no move number 999999999999; the moves are numbered 1 to 3."),
        ("play_card", "play_card takes one card, not 0."),
        ("play_card Ab Ac", "play_card takes one card, not 2."),
        ("play_card XV", "'XV' is no card of the Italian pack."),
        ("play_card 6d @7", "play_card is not made for a seat 7."),
        ("play_card 6d @x", "'x' is no whole number."),
        ("Ab Ac", "no move takes 2 cards."),
        ("signal S", "signal takes one of A, 3, R, C, F."),
        ("bid 71", "'bid' is neither a card of the Italian pack nor a move."),
        ("\x1b[31m6d\x00", "'\\x1b[31m6d\\x00' is neither a card of the Italian pack nor a move."),
        ("start_deal " + "Ab " * 30000, "a move has at most 80000 characters."),
    ],
)
def test_malformed_moves(typed: str, message: str) -> None:
    """What names no move is not understood, with the reason, and the same move is asked for again."""
    result = invoke(*BRISCOLA, stdin=f"{typed}\n6d\nquit\n")
    assert result.exit_code == 0
    assert f"Not understood: {message} Type ? for help." in " ".join(result.output.split())
    assert "You play 6d." in result.output


# ---------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("key", "players", "typed", "message", "clause"),
    [
        ("briscola", 2, "Ab", "Ab is not in the hand.", "BR-5.2"),
        ("briscola", 2, "signal A", "No signal can be given.", "BR-5.4"),
        ("briscola", 4, "signal A", "Ad is not in the hand.", "BR-5.4"),
        ("briscola", 2, "show_hand_to_partner", "The hand cannot be shown to a partner now.", "BR-5.6"),
        ("briscola", 2, "exchange_turn_up 6d", "The turn-up cannot be exchanged now.", "BR-5.7"),
        ("coech", 3, "play_card II @2", "It is not this seat's turn; the table waits for seat 0.", "CO-15"),
        ("briscola", 2, "start_deal Ab", "This move does not belong to the present phase (play).", "ALL-7"),
        ("briscolone", 2, "5s", "5s is not in the hand.", "BN-5.2"),
        ("brusquembille", 2, "As", "As is not in the hand.", "BQ-5.2"),
        (
            "coech",
            3,
            "V",
            "The suit led is pictures, and must be followed while the hand holds it: SEC NUL MAS.",
            "CO-17",
        ),
        ("coech", 3, "XV", "XV is not in the hand.", "CO-15"),
    ],
)
def test_refused_moves(key: str, players: int, typed: str, message: str, clause: str) -> None:
    """A refused move is answered with what is wrong, the clause in full and what may be played instead."""
    (broken,) = (c for c in CATALOGUE.game(key).clauses if c.key == clause)
    result = invoke("play", key, "--players", str(players), "--seed", "3", stdin=f"{typed}\n1\nquit\n")
    assert result.exit_code == 0
    output = " ".join(result.output.split())
    _, _, after = output.partition(" is refused. ")
    explained = f"{message} {broken.key}: {broken.text} ({broken.source})"
    assert after.startswith(explained)
    assert "You may 1:" in after
    assert "You play " in after


def test_every_broken_clause_is_explained() -> None:
    """Who plays out of turn a card that is not held is told of both."""
    result = invoke(*COECH, stdin="play_card XV @2\nquit\n")
    assert "the table waits for seat 0." in result.output
    assert "XV is not in the hand." in result.output


def test_what_may_be_played_instead() -> None:
    """After a refusal the playable cards stand with their numbers, and the others do not."""
    result = invoke(*COECH, stdin="V\nquit\n")
    (line,) = (line for line in result.output.splitlines() if line.startswith("  You may"))
    assert line.split() == ["You", "may", "1:MAS", "2:SEC", "3:NUL"]


@pytest.mark.parametrize(
    ("code", "refused", "message", "instead"),
    [
        (
            "it",
            "Mossa respinta: play_card V.",
            "Il seme d'uscita è figure, e vi si deve rispondere finché la mano ne ha: SEC NUL MAS.",
            "Puoi",
        ),
        (
            "de",
            "play_card V wird abgewiesen.",
            "Die angespielte Farbe ist Bilder und muss bedient werden, solange die Hand davon hat: SEC NUL MAS.",
            "Du darfst",
        ),
    ],
)
def test_a_refusal_in_another_language(code: str, refused: str, message: str, instead: str) -> None:
    """In another language a refused move is answered in that language, from the first word to the source."""
    (broken,) = (c for c in CATALOGUE.game("coech").clauses if c.key == "CO-17")
    result = invoke(*COECH, "--language", code, stdin="V\nquit\n")
    output = " ".join(result.output.split())
    source = translator_for(code).source(broken.source)
    assert (
        f"{refused} {message} CO-17: {translator_for(code).clause(broken)} ({source}) {instead} 1:MAS 2:SEC 3:NUL"
        in output
    )


def test_a_hand_is_explained_in_another_language() -> None:
    """Why a card of the hand may not be played is said in the language of the rules."""
    output = " ".join(invoke(*COECH, "--language", "it", stdin="hand\nquit\n").output.split())
    assert "Il seme d'uscita è figure" in output
    assert "The suit led" not in output


# ---------------------------------------------------------------------- quitting


@pytest.mark.parametrize("typed", ["quit", "q", "exit"])
def test_quit(typed: str) -> None:
    """Who leaves the table ends the command in order."""
    done = process(*BRISCOLA, stdin=f"6d\n{typed}\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("You leave the table.\n")


@pytest.mark.parametrize("stdin", ["", "6d\n", "6d\nfoo", "?\n"])
def test_the_input_ends(stdin: str) -> None:
    """Input that ends in mid-game ends the command with status 1 and a message, without a traceback."""
    done = process(*BRISCOLA, stdin=stdin)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.endswith("The input has ended, and with it the match.\n")


def test_the_record_of_a_match_broken_off(tmp_path: Path) -> None:
    """A match that is broken off is recorded as far as it came."""
    file = tmp_path / "match.txt"
    assert process(*BRISCOLA, "--record", str(file), stdin="6d\n").returncode == 1
    record = recorded(file)
    assert [CHANCE, 1, 0, 1] == [actor for actor, _ in record.moves]
    assert not over(record)


def test_the_record_so_far(tmp_path: Path) -> None:
    """The match so far is written whenever it is asked for, again into the same file, never over another file."""
    file, other = tmp_path / "match.txt", tmp_path / "other.txt"
    other.write_text("mine")
    stdin = f"record {file}\n6d\nrecord {file}\nrecord {other}\nrecord {tmp_path}/none/x\nrecord\nquit\n"
    output = " ".join(invoke(*BRISCOLA, stdin=stdin).output.split())
    assert len(recorded(file).moves) == 4
    assert "other.txt is there already; name a new file." in output
    assert other.read_text() == "mine"
    assert "cannot be written: No such file or directory." in output
    assert "Into which file? record FILE" in output


def test_a_record_is_not_written_over(tmp_path: Path) -> None:
    """A file that is there already is refused before the first card."""
    file = tmp_path / "match.txt"
    file.write_text("mine")
    result = invoke(*BRISCOLA, "--record", str(file), stdin="quit\n")
    assert result.exit_code == 2
    assert file.read_text() == "mine"


# ---------------------------------------------------------------------- seeds and pauses


def test_a_seed_repeats_the_match() -> None:
    """The same seed and the same moves are the same match, card by card."""
    first, second = (process("play", "coech", "--seed", "12", stdin=ALWAYS_FIRST).stdout for _ in range(2))
    assert first == second


def test_a_new_seed_is_printed_and_repeats() -> None:
    """Without a seed one is made up and printed, and gives the same cards again."""
    first = invoke("play", "briscolone", stdin="quit\n").output
    (seed,) = (line.split()[3].rstrip(".") for line in first.splitlines() if line.startswith("The seed is"))
    assert first == invoke("play", "briscolone", "--seed", seed, stdin="quit\n").output


def test_packs_do_not_depend_on_the_play(tmp_path: Path) -> None:
    """With one seed the packs of all deals are the same, however they are played."""
    packs: list[list[Move]] = []
    for typed in ("1\n", "2\n3\n1\n4\n2\n"):
        file = tmp_path / f"{len(packs)}.txt"
        invoke("play", "coech", "--seed", "4", "-o", "match_deals=2", "--record", str(file), stdin=typed * 400)
        packs.append([move for actor, move in recorded(file).moves if actor == CHANCE])
    assert len(packs[0]) == 3
    assert packs[0] == packs[1]


def test_pause_after_a_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pauses are wanted, the end of a deal stays on the table until Enter is pressed."""
    monkeypatch.setattr("chitarrella_terminal.play.BOT_PAUSE", 0.0)
    output = invoke("play", "briscolone", "--seed", "3", "--pause", stdin="1\n" * 20 + "\n\nquit\n").output
    assert 1 == output.count("Enter for the next deal")
    assert "Deal 2: seat 1 deals." in output


# ---------------------------------------------------------------------- typed moves


def typed(text: str) -> Move:
    """Type something as seat 0, which leads from VII IV XII; the VII is the trionfo."""
    match = in_play(game(), "VII", {0: "VII IV XII"})
    moves = ordered_moves(match.game, CardStyle(match.game), legal_moves(match.game, match.p, 0))
    return parse_input(match.game, CardStyle(match.game), 0, 0, moves, text)


@pytest.mark.parametrize(
    "text", ["VII pictures", "vii Pictures", "play_card VII pictures", "play_card vii pictures", "3"]
)
def test_a_card_with_its_word(text: str) -> None:
    """A card and the word that goes with it are one move, in letters of any size; so is its number."""
    assert "play_card VII pictures" == format_move(typed(text))


def test_a_card_without_its_word() -> None:
    """The card alone is the move without a word: no suit is chosen for the player, who is told what is missing."""
    match = in_play(game(), "VII", {0: "VII IV XII"})
    assert ["declaration_missing"] == [refusal.code for refusal in validate_move(match.game, match.p, 0, typed("VII"))]


def test_a_word_that_is_none() -> None:
    """A suit that does not exist is not understood."""
    with pytest.raises(InvalidInput, match="'coins' is neither a card"):
        typed("VII coins")
