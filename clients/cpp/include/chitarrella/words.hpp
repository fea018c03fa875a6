// Value types: functions to build, read and print the messages of the contract.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <chitarrella/codes.hpp>
#include <chitarrella/v1/matches.pb.h>
#include <chitarrella/v1/rules.pb.h>
#include <chitarrella/v1/table.pb.h>

namespace chitarrella {

/// The number of a seat, from 0.
using Seat = unsigned;

/// Cards in the notation of their pack, such as "Ab".
using Cards = std::vector<std::string>;

/// An agreement: the key of a game, the number of players (0: the game's default), the options.
v1::Agreement agreement(const std::string& game, unsigned players = 0,
                        const std::map<std::string, std::string>& options = {});

/// A position in the text form of the service, and its agreement.
v1::Position position(const v1::Agreement& agreement, const std::string& line);

/// A move: a verb, such as "play_card", and its cards; set its other arguments on the message.
v1::Move make_move(const std::string& verb, const Cards& cards = {});

/// The optional seat of a message.
template <class Message>
std::optional<Seat> seat_of(const Message& message) {
    return message.has_seat() ? std::optional<Seat>(message.seat()) : std::nullopt;
}

/// The machine-readable reason of a refusal.
Reason reason(const v1::Refusal& refusal);

/// Whether the match is finished or aborted.
bool is_over(const v1::GetMatchResponse& seen);

/// The cards in the hand of the viewer's seat; none for the public and the referee.
Cards hand_of(const v1::GetMatchResponse& seen);

/// A move as text: "play_card Ab".
std::string to_text(const v1::Move& move);

/// An event as text: the kind, the seat, then the rest: "trick_taken 1 Ab 3c".
std::string to_text(const v1::Event& event);

/// A refusal as text: the message, the code and the clause.
std::string to_text(const v1::Refusal& refusal);

} // namespace chitarrella
