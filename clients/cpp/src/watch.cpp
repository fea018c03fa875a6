// A watch keeps its cursor, and reopens the stream from there.
#include "transport.hpp"

#include <condition_variable>
#include <mutex>

namespace chitarrella {

using std::chrono::steady_clock;

/// The state of a watch: its cursor, and since when it has been disconnected.
class Watch::Subscription {
  public:
    Subscription(std::shared_ptr<const Transport> transport, SeatAccess access, std::string cursor)
        : cursor(std::move(cursor)), transport_(std::move(transport)), access_(std::move(access)) {}

    ~Subscription() { stop(); }

    std::string cursor;
    std::optional<std::chrono::milliseconds> give_up;

    std::optional<MatchUpdate> next() {
        while (!finished_ && !stopped()) {
            if (auto update = read_stream()) return update;
            if (!stopped()) after_stream_end(close_stream());
        }
        return std::nullopt;
    }

    void stop() {
        const std::lock_guard<std::mutex> guard(lock_);
        stopped_ = true;
        if (context_) context_->TryCancel();
        woken_.notify_all();
    }

  private:
    /// Waits for the next update, skipping heartbeats; nothing if the stream ends first.
    std::optional<MatchUpdate> read_stream() {
        if (!stream_) open_stream();
        MatchUpdate update;
        while (stream_->Read(&update)) {
            failures_ = 0;
            if (update.events_size() == 0) continue;
            cursor = update.cursor();
            return update;
        }
        return std::nullopt;
    }

    /// Opens a stream after the cursor.
    void open_stream() {
        v1::WatchMatchRequest request;
        request.set_match_id(access_.match_id);
        request.set_cursor(cursor);
        if (access_.seat) request.set_seat(*access_.seat);
        const std::lock_guard<std::mutex> guard(lock_);
        context_ = std::make_unique<grpc::ClientContext>();
        if (stopped_) context_->TryCancel();
        transport_->add_headers(*context_, access_.key);
        stream_ = transport_->matches->WatchMatch(context_.get(), request);
    }

    /// Closes a stream that has ended; returns its status.
    grpc::Status close_stream() {
        const auto status = stream_->Finish();
        const std::lock_guard<std::mutex> guard(lock_);
        stream_.reset();
        context_.reset();
        return status;
    }

    /// Decides whether to reopen the stream, and waits before that.
    void after_stream_end(const grpc::Status& status) {
        if (!status.ok()) return pause_or_throw(read_error(status));
        v1::GetMatchRequest request;
        request.set_match_id(access_.match_id);
        if (access_.seat) request.set_seat(*access_.seat);
        try {
            finish_or_pause(transport_->call(transport_->matches, &MatchStub::GetMatch, request, access_.key, 0));
        } catch (const Error& error) {
            pause_or_throw(error);
        }
    }

    /// A stream ends regularly when the match is finished, but also when the service stops. If the match was finished
    /// after the stream had ended, there are updates left to read.
    void finish_or_pause(const MatchState& state) {
        finished_ = is_over(state) && (was_finished_ || state.cursor() == cursor);
        was_finished_ = is_over(state);
        if (!was_finished_)
            pause_or_throw(read_error({grpc::StatusCode::UNAVAILABLE, "the service has ended the stream"}));
    }

    /// Waits before the next attempt; throws the error if it is permanent.
    void pause_or_throw(const Error& error) {
        if (!is_transient(error)) {
            finished_ = true;
            throw error;
        }
        if (failures_++ == 0) disconnected_since_ = steady_clock::now();
        const auto delay = backoff_delay(failures_);
        if (give_up && steady_clock::now() + delay - disconnected_since_ > *give_up) {
            finished_ = true;
            throw error;
        }
        std::unique_lock<std::mutex> guard(lock_);
        woken_.wait_for(guard, delay, [this] { return stopped_; });
    }

    bool stopped() {
        const std::lock_guard<std::mutex> guard(lock_);
        return stopped_;
    }

    std::shared_ptr<const Transport> transport_;
    SeatAccess access_;
    int failures_ = 0;
    steady_clock::time_point disconnected_since_;
    bool finished_ = false, was_finished_ = false, stopped_ = false;
    std::mutex lock_; // of everything that `stop` uses
    std::condition_variable woken_;
    std::unique_ptr<grpc::ClientContext> context_; // outlives the stream
    std::unique_ptr<grpc::ClientReaderInterface<MatchUpdate>> stream_;
};

Watch::Watch(std::shared_ptr<const Transport> transport, SeatAccess access, std::string cursor)
    : subscription_(std::make_unique<Subscription>(std::move(transport), std::move(access), std::move(cursor))) {}
Watch::Watch(Watch&& other) noexcept = default;
Watch& Watch::operator=(Watch&& other) noexcept = default;
Watch::~Watch() = default;

std::optional<MatchUpdate> Watch::next() {
    return subscription_->next();
}
const std::string& Watch::cursor() const {
    return subscription_->cursor;
}
void Watch::give_up_after(std::chrono::milliseconds limit) {
    subscription_->give_up = limit;
}
void Watch::stop() {
    subscription_->stop();
}

} // namespace chitarrella
