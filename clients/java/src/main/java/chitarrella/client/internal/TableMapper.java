package chitarrella.client.internal;

import chitarrella.client.table.Event;
import chitarrella.client.table.Move;
import chitarrella.client.table.Move.Share;
import chitarrella.client.table.Refusal;
import chitarrella.client.table.Refusal.Clause;
import chitarrella.client.table.Refusal.ExplainedMove;
import chitarrella.client.table.RuleSet;
import chitarrella.client.table.View;
import chitarrella.client.table.View.Fact;
import chitarrella.client.table.View.FactValue;
import chitarrella.client.table.View.Outcome;
import chitarrella.client.table.View.Waiting;
import chitarrella.client.table.View.Zone;
import java.util.List;

/** Converts the value types: rule sets, moves, events, views, refusals. */
public final class TableMapper {
  private TableMapper() {}

  /** Converts a rule set. */
  public static RuleSet ruleSet(chitarrella.v1.RuleSet m) {
    return new RuleSet(m.getGameId(), m.getPlayers(), m.getOptionsMap(), m.getEdition());
  }

  /** Converts moves. */
  public static List<Move> moves(List<chitarrella.v1.Move> moves) {
    return moves.stream().map(TableMapper::move).toList();
  }

  private static Move move(chitarrella.v1.Move m) {
    return new Move(
        m.getVerb(),
        List.copyOf(m.getCardsList()),
        m.getChoice(),
        m.hasAmount() ? m.getAmount() : null,
        m.hasSeat() ? m.getSeat() : null,
        shares(m.getSharesList()));
  }

  private static List<Share> shares(List<chitarrella.v1.Share> shares) {
    return shares.stream().map(m -> new Share(m.getPerson(), m.getAmount())).toList();
  }

  /** Converts events. */
  public static List<Event> events(List<chitarrella.v1.Event> events) {
    return events.stream().map(TableMapper::event).toList();
  }

  private static Event event(chitarrella.v1.Event m) {
    return new Event(
        m.getKind(),
        m.hasSeat() ? m.getSeat() : null,
        List.copyOf(m.getCardsList()),
        m.getHidden(),
        m.getWord(),
        m.hasAmount() ? m.getAmount() : null,
        m.hasOther() ? m.getOther() : null,
        shares(m.getSharesList()));
  }

  /** Reads a table. */
  public static View view(chitarrella.v1.View m) {
    return new View(
        m.getPhase(),
        waiting(m.getWaiting()),
        m.hasTurn() ? m.getTurn() : null,
        m.getZonesList().stream().map(TableMapper::zone).toList(),
        m.getFactsList().stream().map(TableMapper::fact).toList(),
        List.copyOf(m.getScoresList()),
        m.hasOutcome() ? new Outcome(List.copyOf(m.getOutcome().getWinnersList())) : null);
  }

  private static Waiting waiting(chitarrella.v1.Waiting m) {
    return switch (m) {
      case WAITING_SEAT -> Waiting.SEAT;
      case WAITING_CHANCE -> Waiting.CHANCE;
      case WAITING_NOBODY -> Waiting.NOBODY;
      default -> Waiting.UNKNOWN;
    };
  }

  private static Zone zone(chitarrella.v1.Zone m) {
    return new Zone(
        m.getName(),
        m.hasSeat() ? m.getSeat() : null,
        List.copyOf(m.getCardsList()),
        m.getSize(),
        m.hasLeader() ? m.getLeader() : null);
  }

  private static Fact fact(chitarrella.v1.Fact m) {
    FactValue value =
        switch (m.getValueCase()) {
          case NUMBER -> new FactValue.Number(m.getNumber());
          case MONEY -> new FactValue.Number(m.getMoney());
          case SHARES -> new FactValue.Shares(shares(m.getShares().getSharesList()));
          default -> new FactValue.Word(m.getWord());
        };
    return new Fact(m.getName(), m.hasSeat() ? m.getSeat() : null, value);
  }

  /** Reads a sentence of the rule book. */
  public static Clause clause(chitarrella.v1.Clause m) {
    return new Clause(m.getKey(), m.getText(), m.getSource());
  }

  /** Reads why a move is refused. */
  public static List<Refusal> refusals(List<chitarrella.v1.Refusal> refusals) {
    return refusals.stream().map(TableMapper::refusal).toList();
  }

  private static Refusal refusal(chitarrella.v1.Refusal m) {
    return new Refusal(
        m.getCode(),
        clause(m.getClause()),
        m.getMessage(),
        List.copyOf(m.getAllowedCardsList()),
        List.copyOf(m.getOffendingCardsList()),
        m.getWord(),
        m.hasAmount() ? m.getAmount() : null,
        m.getPenalty(),
        m.getPage());
  }

  /** Reads what a seat might do. */
  public static List<ExplainedMove> explained(List<chitarrella.v1.ExplainedMove> moves) {
    return moves.stream()
        .map(
            m ->
                new ExplainedMove(
                    move(m.getMove()),
                    refusals(m.getRefusalsList()),
                    List.copyOf(m.getDependsOnList())))
        .toList();
  }
}
