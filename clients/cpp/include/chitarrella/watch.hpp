// Following a match through cuts.
#pragma once

#include <chrono>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include <chitarrella/words.hpp>

namespace chitarrella {

class Line;

/// Who asks about a match: its name, the key that is shown, and the seat that the referee asks for.
struct Holder {
    std::string match;
    std::string key;
    std::optional<Seat> seat;
};

/// What happens in a match, as it happens, each thing once; ends when the match is over.
///
/// When the connection is cut it comes back by itself and goes on where it was. `for (const auto& told :
/// match.watch())` goes through it; it belongs to one thread, except for `stop`. The call ends with the watch.
class Watch {
  public:
    Watch(std::shared_ptr<const Line> line, Holder holder, std::string cursor);
    Watch(Watch&& other) noexcept;
    Watch& operator=(Watch&& other) noexcept;
    ~Watch();

    /// Waits for the next thing to happen; nothing when the match is over or `stop` was called. Throws Error where
    /// coming back would not help.
    std::optional<v1::WatchMatchResponse> next();

    /// The place behind the last thing that was told: kept somewhere, it lets another watch go on there.
    const std::string& cursor() const;

    /// Gives up after having been cut off for so long, instead of never.
    void give_up_after(std::chrono::milliseconds patience);

    /// Ends the watch, also from another thread: who is waiting for the next thing is told that there is none.
    void stop();

    /// Goes through what `next` gives.
    class Iterator {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = v1::WatchMatchResponse;
        using difference_type = std::ptrdiff_t;
        using pointer = const value_type*;
        using reference = const value_type&;

        explicit Iterator(Watch* watch = nullptr) : watch_(watch) {
            if (watch_ != nullptr) ++*this;
        }

        reference operator*() const { return *told_; }
        pointer operator->() const { return &*told_; }
        Iterator& operator++() {
            told_ = watch_->next();
            return *this;
        }
        void operator++(int) { ++*this; }
        bool operator==(const Iterator& other) const { return told_.has_value() == other.told_.has_value(); }
        bool operator!=(const Iterator& other) const { return !(*this == other); }

      private:
        Watch* watch_;
        std::optional<value_type> told_;
    };

    Iterator begin() { return Iterator(this); }
    Iterator end() { return Iterator(); }

  private:
    class Following;
    std::unique_ptr<Following> following_;
};

} // namespace chitarrella
