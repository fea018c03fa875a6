// Reads steps from JSON and writes results as JSON.
#pragma once

#include <chitarrella/chitarrella.hpp>
#include <nlohmann/json.hpp>

namespace runner {

using Json = nlohmann::json;

/// Reads a list of strings; empty if absent.
chitarrella::Cards strings(const Json& json, const char* name);

/// Reads a string; "" if absent.
std::string text(const Json& json, const char* name);

/// Reads a number, if present.
std::optional<unsigned> number(const Json& json, const char* name);

/// Reads the rule set of a step.
chitarrella::v1::RuleSet rule_set(const Json& step);

/// Reads the position of a step.
chitarrella::v1::Position position(const Json& step);

/// Reads a move.
chitarrella::v1::Move read_move(const Json& json);

Json to_json(const chitarrella::v1::Move& move);
Json to_json(const chitarrella::v1::Refusal& refusal);
Json to_json(const chitarrella::v1::ExplainedMove& explained);
Json to_json(const chitarrella::v1::Event& event);
Json to_json(const chitarrella::MatchState& state);

/// Writes who has to act.
Json waiting(const chitarrella::v1::View& view);

/// Writes the seat of a message, or null.
template <class Message>
Json seat(const Message& message) {
    return message.has_seat() ? Json(message.seat()) : Json();
}

/// Writes a list.
template <class Things>
Json all(const Things& things) {
    Json list = Json::array();
    for (const auto& thing : things) list.push_back(to_json(thing));
    return list;
}

/// Writes a list of strings or numbers.
template <class Things>
Json plain(const Things& things) {
    Json list = Json::array();
    for (const auto& thing : things) list.push_back(thing);
    return list;
}

/// Writes scores by the names of their counts.
template <class Scores>
Json scores(const Scores& scores) {
    Json values = Json::object();
    for (const auto& one : scores) values[one.name()] = one.value();
    return values;
}

} // namespace runner
