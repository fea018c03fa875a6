// The client: the catalogue, the rules, and access to matches.

package chitarrella

import (
	"context"
	"iter"

	"google.golang.org/grpc"

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

// Close closes the connection and cancels the calls in flight.
func (c *Client) Close() error { return c.transport.conn.Close() }

// Conn returns the connection, for the generated stubs. Calls over it carry no keys and are not retried.
func (c *Client) Conn() *grpc.ClientConn { return c.transport.conn }

// Games iterates over the games in the order of their keys. It ends with the first error.
func (c *Client) Games(ctx context.Context) iter.Seq2[*GameSummary, error] {
	return pages(func(token string) ([]*GameSummary, string, error) {
		page, err := call(ctx, c.transport, "", c.transport.catalogue.ListGames, &pb.ListGamesRequest{PageToken: token})
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
	return call(ctx, c.transport, "", c.transport.catalogue.GetGame, request)
}

// CreateMatch creates a match. The returned Match acts for the referee and holds the keys of all seats, which the
// service returns only here. Without options the service shuffles and the match is public.
func (c *Client) CreateMatch(ctx context.Context, ruleSet *RuleSet, options ...CreateOption) (*Match, error) {
	o := matchSettingsOf(options)
	answer, err := call(ctx, c.transport, "", c.transport.matches.CreateMatch, &pb.CreateMatchRequest{
		RuleSet: ruleSet, PackSource: pb.PackSource(o.packSource), Pack: o.pack, Position: o.position, Private: o.private,
		ExpiresAfterSeconds: o.expires, RequestId: o.requestID, Clock: o.clock, Bots: o.bots,
		ExternalId: o.externalID, Labels: o.labels, PlayerNames: o.playerNames, Sandbox: o.sandbox,
	})
	if err != nil {
		return nil, err
	}
	return c.created(answer), nil
}

// ImportMatch creates a match from a record, or from its first moves, to be viewed or continued; fails with
// [CodeBadRecord].
func (c *Client) ImportMatch(ctx context.Context, record string, options ...CreateOption) (*Match, error) {
	o := matchSettingsOf(options)
	answer, err := call(ctx, c.transport, "", c.transport.matches.ImportMatch, &pb.ImportMatchRequest{
		Record: record, MoveCount: o.moveCount, PackSource: pb.PackSource(o.packSource), Private: o.private,
		ExpiresAfterSeconds: o.expires, RequestId: o.requestID, Clock: o.clock, Bots: o.bots,
		ExternalId: o.externalID, Labels: o.labels, PlayerNames: o.playerNames, Sandbox: o.sandbox,
	})
	if err != nil {
		return nil, err
	}
	return c.created(answer.GetCreated()), nil
}

func (c *Client) created(answer *pb.CreateMatchResponse) *Match {
	keys := make(map[Seat]string, len(answer.GetSeatKeys()))
	for _, one := range answer.GetSeatKeys() {
		keys[Seat(one.GetSeat())] = one.GetKey()
	}
	return &Match{transport: c.transport, id: answer.GetMatchId(), key: answer.GetRefereeKey(), seat: Nobody, keys: keys}
}

// Match returns a match by its id and a key: a seat's, or the referee's. An empty key stands for that of [WithKey], or,
// if there is none, for the public. No call is made.
func (c *Client) Match(id, key string) *Match {
	if key == "" {
		key = c.transport.key
	}
	return &Match{transport: c.transport, id: id, key: key, seat: Nobody}
}

// Matches iterates over the matches created by the platform of [WithAPIKey], or those that fit all filters, the latest
// first. It ends with the first error: [CodePlatformOnly] without an API key.
func (c *Client) Matches(ctx context.Context, filters ...MatchFilter) iter.Seq2[MatchSummary, error] {
	return pages(func(token string) ([]MatchSummary, string, error) {
		request := &pb.ListMatchesRequest{PageToken: token}
		for _, filter := range filters {
			filter.list(request)
		}
		page, err := call(ctx, c.transport, "", c.transport.matches.ListMatches, request)
		matches := make([]MatchSummary, 0, len(page.GetMatches()))
		for _, one := range page.GetMatches() {
			matches = append(matches, MatchSummary{one})
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
