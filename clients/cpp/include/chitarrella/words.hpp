// The nouns of a card table, which are the messages of the contract, made easier to write and to read.
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

/// The number of a seat; seat 0 is a seat.
using Seat = unsigned;

/// Cards in the notation of their pack, such as "Ab".
using Cards = std::vector<std::string>;

/// What is played: the key of a game, how many persons play (0: as many as the game names first), the house rules.
v1::Agreement agreement(const std::string& game, unsigned players = 0,
                        const std::map<std::string, std::string>& options = {});

/// A position as the service writes it, and what is played.
v1::Position position(const v1::Agreement& agreement, const std::string& line);

/// A move: a verb, such as "play_card", and its cards; what else it takes is set on the message.
v1::Move make_move(const std::string& verb, const Cards& cards = {});

/// The seat that a message names, or nothing.
template <class Message>
std::optional<Seat> seat_of(const Message& message) {
    return message.has_seat() ? std::optional<Seat>(message.seat()) : std::nullopt;
}

/// Why a move is refused, to be switched on.
Reason reason(const v1::Refusal& refusal);

/// Whether nothing more will happen in the match.
bool is_over(const v1::GetMatchResponse& seen);

/// The cards in the hand of the seat whose eyes these are; none for the public and the referee.
Cards hand_of(const v1::GetMatchResponse& seen);

/// A move as text: "play_card Ab".
std::string to_text(const v1::Move& move);

/// An event as text, what happened, whom it concerns, then the rest: "trick_taken 1 Ab 3c".
std::string to_text(const v1::Event& event);

/// A refusal as text: why, and by which clause.
std::string to_text(const v1::Refusal& refusal);

} // namespace chitarrella
