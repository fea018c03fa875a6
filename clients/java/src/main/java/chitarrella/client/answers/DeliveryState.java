package chitarrella.client.answers;

/** The state of a delivery. */
public enum DeliveryState {
  /** It will be attempted, perhaps again. */
  PENDING,
  /** The webhook has received it. */
  SENT,
  /** It is not attempted any more. */
  FAILED,
  /** A state of a newer service. */
  UNKNOWN
}
