//! Writing calls of a match with their options; they are sent when awaited.

use std::pin::Pin;

use crate::error::Error;
use crate::seat_access::SeatAccess;
use crate::transport::{Transport, request_id};
use crate::types::{MoveResult, TakebackResult};
use crate::v1::match_service_client::MatchServiceClient as Stub;
use crate::v1::{Move, PlayMoveRequest, TakeBackRequest};

/// Defines a call that is built step by step.
macro_rules! writing_call {
    ($(#[$about:meta])* $name:ident: $request:ident, $method:ident -> $answer:ident) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        #[must_use = "nothing happens until this is awaited"]
        pub struct $name {
            transport: Transport,
            key: String,
            request: $request,
        }

        impl $name {
            /// Precondition: the match has this revision; otherwise the call fails with
            /// [`Code::StaleRevision`](crate::Code::StaleRevision).
            pub fn expecting(mut self, revision: u32) -> Self {
                self.request.expected_revision = Some(revision);
                self
            }

            /// Makes the call idempotent when repeated later or from another process. Default: a random id.
            pub fn request_id(mut self, id: impl Into<String>) -> Self {
                self.request.request_id = id.into();
                self
            }
        }

        impl IntoFuture for $name {
            type Output = Result<$answer, Error>;
            type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

            fn into_future(mut self) -> Self::IntoFuture {
                if self.request.request_id.is_empty() {
                    self.request.request_id = request_id();
                }
                let id = self.request.request_id.clone();
                Box::pin(async move {
                    let method = |channel, q| async { Stub::new(channel).$method(q).await };
                    self.transport.call(&self.key, self.request, method).await.map_err(|error| error.with_request_id(id))
                })
            }
        }
    };
}

writing_call! {
    /// A move to be played: `seat.play(Move::of("play_card").with_cards(["Ab"])).expecting(7).await?`.
    Play: PlayMoveRequest, play_move -> MoveResult
}

writing_call! {
    /// A takeback request, or the response to one.
    TakeBack: TakeBackRequest, take_back -> TakebackResult
}

impl Play {
    pub(crate) fn new(transport: Transport, access: &SeatAccess, made: Move) -> Self {
        let SeatAccess { id, key, seat } = access.clone();
        let request = PlayMoveRequest { match_id: id, seat, r#move: Some(made), ..Default::default() };
        Self { transport, key, request }
    }

    /// Requests the view after the move.
    pub fn include_view(mut self) -> Self {
        self.request.include_view = true;
        self
    }
}

impl TakeBack {
    pub(crate) fn new(transport: Transport, access: &SeatAccess) -> Self {
        let SeatAccess { id, key, seat } = access.clone();
        Self { transport, key, request: TakeBackRequest { match_id: id, seat, ..Default::default() } }
    }

    /// Declines the takeback, or withdraws one's own request.
    pub fn decline(mut self, decline: bool) -> Self {
        self.request.decline = decline;
        self
    }
}
