// Local verification of draws: the service's commit-reveal shuffle, implemented again.
#pragma once

#include <string>
#include <vector>

#include <chitarrella/v1/matches.pb.h>

namespace chitarrella {

/// Whether a draw follows from its commitment; `pack` is the pack of the game, in the order of the catalogue, not
/// needed for a lot. A draw supplied by the referee, or whose nonce is not published yet, cannot be verified: false.
bool is_fair(const v1::Draw& draw, const std::vector<std::string>& pack = {});

} // namespace chitarrella
