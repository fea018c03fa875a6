// Tests what no scenario reaches: which calls are retried, how often, and with which request; the times; and what is
// unknown.
#include "transport.hpp"

#include <iostream>
#include <vector>

#include "details.pb.h"

using namespace chitarrella;

namespace {

/// A stub whose calls fail with these statuses first, then succeed.
struct FailingStub {
    std::vector<grpc::Status> failures;
    std::vector<std::string> request_ids;

    grpc::Status PlayMove(grpc::ClientContext*, const v1::PlayMoveRequest& request, MoveResult*) {
        request_ids.push_back(request.request_id());
        return request_ids.size() > failures.size() ? grpc::Status::OK : failures[request_ids.size() - 1];
    }
};

/// A status with details as the service sends it.
grpc::Status service_status(grpc::StatusCode status, const std::string& reason) {
    details::ErrorInfo info;
    info.set_domain("chitarrella");
    info.set_reason(reason);
    (*info.mutable_metadata())["field"] = "x";
    details::Status message;
    auto* detail = message.add_details();
    detail->set_type_url("type.googleapis.com/google.rpc.ErrorInfo");
    detail->set_value(info.SerializeAsString());
    return {status, "", message.SerializeAsString()};
}

/// Plays a move, and returns the result and the request id of every attempt.
std::string attempts(std::vector<grpc::Status> failures) {
    Settings settings;
    settings.address = "127.0.0.1:1";
    settings.retries = 2;
    const Transport transport(settings);
    const auto stub = std::make_unique<FailingStub>(FailingStub{std::move(failures), {}});
    v1::PlayMoveRequest request;
    request.set_request_id("same");
    std::string outcome = "ok";
    try {
        transport.call(stub, &FailingStub::PlayMove, request);
    } catch (const Error& error) {
        outcome = error.failure().word + " " + error.failure().field + (error.code() == Code::unknown ? "?" : "");
    }
    for (const auto& id : stub->request_ids) outcome += " " + id;
    return outcome;
}

/// The parts of a partial position that are known.
std::string known_parts(const v1::PartialPosition& position) {
    std::string parts = position.rule_set().game_id();
    for (const auto& hand : position.hands()) {
        parts += " hand " + std::to_string(hand.seat());
        for (const auto& card : hand.cards()) parts += " " + card;
    }
    if (position.has_trick()) parts += " trick";
    for (const auto& card : position.trick().cards()) parts += " " + card;
    if (position.trick().has_leader()) parts += " leader";
    if (position.has_trump()) parts += " trump " + position.trump();
    return parts + (position.has_trump_card() || position.has_stock_size() ? " more" : "");
}

int check(const std::string& got, const std::string& expected) {
    if (got != expected) std::cerr << "got: " << got << "\nexpected: " << expected << '\n';
    return got != expected;
}

} // namespace

int main() {
    const grpc::Status cut(grpc::StatusCode::UNAVAILABLE, "cut");
    int wrong =
        check(attempts({cut, service_status(grpc::StatusCode::UNAVAILABLE, "store_down")}), "ok same same same");
    wrong += check(attempts({cut, cut, cut, cut}), "unavailable  same same same");
    wrong += check(attempts({service_status(grpc::StatusCode::NOT_FOUND, "a_new_code")}), "a_new_code x? same");
    google::protobuf::Timestamp time;
    time.set_seconds(1700000000);
    time.set_nanos(250000000);
    const auto since_epoch = std::chrono::duration_cast<std::chrono::milliseconds>(to_time(time).time_since_epoch());
    wrong += check(std::to_string(since_epoch.count()), "1700000000250");
    const auto coteccio = rule_set("coteccio");
    wrong += check(known_parts(partial_position(coteccio)), "coteccio");
    auto known = partial_position(coteccio, {{0, {"Ab"}}, {2, {"3c", "Rs"}}}, Cards{"2b"});
    known.set_trump("b");
    wrong += check(known_parts(known), "coteccio hand 0 Ab hand 2 3c Rs trick 2b trump b");
    wrong += check(known_parts(partial_position(coteccio, {}, Cards{})), "coteccio trick");
    TrickResult trick;
    wrong += winning_index_of(trick) != std::nullopt;
    trick.set_winning_index(0);
    wrong += winning_index_of(trick) != 0U;
    return wrong;
}
