"""Start the service by the program that is given, play a match with the installed client, stop the service."""

import json
import signal
import subprocess
import sys
from urllib.request import urlopen

from chitarrella_client import Chitarrella

SECONDS = 120
"""How long all of it may take."""


def addresses(service: subprocess.Popen[str]) -> dict[str, str]:
    """What the service prints once it listens: an address for each transport."""
    found = dict[str, str]()
    for line in service.stdout or ():
        print(line, end="")
        if "Ctrl-C" in line:
            return found
        transport, _, address = line.partition(" ")
        found[transport] = address.strip()
    raise RuntimeError(f"the service ended with status {service.wait()}")


def play(grpc: str) -> tuple[str, int]:
    """Play a match to its end; returns its id and revision."""
    with Chitarrella(grpc) as client:
        match = client.create_match("briscola", players=2)
        while (moves := match.legal_moves()).seat is not None:
            match.as_seat(moves.seat).play_or_raise(moves[0])
        now = match.get()
        assert now.view.finished, now
        return match.id, now.revision


signal.alarm(SECONDS)
command = [sys.argv[1], "serve", "--grpc", "127.0.0.1:0", "--rest", "127.0.0.1:0", "--data", "data"]
command += ["--log-level", "error"]
with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
    try:
        address = addresses(process)
        match_id, revision = play(address["gRPC"])
        with urlopen(f"{address['REST']}/v1/matches/{match_id}", timeout=30) as response:
            shown = json.load(response)
    finally:
        process.terminate()
assert (shown["revision"], shown["view"]["waiting"]) == (revision, "WAITING_NOBODY"), shown
assert process.returncode == 0, process.returncode
print(f"{match_id} is finished; the service ended with status 0")
