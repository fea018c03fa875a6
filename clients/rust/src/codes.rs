//! Machine-readable reasons. On the wire they are strings; an unknown one of a newer service is kept as it is.

use std::fmt;

/// Defines an enum of the known codes and a variant for any other.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$doc])* $variant,)*
            /// A code that this client does not know.
            Unknown(String),
        }

        impl $name {
            /// The code on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)*
                    Self::Unknown(word) => word,
                }
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                match word {
                    $($word => Self::$variant,)*
                    other => Self::Unknown(other.to_owned()),
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

words! {
    /// The reason of an error: [`Error::code`](crate::Error::code).
    Code {
        /// A field of the request is invalid; the violations name all of them.
        BadRequest = "bad_request",
        /// The catalogue has no game of that key.
        UnknownGame = "unknown_game",
        /// The pack has no such card.
        UnknownCard = "unknown_card",
        /// The pack has no such suit.
        UnknownSuit = "unknown_suit",
        /// Not a move of the game at all.
        MalformedMove = "malformed_move",
        /// The text is no position of the game.
        BadPosition = "bad_position",
        /// The game does not allow this number of players.
        BadPlayers = "bad_players",
        /// The game has no such option, or the option no such value.
        BadOption = "bad_option",
        /// The cards are not the pack of the game.
        BadPack = "bad_pack",
        /// The cursor is not one of this match.
        BadCursor = "bad_cursor",
        /// The text is no record, or one of its moves is refused.
        BadRecord = "bad_record",
        /// The match has no such seat.
        NoSuchSeat = "no_such_seat",
        /// The game is not played in tricks, so the question has no answer.
        NoTricks = "no_tricks",
        /// The key is unknown to this match.
        BadKey = "bad_key",
        /// The call needs a key.
        KeyNeeded = "key_needed",
        /// The service requires an API key.
        ApiKeyNeeded = "api_key_needed",
        /// The API key is unknown.
        BadApiKey = "bad_api_key",
        /// The token is malformed, not signed by the platform of the match, or not for this match.
        BadToken = "bad_token",
        /// The token is for another service.
        BadAudience = "bad_audience",
        /// The token has expired.
        TokenExpired = "token_expired",
        /// The token is not valid yet.
        TokenNotYetValid = "token_not_yet_valid",
        /// Only a platform with an API key may do this.
        PlatformOnly = "platform_only",
        /// The API key does not allow this call.
        OutOfScope = "out_of_scope",
        /// The key is that of another seat.
        NotYourSeat = "not_your_seat",
        /// Only the referee may do this.
        RefereeOnly = "referee_only",
        /// The match does not exist, or was deleted.
        NoSuchMatch = "no_such_match",
        /// No clock runs at this match now.
        NoClock = "no_clock",
        /// The service does not allow tests.
        SandboxOff = "sandbox_off",
        /// The match is not a test.
        NotASandbox = "not_a_sandbox",
        /// The platform has no such webhook.
        NoSuchWebhook = "no_such_webhook",
        /// The webhook has no such delivery, or it is no longer kept.
        NoSuchDelivery = "no_such_delivery",
        /// The webhook stands in the settings of the service.
        WebhookConfigured = "webhook_configured",
        /// The platform has as many webhooks as it may have.
        TooManyWebhooks = "too_many_webhooks",
        /// No shuffle awaits seeds.
        NoShufflePending = "no_shuffle_pending",
        /// The seat has already added another seed to this shuffle.
        AlreadyContributed = "already_contributed",
        /// There is no bot of that name.
        NoSuchBot = "no_such_bot",
        /// The settings of the service have no such API key.
        NoSuchApiKey = "no_such_api_key",
        /// No decision was made since the last shuffle, or there is no request.
        NothingToTakeBack = "nothing_to_take_back",
        /// The last decision was made by another seat.
        NotYourDecision = "not_your_decision",
        /// The decision moved a hidden card, so it cannot be taken back.
        CardsWereSeen = "cards_were_seen",
        /// The match is finished. For a move this is a refusal, for anything else an error.
        MatchOver = "match_over",
        /// The call is allowed only once the match is finished.
        MatchRunning = "match_running",
        /// The match was aborted.
        MatchAborted = "match_aborted",
        /// The rules were changed since, and the old edition is not available.
        EditionNotSupported = "edition_not_supported",
        /// The service does not have the game of the match now; the match is kept.
        GameNotInstalled = "game_not_installed",
        /// The match has another revision than the expected one.
        StaleRevision = "stale_revision",
        /// The service has lost acknowledged moves; read the match again.
        MovesLost = "moves_lost",
        /// The request id was used before, for something else.
        RequestReused = "request_reused",
        /// A limit is reached; the call may succeed later.
        TooMany = "too_many",
        /// Too many calls in a time; a retry after the time in RetryInfo succeeds.
        RateLimited = "rate_limited",
        /// The platform or address has as much at a time as it may have.
        QuotaExceeded = "quota_exceeded",
        /// The request is too large.
        TooLarge = "too_large",
        /// A watcher did not keep up; a [`Watch`](crate::Watch) resumes from its cursor by itself.
        TooSlow = "too_slow",
        /// The store of the service is unavailable.
        StoreDown = "store_down",
        /// Too many calls are waiting at this worker of the service; another one may be free.
        Overloaded = "overloaded",
        /// This worker of the service is stopping; another one will answer.
        ShuttingDown = "shutting_down",
        /// A fault of the service itself.
        Internal = "internal",
        /// The service could not be reached; made by the client.
        Unavailable = "unavailable",
        /// No response in time; made by the client.
        DeadlineExceeded = "deadline_exceeded",
    }
}

words! {
    /// The reason of a refusal, common to many games: [`Refusal::reason`](crate::Refusal::reason).
    ///
    /// A game may have other codes; the catalogue lists them with their clauses.
    Reason {
        /// The match is finished.
        MatchOver = "match_over",
        /// The move is not allowed in this phase.
        WrongPhase = "wrong_phase",
        /// Another seat is to move.
        NotYourTurn = "not_your_turn",
        /// The seat does not hold the card.
        NotInHand = "not_in_hand",
        /// The cards are not the awaited ones.
        BadPack = "bad_pack",
        /// The lot is not one of the awaited numbers.
        BadDealer = "bad_dealer",
        /// A card of the suit led must be played.
        MustFollowSuit = "must_follow_suit",
    }
}
