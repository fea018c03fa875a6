"""Messages and errors as the Connect library reads and writes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from connectrpc.code import Code
from connectrpc.errors import ConnectError, ErrorDetail
from google.protobuf.message import Message
from protobuf.wkt import Any as Packed

from chitarrella import errors
from chitarrella.api.list_counts import check_json_lists, check_lists
from chitarrella.api.request_limits import check_size
from chitarrella.api.status import details_of, unreadable_request

TYPE_URL: Final = "type.googleapis.com/"
"""What stands before the name of a message in an Any."""

BINARY: Final = "proto"
"""The name of the codec of binary messages."""


class Codec:
    """A codec of the library that leaves its work to the endpoint, which does it where it delays no other call.

    To the library a request is an `EncodedRequest`, and a response is bytes.
    """

    def __init__(self, codec: Any, encode: Callable[[Message], bytes]) -> None:
        """Decode by ``codec``, encode by ``encode``. Unknown fields are ignored, as Connect asks."""
        self.name = codec.name
        self.encode_message = encode
        self._decode = codec.decode
        self.is_binary = codec.name() == BINARY

    def decode(self, data: bytes | bytearray, message_class: type[Any]) -> Any:
        """Return the message as it is."""
        return EncodedRequest(data, message_class, self)

    def encode(self, message: bytes) -> bytes:
        """Return an encoded response as it is."""
        return message

    def decode_message(self, data: bytes | bytearray, message_class: type[Any]) -> Message:
        """Decode a message; raises `errors.ChitarrellaError` for one that is malformed or too large."""
        check_size(message_class.DESCRIPTOR, len(data))
        check = check_lists if self.is_binary else check_json_lists
        check(message_class.DESCRIPTOR, data)
        try:
            message: Message = self._decode(data, message_class)
        except Exception as error:  # one of two libraries, each with its own errors
            raise unreadable_request(error) from None
        return message


class EncodedRequest(NamedTuple):
    """A request that is not decoded yet."""

    data: bytes | bytearray
    message_class: type[Any]
    codec: Codec

    def decode(self) -> Message:
        """Decode it; raises `errors.ChitarrellaError`."""
        return self.codec.decode_message(self.data, self.message_class)


def connect_error(error: errors.ChitarrellaError) -> ConnectError:
    """Convert an error to one of Connect, with the same details as over gRPC."""
    details = [
        ErrorDetail(Packed(type_url=TYPE_URL + detail.DESCRIPTOR.full_name, value=detail.SerializeToString()))
        for detail in details_of(error)
    ]
    return ConnectError(Code[errors.STATUSES[type(error)].grpc], error.message, details)
