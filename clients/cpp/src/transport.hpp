// Unary calls over the gRPC channel, and their retries.
//
// Every call may be retried: reading changes nothing, and a writing call carries a request id, under which it takes
// effect once.
#pragma once

#include "precompiled.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <chitarrella/client.hpp>
#include <chitarrella/error.hpp>

namespace chitarrella {

using CatalogueStub = v1::CatalogueService::StubInterface;
using RulesStub = v1::RulesService::StubInterface;
using MatchStub = v1::MatchService::StubInterface;
using WebhookStub = v1::WebhookService::StubInterface;

/// Converts the status of a failed call, with the error details of the service if there are any.
Error read_error(const grpc::Status& status, std::string request_id = "");

/// Whether the call may have gone unanswered, so that it should be retried.
bool is_retryable(const Error& error);

/// Whether a stream may be reopened, on another connection or later.
bool is_transient(const Error& error);

/// The pause after a number of consecutive failures: exponential, with jitter, so that clients cut off together do not
/// reconnect together.
std::chrono::milliseconds backoff_delay(int failures);

/// Returns a random UUID as the request id of a writing call. It must be unguessable.
std::string new_request_id();

/// A channel with its stubs, and the settings of every call.
class Transport {
  public:
    explicit Transport(Settings settings);

    const Settings settings;
    const std::unique_ptr<CatalogueStub> catalogue;
    const std::unique_ptr<RulesStub> rules;
    const std::unique_ptr<MatchStub> matches;
    const std::unique_ptr<WebhookStub> webhooks;

    /// Adds the headers of the settings, and the key of a seat or the referee; empty for the public.
    void add_headers(grpc::ClientContext& context, const std::string& key) const;

    /// Makes a call and retries it as often as the settings or `retries` allow; throws the last Error.
    template <class Stub, class Q, class A>
    A call(const std::unique_ptr<Stub>& stub, grpc::Status (Stub::*method)(grpc::ClientContext*, const Q&, A*),
           const Q& request, const std::string& key = "", int retries = -1) const {
        const int most = retries < 0 ? settings.retries : retries;
        for (int failures = 0;; std::this_thread::sleep_for(backoff_delay(failures))) {
            A response;
            grpc::ClientContext context;
            add_headers(context, key);
            context.set_deadline(std::chrono::system_clock::now() + settings.timeout);
            const auto status = ((*stub).*method)(&context, request, &response);
            if (status.ok()) return response;
            Error error = read_error(status, request_id_of(request));
            if (!is_retryable(error) || failures++ == most) throw error;
        }
    }

  private:
    Transport(Settings settings, const std::shared_ptr<grpc::Channel>& channel);

    template <class Q>
    static auto request_id_of(const Q& request) -> decltype(request.request_id()) {
        return request.request_id();
    }
    static std::string request_id_of(...) { return ""; }
};

} // namespace chitarrella
