// Implements card_images.hpp: the symbols of suits and figures.
#include <chitarrella/card_images.hpp>

#include <map>

namespace chitarrella {

namespace {

using Symbols = std::map<std::string, std::string>;

const Symbols italian{{"b", "🪄"}, {"c", "🏆"}, {"d", "🪙"}, {"s", "🗡️"}};
const Symbols french{{"c", "♣"}, {"d", "♦"}, {"h", "♥"}, {"s", "♠"}};

/// The figures of the Cucco pack.
const Symbols cucco{{"MAT", "🃏"}, {"MAS", "🎭"},  {"SEC", "🪣"}, {"NUL", "0️⃣"}, {"XI", "🏠"},
                    {"XII", "🐈"}, {"XIII", "🐎"}, {"XIV", "🏹"}, {"XV", "🐦"},        {"LEO", "🦁"}};

const Symbols* suits_of(const std::string& kind) {
    if (kind == "Italian") return &italian;
    return kind == "French" ? &french : nullptr;
}

} // namespace

std::string card_image(const std::string& card, const std::string& pack) {
    const std::string kind = pack.substr(0, pack.find(' '));
    if (kind == "Cucco") {
        const auto found = cucco.find(card);
        return found == cucco.end() ? card : found->second + " " + card;
    }
    const Symbols* suits = suits_of(kind);
    if (card.empty() || suits == nullptr) return card;
    const auto suit = suits->find(card.substr(card.size() - 1));
    const std::string rank = card.substr(0, card.size() - 1);
    return suit == suits->end() ? card : (rank == "T" ? "10" : rank) + suit->second;
}

} // namespace chitarrella
