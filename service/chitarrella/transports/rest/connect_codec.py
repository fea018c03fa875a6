"""Messages and errors as the Connect library reads and writes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from connectrpc.code import Code
from connectrpc.errors import ConnectError, ErrorDetail
from flask import request
from google.protobuf.message import Message
from protobuf.wkt import Any as Packed

from chitarrella import errors
from chitarrella.api.request_limits import check_size
from chitarrella.api.status import details_of, unreadable_request
from chitarrella.transports.rest.middleware import context_of

TYPE_URL: Final = "type.googleapis.com/"


class Codec:
    """A codec of the library with our own error for malformed messages. Unknown fields are ignored, as Connect asks."""

    def __init__(self, codec: Any, encode: Callable[[Message], bytes]) -> None:
        """Decode by ``codec``, encode by ``encode``."""
        self.name = codec.name
        self.encode = encode
        self._decode = codec.decode

    def decode(self, data: bytes | bytearray, message_class: type[Any]) -> Any:
        """Decode a message; raises `ConnectError` for one that is malformed or too large."""
        try:
            check_size(message_class.DESCRIPTOR, len(data))
            return self._decode(data, message_class)
        except errors.TooLarge as error:
            failure: errors.ChitarrellaError = error.with_traceback(None)
        except Exception as error:  # one of two libraries, each with its own errors
            failure = unreadable_request(error)
        call = context_of(request.environ)
        call.code = failure.code
        call.raised = connect_error(failure)
        raise call.raised


def connect_error(error: errors.ChitarrellaError) -> ConnectError:
    """Convert an error to one of Connect, with the same details as over gRPC."""
    details = [
        ErrorDetail(Packed(type_url=TYPE_URL + detail.DESCRIPTOR.full_name, value=detail.SerializeToString()))
        for detail in details_of(error)
    ]
    return ConnectError(Code[errors.STATUSES[type(error)].grpc], error.message, details)
