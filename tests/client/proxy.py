"""A TCP proxy before the service, which can cut the way in the middle of an answer.

It knows of HTTP/2 only where a frame begins and of what kind it is: that is enough to let the service carry a call out
and then to lose the whole answer, or all of it but the beginning.
"""

import socket
import threading

from tests.fault_proxy import Connection, FaultProxy

HEADERS, DATA = 1, 0  # the frames with which an answer begins and goes on


class Proxy(FaultProxy):
    """Passes everything on until it is told otherwise."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._service = (host, int(port))
        self._to_lose = self._frame = 0
        self._flowing = threading.Event()
        self._flowing.set()
        self._refusing = False
        self.lost = self.calls = 0
        """How many answers were lost, and how many connections were made."""
        super().__init__()
        self.address = self.url.removeprefix("redis://")

    def lose_answers(self, number: int = 1, after: int = HEADERS) -> None:
        """Cut the way when the next answers come to this kind of frame: before the beginning, or after it."""
        self._to_lose, self._frame = number, after

    def hold(self, seconds: float = 0) -> None:
        """Pass requests on and hold back the answers, for so long or for good."""
        self._flowing.clear()
        if seconds:
            threading.Timer(seconds, self._flowing.set).start()

    def refuse(self, seconds: float = 0) -> None:
        """Cut every way, and the new ones too, for so long or until told otherwise."""
        self._refusing = True
        self.drop_connections()
        if seconds:
            threading.Timer(seconds, self.accept).start()

    def accept(self) -> None:
        self._refusing = False

    def close(self) -> None:
        self._flowing.set()
        super().close()

    def _connect(self) -> socket.socket:
        self.calls += 1
        if self._refusing:
            raise ConnectionRefusedError
        return socket.create_connection(self._service)

    def _forward_replies(self, connection: Connection) -> None:
        """Carry answers, frame by frame."""
        with connection.store.makefile("rb") as answers:
            while len(head := answers.read(9)) == 9:
                body = answers.read(int.from_bytes(head[:3], "big"))
                self._flowing.wait()
                if self._to_lose and head[3] == self._frame:
                    self._to_lose -= 1
                    self.lost += 1
                    return
                connection.worker.sendall(head + body)
