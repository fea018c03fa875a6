"""Verify a match record sent by a caller, and report invalid ones as errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from chitarrella import errors
from chitarrella.catalogue.record import Record
from chitarrella.core.game import AnyGame, IllegalMove
from chitarrella.i18n.translator import Translator
from chitarrella.matches.signing import InvalidRecordSignature, invalid_proofs, parse_signer


def check_proofs(game: AnyGame, record: Record, text: str) -> None:
    """Check the signature of a record, whose ``text`` it covers, and the proofs of its shuffles.

    Raises `errors.BadRequest`, or `IllegalMove` for an illegal move: the proofs behind it cannot be checked.
    """
    try:
        parse_signer(text)
        fault = invalid_proofs(game, record) if record.proofs else ""
    except InvalidRecordSignature as error:
        fault = str(error)
    if fault:
        raise errors.BadRequest("bad_record", fault, "record")


@contextmanager
def illegal_moves_explained(game: AnyGame, translator: Translator) -> Iterator[None]:
    """Turn an `IllegalMove` of a record that is replayed in the block into `errors.BadRequest` with its sentences."""
    try:
        yield
    except IllegalMove as illegal:
        where = "" if illegal.number is None else f"move {illegal.number}: "
        why = " ".join(translator.reason(refusal, game.pack) for refusal in illegal.refusals)
        raise errors.BadRequest("bad_record", f"{where}{why}", "record") from illegal
