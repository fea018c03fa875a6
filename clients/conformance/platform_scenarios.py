"""The scenarios of chained questions, of what a platform knows of its matches, and of its webhooks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from chitarrella.catalogue.registry import Catalogue, RuleSet

Step = dict[str, Any]
Scenario = tuple[str, str, list[Step]]

CONNECT: Step = {"op": "connect_platform"}
CLOSED_PORT = "http://127.0.0.1:9/messages"
"""A URL that nobody answers, so that no scenario needs a network."""
TOKEN_OF_NOBODY = (
    "eyJhbGciOiJFZERTQSIsImtpZCI6Im5vYm9keSJ9."
    "eyJpc3MiOiJub2JvZHkiLCJhdWQiOiJjaGl0YXJyZWxsYSIsIm1hdGNoX2lkIjoibSIsInNlYXQiOjB9."
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
)
"""A token whose header has the id of an unknown key, "nobody"."""


def platform_scenarios(create: Step, pack: Step, moves: list[Step]) -> Iterator[Scenario]:
    """Yield the scenarios; ``create`` makes a match of Cöch for two, ``pack`` and ``moves`` are its first moves."""
    yield "29-chained-questions", "A question of a batch has the position of an earlier answer.", chained(pack, moves)
    yield "30-known-cards", "What a front end knows: cards by name, a hand and a trick.", known_cards()
    yield "31-platform", "A platform finds and reads its matches by what it has attached to them.", labels(create, pack)
    yield "32-watch-platform", "One stream for all matches of a platform.", watched(create, pack, moves)
    yield "33-rotated-keys", "A replaced key is closed at once.", rotated_keys(create, pack)
    yield "34-sandbox", "A test has the deals of its seed, and a clock that it moves.", sandbox(create)
    yield "35-webhooks", "A platform manages its webhooks, and sees what was delivered.", webhooks()


def chained(pack: Step, moves: list[Step]) -> list[Step]:
    """Play moves in a position: in one call, and one after the other within a batch."""
    rule_set = {"game_id": "coech", "players": 2, "options": {"first_dealer": "0", "match_deals": "1"}}
    game = Catalogue().game_for(RuleSet("coech", 2, (("first_dealer", "0"), ("match_deals", "1"))))
    position = {"rule_set": rule_set, "position": game.encode(game.start())}
    made = [{"seat": None if one["who"] == "referee" else one["who"], "move": one["move"]} for one in (pack, *moves)]
    wrong = [*made[:2], {"seat": 0, "move": {"verb": "play_card", "cards": ["LEO"]}}]
    return [
        {"op": "apply_moves", **position, "moves": made},
        {"op": "apply_moves", **position, "moves": wrong},
        {
            "op": "batch",
            "questions": [
                {"op": "start_game", "rule_set": rule_set},
                {"op": "apply_moves", "position_of": 0, "moves": made[:1]},
                {"op": "list_legal_moves", "position_of": 1},
                {"op": "apply_moves", "position_of": 1, "moves": made[1:3]},
                {"op": "list_legal_moves", "position_of": 3, "seat": 0},
                {"op": "list_legal_moves", "rule_set": rule_set, "position": "nonsense"},
                {"op": "list_legal_moves", "position_of": 5},
            ],
        },
    ]


def known_cards() -> list[Step]:
    """Ask about cards, and about a hand with what is known of the table."""
    bisca, hand = {"rule_set": {"game_id": "bisca-brazil"}}, {"0": ["7h", "Kh", "2c"]}
    moves = {"op": "list_known_moves", **bisca}
    return [
        {"op": "describe_cards", "game_id": "briscola", "cards": ["Ab", "3c", "Rd", "2s"]},
        {"op": "describe_cards", "game_id": "coech", "cards": ["XV", "MAT"]},
        {**moves, "known": {"hands": hand, "trick": ["Qh"], "trump": "h", "stock_size": 0}},
        {**moves, "known": {"hands": hand, "trick": ["Qh"]}},
        {**moves, "known": {"hands": hand, "trick": [], "trump": ""}, "seat": 0},
        {**moves, "known": {"hands": {"0": ["7h", "7h"]}, "trick": []}},
    ]


def labels(create: Step, pack: Step) -> list[Step]:
    """Attach ids, labels and names to matches, and find them again."""
    first = {"labels": {"cup": "spring", "round": "1"}, "player_names": {"0": "Anna", "1": "Bruno"}}
    return [
        {"op": "list_matches"}, CONNECT, {**create, "external_id": "game-1", **first},
        {**create, "as": "n", "private": True, "labels": {"cup": "spring", "round": "2"}},
        {**create, "as": "o", "external_id": "game-1"}, pack,
        {"op": "import_match", "as": "p", "match": "m", "move_count": 1, "external_id": "copy",
         "labels": {"cup": "autumn"}, "player_names": {"1": "Carla"}},
        *({"op": "describe_match", "match": "m", "who": who} for who in ("referee", 0)),
        {"op": "describe_match", "match": "p", "who": "referee"},
        {"op": "list_matches"}, {"op": "list_matches", "external_id": "game-1"},
        {"op": "list_matches", "labels": {"cup": "spring"}},
        {"op": "list_matches", "labels": {"cup": "spring", "round": "2"}},
        {"op": "list_matches", "labels": {"cup": "spring"}, "player_name": "Anna"},
        {"op": "list_matches", "player_name": "Nobody"},
        {"op": "get_matches", "match": "m", "who": 0, "matches": ["n", "m", "nonsense", "o"]},
        {"op": "get_matches", "match": "n", "who": 1, "matches": ["n", "m"]},
        {"op": "get_matches", "match": "m", "who": "public", "matches": ["m"]},
        {**create, "as": "q", "labels": {"Cup": "spring"}},
        {**create, "as": "q", "player_names": {"9": "Anna"}},
    ]  # fmt: skip


def watched(create: Step, pack: Step, moves: list[Step]) -> list[Step]:
    """Watch all matches of a platform while two of them are played."""
    happening = [pack, {**create, "as": "n", "private": True}, moves[0], {"op": "abort_match", "match": "m"}]
    return [
        {"op": "watch_matches", "steps": [], "messages": 1}, CONNECT, create,
        {"op": "watch_matches", "steps": [*happening, {**pack, "match": "n"}], "messages": 4},
    ]  # fmt: skip


def rotated_keys(create: Step, pack: Step) -> list[Step]:
    """Replace the keys of both seats and of the referee."""
    return [
        create, pack, {"op": "rotate_key", "match": "m", "who": "referee", "seat": 0, "as": "n"},
        {"op": "get_match", "match": "m", "who": 0}, {"op": "get_match", "match": "n", "who": 0},
        {"op": "rotate_key", "match": "n", "who": 1, "as": "o"},
        {"op": "get_match", "match": "n", "who": 1}, {"op": "get_match", "match": "o"},
        {"op": "rotate_key", "match": "n", "who": "public", "as": "p"},
        {"op": "rotate_key", "match": "n", "who": 0, "seat": 1, "as": "p"},
        {"op": "rotate_key", "match": "n", "who": "referee", "seat": 7, "as": "p"},
        {"op": "rotate_key", "match": "n", "who": "referee", "as": "p"},
        {"op": "get_match", "match": "n", "who": "referee"}, {"op": "list_match_moves", "match": "p"},
        {"op": "get_match", "match": "m", "who": "public", "key": TOKEN_OF_NOBODY},
    ]  # fmt: skip


def sandbox(create: Step) -> list[Step]:
    """Create tests with seeds, and move the clock of one."""
    test = {**create, "pack_source": "service", "sandbox": "Bergamo"}
    return [
        test, CONNECT, test, {**test, "as": "n"}, {**test, "as": "o", "sandbox": "Brescia", "clock": [30, 5]},
        *({"op": "get_match", "match": match, "who": 0} for match in ("m", "n", "o")),
        {"op": "advance_clock", "match": "o", "seconds": 20},
        {"op": "advance_clock", "match": "o", "seconds": 20},
        {"op": "describe_match", "match": "o"}, {"op": "list_match_moves", "match": "o"},
        {"op": "advance_clock", "match": "o", "who": 0, "seconds": 20},
        {"op": "advance_clock", "match": "m", "seconds": 20},
        {**create, "as": "p"}, {"op": "advance_clock", "match": "p", "seconds": 20},
    ]  # fmt: skip


def webhooks() -> list[Step]:
    """Create, change, test and delete webhooks."""
    create = {"op": "create_webhook", "as": "w", "url": CLOSED_PORT}
    return [
        {"op": "list_webhooks"}, CONNECT, create, {**create, "as": "v", "url": f"{CLOSED_PORT}/more"},
        {**create, "as": "u", "url": "ftp://example.org/messages"},
        {"op": "list_webhooks"},
        {"op": "update_webhook", "webhook": "w", "url": f"{CLOSED_PORT}/here"},
        {"op": "update_webhook", "webhook": "w", "disabled": True},
        {"op": "rotate_webhook_secret", "webhook": "w"},
        {"op": "list_deliveries", "webhook": "w"},
        {"op": "test_webhook", "webhook": "w"},
        {"op": "list_deliveries", "webhook": "w"}, {"op": "list_deliveries", "webhook": "w", "state": "sent"},
        {"op": "resend_delivery", "webhook": "w", "delivery": "nonsense"},
        {"op": "resend_delivery", "webhook": "w"},
        {"op": "list_deliveries", "webhook": "w", "state": "pending"},
        {"op": "delete_webhook", "webhook": "v"}, {"op": "delete_webhook", "webhook": "v"},
        {"op": "list_webhooks"}, {"op": "delete_webhook", "webhook": "w"},
        {"op": "test_webhook", "webhook": "nonsense"},
    ]  # fmt: skip
