//! A client for Chitarrella, the rules of Italian card games as a service.
//!
//! [`Chitarrella`] is the client, [`Connect`] its settings, [`Match`] a match seen and played with one key, [`Watch`] the
//! stream of its updates, [`Rules`] the stateless questions about positions and cards, [`Webhooks`] those of a platform.
//! Responses are the messages of the contract, in [`v1`]; the most used ones are exported here.
#![doc = include_str!("../README.md")]

pub mod card_images;
mod client;
mod codes;
mod connect;
mod error;
pub mod fairness;
mod headers;
mod key_rotation;
mod matches;
mod new_match;
mod partial_position;
mod platform;
mod play;
mod rules;
mod seat_access;
mod transport;
mod trick_questions;
mod types;
#[path = "v1/chitarrella.v1.rs"]
#[rustfmt::skip]
// Generated: prost writes code that clippy would write otherwise, and not every message has a comment in the contract.
#[allow(missing_docs, clippy::all)]
pub mod v1;
mod watch;
mod webhooks;

pub use client::Chitarrella;
pub use codes::{Code, Reason};
pub use connect::Connect;
pub use error::{Error, Violation};
pub use key_rotation::{AdvanceClock, RotateKey};
pub use matches::Match;
pub use partial_position::AnyPosition;
pub use platform::{MatchFilter, PlatformWatch};
pub use play::{Play, TakeBack};
pub use rules::Rules;
pub use trick_questions::{PlayableCards, ResolveTrick};
pub use types::{
    AppliedMoves, ClockAdvance, ClockResult, Comparison, ExplainedHand, Game, GameStart, ImportedMatch, LegalMoves,
    MatchHand, MatchMoveValidation, MatchMoves, MatchState, MatchUpdate, MoveResult, MoveValidation, NewMatch,
    PlatformUpdate, SeedResult, Shuffles, TakebackResult, TrickResult,
};
pub use v1::{
    Card, ChanceRequest, Clause, Delivery, DeliveryState, Event, ExplainedMove, ItemError, MatchSummary, Move,
    MovePenalty, MoveSpec, PackSource, PartialPosition, PendingTakeback, PlayerName, Position, Refusal, RuleSet, Score,
    Share, Shuffle, View, Waiting, Webhook, Zone,
};
pub use watch::Watch;
pub use webhooks::{WebhookChanges, Webhooks};
