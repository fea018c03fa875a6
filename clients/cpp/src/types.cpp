// Implements types.hpp: builds, reads and prints the messages of the contract.
#include <chitarrella/types.hpp>

namespace chitarrella {

namespace {

/// Joins non-empty parts with blanks.
class TextBuilder {
  public:
    TextBuilder& add(const std::string& text) {
        if (!text.empty()) text_ += (text_.empty() ? "" : " ") + text;
        return *this;
    }

    template <class Texts>
    TextBuilder& all(const Texts& texts) {
        for (const auto& text : texts) add(text);
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

v1::RuleSet rule_set(const std::string& game_id, unsigned players, const std::map<std::string, std::string>& options) {
    v1::RuleSet made;
    made.set_game_id(game_id);
    made.set_players(players);
    made.mutable_options()->insert(options.begin(), options.end());
    return made;
}

v1::Position position(const v1::RuleSet& rule_set, const std::string& text) {
    v1::Position made;
    *made.mutable_rule_set() = rule_set;
    made.set_text(text);
    return made;
}

v1::PartialPosition partial_position(const v1::RuleSet& rule_set, const std::map<Seat, Cards>& hands,
                                     const std::optional<Cards>& trick) {
    v1::PartialPosition made;
    *made.mutable_rule_set() = rule_set;
    for (const auto& [seat, cards] : hands) {
        auto* hand = made.add_hands();
        hand->set_seat(seat);
        *hand->mutable_cards() = {cards.begin(), cards.end()};
    }
    if (trick) *made.mutable_trick()->mutable_cards() = {trick->begin(), trick->end()};
    return made;
}

v1::Move make_move(const std::string& verb, const Cards& cards) {
    v1::Move made;
    made.set_verb(verb);
    *made.mutable_cards() = {cards.begin(), cards.end()};
    return made;
}

const v1::Card* card_of(const Game& game, const std::string& code) {
    for (const auto& card : game.cards()) {
        if (card.code() == code) return &card;
    }
    return nullptr;
}

std::optional<unsigned> winning_index_of(const TrickResult& result) {
    return result.has_winning_index() ? std::optional<unsigned>(result.winning_index()) : std::nullopt;
}

Reason reason(const v1::Refusal& refusal) {
    return read_reason(refusal.code());
}

bool is_finished(const v1::View& view) {
    return view.waiting() == v1::WAITING_NOBODY;
}

bool is_over(const MatchState& state) {
    return state.aborted() || is_finished(state.view());
}

const v1::Zone* zone(const v1::View& view, const std::string& name, std::optional<Seat> seat) {
    for (const auto& one : view.zones()) {
        if (one.name() == name && seat_of(one) == seat) return &one;
    }
    return nullptr;
}

Cards hand_of(const MatchState& state) {
    const auto* hand = state.has_seat() ? zone(state.view(), "hand", state.seat()) : nullptr;
    return hand == nullptr ? Cards{} : Cards{hand->cards().begin(), hand->cards().end()};
}

std::chrono::system_clock::time_point to_time(const google::protobuf::Timestamp& time) {
    using std::chrono::system_clock;
    const auto since_epoch = std::chrono::seconds(time.seconds()) + std::chrono::nanoseconds(time.nanos());
    return system_clock::time_point(std::chrono::duration_cast<system_clock::duration>(since_epoch));
}

std::string to_text(const v1::Move& move) {
    TextBuilder text;
    text.add(move.verb()).all(move.cards()).add(move.choice());
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
    return refusal.message() + " [" + refusal.code() + ", " + refusal.clause().key() + "]";
}

} // namespace chitarrella
