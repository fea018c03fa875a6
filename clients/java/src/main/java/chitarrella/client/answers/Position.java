package chitarrella.client.answers;

import chitarrella.client.table.RuleSet;

/**
 * A position and its rule set.
 *
 * @param ruleSet its rule set
 * @param text the text form, written by the service
 */
public record Position(RuleSet ruleSet, String text) implements AnyPosition {}
