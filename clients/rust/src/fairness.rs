//! Local verification of shuffles: the service's commit-reveal shuffle, implemented again.
//!
//! The commitment was published before the shuffle and is the SHA-256 of the nonce; the order follows from the nonce, the
//! number of the shuffle and the seeds of the seats.

use ring::digest::{Digest, SHA256, digest};

use crate::v1::Shuffle;

/// Whether a shuffle follows from its commitment; `pack` is the pack of the game, in the order of the catalogue.
///
/// A lot needs no pack. A shuffle that the referee supplied, or whose nonce is not published yet, cannot be verified:
/// false.
pub fn is_fair(shuffle: &Shuffle, pack: &[String]) -> bool {
    if shuffle.nonce.is_empty() || hex(sha256(shuffle.nonce.as_bytes()).as_ref()) != shuffle.commitment {
        return false;
    }
    if !shuffle.lots.is_empty() {
        let mut lots = shuffle.lots.clone();
        lots.sort_unstable();
        permute(&mut lots, shuffle);
        return lots.first().copied() == shuffle.amount;
    }
    let place = |card: &String| pack.iter().position(|other| other == card);
    let mut cards = shuffle.cards.clone();
    cards.sort_by_key(place);
    permute(&mut cards, shuffle);
    cards == shuffle.cards && cards.iter().all(|card| pack.contains(card))
}

/// Puts things, given in their canonical order, in the order of the shuffle.
fn permute<T>(things: &mut [T], shuffle: &Shuffle) {
    let mut numbers = numbers(shuffle);
    for place in (1..things.len()).rev() {
        let among = place as u64 + 1;
        let surplus = (u64::MAX % among + 1) % among; // the greatest numbers are rejected, else the result is biased
        let random = numbers.find(|number| *number <= u64::MAX - surplus);
        things.swap(place, (random.unwrap_or_default() % among) as usize);
    }
}

/// An endless stream of 64-bit numbers: SHA-256 of the key and a block counter.
fn numbers(shuffle: &Shuffle) -> impl Iterator<Item = u64> {
    let seeds: String = shuffle.client_seeds.iter().map(|one| format!("{} {}\n", one.seat, one.seed)).collect();
    let key = sha256(format!("chitarrella shuffle 1\n{}\n{}\n{seeds}", shuffle.nonce, shuffle.number).as_bytes());
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
