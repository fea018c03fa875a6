"""Playing at the terminal, with the moves typed or piped in."""

from pathlib import Path

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves, validate_move
from chitarrella.core.model import CHANCE, Move
from chitarrella.core.notation import format_move
from chitarrella.i18n.translator import translator_for
from chitarrella_terminal.card_style import CardStyle
from chitarrella_terminal.screen import InvalidInput, ordered_moves, parse_input
from tests.cli import run_command
from tests.cli.run_command import ALWAYS_FIRST, BRISCOLA, CATALOGUE, COECH, FIRST_THEN_QUIT, invoke, over, recorded
from tests.games.support.table import game, in_play

# ---------------------------------------------------------------------- whole matches


@pytest.mark.sampled
@pytest.mark.parametrize(("key", "players"), run_command.SEATINGS)
def test_a_whole_match(key: str, players: int, tmp_path: Path) -> None:
    """Always the first move offered is a match that keeps the rules to its end, and is replayed to the same end."""
    file, bot = tmp_path / "match.txt", ("random", "greedy")[players % 2]
    command = "play", key, "--players", str(players), "--bot", bot, "--seed", "2", "--record", str(file)
    result = invoke(*command, stdin=ALWAYS_FIRST)
    assert result.exit_code == 0
    assert over(recorded(file))
    again = invoke("replay", str(file), "--as", "0")
    assert again.exit_code == 0
    found, expected = (
        [line for line in output.splitlines() if line.endswith("the match.") or "The match is drawn" in line]
        for output in (again.output, result.output)
    )
    assert found == expected != []


@pytest.mark.parametrize(("key", "option"), [("harjan", "match_games=0"), ("bisca-brazil", "target_wins=0")])
def test_match_without_an_end_goes_on_until_the_player_quits(key: str, option: str, tmp_path: Path) -> None:
    """Where wins are only tallied, deals follow each other until the player leaves, and the record keeps the rules."""
    file = tmp_path / "match.txt"
    result = invoke(*("play", key, "--option", option, "--seed", "5", "--record", str(file)), stdin=FIRST_THEN_QUIT)
    assert result.exit_code == 0
    assert "Deal 2:" in result.output
    assert not over(recorded(file))


@pytest.mark.parametrize(("key", "players"), [("briscola", 4), ("coech", 2), ("coech", 3), ("cucu", 8)])
def test_every_seat_can_be_played(key: str, players: int) -> None:
    """A person may take any seat that is no dummy's, and is told its number."""
    seated = CATALOGUE.game_for(RuleSet(key, players))
    for seat in range(seated.seats):
        result = invoke("play", key, "--players", str(players), "--seat", str(seat), stdin="quit\n")
        person = seated.controller(seat) == seat
        assert (0 if person else 2) == result.exit_code
        assert (f"you have seat {seat}" if person else f"seat {seat} is a dummy") in result.output


# ---------------------------------------------------------------------- ways to type a move


@pytest.mark.parametrize(
    ("how", "before", "ways", "says"),
    [
        (BRISCOLA, "", ["2", "6d", "6D", "play_card 6d", "PLAY_CARD 6D", "  6d  "], "You play 6d."),
        (COECH, "MAS\n", ["1", "MAT", "mat", "play_card MAT", "play_card MAT @2"], "Seat 2 plays MAT."),
        ((*BRISCOLA, "-p", "4"), "", ["signal C", "signal c", "4"], "You signal the horse of trumps."),
    ],
    ids=["a card", "a card of a dummy", "a signal"],
)
def test_ways_to_type_a_move(how: tuple[str, ...], before: str, ways: list[str], says: str) -> None:
    """A number, a card or a whole move is the same move, in letters of any size; a signal leaves the turn."""
    for typed in ways:
        output = invoke(*how, stdin=f"{before}{typed}\n1\nquit\n").output
        assert says in output
        assert "signal" not in says or "You play Cc." in output


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
        ("briscola", 4, "signal A", "Ad is not in the hand.", "BR-5.4"),
        ("coech", 3, "play_card II @2", "It is not this seat's turn; the table waits for seat 0.", "CO-15"),
        ("briscola", 2, "start_deal Ab", "This move does not belong to the present phase (play).", "ALL-7"),
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


@pytest.mark.parametrize(
    ("code", "refused", "message", "instead"),
    [
        (
            "en",
            "play_card V is refused.",
            "The suit led is pictures, and must be followed while the hand holds it: SEC NUL MAS.",
            "You may",
        ),
        (
            "it",
            "Mossa respinta: play_card V.",
            "Si è usciti a figure e chi ne ha deve rispondere: SEC NUL MAS.",
            "Puoi",
        ),
        (
            "de",
            "play_card V wird abgewiesen.",
            "Angespielte Farbe: Bilder. Wer sie hat, muss sie bedienen: SEC NUL MAS.",
            "Du darfst",
        ),
    ],
)
def test_refusal_in_each_language(code: str, refused: str, message: str, instead: str) -> None:
    """A refusal is told in the language, from the first word to the source; so is a card that may not be played."""
    (broken,) = (c for c in CATALOGUE.game("coech").clauses if c.key == "CO-17")
    translator = translator_for(code)
    output = " ".join(invoke(*COECH, "--language", code, stdin="hand\nV\nquit\n").output.split())
    explained, _, after = output.partition(refused)
    assert message[:20] in explained
    why = f" {message} CO-17: {translator.clause(broken)} ({translator.source(broken.source)})"
    assert after.startswith(f"{why} {instead} 1:MAS 2:SEC 3:NUL")


# ---------------------------------------------------------------------- quitting


@pytest.mark.parametrize(
    ("stdin", "status", "last"),
    [
        *((f"6d\n{word}\n", 0, "You leave the table.\n") for word in ("quit", "q", "exit")),
        *((stdin, 1, "The input has ended, and with it the match.\n") for stdin in ("", "6d\n", "6d\nfoo", "?\n")),
    ],
)
def test_quit(stdin: str, status: int, last: str) -> None:
    """Who leaves the table ends the command in order; input that ends in mid-game ends it with status 1."""
    result = invoke(*BRISCOLA, stdin=stdin)
    assert (result.exit_code, result.stderr) == (status, "")
    assert result.output.endswith(last)


def test_the_record_of_a_match_broken_off(tmp_path: Path) -> None:
    """A match that is broken off is recorded as far as it came."""
    file = tmp_path / "match.txt"
    assert invoke(*BRISCOLA, "--record", str(file), stdin="6d\n").exit_code == 1
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
    """The same seed and the same moves are the same match in every process, with nothing on the error stream."""
    first, second = (run_command.process("play", "coech", "--seed", "12", stdin=ALWAYS_FIRST) for _ in range(2))
    assert (0, "", second.stdout) == (first.returncode, first.stderr, first.stdout)


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
