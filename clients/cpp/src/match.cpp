// Asks about a match, and plays it.
#include "line.hpp"

namespace chitarrella {

namespace {

/// A question about a match.
template <class Question>
Question about(const Holder& holder) {
    Question question;
    question.set_match(holder.match);
    return question;
}

/// A question about a match, of the holder's seat.
template <class Question>
Question of_seat(const Holder& holder) {
    auto question = about<Question>(holder);
    if (holder.seat) question.set_seat(*holder.seat);
    return question;
}

/// A writing call, with what is said besides, and a request id in any case.
template <class Question>
Question writing(const Holder& holder, const Writing& besides) {
    auto question = of_seat<Question>(holder);
    if (besides.expected_revision) question.set_expected_revision(*besides.expected_revision);
    question.set_request_id(besides.request_id.empty() ? new_request_id() : besides.request_id);
    return question;
}

} // namespace

Match::Match(std::shared_ptr<const Line> line, Holder holder, std::shared_ptr<const Keys> keys)
    : line_(std::move(line)), holder_(std::move(holder)), keys_(std::move(keys)) {}

Match Match::as_seat(Seat seat) const {
    const auto known = keys_->find(seat);
    return {line_, {id(), known == keys_->end() ? key() : known->second, seat}, keys_};
}

v1::GetMatchResponse Match::look() const {
    return line_->ask(line_->matches, &MatchStub::GetMatch, of_seat<v1::GetMatchRequest>(holder_), key());
}

v1::ListMatchMovesResponse Match::moves() const {
    return line_->ask(line_->matches, &MatchStub::ListMatchMoves, of_seat<v1::ListMatchMovesRequest>(holder_), key());
}

v1::ExplainMatchHandResponse Match::hand() const {
    const auto question = of_seat<v1::ExplainMatchHandRequest>(holder_);
    return line_->ask(line_->matches, &MatchStub::ExplainMatchHand, question, key());
}

v1::JudgeMoveResponse Match::judge(const v1::Move& move) const {
    auto question = of_seat<v1::JudgeMoveRequest>(holder_);
    *question.mutable_move() = move;
    return line_->ask(line_->matches, &MatchStub::JudgeMove, question, key());
}

v1::PlayMoveResponse Match::play(const v1::Move& move, const Writing& besides, bool want_view) const {
    auto question = writing<v1::PlayMoveRequest>(holder_, besides);
    *question.mutable_move() = move;
    question.set_want_view(want_view);
    return line_->ask(line_->matches, &MatchStub::PlayMove, question, key());
}

v1::TakeBackResponse Match::take_back(bool refuse, const Writing& besides) const {
    auto question = writing<v1::TakeBackRequest>(holder_, besides);
    question.set_refuse(refuse);
    return line_->ask(line_->matches, &MatchStub::TakeBack, question, key());
}

std::vector<v1::WatchMatchResponse> Match::events(const std::string& after) const {
    std::vector<v1::WatchMatchResponse> told;
    auto question = of_seat<v1::ListEventsRequest>(holder_);
    question.set_cursor(after);
    for (bool more = true; more;) {
        const auto page = line_->ask(line_->matches, &MatchStub::ListEvents, question, key());
        told.insert(told.end(), page.moves().begin(), page.moves().end());
        question.set_cursor(page.cursor());
        more = page.more();
    }
    return told;
}

Watch Match::watch(const std::string& cursor) const {
    return {line_, holder_, cursor};
}

v1::ContributeToDealResponse Match::contribute(const std::string& word) const {
    auto question = of_seat<v1::ContributeToDealRequest>(holder_);
    question.set_word(word);
    question.set_request_id(new_request_id());
    return line_->ask(line_->matches, &MatchStub::ContributeToDeal, question, key());
}

v1::ContributeToDealResponse Match::deal_now() const {
    auto question = about<v1::ContributeToDealRequest>(holder_);
    question.set_request_id(new_request_id());
    return line_->ask(line_->matches, &MatchStub::ContributeToDeal, question, key());
}

std::vector<v1::Draw> Match::draws() const {
    const auto question = about<v1::ListDrawsRequest>(holder_);
    const auto answer = line_->ask(line_->matches, &MatchStub::ListDraws, question, key());
    return {answer.draws().begin(), answer.draws().end()};
}

std::string Match::record() const {
    return line_->ask(line_->matches, &MatchStub::GetRecord, about<v1::GetRecordRequest>(holder_), key()).record();
}

v1::RuleOnTimeResponse Match::rule_on_time() const {
    return line_->ask(line_->matches, &MatchStub::RuleOnTime, about<v1::RuleOnTimeRequest>(holder_), key());
}

v1::SeatBotResponse Match::seat_bot(const std::string& bot, unsigned think_ms) const {
    auto question = of_seat<v1::SeatBotRequest>(holder_);
    question.set_bot(bot);
    question.set_think_ms(think_ms);
    return line_->ask(line_->matches, &MatchStub::SeatBot, question, key());
}

unsigned Match::end() const {
    return line_->ask(line_->matches, &MatchStub::EndMatch, about<v1::EndMatchRequest>(holder_), key()).revision();
}

void Match::forget() const {
    line_->ask(line_->matches, &MatchStub::DeleteMatch, about<v1::DeleteMatchRequest>(holder_), key());
}

} // namespace chitarrella
