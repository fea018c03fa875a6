// The webhooks of a platform, and what was delivered to them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <chitarrella/types.hpp>

namespace chitarrella {

class Transport;

/// The changes of a webhook; what is nothing stays as it is.
struct WebhookChanges {
    std::optional<std::string> url{}; ///< where messages are sent
    std::optional<bool> disabled{};   ///< whether it receives no messages
};

/// The webhooks of the platform of the API key. All calls throw Error.
class Webhooks {
  public:
    explicit Webhooks(std::shared_ptr<const Transport> transport);

    /// Creates a webhook. The result has the secret that signs its messages, which no other call returns. A
    /// `request_id`, to repeat the call later, must be unguessable.
    CreatedWebhook create(const std::string& url, const std::string& request_id = "") const;

    /// Lists the webhooks of the platform, the one in the settings of the service first.
    std::vector<Webhook> list() const;

    /// Changes the URL of a webhook, disables or enables it.
    Webhook update(const std::string& webhook_id, const WebhookChanges& changes) const;

    /// Replaces the secret of a webhook, and returns the new one; the old one signs beside it for 24 hours.
    std::string rotate_secret(const std::string& webhook_id) const;

    /// Deletes a webhook with its deliveries.
    void delete_webhook(const std::string& webhook_id) const;

    /// Sends a test message now, and returns its delivery, sent or failed.
    Delivery test(const std::string& webhook_id) const;

    /// Lists the deliveries to a webhook, the latest first; with a state, those in it.
    std::vector<Delivery> deliveries(const std::string& webhook_id,
                                     v1::DeliveryState state = v1::DELIVERY_STATE_UNSPECIFIED) const;

    /// Sends the message of a delivery again, and returns the delivery, which is pending then.
    Delivery resend(const std::string& webhook_id, const std::string& delivery_id) const;

  private:
    std::shared_ptr<const Transport> transport_;
};

} // namespace chitarrella
