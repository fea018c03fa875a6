"""The codes that programs switch on.

Codes travel as strings, and these enums are strings too, so that one may be compared with the other and a code that a
newer service adds is no trouble: it is simply equal to none of them.
"""

from __future__ import annotations

from enum import StrEnum


class ErrorCode(StrEnum):
    """Why a call could not be answered: ``ChitarrellaError.code``."""

    BAD_REQUEST = "bad_request"
    """A field of the request is not well formed; ``violations`` names every one."""
    UNKNOWN_GAME = "unknown_game"
    UNKNOWN_CARD = "unknown_card"
    UNKNOWN_SUIT = "unknown_suit"
    MALFORMED_MOVE = "malformed_move"
    """Words that are no move of the game at all."""
    BAD_POSITION = "bad_position"
    BAD_PLAYERS = "bad_players"
    BAD_OPTION = "bad_option"
    BAD_PACK = "bad_pack"
    BAD_CURSOR = "bad_cursor"
    BAD_RECORD = "bad_record"
    """The text is no record, or one of its moves is refused."""
    NO_SUCH_SEAT = "no_such_seat"
    NO_TRICKS = "no_tricks"
    """The game is not played in tricks, so the question has no answer."""
    BAD_KEY = "bad_key"
    """The key opens nothing at this match."""
    KEY_NEEDED = "key_needed"
    API_KEY_NEEDED = "api_key_needed"
    """The service is for platforms that it knows."""
    BAD_API_KEY = "bad_api_key"
    PLATFORM_ONLY = "platform_only"
    """Only a platform that shows its API key has a list of matches."""
    OUT_OF_SCOPE = "out_of_scope"
    """The API key is not good for this call."""
    NOT_YOUR_SEAT = "not_your_seat"
    """The key opens something else."""
    REFEREE_ONLY = "referee_only"
    NO_SUCH_MATCH = "no_such_match"
    """There is no such match, or not any more."""
    NO_CLOCK = "no_clock"
    """No clock runs at this match now."""
    NO_DRAW_AWAITED = "no_draw_awaited"
    """No pack is waiting for words of the seats."""
    ALREADY_CONTRIBUTED = "already_contributed"
    """The seat has added another word to this draw."""
    NO_SUCH_BOT = "no_such_bot"
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    """No decision was made since something was last drawn, or nobody asks."""
    NOT_YOUR_DECISION = "not_your_decision"
    """The last decision was made by another seat."""
    CARDS_WERE_SEEN = "cards_were_seen"
    """By the decision cards were moved that lay hidden, so it cannot be taken back."""
    MATCH_OVER = "match_over"
    """The match is over; of a move that is a refusal, of anything else an error."""
    MATCH_RUNNING = "match_running"
    """Only when the match is over."""
    MATCH_ENDED = "match_ended"
    """The match was ended before its time."""
    EDITION_NOT_KEPT = "edition_not_kept"
    STALE_REVISION = "stale_revision"
    """The table has moved on from the expected revision."""
    REQUEST_REUSED = "request_reused"
    """The request id was used before, for something else."""
    TOO_MANY = "too_many"
    """A limit is reached; later it may work."""
    TOO_SLOW = "too_slow"
    """A watcher did not keep up; `watch` goes on from its cursor by itself."""
    STORE_DOWN = "store_down"
    SHUTTING_DOWN = "shutting_down"
    """This worker of the service is being stopped; another one answers."""
    INTERNAL = "internal"
    """A fault of the service itself."""
    UNAVAILABLE = "unavailable"
    """The service could not be reached; said by the client, not by the service."""
    DEADLINE_EXCEEDED = "deadline_exceeded"
    """No answer came in time; said by the client, not by the service."""


class RefusalCode(StrEnum):
    """Why a move is refused, in all games or in many: ``Refusal.code``.

    A game may have codes of its own besides; ``client.game(key).reasons`` lists them all with their clauses.
    """

    MATCH_OVER = "match_over"
    WRONG_PHASE = "wrong_phase"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_IN_HAND = "not_in_hand"
    BAD_PACK = "bad_pack"
    BAD_DEALER = "bad_dealer"
    MUST_FOLLOW_SUIT = "must_follow_suit"
