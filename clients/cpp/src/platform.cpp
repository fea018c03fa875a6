// The matches of a platform, and the stream of all their updates.
#include "transport.hpp"

#include <mutex>

namespace chitarrella {

v1::ListMatchesResponse Client::matches(const MatchFilter& filter, const std::string& page_token) const {
    v1::ListMatchesRequest request;
    request.set_page_token(page_token);
    request.set_external_id(filter.external_id);
    request.set_player_name(filter.player_name);
    for (const auto& [key, value] : filter.labels) request.add_labels(key + "=" + value);
    return transport_->call(transport_->matches, &MatchStub::ListMatches, request);
}

std::vector<FoundMatch> Client::get_matches(const std::vector<std::string>& ids,
                                            const std::optional<std::string>& key) const {
    v1::BatchGetMatchesRequest request;
    *request.mutable_match_ids() = {ids.begin(), ids.end()};
    const auto& shown = key ? *key : transport_->settings.key;
    const auto response = transport_->call(transport_->matches, &MatchStub::BatchGetMatches, request, shown);
    return {response.matches().begin(), response.matches().end()};
}

PlatformWatch Client::watch_matches() const {
    return PlatformWatch(transport_);
}

/// The stream of a watch, opened by its first read.
class PlatformWatch::Stream {
  public:
    explicit Stream(std::shared_ptr<const Transport> transport) : transport_(std::move(transport)) {}

    ~Stream() { stop(); }

    std::optional<PlatformUpdate> next() {
        if (ended_) return std::nullopt;
        if (!reader_) open();
        PlatformUpdate update;
        if (reader_->Read(&update)) return update;
        ended_ = true;
        const auto status = reader_->Finish();
        const std::lock_guard<std::mutex> guard(lock_);
        if (stopped_) return std::nullopt;
        // The service never ends this stream without an error, so something in between has: updates may be missing.
        throw read_error(status.ok() ? grpc::Status(grpc::StatusCode::UNAVAILABLE, "the stream has ended") : status);
    }

    void stop() {
        const std::lock_guard<std::mutex> guard(lock_);
        stopped_ = true;
        context_.TryCancel();
    }

  private:
    void open() {
        const std::lock_guard<std::mutex> guard(lock_);
        transport_->add_headers(context_, "");
        reader_ = transport_->matches->WatchMatches(&context_, v1::WatchMatchesRequest());
        if (stopped_) context_.TryCancel();
    }

    std::shared_ptr<const Transport> transport_;
    bool ended_ = false, stopped_ = false;
    std::mutex lock_;             // of everything that `stop` uses
    grpc::ClientContext context_; // outlives the reader
    std::unique_ptr<grpc::ClientReaderInterface<PlatformUpdate>> reader_;
};

PlatformWatch::PlatformWatch(std::shared_ptr<const Transport> transport)
    : stream_(std::make_unique<Stream>(std::move(transport))) {}
PlatformWatch::PlatformWatch(PlatformWatch&& other) noexcept = default;
PlatformWatch& PlatformWatch::operator=(PlatformWatch&& other) noexcept = default;
PlatformWatch::~PlatformWatch() = default;

std::optional<PlatformUpdate> PlatformWatch::next() {
    return stream_->next();
}
void PlatformWatch::stop() {
    stream_->stop();
}

} // namespace chitarrella
