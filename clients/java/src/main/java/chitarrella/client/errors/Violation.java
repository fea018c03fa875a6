// A field at fault.
package chitarrella.client.errors;

/**
 * A field at fault.
 *
 * @param field its path, such as "agreement.game"
 * @param because what is wrong with it
 */
public record Violation(String field, String because) {}
