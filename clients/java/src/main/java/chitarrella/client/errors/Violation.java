package chitarrella.client.errors;

/**
 * An invalid field.
 *
 * @param field its path, such as "rule_set.game_id"
 * @param message why it is invalid
 */
public record Violation(String field, String message) {}
