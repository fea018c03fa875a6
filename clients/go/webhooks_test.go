// Cases that the scenarios do not reach: webhooks and their deliveries.

package chitarrella_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	chitarrella "github.com/chitarrella/chitarrella/clients/go"
	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

// fakeWebhooks keeps the requests that it receives; the first response is lost.
type fakeWebhooks struct {
	pb.UnimplementedWebhookServiceServer
	t        *testing.T
	requests []proto.Message
}

var (
	attemptTime = time.Unix(1_700_000_000, 0)
	exampleURL  = "https://example.com/hook"
)

func (s *fakeWebhooks) CreateWebhook(
	_ context.Context, r *pb.CreateWebhookRequest,
) (*pb.CreateWebhookResponse, error) {
	s.requests = append(s.requests, r)
	if len(s.requests) == 1 {
		return nil, status.Error(codes.Unavailable, "cut")
	}
	webhook := &pb.Webhook{WebhookId: "w", Url: r.GetUrl(), CreateTime: timestamppb.New(attemptTime)}
	return &pb.CreateWebhookResponse{Webhook: webhook, Secret: "whsec_x"}, nil
}

func (s *fakeWebhooks) ListWebhooks(context.Context, *pb.ListWebhooksRequest) (*pb.ListWebhooksResponse, error) {
	return &pb.ListWebhooksResponse{Webhooks: []*pb.Webhook{{WebhookId: "settings", Configured: true}, {WebhookId: "w"}}}, nil
}

func (s *fakeWebhooks) UpdateWebhook(
	_ context.Context, r *pb.UpdateWebhookRequest,
) (*pb.UpdateWebhookResponse, error) {
	s.requests = append(s.requests, r)
	return &pb.UpdateWebhookResponse{Webhook: &pb.Webhook{WebhookId: "w", Disabled: r.GetDisabled()}}, nil
}

func (s *fakeWebhooks) RotateWebhookSecret(
	context.Context, *pb.RotateWebhookSecretRequest,
) (*pb.RotateWebhookSecretResponse, error) {
	return &pb.RotateWebhookSecretResponse{Secret: "whsec_y"}, nil
}

func (s *fakeWebhooks) DeleteWebhook(context.Context, *pb.DeleteWebhookRequest) (*pb.DeleteWebhookResponse, error) {
	return nil, serviceError(s.t, codes.FailedPrecondition, "webhook_configured", nil)
}

func (s *fakeWebhooks) TestWebhook(context.Context, *pb.TestWebhookRequest) (*pb.TestWebhookResponse, error) {
	return &pb.TestWebhookResponse{Delivery: &pb.Delivery{
		State: chitarrella.DeliveryFailed, LastAttemptTime: timestamppb.New(attemptTime), Error: "timed_out",
	}}, nil
}

func (s *fakeWebhooks) ListDeliveries(
	_ context.Context, r *pb.ListDeliveriesRequest,
) (*pb.ListDeliveriesResponse, error) {
	s.requests = append(s.requests, r)
	next := map[string]string{"": "more"}[r.GetPageToken()]
	deliveries := []*pb.Delivery{{DeliveryId: "d" + r.GetPageToken(), State: r.GetState()}}
	return &pb.ListDeliveriesResponse{Deliveries: deliveries, NextPageToken: next}, nil
}

func (s *fakeWebhooks) ResendDelivery(
	_ context.Context, r *pb.ResendDeliveryRequest,
) (*pb.ResendDeliveryResponse, error) {
	delivery := &pb.Delivery{DeliveryId: r.GetDeliveryId(), State: chitarrella.DeliveryPending}
	return &pb.ResendDeliveryResponse{Delivery: delivery}, nil
}

// webhooksOf returns the webhooks of the fake service.
func webhooksOf(t *testing.T) (*chitarrella.Webhooks, *fakeWebhooks) {
	t.Helper()
	server, service := grpc.NewServer(), &fakeWebhooks{t: t}
	pb.RegisterWebhookServiceServer(server, service)
	return clientOf(t, server).Webhooks, service
}

// A webhook whose response was lost is created once, under one request id.
func TestWebhookIsCreatedOnce(t *testing.T) {
	webhooks, service := webhooksOf(t)
	created, err := webhooks.Create(t.Context(), exampleURL)
	if err != nil || created.GetSecret() != "whsec_x" || !created.GetWebhook().GetCreateTime().Equal(attemptTime) {
		t.Errorf("created %v, error: %v", created, err)
	}
	first, _ := service.requests[0].(*pb.CreateWebhookRequest)
	if len(service.requests) != 2 || first.GetRequestId() == "" || !proto.Equal(first, service.requests[1]) {
		t.Errorf("received %v", service.requests)
	}
	if _, err := webhooks.Create(t.Context(), exampleURL, chitarrella.RequestID("sixteen letters.")); err != nil {
		t.Fatal(err)
	}
	if !proto.Equal(service.requests[2], &pb.CreateWebhookRequest{Url: exampleURL, RequestId: "sixteen letters."}) {
		t.Errorf("received %v", service.requests[2])
	}
}

// The webhook in the settings of the service has no time, and cannot be changed.
func TestConfiguredWebhook(t *testing.T) {
	webhooks, _ := webhooksOf(t)
	listed, err := webhooks.List(t.Context())
	if err != nil || len(listed) != 2 || !listed[0].GetConfigured() || !listed[0].GetCreateTime().IsZero() {
		t.Errorf("listed %v, error: %v", listed, err)
	}
	if err := webhooks.Delete(t.Context(), "settings"); !errors.Is(err, chitarrella.CodeWebhookConfigured) {
		t.Errorf("failed with %v", err)
	}
}

// A change has what is given only: false and the absence of a value are not the same.
func TestWebhookIsChanged(t *testing.T) {
	webhooks, service := webhooksOf(t)
	changed, err := webhooks.Update(t.Context(), "w", chitarrella.WebhookDisabled(true))
	if err != nil || !changed.GetDisabled() {
		t.Errorf("changed to %v, error: %v", changed, err)
	}
	changes := []chitarrella.UpdateWebhookOption{chitarrella.WebhookURL(exampleURL), chitarrella.WebhookDisabled(false)}
	if _, err := webhooks.Update(t.Context(), "w", changes...); err != nil {
		t.Fatal(err)
	}
	for at, request := range []*pb.UpdateWebhookRequest{
		{WebhookId: "w", Disabled: new(true)}, {WebhookId: "w", Url: new(exampleURL), Disabled: new(false)},
	} {
		if !proto.Equal(service.requests[at], request) {
			t.Errorf("received %v, expected %v", service.requests[at], request)
		}
	}
	if secret, err := webhooks.RotateSecret(t.Context(), "w"); err != nil || secret != "whsec_y" {
		t.Errorf("secret %q, error: %v", secret, err)
	}
}

// Deliveries are listed page by page in one state; a test and a repetition return theirs.
func TestDeliveries(t *testing.T) {
	webhooks, service := webhooksOf(t)
	listed := ""
	for delivery, err := range webhooks.Deliveries(t.Context(), "w", chitarrella.DeliveryFailed) {
		if err != nil || delivery.GetState() != chitarrella.DeliveryFailed {
			t.Fatalf("delivery %v, error: %v", delivery, err)
		}
		listed += delivery.GetDeliveryId() + " "
	}
	if listed != "d dmore " || len(service.requests) != 2 {
		t.Errorf("listed %s", listed)
	}
	tested, err := webhooks.Test(t.Context(), "w")
	if err != nil || tested.GetError() != "timed_out" || !tested.GetLastAttemptTime().Equal(attemptTime) {
		t.Errorf("tested %v, error: %v", tested, err)
	}
	resent, err := webhooks.Resend(t.Context(), "w", "d")
	if err != nil || resent.GetDeliveryId() != "d" || resent.GetState() != chitarrella.DeliveryPending {
		t.Errorf("resent %v, error: %v", resent, err)
	}
	if !resent.GetLastAttemptTime().IsZero() {
		t.Errorf("attempted at %v", resent.GetLastAttemptTime())
	}
}
