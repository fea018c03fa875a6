"""The text of ``rules.md``: games, packs, options, moves, reasons, clauses with their sources, and events.

So nobody needs this program to read the vectors.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame
from chitarrella.core.model import MoveSpec, Reason
from chitarrella.i18n.narration import SENTENCES
from tests.walks import CATALOGUE, defaults, variants

FOLDER = Path(__file__).parent
COMMAND = "make vectors"


def rules() -> str:
    """Put all games and events into one text."""
    return (
        "\n".join(
            [
                f"# The games\n\nWritten by `{COMMAND}`; `README.md` says how to read it.",
                *(line for game in CATALOGUE for line in of_game(game)),
                *events(),
            ]
        )
        + "\n"
    )


def events() -> Iterator[str]:
    """The kinds of events."""
    yield "\n## Events\n\nA sentence for each kind, or for a kind with a certain word.\n"
    yield from (f"- `{kind}` {sentence}" for kind, sentence in SENTENCES.items())


def of_game(game: AnyGame) -> Iterator[str]:
    """What can be agreed, said and cited in a game."""
    seated = [CATALOGUE.game_for(rule_set) for rule_set in rule_sets(game)]
    yield f"\n## {game.title} (`{game.key}`, edition {game.edition})\n"
    yield f"Players: {', '.join(map(str, sorted(game.seatings)))}. Pack of {len(game.pack.cards)}, in canonical order: "
    yield f"{' '.join(game.pack.cards)}\n"
    yield f"Played in: {game.place}. Sources: {', '.join(game.sources)}."
    yield from (f"- edition {edition.number}: {edition.changes}" for edition in game.editions)
    yield ""
    for option in game.options:
        values = [*option.choices]
        if option.minimum is not None:
            values.append(f"{option.minimum} to {'any number' if option.maximum is None else option.maximum}")
        yield f"- option `{option.name}`: {', '.join(values)}; if nothing is said `{option.default}`"
        yield f"  - {option.description} ({option.source})"
    yield ""
    forms = {form.verb: form for one in seated for form in one.move_specs.values()}
    for form in forms.values():
        yield f"- move `{shape(form)}` in {', '.join(sorted(form.phases))}{manner(form)}: {form.description}"
    yield ""
    reasons: dict[str, Reason] = {reason.code: reason for one in seated for reason in one.reasons}
    yield from (f"- reason `{code}`{' (a price)' * reason.penalty} {reason.text}" for code, reason in reasons.items())
    yield ""
    clauses = {clause.key: clause for one in seated for clause in one.clauses}
    yield from (f"- clause `{key}` {clause.text} ({clause.source})" for key, clause in clauses.items())


def rule_sets(game: AnyGame) -> list[RuleSet]:
    """The rule sets of a game."""
    return [rule_set for rule_set in (*defaults(), *variants()) if rule_set.game == game.key]


def shape(form: MoveSpec) -> str:
    """The parts of a move in notation, in order."""
    least, most = form.cards
    several = f"CARD x {least}" if least == most else f"CARD x {least} to {most}"
    words = "|".join(filter(None, form.choices))
    parts = [form.verb]
    parts += ["CARD" if most == 1 else several] * bool(most)
    parts += [f"[{words}]" if "" in form.choices else words] * bool(form.choices)
    parts += [] if form.amounts is None else ["NUMBER"]
    parts += ["[PERSON:NUMBER ...]"] * form.shares + ["[@SEAT]"] * form.seat
    return " ".join(parts)


def manner(form: MoveSpec) -> str:
    """Who makes a move, if that is not the seat on turn alone."""
    said = {
        "by the table": form.by_chance,
        "out of turn too": form.out_of_turn,
        "when a seat's time is over": form.timeout_default,
    }
    manners = [words for words, so in said.items() if so]
    return f" ({', '.join(manners)})" if manners else ""
