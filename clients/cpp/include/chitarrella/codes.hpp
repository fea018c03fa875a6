// The codes that programs switch on. They travel as words; one that a newer service has added is `unknown` here.
#pragma once

#include <string_view>

// clang-format off
#define CHITARRELLA_CODES(X) \
    X(bad_request)          /* a field of the request is not well formed; the violations name every one */ \
    X(unknown_game)         /* the catalogue has no game of that key */ \
    X(unknown_card)         /* the pack has no such card */ \
    X(unknown_suit)         /* the pack has no such suit */ \
    X(malformed_move)       /* words that are no move of the game at all */ \
    X(bad_position)         /* the line is no position of the game */ \
    X(bad_players)          /* the game is not made for so many */ \
    X(bad_option)           /* the game has no such option, or the option no such choice */ \
    X(bad_pack)             /* the cards are not the pack of the game */ \
    X(bad_cursor)           /* the cursor is not one of this match */ \
    X(bad_record)           /* the text is no record, or one of its moves is refused */ \
    X(no_such_seat)         /* the table has no such seat */ \
    X(no_tricks)            /* the game is not played in tricks, so the question has no answer */ \
    X(bad_key)              /* the key opens nothing at this match */ \
    X(key_needed)           /* the answer is only for who shows a key */ \
    X(api_key_needed)       /* the service is for platforms that it knows */ \
    X(bad_api_key)          /* the service does not know this platform */ \
    X(platform_only)        /* only a platform that shows its API key has a list of matches */ \
    X(out_of_scope)         /* the API key is not good for this call */ \
    X(not_your_seat)        /* the key opens something else */ \
    X(referee_only)         /* only the referee may do this */ \
    X(no_such_match)        /* there is no such match, or not any more */ \
    X(no_clock)             /* no clock runs at this match now */ \
    X(no_draw_awaited)      /* no pack is waiting for words of the seats */ \
    X(already_contributed)  /* the seat has added another word to this draw */ \
    X(no_such_bot)          /* there is no bot of that name */ \
    X(nothing_to_take_back) /* no decision was made since something was last drawn, or nobody asks */ \
    X(not_your_decision)    /* the last decision was made by another seat */ \
    X(cards_were_seen)      /* cards were moved that lay hidden, so it cannot be taken back */ \
    X(match_over)           /* the match is over; of a move that is a refusal, of anything else an error */ \
    X(match_running)        /* only when the match is over */ \
    X(match_ended)          /* the match was ended before its time */ \
    X(edition_not_kept)     /* the rules were changed since, and the old ones are not kept */ \
    X(stale_revision)       /* the table has moved on from the expected revision */ \
    X(request_reused)       /* the request id was used before, for something else */ \
    X(too_many)             /* a limit is reached; later it may work */ \
    X(too_large)            /* the request is larger than any honest one */ \
    X(too_slow)             /* a watcher did not keep up; a Watch goes on from its cursor by itself */ \
    X(store_down)           /* the service's store does not answer */ \
    X(shutting_down)        /* this worker of the service is being stopped; another one answers */ \
    X(internal)             /* a fault of the service itself */ \
    X(unavailable)          /* the service could not be reached; said by the client */ \
    X(deadline_exceeded)    /* no answer came in time; said by the client */

#define CHITARRELLA_REASONS(X) \
    X(match_over)       /* the match is over */ \
    X(wrong_phase)      /* the move does not belong to this stretch of the game */ \
    X(not_your_turn)    /* another seat is to move */ \
    X(not_in_hand)      /* the seat does not hold the card */ \
    X(bad_pack)         /* the cards are not those that were wanted */ \
    X(bad_dealer)       /* the lot fell upon a number that was not asked for */ \
    X(must_follow_suit) /* a card of the suit that was led has to be played */
// clang-format on

namespace chitarrella {

#define CHITARRELLA_NAME(name) name,

/// Why a call could not be answered: Error::code().
enum class Code { unknown, CHITARRELLA_CODES(CHITARRELLA_NAME) };

/// Why a move is refused, in all games or in many: reason(refusal). A game may have codes of its own besides; the
/// catalogue lists them all with their clauses.
enum class Reason { unknown, CHITARRELLA_REASONS(CHITARRELLA_NAME) };

#undef CHITARRELLA_NAME

/// Reads a code; `unknown` for a word that this client does not know.
Code read_code(std::string_view word);

/// Reads the code of a refusal; `unknown` for a word that this client does not know.
Reason read_reason(std::string_view word);

} // namespace chitarrella
