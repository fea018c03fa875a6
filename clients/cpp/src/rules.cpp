// Calls about positions and cards.
#include "transport.hpp"

namespace chitarrella {

namespace {

/// A request about a position, of a seat where one is given.
template <class Request>
Request about(const v1::Position& position, std::optional<Seat> seat) {
    Request request;
    *request.mutable_position() = position;
    if (seat) request.set_seat(*seat);
    return request;
}

/// A request about cards on a table.
template <class Request>
Request about(const v1::Agreement& agreement, const std::string& trump) {
    Request request;
    *request.mutable_agreement() = agreement;
    request.set_trump(trump);
    return request;
}

} // namespace

Rules::Rules(std::shared_ptr<const Transport> transport) : transport_(std::move(transport)) {}

v1::StartGameResponse Rules::start(const v1::Agreement& agreement) const {
    v1::StartGameRequest request;
    *request.mutable_agreement() = agreement;
    return transport_->call(transport_->rules, &RulesStub::StartGame, request);
}

v1::ListLegalMovesResponse Rules::legal_moves(const v1::Position& position, std::optional<Seat> seat) const {
    return transport_->call(transport_->rules, &RulesStub::ListLegalMoves,
                            about<v1::ListLegalMovesRequest>(position, seat));
}

v1::ExplainHandResponse Rules::explain(const v1::Position& position, std::optional<Seat> seat) const {
    return transport_->call(transport_->rules, &RulesStub::ExplainHand, about<v1::ExplainHandRequest>(position, seat));
}

v1::JudgeResponse Rules::judge(const v1::Position& position, const v1::Move& move, std::optional<Seat> seat) const {
    auto request = about<v1::JudgeRequest>(position, seat);
    *request.mutable_move() = move;
    return transport_->call(transport_->rules, &RulesStub::Judge, request);
}

v1::PlayMovesResponse Rules::play(const v1::Position& position,
                                  const std::vector<std::pair<std::optional<Seat>, v1::Move>>& moves) const {
    v1::PlayMovesRequest request;
    *request.mutable_position() = position;
    for (const auto& [seat, move] : moves) {
        auto* made = request.add_moves();
        if (seat) made->set_seat(*seat);
        *made->mutable_move() = move;
    }
    return transport_->call(transport_->rules, &RulesStub::PlayMoves, request);
}

v1::View Rules::look(const v1::LookRequest& request) const {
    return transport_->call(transport_->rules, &RulesStub::Look, request).view();
}

std::vector<v1::ExplainedMove> Rules::playable(const v1::Agreement& agreement, const Cards& hand, const Cards& trick,
                                               const std::string& trump) const {
    auto request = about<v1::ListPlayableCardsRequest>(agreement, trump);
    *request.mutable_hand() = {hand.begin(), hand.end()};
    *request.mutable_trick() = {trick.begin(), trick.end()};
    const auto response = transport_->call(transport_->rules, &RulesStub::ListPlayableCards, request);
    return {response.moves().begin(), response.moves().end()};
}

v1::ResolveTrickResponse Rules::trick(const v1::Agreement& agreement, const Cards& cards,
                                      const std::string& trump) const {
    auto request = about<v1::ResolveTrickRequest>(agreement, trump);
    *request.mutable_cards() = {cards.begin(), cards.end()};
    return transport_->call(transport_->rules, &RulesStub::ResolveTrick, request);
}

std::vector<v1::Tally> Rules::count(const v1::Agreement& agreement, const Cards& cards,
                                    const std::string& trump) const {
    auto request = about<v1::CountPileRequest>(agreement, trump);
    *request.mutable_cards() = {cards.begin(), cards.end()};
    const auto response = transport_->call(transport_->rules, &RulesStub::CountPile, request);
    return {response.tallies().begin(), response.tallies().end()};
}

v1::VerifyDrawResponse Rules::verify_draw(const std::string& game, const v1::Draw& draw) const {
    v1::VerifyDrawRequest request;
    request.set_game(game);
    request.set_commitment(draw.commitment());
    request.set_nonce(draw.nonce());
    request.set_number(draw.number());
    *request.mutable_words() = draw.words();
    *request.mutable_cards() = draw.cards();
    if (draw.has_amount()) request.set_amount(draw.amount());
    *request.mutable_lots() = draw.lots();
    return transport_->call(transport_->rules, &RulesStub::VerifyDraw, request);
}

v1::BatchResponse Rules::batch(const v1::BatchRequest& questions) const {
    return transport_->call(transport_->rules, &RulesStub::Batch, questions);
}

} // namespace chitarrella
