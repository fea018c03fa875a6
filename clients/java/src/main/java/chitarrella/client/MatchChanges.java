package chitarrella.client;

import chitarrella.client.internal.Requests;
import chitarrella.v1.UpdateMatchRequest;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The changes of what a platform attaches to a match, and of how long it is kept; what is not given
 * stays as it is.
 */
public final class MatchChanges {
  /** No change. */
  public static final MatchChanges NONE = new MatchChanges(UpdateMatchRequest.getDefaultInstance());

  private final UpdateMatchRequest request;

  private MatchChanges(UpdateMatchRequest request) {
    this.request = request;
  }

  /** The request of such a change. */
  UpdateMatchRequest.Builder request() {
    return request.toBuilder();
  }

  private MatchChanges with(Consumer<UpdateMatchRequest.Builder> change) {
    var more = request();
    change.accept(more);
    return new MatchChanges(more.build());
  }

  /** The same with an id of the platform's own. */
  public MatchChanges withExternalId(String externalId) {
    return with(m -> m.setExternalId(externalId));
  }

  /** The same with one more label; an empty value removes it. */
  public MatchChanges withLabel(String key, String value) {
    return with(m -> m.putLabels(key, value));
  }

  /** The same with the name of one more player. */
  public MatchChanges withPlayer(int seat, String name) {
    return with(m -> m.addPlayerNames(Requests.playerName(seat, name)));
  }

  /** The same with how long after its last move or clock it is deleted: at least a minute. */
  public MatchChanges withExpireAfter(Duration time) {
    return with(m -> m.setExpireAfter(Requests.duration(time)));
  }
}
