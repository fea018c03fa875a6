// The client: the catalogue, the rules, and the door to matches.
package chitarrella.client;

import chitarrella.client.answers.Comparison;
import chitarrella.client.answers.Game;
import chitarrella.client.answers.GameSummary;
import chitarrella.client.answers.MatchSummary;
import chitarrella.client.internal.Connection;
import chitarrella.client.internal.Holder;
import chitarrella.client.internal.Reading;
import chitarrella.client.internal.Requests;
import chitarrella.client.internal.RulesReading;
import chitarrella.client.table.Agreement;
import chitarrella.v1.CatalogueServiceGrpc;
import chitarrella.v1.CompareGamesRequest;
import chitarrella.v1.CreateMatchResponse;
import chitarrella.v1.GetGameRequest;
import chitarrella.v1.ListGamesRequest;
import chitarrella.v1.ListGamesResponse;
import chitarrella.v1.ListMatchesRequest;
import chitarrella.v1.ListMatchesResponse;
import chitarrella.v1.MatchServiceGrpc;
import chitarrella.v1.SeatKey;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A client of the service. It may be shared by many threads; closing it hangs up.
 *
 * <p>A call that was lost is repeated by itself, with growing pauses; that is safe for every call.
 * What goes wrong is a {@link chitarrella.client.errors.ChitarrellaException}.
 */
public final class Chitarrella implements AutoCloseable {
  private final Line line;
  private final String key;
  private final Rules rules;

  private Chitarrella(Builder settings) {
    var connection =
        new Connection(
            settings.target,
            settings.credentials,
            settings.timeout,
            settings.retries,
            settings.apiKey,
            settings.language);
    var channel = settings.channel;
    line = new Line(connection, channel == null ? connection.open("chitarrella-java") : channel);
    key = settings.key;
    rules = new Rules(line);
  }

  /** Connects, with the first call, to the service at {@code target}, "host:port", without TLS. */
  public static Chitarrella connect(String target) {
    return builder(target).build();
  }

  /** Begins to say how to connect to the service at {@code target}, "host:port". */
  public static Builder builder(String target) {
    return new Builder(target);
  }

  /** Says step by step how to connect. */
  public static final class Builder {
    private final String target;
    private @Nullable ChannelCredentials credentials;
    private @Nullable ManagedChannel channel;
    private @Nullable Duration timeout = Duration.ofSeconds(10);
    private int retries = 4;
    private String key = "";
    private String apiKey = "";
    private String language = "";

    private Builder(String target) {
      this.target = target;
    }

    /** Speaks TLS and trusts whom this Java trusts. */
    public Builder tls() {
      return tls(TlsChannelCredentials.create());
    }

    /** Speaks TLS with these credentials. */
    public Builder tls(ChannelCredentials credentials) {
      this.credentials = credentials;
      return this;
    }

    /** Speaks over a channel that is there already; closing the client closes it. */
    public Builder channel(ManagedChannel channel) {
      this.channel = channel;
      return this;
    }

    /**
     * How long one try of a call may take; null for as long as it takes. 10 s where nothing is
     * said.
     */
    public Builder timeout(@Nullable Duration timeout) {
      this.timeout = timeout;
      return this;
    }

    /** How often a call that was lost is repeated; 4 times where nothing is said. */
    public Builder retries(int retries) {
      this.retries = retries;
      return this;
    }

    /** The key that {@link #match(String)} shows: a seat's or the referee's. */
    public Builder key(String key) {
      this.key = key;
      return this;
    }

    /** The platform's key, where the service is not for everybody. */
    public Builder apiKey(String apiKey) {
      this.apiKey = apiKey;
      return this;
    }

    /**
     * What clauses and refusals are told in: "en", "it" or "de", or what a browser sends as
     * Accept-Language.
     */
    public Builder language(String language) {
      this.language = language;
      return this;
    }

    /** Makes the client; it connects with the first call. */
    public Chitarrella build() {
      return new Chitarrella(this);
    }
  }

  /** Questions about positions and cards. */
  public Rules rules() {
    return rules;
  }

  /** The channel, for the stubs of the contract in {@code chitarrella.v1}. */
  public Channel channel() {
    return line.channel();
  }

  /** Goes through the games in the order of their keys. */
  public Stream<GameSummary> games() {
    return line.pages(
            "",
            this::gamesPage,
            ListGamesResponse::getGamesList,
            page -> more(page.getNextPageToken()))
        .map(RulesReading::summary);
  }

  private ListGamesResponse gamesPage(String token) {
    var request = ListGamesRequest.newBuilder().setPageToken(token).build();
    return line.ask(CatalogueServiceGrpc.getListGamesMethod(), request, answer -> answer);
  }

  /** Describes a game: pack, options, moves, reasons, and the rule book. */
  public Game game(String game) {
    return game(game, 0);
  }

  /** Describes an edition of a game; 0 for the current one. */
  public Game game(String game, int edition) {
    var request = GetGameRequest.newBuilder().setGame(game).setEdition(edition).build();
    return line.ask(CatalogueServiceGrpc.getGetGameMethod(), request, RulesReading::game);
  }

  /** Tells two games, or two agreements on one, apart. */
  public Comparison compare(Agreement first, Agreement second) {
    var request =
        CompareGamesRequest.newBuilder()
            .setFirst(Requests.agreement(first))
            .setSecond(Requests.agreement(second))
            .build();
    return line.ask(
        CatalogueServiceGrpc.getCompareGamesMethod(), request, RulesReading::comparison);
  }

  /** Opens a match; what comes back speaks for the referee and has the keys of all seats. */
  public Match createMatch(Agreement agreement) {
    return createMatch(agreement, NewMatch.USUAL);
  }

  /** Opens a match in another way than the usual. */
  public Match createMatch(Agreement agreement, NewMatch how) {
    var request = Requests.create(agreement, how);
    var method = MatchServiceGrpc.getCreateMatchMethod();
    return line.ask(method, request, "", request.getRequestId(), this::opened);
  }

  /**
   * Opens a match from a record, to look at it or to play on from there.
   *
   * @param record as {@link Match#record} gives it
   * @param moves how many of its moves are made; null for all
   * @param how how it is opened; its pack and its position do not count
   */
  public Match importMatch(String record, @Nullable Integer moves, NewMatch how) {
    var request = Requests.bring(record, moves, how);
    var method = MatchServiceGrpc.getImportMatchMethod();
    var requestId = request.getRequestId();
    return line.ask(method, request, "", requestId, answer -> opened(answer.getOpened()));
  }

  private Match opened(CreateMatchResponse m) {
    var keys =
        m.getSeatKeysList().stream()
            .collect(Collectors.toUnmodifiableMap(SeatKey::getSeat, SeatKey::getKey));
    return new Match(line, new Holder(m.getMatch(), m.getRefereeKey(), null, keys));
  }

  /** Goes through the matches that the platform of the API key has opened, the latest first. */
  public Stream<MatchSummary> matches() {
    return line.pages(
            "",
            this::matchesPage,
            ListMatchesResponse::getMatchesList,
            page -> more(page.getNextPageToken()))
        .map(Reading::summary);
  }

  private ListMatchesResponse matchesPage(String token) {
    var request = ListMatchesRequest.newBuilder().setPageToken(token).build();
    return line.ask(MatchServiceGrpc.getListMatchesMethod(), request, answer -> answer);
  }

  private static @Nullable String more(String token) {
    return token.isEmpty() ? null : token;
  }

  /** Joins a match with the key of this client; without one, with the public's eyes. */
  public Match match(String match) {
    return match(match, key);
  }

  /**
   * Joins a match by its name and a key: a seat's, the referee's, or, where that is empty, with the
   * public's eyes.
   */
  public Match match(String match, String key) {
    return new Match(line, new Holder(match, key, null, Map.of()));
  }

  /** Hangs up; whatever is under way ends. */
  @Override
  public void close() {
    line.close();
  }
}
