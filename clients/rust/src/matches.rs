//! A match that the service keeps, with the eyes and the hand of one key.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::error::Error;
use crate::line::{Line, request_id};
use crate::play::{Play, TakeBack};
use crate::v1::match_service_client::MatchServiceClient as Stub;
use crate::v1::{
    BotSeat, ContributeToDealRequest, ContributeToDealResponse, DeleteMatchRequest, EndMatchRequest,
    ExplainMatchHandRequest, ExplainMatchHandResponse, GetMatchRequest, GetRecordRequest, JudgeMoveRequest,
    JudgeMoveResponse, ListDrawsRequest, ListDrawsResponse, ListEventsRequest, ListMatchMovesRequest,
    ListMatchMovesResponse, Move, RuleOnTimeRequest, RuleOnTimeResponse, SeatBotRequest,
};
use crate::watch::Watch;
use crate::words::{Seen, Told};

/// Who asks about a match: its name, the key that is shown, and the seat that the referee asks for.
#[derive(Clone, Debug)]
pub(crate) struct Holder {
    pub id: String,
    pub key: String,
    pub seat: Option<u32>,
}

/// A match. The key says who asks: a seat, the referee, or, without one, the public.
#[derive(Clone, Debug)]
pub struct Match {
    line: Line,
    holder: Holder,
    keys: Arc<BTreeMap<u32, String>>,
}

/// Asks by the method of that name, with the key of the match.
macro_rules! ask {
    ($self:ident, $method:ident, $question:expr) => {
        $self.line.ask($self.key(), $question, |channel, q| async { Stub::new(channel).$method(q).await }).await
    };
}

impl Match {
    pub(crate) fn new(line: Line, holder: Holder, keys: Arc<BTreeMap<u32, String>>) -> Self {
        Self { line, holder, keys }
    }

    /// The name of the match.
    pub fn id(&self) -> &str {
        &self.holder.id
    }

    /// The key it is bound to; of a match that was just opened, the referee's.
    pub fn key(&self) -> &str {
        &self.holder.key
    }

    /// The seat that [`Match::as_seat`] has named.
    pub fn seat(&self) -> Option<u32> {
        self.holder.seat
    }

    /// The key of every person's seat, where this client has opened the match; whoever has a key is that seat.
    pub fn keys(&self) -> &BTreeMap<u32, String> {
        &self.keys
    }

    /// Speaks for a seat: with its own key where that is known, or else with the referee's.
    #[must_use]
    pub fn as_seat(&self, seat: u32) -> Self {
        let key = self.keys.get(&seat).unwrap_or(&self.holder.key).clone();
        let holder = Holder { id: self.holder.id.clone(), key, seat: Some(seat) };
        Self::new(self.line.clone(), holder, self.keys.clone())
    }

    /// Looks at the table.
    pub async fn look(&self) -> Result<Seen, Error> {
        ask!(self, get_match, GetMatchRequest { r#match: self.id().into(), seat: self.seat() })
    }

    /// Lists what the seat may do now; for the referee, what the seat to move may do.
    pub async fn moves(&self) -> Result<ListMatchMovesResponse, Error> {
        ask!(self, list_match_moves, ListMatchMovesRequest { r#match: self.id().into(), seat: self.seat() })
    }

    /// Explains every card of the seat: legal, or the clauses it would break.
    pub async fn hand(&self) -> Result<ExplainMatchHandResponse, Error> {
        ask!(self, explain_match_hand, ExplainMatchHandRequest { r#match: self.id().into(), seat: self.seat() })
    }

    /// Judges a move without making it.
    pub async fn judge(&self, made: Move) -> Result<JudgeMoveResponse, Error> {
        let question = JudgeMoveRequest { r#match: self.id().into(), seat: self.seat(), r#move: Some(made) };
        ask!(self, judge_move, question)
    }

    /// Makes a move, when it is awaited. A refusal is an answer: see `accepted` and `refusals`.
    pub fn play(&self, made: Move) -> Play {
        Play::new(self.line.clone(), &self.holder, made)
    }

    /// Asks that the last decision be taken back, or agrees to that, when it is awaited; the referee decides for all.
    pub fn take_back(&self) -> TakeBack {
        TakeBack::new(self.line.clone(), &self.holder)
    }

    /// Lists all that has happened after a cursor, or with "" from the first card on, as those eyes may know it.
    pub async fn events(&self, after: impl Into<String>) -> Result<Vec<Told>, Error> {
        let mut told = Vec::new();
        let (r#match, seat) = (self.id().to_owned(), self.seat());
        let mut question = ListEventsRequest { r#match, cursor: after.into(), page_size: 0, seat };
        loop {
            let page = ask!(self, list_events, question.clone())?;
            told.extend(page.moves);
            if !page.more {
                return Ok(told);
            }
            question.cursor = page.cursor;
        }
    }

    /// Follows the match from the first card on until it is over, through cuts; see [`Watch`].
    pub fn watch(&self) -> Watch {
        self.watch_from("")
    }

    /// Follows the match from a cursor on.
    pub fn watch_from(&self, cursor: impl Into<String>) -> Watch {
        Watch::new(self.line.clone(), self.holder.clone(), cursor.into())
    }

    /// Adds a word to the shuffle of the pack that is wanted: any text without line breaks, best a long random one.
    pub async fn contribute(&self, word: impl Into<String>) -> Result<ContributeToDealResponse, Error> {
        self.contributed(self.seat(), word.into()).await
    }

    /// Waits for no more words, as the referee.
    pub async fn deal_now(&self) -> Result<ContributeToDealResponse, Error> {
        self.contributed(None, String::new()).await
    }

    async fn contributed(&self, seat: Option<u32>, word: String) -> Result<ContributeToDealResponse, Error> {
        let id = request_id();
        let question = ContributeToDealRequest { r#match: self.id().into(), seat, word, request_id: id.clone() };
        ask!(self, contribute_to_deal, question).map_err(|error| error.of(id))
    }

    /// Lists every pack and lot that was drawn, with as much of the proof as hides nothing any more.
    pub async fn draws(&self) -> Result<ListDrawsResponse, Error> {
        ask!(self, list_draws, ListDrawsRequest { r#match: self.id().into() })
    }

    /// Gives the record of the match: to the referee at any time, to everybody when it is over.
    pub async fn record(&self) -> Result<String, Error> {
        Ok(ask!(self, get_record, GetRecordRequest { r#match: self.id().into() })?.record)
    }

    /// Has the seat on turn make its move by default, if its time is over.
    pub async fn rule_on_time(&self) -> Result<RuleOnTimeResponse, Error> {
        ask!(self, rule_on_time, RuleOnTimeRequest { r#match: self.id().into() })
    }

    /// Gives the seat to a bot, or back to a person where that is ""; gives the seats that bots play. `think` is how
    /// long it may think about a move, in whole milliseconds, where it thinks at all; 0 for the service's default.
    pub async fn seat_bot(&self, bot: impl Into<String>, think: Duration) -> Result<Vec<BotSeat>, Error> {
        let think_ms = u32::try_from(think.as_millis()).unwrap_or(u32::MAX);
        let question = SeatBotRequest { r#match: self.id().into(), seat: self.seat(), bot: bot.into(), think_ms };
        Ok(ask!(self, seat_bot, question)?.bots)
    }

    /// Ends the match before its time, as the referee; gives the last revision.
    pub async fn end(&self) -> Result<u32, Error> {
        Ok(ask!(self, end_match, EndMatchRequest { r#match: self.id().into() })?.revision)
    }

    /// Has the match forgotten at once, as the referee.
    pub async fn delete(&self) -> Result<(), Error> {
        ask!(self, delete_match, DeleteMatchRequest { r#match: self.id().into() }).map(drop)
    }
}
