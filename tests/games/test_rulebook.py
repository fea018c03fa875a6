"""The rule book, and the pages on notation and sources: every clause is proved by a test, and every example is one.

The markers are read from the syntax trees of the tests, so it does not matter which of them run, or where. The scenes
name their clauses themselves; each is a test of its own.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import pytest

from chitarrella.catalogue.record import parse_record
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame
from chitarrella.core.notation import InvalidPosition, PositionCodec, value_codec
from chitarrella.exchange import round as round_state
from chitarrella.exchange.round import Round
from chitarrella.games import scopa
from chitarrella.i18n.translator import translator_for
from chitarrella.tricks import table as trick_state
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.table import NoRecord, Table
from tests.games.support.examples import stated
from tests.games.support.scenes import scenes
from tests.walks import CATALOGUE

pytestmark = pytest.mark.unmeasured

TESTS = Path(__file__).parent.parent
EXAMPLES = {kind: int(number) for kind, number in stated("examples").values()}
"""The worked examples of the specifications, and how many each has."""

CLAUSES = {clause.key for game in CATALOGUE for clause in game.clauses}


@cache
def marked() -> tuple[tuple[str, str], ...]:
    """All markers: the clause, and the test that proves it."""
    return tuple(_marked())


def _marked() -> Iterator[tuple[str, str]]:
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                for decorator in node.decorator_list:
                    for key in _keys(decorator):
                        yield key, f"{path.name}::{node.name}"
    for clauses, shown, _ in scenes():
        yield from ((key, shown) for key in clauses.split())
    for proved in stated("refusals").values():
        yield from ((key, "test_scenes.py::test_refusal") for key in proved)


def _keys(decorator: ast.expr) -> list[str]:
    """The clauses of ``@pytest.mark.clause(...)``; raises `AssertionError` where they are not plain words."""
    if not isinstance(decorator, ast.Call) or ast.unparse(decorator.func) != "pytest.mark.clause":
        return []
    keys = [argument.value for argument in decorator.args if isinstance(argument, ast.Constant)]
    assert len(decorator.args) == len(keys) > 0, ast.unparse(decorator)
    return [str(key) for key in keys]


@pytest.mark.parametrize("key", [game.key for game in CATALOGUE])
def test_every_clause_is_proved(key: str) -> None:
    """No clause of a game's rule book, the common ones included, is without a test that proves it."""
    proved = {clause for clause, _ in marked()}
    assert [] == [clause.key for clause in CATALOGUE.game(key).clauses if clause.key not in proved]


def test_every_marker_names_a_clause() -> None:
    """No test claims to prove a clause that no rule book has."""
    assert [] == [(clause, test) for clause, test in marked() if clause not in CLAUSES]


def test_clauses_are_sentences_with_a_source() -> None:
    """Every clause is a sentence of its own, with a full stop, and says what it rests on."""
    for game in CATALOGUE:
        for clause in game.clauses:
            assert re.fullmatch(r"[A-Z0-9].*\.", clause.text), clause
            assert clause.source
        assert len({clause.text for clause in game.clauses}) == len(game.clauses)


SPEAKS = r"""
ace_takes_all | Ace takes all | asso prende tutte | Ass alle Karten
annul_not_available | first four tricks .*annuls | quattro prese .*annulla | vier Stiche .*annulliert
bad_dealer | first dealer .*drawn | primo mazziere .*estratto | erste Geber .*ausgelost
bad_pack | pack is a list|pack has forty | mazzo è un elenco|mazzo ha | Kartenspiel (ist eine Liste|hat)
call_card not_in_hand | caller holds | chi chiama ha | wer ruft, .*hält
call_not_lower | later one .*lower | ogni .*più bassa | jede[sr] spätere .*niedriger
call_other_suit | same suit | stesso seme | derselben Farbe
claim_not_available | claim 777 | dichiarare 777 | 777 melden
cut_out_of_range | lifts .*one | solleva .*una | hebt .*eine
cut_stock not_your_turn | before the dealer cuts | prima del mazziere alza | vor dem Geber hebt
declaration_missing | leads .*declares | esce .*dichiara | ausspielt, sagt
declaration_not_allowed | no other card .*declared | nessun'altra carta .*dichiara | keiner anderen Karte .*angesagt
declaration_not_available | own card to the first trick | sua carta alla prima presa | seiner Karte zum ersten Stich
declaration_repeated | each once: | una volta ciascuno: | jedes einmal:
discard not_your_turn | the cutter, then the dealer, | chi ha alzato, poi il mazziere, | der Abheber, dann der Geber
draw_seats bad_pack | one copy of each | una copia di ogni | Exemplar jeder
exchange_not_available | agree.* swap | convenuto.* scambiar | (vereinbart|Absprache).* tauschen
exchange_turn_up not_in_hand | who holds | chi ha il | wer die .*hält
exchange_turn_up not_your_turn | its own turn | proprio turno | an der Reihe
exchange_wrong_card | (Two|Seven) of trumps | (Due|Sette) di briscola | Trumpf-(Zwei|Sieben)
faced_card_waits | may not play the faced card | non può giocare la carta scoperta | offene Karte erst spielen
match_over | match is finished neither | partita è finita non | Partie vorbei ist
must_exchange | must exchange | deve scambiare | muss .*tauschen
must_follow_or_trump | followed or trumped | rispondere, o tagliare | bedienen oder .*stechen
must_follow_suit | must be followed | deve rispondere | bedient|folgen, sonst
must_head_trick | higher trump than|lead beaten | più alta di|superare l'uscita | höherer Trumpf als|überstochen
must_lead_all | else all | altrimenti con tutte | sonst alle
must_lead_pair_and_third | a pair and | una coppia e | ein Paar und
must_lead_three | three different | tre diverse | drei verschiedene
must_lead_three_or_more | three or more | tre o più | drei oder mehr
must_trump | must trump|a trump played | tagliare|giocare una briscola | muss mit Trumpf|ein Trumpf gespielt
no_combination | Ace, Two and Three of a suit | asso, Due e Tre di un seme | Ass, Zwei und Drei einer Farbe
not_in_hand | hand that holds|own hand | dalla (sua )?mano|propria mano | (aus der|eigenen) Hand
not_robbable | may be robbed | si può rubare | geraubt werden darf
not_your_turn | on turn waits|turn it is|another does | turno aspetta|cui tocca|fa un altro | Reihe ist, |anderer tut
raise_not_available | after a bid of | dopo un'offerta del | nach einem Gebot der
raise_not_higher | above the last | sopra l'ultima | über dem letzten
raise_not_on_ladder | 66, 71 .*116 | 66, 71 .*116 | 66, 71 .*116
show_not_available | agreed.* last three cards | convenuto.* ultime tre carte | vereinbart.* letzten drei Karten
show_repeated | three cards, once | tre carte, una volta | drei Karten .*, einmal
signal not_in_hand | truthfully .*holds | verità .*possiede | wahrheitsgemäß .*hält
signal_not_available | signal .*agreed|agreed.* signal | convenuto.* segnalare | vereinbart.* signalisieren
signal_repeated | once for each rank | una volta per ogni valore | einmal je Rang
wrong_card_count | as many cards follow | tante carte quante | so viele Karten
wrong_contributions | pay.* add up | pagare.* danno insieme | zahlen.* zusammen
wrong_discard_count | as many .*robbed | tante .*rubate | so viele .*geraubt
wrong_offer | offers .*percentage | offre .*percentuale | bietet .*Prozentsatz
wrong_phase | belongs to its phases | appartiene alle sue fasi | gehört in seine Phasen
wrong_shares | sum must be right | somma deve tornare | Summe muss stimmen
wrong_table | leave, newcomers .*20 | se ne va, i nuovi .*20 | gehen, Neue .*20
zero_card_follow | on a picture a zero card | su una figura .*carta zero | auf ein Bild .*Nullwertkarte
capture not_in_hand | card of the hand captures | carta della mano prende | Karte der Hand nimmt
must_capture | can capture may not be laid | può prendere non si può posare | nehmen kann, darf nicht auf den Tisch
not_on_table | several that add up | più carte che insieme | mehrere, die zusammen
one_from_hand | A card of the hand | Una carta della mano | Eine Karte der Hand
single_first | a single card of its value | una carta sola del suo valore | einzelne Karte ihres Werts
wrong_sum | add up to it | insieme lo danno | zusammen ihn ergeben
zero_card_lead | zero card is led | carta zero si esce | Nullwertkarte .*ausgespielt
"""
"""For each reason, or move and reason, what its clause says in English, Italian and German, as regular expressions."""


def test_every_refusal_cites_a_clause_that_speaks_of_it() -> None:
    """In each language, whatever the options; and no row of the table is idle."""
    table = {row[0]: row[1:] for row in (line.split(" | ") for line in SPEAKS.split("\n")[1:-1])}
    silent, idle = [], set(table)
    for game in CATALOGUE:
        codes = {reason.code for reason in CATALOGUE.reasons(game.key)}
        for cited, clause in game.entry.reason_clauses.items():
            *_, code = cited.split()
            if code in codes:
                row = cited if cited in table else code
                idle.discard(row)
                texts = [clause.text, *(translator_for(language).clause(clause) for language in ("it", "de"))]
                if not all(re.search(*said, re.IGNORECASE) for said in zip(table[row], texts, strict=True)):
                    silent.append((game.key, cited, clause.key, texts))
    assert ([], set()) == (silent, idle)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_every_example_is_a_test(kind: str) -> None:
    """No worked example of a specification is without a test, or a block of data, that bears its number."""
    folder = Path(__file__).parent
    texts = [path.read_text(encoding="utf-8") for path in (*folder.glob("test_*.py"), *folder.glob("data/*.txt"))]
    named = {int(number) for text in texts for number in re.findall(rf"{kind}(\d+)", text)}
    assert set(range(1, EXAMPLES[kind] + 1)) == named


NOTATION = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")


class Field(NamedTuple):
    """A field on the page: the games that have it, none for all of the family; its default as it is written."""

    games: frozenset[str]
    default: str


def rows(begin: str, end: str) -> dict[str, Field]:
    """The table of fields between two texts of the page."""
    part = NOTATION[NOTATION.index(begin) : NOTATION.index(end)]
    found: dict[str, Field] = {}
    for line in part.splitlines():
        if cells := re.findall(r" (.*?) (?=\|)", line.replace(r"\|", "/")) if line.startswith("| `") else []:
            field, *games, _, default = cells
            assert field.strip("`") not in found, f"{field} stands twice"
            found[field.strip("`")] = Field(frozenset(re.findall(r"`([\w-]+)`", " ".join(games))), default.strip("`"))
    return found


TRICKS = rows("### Trick-taking games", "Of some games only")
OWN = rows("<!-- own fields -->", "<!-- end of own fields -->")
EXCHANGE = rows("### Exchange games", "### Scopa")
SCOPA = rows("### Scopa", "## Records")


def fields(game: AnyGame) -> dict[str, str]:
    """The fields of a position of this game, with their defaults as they are written."""
    if isinstance(game, Rules):
        parts: tuple[type[Any], ...] = (Table, trick_state.MatchState, game.own)
    elif game.family == "exchange":
        parts = (Round, round_state.MatchState)
    else:
        parts = (scopa.Position, scopa.MatchState)
    found: dict[str, str] = {}
    for part in parts:
        for name, hint in get_type_hints(part).items():
            if name not in ("match_state", "own"):  # their fields stand beside the others
                is_required = name not in part._field_defaults
                value = part._field_defaults.get(name)
                found[name] = "required" if is_required else value_codec(hint, game.pack).encode(value)
    assert set(found) == decoded(game)
    return found


def decoded(game: AnyGame) -> set[str]:
    """The names of the fields that the codec of this game writes, or refuses a wrong value of."""
    names = {*TRICKS, *OWN, *EXCHANGE, *SCOPA}
    return {name for name in names if "no such field" not in fault(game, name)}


def fault(game: AnyGame, name: str) -> str:
    """What the codec says of a line with this field alone, which is never a position."""
    with pytest.raises(InvalidPosition) as refused:
        game.decode(f"{name}=?")
    return refused.value.message


@pytest.mark.parametrize("game", list(CATALOGUE), ids=lambda game: str(game.key))
def test_every_field_stands_on_the_page(game: AnyGame) -> None:
    """The page has exactly the fields of the game, with the defaults of its codec."""
    family = {"tricks": TRICKS, "exchange": EXCHANGE}.get(game.family, SCOPA)
    own = {name: row for name, row in OWN.items() if game.key in row.games}
    assert {name: row.default for name, row in {**family, **own}.items()} == fields(game)


def test_the_fields_of_a_game_are_those_of_its_own_record() -> None:
    """Each field of some games names all games that have it."""
    expected: dict[str, set[str]] = {}
    for game in CATALOGUE:
        if isinstance(game, Rules) and game.own is not NoRecord:
            for name in get_type_hints(game.own):
                expected.setdefault(name, set()).add(game.key)
    assert {name: set(row.games) for name, row in OWN.items()} == expected


def test_the_example_of_a_position_is_read() -> None:
    """The line on the page is one that the codec reads, and writes again as it stands there."""
    line = re.search(r"^```text\n(phase=.*)\n```$", NOTATION, re.MULTILINE)
    assert line is not None
    codec: PositionCodec[Table] = PositionCodec(Table, CATALOGUE.game("briscola").pack, own=NoRecord)
    assert codec.encode(codec.decode(line[1])) == line[1]


def test_the_example_of_a_record_is_read() -> None:
    """The lines on the page are a record, with its dots filled in."""
    text = re.search(r"^```text\n(game .*?)^```$", NOTATION, re.MULTILINE | re.DOTALL)
    assert text is not None
    record = parse_record(CATALOGUE, text[1].replace(" ...  ", "  "))
    assert record.rule_set == RuleSet("briscola", 2, (("rubber_games", "1"),), 1)
    assert [seat for seat, _ in record.moves[1:]] == [1, 0]
    assert record.proofs[0].client_seeds == ((0, "tarallo"), (1, "confetto"))


def test_every_card_is_described() -> None:
    """Each pack of the catalogue has a row, and each of its ranks and suits stands in the table."""
    table = NOTATION[NOTATION.index("## Cards") : NOTATION.index("**Canonical order**")]
    for pack in {game.pack for game in CATALOGUE}:
        assert pack.name.split()[0] in table
        assert str(len(pack.cards)) in table
        for suit in pack.suits:
            assert not suit or f"`{suit}`" in table


REQUIRED_ROWS = set(re.findall(r"`(\w+)`", NOTATION.partition("Those are")[2].partition(".")[0]))
"""The rows that the page says a position must have."""


@pytest.mark.parametrize("game", list(CATALOGUE), ids=lambda game: str(game.key))
def test_rows_by_seat_cannot_be_left_out(game: AnyGame) -> None:
    """A position without one of the rows with a number for each seat or side is refused at that row."""
    seated = CATALOGUE.game_for(CATALOGUE.normalize(RuleSet(game.key)))
    line = seated.encode(seated.start()).split(" ")
    names = [field.partition("=")[0] for field in line]
    rows_here = [name for name in names if name in REQUIRED_ROWS]
    assert rows_here
    for name in rows_here:
        with pytest.raises(InvalidPosition) as refused:
            seated.decode(" ".join(field for field in line if not field.startswith(f"{name}=")))
        assert name == refused.value.field


SOURCES_PAGE = (Path(__file__).parents[2] / "docs" / "sources.md").read_text(encoding="utf-8")
SOURCE_TABLES = "\n".join(line for line in SOURCES_PAGE.splitlines() if line.startswith("|"))
KEY = r"[A-Z]{2}-[A-Z]?\d+(\.\d+)?"
"""The number of a clause, a ruling or an option."""
TITLES = "|".join(re.escape(game.entry.title) for game in CATALOGUE)
PLACEHOLDERS = {"KEYS": f"{KEY}((, | and | to ){KEY})*", "KEY": f"{KEY}( and {KEY})?", "GAME": f"({TITLES})"}
"""What the words in capitals stand for in a term of the page."""


def pattern(term: str) -> str:
    return r"\b" + re.sub("KEYS|KEY|GAME", lambda word: PLACEHOLDERS[word[0]], re.escape(term)) + r"(?!\w)"


def preference(term: str) -> tuple[bool, int]:
    """Terms with a word that stands for others come first, then the longest."""
    return not any(word in term for word in PLACEHOLDERS), -len(term)


TERMS = sorted(re.findall(r"`([^`]+)`", SOURCE_TABLES), key=preference)
"""Every term that the tables explain."""


def unexplained(source: str) -> str:
    """What is left of a source without the terms that the page explains, and the signs and words between them."""
    rest = source
    for term in TERMS:
        rest = re.sub(pattern(term), "", rest)
    return re.sub(r"\band\b|[;:,\s]", "", rest)


OF_CLAUSES = {clause.source for game in CATALOGUE for clause in game.clauses}
OF_OPTIONS = {option.source for game in CATALOGUE for option in game.entry.options}
SOURCES = sorted(OF_CLAUSES | OF_OPTIONS | {source for game in CATALOGUE for source in game.entry.sources})


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_is_explained(source: str) -> None:
    """The page has a row for each part of each source."""
    assert unexplained(source) == ""


def test_the_sources_of_a_game_are_those_of_the_page() -> None:
    """The page lists for each main source the games that cite it; one row stands for all games not named."""
    lines = [line for line in SOURCE_TABLES.splitlines() if re.match(r"\| `S\d{3}` ", line)]
    cells = {line[3:7]: line.split("|")[4].strip() for line in lines}
    listed = {number: set(re.findall(r"`([\w-]+)`", cell)) for number, cell in cells.items()}
    (rest,) = [number for number, cell in cells.items() if cell == "all others"]
    listed[rest] = {game.key for game in CATALOGUE}.difference(*listed.values())
    for number, games in listed.items():
        assert games == {game.key for game in CATALOGUE if number in game.entry.sources}, number
