//! Stateless questions about positions and cards.

use crate::error::Error;
use crate::transport::Transport;
use crate::v1::look_request::Eyes;
use crate::v1::rules_service_client::RulesServiceClient as Stub;
use crate::v1::{
    Agreement, BatchRequest, BatchResponse, CountPileRequest, Draw, ExplainHandRequest, ExplainHandResponse,
    ExplainedMove, JudgeRequest, JudgeResponse, ListLegalMovesRequest, ListLegalMovesResponse,
    ListPlayableCardsRequest, LookRequest, Move, PlayMovesRequest, PlayMovesResponse, Position, ResolveTrickRequest,
    ResolveTrickResponse, SeatMove, StartGameRequest, StartGameResponse, Tally, VerifyDrawRequest, VerifyDrawResponse,
    View,
};

/// The rules, for those who store matches themselves: a position goes in, a position comes out.
#[derive(Clone, Debug)]
pub struct Rules {
    transport: Transport,
}

/// Calls the method of that name.
macro_rules! call {
    ($self:ident, $method:ident, $request:expr) => {
        $self.transport.call("", $request, |channel, q| async { Stub::new(channel).$method(q).await }).await
    };
}

impl Rules {
    pub(crate) fn new(transport: Transport) -> Self {
        Self { transport }
    }

    /// Returns the initial position and the result of chance that it awaits.
    pub async fn start(&self, agreement: impl Into<Agreement>) -> Result<StartGameResponse, Error> {
        call!(self, start_game, StartGameRequest { agreement: Some(agreement.into()) })
    }

    /// Lists the legal moves of a seat; without a seat, of the seat to move.
    pub async fn legal_moves(&self, position: Position, seat: Option<u32>) -> Result<ListLegalMovesResponse, Error> {
        call!(self, list_legal_moves, ListLegalMovesRequest { position: Some(position), seat })
    }

    /// Explains every card of a hand and every other possible move; without a seat, of the seat to move.
    pub async fn explain(&self, position: Position, seat: Option<u32>) -> Result<ExplainHandResponse, Error> {
        call!(self, explain_hand, ExplainHandRequest { position: Some(position), seat })
    }

    /// Checks a move of a seat, or of chance.
    pub async fn judge(&self, position: Position, seat: Option<u32>, made: Move) -> Result<JudgeResponse, Error> {
        call!(self, judge, JudgeRequest { position: Some(position), seat, r#move: Some(made) })
    }

    /// Plays moves, each with its seat (`None`: chance), until one is refused.
    pub async fn play(
        &self,
        position: Position,
        moves: impl IntoIterator<Item = (Option<u32>, Move)>,
    ) -> Result<PlayMovesResponse, Error> {
        let moves = moves.into_iter().map(|(seat, made)| SeatMove { seat, r#move: Some(made) }).collect();
        call!(self, play_moves, PlayMovesRequest { position: Some(position), moves })
    }

    /// Returns the view of a seat, of the referee, or else of the public.
    pub async fn look(&self, position: Position, eyes: Option<Eyes>) -> Result<View, Error> {
        let answer = call!(self, look, LookRequest { position: Some(position), eyes })?;
        Ok(answer.view.unwrap_or_default())
    }

    /// Returns, without a position, which cards of a hand may be played to a trick when no stock is left; `trump` is ""
    /// for none.
    pub async fn playable<T: Into<String>>(
        &self,
        agreement: impl Into<Agreement>,
        hand: impl IntoIterator<Item = T>,
        trick: impl IntoIterator<Item = T>,
        trump: &str,
    ) -> Result<Vec<ExplainedMove>, Error> {
        let (agreement, trump) = (Some(agreement.into()), trump.to_owned());
        let (hand, trick) = (strings(hand), strings(trick));
        let request = ListPlayableCardsRequest { agreement, hand, trick, trump, ..Default::default() };
        Ok(call!(self, list_playable_cards, request)?.moves)
    }

    /// Returns, without a position, which card takes a trick; `trump` is "" for none.
    pub async fn trick<T: Into<String>>(
        &self,
        agreement: impl Into<Agreement>,
        cards: impl IntoIterator<Item = T>,
        trump: &str,
    ) -> Result<ResolveTrickResponse, Error> {
        let (agreement, trump) = (Some(agreement.into()), trump.to_owned());
        call!(self, resolve_trick, ResolveTrickRequest { agreement, cards: strings(cards), trump })
    }

    /// Returns the worth of a pile of cards; `trump` matters where some cards count more as trumps.
    pub async fn count<T: Into<String>>(
        &self,
        agreement: impl Into<Agreement>,
        cards: impl IntoIterator<Item = T>,
        trump: &str,
    ) -> Result<Vec<Tally>, Error> {
        let (agreement, trump) = (Some(agreement.into()), trump.to_owned());
        Ok(call!(self, count_pile, CountPileRequest { agreement, cards: strings(cards), trump })?.tallies)
    }

    /// Has the service verify a draw; [`is_fair`](crate::fairness::is_fair) does it locally.
    pub async fn verify_draw(&self, game: impl Into<String>, draw: Draw) -> Result<VerifyDrawResponse, Error> {
        let Draw { commitment, nonce, number, words, cards, amount, lots, .. } = draw;
        let game = game.into();
        call!(self, verify_draw, VerifyDrawRequest { game, commitment, nonce, number, words, cards, amount, lots })
    }

    /// Sends many questions in one call; each has its own answer or error, in the same order.
    pub async fn batch(&self, questions: BatchRequest) -> Result<BatchResponse, Error> {
        call!(self, batch, questions)
    }
}

fn strings<T: Into<String>>(cards: impl IntoIterator<Item = T>) -> Vec<String> {
    cards.into_iter().map(Into::into).collect()
}
