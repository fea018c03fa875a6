package chitarrella.client.answers;

/**
 * The result of the verification of a shuffle by the service.
 *
 * @param fair whether it follows from its commitment
 * @param code the reason if not: "commitment_mismatch" or "order_mismatch"; empty if it is fair
 */
public record ShuffleVerification(boolean fair, String code) {}
