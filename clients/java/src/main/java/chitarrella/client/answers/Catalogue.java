package chitarrella.client.answers;

import chitarrella.client.table.Refusal.Clause;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** What the catalogue says of games. */
public final class Catalogue {
  private Catalogue() {}

  /**
   * An entry of the list of games.
   *
   * @param gameId its key
   * @param title its name
   * @param place where it is played
   * @param players the possible numbers of players
   * @param defaultPlayers the default number of players
   * @param pack the name of the pack
   * @param sources the documents of its rules
   * @param edition the number of the current edition
   * @param distribution the Python distribution that it comes from
   * @param version the version of that distribution
   * @param family how it is played
   * @param description what it is, in the language of the client
   * @param languages the languages of its rule book
   * @param scoreDirection which score is better
   */
  public record GameSummary(
      String gameId,
      String title,
      String place,
      List<Integer> players,
      int defaultPlayers,
      String pack,
      List<String> sources,
      int edition,
      String distribution,
      String version,
      Family family,
      String description,
      List<String> languages,
      ScoreDirection scoreDirection) {}

  /** How a game is played. */
  public enum Family {
    /** A value of a newer service. */
    UNKNOWN,
    /** In tricks. */
    TRICKS,
    /** By exchanging cards. */
    EXCHANGE,
    /** Otherwise. */
    OTHER
  }

  /** Which score of a match is better. */
  public enum ScoreDirection {
    /** A value of a newer service. */
    UNKNOWN,
    /** The higher one. */
    HIGHER_WINS,
    /** The lower one. */
    LOWER_WINS
  }

  /**
   * The description of a game, with the whole rule book.
   *
   * @param summary its entry in the list of games
   * @param pack every card in canonical order
   * @param options its options
   * @param moves its kinds of moves
   * @param reasons every reason of a refusal
   * @param clauses the rule book
   * @param editions its editions; the last is the current one
   * @param cards each different card, in canonical order
   * @param suits the suits that cards count as
   * @param partnerships the partners at each number of players where they are fixed
   * @param zones the kinds of zones
   * @param events the kinds of events
   */
  public record Game(
      GameSummary summary,
      List<String> pack,
      List<Option> options,
      List<MoveSpec> moves,
      List<ReasonCode> reasons,
      List<Clause> clauses,
      List<Edition> editions,
      List<Card> cards,
      List<Suit> suits,
      List<Partnership> partnerships,
      List<ZoneSpec> zones,
      List<EventSpec> events) {

    /**
     * The card with a notation, such as "Ab".
     *
     * @throws NoSuchElementException if the game has no such card
     */
    public Card card(String code) {
      return cards.stream()
          .filter(card -> card.code().equals(code))
          .findFirst()
          .orElseThrow(() -> new NoSuchElementException(code));
    }
  }

  /**
   * A kind of event.
   *
   * @param kind the kind
   * @param description when it comes
   * @param fields the fields that it may have, such as "seat"
   */
  public record EventSpec(String kind, String description, List<String> fields) {}

  /**
   * An edition of the rules of a game.
   *
   * @param number its number
   * @param changes what changed with it
   * @param supported whether matches and records that began with it can still be played
   */
  public record Edition(int number, String changes, boolean supported) {}

  /**
   * An option of a game: one of some values, or a number.
   *
   * @param name its name
   * @param description what it changes
   * @param source the document it comes from
   * @param defaultChoice the default
   * @param choices the possible values
   * @param minimum the least number; null if it is no number
   * @param maximum the greatest number; null for no limit
   * @param type the type of its value
   * @param label a name of a few words for a form, in the language of the client
   * @param players the numbers of players for which it changes anything
   */
  public record Option(
      String name,
      String description,
      String source,
      String defaultChoice,
      List<String> choices,
      @Nullable Integer minimum,
      @Nullable Integer maximum,
      OptionType type,
      String label,
      List<Integer> players) {}

  /** The type of the value of an option. */
  public enum OptionType {
    /** A value of a newer service. */
    UNKNOWN,
    /** "true" or "false". */
    BOOL,
    /** A whole number. */
    INTEGER,
    /** One of the choices. */
    CHOICE
  }

  /**
   * A suit that cards count as.
   *
   * @param code its code
   * @param name its name in the language of the client
   */
  public record Suit(String code, String name) {}

  /**
   * A card of a game, as it ranks and counts where no suit is trumps.
   *
   * @param code its notation
   * @param name its name in the language of the client
   * @param suit the code of the suit that it counts as; empty where cards have no suit
   * @param rank the notation of its rank
   * @param order its place in its suit, or among all cards: of two cards the higher number is the
   *     better one; 0 for a card without a place
   * @param points what it counts; null where no card counts anything
   * @param copies how many of it the pack has
   * @param picturePath the path of its picture; empty if the service has none
   */
  public record Card(
      String code,
      String name,
      String suit,
      String rank,
      int order,
      @Nullable Integer points,
      int copies,
      String picturePath) {}

  /**
   * A kind of zone: a place where cards lie.
   *
   * @param name its name, as in a view
   * @param description what lies there
   * @param seenBy who sees its cards unless a rule shows more
   */
  public record ZoneSpec(String name, String description, Audience seenBy) {}

  /** Who sees the cards of a zone. */
  public enum Audience {
    /** A value of a newer service. */
    UNKNOWN,
    /** Nobody. */
    NOBODY,
    /** Who plays the cards of the seat. */
    OWNER,
    /** Everybody. */
    EVERYBODY
  }

  /**
   * The specification of a kind of move: its arguments and its phases.
   *
   * @param verb its verb
   * @param description what it does
   * @param phases the phases in which it is allowed
   * @param minCards the least number of cards it takes
   * @param maxCards the greatest number of cards it takes
   * @param choices the values of the choice; an empty one if the choice is optional
   * @param takesAmount whether it takes a number
   * @param takesDummySeat whether it may name the dummy whose card is played
   * @param takesShares whether it takes amounts by person
   * @param outOfTurn whether it is allowed out of turn
   * @param byChance whether it is a move of chance
   * @param timeoutDefault whether it is the default move of a seat that is out of time
   * @param notation its notation in records, such as "play_card CARD [@SEAT]"
   */
  public record MoveSpec(
      String verb,
      String description,
      List<String> phases,
      int minCards,
      int maxCards,
      List<String> choices,
      boolean takesAmount,
      boolean takesDummySeat,
      boolean takesShares,
      boolean outOfTurn,
      boolean byChance,
      boolean timeoutDefault,
      String notation) {}

  /**
   * A reason of a refusal.
   *
   * @param code the code
   * @param text the English text, with placeholders in braces
   * @param clauseKey the key of the clause behind it
   */
  public record ReasonCode(String code, String text, String clauseKey) {}

  /**
   * Who plays together, at one number of players.
   *
   * @param players the number of players
   * @param sides the seats of each side, in order of play
   */
  public record Partnership(int players, List<List<Integer>> sides) {}
}
