// Stateless questions about positions and cards.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <chitarrella/words.hpp>

namespace chitarrella {

class Transport;

/// The rules, for those who store matches themselves: a position goes in, a position comes out. All calls throw Error.
class Rules {
  public:
    explicit Rules(std::shared_ptr<const Transport> transport);

    /// Returns the initial position and the result of chance that it awaits.
    v1::StartGameResponse start(const v1::Agreement& agreement) const;

    /// Lists the legal moves of a seat; without a seat, of the seat to move.
    v1::ListLegalMovesResponse legal_moves(const v1::Position& position, std::optional<Seat> seat = {}) const;

    /// Explains every card of a hand and every other possible move; without a seat, of the seat to move.
    v1::ExplainHandResponse explain(const v1::Position& position, std::optional<Seat> seat = {}) const;

    /// Checks a move of a seat, or of chance.
    v1::JudgeResponse judge(const v1::Position& position, const v1::Move& move, std::optional<Seat> seat = {}) const;

    /// Plays moves, each with its seat (nothing: chance), until one is refused.
    v1::PlayMovesResponse play(const v1::Position& position,
                               const std::vector<std::pair<std::optional<Seat>, v1::Move>>& moves) const;

    /// Returns the view of a seat, of the referee, or of the public, as the request says.
    v1::View look(const v1::LookRequest& request) const;

    /// Returns, without a position, which cards of a hand may be played to a trick; `trump` is "" for none.
    std::vector<v1::ExplainedMove> playable(const v1::Agreement& agreement, const Cards& hand, const Cards& trick = {},
                                            const std::string& trump = "") const;

    /// Returns, without a position, which card takes a trick; `trump` is "" for none.
    v1::ResolveTrickResponse trick(const v1::Agreement& agreement, const Cards& cards,
                                   const std::string& trump = "") const;

    /// Returns the worth of a pile of cards; `trump` matters where some cards count more as trumps.
    std::vector<v1::Tally> count(const v1::Agreement& agreement, const Cards& cards,
                                 const std::string& trump = "") const;

    /// Has the service verify a draw; is_fair does it locally.
    v1::VerifyDrawResponse verify_draw(const std::string& game, const v1::Draw& draw) const;

    /// Sends many questions in one call; each has its own answer or error, in the same order.
    v1::BatchResponse batch(const v1::BatchRequest& questions) const;

  private:
    std::shared_ptr<const Transport> transport_;
};

} // namespace chitarrella
