//! Questions about positions and cards; the service keeps nothing of them.

use crate::error::Error;
use crate::line::Line;
use crate::v1::look_request::Eyes;
use crate::v1::rules_service_client::RulesServiceClient as Stub;
use crate::v1::{
    Agreement, BatchRequest, BatchResponse, CountPileRequest, Draw, ExplainHandRequest, ExplainHandResponse,
    ExplainedMove, JudgeRequest, JudgeResponse, ListLegalMovesRequest, ListLegalMovesResponse,
    ListPlayableCardsRequest, LookRequest, Move, PlayMovesRequest, PlayMovesResponse, Position, ResolveTrickRequest,
    ResolveTrickResponse, SeatMove, StartGameRequest, StartGameResponse, Tally, VerifyDrawRequest, VerifyDrawResponse,
    View,
};

/// The rules, for those who keep their own matches: a position goes in, a position comes out.
#[derive(Clone, Debug)]
pub struct Rules {
    line: Line,
}

/// Puts a question by the method of that name.
macro_rules! ask {
    ($self:ident, $method:ident, $question:expr) => {
        $self.line.ask("", $question, |channel, q| async { Stub::new(channel).$method(q).await }).await
    };
}

impl Rules {
    pub(crate) fn new(line: Line) -> Self {
        Self { line }
    }

    /// Gives the position before the first card, and what the table has to supply.
    pub async fn start(&self, agreement: impl Into<Agreement>) -> Result<StartGameResponse, Error> {
        ask!(self, start_game, StartGameRequest { agreement: Some(agreement.into()) })
    }

    /// Lists what a seat may do; without a seat, the seat to move.
    pub async fn legal_moves(&self, position: Position, seat: Option<u32>) -> Result<ListLegalMovesResponse, Error> {
        ask!(self, list_legal_moves, ListLegalMovesRequest { position: Some(position), seat })
    }

    /// Explains every card of a hand, and every other act within reach; without a seat, of the seat to move.
    pub async fn explain(&self, position: Position, seat: Option<u32>) -> Result<ExplainHandResponse, Error> {
        ask!(self, explain_hand, ExplainHandRequest { position: Some(position), seat })
    }

    /// Judges a move of a seat, or of the table itself.
    pub async fn judge(&self, position: Position, seat: Option<u32>, made: Move) -> Result<JudgeResponse, Error> {
        ask!(self, judge, JudgeRequest { position: Some(position), seat, r#move: Some(made) })
    }

    /// Plays moves, each with the seat that makes it (`None`: the table), until one is refused.
    pub async fn play(
        &self,
        position: Position,
        moves: impl IntoIterator<Item = (Option<u32>, Move)>,
    ) -> Result<PlayMovesResponse, Error> {
        let moves = moves.into_iter().map(|(seat, made)| SeatMove { seat, r#move: Some(made) }).collect();
        ask!(self, play_moves, PlayMovesRequest { position: Some(position), moves })
    }

    /// Shows a position as a seat sees it, or the referee, or else the public.
    pub async fn look(&self, position: Position, eyes: Option<Eyes>) -> Result<View, Error> {
        let answer = ask!(self, look, LookRequest { position: Some(position), eyes })?;
        Ok(answer.view.unwrap_or_default())
    }

    /// Says at a glance which cards of a hand may be played to a trick, no stock being left; `trump` is "" for none.
    pub async fn playable<T: Into<String>>(
        &self,
        agreement: impl Into<Agreement>,
        hand: impl IntoIterator<Item = T>,
        trick: impl IntoIterator<Item = T>,
        trump: &str,
    ) -> Result<Vec<ExplainedMove>, Error> {
        let (agreement, trump) = (Some(agreement.into()), trump.to_owned());
        let (hand, trick) = (words(hand), words(trick));
        let question = ListPlayableCardsRequest { agreement, hand, trick, trump, ..Default::default() };
        Ok(ask!(self, list_playable_cards, question)?.moves)
    }

    /// Says at a glance which card takes a trick; `trump` is "" for none.
    pub async fn trick<T: Into<String>>(
        &self,
        agreement: impl Into<Agreement>,
        cards: impl IntoIterator<Item = T>,
        trump: &str,
    ) -> Result<ResolveTrickResponse, Error> {
        let (agreement, trump) = (Some(agreement.into()), trump.to_owned());
        ask!(self, resolve_trick, ResolveTrickRequest { agreement, cards: words(cards), trump })
    }

    /// Says at a glance what a pile of cards is worth; `trump` matters where some cards count more as trumps.
    pub async fn count<T: Into<String>>(
        &self,
        agreement: impl Into<Agreement>,
        cards: impl IntoIterator<Item = T>,
        trump: &str,
    ) -> Result<Vec<Tally>, Error> {
        let (agreement, trump) = (Some(agreement.into()), trump.to_owned());
        Ok(ask!(self, count_pile, CountPileRequest { agreement, cards: words(cards), trump })?.tallies)
    }

    /// Lets the service check a draw; [`is_fair`](crate::fairness::is_fair) does it here.
    pub async fn verify_draw(&self, game: impl Into<String>, draw: Draw) -> Result<VerifyDrawResponse, Error> {
        let Draw { commitment, nonce, number, words, cards, amount, lots, .. } = draw;
        let game = game.into();
        ask!(self, verify_draw, VerifyDrawRequest { game, commitment, nonce, number, words, cards, amount, lots })
    }

    /// Puts many questions in one call; each gets its own answer or its own fault, in the same order.
    pub async fn batch(&self, questions: BatchRequest) -> Result<BatchResponse, Error> {
        ask!(self, batch, questions)
    }
}

fn words<T: Into<String>>(cards: impl IntoIterator<Item = T>) -> Vec<String> {
    cards.into_iter().map(Into::into).collect()
}
