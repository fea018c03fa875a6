"""English texts of the command line and of the rule book pages, by a stable key; and the words used in sources.

They are headings and parts of sentences around the rules, translated together with them. The rules keep their own
texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CLI_TEXTS: Final = {
    "and": " and ",
    "or": " or ",
    "head": "{place}; source {sources}; edition {edition}",
    "players": "Players",
    "cards": "Cards",
    "options": "Options  -o NAME=VALUE",
    "moves": "Moves",
    "reasons": "Why a move may be refused",
    "rule book": "Rule book",
    "sides": "seats {sides}",
    "against": " against ",
    "each alone": "each alone",
    "dummy": "seat {seat} is a dummy of {owner}",
    "so many cards": "{cards} cards",
    "without": " (without {cards})",
    "span": "{first} to {last}",
    "pack": "{pack} pack, {cards} cards",
    "twins": ", each face twice",
    "order": "; strongest first:",
    "name": "name",
    "default": "default",
    "allowed": "allowed",
    "description": "what it means",
    "source": "source",
    "written": "written",
    "does": "what it does",
    "when": "when",
    "code": "code",
    "said": "what is said",
    "clause": "clause",
    "text": "what it says",
    "by chance": ", by the table",
    "out of turn": ", also out of turn",
    "penalty": " (Allowed, at a price.)",
    "number from": "a number from {least}",
    "number between": "a number from {least} to {most}",
    "refused": "{move} is refused.",
    "many cards": "{verb} with {number} cards",
    "you may": "You may",
}
"""A text that begins or ends with a blank stands inside a line."""

SOURCE_WORDS: Final = (
    *("common", "ruling", "rulings", "as", "as in", "and", "to", "of", "only", "drawn by the caller"),
    *("reconstructed from", "recovered", "the next page of the book of", "follows from", "web source", "web sources"),
    *("a web source", "two Italian web pages", "English Wikipedia", "is silent", "has both", "names no number"),
    *("the default is ours", "the best of five", "one of the Twos", "a low card", "a guess", "for the lot"),
    *("for the trump", "variation", "Variant A", "packets", "eldest", "the soloist", "clockwise", "in turn", "yes"),
    "no",
)
"""The words between the names and numbers in the source of a clause; names are the same in every language."""

# Of a match in the terminal.
PLAY_TEXTS: Final = {
    "intro": "you have seat {seat}, and a bot ({bot}) has seat {seats}.",
    "intro bots": "you have seat {seat}, and bots ({bot}) have seats {seats}.",
    "seed": "The seed is {seed}. Type ? for help.",
    "next deal": "Enter for the next deal ",
    "input ended": "The input has ended, and with it the match.",
    "left": "You leave the table.",
    "not understood": "  Not understood: {reason}. Type ? for help.",
    "help number": "make the move with this number",
    "help card": "make the move with this card",
    "help move": "make a move in full",
    "help shares": "name who has how much: PERSON:AMOUNT; a seat by its number, %20 for a blank in a name",
    "help hint": "show the move of the greedy bot",
    "help hand": "explain every card of the hand",
    "help table": "show the table again",
    "help record": "write the match so far to a file, for 'chitarrella replay'",
    "help quit": "leave the match",
    "file exists": "  {file} is there already; name a new file.",
    "no file": "  Into which file? record FILE",
    "not written": "  {file} cannot be written: {reason}.",
    "written": "  The match so far is in {file}; it holds every card, the hidden ones too.",
    "worth": " It counts {worth}.",
    "your hand": "Your hand",
    "dummy hand": "Dummy, seat {seat}",
    "more moves": "  … and {number} more",
    "card": "card",
    "name": "name",
    "counts": "counts",
    "nothing": "nothing",
    "you hold": "  You hold {cards}.",
    "no": "No: {why}",
    "may be played": "may be played",
    "of": " of {who}",
    "stock": "stock {number}",
    "yes": "yes",
    "seat": "seat",
    "cards": "cards",
    "score": "score",
    "dealer": "dealer",
    "trick": "Trick",
    "seat name": "Seat {seat}",
    "you name": "You, seat {seat}",
    "partner name": "Seat {seat}, your partner",
    "your dummy name": "Seat {seat}, your dummy",
    "dummy name": "Seat {seat}, dummy of {owner}",
    "no such number": "there is no move number {number}; the moves are numbered 1 to {last}",
    "neither": "{word} is neither a card of the {pack} pack nor a move",
    "no such move": "no move takes {number} cards",
    "bot random": "random",
    "bot greedy": "greedy",
    "bot search": "search",
}
"""Lines, headings and answers. What begins or ends with a blank stands inside a line, or is indented."""

# Of the HTML and Markdown pages.
PAGE_TEXTS: Final = {
    "sentence": "The rules of {games} traditional card games: a rule book for people, and a service that programs ask"
    " which moves are legal.",
    "games": "Games",
    "play": "Play",
    "play this": "Play this game",
    "no script": "This page needs JavaScript.",
    "play says": "Sit down at a table in this browser, against the bots or with others.",
    "ask": "Ask",
    "ask this": "Ask about a trick",
    "ask says": "Lay out a trick and a hand: which cards may be played, and why not the others.",
    "records": "Records",
    "records says": "Read a match move by move: every card, every event. For any page, as an element.",
    "duel": "Bots' duel",
    "duel says": "Let bots play each other in any game, and see the points rise deal by deal.",
    "rules": "Rule books",
    "rules says": "Every clause with its source, every reason for which a move may be refused.",
    "api says": "Every call over HTTP, with examples that can be tried at once.",
    "proofs": "Proofs",
    "proofs says": "What shows that the rules are right, each figure with the command that prints it.",
    "proofs text": "What shows that the rules are right. Nobody need believe it: each figure is shown by its command,"
    " run in the repository after {install}; {evidence} prints them all.",
    "what": "what",
    "figure": "figure",
    "command": "command",
    "strength": "Strength of the bots",
    "strength text": "How often {one} was ahead of {other}: every deal is played twice with seats swapped, so that luck"
    " cancels out. Half of the time, the line in the middle, would be no better; the bar is the interval of 95 %. The"
    " last column is the margin in points of a deal. Shown by {command}.",
    "game": "game",
    "players": "players",
    "deals": "deals",
    "deal count": "{deals} deals",
    "ahead": "ahead",
    "points": "points",
    "point count": "{points} points",
    "speed": "Speed",
    "speed text": "Measured by {command} on {date}, commit {commit}, beside other engines and beside servers of the"
    " same stack without rules. All figures are in {report}.",
    "clause by clause": "The rule books, clause by clause:",
    "errors": "Errors",
    "errors says": "The code of every error and of every refused move.",
    "errors text": "What a call may fail with. Each code is stable, so a program can depend on it.",
    "errors and refusals": "Errors and refusals",
    "what to do": "what to do",
    "refusals": "Refusals",
    "refusals text": "Why a move may be against the rules. A refusal is an answer, not an error; it names the clause"
    " that is broken.",
    "not found": "Not found",
    "not found text": "There is nothing at this address. These pages may help:",
    "programs": "For programs",
    "programs says": "What is where, in plain text: the rule books as Markdown, the contract as OpenAPI.",
    "integration": "Integration",
    "integration says": "What a program has to know that plays here: keys, retries, watching, fair deals, bots.",
    "notation": "Notation",
    "sources": "Sources",
    "glossary": "Glossary",
    "in English": "This page is in English only.",
    "language": "Language",
    "skip": "Skip to the content",
    "contents": "Contents",
    "main": "Main pages",
    "player count": "{players} players",
    "card order": "The cards, best first",
    "card order of": "{suits}, best first",
    "card counts": "The number below a card is what it counts.",
    "card trumps": "Trumps may change order and count.",
    "at a glance": "The game",
    "a deal": "A deal",
    "a trick": "A trick",
    "a round": "A round",
    "turn-up": "Turn-up",
    "refused card": "Seat {seat} may not play the {card}.",
    "open example": "Ask what else may be played here",
    "place": "Place",
    "edition": "Edition",
    "clauses": "Clauses",
    "common clauses": "Clauses common to all games",
    "markdown": "This page as Markdown",
    "footer": "The pictures of the cards are in the public domain (CC0).",
}
"""Whole sentences and headings. Placeholders stand in braces."""

FACT_NAMES: Final = {
    "agreement": "agreed division of the pool",
    "ally": "plays with the soloist",
    "alone": "plays alone",
    "announced": "announced card",
    "bid": "bid",
    "bidder": "last bid by",
    "called_card": "called card",
    "card_points": "card points",
    "chips": "chips",
    "controller": "played by",
    "cost": "price of a re-entry",
    "deal": "deal",
    "dealer": "dealer",
    "deals_won": "deals won",
    "dealt_in": "plays in this deal",
    "declared_suit": "suit asked for",
    "doctor_calls": "calls of the doctor that are limited",
    "doctor_calls_total": "calls of the doctor",
    "doubled": "the next deal counts double",
    "draws": "deals that nobody won",
    "exchanged": "card taken for the turn-up",
    "games": "games won",
    "guarantee": "pays for the zero of",
    "half_points": "half points",
    "honours": "honours",
    "leader": "leads to the first trick",
    "lifted": "cards lifted",
    "listed": "number on the list",
    "lives": "lives",
    "looked": "looked at a card and left it",
    "looked_at": "card looked at",
    "net": "won and lost",
    "next_game": "seats in the next game",
    "offered_money": "money offered",
    "offered_share": "percent offered",
    "out": "out of the match",
    "payment": "paid for this deal",
    "points": "points of this deal",
    "pool": "pool",
    "promised": "percent promised",
    "proposal": "proposed division of the pool",
    "required": "points needed",
    "revoke": "card of the revoke",
    "revoke_code": "duty broken by the revoke",
    "robbed": "cards robbed",
    "robbed_card": "robbed card",
    "side_half_points": "half points of the side",
    "side_units": "units of the side",
    "signal": "signalled trump",
    "stock": "cards in the stock",
    "syndicate": "tokens paid by others",
    "tokens": "tokens",
    "total": "total of the game",
    "trump": "trumps",
    "turn_up": "turn-up",
    "units": "units",
    "virgin": "no token lost or bought",
}

# The facts whose value says only that they are true.
FLAGS: Final = frozenset({"alone", "dealt_in", "doubled", "looked", "out", "virgin"})
# The facts whose value is a seat.
SEATS: Final = frozenset({"ally", "bidder", "controller", "dealer", "guarantee", "leader"})

WORDS: Final = (
    *("card_points", "half_points", "honours", "points", "units"),
    *("numbers", "pictures"),
    *("pass", "alone", "with_an_ally", "game", "jan", "slam", "right", "wrong"),
    "must_follow_suit",
)
"""What events and facts name beside cards, suits and ranks: counts, suits without a letter, answers, broken duties."""

MATCH_SENTENCES: Final = {
    "contributed": "{Who} adds a seed to the shuffle: {word}.",
    "shuffle_requested": "The shuffle waits for no more seeds.",
    "time_over": "The time of {who} is over.",
    "bot_seated": "A bot plays for {who}: {word}.",
    "bot_left": "A person plays for {who} again.",
    "clock_advanced": "The clock of the match moves forward, by this many seconds: {amount}.",
    "takeback_requested": "{Who} asks to take the last decision back.",
    "takeback_agreed": "{Who} agrees to take the last decision back.",
    "takeback_declined": "{Who} does not agree to take the last decision back.",
    "taken_back": "The last decision of {who} is taken back.",
    "moves_lost": "The service has lost moves; the match goes on from the last one that it has.",
}

# Sentences by kind of event, or kind and word, as `chitarrella.i18n.narration.SENTENCES`.
ADDED_SENTENCES: Final[dict[str, str]] = {}
ADDED_FACT_NAMES: Final[dict[str, str]] = {}


def add_english(sentences: Mapping[str, str], fact_names: Mapping[str, str]) -> None:
    """Use further texts; where there are two, the first counts. Idempotent."""
    for added, more in ((ADDED_SENTENCES, sentences), (ADDED_FACT_NAMES, fact_names)):
        for key, text in more.items():
            added.setdefault(key, text)
