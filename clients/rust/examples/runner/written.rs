//! How what a scenario says is read, and how results are written.

use chitarrella_client::v1::{self, ExplainedMove};
use chitarrella_client::{Agreement, Event, Move, Position, Refusal, Seen, Share, View, Waiting};
use serde_json::{Value, json};

/// Reads a list of words; none where nothing is said.
pub fn words(said: &Value) -> Vec<String> {
    said.as_array().into_iter().flatten().map(text).collect()
}

/// Reads a word; "" where nothing is said.
pub fn text(said: &Value) -> String {
    said.as_str().unwrap_or_default().to_owned()
}

/// Reads a number, if one is said.
pub fn number(said: &Value) -> Option<u32> {
    said.as_u64().and_then(|number| number.try_into().ok())
}

/// Reads what is played.
pub fn agreement(said: &Value) -> Agreement {
    let options = said["options"].as_object().into_iter().flatten();
    let options = options.map(|(name, value)| (name.clone(), text(value))).collect();
    Agreement { game: text(&said["game"]), players: number(&said["players"]).unwrap_or(0), options, edition: 0 }
}

/// Reads a position.
pub fn position(step: &Value) -> Position {
    Position::of(agreement(&step["agreement"]), text(&step["position"]))
}

/// Reads a move.
pub fn read_move(said: &Value) -> Move {
    let share = |one: &Value| Share { person: text(&one["person"]), amount: one["amount"].as_i64().unwrap_or(0) };
    Move {
        verb: text(&said["verb"]),
        cards: words(&said["cards"]),
        word: text(&said["word"]),
        amount: said["amount"].as_i64().and_then(|amount| amount.try_into().ok()),
        seat: number(&said["seat"]),
        shares: said["shares"].as_array().into_iter().flatten().map(share).collect(),
    }
}

/// Writes a list.
pub fn list<T>(things: &[T], write: impl Fn(&T) -> Value) -> Value {
    things.iter().map(write).collect()
}

/// Writes a move.
pub fn written_move(made: &Move) -> Value {
    let shares = list(&made.shares, |one| json!({"person": one.person, "amount": one.amount}));
    json!({"verb": made.verb, "cards": made.cards, "word": made.word, "amount": made.amount, "seat": made.seat,
           "shares": shares})
}

/// Writes a refusal.
pub fn refusal(told: &Refusal) -> Value {
    json!({"code": told.reason().as_str(), "clause": told.clause_key(), "instead": told.instead, "held": told.held,
           "word": told.word, "amount": told.amount, "penalty": told.penalty})
}

/// Writes a move with the clauses against it.
pub fn explained(told: &ExplainedMove) -> Value {
    let made = told.r#move.as_ref().map(written_move);
    json!({"move": made, "refusals": list(&told.refusals, refusal)})
}

/// Writes an event.
pub fn event(told: &Event) -> Value {
    json!({"kind": told.kind, "seat": told.seat, "cards": told.cards})
}

/// Writes counts.
pub fn tallies(told: &[v1::Tally]) -> Value {
    told.iter().map(|one| (one.name.clone(), json!(one.number))).collect()
}

/// Writes whom the table waits for.
pub fn waiting(view: &View) -> Value {
    match view.waiting() {
        Waiting::Seat => json!("seat"),
        Waiting::Table => json!("table"),
        Waiting::Nobody => json!("nobody"),
        Waiting::Unspecified => json!("unknown"),
    }
}

/// Writes what somebody sees.
pub fn seen(told: &Seen) -> Value {
    let view = told.view.clone().unwrap_or_default();
    let winners = view.outcome.as_ref().map(|outcome| &outcome.winners);
    json!({"revision": told.revision, "phase": view.phase, "waiting": waiting(&view), "turn": view.turn,
           "scores": view.scores, "winners": winners, "hand": told.hand()})
}
