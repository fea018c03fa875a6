//! The writing calls of a match, with what may be said besides; they are made when they are awaited.

use std::pin::Pin;

use crate::error::Error;
use crate::line::{Line, request_id};
use crate::matches::Holder;
use crate::v1::match_service_client::MatchServiceClient as Stub;
use crate::v1::{Move, PlayMoveRequest, PlayMoveResponse, TakeBackRequest, TakeBackResponse};

/// Makes a call of what was said so far.
macro_rules! writing_call {
    ($(#[$about:meta])* $name:ident: $request:ident, $method:ident -> $answer:ident) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        #[must_use = "nothing happens until this is awaited"]
        pub struct $name {
            line: Line,
            key: String,
            request: $request,
        }

        impl $name {
            /// Only if the table is still at this revision; otherwise it fails with
            /// [`Code::StaleRevision`](crate::Code::StaleRevision).
            pub fn expecting(mut self, revision: u32) -> Self {
                self.request.expected_revision = Some(revision);
                self
            }

            /// A name for the call, for who wants to repeat it later or from another process; otherwise one is made.
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
                    let ask = |channel, q| async { Stub::new(channel).$method(q).await };
                    self.line.ask(&self.key, self.request, ask).await.map_err(|error| error.of(id))
                })
            }
        }
    };
}

writing_call! {
    /// A move to be made: `seat.play(Move::of("play_card").with_cards(["Ab"])).expecting(7).await?`.
    Play: PlayMoveRequest, play_move -> PlayMoveResponse
}

writing_call! {
    /// An ask to take back the last decision, or an answer to one.
    TakeBack: TakeBackRequest, take_back -> TakeBackResponse
}

impl Play {
    pub(crate) fn new(line: Line, holder: &Holder, made: Move) -> Self {
        let Holder { id, key, seat } = holder.clone();
        let request = PlayMoveRequest { r#match: id, seat, r#move: Some(made), ..Default::default() };
        Self { line, key, request }
    }

    /// Sends the view after the move along.
    pub fn with_view(mut self) -> Self {
        self.request.want_view = true;
        self
    }
}

impl TakeBack {
    pub(crate) fn new(line: Line, holder: &Holder) -> Self {
        let Holder { id, key, seat } = holder.clone();
        Self { line, key, request: TakeBackRequest { r#match: id, seat, ..Default::default() } }
    }

    /// Lets the decision stand: does not agree, or withdraws one's own ask.
    pub fn refuse(mut self, refuse: bool) -> Self {
        self.request.refuse = refuse;
        self
    }
}
