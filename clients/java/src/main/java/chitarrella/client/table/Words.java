// Words of the notation, put together with single blanks.
package chitarrella.client.table;

import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Puts words together; what is null or empty is left out. */
final class Words {
  private final StringJoiner joined = new StringJoiner(" ");

  Words add(@Nullable Object word) {
    if (word != null && !word.toString().isEmpty()) {
      joined.add(word.toString());
    }
    return this;
  }

  Words addAll(List<?> words) {
    words.forEach(this::add);
    return this;
  }

  static String owned(String name, @Nullable Integer seat) {
    return seat == null ? name : name + " of " + seat;
  }

  @Override
  public String toString() {
    return joined.toString();
  }
}
