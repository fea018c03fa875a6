package chitarrella.client.answers;

import chitarrella.client.table.Move;
import chitarrella.client.table.RuleSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Positions, whole or partial. */
public final class Positions {
  private Positions() {}

  /** A position, or what is known of one. */
  public sealed interface AnyPosition permits Position, PartialPosition {}

  /**
   * A position and its rule set.
   *
   * @param ruleSet its rule set
   * @param text the text form, written by the service
   */
  public record Position(RuleSet ruleSet, String text) implements AnyPosition {}

  /**
   * What is known of a position in a game of tricks. Nothing is assumed about the rest: an answer
   * names the unknown parts that it depends on.
   *
   * @param ruleSet its rule set
   * @param hands the hands that are known, each complete, by seat
   * @param trick the current trick; null if it is unknown
   * @param trump the trump suit, empty for no trumps; null if it is unknown
   * @param trumpCard the trump card, in games where the trump is a single card, empty for none;
   *     null if it is unknown
   * @param stockSize the number of cards to draw; null if it is unknown
   * @param dealtIn the seats that take part in the deal, where seats may sit out; empty if unknown
   */
  public record PartialPosition(
      RuleSet ruleSet,
      Map<Integer, List<String>> hands,
      @Nullable PartialTrick trick,
      @Nullable String trump,
      @Nullable String trumpCard,
      @Nullable Integer stockSize,
      List<Integer> dealtIn)
      implements AnyPosition {
    private static final PartialTrick LEAD = new PartialTrick(List.of(), null, null);

    /** Copies the hands and the seats. */
    public PartialPosition {
      var copies = new HashMap<Integer, List<String>>();
      hands.forEach((seat, cards) -> copies.put(seat, List.copyOf(cards)));
      hands = Map.copyOf(copies);
      dealtIn = List.copyOf(dealtIn);
    }

    /** A position of which nothing is known yet. */
    public static PartialPosition of(RuleSet ruleSet) {
      return new PartialPosition(ruleSet, Map.of(), null, null, null, null, List.of());
    }

    /** The same with the complete hand of a seat. */
    public PartialPosition withHand(int seat, String... cards) {
      return withHand(seat, List.of(cards));
    }

    /** The same with the complete hand of a seat. */
    public PartialPosition withHand(int seat, List<String> cards) {
      var more = new HashMap<>(hands);
      more.put(seat, cards);
      return new PartialPosition(ruleSet, more, trick, trump, trumpCard, stockSize, dealtIn);
    }

    /** The same with the cards of the current trick in order of play; none for a lead. */
    public PartialPosition withTrick(String... cards) {
      return withTrick(List.of(cards));
    }

    /** The same with the cards of the current trick in order of play; none for a lead. */
    public PartialPosition withTrick(List<String> cards) {
      var known = knownTrick();
      return withTrick(new PartialTrick(cards, known.leader(), known.declaredSuit()));
    }

    /** The same with the seat that leads the current trick. */
    public PartialPosition withLeader(int seat) {
      var known = knownTrick();
      return withTrick(new PartialTrick(known.cards(), seat, known.declaredSuit()));
    }

    /** The same with the suit that the leader of the trump card has declared; empty for none. */
    public PartialPosition withDeclaredSuit(String suit) {
      var known = knownTrick();
      return withTrick(new PartialTrick(known.cards(), known.leader(), suit));
    }

    /** The same with the trump suit; empty for no trumps. */
    public PartialPosition withTrump(String suit) {
      return new PartialPosition(ruleSet, hands, trick, suit, trumpCard, stockSize, dealtIn);
    }

    /** The same with the trump card; empty for none. */
    public PartialPosition withTrumpCard(String card) {
      return new PartialPosition(ruleSet, hands, trick, trump, card, stockSize, dealtIn);
    }

    /** The same with the number of cards to draw. */
    public PartialPosition withStockSize(int cards) {
      return new PartialPosition(ruleSet, hands, trick, trump, trumpCard, cards, dealtIn);
    }

    /** The same with the seats that take part in the deal. */
    public PartialPosition withDealtIn(Integer... seats) {
      return new PartialPosition(
          ruleSet, hands, trick, trump, trumpCard, stockSize, List.of(seats));
    }

    private PartialTrick knownTrick() {
      return trick == null ? LEAD : trick;
    }

    private PartialPosition withTrick(PartialTrick trick) {
      return new PartialPosition(ruleSet, hands, trick, trump, trumpCard, stockSize, dealtIn);
    }
  }

  /**
   * The current trick, as far as it is known.
   *
   * @param cards the cards in order of play; empty for a lead
   * @param leader the seat that leads it; null if the seat of the question is the one to play
   * @param declaredSuit the suit that the leader of the trump card has declared, empty for none;
   *     null if it is unknown
   */
  public record PartialTrick(
      List<String> cards, @Nullable Integer leader, @Nullable String declaredSuit) {

    /** Copies the cards. */
    public PartialTrick {
      cards = List.copyOf(cards);
    }
  }

  /**
   * A move and its seat.
   *
   * @param seat the seat; null for chance
   * @param move the move
   */
  public record SeatMove(@Nullable Integer seat, Move move) {}
}
