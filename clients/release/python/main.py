"""Play a match with the installed client, and print its id."""

import sys

from chitarrella_client import Chitarrella

with Chitarrella(sys.argv[1]) as client:
    match = client.create_match("briscola", players=2)
    while (moves := match.legal_moves()).seat is not None:
        match.as_seat(moves.seat).play_or_raise(moves[0])
    print(match.id)
