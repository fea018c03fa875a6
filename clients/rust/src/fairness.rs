//! Local verification of draws: the service's commit-reveal shuffle, implemented again.
//!
//! The commitment was published before the draw and is the SHA-256 of the nonce; the order follows from the nonce, the
//! number of the draw and the words that the seats had added.

use ring::digest::{Digest, SHA256, digest};

use crate::v1::Draw;

/// Whether a draw follows from its commitment; `pack` is the pack of the game, in the order of the catalogue.
///
/// A lot needs no pack. A draw supplied by the referee, or whose nonce is not published yet, cannot be verified: false.
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
    let place = |card: &String| pack.iter().position(|other| other == card);
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
        let surplus = (u64::MAX % among + 1) % among; // the greatest numbers are rejected, else the draw is biased
        let drawn = numbers.find(|number| *number <= u64::MAX - surplus);
        things.swap(place, (drawn.unwrap_or_default() % among) as usize);
    }
}

/// An endless stream of 64-bit numbers: SHA-256 of the key and a block counter.
fn numbers(draw: &Draw) -> impl Iterator<Item = u64> {
    let words: String = draw.words.iter().map(|one| format!("{} {}\n", one.seat, one.word)).collect();
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
