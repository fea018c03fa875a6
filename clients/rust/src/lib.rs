//! A client for Chitarrella, the rules of Italian card games as a service.
//!
//! [`Chitarrella`] is the client, [`Connect`] its settings, [`Match`] a match seen and played with one key, [`Watch`] the
//! stream of its updates, [`Rules`] the stateless questions about positions and cards. Responses are the messages of the
//! contract, in [`v1`]; the most used ones are exported here.
#![doc = include_str!("../README.md")]

pub mod card_images;
mod client;
mod codes;
mod connect;
mod error;
pub mod fairness;
mod headers;
mod matches;
mod partial_position;
mod play;
mod rules;
mod seat_access;
mod transport;
mod trick_questions;
mod types;
#[path = "v1/chitarrella.v1.rs"]
#[rustfmt::skip]
#[allow(missing_docs, clippy::all)]
pub mod v1;
mod watch;

pub use client::Chitarrella;
pub use codes::{Code, Reason};
pub use connect::Connect;
pub use error::{Error, Violation};
pub use matches::Match;
pub use partial_position::AnyPosition;
pub use play::{Play, TakeBack};
pub use rules::Rules;
pub use trick_questions::{PlayableCards, ResolveTrick};
pub use types::{
    AppliedMoves, ClockResult, Comparison, ExplainedHand, Game, GameStart, LegalMoves, MatchHand, MatchMoveValidation,
    MatchMoves, MatchState, MatchUpdate, MoveResult, MoveValidation, NewMatch, SeedResult, Shuffles, TakebackResult,
    TrickResult,
};
pub use v1::{
    ChanceRequest, Clause, Event, ExplainedMove, ItemError, MatchSummary, Move, MovePenalty, MoveSpec, PackSource,
    PartialPosition, PendingTakeback, Position, Refusal, RuleSet, Score, Share, Shuffle, View, Waiting, Zone,
};
pub use watch::Watch;
