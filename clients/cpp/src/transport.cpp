// Opens the channel, adds headers, computes pauses.
#include "transport.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <openssl/rand.h>

#include "hex.hpp"

namespace chitarrella {

namespace {

std::shared_ptr<grpc::Channel> channel_of(const Settings& settings) {
    grpc::ChannelArguments arguments;
    arguments.SetUserAgentPrefix("chitarrella-client-cpp");
    // Reconnect as fast as the first retry comes.
    arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
    arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 5000);
    arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 3000);
    // Detects a dead peer, also while only watching.
    arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 20000);
    arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10000);
    arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
    if (!settings.tls && settings.ca.empty()) {
        return grpc::CreateCustomChannel(settings.address, grpc::InsecureChannelCredentials(), arguments);
    }
    grpc::SslCredentialsOptions trusted;
    trusted.pem_root_certs = settings.ca;
    return grpc::CreateCustomChannel(settings.address, grpc::SslCredentials(trusted), arguments);
}

template <std::size_t Size>
std::array<unsigned char, Size> random_bytes() {
    std::array<unsigned char, Size> bytes{};
    if (RAND_bytes(bytes.data(), static_cast<int>(Size)) != 1) throw std::runtime_error("there are no random numbers");
    return bytes;
}

/// Adds a header; gRPC would abort the program if the value were not printable ASCII.
void add_header(grpc::ClientContext& context, const std::string& name, const std::string& value) {
    const auto legal = [](char letter) { return ' ' <= letter && letter <= '~'; };
    if (!std::all_of(value.begin(), value.end(), legal)) {
        throw read_error({grpc::StatusCode::INVALID_ARGUMENT, name + " is not printable ASCII"});
    }
    context.AddMetadata(name, value);
}

} // namespace

Transport::Transport(Settings settings) : Transport(settings, channel_of(settings)) {}

Transport::Transport(Settings settings, const std::shared_ptr<grpc::Channel>& channel)
    : settings(std::move(settings)), catalogue(v1::CatalogueService::NewStub(channel)),
      rules(v1::RulesService::NewStub(channel)), matches(v1::MatchService::NewStub(channel)),
      webhooks(v1::WebhookService::NewStub(channel)) {}

void Transport::add_headers(grpc::ClientContext& context, const std::string& key) const {
    if (!key.empty()) add_header(context, "authorization", "Bearer " + key);
    if (!settings.api_key.empty()) add_header(context, "x-api-key", settings.api_key);
    if (!settings.language.empty()) add_header(context, "accept-language", settings.language);
}

std::chrono::milliseconds backoff_delay(int failures) {
    const double delay = std::min(200 * std::pow(2.5, std::clamp(failures, 1, 30) - 1), 3000.0);
    const double jitter = 0.8 + 0.4 * random_bytes<1>()[0] / 255;
    return std::chrono::milliseconds(static_cast<long>(delay * jitter));
}

std::string new_request_id() {
    auto bytes = random_bytes<16>();
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    std::string digits = hex(bytes.data(), bytes.size());
    for (const std::size_t place : {20, 16, 12, 8}) digits.insert(place, 1, '-');
    return digits;
}

} // namespace chitarrella
