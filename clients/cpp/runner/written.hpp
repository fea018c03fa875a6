// How what a scenario says is read, and how results are written.
#pragma once

#include <chitarrella/chitarrella.hpp>
#include <nlohmann/json.hpp>

using Json = nlohmann::json;

/// Reads a list of words under a name; none where nothing is said.
chitarrella::Cards words(const Json& said, const char* name);

/// Reads a word under a name; "" where nothing is said.
std::string text(const Json& said, const char* name);

/// Reads a number under a name, if one is said.
std::optional<unsigned> number(const Json& said, const char* name);

/// Reads what is played in a step.
chitarrella::v1::Agreement agreement(const Json& step);

/// Reads the position of a step.
chitarrella::v1::Position position(const Json& step);

/// Reads a move.
chitarrella::v1::Move read_move(const Json& said);

Json written(const chitarrella::v1::Move& move);
Json written(const chitarrella::v1::Refusal& refusal);
Json written(const chitarrella::v1::ExplainedMove& explained);
Json written(const chitarrella::v1::Event& event);
Json written(const chitarrella::v1::GetMatchResponse& seen);

/// Writes whom the table waits for.
Json waiting(const chitarrella::v1::View& view);

/// Writes the seat that a message names, or null.
template <class Message>
Json seat(const Message& message) {
    return message.has_seat() ? Json(message.seat()) : Json();
}

/// Writes a list.
template <class Things>
Json all(const Things& things) {
    Json list = Json::array();
    for (const auto& thing : things) list.push_back(written(thing));
    return list;
}

/// Writes a list of words or numbers.
template <class Things>
Json plain(const Things& things) {
    Json list = Json::array();
    for (const auto& thing : things) list.push_back(thing);
    return list;
}

/// Writes counts.
template <class Tallies>
Json tallies(const Tallies& told) {
    Json counts = Json::object();
    for (const auto& one : told) counts[one.name()] = one.number();
    return counts;
}
