// Asks the catalogue, and opens matches.
#include "line.hpp"

namespace chitarrella {

namespace {

Match opened(const std::shared_ptr<const Line>& line, const v1::CreateMatchResponse& answer) {
    Keys keys;
    for (const auto& one : answer.seat_keys()) keys[one.seat()] = one.key();
    return {line, {answer.match(), answer.referee_key(), {}}, std::make_shared<const Keys>(std::move(keys))};
}

Settings at(const std::string& address) {
    Settings settings;
    settings.address = address;
    return settings;
}

} // namespace

Client::Client(Settings settings) : line_(std::make_shared<const Line>(std::move(settings))) {}

Client::Client(const std::string& address) : Client(at(address)) {}

Rules Client::rules() const {
    return Rules(line_);
}

std::vector<v1::GameSummary> Client::games() const {
    std::vector<v1::GameSummary> games;
    v1::ListGamesRequest question;
    do {
        auto page = line_->ask(line_->catalogue, &CatalogueStub::ListGames, question);
        games.insert(games.end(), page.games().begin(), page.games().end());
        question.set_page_token(page.next_page_token());
    } while (!question.page_token().empty());
    return games;
}

v1::GetGameResponse Client::game(const std::string& key, unsigned edition) const {
    v1::GetGameRequest question;
    question.set_game(key);
    question.set_edition(edition);
    return line_->ask(line_->catalogue, &CatalogueStub::GetGame, question);
}

v1::CompareGamesResponse Client::compare(const v1::Agreement& first, const v1::Agreement& second) const {
    v1::CompareGamesRequest question;
    *question.mutable_first() = first;
    *question.mutable_second() = second;
    return line_->ask(line_->catalogue, &CatalogueStub::CompareGames, question);
}

Match Client::create_match(const v1::Agreement& agreement) const {
    v1::CreateMatchRequest wanted;
    *wanted.mutable_agreement() = agreement;
    return create_match(std::move(wanted));
}

Match Client::create_match(v1::CreateMatchRequest wanted) const {
    if (wanted.request_id().empty()) wanted.set_request_id(new_request_id());
    return opened(line_, line_->ask(line_->matches, &MatchStub::CreateMatch, wanted));
}

Match Client::import_match(v1::ImportMatchRequest record) const {
    if (record.request_id().empty()) record.set_request_id(new_request_id());
    return opened(line_, line_->ask(line_->matches, &MatchStub::ImportMatch, record).opened());
}

v1::ListMatchesResponse Client::matches(const std::string& page_token) const {
    v1::ListMatchesRequest question;
    question.set_page_token(page_token);
    return line_->ask(line_->matches, &MatchStub::ListMatches, question);
}

Match Client::join(const std::string& id) const {
    return join(id, line_->settings.key);
}

Match Client::join(const std::string& id, const std::string& key) const {
    return {line_, {id, key, {}}, std::make_shared<const Keys>()};
}

} // namespace chitarrella
