//! The webhooks of a platform, and what was delivered to them.

use crate::error::Error;
use crate::transport::{Transport, request_id};
use crate::v1::webhook_service_client::WebhookServiceClient as Stub;
use crate::v1::{
    CreateWebhookRequest, CreateWebhookResponse, DeleteWebhookRequest, Delivery, DeliveryState, ListDeliveriesRequest,
    ListWebhooksRequest, ResendDeliveryRequest, RotateWebhookSecretRequest, TestWebhookRequest, UpdateWebhookRequest,
    Webhook,
};

/// The webhooks of the platform of the API key; see [`Chitarrella::webhooks`](crate::Chitarrella::webhooks).
#[derive(Clone, Debug)]
pub struct Webhooks {
    transport: Transport,
}

/// The changes of a webhook; what is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebhookChanges {
    /// Where messages are sent.
    pub url: Option<String>,
    /// Whether it receives no messages.
    pub disabled: Option<bool>,
}

/// Calls the method of that name.
macro_rules! call {
    ($self:ident, $method:ident, $request:expr) => {
        $self.transport.call("", $request, |channel, q| async { Stub::new(channel).$method(q).await }).await
    };
}

impl Webhooks {
    pub(crate) fn new(transport: Transport) -> Self {
        Self { transport }
    }

    /// Creates a webhook. The result has the secret that signs its messages, which no other call returns.
    pub async fn create(&self, url: impl Into<String>) -> Result<CreateWebhookResponse, Error> {
        self.create_with_request_id(url, request_id()).await
    }

    /// Creates a webhook with a request id, to repeat the call later; it must be unguessable.
    pub async fn create_with_request_id(
        &self,
        url: impl Into<String>,
        request_id: impl Into<String>,
    ) -> Result<CreateWebhookResponse, Error> {
        let id = request_id.into();
        let request = CreateWebhookRequest { url: url.into(), request_id: id.clone() };
        call!(self, create_webhook, request).map_err(|error| error.with_request_id(id))
    }

    /// Lists the webhooks of the platform, the one in the settings of the service first.
    pub async fn list(&self) -> Result<Vec<Webhook>, Error> {
        Ok(call!(self, list_webhooks, ListWebhooksRequest {})?.webhooks)
    }

    /// Changes the URL of a webhook, disables or enables it.
    pub async fn update(&self, webhook_id: impl Into<String>, changes: WebhookChanges) -> Result<Webhook, Error> {
        let WebhookChanges { url, disabled } = changes;
        let request = UpdateWebhookRequest { webhook_id: webhook_id.into(), url, disabled };
        Ok(call!(self, update_webhook, request)?.webhook.unwrap_or_default())
    }

    /// Replaces the secret of a webhook, and returns the new one; the old one signs beside it for 24 hours.
    pub async fn rotate_secret(&self, webhook_id: impl Into<String>) -> Result<String, Error> {
        let request = RotateWebhookSecretRequest { webhook_id: webhook_id.into() };
        Ok(call!(self, rotate_webhook_secret, request)?.secret)
    }

    /// Deletes a webhook with its deliveries.
    pub async fn delete(&self, webhook_id: impl Into<String>) -> Result<(), Error> {
        let request = DeleteWebhookRequest { webhook_id: webhook_id.into() };
        call!(self, delete_webhook, request).map(drop)
    }

    /// Sends a test message now, and returns its delivery, sent or failed.
    pub async fn test(&self, webhook_id: impl Into<String>) -> Result<Delivery, Error> {
        let request = TestWebhookRequest { webhook_id: webhook_id.into() };
        Ok(call!(self, test_webhook, request)?.delivery.unwrap_or_default())
    }

    /// Lists the deliveries to a webhook, the latest first; with a state, those in it.
    pub async fn deliveries(
        &self,
        webhook_id: impl Into<String>,
        state: Option<DeliveryState>,
    ) -> Result<Vec<Delivery>, Error> {
        let state = state.unwrap_or_default().into();
        let mut request = ListDeliveriesRequest { webhook_id: webhook_id.into(), state, ..Default::default() };
        let mut deliveries = Vec::new();
        loop {
            let page = call!(self, list_deliveries, request.clone())?;
            deliveries.extend(page.deliveries);
            if page.next_page_token.is_empty() {
                return Ok(deliveries);
            }
            request.page_token = page.next_page_token;
        }
    }

    /// Sends the message of a delivery again, and returns the delivery, which is pending then.
    pub async fn resend(
        &self,
        webhook_id: impl Into<String>,
        delivery_id: impl Into<String>,
    ) -> Result<Delivery, Error> {
        let request = ResendDeliveryRequest { webhook_id: webhook_id.into(), delivery_id: delivery_id.into() };
        Ok(call!(self, resend_delivery, request)?.delivery.unwrap_or_default())
    }
}
