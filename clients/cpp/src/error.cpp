// Converts failed calls to errors.
#include "precompiled.hpp"

#include <cstdlib>

#include "details.pb.h"
#include "transport.hpp"

namespace chitarrella {

namespace {

/// Reads the error details of the service.
void read_details(const grpc::Status& status, Failure& failure) {
    details::Status message;
    if (!message.ParseFromString(status.error_details())) return;
    details::ErrorInfo info;
    details::BadRequest request;
    for (const auto& detail : message.details()) {
        const auto kind = detail.type_url().substr(detail.type_url().rfind('/') + 1);
        if (kind == "google.rpc.ErrorInfo") info.ParseFromString(detail.value());
        if (kind == "google.rpc.BadRequest") request.ParseFromString(detail.value());
    }
    for (const auto& one : request.field_violations()) failure.violations.push_back({one.field(), one.description()});
    if (info.domain() != "chitarrella") return;
    failure.from_service = true;
    failure.word = info.reason();
    failure.details = {info.metadata().begin(), info.metadata().end()};
    if (auto field = failure.details.extract("field")) {
        failure.field = field.mapped();
    } else if (!failure.violations.empty()) {
        failure.field = failure.violations.front().field;
    }
}

std::string code_of(grpc::StatusCode status) {
    switch (status) {
    case grpc::StatusCode::UNAVAILABLE:
        return "unavailable";
    case grpc::StatusCode::DEADLINE_EXCEEDED:
        return "deadline_exceeded";
    case grpc::StatusCode::INTERNAL:
        return "internal";
    default:
        return "status_" + std::to_string(status);
    }
}

} // namespace

Error::Error(Failure failure)
    : std::runtime_error(failure.message + " [" + failure.word + "]"), code_(read_code(failure.word)),
      failure_(std::move(failure)) {}

std::optional<unsigned> Error::revision() const {
    const auto found = failure_.details.find("revision");
    if (found == failure_.details.end()) return std::nullopt;
    return static_cast<unsigned>(std::strtoul(found->second.c_str(), nullptr, 10));
}

std::optional<bool> Error::still_legal() const {
    const auto found = failure_.details.find("still_legal");
    if (found == failure_.details.end()) return std::nullopt;
    return found->second == "true";
}

Error read_error(const grpc::Status& status, std::string request_id) {
    Failure failure;
    failure.word = code_of(status.error_code());
    failure.message = status.error_message();
    failure.status = status.error_code();
    failure.request_id = std::move(request_id);
    read_details(status, failure);
    return Error(std::move(failure));
}

bool is_retryable(const Error& error) {
    switch (error.failure().status) {
    case grpc::StatusCode::UNAVAILABLE:
    case grpc::StatusCode::DEADLINE_EXCEEDED:
        return true;
    case grpc::StatusCode::CANCELLED:
        return !error.failure().from_service;
    default:
        return false;
    }
}

bool is_transient(const Error& error) {
    const auto status = error.failure().status;
    if (error.failure().from_service) {
        return status == grpc::StatusCode::UNAVAILABLE || status == grpc::StatusCode::RESOURCE_EXHAUSTED;
    }
    return is_retryable(error) || status == grpc::StatusCode::UNKNOWN || status == grpc::StatusCode::INTERNAL;
}

} // namespace chitarrella
