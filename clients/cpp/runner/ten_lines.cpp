#include <iostream>

#include <chitarrella/chitarrella.hpp>

void play_a_match(const std::string& address) {
    const chitarrella::Client client(address);
    const auto match = client.create_match(chitarrella::rule_set("briscola"));
    for (auto found = match.legal_moves(); found.has_seat(); found = match.legal_moves()) { // the seat to move
        const auto seat = match.as_seat(found.seat());                                      // with the key of that seat
        const auto played = seat.play(found.moves(0), {found.revision()});
        for (const auto& event : played.events()) std::cout << chitarrella::to_text(event) << '\n';
    }
    const auto state = match.get();
    for (const auto winner : state.view().outcome().winners()) std::cout << "won by " << winner << '\n';
}
