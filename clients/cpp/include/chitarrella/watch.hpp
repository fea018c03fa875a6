// Watching a match: a stream of updates that reconnects by itself.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include <chitarrella/types.hpp>
#include <chitarrella/update_iterator.hpp>

namespace chitarrella {

class Transport;

/// What a call says about its match and its caller: the id, the key, and the seat that the referee acts for.
struct SeatAccess {
    std::string match_id;
    std::string key;
    std::optional<Seat> seat;
};

/// The updates of a match as they happen, each exactly once; ends when the match is finished or aborted.
///
/// When the connection breaks, it reconnects and resumes. `for (const auto& update : match.watch())` iterates over it.
/// It belongs to one thread, except for `stop`. Its destructor ends the call.
class Watch {
  public:
    Watch(std::shared_ptr<const Transport> transport, SeatAccess access, std::string cursor);
    Watch(Watch&& other) noexcept;
    Watch& operator=(Watch&& other) noexcept;
    ~Watch();

    /// Waits for the next update; nothing when the match is finished or aborted, or `stop` was called. Throws Error if
    /// reconnecting would not help.
    std::optional<MatchUpdate> next();

    /// The cursor behind the last update returned; another watch can resume from there.
    const std::string& cursor() const;

    /// Fails after having been disconnected for so long. Default: never.
    void give_up_after(std::chrono::milliseconds limit);

    /// Ends the watch, also from another thread: a waiting `next` returns nothing.
    void stop();

    using Iterator = UpdateIterator<Watch, MatchUpdate>;
    Iterator begin() { return Iterator(this); }
    Iterator end() { return Iterator(); }

  private:
    class Subscription;
    std::unique_ptr<Subscription> subscription_;
};

} // namespace chitarrella
