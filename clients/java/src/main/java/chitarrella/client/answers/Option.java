// Something the table may agree upon.
package chitarrella.client.answers;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something the table may agree upon: one of some words, or a number.
 *
 * @param name its name
 * @param means what it means
 * @param source where it comes from
 * @param defaultChoice what holds where nothing is said
 * @param words the words that may be chosen
 * @param least the least number; null where it takes none
 * @param most the greatest number; null where there is no end
 */
public record Option(
    String name,
    String means,
    String source,
    String defaultChoice,
    List<String> words,
    @Nullable Integer least,
    @Nullable Integer most) {}
