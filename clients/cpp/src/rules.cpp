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

/// A request about what is known of a position, of a seat where one is given.
template <class Request>
Request about(const v1::PartialPosition& position, std::optional<Seat> seat) {
    Request request;
    *request.mutable_partial_position() = position;
    if (seat) request.set_seat(*seat);
    return request;
}

/// A request about cards without a position.
template <class Request>
Request about(const v1::RuleSet& rule_set, const std::optional<std::string>& trump) {
    Request request;
    *request.mutable_rule_set() = rule_set;
    if (trump) request.set_trump(*trump);
    return request;
}

} // namespace

Rules::Rules(std::shared_ptr<const Transport> transport) : transport_(std::move(transport)) {}

GameStart Rules::start_game(const v1::RuleSet& rule_set) const {
    v1::StartGameRequest request;
    *request.mutable_rule_set() = rule_set;
    return transport_->call(transport_->rules, &RulesStub::StartGame, request);
}

LegalMoves Rules::legal_moves(const v1::Position& position, std::optional<Seat> seat) const {
    return transport_->call(transport_->rules, &RulesStub::ListLegalMoves,
                            about<v1::ListLegalMovesRequest>(position, seat));
}

LegalMoves Rules::legal_moves(const v1::PartialPosition& position, std::optional<Seat> seat) const {
    return transport_->call(transport_->rules, &RulesStub::ListLegalMoves,
                            about<v1::ListLegalMovesRequest>(position, seat));
}

ExplainedHand Rules::explain_hand(const v1::Position& position, std::optional<Seat> seat) const {
    return transport_->call(transport_->rules, &RulesStub::ExplainHand, about<v1::ExplainHandRequest>(position, seat));
}

ExplainedHand Rules::explain_hand(const v1::PartialPosition& position, std::optional<Seat> seat) const {
    return transport_->call(transport_->rules, &RulesStub::ExplainHand, about<v1::ExplainHandRequest>(position, seat));
}

MoveValidation Rules::validate_move(const v1::Position& position, const v1::Move& move,
                                    std::optional<Seat> seat) const {
    auto request = about<v1::ValidateMoveRequest>(position, seat);
    *request.mutable_move() = move;
    return transport_->call(transport_->rules, &RulesStub::ValidateMove, request);
}

MoveValidation Rules::validate_move(const v1::PartialPosition& position, const v1::Move& move,
                                    std::optional<Seat> seat) const {
    auto request = about<v1::ValidateMoveRequest>(position, seat);
    *request.mutable_move() = move;
    return transport_->call(transport_->rules, &RulesStub::ValidateMove, request);
}

AppliedMoves Rules::apply_moves(const v1::Position& position,
                                const std::vector<std::pair<std::optional<Seat>, v1::Move>>& moves) const {
    v1::ApplyMovesRequest request;
    *request.mutable_position() = position;
    for (const auto& [seat, move] : moves) {
        auto* made = request.add_moves();
        if (seat) made->set_seat(*seat);
        *made->mutable_move() = move;
    }
    return transport_->call(transport_->rules, &RulesStub::ApplyMoves, request);
}

v1::View Rules::get_view(const v1::GetViewRequest& request) const {
    return transport_->call(transport_->rules, &RulesStub::GetView, request).view();
}

std::vector<v1::ExplainedMove> Rules::playable_cards(const v1::RuleSet& rule_set, const Cards& hand, const Cards& trick,
                                                     const std::string& trump, const std::string& trump_card,
                                                     const std::string& declared_suit, bool stock_left) const {
    auto request = about<v1::ListPlayableCardsRequest>(rule_set, trump);
    *request.mutable_hand() = {hand.begin(), hand.end()};
    *request.mutable_trick() = {trick.begin(), trick.end()};
    request.set_trump_card(trump_card);
    request.set_declared_suit(declared_suit);
    request.set_stock_left(stock_left);
    const auto response = transport_->call(transport_->rules, &RulesStub::ListPlayableCards, request);
    return {response.moves().begin(), response.moves().end()};
}

TrickResult Rules::resolve_trick(const v1::RuleSet& rule_set, const Cards& cards,
                                 const std::optional<std::string>& trump,
                                 const std::optional<std::string>& trump_card) const {
    auto request = about<v1::ResolveTrickRequest>(rule_set, trump);
    *request.mutable_cards() = {cards.begin(), cards.end()};
    if (trump_card) request.set_trump_card(*trump_card);
    return transport_->call(transport_->rules, &RulesStub::ResolveTrick, request);
}

std::vector<v1::Score> Rules::score_cards(const v1::RuleSet& rule_set, const Cards& cards,
                                          const std::string& trump) const {
    auto request = about<v1::ScoreCardsRequest>(rule_set, trump);
    *request.mutable_cards() = {cards.begin(), cards.end()};
    const auto response = transport_->call(transport_->rules, &RulesStub::ScoreCards, request);
    return {response.scores().begin(), response.scores().end()};
}

v1::VerifyShuffleResponse Rules::verify_shuffle(const std::string& game_id, const v1::Shuffle& shuffle) const {
    v1::VerifyShuffleRequest request;
    request.set_game_id(game_id);
    request.set_commitment(shuffle.commitment());
    request.set_nonce(shuffle.nonce());
    request.set_number(shuffle.number());
    *request.mutable_client_seeds() = shuffle.client_seeds();
    *request.mutable_cards() = shuffle.cards();
    if (shuffle.has_amount()) request.set_amount(shuffle.amount());
    *request.mutable_lots() = shuffle.lots();
    return transport_->call(transport_->rules, &RulesStub::VerifyShuffle, request);
}

v1::BatchResponse Rules::batch(const v1::BatchRequest& questions) const {
    return transport_->call(transport_->rules, &RulesStub::Batch, questions);
}

} // namespace chitarrella
