//! Value types: constructors and accessors for the messages of the contract.

use std::fmt;

use crate::codes::Reason;
use crate::v1::{
    Agreement, BotSeat, CreateMatchRequest, Event, ExplainedMove, GetMatchResponse, Move, Pile, Position, Refusal,
    Share, View, Waiting,
};

/// Who supplies the packs of a match.
pub use crate::v1::PackSource as Packs;
/// A match to be created; use the methods, or set the fields.
pub use crate::v1::{CreateMatchRequest as NewMatch, GetMatchResponse as Seen, WatchMatchResponse as Told};

impl Agreement {
    /// The key of a game, such as "briscola", with defaults for everything else.
    pub fn of(game: impl Into<String>) -> Self {
        Self { game: game.into(), ..Self::default() }
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

impl From<&str> for Agreement {
    fn from(game: &str) -> Self {
        Self::of(game)
    }
}

impl Position {
    /// A position in the text form of the service, and its agreement.
    pub fn of(agreement: impl Into<Agreement>, line: impl Into<String>) -> Self {
        Self { agreement: Some(agreement.into()), line: line.into() }
    }
}

impl CreateMatchRequest {
    /// A match in which the service deals, with defaults for everything else.
    pub fn of(agreement: impl Into<Agreement>) -> Self {
        Self { agreement: Some(agreement.into()), ..Self::default() }
    }

    /// Sets who supplies the packs.
    #[must_use]
    pub fn packs(mut self, packs: Packs) -> Self {
        self.pack_source = packs.into();
        self
    }

    /// The pack of the first deal, first card first.
    #[must_use]
    pub fn pack<T: Into<String>>(mut self, cards: impl IntoIterator<Item = T>) -> Self {
        self.pack = cards.into_iter().map(Into::into).collect();
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
}

impl<T: Into<Agreement>> From<T> for CreateMatchRequest {
    fn from(agreement: T) -> Self {
        Self::of(agreement)
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
    pub fn with_word(mut self, word: impl Into<String>) -> Self {
        self.word = word.into();
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
        write_optional(f, " ", (!self.word.is_empty()).then_some(&self.word))?;
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
        write!(f, "{} [{}, {}]", self.because, self.code, self.clause_key())
    }
}

impl ExplainedMove {
    /// Whether the move breaks no clause.
    pub fn is_legal(&self) -> bool {
        self.refusals.is_empty()
    }
}

impl View {
    /// Whether the match is over.
    pub fn is_over(&self) -> bool {
        self.waiting() == Waiting::Nobody
    }

    /// The pile with that name and seat.
    pub fn pile(&self, name: &str, seat: Option<u32>) -> Option<&Pile> {
        self.piles.iter().find(|pile| pile.name == name && pile.seat == seat)
    }
}

impl GetMatchResponse {
    /// Whether the match is finished or aborted.
    pub fn is_over(&self) -> bool {
        self.ended || self.view.as_ref().is_some_and(View::is_over)
    }

    /// The cards in the hand of the viewer's seat; none for the public and the referee.
    pub fn hand(&self) -> &[String] {
        let of = |seat| self.view.as_ref()?.pile("hand", Some(seat));
        self.seat.and_then(of).map_or(&[], |pile| &pile.cards)
    }
}
