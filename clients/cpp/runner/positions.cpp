// Runs the steps about moves in positions, batches, cards, and what is known of a position.
#include "steps.hpp"

using namespace chitarrella;

namespace runner {

namespace {

using SeatMoves = std::vector<std::pair<std::optional<Seat>, v1::Move>>;

Json describe_cards(const Client& client, const Json& step) {
    const auto game = client.game(text(step, "game_id"));
    Json described = Json::array();
    for (const auto& code : strings(step, "cards")) {
        const auto& card = *card_of(game, code);
        described.push_back({{"code", card.code()},
                             {"name", card.name()},
                             {"suit", card.suit()},
                             {"order", card.order()},
                             {"points", card.has_points() ? Json(card.points()) : Json()}});
    }
    return described;
}

v1::PartialPosition read_partial_position(const Json& step) {
    const auto& known = step.at("known");
    std::map<Seat, Cards> hands;
    for (const auto& [seat, cards] : known.at("hands").items()) {
        hands[static_cast<Seat>(std::stoul(seat))] = cards.get<Cards>();
    }
    const auto trick = known.contains("trick") ? std::optional<Cards>(strings(known, "trick")) : std::nullopt;
    auto position = partial_position(rule_set(step), hands, trick);
    if (known.contains("trump")) position.set_trump(text(known, "trump"));
    if (const auto size = number(known, "stock_size")) position.set_stock_size(*size);
    return position;
}

Json list_known_moves(const Client& client, const Json& step) {
    const auto found = client.rules().legal_moves(read_partial_position(step), number(step, "seat"));
    Json undecided = Json::array();
    for (const auto& one : found.undecided()) {
        undecided.push_back({{"move", to_json(one.move())}, {"depends_on", plain(one.depends_on())}});
    }
    return {{"seat", seat(found)},
            {"moves", all(found.moves())},
            {"undecided", undecided},
            {"depends_on", plain(found.depends_on())}};
}

SeatMoves seat_moves(const Json& step) {
    SeatMoves moves;
    for (const auto& one : step.at("moves")) moves.emplace_back(number(one, "seat"), read_move(one.at("move")));
    return moves;
}

Json applied(const AppliedMoves& value) {
    return {{"text", value.position().text()},
            {"applied", value.applied()},
            {"refusals", all(value.refusals())},
            {"legal_moves", all(value.legal_moves())}};
}

/// Adds a question; it has the position of the step, or that of an earlier answer.
void add_question(v1::BatchRequest& request, const Json& step) {
    auto* question = request.add_questions();
    const auto earlier = number(step, "position_of");
    if (earlier) question->set_position_of(*earlier);
    const auto op = text(step, "op");
    if (op == "start_game") {
        *question->mutable_start_game()->mutable_rule_set() = rule_set(step);
    } else if (op == "apply_moves") {
        auto* apply = question->mutable_apply_moves();
        if (!earlier) *apply->mutable_position() = position(step);
        for (const auto& [seat, move] : seat_moves(step)) {
            auto* made = apply->add_moves();
            if (seat) made->set_seat(*seat);
            *made->mutable_move() = move;
        }
    } else {
        auto* list = question->mutable_list_legal_moves();
        if (!earlier) *list->mutable_position() = position(step);
        if (const auto seat = number(step, "seat")) list->set_seat(*seat);
    }
}

Json written_answer(const v1::Answer& answer) {
    if (answer.has_error()) {
        return {{"error", {{"code", answer.error().code()}, {"field", answer.error().field()}}}};
    }
    if (answer.has_start_game()) return answer.start_game().position().text();
    if (answer.has_apply_moves()) return applied(answer.apply_moves());
    const auto& found = answer.list_legal_moves();
    return {{"seat", seat(found)}, {"moves", all(found.moves())}};
}

Json batch(const Client& client, const Json& step) {
    v1::BatchRequest request;
    for (const auto& one : step.at("questions")) add_question(request, one);
    Json answers = Json::array();
    const auto response = client.rules().batch(request);
    for (const auto& one : response.answers()) answers.push_back(written_answer(one));
    return answers;
}

} // namespace

std::optional<Json> ScenarioPlayer::at_positions(const std::string& op, const Json& step) const {
    if (op == "describe_cards") return describe_cards(client_, step);
    if (op == "list_known_moves") return list_known_moves(client_, step);
    if (op == "apply_moves") return applied(client_.rules().apply_moves(position(step), seat_moves(step)));
    if (op == "batch") return batch(client_, step);
    return std::nullopt;
}

} // namespace runner
