// Package chitarrella is a client for Chitarrella, the rules of regional card games as a service.
//
// [Connect] returns a [Client]; [Client.CreateMatch] creates a [Match], [Client.Match] joins one with a key.
//
// Responses are the messages of the contract under short names, or embed one to return views as [View] and times as
// [time.Time]. Read them, and the errors, with their getters: they return the zero value of what is absent. An absent
// seat is not seat 0, so convert the field of an optional seat with [SeatOf].
//
// Lost calls are retried, writing calls under one request id, so that nothing happens twice. [Match.Watch] reconnects
// by itself. A Client is safe for concurrent use.
package chitarrella

import (
	"context"
	"crypto/tls"
	"iter"
	"net"
	"strconv"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"

	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

// Client is a client of the service. It is safe for concurrent use.
type Client struct {
	transport *transport
	// Rules are stateless questions about positions and cards.
	Rules *Rules
	// Webhooks are the webhooks of the platform of [WithAPIKey].
	Webhooks *Webhooks
}

// Connect returns a client of the service at target, "host:port". The connection is made with the first call, so an
// error means an invalid target or option.
func Connect(target string, options ...Option) (*Client, error) {
	set := settingsOf(options)
	if err := set.apiKey.check("x-api-key"); err != nil {
		return nil, err
	}
	if err := checkTarget(target); err != nil {
		return nil, err
	}
	conn, err := grpc.NewClient(target, set.dialOptions()...)
	if err != nil {
		return nil, err
	}
	t := &transport{
		settings: set, conn: conn, catalogue: pb.NewCatalogueServiceClient(conn),
		rules: pb.NewRulesServiceClient(conn), matches: pb.NewMatchServiceClient(conn),
		webhooks: pb.NewWebhookServiceClient(conn),
	}
	return &Client{transport: t, Rules: &Rules{t}, Webhooks: &Webhooks{t}}, nil
}

// checkTarget says what is wrong with a target that gRPC would take for something else.
func checkTarget(target string) error {
	if at := strings.Index(target, "://"); at >= 0 && (target[:at] == "http" || target[:at] == "https") {
		return mistake("target", "the target has no scheme: it is "+target[at+3:]+", and WithTLS enables TLS")
	}
	if strings.Contains(target, ":/") || strings.HasPrefix(target, "unix:") {
		return nil // a name resolver of gRPC, and what it takes
	}
	_, port, err := net.SplitHostPort(target)
	if number, parsed := strconv.ParseUint(port, 10, 16); err != nil || parsed != nil || number == 0 {
		return mistake("target", "the target is host:port, such as localhost:50051, and nothing else")
	}
	return nil
}

// Close closes the connection and cancels the calls in flight.
func (c *Client) Close() error {
	c.transport.closed.Store(true)
	return c.transport.conn.Close()
}

// Conn returns the connection, for the generated stubs. Calls over it carry no keys and are not retried.
func (c *Client) Conn() *grpc.ClientConn { return c.transport.conn }

// Games iterates over the games in the order of their keys. It ends with the first error.
func (c *Client) Games(ctx context.Context) iter.Seq2[*GameSummary, error] {
	return pages(func(token string) ([]*GameSummary, string, error) {
		page, err := call(ctx, c.transport, nil, c.transport.catalogue.ListGames, &pb.ListGamesRequest{PageToken: token})
		return page.GetGames(), page.GetNextPageToken(), err
	})
}

// Game returns the current edition of a game; fails with [CodeUnknownGame].
func (c *Client) Game(ctx context.Context, gameID string) (*Game, error) {
	return c.GameEdition(ctx, gameID, 0)
}

// GameEdition returns an edition of a game, 0 for the current one; fails with [CodeUnknownGame] or
// [CodeEditionNotSupported].
func (c *Client) GameEdition(ctx context.Context, gameID string, edition uint32) (*Game, error) {
	request := &pb.GetGameRequest{GameId: gameID, Edition: edition}
	return call(ctx, c.transport, nil, c.transport.catalogue.GetGame, request)
}

// GameFor returns a game, described for the players and the options of a rule set; fails as [Client.GameEdition], and with
// [CodeBadPlayers] or [CodeBadOption].
func (c *Client) GameFor(ctx context.Context, ruleSet *RuleSet) (*Game, error) {
	request := &pb.GetGameRequest{
		GameId: ruleSet.GetGameId(), Edition: ruleSet.GetEdition(), Players: ruleSet.GetPlayers(),
	}
	for name, value := range ruleSet.GetOptions() {
		request.Options = append(request.Options, name+"="+value)
	}
	return call(ctx, c.transport, nil, c.transport.catalogue.GetGame, request)
}

// CreateMatch creates a match. The returned Match acts for the referee and holds the keys of all seats, which the
// service returns only here. Without options the service shuffles and the match is public.
func (c *Client) CreateMatch(ctx context.Context, ruleSet *RuleSet, options ...CreateOption) (*Match, error) {
	o := matchSettingsOf(options)
	o.RuleSet = ruleSet
	answer, err := call(ctx, c.transport, nil, c.transport.matches.CreateMatch, o.CreateMatchRequest)
	if err != nil {
		return nil, err
	}
	return c.created(answer), nil
}

// ImportMatch creates a match from a record, or from its first moves, to be viewed or continued; fails with
// [CodeBadRecord].
func (c *Client) ImportMatch(ctx context.Context, record string, options ...CreateOption) (*Match, error) {
	o := matchSettingsOf(options)
	answer, err := call(ctx, c.transport, nil, c.transport.matches.ImportMatch, &pb.ImportMatchRequest{
		Record: record, MoveCount: o.moveCount, PackSource: o.PackSource, Private: o.Private,
		ExpireAfter: o.ExpireAfter, RequestId: o.RequestId, Clock: o.Clock, Bots: o.Bots, Sandbox: o.Sandbox,
		ExternalId: o.ExternalId, Labels: o.Labels, PlayerNames: o.PlayerNames, Restrictions: o.Restrictions,
	})
	if err != nil {
		return nil, err
	}
	return c.created(answer), nil
}

func (c *Client) created(answer *pb.CreatedMatch) *Match {
	keys := make(map[Seat]secret, len(answer.GetSeatKeys()))
	for _, one := range answer.GetSeatKeys() {
		keys[Seat(one.GetSeat())] = keep(one.GetKey())
	}
	return &Match{
		transport: c.transport, id: answer.GetMatch().GetMatchId(), seat: Nobody, keys: keys,
		key: keep(answer.GetRefereeKey()), spectatorKey: keep(answer.GetSpectatorKey()),
	}
}

// Match returns a match by its id and a key: a seat's, the referee's, or the spectators'. An empty key stands for that of [WithKey], or,
// if there is none, for the public. No call is made.
func (c *Client) Match(id, key string) *Match {
	return &Match{transport: c.transport, id: id, key: c.transport.keyOr(key), seat: Nobody}
}

// Matches iterates over the matches created by the platform of [WithAPIKey], or those that fit all filters, the latest
// first. It ends with the first error: [CodePlatformOnly] without an API key.
func (c *Client) Matches(ctx context.Context, filters ...MatchFilter) iter.Seq2[MatchDetails, error] {
	return pages(func(token string) ([]MatchDetails, string, error) {
		request := &pb.ListMatchesRequest{PageToken: token}
		for _, filter := range filters {
			filter.list(request)
		}
		page, err := call(ctx, c.transport, nil, c.transport.matches.ListMatches, request)
		matches := make([]MatchDetails, 0, len(page.GetMatches()))
		for _, one := range page.GetMatches() {
			matches = append(matches, MatchDetails{one})
		}
		return matches, page.GetNextPageToken(), err
	})
}

// pages iterates over the items of all pages; fetch returns the items of one page and the token of the next.
func pages[T any](fetch func(token string) ([]T, string, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		token := ""
		for more := true; more; more = token != "" {
			items, next, err := fetch(token)
			if err != nil {
				yield(none, err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			token = next
		}
	}
}

// settings of a client.
type settings struct {
	key, apiKey secret
	language    string
	tls         credentials.TransportCredentials
	timeout     time.Duration
	retries     int
	dial        []grpc.DialOption
}

// keyOr returns a key, or the default one if it is empty.
func (s settings) keyOr(key string) secret {
	if key == "" {
		return s.key
	}
	return keep(key)
}

// Option is a setting of [Connect].
type Option func(*settings)

// WithKey sets the default key of [Client.Match].
func WithKey(key string) Option { return func(s *settings) { s.key = keep(key) } }

// WithTLS enables TLS; nil trusts the system's certificates. Without this option the connection is not encrypted.
func WithTLS(config *tls.Config) Option {
	return func(s *settings) { s.tls = credentials.NewTLS(config) }
}

// WithAPIKey sets the API key of a platform, for services that require one.
func WithAPIKey(key string) Option { return func(s *settings) { s.apiKey = keep(key) } }

// WithLanguage sets the language of clauses and refusals: "en", "it", "de", or any value of the Accept-Language header.
// Default: English.
func WithLanguage(language string) Option { return func(s *settings) { s.language = language } }

// WithTimeout sets the timeout of one attempt of a call; 0 for none but that of its context. Default: 10 seconds. It
// does not apply to [Match.Watch].
func WithTimeout(timeout time.Duration) Option { return func(s *settings) { s.timeout = timeout } }

// WithRetries sets how often a call is retried when its response was lost. Every call may be retried safely.
// Default: 4 times.
func WithRetries(retries int) Option { return func(s *settings) { s.retries = max(0, retries) } }

// WithDialOptions passes options to gRPC: interceptors, larger messages, another dialer.
func WithDialOptions(options ...grpc.DialOption) Option {
	return func(s *settings) { s.dial = append(s.dial, options...) }
}

func settingsOf(options []Option) settings {
	made := settings{tls: insecure.NewCredentials(), timeout: 10 * time.Second, retries: 4}
	for _, option := range options {
		option(&made)
	}
	return made
}

// dialOptions returns the options of the gRPC connection.
func (s settings) dialOptions() []grpc.DialOption {
	return append([]grpc.DialOption{
		grpc.WithTransportCredentials(s.tls),
		grpc.WithUserAgent("chitarrella-client-go"),
		// Retries are made by this package: gRPC's own policy shares one deadline among all attempts.
		grpc.WithDisableRetry(),
		// Reconnect as fast as the first retry comes.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 3 * time.Second},
			MinConnectTimeout: 5 * time.Second,
		}),
		// Detects a dead peer while a call is in flight.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 20 * time.Second, Timeout: 10 * time.Second}),
	}, s.dial...)
}
