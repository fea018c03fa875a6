package chitarrella.client;

import chitarrella.client.answers.Draw;
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
 * Local verification of draws: the service's commit-reveal shuffle, implemented again.
 *
 * <p>The commitment was published before the draw and is the SHA-256 of the nonce; the order
 * follows from the nonce, the number of the draw and the words that the seats had added.
 */
public final class Fairness {
  private Fairness() {}

  /**
   * Whether a draw follows from its commitment.
   *
   * @param draw the draw; one supplied by the referee, or whose nonce is not published yet, cannot
   *     be verified
   * @param pack the pack of the game, in the order of the catalogue; not needed for a lot
   */
  public static boolean isFair(Draw draw, List<String> pack) {
    var promised = HexFormat.of().formatHex(sha256(utf8(draw.nonce())));
    if (draw.nonce().isEmpty() || !promised.equals(draw.commitment())) {
      return false;
    }
    if (!draw.lots().isEmpty()) {
      return order(draw.lots().stream().sorted().toList(), draw).get(0).equals(draw.amount());
    }
    var sorted = draw.cards().stream().sorted(Comparator.comparingInt(pack::indexOf)).toList();
    return order(sorted, draw).equals(draw.cards());
  }

  /** Shuffles things, given in their canonical order, as the draw did. */
  public static <T> List<T> order(List<T> things, Draw draw) {
    var shuffled = new ArrayList<>(things);
    var numbers = new Numbers(draw);
    for (var place = shuffled.size() - 1; place > 0; place--) {
      Collections.swap(shuffled, place, numbers.below(place + 1));
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

    Numbers(Draw draw) {
      var text = new StringBuilder("chitarrella draw 1\n").append(draw.nonce()).append('\n');
      text.append(draw.number()).append('\n');
      draw.words()
          .forEach(word -> text.append(word.seat()).append(' ').append(word.word()).append('\n'));
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
