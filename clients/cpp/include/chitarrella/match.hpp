// A match that the service keeps, with the eyes and the hand of one key.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <chitarrella/watch.hpp>
#include <chitarrella/words.hpp>

namespace chitarrella {

/// The key of every person's seat; whoever has a key is that seat.
using Keys = std::map<Seat, std::string>;

/// What may be said with a writing call besides.
struct Writing {
    std::optional<unsigned> expected_revision{}; ///< only if the table is still there; else Code::stale_revision
    std::string request_id{};                    ///< for who wants to repeat the call later; if empty, one is made
};

/// A match. The key says who asks: a seat, the referee, or, without one, the public. All calls throw Error.
class Match {
  public:
    Match(std::shared_ptr<const Line> line, Holder holder, std::shared_ptr<const Keys> keys);

    /// The name of the match.
    const std::string& id() const { return holder_.match; }

    /// The key it is bound to; of a match that was just opened, the referee's.
    const std::string& key() const { return holder_.key; }

    /// The seat that as_seat has named.
    std::optional<Seat> seat() const { return holder_.seat; }

    /// The keys of the seats, where this client has opened the match.
    const Keys& keys() const { return *keys_; }

    /// Speaks for a seat: with its own key where that is known, or else with the referee's.
    Match as_seat(Seat seat) const;

    /// Looks at the table.
    v1::GetMatchResponse look() const;

    /// Lists what the seat may do now; for the referee, what the seat to move may do.
    v1::ListMatchMovesResponse moves() const;

    /// Explains every card of the seat: legal, or the clauses it would break.
    v1::ExplainMatchHandResponse hand() const;

    /// Judges a move without making it.
    v1::JudgeMoveResponse judge(const v1::Move& move) const;

    /// Makes a move. A refusal is an answer: see `accepted` and `refusals`.
    v1::PlayMoveResponse play(const v1::Move& move, const Writing& besides = {}, bool want_view = false) const;

    /// Asks that the last decision be taken back, agrees to that, or refuses; the referee decides for all.
    v1::TakeBackResponse take_back(bool refuse = false, const Writing& besides = {}) const;

    /// Lists all that has happened after a cursor, or from the first card on, as those eyes may know it.
    std::vector<v1::WatchMatchResponse> events(const std::string& after = "") const;

    /// Follows the match from a cursor, or from the first card on, until it is over, through cuts.
    Watch watch(const std::string& cursor = "") const;

    /// Adds a word to the shuffle of the pack that is wanted: any text without line breaks, best a long random one.
    v1::ContributeToDealResponse contribute(const std::string& word) const;

    /// Waits for no more words, as the referee.
    v1::ContributeToDealResponse deal_now() const;

    /// Lists every pack and lot that was drawn, with as much of the proof as hides nothing any more.
    std::vector<v1::Draw> draws() const;

    /// Gives the record of the match: to the referee at any time, to everybody when it is over.
    std::string record() const;

    /// Has the seat on turn make its move by default, if its time is over.
    v1::RuleOnTimeResponse rule_on_time() const;

    /// Gives the seat to a bot, or back to a person where that is empty; gives the seats that bots play. `think_ms` is
    /// how many milliseconds it may think about a move; 0 for the service's default.
    v1::SeatBotResponse seat_bot(const std::string& bot, unsigned think_ms = 0) const;

    /// Ends the match before its time, as the referee; gives the last revision.
    unsigned end() const;

    /// Has the match forgotten at once, as the referee.
    void forget() const;

  private:
    std::shared_ptr<const Line> line_;
    Holder holder_;
    std::shared_ptr<const Keys> keys_;
};

} // namespace chitarrella
