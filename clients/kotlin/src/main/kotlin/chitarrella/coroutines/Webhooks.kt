// The webhooks of a platform, and what was delivered to them.
package chitarrella.coroutines

import chitarrella.client.WebhookChanges
import chitarrella.client.answers.CreatedWebhook
import chitarrella.client.answers.Delivery
import chitarrella.client.answers.DeliveryState
import chitarrella.client.answers.Webhook
import chitarrella.client.internal.PlatformMapper
import chitarrella.client.internal.PlatformRequests
import chitarrella.v1.DeleteWebhookRequest
import chitarrella.v1.ListWebhooksRequest
import chitarrella.v1.ResendDeliveryRequest
import chitarrella.v1.RotateWebhookSecretRequest
import chitarrella.v1.TestWebhookRequest
import chitarrella.v1.WebhookServiceGrpcKt.WebhookServiceCoroutineStub
import io.grpc.Metadata
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow

/** The webhooks of the platform of the API key. */
public class Webhooks internal constructor(private val transport: Transport) {
    /**
     * Creates a webhook; the result has its secret, which no other call returns. A [requestId], to repeat the call later,
     * has 16 to 64 unguessable characters; a random one if empty.
     */
    public suspend fun create(url: String, requestId: String = ""): CreatedWebhook {
        val request = PlatformRequests.createWebhook(url, requestId)
        return PlatformMapper.createdWebhook(call(request.requestId) { createWebhook(request, it) })
    }

    /** The webhooks of the platform, the one in the settings of the service first. */
    public suspend fun list(): List<Webhook> =
        PlatformMapper.webhooks(call { listWebhooks(ListWebhooksRequest.getDefaultInstance(), it) })

    /** Changes the URL of a webhook, disables or enables it; what is null stays as it is. */
    public suspend fun update(webhookId: String, url: String? = null, disabled: Boolean? = null): Webhook {
        val request = PlatformRequests.updateWebhook(webhookId, WebhookChanges(url, disabled))
        return PlatformMapper.webhook(call { updateWebhook(request, it) }.webhook)
    }

    /** Replaces the secret of a webhook; the old one signs beside the new one for 24 hours. */
    public suspend fun rotateSecret(webhookId: String): String {
        val request = RotateWebhookSecretRequest.newBuilder().setWebhookId(webhookId).build()
        return call { rotateWebhookSecret(request, it) }.secret
    }

    /** Deletes a webhook with its deliveries. */
    public suspend fun delete(webhookId: String) {
        val request = DeleteWebhookRequest.newBuilder().setWebhookId(webhookId).build()
        call { deleteWebhook(request, it) }
    }

    /** Sends a test message now; returns its delivery, sent or failed. */
    public suspend fun test(webhookId: String): Delivery {
        val request = TestWebhookRequest.newBuilder().setWebhookId(webhookId).build()
        return PlatformMapper.delivery(call { testWebhook(request, it) }.delivery)
    }

    /** The deliveries to a webhook, the latest first; with a state, those in it. */
    public fun deliveries(webhookId: String, state: DeliveryState? = null): Flow<Delivery> =
        flow {
            var token = ""
            do {
                val page = call { listDeliveries(PlatformRequests.deliveries(webhookId, state, token), it) }
                page.deliveriesList.forEach { emit(PlatformMapper.delivery(it)) }
                token = page.nextPageToken
            } while (token.isNotEmpty())
        }

    /** Sends the message of a delivery again; returns the delivery, which is pending then. */
    public suspend fun resend(webhookId: String, deliveryId: String): Delivery {
        val request = ResendDeliveryRequest.newBuilder().setWebhookId(webhookId).setDeliveryId(deliveryId).build()
        return PlatformMapper.delivery(call { resendDelivery(request, it) }.delivery)
    }

    private suspend fun <A> call(
        requestId: String = "",
        method: suspend WebhookServiceCoroutineStub.(Metadata) -> A,
    ): A = transport.call(requestId) { transport.webhooks().method(transport.headers()) }
}
