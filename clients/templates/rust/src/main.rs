//! `chitarrella-rust HOST:PORT`: validates a move, then creates a match and plays it to its end.

use tonic::Request;
use tonic::metadata::MetadataValue;

/// The messages and stubs of the contract.
#[allow(clippy::all, dead_code)]
mod contract {
    include!(concat!(env!("OUT_DIR"), "/contract.rs"));
}

use contract::chitarrella::v1;
use v1::match_service_client::MatchServiceClient;
use v1::rules_service_client::RulesServiceClient;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn rule_set(game_id: &str) -> v1::RuleSet {
    v1::RuleSet { game_id: game_id.into(), players: 2, ..Default::default() }
}

/// A request with the key of a seat or of the referee.
fn with_key<T>(message: T, key: &str) -> Result<Request<T>> {
    let mut request = Request::new(message);
    request.metadata_mut().insert("authorization", MetadataValue::try_from(format!("Bearer {key}"))?);
    Ok(request)
}

fn print_refusals(refusals: &[v1::Refusal]) {
    for refusal in refusals {
        println!("refused: {} [{}]", refusal.code, refusal.clause.as_ref().map_or("", |clause| &clause.key));
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let address = std::env::args().nth(1).ok_or("usage: chitarrella-rust HOST:PORT")?;
    let channel = tonic::transport::Endpoint::new(format!("http://{address}"))?.connect().await?;

    // May the second of two players play the 2 of clubs to a queen? What is left out of the position is unknown.
    let asked = v1::ValidateMoveRequest {
        partial_position: Some(v1::PartialPosition {
            rule_set: Some(rule_set("bisca-brazil")),
            hands: vec![v1::SeatCards { seat: 0, cards: ["7h", "Kh", "2c"].map(String::from).to_vec() }],
            trick: Some(v1::PartialTrick { cards: vec!["Qh".into()], ..Default::default() }),
            trump: Some("h".into()),
            ..Default::default()
        }),
        r#move: Some(v1::Move { verb: "play_card".into(), cards: vec!["2c".into()], ..Default::default() }),
        ..Default::default()
    };
    let answer = RulesServiceClient::new(channel.clone()).validate_move(asked).await?.into_inner();
    print_refusals(&answer.refusals);

    let mut matches = MatchServiceClient::new(channel);
    let created = v1::CreateMatchRequest { rule_set: Some(rule_set("briscola")), ..Default::default() };
    let created = matches.create_match(created).await?.into_inner();
    let match_id = created.r#match.ok_or("no match")?.match_id;
    let mut refused = false;
    loop {
        let asked = v1::ListMatchMovesRequest { match_id: match_id.clone(), ..Default::default() };
        let found = matches.list_match_moves(with_key(asked, &created.referee_key)?).await?.into_inner();
        let Some(seat) = found.seat else { break }; // seat 0 is a seat: no seat is None
        let mover = if refused { seat } else { 1 - seat }; // who is not on turn is refused, once
        let play = v1::PlayMoveRequest {
            match_id: match_id.clone(),
            seat: Some(mover),
            r#move: found.moves.into_iter().next(),
            expected_revision: Some(found.revision),
            ..Default::default()
        };
        let key = &created.seat_keys.iter().find(|one| one.seat == mover).ok_or("no key")?.key;
        let played = matches.play_move(with_key(play, key)?).await?.into_inner();
        print_refusals(&played.refusals);
        refused = true;
    }
    println!("match: {match_id}");
    Ok(())
}
