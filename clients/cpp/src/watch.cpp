// A watch keeps its place, and begins again from there.
#include "line.hpp"

#include <condition_variable>
#include <mutex>

namespace chitarrella {

using std::chrono::steady_clock;

/// One who watches a match: where it stands, and how long it has been cut off.
class Watch::Following {
  public:
    Following(std::shared_ptr<const Line> line, Holder holder, std::string cursor)
        : cursor(std::move(cursor)), line_(std::move(line)), holder_(std::move(holder)) {}

    ~Following() { stop(); }

    std::string cursor;
    std::optional<std::chrono::milliseconds> give_up;

    std::optional<v1::WatchMatchResponse> next() {
        while (!over_ && !stopped()) {
            if (auto told = listen()) return told;
            if (!stopped()) settle(hang_up());
        }
        return std::nullopt;
    }

    void stop() {
        const std::lock_guard<std::mutex> held(lock_);
        stopped_ = true;
        if (context_) context_->TryCancel();
        woken_.notify_all();
    }

  private:
    /// Waits until something is told, passing over heartbeats; nothing where the stream ends first.
    std::optional<v1::WatchMatchResponse> listen() {
        if (!stream_) begin();
        v1::WatchMatchResponse told;
        while (stream_->Read(&told)) {
            failures_ = 0;
            if (told.events_size() == 0) continue;
            cursor = told.cursor();
            return told;
        }
        return std::nullopt;
    }

    /// Begins to watch after the cursor.
    void begin() {
        v1::WatchMatchRequest question;
        question.set_match(holder_.match);
        question.set_cursor(cursor);
        if (holder_.seat) question.set_seat(*holder_.seat);
        const std::lock_guard<std::mutex> held(lock_);
        context_ = std::make_unique<grpc::ClientContext>();
        if (stopped_) context_->TryCancel();
        line_->introduce(*context_, holder_.key);
        stream_ = line_->matches->WatchMatch(context_.get(), question);
    }

    /// Takes leave of a stream that has ended; says how.
    grpc::Status hang_up() {
        const auto status = stream_->Finish();
        const std::lock_guard<std::mutex> held(lock_);
        stream_.reset();
        context_.reset();
        return status;
    }

    /// Decides whether to watch again, and waits for that.
    void settle(const grpc::Status& status) {
        if (!status.ok()) return cut(read_error(status));
        v1::GetMatchRequest question;
        question.set_match(holder_.match);
        if (holder_.seat) question.set_seat(*holder_.seat);
        try {
            ended(line_->ask(line_->matches, &MatchStub::GetMatch, question, holder_.key, 0));
        } catch (const Error& error) {
            cut(error);
        }
    }

    /// A stream ends well when the match is over, but also when the service stops; and if the match came to its end
    /// only after the stream's, there is something left to be heard.
    void ended(const v1::GetMatchResponse& seen) {
        over_ = is_over(seen) && (over_before_ || seen.cursor() == cursor);
        over_before_ = is_over(seen);
        if (!over_before_) cut(read_error({grpc::StatusCode::UNAVAILABLE, "the service has ended the stream"}));
    }

    /// Waits before watching again; throws the error where that would not help.
    void cut(const Error& error) {
        if (!is_passing(error)) {
            over_ = true;
            throw error;
        }
        if (failures_++ == 0) since_ = steady_clock::now();
        const auto pause = pause_after(failures_);
        if (give_up && steady_clock::now() + pause - since_ > *give_up) {
            over_ = true;
            throw error;
        }
        std::unique_lock<std::mutex> held(lock_);
        woken_.wait_for(held, pause, [this] { return stopped_; });
    }

    bool stopped() {
        const std::lock_guard<std::mutex> held(lock_);
        return stopped_;
    }

    std::shared_ptr<const Line> line_;
    Holder holder_;
    int failures_ = 0;
    steady_clock::time_point since_;
    bool over_ = false, over_before_ = false, stopped_ = false;
    std::mutex lock_; // of what `stop` touches
    std::condition_variable woken_;
    std::unique_ptr<grpc::ClientContext> context_; // outlives the stream
    std::unique_ptr<grpc::ClientReaderInterface<v1::WatchMatchResponse>> stream_;
};

Watch::Watch(std::shared_ptr<const Line> line, Holder holder, std::string cursor)
    : following_(std::make_unique<Following>(std::move(line), std::move(holder), std::move(cursor))) {}
Watch::Watch(Watch&& other) noexcept = default;
Watch& Watch::operator=(Watch&& other) noexcept = default;
Watch::~Watch() = default;

std::optional<v1::WatchMatchResponse> Watch::next() {
    return following_->next();
}
const std::string& Watch::cursor() const {
    return following_->cursor;
}
void Watch::give_up_after(std::chrono::milliseconds patience) {
    following_->give_up = patience;
}
void Watch::stop() {
    following_->stop();
}

} // namespace chitarrella
