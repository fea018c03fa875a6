// Pictures of cards as text: rank and suit as the players know them.
#pragma once

#include <string>

namespace chitarrella {

/// Gives the picture of a card of a pack, which is named as the catalogue names it, in UTF-8: "Th" of "French 52" is
/// "10♥"; of what is none, the text.
std::string picture(const std::string& card, const std::string& pack);

} // namespace chitarrella
