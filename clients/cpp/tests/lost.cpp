// Checks what no scenario reaches: which calls are repeated, how often, and with what.
#include "line.hpp"

#include <iostream>
#include <vector>

#include "details.pb.h"

using namespace chitarrella;

namespace {

/// A stub on which calls fail like this until there is no failure left.
struct Failing {
    std::vector<grpc::Status> failures;
    std::vector<std::string> heard;

    grpc::Status PlayMove(grpc::ClientContext*, const v1::PlayMoveRequest& question, v1::PlayMoveResponse*) {
        heard.push_back(question.request_id());
        return heard.size() > failures.size() ? grpc::Status::OK : failures[heard.size() - 1];
    }
};

/// A status as the service sends it.
grpc::Status said(grpc::StatusCode status, const std::string& reason) {
    details::ErrorInfo info;
    info.set_domain("chitarrella");
    info.set_reason(reason);
    (*info.mutable_metadata())["field"] = "x";
    details::Status told;
    auto* detail = told.add_details();
    detail->set_type_url("type.googleapis.com/google.rpc.ErrorInfo");
    detail->set_value(info.SerializeAsString());
    return {status, "", told.SerializeAsString()};
}

/// Plays, and tells how often and with what result it was tried.
std::string played(std::vector<grpc::Status> failures) {
    Settings settings;
    settings.address = "127.0.0.1:1";
    settings.retries = 2;
    const Line line(settings);
    const auto stub = std::make_unique<Failing>(Failing{std::move(failures), {}});
    v1::PlayMoveRequest question;
    question.set_request_id("same");
    std::string outcome = "ok";
    try {
        line.ask(stub, &Failing::PlayMove, question);
    } catch (const Error& error) {
        outcome = error.failure().word + " " + error.failure().field + (error.code() == Code::unknown ? "?" : "");
    }
    for (const auto& id : stub->heard) outcome += " " + id;
    return outcome;
}

int check(const std::string& got, const std::string& wanted) {
    if (got != wanted) std::cerr << "got: " << got << "\nwanted: " << wanted << '\n';
    return got != wanted;
}

} // namespace

int main() {
    const grpc::Status cut(grpc::StatusCode::UNAVAILABLE, "cut");
    int wrong = check(played({cut, said(grpc::StatusCode::UNAVAILABLE, "store_down")}), "ok same same same");
    wrong += check(played({cut, cut, cut, cut}), "unavailable  same same same");
    wrong += check(played({said(grpc::StatusCode::NOT_FOUND, "a_new_code")}), "a_new_code x? same");
    return wrong;
}
