// A reason for which a move may be refused.
package chitarrella.client.answers;

/**
 * A reason for which a move may be refused.
 *
 * @param code the code
 * @param says the English sentence, with the names of the particulars in braces
 * @param clause the key of the clause behind it
 */
public record ReasonCode(String code, String says, String clause) {}
