//! Checking a draw without asking anybody: the shuffle of the service, said once more in a few lines.
//!
//! The commitment was published before the draw and is the SHA-256 of the nonce; the order follows from the nonce, the
//! number of the draw and the words that the seats had added.

use ring::digest::{Digest, SHA256, digest};

use crate::v1::Draw;

/// Tells whether a draw came out as its commitment promised; `pack` is that of the game, as the catalogue has it.
///
/// A lot needs no pack. A draw that was handed in, or whose nonce is not told yet, is not proved.
pub fn is_fair(draw: &Draw, pack: &[String]) -> bool {
    if draw.nonce.is_empty() || hex(sha256(draw.nonce.as_bytes()).as_ref()) != draw.commitment {
        return false;
    }
    if !draw.lots.is_empty() {
        let mut lots = draw.lots.clone();
        lots.sort_unstable();
        shuffle(&mut lots, draw);
        return lots.first().copied() == draw.amount;
    }
    let place = |card: &String| pack.iter().position(|face| face == card);
    let mut cards = draw.cards.clone();
    cards.sort_by_key(place);
    shuffle(&mut cards, draw);
    cards == draw.cards && cards.iter().all(|card| pack.contains(card))
}

/// Shuffles things, given in their canonical order, as the draw did.
fn shuffle<T>(things: &mut [T], draw: &Draw) {
    let mut numbers = numbers(draw);
    for place in (1..things.len()).rev() {
        let among = place as u64 + 1;
        let uneven = (u64::MAX % among + 1) % among; // so many of the greatest numbers would favour some places
        let drawn = numbers.find(|number| *number <= u64::MAX - uneven);
        things.swap(place, (drawn.unwrap_or_default() % among) as usize);
    }
}

/// Gives 64-bit numbers without end: blocks of SHA-256 over the key and a counter.
fn numbers(draw: &Draw) -> impl Iterator<Item = u64> {
    let words: String = draw.words.iter().map(|said| format!("{} {}\n", said.seat, said.word)).collect();
    let key = sha256(format!("chitarrella draw 1\n{}\n{}\n{words}", draw.nonce, draw.number).as_bytes());
    (0_u64..).flat_map(move |block| {
        let bytes = sha256(&[key.as_ref(), &block.to_be_bytes()].concat());
        let number = |at: usize| bytes.as_ref()[at..at + 8].iter().fold(0, |all, byte| all << 8 | u64::from(*byte));
        [0, 8, 16, 24].map(number)
    })
}

fn sha256(bytes: &[u8]) -> Digest {
    digest(&SHA256, bytes)
}

/// Writes bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
