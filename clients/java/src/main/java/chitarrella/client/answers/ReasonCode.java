package chitarrella.client.answers;

/**
 * A reason of a refusal.
 *
 * @param code the code
 * @param text the English text, with placeholders in braces
 * @param clauseKey the key of the clause behind it
 */
public record ReasonCode(String code, String text, String clauseKey) {}
