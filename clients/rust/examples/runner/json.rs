//! Reads steps from JSON and writes results as JSON.

use chitarrella_client::{
    Event, ExplainedMove, MatchState, Move, Position, Refusal, RuleSet, Score, Share, View, Waiting,
};
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

/// Reads a rule set.
pub fn rule_set(json: &Value) -> RuleSet {
    let options = json["options"].as_object().into_iter().flatten();
    let options = options.map(|(name, value)| (name.clone(), text(value))).collect();
    RuleSet { game_id: text(&json["game_id"]), players: number(&json["players"]).unwrap_or(0), options, edition: 0 }
}

/// Reads a position.
pub fn position(step: &Value) -> Position {
    Position::of(rule_set(&step["rule_set"]), text(&step["position"]))
}

/// Reads a move.
pub fn read_move(json: &Value) -> Move {
    let share = |one: &Value| Share { person: text(&one["person"]), amount: one["amount"].as_i64().unwrap_or(0) };
    Move {
        verb: text(&json["verb"]),
        cards: strings(&json["cards"]),
        choice: text(&json["choice"]),
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
    json!({"verb": made.verb, "cards": made.cards, "choice": made.choice, "amount": made.amount,
           "seat": made.seat, "shares": shares})
}

/// Writes a refusal.
pub fn refusal(value: &Refusal) -> Value {
    json!({"code": value.reason().as_str(), "clause": value.clause_key(), "allowed_cards": value.allowed_cards,
           "offending_cards": value.offending_cards, "word": value.word, "amount": value.amount,
           "penalty": value.penalty})
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

/// Writes scores by the names of their counts.
pub fn scores(value: &[Score]) -> Value {
    value.iter().map(|one| (one.name.clone(), json!(one.value))).collect()
}

/// Writes who has to act.
pub fn waiting(view: &View) -> Value {
    match view.waiting() {
        Waiting::Seat => json!("seat"),
        Waiting::Chance => json!("chance"),
        Waiting::Nobody => json!("nobody"),
        Waiting::Unspecified => json!("unknown"),
    }
}

/// Writes the state of a match.
pub fn state(value: &MatchState) -> Value {
    let view = value.view.clone().unwrap_or_default();
    let winners = view.outcome.as_ref().map(|outcome| &outcome.winners);
    json!({"revision": value.revision, "phase": view.phase, "waiting": waiting(&view), "turn": view.turn,
           "scores": view.scores, "winners": winners, "hand": value.hand()})
}
