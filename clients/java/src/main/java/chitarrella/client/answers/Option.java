package chitarrella.client.answers;

import java.util.List;
import org.jspecify.annotations.Nullable;

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
 */
public record Option(
    String name,
    String description,
    String source,
    String defaultChoice,
    List<String> choices,
    @Nullable Integer minimum,
    @Nullable Integer maximum) {}
