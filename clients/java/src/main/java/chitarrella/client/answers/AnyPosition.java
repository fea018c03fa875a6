package chitarrella.client.answers;

/** A position, or what is known of one. */
public sealed interface AnyPosition permits Position, PartialPosition {}
