// The steps of a scenario, carried out with the face of the client as a user would.
#pragma once

#include <map>
#include <string>

#include "written.hpp"

/// The addresses of the stage, and the certificate of the one with TLS.
struct Stage {
    std::string grpc, cut, tls, ca;
};

/// Plays one scenario, over a connection of its own.
class Runner {
  public:
    explicit Runner(const Stage& stage);

    /// Carries out the steps; what fails gives its code.
    Json play_scenario(const Json& steps);

  private:
    using Match = chitarrella::Match;

    Json step(const std::string& op, const Json& step);
    Json ask_rules(const std::string& op, const Json& step) const;
    Json at_match(const std::string& op, const Json& step) const;
    Json open(const Json& step);
    Json watch(const Match& own, const Json& step) const;
    Json verify(const Match& opened) const;

    /// Gives a match with the eyes of who asks.
    Match own(const Json& step) const;

    const Stage& stage_;
    chitarrella::Client client_;
    std::map<std::string, Match> matches_;
};
