package chitarrella.client;

import chitarrella.client.answers.MatchAnswers.BotSeat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a new match.
 *
 * @param packSource who supplies the packs
 * @param pack the pack of the first deal, first card first; empty for a shuffled one
 * @param position the text of the position to start from; empty for the first deal
 * @param isPrivate whether it is hidden from everybody without a key
 * @param clock the time control; null for none
 * @param bots the seats played by bots
 * @param expireAfter how long after its last move or clock it is deleted; zero for the service's
 *     default
 * @param requestId to repeat the call later: 16 to 64 unguessable characters; a random one if empty
 * @param externalId the platform's own id of the match
 * @param labels the platform's own labels; {@link MatchFilter} finds the match by them
 * @param playerNames the names of the players by seat; everybody who may see the match sees them
 * @param sandbox the seed of a test, empty to shuffle by chance; null for a real match
 * @param restrictions what is not allowed in the match
 */
public record NewMatch(
    PackSource packSource,
    List<String> pack,
    String position,
    boolean isPrivate,
    @Nullable Clock clock,
    List<BotSeat> bots,
    Duration expireAfter,
    String requestId,
    String externalId,
    Map<String, String> labels,
    Map<Integer, String> playerNames,
    @Nullable String sandbox,
    List<Restriction> restrictions) {
  /** The defaults: the service shuffles, persons play, the match is public. */
  public static final NewMatch USUAL = builder().build();

  /**
   * A time control; zero for none.
   *
   * @param moveTime the time for each decision
   * @param bank the additional time of each seat for the whole match
   * @param increment what is added to the bank of a seat after each of its decisions
   * @param startsWhenJoined whether it stands still until every person has called {@link
   *     Match#join}
   */
  public record Clock(
      Duration moveTime, Duration bank, Duration increment, boolean startsWhenJoined) {}

  /** What a match does not allow. */
  public enum Restriction {
    /** A value of a newer service. */
    UNKNOWN,
    /** No takebacks, but by the referee. */
    NO_TAKEBACKS,
    /** No seat is assigned to a bot, but by the referee. */
    NO_BOTS,
    /** Nobody watches without the key of a seat or the referee. The match is private. */
    NO_SPECTATORS
  }

  /** Contains no request id: with it the keys of the match are returned. */
  @Override
  public String toString() {
    return "NewMatch[" + packSource + ", " + bots + ", " + externalId + ", " + labels + "]";
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Builds the settings of a new match. */
  public static final class Builder {
    private PackSource packSource = PackSource.SERVICE;
    private List<String> pack = List.of();
    private String position = "";
    private boolean isPrivate;
    private @Nullable Clock clock;
    private final List<BotSeat> bots = new ArrayList<>();
    private Duration expireAfter = Duration.ZERO;
    private String requestId = "";
    private String externalId = "";
    private final Map<String, String> labels = new HashMap<>();
    private final Map<Integer, String> playerNames = new HashMap<>();
    private @Nullable String sandbox;
    private final List<Restriction> restrictions = new ArrayList<>();

    private Builder() {}

    /** Sets who supplies the packs. */
    public Builder packSource(PackSource packSource) {
      this.packSource = packSource;
      return this;
    }

    /** The pack of the first deal, first card first. */
    public Builder pack(List<String> pack) {
      this.pack = List.copyOf(pack);
      return this;
    }

    /** The text of the position to start from. */
    public Builder position(String text) {
      position = text;
      return this;
    }

    /** Whether it is hidden from everybody without a key. */
    public Builder isPrivate(boolean isPrivate) {
      this.isPrivate = isPrivate;
      return this;
    }

    /** The time for each decision, and the bank of each seat. */
    public Builder clock(Duration moveTime, Duration bank) {
      return clock(new Clock(moveTime, bank, Duration.ZERO, false));
    }

    /** The time control. */
    public Builder clock(Clock clock) {
      this.clock = clock;
      return this;
    }

    /** Adds what is not allowed in the match. */
    public Builder restriction(Restriction restriction) {
      restrictions.add(restriction);
      return this;
    }

    /** Assigns a seat to a bot: "easy", "normal", "strong" or "random". */
    public Builder bot(int seat, String bot) {
      return bot(new BotSeat(seat, bot, Duration.ZERO));
    }

    /** Assigns a seat to a bot with its times. */
    public Builder bot(BotSeat bot) {
      bots.add(bot);
      return this;
    }

    /** How long after its last move or clock it is deleted: at least a minute. */
    public Builder expireAfter(Duration time) {
      expireAfter = time;
      return this;
    }

    /** A request id, to repeat the call later: 16 to 64 unguessable characters. */
    public Builder requestId(String requestId) {
      this.requestId = requestId;
      return this;
    }

    /** The platform's own id of the match. */
    public Builder externalId(String id) {
      externalId = id;
      return this;
    }

    /** Adds a label of the platform's own, such as "cup" with "spring". */
    public Builder label(String key, String value) {
      labels.put(key, value);
      return this;
    }

    /** Names the player at a seat. Everybody who may see the match sees the name. */
    public Builder player(int seat, String name) {
      playerNames.put(seat, name);
      return this;
    }

    /**
     * Makes the match a test, where the service allows tests: the same rule set and seed give the
     * same deals, an empty seed shuffles by chance, and the clock stands still until {@link
     * Match#advanceClock(Duration)}.
     */
    public Builder sandbox(String seed) {
      sandbox = seed;
      return this;
    }

    /** Creates the settings. */
    public NewMatch build() {
      return new NewMatch(
          packSource,
          pack,
          position,
          isPrivate,
          clock,
          List.copyOf(bots),
          expireAfter,
          requestId,
          externalId,
          Map.copyOf(labels),
          Map.copyOf(playerNames),
          sandbox,
          List.copyOf(restrictions));
    }
  }

  /** Who supplies the packs of a match. */
  public enum PackSource {
    /** A value of a newer service. */
    UNKNOWN,
    /** The service shuffles. */
    SERVICE,
    /**
     * The referee supplies every pack as a move, "start_deal": a physical pack, or another shuffle.
     */
    REFEREE,
    /**
     * The service shuffles once every person has added a seed, see {@link Match#contributeSeed}.
     */
    SHARED
  }
}
