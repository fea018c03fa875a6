// Bytes in hexadecimal digits.
#pragma once

#include <cstddef>
#include <string>

namespace chitarrella {

inline std::string hex(const unsigned char* bytes, std::size_t size) {
    std::string digits;
    for (std::size_t at = 0; at < size; ++at) {
        digits += "0123456789abcdef"[bytes[at] >> 4];
        digits += "0123456789abcdef"[bytes[at] & 15];
    }
    return digits;
}

} // namespace chitarrella
