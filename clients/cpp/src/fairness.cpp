// The commitment was published before the shuffle and is the SHA-256 of the nonce; the order follows from the nonce,
// the number of the shuffle and the seeds of the seats.
#include <chitarrella/fairness.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include <openssl/sha.h>

#include "hex.hpp"

namespace chitarrella {

namespace {

std::string sha256(const std::string& bytes) {
    std::string digest(SHA256_DIGEST_LENGTH, '\0');
    SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
           reinterpret_cast<unsigned char*>(digest.data()));
    return digest;
}

std::string big_endian(std::uint64_t number) {
    std::string bytes(8, '\0');
    for (int at = 7; at >= 0; --at, number >>= 8) bytes[at] = static_cast<char>(number & 255);
    return bytes;
}

/// An endless stream of 64-bit numbers: SHA-256 of the key and a block counter.
class Numbers {
  public:
    explicit Numbers(const v1::Shuffle& shuffle) {
        std::string text = "chitarrella shuffle 1\n" + shuffle.nonce() + "\n" + std::to_string(shuffle.number()) + "\n";
        for (const auto& one : shuffle.client_seeds()) text += std::to_string(one.seat()) + " " + one.seed() + "\n";
        key_ = sha256(text);
    }

    std::uint64_t next() {
        if (at_ == block_.size()) {
            block_ = sha256(key_ + big_endian(count_++));
            at_ = 0;
        }
        std::uint64_t number = 0;
        for (int byte = 0; byte < 8; ++byte) number = number << 8 | static_cast<unsigned char>(block_[at_++]);
        return number;
    }

  private:
    std::string key_, block_;
    std::uint64_t count_ = 0;
    std::size_t at_ = 0;
};

/// Puts things, given in their canonical order, in the order of the shuffle.
template <class Thing>
void permute(std::vector<Thing>& things, const v1::Shuffle& shuffle) {
    Numbers numbers(shuffle);
    for (std::size_t place = things.size(); place-- > 1;) {
        const std::uint64_t among = place + 1, most = std::numeric_limits<std::uint64_t>::max();
        const std::uint64_t surplus = (most % among + 1) % among; // the greatest are rejected, else it is biased
        std::uint64_t random = numbers.next();
        while (random > most - surplus) random = numbers.next();
        std::swap(things[place], things[random % among]);
    }
}

} // namespace

bool is_fair(const v1::Shuffle& shuffle, const std::vector<std::string>& pack) {
    const std::string promised = sha256(shuffle.nonce());
    if (shuffle.nonce().empty() ||
        hex(reinterpret_cast<const unsigned char*>(promised.data()), promised.size()) != shuffle.commitment()) {
        return false;
    }
    if (shuffle.lots_size() > 0) {
        std::vector<unsigned> lots(shuffle.lots().begin(), shuffle.lots().end());
        std::sort(lots.begin(), lots.end());
        permute(lots, shuffle);
        return shuffle.has_amount() && lots.front() == shuffle.amount();
    }
    const auto place = [&](const std::string& card) { return std::find(pack.begin(), pack.end(), card); };
    std::vector<std::string> cards(shuffle.cards().begin(), shuffle.cards().end());
    if (std::any_of(cards.begin(), cards.end(), [&](const auto& card) { return place(card) == pack.end(); })) {
        return false;
    }
    std::stable_sort(cards.begin(), cards.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
    permute(cards, shuffle);
    return std::equal(cards.begin(), cards.end(), shuffle.cards().begin(), shuffle.cards().end());
}

} // namespace chitarrella
