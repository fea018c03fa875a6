"""A TCP proxy between a service and its store, which drops connections and loses requests or replies."""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress

from tests.servers import Server

MOVE = b"play_card"  # part of the script call that appends a move, and of no other command that a service sends
APPENDED = b"appended"  # part of the reply of the script if the move was appended


class Fault:
    """A fault at one append of a move: the first that passes a proxy on which the fault is armed.

    The connection is dropped before the store gets the request, or with ``after_append`` in the middle of its reply.
    ``effect`` is called just before, with the port from which the worker calls.
    """

    def __init__(self, after_append: bool, effect: Callable[[int], None] = lambda port: None) -> None:
        self.after_append = after_append
        self.fired = threading.Event()
        self._effect = effect
        self._claimed = threading.Lock()

    def claim(self) -> bool:
        """Whether the caller is the first to claim the fault."""
        return self._claimed.acquire(blocking=False)

    def release(self) -> None:
        """Leave the fault to another append: the one that claimed it appended nothing."""
        self._claimed.release()

    def fire(self, port: int) -> None:
        self._effect(port)
        self.fired.set()


class Connection:
    """A connection of a worker, and the proxy's own to the store."""

    def __init__(self, worker: socket.socket, store: socket.socket) -> None:
        self.worker = worker
        self.store = store
        self.port: int = worker.getpeername()[1]
        self.fault: Fault | None = None
        """A fault that waits for the reply of the store."""
        self.request = b""
        """The last request, until the store replies."""
        self.loses_reply = False

    def take_fault(self) -> Fault | None:
        """Remove and return the fault that waits for a reply."""
        fault, self.fault = self.fault, None
        return fault

    def close(self) -> None:
        for end in (self.worker, self.store):
            with suppress(OSError):  # closed before
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        if fault := self.take_fault():
            fault.release()


class FaultProxy:
    """Forwards between one service and the store, in a thread for each direction of each connection."""

    def __init__(self, server: Server | None = None) -> None:
        """Listen on a free port of the loopback; a subclass that forwards elsewhere names no server."""
        self._path = server.url.removeprefix("unix://") if server else ""
        self._connections: set[Connection] = set()
        self._lock = threading.Lock()
        self._fault: Fault | None = None
        self._lose_word = b""
        self.lost = 0
        self._forwarders: list[threading.Thread] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"redis://127.0.0.1:{self._listener.getsockname()[1]}"
        self._acceptor = threading.Thread(target=self._accept, daemon=True)
        self._acceptor.start()

    def arm(self, fault: Fault | None) -> None:
        """Set the fault of the next append; None: no fault."""
        self._fault = fault

    def lose_reply_to(self, word: bytes) -> None:
        """Drop the connection in place of the reply to the next request that has ``word`` in it."""
        self._lose_word = word

    def unanswered(self, word: str = "") -> int:
        """Number of requests that hold ``word`` and have no reply yet."""
        with self._lock:
            requests = [connection.request for connection in self._connections if connection.request]
        return sum(word.encode() in request for request in requests)

    def drop_connections(self) -> int:
        with self._lock:
            connections = list(self._connections)
        for connection in connections:
            connection.close()
        return len(connections)

    def close(self) -> None:
        with suppress(OSError):  # closed before
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._acceptor.join()
        self.drop_connections()
        for thread in self._forwarders:
            thread.join()

    def _accept(self) -> None:
        with suppress(OSError):  # the listener was closed
            while True:
                worker, _ = self._listener.accept()
                try:
                    store = self._connect()
                except OSError:  # the store does not accept
                    worker.close()
                    continue
                try:
                    connection = Connection(worker, store)
                except OSError:  # the worker has gone
                    worker.close()
                    store.close()
                    continue
                with self._lock:
                    self._connections.add(connection)
                for forward in (self._forward_requests, self._forward_replies):
                    thread = threading.Thread(target=self._run, args=(forward, connection), daemon=True)
                    self._forwarders.append(thread)
                    thread.start()

    def _connect(self) -> socket.socket:
        store = socket.socket(socket.AF_UNIX)
        try:
            store.connect(self._path)
        except OSError:
            store.close()
            raise
        return store

    def _run(self, forward: Callable[[Connection], None], connection: Connection) -> None:
        """Forward until one side closes, then close the other."""
        with suppress(OSError):
            forward(connection)
        with self._lock:
            self._connections.discard(connection)
        connection.close()

    def _forward_requests(self, connection: Connection) -> None:
        while request := connection.worker.recv(65536):
            fault = self._fault
            if fault and MOVE in request and fault.claim():
                if not fault.after_append:
                    fault.fire(connection.port)
                    return
                connection.fault = fault
            if self._lose_word and self._lose_word in request:
                self._lose_word, connection.loses_reply = b"", True
            connection.request = request
            connection.store.sendall(request)

    def _forward_replies(self, connection: Connection) -> None:
        while reply := connection.store.recv(65536):
            connection.request = b""
            if connection.loses_reply:
                self.lost += 1
                return
            if fault := connection.take_fault():
                if APPENDED in reply:
                    # Replies to several commands may come as one: half of them could have this one whole.
                    connection.worker.sendall(reply[: reply.index(APPENDED) + len(APPENDED) // 2])
                    fault.fire(connection.port)
                    return
                fault.release()  # another writer was faster
            connection.worker.sendall(reply)
