"""The least that starts as ``chitarrella serve`` does: ``python -m lab.bench.minimal_server FOLDER``.

A Valkey of its own in FOLDER, and a grpc.aio server that answers every call with the same bytes.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path
from typing import Any

import grpc
import uvloop

from chitarrella.storage.embedded_valkey import EmbeddedValkey


class Answers(grpc.GenericRpcHandler):
    """Answers any call."""

    def service(self, handler_call_details: Any) -> Any:
        """The handler of every method."""
        return grpc.unary_unary_rpc_method_handler(_answer)


async def _answer(request: bytes, context: Any) -> bytes:
    return b"\x08\x01"


async def serve() -> None:
    """Serve until a signal stops the process; prints the address as ``chitarrella serve`` does."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((Answers(),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"gRPC   127.0.0.1:{port}\nREST   none:0", flush=True)
    await stop.wait()
    await server.stop(1)


def main(folder: Path) -> None:
    """Start the store, then the server."""
    store = EmbeddedValkey(folder)
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve())
    finally:
        store.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
