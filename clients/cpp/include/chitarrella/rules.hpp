// Questions about positions and cards; the service keeps nothing of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <chitarrella/words.hpp>

namespace chitarrella {

class Line;

/// The rules, for those who keep their own matches: a position goes in, a position comes out. All calls throw Error.
class Rules {
  public:
    explicit Rules(std::shared_ptr<const Line> line);

    /// Gives the position before the first card, and what the table has to supply.
    v1::StartGameResponse start(const v1::Agreement& agreement) const;

    /// Lists what a seat may do; without a seat, the seat to move.
    v1::ListLegalMovesResponse legal_moves(const v1::Position& position, std::optional<Seat> seat = {}) const;

    /// Explains every card of a hand, and every other act within reach; without a seat, of the seat to move.
    v1::ExplainHandResponse explain(const v1::Position& position, std::optional<Seat> seat = {}) const;

    /// Judges a move of a seat, or of the table itself.
    v1::JudgeResponse judge(const v1::Position& position, const v1::Move& move, std::optional<Seat> seat = {}) const;

    /// Plays moves, each with the seat that makes it (nothing: the table), until one is refused.
    v1::PlayMovesResponse play(const v1::Position& position,
                               const std::vector<std::pair<std::optional<Seat>, v1::Move>>& moves) const;

    /// Shows a position as a seat sees it, the referee, or the public, as the request says.
    v1::View look(const v1::LookRequest& request) const;

    /// Says at a glance which cards of a hand may be played to a trick; `trump` is "" for none.
    std::vector<v1::ExplainedMove> playable(const v1::Agreement& agreement, const Cards& hand, const Cards& trick = {},
                                            const std::string& trump = "") const;

    /// Says at a glance which card takes a trick; `trump` is "" for none.
    v1::ResolveTrickResponse trick(const v1::Agreement& agreement, const Cards& cards,
                                   const std::string& trump = "") const;

    /// Says at a glance what a pile of cards is worth; `trump` matters where some cards count more as trumps.
    std::vector<v1::Tally> count(const v1::Agreement& agreement, const Cards& cards,
                                 const std::string& trump = "") const;

    /// Lets the service check a draw; is_fair does it here.
    v1::VerifyDrawResponse verify_draw(const std::string& game, const v1::Draw& draw) const;

    /// Puts many questions in one call; each gets its own answer or its own fault, in the same order.
    v1::BatchResponse batch(const v1::BatchRequest& questions) const;

  private:
    std::shared_ptr<const Line> line_;
};

} // namespace chitarrella
