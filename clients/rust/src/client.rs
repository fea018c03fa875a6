//! The client: the catalogue, the rules, and access to matches.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::error::Error;
use crate::matches::Match;
use crate::rules::Rules;
use crate::seat_access::SeatAccess;
use crate::transport::{Transport, request_id};
use crate::types::{Comparison, Game};
use crate::v1::catalogue_service_client::CatalogueServiceClient;
use crate::v1::match_service_client::MatchServiceClient;
use crate::v1::{
    CompareGamesRequest, CreateMatchRequest, CreateMatchResponse, GameSummary, GetGameRequest, ImportMatchRequest,
    ListGamesRequest, RuleSet,
};
use crate::webhooks::Webhooks;

/// A client of the service; see [`Connect`](crate::Connect). It is cheap to clone, and clones share a connection.
///
/// Lost calls are retried. A call that fails returns an [`Error`] with the code of the service.
#[derive(Clone, Debug)]
pub struct Chitarrella {
    pub(crate) transport: Transport,
    pub(crate) key: String,
}

impl Chitarrella {
    pub(crate) fn new(transport: Transport, key: String) -> Self {
        Self { transport, key }
    }

    /// Stateless questions about positions and cards.
    pub fn rules(&self) -> Rules {
        Rules::new(self.transport.clone())
    }

    /// The webhooks of the platform of the API key.
    pub fn webhooks(&self) -> Webhooks {
        Webhooks::new(self.transport.clone())
    }

    /// Lists all games in the order of their keys.
    pub async fn games(&self) -> Result<Vec<GameSummary>, Error> {
        let mut games = Vec::new();
        let mut request = ListGamesRequest::default();
        loop {
            let method = |channel, q| async move { CatalogueServiceClient::new(channel).list_games(q).await };
            let page = self.transport.call("", request.clone(), method).await?;
            games.extend(page.games);
            if page.next_page_token.is_empty() {
                return Ok(games);
            }
            request.page_token = page.next_page_token;
        }
    }

    /// Describes a game: pack, options, moves, reasons, and the rule book of the current edition.
    pub async fn game(&self, game_id: impl Into<String>) -> Result<Game, Error> {
        let request = GetGameRequest { game_id: game_id.into(), edition: 0 };
        self.transport
            .call("", request, |channel, q| async { CatalogueServiceClient::new(channel).get_game(q).await })
            .await
    }

    /// Lists the differences between two games, or two rule sets of one.
    pub async fn compare(&self, first: impl Into<RuleSet>, second: impl Into<RuleSet>) -> Result<Comparison, Error> {
        let request = CompareGamesRequest { first: Some(first.into()), second: Some(second.into()) };
        let method = |channel, q| async { CatalogueServiceClient::new(channel).compare_games(q).await };
        self.transport.call("", request, method).await
    }

    /// Creates a match of `"briscola"`, a [`RuleSet`], or a [`NewMatch`](crate::NewMatch) with all settings.
    ///
    /// The returned match acts for the referee and has the keys of all seats. Set a `request_id` to be able to repeat the
    /// call later; it must be unguessable.
    pub async fn create_match(&self, settings: impl Into<CreateMatchRequest>) -> Result<Match, Error> {
        let mut request = settings.into();
        if request.request_id.is_empty() {
            request.request_id = request_id();
        }
        let id = request.request_id.clone();
        let method = |channel, q| async { MatchServiceClient::new(channel).create_match(q).await };
        let created = self.transport.call("", request, method).await.map_err(|error| error.with_request_id(id))?;
        Ok(self.created(created))
    }

    /// Creates a match from a record, to be viewed or continued: `ImportedMatch::of(record)` with its settings.
    pub async fn import_match(&self, mut record: ImportMatchRequest) -> Result<Match, Error> {
        if record.request_id.is_empty() {
            record.request_id = request_id();
        }
        let id = record.request_id.clone();
        let method = |channel, q| async { MatchServiceClient::new(channel).import_match(q).await };
        let answer = self.transport.call("", record, method).await.map_err(|error| error.with_request_id(id))?;
        Ok(self.created(answer.created.unwrap_or_default()))
    }

    fn created(&self, answer: CreateMatchResponse) -> Match {
        let keys: BTreeMap<_, _> = answer.seat_keys.into_iter().map(|one| (one.seat, one.key)).collect();
        let access = SeatAccess { id: answer.match_id, key: answer.referee_key, seat: None };
        Match::new(self.transport.clone(), access, Arc::new(keys))
    }

    /// Returns a match with the key of the settings.
    pub fn match_(&self, id: impl Into<String>) -> Match {
        self.match_with_key(id, self.key.clone())
    }

    /// Returns a match with a key: a seat's, the referee's, a token that the platform has signed, or "" for the public.
    pub fn match_with_key(&self, id: impl Into<String>, key: impl Into<String>) -> Match {
        let access = SeatAccess { id: id.into(), key: key.into(), seat: None };
        Match::new(self.transport.clone(), access, Arc::default())
    }
}
