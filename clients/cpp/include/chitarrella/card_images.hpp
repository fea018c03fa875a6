// Cards as text with suit symbols.
#pragma once

#include <string>

namespace chitarrella {

/// Returns a card with the symbol of its suit, in UTF-8: "Th" of "French 52" is "10♥". `pack` is the name in the
/// catalogue. An unknown card is returned as it is.
std::string card_image(const std::string& card, const std::string& pack);

} // namespace chitarrella
