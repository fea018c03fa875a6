"""English texts of the page of proofs, by a stable key; numbers stand in braces. They are translated with the rules.

The figures themselves are counted and measured by the tests, which write them as English text; a text that is not
here stays English.
"""

from __future__ import annotations

import re
from typing import Final

from chitarrella.i18n.translator import ENGLISH, Translator

FIGURES: Final = {
    "games": "games",
    "games figure": "{0} games, {1} rule sets",
    "games note": "A rule set is a game with a number of players and at most one option that is not the usual one.",
    "rule book": "rule book",
    "rule book figure": "{0} clauses, all with a test that names them, {1} such tests",
    "rule book note": "Every clause of every game has a test or a worked example that says it proves it.",
    "examples": "worked examples",
    "examples figure": "{0} examples",
    "examples note": "Examples worked out by hand from the sources, each with its number.",
    "laws": "laws",
    "laws figure": "{0} laws over every rule set",
    "soak": "soak",
    "soak figure": "{0} random deals, {1} at least of each of the {2} rule sets",
    "soak note": "At least {0} of the same laws over deal after deal: a game, a number of players, and at most one"
    " option that is not the usual one. A broken law names the seed that shows it. What held is kept by rule set in"
    " lab/soak/progress.txt.",
    "perft": "card perft",
    "perft figure": "{0} counts of {1} stride deals",
    "perft note": "All the ways in which a deal can go on, counted; no random generator is needed to repeat them.",
    "playthroughs": "playthroughs",
    "playthroughs figure": "{0} golden playthroughs",
    "playthroughs note": "Matches and deals, move by move, with all that happened; each plays itself again.",
    "refusals": "refusals",
    "refusals figure": "{0} moves and what is against them",
    "refusals note": "For every reason and every clause that a game can refuse with, moves that are refused for it.",
    "invalid": "invalid positions",
    "invalid figure": "{0} lines that no table can come to",
    "invalid note": "For every game every fault that was met among positions corrupted at random, with the field at"
    " fault.",
    "views": "views",
    "views figure": "{0} views of positions",
    "views note": "What the public, a seat and the referee see of a position: for every game every kind of zone and"
    " fact.",
    "coverage": "coverage",
    "coverage figure": "{0} % of the lines and branches of the rules",
    "coverage note": "Every line and every branch of the rules is run by a test; the command fails below that.",
    "mutants": "mutants",
    "mutants figure": "{0} % of {1} random changes of the rules are noticed ({2} % interval {3} to {4})",
    "mutants note": "Each change is one that mutmut's operators make to a line of the rules, data included; there are"
    " some {0}, and without --sample all are tried. A change that leaves the rules the same is listed with the"
    " reason, and does not count. Tests have been written since for some of the others, so that the command may"
    " report a little more.",
    "recorded": "recorded play",
    "recorded figure": "{0} matches and {1} states recorded by others",
    "recorded note": "Deals that others played, and states that others worked out, have the same results here.",
    "secrecy": "secrecy",
    "secrecy figure": "every response of every transport, in all games",
    "secrecy note": "Two services hold the same match except for what a role cannot see: every byte that this role"
    " can fetch is the same.",
    "faults": "faults",
    "faults figure": "a match over three transports, while workers are killed and connections cut",
    "faults note": "No move is lost or played twice, and what every watcher received is the record.",
    "fuzzing": "fuzzing",
    "fuzzing figure": "{0} parsers and {1} transports, every input of the kept corpus",
    "fuzzing note": "Any bytes are parsed, and written back the same, or refused with the error named; make fuzz"
    " searches for more inputs, guided by the branches that they cover.",
    "kills": "kills",
    "kills figure": "{0} acknowledged moves in {1} matches; {2} matches lost or doubled one",
    "kills note": "The histories of the clients, with the times of invocation and answer, are checked for"
    " linearizability by porcupine.",
    "lost": "lost moves",
    "lost figure": "{0} of {1} clients were informed of {2} lost moves",
    "lost note": "A store that writes through every second loses power. Players, watchers and readers are informed"
    " before they go on.",
    "attacks": "attacks",
    "attacks figure": "{0} attacks: another caller waited {1} ms at most, the memory rose by {2} MB at most",
}

PARTS: Final = {
    "attack": "{0} sent, {1} of {2} calls of others failed, longest wait {3} ms, {4} MB",
    "attack bombs": "request bombs",
    "attack no-memory": "store without memory",
    "attack hanging": "hanging store",
    "attack resets-grpc": "reset streams at the gRPC port",
    "attack resets-http": "reset streams at the HTTP port",
    "attack slow": "slow requests",
    "attack bots": "matches of bots",
    "attack batches": "costly batches",
    "attack watchers": "SSE watchers",
    "attack references": "header references",
    "attack headers": "endless headers",
    "attack pings": "pings and settings",
    "attack windows": "windows of zero",
    "attack unread": "unread answers",
    "attack pipelined": "unread pipelines",
    "attack unfinished": "unfinished messages",
    "attack idle": "idle connections",
    "attack gzip": "gzip bombs",
    "workers killed": "workers killed: {0}",
    "stores killed": "stores killed: {0}",
    "embedded stores killed": "embedded stores killed: {0}",
    "services killed": "services killed: {0}",
    "replies lost": "replies lost: {0}",
    "requests lost": "requests lost: {0}",
    "Sentinel failovers": "Sentinel failovers: {0}",
    "cluster failovers": "cluster failovers: {0}",
    "clients cut": "connections of clients cut: {0}",
    "stores cut": "connections to the store cut: {0}",
}

LAWS: Final = {
    "law conservation": "conservation: In every position each card of the pack is in exactly one zone, and every"
    " viewer counts the same number",
    "law progress": "progress: During a deal the seat to move has a legal move other than those out of turn, and the"
    " deal ends",
    "law columns": "columns: Points and scores have one number for each seat, and the winners are seats",
    "law totals": "totals: At the end of a deal the points of all seats add up to the total that the rule book states",
    "law purity": "purity: Playing a move does not change the position, and the same move gives the same result again",
    "law rotation": "rotation: If all players, the first dealer too, move one seat on, the result moves with them",
    "law legality": "legality: A candidate is listed as legal, once, exactly if it is not refused; a move is possible"
    " in its phases only",
    "law out_of_turn": "out_of_turn: Out of turn a move is refused for the turn, and for all that does not depend on"
    " the turn, and nothing else",
    "law closure": "closure: Any move of any seat is accepted if it is listed as legal; if not, it is refused and"
    " changes nothing",
    "law shares": "shares: Every division of money that the rules allow is accepted from the seat to move; every"
    " other one is refused",
    "law chance": "chance: Chance supplies the whole pack in any order, or one of the lots, when it is due; no seat"
    " can",
    "law secrecy": "secrecy: With its hidden cards dealt otherwise, a viewer has the same view, events and legal moves",
    "law partner_secrecy": "partner_secrecy: A message between partners changes no view, event or legal move of"
    " anybody else",
    "law visibility": "visibility: The player of a hand sees it, the referee sees every card and event, and the"
    " public no more than any seat",
    "law money": "money: The pool and the net winnings of all persons sum to zero in every position, and change as"
    " the events say",
    "law tokens": "tokens: Tokens change as the events say; new ones come from re-entry only, and no seat becomes a"
    " virgin",
    "law notation": "notation: Every candidate move is written as one line that parses to the same move",
    "law round_trip": "round_trip: Every position is one line of text that decodes to the same position",
    "law replaying": "replaying: Replaying the moves of a match, from the start or from any position, leads to the"
    " same position",
    "law recording": "recording: A record, with or without comments, parses to what was written, and its replay ends"
    " in the same position",
    "law partial_positions": "partial_positions: A play is validated without the rest of the position as with it;"
    " what else is left out is named if it matters",
    "law determinization": "determinization: A determinization has the seat's view and legal moves, holds every card"
    " once, and can be played to the end",
    "law bot_secrecy": "bot_secrecy: With the hidden cards dealt otherwise, a bot with the same seed has the same"
    " determinization and move",
}
"""The laws of every rule set; a name before a colon is that of the law in the code."""

PROOF_TEXTS: Final = {**FIGURES, **PARTS, **LAWS, "goals": "Goals"}
KEYS: Final = {text: key for key, text in PROOF_TEXTS.items()}

NUMBER: Final = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
# What texts are joined of parts by; first what stands before the name of a law.
JOINTS: Final = tuple(re.compile(f"({joint})") for joint in (r"; (?=\w+: )", r"\. ", "; ", ": ", ", "))
SWAPPED: Final = str.maketrans(",.", ".,")


def translate_proof(translator: Translator, text: str) -> str:
    """Translate an English text of the page with its numbers; parts that are not known stay as they are."""
    numbers = NUMBER.findall(text)
    places = iter(range(len(numbers)))
    template = NUMBER.sub(lambda _: f"{{{next(places)}}}", text)
    if (key := KEYS.get(template)) is not None:
        return translator.text(f"proof {key}", template).format(*(decimal(translator, number) for number in numbers))
    for joint in JOINTS:
        if joint.search(text):
            parts = joint.split(text)
            return "".join(part if place % 2 else translate_proof(translator, part) for place, part in enumerate(parts))
    return text


def decimal(translator: Translator, number: str) -> str:
    return number if translator.code == ENGLISH.code else number.translate(SWAPPED)
