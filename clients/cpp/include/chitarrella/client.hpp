// The client: the catalogue, the rules, and access to matches.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <chitarrella/match.hpp>
#include <chitarrella/platform.hpp>
#include <chitarrella/rules.hpp>
#include <chitarrella/types.hpp>
#include <chitarrella/v1/catalogue.pb.h>
#include <chitarrella/webhooks.hpp>

namespace chitarrella {

/// The settings of a client.
struct Settings {
    std::string address;  ///< "host:port"
    std::string key;      ///< default key of Client::match
    std::string api_key;  ///< API key of a platform, for services that require one
    std::string language; ///< of clauses and refusals, a value of Accept-Language; empty for English
    bool tls = false;     ///< enable TLS
    std::string ca;       ///< certificates (PEM) to trust instead of the system's; implies TLS
    std::chrono::milliseconds timeout{10000}; ///< of one attempt of a call
    int retries = 4;                          ///< how often a lost call is retried; safe for every call
};

/// A client of the service. It is thread safe; copies share a connection, which is made with the first call.
///
/// Lost calls are retried. A call that fails throws Error with the code of the service.
class Client {
  public:
    /// Connects with these settings.
    explicit Client(Settings settings);

    /// Connects to "host:port" without TLS.
    explicit Client(const std::string& address);

    /// Stateless questions about positions and cards.
    Rules rules() const;

    /// The webhooks of the platform of the API key.
    Webhooks webhooks() const;

    /// Lists all games in the order of their keys.
    std::vector<v1::GameSummary> games() const;

    /// Describes an edition of a game, 0 for the current one: pack, options, moves, reasons, and the rule book.
    Game game(const std::string& game_id, unsigned edition = 0) const;

    /// Lists the differences between two games, or two rule sets of one.
    Comparison compare(const v1::RuleSet& first, const v1::RuleSet& second) const;

    /// Creates a match in which the service deals. The result acts for the referee and has the keys of all seats.
    Match create_match(const v1::RuleSet& rule_set) const;

    /// Creates a match with all settings: those of the platform are `external_id`, `labels`, `player_names` and
    /// `sandbox`. Set a `request_id` to be able to repeat the call later; it must be unguessable.
    Match create_match(v1::CreateMatchRequest request) const;

    /// Creates a match from a record, to be viewed or continued; `move_count` limits how many of its moves are played.
    Match import_match(v1::ImportMatchRequest record) const;

    /// Lists a page of the matches created by the platform of the API key that fit a filter, the latest first.
    v1::ListMatchesResponse matches(const MatchFilter& filter = {}, const std::string& page_token = "") const;

    /// Returns the states of at most 100 matches, in the same order; each is found or has its error. The key, of a seat
    /// or a referee, counts at its own match; nothing: that of the settings.
    std::vector<FoundMatch> get_matches(const std::vector<std::string>& ids,
                                        const std::optional<std::string>& key = {}) const;

    /// Watches all matches of the platform of the API key from now on; see PlatformWatch.
    PlatformWatch watch_matches() const;

    /// Returns a match with the key of the settings.
    Match match(const std::string& id) const;

    /// Returns a match with a key: a seat's, the referee's, a token that the platform has signed, or "" for the
    /// public.
    Match match(const std::string& id, const std::string& key) const;

  private:
    std::shared_ptr<const Transport> transport_;
};

} // namespace chitarrella
