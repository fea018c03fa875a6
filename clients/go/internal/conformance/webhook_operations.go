// The operations of scenarios: the webhooks of a platform.

package main

import (
	"context"
	"strings"

	chitarrella "github.com/chitarrella/chitarrella/clients/go"
)

func (r *runner) createWebhook(ctx context.Context, s step) (any, error) {
	created, err := r.client.Webhooks.Create(ctx, s.URL)
	if err != nil {
		return nil, err
	}
	webhook := created.GetWebhook()
	r.webhooks[s.As] = webhook.GetWebhookId()
	return object{
		"url": webhook.GetUrl(), "disabled": webhook.GetDisabled(), "configured": webhook.GetConfigured(),
		"has_secret": strings.HasPrefix(created.GetSecret(), "whsec_"),
	}, nil
}

func (r *runner) listWebhooks(ctx context.Context, _ step) (any, error) {
	found, err := r.client.Webhooks.List(ctx)
	results := []object{}
	for _, one := range found {
		for name, id := range r.webhooks {
			if id == one.GetWebhookId() {
				results = append(results, object{"webhook": name, "url": one.GetUrl(), "disabled": one.GetDisabled()})
			}
		}
	}
	return byName(results, "webhook"), err
}

// webhookOf returns the id of a webhook by its name in the scenario, or the name itself.
func (r *runner) webhookOf(s step) string {
	if id, created := r.webhooks[s.Webhook]; created {
		return id
	}
	return s.Webhook
}

func (r *runner) updateWebhook(ctx context.Context, s step) (any, error) {
	var changes []chitarrella.UpdateWebhookOption
	if s.URL != "" {
		changes = append(changes, chitarrella.WebhookURL(s.URL))
	}
	if s.Disabled != nil {
		changes = append(changes, chitarrella.WebhookDisabled(*s.Disabled))
	}
	webhook, err := r.client.Webhooks.Update(ctx, r.webhookOf(s), changes...)
	return object{"url": webhook.GetUrl(), "disabled": webhook.GetDisabled()}, err
}

func (r *runner) rotateWebhookSecret(ctx context.Context, s step) (any, error) {
	secret, err := r.client.Webhooks.RotateSecret(ctx, r.webhookOf(s))
	return object{"has_secret": strings.HasPrefix(secret, "whsec_")}, err
}

func writeDelivery(value chitarrella.Delivery) object {
	states := map[chitarrella.DeliveryState]string{
		chitarrella.DeliveryPending: "pending", chitarrella.DeliverySent: "sent", chitarrella.DeliveryFailed: "failed",
	}
	return object{
		"type": value.GetType(), "state": states[value.GetState()], "attempts": value.GetAttempts(),
		"has_error": value.GetError() != "",
	}
}

func (r *runner) testWebhook(ctx context.Context, s step) (any, error) {
	delivery, err := r.client.Webhooks.Test(ctx, r.webhookOf(s))
	return writeDelivery(delivery), err
}

func (r *runner) deliveries(ctx context.Context, s step) ([]chitarrella.Delivery, error) {
	states := map[string]chitarrella.DeliveryState{
		"": chitarrella.DeliveryAny, "pending": chitarrella.DeliveryPending, "sent": chitarrella.DeliverySent,
		"failed": chitarrella.DeliveryFailed,
	}
	var found []chitarrella.Delivery
	for delivery, err := range r.client.Webhooks.Deliveries(ctx, r.webhookOf(s), states[s.State]) {
		if err != nil {
			return nil, err
		}
		found = append(found, delivery)
	}
	return found, nil
}

func (r *runner) listDeliveries(ctx context.Context, s step) (any, error) {
	found, err := r.deliveries(ctx, s)
	return each(found, writeDelivery), err
}

func (r *runner) resendDelivery(ctx context.Context, s step) (any, error) {
	id := s.Delivery
	if id == "" { // the latest
		found, err := r.deliveries(ctx, s)
		if err != nil {
			return nil, err
		}
		id = found[0].GetDeliveryId()
	}
	delivery, err := r.client.Webhooks.Resend(ctx, r.webhookOf(s), id)
	return writeDelivery(delivery), err
}

func (r *runner) deleteWebhook(ctx context.Context, s step) (any, error) {
	return nil, r.client.Webhooks.Delete(ctx, r.webhookOf(s))
}
