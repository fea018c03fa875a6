//! The codes that programs switch on. They travel as words; one that a newer service has added is kept as it is.

use std::fmt;

/// Makes an enum of the known words, each with a sentence, and one variant for any other word.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$says:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$says])* $variant,)*
            /// A word that this client does not know.
            Unknown(String),
        }

        impl $name {
            /// The word as it travels.
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
    /// Why a call could not be answered: [`Error::code`](crate::Error::code).
    Code {
        /// A field of the request is not well formed; the violations name every one.
        BadRequest = "bad_request",
        /// The catalogue has no game of that key.
        UnknownGame = "unknown_game",
        /// The pack has no such card.
        UnknownCard = "unknown_card",
        /// The pack has no such suit.
        UnknownSuit = "unknown_suit",
        /// Words that are no move of the game at all.
        MalformedMove = "malformed_move",
        /// The line is no position of the game.
        BadPosition = "bad_position",
        /// The game is not made for so many.
        BadPlayers = "bad_players",
        /// The game has no such option, or the option no such choice.
        BadOption = "bad_option",
        /// The cards are not the pack of the game.
        BadPack = "bad_pack",
        /// The cursor is not one of this match.
        BadCursor = "bad_cursor",
        /// The text is no record, or one of its moves is refused.
        BadRecord = "bad_record",
        /// The table has no such seat.
        NoSuchSeat = "no_such_seat",
        /// The game is not played in tricks, so the question has no answer.
        NoTricks = "no_tricks",
        /// The key opens nothing at this match.
        BadKey = "bad_key",
        /// The answer is only for who shows a key.
        KeyNeeded = "key_needed",
        /// The service is for platforms that it knows.
        ApiKeyNeeded = "api_key_needed",
        /// The service does not know this platform.
        BadApiKey = "bad_api_key",
        /// Only a platform that shows its API key has a list of matches.
        PlatformOnly = "platform_only",
        /// The API key is not good for this call.
        OutOfScope = "out_of_scope",
        /// The key opens something else.
        NotYourSeat = "not_your_seat",
        /// Only the referee may do this.
        RefereeOnly = "referee_only",
        /// There is no such match, or not any more.
        NoSuchMatch = "no_such_match",
        /// No clock runs at this match now.
        NoClock = "no_clock",
        /// No pack is waiting for words of the seats.
        NoDrawAwaited = "no_draw_awaited",
        /// The seat has added another word to this draw.
        AlreadyContributed = "already_contributed",
        /// There is no bot of that name.
        NoSuchBot = "no_such_bot",
        /// No decision was made since something was last drawn, or nobody asks.
        NothingToTakeBack = "nothing_to_take_back",
        /// The last decision was made by another seat.
        NotYourDecision = "not_your_decision",
        /// By the decision cards were moved that lay hidden, so it cannot be taken back.
        CardsWereSeen = "cards_were_seen",
        /// The match is over; of a move that is a refusal, of anything else an error.
        MatchOver = "match_over",
        /// Only when the match is over.
        MatchRunning = "match_running",
        /// The match was ended before its time.
        MatchEnded = "match_ended",
        /// The rules were changed since, and the old ones are not kept.
        EditionNotKept = "edition_not_kept",
        /// The table has moved on from the expected revision.
        StaleRevision = "stale_revision",
        /// The request id was used before, for something else.
        RequestReused = "request_reused",
        /// A limit is reached; later it may work.
        TooMany = "too_many",
        /// The request is larger than any honest one.
        TooLarge = "too_large",
        /// A watcher did not keep up; a [`Watch`](crate::Watch) goes on from its cursor by itself.
        TooSlow = "too_slow",
        /// The service's store does not answer.
        StoreDown = "store_down",
        /// This worker of the service is being stopped; another one answers.
        ShuttingDown = "shutting_down",
        /// A fault of the service itself.
        Internal = "internal",
        /// The service could not be reached; said by the client, not by the service.
        Unavailable = "unavailable",
        /// No answer came in time; said by the client, not by the service.
        DeadlineExceeded = "deadline_exceeded",
    }
}

words! {
    /// Why a move is refused, in all games or in many: [`Refusal::reason`](crate::Refusal::reason).
    ///
    /// A game may have codes of its own besides; the catalogue lists them all with their clauses.
    Reason {
        /// The match is over.
        MatchOver = "match_over",
        /// The move does not belong to this stretch of the game.
        WrongPhase = "wrong_phase",
        /// Another seat is to move.
        NotYourTurn = "not_your_turn",
        /// The seat does not hold the card.
        NotInHand = "not_in_hand",
        /// The cards are not those that were wanted.
        BadPack = "bad_pack",
        /// The lot fell upon a number that was not asked for.
        BadDealer = "bad_dealer",
        /// A card of the suit that was led has to be played.
        MustFollowSuit = "must_follow_suit",
    }
}
