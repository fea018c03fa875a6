// Implements json.hpp.
#include "json.hpp"

using namespace chitarrella;

namespace runner {

chitarrella::Cards strings(const Json& json, const char* name) {
    return json.value(name, Cards{});
}

std::string text(const Json& json, const char* name) {
    return json.value(name, "");
}

std::optional<unsigned> number(const Json& json, const char* name) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_number()) return std::nullopt;
    return found->get<unsigned>();
}

v1::RuleSet rule_set(const Json& step) {
    const auto& json = step.at("rule_set");
    const auto options = json.value("options", std::map<std::string, std::string>{});
    return chitarrella::rule_set(text(json, "game_id"), json.value("players", 0U), options);
}

v1::Position position(const Json& step) {
    return chitarrella::position(rule_set(step), text(step, "position"));
}

v1::Move read_move(const Json& json) {
    auto move = make_move(text(json, "verb"), strings(json, "cards"));
    move.set_choice(text(json, "choice"));
    if (json.contains("amount") && json["amount"].is_number()) move.set_amount(json["amount"].get<int>());
    if (const auto seat = number(json, "seat")) move.set_seat(*seat);
    for (const auto& one : json.value("shares", Json::array())) {
        auto* share = move.add_shares();
        share->set_person(text(one, "person"));
        share->set_amount(one.at("amount").get<std::int64_t>());
    }
    return move;
}

Json to_json(const v1::Move& move) {
    Json shares = Json::array();
    for (const auto& one : move.shares()) shares.push_back({{"person", one.person()}, {"amount", one.amount()}});
    return {{"verb", move.verb()},     {"cards", plain(move.cards())},
            {"choice", move.choice()}, {"amount", move.has_amount() ? Json(move.amount()) : Json()},
            {"seat", seat(move)},      {"shares", shares}};
}

Json to_json(const v1::Refusal& refusal) {
    return {{"code", refusal.code()},
            {"clause", refusal.clause().key()},
            {"allowed_cards", plain(refusal.allowed_cards())},
            {"offending_cards", plain(refusal.offending_cards())},
            {"word", refusal.word()},
            {"amount", refusal.has_amount() ? Json(refusal.amount()) : Json()},
            {"penalty", refusal.penalty()}};
}

Json to_json(const v1::ExplainedMove& explained) {
    return {{"move", to_json(explained.move())}, {"refusals", all(explained.refusals())}};
}

Json to_json(const v1::Event& event) {
    return {{"kind", event.kind()}, {"seat", seat(event)}, {"cards", plain(event.cards())}};
}

Json waiting(const v1::View& view) {
    switch (view.waiting()) {
    case v1::WAITING_SEAT:
        return "seat";
    case v1::WAITING_CHANCE:
        return "chance";
    case v1::WAITING_NOBODY:
        return "nobody";
    default:
        return "unknown";
    }
}

Json to_json(const MatchState& state) {
    const auto& view = state.view();
    return {
        {"revision", state.revision()},   {"phase", view.phase()},
        {"waiting", waiting(view)},       {"turn", view.has_turn() ? Json(view.turn()) : Json()},
        {"scores", plain(view.scores())}, {"winners", view.has_outcome() ? plain(view.outcome().winners()) : Json()},
        {"hand", plain(hand_of(state))}};
}

} // namespace runner
