// Stateless questions about positions and cards.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <chitarrella/types.hpp>

namespace chitarrella {

class Transport;

/// The rules, for those who store matches themselves: a position goes in, a position comes out. All calls throw Error.
class Rules {
  public:
    explicit Rules(std::shared_ptr<const Transport> transport);

    /// Returns the initial position, and what chance has to supply.
    GameStart start_game(const v1::RuleSet& rule_set) const;

    /// Lists the legal moves of a seat; without a seat, of the seat to move.
    LegalMoves legal_moves(const v1::Position& position, std::optional<Seat> seat = {}) const;

    /// Lists the legal moves from what is known; without a seat, of the seat to move, or of the only hand that is
    /// known. `undecided` has the moves that depend on something unknown.
    LegalMoves legal_moves(const v1::PartialPosition& position, std::optional<Seat> seat = {}) const;

    /// Explains every card of a hand and every other possible move; without a seat, of the seat to move.
    ExplainedHand explain_hand(const v1::Position& position, std::optional<Seat> seat = {}) const;

    /// Explains every card of a hand from what is known; without a seat, of the seat to move, or of the only hand.
    ExplainedHand explain_hand(const v1::PartialPosition& position, std::optional<Seat> seat = {}) const;

    /// Validates a move of a seat, or of chance (nothing).
    MoveValidation validate_move(const v1::Position& position, const v1::Move& move,
                                 std::optional<Seat> seat = {}) const;

    /// Validates a move from what is known; without a seat, of the only hand. It is accepted if it is legal whatever
    /// the unknown parts are.
    MoveValidation validate_move(const v1::PartialPosition& position, const v1::Move& move,
                                 std::optional<Seat> seat = {}) const;

    /// Plays moves, each with its seat (nothing: chance), up to the first that is refused. The result has the legal
    /// moves after them, and the `penalties` of accepted moves that break clauses at a price.
    AppliedMoves apply_moves(const v1::Position& position,
                             const std::vector<std::pair<std::optional<Seat>, v1::Move>>& moves) const;

    /// Returns the view of a seat, of the referee, or of the public, as the request says.
    v1::View get_view(const v1::GetViewRequest& request) const;

    /// Returns, without a position, which cards of a hand may be played to a trick. The trump suit, the trump card and
    /// the suit that its leader has declared are "" for none. `stock_left` says that there are cards to draw: in some
    /// games the duty to follow waits for the last one.
    std::vector<v1::ExplainedMove> playable_cards(const v1::RuleSet& rule_set, const Cards& hand,
                                                  const Cards& trick = {}, const std::string& trump = "",
                                                  const std::string& trump_card = "",
                                                  const std::string& declared_suit = "", bool stock_left = false) const;

    /// Returns, without a position, which card takes a trick. The trump suit, and the trump card in games where the
    /// trump is a single card, are "" for none; nothing: unknown. If the winner depends on that, the result has no
    /// `winning_index`, and `depends_on` names what is unknown.
    TrickResult resolve_trick(const v1::RuleSet& rule_set, const Cards& cards,
                              const std::optional<std::string>& trump = {},
                              const std::optional<std::string>& trump_card = {}) const;

    /// Returns, without a position, what cards count; `trump` matters where some cards count more as trumps.
    std::vector<v1::Score> score_cards(const v1::RuleSet& rule_set, const Cards& cards,
                                       const std::string& trump = "") const;

    /// Has the service verify a shuffle; is_fair does it locally.
    v1::VerifyShuffleResponse verify_shuffle(const std::string& game_id, const v1::Shuffle& shuffle) const;

    /// Sends many questions in one call; each has its own answer or error, in the same order.
    v1::BatchResponse batch(const v1::BatchRequest& questions) const;

  private:
    std::shared_ptr<const Transport> transport_;
};

} // namespace chitarrella
