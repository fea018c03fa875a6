"""The rule book in other languages: complete, exact, fresh, and chosen as the caller asks."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace as but
from gettext import NullTranslations
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

import chitarrella.i18n.translator
import chitarrella_testing.extract
from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.cards import Card
from chitarrella.core.game import AnyGame, validate_move
from chitarrella.core.model import CHANCE, NOT_IN_HAND, NOT_YOUR_TURN, WRONG_PHASE, Clause, Move, Refusal
from chitarrella.i18n import translator as catalogues
from chitarrella.i18n.narration import TEXTS as SHARED
from chitarrella.i18n.table_words import CHOICE_NAMES, SEAT_OPTIONS, choice_names
from chitarrella.i18n.translator import ENGLISH, LANGUAGES, LOCALE, Translator, message_id, translator_for
from chitarrella.transports.rest.website.website import FIGURES
from chitarrella_terminal.options import language_of_locale
from chitarrella_testing.extract import main, messages, updated
from hatch_build import compile_translations
from lab.chaos.attacks import ATTACKS, Attacked
from lab.chaos.faults import RUNS, Withstood
from lab.chaos.losses import Noticed
from lab.chaos.run import Findings, figures_of
from tests.cli.run_command import invoke
from tests.walks import CATALOGUE, Walk, combined_variants, defaults, known_walk, name, universe

GAMES = Catalogue()
TEXTS = messages(GAMES)
FOREIGN = LANGUAGES[1:]


def read_catalogue(code: str, locale: Path = LOCALE) -> Catalog:
    with (locale / f"{code}.po").open("rb") as file:
        return read_po(file, abort_invalid=True)


def translations(code: str) -> dict[tuple[str, str], str]:
    """The translations that count, by id and English text; what has no id is that of all who say the same."""
    found = {
        (message.context or "", str(message.id)): str(message.string)
        for message in read_catalogue(code)
        if message.id and message.string and not message.fuzzy
    }
    return {
        (key, english): found.get((key, message_id(english))) or found["", message_id(english)]
        for key, english in TEXTS.items()
        if {(key, message_id(english)), ("", message_id(english))} & found.keys()
    }


SAME = {
    "it": {
        "Guyana", "Trieste", "Campli, Abruzzo", "Scandinavia", "Montorio al Vomano, Abruzzo", "Cucco", "no", "fuzzing",
        "Asso pigliatutto", "Re bello", "re bello", "primiera", "settebello",
    },
    "de": {"Guyana", "Cucco", "Asso pigliatutto", "Re bello"},
}  # fmt: skip
"""Names of places and of a pack, and words, that are the English ones; titles of games are names everywhere."""

NAMES = {
    *(word for game in GAMES for word in re.findall(r"\w+", game.entry.title)),
    *("Campli", "Montorio", "Réunion", "card", "game"),
    *("Dictionnaire", "Konversations-Lexikon", "Lexicon", "Meyers", "Pierer's", "Trévoux", "de", "Wikipedia"),
    *("acanomas.com", "gamerules.com", "it.wikipedia.org", "juegoacartas.com", "naipes-casino.com.ar", "nisja.info"),
    *["pagat.com", "cavallore.it", "timendum/carte", "boardgamearena.com", "Piccola", "enciclopedia", "di", "giuochi"],
    *("Scopone", "Treccani", "viniciocoletti.it", "ludopoli.us", "cartescopa.blogspot.com", "giocopocomagioco.com"),
    "spazioinwind.libero.it",
}
"""Names in the sources of clauses: of games, places, books and sites, and the title of an article."""

CITED = re.compile(r"[A-Z]{2}-[A-Z]?\d[\w.]*|S\d{3}|\d{4}|\d")


# ---------------------------------------------------------------------- the catalogues


@pytest.mark.parametrize("code", FOREIGN)
def test_everything_is_translated(code: str) -> None:
    """Every clause, reason, option, move and heading has a translation that counts, and there is no other."""
    assert set(TEXTS.items()) == set(translations(code))
    clauses = {clause.key for game in GAMES for clause in game.clauses}
    reasons = {f"reason {reason.code}" for game in GAMES for reason in game.reasons}
    options = {f"option {game.key}.{option.name}" for game in GAMES for option in game.entry.options}
    moves = {f"move {game.key}.{verb}" for game in GAMES for verb in game.move_specs}
    assert clauses | reasons | options | moves < set(TEXTS)


def test_the_check_finds_the_files_fresh() -> None:
    """The command that looks for stale files finds none, and nothing in a file is fuzzy or left from earlier."""
    assert 0 == main(["--check"])
    for code in FOREIGN:
        read = read_catalogue(code)
        assert [] == [message.id for message in read if message.id and message.fuzzy]
        assert not read.obsolete
        assert "@" not in (LOCALE / f"{code}.po").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", FOREIGN)
def test_only_names_are_as_in_english(code: str) -> None:
    """A text that is the same as the English one is a name, or has no words but those that are filled in."""
    titles = {game.entry.title for game in GAMES}
    same = {english for (_, english), said in translations(code).items() if english == said}
    same = {english for english in same if re.search(r"\w", re.sub(r"\{\w*\}", "", english))}
    assert same - titles == SAME[code]


@pytest.mark.parametrize("code", FOREIGN)
def test_what_is_not_words_stays(code: str) -> None:
    """Marks, figures, Roman numerals, names of cards and the last sign are the same as in English, not cases."""
    for (key, *texts), last in translations(code).items():
        english, said = (re.sub(r"\{[Ww]hom?\}", "{who}", text) for text in (*texts, last))
        for kept in (r"\{\w*\}", r"-?\d+", r"\b(?:[IVX]{2,}|[VX]|MAT|LEO|NUL|SEC|MAS)\b", r"^ ", r" $", r"^[;,]"):
            assert Counter(re.findall(kept, english)) == Counter(re.findall(kept, said)), (key, kept)
        ends = [text[-1] if text[-1] in ".,:;?!) " else "" for text in (english, said)]
        assert ends[0] == ends[1], key


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_english_is_left_in_a_source(code: str) -> None:
    """What a clause or option rests on is said in names, numbers and translated words alone."""
    said = {translator_for(code).text(f"source {words}", words) for words in SHARED["source words"]}
    known = NAMES | {word for words in said for word in words.split()}
    for game in GAMES:
        for source in [clause.source for clause in game.clauses] + [option.source for option in game.entry.options]:
            words = re.findall(r"[^\s,;:()]+", CITED.sub("", translator_for(code).source(source)))
            assert set(words) <= known, source


@pytest.mark.parametrize("code", FOREIGN)
def test_equal_sources_compile_to_equal_bytes(tmp_path: Path, code: str) -> None:
    """What is compiled, also at another time, is what is installed; else `make install` compiles it anew."""
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{code}.po").write_bytes((LOCALE / f"{code}.po").read_bytes())
        compile_translations(tmp_path / folder)
    compiled = (tmp_path / "one" / f"{code}.mo").read_bytes()
    assert compiled == (tmp_path / "two" / f"{code}.mo").read_bytes() == (LOCALE / f"{code}.mo").read_bytes()


def test_a_missing_catalogue_names_its_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a tree that was never installed a language is refused with the command that compiles it; English works."""
    monkeypatch.setattr(chitarrella.i18n.translator, "LOCALE", tmp_path)
    with pytest.raises(
        catalogues.MissingCatalogueError, match=r"it\.mo is missing: compile the translations with 'make install'"
    ):
        translator_for.__wrapped__("it")
    assert translator_for.__wrapped__("en") is ENGLISH


@pytest.mark.parametrize("command", [("explain", "briscola", "--language", "it"), ("serve",)])
def test_a_command_without_catalogues_ends_with_the_remedy(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that needs a catalogue says in one line how to compile it, before anything is served."""
    translator_for.cache_clear()
    monkeypatch.setattr(chitarrella.i18n.translator, "LOCALE", tmp_path)
    ended = invoke(*command)
    assert (1, 1) == (ended.exit_code, len(ended.output.splitlines()))
    assert "compile the translations with 'make install'" in ended.output


# ---------------------------------------------------------------------- when the English changes


def test_a_changed_text_waits_for_its_translator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed sentence keeps its old translation, unused; a new one has none, unless another id says the same."""
    other = "Something else, in so many words that a digest stands for it."
    wanted = {**TEXTS, "CO-17": other, "CO-99": "Something new.", "CO-98": TEXTS["CO-15"]}
    del wanted["CO-16"]
    text = updated("it", wanted.items())
    (tmp_path / "it.po").write_text(text, encoding="utf-8")
    read = {message.context: message for message in read_catalogue("it", tmp_path)}
    assert (True, [other]) == (read["CO-17"].fuzzy, read["CO-17"].auto_comments)
    assert "rispondere" in str(read["CO-17"].string)
    assert "" == read["CO-99"].string
    assert "CO-16" not in read
    compile_translations(tmp_path)
    monkeypatch.setattr(chitarrella.i18n.translator, "LOCALE", tmp_path)
    italian = translator_for.__wrapped__("it")
    changed, new = Clause("CO-17", other, "ruling"), Clause("CO-99", "Something new.", "ruling")
    assert [other, "Something new."] == [italian.clause(changed), italian.clause(new)]
    assert translations("it")["CO-15", TEXTS["CO-15"]] == italian.clause(Clause("CO-98", TEXTS["CO-15"], "ruling"))


def test_stale_files_are_found_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The check names the file that is not what would be written, and writing it anew makes it so."""
    for code in FOREIGN:
        (tmp_path / f"{code}.po").write_bytes((LOCALE / f"{code}.po").read_bytes())
    with (tmp_path / "de.po").open("a", encoding="utf-8") as file:
        file.write('\nmsgctxt "CO-99"\nmsgid "Nobody says this."\nmsgstr "Das sagt niemand."\n')
    monkeypatch.setattr(chitarrella_testing.extract, "LOCALE", tmp_path)
    assert [1, 0] == [main(["--check"]), main([])]
    assert "de.po is stale\nde.po is written\n" == capsys.readouterr().out
    assert (LOCALE / "de.po").read_bytes() == (tmp_path / "de.po").read_bytes()


def test_two_texts_under_one_id_are_found() -> None:
    """A clause whose id another game has for another sentence cannot be translated, and is named."""
    briscola, coteccio = GAMES.entry("briscola"), GAMES.entry("coteccio")
    twice = but(
        coteccio,
        book=coteccio.book._replace(clauses=(*coteccio.book.clauses, Clause("BR-3.1", "Something else.", "ruling"))),
    )
    module = ModuleType("twice")
    module.__dict__["GAMES"] = (briscola, twice)
    with pytest.raises(ValueError, match=r"^BR-3\.1: two texts have one id$"):
        messages(Catalogue(iter([module])))


# ---------------------------------------------------------------------- what is said


def test_english_is_what_the_rules_say() -> None:
    """English is a language like the others, and says the very sentences of the rules."""
    game = GAMES.game("coteccio")
    assert [clause.text for clause in game.clauses] == [ENGLISH.clause(clause) for clause in game.clauses]
    specs = game.move_specs.values()
    assert [spec.description for spec in specs] == [ENGLISH.move_spec(game, spec) for spec in specs]
    assert [o.allowed for o in game.entry.options] == [
        f"allowed: {ENGLISH.allowed(option.choices, option.minimum, option.maximum)}" for option in game.entry.options
    ]
    refusal = game.refuse(NOT_IN_HAND, word="Ab")
    assert "Ab is not in the hand." == ENGLISH.reason(refusal, game.pack)


SAID = [
    ("coteccio", "must_follow_suit", "s", "The suit led is swords, and must be followed while the hand holds it: 1 2."),
    ("bisca-guyana", "must_follow_or_trump", "s", "The suit led is spades; while the hand holds it only that suit"),
    ("madrasso", "must_trump", "d", "The suit led is coins; the hand has none of it but has trumps, and must play one"),
    (
        "zifuli",
        "call_other_suit",
        "pictures",
        "The first call was of the pictures, and a call must be of the same suit",
    ),
    ("briscola-chiamata", "call_not_lower", "F", "Jack is not lower than what was bid last."),
    ("briscola", "signal_repeated", "A", "The rank ace was signalled before in this deal."),
    ("brisca", "exchange_wrong_card", "7b or 2b", "Only 7b or 2b is exchanged for the turn-up."),
    ("cucu", "must_exchange", "NUL", "With an agreement in force NUL must be exchanged."),
    ("cucu", "wrong_contributions", "500000000", "Whole amounts from 1 must add up to 500000000, each from the player"),
    ("cucu", "wrong_phase", "inn_guest", "This move does not belong to the present phase (inn guest)."),
    ("coech", "must_follow_suit", "pictures", "Si è usciti a figure e chi ne ha deve rispondere"),
    ("briscola-chiamata", "call_not_lower", "F", "Fante non è più basso dell'ultima offerta."),
    ("zifuli", "call_not_lower", "VIII", "VIII ist nicht niedriger als das letzte Gebot."),
    ("brisca", "exchange_wrong_card", "7b or 2b", "Solo 7b o 2b si scambia con la carta girata."),
    ("brisca", "exchange_wrong_card", "no card", "Gegen die aufgeschlagene Karte wird nur keine Karte getauscht."),
    ("cucu", "wrong_phase", "inn_guest", "Questa mossa non appartiene alla fase presente (decisione dell'ospite)."),
    ("coech", "not_your_turn", "", "Dieser Platz ist nicht an der Reihe; der Tisch wartet auf Platz 3."),
]
"""A game, a reason, the word of the refusal, and the sentence or its beginning."""


@pytest.mark.parametrize(("key", "code", "word", "said"), SAID)
def test_a_refusal_speaks_as_players_do(key: str, code: str, word: str, said: str) -> None:
    """Suits, ranks and phases have the names of the language and of the pack; cards stay in notation."""
    game = GAMES.game(key)
    reason = next(reason for each in GAMES for reason in each.reasons if reason.code == code)
    refusal = Refusal(reason, game.clauses[0], (Card("1"), Card("2")), (), word, 3)
    assert any(translator_for(language).reason(refusal, game.pack).startswith(said) for language in LANGUAGES)


def test_no_seat_is_to_move() -> None:
    """Where the table waits for a pack, and where it is not known whose turn it is, the sentence names no seat."""
    game = GAMES.game("coech")
    by_a_seat = validate_move(game, game.start(), 0, Move(game.chance_request(game.start()).verb))
    for refusal in (*by_a_seat, game.refuse(NOT_YOUR_TURN)):
        said = [translator_for(language).reason(refusal, game.pack) for language in LANGUAGES]
        short = ["It is not this seat's turn.", "Non tocca a questo posto.", "Dieser Platz ist nicht an der Reihe."]
        assert short == said


def test_sources_and_values_are_said() -> None:
    """What a clause rests on and what an option allows is said in the language, ids and values as they are."""
    italian, german = translator_for("it"), translator_for("de")
    assert "S004, variante 1; decisione SN-R4" == italian.source("S004, variation 1; ruling SN-R4")
    assert "Entscheide CC-R14 bis CC-R17" == german.source("rulings CC-R14 to CC-R17")
    option = next(option for option in GAMES.entry("coech").options if option.name == "first_dealer")
    assert "by_lot oder eine Zahl von 0 bis 3" == german.allowed(option.choices, option.minimum, option.maximum)


# ---------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("locale", "code"),
    [
        *[("it_IT.UTF-8", "it"), ("de", "de"), ("de_AT@euro", "de"), ("en-GB", "en")],
        *[("C", None), ("C.UTF-8", None), ("POSIX", None), ("fr_FR", None), ("", None), ("ita", None)],
    ],
)
def test_the_language_of_the_system(locale: str, code: str | None) -> None:
    """The system's locale names a language, which may be one of ours."""
    assert code == language_of_locale(locale)


@pytest.mark.parametrize(
    ("game", "card", "named"),
    [
        ("briscola", "Ab", ("ace of batons", "asso di bastoni", "Stäbe-Ass")),
        ("briscola", "7d", ("7 of coins", "7 di denari", "Münzen-7")),
        ("harjan", "Qh", ("queen of hearts", "donna di cuori", "Herz-Dame")),
        ("cucu", "XIV", ("hunter", "cacciatore", "Jäger")),
        ("cucu", "VII", ("VII", "VII", "VII")),
    ],
)
def test_names_of_cards(game: str, card: str, named: tuple[str, ...]) -> None:
    """A card has the name that players use in their language; a card of the Cucco pack without a name its number."""
    pack = GAMES.game(game).pack
    assert named == tuple(translator_for(code).card(pack.card(card), pack) for code in LANGUAGES)


def test_names_of_suits() -> None:
    """A suit is named as printed, or as the rules of a game call it."""
    briscola, coech = (GAMES.game(key).pack for key in ("briscola", "coech"))
    assert "Kelche" == translator_for("de").suit("c", briscola)
    assert "figure" == translator_for("it").suit("pictures", coech)


# ---------------------------------------------------------------------- choice names


NAMED = {f"{option.name}.{value}" for game in CATALOGUE for option in game.entry.options for value in option.choices}
"""Every option of every game with each of its values that is a word."""

PLAIN = {"always", "anticlockwise", "clockwise", "eldest", "given", "honours", "lowest", "points"}
"""The values that are English words already."""


@pytest.mark.parametrize("code", LANGUAGES)
def test_values_have_names_of_their_own(code: str) -> None:
    """Each value of an option has a name, without an underscore or notation, and no two have the same."""
    translator = translator_for(code)
    for game in CATALOGUE:
        cards: dict[str, str] = {card: translator.card(card, game.pack) for card in game.pack.cards}
        options = [(option.name, option.choices) for option in game.entry.options]
        for option, names in choice_names(translator, options, cards).items():
            assert len(names) == len(set(names.values())), (game.key, option)
            assert all("_" not in name and (name != value or name in PLAIN) for value, name in names.items())


def test_every_name_is_used() -> None:
    """There is no name for an option or a value that no game has."""
    assert {choice for choice in CHOICE_NAMES if "." in choice} <= NAMED
    assert {option.name for game in CATALOGUE for option in game.entry.options} >= SEAT_OPTIONS


def test_packets_and_cards_are_named_by_their_notation() -> None:
    """Packets that are alike are named by their number, others one by one, and a card by its name."""
    options = [("deal_packets", ("3-3-3", "1x9", "5", "3-2")), ("removed_two", ("2b",)), ("house", ("no_fun", "true"))]
    assert {
        "deal_packets": {"3-3-3": "3 at once", "1x9": "1 at once", "5": "5 at once", "3-2": "by turns 3, 2"},
        "removed_two": {"2b": "2 of batons"},
        "house": {"no_fun": "no fun", "true": "yes"},
    } == choice_names(ENGLISH, options, {"2b": "2 of batons"})


# ---------------------------------------------------------------------- proof texts


FINDINGS = Findings(
    [Withstood("a run", dict.fromkeys([kind for run in RUNS for kind in run.faults], 1200), 80, 1, 2, 900, 5.0, None)],
    Noticed(4, 4, 4, ()),
    {attack.name: Attacked(100, 50, 0, 20, 3.0) for attack in ATTACKS.values()},
)
"""What a run of the chaos tests finds: faults of every kind, and every attack."""


class Marking(NullTranslations):
    """Translates every text into a mark."""

    def pgettext(self, context: str, message: str) -> str:
        return "#"


def texts() -> Iterator[str]:
    """What the page shows today, and what it would show after a run of the chaos tests."""
    for figure in json.loads(FIGURES.read_text(encoding="utf-8")):
        yield from (figure["what"], figure["figure"], figure["says"])
    for figure in figures_of(FINDINGS):
        yield from (figure.what, figure.figure, figure.says)


def test_every_text_of_the_page_is_known() -> None:
    """Nothing is left in English; in English the texts are what was written."""
    for text in texts():
        assert re.fullmatch(r"#([;,.:] #)*", catalogues.translate_proof(Translator("xx", Marking()), text)), text
        assert text == catalogues.translate_proof(ENGLISH, text)


@pytest.mark.parametrize("code", LANGUAGES[1:])
def test_numbers_are_those_of_the_text(code: str) -> None:
    """A translation has every number of its text, written as the language does."""
    translator = translator_for(code)
    for text in texts():
        found, shown = (
            re.findall(r"\d[\d.,]*\d|\d", one) for one in (text, catalogues.translate_proof(translator, text))
        )
        assert Counter(number.translate(str.maketrans(",.", ".,")) for number in found) == Counter(shown), text


TRANSLATORS = [translator_for(code) for code in LANGUAGES[1:]]


def refusals(walk: Walk, rng: Random) -> Iterator[Refusal]:
    """Refusals in some positions of a walk, of moves that seats could make and of chance moves of other positions."""
    game, chances = walk.game, {step.move for step in walk.steps if step.actor == CHANCE}
    for at in walk.sample(rng):
        for seat in range(min(game.seats, 3)):
            for move in universe(game, rng, most=15):
                yield from validate_move(game, walk.positions[at], seat, move)
        for move in chances:
            yield from validate_move(game, walk.positions[at], CHANCE, move)


def check(foreign: Translator, game: AnyGame, refusal: Refusal) -> None:
    """Check a translated refusal: no placeholders, not the English text, and names of phases and suits translated."""
    said = foreign.reason(refusal, game.pack)
    assert not {"{", "}"} & set(said), said
    assert said != ENGLISH.reason(refusal, game.pack)
    assert said[0] == said[0].upper()
    if refusal.reason == WRONG_PHASE:
        assert foreign.phase(refusal.word) != ENGLISH.phase(refusal.word)
        assert foreign.phase(refusal.word) in said
    elif "{word}" in refusal.reason.text and refusal.word in game.pack.suits and refusal.word:
        assert foreign.names(game.pack)[refusal.word] in said
    if "{allowed_cards}" in refusal.reason.text:
        assert " ".join(refusal.allowed_cards) in said


@pytest.mark.parametrize("rule_set", [*defaults(), *combined_variants()], ids=name)
def test_every_refusal_is_translated(rule_set: RuleSet) -> None:
    """Refusals in play are translated to Italian and German, with their arguments."""
    walk = known_walk(rule_set, "translations", deals=1, effort=2)
    met = {(refusal.code, refusal.word): refusal for refusal in refusals(walk, Random(name(rule_set)))}
    assert met
    for refusal in met.values():
        for foreign in TRANSLATORS:
            check(foreign, walk.game, refusal)


@pytest.mark.parametrize("game", list(CATALOGUE), ids=lambda game: game.key)
def test_every_reason_is_translated(game: AnyGame) -> None:
    """Every reason of a game has a translation, whether or not play has come to it."""
    cards = tuple(game.pack.cards[:2])
    for reason in game.reasons:
        word = "play" if reason == WRONG_PHASE else "9"
        refusal = Refusal(reason, game.entry.reason_clauses[reason.code], cards, cards, word, 3)
        for foreign in TRANSLATORS:
            check(foreign, game, refusal)
