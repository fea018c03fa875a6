// The catalogue, and access to matches.
#include "transport.hpp"

namespace chitarrella {

namespace {

Match created(const std::shared_ptr<const Transport>& transport, const v1::CreateMatchResponse& response) {
    Keys keys;
    for (const auto& one : response.seat_keys()) keys[one.seat()] = one.key();
    return {
        transport, {response.match_id(), response.referee_key(), {}}, std::make_shared<const Keys>(std::move(keys))};
}

Settings settings_for(const std::string& address) {
    Settings settings;
    settings.address = address;
    return settings;
}

} // namespace

Client::Client(Settings settings) : transport_(std::make_shared<const Transport>(std::move(settings))) {}

Client::Client(const std::string& address) : Client(settings_for(address)) {}

Rules Client::rules() const {
    return Rules(transport_);
}

Webhooks Client::webhooks() const {
    return Webhooks(transport_);
}

std::vector<v1::GameSummary> Client::games() const {
    std::vector<v1::GameSummary> games;
    v1::ListGamesRequest request;
    do {
        auto page = transport_->call(transport_->catalogue, &CatalogueStub::ListGames, request);
        games.insert(games.end(), page.games().begin(), page.games().end());
        request.set_page_token(page.next_page_token());
    } while (!request.page_token().empty());
    return games;
}

Game Client::game(const std::string& game_id, unsigned edition) const {
    v1::GetGameRequest request;
    request.set_game_id(game_id);
    request.set_edition(edition);
    return transport_->call(transport_->catalogue, &CatalogueStub::GetGame, request);
}

Comparison Client::compare(const v1::RuleSet& first, const v1::RuleSet& second) const {
    v1::CompareGamesRequest request;
    *request.mutable_first() = first;
    *request.mutable_second() = second;
    return transport_->call(transport_->catalogue, &CatalogueStub::CompareGames, request);
}

Match Client::create_match(const v1::RuleSet& rule_set) const {
    v1::CreateMatchRequest request;
    *request.mutable_rule_set() = rule_set;
    return create_match(std::move(request));
}

Match Client::create_match(v1::CreateMatchRequest request) const {
    if (request.request_id().empty()) request.set_request_id(new_request_id());
    return created(transport_, transport_->call(transport_->matches, &MatchStub::CreateMatch, request));
}

Match Client::import_match(v1::ImportMatchRequest record) const {
    if (record.request_id().empty()) record.set_request_id(new_request_id());
    return created(transport_, transport_->call(transport_->matches, &MatchStub::ImportMatch, record).created());
}

Match Client::match(const std::string& id) const {
    return match(id, transport_->settings.key);
}

Match Client::match(const std::string& id, const std::string& key) const {
    return {transport_, {id, key, {}}, std::make_shared<const Keys>()};
}

} // namespace chitarrella
