//! Cards as text with suit symbols, such as `10♥` or `A🪙`.

/// The figures of the Cucco pack.
const CUCCO: [(&str, &str); 10] = [
    ("MAT", "🃏"),
    ("MAS", "🎭"),
    ("SEC", "🪣"),
    ("NUL", "0️⃣"),
    ("XI", "🏠"),
    ("XII", "🐈"),
    ("XIII", "🐎"),
    ("XIV", "🏹"),
    ("XV", "🐦"),
    ("LEO", "🦁"),
];

const ITALIAN: [(&str, &str); 4] = [("b", "🪄"), ("c", "🏆"), ("d", "🪙"), ("s", "🗡️")];
const FRENCH: [(&str, &str); 4] = [("c", "♣"), ("d", "♦"), ("h", "♥"), ("s", "♠")];

/// Returns a card with the symbol of its suit; `pack` is the name in the catalogue. An unknown card is returned as it is.
///
/// ```
/// use chitarrella_client::card_images::card_image;
///
/// assert_eq!(card_image("Th", "French 52"), "10♥");
/// assert_eq!(card_image("XIV", "Cucco"), "🏹 XIV");
/// ```
pub fn card_image(card: &str, pack: &str) -> String {
    let suits = match pack.split(' ').next() {
        Some("Cucco") => return find(&CUCCO, card).map_or_else(|| card.to_owned(), |image| format!("{image} {card}")),
        Some("Italian") => &ITALIAN,
        Some("French") => &FRENCH,
        _ => return card.to_owned(),
    };
    let Some((last, _)) = card.char_indices().last() else { return String::new() };
    let (rank, suit) = card.split_at(last);
    let rank = if rank == "T" { "10" } else { rank };
    find(suits, suit).map_or_else(|| card.to_owned(), |suit| format!("{rank}{suit}"))
}

fn find(table: &[(&str, &'static str)], symbol: &str) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == symbol).map(|(_, image)| *image)
}
