//! A client for Chitarrella, the rules of Italian card games as a service.
//!
//! [`Chitarrella`] is the client, [`Connect`] its settings, [`Match`] a match with the eyes and the hand of one key,
//! [`Watch`] what happens there, [`Rules`] the questions about positions and cards. What is answered are the messages of
//! the contract, in [`v1`]; those that are at every table are named here.
#![doc = include_str!("../README.md")]

mod client;
mod codes;
mod connect;
mod error;
pub mod fairness;
mod line;
mod matches;
pub mod pictures;
mod play;
mod rules;
#[path = "v1/chitarrella.v1.rs"]
#[rustfmt::skip]
#[allow(missing_docs, clippy::all)]
pub mod v1;
mod watch;
mod words;

pub use client::Chitarrella;
pub use codes::{Code, Reason};
pub use connect::Connect;
pub use error::{Error, Violation};
pub use matches::Match;
pub use play::{Play, TakeBack};
pub use rules::Rules;
pub use v1::{Agreement, Clause, Draw, Event, ExplainedMove, Move, Pile, Position, Refusal, Share, View, Waiting};
pub use watch::Watch;
pub use words::{NewMatch, Packs, Seen, Told};
