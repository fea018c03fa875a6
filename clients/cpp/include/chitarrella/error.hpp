// The exception, with the code of the service.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <chitarrella/codes.hpp>

namespace chitarrella {

/// An invalid field, and why it is invalid.
struct Violation {
    std::string field;
    std::string message;
};

/// The data of an error.
struct Failure {
    std::string word;                           ///< the code on the wire, also one that this client does not know
    std::string message;                        ///< the message
    std::string field;                          ///< the invalid field; empty for none
    std::vector<Violation> violations;          ///< all invalid fields
    std::map<std::string, std::string> details; ///< other values by name
    int status = 0;                             ///< the number of the gRPC status
    bool from_service = false;                  ///< false if the call or its response was lost
    std::string request_id; ///< of the writing call: repeating the call with it has no second effect
};

/// The error of a call. A refused move is a result, not an error.
class Error : public std::runtime_error {
  public:
    explicit Error(Failure failure);

    /// The machine-readable reason.
    Code code() const noexcept { return code_; }

    /// All data of the error.
    const Failure& failure() const noexcept { return failure_; }

    /// The current revision, of Code::stale_revision.
    std::optional<unsigned> revision() const;

    /// Whether the move would be accepted at the current revision, of Code::stale_revision, if known.
    std::optional<bool> still_legal() const;

  private:
    Code code_;
    Failure failure_;
};

} // namespace chitarrella
