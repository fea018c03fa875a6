use chitarrella_client::{Chitarrella, Error};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let client = Chitarrella::connect(&std::env::args().nth(1).unwrap_or_default())?;
    let game = client.create_match("briscola").await?;
    loop {
        let found = game.legal_moves().await?;
        let Some(seat) = found.seat else { break };
        game.as_seat(seat).play(found.moves[0].clone()).await?;
    }
    println!("{}", game.id());
    Ok(())
}
