use chitarrella_client::{Chitarrella, Error, PartialPosition};

pub async fn list_legal_moves(address: &str) -> Result<(), Error> {
    let known = PartialPosition::of("bisca-brazil").with_hand(0, ["7h", "Kh", "2c"]).with_trick(["Qh"]).with_trump("h");
    let found = Chitarrella::connect(address)?.rules().legal_moves(known, None).await?;
    found.moves.iter().for_each(|legal| println!("{legal}")); // play_card Kh
    Ok(())
}
