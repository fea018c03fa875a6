// The client: the catalogue, the rules, and the door to matches.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <chitarrella/match.hpp>
#include <chitarrella/rules.hpp>
#include <chitarrella/v1/catalogue.pb.h>
#include <chitarrella/words.hpp>

namespace chitarrella {

/// Where the service is, and how to speak to it.
struct Settings {
    std::string address;                      ///< "host:port"
    std::string key;                          ///< the one that Client::join shows where no other is given
    std::string api_key;                      ///< the platform's, where the service is not for everybody
    std::string language;                     ///< of clauses and refusals, as Accept-Language has it; empty for English
    bool tls = false;                         ///< speak TLS
    std::string ca;                           ///< certificates (PEM) to trust instead of the system's; implies TLS
    std::chrono::milliseconds timeout{10000}; ///< how long one try of a call may take
    int retries = 4;                          ///< how often a call that was lost is repeated; safe for every call
};

/// A client of the service. It may be shared by threads; copies share a connection, which is made with the first call.
///
/// Every call that got lost is repeated by itself. All of them throw Error, with the service's code.
class Client {
  public:
    /// Speaks as the settings say.
    explicit Client(Settings settings);

    /// Speaks to "host:port" without TLS.
    explicit Client(const std::string& address);

    /// Questions about positions and cards.
    Rules rules() const;

    /// Lists the games in the order of their keys, all pages of them.
    std::vector<v1::GameSummary> games() const;

    /// Describes a game: pack, options, moves, reasons, and the rule book; of the current edition, or another.
    v1::GetGameResponse game(const std::string& key, unsigned edition = 0) const;

    /// Tells two games, or two agreements on one, apart.
    v1::CompareGamesResponse compare(const v1::Agreement& first, const v1::Agreement& second) const;

    /// Opens a match in which the service deals. What comes back speaks for the referee, and has the keys of all seats.
    Match create_match(const v1::Agreement& agreement) const;

    /// Opens a match with all particulars. A `request_id` in it is for who wants to repeat the call later: it must be
    /// one that nobody guesses.
    Match create_match(v1::CreateMatchRequest wanted) const;

    /// Opens a match from a record, to look at it or to play on from there.
    Match import_match(v1::ImportMatchRequest record) const;

    /// Lists a page of the matches that the platform of the API key has opened, the latest first.
    v1::ListMatchesResponse matches(const std::string& page_token = "") const;

    /// Joins a match with the key of the settings.
    Match join(const std::string& id) const;

    /// Joins a match with a key: a seat's, the referee's, or "" for the eyes of the public.
    Match join(const std::string& id, const std::string& key) const;

  private:
    std::shared_ptr<const Line> line_;
};

} // namespace chitarrella
