// Runs the steps of a scenario with the public interface of the client.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "json.hpp"

namespace runner {

/// Addresses of a conformance run, its CA certificate and API key.
struct Environment {
    std::string grpc, cut, tls, ca, platform, api_key;
};

/// Plays one scenario, over a connection of its own.
class ScenarioPlayer {
  public:
    explicit ScenarioPlayer(const Environment& environment);

    /// Runs the steps; a call that fails gives its code as the result.
    Json play_scenario(const Json& steps);

  private:
    using Match = chitarrella::Match;

    Json step(const std::string& op, const Json& step);
    Json ask_rules(const std::string& op, const Json& step) const;
    Json at_match(const std::string& op, const Json& step) const;
    std::optional<Json> at_positions(const std::string& op, const Json& step) const;
    std::optional<Json> at_platform(const std::string& op, const Json& step);
    std::optional<Json> at_webhooks(const std::string& op, const Json& step);
    Json connect_platform();
    Json create_match(const Json& step);
    Json import_match(const Json& step);
    Json keep(const Json& step, const Match& created);
    Json list_matches(const Json& step) const;
    Json get_matches(const Json& step) const;
    Json watch_matches(const Json& step);
    Json rotate_key(const Json& step);
    Json create_webhook(const Json& step);
    Json list_webhooks() const;
    Json watch(const Match& own, const Json& step) const;
    Json verify_shuffles(const Match& match) const;

    /// Returns the match with the key of the step's viewer.
    Match own(const Json& step) const;

    /// Returns the name of a match in the scenario; empty if it is not one of the scenario.
    std::string name_of(const std::string& match_id) const;

    const Environment& environment_;
    chitarrella::Client client_;
    std::map<std::string, Match> matches_;
    std::map<std::string, std::string> webhooks_; // their ids
};

} // namespace runner
