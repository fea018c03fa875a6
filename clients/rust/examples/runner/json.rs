//! Reads steps from JSON and writes results as JSON.

use chitarrella_client::v1::{self, ExplainedMove};
use chitarrella_client::{Agreement, Event, Move, Position, Refusal, Seen, Share, View, Waiting};
use serde_json::{Value, json};

/// Reads a list of strings; empty if absent.
pub fn strings(json: &Value) -> Vec<String> {
    json.as_array().into_iter().flatten().map(text).collect()
}

/// Reads a string; "" if absent.
pub fn text(json: &Value) -> String {
    json.as_str().unwrap_or_default().to_owned()
}

/// Reads a number, if present.
pub fn number(json: &Value) -> Option<u32> {
    json.as_u64().and_then(|number| number.try_into().ok())
}

/// Reads an agreement.
pub fn agreement(json: &Value) -> Agreement {
    let options = json["options"].as_object().into_iter().flatten();
    let options = options.map(|(name, value)| (name.clone(), text(value))).collect();
    Agreement { game: text(&json["game"]), players: number(&json["players"]).unwrap_or(0), options, edition: 0 }
}

/// Reads a position.
pub fn position(step: &Value) -> Position {
    Position::of(agreement(&step["agreement"]), text(&step["position"]))
}

/// Reads a move.
pub fn read_move(json: &Value) -> Move {
    let share = |one: &Value| Share { person: text(&one["person"]), amount: one["amount"].as_i64().unwrap_or(0) };
    Move {
        verb: text(&json["verb"]),
        cards: strings(&json["cards"]),
        word: text(&json["word"]),
        amount: json["amount"].as_i64().and_then(|amount| amount.try_into().ok()),
        seat: number(&json["seat"]),
        shares: json["shares"].as_array().into_iter().flatten().map(share).collect(),
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
pub fn refusal(value: &Refusal) -> Value {
    json!({"code": value.reason().as_str(), "clause": value.clause_key(), "instead": value.instead, "held": value.held,
           "word": value.word, "amount": value.amount, "penalty": value.penalty})
}

/// Writes a move with the clauses against it.
pub fn explained(value: &ExplainedMove) -> Value {
    let made = value.r#move.as_ref().map(written_move);
    json!({"move": made, "refusals": list(&value.refusals, refusal)})
}

/// Writes an event.
pub fn event(value: &Event) -> Value {
    json!({"kind": value.kind, "seat": value.seat, "cards": value.cards})
}

/// Writes counts.
pub fn tallies(value: &[v1::Tally]) -> Value {
    value.iter().map(|one| (one.name.clone(), json!(one.number))).collect()
}

/// Writes who is to move.
pub fn waiting(view: &View) -> Value {
    match view.waiting() {
        Waiting::Seat => json!("seat"),
        Waiting::Table => json!("table"),
        Waiting::Nobody => json!("nobody"),
        Waiting::Unspecified => json!("unknown"),
    }
}

/// Writes the state of a match.
pub fn state(value: &Seen) -> Value {
    let view = value.view.clone().unwrap_or_default();
    let winners = view.outcome.as_ref().map(|outcome| &outcome.winners);
    json!({"revision": value.revision, "phase": view.phase, "waiting": waiting(&view), "turn": view.turn,
           "scores": view.scores, "winners": winners, "hand": value.hand()})
}
