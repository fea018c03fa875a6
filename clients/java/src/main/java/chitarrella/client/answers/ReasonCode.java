package chitarrella.client.answers;

/**
 * A reason of a refusal.
 *
 * @param code the code
 * @param says the English text, with placeholders in braces
 * @param clause the key of the clause behind it
 */
public record ReasonCode(String code, String says, String clause) {}
