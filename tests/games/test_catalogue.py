"""The catalogue: what it has, what it says of what it has not, which games it does not take, and cards of its packs."""

import hmac
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from itertools import product
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import pytest

from chitarrella.catalogue import registry
from chitarrella.catalogue.registry import (
    Catalogue,
    Origin,
    RuleSet,
    UnknownEdition,
    UnknownGame,
    open_catalogue,
    own_origin,
)
from chitarrella.core import provable_shuffle
from chitarrella.core.cards import CUCCO, ITALIAN, Card, Pack
from chitarrella.core.game import NO_TRUMP_CARD, AnyGame, TrickState, legal_moves, play, validate_move
from chitarrella.core.model import CHANCE, CardSpec, Clause, Event, Move
from chitarrella.core.notation import move_pattern
from chitarrella.core.options import GameEntry, InvalidOption, parse_rule_book
from chitarrella.core.provable_shuffle import commit, derive_nonce, shuffle, verify
from chitarrella.core.visibility import seen_by_word
from chitarrella.exchange.parts import CUCKOO
from chitarrella.exchange.rules import Rules
from chitarrella.games.coech import COECH
from chitarrella.i18n.narration import narrate
from chitarrella.i18n.translator import ENGLISH, add_texts
from chitarrella.transports.webassembly import LocalRules
from chitarrella.tricks.parts import everybody
from chitarrella.tricks.single_trick import SingleTrick
from chitarrella.v1.questions_pb2 import StartGameRequest, StartGameResponse
from chitarrella.v1.table_pb2 import RuleSet as RuleSetMessage
from chitarrella_testing.texts import game_texts
from tests.game_packages.callers import distribute, variant
from tests.walks import CATALOGUE, Walk, known_walk, values, walk


def with_book(**changed: Any) -> GameEntry:
    return replace(COECH, book=COECH.book._replace(**changed))


def shelf(*games: GameEntry) -> Catalogue:
    module = ModuleType("shelf")
    module.GAMES = games  # type: ignore[attr-defined]  # a module is what it is given
    return Catalogue(iter([module]))


def test_rule_set_has_defaults() -> None:
    """A rule set that names only a game has its current edition, its best number of players and no options."""
    assert RuleSet("coech", 0, (), 0) == RuleSet("coech")
    assert RuleSet("coech", 4, (), COECH.edition) == CATALOGUE.normalize(RuleSet("coech"))
    assert CATALOGUE.game_for(RuleSet("coech")) == CATALOGUE.game_for(RuleSet("coech", 4, (), COECH.edition))


def test_every_table_has_its_moves_in_the_book() -> None:
    """The moves of a game are those of all its tables, each once: seats are drawn only where that was agreed."""
    verbs = [spec.verb for spec in CATALOGUE.move_specs("cucu")]
    assert len(set(verbs)) == len(verbs)
    assert {"draw_seats"} == set(verbs) - CATALOGUE.game_for(RuleSet("cucu")).move_specs.keys()
    for table in CATALOGUE.configurations(CATALOGUE.game("lu-stu")):
        assert table.move_specs.keys() <= {spec.verb for spec in CATALOGUE.move_specs("lu-stu")}


@pytest.mark.parametrize(
    ("game", "written"),
    [
        ("coech", "play_card CARD [@SEAT]"), ("harjan", "follow_cards [CARD ...]"), ("brisca", "signal A|3|R|C|F"),
        ("cuccu-a-trionfo", "play_card CARD [numbers|pictures]"), ("lu-stu", "make_offer NUMBER [PERSON:AMOUNT ...]"),
        ("cucu", "keep"),
    ],
)  # fmt: skip
def test_how_a_move_is_written(game: str, written: str) -> None:
    """Small letters stay, capitals are filled in, what stands in brackets may be left out."""
    assert written in [move_pattern(spec) for spec in CATALOGUE.move_specs(game)]


def test_what_is_not_there_is_said() -> None:
    """A game that there is not, an edition that is not kept and a number that cannot play are told apart."""
    with pytest.raises(UnknownGame, match=r"there is no game 'skat'; games: .*briscola.*zifuli"):
        CATALOGUE.game_for(RuleSet("skat"))
    later = COECH.edition + 1
    with pytest.raises(UnknownEdition, match=f"edition {later} of coech is not kept; the current one is {later - 1}"):
        CATALOGUE.game_for(RuleSet("coech", edition=later))
    with pytest.raises(InvalidOption):
        CATALOGUE.game_for(RuleSet("coech", 19))
    assert CATALOGUE.has_edition("coech", COECH.edition)
    assert not CATALOGUE.has_edition("coech", later)
    assert not CATALOGUE.has_edition("skat", 1)


def test_a_name_is_not_repeated_at_any_length() -> None:
    """What somebody sent for a game is told back in forty signs at most."""
    with pytest.raises(UnknownGame, match=f"no game '{'x' * 40}'; games"):
        CATALOGUE.game("x" * 41)


def test_games_lie_in_the_order_of_their_keys() -> None:
    """Whatever order they were found in."""
    other = replace(COECH, key="asino")
    assert ["asino", "coech"] == [game.key for game in shelf(COECH, other)]


@pytest.mark.parametrize(
    ("games", "message"),
    [
        ((COECH, COECH), "two games have one key and one edition"),
        (
            (replace(COECH, book=COECH.book._replace(clauses=COECH.book.clauses[:1] * 2)),),
            "coech: two clauses have one key",
        ),
        ((replace(COECH, book=COECH.book._replace(citations={})),), "coech: no clause stands behind"),
    ],
)
def test_a_game_that_is_not_sound_is_not_taken(games: tuple[GameEntry, ...], message: str) -> None:
    """Two games of one name, two clauses of one name, and a refusal without a clause are found at once."""
    with pytest.raises(ValueError, match=message):
        shelf(*games)


@pytest.mark.parametrize("line", ["XX-1", "XX-1 (Not_A_Code) Cards are dealt.", "XX-1 Cards are dealt. [S004"])
def test_a_line_that_is_no_clause_is_refused(line: str) -> None:
    """A rule book is read line by line, and one that is no clause is named with its file."""
    text = "# Of a game.\n[custom]\nXX-0 (over, play over) It ends. [ruling]\nALL-7 (late)\n\nXX-2 It begins.\n"
    clauses = (Clause("XX-0", "It ends.", "ruling"), Clause("XX-2", "It begins.", "custom"))
    assert (clauses, {"over": "XX-0", "play over": "XX-0", "late": "ALL-7"}, {}, 0) == parse_rule_book(text)
    assert ({"aim": "Win: all."}, 3) == parse_rule_book("fame: 3\naim: Win: all.\n")[2:]
    with pytest.raises(ValueError, match=r"xx\.rules: this is no clause: XX-1"):
        parse_rule_book(f"{text}{line}\n", "xx.rules")


# ---------------------------------------------------------------------- game packages


OTHER_PARTS = """
from chitarrella import tricks
GAMES = (replace(GAMES[0], rules=lambda agreed: replace(BRISCOLONE.rules(agreed), {})),)
"""
HALF = 'phases=(tricks.Auction((type("Half", (tricks.Action,), {})(),), ()),)'
HALF_AN_ACTION = variant("halb") + OTHER_PARTS.format(HALF)
NO_RECORD = variant("ohne") + OTHER_PARTS.format("phases=(tricks.PassCards(3, lambda deal: 1),)")
NO_TWOS = variant("zweilos") + OTHER_PARTS.format('order=tricks.Order(tuple("A3RCF7654"), ())')
BROKEN = {
    "fails-to-import": ("raise RuntimeError('no such file')", "RuntimeError: no such file"),
    "exits": ("import sys\nsys.exit('bye')", "SystemExit: bye"),
    "has-no-games": ("", "there are no GAMES"),
    "signs-nothing": ("GAMES = (object(),)", "is no GameEntry"),
    "has-no-rules": (
        variant("tredici") + "GAMES = (replace(GAMES[0], rules=lambda agreed: 7),)",
        "7 lacks apply, avoids_points, ",
    ),
    "has-half-an-action": (HALF_AN_ACTION, "halb: move_specs raises AttributeError: 'Half' object has no attribute"),
    "has-no-record": (NO_RECORD, "a part of the rules records chosen: Rules(own=...) has to be a record with it"),
    "has-no-twos": (NO_TWOS, "the order has no rank 2, which the pack has"),
    "has-a-bad-key": (variant("Zwei"), "'Zwei' is no key of a game"),
    "has-a-house-game": (variant("briscola"), "there is a game briscola already"),
    "has-a-house-clause": (variant("drei", "BR-3.1"), "there is another clause BR-3.1 already"),
    "cites-nothing": (
        variant("vier")
        .replace("briscolone import", "coech import COECH as")
        .replace("BRISCOLONE.book.citations", "()"),
        "no clause stands behind",
    ),
    "has-no-title": (variant("neun").replace('title="neun"', "title=9"), "the protocol has str for title, not 9"),
    "has-a-clause-without-text": (
        variant("zehn").replace('"Any card may be played."', "None"),
        "the protocol has RuleBook for book, not RuleBook(clauses=(Clause(key='ZEHN-1', text=None",
    ),
    "has-a-sentence-without-text": (variant("zwoelf") + "SENTENCES = {'sung': None}", "'sung': None is no text"),
    "has-a-bad-event": (variant("elf") + "EVENTS = {'sung': ('seat', ''), 'told': ('voice', '')}", "the event told"),
    "has-an-unknown-placeholder": (
        variant("vierzehn") + "SENTENCES = {'sung': '{Whoever} [sing|sings].'}",
        "the sentence sung: there is no {Whoever}",
    ),
    "cites-another-clause": (variant("acht").replace('Clause("ACHT-1"', 'Clause("ACHT-2"'), "KeyError"),
}
"""Modules of packages that are refused, and a part of the reason."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose distributions Python finds; what is imported from it is forgotten again."""
    monkeypatch.syspath_prepend(tmp_path)
    known = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - known:
        del sys.modules[name]


def reasons(catalogue: Catalogue) -> dict[str, str]:
    return {refused.origin.distribution: refused.reason for refused in catalogue.refused}


def test_a_package_is_found_with_its_name_and_version(folder: Path) -> None:
    """A game of an installed package stands in the catalogue beside the others, with its distribution and version."""
    distribute(folder, "my-games", variant("eins"), "2.3")
    catalogue = open_catalogue("all")
    assert len(list(Catalogue())) + 1 == len(list(catalogue))
    assert sorted(game.key for game in catalogue) == [game.key for game in catalogue]
    assert Origin("my-games", "2.3") == catalogue.origin("eins")
    assert own_origin() == catalogue.origin("briscola")
    assert "eins" == catalogue.game_for(RuleSet("eins")).key
    assert (folder / "locale_eins",) == catalogue.locales
    assert () == catalogue.refused


def test_a_package_may_have_several_modules(folder: Path) -> None:
    """Each entry point of a distribution brings its games, its translations and its texts."""
    distribute(folder, "my-games", variant("eins") + "FACT_NAMES = {'first': 'one'}")
    (folder / "more.py").write_text(variant("zwei") + "FACT_NAMES = {'second': 'two'}")
    with next(folder.glob("my_games-*/entry_points.txt")).open("a") as file:
        file.write("more = more\n")
    catalogue = open_catalogue("all")
    assert () == catalogue.refused
    assert ["my-games", "my-games"] == [catalogue.origin(key).distribution for key in ("eins", "zwei")]
    assert {folder / "locale_eins", folder / "locale_zwei"} == set(catalogue.locales)
    assert {"first": "one", "second": "two"} == catalogue.texts("eins").fact_names


def test_broken_packages_are_refused_and_stop_nobody(folder: Path) -> None:
    """Each package that does not implement it is refused with its name and the reason; the sound one is served."""
    for name, (code, _) in BROKEN.items():
        distribute(folder, name, code)
    distribute(folder, "sound", variant("eins"))
    catalogue = open_catalogue("all")
    found = reasons(catalogue)
    assert BROKEN.keys() == found.keys()
    for name, (_, reason) in BROKEN.items():
        assert reason in found[name]
    assert {*(game.key for game in Catalogue()), "eins"} == {game.key for game in catalogue}
    assert all(str(refused).startswith("no game of the package ") for refused in catalogue.refused)


@pytest.mark.parametrize("row", ["('seats', 'No field.')", "('seat',)", "'seat'"])
def test_a_package_with_a_wrong_event_is_refused(folder: Path, row: str) -> None:
    """The kind of an event needs the fields that it may have, and a sentence."""
    distribute(folder, "my-games", variant("eins") + f"EVENTS = {{'sung_here': {row}}}")
    assert "the event sung_here" in reasons(open_catalogue("all"))["my-games"]


@pytest.mark.parametrize("game", list(CATALOGUE), ids=attrgetter("key"))
def test_the_better_score_wins(game: AnyGame) -> None:
    """Who has won a match has the best score, unless a claim has decided it; a description is a short sentence."""
    assert game.entry.description.endswith(".")
    assert len(game.entry.description) <= 140
    for number in range(8):
        each = walk(RuleSet(game.key, min(game.entry.players)), f"won {number}", 8)
        scores, winners = game_scores(each)
        best = (min if game.lower_score_wins else max)(scores)
        assert game.key == "madrasso" or {best} >= {scores[seat] for seat in winners}


def game_scores(each: Walk) -> tuple[tuple[int, ...], frozenset[int]]:
    last = each.positions[-1]
    return each.game.scores(last), each.game.outcome(last) or frozenset()


def test_a_broken_catalogue_of_texts_is_refused(folder: Path) -> None:
    """A package whose compiled translations cannot be read is refused: they would fail every caller of a language."""
    distribute(folder, "my-games", variant("eins"))
    locale = folder / "locale_eins"
    locale.mkdir()
    (locale / "it.mo").write_bytes(b"no catalogue")
    assert "Bad magic number" in reasons(open_catalogue("all"))["my-games"]


def test_a_package_brings_its_texts(folder: Path) -> None:
    """An event and a fact that have no text here have that of the package; of two packages the first has the word."""
    texts = "SENTENCES = {{'{0}': '{{Who}} [sing|sings] {{cards}}.'}}\nFACT_NAMES = {{'{0}': '{1}'}}"
    distribute(folder, "first", variant("eins") + texts.format("sung_here", "songs"))
    distribute(folder, "second", variant("zwei") + texts.format("sung_here", "others"))
    catalogue = open_catalogue("all")
    assert {"sung_here": "others"} == catalogue.texts("zwei").fact_names
    assert ({}, {}, {}) == catalogue.texts("briscola")
    add_texts(catalogue)
    event = Event("sung_here", 1, ITALIAN.cards[:1])
    assert ["Seat 1 sings Ab.", "You sing Ab."] == [narrate(event, ITALIAN, you) for you in (0, 1)]
    assert "songs" == ENGLISH.fact("sung_here")
    assert {"event sung_here", "fact sung_here"} < game_texts(catalogue, "eins").keys()
    assert "Card played, in the book." == narrate(Event("card_played", None, word="in_the_book"), ITALIAN)


def test_answers_without_a_service_have_the_installed_games(folder: Path) -> None:
    """The rules in a page know the games whose wheels it has loaded, and say which of them cannot be used."""
    distribute(folder, "my-games", variant("eins"))
    request = StartGameRequest(rule_set=RuleSetMessage(game_id="eins"))
    status, body = LocalRules("de").answer("StartGame", request.SerializeToString())
    assert (200, "start_deal") == (status, StartGameResponse.FromString(body).chance_request.verb)
    distribute(folder, "second", variant("eins"))
    with pytest.raises(ValueError, match=r"package second 1\.0 is served: .* there is a game eins already"):
        LocalRules("de")


def test_of_two_packages_with_one_game_the_later_is_refused(folder: Path) -> None:
    """Packages come in the order of their names, or as the operator names them; the first has the key."""
    distribute(folder, "first", variant("eins"))
    distribute(folder, "second", variant("eins", "ZWEI-1"))
    assert "first" == open_catalogue("all").origin("eins").distribution
    named = open_catalogue("second, first")
    assert "second" == named.origin("eins").distribution
    assert {"first": "InvalidPackage: there is a game eins already"} == reasons(named)


def test_the_operator_decides_which_packages_are_loaded(folder: Path) -> None:
    """Only named packages are imported, none with ``none``; a name is normalised, and a missing one is refused."""
    distribute(folder, "My.Games", variant("eins"))
    distribute(folder, "others", variant("zwei"))
    assert not open_catalogue("none").locales
    named = open_catalogue("my-games,missing")
    assert "eins" == named.game("eins").key
    assert "others" not in sys.modules
    assert {"missing"} == reasons(named).keys()
    assert "not installed" in reasons(named)["missing"]


def test_rules_from_source_have_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where chitarrella is not installed, its own games have its name and no version."""

    def not_installed(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(registry, "version", not_installed)
    assert ("chitarrella", "") == registry.own_origin.__wrapped__()


# ---------------------------------------------------------------------- trick rules


def test_a_new_catalogue_finds_the_same_reasons() -> None:
    """What is looked up once for each catalogue is the same in another one."""
    assert all(CATALOGUE.reasons(game.key) == Catalogue().reasons(game.key) for game in GAMES[:1])


def test_a_trick_without_a_position() -> None:
    """Briscola: the highest trump takes the trick, points are counted by card, every card of the hand may be played."""
    game = CATALOGUE.game_for(RuleSet("briscola", 2))
    tricks = game.trick_rules
    assert tricks is not None
    cards = game.pack.hand(["Rs", "2d", "6c", "3b"])
    assert ((1,), ()) == tricks.winning_index(TrickState(cards, trump="d"))
    assert ((0, 3, 2, 1), ("trump",)) == tricks.winning_index(TrickState(cards))
    assert (("card_points", 14),) == tuple(tricks.count(cards, "d"))
    assert {"b", "c", "d", "s"} == set(tricks.suits)
    assert "s" == tricks.suit_of[cards[0]]
    assert [(((),), ())] * 4 == list(tricks.plays(cards, TrickState(), 0).values())
    assert (0, 1) == everybody(cast(Any, game), None)


def test_rules_of_tricks_made_anew_ask_for_the_declared_suit() -> None:
    """Cuccu a trionfo: what follows the trionfo depends on the suit declared with it; in Briscola nothing does."""
    game = CATALOGUE.game_for(RuleSet("cuccu-a-trionfo", 4))
    cards = {code: game.pack.card(code) for code in ("MAT", "VI", "XI")}
    trick = TrickState((cards["MAT"],), trump="", trump_card=cards["MAT"], stock_size=0)
    tricks = replace(cast(SingleTrick, game.trick_rules))  # what the game keeps was worked out in another test
    answers = tricks.plays((cards["VI"], cards["XI"]), trick, 0)
    assert [("declared_suit",)] * 2 == [answer.depends_on for answer in answers.values()]
    other = CATALOGUE.game_for(RuleSet("briscola", 2))
    hand = other.pack.hand(["Rs", "2d"])
    plays = replace(cast(SingleTrick, other.trick_rules)).plays(hand, TrickState(other.pack.hand(["3b"])), 0)
    assert [()] * 2 == [answer.depends_on for answer in plays.values()]


def test_an_exchange_game_has_no_tricks() -> None:
    """Cucù: each seat is its own side, nobody has a partner, and moves have values for a bot."""
    game = CATALOGUE.game_for(RuleSet("cucu", 4))
    assert game.trick_rules is None
    assert not game.avoids_points
    assert (0, 1, 2, 3) == game.sides
    assert game.partner(0) is None
    p = game.start()
    while (turn := game.turn(p)) == CHANCE:
        request = game.chance_request(p)
        amount = request.amounts[0] if request.amounts else None
        p, _ = play(game, p, CHANCE, Move(request.verb, request.cards, amount=amount))
    assert turn is not None
    moves = legal_moves(game, p, turn)
    assert len(moves) == len(game.move_values(p, turn, moves))


def test_the_length_of_a_match_is_an_option() -> None:
    """In every game an option says how long a match is."""
    assert all(any(option.sets_length for option in game.entry.options) for game in CATALOGUE)


def test_a_nonce_follows_from_the_seed() -> None:
    """A nonce is an HMAC of the number of the draw, and its shuffle verifies against the commitment to it."""
    nonce = derive_nonce("seed", 3)
    assert hmac.new(b"seed", b"shuffle 3", "sha256").hexdigest() == nonce
    cards = CATALOGUE.game_for(RuleSet("briscola", 2)).pack.cards
    assert "" == verify(cards, shuffle(cards, nonce, 3), commit(nonce), nonce, 3)


def test_a_number_that_would_favour_some_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of the last, incomplete span of 64 bits are passed over, so that every order is as likely."""
    monkeypatch.setattr(provable_shuffle, "_random_numbers", lambda *_: iter([2**64 - 1, 0, 0]))
    assert ("b", "c", "a") == shuffle(("a", "b", "c"), "nonce", 1)


@pytest.mark.parametrize(
    ("pack", "cards", "surplus"),
    [
        (ITALIAN, "Ab 3b Ac", ""),
        (ITALIAN, "Ab 3b Ab Ab Ac Ac", "Ab Ac"),
        (ITALIAN.without(ITALIAN.card("2b")), "2b 2c", "2b"),
        (CUCCO, "XV XV MAT MAT", ""),
        (CUCCO, "XV XV XV NUL", "XV"),
    ],
)
def test_surplus_are_the_faces_that_are_named_too_often(pack: Pack, cards: str, surplus: str) -> None:
    """A face may be named as often as the pack in play has it: once, twice with two copies, never if left out."""
    assert surplus == " ".join(pack.surplus(pack.hand(cards.split())))


@pytest.mark.parametrize(
    ("pack", "cards", "missing"),
    [
        (ITALIAN, " ".join(ITALIAN.cards[2:]), " ".join(ITALIAN.cards[:2])),
        (ITALIAN, " ".join(ITALIAN.cards), ""),
        (ITALIAN.without(ITALIAN.card("2b")), " ".join(ITALIAN.cards), ""),
        (CUCCO, " ".join(CUCCO.cards[1:]), CUCCO.cards[0]),
    ],
)
def test_missing_are_the_faces_that_are_not_named_often_enough(pack: Pack, cards: str, missing: str) -> None:
    """A face is missing if it is named less often than the pack in play has it."""
    assert missing == " ".join(pack.missing(pack.hand(cards.split())))


@pytest.mark.parametrize("rule_set", [RuleSet("briscola", 2), RuleSet("coech", 2), RuleSet("cucu", 2)])
def test_a_wrong_pack_is_refused_with_what_is_wrong_with_it(rule_set: RuleSet) -> None:
    """The refusal of a pack names the cards that it misses and those that it has too often."""
    game = CATALOGUE.game_for(rule_set)
    p = game.start()
    while not game.chance_request(p).cards:
        request = game.chance_request(p)
        p, _ = play(game, p, CHANCE, Move(request.verb, amount=request.amounts[0]))
    verb, cards = game.chance_request(p).verb, game.chance_request(p).cards
    spoilt = (*cards[:-1], cards[0])
    (refusal,) = validate_move(game, p, CHANCE, Move(verb, spoilt))
    assert ("bad_pack", (cards[-1],), (cards[0],)) == (refusal.code, refusal.allowed_cards, refusal.offending_cards)


# ---------------------------------------------------------------------- card specs


GAMES = [CATALOGUE.game_for(RuleSet(game.key, max(game.entry.players))) for game in CATALOGUE]
TRICK_GAMES = [game for game in GAMES if game.trick_rules is not None]
EXCHANGE_GAMES = [game for game in GAMES if game.family == "exchange"]

NEXT_HIGHER = "bohemian-schneider"
"""The game in which only the next higher card takes a trick (SN-6.1)."""

OFTEN_SEEN_BY_MORE = {"hand", "aside"}
"""Zones whose cards rules may show: of a dummy, to a partner, by turning them up."""

WALKS = 60
"""Walks of each game: enough for zones that few deals have."""

GUIDE = Path(__file__).parents[2] / "docs" / "showing-a-table.md"


def key(game: AnyGame) -> str:
    return game.key


@pytest.mark.parametrize("game", GAMES, ids=key)
def test_each_card_once(game: AnyGame) -> None:
    """The specs are those of the pack in canonical order, and each says how many of its card there are."""
    assert game.pack.cards == tuple(spec.card for spec in game.card_specs for _ in range(spec.copies))
    assert len(game.card_specs) == len({spec.card for spec in game.card_specs})


@pytest.mark.parametrize("game", TRICK_GAMES, ids=key)
def test_the_order_is_that_of_tricks(game: AnyGame) -> None:
    """Of two cards of a suit the higher number takes the trick, of equal ones that played first; another suit never."""
    for led, answer in product(game.card_specs, repeat=2):
        assert takes(game, led, answer) == int(led.suit == answer.suit and beats(game, answer, led))


def takes(game: AnyGame, led: CardSpec, answer: CardSpec) -> int:
    """The index of the card that takes a trick of two, where no suit is trumps."""
    assert game.trick_rules is not None
    state = TrickState((led.card, answer.card), "", NO_TRUMP_CARD, declared_suit=led.suit, stock_size=0)
    (index,), _ = game.trick_rules.winning_index(state)
    return index


def beats(game: AnyGame, card: CardSpec, other: CardSpec) -> bool:
    """Whether the order of ``card`` is high enough to take ``other``."""
    return card.order == other.order + 1 if game.key == NEXT_HIGHER else card.order > other.order


@pytest.mark.parametrize("game", TRICK_GAMES, ids=key)
def test_points_are_those_of_score_cards(game: AnyGame) -> None:
    """Each card counts alone what ScoreCards gives first where no suit is trumps; together they count something."""
    assert game.trick_rules is not None
    for spec in game.card_specs:
        _, points = game.trick_rules.count((spec.card,), "")[0]
        assert points == spec.points
    assert sum(cast(int, spec.points) for spec in game.card_specs) > 0


@pytest.mark.parametrize("game", EXCHANGE_GAMES, ids=key)
def test_the_order_is_that_of_the_comparison(game: AnyGame) -> None:
    """Of two cards the one of the lower number loses, but for a cuckoo; equal ones are told apart by nothing else."""
    assert isinstance(game, Rules)
    for first, second in product(game.card_specs, repeat=2):
        losers = losing_seats(game, first, second)
        if first.order != second.order:
            lower = 0 if first.order < second.order else 1
            assert lower in losers
            assert 1 - lower not in losers or 0 == (first, second)[lower].order  # a fool loses beside the lowest other
        elif first.card.rank == CUCKOO:
            assert losers <= {0}
        elif first.order:
            assert 0 in losers


def losing_seats(game: Rules, first: CardSpec, second: CardSpec) -> set[int]:
    """The seats that lose if two players hold these cards at the end of a deal."""
    return set(game.comparison(game.order, {0: first.card.rank, 1: second.card.rank})[1])


@pytest.mark.parametrize("game", EXCHANGE_GAMES, ids=key)
def test_cards_that_count_nothing(game: AnyGame) -> None:
    """In an exchange game no card counts and there are no suits; the fool alone has no place in the order."""
    assert {(None, "")} == {(spec.points, spec.suit) for spec in game.card_specs}
    assert ["MAT"] == [spec.card for spec in game.card_specs if not spec.order]
    assert set(range(20)) == {spec.order for spec in game.card_specs}


def test_places_by_hand() -> None:
    """The Ace of Briscola is the tenth of its suit, the Matto of Cöch the lowest picture, the X the highest number."""
    by_game = {game.key: {str(spec.card): spec for spec in game.card_specs} for game in GAMES}
    assert ("b", 10, 11, 1) == by_game["briscola"]["Ab"][1:]
    assert ("pictures", 1, 0, 2) == by_game["coech"]["MAT"][1:]
    assert ("numbers", 10, 2, 2) == by_game["coech"]["X"][1:]


@pytest.mark.clause("CO-7", "CU-12", "LS-12", "ZI-2", "CT-2")
@pytest.mark.parametrize("game", [game for game in GAMES if len(game.pack.cards) > len(game.pack.faces)], ids=key)
def test_copies_are_alike(game: AnyGame) -> None:
    """With other copies of the faces in the pack every move has the same position and events."""
    walk = known_walk(RuleSet(game.key, game.seats), "copies", 2, 6)
    p = walk.game.start()
    for step in walk.steps:
        copies = tuple(Card(card.rank, card.suit) for card in step.move.cards)
        p, events = play(walk.game, p, step.actor, step.move._replace(cards=copies))
        assert (step.after, step.events) == (p, events)


@pytest.mark.unmeasured
@pytest.mark.parametrize("game", tuple(CATALOGUE), ids=key)
def test_zones_are_those_of_views(game: AnyGame) -> None:
    """Every zone of a walk is described, every zone described comes up, and is seen by those who are named."""
    seen: dict[str, set[str]] = {}
    for seed in range(WALKS):
        players = sorted(game.entry.players)[seed % len(game.entry.players)]
        walk = known_walk(RuleSet(game.key, players), f"zones {seed}", 1, 1)
        for zone in (zone for p in walk.positions for zone in walk.game.zones(p)):
            seen.setdefault(zone.name, set()).add(seen_by_word(zone.seen_by))
    specs = {spec.name: spec.seen_by for spec in game.zone_specs}
    assert specs.keys() == seen.keys()
    for name, words in seen.items():
        assert words == {specs[name]} or (name in OFTEN_SEEN_BY_MORE and words <= {specs[name], "everybody"})


def test_options_that_change_cards_and_zones() -> None:
    """The guide for integrators lists the options that change what GetGame says of cards and zones."""
    every = [(game, option, value) for game in GAMES for option in game.entry.options for value in values(option)]
    changed = {(game.key, one.name, what) for game, one, value in every for what in changes(game, one.name, value)}
    text = GUIDE.read_text(encoding="utf-8").partition("<!-- options that change cards -->")[2]
    lines = text.strip().partition("\n\n")[0].splitlines()[2:]
    rows = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]
    assert sorted(changed) == sorted((game, option, what) for game, option, what, _ in rows)


def changes(game: AnyGame, option: str, value: str) -> list[str]:
    """What a value of an option changes, with the most players; nothing where it is not allowed."""
    try:
        table = CATALOGUE.game_for(RuleSet(game.key, max(game.entry.players), ((option, value),)))
    except InvalidOption:
        return []
    cards = [] if table.card_specs == game.card_specs else ["cards"]
    return cards if table.zone_specs == game.zone_specs else [*cards, "zones"]
