"""Complete deals for two, from the first card to the last trick, compared with an example."""

from __future__ import annotations

from tests.games.support.examples import Deal, Round, deals
from tests.games.support.table import Match, events_of, seat, worth


def only_deal(file: str) -> Deal:
    """The one complete deal of a file."""
    (deal,) = deals(file)
    return deal


def play_round(match: Match, round_: Round) -> None:
    """Play a trick of an example; check who plays, who takes it, and what it is worth."""
    for place, card in round_.plays:
        assert place == match.game.turn(match.p)
        match.say(place, f"play_card {card}")
    trick = match.p.tricks[-1]
    assert (round_.winner, round_.worth) == (trick.winner, worth(match.game, trick.cards))
    assert tuple(card for _, card in round_.plays) == trick.cards


def play_example(key: str, deal: Deal) -> Match:
    """Play an example to its end; check hands, turn-up, stock, and every trick with its points and draws."""
    match = Match(seat(key, 2, first_dealer=str(deal.dealer)))
    match.deal(match.game.pack.hand(deal.pack.split()))
    assert deal.hands == {place: " ".join(hand) for place, hand in enumerate(match.p.hands)}
    assert [(place, tuple(hand.split())) for place, hand in deal.hands.items()] == [
        (event.seat, event.cards) for event in events_of(match, "dealt")
    ]
    assert (deal.trump, deal.turn_up or None) == (match.p.trump, match.p.turn_up)
    assert deal.stock == " ".join(match.p.stock)
    for round_ in deal.rounds:
        event_count = len(match.events)
        play_round(match, round_)
        drawn = [(event.seat, event.cards[0]) for event in match.events[event_count:] if event.kind == "card_drawn"]
        assert list(round_.draws) == drawn
    return match
