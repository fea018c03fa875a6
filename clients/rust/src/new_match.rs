//! The settings of a match to be created, or imported from a record.

use std::time::Duration;

use crate::v1::{BotSeat, Clock, CreateMatchRequest, ImportMatchRequest, PackSource, PlayerName, RuleSet, Sandbox};

/// Defines the settings that created and imported matches have in common.
macro_rules! match_settings {
    ($request:ident) => {
        impl $request {
            /// Sets who supplies packs and lots. (`pack_source` reads the field.)
            #[must_use]
            pub fn with_pack_source(mut self, source: PackSource) -> Self {
                self.pack_source = source.into();
                self
            }

            /// Assigns a seat to a bot: "random", "greedy" or "search".
            #[must_use]
            pub fn bot(mut self, seat: u32, bot: impl Into<String>) -> Self {
                self.bots.push(BotSeat { seat, bot: bot.into(), think_ms: 0 });
                self
            }

            /// Hides the match from everybody without one of its keys.
            #[must_use]
            pub fn private(mut self) -> Self {
                self.private = true;
                self
            }

            /// Limits the time of each decision, in whole seconds; what exceeds it comes out of the bank of the seat.
            #[must_use]
            pub fn clock(mut self, decision: Duration, bank: Duration) -> Self {
                self.clock = Some(Clock { move_seconds: seconds(decision), bank_seconds: seconds(bank) });
                self
            }

            /// The platform's own id of the match.
            #[must_use]
            pub fn external_id(mut self, id: impl Into<String>) -> Self {
                self.external_id = id.into();
                self
            }

            /// Adds a label of the platform's own, such as "cup" with "spring"; [`MatchFilter`](crate::MatchFilter)
            /// finds the match by it.
            #[must_use]
            pub fn label(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
                self.labels.insert(key.into(), value.into());
                self
            }

            /// Names the player at a seat. Everybody who may see the match sees the name.
            #[must_use]
            pub fn player(mut self, seat: u32, name: impl Into<String>) -> Self {
                self.player_names.push(PlayerName { seat, name: name.into() });
                self
            }

            /// Makes the match a test, where the service allows tests: the same rule set and seed give the same deals,
            /// "" shuffles by chance, and the clock stands still until [`Match::advance_clock`](crate::Match).
            #[must_use]
            pub fn sandbox(mut self, seed: impl Into<String>) -> Self {
                self.sandbox = Some(Sandbox { seed: seed.into() });
                self
            }
        }
    };
}

match_settings!(CreateMatchRequest);
match_settings!(ImportMatchRequest);

impl CreateMatchRequest {
    /// A match in which the service deals, with defaults for everything else.
    pub fn of(rule_set: impl Into<RuleSet>) -> Self {
        Self { rule_set: Some(rule_set.into()), ..Self::default() }
    }

    /// The pack of the first deal, first card first.
    #[must_use]
    pub fn pack<T: Into<String>>(mut self, cards: impl IntoIterator<Item = T>) -> Self {
        self.pack = cards.into_iter().map(Into::into).collect();
        self
    }
}

impl ImportMatchRequest {
    /// A match with all moves of a record, with defaults for everything else.
    pub fn of(record: impl Into<String>) -> Self {
        Self { record: record.into(), ..Self::default() }
    }

    /// Plays only this many moves of the record, those of chance included. (`move_count` reads the field.)
    #[must_use]
    pub fn with_move_count(mut self, count: u32) -> Self {
        self.move_count = Some(count);
        self
    }
}

impl<T: Into<RuleSet>> From<T> for CreateMatchRequest {
    fn from(rule_set: T) -> Self {
        Self::of(rule_set)
    }
}

/// Whole seconds, for a request.
pub(crate) fn seconds(length: Duration) -> u32 {
    u32::try_from(length.as_secs()).unwrap_or(u32::MAX)
}
