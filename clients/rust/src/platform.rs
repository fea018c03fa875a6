//! What a platform does with its matches: it finds, reads and watches many of them.

use tonic::Streaming;

use crate::client::Chitarrella;
use crate::codes::Code;
use crate::error::Error;
use crate::transport::Transport;
use crate::types::{MatchState, PlatformUpdate};
use crate::v1::found_match::Outcome;
use crate::v1::match_service_client::MatchServiceClient as Stub;
use crate::v1::{BatchGetMatchesRequest, FoundMatch, ItemError, ListMatchesRequest, MatchSummary, WatchMatchesRequest};

/// What the matches of a list have in common; what is not set is not a condition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct MatchFilter {
    external_id: String,
    labels: Vec<String>,
    player_name: String,
}

impl MatchFilter {
    /// All matches of the platform.
    pub fn new() -> Self {
        Self::default()
    }

    /// They have this id of the platform's own.
    pub fn external_id(mut self, id: impl Into<String>) -> Self {
        self.external_id = id.into();
        self
    }

    /// They have this label, and all others that are set.
    pub fn label(mut self, key: &str, value: &str) -> Self {
        self.labels.push(format!("{key}={value}"));
        self
    }

    /// They have a player of exactly this name.
    pub fn player_name(mut self, name: impl Into<String>) -> Self {
        self.player_name = name.into();
        self
    }
}

impl Chitarrella {
    /// Lists a page of the matches created by the platform of the API key that fit a filter, the latest first, and the
    /// token of the next page, empty if this is the last. The token of the first page is "".
    pub async fn matches(
        &self,
        filter: MatchFilter,
        page_token: impl Into<String>,
    ) -> Result<(Vec<MatchSummary>, String), Error> {
        let MatchFilter { external_id, labels, player_name } = filter;
        let page_token = page_token.into();
        let request = ListMatchesRequest { page_token, external_id, labels, player_name, ..Default::default() };
        let method = |channel, q| async { Stub::new(channel).list_matches(q).await };
        let page = self.transport.call("", request, method).await?;
        Ok((page.matches, page.next_page_token))
    }

    /// Returns the states of at most 100 matches, in the same order; each is found or has its error. The caller is the
    /// public at all of them, except at the match of the key of the settings.
    pub async fn get_matches<T: Into<String>>(
        &self,
        ids: impl IntoIterator<Item = T>,
    ) -> Result<Vec<Result<MatchState, ItemError>>, Error> {
        self.get_matches_with_key(ids, &self.key).await
    }

    /// Returns the states of at most 100 matches with a key of a seat or a referee, which counts at its own match.
    pub async fn get_matches_with_key<T: Into<String>>(
        &self,
        ids: impl IntoIterator<Item = T>,
        key: &str,
    ) -> Result<Vec<Result<MatchState, ItemError>>, Error> {
        let request = BatchGetMatchesRequest { match_ids: ids.into_iter().map(Into::into).collect() };
        let method = |channel, q| async { Stub::new(channel).batch_get_matches(q).await };
        let found = self.transport.call(key, request, method).await?;
        Ok(found.matches.into_iter().map(outcome).collect())
    }

    /// Watches all matches of the platform of the API key from now on; see [`PlatformWatch`].
    pub fn watch_matches(&self) -> PlatformWatch {
        PlatformWatch { transport: self.transport.clone(), stream: None, ended: false }
    }
}

fn outcome(found: FoundMatch) -> Result<MatchState, ItemError> {
    match found.outcome {
        Some(Outcome::Error(error)) => Err(error),
        Some(Outcome::Match(state)) => Ok(state),
        None => Ok(MatchState::default()),
    }
}

/// The updates of all matches of a platform, and heartbeats.
///
/// The first one is a heartbeat: what happens after it is received. It does not reconnect, because updates may be missing
/// then: it ends with an error, and [`Chitarrella::matches`] and [`Match::events`](crate::Match::events) return what was
/// missed.
#[derive(Debug)]
pub struct PlatformWatch {
    transport: Transport,
    stream: Option<Streaming<PlatformUpdate>>,
    ended: bool,
}

impl PlatformWatch {
    /// Waits for the next update or heartbeat; `None` only after an error. It is cancel safe, for `select!`.
    pub async fn next(&mut self) -> Option<Result<PlatformUpdate, Error>> {
        if self.ended {
            return None;
        }
        let result = self.read_stream().await;
        self.ended = result.is_err();
        Some(result)
    }

    async fn read_stream(&mut self) -> Result<PlatformUpdate, Error> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            none => none.insert(open_stream(&self.transport).await?),
        };
        let ended = || Error::local(tonic::Code::Unavailable, Code::Unavailable, "the stream has ended");
        stream.message().await?.ok_or_else(ended)
    }
}

async fn open_stream(transport: &Transport) -> Result<Streaming<PlatformUpdate>, Error> {
    let request = transport.request("", WatchMatchesRequest {})?;
    Ok(Stub::new(transport.channel.clone()).watch_matches(request).await?.into_inner())
}
