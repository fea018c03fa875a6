//! Partial positions: constructors for what is known of a position, and what takes either form of a position.

use crate::v1::{PartialPosition, PartialTrick, Position, RuleSet, SeatCards};

/// A position, or what is known of one; both convert into it.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyPosition {
    /// A position in the text form of the service.
    Full(Position),
    /// What is known of a position.
    Partial(PartialPosition),
}

impl AnyPosition {
    /// Splits it into the two fields of a request, one of which is set.
    pub(crate) fn into_fields(self) -> (Option<Position>, Option<PartialPosition>) {
        match self {
            Self::Full(position) => (Some(position), None),
            Self::Partial(position) => (None, Some(position)),
        }
    }
}

impl From<Position> for AnyPosition {
    fn from(position: Position) -> Self {
        Self::Full(position)
    }
}

impl From<PartialPosition> for AnyPosition {
    fn from(position: PartialPosition) -> Self {
        Self::Partial(position)
    }
}

impl PartialPosition {
    /// A position of a game of tricks of which nothing is known yet.
    pub fn of(rule_set: impl Into<RuleSet>) -> Self {
        Self { rule_set: Some(rule_set.into()), ..Self::default() }
    }

    /// With the complete hand of a seat.
    #[must_use]
    pub fn with_hand<T: Into<String>>(mut self, seat: u32, cards: impl IntoIterator<Item = T>) -> Self {
        self.hands.push(SeatCards { seat, cards: cards.into_iter().map(Into::into).collect() });
        self
    }

    /// With the cards of the current trick in order of play; none for a lead.
    #[must_use]
    pub fn with_trick<T: Into<String>>(self, cards: impl IntoIterator<Item = T>) -> Self {
        let cards = cards.into_iter().map(Into::into).collect();
        self.change_trick(|trick| trick.cards = cards)
    }

    /// With the seat that leads the current trick; without it, the seat of the question is the one to play.
    #[must_use]
    pub fn with_leader(self, seat: u32) -> Self {
        self.change_trick(|trick| trick.leader = Some(seat))
    }

    /// With the suit that the leader of the trump card has declared; "" for none.
    #[must_use]
    pub fn with_declared_suit(self, suit: impl Into<String>) -> Self {
        let suit = suit.into();
        self.change_trick(|trick| trick.declared_suit = Some(suit))
    }

    /// With the trump suit; "" for no trumps.
    #[must_use]
    pub fn with_trump(mut self, suit: impl Into<String>) -> Self {
        self.trump = Some(suit.into());
        self
    }

    /// With the trump card, in games where the trump is a single card; "" for none.
    #[must_use]
    pub fn with_trump_card(mut self, card: impl Into<String>) -> Self {
        self.trump_card = Some(card.into());
        self
    }

    /// With the number of cards to draw.
    #[must_use]
    pub fn with_stock_size(mut self, cards: u32) -> Self {
        self.stock_size = Some(cards);
        self
    }

    fn change_trick(mut self, change: impl FnOnce(&mut PartialTrick)) -> Self {
        change(self.trick.get_or_insert_default());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_given_is_unknown() {
        let known = PartialPosition::of("briscola");
        assert_eq!((known.trick, known.trump, known.trump_card, known.stock_size), (None, None, None, None));
        let lead = PartialPosition::of("briscola").with_trick::<&str>([]).with_trump("");
        assert_eq!((lead.trick, lead.trump), (Some(PartialTrick::default()), Some(String::new())));
    }

    #[test]
    fn parts_of_the_trick_are_given_in_any_order() {
        let known = PartialPosition::of("cuccu-a-trionfo").with_leader(1).with_declared_suit("numbers");
        let trick = known.with_trick(["MAT"]).trick.unwrap();
        assert_eq!((trick.cards, trick.leader), (vec!["MAT".to_owned()], Some(1)));
        assert_eq!(trick.declared_suit.as_deref(), Some("numbers"));
    }

    #[test]
    fn a_request_has_one_form_of_the_position() {
        let known = PartialPosition::of("briscola").with_hand(2, ["Ab"]).with_trump_card("3c").with_stock_size(4);
        let full = Position::of("briscola", "text");
        assert_eq!(AnyPosition::from(full.clone()).into_fields(), (Some(full), None));
        assert_eq!(AnyPosition::from(known.clone()).into_fields(), (None, Some(known)));
    }
}
