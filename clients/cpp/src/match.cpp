// Calls about a match.
#include "transport.hpp"

namespace chitarrella {

namespace {

/// A request about a match.
template <class Request>
Request for_match(const SeatAccess& access) {
    Request request;
    request.set_match_id(access.match_id);
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

MatchState Match::get() const {
    return transport_->call(transport_->matches, &MatchStub::GetMatch, for_seat<v1::GetMatchRequest>(access_), key());
}

MatchMoves Match::legal_moves() const {
    return transport_->call(transport_->matches, &MatchStub::ListMatchMoves,
                            for_seat<v1::ListMatchMovesRequest>(access_), key());
}

MatchHand Match::explain_hand() const {
    const auto request = for_seat<v1::ExplainMatchHandRequest>(access_);
    return transport_->call(transport_->matches, &MatchStub::ExplainMatchHand, request, key());
}

MatchMoveValidation Match::validate_move(const v1::Move& move) const {
    auto request = for_seat<v1::MatchServiceValidateMoveRequest>(access_);
    *request.mutable_move() = move;
    return transport_->call(transport_->matches, &MatchStub::ValidateMove, request, key());
}

MoveResult Match::play(const v1::Move& move, const Writing& options, bool include_view) const {
    auto request = writing<v1::PlayMoveRequest>(access_, options);
    *request.mutable_move() = move;
    request.set_include_view(include_view);
    return transport_->call(transport_->matches, &MatchStub::PlayMove, request, key());
}

TakebackResult Match::take_back(bool decline, const Writing& options) const {
    auto request = writing<v1::TakeBackRequest>(access_, options);
    request.set_decline(decline);
    return transport_->call(transport_->matches, &MatchStub::TakeBack, request, key());
}

std::vector<MatchUpdate> Match::events(const std::string& after) const {
    std::vector<MatchUpdate> updates;
    auto request = for_seat<v1::ListEventsRequest>(access_);
    request.set_cursor(after);
    for (bool more = true; more;) {
        const auto page = transport_->call(transport_->matches, &MatchStub::ListEvents, request, key());
        updates.insert(updates.end(), page.moves().begin(), page.moves().end());
        request.set_cursor(page.cursor());
        more = page.has_more();
    }
    return updates;
}

Watch Match::watch(const std::string& cursor) const {
    return {transport_, access_, cursor};
}

SeedResult Match::contribute_seed(const std::string& client_seed) const {
    auto request = for_seat<v1::ContributeSeedRequest>(access_);
    request.set_client_seed(client_seed);
    request.set_request_id(new_request_id());
    return transport_->call(transport_->matches, &MatchStub::ContributeSeed, request, key());
}

SeedResult Match::shuffle_now() const {
    auto request = for_match<v1::ContributeSeedRequest>(access_);
    request.set_request_id(new_request_id());
    return transport_->call(transport_->matches, &MatchStub::ContributeSeed, request, key());
}

std::vector<v1::Shuffle> Match::shuffles() const {
    const auto request = for_match<v1::ListShufflesRequest>(access_);
    const auto response = transport_->call(transport_->matches, &MatchStub::ListShuffles, request, key());
    return {response.shuffles().begin(), response.shuffles().end()};
}

std::string Match::record() const {
    return transport_->call(transport_->matches, &MatchStub::GetRecord, for_match<v1::GetRecordRequest>(access_), key())
        .record();
}

ClockResult Match::enforce_clock() const {
    return transport_->call(transport_->matches, &MatchStub::EnforceClock, for_match<v1::EnforceClockRequest>(access_),
                            key());
}

ClockAdvance Match::advance_clock(std::chrono::seconds by, const std::string& request_id) const {
    auto request = for_match<v1::AdvanceClockRequest>(access_);
    request.set_seconds(static_cast<unsigned>(by.count()));
    request.set_request_id(request_id.empty() ? new_request_id() : request_id);
    return transport_->call(transport_->matches, &MatchStub::AdvanceClock, request, key());
}

Match Match::rotate_key(std::optional<Seat> seat, const std::string& request_id) const {
    auto request = for_match<v1::RotateKeyRequest>(access_);
    if (seat) request.set_seat(*seat);
    request.set_request_id(request_id.empty() ? new_request_id() : request_id);
    const auto new_key = transport_->call(transport_->matches, &MatchStub::RotateKey, request, key()).key();
    const auto known = seat ? keys_->find(*seat) : keys_->end();
    const auto old_key = !seat ? key() : known == keys_->end() ? std::string() : known->second;
    auto keys = *keys_;
    for (auto& [other, one] : keys) {
        if (one == old_key) one = new_key;
    }
    if (seat) keys[*seat] = new_key;
    auto access = access_;
    if (access.key == old_key) access.key = new_key;
    return {transport_, std::move(access), std::make_shared<const Keys>(std::move(keys))};
}

v1::AssignBotResponse Match::assign_bot(const std::string& bot, unsigned think_ms) const {
    auto request = for_seat<v1::AssignBotRequest>(access_);
    request.set_bot(bot);
    request.set_think_ms(think_ms);
    return transport_->call(transport_->matches, &MatchStub::AssignBot, request, key());
}

unsigned Match::abort() const {
    return transport_
        ->call(transport_->matches, &MatchStub::AbortMatch, for_match<v1::AbortMatchRequest>(access_), key())
        .revision();
}

void Match::delete_match() const {
    transport_->call(transport_->matches, &MatchStub::DeleteMatch, for_match<v1::DeleteMatchRequest>(access_), key());
}

} // namespace chitarrella
