// Checking a draw without asking anybody: the shuffle of the service, said once more in a few lines.
#pragma once

#include <string>
#include <vector>

#include <chitarrella/v1/matches.pb.h>

namespace chitarrella {

/// Tells whether a draw came out as its commitment promised; `pack` is that of the game, as the catalogue has it. A lot
/// needs no pack. A draw that was handed in, or whose nonce is not told yet, is not proved.
bool is_fair(const v1::Draw& draw, const std::vector<std::string>& pack = {});

} // namespace chitarrella
