//! Runs the steps of a platform: about its matches and its webhooks. Those of other scenarios are left out of every result,
//! and what is left is sorted by name.

use std::collections::HashMap;
use std::time::Duration;

use chitarrella_client::{
    Chitarrella, Delivery, DeliveryState, ItemError, Match, MatchFilter, MatchState, PlatformUpdate, PlayerName,
    WebhookChanges,
};
use serde_json::{Value, json};

use crate::Outcome;
use crate::json::{list, number, strings, text};
use crate::steps::Runner;

impl Runner<'_> {
    /// Runs a step at the platform; `None` if it is not one of these.
    pub async fn at_platform(&mut self, op: &str, step: &Value) -> Outcome<Option<Value>> {
        Ok(Some(match op {
            "describe_match" => {
                let state = self.own(step)?.get().await?;
                attached(&state.external_id, &state.labels, &state.player_names, state.sandbox)
            }
            "list_matches" => self.list_matches(step).await?,
            "get_matches" => self.get_matches(step).await?,
            "watch_matches" => self.watch_matches(step).await?,
            "abort_match" => json!({"revision": self.own(step)?.abort().await?}),
            "rotate_key" => self.rotate_key(step).await?,
            "advance_clock" => {
                let by = Duration::from_secs(step["seconds"].as_u64().unwrap_or(0));
                let done = self.own(step)?.advance_clock(by).await?;
                json!({"revision": done.revision, "timed_out": done.timed_out})
            }
            op => return self.at_webhooks(op, step).await,
        }))
    }

    fn name_of(&self, match_id: &str) -> Option<&String> {
        self.matches.iter().find(|(_, known)| known.id() == match_id).map(|(name, _)| name)
    }

    async fn list_matches(&self, step: &Value) -> Outcome<Value> {
        let mut filter =
            MatchFilter::new().external_id(text(&step["external_id"])).player_name(text(&step["player_name"]));
        for (key, value) in step["labels"].as_object().into_iter().flatten() {
            filter = filter.label(key, &text(value));
        }
        let (mut results, mut token) = (Vec::new(), String::new());
        loop {
            let (matches, next) = self.client.matches(filter.clone(), token).await?;
            for one in matches {
                if let Some(name) = self.name_of(&one.match_id) {
                    let mut result = attached(&one.external_id, &one.labels, &one.player_names, one.sandbox);
                    result["match"] = json!(name);
                    results.push(result);
                }
            }
            if next.is_empty() {
                return Ok(by_name(results, "match"));
            }
            token = next;
        }
    }

    async fn get_matches(&self, step: &Value) -> Outcome<Value> {
        let names = strings(&step["matches"]);
        let ids = names.iter().map(|name| self.matches.get(name).map_or(name.as_str(), Match::id));
        let found = self.client.get_matches_with_key(ids, self.own(step)?.key()).await?;
        let write = |(name, one): (&String, Result<MatchState, ItemError>)| match one {
            Ok(state) => json!({"match": name, "revision": state.revision, "seat": state.seat}),
            Err(error) => json!({"match": name, "error": {"code": error.code, "field": error.field}}),
        };
        Ok(names.iter().zip(found).map(write).collect())
    }

    async fn watch_matches(&mut self, step: &Value) -> Outcome<Value> {
        let messages = step["messages"].as_u64().unwrap_or(0);
        let mut watch = self.client.watch_matches();
        watch.next().await.transpose()?; // the first heartbeat: what happens after it is received
        Box::pin(self.play_scenario(step["steps"].as_array().map_or(&[], Vec::as_slice))).await?;
        let mut updates = Vec::new();
        while (updates.len() as u64) < messages {
            let Some(update) = watch.next().await.transpose()? else { break };
            if let Some(name) = self.name_of(&update.match_id) {
                updates.push(platform_update(name, &update));
            }
        }
        Ok(by_name(updates, "match"))
    }

    async fn rotate_key(&mut self, step: &Value) -> Outcome<Value> {
        let old = self.own(step)?;
        let request = old.rotate_key();
        let new = match number(&step["seat"]) {
            Some(seat) => request.of_seat(seat).await?,
            None => request.await?,
        };
        let replaced: Vec<_> = new.keys().iter().filter(|(seat, key)| old.keys().get(seat) != Some(key)).collect();
        let replaced: Vec<_> = replaced.into_iter().map(|(seat, _)| *seat).collect();
        let result = json!({"own": new.key() != old.key(), "replaced": replaced});
        self.matches.insert(text(&step["as"]), new);
        Ok(result)
    }

    async fn at_webhooks(&mut self, op: &str, step: &Value) -> Outcome<Option<Value>> {
        let name = text(&step["webhook"]);
        let id = self.webhooks.get(&name).cloned().unwrap_or(name);
        let webhooks = self.client.webhooks();
        Ok(Some(match op {
            "create_webhook" => {
                let created = webhooks.create(text(&step["url"])).await?;
                let webhook = created.webhook.unwrap_or_default();
                self.webhooks.insert(text(&step["as"]), webhook.webhook_id);
                json!({"url": webhook.url, "disabled": webhook.disabled, "configured": webhook.configured,
                       "has_secret": created.secret.starts_with("whsec_")})
            }
            "list_webhooks" => {
                let found = webhooks.list().await?;
                let named = self.webhooks.iter().filter_map(|(name, id)| {
                    let one = found.iter().find(|one| one.webhook_id == *id)?;
                    Some(json!({"webhook": name, "url": one.url, "disabled": one.disabled}))
                });
                by_name(named.collect(), "webhook")
            }
            "update_webhook" => {
                let url = step["url"].as_str().map(ToOwned::to_owned);
                let webhook = webhooks.update(id, WebhookChanges { url, disabled: step["disabled"].as_bool() }).await?;
                json!({"url": webhook.url, "disabled": webhook.disabled})
            }
            "rotate_webhook_secret" => {
                json!({"has_secret": webhooks.rotate_secret(id).await?.starts_with("whsec_")})
            }
            "test_webhook" => delivery(&webhooks.test(id).await?),
            "list_deliveries" => list(&deliveries(&self.client, &id, step).await?, delivery),
            "resend_delivery" => {
                let delivery_id = match step["delivery"].as_str() {
                    Some(delivery_id) => delivery_id.to_owned(),
                    None => deliveries(&self.client, &id, step).await?[0].delivery_id.clone(),
                };
                delivery(&webhooks.resend(id, delivery_id).await?)
            }
            "delete_webhook" => {
                webhooks.delete(id).await?;
                Value::Null
            }
            _ => return Ok(None),
        }))
    }
}

async fn deliveries(client: &Chitarrella, webhook_id: &str, step: &Value) -> Outcome<Vec<Delivery>> {
    let state = match step["state"].as_str() {
        Some("pending") => Some(DeliveryState::Pending),
        Some("sent") => Some(DeliveryState::Sent),
        Some("failed") => Some(DeliveryState::Failed),
        _ => None,
    };
    Ok(client.webhooks().deliveries(webhook_id, state).await?)
}

/// Writes what a platform has attached to a match.
fn attached(external_id: &str, labels: &HashMap<String, String>, players: &[PlayerName], sandbox: bool) -> Value {
    let names: serde_json::Map<_, _> = players.iter().map(|one| (one.seat.to_string(), json!(one.name))).collect();
    json!({"external_id": external_id, "labels": labels, "player_names": names, "sandbox": sandbox})
}

fn platform_update(name: &str, value: &PlatformUpdate) -> Value {
    let update = value.update.as_ref();
    let kinds: Vec<_> = update.into_iter().flat_map(|one| &one.events).map(|event| &event.kind).collect();
    json!({"match": name, "revision": update.map(|one| one.revision), "kinds": kinds, "finished": value.finished,
           "aborted": value.aborted})
}

fn delivery(value: &Delivery) -> Value {
    let state = match value.state() {
        DeliveryState::Pending => "pending",
        DeliveryState::Sent => "sent",
        DeliveryState::Failed => "failed",
        DeliveryState::Unspecified => "unknown",
    };
    json!({"type": value.r#type, "state": state, "attempts": value.attempts, "has_error": !value.error.is_empty()})
}

/// Sorts results stably by the name of their match or webhook.
fn by_name(mut results: Vec<Value>, key: &str) -> Value {
    results.sort_by_key(|one| text(&one[key]));
    results.into()
}
