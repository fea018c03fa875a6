// The signs on the cards.
#include <chitarrella/pictures.hpp>

#include <map>

namespace chitarrella {

namespace {

using Signs = std::map<std::string, std::string>;

const Signs italian{{"b", "🪄"}, {"c", "🏆"}, {"d", "🪙"}, {"s", "🗡️"}};
const Signs french{{"c", "♣"}, {"d", "♦"}, {"h", "♥"}, {"s", "♠"}};

/// What is to be seen on the pictures of the Cucco pack.
const Signs cucco{{"MAT", "🃏"}, {"MAS", "🎭"},  {"SEC", "🪣"}, {"NUL", "0️⃣"}, {"XI", "🏠"},
                  {"XII", "🐈"}, {"XIII", "🐎"}, {"XIV", "🏹"}, {"XV", "🐦"},        {"LEO", "🦁"}};

const Signs* suits_of(const std::string& kind) {
    if (kind == "Italian") return &italian;
    return kind == "French" ? &french : nullptr;
}

} // namespace

std::string picture(const std::string& card, const std::string& pack) {
    const std::string kind = pack.substr(0, pack.find(' '));
    if (kind == "Cucco") {
        const auto found = cucco.find(card);
        return found == cucco.end() ? card : found->second + " " + card;
    }
    const Signs* suits = suits_of(kind);
    if (card.empty() || suits == nullptr) return card;
    const auto suit = suits->find(card.substr(card.size() - 1));
    const std::string rank = card.substr(0, card.size() - 1);
    return suit == suits->end() ? card : (rank == "T" ? "10" : rank) + suit->second;
}

} // namespace chitarrella
