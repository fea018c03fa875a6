// Calls about webhooks.
#include "transport.hpp"

namespace chitarrella {

namespace {

/// A request about a webhook.
template <class Request>
Request for_webhook(const std::string& webhook_id) {
    Request request;
    request.set_webhook_id(webhook_id);
    return request;
}

} // namespace

Webhooks::Webhooks(std::shared_ptr<const Transport> transport) : transport_(std::move(transport)) {}

CreatedWebhook Webhooks::create(const std::string& url, const std::string& request_id) const {
    v1::CreateWebhookRequest request;
    request.set_url(url);
    request.set_request_id(request_id.empty() ? new_request_id() : request_id);
    return transport_->call(transport_->webhooks, &WebhookStub::CreateWebhook, request);
}

std::vector<Webhook> Webhooks::list() const {
    const auto response = transport_->call(transport_->webhooks, &WebhookStub::ListWebhooks, v1::ListWebhooksRequest());
    return {response.webhooks().begin(), response.webhooks().end()};
}

Webhook Webhooks::update(const std::string& webhook_id, const WebhookChanges& changes) const {
    auto request = for_webhook<v1::UpdateWebhookRequest>(webhook_id);
    if (changes.url) request.set_url(*changes.url);
    if (changes.disabled) request.set_disabled(*changes.disabled);
    return transport_->call(transport_->webhooks, &WebhookStub::UpdateWebhook, request).webhook();
}

std::string Webhooks::rotate_secret(const std::string& webhook_id) const {
    const auto request = for_webhook<v1::RotateWebhookSecretRequest>(webhook_id);
    return transport_->call(transport_->webhooks, &WebhookStub::RotateWebhookSecret, request).secret();
}

void Webhooks::delete_webhook(const std::string& webhook_id) const {
    const auto request = for_webhook<v1::DeleteWebhookRequest>(webhook_id);
    transport_->call(transport_->webhooks, &WebhookStub::DeleteWebhook, request);
}

Delivery Webhooks::test(const std::string& webhook_id) const {
    const auto request = for_webhook<v1::TestWebhookRequest>(webhook_id);
    return transport_->call(transport_->webhooks, &WebhookStub::TestWebhook, request).delivery();
}

std::vector<Delivery> Webhooks::deliveries(const std::string& webhook_id, v1::DeliveryState state) const {
    std::vector<Delivery> deliveries;
    auto request = for_webhook<v1::ListDeliveriesRequest>(webhook_id);
    request.set_state(state);
    do {
        const auto page = transport_->call(transport_->webhooks, &WebhookStub::ListDeliveries, request);
        deliveries.insert(deliveries.end(), page.deliveries().begin(), page.deliveries().end());
        request.set_page_token(page.next_page_token());
    } while (!request.page_token().empty());
    return deliveries;
}

Delivery Webhooks::resend(const std::string& webhook_id, const std::string& delivery_id) const {
    auto request = for_webhook<v1::ResendDeliveryRequest>(webhook_id);
    request.set_delivery_id(delivery_id);
    return transport_->call(transport_->webhooks, &WebhookStub::ResendDelivery, request).delivery();
}

} // namespace chitarrella
