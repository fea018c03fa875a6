// What a platform attaches to its matches, and how it finds, reads and watches many of them.

package chitarrella

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"

	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

// MatchFilter is a filter of [Client.Matches]: the [ExternalID], a [Label], [PlayerNamed], [WonBy], [InState],
// [OfGame], [CreatedAfter], [EndedAfter]; or the order: [Ascending].
type MatchFilter interface{ list(*pb.ListMatchesRequest) }

// ExternalID is the platform's own id of a match; it is an option of a new match, a change, and a [MatchFilter].
type ExternalID string

func (e ExternalID) create(into *matchSettings)         { into.ExternalId = string(e) }
func (e ExternalID) update(into *pb.UpdateMatchRequest) { into.ExternalId = new(string(e)) }
func (e ExternalID) list(into *pb.ListMatchesRequest)   { into.ExternalId = string(e) }

// LabelOption is what [Label] returns: an option of a new match, a change, and a [MatchFilter].
type LabelOption struct{ key, value string }

// Label is a label of the platform's own, such as "cup" with "spring". A match may have several. As a change, one
// with an empty value is removed.
func Label(key, value string) LabelOption { return LabelOption{key, value} }

func (l LabelOption) create(into *matchSettings)         { into.Labels[l.key] = l.value }
func (l LabelOption) update(into *pb.UpdateMatchRequest) { into.Labels[l.key] = l.value }
func (l LabelOption) list(into *pb.ListMatchesRequest) {
	into.Labels = append(into.Labels, l.key+"="+l.value)
}

// PlayerOption is what [Player] returns: an option of a new match, and a change.
type PlayerOption struct{ name *pb.PlayerName }

// Player names the player at a seat. Everybody who may see the match sees the name.
func Player(seat Seat, name string) PlayerOption {
	return PlayerOption{&pb.PlayerName{Seat: uint32(seat), Name: name}}
}

func (p PlayerOption) create(into *matchSettings) {
	into.PlayerNames = append(into.PlayerNames, p.name)
}
func (p PlayerOption) update(into *pb.UpdateMatchRequest) {
	into.PlayerNames = append(into.PlayerNames, p.name)
}

// ExpireAfter is how long after its last move or clock a match is deleted, at least a minute; it is an option of a new
// match, and a change. Default: set by the service.
type ExpireAfter time.Duration

func (e ExpireAfter) create(into *matchSettings) { into.ExpireAfter = durationOf(time.Duration(e)) }
func (e ExpireAfter) update(into *pb.UpdateMatchRequest) {
	into.ExpireAfter = durationOf(time.Duration(e))
}

type filter func(*pb.ListMatchesRequest)

func (f filter) list(into *pb.ListMatchesRequest) { f(into) }

// PlayerNamed is the filter for matches with a player of exactly this name.
func PlayerNamed(name string) MatchFilter {
	return filter(func(r *pb.ListMatchesRequest) { r.PlayerName = name })
}

// WonBy is the filter for matches that a player of exactly this name has won.
func WonBy(name string) MatchFilter {
	return filter(func(r *pb.ListMatchesRequest) { r.WinnerName = name })
}

// InState is the filter for matches in this state.
func InState(state MatchState) MatchFilter {
	return filter(func(r *pb.ListMatchesRequest) { r.State = state })
}

// OfGame is the filter for matches of this game.
func OfGame(gameID string) MatchFilter {
	return filter(func(r *pb.ListMatchesRequest) { r.GameId = gameID })
}

// CreatedAfter is the filter for matches that were created at this time or later.
func CreatedAfter(at time.Time) MatchFilter {
	return filter(func(r *pb.ListMatchesRequest) { r.CreatedAfter = timestamppb.New(at) })
}

// EndedAfter is the filter for matches that ended at this time or later.
func EndedAfter(at time.Time) MatchFilter {
	return filter(func(r *pb.ListMatchesRequest) { r.EndedAfter = timestamppb.New(at) })
}

// Ascending lists the earliest match first.
func Ascending() MatchFilter { return filter(func(r *pb.ListMatchesRequest) { r.Ascending = true }) }

// GetMatches returns the states of at most 100 matches, in the same order; each is found or has its error. The key, of a
// seat or the referee, counts at its own match; at the others the caller is the public. An empty key is as for
// [Client.Match].
func (c *Client) GetMatches(ctx context.Context, ids []string, key string) ([]MatchResult, error) {
	request := &pb.BatchGetMatchesRequest{MatchIds: ids}
	answer, err := call(ctx, c.transport, c.transport.keyOr(key), c.transport.matches.BatchGetMatches, request)
	found := make([]MatchResult, 0, len(answer.GetResults()))
	for _, one := range answer.GetResults() {
		found = append(found, MatchResult{one})
	}
	return found, err
}

// WatchMatches iterates over the updates of all matches of the platform of [WithAPIKey] from now on, and over heartbeats,
// which have no match id. The first is a heartbeat: what happens after it is received. It does not reconnect, because
// updates may be missing then: it ends with an error, and [Client.Matches] and [Match.Events] return what was missed.
// Fails with [CodePlatformOnly]. To stop, leave the loop or cancel the context.
func (c *Client) WatchMatches(ctx context.Context) iter.Seq2[PlatformUpdate, error] {
	return func(yield func(PlatformUpdate, error) bool) {
		streamContext, cancel := context.WithCancel(ctx)
		defer cancel()
		headers, err := c.transport.withHeaders(streamContext, nil)
		if err != nil {
			yield(PlatformUpdate{}, err)
			return
		}
		stream, err := c.transport.matches.WatchMatches(headers, &pb.WatchMatchesRequest{})
		if err != nil {
			yield(PlatformUpdate{}, readError(ctx, err, ""))
			return
		}
		for {
			update, err := stream.Recv()
			if err != nil {
				yield(PlatformUpdate{}, readPlatformError(ctx, err))
				return
			}
			if !yield(PlatformUpdate{update}, nil) {
				return
			}
		}
	}
}

// readPlatformError converts the end of a stream of all matches. The service never ends it without an error, so at a
// regular end something in between has ended it: updates may be missing.
func readPlatformError(ctx context.Context, err error) *Error {
	if errors.Is(err, io.EOF) {
		return &Error{code: CodeUnavailable, message: "the stream has ended", status: codes.Unavailable}
	}
	return readError(ctx, err, "")
}

// Webhook is where the service sends messages to a platform.
type Webhook struct{ *pb.Webhook }

// GetCreateTime returns when it was created; the zero time for one in the settings of the service.
func (w Webhook) GetCreateTime() time.Time { return timeOf(w.Webhook.GetCreateTime()) }

// CreatedWebhook is a new webhook with the secret that signs its messages, for a library of Standard Webhooks. Printed, it
// has no secret.
type CreatedWebhook struct {
	webhook Webhook
	secret  secret
}

// GetWebhook returns the webhook.
func (w CreatedWebhook) GetWebhook() Webhook { return w.webhook }

// GetSecret returns the secret, which is returned only here.
func (w CreatedWebhook) GetSecret() string { return w.secret.text() }

// DeliveryState is the state of a delivery.
type DeliveryState = pb.DeliveryState

// The states of a delivery.
const (
	// DeliveryAny: any state, for [Webhooks.Deliveries].
	DeliveryAny = pb.DeliveryState_DELIVERY_STATE_UNSPECIFIED
	// DeliveryPending: it will be attempted, perhaps again.
	DeliveryPending = pb.DeliveryState_DELIVERY_STATE_PENDING
	// DeliverySent: the webhook has received it.
	DeliverySent = pb.DeliveryState_DELIVERY_STATE_SENT
	// DeliveryFailed: it is not attempted any more.
	DeliveryFailed = pb.DeliveryState_DELIVERY_STATE_FAILED
)

// Delivery is the delivery of a message to a webhook.
type Delivery struct{ *pb.Delivery }

// GetLastAttemptTime returns when the last attempt was made; the zero time without one.
func (d Delivery) GetLastAttemptTime() time.Time { return timeOf(d.Delivery.GetLastAttemptTime()) }

// CreateWebhookOption is an option of [Webhooks.Create]: a [RequestID], the [WebhookEvents].
type CreateWebhookOption interface {
	createWebhook(*pb.CreateWebhookRequest)
}

// UpdateWebhookOption is a change of [Webhooks.Update]: the [WebhookURL], [WebhookDisabled], the [WebhookEvents].
type UpdateWebhookOption interface {
	updateWebhook(*pb.UpdateWebhookRequest)
}

// WebhookURL is where messages are sent.
type WebhookURL string

// WebhookDisabled says whether a webhook receives no messages.
type WebhookDisabled bool

// WebhookEvents are the types of messages that a webhook receives, such as "match.finished"; none for all, or, as a
// change, to leave them.
type WebhookEvents []string

func (e WebhookEvents) createWebhook(into *pb.CreateWebhookRequest)   { into.EventTypes = e }
func (e WebhookEvents) updateWebhook(into *pb.UpdateWebhookRequest)   { into.EventTypes = e }
func (u WebhookURL) updateWebhook(into *pb.UpdateWebhookRequest)      { into.Url = new(string(u)) }
func (d WebhookDisabled) updateWebhook(into *pb.UpdateWebhookRequest) { into.Disabled = new(bool(d)) }

// Webhooks are the webhooks of the platform of [WithAPIKey]. Calls fail with [CodePlatformOnly], and those with a webhook
// id with [CodeNoSuchWebhook].
type Webhooks struct{ transport *transport }

// Create creates a webhook. The result has its secret, which no other call returns. Fails with [CodeTooManyWebhooks].
func (w *Webhooks) Create(ctx context.Context, url string, options ...CreateWebhookOption) (CreatedWebhook, error) {
	request := &pb.CreateWebhookRequest{Url: url, RequestId: newRequestID()}
	for _, option := range options {
		option.createWebhook(request)
	}
	answer, err := call(ctx, w.transport, nil, w.transport.webhooks.CreateWebhook, request)
	return CreatedWebhook{Webhook{answer.GetWebhook()}, keep(answer.GetSecret())}, err
}

// List returns the webhooks of the platform, the one in the settings of the service first.
func (w *Webhooks) List(ctx context.Context) ([]Webhook, error) {
	answer, err := call(ctx, w.transport, nil, w.transport.webhooks.ListWebhooks, &pb.ListWebhooksRequest{})
	webhooks := make([]Webhook, 0, len(answer.GetWebhooks()))
	for _, one := range answer.GetWebhooks() {
		webhooks = append(webhooks, Webhook{one})
	}
	return webhooks, err
}

// Update changes the URL of a webhook or the types of its messages, disables or enables it; what is not given stays as it is. Fails with
// [CodeWebhookConfigured].
func (w *Webhooks) Update(ctx context.Context, webhookID string, changes ...UpdateWebhookOption) (Webhook, error) {
	request := &pb.UpdateWebhookRequest{WebhookId: webhookID}
	for _, change := range changes {
		change.updateWebhook(request)
	}
	answer, err := call(ctx, w.transport, nil, w.transport.webhooks.UpdateWebhook, request)
	return Webhook{answer.GetWebhook()}, err
}

// RotateSecret replaces the secret of a webhook, and returns the new one; the old one signs beside it for 24 hours. Fails
// with [CodeWebhookConfigured].
func (w *Webhooks) RotateSecret(ctx context.Context, webhookID string) (string, error) {
	request := &pb.RotateWebhookSecretRequest{WebhookId: webhookID}
	answer, err := call(ctx, w.transport, nil, w.transport.webhooks.RotateWebhookSecret, request)
	return answer.GetSecret(), err
}

// Delete deletes a webhook with its deliveries. Fails with [CodeWebhookConfigured].
func (w *Webhooks) Delete(ctx context.Context, webhookID string) error {
	request := &pb.DeleteWebhookRequest{WebhookId: webhookID}
	_, err := call(ctx, w.transport, nil, w.transport.webhooks.DeleteWebhook, request)
	return err
}

// Test sends a test message now, and returns its delivery, sent or failed.
func (w *Webhooks) Test(ctx context.Context, webhookID string) (Delivery, error) {
	request := &pb.TestWebhookRequest{WebhookId: webhookID}
	answer, err := call(ctx, w.transport, nil, w.transport.webhooks.TestWebhook, request)
	return Delivery{answer.GetDelivery()}, err
}

// Deliveries iterates over the deliveries to a webhook in a state, or in [DeliveryAny], the latest first. It ends with the
// first error.
func (w *Webhooks) Deliveries(ctx context.Context, webhookID string, state DeliveryState) iter.Seq2[Delivery, error] {
	return pages(func(token string) ([]Delivery, string, error) {
		request := &pb.ListDeliveriesRequest{WebhookId: webhookID, State: state, PageToken: token}
		page, err := call(ctx, w.transport, nil, w.transport.webhooks.ListDeliveries, request)
		deliveries := make([]Delivery, 0, len(page.GetDeliveries()))
		for _, one := range page.GetDeliveries() {
			deliveries = append(deliveries, Delivery{one})
		}
		return deliveries, page.GetNextPageToken(), err
	})
}

// Resend sends the message of a delivery again, and returns the delivery, which is pending then. Fails with
// [CodeNoSuchDelivery].
func (w *Webhooks) Resend(ctx context.Context, webhookID, deliveryID string) (Delivery, error) {
	request := &pb.ResendDeliveryRequest{WebhookId: webhookID, DeliveryId: deliveryID}
	answer, err := call(ctx, w.transport, nil, w.transport.webhooks.ResendDelivery, request)
	return Delivery{answer.GetDelivery()}, err
}
