package chitarrella.client.answers;

/**
 * A kind of zone: a place where cards lie.
 *
 * @param name its name, as in a view
 * @param description what lies there
 * @param seenBy who sees its cards unless a rule shows more: "owner", "everybody" or "nobody"
 */
public record ZoneSpec(String name, String description, String seenBy) {}
