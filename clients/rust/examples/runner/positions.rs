//! Runs the steps about moves in positions, batches, cards, and what is known of a position.

use chitarrella_client::v1::{
    Answer, ApplyMovesRequest, BatchRequest, ListLegalMovesRequest, Question, SeatMove, StartGameRequest, answer,
    question,
};
use chitarrella_client::{AppliedMoves, Chitarrella, Move, PartialPosition};
use serde_json::{Value, json};

use crate::Outcome;
use crate::json::{list, number, position, read_move, refusal, rule_set, strings, text, written_move};

/// Runs a step; `None` if it is not one of these.
pub async fn run(client: &Chitarrella, op: &str, step: &Value) -> Outcome<Option<Value>> {
    Ok(Some(match op {
        "describe_cards" => describe_cards(client, step).await?,
        "list_known_moves" => list_known_moves(client, step).await?,
        "apply_moves" => applied(&client.rules().apply_moves(position(step), seat_moves(step)).await?),
        "batch" => batch(client, step).await?,
        _ => return Ok(None),
    }))
}

async fn describe_cards(client: &Chitarrella, step: &Value) -> Outcome<Value> {
    let game = client.game(text(&step["game_id"])).await?;
    let describe = |code: &String| {
        let card = game.card(code).cloned().unwrap_or_default();
        json!({"code": card.code, "name": card.name, "suit": card.suit, "order": card.order, "points": card.points})
    };
    Ok(strings(&step["cards"]).iter().map(describe).collect())
}

async fn list_known_moves(client: &Chitarrella, step: &Value) -> Outcome<Value> {
    let found = client.rules().legal_moves(partial_position(step)?, number(&step["seat"])).await?;
    let undecided = list(&found.undecided, |one| {
        let made = one.r#move.as_ref().map(written_move);
        json!({"move": made, "depends_on": one.depends_on})
    });
    Ok(json!({"seat": found.seat, "moves": list(&found.moves, written_move), "undecided": undecided,
              "depends_on": found.depends_on}))
}

fn partial_position(step: &Value) -> Outcome<PartialPosition> {
    let known = &step["known"];
    let mut read = PartialPosition::of(rule_set(&step["rule_set"]));
    for (seat, cards) in known["hands"].as_object().into_iter().flatten() {
        read = read.with_hand(seat.parse()?, strings(cards));
    }
    if known["trick"].is_array() {
        read = read.with_trick(strings(&known["trick"]));
    }
    read.trump = known["trump"].as_str().map(ToOwned::to_owned);
    read.stock_size = number(&known["stock_size"]);
    Ok(read)
}

fn seat_moves(step: &Value) -> Vec<(Option<u32>, Move)> {
    let read = |one: &Value| (number(&one["seat"]), read_move(&one["move"]));
    step["moves"].as_array().into_iter().flatten().map(read).collect()
}

fn applied(value: &AppliedMoves) -> Value {
    let text = value.position.as_ref().map(|one| &one.text);
    json!({"text": text, "applied": value.applied, "refusals": list(&value.refusals, refusal),
           "legal_moves": list(&value.legal_moves, written_move)})
}

async fn batch(client: &Chitarrella, step: &Value) -> Outcome<Value> {
    let questions = step["questions"].as_array().into_iter().flatten().map(read_question).collect();
    Ok(list(&client.rules().batch(BatchRequest { questions }).await?.answers, written_answer))
}

/// Reads a question; it has the position of the step, or that of an earlier answer.
fn read_question(step: &Value) -> Question {
    let position_of = number(&step["position_of"]);
    let position = position_of.is_none().then(|| position(step));
    let kind = match step["op"].as_str() {
        Some("start_game") => {
            question::Kind::StartGame(StartGameRequest { rule_set: Some(rule_set(&step["rule_set"])) })
        }
        Some("apply_moves") => {
            let made = |(seat, made)| SeatMove { seat, r#move: Some(made) };
            let moves = seat_moves(step).into_iter().map(made).collect();
            question::Kind::ApplyMoves(ApplyMovesRequest { position, moves })
        }
        _ => question::Kind::ListLegalMoves(ListLegalMovesRequest {
            position,
            seat: number(&step["seat"]),
            ..Default::default()
        }),
    };
    Question { position_of, kind: Some(kind) }
}

fn written_answer(given: &Answer) -> Value {
    match &given.kind {
        Some(answer::Kind::StartGame(start)) => json!(start.position.as_ref().map(|one| &one.text)),
        Some(answer::Kind::ApplyMoves(value)) => applied(value),
        Some(answer::Kind::ListLegalMoves(found)) => {
            json!({"seat": found.seat, "moves": list(&found.moves, written_move)})
        }
        Some(answer::Kind::Error(error)) => json!({"error": {"code": error.code, "field": error.field}}),
        _ => Value::Null,
    }
}
