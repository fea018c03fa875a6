//! The client: the catalogue, the rules, and the door to matches.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::error::Error;
use crate::line::{Line, request_id};
use crate::matches::{Holder, Match};
use crate::rules::Rules;
use crate::v1::catalogue_service_client::CatalogueServiceClient;
use crate::v1::match_service_client::MatchServiceClient;
use crate::v1::{
    Agreement, CompareGamesRequest, CompareGamesResponse, CreateMatchRequest, CreateMatchResponse, GameSummary,
    GetGameRequest, GetGameResponse, ImportMatchRequest, ListGamesRequest, ListMatchesRequest, MatchSummary,
};

/// A client of the service; see [`Connect`](crate::Connect). It is cheap to clone, and clones share a connection.
///
/// Every call that got lost is repeated by itself, and fails with an [`Error`] that has the service's code.
#[derive(Clone, Debug)]
pub struct Chitarrella {
    line: Line,
    key: String,
}

impl Chitarrella {
    /// Makes the client of the service at `host:port`, within a Tokio runtime; it connects with the first call.
    ///
    /// # Errors
    /// Fails where the address is none.
    pub fn connect(address: impl Into<String>) -> Result<Self, Error> {
        crate::Connect::to(address).open()
    }

    pub(crate) fn new(line: Line, key: String) -> Self {
        Self { line, key }
    }

    /// Questions about positions and cards.
    pub fn rules(&self) -> Rules {
        Rules::new(self.line.clone())
    }

    /// Lists the games in the order of their keys, all pages of them.
    pub async fn games(&self) -> Result<Vec<GameSummary>, Error> {
        let mut games = Vec::new();
        let mut question = ListGamesRequest::default();
        loop {
            let ask = |channel, q| async move { CatalogueServiceClient::new(channel).list_games(q).await };
            let page = self.line.ask("", question.clone(), ask).await?;
            games.extend(page.games);
            if page.next_page_token.is_empty() {
                return Ok(games);
            }
            question.page_token = page.next_page_token;
        }
    }

    /// Describes a game: pack, options, moves, reasons, and the rule book of the current edition.
    pub async fn game(&self, key: impl Into<String>) -> Result<GetGameResponse, Error> {
        let question = GetGameRequest { game: key.into(), edition: 0 };
        self.line.ask("", question, |channel, q| async { CatalogueServiceClient::new(channel).get_game(q).await }).await
    }

    /// Tells two games, or two agreements on one, apart.
    pub async fn compare(
        &self,
        first: impl Into<Agreement>,
        second: impl Into<Agreement>,
    ) -> Result<CompareGamesResponse, Error> {
        let question = CompareGamesRequest { first: Some(first.into()), second: Some(second.into()) };
        let ask = |channel, q| async { CatalogueServiceClient::new(channel).compare_games(q).await };
        self.line.ask("", question, ask).await
    }

    /// Opens a match: `"briscola"`, an [`Agreement`], or a [`NewMatch`](crate::NewMatch) with all particulars.
    ///
    /// What comes back speaks for the referee, and has the keys of all seats. A `request_id` of one's own is for who
    /// wants to repeat the call later: it must be one that nobody guesses.
    pub async fn create_match(&self, wanted: impl Into<CreateMatchRequest>) -> Result<Match, Error> {
        let mut question = wanted.into();
        if question.request_id.is_empty() {
            question.request_id = request_id();
        }
        let id = question.request_id.clone();
        let ask = |channel, q| async { MatchServiceClient::new(channel).create_match(q).await };
        let opened = self.line.ask("", question, ask).await.map_err(|error| error.of(id))?;
        Ok(self.opened(opened))
    }

    /// Opens a match from a record, to look at it or to play on from there.
    pub async fn import_match(&self, mut record: ImportMatchRequest) -> Result<Match, Error> {
        if record.request_id.is_empty() {
            record.request_id = request_id();
        }
        let id = record.request_id.clone();
        let ask = |channel, q| async { MatchServiceClient::new(channel).import_match(q).await };
        let answer = self.line.ask("", record, ask).await.map_err(|error| error.of(id))?;
        Ok(self.opened(answer.opened.unwrap_or_default()))
    }

    fn opened(&self, answer: CreateMatchResponse) -> Match {
        let keys: BTreeMap<_, _> = answer.seat_keys.into_iter().map(|one| (one.seat, one.key)).collect();
        let holder = Holder { id: answer.r#match, key: answer.referee_key, seat: None };
        Match::new(self.line.clone(), holder, Arc::new(keys))
    }

    /// Lists a page of the matches that the platform of the API key has opened, the latest first, and gives the token of
    /// the next page, which is empty where this is the last.
    pub async fn matches(&self, page_token: impl Into<String>) -> Result<(Vec<MatchSummary>, String), Error> {
        let question = ListMatchesRequest { page_size: 0, page_token: page_token.into() };
        let ask = |channel, q| async { MatchServiceClient::new(channel).list_matches(q).await };
        let page = self.line.ask("", question, ask).await?;
        Ok((page.matches, page.next_page_token))
    }

    /// Joins a match with the key of the settings.
    pub fn join(&self, id: impl Into<String>) -> Match {
        self.join_with(id, self.key.clone())
    }

    /// Joins a match with a key: a seat's, the referee's, or "" for the eyes of the public.
    pub fn join_with(&self, id: impl Into<String>, key: impl Into<String>) -> Match {
        let holder = Holder { id: id.into(), key: key.into(), seat: None };
        Match::new(self.line.clone(), holder, Arc::default())
    }
}
