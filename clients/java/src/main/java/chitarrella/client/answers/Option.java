package chitarrella.client.answers;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An option of a game: one of some values, or a number.
 *
 * @param name its name
 * @param means the description
 * @param source the document it comes from
 * @param defaultChoice the default
 * @param words the possible values
 * @param least the least number; null if it is no number
 * @param most the greatest number; null for no limit
 */
public record Option(
    String name,
    String means,
    String source,
    String defaultChoice,
    List<String> words,
    @Nullable Integer least,
    @Nullable Integer most) {}
