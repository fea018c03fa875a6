// Runs the steps of a platform: about its matches and its webhooks. Those of other scenarios are left out of every
// result, and what is left is sorted by name.
#include <algorithm>

#include "steps.hpp"

using namespace chitarrella;

namespace runner {

namespace {

/// Writes what a platform has attached to a match, or to its summary.
template <class Message>
Json attached(const Message& message) {
    Json labels = Json::object(), names = Json::object();
    for (const auto& [key, value] : message.labels()) labels[key] = value;
    for (const auto& one : message.player_names()) names[std::to_string(one.seat())] = one.name();
    return {{"external_id", message.external_id()},
            {"labels", labels},
            {"player_names", names},
            {"sandbox", message.sandbox()}};
}

/// Sorts results stably by the name of their match or webhook.
Json by_name(std::vector<Json> results, const std::string& key) {
    std::stable_sort(results.begin(), results.end(),
                     [&key](const Json& one, const Json& other) { return one.at(key) < other.at(key); });
    return results;
}

Json platform_update(const std::string& name, const PlatformUpdate& value) {
    Json kinds = Json::array();
    for (const auto& event : value.update().events()) kinds.push_back(event.kind());
    return {{"match", name},
            {"revision", value.has_update() ? Json(value.update().revision()) : Json()},
            {"kinds", kinds},
            {"finished", value.finished()},
            {"aborted", value.aborted()}};
}

bool is_secret(const std::string& text) {
    return text.rfind("whsec_", 0) == 0;
}

Json written(const Delivery& value) {
    static const std::map<v1::DeliveryState, std::string> states{{v1::DELIVERY_STATE_PENDING, "pending"},
                                                                 {v1::DELIVERY_STATE_SENT, "sent"},
                                                                 {v1::DELIVERY_STATE_FAILED, "failed"}};
    return {{"type", value.type()},
            {"state", states.at(value.state())},
            {"attempts", value.attempts()},
            {"has_error", !value.error().empty()}};
}

std::vector<Delivery> deliveries(const Client& client, const std::string& webhook_id, const Json& step) {
    static const std::map<std::string, v1::DeliveryState> states{{"", v1::DELIVERY_STATE_UNSPECIFIED},
                                                                 {"pending", v1::DELIVERY_STATE_PENDING},
                                                                 {"sent", v1::DELIVERY_STATE_SENT},
                                                                 {"failed", v1::DELIVERY_STATE_FAILED}};
    return client.webhooks().deliveries(webhook_id, states.at(text(step, "state")));
}

} // namespace

std::optional<Json> ScenarioPlayer::at_platform(const std::string& op, const Json& step) {
    if (op == "connect_platform") return connect_platform();
    if (op == "describe_match") return attached(own(step).get());
    if (op == "list_matches") return list_matches(step);
    if (op == "get_matches") return get_matches(step);
    if (op == "watch_matches") return watch_matches(step);
    if (op == "abort_match") return Json{{"revision", own(step).abort()}};
    if (op == "rotate_key") return rotate_key(step);
    if (op == "advance_clock") {
        const auto done = own(step).advance_clock(std::chrono::seconds(step.at("seconds").get<int>()));
        return Json{{"revision", done.revision()}, {"timed_out", done.timed_out()}};
    }
    return at_webhooks(op, step);
}

Json ScenarioPlayer::connect_platform() {
    Settings settings;
    settings.address = environment_.platform;
    settings.api_key = environment_.api_key;
    client_ = Client(settings);
    return nullptr;
}

std::string ScenarioPlayer::name_of(const std::string& match_id) const {
    for (const auto& [name, match] : matches_) {
        if (match.id() == match_id) return name;
    }
    return "";
}

Json ScenarioPlayer::list_matches(const Json& step) const {
    const auto labels = step.value("labels", std::map<std::string, std::string>{});
    const MatchFilter filter{text(step, "external_id"), labels, text(step, "player_name")};
    std::vector<Json> results;
    std::string token;
    do {
        const auto page = client_.matches(filter, token);
        for (const auto& one : page.matches()) {
            const auto name = name_of(one.match_id());
            if (name.empty()) continue;
            results.push_back(attached(one));
            results.back()["match"] = name;
        }
        token = page.next_page_token();
    } while (!token.empty());
    return by_name(std::move(results), "match");
}

Json ScenarioPlayer::get_matches(const Json& step) const {
    const auto names = strings(step, "matches");
    std::vector<std::string> ids;
    for (const auto& name : names) {
        const auto known = matches_.find(name);
        ids.push_back(known == matches_.end() ? name : known->second.id());
    }
    Json results = Json::array();
    for (const auto& one : client_.get_matches(ids, own(step).key())) {
        const auto& name = names.at(results.size());
        if (one.has_error()) {
            results.push_back(
                {{"match", name}, {"error", {{"code", one.error().code()}, {"field", one.error().field()}}}});
        } else {
            const auto& state = one.match();
            results.push_back({{"match", name}, {"revision", state.revision()}, {"seat", seat(state)}});
        }
    }
    return results;
}

Json ScenarioPlayer::watch_matches(const Json& step) {
    auto watch = client_.watch_matches();
    watch.next(); // the first heartbeat: what happens after it is received
    play_scenario(step.at("steps"));
    std::vector<Json> updates;
    while (updates.size() < step.at("messages")) {
        const auto update = watch.next().value();
        const auto name = name_of(update.match_id());
        if (!name.empty()) updates.push_back(platform_update(name, update));
    }
    return by_name(std::move(updates), "match");
}

Json ScenarioPlayer::rotate_key(const Json& step) {
    const auto old = own(step);
    const auto changed = old.rotate_key(number(step, "seat"));
    Json replaced = Json::array();
    for (const auto& [seat, key] : changed.keys()) {
        const auto before = old.keys().find(seat);
        if (before == old.keys().end() || before->second != key) replaced.push_back(seat);
    }
    matches_.insert_or_assign(text(step, "as"), changed);
    return {{"own", changed.key() != old.key()}, {"replaced", replaced}};
}

std::optional<Json> ScenarioPlayer::at_webhooks(const std::string& op, const Json& step) {
    const auto webhooks = client_.webhooks();
    const auto known = webhooks_.find(text(step, "webhook"));
    const auto id = known == webhooks_.end() ? text(step, "webhook") : known->second;
    if (op == "create_webhook") return create_webhook(step);
    if (op == "list_webhooks") return list_webhooks();
    if (op == "update_webhook") {
        WebhookChanges changes;
        if (step.contains("url")) changes.url = text(step, "url");
        if (step.contains("disabled")) changes.disabled = step["disabled"].get<bool>();
        const auto webhook = webhooks.update(id, changes);
        return Json{{"url", webhook.url()}, {"disabled", webhook.disabled()}};
    }
    if (op == "rotate_webhook_secret") return Json{{"has_secret", is_secret(webhooks.rotate_secret(id))}};
    if (op == "test_webhook") return written(webhooks.test(id));
    if (op == "list_deliveries") {
        Json list = Json::array();
        for (const auto& one : deliveries(client_, id, step)) list.push_back(written(one));
        return list;
    }
    if (op == "resend_delivery") {
        const auto given = text(step, "delivery");
        const auto delivery_id = given.empty() ? deliveries(client_, id, step).at(0).delivery_id() : given;
        return written(webhooks.resend(id, delivery_id));
    }
    if (op == "delete_webhook") {
        webhooks.delete_webhook(id);
        return Json();
    }
    return std::nullopt;
}

Json ScenarioPlayer::create_webhook(const Json& step) {
    const auto created = client_.webhooks().create(text(step, "url"));
    const auto& webhook = created.webhook();
    webhooks_[text(step, "as")] = webhook.webhook_id();
    return {{"url", webhook.url()},
            {"disabled", webhook.disabled()},
            {"configured", webhook.configured()},
            {"has_secret", is_secret(created.secret())}};
}

Json ScenarioPlayer::list_webhooks() const {
    std::vector<Json> results;
    for (const auto& one : client_.webhooks().list()) {
        for (const auto& [name, id] : webhooks_) {
            if (id == one.webhook_id()) {
                results.push_back({{"webhook", name}, {"url", one.url()}, {"disabled", one.disabled()}});
            }
        }
    }
    return by_name(std::move(results), "webhook");
}

} // namespace runner
