package chitarrella.client.answers;

import chitarrella.client.table.RuleSet;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * An entry of the list of a platform's matches.
 *
 * @param matchId its id
 * @param ruleSet its rule set
 * @param revision the number of its last public change
 * @param createTime when it was created, in whole seconds
 * @param finished whether it was played to its end
 * @param aborted whether it was aborted
 * @param isPrivate whether it is hidden from everybody without a key
 * @param externalId the platform's own id of the match
 * @param labels the labels of the match
 * @param playerNames the names of the players, in the order of seats
 * @param sandbox whether it is a test
 */
public record MatchSummary(
    String matchId,
    RuleSet ruleSet,
    int revision,
    Instant createTime,
    boolean finished,
    boolean aborted,
    boolean isPrivate,
    String externalId,
    Map<String, String> labels,
    List<PlayerName> playerNames,
    boolean sandbox) {}
