//! Replacing a key, and moving the clock of a test; both are sent when awaited.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use crate::error::Error;
use crate::matches::Match;
use crate::new_match::seconds;
use crate::transport::{Transport, request_id};
use crate::types::ClockAdvance;
use crate::v1::match_service_client::MatchServiceClient as Stub;
use crate::v1::{AdvanceClockRequest, RotateKeyRequest};

type Pending<T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send>>;

/// The replacement of a key: `game.rotate_key().of_seat(1).await?`.
#[derive(Clone, Debug)]
#[must_use = "nothing happens until this is awaited"]
pub struct RotateKey {
    transport: Transport,
    old: Match,
    request: RotateKeyRequest,
}

impl RotateKey {
    pub(crate) fn new(transport: Transport, old: Match) -> Self {
        let request = RotateKeyRequest { match_id: old.id().to_owned(), ..Default::default() };
        Self { transport, old, request }
    }

    /// Replaces the key of a seat, as the referee. Default: the key in use.
    pub fn of_seat(mut self, seat: u32) -> Self {
        self.request.seat = Some(seat);
        self
    }

    /// Makes the call idempotent when repeated later or from another process; it must be unguessable, of 16 to 64
    /// characters. Default: a random id.
    pub fn request_id(mut self, id: impl Into<String>) -> Self {
        self.request.request_id = id.into();
        self
    }
}

impl IntoFuture for RotateKey {
    type Output = Result<Match, Error>;
    type IntoFuture = Pending<Match>;

    fn into_future(mut self) -> Self::IntoFuture {
        if self.request.request_id.is_empty() {
            self.request.request_id = request_id();
        }
        Box::pin(async move {
            let (id, seat) = (self.request.request_id.clone(), self.request.seat);
            let method = |channel, q| async { Stub::new(channel).rotate_key(q).await };
            let answer = self.transport.call(self.old.key(), self.request, method).await;
            let new = answer.map_err(|error| error.with_request_id(id))?.key;
            Ok(with_new_key(&self.old, seat, new))
        })
    }
}

/// The match with the new key of a seat, or with a new key in use.
fn with_new_key(match_: &Match, seat: Option<u32>, new: String) -> Match {
    let old = seat.map_or(Some(match_.key()), |seat| match_.keys().get(&seat).map(String::as_str));
    let replaced = |key: &String| if Some(key.as_str()) == old { new.clone() } else { key.clone() };
    let mut keys: BTreeMap<_, _> = match_.keys().iter().map(|(seat, key)| (*seat, replaced(key))).collect();
    let in_use = replaced(&match_.key().to_owned());
    if let Some(seat) = seat {
        keys.insert(seat, new.clone());
    }
    match_.with_keys(in_use, Arc::new(keys))
}

/// A move of the clock of a test: `game.advance_clock(Duration::from_secs(30)).await?`.
#[derive(Clone, Debug)]
#[must_use = "nothing happens until this is awaited"]
pub struct AdvanceClock {
    transport: Transport,
    key: String,
    request: AdvanceClockRequest,
}

impl AdvanceClock {
    pub(crate) fn new(transport: Transport, of: &Match, by: Duration) -> Self {
        let request = AdvanceClockRequest { match_id: of.id().to_owned(), seconds: seconds(by), ..Default::default() };
        Self { transport, key: of.key().to_owned(), request }
    }

    /// Makes the call idempotent when repeated later or from another process. Default: a random id.
    pub fn request_id(mut self, id: impl Into<String>) -> Self {
        self.request.request_id = id.into();
        self
    }
}

impl IntoFuture for AdvanceClock {
    type Output = Result<ClockAdvance, Error>;
    type IntoFuture = Pending<ClockAdvance>;

    fn into_future(mut self) -> Self::IntoFuture {
        if self.request.request_id.is_empty() {
            self.request.request_id = request_id();
        }
        let id = self.request.request_id.clone();
        Box::pin(async move {
            let method = |channel, q| async { Stub::new(channel).advance_clock(q).await };
            self.transport.call(&self.key, self.request, method).await.map_err(|error| error.with_request_id(id))
        })
    }
}

#[cfg(test)]
mod tests {
    use tonic::transport::Endpoint;

    use super::*;
    use crate::seat_access::SeatAccess;

    fn known(key: &str) -> Match {
        let channel = Endpoint::from_static("http://127.0.0.1:1").connect_lazy();
        let timeout = Duration::from_secs(1);
        let transport = Transport { channel, api_key: None, language: None, timeout, retries: 0 };
        let access = SeatAccess { id: "m".into(), key: key.into(), seat: None };
        Match::new(transport, access, Arc::new(BTreeMap::from([(0, "a".into()), (1, "b".into())])))
    }

    #[tokio::test]
    async fn the_key_of_a_seat_is_replaced_wherever_it_is_known() {
        let new = with_new_key(&known("referee"), Some(1), "c".into());
        assert_eq!((new.key(), new.keys()[&0].as_str(), new.keys()[&1].as_str()), ("referee", "a", "c"));
        let own = with_new_key(&known("b"), None, "c".into());
        assert_eq!((own.key(), own.keys()[&0].as_str(), own.keys()[&1].as_str()), ("c", "a", "c"));
        let unknown = with_new_key(&known("referee"), Some(2), "c".into());
        assert_eq!((unknown.key(), unknown.keys().len(), unknown.keys()[&2].as_str()), ("referee", 3, "c"));
    }
}
