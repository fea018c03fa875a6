#include <iostream>

#include <chitarrella/chitarrella.hpp>

void list_legal_moves(const std::string& address) {
    const chitarrella::Cards trick{"Qh"};
    auto known = chitarrella::partial_position(chitarrella::rule_set("bisca-brazil"), {{0, {"7h", "Kh", "2c"}}}, trick);
    known.set_trump("h");
    const auto found = chitarrella::Client(address).rules().legal_moves(known);
    for (const auto& move : found.moves()) std::cout << chitarrella::to_text(move) << '\n'; // play_card Kh
}
