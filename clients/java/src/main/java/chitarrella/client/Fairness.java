package chitarrella.client;

import chitarrella.client.answers.MatchAnswers.Shuffle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * Local verification of shuffles: the service's commit-reveal algorithm, implemented again.
 *
 * <p>The commitment was published before the shuffle and is the SHA-256 of the nonce; the order
 * follows from the nonce, the number of the shuffle and the seeds that the seats had added.
 */
public final class Fairness {
  private Fairness() {}

  /**
   * Whether a shuffle follows from its commitment.
   *
   * @param shuffle the shuffle; one supplied by the referee, or whose nonce is not published yet,
   *     cannot be verified
   * @param pack the pack of the game, in the order of the catalogue; not needed for a lot
   */
  public static boolean isFair(Shuffle shuffle, List<String> pack) {
    var promised = HexFormat.of().formatHex(sha256(utf8(shuffle.nonce())));
    if (shuffle.nonce().isEmpty() || !promised.equals(shuffle.commitment())) {
      return false;
    }
    if (!shuffle.lots().isEmpty()) {
      var lots = shuffle.lots().stream().sorted().toList();
      return order(lots, shuffle).get(0).equals(shuffle.amount());
    }
    var sorted = shuffle.cards().stream().sorted(Comparator.comparingInt(pack::indexOf)).toList();
    return order(sorted, shuffle).equals(shuffle.cards());
  }

  /** Orders things, given in their canonical order, as the shuffle did. */
  public static <T> List<T> order(List<T> things, Shuffle shuffle) {
    var shuffled = new ArrayList<>(things);
    var numbers = new Numbers(shuffle);
    for (var index = shuffled.size() - 1; index > 0; index--) {
      Collections.swap(shuffled, index, numbers.below(index + 1));
    }
    return shuffled;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible); // every Java has it
    }
  }

  /** An endless stream of unsigned 64-bit numbers: SHA-256 of the key and a block counter. */
  private static final class Numbers {
    private final byte[] key;
    private ByteBuffer block = ByteBuffer.allocate(0);
    private long counter;

    Numbers(Shuffle shuffle) {
      var text = new StringBuilder("chitarrella shuffle 1\n").append(shuffle.nonce()).append('\n');
      text.append(shuffle.number()).append('\n');
      shuffle
          .clientSeeds()
          .forEach(one -> text.append(one.seat()).append(' ').append(one.seed()).append('\n'));
      key = sha256(utf8(text.toString()));
    }

    private long next() {
      if (!block.hasRemaining()) {
        block =
            ByteBuffer.wrap(sha256(ByteBuffer.allocate(40).put(key).putLong(counter++).array()));
      }
      return block.getLong();
    }

    /** A uniform number below the bound: numbers above its last multiple are rejected. */
    int below(int bound) {
      var surplus = Long.remainderUnsigned(Long.remainderUnsigned(-1, bound) + 1, bound);
      var number = next();
      while (surplus != 0 && Long.compareUnsigned(number, -surplus) >= 0) {
        number = next();
      }
      return (int) Long.remainderUnsigned(number, bound);
    }
  }
}
