//! Stateless questions about positions and cards.

use crate::error::Error;
use crate::partial_position::AnyPosition;
use crate::transport::Transport;
use crate::trick_questions::{PlayableCards, ResolveTrick};
use crate::types::{AppliedMoves, ExplainedHand, GameStart, LegalMoves, MoveValidation};
use crate::v1::get_view_request::Viewer;
use crate::v1::rules_service_client::RulesServiceClient as Stub;
use crate::v1::{
    ApplyMovesRequest, BatchRequest, BatchResponse, ExplainHandRequest, GetViewRequest, ListLegalMovesRequest,
    ListPlayableCardsRequest, Move, Position, ResolveTrickRequest, RuleSet, Score, ScoreCardsRequest, SeatMove,
    Shuffle, StartGameRequest, ValidateMoveRequest, VerifyShuffleRequest, VerifyShuffleResponse, View,
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

    /// Returns the initial position, and what chance has to supply.
    pub async fn start_game(&self, rule_set: impl Into<RuleSet>) -> Result<GameStart, Error> {
        call!(self, start_game, StartGameRequest { rule_set: Some(rule_set.into()) })
    }

    /// Lists the legal moves of a seat; without a seat, of the seat to move, or of the only hand that is known.
    ///
    /// For a [`PartialPosition`](crate::PartialPosition), `undecided` has the moves that depend on something unknown.
    pub async fn legal_moves(&self, position: impl Into<AnyPosition>, seat: Option<u32>) -> Result<LegalMoves, Error> {
        let (position, partial_position) = position.into().into_fields();
        call!(self, list_legal_moves, ListLegalMovesRequest { position, seat, partial_position })
    }

    /// Explains every card of a hand and every other possible move; without a seat, of the seat to move, or of the only
    /// hand that is known.
    pub async fn explain_hand(
        &self,
        position: impl Into<AnyPosition>,
        seat: Option<u32>,
    ) -> Result<ExplainedHand, Error> {
        let (position, partial_position) = position.into().into_fields();
        call!(self, explain_hand, ExplainHandRequest { position, seat, partial_position })
    }

    /// Validates a move of a seat; without a seat, of chance, or of the only hand that is known.
    pub async fn validate_move(
        &self,
        position: impl Into<AnyPosition>,
        seat: Option<u32>,
        made: Move,
    ) -> Result<MoveValidation, Error> {
        let (position, partial_position) = position.into().into_fields();
        call!(self, validate_move, ValidateMoveRequest { position, seat, r#move: Some(made), partial_position })
    }

    /// Plays moves, each with its seat (`None`: chance), up to the first that is refused. The result has the legal moves
    /// after them, and the `penalties` of accepted moves that break clauses at a price.
    pub async fn apply_moves(
        &self,
        position: Position,
        moves: impl IntoIterator<Item = (Option<u32>, Move)>,
    ) -> Result<AppliedMoves, Error> {
        let moves = moves.into_iter().map(|(seat, made)| SeatMove { seat, r#move: Some(made) }).collect();
        call!(self, apply_moves, ApplyMovesRequest { position: Some(position), moves })
    }

    /// Returns the view of a seat or of the referee; without a viewer, of the public.
    pub async fn get_view(&self, position: Position, viewer: Option<Viewer>) -> Result<View, Error> {
        let answer = call!(self, get_view, GetViewRequest { position: Some(position), viewer })?;
        Ok(answer.view.unwrap_or_default())
    }

    /// Returns, when awaited, which cards of a hand may be played to a trick when no stock is left, without a position;
    /// `explain_hand` with a [`PartialPosition`](crate::PartialPosition) takes everything else that is known.
    pub fn playable_cards<T: Into<String>>(
        &self,
        rule_set: impl Into<RuleSet>,
        hand: impl IntoIterator<Item = T>,
        trick: impl IntoIterator<Item = T>,
    ) -> PlayableCards {
        let (rule_set, hand, trick) = (Some(rule_set.into()), strings(hand), strings(trick));
        let request = ListPlayableCardsRequest { rule_set, hand, trick, ..Default::default() };
        PlayableCards::new(self.transport.clone(), request)
    }

    /// Returns, when awaited, which card takes a trick, without a position. If that depends on an unknown trump, the
    /// result has no `winning_index`, and `depends_on` names what is unknown.
    pub fn resolve_trick<T: Into<String>>(
        &self,
        rule_set: impl Into<RuleSet>,
        cards: impl IntoIterator<Item = T>,
    ) -> ResolveTrick {
        let (rule_set, cards) = (Some(rule_set.into()), strings(cards));
        ResolveTrick::new(self.transport.clone(), ResolveTrickRequest { rule_set, cards, ..Default::default() })
    }

    /// Returns, without a position, what cards count; `trump` matters where some cards count more as trumps.
    pub async fn score_cards<T: Into<String>>(
        &self,
        rule_set: impl Into<RuleSet>,
        cards: impl IntoIterator<Item = T>,
        trump: &str,
    ) -> Result<Vec<Score>, Error> {
        let (rule_set, trump) = (Some(rule_set.into()), trump.to_owned());
        Ok(call!(self, score_cards, ScoreCardsRequest { rule_set, cards: strings(cards), trump })?.scores)
    }

    /// Has the service verify a shuffle; [`is_fair`](crate::fairness::is_fair) does it locally.
    pub async fn verify_shuffle(
        &self,
        game_id: impl Into<String>,
        shuffle: Shuffle,
    ) -> Result<VerifyShuffleResponse, Error> {
        let Shuffle { commitment, nonce, number, client_seeds, cards, amount, lots, .. } = shuffle;
        let game_id = game_id.into();
        let request = VerifyShuffleRequest { game_id, commitment, nonce, number, client_seeds, cards, amount, lots };
        call!(self, verify_shuffle, request)
    }

    /// Sends many questions in one call; each has its own answer or error, in the same order.
    pub async fn batch(&self, questions: BatchRequest) -> Result<BatchResponse, Error> {
        call!(self, batch, questions)
    }
}

fn strings<T: Into<String>>(cards: impl IntoIterator<Item = T>) -> Vec<String> {
    cards.into_iter().map(Into::into).collect()
}
