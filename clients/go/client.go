// The client: the catalogue, the rules, and the door to matches.

package chitarrella

import (
	"context"
	"iter"

	"google.golang.org/grpc"

	pb "chitarrella/gen/chitarrella/v1"
)

// What the catalogue and lists of matches tell.
type (
	// Game is a game with all that can be known of it: pack, options, moves, reasons and the rule book.
	Game = pb.GetGameResponse
	// GameSummary is a game in one line.
	GameSummary = pb.GameSummary
	// Comparison is what differs between two games, or two agreements on one.
	Comparison = pb.CompareGamesResponse
	// MatchSummary is a match of a platform in one line.
	MatchSummary = pb.MatchSummary
)

// Client speaks to a service. It may be shared by any number of goroutines.
type Client struct {
	line *line
	// Rules are questions about positions and cards, of which the service keeps nothing.
	Rules *Rules
}

// Connect prepares to speak to the service at target, which is "host:port"; it is connected to with the first call. An
// error is only about target and options that cannot be.
func Connect(target string, options ...Option) (*Client, error) {
	set := settingsOf(options)
	conn, err := grpc.NewClient(target, set.dialOptions()...)
	if err != nil {
		return nil, err
	}
	l := &line{
		settings: set, conn: conn, catalogue: pb.NewCatalogueServiceClient(conn),
		rules: pb.NewRulesServiceClient(conn), matches: pb.NewMatchServiceClient(conn),
	}
	return &Client{line: l, Rules: &Rules{l}}, nil
}

// Close hangs up; whatever is under way ends.
func (c *Client) Close() error { return c.line.conn.Close() }

// Conn gives the connection, for the stubs of the contract; calls over it show no keys and are not repeated.
func (c *Client) Conn() *grpc.ClientConn { return c.line.conn }

// Games goes through the games in the order of their keys. It ends with the first error.
func (c *Client) Games(ctx context.Context) iter.Seq2[*GameSummary, error] {
	return pages(func(token string) ([]*GameSummary, string, error) {
		page, err := ask(ctx, c.line, "", c.line.catalogue.ListGames, &pb.ListGamesRequest{PageToken: token})
		return page.GetGames(), page.GetNextPageToken(), err
	})
}

// Game describes a game by its key, by the current edition of its rules; fails with [CodeUnknownGame].
func (c *Client) Game(ctx context.Context, key string) (*Game, error) {
	return c.GameEdition(ctx, key, 0)
}

// GameEdition describes a game by an edition of its rules, 0 for the current one; fails with [CodeUnknownGame] or
// [CodeEditionNotKept].
func (c *Client) GameEdition(ctx context.Context, key string, edition uint32) (*Game, error) {
	request := &pb.GetGameRequest{Game: key, Edition: edition}
	return ask(ctx, c.line, "", c.line.catalogue.GetGame, request)
}

// Compare tells two games apart, or two agreements on one.
func (c *Client) Compare(ctx context.Context, first, second *Agreement) (*Comparison, error) {
	request := &pb.CompareGamesRequest{First: first, Second: second}
	return ask(ctx, c.line, "", c.line.catalogue.CompareGames, request)
}

// CreateMatch opens a match. What comes back speaks for the referee and has the keys of all seats, which are shown this
// once. Without options the service shuffles and everybody may look.
func (c *Client) CreateMatch(ctx context.Context, agreement *Agreement, options ...OpenOption) (*Match, error) {
	o := openingOf(options)
	answer, err := ask(ctx, c.line, "", c.line.matches.CreateMatch, &pb.CreateMatchRequest{
		Agreement: agreement, PackSource: o.packs, Pack: o.pack, Position: o.position, Private: o.private,
		ExpiresAfterSeconds: o.expires, RequestId: o.requestID, Clock: o.clock, Bots: o.bots,
	})
	if err != nil {
		return nil, err
	}
	return c.opened(answer), nil
}

// ImportMatch opens a match from a record, or from its first moves, to look at it or to play on from there; fails with
// [CodeBadRecord].
func (c *Client) ImportMatch(ctx context.Context, record string, options ...OpenOption) (*Match, error) {
	o := openingOf(options)
	answer, err := ask(ctx, c.line, "", c.line.matches.ImportMatch, &pb.ImportMatchRequest{
		Record: record, Moves: o.moves, PackSource: o.packs, Private: o.private,
		ExpiresAfterSeconds: o.expires, RequestId: o.requestID, Clock: o.clock, Bots: o.bots,
	})
	if err != nil {
		return nil, err
	}
	return c.opened(answer.GetOpened()), nil
}

func (c *Client) opened(answer *pb.CreateMatchResponse) *Match {
	keys := make(map[Seat]string, len(answer.GetSeatKeys()))
	for _, one := range answer.GetSeatKeys() {
		keys[Seat(one.GetSeat())] = one.GetKey()
	}
	return &Match{line: c.line, id: answer.GetMatch(), key: answer.GetRefereeKey(), seat: Nobody, keys: keys}
}

// Match joins a match by its name and a key: a seat's, or the referee's. With an empty key it shows the one of
// [WithKey], or, if there is none, has the eyes of the public. Nothing is asked yet.
func (c *Client) Match(id, key string) *Match {
	if key == "" {
		key = c.line.key
	}
	return &Match{line: c.line, id: id, key: key, seat: Nobody}
}

// Matches goes through the matches that the platform of [WithAPIKey] has opened, the latest first. It ends with the
// first error; that is [CodePlatformOnly] without the key of a platform.
func (c *Client) Matches(ctx context.Context) iter.Seq2[*MatchSummary, error] {
	return pages(func(token string) ([]*MatchSummary, string, error) {
		page, err := ask(ctx, c.line, "", c.line.matches.ListMatches, &pb.ListMatchesRequest{PageToken: token})
		return page.GetMatches(), page.GetNextPageToken(), err
	})
}

// pages goes through the things on all pages; turn gives those of one, and the token of the next.
func pages[T any](turn func(token string) ([]*T, string, error)) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		token := ""
		for more := true; more; more = token != "" {
			things, next, err := turn(token)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, thing := range things {
				if !yield(thing, nil) {
					return
				}
			}
			token = next
		}
	}
}
