"""The rule book in other languages: complete, exact, fresh, and chosen as the caller wishes."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace as but
from pathlib import Path
from types import ModuleType

import pytest
from babel.messages.pofile import read_po

import chitarrella.messages
from chitarrella import tongues
from chitarrella.cards import Card
from chitarrella.catalogue import Catalogue
from chitarrella.messages import main, messages, updated
from chitarrella.phrases import SOURCES
from chitarrella.tongues import ENGLISH, LANGUAGES, LOCALE, language_of, tongue, tongue_for
from chitarrella.tricks.game import TrickGame
from chitarrella.words import NOT_IN_HAND, Clause, Refusal

GAMES = Catalogue()
TEXTS = messages(GAMES)
FOREIGN = LANGUAGES[1:]

SAME = {
    "it": {"Guyana", "Trieste", "Campli, Abruzzo", "Scandinavia", "Montorio al Vomano, Abruzzo", "Cucco", "no"},
    "de": {"Guyana", "Cucco"},
}
"""Names of places and of a pack, and a word, that are the English ones; titles of games are names everywhere."""

NAMES = {
    *("Bisca", "Bohemian", "Brisca", "Briscola", "Campli", "Chiamata", "Cucù", "Cöch", "Elfern", "Guyana", "Harjan"),
    *("Hundredogen", "Lu", "Madrasso", "Montorio", "Réunion", "Schneider", "Stù", "a", "card", "game", "trionfo"),
    *("Dictionnaire", "Konversations-Lexikon", "Lexicon", "Meyers", "Pierer's", "Trévoux", "de", "Wikipedia"),
    *("acanomas.com", "gamerules.com", "it.wikipedia.org", "juegoacartas.com", "naipes-casino.com.ar", "nisja.info"),
    "pagat.com",
}
"""Names in the sources of clauses: of games, places, books and sites, and the title of an article."""

CITED = re.compile(r"[A-Z]{2}-[A-Z]?\d[\w.]*|S\d{3}|\d{4}|\d")


# ---------------------------------------------------------------------- the catalogues


@pytest.mark.parametrize("code", FOREIGN)
def test_everything_is_translated(code: str) -> None:
    """Every clause, reason, option, move and heading has a translation that counts, and there is no other."""
    assert set(TEXTS.items()) == set(tongue(code).texts)
    clauses = {clause.key for game in GAMES for clause in game.clauses}
    reasons = {f"reason {reason.code}" for game in GAMES for reason in game.reasons}
    options = {f"option {game.key}.{option.name}" for game in GAMES for option in game.options}
    moves = {f"move {game.key}.{verb}" for game in GAMES for verb in game.forms}
    assert clauses | reasons | options | moves < set(TEXTS)


@pytest.mark.parametrize("code", FOREIGN)
def test_the_file_is_what_would_be_written(code: str) -> None:
    """Writing the catalogue anew gives it to the letter; nothing in it is fuzzy or left from earlier."""
    path = LOCALE / f"{code}.po"
    assert path.read_text(encoding="utf-8") == updated(code, TEXTS.items())
    with path.open("rb") as file:
        read = read_po(file, abort_invalid=True)
    assert [message.id for message in read if message.id and message.fuzzy] == []
    assert not read.obsolete
    assert "@" not in path.read_text(encoding="utf-8")


def test_the_check_finds_the_files_fresh() -> None:
    """The command that looks for stale files finds none."""
    assert 0 == main(["--check"])


@pytest.mark.parametrize("code", FOREIGN)
def test_only_names_are_as_in_english(code: str) -> None:
    """A text that is the same as the English one is a name."""
    titles = {game.title for game in GAMES}
    same = {english for (_, english), said in tongue(code).texts.items() if english == said}
    assert same - titles == SAME[code]


@pytest.mark.parametrize("code", FOREIGN)
def test_what_is_not_words_stays(code: str) -> None:
    """Marks, figures, Roman numerals, names of cards and the last sign are the same as in English."""
    for (key, english), said in tongue(code).texts.items():
        for kept in (r"\{\w*\}", r"-?\d+", r"\b(?:[IVX]{2,}|[VX]|MAT|LEO|NUL|SEC|MAS)\b", r"^ ", r" $", r"^[;,]"):
            assert Counter(re.findall(kept, english)) == Counter(re.findall(kept, said)), (key, kept)
        ends = [text[-1] if text[-1] in ".,:;?!) " else "" for text in (english, said)]
        assert ends[0] == ends[1], key


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_english_is_left_in_a_source(code: str) -> None:
    """What a clause or option rests on is said in names, numbers and translated words alone."""
    said = {tongue(code).say(f"source {words}", words) for words in SOURCES}
    known = NAMES | {word for words in said for word in words.split()}
    for game in GAMES:
        for source in [clause.source for clause in game.clauses] + [option.source for option in game.options]:
            words = re.findall(r"[^\s,;:()]+", CITED.sub("", tongue(code).source(source)))
            assert set(words) <= known, source


# ---------------------------------------------------------------------- when the English changes


def test_a_changed_text_waits_for_its_translator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed sentence keeps its old translation, unused; a new one has none; one that is gone is dropped."""
    wanted = {**TEXTS, "CO-17": "Something else.", "CO-99": "Something new."}
    del wanted["CO-16"]
    text = updated("it", wanted.items())
    (tmp_path / "it.po").write_text(text, encoding="utf-8")
    with (tmp_path / "it.po").open("rb") as file:
        read = {message.context: message for message in read_po(file)}
    assert read["CO-17"].fuzzy
    assert "rispondere" in str(read["CO-17"].string)
    assert "" == read["CO-99"].string
    assert "CO-16" not in read
    monkeypatch.setattr(tongues, "LOCALE", tmp_path)
    italian = tongue.__wrapped__("it")
    changed, new = Clause("CO-17", "Something else.", "ruling"), Clause("CO-99", "Something new.", "ruling")
    assert ["Something else.", "Something new."] == [italian.clause(changed), italian.clause(new)]


def test_stale_files_are_found_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The check names the file that is not what would be written, and writing it anew makes it so."""
    for code in FOREIGN:
        (tmp_path / f"{code}.po").write_bytes((LOCALE / f"{code}.po").read_bytes())
    with (tmp_path / "de.po").open("a", encoding="utf-8") as file:
        file.write('\nmsgctxt "CO-99"\nmsgid "Nobody says this."\nmsgstr "Das sagt niemand."\n')
    monkeypatch.setattr(chitarrella.messages, "LOCALE", tmp_path)
    assert [1, 0, 0] == [main(["--check"]), main([]), main(["--check"])]
    assert "de.po is stale\nde.po is written\n" == capsys.readouterr().out
    assert (LOCALE / "de.po").read_bytes() == (tmp_path / "de.po").read_bytes()


def test_two_texts_under_one_id_are_found() -> None:
    """A clause whose id another game has for another sentence cannot be translated, and is named."""
    briscola, coteccio = GAMES.game("briscola"), GAMES.game("coteccio")
    assert isinstance(coteccio, TrickGame)
    twice = but(coteccio, own_clauses=(*coteccio.own_clauses, Clause("BR-3.1", "Something else.", "ruling")))
    module = ModuleType("twice")
    module.__dict__["GAMES"] = (briscola, twice)
    with pytest.raises(ValueError, match=r"^BR-3\.1: two texts have one id$"):
        messages(Catalogue(iter([module])))


# ---------------------------------------------------------------------- what is said


def test_english_is_what_the_rules_say() -> None:
    """English is a language like the others, and says the very sentences of the rules."""
    game = GAMES.game("coteccio")
    assert [clause.says for clause in game.clauses] == [ENGLISH.clause(clause) for clause in game.clauses]
    assert [form.means for form in game.forms.values()] == [ENGLISH.form(game, form) for form in game.forms.values()]
    assert [o.allowed for o in game.options] == [
        f"allowed: {ENGLISH.allowed(option.words, option.least, option.most)}" for option in game.options
    ]
    refusal = game.refuse(NOT_IN_HAND, word="Ab")
    assert refusal.because == ENGLISH.because(refusal, game.pack) == "Ab is not in the hand."


SAID = [
    ("coteccio", "must_follow_suit", "c", "Il seme d'uscita è coppe, e vi si deve rispondere"),
    ("coteccio", "must_follow_suit", "s", "Die angespielte Farbe ist Schwerter und muss bedient werden"),
    ("bisca-guyana", "must_follow_or_trump", "s", "Die angespielte Farbe ist Pik; solange die Hand davon hat"),
    ("coech", "must_follow_suit", "pictures", "Il seme d'uscita è figure, e vi si deve rispondere"),
    ("briscola-chiamata", "call_not_lower", "F", "Fante non è più basso dell'ultima offerta."),
    ("zifuli", "call_not_lower", "VIII", "VIII ist nicht niedriger als das letzte Gebot."),
    ("brisca", "exchange_wrong_card", "7b or 2b", "Solo 7b o 2b si scambia con la carta girata."),
    ("brisca", "exchange_wrong_card", "no card", "Gegen die aufgeschlagene Karte wird nur keine Karte getauscht."),
    ("cucu", "wrong_phase", "inn_guest", "Questa mossa non appartiene alla fase presente (decisione dell'ospite)."),
    ("cucu", "must_exchange", "NUL", "Unter einem geltenden Abkommen muss NUL getauscht werden."),
    ("coech", "not_your_turn", "", "Dieser Platz ist nicht an der Reihe; der Tisch wartet auf Platz 3."),
    (
        "madrasso",
        "must_trump",
        "d",
        "Il seme d'uscita è denari, la mano non ne ha ma ha briscole, e deve giocarne una: 1 2.",
    ),
]
"""A game, a reason, the word of the refusal, and the sentence or its beginning."""


@pytest.mark.parametrize(("key", "code", "word", "said"), SAID)
def test_a_refusal_speaks_as_players_do(key: str, code: str, word: str, said: str) -> None:
    """Suits, ranks and phases have the names of the language and of the pack; cards stay in notation."""
    game = GAMES.game(key)
    reason = next(reason for each in GAMES for reason in each.reasons if reason.code == code)
    refusal = Refusal(reason, game.clauses[0], (Card("1"), Card("2")), (), word, 3)
    assert any(tongue(language).because(refusal, game.pack).startswith(said) for language in FOREIGN)


def test_sources_and_values_are_said() -> None:
    """What a clause rests on and what an option allows is said in the language, ids and values as they are."""
    italian, german = tongue("it"), tongue("de")
    assert "S004, variante 1; decisione SN-R4" == italian.source("S004, variation 1; ruling SN-R4")
    assert "Entscheide CC-R14 bis CC-R17" == german.source("rulings CC-R14 to CC-R17")
    option = next(option for option in GAMES.game("coech").options if option.name == "first_dealer")
    assert "by_lot oder eine Zahl von 0 bis 3" == german.allowed(option.words, option.least, option.most)


# ---------------------------------------------------------------------- which language


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ("", "en"),
        ("de", "de"),
        ("IT", "it"),
        ("de-AT", "de"),
        ("it-CH, de-CH;q=0.9", "it"),
        ("en-GB,it;q=0.8", "en"),
        ("en;q=0.5, it;q=0.8", "it"),
        ("it;q=0.5,de;q=0.5", "it"),
        ("de;q=0.5,it;q=0.5", "de"),
        ("fr, de;q=0.3", "de"),
        ("fr, ja;q=0.3", "en"),
        ("de ; q=0.1 , it ; q=0.25", "it"),
        ("it;Q=0.100, de;q=1.000", "de"),
        ("*", "en"),
        ("*, it;q=0.5", "en"),
        ("it, *;q=0.5", "it"),
        ("en;q=0, *", "it"),
        ("en;q=0, it;q=0, *;q=0.1", "de"),
        ("de;q=0", "en"),
        ("*;q=0", "en"),
        ("de-CH;q=0.2, it;q=0.4, de-DE;q=0.6", "de"),
        ("it;q=2", "en"),
        ("it;q=-1", "en"),
        ("it;q=0.1234", "en"),
        ("it;q=nan", "en"),
        ("it;q=", "en"),
        ("it;level=1", "en"),
        ("it;;q=1", "en"),
        ("it_IT", "en"),
        ("italiano", "en"),
        ("-it", "en"),
        (",,;,de,;q=1", "de"),
        ("i\u0307t", "en"),
        ("it;q=\u0661", "en"),
        ("it\n", "it"),
        ("\x00", "en"),
        (", " * 5000 + "it", "en"),
        ("fr," * 39 + "it", "it"),
        ("it" * 5000, "en"),
    ],
)
def test_the_best_language_is_chosen(wish: str, code: str) -> None:
    """Quality decides, then the order; regions do not matter; what is no wish is passed over."""
    assert code == tongue_for(wish).code


@pytest.mark.parametrize(
    ("locale", "code"),
    [
        *[("it_IT.UTF-8", "it"), ("de", "de"), ("de_AT@euro", "de"), ("en-GB", "en")],
        *[("C", None), ("C.UTF-8", None), ("POSIX", None), ("fr_FR", None), ("", None), ("ita", None)],
    ],
)
def test_the_language_of_the_system(locale: str, code: str | None) -> None:
    """The system's locale names a language, which may be one of ours."""
    assert code == language_of(locale)
