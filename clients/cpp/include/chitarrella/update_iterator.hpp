// The iterator of watches.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>

namespace chitarrella {

/// Iterates over the results of `next` of a watch, until it returns nothing.
template <class Watch, class Update>
class UpdateIterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Update;
    using difference_type = std::ptrdiff_t;
    using pointer = const value_type*;
    using reference = const value_type&;

    explicit UpdateIterator(Watch* watch = nullptr) : watch_(watch) {
        if (watch_ != nullptr) ++*this;
    }

    reference operator*() const { return *update_; }
    pointer operator->() const { return &*update_; }
    UpdateIterator& operator++() {
        update_ = watch_->next();
        return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(const UpdateIterator& other) const { return update_.has_value() == other.update_.has_value(); }
    bool operator!=(const UpdateIterator& other) const { return !(*this == other); }

  private:
    Watch* watch_;
    std::optional<value_type> update_;
};

} // namespace chitarrella
