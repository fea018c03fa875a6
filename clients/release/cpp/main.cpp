#include <iostream>

#include <chitarrella/chitarrella.hpp>

int main(int, char** arguments) {
    const chitarrella::Client client(arguments[1]);
    const auto match = client.create_match(chitarrella::rule_set("briscola"));
    for (auto found = match.legal_moves(); found.has_seat(); found = match.legal_moves())
        match.as_seat(found.seat()).play(found.moves(0));
    std::cout << match.id() << '\n';
}
