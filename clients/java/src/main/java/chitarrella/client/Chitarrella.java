package chitarrella.client;

import chitarrella.client.answers.Catalogue.Game;
import chitarrella.client.answers.Catalogue.GameSummary;
import chitarrella.client.answers.MatchAnswers.MatchDetails;
import chitarrella.client.answers.MatchAnswers.MatchResult;
import chitarrella.client.internal.ConnectionSettings;
import chitarrella.client.internal.Mapper;
import chitarrella.client.internal.Requests;
import chitarrella.client.internal.RulesMapper;
import chitarrella.client.internal.SeatAccess;
import chitarrella.client.table.RuleSet;
import chitarrella.v1.BatchGetMatchesRequest;
import chitarrella.v1.CatalogueServiceGrpc;
import chitarrella.v1.CreatedMatch;
import chitarrella.v1.GetGameRequest;
import chitarrella.v1.ListGamesRequest;
import chitarrella.v1.ListGamesResponse;
import chitarrella.v1.ListMatchesResponse;
import chitarrella.v1.MatchServiceGrpc;
import chitarrella.v1.SeatKey;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A client of the service. It is thread safe; closing it closes the connection.
 *
 * <p>Lost calls are retried with exponential backoff, which is safe for every call. A call that
 * fails throws a {@link chitarrella.client.errors.ChitarrellaException}.
 */
public final class Chitarrella implements AutoCloseable {
  private final Transport transport;
  private final String key;
  private final Rules rules;

  private Chitarrella(Builder settings) {
    var connection =
        new ConnectionSettings(
            settings.target,
            settings.credentials,
            settings.timeout,
            settings.retries,
            settings.apiKey,
            settings.language);
    var channel = settings.channel;
    transport =
        new Transport(connection, channel == null ? connection.open("chitarrella-java") : channel);
    key = settings.key;
    rules = new Rules(transport);
  }

  /**
   * A client of the service at {@code target}, "host:port", without TLS; it connects with the first
   * call.
   */
  public static Chitarrella connect(String target) {
    return builder(target).build();
  }

  /** A builder of a client of the service at {@code target}, "host:port". */
  public static Builder builder(String target) {
    return new Builder(target);
  }

  /** Builds a client. */
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

    /** Enables TLS with the certificates that the JVM trusts. */
    public Builder tls() {
      return tls(TlsChannelCredentials.create());
    }

    /** Enables TLS with these credentials. */
    public Builder tls(ChannelCredentials credentials) {
      this.credentials = credentials;
      return this;
    }

    /** Uses an existing channel; closing the client closes it. */
    public Builder channel(ManagedChannel channel) {
      this.channel = channel;
      return this;
    }

    /** The timeout of one attempt of a call; null for none. Default: 10 s. */
    public Builder timeout(@Nullable Duration timeout) {
      this.timeout = timeout;
      return this;
    }

    /** How often a lost call is retried. Default: 4 times. */
    public Builder retries(int retries) {
      this.retries = retries;
      return this;
    }

    /** The default key of {@link #match(String)}: a seat's or the referee's. */
    public Builder key(String key) {
      this.key = key;
      return this;
    }

    /** The API key of a platform, for services that require one. */
    public Builder apiKey(String apiKey) {
      this.apiKey = apiKey;
      return this;
    }

    /** The language of clauses and refusals: "en", "it", "de", or any value of Accept-Language. */
    public Builder language(String language) {
      this.language = language;
      return this;
    }

    /** Creates the client; it connects with the first call. */
    public Chitarrella build() {
      return new Chitarrella(this);
    }
  }

  /** Stateless questions about positions and cards. */
  public Rules rules() {
    return rules;
  }

  /** The webhooks of the platform of the API key. */
  public Webhooks webhooks() {
    return new Webhooks(transport);
  }

  /** The channel, for the stubs of the contract in {@code chitarrella.v1}. */
  public Channel channel() {
    return transport.channel();
  }

  /** The games in the order of their keys. */
  public Stream<GameSummary> games() {
    return transport
        .pages(
            "",
            this::gamesPage,
            ListGamesResponse::getGamesList,
            ListGamesResponse::getNextPageToken)
        .map(RulesMapper::summary);
  }

  private ListGamesResponse gamesPage(String token) {
    var request = ListGamesRequest.newBuilder().setPageToken(token).build();
    return transport.call(CatalogueServiceGrpc.getListGamesMethod(), request, response -> response);
  }

  /** The current edition of a game: pack, options, moves, reasons, and the rule book. */
  public Game game(String gameId) {
    return game(gameId, 0);
  }

  /** An edition of a game; 0 for the current one. */
  public Game game(String gameId, int edition) {
    var request = GetGameRequest.newBuilder().setGameId(gameId).setEdition(edition).build();
    return transport.call(CatalogueServiceGrpc.getGetGameMethod(), request, RulesMapper::game);
  }

  /** The same, described for the players and the options of a rule set. */
  public Game game(RuleSet ruleSet) {
    var request =
        GetGameRequest.newBuilder()
            .setGameId(ruleSet.gameId())
            .setEdition(ruleSet.edition())
            .setPlayers(ruleSet.players());
    ruleSet.options().forEach((name, value) -> request.addOptions(name + "=" + value));
    return transport.call(
        CatalogueServiceGrpc.getGetGameMethod(), request.build(), RulesMapper::game);
  }

  /** Creates a match; the result acts for the referee and has the keys of all seats. */
  public Match createMatch(RuleSet ruleSet) {
    return createMatch(ruleSet, NewMatch.USUAL);
  }

  /** Creates a match with settings. */
  public Match createMatch(RuleSet ruleSet, NewMatch how) {
    var request = Requests.create(ruleSet, how);
    var method = MatchServiceGrpc.getCreateMatchMethod();
    return transport.call(method, request, "", request.getRequestId(), this::created);
  }

  /**
   * Creates a match from a record, to be viewed or continued.
   *
   * @param record as {@link Match#record} returns it
   * @param moveCount how many of its moves are played; null for all
   * @param how the settings; their pack and position are ignored
   */
  public Match importMatch(String record, @Nullable Integer moveCount, NewMatch how) {
    var request = Requests.importMatch(record, moveCount, how);
    var method = MatchServiceGrpc.getImportMatchMethod();
    return transport.call(method, request, "", request.getRequestId(), this::created);
  }

  private Match created(CreatedMatch m) {
    var keys =
        m.getSeatKeysList().stream()
            .collect(Collectors.toUnmodifiableMap(SeatKey::getSeat, SeatKey::getKey));
    var access = new SeatAccess(m.getMatch().getMatchId(), m.getRefereeKey(), null, keys);
    return new Match(transport, access, m.getSpectatorKey());
  }

  /** The matches created by the platform of the API key, the latest first. */
  public Stream<MatchDetails> matches() {
    return matches(MatchFilter.ALL);
  }

  /** The matches created by the platform of the API key that fit a filter, the latest first. */
  public Stream<MatchDetails> matches(MatchFilter filter) {
    return transport
        .pages(
            "",
            token -> matchesPage(filter, token),
            ListMatchesResponse::getMatchesList,
            ListMatchesResponse::getNextPageToken)
        .map(Mapper::match);
  }

  private ListMatchesResponse matchesPage(MatchFilter filter, String token) {
    var request = filter.request().setPageToken(token).build();
    return transport.call(MatchServiceGrpc.getListMatchesMethod(), request, response -> response);
  }

  /** The states of at most 100 matches, with the key of this client. */
  public List<MatchResult> getMatches(List<String> matchIds) {
    return getMatches(matchIds, key);
  }

  /**
   * The states of at most 100 matches, in the same order; each is found or has its error. The key,
   * of a seat or a referee, counts at its own match; at the others the caller is the public.
   */
  public List<MatchResult> getMatches(List<String> matchIds, String key) {
    var request = BatchGetMatchesRequest.newBuilder().addAllMatchIds(matchIds).build();
    var method = MatchServiceGrpc.getBatchGetMatchesMethod();
    return transport.call(method, request, key, "", Mapper::results);
  }

  /** Watches all matches of the platform of the API key from now on. */
  public PlatformWatch watchMatches() {
    return new PlatformWatch(transport);
  }

  /** A match with the key of this client; without one, as the public. */
  public Match match(String matchId) {
    return match(matchId, key);
  }

  /**
   * A match by its id and a key: a seat's, the referee's, a token that the platform has signed, or,
   * if empty, as the public.
   */
  public Match match(String matchId, String key) {
    return new Match(transport, new SeatAccess(matchId, key, null, Map.of()), "");
  }

  /** Closes the connection and cancels the calls in flight. */
  @Override
  public void close() {
    transport.close();
  }
}
