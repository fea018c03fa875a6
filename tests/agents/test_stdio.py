"""An agent that plays by ``chitarrella mcp`` over stdio, as a host of models starts it."""

import asyncio
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from mcp import Client, MCPError, StdioServerParameters

from chitarrella.catalogue.registry import Catalogue
from chitarrella.i18n.translator import LANGUAGES, translator_for
from tests.agents.scripted_agent import ScriptedAgent, hand_of
from tests.cli.run_command import invoke, surroundings

pytestmark = pytest.mark.asyncio(loop_scope="module")
"""The tests share one server, because starting it takes longer than all of them."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client() -> AsyncIterator[Client]:
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "chitarrella", "mcp", "--sandbox"], env=surroundings()
    )
    connected: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()

    async def connect() -> None:
        async with Client(command) as client:  # entered and left by one task, as the library needs it
            connected.set_result(client)
            await stop.wait()

    task = asyncio.create_task(connect())
    await asyncio.wait((connected, task), return_when=asyncio.FIRST_COMPLETED)
    yield connected.result()
    stop.set()
    await task


async def test_illegal_move_names_the_clause(client: Client) -> None:
    """A move that breaks a rule is refused with code, clause and sentence, in three languages, and changes nothing."""
    agent = ScriptedAgent(client)
    before = await agent.ask("create_match", game="briscola", players=2, bots={}, seed="a deal")
    (card,) = {"Ab", "Ac"} - set(hand_of(before, 0)) - {"Ac"} or {"Ac"}
    sentences = set()
    for language in LANGUAGES:
        played = await agent.ask("play_move", move=f"play_card {card}", language=language)
        assert not played["accepted"]
        refusals = {one["code"]: one for one in played["refusals"]}
        clause = refusals["not_in_hand"]["clause"]
        (listed,) = (await agent.ask("explain_rule", game="briscola", clause="not_in_hand", language=language))[
            "clauses"
        ]
        assert clause == listed
        sentences.add((clause["text"], refusals["not_in_hand"]["message"]))
        assert before["revision"] == played["match"]["revision"]
        assert hand_of(before, 0) == hand_of(played["match"], 0)
    assert 3 == len(sentences)
    assert "unknown_card" == await agent.fail("play_move", move="play_card Zz")


async def test_questions_without_a_match(client: Client) -> None:
    """Which cards may follow, why another may not, who takes the trick, and what it counts."""
    agent = ScriptedAgent(client)
    hand = await agent.ask("explain_hand", game="madrasso", hand="Ad 3c", trick="2c", trump="b")
    verdicts = {"play_card Ad": "refused", "play_card 3c": "accepted"}
    assert verdicts == {one["move"]: one["verdict"] for one in hand["moves"]}
    move = await agent.ask("validate_move", game="madrasso", move="play_card Ad", hand="Ad 3c", trick="2c", trump="b")
    assert ["must_follow_suit"] == [one["code"] for one in move["refusals"]]
    open_question = await agent.ask("validate_move", game="elfern", move="play_card 7h", hand="7h Kc", trick="Qc")
    assert ("undecided", True) == (open_question["verdict"], open_question["refusals"][0]["undecided"])
    assert open_question["depends_on"]
    taken = await agent.ask("resolve_trick", game="briscola", cards="Rs 2d 6c 3b", trump="d", players=4)
    assert {"winning_index": 1, "winning_card": "2d", "counts": {"card_points": 14}, "depends_on": []} == taken
    counted = await agent.ask("score_cards", game="briscola", cards="Ab 3c")
    assert {"counts": {"card_points": 21}, "depends_on": []} == counted


async def test_games_and_rules(client: Client) -> None:
    """The games of the catalogue are listed and described, and what is unknown has a reason code."""
    agent = ScriptedAgent(client)
    games = (await agent.ask("list_games"))["games"]
    assert [game.key for game in Catalogue()] == [game["game_id"] for game in games]
    described = await agent.ask("get_game", game="coech", language="it")
    assert "play_card CARD" in [move["notation"].split(" [")[0] for move in described["moves"]]
    assert "unknown_game" == await agent.fail("get_game", game="poker")
    assert "no_such_clause" == await agent.fail("explain_rule", game="coech", clause="BR-1")
    assert "bad_option" == await agent.fail("create_match", game="briscola", options={"colour": "red"})
    wrong: dict[str, Any]
    for wrong in ({"options": {"rubber_games": []}}, {"players": "two"}, {"players": 2**40}, {"playrs": 2}):
        assert "bad_request" == await agent.fail("create_match", game="briscola", **wrong)
    rubber = await agent.ask("create_match", game="briscola", options={"rubber_games": 1}, seed="a deal")
    assert "1" == rubber["rule_set"]["options"]["rubber_games"]
    assert "no_such_seat" == await agent.fail("create_match", game="briscola", players=2, seat=7)
    assert "no_such_seat" == await agent.fail("create_match", game="briscola", players=2, bots={0: "greedy"})


async def test_rule_books_are_resources(client: Client) -> None:
    """Every game has its rule book as a resource, whole, in each language."""
    listed = (await client.list_resources()).resources
    assert [f"chitarrella://rules/{game.key}" for game in Catalogue()] == [str(one.uri) for one in listed]
    game = Catalogue().game("briscola")
    for language in LANGUAGES:
        (book,) = (await client.read_resource(f"chitarrella://rules/{game.key}?language={language}")).contents
        text = getattr(book, "text", "")
        assert "text/markdown" == book.mime_type
        for clause in game.clauses:
            assert f"- **{clause.key}** {translator_for(language).clause(clause)}" in text
    for missing in ("chitarrella://rules/poker", "chitarrella://rules/briscola?language=fr"):
        with pytest.raises(MCPError, match=r"poker|Languages: en, it, de"):
            await client.read_resource(missing)


async def test_tools_describe_themselves(client: Client) -> None:
    """Every tool has a description, every parameter too, and none takes the key of a seat."""
    tools = (await client.list_tools()).tools
    assert {"create_match", "take_seat", "get_view", "play_move", "wait_for_turn", "leave_match"} < {
        tool.name for tool in tools
    }
    for tool in tools:
        assert tool.description
        assert tool.output_schema
        assert tool.annotations is not None
        for name, schema in tool.input_schema["properties"].items():
            assert schema.get("description"), f"{tool.name}: {name}"
            assert "key" not in name


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--match", "m"), "--match, --seat-key-file and --grpc belong together."),
        (("--tls",), "--tls, --tls-ca and --api-key-file are about the service that --grpc names."),
        (("--grpc", "127.0.0.1:1", "--sandbox"), "the service of --grpc has its own."),
        (("--http", "127.0.0.1:port"), "127.0.0.1:port cannot be served"),
    ],
)
async def test_what_does_not_fit_together(args: tuple[str, ...], says: str) -> None:
    """Options that mean nothing together are refused before anything is served."""
    done = invoke("mcp", *args)
    assert done.exit_code in (1, 2)
    assert says in done.output
