// Value types: functions to build, read and print the messages of the contract.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <chitarrella/codes.hpp>
#include <chitarrella/v1/catalogue.pb.h>
#include <chitarrella/v1/matches.pb.h>
#include <chitarrella/v1/rules.pb.h>
#include <chitarrella/v1/table.pb.h>
#include <chitarrella/v1/webhooks.pb.h>
#include <google/protobuf/timestamp.pb.h>

namespace chitarrella {

/// The number of a seat, from 0.
using Seat = unsigned;

/// Cards in the notation of their pack, such as "Ab".
using Cards = std::vector<std::string>;

// The results of calls, under the names that they have in all clients.
using AppliedMoves = v1::ApplyMovesResponse;
using ClockAdvance = v1::AdvanceClockResponse;
using ClockResult = v1::EnforceClockResponse;
using Comparison = v1::CompareGamesResponse;
using CreatedWebhook = v1::CreateWebhookResponse;
using Delivery = v1::Delivery;
using ExplainedHand = v1::ExplainHandResponse;
using Game = v1::GetGameResponse;
using FoundMatch = v1::FoundMatch;
using GameStart = v1::StartGameResponse;
using LegalMoves = v1::ListLegalMovesResponse;
using MatchHand = v1::ExplainMatchHandResponse;
using MatchMoves = v1::ListMatchMovesResponse;
using MatchMoveValidation = v1::MatchServiceValidateMoveResponse;
using MatchState = v1::GetMatchResponse;
using MatchUpdate = v1::WatchMatchResponse;
using MoveResult = v1::PlayMoveResponse;
using MoveValidation = v1::ValidateMoveResponse;
using PlatformUpdate = v1::WatchMatchesResponse;
using SeedResult = v1::ContributeSeedResponse;
using TakebackResult = v1::TakeBackResponse;
using TrickResult = v1::ResolveTrickResponse;
using Webhook = v1::Webhook;

/// A rule set: the key of a game, the number of players (0: the game's default), the options.
v1::RuleSet rule_set(const std::string& game_id, unsigned players = 0,
                     const std::map<std::string, std::string>& options = {});

/// A position in the text form of the service, and its rule set.
v1::Position position(const v1::RuleSet& rule_set, const std::string& text);

/// What is known of a position in a game of tricks: complete hands by seat, and the cards of the current trick (none
/// for a lead; nothing: unknown). Set the trump, the stock and the leader on the message; what is not set is unknown.
v1::PartialPosition partial_position(const v1::RuleSet& rule_set, const std::map<Seat, Cards>& hands = {},
                                     const std::optional<Cards>& trick = {});

/// A move: a verb, such as "play_card", and its cards; set its other arguments on the message.
v1::Move make_move(const std::string& verb, const Cards& cards = {});

/// The optional seat of a message.
template <class Message>
std::optional<Seat> seat_of(const Message& message) {
    return message.has_seat() ? std::optional<Seat>(message.seat()) : std::nullopt;
}

/// The card of a game with that notation, as it ranks and counts where no suit is trumps; null if there is none.
const v1::Card* card_of(const Game& game, const std::string& code);

/// The index of the card that takes a trick, from 0; nothing if it depends on an unknown trump.
std::optional<unsigned> winning_index_of(const TrickResult& result);

/// The machine-readable reason of a refusal.
Reason reason(const v1::Refusal& refusal);

/// Whether the match is finished.
bool is_finished(const v1::View& view);

/// Whether the match is finished or aborted.
bool is_over(const MatchState& state);

/// The zone with that name and seat (nothing: a common zone); null if there is none.
const v1::Zone* zone(const v1::View& view, const std::string& name, std::optional<Seat> seat = {});

/// The cards in the hand of the viewer's seat; none for the public and the referee.
Cards hand_of(const MatchState& state);

/// A time of the contract, such as a deadline, as a point in time.
std::chrono::system_clock::time_point to_time(const google::protobuf::Timestamp& time);

/// A move as text: "play_card Ab".
std::string to_text(const v1::Move& move);

/// An event as text: the kind, the seat, then the rest: "trick_taken 1 Ab 3c".
std::string to_text(const v1::Event& event);

/// A refusal as text: the message, the code and the clause.
std::string to_text(const v1::Refusal& refusal);

} // namespace chitarrella
