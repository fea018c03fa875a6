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

v1::Agreement agreement(const Json& step) {
    const auto& json = step.at("agreement");
    const auto options = json.value("options", std::map<std::string, std::string>{});
    return chitarrella::agreement(text(json, "game"), json.value("players", 0U), options);
}

v1::Position position(const Json& step) {
    return chitarrella::position(agreement(step), text(step, "position"));
}

v1::Move read_move(const Json& json) {
    auto move = make_move(text(json, "verb"), strings(json, "cards"));
    move.set_word(text(json, "word"));
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
    return {{"verb", move.verb()}, {"cards", plain(move.cards())},
            {"word", move.word()}, {"amount", move.has_amount() ? Json(move.amount()) : Json()},
            {"seat", seat(move)},  {"shares", shares}};
}

Json to_json(const v1::Refusal& refusal) {
    return {{"code", refusal.code()},
            {"clause", refusal.clause().key()},
            {"instead", plain(refusal.instead())},
            {"held", plain(refusal.held())},
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
    case v1::WAITING_TABLE:
        return "table";
    case v1::WAITING_NOBODY:
        return "nobody";
    default:
        return "unknown";
    }
}

Json to_json(const v1::GetMatchResponse& seen) {
    const auto& view = seen.view();
    return {
        {"revision", seen.revision()},    {"phase", view.phase()},
        {"waiting", waiting(view)},       {"turn", view.has_turn() ? Json(view.turn()) : Json()},
        {"scores", plain(view.scores())}, {"winners", view.has_outcome() ? plain(view.outcome().winners()) : Json()},
        {"hand", plain(hand_of(seen))}};
}

} // namespace runner
