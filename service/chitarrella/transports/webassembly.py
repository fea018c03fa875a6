"""Calls of RulesService inside a page or a script of Node.js, where Python runs in WebAssembly.

The servicer is that of the service, and a call is answered as over Connect, so that a client of Connect is a client of
this too. Imported is only what runs there: pure Python, and the pure runtime of Protocol Buffers.
"""

from __future__ import annotations

import json
from base64 import b64encode

from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from chitarrella import errors
from chitarrella.api.rules import RulesServicer
from chitarrella.api.status import details_of, error_of, shortened, unreadable_request
from chitarrella.catalogue.registry import ALL, open_catalogue
from chitarrella.i18n.translator import add_texts, translator_for
from chitarrella.v1 import rules_pb2

SERVICE = rules_pb2.DESCRIPTOR.services_by_name["RulesService"]


class LocalRules:
    """RulesService, with the games of all installed packages, in one language."""

    def __init__(self, language: str) -> None:
        """Speak "en", "it" or "de"; raises `ValueError` for a package that cannot be served."""
        catalogue = open_catalogue(ALL)
        if catalogue.refused:
            raise ValueError("; ".join(map(str, catalogue.refused)))
        add_texts(catalogue)
        self._servicer = RulesServicer(catalogue)
        self.translator = translator_for(language)

    def answer(self, method: str, body: bytes) -> tuple[int, bytes]:
        """Answer a unary call of Connect: the HTTP status, and a message, or JSON that describes an error."""
        try:
            return 200, self._call(method, body).SerializeToString()
        except Exception as failure:
            error = error_of(failure)
        status = errors.STATUSES[type(error)]
        details = [
            {"type": detail.DESCRIPTOR.full_name, "value": b64encode(detail.SerializeToString()).decode().rstrip("=")}
            for detail in details_of(error)
        ]
        described = {"code": status.grpc.lower(), "message": shortened(error.message), "details": details}
        return status.http, json.dumps(described).encode()

    def _call(self, method: str, body: bytes) -> Message:
        """Call a method of the contract; raises `errors.ChitarrellaError`."""
        try:
            request = GetMessageClass(SERVICE.methods_by_name[method].input_type).FromString(body)
        except DecodeError as error:
            raise unreadable_request(error) from None
        answer: Message = getattr(self._servicer, method)(request, self)
        return answer
