"""The referee opens a match: what is agreed, who deals, and which key opens what."""

import json
from typing import Any

import pytest

from chitarrella import errors
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves
from chitarrella.core.model import CHANCE, Move
from chitarrella.matches.clock import now_ms
from chitarrella.matches.metadata import (
    Clock,
    ControlState,
    decode_control,
    decode_metadata,
    encode_metadata,
    role_of_key,
)
from chitarrella.matches.model import CreateMatch, MatchLimits, MoveRequest, Sandbox
from chitarrella.matches.scheduler import Scheduler
from chitarrella.matches.service import NO_FILTER, MatchFilter, MatchService
from chitarrella.storage.counters import OpenMatchStore
from chitarrella.storage.redis_store import RedisStore, connect
from tests.matches import playing
from tests.matches.playing import CATALOGUE, LONG_MATCH, PARTNERS, SHORT, check_consistency, fails, go_on, on_turn
from tests.matches.test_bot_seats import ATTACKER, FLOOD_MS, NEIGHBOUR, search_match
from tests.servers import until

HOUR = Clock(0, 3_600_000)
BEGINNING = CATALOGUE.game_for(SHORT).encode(CATALOGUE.game_for(SHORT).start())

# ---------------------------------------------------------------------- opening


def test_unset_options_are_normalised(service: MatchService) -> None:
    """A match has the normalised rule set, with the options that matter; spelt out it is the same request."""
    opened = service.create(CreateMatch(RuleSet("briscola", 0, (("rubber_games", "3"), ("signals", "off")))))
    assert RuleSet("briscola", 2, (("signals", "off"),), 1) == opened.snapshot.metadata.rule_set
    assert opened.snapshot.metadata == service.repository.load(opened.match).metadata
    first = service.create(CreateMatch(RuleSet("briscola"), request_id="request"))
    said = RuleSet("briscola", 2, (("rubber_games", "3"),), 1)
    assert first.match == service.create(CreateMatch(said, request_id="request")).match


def test_service_deals_by_default(service: MatchService) -> None:
    """By default the service shuffles, each match otherwise: the pack is in the log, and somebody is to move."""
    opened = service.create(CreateMatch(SHORT))
    log = check_consistency(service, opened)
    assert [1, 1, 1] == [len(log), opened.snapshot.row.length, opened.snapshot.row.revision]
    assert set(opened.snapshot.game.pack.cards) == set(log[0].split()[2:])
    assert on_turn(opened.snapshot) in (0, 1)
    packs = {playing.log_of(service, service.create(CreateMatch(SHORT)).match)[0] for _ in range(19)}
    assert 20 == len({*packs, log[0]})


@pytest.mark.parametrize("is_supplied", [False, True])
def test_referee_packs_are_awaited_in_every_deal(service: MatchService, *, is_supplied: bool) -> None:
    """With packs supplied by the referee, every deal waits for its pack; the first may come with the match."""
    cards = CATALOGUE.game_for(LONG_MATCH).pack.cards
    opened = service.create(CreateMatch(LONG_MATCH, pack_source="referee", pack=cards if is_supplied else ()))
    pack = MoveRequest(CHANCE, Move("start_deal", cards), 0, "the first pack")
    if not is_supplied:
        assert (0, 0, CHANCE) == (opened.snapshot.row.length, opened.snapshot.row.revision, on_turn(opened.snapshot))
        played = service.play(opened.match, pack)
        assert (True, 1) == (played.accepted, played.revision)
    assert [f"table start_deal {' '.join(cards)}"] == playing.log_of(service, opened.match)
    assert CHANCE == on_turn(go_on(service, opened.match, 40).snapshot)
    assert service.play(opened.match, MoveRequest(CHANCE, pack.move)).accepted
    if not is_supplied:
        assert service.play(opened.match, pack).repeated
    assert 42 == len(check_consistency(service, opened))


def test_match_may_start_from_a_position(service: MatchService) -> None:
    """A match may begin in the middle, which its record says, or before a deal, which is dealt."""
    first = service.create(CreateMatch(SHORT))
    middle = go_on(service, first.match, 7).snapshot.row.position
    opened = service.create(CreateMatch(SHORT, position=middle))
    assert (middle, 0, 0) == (opened.snapshot.row.position, opened.snapshot.row.length, opened.snapshot.row.revision)
    go_on(service, opened.match, 3)
    assert 3 == len(check_consistency(service, opened))
    assert f"position {middle}" in service.repository.format_record(opened.match)
    with fails(errors.BadRequest, "bad_cards"):
        service.create(CreateMatch(SHORT, position=middle, pack=opened.snapshot.game.pack.cards))
    assert 1 == len(check_consistency(service, service.create(CreateMatch(SHORT, position=BEGINNING))))


@pytest.mark.parametrize(
    ("rule_set", "cards"),
    [
        (RuleSet("lu-stu", 3, (("single_matto_from", "3"),)), 39),
        (RuleSet("cucu", 4, (("seating", "half_pack"),)), 20),
        (RuleSet("briscola", 3), 39),
    ],
)
def test_supplied_pack_must_hold_the_requested_cards(service: MatchService, rule_set: RuleSet, cards: int) -> None:
    """Where fewer cards are shuffled, or drawn for seats, just those are accepted; all forty are too many."""
    game = CATALOGUE.game_for(rule_set)
    pack = game.chance_request(game.start()).cards
    assert cards == len(pack)
    service.create(CreateMatch(rule_set, pack=pack))
    for wrong in (CATALOGUE.game(rule_set.game).pack.cards, pack[1:]):
        with fails(errors.BadRequest, "bad_cards"):
            service.create(CreateMatch(rule_set, pack=wrong))


def test_recreated_match_is_not_taken_for_the_expired_one(service: MatchService, other: MatchService) -> None:
    """A match that expired and was created anew with the same request id is not taken for the old one by any worker."""
    game = CATALOGUE.game_for(SHORT)
    positions = [service.create(CreateMatch(SHORT)).snapshot.row.position for _ in range(2)]
    first = service.create(CreateMatch(SHORT, position=positions[0], request_id="a request of sixteen letters"))
    known = other.repository.load(first.match)
    playing.expire(service.store, first.match)
    second = service.create(CreateMatch(SHORT, position=positions[1], request_id="a request of sixteen letters"))
    assert first.match == second.match
    old, new = (legal_moves(game, snapshot.position, on_turn(snapshot)) for snapshot in (known, second.snapshot))
    gone = next(move for move in old if move not in new)
    assert not other.play(first.match, MoveRequest(on_turn(known), gone)).accepted
    assert positions[1] == other.repository.load(first.match).row.position


def test_repeated_create_returns_the_same_match(service: MatchService, other: MatchService) -> None:
    """The same request id creates one match on any worker, whatever was played since, also from another address."""
    first = service.create(CreateMatch(SHORT, request_id="a request of sixteen letters", address=ATTACKER))
    go_on(service, first.match, 3)
    for again, address in ((service, ATTACKER), (other, NEIGHBOUR)):
        second = again.create(CreateMatch(SHORT, request_id="a request of sixteen letters", address=address))
        assert (*first[:3], first.snapshot.metadata) == (*second[:3], second.snapshot.metadata)
        assert service.repository.load(first.match).row == second.snapshot.row
    assert first.match != service.create(CreateMatch(SHORT, request_id="another request")).match
    assert first.match != service.create(CreateMatch(SHORT)).match


@pytest.mark.parametrize(
    "different",
    [
        {"rule_set": LONG_MATCH}, {"rule_set": RuleSet("briscola", 3)}, {"rule_set": RuleSet("brusquembille")},
        {"pack": CATALOGUE.game_for(SHORT).pack.cards}, {"pack_source": "referee"}, {"ttl_seconds": 4711},
        {"position": BEGINNING}, {"sandbox": Sandbox()}, {"sandbox": Sandbox("seed")}, {"external_id": "game 8"},
        {"labels": (("cup", "autumn"),)}, {"player_names": ((0, "Bob"),)},
    ],
)  # fmt: skip
def test_request_id_with_other_arguments_is_an_error(
    service: MatchService, other: MatchService, different: dict[str, object]
) -> None:
    """A request id that has created a match creates no other one, whatever differs."""
    first = service.create(CreateMatch(SHORT, request_id="request"))
    for asked in (service, other):
        with fails(errors.AlreadyExists, "request_reused"):
            asked.create(CreateMatch(**{"rule_set": SHORT, "request_id": "request", **different}))  # type: ignore[arg-type]  # of all kinds
    assert first.snapshot.row == service.repository.load(first.match).row


def test_deleted_match_is_not_dealt_again(service: MatchService, other: MatchService) -> None:
    """Who deletes a match and repeats the request cannot shop for a better deal: it is refused, at every worker."""
    request = REQUEST._replace(request_id="request")
    match = service.create(request).match
    service.delete(match)
    for asked, again in ((service, request), (other, request), (other, request._replace(labels=()))):
        with fails(errors.AlreadyExists, "request_reused"):
            asked.create(again)
        assert [] == listed(asked)
        with fails(errors.MatchNotFound, "no_such_match"):
            asked.repository.load(match)
    assert match != service.create(request._replace(request_id="another")).match


def test_a_match_is_created_in_one_round_trip(url: str) -> None:
    """What lists and counts a new match is sent with it; where open matches are capped, they are counted before."""
    sent: list[str] = []
    store = RedisStore(connect(url), observe=lambda command, _, error: sent.append(command))
    capped = MatchLimits(open_matches_per_platform=100)
    opened, uncapped = OpenMatchStore(store.connection), MatchLimits()
    for limits, expected in ((uncapped, ["create"]), (capped, ["add_open_match", "create"])):
        service = MatchService(CATALOGUE, store, limits, open_matches=opened)
        service.derive("name", "purpose")  # reads the secret of the store once
        sent.clear()
        match = service.create(REQUEST).match
        assert expected == sent
        assert match in listed(service)
        assert store.connection.client.sismember("chitarrella:open_matches", match)
    store.close()


# ---------------------------------------------------------------------- keys


def test_keys_open_their_seats_only(service: MatchService, store: RedisStore) -> None:
    """A seat key opens its seat, the referee key everything; other keys, garbage and what is stored open nothing."""
    opened, foreign = service.create(CreateMatch(PARTNERS)), service.create(CreateMatch(PARTNERS))
    header = service.repository.load(opened.match).metadata
    assert [0, 1, 2, 3] == [seat for seat, _ in opened.keys]
    assert [0, 1, 2, 3] == [role_of_key(header, ControlState(), key) for _, key in opened.keys]
    assert CHANCE == role_of_key(header, ControlState(), opened.referee_key)
    keys = [key for _, key in opened.keys] + [opened.referee_key]
    garbage = ["", " ", "è", "0", keys[0][:-1], keys[0] + "0", keys[0].upper(), opened.match]
    others = [foreign.referee_key, *(key for _, key in foreign.keys), *header.key_hashes, header.request_hash]
    assert {None} == {role_of_key(header, ControlState(), wrong) for wrong in (*garbage, *others)}
    assert 5 == len(set(keys))
    kept = repr(store.matches.load(opened.match)) + repr(store.matches.read_log(opened.match))
    assert [] == [key for key in keys if key[:16] in kept]


def test_dummy_seats_have_no_key(service: MatchService) -> None:
    """Where a person plays for two, there are keys for persons only."""
    rule_sets = [RuleSet(game.key, players) for game in CATALOGUE for players in game.entry.players]
    found = [rule_set for rule_set in rule_sets if CATALOGUE.game_for(rule_set).seats > (rule_set.players or 0)]
    assert found, "the catalogue has a game with dummies"
    for rule_set in found:
        opened = service.create(CreateMatch(rule_set))
        game = opened.snapshot.game
        persons = sorted({game.controller(seat) for seat in range(game.seats)})
        assert persons == [seat for seat, _ in opened.keys]
        assert rule_set.players == len(persons)


# ---------------------------------------------------------------------- match owners


def test_address_is_kept_only_as_a_keyed_digest(service: MatchService, url: str) -> None:
    """An anonymous match has a digest of its address, which another store makes differently; a platform's has none."""
    owners = {}
    for name, address, platform in (
        ("one", ATTACKER, ""), ("same", ATTACKER, ""), ("other", NEIGHBOUR, ""), ("none", "", ""),
        ("acme", ATTACKER, "acme"),
    ):  # fmt: skip
        opened = search_match(service, FLOOD_MS, platform=platform, address=address)
        owners[name] = opened.snapshot.metadata.owner
        assert not (address and address in opened.snapshot.row.metadata)
    assert owners["one"] == owners["same"] != owners["other"]
    assert ("address:", "platform:acme") == (owners["none"], owners["acme"])
    apart = playing.connect_service(url)
    apart.store.connection.client.delete("chitarrella:secret")
    assert owners["one"] != search_match(apart.service, FLOOD_MS, address=ATTACKER).snapshot.metadata.owner
    apart.store.close()


# ---------------------------------------------------------------------- expiry


@pytest.mark.parametrize(
    ("limits", "request_", "expected"),
    [
        (MatchLimits(), {}, 86_400),
        (MatchLimits(), {"ttl_seconds": 60}, 60),
        (MatchLimits(), {"ttl_seconds": 31_536_000}, 86_400),
        (MatchLimits(3_600), {}, 3_600),
        (MatchLimits(3_600), {"ttl_seconds": 7_200}, 3_600),
        (MatchLimits(604_800, 120), {}, 120),
        (MatchLimits(), {"platform": "acme"}, 604_800),
        (MatchLimits(), {"platform": "acme", "ttl_seconds": 31_536_000}, 31_536_000),
        (MatchLimits(), {"ttl_seconds": 60, "clock": HOUR}, 3_660),
        (MatchLimits(), {"ttl_seconds": 60, "clock": HOUR, "sandbox": Sandbox()}, 60),
    ],
)
def test_match_expires_behind_its_last_move(
    service: MatchService, limits: MatchLimits, request_: dict[str, Any], expected: int
) -> None:
    """A match expires behind its creation and each of its moves, or behind the real time for the next move; one
    without a platform within the limit for them.
    """
    limited = MatchService(CATALOGUE, service.store, limits)
    opened = limited.create(CreateMatch(SHORT, **request_))
    client = service.store.connection.client
    for _ in range(2):
        left = [client.pttl(key) / 1000 for key in client.scan_iter(f"chitarrella:{{{opened.match}}}*")]
        assert {True} == {expected - 30 < seconds <= expected for seconds in left}
        go_on(limited, opened.match)


# ---------------------------------------------------------------------- match lists


REQUEST = CreateMatch(
    SHORT,
    platform="acme",
    external_id="game 7",
    labels=(("cup", "spring"), ("round", "1")),
    player_names=((0, "Ada"), (1, "Zoë <b>")),
)


def listed(service: MatchService, wanted: MatchFilter = NO_FILTER) -> list[str]:
    """The ids of the matches that fit, over all pages of three."""
    found, after = [], ""
    while True:
        page, after = service.lists.page("acme", after, 3, wanted)
        found += [match for match, _ in page]
        if not after:
            return found


def test_matches_are_found_by_each_term_and_by_several(service: MatchService) -> None:
    """A list holds the matches that have all the terms that are asked for, of the platform that asks."""
    first = service.create(REQUEST).match
    second = service.create(REQUEST._replace(external_id="", labels=(("cup", "spring"),))).match
    service.create(REQUEST._replace(platform="club"))
    service.create(CreateMatch(SHORT, platform="acme"))
    both = {first, second}
    assert 3 == len(listed(service))
    assert [first] == listed(service, MatchFilter(external_id="game 7"))
    assert both == set(listed(service, MatchFilter(player_name="Zoë <b>")))
    assert both == set(listed(service, MatchFilter(labels=(("cup", "spring"),))))
    assert [first] == listed(service, MatchFilter(labels=(("cup", "spring"), ("round", "1")), player_name="Ada"))
    for unknown in (
        MatchFilter(external_id="game"),
        MatchFilter(player_name="ada"),
        MatchFilter(labels=(("cup", "spring"), ("round", "2"))),
        MatchFilter(external_id="game 7", player_name="Bob"),
    ):
        assert [] == listed(service, unknown)


def test_every_match_is_listed_once_over_all_pages(service: MatchService, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of a filtered list hold each match once, however many entries are read at a time."""
    parities = ["0", "1"] * 10
    requests = [REQUEST._replace(labels=(("cup", "spring"), ("parity", parity))) for parity in parities]
    created = [service.create(request).match for request in requests]
    even = set(created[::2])
    monkeypatch.setattr("chitarrella.matches.service.READ_SIZE", 2)
    monkeypatch.setattr("chitarrella.matches.service.MAX_READS", 1)
    found = listed(service, MatchFilter(labels=(("cup", "spring"), ("parity", "0"))))
    assert (10, even) == (len(found), set(found))


def test_deleted_or_expired_match_leaves_every_list(service: MatchService, store: RedisStore) -> None:
    """A deleted match leaves its name alone; the first list that meets an expired one removes it from all."""
    match = service.create(REQUEST).match
    service.delete(match)
    assert [] == listed(service, MatchFilter(external_id="game 7"))
    assert ["chitarrella:secret", f"chitarrella:{{{match}}}"] == sorted(store.connection.client.keys("*"))
    assert {"deleted": "1"} == store.connection.client.hgetall(f"chitarrella:{{{match}}}")
    store.matches.delete(service.create(REQUEST).match)
    assert 7 == len(store.connection.client.keys("*platform*"))  # all, five terms, and the terms of the entry
    assert [] == listed(service)
    assert [] == store.connection.client.keys("*platform*")


@pytest.mark.parametrize("request_", [REQUEST, CreateMatch(SHORT)], ids=["of a platform", "anonymous"])
def test_expired_match_leaves_every_list_though_nobody_reads_one(
    service: MatchService, store: RedisStore, monkeypatch: pytest.MonkeyPatch, request_: CreateMatch
) -> None:
    """When its time is over, a match is looked at, and an expired one leaves all lists; one that is there stays."""
    client, scheduler = store.connection.client, Scheduler(playing.operations(service), store, poll_seconds=0.01)
    gone, there = (service.create(request_).match for _ in range(2))
    assert 0 == service.lists.remove_expired(10)
    store.matches.delete(gone)
    later = now_ms() + request_.ttl_seconds * 1000 + 8 * 24 * 3600 * 1000
    monkeypatch.setattr("chitarrella.matches.service.now_ms", lambda: later)
    scheduler.start()
    until(lambda: 1 == client.zcard("chitarrella:expiries"), "the expired match is removed")
    scheduler.close()
    entries = {entry for key in client.keys("*platform:*") for entry in client.zrange(key, 0, -1)}
    assert {there} == {entry.partition(".")[2] for entry in entries}
    assert 0 == service.lists.remove_expired(10)


def test_names_stand_only_in_the_row(service: MatchService, store: RedisStore) -> None:
    """No key and no value of the store but the metadata of the match holds the name of a player."""
    match = service.create(REQUEST._replace(player_names=((0, "Grazia"),))).match
    client: Any = store.connection.client
    holders = []
    for key in client.keys("*"):
        assert "Grazia" not in key
        if "Grazia" in str(client.dump(key) if client.type(key) != "hash" else client.hgetall(key)):
            holders.append(key)
    assert [f"chitarrella:{{{match}}}"] == holders
    assert "Grazia" not in service.repository.format_record(match)


def test_rows_of_older_releases_are_read(service: MatchService) -> None:
    """Optional fields that a match does not use are not in its row, and decode as empty ones."""
    assert "43f84560ca66a28424863522f38b876f" == CreateMatch(SHORT).fingerprint(), "old requests stay the same"
    metadata = service.create(CreateMatch(SHORT)).snapshot.metadata
    fields = json.loads(encode_metadata(metadata))
    assert not {"external_id", "labels", "player_names", "sandbox"} & fields.keys()
    assert metadata == decode_metadata(json.dumps(fields))
    labelled = service.create(REQUEST).snapshot.metadata
    assert labelled == decode_metadata(encode_metadata(labelled))
    assert ControlState(shuffles=1) == decode_control('{"shuffles":1}')
