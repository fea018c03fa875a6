"""Tokens of platforms: which one says what, and which one is refused with which code and field."""

import json
import time
from base64 import urlsafe_b64encode
from itertools import count
from types import SimpleNamespace
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from chitarrella import errors
from chitarrella.api import api_keys as module
from chitarrella.api.api_keys import (
    ApiKeys,
    InvalidApiKeys,
    InvalidTokenKeys,
    Token,
    TokenVerifier,
    digest_of,
    make_token_key,
    parse_api_keys,
    parse_token_keys,
    scope_of,
)
from chitarrella.api.caller import caller_from_headers
from chitarrella.core.model import CHANCE
from chitarrella.server.settings import Settings
from chitarrella.server.worker import token_audience
from tests.cli.run_command import invoke

MATCH = "0123456789abcdef0123"
AUDIENCE = "https://cards.example"
ARCADE, CLUB = make_token_key("arcade"), make_token_key("club")
LINES = f"# the keys of two platforms\n{ARCADE[1]}\n\n{CLUB[1]}  # since today\n"


def verifier() -> TokenVerifier:
    return TokenVerifier(parse_token_keys(LINES), AUDIENCE)


def claims(**other: Any) -> dict[str, Any]:
    """The claims of a valid token of arcade, some of them replaced; None removes one."""
    valid = {"iss": "arcade", "aud": AUDIENCE, "exp": int(time.time()) + 60, "match_id": MATCH, "seat": 1}
    return {name: value for name, value in {**valid, **other}.items() if value is not None}


def sign(private_key: str = ARCADE[0], headers: dict[str, Any] | None = None, **other: Any) -> str:
    """Sign a token, its issuer whatever JSON there is."""
    jwk = jwt.PyJWK(json.loads(private_key))
    header = {"kid": json.loads(private_key)["kid"], **(headers or {})}
    body = json.dumps(claims(**other)).encode()
    return jwt.PyJWS().encode(body, jwk.key, "EdDSA", {key: value for key, value in header.items() if value != ""})


def refused(text: str, match_id: str = MATCH) -> tuple[str, str]:
    """The code and the field of a refused token; nothing of the token is in the error."""
    with pytest.raises(errors.NotAuthenticated) as failed:
        verifier().verify(text, match_id)
    said = f"{failed.value.message} {failed.value.field} {failed.value.details}"
    assert not any(len(part) > 4 and part in said for part in text.split("."))
    return failed.value.code, failed.value.field


def encoded(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def test_token_says_who_may_what() -> None:
    """A token gives a seat or the referee's rights; the audience may be one of a list, and other claims are allowed."""
    expires_at = int(time.time()) + 60
    assert Token("arcade", MATCH, 1, expires_at) == verifier().verify(sign(exp=expires_at), MATCH)
    assert 0 == verifier().verify(sign(seat=0, aud=["other", AUDIENCE], sub=7, jti=["x"]), MATCH).role
    assert CHANCE == verifier().verify(sign(seat=None, role="referee"), MATCH).role
    assert "club" == verifier().verify(sign(CLUB[0], iss="club"), MATCH).platform
    now = time.time()
    assert verifier().verify(sign(exp=now + 24 * 3600 - 1, nbf=now + 20, iat=now + 20.5), MATCH)


NOW = time.time()
WRONG = {
    ("token_expired", "exp"): [int(NOW) - 1],
    ("bad_token", "exp"): [int(NOW) + 48 * 3600, None, "soon", True, [1], float("inf"), float("nan"), 10**400, -1],
    ("token_not_yet_valid", "nbf"): [NOW + 72_000],
    ("token_not_yet_valid", "iat"): [NOW + 72_000],
    ("bad_token", "nbf"): ["now"],
    ("bad_token", "iat"): [{}],
    ("bad_audience", "aud"): ["https://other.example", ["other"], [1], {"x": 1}],
    ("bad_token", "aud"): [None],
    ("bad_token", "iss"): ["club", ["arcade"], None],
    ("bad_token", "match_id"): ["0" * 20, None, [MATCH], "\ud800"],
    ("bad_token", "seat"): [None, "1", True, 1.0, -1, 20],
}
"""Wrong values of each claim, by the code and the field of the error."""


@pytest.mark.parametrize(("expected", "values"), list(WRONG.items()), ids=[" ".join(expected) for expected in WRONG])
def test_wrong_claim_has_a_code_and_is_named(expected: tuple[str, str], values: list[Any]) -> None:
    """Each claim that is missing, malformed or wrong is the field of the error."""
    assert [expected] * len(values) == [refused(sign(**{expected[1]: value})) for value in values]


def test_wrong_role_is_named() -> None:
    """A role beside a seat, and one that there is not, are the field of the error."""
    for other in ({"role": "referee"}, {"seat": None, "role": "dealer"}, {"seat": None, "role": ["referee"]}):
        assert ("bad_token", "role") == refused(sign(**other))


def test_wrong_signature_key_and_algorithm_are_refused() -> None:
    """Another key, an unknown or missing kid, another algorithm and a changed text are refused as bad_token."""
    kid, x = ARCADE[1].split()[1:]
    token, of_club = sign(), sign(CLUB[0])
    assert ("bad_token", "iss") == refused(of_club)
    assert ("bad_token", "authorization") == refused(sign(CLUB[0], {"kid": kid}))
    assert ("bad_token", "kid") == refused(sign(headers={"kid": "unknown"}))
    assert ("bad_token", "kid") == refused(sign(headers={"kid": ""}))
    assert ("bad_token", "alg") == refused(jwt.encode(claims(), x * 2, "HS256", {"kid": kid}))
    assert ("bad_token", "alg") == refused(jwt.encode(claims(), "", "none", {"kid": kid}))
    head, body, signature = token.split(".")
    other = encoded(claims(seat=0))
    for text in (f"{head}.{other}.{signature}", f"{head}.{body}.", f"{head}.{body}.{signature[:-4]}AAAA", f"{head}.."):
        assert ("bad_token", "authorization") == refused(text)


@pytest.mark.parametrize(
    "header",
    [
        *("", "x", "[]", "[" * 1500),
        *('{"kid": 1}', '{"kid": ["x"]}', '{"kid": "\\ud800"}', '{"kid": "K", "b64": false}'),
        *('{"kid": "K", "alg": "EdDSA", "crit": ["exp"]}', '{"kid": "K", "alg": ["EdDSA"]}', '{"kid": "K", "alg": 1}'),
    ],
)
def test_malformed_header_is_refused(header: str) -> None:
    """Whatever stands in the header of a token, it is a bad token and no fault of the service."""
    text = header.replace('"K"', f'"{ARCADE[1].split()[1]}"')
    for body in (encoded(claims()), "", "!", encoded("[" * 500)):
        assert "bad_token" == refused(f"{encoded(text)}.{body}.AAAA")[0]


def test_verified_token_is_not_verified_again_but_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    """A token is verified once; later its expiry and its match are looked at again."""
    verified, seconds = verifier(), [time.time()]
    monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: seconds[0]))
    token = sign(exp=seconds[0] + 60)
    assert 1 == verified.verify(token, MATCH).role
    verified._keys.clear()  # so that nothing can be verified any more
    assert 1 == verified.verify(token, MATCH).role
    for match, code, field in ((MATCH[1:], "bad_token", "match_id"), (MATCH, "token_expired", "exp")):
        with pytest.raises(errors.NotAuthenticated) as failed:
            verified.verify(token, match)
        assert (code, field) == (failed.value.code, failed.value.field)
        seconds[0] += 60


def test_service_without_keys_accepts_no_token() -> None:
    """Without configured keys every token is refused."""
    with pytest.raises(errors.NotAuthenticated) as failed:
        TokenVerifier().verify(sign(), MATCH)
    assert ("bad_token", "kid") == (failed.value.code, failed.value.field)


# ---------------------------------------------------------------------- header, configuration, command


def test_header_holds_a_key_or_a_token() -> None:
    """What has two dots is a token, everything else a key; what is too long is refused before it is decoded."""
    token = sign()
    caller = caller_from_headers({"authorization": f"bearer  {token}"}, "")
    assert ("", token, None) == (caller.key, caller.token_text, caller.token)
    for key in ("0" * 40, "a.b", "a.b.c.d"):
        caller = caller_from_headers({"authorization": f"Bearer {key}"}, "")
        assert (key, "") == (caller.key, caller.token_text)
    longest = f"{'a' * 2044}.b.c"
    assert longest == caller_from_headers({"authorization": f"Bearer {longest}"}, "").token_text
    for text, code in ((f"a{longest}", "bad_token"), ("0" * 201, "bad_key"), ("0" * 5000, "bad_key"), ("é", "bad_key")):
        with pytest.raises(errors.NotAuthenticated) as failed:
            caller_from_headers({"authorization": f"Bearer {text}"}, "")
        assert (code, "authorization") == (failed.value.code, failed.value.field)


@pytest.mark.parametrize(
    "line",
    ["arcade", "arcade kid", f"{ARCADE[1]} more", "arcade kid short", f"arcade kid {'A' * 42}=", ARCADE[0], CLUB[1]],
    ids=(f"line {number}" for number in count()),  # not by value: each process that runs tests has its own keys
)
def test_invalid_line_is_named_by_its_number(line: str) -> None:
    """An invalid line, and one with the id of another, is refused by its number, and nothing of it is shown."""
    with pytest.raises(InvalidTokenKeys, match="line 3") as failed:
        parse_token_keys(f"{CLUB[1]};\n{line}")
    assert not any(len(part) > 6 and part in str(failed.value) for part in line.split())


def test_platform_may_have_two_keys() -> None:
    """Two keys of one platform are accepted side by side, so that one can replace the other."""
    second = make_token_key("arcade")
    both = TokenVerifier(parse_token_keys(f"{ARCADE[1]};{second[1]}"), AUDIENCE)
    assert [1, 1] == [both.verify(sign(key), MATCH).role for key in (ARCADE[0], second[0])]


def test_command_makes_a_key_pair() -> None:
    """The command prints a private key that signs, and the line by which the service verifies; never the same twice."""
    made = [invoke("token-key", "my-club").output.splitlines() for _ in range(2)]
    assert made[0] != made[1]
    private_key, line = made[0]
    verified = TokenVerifier(parse_token_keys(line), AUDIENCE)
    found = verified.verify(sign(private_key, iss="my-club"), MATCH)
    assert Token("my-club", MATCH, 1, 2**31) == found._replace(expires_at=2**31)
    assert json.loads(private_key)["d"] not in line
    assert isinstance(jwt.PyJWK(json.loads(private_key)).key, Ed25519PrivateKey)
    assert 2 == invoke("token-key", "my club").exit_code


def test_audience_is_as_set_or_the_public_url() -> None:
    """Tokens name the audience as it is set, else the public URL, else the name of the service."""
    assert "chitarrella" == token_audience(Settings())
    assert "https://cards.example" == token_audience(Settings(public_url="https://cards.example/"))
    assert "mine" == token_audience(Settings(public_url="https://cards.example", token_audience="mine"))


# ---------------------------------------------------------------------- api keys


OLD, NEW, OTHER = "old-key", "new-key", "other-key"
LINES_API_KEYS = f"""
# two keys of one platform, while the old one is being replaced
arcade all {digest_of(OLD)}
arcade all {digest_of(NEW)}   # since today
club catalogue,rules {digest_of(OTHER)}
"""
SPOILT = (
    "arcade", "arcade all", f"arcade all {OLD}", f"arcade everything {digest_of(OLD)}",
    f"arcade all all {digest_of(OLD)}", f"arcade all,everything {digest_of(OLD)}",
)  # fmt: skip


def refusal(platforms: ApiKeys, key: str, scope: str) -> str:
    """The reason code of a refused key; the message does not repeat the key."""
    with pytest.raises(errors.ChitarrellaError) as failed:
        platforms.identify(key, scope)
    assert not key or key not in str(failed.value)
    return failed.value.code


def test_missing_unknown_and_out_of_scope_keys_have_codes() -> None:
    """A missing key, an unknown one and one without the scope have their codes."""
    platforms = ApiKeys(parse_api_keys(LINES_API_KEYS))
    assert "api_key_needed" == refusal(platforms, "", "rules")
    assert "bad_api_key" == refusal(platforms, "guessed", "rules")
    assert "bad_api_key" == refusal(platforms, digest_of(OLD), "rules")
    assert "club" == platforms.identify(OTHER, "rules").platform
    assert ["out_of_scope"] * 2 == [refusal(platforms, OTHER, scope) for scope in ("create", "play")]


@pytest.mark.parametrize("line", SPOILT)
def test_invalid_line_is_named_by_its_number_api_keys(line: str) -> None:
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
    made = invoke("key", "ops", "--scope", "all", "--scope", "admin", "--scope", "play")
    assert "ops all,admin" == made.output.splitlines()[1].rpartition(" ")[0]


def test_closed_key_is_like_an_unknown_one() -> None:
    """A key that was closed is not known any more; the other one of its platform is."""
    keys = ApiKeys(parse_api_keys(LINES_API_KEYS), {digest_of(OLD)})
    assert "bad_api_key" == refusal(keys, OLD, "play")
    assert "arcade" == keys.identify(NEW, "play").platform == keys.platform_of(digest_of(OLD))


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
        made = invoke("key", "my-club", "--scope", "rules", "--scope", "play")
        key, line = made.output.splitlines()
        platforms = ApiKeys(parse_api_keys(line))
        assert "my-club" == platforms.identify(key, "play").platform
        assert "out_of_scope" == refusal(platforms, key, "create")
        keys.add(key)
    assert 5 == len(keys)
    assert 2 == invoke("key", "my club").exit_code
