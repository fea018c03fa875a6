// How a match is opened.
package chitarrella.client;

import chitarrella.client.answers.BotSeat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a match is opened.
 *
 * @param packs who hands in the packs
 * @param pack the pack of the first deal, first card first; empty for a shuffled one
 * @param position the line of the position to begin from; empty for the beginning
 * @param isPrivate nobody without a key may look
 * @param clock how long the seats may think; null for as long as they like
 * @param bots the seats that bots play
 * @param expiresAfter after how long without a move, its clock over, it is forgotten; zero for the
 *     service's default
 * @param requestId for who wants to repeat the call later: 16 to 64 characters that nobody guesses;
 *     empty to have one made
 */
public record NewMatch(
    PackSource packs,
    List<String> pack,
    String position,
    boolean isPrivate,
    @Nullable Clock clock,
    List<BotSeat> bots,
    Duration expiresAfter,
    String requestId) {
  /** The service shuffles, persons play, everybody may look. */
  public static final NewMatch USUAL = builder().build();

  /**
   * How long the seats may think.
   *
   * @param move the time of every decision
   * @param bank what each seat has beside that for the whole match
   */
  public record Clock(Duration move, Duration bank) {}

  /** Begins with the usual: the service shuffles, persons play, everybody may look. */
  public static Builder builder() {
    return new Builder();
  }

  /** Says step by step what is not as usual. */
  public static final class Builder {
    private PackSource packs = PackSource.SERVICE;
    private List<String> pack = List.of();
    private String position = "";
    private boolean isPrivate;
    private @Nullable Clock clock;
    private final List<BotSeat> bots = new ArrayList<>();
    private Duration expiresAfter = Duration.ZERO;
    private String requestId = "";

    private Builder() {}

    /** Who hands in the packs. */
    public Builder packs(PackSource packs) {
      this.packs = packs;
      return this;
    }

    /** The pack of the first deal, first card first. */
    public Builder pack(List<String> pack) {
      this.pack = List.copyOf(pack);
      return this;
    }

    /** The line of the position to begin from. */
    public Builder position(String line) {
      position = line;
      return this;
    }

    /** Whether nobody without a key may look. */
    public Builder isPrivate(boolean isPrivate) {
      this.isPrivate = isPrivate;
      return this;
    }

    /** How long a decision may take, and what each seat has in its bank beside that. */
    public Builder clock(Duration move, Duration bank) {
      clock = new Clock(move, bank);
      return this;
    }

    /** Gives a seat to a bot: "random", "greedy" or "search". */
    public Builder bot(int seat, String bot) {
      bots.add(new BotSeat(seat, bot, Duration.ZERO));
      return this;
    }

    /** After how long without a move it is forgotten. */
    public Builder expiresAfter(Duration time) {
      expiresAfter = time;
      return this;
    }

    /** A request id of the caller's own: 16 to 64 characters that nobody guesses. */
    public Builder requestId(String requestId) {
      this.requestId = requestId;
      return this;
    }

    /** Comes to an end. */
    public NewMatch build() {
      return new NewMatch(
          packs, pack, position, isPrivate, clock, List.copyOf(bots), expiresAfter, requestId);
    }
  }
}
