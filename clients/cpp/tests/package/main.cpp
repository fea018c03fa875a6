// Tests that an installed client has all headers and libraries that a program needs.
#include <chitarrella/chitarrella.hpp>

int main() {
    const chitarrella::Client client("127.0.0.1:1");
    const auto text = chitarrella::to_text(chitarrella::make_move("play_card", {"Ab"}));
    return text == "play_card Ab" && client.match("id").key().empty() ? 0 : 1;
}
