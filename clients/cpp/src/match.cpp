// Calls about a match.
#include "transport.hpp"

namespace chitarrella {

namespace {

/// A request about a match.
template <class Request>
Request for_match(const SeatAccess& access) {
    Request request;
    request.set_match(access.match);
    return request;
}

/// A request about a match, of the access's seat.
template <class Request>
Request for_seat(const SeatAccess& access) {
    auto request = for_match<Request>(access);
    if (access.seat) request.set_seat(*access.seat);
    return request;
}

/// A writing call with its options, and always with a request id.
template <class Request>
Request writing(const SeatAccess& access, const Writing& options) {
    auto request = for_seat<Request>(access);
    if (options.expected_revision) request.set_expected_revision(*options.expected_revision);
    request.set_request_id(options.request_id.empty() ? new_request_id() : options.request_id);
    return request;
}

} // namespace

Match::Match(std::shared_ptr<const Transport> transport, SeatAccess access, std::shared_ptr<const Keys> keys)
    : transport_(std::move(transport)), access_(std::move(access)), keys_(std::move(keys)) {}

Match Match::as_seat(Seat seat) const {
    const auto known = keys_->find(seat);
    return {transport_, {id(), known == keys_->end() ? key() : known->second, seat}, keys_};
}

v1::GetMatchResponse Match::look() const {
    return transport_->call(transport_->matches, &MatchStub::GetMatch, for_seat<v1::GetMatchRequest>(access_), key());
}

v1::ListMatchMovesResponse Match::moves() const {
    return transport_->call(transport_->matches, &MatchStub::ListMatchMoves,
                            for_seat<v1::ListMatchMovesRequest>(access_), key());
}

v1::ExplainMatchHandResponse Match::hand() const {
    const auto request = for_seat<v1::ExplainMatchHandRequest>(access_);
    return transport_->call(transport_->matches, &MatchStub::ExplainMatchHand, request, key());
}

v1::JudgeMoveResponse Match::judge(const v1::Move& move) const {
    auto request = for_seat<v1::JudgeMoveRequest>(access_);
    *request.mutable_move() = move;
    return transport_->call(transport_->matches, &MatchStub::JudgeMove, request, key());
}

v1::PlayMoveResponse Match::play(const v1::Move& move, const Writing& options, bool want_view) const {
    auto request = writing<v1::PlayMoveRequest>(access_, options);
    *request.mutable_move() = move;
    request.set_want_view(want_view);
    return transport_->call(transport_->matches, &MatchStub::PlayMove, request, key());
}

v1::TakeBackResponse Match::take_back(bool refuse, const Writing& options) const {
    auto request = writing<v1::TakeBackRequest>(access_, options);
    request.set_refuse(refuse);
    return transport_->call(transport_->matches, &MatchStub::TakeBack, request, key());
}

std::vector<v1::WatchMatchResponse> Match::events(const std::string& after) const {
    std::vector<v1::WatchMatchResponse> updates;
    auto request = for_seat<v1::ListEventsRequest>(access_);
    request.set_cursor(after);
    for (bool more = true; more;) {
        const auto page = transport_->call(transport_->matches, &MatchStub::ListEvents, request, key());
        updates.insert(updates.end(), page.moves().begin(), page.moves().end());
        request.set_cursor(page.cursor());
        more = page.more();
    }
    return updates;
}

Watch Match::watch(const std::string& cursor) const {
    return {transport_, access_, cursor};
}

v1::ContributeToDealResponse Match::contribute(const std::string& word) const {
    auto request = for_seat<v1::ContributeToDealRequest>(access_);
    request.set_word(word);
    request.set_request_id(new_request_id());
    return transport_->call(transport_->matches, &MatchStub::ContributeToDeal, request, key());
}

v1::ContributeToDealResponse Match::deal_now() const {
    auto request = for_match<v1::ContributeToDealRequest>(access_);
    request.set_request_id(new_request_id());
    return transport_->call(transport_->matches, &MatchStub::ContributeToDeal, request, key());
}

std::vector<v1::Draw> Match::draws() const {
    const auto request = for_match<v1::ListDrawsRequest>(access_);
    const auto response = transport_->call(transport_->matches, &MatchStub::ListDraws, request, key());
    return {response.draws().begin(), response.draws().end()};
}

std::string Match::record() const {
    return transport_->call(transport_->matches, &MatchStub::GetRecord, for_match<v1::GetRecordRequest>(access_), key())
        .record();
}

v1::RuleOnTimeResponse Match::rule_on_time() const {
    return transport_->call(transport_->matches, &MatchStub::RuleOnTime, for_match<v1::RuleOnTimeRequest>(access_),
                            key());
}

v1::SeatBotResponse Match::seat_bot(const std::string& bot, unsigned think_ms) const {
    auto request = for_seat<v1::SeatBotRequest>(access_);
    request.set_bot(bot);
    request.set_think_ms(think_ms);
    return transport_->call(transport_->matches, &MatchStub::SeatBot, request, key());
}

unsigned Match::end() const {
    return transport_->call(transport_->matches, &MatchStub::EndMatch, for_match<v1::EndMatchRequest>(access_), key())
        .revision();
}

void Match::forget() const {
    transport_->call(transport_->matches, &MatchStub::DeleteMatch, for_match<v1::DeleteMatchRequest>(access_), key());
}

} // namespace chitarrella
