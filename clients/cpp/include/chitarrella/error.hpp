// What can go wrong: one exception, with the service's own code to switch on.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <chitarrella/codes.hpp>

namespace chitarrella {

/// A field at fault, and what is wrong with it.
struct Violation {
    std::string field;
    std::string because;
};

/// What an error says.
struct Failure {
    std::string word;                           ///< the code as it travels, also one that this client does not know
    std::string because;                        ///< the same in a sentence
    std::string field;                          ///< the field at fault; empty for none
    std::vector<Violation> violations;          ///< every field at fault
    std::map<std::string, std::string> details; ///< other particulars by name
    int status = 0;                             ///< the gRPC status by its number
    bool from_service = false;                  ///< false where the call failed on its way
    std::string request_id;                     ///< that of the writing call: the same call with it does nothing twice
};

/// Why a call could not be answered. A refused move is no error but an answer.
class Error : public std::runtime_error {
  public:
    explicit Error(Failure failure);

    /// What to switch on.
    Code code() const noexcept { return code_; }

    /// All that is known of it.
    const Failure& failure() const noexcept { return failure_; }

    /// Where the table is now, of Code::stale_revision.
    std::optional<unsigned> revision() const;

    /// Whether the move would be accepted there, of Code::stale_revision, if the service has said so.
    std::optional<bool> still_legal() const;

  private:
    Code code_;
    Failure failure_;
};

} // namespace chitarrella
