package chitarrella.client.errors;

/**
 * An invalid field.
 *
 * @param field its path, such as "agreement.game"
 * @param because why it is invalid
 */
public record Violation(String field, String because) {}
