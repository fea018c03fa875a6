//! Questions about a trick with their options; they are sent when awaited.

use std::pin::Pin;

use crate::error::Error;
use crate::transport::Transport;
use crate::types::TrickResult;
use crate::v1::rules_service_client::RulesServiceClient as Stub;
use crate::v1::{ExplainedMove, ListPlayableCardsRequest, ResolveTrickRequest};

type Pending<T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send>>;

/// Which cards of a hand may be played to a trick: `rules.playable_cards("coteccio", hand, trick).await?`.
#[derive(Clone, Debug)]
#[must_use = "nothing happens until this is awaited"]
pub struct PlayableCards {
    transport: Transport,
    request: ListPlayableCardsRequest,
}

impl PlayableCards {
    pub(crate) fn new(transport: Transport, request: ListPlayableCardsRequest) -> Self {
        Self { transport, request }
    }

    /// Sets the trump suit. Default: "", no trumps.
    pub fn trump(mut self, suit: impl Into<String>) -> Self {
        self.request.trump = suit.into();
        self
    }

    /// Sets the trump card, in games where the trump is a single card. Default: "", none.
    pub fn trump_card(mut self, card: impl Into<String>) -> Self {
        self.request.trump_card = card.into();
        self
    }

    /// Sets the suit that the leader of the trump card has declared. Default: "", none.
    pub fn declared_suit(mut self, suit: impl Into<String>) -> Self {
        self.request.declared_suit = suit.into();
        self
    }

    /// Says that there are cards to draw: in some games the duty to follow waits for the last one. Default: none are left.
    pub fn stock_left(mut self) -> Self {
        self.request.stock_left = true;
        self
    }
}

impl IntoFuture for PlayableCards {
    type Output = Result<Vec<ExplainedMove>, Error>;
    type IntoFuture = Pending<Vec<ExplainedMove>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let method = |channel, q| async { Stub::new(channel).list_playable_cards(q).await };
            Ok(self.transport.call("", self.request, method).await?.moves)
        })
    }
}

/// Which card takes a trick: `rules.resolve_trick("briscola", cards).trump("d").await?`.
#[derive(Clone, Debug)]
#[must_use = "nothing happens until this is awaited"]
pub struct ResolveTrick {
    transport: Transport,
    request: ResolveTrickRequest,
}

impl ResolveTrick {
    pub(crate) fn new(transport: Transport, request: ResolveTrickRequest) -> Self {
        Self { transport, request }
    }

    /// Sets the trump suit, "" for no trumps. Without it the trump suit is unknown.
    pub fn trump(mut self, suit: impl Into<String>) -> Self {
        self.request.trump = Some(suit.into());
        self
    }

    /// Sets the trump card, "" for none, in games where the trump is a single card. Without it the card is unknown.
    pub fn trump_card(mut self, card: impl Into<String>) -> Self {
        self.request.trump_card = Some(card.into());
        self
    }
}

impl IntoFuture for ResolveTrick {
    type Output = Result<TrickResult, Error>;
    type IntoFuture = Pending<TrickResult>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let method = |channel, q| async { Stub::new(channel).resolve_trick(q).await };
            self.transport.call("", self.request, method).await
        })
    }
}

#[cfg(test)]
mod tests {
    use tonic::transport::Endpoint;

    use crate::rules::Rules;
    use crate::transport::Transport;

    fn rules() -> Rules {
        let channel = Endpoint::from_static("http://127.0.0.1:1").connect_lazy();
        let timeout = std::time::Duration::from_secs(1);
        Rules::new(Transport { channel, api_key: None, language: None, timeout, retries: 0 })
    }

    #[tokio::test]
    async fn no_trumps_differ_from_unknown_trumps() {
        let unknown = rules().resolve_trick("briscola", ["Rs", "2d"]).request;
        assert_eq!((unknown.trump, unknown.trump_card), (None, None));
        let none = rules().resolve_trick("briscola", ["Rs", "2d"]).trump("").trump_card("").request;
        assert_eq!((none.trump, none.trump_card), (Some(String::new()), Some(String::new())));
    }

    #[tokio::test]
    async fn playable_cards_depend_on_trump_card_declared_suit_and_stock() {
        let asked =
            rules().playable_cards("cuccu-a-trionfo", ["IV"], ["MAT"]).trump_card("MAT").declared_suit("numbers");
        assert!(asked.clone().stock_left().request.stock_left);
        let request = asked.request;
        assert!(!request.stock_left);
        assert_eq!((request.trump.as_str(), request.trump_card.as_str()), ("", "MAT"));
        assert_eq!(request.declared_suit, "numbers");
    }
}
