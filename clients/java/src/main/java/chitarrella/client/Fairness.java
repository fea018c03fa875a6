// Checking a draw without asking anybody.
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
 * Checks a draw without asking anybody: the shuffle of the service, said once more in a few lines.
 *
 * <p>The commitment was published before the draw and is the SHA-256 of the nonce; the order
 * follows from the nonce, the number of the draw and the words that the seats had added.
 */
public final class Fairness {
  private Fairness() {}

  /**
   * Tells whether a draw came out as its commitment promised.
   *
   * @param draw the draw; one that was handed in, or whose nonce is not told yet, is not proved
   * @param pack that of the game, as the catalogue has it; a lot needs none
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

  /** Unsigned 64-bit numbers without end: blocks of SHA-256 over the key and a counter. */
  private static final class Numbers {
    private final byte[] key;
    private ByteBuffer block = ByteBuffer.allocate(0);
    private long counter;

    Numbers(Draw draw) {
      var said = new StringBuilder("chitarrella draw 1\n").append(draw.nonce()).append('\n');
      said.append(draw.number()).append('\n');
      draw.words()
          .forEach(word -> said.append(word.seat()).append(' ').append(word.word()).append('\n'));
      key = sha256(utf8(said.toString()));
    }

    private long next() {
      if (!block.hasRemaining()) {
        block =
            ByteBuffer.wrap(sha256(ByteBuffer.allocate(40).put(key).putLong(counter++).array()));
      }
      return block.getLong();
    }

    /**
     * Draws one of the numbers from 0, each as likely as the other: what is left over at the top
     * does not count.
     */
    int below(int bound) {
      var leftOver = Long.remainderUnsigned(Long.remainderUnsigned(-1, bound) + 1, bound);
      var number = next();
      while (leftOver != 0 && Long.compareUnsigned(number, -leftOver) >= 0) {
        number = next();
      }
      return (int) Long.remainderUnsigned(number, bound);
    }
  }
}
