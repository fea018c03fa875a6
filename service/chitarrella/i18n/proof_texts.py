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

PROOF_TEXTS: Final = {**FIGURES, **PARTS, "goals": "Goals"}
KEYS: Final = {text: key for key, text in PROOF_TEXTS.items()}

# A law with its name. The texts of laws are their docstrings in the test kit, and their keys have the name.
LAW: Final = re.compile(r"(\w+): .+")
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
    if (law := LAW.fullmatch(text)) and (translated := translator.text(f"proof law {law[1]}", text)) != text:
        return translated
    for joint in JOINTS:
        if joint.search(text):
            parts = joint.split(text)
            return "".join(part if place % 2 else translate_proof(translator, part) for place, part in enumerate(parts))
    return text


def decimal(translator: Translator, number: str) -> str:
    return number if translator.code == ENGLISH.code else number.translate(SWAPPED)
