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
            {"repeated", played.repeated_request()},
            {"refusals", all(played.refusals())},
            {"events", all(played.events())}};
}

Json play_out(const Match& opened) {
    for (auto found = opened.moves(); found.has_seat(); found = opened.moves()) {
        opened.as_seat(found.seat()).play(found.moves(0));
    }
    return {{"over", is_over(opened.look())}};
}

Json take_back(const Match& own, const Json& step) {
    const auto done = own.take_back(step.value("refuse", false));
    return {{"revision", done.revision()}, {"taken_back", done.taken_back()}, {"awaited", plain(done.awaited())}};
}

v1::PackSource packs_of(const Json& step) {
    const auto packs = text(step, "packs");
    if (packs == "referee") return v1::PACK_SOURCE_REFEREE;
    return packs == "shared" ? v1::PACK_SOURCE_SHARED : v1::PACK_SOURCE_SERVICE;
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
    if (op == "open") return open(step);
    if (op == "tls") return over_tls(environment_);
    if (op == "games") {
        Json keys = Json::array();
        for (const auto& game : client_.games()) keys.push_back(game.game());
        return keys;
    }
    if (op == "picture") {
        Json seen = Json::array();
        for (const auto& card : strings(step, "cards")) seen.push_back(picture(card, text(step, "pack")));
        return seen;
    }
    return step.contains("match") ? at_match(op, step) : ask_rules(op, step);
}

Json ScenarioPlayer::ask_rules(const std::string& op, const Json& step) const {
    const auto rules = client_.rules();
    const auto trump = text(step, "trump");
    if (op == "start") {
        const auto start = rules.start(agreement(step));
        const auto wanted = start.has_wanted() ? Json(start.wanted().verb()) : Json();
        return {{"line", start.position().line()}, {"wanted", wanted}};
    }
    if (op == "legal_moves") {
        const auto found = rules.legal_moves(position(step), number(step, "seat"));
        return {{"seat", seat(found)}, {"moves", all(found.moves())}};
    }
    if (op == "explain") return all(rules.explain(position(step), number(step, "seat")).moves());
    if (op == "judge") {
        const auto verdict = rules.judge(position(step), read_move(step.at("move")), number(step, "seat"));
        return {{"accepted", verdict.accepted()}, {"refusals", all(verdict.refusals())}};
    }
    if (op == "playable") {
        return all(rules.playable(agreement(step), strings(step, "hand"), strings(step, "trick"), trump));
    }
    if (op == "trick") {
        const auto found = rules.trick(agreement(step), strings(step, "cards"), trump);
        return {{"place", found.place()}, {"card", found.card()}, {"tallies", counts(found.tallies())}};
    }
    if (op == "count") return counts(rules.count(agreement(step), strings(step, "cards"), trump));
    throw std::runtime_error("unknown operation " + op);
}

Json ScenarioPlayer::at_match(const std::string& op, const Json& step) const {
    const auto& opened = matches_.at(text(step, "match"));
    const auto mine = own(step);
    if (op == "look") return to_json(mine.look());
    if (op == "moves") {
        const auto found = mine.moves();
        return {{"seat", seat(found)}, {"moves", all(found.moves())}, {"revision", found.revision()}};
    }
    if (op == "play") return play(mine, step);
    if (op == "play_out") return play_out(opened);
    if (op == "watch") return watch(mine, step);
    if (op == "verify") return verify(opened);
    if (op == "record") return mine.record();
    if (op == "take_back") return take_back(mine, step);
    throw std::runtime_error("unknown operation " + op);
}

Match ScenarioPlayer::own(const Json& step) const {
    const auto& opened = matches_.at(text(step, "match"));
    if (step.contains("key")) return client_.join(opened.id(), text(step, "key"));
    if (const auto seat = number(step, "who")) return client_.join(opened.id(), opened.keys().at(*seat));
    return step.value("who", Json()) == "public" ? client_.join(opened.id()) : opened;
}

Json ScenarioPlayer::open(const Json& step) {
    v1::CreateMatchRequest request;
    *request.mutable_agreement() = agreement(step);
    request.set_pack_source(packs_of(step));
    request.set_private_(step.value("private", false));
    for (const auto& card : strings(step, "pack")) request.add_pack(card);
    const auto bots = step.value("bots", Json::object());
    for (const auto& [seat, bot] : bots.items()) {
        auto* given = request.add_bots();
        given->set_seat(static_cast<unsigned>(std::stoul(seat)));
        given->set_bot(bot.get<std::string>());
    }
    const auto opened = client_.create_match(std::move(request));
    matches_.insert_or_assign(text(step, "as"), opened);
    const auto seen = opened.look();
    Json seats = Json::array();
    for (const auto& [seat, key] : opened.keys()) seats.push_back(seat);
    return {{"seats", seats},
            {"revision", seen.revision()},
            {"waiting", waiting(seen.view())},
            {"turn", seen.view().has_turn() ? Json(seen.view().turn()) : Json()}};
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

Json ScenarioPlayer::verify(const Match& opened) const {
    const auto game = client_.game(opened.look().agreement().game());
    const Cards pack(game.pack().begin(), game.pack().end());
    Json checked = Json::array();
    for (const auto& draw : opened.draws()) {
        const bool fair = is_fair(draw, pack);
        checked.push_back({{"number", draw.number()}, {"handed_in", draw.handed_in()}, {"fair", fair}});
    }
    return checked;
}

} // namespace runner
