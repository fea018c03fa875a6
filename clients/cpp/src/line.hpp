// The line to the service: one call over it, repeated where it was lost.
//
// Every call may be repeated: reading changes nothing, and a writing call carries a request id, under which the service
// does a thing once.
#pragma once

#include "heavy.hpp"

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

/// Makes an error of a failed call, from the details that the service sends or else from the bare status.
Error read_error(const grpc::Status& status, std::string request_id = "");

/// Tells whether a call may not have been answered, so that it helps to repeat it.
bool is_lost(const Error& error);

/// Tells whether watching may go on, on another connection or a little later.
bool is_passing(const Error& error);

/// How long to wait after so many failures in a row: growing, and each a little off, so that those who were cut off
/// together do not come back together.
std::chrono::milliseconds pause_after(int failures);

/// Makes a name for a writing call, one that nobody guesses: a random UUID.
std::string new_request_id();

/// A channel with its stubs, and what is said with every call over it.
class Line {
  public:
    explicit Line(Settings settings);

    const Settings settings;
    const std::unique_ptr<CatalogueStub> catalogue;
    const std::unique_ptr<RulesStub> rules;
    const std::unique_ptr<MatchStub> matches;

    /// Shows the platform's key, the language, and the key of a seat or the referee; none for the public.
    void introduce(grpc::ClientContext& context, const std::string& key) const;

    /// Makes a call and repeats it, as often as was set or `retries` says; throws the last Error.
    template <class Stub, class Q, class A>
    A ask(const std::unique_ptr<Stub>& stub, grpc::Status (Stub::*method)(grpc::ClientContext*, const Q&, A*),
          const Q& question, const std::string& key = "", int retries = -1) const {
        const int most = retries < 0 ? settings.retries : retries;
        for (int failures = 0;; std::this_thread::sleep_for(pause_after(failures))) {
            A answer;
            grpc::ClientContext context;
            introduce(context, key);
            context.set_deadline(std::chrono::system_clock::now() + settings.timeout);
            const auto status = ((*stub).*method)(&context, question, &answer);
            if (status.ok()) return answer;
            Error error = read_error(status, request_id_of(question));
            if (!is_lost(error) || failures++ == most) throw error;
        }
    }

  private:
    Line(Settings settings, const std::shared_ptr<grpc::Channel>& channel);

    template <class Q>
    static auto request_id_of(const Q& question) -> decltype(question.request_id()) {
        return question.request_id();
    }
    static std::string request_id_of(...) { return ""; }
};

} // namespace chitarrella
