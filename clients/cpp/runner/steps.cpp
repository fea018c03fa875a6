// Implements steps.hpp.
#include "steps.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace chitarrella;

namespace runner {

namespace {

/// Cuts every connection, by connecting to this address.
void cut(const std::string& address) {
    const auto colon = address.rfind(':');
    sockaddr_in there{};
    there.sin_family = AF_INET;
    there.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(colon + 1))));
    inet_pton(AF_INET, address.substr(0, colon).c_str(), &there.sin_addr);
    const int connection = socket(AF_INET, SOCK_STREAM, 0);
    char byte = 0;
    const bool reached = connect(connection, reinterpret_cast<sockaddr*>(&there), sizeof there) == 0;
    while (reached && read(connection, &byte, 1) > 0) {
    }
    close(connection);
    if (!reached) throw std::runtime_error("cannot connect to " + address);
}

Json play(const Match& own, const Json& step) {
    const auto played =
        own.play(read_move(step.at("move")), {number(step, "expected_revision"), text(step, "request_id")});
    return {{"accepted", played.accepted()},
            {"revision", played.revision()},
            {"repeated_request", played.repeated_request()},
            {"refusals", all(played.refusals())},
            {"events", all(played.events())}};
}

Json play_out(const Match& match) {
    for (auto found = match.legal_moves(); found.has_seat(); found = match.legal_moves()) {
        match.as_seat(found.seat()).play(found.moves(0));
    }
    return {{"finished", is_over(match.get())}};
}

Json take_back(const Match& own, const Json& step) {
    const auto done = own.take_back(step.value("decline", false));
    return {{"revision", done.revision()},
            {"taken_back", done.taken_back()},
            {"awaiting_answers_from", plain(done.awaiting_answers_from())}};
}

v1::PackSource pack_source(const Json& step) {
    const auto source = text(step, "pack_source");
    if (source == "referee") return v1::PACK_SOURCE_REFEREE;
    return source == "shared" ? v1::PACK_SOURCE_SHARED : v1::PACK_SOURCE_SERVICE;
}

/// Sets what created and imported matches have in common.
template <class Request>
void set_match(Request& request, const Json& step) {
    request.set_pack_source(pack_source(step));
    request.set_private_(step.value("private", false));
    request.set_external_id(text(step, "external_id"));
    if (step.contains("sandbox")) request.mutable_sandbox()->set_seed(text(step, "sandbox"));
    if (step.contains("clock")) {
        request.mutable_clock()->set_move_seconds(step["clock"][0].get<unsigned>());
        request.mutable_clock()->set_bank_seconds(step["clock"][1].get<unsigned>());
    }
    for (const auto& [key, value] : step.value("labels", std::map<std::string, std::string>{})) {
        (*request.mutable_labels())[key] = value;
    }
    for (const auto& [seat, bot] : step.value("bots", std::map<std::string, std::string>{})) {
        auto* given = request.add_bots();
        given->set_seat(static_cast<unsigned>(std::stoul(seat)));
        given->set_bot(bot);
    }
    for (const auto& [seat, name] : step.value("player_names", std::map<std::string, std::string>{})) {
        auto* given = request.add_player_names();
        given->set_seat(static_cast<unsigned>(std::stoul(seat)));
        given->set_name(name);
    }
}

Json over_tls(const Environment& environment) {
    Settings settings;
    settings.address = environment.tls;
    settings.ca = environment.ca;
    return Client(settings).games().size();
}

} // namespace

ScenarioPlayer::ScenarioPlayer(const Environment& environment) : environment_(environment), client_(environment.grpc) {}

Json ScenarioPlayer::play_scenario(const Json& steps) {
    Json results = Json::array();
    for (const auto& one : steps) {
        try {
            results.push_back(step(text(one, "op"), one));
        } catch (const Error& error) {
            results.push_back({{"error", {{"code", error.failure().word}, {"field", error.failure().field}}}});
        }
    }
    return results;
}

Json ScenarioPlayer::step(const std::string& op, const Json& step) {
    if (const auto result = at_positions(op, step)) return *result;
    if (const auto result = at_platform(op, step)) return *result;
    if (op == "create_match") return create_match(step);
    if (op == "import_match") return import_match(step);
    if (op == "tls") return over_tls(environment_);
    if (op == "list_games") {
        Json keys = Json::array();
        for (const auto& game : client_.games()) keys.push_back(game.game_id());
        return keys;
    }
    if (op == "card_images") {
        Json images = Json::array();
        for (const auto& card : strings(step, "cards")) images.push_back(card_image(card, text(step, "pack")));
        return images;
    }
    return step.contains("match") ? at_match(op, step) : ask_rules(op, step);
}

Json ScenarioPlayer::ask_rules(const std::string& op, const Json& step) const {
    const auto rules = client_.rules();
    const auto trump = text(step, "trump");
    if (op == "start_game") {
        const auto start = rules.start_game(rule_set(step));
        const auto verb = start.has_chance_request() ? Json(start.chance_request().verb()) : Json();
        return {{"text", start.position().text()}, {"chance_request", verb}};
    }
    if (op == "list_legal_moves") {
        const auto found = rules.legal_moves(position(step), number(step, "seat"));
        return {{"seat", seat(found)}, {"moves", all(found.moves())}};
    }
    if (op == "explain_hand") return all(rules.explain_hand(position(step), number(step, "seat")).moves());
    if (op == "validate_move") {
        const auto found = rules.validate_move(position(step), read_move(step.at("move")), number(step, "seat"));
        return {{"accepted", found.accepted()}, {"refusals", all(found.refusals())}};
    }
    if (op == "list_playable_cards") {
        return all(rules.playable_cards(rule_set(step), strings(step, "hand"), strings(step, "trick"), trump));
    }
    if (op == "resolve_trick") {
        const auto found = rules.resolve_trick(rule_set(step), strings(step, "cards"), trump);
        const auto index = winning_index_of(found);
        return {{"winning_index", index ? Json(*index) : Json()},
                {"winning_card", found.winning_card()},
                {"scores", scores(found.scores())}};
    }
    if (op == "score_cards") return scores(rules.score_cards(rule_set(step), strings(step, "cards"), trump));
    throw std::runtime_error("unknown operation " + op);
}

Json ScenarioPlayer::at_match(const std::string& op, const Json& step) const {
    const auto& created = matches_.at(text(step, "match"));
    const auto mine = own(step);
    if (op == "get_match") return to_json(mine.get());
    if (op == "list_match_moves") {
        const auto found = mine.legal_moves();
        return {{"seat", seat(found)}, {"moves", all(found.moves())}, {"revision", found.revision()}};
    }
    if (op == "play_move") return play(mine, step);
    if (op == "play_out") return play_out(created);
    if (op == "watch_match") return watch(mine, step);
    if (op == "verify_shuffles") return verify_shuffles(created);
    if (op == "get_record") return mine.record();
    if (op == "take_back") return take_back(mine, step);
    throw std::runtime_error("unknown operation " + op);
}

Match ScenarioPlayer::own(const Json& step) const {
    const auto& created = matches_.at(text(step, "match"));
    if (step.contains("key")) return client_.match(created.id(), text(step, "key"));
    if (const auto seat = number(step, "who")) return client_.match(created.id(), created.keys().at(*seat));
    return step.value("who", Json()) == "public" ? client_.match(created.id()) : created;
}

Json ScenarioPlayer::create_match(const Json& step) {
    v1::CreateMatchRequest request;
    *request.mutable_rule_set() = rule_set(step);
    for (const auto& card : strings(step, "pack")) request.add_pack(card);
    set_match(request, step);
    return keep(step, client_.create_match(std::move(request)));
}

Json ScenarioPlayer::import_match(const Json& step) {
    v1::ImportMatchRequest request;
    request.set_record(matches_.at(text(step, "match")).record());
    if (const auto count = number(step, "move_count")) request.set_move_count(*count);
    set_match(request, step);
    return keep(step, client_.import_match(std::move(request)));
}

Json ScenarioPlayer::keep(const Json& step, const Match& created) {
    matches_.insert_or_assign(text(step, "as"), created);
    const auto state = created.get();
    Json seats = Json::array();
    for (const auto& [seat, key] : created.keys()) seats.push_back(seat);
    return {{"seats", seats},
            {"revision", state.revision()},
            {"waiting", waiting(state.view())},
            {"turn", state.view().has_turn() ? Json(state.view().turn()) : Json()}};
}

Json ScenarioPlayer::watch(const Match& own, const Json& step) const {
    Json updates = Json::array();
    auto watch = own.watch();
    for (const auto& one : watch) {
        Json kinds = Json::array();
        for (const auto& event : one.events()) kinds.push_back(event.kind());
        updates.push_back({{"revision", one.revision()}, {"kinds", kinds}});
        if (updates.size() == step.value("cut_after", 0U)) cut(environment_.cut);
        if (updates.size() == step.at("messages")) break;
    }
    return updates;
}

Json ScenarioPlayer::verify_shuffles(const Match& match) const {
    const auto game = client_.game(match.get().rule_set().game_id());
    const Cards pack(game.pack().begin(), game.pack().end());
    Json verified = Json::array();
    for (const auto& one : match.shuffles()) {
        verified.push_back({{"number", one.number()}, {"supplied", one.supplied()}, {"fair", is_fair(one, pack)}});
    }
    return verified;
}

} // namespace runner
