"""Stateless questions with plain values in and out: the answers have the names and shapes of the TypeScript client.

For callers without Protocol Buffers, such as a browser that runs this package. Values are those of JSON; an optional
one that is absent is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from chitarrella import errors
from chitarrella.catalogue.packages import ALL
from chitarrella.catalogue.registry import Catalogue, RuleSet, open_catalogue
from chitarrella.core.game import AnyGame, Position, seat_to_move, view_for
from chitarrella.core.model import CHANCE, REFEREE, ChanceRequest, Move, Seat, Viewer
from chitarrella.i18n.translator import Translator, add_texts, translator_for
from chitarrella.questions.move_answers import (
    MoveQuestion,
    PositionQuestion,
    apply_moves,
    explain_hand,
    list_moves,
    start_game,
    validate,
)
from chitarrella.questions.partial_positions import (
    ExplainedPlay,
    PartialPosition,
    PartialQuestion,
    PartialTrick,
    read_partial_question,
)
from chitarrella.questions.plain import (
    Value,
    chance_value,
    event_value,
    explained_value,
    move_value,
    refusal_values,
    view_value,
)
from chitarrella.questions.reading import build_move, configured_game, read_position, read_seat
from chitarrella.questions.tricks import Scores, playable_cards, resolve_trick, score_cards


class _Required(dict[str, Any]):
    """What a caller has sent, or can name; an entry that is needed and is not there is an error of the caller."""

    def __missing__(self, field: str) -> Any:
        raise errors.BadRequest("bad_request", f"{field} is missing.", field)


VIEWERS: Final[Mapping[str, Viewer]] = _Required(public=None, referee=REFEREE)
"""The viewers that are no seat, by name."""


class RulesAnswers:
    """Answers by the rules of a catalogue, in one language."""

    def __init__(self, catalogue: Catalogue, translator: Translator) -> None:
        """Answer by ``catalogue``, with sentences of ``translator``."""
        self._catalogue = catalogue
        self._translator = translator
        self._methods: Final[Mapping[str, Callable[[Value], Any]]] = _Required(
            startGame=self.start_game,
            legalMoves=self.legal_moves,
            explainHand=self.explain_hand,
            validateMove=self.validate_move,
            applyMoves=self.apply_moves,
            getView=self.get_view,
            playableCards=self.playable_cards,
            resolveTrick=self.resolve_trick,
            scoreCards=self.score_cards,
        )

    def answer(self, method: str, question: str) -> str:
        """Answer a question in JSON: ``{"value": ...}``, or ``{"error": {"code", "message", "field"}}``."""
        try:
            return json.dumps({"value": self._methods[method](json.loads(question, object_hook=_Required))})
        except errors.ChitarrellaError as error:
            return json.dumps({"error": {"code": error.code, "message": error.message, "field": error.field}})

    def start_game(self, question: Value) -> Value:
        """Return the initial position of ``ruleSet``."""
        started = start_game(self._game(question["ruleSet"]))
        return {
            "position": _position(question["ruleSet"], started.text),
            "chanceRequest": chance_value(started.chance_request),
            "view": view_value(started.view),
        }

    def legal_moves(self, question: Value) -> Value:
        """List the legal moves of ``seat``, or of the seat to move, in ``position`` or ``partialPosition``."""
        asked = self._asked(question)
        found = list_moves(asked)
        return {
            "moves": [move_value(move) for move in found.moves],
            "undecided": self._explained(asked.game, found.undecided),
            "dependsOn": found.depends_on,
            **_seat(found.seat),
            **_chance(found.chance_request),
        }

    def explain_hand(self, question: Value) -> Value:
        """Explain for every move of a seat whether it is legal, and why not."""
        asked = self._asked(question)
        found = explain_hand(asked)
        moves = self._explained(asked.game, found.plays)
        return {"moves": moves, "dependsOn": found.depends_on, **_seat(found.seat)}

    def validate_move(self, question: Value) -> Value:
        """Validate ``move`` of ``seat``, or of chance."""
        asked = self._partial(question) if "partialPosition" in question else self._by_chance(question)
        assert asked.seat is not None
        found = validate(asked, _move(asked.game, asked.seat, question["move"]))
        refusals = refusal_values(asked.game, found.refusals, self._translator)
        return {"accepted": found.accepted, "refusals": refusals, "dependsOn": found.depends_on}

    def apply_moves(self, question: Value) -> Value:
        """Play ``moves`` up to the first that is refused."""
        game, p = self._position(question)
        places = [(f"moves[{place}].", one) for place, one in enumerate(question["moves"])]
        moves = [(actor := _actor(game, one, at), _move(game, actor, one["move"], at)) for at, one in places]
        played = apply_moves(game, p, moves)
        return {
            "position": _position(question["position"]["ruleSet"], played.text),
            "applied": played.applied,
            "refusals": refusal_values(game, played.refusals, self._translator),
            "penalties": [
                {"index": index, "refusals": refusal_values(game, refusals, self._translator)}
                for index, refusals in played.penalties
            ],
            "events": [event_value(event) for event in played.events],
            "view": view_value(played.view),
            **_chance(played.chance_request),
            "points": played.points,
            "legalMoves": [move_value(move) for move in played.legal_moves],
        }

    def get_view(self, question: Value) -> Value:
        """Return the view of ``viewer``: a seat, "referee", or "public"."""
        game, p = self._position(question)
        named = question["viewer"]
        viewer: Viewer = VIEWERS[named] if isinstance(named, str) else read_seat(game, named)
        return view_value(view_for(game, p, viewer))

    def playable_cards(self, question: Value) -> Sequence[Value]:
        """Explain every play of ``hand`` to ``trick``, without a position."""
        game = self._game(question["ruleSet"])
        plays = playable_cards(
            game,
            question["hand"],
            question["trick"],
            trump=question.get("trump", ""),
            trump_card=question.get("trumpCard", ""),
            declared_suit=question.get("declaredSuit", ""),
            stock_left=bool(question.get("stockLeft")),
        )
        return self._explained(game, plays)

    def resolve_trick(self, question: Value) -> Value:
        """Determine the winning card of a trick, without a position."""
        game = self._game(question["ruleSet"])
        found = resolve_trick(game, question["cards"], question.get("trump"), question.get("trumpCard"))
        return {
            **({} if found.winning_index is None else {"winningIndex": found.winning_index}),
            "winningCard": found.winning_card,
            "scores": _scores(found.scores),
            "dependsOn": found.depends_on,
        }

    def score_cards(self, question: Value) -> Sequence[Value]:
        """Score cards, without a position."""
        return _scores(score_cards(self._game(question["ruleSet"]), question["cards"], question["trump"]))

    # ------------------------------------------------------------------ reading

    def _game(self, rule_set: Value, field: str = "rule_set") -> AnyGame:
        options = tuple(sorted(rule_set.get("options", {}).items()))
        key, players = rule_set["gameId"], rule_set.get("players", 0)
        return configured_game(self._catalogue, RuleSet(key, players, options, rule_set.get("edition", 0)), field)

    def _position(self, question: Value) -> tuple[AnyGame, Position]:
        position = question["position"]
        game = self._game(position["ruleSet"])
        return game, read_position(game, position["text"])

    def _asked(self, question: Value) -> MoveQuestion:
        """Read what a question asks about: ``seat``, else the seat to move."""
        if "partialPosition" in question:
            return self._partial(question)
        game, p = self._position(question)
        seat = read_seat(game, question["seat"]) if "seat" in question else seat_to_move(game, p)
        return PositionQuestion(game, p, seat)

    def _by_chance(self, question: Value) -> MoveQuestion:
        """Read the position of a question about a move of ``seat``, else of chance."""
        game, p = self._position(question)
        return PositionQuestion(game, p, _actor(game, question))

    def _partial(self, question: Value) -> PartialQuestion:
        known = question["partialPosition"]
        game = self._game(known["ruleSet"], "partial_position.rule_set")
        trick = known.get("trick")
        position = PartialPosition(
            [(hand["seat"], hand["cards"]) for hand in known.get("hands", ())],
            None if trick is None else PartialTrick(trick["cards"], trick.get("leader"), trick.get("declaredSuit")),
            known.get("trump"),
            known.get("trumpCard"),
            known.get("stockSize"),
        )
        return read_partial_question(game, position, question.get("seat"))

    def _explained(self, game: AnyGame, plays: Sequence[ExplainedPlay]) -> Sequence[Value]:
        return [explained_value(game, play, self._translator) for play in plays]


def answers_in(language: str) -> RulesAnswers:
    """Return the answers by all installed games in "en", "it" or "de"; raises `ValueError` for a refused package."""
    catalogue = open_catalogue(ALL)
    if catalogue.refused:
        raise ValueError("; ".join(map(str, catalogue.refused)))
    add_texts(catalogue)
    return RulesAnswers(catalogue, translator_for(language))


def _actor(game: AnyGame, question: Value, at: str = "") -> Seat:
    return read_seat(game, question["seat"], f"{at}seat") if "seat" in question else CHANCE


def _move(game: AnyGame, actor: Seat, move: Value, at: str = "") -> Move:
    shares = tuple((share["person"], share["amount"]) for share in move.get("shares", ()))
    arguments = move.get("cards", ()), move.get("choice", ""), move.get("amount"), move.get("seat")
    return build_move(game, actor, move["verb"], *arguments, shares, f"{at}move")


def _position(rule_set: Value, text: str) -> Value:
    return {"ruleSet": {"players": 0, "options": {}, "edition": 0, **rule_set}, "text": text}


def _seat(seat: Seat | None) -> Value:
    return {} if seat is None else {"seat": seat}


def _chance(chance: ChanceRequest | None) -> Value:
    return {} if chance is None else {"chanceRequest": chance_value(chance)}


def _scores(counts: Scores) -> Sequence[Value]:
    return [{"name": name, "value": number} for name, number in counts]
