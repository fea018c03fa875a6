package chitarrella.client.table;

import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Joins non-empty values with blanks. */
final class TextBuilder {
  private final StringJoiner joined = new StringJoiner(" ");

  TextBuilder add(@Nullable Object word) {
    if (word != null && !word.toString().isEmpty()) {
      joined.add(word.toString());
    }
    return this;
  }

  TextBuilder addAll(List<?> words) {
    words.forEach(this::add);
    return this;
  }

  static String nameOf(String name, @Nullable Integer seat) {
    return seat == null ? name : name + " of " + seat;
  }

  @Override
  public String toString() {
    return joined.toString();
  }
}
