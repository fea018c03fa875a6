//! A match stored by the service, seen and played with one key.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::error::Error;
use crate::key_rotation::{AdvanceClock, RotateKey};
use crate::play::{Play, TakeBack};
use crate::seat_access::SeatAccess;
use crate::transport::{Transport, request_id};
use crate::types::{
    ClockResult, MatchHand, MatchMoveValidation, MatchMoves, MatchState, MatchUpdate, SeedResult, Shuffles,
};
use crate::v1::match_service_client::MatchServiceClient as Stub;
use crate::v1::{
    AbortMatchRequest, AssignBotRequest, BotSeat, ContributeSeedRequest, DeleteMatchRequest, EnforceClockRequest,
    ExplainMatchHandRequest, GetMatchRequest, GetRecordRequest, ListEventsRequest, ListMatchMovesRequest,
    ListShufflesRequest, MatchServiceValidateMoveRequest, Move,
};
use crate::watch::Watch;

/// A match. The key identifies the caller: a seat, the referee, or, if empty, the public.
#[derive(Clone, Debug)]
pub struct Match {
    transport: Transport,
    access: SeatAccess,
    keys: Arc<BTreeMap<u32, String>>,
}

/// Calls the method of that name, with the key of the match.
macro_rules! call {
    ($self:ident, $method:ident, $request:expr) => {
        $self.transport.call($self.key(), $request, |channel, q| async { Stub::new(channel).$method(q).await }).await
    };
}

impl Match {
    pub(crate) fn new(transport: Transport, access: SeatAccess, keys: Arc<BTreeMap<u32, String>>) -> Self {
        Self { transport, access, keys }
    }

    /// The id of the match.
    pub fn id(&self) -> &str {
        &self.access.id
    }

    /// The key in use; for a match just created, the referee's.
    pub fn key(&self) -> &str {
        &self.access.key
    }

    /// The seat set by [`Match::as_seat`].
    pub fn seat(&self) -> Option<u32> {
        self.access.seat
    }

    /// The keys of the seats of persons, if this client created the match. A key is the only proof of a seat.
    pub fn keys(&self) -> &BTreeMap<u32, String> {
        &self.keys
    }

    /// Acts for a seat: with the seat's own key if known, else with the referee's.
    #[must_use]
    pub fn as_seat(&self, seat: u32) -> Self {
        let key = self.keys.get(&seat).unwrap_or(&self.access.key).clone();
        let access = SeatAccess { id: self.access.id.clone(), key, seat: Some(seat) };
        Self::new(self.transport.clone(), access, self.keys.clone())
    }

    /// Returns the current state of the match.
    pub async fn get(&self) -> Result<MatchState, Error> {
        call!(self, get_match, GetMatchRequest { match_id: self.id().into(), seat: self.seat() })
    }

    /// Lists the legal moves of the seat; for the referee, those of the seat to move.
    pub async fn legal_moves(&self) -> Result<MatchMoves, Error> {
        call!(self, list_match_moves, ListMatchMovesRequest { match_id: self.id().into(), seat: self.seat() })
    }

    /// Explains every card of the seat: legal, or the clauses that forbid it.
    pub async fn explain_hand(&self) -> Result<MatchHand, Error> {
        call!(self, explain_match_hand, ExplainMatchHandRequest { match_id: self.id().into(), seat: self.seat() })
    }

    /// Validates a move without playing it.
    pub async fn validate_move(&self, made: Move) -> Result<MatchMoveValidation, Error> {
        let request =
            MatchServiceValidateMoveRequest { match_id: self.id().into(), seat: self.seat(), r#move: Some(made) };
        call!(self, validate_move, request)
    }

    /// Plays a move, when awaited. A refusal is a result, not an error: see `accepted` and `refusals`.
    pub fn play(&self, made: Move) -> Play {
        Play::new(self.transport.clone(), &self.access, made)
    }

    /// Requests that the last decision be taken back, or agrees to it, when awaited; the referee decides for all.
    pub fn take_back(&self) -> TakeBack {
        TakeBack::new(self.transport.clone(), &self.access)
    }

    /// Lists the updates after a cursor, or with "" from the first card on.
    pub async fn events(&self, after: impl Into<String>) -> Result<Vec<MatchUpdate>, Error> {
        let mut updates = Vec::new();
        let (match_id, seat) = (self.id().to_owned(), self.seat());
        let mut request = ListEventsRequest { match_id, cursor: after.into(), page_size: 0, seat };
        loop {
            let page = call!(self, list_events, request.clone())?;
            updates.extend(page.moves);
            if !page.has_more {
                return Ok(updates);
            }
            request.cursor = page.cursor;
        }
    }

    /// Watches the match from the first card on until it is finished; see [`Watch`].
    pub fn watch(&self) -> Watch {
        self.watch_from("")
    }

    /// Watches the match from a cursor on.
    pub fn watch_from(&self, cursor: impl Into<String>) -> Watch {
        Watch::new(self.transport.clone(), self.access.clone(), cursor.into())
    }

    /// Adds the seat's seed to the next shuffle: any text without line breaks, best a long random one.
    pub async fn contribute_seed(&self, client_seed: impl Into<String>) -> Result<SeedResult, Error> {
        self.send_seed(self.seat(), client_seed.into()).await
    }

    /// Shuffles without waiting for more seeds, as the referee.
    pub async fn shuffle_now(&self) -> Result<SeedResult, Error> {
        self.send_seed(None, String::new()).await
    }

    async fn send_seed(&self, seat: Option<u32>, client_seed: String) -> Result<SeedResult, Error> {
        let id = request_id();
        let request = ContributeSeedRequest { match_id: self.id().into(), seat, client_seed, request_id: id.clone() };
        call!(self, contribute_seed, request).map_err(|error| error.with_request_id(id))
    }

    /// Lists every shuffle and lot with its proof, as far as that can be published yet.
    pub async fn shuffles(&self) -> Result<Shuffles, Error> {
        call!(self, list_shuffles, ListShufflesRequest { match_id: self.id().into() })
    }

    /// Returns the record of the match: to the referee at any time, to everybody once it is finished.
    pub async fn record(&self) -> Result<String, Error> {
        Ok(call!(self, get_record, GetRecordRequest { match_id: self.id().into() })?.record)
    }

    /// Enforces the clock: plays the default move of a seat that has used up its time.
    pub async fn enforce_clock(&self) -> Result<ClockResult, Error> {
        call!(self, enforce_clock, EnforceClockRequest { match_id: self.id().into() })
    }

    /// Moves the time of a test forward, in whole seconds, when awaited; for the referee. A seat that is then out of time
    /// plays its default move.
    pub fn advance_clock(&self, by: Duration) -> AdvanceClock {
        AdvanceClock::new(self.transport.clone(), self, by)
    }

    /// Replaces the key in use, or, for the referee, that of a seat, when awaited; returns the match with the new key:
    /// its `key()`, or that of the seat in its `keys()`.
    ///
    /// The old key is closed at once: this match goes on only if its own key stays, and watches with the old key end.
    pub fn rotate_key(&self) -> RotateKey {
        RotateKey::new(self.transport.clone(), self.clone())
    }

    /// The same match and seat with another key.
    pub(crate) fn with_keys(&self, key: String, keys: Arc<BTreeMap<u32, String>>) -> Self {
        Self::new(self.transport.clone(), SeatAccess { key, ..self.access.clone() }, keys)
    }

    /// Assigns the seat to a bot, or back to a person where that is ""; returns the seats that bots play. `think` is how
    /// long it may think about a move, in whole milliseconds, where it thinks at all; 0 for the service's default.
    pub async fn assign_bot(&self, bot: impl Into<String>, think: Duration) -> Result<Vec<BotSeat>, Error> {
        let think_ms = u32::try_from(think.as_millis()).unwrap_or(u32::MAX);
        let request = AssignBotRequest { match_id: self.id().into(), seat: self.seat(), bot: bot.into(), think_ms };
        Ok(call!(self, assign_bot, request)?.bots)
    }

    /// Aborts the match, as the referee; returns its last revision.
    pub async fn abort(&self) -> Result<u32, Error> {
        Ok(call!(self, abort_match, AbortMatchRequest { match_id: self.id().into() })?.revision)
    }

    /// Deletes the match at once, as the referee.
    pub async fn delete(&self) -> Result<(), Error> {
        call!(self, delete_match, DeleteMatchRequest { match_id: self.id().into() }).map(drop)
    }
}
