"""Platforms: where the service is not for everybody, an API key lets in whom it was given to, and no further."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from chitarrella import errors
from chitarrella.commands.key import command
from chitarrella.platforms import SCOPES, BadKeys, Platforms, digest_of, read_lines, scope_of

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
)


def refusal(platforms: Platforms, key: str, scope: str) -> str:
    """Try to get in, and give the reason code; the key is not repeated."""
    with pytest.raises(errors.ChitarrellaError) as failed:
        platforms.admit(key, scope)
    assert not key or key not in str(failed.value)
    return failed.value.code


def test_everybody_is_let_in_where_no_key_is_known() -> None:
    """Without lines nobody is asked, whatever he shows."""
    for key in ("", OLD):
        assert "" == Platforms().admit(key, "play")


@pytest.mark.parametrize("scope", SCOPES)
def test_keys_of_one_platform(scope: str) -> None:
    """Two keys of one platform are good side by side, for every scope that they have."""
    platforms = Platforms(read_lines(LINES))
    assert ["arcade", "arcade"] == [platforms.admit(key, scope) for key in (OLD, NEW)]


def test_who_is_kept_out() -> None:
    """No key, a key nobody knows, and one that is good for something else have their codes."""
    platforms = Platforms(read_lines(LINES))
    assert "api_key_needed" == refusal(platforms, "", "rules")
    assert "bad_api_key" == refusal(platforms, "guessed", "rules")
    assert "bad_api_key" == refusal(platforms, digest_of(OLD), "rules")
    assert "club" == platforms.admit(OTHER, "rules")
    assert ["out_of_scope"] * 2 == [refusal(platforms, OTHER, scope) for scope in ("create", "play")]


@pytest.mark.parametrize("line", SPOILT)
def test_lines_that_say_nothing(line: str) -> None:
    """A line that cannot be read is refused by its number, and no key stands in what is said."""
    with pytest.raises(BadKeys, match="line 2") as failed:
        read_lines(f"\n{line}")
    assert OLD not in str(failed.value)


def test_scopes_of_calls() -> None:
    """Every call of the contract belongs to one scope."""
    assert "create" == scope_of("MatchService", "CreateMatch")
    assert "play" == scope_of("MatchService", "PlayMove")
    assert "rules" == scope_of("RulesService", "Judge")
    assert "catalogue" == scope_of("CatalogueService", "GetGame")


def test_a_key_is_made() -> None:
    """The command prints a key and the line that knows it; no two keys are alike."""
    keys = set()
    for _ in range(5):
        made = CliRunner().invoke(command, ["my-club", "--scope", "rules", "--scope", "play"])
        key, line = made.output.splitlines()
        platforms = Platforms(read_lines(line))
        assert "my-club" == platforms.admit(key, "play")
        assert "out_of_scope" == refusal(platforms, key, "create")
        keys.add(key)
    assert 5 == len(keys)
    assert 2 == CliRunner().invoke(command, ["my club"]).exit_code
