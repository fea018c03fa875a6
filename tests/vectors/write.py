"""Write what the vectors say into ``words.md``: ``python -m tests.vectors.write``.

Games, packs, options, moves, reasons, clauses with their sources, and events, so that nobody needs this program to
read the vectors.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from chitarrella.catalogue import Agreement
from chitarrella.game import AnyGame
from chitarrella.story import SENTENCES
from chitarrella.words import Form, Reason
from tests.kit import CATALOGUE, defaults, variants

FOLDER = Path(__file__).parent
WORDS = FOLDER / "words.md"
COMMAND = "python -m tests.vectors.write"


def main() -> int:
    """Write the file."""
    WORDS.write_text(words(), encoding="utf-8")
    return 0


def words() -> str:
    """Put all words into one text."""
    return (
        "\n".join(
            [
                f"# Words of the vectors\n\nWritten by `{COMMAND}`; `README.md` says how to read them.",
                *(line for game in CATALOGUE for line in of_game(game)),
                "\n## Events\n\nA sentence for each kind, or for a kind with a certain word.\n",
                *(f"- `{kind}` {sentence}" for kind, sentence in SENTENCES.items()),
            ]
        )
        + "\n"
    )


def of_game(game: AnyGame) -> Iterator[str]:
    """What can be agreed, said and cited in a game."""
    seated = [CATALOGUE.seat(agreement) for agreement in agreements(game)]
    yield f"\n## {game.title} (`{game.key}`, edition {game.edition})\n"
    yield f"Players: {', '.join(map(str, sorted(game.seatings)))}. Pack of {len(game.pack.cards)}, in canonical order: "
    yield f"{' '.join(game.pack.cards)}\n"
    yield f"Played in: {game.place}. Sources: {', '.join(game.sources)}."
    yield from (f"- edition {edition.number}: {edition.changes}" for edition in game.editions)
    yield ""
    for option in game.options:
        values = [*option.words]
        if option.least is not None:
            values.append(f"{option.least} to {'any number' if option.most is None else option.most}")
        yield f"- option `{option.name}`: {', '.join(values)}; if nothing is said `{option.default}`"
        yield f"  - {option.means} ({option.source})"
    yield ""
    forms = {form.verb: form for one in seated for form in one.forms.values()}
    for form in forms.values():
        yield f"- move `{shape(form)}` in {', '.join(sorted(form.phases))}{manner(form)}: {form.means}"
    yield ""
    reasons: dict[str, Reason] = {reason.code: reason for one in seated for reason in one.reasons}
    yield from (f"- reason `{code}`{' (a price)' * reason.penalty} {reason.says}" for code, reason in reasons.items())
    yield ""
    clauses = {clause.key: clause for one in seated for clause in one.clauses}
    yield from (f"- clause `{key}` {clause.says} ({clause.source})" for key, clause in clauses.items())


def agreements(game: AnyGame) -> list[Agreement]:
    """The rule sets of a game."""
    return [agreement for agreement in (*defaults(), *variants()) if agreement.game == game.key]


def shape(form: Form) -> str:
    """Say what is written of a move, in its order."""
    least, most = form.cards
    several = f"CARD x {least}" if least == most else f"CARD x {least} to {most}"
    words = "|".join(filter(None, form.words))
    parts = [form.verb]
    parts += ["CARD" if most == 1 else several] * bool(most)
    parts += [f"[{words}]" if "" in form.words else words] * bool(form.words)
    parts += [] if form.amounts is None else ["NUMBER"]
    parts += ["[PERSON:NUMBER ...]"] * form.shares + ["[@SEAT]"] * form.seat
    return " ".join(parts)


def manner(form: Form) -> str:
    """Say of a move who makes it, where that is not the seat on turn alone."""
    said = {"by the table": form.by_chance, "out of turn too": form.free, "when a seat's time is over": form.lapse}
    manners = [words for words, so in said.items() if so]
    return f" ({', '.join(manners)})" if manners else ""


if __name__ == "__main__":
    sys.exit(main())
