use chitarrella_client::{Chitarrella, Error};

pub async fn play_a_match(address: &str) -> Result<(), Error> {
    let client = Chitarrella::connect(address)?;
    let game = client.create_match("briscola").await?;
    loop {
        let found = game.legal_moves().await?;
        let Some(seat) = found.seat else { break }; // the seat to move
        let chosen = found.moves[0].clone();
        let played = game.as_seat(seat).play(chosen).expecting(found.revision).await?; // with the key of that seat
        played.events.iter().for_each(|event| println!("{event}"));
    }
    println!("{:?}", game.get().await?.view.and_then(|view| view.outcome));
    Ok(())
}
