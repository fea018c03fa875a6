// Local verification of shuffles: the service's commit-reveal shuffle, implemented again.
#pragma once

#include <string>
#include <vector>

#include <chitarrella/v1/matches.pb.h>

namespace chitarrella {

/// Whether a shuffle follows from its commitment; `pack` is the pack of the game, in the order of the catalogue, not
/// needed for a lot. A shuffle that the referee supplied, or whose nonce is not published yet, cannot be verified:
/// false.
bool is_fair(const v1::Shuffle& shuffle, const std::vector<std::string>& pack = {});

} // namespace chitarrella
