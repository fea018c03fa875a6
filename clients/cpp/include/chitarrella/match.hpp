// A match stored by the service, seen and played with one key.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <chitarrella/types.hpp>
#include <chitarrella/watch.hpp>

namespace chitarrella {

/// The keys of the seats of persons. A key is the only proof of a seat.
using Keys = std::map<Seat, std::string>;

/// Options of a writing call.
struct Writing {
    std::optional<unsigned> expected_revision{}; ///< precondition; else the call fails with Code::stale_revision
    std::string request_id{};                    ///< to repeat the call later; a random one if empty
};

/// A match. The key identifies the caller: a seat, the referee, or, if empty, the public. All calls throw Error.
class Match {
  public:
    Match(std::shared_ptr<const Transport> transport, SeatAccess access, std::shared_ptr<const Keys> keys);

    /// The id of the match.
    const std::string& id() const { return access_.match_id; }

    /// The key in use; for a match just created, the referee's.
    const std::string& key() const { return access_.key; }

    /// The seat set by as_seat.
    std::optional<Seat> seat() const { return access_.seat; }

    /// The keys of the seats, if this client created the match.
    const Keys& keys() const { return *keys_; }

    /// Acts for a seat: with the seat's own key if known, else with the referee's.
    Match as_seat(Seat seat) const;

    /// Returns the current state of the match.
    MatchState get() const;

    /// Lists the legal moves of the seat; for the referee, those of the seat to move.
    MatchMoves legal_moves() const;

    /// Explains every card of the seat: legal, or the clauses that forbid it.
    MatchHand explain_hand() const;

    /// Validates a move without playing it.
    MatchMoveValidation validate_move(const v1::Move& move) const;

    /// Plays a move. A refusal is a result, not an error: see `accepted` and `refusals`.
    MoveResult play(const v1::Move& move, const Writing& options = {}, bool include_view = false) const;

    /// Requests that the last decision be taken back, agrees to it, or declines; the referee decides for all.
    TakebackResult take_back(bool decline = false, const Writing& options = {}) const;

    /// Lists the updates after a cursor, or from the first card on.
    std::vector<MatchUpdate> events(const std::string& after = "") const;

    /// Watches the match from a cursor, or from the first card on, until it is finished; reconnects by itself.
    Watch watch(const std::string& cursor = "") const;

    /// Adds the seat's seed to the next shuffle: any text without line breaks, best a long random one.
    SeedResult contribute_seed(const std::string& client_seed) const;

    /// Shuffles without waiting for more seeds, as the referee.
    SeedResult shuffle_now() const;

    /// Lists every shuffle and lot with its proof, as far as that can be published yet.
    std::vector<v1::Shuffle> shuffles() const;

    /// Returns the record of the match: to the referee at any time, to everybody once it is finished.
    std::string record() const;

    /// Enforces the clock: plays the default move of a seat that has used up its time.
    ClockResult enforce_clock() const;

    /// Moves the time of a test forward, as the referee. A seat that is then out of time plays its default move.
    ClockAdvance advance_clock(std::chrono::seconds by, const std::string& request_id = "") const;

    /// Replaces the key in use (nothing), or, as the referee, that of a seat; returns the match with the new key: its
    /// `key()`, or that of the seat in its `keys()`. A `request_id`, to repeat the call later, must be unguessable.
    ///
    /// The old key is closed at once: this match goes on only if its own key stays, and watches with the old key end.
    Match rotate_key(std::optional<Seat> seat = {}, const std::string& request_id = "") const;

    /// Assigns the seat to a bot, or back to a person if that is empty; returns the seats played by bots. `think_ms` is
    /// the thinking time for a move in milliseconds; 0 for the service's default.
    v1::AssignBotResponse assign_bot(const std::string& bot, unsigned think_ms = 0) const;

    /// Aborts the match, as the referee; returns its last revision.
    unsigned abort() const;

    /// Deletes the match at once, as the referee.
    void delete_match() const;

  private:
    std::shared_ptr<const Transport> transport_;
    SeatAccess access_;
    std::shared_ptr<const Keys> keys_;
};

} // namespace chitarrella
