//! Value types: constructors and accessors for the messages of the contract.

use std::fmt;

use crate::codes::Reason;
use crate::v1::{
    Card, Event, ExplainedMove, GetGameResponse, GetMatchResponse, Move, Position, Refusal, RuleSet, Share, View,
    Waiting, WatchMatchesResponse, Zone,
};

/// A match to be created; use the methods, or set the fields.
pub use crate::v1::CreateMatchRequest as NewMatch;
/// A match to be created from a record; use the methods, or set the fields.
pub use crate::v1::ImportMatchRequest as ImportedMatch;
// The results of calls, under the names that they have in all clients.
pub use crate::v1::{
    AdvanceClockResponse as ClockAdvance, ApplyMovesResponse as AppliedMoves, CompareGamesResponse as Comparison,
    ContributeSeedResponse as SeedResult, EnforceClockResponse as ClockResult, ExplainHandResponse as ExplainedHand,
    ExplainMatchHandResponse as MatchHand, GetGameResponse as Game, GetMatchResponse as MatchState,
    ListLegalMovesResponse as LegalMoves, ListMatchMovesResponse as MatchMoves, ListShufflesResponse as Shuffles,
    MatchServiceValidateMoveResponse as MatchMoveValidation, PlayMoveResponse as MoveResult,
    ResolveTrickResponse as TrickResult, StartGameResponse as GameStart, TakeBackResponse as TakebackResult,
    ValidateMoveResponse as MoveValidation, WatchMatchResponse as MatchUpdate, WatchMatchesResponse as PlatformUpdate,
};

impl RuleSet {
    /// The key of a game, such as "briscola", with defaults for everything else.
    pub fn of(game_id: impl Into<String>) -> Self {
        Self { game_id: game_id.into(), ..Self::default() }
    }

    /// The number of players.
    #[must_use]
    pub fn players(mut self, players: u32) -> Self {
        self.players = players;
        self
    }

    /// Sets a game option.
    #[must_use]
    pub fn option(mut self, name: impl Into<String>, choice: impl fmt::Display) -> Self {
        self.options.insert(name.into(), choice.to_string());
        self
    }
}

impl From<&str> for RuleSet {
    fn from(game_id: &str) -> Self {
        Self::of(game_id)
    }
}

impl Position {
    /// A position in the text form of the service, and its rule set.
    pub fn of(rule_set: impl Into<RuleSet>, text: impl Into<String>) -> Self {
        Self { rule_set: Some(rule_set.into()), text: text.into() }
    }
}

impl Move {
    /// A move without arguments: a verb, such as "play_card".
    pub fn of(verb: impl Into<String>) -> Self {
        Self { verb: verb.into(), ..Self::default() }
    }

    /// With these cards.
    #[must_use]
    pub fn with_cards<T: Into<String>>(mut self, cards: impl IntoIterator<Item = T>) -> Self {
        self.cards = cards.into_iter().map(Into::into).collect();
        self
    }

    /// With a suit, a rank or an answer.
    #[must_use]
    pub fn with_choice(mut self, choice: impl Into<String>) -> Self {
        self.choice = choice.into();
        self
    }

    /// With a number: a bid, a cut, a lot.
    #[must_use]
    pub fn with_amount(mut self, amount: i32) -> Self {
        self.amount = Some(amount);
        self
    }

    /// With the seat that holds the card, if it is not the mover's: a dummy.
    #[must_use]
    pub fn with_seat(mut self, seat: u32) -> Self {
        self.seat = Some(seat);
        self
    }

    /// With the amount of a person: a seat by its number, anybody else by name.
    #[must_use]
    pub fn with_share(mut self, person: impl Into<String>, amount: i64) -> Self {
        self.shares.push(Share { person: person.into(), amount });
        self
    }
}

impl fmt::Display for Move {
    /// Writes the verb and its arguments: `play_card Ab`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.verb)?;
        self.cards.iter().try_for_each(|card| write!(f, " {card}"))?;
        write_optional(f, " ", (!self.choice.is_empty()).then_some(&self.choice))?;
        write_optional(f, " ", self.amount)?;
        self.shares.iter().try_for_each(|share| write!(f, " {}:{}", share.person, share.amount))?;
        write_optional(f, " @", self.seat)
    }
}

impl fmt::Display for Event {
    /// Writes the kind, the seat, then the rest: `trick_taken 1 Ab 3c`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        write_optional(f, " ", self.seat)?;
        self.cards.iter().try_for_each(|card| write!(f, " {card}"))?;
        if self.hidden > 0 {
            write!(f, " ({} hidden)", self.hidden)?;
        }
        write_optional(f, " ", (!self.word.is_empty()).then_some(&self.word))?;
        write_optional(f, " ", self.amount)?;
        write_optional(f, " ", self.other)?;
        self.shares.iter().try_for_each(|share| write!(f, " {}:{}", share.person, share.amount))
    }
}

fn write_optional(f: &mut fmt::Formatter<'_>, before: &str, value: Option<impl fmt::Display>) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, "{before}{value}"))
}

impl Refusal {
    /// The machine-readable reason.
    pub fn reason(&self) -> Reason {
        Reason::from(self.code.as_str())
    }

    /// The key of the clause that forbids it, such as "CO-17".
    pub fn clause_key(&self) -> &str {
        self.clause.as_ref().map_or("", |clause| &clause.key)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}, {}]", self.message, self.code, self.clause_key())
    }
}

impl ExplainedMove {
    /// Whether the move breaks no clause, whatever the unknown parts of a partial position are.
    pub fn is_legal(&self) -> bool {
        self.refusals.is_empty()
    }

    /// Whether its legality depends on unknown parts of a partial position: those in `depends_on`.
    pub fn is_undecided(&self) -> bool {
        !self.depends_on.is_empty()
    }
}

impl View {
    /// Whether the match is finished.
    pub fn is_finished(&self) -> bool {
        self.waiting() == Waiting::Nobody
    }

    /// The zone with that name and seat.
    pub fn zone(&self, name: &str, seat: Option<u32>) -> Option<&Zone> {
        self.zones.iter().find(|zone| zone.name == name && zone.seat == seat)
    }
}

impl GetMatchResponse {
    /// Whether the match is finished or aborted.
    pub fn is_over(&self) -> bool {
        self.aborted || self.view.as_ref().is_some_and(View::is_finished)
    }

    /// The cards in the hand of the viewer's seat; none for the public and the referee.
    pub fn hand(&self) -> &[String] {
        let of = |seat| self.view.as_ref()?.zone("hand", Some(seat));
        self.seat.and_then(of).map_or(&[], |zone| &zone.cards)
    }
}

impl GetGameResponse {
    /// A card of the game by its notation, as it ranks and counts where no suit is trumps.
    pub fn card(&self, code: &str) -> Option<&Card> {
        self.cards.iter().find(|card| card.code == code)
    }
}

impl WatchMatchesResponse {
    /// Whether it only says that the stream is alive.
    pub fn is_heartbeat(&self) -> bool {
        self.match_id.is_empty()
    }
}
