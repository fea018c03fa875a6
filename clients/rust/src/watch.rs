//! Watching a match: a stream of updates that reconnects by itself.

use std::time::{Duration, Instant};

use futures_util::stream::{self, Stream};
use tonic::Streaming;

use crate::codes::Code;
use crate::error::Error;
use crate::seat_access::SeatAccess;
use crate::transport::{Transport, backoff};
use crate::types::{MatchState, MatchUpdate};
use crate::v1::match_service_client::MatchServiceClient as Stub;
use crate::v1::{GetMatchRequest, WatchMatchRequest};

/// The updates of a match as they happen, each exactly once; ends when the match is finished or aborted.
///
/// When the connection breaks, it reconnects and resumes. Another watch can resume from [`Watch::cursor`].
#[derive(Debug)]
pub struct Watch {
    transport: Transport,
    access: SeatAccess,
    cursor: String,
    give_up: Option<Duration>,
    stream: Option<Streaming<MatchUpdate>>,
    failures: u32,
    disconnected_since: Option<Instant>,
    finished: bool,
    was_finished: bool,
}

impl Watch {
    pub(crate) fn new(transport: Transport, access: SeatAccess, cursor: String) -> Self {
        Self {
            transport,
            access,
            cursor,
            give_up: None,
            stream: None,
            failures: 0,
            disconnected_since: None,
            finished: false,
            was_finished: false,
        }
    }

    /// Fails after having been disconnected for so long. Default: never.
    #[must_use]
    pub fn give_up_after(mut self, limit: Duration) -> Self {
        self.give_up = Some(limit);
        self
    }

    /// The cursor behind the last update returned.
    pub fn cursor(&self) -> &str {
        &self.cursor
    }

    /// Waits for the next update; `None` when the match is finished or aborted, or after an error. It is cancel safe, for `select!`.
    pub async fn next(&mut self) -> Option<Result<MatchUpdate, Error>> {
        while !self.finished {
            let delay = match self.read_stream().await {
                Ok(Some(update)) => return Some(Ok(update)),
                Ok(None) => match self.get().await {
                    Ok(state) => self.after_stream_end(&state),
                    Err(error) => self.after_error(error),
                },
                Err(error) => self.after_error(error),
            };
            self.stream = None;
            match delay {
                Ok(delay) => tokio::time::sleep(delay).await,
                Err(error) => {
                    self.finished = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }

    /// The same as a stream.
    pub fn into_stream(self) -> impl Stream<Item = Result<MatchUpdate, Error>> + Send {
        stream::unfold(self, |mut watch| async move { watch.next().await.map(|update| (update, watch)) })
    }

    /// Waits for the next update, skipping heartbeats; `None` if the stream ends first.
    async fn read_stream(&mut self) -> Result<Option<MatchUpdate>, Error> {
        loop {
            let stream = match &mut self.stream {
                Some(stream) => stream,
                none => none.insert(open_stream(&self.transport, &self.access, &self.cursor).await?),
            };
            let Some(update) = stream.message().await? else { return Ok(None) };
            (self.failures, self.disconnected_since) = (0, None);
            if !update.events.is_empty() {
                self.cursor.clone_from(&update.cursor);
                return Ok(Some(update));
            }
        }
    }

    /// Fetches the state of the match.
    async fn get(&self) -> Result<MatchState, Error> {
        let request = GetMatchRequest { match_id: self.access.id.clone(), seat: self.access.seat };
        let method = |channel, q| async { Stub::new(channel).get_match(q).await };
        self.transport.call_once(&self.access.key, request, method).await
    }

    /// Returns the pause before the next attempt, or the error if it is permanent.
    fn after_error(&mut self, error: Error) -> Result<Duration, Error> {
        if !error.is_transient() {
            return Err(error);
        }
        self.failures += 1;
        let delay = backoff(self.failures);
        let disconnected = self.disconnected_since.get_or_insert_with(Instant::now).elapsed();
        if self.give_up.is_some_and(|limit| disconnected + delay > limit) { Err(error) } else { Ok(delay) }
    }

    /// Returns the pause before the next attempt, after a stream that ended regularly.
    ///
    /// A stream ends when the match is finished, but also when the service stops. If the match was finished after the
    /// stream had ended, there are updates left to read.
    fn after_stream_end(&mut self, state: &MatchState) -> Result<Duration, Error> {
        self.finished = state.is_over() && (self.was_finished || state.cursor == self.cursor);
        self.was_finished = state.is_over();
        if state.is_over() {
            return Ok(Duration::ZERO);
        }
        self.after_error(Error::local(tonic::Code::Unavailable, Code::Unavailable, "the service has ended the stream"))
    }
}

/// Opens a stream after a cursor.
async fn open_stream(
    transport: &Transport,
    access: &SeatAccess,
    cursor: &str,
) -> Result<Streaming<MatchUpdate>, Error> {
    let SeatAccess { id, key, seat } = access;
    let request = WatchMatchRequest { match_id: id.clone(), cursor: cursor.to_owned(), seat: *seat };
    let request = transport.request(key, request)?;
    Ok(Stub::new(transport.channel.clone()).watch_match(request).await?.into_inner())
}
