// Converts codes.
#include <chitarrella/codes.hpp>

namespace chitarrella {

Code read_code(std::string_view word) {
#define CHITARRELLA_READ(name)                                                                                         \
    if (word == #name) return Code::name;
    CHITARRELLA_CODES(CHITARRELLA_READ)
#undef CHITARRELLA_READ
    return Code::unknown;
}

Reason read_reason(std::string_view word) {
#define CHITARRELLA_READ(name)                                                                                         \
    if (word == #name) return Reason::name;
    CHITARRELLA_REASONS(CHITARRELLA_READ)
#undef CHITARRELLA_READ
    return Reason::unknown;
}

} // namespace chitarrella
