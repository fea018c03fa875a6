// What a platform does with its matches: it finds, reads and watches many of them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include <chitarrella/types.hpp>
#include <chitarrella/update_iterator.hpp>

namespace chitarrella {

class Transport;

/// What the matches of a list have in common; what is empty is not a condition.
struct MatchFilter {
    std::string external_id{};                   ///< the platform's own id
    std::map<std::string, std::string> labels{}; ///< they have all of these
    std::string player_name{};                   ///< they have a player of exactly this name
};

/// The updates of all matches of a platform, and heartbeats, which have no match id.
///
/// The first one is a heartbeat: what happens after it is received. It does not reconnect, because updates may be
/// missing then: `next` throws Error, and Client::matches and Match::events return what was missed. It belongs to one
/// thread, except for `stop`. Its destructor ends the call.
class PlatformWatch {
  public:
    explicit PlatformWatch(std::shared_ptr<const Transport> transport);
    PlatformWatch(PlatformWatch&& other) noexcept;
    PlatformWatch& operator=(PlatformWatch&& other) noexcept;
    ~PlatformWatch();

    /// Waits for the next update or heartbeat; nothing if `stop` was called, or after an error.
    std::optional<PlatformUpdate> next();

    /// Ends the watch, also from another thread: a waiting `next` returns nothing.
    void stop();

    using Iterator = UpdateIterator<PlatformWatch, PlatformUpdate>;

    Iterator begin() { return Iterator(this); }
    Iterator end() { return Iterator(); }

  private:
    class Stream;
    std::unique_ptr<Stream> stream_;
};

} // namespace chitarrella
