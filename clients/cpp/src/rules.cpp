// Puts questions about positions and cards.
#include "line.hpp"

namespace chitarrella {

namespace {

/// A question about a position, of a seat where one is given.
template <class Question>
Question about(const v1::Position& position, std::optional<Seat> seat) {
    Question question;
    *question.mutable_position() = position;
    if (seat) question.set_seat(*seat);
    return question;
}

/// A question about cards on a table.
template <class Question>
Question about(const v1::Agreement& agreement, const std::string& trump) {
    Question question;
    *question.mutable_agreement() = agreement;
    question.set_trump(trump);
    return question;
}

} // namespace

Rules::Rules(std::shared_ptr<const Line> line) : line_(std::move(line)) {}

v1::StartGameResponse Rules::start(const v1::Agreement& agreement) const {
    v1::StartGameRequest question;
    *question.mutable_agreement() = agreement;
    return line_->ask(line_->rules, &RulesStub::StartGame, question);
}

v1::ListLegalMovesResponse Rules::legal_moves(const v1::Position& position, std::optional<Seat> seat) const {
    return line_->ask(line_->rules, &RulesStub::ListLegalMoves, about<v1::ListLegalMovesRequest>(position, seat));
}

v1::ExplainHandResponse Rules::explain(const v1::Position& position, std::optional<Seat> seat) const {
    return line_->ask(line_->rules, &RulesStub::ExplainHand, about<v1::ExplainHandRequest>(position, seat));
}

v1::JudgeResponse Rules::judge(const v1::Position& position, const v1::Move& move, std::optional<Seat> seat) const {
    auto question = about<v1::JudgeRequest>(position, seat);
    *question.mutable_move() = move;
    return line_->ask(line_->rules, &RulesStub::Judge, question);
}

v1::PlayMovesResponse Rules::play(const v1::Position& position,
                                  const std::vector<std::pair<std::optional<Seat>, v1::Move>>& moves) const {
    v1::PlayMovesRequest question;
    *question.mutable_position() = position;
    for (const auto& [seat, move] : moves) {
        auto* made = question.add_moves();
        if (seat) made->set_seat(*seat);
        *made->mutable_move() = move;
    }
    return line_->ask(line_->rules, &RulesStub::PlayMoves, question);
}

v1::View Rules::look(const v1::LookRequest& request) const {
    return line_->ask(line_->rules, &RulesStub::Look, request).view();
}

std::vector<v1::ExplainedMove> Rules::playable(const v1::Agreement& agreement, const Cards& hand, const Cards& trick,
                                               const std::string& trump) const {
    auto question = about<v1::ListPlayableCardsRequest>(agreement, trump);
    *question.mutable_hand() = {hand.begin(), hand.end()};
    *question.mutable_trick() = {trick.begin(), trick.end()};
    const auto answer = line_->ask(line_->rules, &RulesStub::ListPlayableCards, question);
    return {answer.moves().begin(), answer.moves().end()};
}

v1::ResolveTrickResponse Rules::trick(const v1::Agreement& agreement, const Cards& cards,
                                      const std::string& trump) const {
    auto question = about<v1::ResolveTrickRequest>(agreement, trump);
    *question.mutable_cards() = {cards.begin(), cards.end()};
    return line_->ask(line_->rules, &RulesStub::ResolveTrick, question);
}

std::vector<v1::Tally> Rules::count(const v1::Agreement& agreement, const Cards& cards,
                                    const std::string& trump) const {
    auto question = about<v1::CountPileRequest>(agreement, trump);
    *question.mutable_cards() = {cards.begin(), cards.end()};
    const auto answer = line_->ask(line_->rules, &RulesStub::CountPile, question);
    return {answer.tallies().begin(), answer.tallies().end()};
}

v1::VerifyDrawResponse Rules::verify_draw(const std::string& game, const v1::Draw& draw) const {
    v1::VerifyDrawRequest question;
    question.set_game(game);
    question.set_commitment(draw.commitment());
    question.set_nonce(draw.nonce());
    question.set_number(draw.number());
    *question.mutable_words() = draw.words();
    *question.mutable_cards() = draw.cards();
    if (draw.has_amount()) question.set_amount(draw.amount());
    *question.mutable_lots() = draw.lots();
    return line_->ask(line_->rules, &RulesStub::VerifyDraw, question);
}

v1::BatchResponse Rules::batch(const v1::BatchRequest& questions) const {
    return line_->ask(line_->rules, &RulesStub::Batch, questions);
}

} // namespace chitarrella
