// Implements words.hpp: builds, reads and prints the messages of the contract.
#include <chitarrella/words.hpp>

namespace chitarrella {

namespace {

/// Joins non-empty parts with blanks.
class TextBuilder {
  public:
    TextBuilder& add(const std::string& word) {
        if (!word.empty()) text_ += (text_.empty() ? "" : " ") + word;
        return *this;
    }

    template <class Words>
    TextBuilder& all(const Words& words) {
        for (const auto& word : words) add(word);
        return *this;
    }

    template <class Shares>
    TextBuilder& shares(const Shares& shares) {
        for (const auto& share : shares) add(share.person() + ":" + std::to_string(share.amount()));
        return *this;
    }

    std::string str() const { return text_; }

  private:
    std::string text_;
};

} // namespace

v1::Agreement agreement(const std::string& game, unsigned players, const std::map<std::string, std::string>& options) {
    v1::Agreement made;
    made.set_game(game);
    made.set_players(players);
    made.mutable_options()->insert(options.begin(), options.end());
    return made;
}

v1::Position position(const v1::Agreement& agreement, const std::string& line) {
    v1::Position made;
    *made.mutable_agreement() = agreement;
    made.set_line(line);
    return made;
}

v1::Move make_move(const std::string& verb, const Cards& cards) {
    v1::Move made;
    made.set_verb(verb);
    *made.mutable_cards() = {cards.begin(), cards.end()};
    return made;
}

Reason reason(const v1::Refusal& refusal) {
    return read_reason(refusal.code());
}

bool is_over(const v1::GetMatchResponse& seen) {
    return seen.ended() || seen.view().waiting() == v1::WAITING_NOBODY;
}

Cards hand_of(const v1::GetMatchResponse& seen) {
    for (const auto& pile : seen.view().piles()) {
        if (seen.has_seat() && pile.name() == "hand" && seat_of(pile) == seat_of(seen)) {
            return {pile.cards().begin(), pile.cards().end()};
        }
    }
    return {};
}

std::string to_text(const v1::Move& move) {
    TextBuilder text;
    text.add(move.verb()).all(move.cards()).add(move.word());
    if (move.has_amount()) text.add(std::to_string(move.amount()));
    text.shares(move.shares());
    if (move.has_seat()) text.add("@" + std::to_string(move.seat()));
    return text.str();
}

std::string to_text(const v1::Event& event) {
    TextBuilder text;
    text.add(event.kind());
    if (event.has_seat()) text.add(std::to_string(event.seat()));
    text.all(event.cards());
    if (event.hidden() > 0) text.add("(" + std::to_string(event.hidden()) + " hidden)");
    text.add(event.word());
    if (event.has_amount()) text.add(std::to_string(event.amount()));
    if (event.has_other()) text.add(std::to_string(event.other()));
    return text.shares(event.shares()).str();
}

std::string to_text(const v1::Refusal& refusal) {
    return refusal.because() + " [" + refusal.code() + ", " + refusal.clause().key() + "]";
}

} // namespace chitarrella
