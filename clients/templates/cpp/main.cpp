// `play HOST:PORT`: validates a move, then creates a match and plays it to its end.
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include <grpcpp/grpcpp.h>

#include "chitarrella/v1/matches.grpc.pb.h"
#include "chitarrella/v1/rules.grpc.pb.h"

namespace v1 = chitarrella::v1;

// The context of one call, with the key of a seat or of the referee.
std::unique_ptr<grpc::ClientContext> with_key(const std::string& key = "") {
    auto context = std::make_unique<grpc::ClientContext>();
    if (!key.empty()) context->AddMetadata("authorization", "Bearer " + key);
    context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
    return context;
}

void check(const grpc::Status& status) {
    if (!status.ok()) throw std::runtime_error(status.error_message());
}

template <class Response>
void print_refusals(const Response& response) {
    for (const auto& refusal : response.refusals())
        std::cout << "refused: " << refusal.code() << " [" << refusal.clause().key() << "]\n";
}

// May the second of two players play the 2 of clubs to a queen? What is left out of the position is unknown.
void validate(v1::RulesService::Stub& rules) {
    v1::ValidateMoveRequest request;
    auto& position = *request.mutable_partial_position();
    position.mutable_rule_set()->set_game_id("bisca-brazil");
    position.mutable_rule_set()->set_players(2);
    auto& hand = *position.add_hands();
    for (const char* card : {"7h", "Kh", "2c"}) hand.add_cards(card);
    position.mutable_trick()->add_cards("Qh");
    position.set_trump("h");
    request.mutable_move()->set_verb("play_card");
    request.mutable_move()->add_cards("2c");
    v1::ValidateMoveResponse response;
    check(rules.ValidateMove(with_key().get(), request, &response));
    print_refusals(response);
}

// Plays a match of Briscola; returns its id.
std::string play(v1::MatchService::Stub& matches) {
    v1::CreateMatchRequest request;
    request.mutable_rule_set()->set_game_id("briscola");
    request.mutable_rule_set()->set_players(2);
    v1::CreatedMatch created;
    check(matches.CreateMatch(with_key().get(), request, &created));
    std::map<unsigned, std::string> keys;
    for (const auto& one : created.seat_keys()) keys[one.seat()] = one.key();
    for (bool refused = false;; refused = true) {
        v1::ListMatchMovesRequest asked;
        asked.set_match_id(created.match().match_id());
        v1::ListMatchMovesResponse found;
        check(matches.ListMatchMoves(with_key(created.referee_key()).get(), asked, &found));
        if (!found.has_seat()) return created.match().match_id();  // seat 0 is a seat: ask whether there is one
        const auto seat = refused ? found.seat() : 1 - found.seat();  // who is not on turn is refused, once
        v1::PlayMoveRequest move;
        move.set_match_id(created.match().match_id());
        move.set_seat(seat);
        *move.mutable_move() = found.moves(0);
        move.set_expected_revision(found.revision());
        v1::PlayMoveResponse played;
        check(matches.PlayMove(with_key(keys.at(seat)).get(), move, &played));
        print_refusals(played);
    }
}

int main(int count, char** arguments) {
    if (count != 2) {
        std::cerr << "usage: play HOST:PORT\n";
        return 2;
    }
    const auto channel = grpc::CreateChannel(arguments[1], grpc::InsecureChannelCredentials());
    try {
        validate(*v1::RulesService::NewStub(channel));
        const auto match_id = play(*v1::MatchService::NewStub(channel));
        std::cout << "match: " << match_id << '\n';
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
