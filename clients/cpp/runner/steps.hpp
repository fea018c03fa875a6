// Runs the steps of a scenario with the public interface of the client.
#pragma once

#include <map>
#include <string>

#include "json.hpp"

namespace runner {

/// Addresses of a conformance run, and its CA certificate.
struct Environment {
    std::string grpc, cut, tls, ca;
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
    Json create_match(const Json& step);
    Json watch(const Match& own, const Json& step) const;
    Json verify_shuffles(const Match& match) const;

    /// Returns the match with the key of the step's viewer.
    Match own(const Json& step) const;

    const Environment& environment_;
    chitarrella::Client client_;
    std::map<std::string, Match> matches_;
};

} // namespace runner
