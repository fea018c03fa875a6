//! Following a match through cuts.

use std::time::{Duration, Instant};

use futures_util::stream::{self, Stream};
use tonic::Streaming;

use crate::codes::Code;
use crate::error::Error;
use crate::line::{Line, pause};
use crate::matches::Holder;
use crate::v1::match_service_client::MatchServiceClient as Stub;
use crate::v1::{GetMatchRequest, WatchMatchRequest};
use crate::words::{Seen, Told};

/// What happens in a match, as it happens, each thing once; ends when the match is over.
///
/// When the connection is cut it comes back by itself and goes on where it was. [`Watch::cursor`] is that place: kept
/// somewhere, it lets another watch go on there.
#[derive(Debug)]
pub struct Watch {
    line: Line,
    holder: Holder,
    cursor: String,
    give_up: Option<Duration>,
    stream: Option<Streaming<Told>>,
    failures: u32,
    cut_since: Option<Instant>,
    over: bool,
    over_before: bool,
}

impl Watch {
    pub(crate) fn new(line: Line, holder: Holder, cursor: String) -> Self {
        Self {
            line,
            holder,
            cursor,
            give_up: None,
            stream: None,
            failures: 0,
            cut_since: None,
            over: false,
            over_before: false,
        }
    }

    /// Gives up after having been cut off for so long, instead of never.
    #[must_use]
    pub fn give_up_after(mut self, patience: Duration) -> Self {
        self.give_up = Some(patience);
        self
    }

    /// The place behind the last thing that was told.
    pub fn cursor(&self) -> &str {
        &self.cursor
    }

    /// Waits for the next thing to happen; `None` when the match is over, or after an error. It may be dropped while it
    /// waits, as `select!` does: nothing is lost.
    pub async fn next(&mut self) -> Option<Result<Told, Error>> {
        while !self.over {
            let settled = match self.listen().await {
                Ok(Some(told)) => return Some(Ok(told)),
                Ok(None) => match self.look().await {
                    Ok(seen) => self.ended(&seen),
                    Err(error) => self.cut(error),
                },
                Err(error) => self.cut(error),
            };
            self.stream = None;
            match settled {
                Ok(pause) => tokio::time::sleep(pause).await,
                Err(error) => {
                    self.over = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }

    /// The same as a stream.
    pub fn into_stream(self) -> impl Stream<Item = Result<Told, Error>> + Send {
        stream::unfold(self, |mut watch| async move { watch.next().await.map(|told| (told, watch)) })
    }

    /// Waits until something is told, passing over heartbeats; `None` where the stream ends first.
    async fn listen(&mut self) -> Result<Option<Told>, Error> {
        loop {
            let stream = match &mut self.stream {
                Some(stream) => stream,
                none => none.insert(begin(&self.line, &self.holder, &self.cursor).await?),
            };
            let Some(told) = stream.message().await? else { return Ok(None) };
            (self.failures, self.cut_since) = (0, None);
            if !told.events.is_empty() {
                self.cursor.clone_from(&told.cursor);
                return Ok(Some(told));
            }
        }
    }

    /// Sees how the match stands.
    async fn look(&self) -> Result<Seen, Error> {
        let question = GetMatchRequest { r#match: self.holder.id.clone(), seat: self.holder.seat };
        let ask = |channel, q| async { Stub::new(channel).get_match(q).await };
        self.line.ask_once(&self.holder.key, question, ask).await
    }

    /// Says how long to wait before watching again; gives the error back where that would not help.
    fn cut(&mut self, error: Error) -> Result<Duration, Error> {
        if !error.is_passing() {
            return Err(error);
        }
        self.failures += 1;
        let pause = pause(self.failures);
        let cut_off = self.cut_since.get_or_insert_with(Instant::now).elapsed();
        if self.give_up.is_some_and(|patience| cut_off + pause > patience) { Err(error) } else { Ok(pause) }
    }

    /// Says how long to wait before watching again, after a stream that has ended well.
    ///
    /// A stream ends when the match is over, but also when the service stops; and if the match came to its end only
    /// after the stream's, there is something left to be heard.
    fn ended(&mut self, seen: &Seen) -> Result<Duration, Error> {
        self.over = seen.is_over() && (self.over_before || seen.cursor == self.cursor);
        self.over_before = seen.is_over();
        if seen.is_over() {
            return Ok(Duration::ZERO);
        }
        self.cut(Error::local(tonic::Code::Unavailable, Code::Unavailable, "the service has ended the stream"))
    }
}

/// Begins to watch after a cursor.
async fn begin(line: &Line, holder: &Holder, cursor: &str) -> Result<Streaming<Told>, Error> {
    let Holder { id, key, seat } = holder;
    let question = WatchMatchRequest { r#match: id.clone(), cursor: cursor.to_owned(), seat: *seat };
    let request = line.request(key, question)?;
    Ok(Stub::new(line.channel.clone()).watch_match(request).await?.into_inner())
}
