// Machine-readable reasons. On the wire they are strings; a code of a newer service is `unknown` here.
#pragma once

#include <string_view>

// A table laid out by hand, one code a line: clang-format would fill the lines.
// clang-format off
#define CHITARRELLA_CODES(X) \
    X(bad_request)           /* a field of the request is invalid; the violations name all of them */ \
    X(unknown_game)          /* the catalogue has no game of that key */ \
    X(unknown_card)          /* the pack has no such card */ \
    X(unknown_suit)          /* the pack has no such suit */ \
    X(malformed_move)        /* not a move of the game at all */ \
    X(bad_position)          /* the text is no position of the game */ \
    X(bad_players)           /* the game does not allow this number of players */ \
    X(bad_option)            /* the game has no such option, or the option no such value */ \
    X(bad_pack)              /* the cards are not the pack of the game */ \
    X(bad_cursor)            /* the cursor is not one of this match */ \
    X(bad_record)            /* the text is no record, or one of its moves is refused */ \
    X(no_such_seat)          /* the match has no such seat */ \
    X(no_tricks)             /* the game is not played in tricks, so the request has no answer */ \
    X(bad_key)               /* the key is unknown to this match */ \
    X(key_needed)            /* the call needs a key */ \
    X(api_key_needed)        /* the service requires an API key */ \
    X(bad_api_key)           /* the API key is unknown */ \
    X(bad_token)             /* the token is malformed, not signed by the platform of the match, or not for this match */ \
    X(bad_audience)          /* the token is for another service */ \
    X(token_expired)         /* the token has expired */ \
    X(token_not_yet_valid)   /* the token is not valid yet */ \
    X(platform_only)         /* only a platform with an API key may do this */ \
    X(out_of_scope)          /* the API key does not allow this call */ \
    X(not_your_seat)         /* the key is that of another seat */ \
    X(referee_only)          /* only the referee may do this */ \
    X(no_such_match)         /* the match does not exist, or was deleted */ \
    X(no_clock)              /* no clock runs at this match now */ \
    X(sandbox_off)           /* the service does not allow tests */ \
    X(not_a_sandbox)         /* the match is not a test */ \
    X(no_such_webhook)       /* the platform has no such webhook */ \
    X(no_such_delivery)      /* the webhook has no such delivery, or it is no longer kept */ \
    X(webhook_configured)    /* the webhook stands in the settings of the service */ \
    X(too_many_webhooks)     /* the platform has as many webhooks as it may have */ \
    X(no_shuffle_pending)    /* no shuffle awaits seeds */ \
    X(already_contributed)   /* the seat has already added another seed to this shuffle */ \
    X(no_such_api_key)       /* the settings of the service have no such API key */ \
    X(no_such_bot)           /* there is no bot of that name */ \
    X(nothing_to_take_back)  /* no decision was made since the last shuffle, or there is no request */ \
    X(not_your_decision)     /* the last decision was made by another seat */ \
    X(cards_were_seen)       /* the decision moved a hidden card, so it cannot be taken back */ \
    X(match_over)            /* the match is finished; for a move this is a refusal, for anything else an error */ \
    X(match_running)         /* the call is allowed only once the match is finished */ \
    X(match_aborted)         /* the match was aborted */ \
    X(edition_not_supported) /* the rules were changed since, and the old edition is not available */ \
    X(game_not_installed)    /* the service does not have the game of the match now; the match is kept */ \
    X(stale_revision)        /* the match has another revision than the expected one */ \
    X(moves_lost)            /* the service has lost acknowledged moves; read the match again */ \
    X(request_reused)        /* the request id was used before, for something else */ \
    X(too_many)              /* a limit is reached; the call may succeed later */ \
    X(rate_limited)          /* too many calls in a time; a retry after the time in RetryInfo succeeds */ \
    X(quota_exceeded)        /* the platform or address has as much at a time as it may have */ \
    X(too_large)             /* the request is too large */ \
    X(too_slow)              /* a watcher did not keep up; a Watch resumes from its cursor by itself */ \
    X(store_down)            /* the store of the service is unavailable */ \
    X(overloaded)            /* too many calls are waiting at this worker of the service; another one may be free */ \
    X(shutting_down)         /* this worker of the service is stopping; another one will answer */ \
    X(internal)              /* a fault of the service itself */ \
    X(unavailable)           /* the service could not be reached; made by the client */ \
    X(deadline_exceeded)     /* no response in time; made by the client */

#define CHITARRELLA_REASONS(X) \
    X(match_over)       /* the match is finished */ \
    X(wrong_phase)      /* the move is not allowed in this phase */ \
    X(not_your_turn)    /* another seat is to move */ \
    X(not_in_hand)      /* the seat does not hold the card */ \
    X(bad_pack)         /* the cards are not the awaited ones */ \
    X(bad_dealer)       /* the lot is not one of the awaited numbers */ \
    X(must_follow_suit) /* a card of the suit led must be played */
// clang-format on

namespace chitarrella {

#define CHITARRELLA_NAME(name) name,

/// The reason of an error: Error::code().
enum class Code { unknown, CHITARRELLA_CODES(CHITARRELLA_NAME) };

/// The reason of a refusal, common to many games: reason(refusal). A game may have other codes; the catalogue lists
/// them with their clauses.
enum class Reason { unknown, CHITARRELLA_REASONS(CHITARRELLA_NAME) };

#undef CHITARRELLA_NAME

/// Converts a code; `unknown` if this client does not know it.
Code read_code(std::string_view word);

/// Converts the code of a refusal; `unknown` if this client does not know it.
Reason read_reason(std::string_view word);

} // namespace chitarrella
