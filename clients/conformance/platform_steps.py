"""The steps of a scenario that only a platform makes: with its API key, about its matches and its webhooks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any

from chitarrella_client import Chitarrella, Delivery, DeliveryState, Match, PlatformUpdate
from clients.conformance.scenario_json import Json, Step, delivery, labels_of, rule_set, waiting


class PlatformSteps:
    """What a platform does; an operation is the method of that name.

    Other matches and webhooks of the platform than those of the scenario are left out of every result, and what is left
    is sorted by their names: matches that were created within one second have no other order.
    """

    client: Chitarrella
    platform: Callable[[], Chitarrella]
    matches: dict[str, Match]
    webhooks: dict[str, str]
    run_step: Callable[[Step], Json]
    match_of: Callable[[Step], Match]

    def connect_platform(self, step: Step) -> Json:
        """Show the API key of a platform from here on."""
        self.client.close()
        self.client = self.platform()

    def create_match(self, step: Step) -> Json:
        """Create a match."""
        return self._created(
            step,
            self.client.create_match(rule_set(step["rule_set"]), pack=step.get("pack", ()), **_match_options(step)),
        )

    def import_match(self, step: Step) -> Json:
        """Create a match from the record of another."""
        record = self.matches[step["match"]].record()
        return self._created(step, self.client.import_match(record, step.get("move_count"), **_match_options(step)))

    def _created(self, step: Step, match: Match) -> Json:
        self.matches[step["as"]] = match
        state = match.get()
        return {
            "seats": sorted(match.keys), "revision": state.revision, **waiting(state.view.waiting, state.view.turn)
        }  # fmt: skip

    def describe_match(self, step: Step) -> Json:
        """Return what the platform has attached to a match."""
        return labels_of(self.match_of(step).get())

    def list_matches(self, step: Step) -> Json:
        """List the matches of the platform that fit all filters."""
        found = self.client.matches(
            external_id=step.get("external_id", ""),
            labels=step.get("labels", {}),
            player_name=step.get("player_name", ""),
        )
        return sorted(
            ({"match": name, **labels_of(one)} for one in found for name in self._names_of(one.match_id)),
            key=itemgetter("match"),
        )

    def get_matches(self, step: Step) -> Json:
        """Return the states of several matches."""
        ids = [self.matches[name].id if name in self.matches else name for name in step["matches"]]
        results: list[Json] = []
        for name, one in zip(step["matches"], self.client.get_matches(ids, self.match_of(step).key), strict=True):
            if one.match:
                results.append({"match": name, "revision": one.match.revision, "seat": one.match.seat})
            elif one.error:
                results.append({"match": name, "error": {"code": one.error.code, "field": one.error.field}})
        return results

    def watch_matches(self, step: Step) -> Json:
        """Run steps while all matches of the platform are watched, and return the updates."""
        watch = self.client.watch_matches()
        next(watch)  # what happens after the first heartbeat is received
        for one in step["steps"]:
            self.run_step(one)
        updates: list[Json] = []
        for update in watch:
            for name in self._names_of(update.match_id if update else ""):
                updates.append({"match": name, **_platform_update(update)})
            if len(updates) == step["messages"]:
                break
        return sorted(updates, key=itemgetter("match"))

    def _names_of(self, match_id: str) -> Iterator[str]:
        return (name for name, match in self.matches.items() if match.id == match_id)

    def abort_match(self, step: Step) -> Json:
        """Abort a match."""
        return {"revision": self.match_of(step).abort()}

    def rotate_key(self, step: Step) -> Json:
        """Replace a key, and keep the match with the new one under a name of its own."""
        old = self.match_of(step)
        new = old.rotate_key(step.get("seat"))
        self.matches[step["as"]] = new
        return {
            "own": new.key != old.key,
            "replaced": sorted(seat for seat, key in new.keys.items() if key != old.keys.get(seat)),
        }

    def advance_clock(self, step: Step) -> Json:
        """Move the clock of a test."""
        result = self.match_of(step).advance_clock(step["seconds"])
        return {"revision": result.revision, "timed_out": result.timed_out}

    def create_webhook(self, step: Step) -> Json:
        """Create a webhook."""
        created = self.client.webhooks.create(step["url"])
        self.webhooks[step["as"]] = created.webhook.webhook_id
        webhook = created.webhook
        return {
            "url": webhook.url, "disabled": webhook.disabled, "configured": webhook.configured,
            "has_secret": created.secret.startswith("whsec_"),
        }  # fmt: skip

    def list_webhooks(self, step: Step) -> Json:
        """List the webhooks."""
        names = {webhook_id: name for name, webhook_id in self.webhooks.items()}
        found = (
            {"webhook": names[one.webhook_id], "url": one.url, "disabled": one.disabled}
            for one in self.client.webhooks.all()
            if one.webhook_id in names
        )
        return sorted(found, key=itemgetter("webhook"))

    def update_webhook(self, step: Step) -> Json:
        """Change a webhook."""
        webhook = self.client.webhooks.update(self._webhook(step), url=step.get("url"), disabled=step.get("disabled"))
        return {"url": webhook.url, "disabled": webhook.disabled}

    def rotate_webhook_secret(self, step: Step) -> Json:
        """Replace the secret of a webhook."""
        return {"has_secret": self.client.webhooks.rotate_secret(self._webhook(step)).startswith("whsec_")}

    def test_webhook(self, step: Step) -> Json:
        """Send a test message."""
        return delivery(self.client.webhooks.test(self._webhook(step)))

    def list_deliveries(self, step: Step) -> Json:
        """List the deliveries to a webhook."""
        return list(map(delivery, self._deliveries(step)))

    def resend_delivery(self, step: Step) -> Json:
        """Send a delivery again: the latest one, or the one with an id."""
        delivery_id = step.get("delivery") or next(self._deliveries(step)).delivery_id
        return delivery(self.client.webhooks.resend(self._webhook(step), delivery_id))

    def delete_webhook(self, step: Step) -> Json:
        """Delete a webhook."""
        self.client.webhooks.delete(self._webhook(step))

    def _deliveries(self, step: Step) -> Iterator[Delivery]:
        state = DeliveryState[step["state"].upper()] if "state" in step else None
        return self.client.webhooks.deliveries(self._webhook(step), state)

    def _webhook(self, step: Step) -> str:
        return self.webhooks.get(str(step["webhook"]), str(step["webhook"]))


def _match_options(step: Step) -> dict[str, Any]:
    return {
        "pack_source": step.get("pack_source", "service"),
        "private": step.get("private", False),
        "bots": {int(seat): bot for seat, bot in step.get("bots", {}).items()},
        "clock": tuple(step.get("clock", (0, 0))),
        "external_id": step.get("external_id", ""),
        "labels": step.get("labels", {}),
        "player_names": {int(seat): name for seat, name in step.get("player_names", {}).items()},
        "sandbox": step.get("sandbox"),
    }


def _platform_update(value: PlatformUpdate | None) -> Step:
    if value is None:
        return {}
    kinds = [event.kind for event in value.update.events] if value.update else []
    revision = value.update.revision if value.update else None
    return {"revision": revision, "kinds": kinds, "finished": value.finished, "aborted": value.aborted}
