"""API keys: who may call what."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from chitarrella import errors
from chitarrella.api.api_keys import PLATFORM_SCOPES, ApiKeys, InvalidApiKeys, digest_of, parse_api_keys, scope_of
from chitarrella.cli.key import command

OLD, NEW, OTHER = "old-key", "new-key", "other-key"
LINES = f"""
# two keys of one platform, while the old one is being replaced
arcade all {digest_of(OLD)}
arcade all {digest_of(NEW)}   # since today
club catalogue,rules {digest_of(OTHER)}
"""
SPOILT = (
    "arcade",
    "arcade all",
    f"arcade all {OLD}",
    f"arcade everything {digest_of(OLD)}",
    f"arcade all all {digest_of(OLD)}",
    f"arcade all,everything {digest_of(OLD)}",
)


def refusal(platforms: ApiKeys, key: str, scope: str) -> str:
    """The reason code of a refused key; the message does not repeat the key."""
    with pytest.raises(errors.ChitarrellaError) as failed:
        platforms.authenticate(key, scope)
    assert not key or key not in str(failed.value)
    return failed.value.code


def test_no_configured_keys_allow_everybody() -> None:
    """Without configured keys nobody is asked for one."""
    for key in ("", OLD):
        assert "" == ApiKeys().authenticate(key, "play")


@pytest.mark.parametrize("scope", sorted(PLATFORM_SCOPES))
def test_platform_may_have_two_keys(scope: str) -> None:
    """Two keys of one platform are valid side by side, for all their scopes."""
    platforms = ApiKeys(parse_api_keys(LINES))
    assert ["arcade", "arcade"] == [platforms.authenticate(key, scope) for key in (OLD, NEW)]


def test_missing_unknown_and_out_of_scope_keys_have_codes() -> None:
    """A missing key, an unknown one and one without the scope have their codes."""
    platforms = ApiKeys(parse_api_keys(LINES))
    assert "api_key_needed" == refusal(platforms, "", "rules")
    assert "bad_api_key" == refusal(platforms, "guessed", "rules")
    assert "bad_api_key" == refusal(platforms, digest_of(OLD), "rules")
    assert "club" == platforms.authenticate(OTHER, "rules")
    assert ["out_of_scope"] * 2 == [refusal(platforms, OTHER, scope) for scope in ("create", "play")]


@pytest.mark.parametrize("line", SPOILT)
def test_invalid_line_is_named_by_its_number(line: str) -> None:
    """An invalid line is refused by its number, and no key is shown."""
    with pytest.raises(InvalidApiKeys, match="line 2") as failed:
        parse_api_keys(f"\n{line}")
    assert OLD not in str(failed.value)


def test_scope_of_an_administrator_is_given_by_name() -> None:
    """All scopes are those of a platform; an administrator's stands beside them, and is enough where a call allows."""
    lines = f"arcade all {digest_of(OLD)}\narcade all,admin {digest_of(NEW)}\nops admin {digest_of(OTHER)}"
    keys = ApiKeys(parse_api_keys(lines))
    assert "out_of_scope" == refusal(keys, OLD, "admin")
    assert [("arcade", True), ("ops", True)] == [keys.identify(key, "admin") for key in (NEW, OTHER)]
    assert [False, True, True] == [keys.identify(key, "play", or_admin=True).is_admin for key in (OLD, NEW, OTHER)]
    assert ("arcade", False) == keys.identify(NEW, "play")
    assert "out_of_scope" == refusal(keys, OTHER, "play")
    made = CliRunner().invoke(command, ["ops", "--scope", "all", "--scope", "admin", "--scope", "play"])
    assert "ops all,admin" == made.output.splitlines()[1].rpartition(" ")[0]


def test_closed_key_is_like_an_unknown_one() -> None:
    """A key that was closed is not known any more; the other one of its platform is."""
    keys = ApiKeys(parse_api_keys(LINES), {digest_of(OLD)})
    assert "bad_api_key" == refusal(keys, OLD, "play")
    assert "arcade" == keys.authenticate(NEW, "play") == keys.platform_of(digest_of(OLD))


def test_every_call_has_one_scope() -> None:
    """Every call of the contract belongs to one scope."""
    assert "create" == scope_of("MatchService", "CreateMatch")
    assert ["play", "play"] == [scope_of("MatchService", rpc) for rpc in ("PlayMove", "RotateKey")]
    assert "rules" == scope_of("RulesService", "ValidateMove")
    assert "catalogue" == scope_of("CatalogueService", "GetGame")


def test_command_generates_distinct_keys() -> None:
    """The command prints a key and its configuration line; no two keys are alike."""
    keys = set()
    for _ in range(5):
        made = CliRunner().invoke(command, ["my-club", "--scope", "rules", "--scope", "play"])
        key, line = made.output.splitlines()
        platforms = ApiKeys(parse_api_keys(line))
        assert "my-club" == platforms.authenticate(key, "play")
        assert "out_of_scope" == refusal(platforms, key, "create")
        keys.add(key)
    assert 5 == len(keys)
    assert 2 == CliRunner().invoke(command, ["my club"]).exit_code
