//! Runs the steps of a scenario with the public interface of the client.

use std::collections::HashMap;
use std::io::Read;
use std::net::TcpStream;
use std::time::Duration;

use chitarrella_client::{
    Chitarrella, Connect, Error, ImportedMatch, Match, NewMatch, PackSource, card_images, fairness,
};
use serde_json::{Value, json};

use crate::Outcome;
use crate::json::{
    event, explained, list, number, position, read_move, refusal, rule_set, scores, state, strings, text, waiting,
    written_move,
};
use crate::positions;

/// Sets what created and imported matches have in common.
macro_rules! set_match {
    ($settings:ident, $step:ident) => {
        $settings = $settings.with_pack_source(pack_source($step)).external_id(text(&$step["external_id"]));
        for (seat, bot) in $step["bots"].as_object().into_iter().flatten() {
            $settings = $settings.bot(seat.parse()?, text(bot));
        }
        for (key, value) in $step["labels"].as_object().into_iter().flatten() {
            $settings = $settings.label(key, text(value));
        }
        for (seat, name) in $step["player_names"].as_object().into_iter().flatten() {
            $settings = $settings.player(seat.parse()?, text(name));
        }
        if let Some(seed) = $step["sandbox"].as_str() {
            $settings = $settings.sandbox(seed);
        }
        if let (Some(decision), Some(bank)) = ($step["clock"][0].as_u64(), $step["clock"][1].as_u64()) {
            $settings = $settings.clock(Duration::from_secs(decision), Duration::from_secs(bank));
        }
        $settings.private = $step["private"] == true;
    };
}

/// Addresses of a conformance run, and its CA certificate and API key.
pub struct Environment {
    pub grpc: String,
    pub cut: String,
    pub tls: String,
    pub ca: Vec<u8>,
    pub platform: String,
    pub api_key: String,
}

/// Plays one scenario.
pub struct Runner<'a> {
    environment: &'a Environment,
    pub client: Chitarrella,
    pub matches: HashMap<String, Match>,
    /// The ids of webhooks.
    pub webhooks: HashMap<String, String>,
}

impl<'a> Runner<'a> {
    /// Plays over a connection of its own.
    pub fn new(environment: &'a Environment) -> Outcome<Self> {
        let client = Chitarrella::connect(&environment.grpc)?;
        Ok(Self { environment, client, matches: HashMap::new(), webhooks: HashMap::new() })
    }

    /// Runs the steps; a call that fails gives its code as the result.
    pub async fn play_scenario(&mut self, steps: &[Value]) -> Outcome<Value> {
        let mut results = Vec::new();
        for step in steps {
            let result = match self.step(step).await {
                Ok(result) => result,
                Err(failure) => match failure.downcast::<Error>() {
                    Ok(error) => json!({"error": {"code": error.code.as_str(), "field": error.field}}),
                    Err(other) => return Err(other),
                },
            };
            results.push(result);
        }
        Ok(results.into())
    }

    async fn step(&mut self, step: &Value) -> Outcome<Value> {
        let op = step["op"].as_str().unwrap_or_default();
        if let Some(result) = positions::run(&self.client, op, step).await? {
            return Ok(result);
        }
        if let Some(result) = self.at_platform(op, step).await? {
            return Ok(result);
        }
        match op {
            "list_games" => Ok(self.client.games().await?.into_iter().map(|game| Value::from(game.game_id)).collect()),
            "connect_platform" => {
                self.client = Connect::to(&self.environment.platform).api_key(&self.environment.api_key).open()?;
                Ok(Value::Null)
            }
            "create_match" => self.create_match(step).await,
            "import_match" => self.import_match(step).await,
            "tls" => self.tls().await,
            "card_images" => {
                let pack = text(&step["pack"]);
                let image = |card: &String| Value::from(card_images::card_image(card, &pack));
                Ok(strings(&step["cards"]).iter().map(image).collect())
            }
            op if step.get("match").is_some() => self.at_match(op, step).await,
            op => self.ask_rules(op, step).await,
        }
    }

    async fn ask_rules(&self, op: &str, step: &Value) -> Outcome<Value> {
        let (rules, seat) = (self.client.rules(), number(&step["seat"]));
        let (rule_set, trump) = (rule_set(&step["rule_set"]), text(&step["trump"]));
        Ok(match op {
            "start_game" => {
                let start = rules.start_game(rule_set).await?;
                let text = start.position.unwrap_or_default().text;
                json!({"text": text, "chance_request": start.chance_request.map(|one| one.verb)})
            }
            "list_legal_moves" => {
                let found = rules.legal_moves(position(step), seat).await?;
                json!({"seat": found.seat, "moves": list(&found.moves, written_move)})
            }
            "explain_hand" => list(&rules.explain_hand(position(step), seat).await?.moves, explained),
            "validate_move" => {
                let found = rules.validate_move(position(step), seat, read_move(&step["move"])).await?;
                json!({"accepted": found.accepted, "refusals": list(&found.refusals, refusal)})
            }
            "list_playable_cards" => {
                let (hand, trick) = (strings(&step["hand"]), strings(&step["trick"]));
                list(&rules.playable_cards(rule_set, hand, trick).trump(trump).await?, explained)
            }
            "resolve_trick" => {
                let found = rules.resolve_trick(rule_set, strings(&step["cards"])).trump(trump).await?;
                json!({"winning_index": found.winning_index, "winning_card": found.winning_card,
                       "scores": scores(&found.scores)})
            }
            "score_cards" => scores(&rules.score_cards(rule_set, strings(&step["cards"]), &trump).await?),
            _ => return Err(format!("unknown operation {op}").into()),
        })
    }

    async fn at_match(&self, op: &str, step: &Value) -> Outcome<Value> {
        let (created, own) = (self.created(step)?, self.own(step)?);
        Ok(match op {
            "get_match" => state(&own.get().await?),
            "list_match_moves" => {
                let found = own.legal_moves().await?;
                json!({"seat": found.seat, "moves": list(&found.moves, written_move), "revision": found.revision})
            }
            "play_move" => play(&own, step).await?,
            "play_out" => play_out(created).await?,
            "watch_match" => self.watch(&own, step).await?,
            "verify_shuffles" => self.verify_shuffles(created).await?,
            "get_record" => own.record().await?.into(),
            "take_back" => {
                let done = own.take_back().decline(step["decline"] == true).await?;
                json!({"revision": done.revision, "taken_back": done.taken_back,
                       "awaiting_answers_from": done.awaiting_answers_from})
            }
            _ => return Err(format!("unknown operation {op}").into()),
        })
    }

    fn created(&self, step: &Value) -> Outcome<&Match> {
        Ok(self.matches.get(&text(&step["match"])).ok_or("no such match was created")?)
    }

    /// Returns the match with the key of the step's viewer.
    pub fn own(&self, step: &Value) -> Outcome<Match> {
        let created = self.created(step)?;
        if let Some(key) = step["key"].as_str() {
            return Ok(self.client.match_with_key(created.id(), key));
        }
        match (&step["who"], number(&step["who"])) {
            (_, Some(seat)) => Ok(self.client.match_with_key(created.id(), &created.keys()[&seat])),
            (Value::String(who), _) if who == "public" => Ok(self.client.match_(created.id())),
            _ => Ok(created.clone()),
        }
    }

    async fn create_match(&mut self, step: &Value) -> Outcome<Value> {
        let mut settings = NewMatch::of(rule_set(&step["rule_set"])).pack(strings(&step["pack"]));
        set_match!(settings, step);
        let created = self.client.create_match(settings).await?;
        self.keep(step, created).await
    }

    async fn import_match(&mut self, step: &Value) -> Outcome<Value> {
        let mut settings = ImportedMatch::of(self.created(step)?.record().await?);
        settings.move_count = number(&step["move_count"]);
        set_match!(settings, step);
        let created = self.client.import_match(settings).await?;
        self.keep(step, created).await
    }

    /// Keeps a new match under its name in the scenario.
    async fn keep(&mut self, step: &Value, created: Match) -> Outcome<Value> {
        let state = created.get().await?;
        let view = state.view.unwrap_or_default();
        let seats: Vec<_> = created.keys().keys().copied().collect();
        self.matches.insert(text(&step["as"]), created);
        Ok(json!({"seats": seats, "revision": state.revision, "waiting": waiting(&view), "turn": view.turn}))
    }

    async fn watch(&self, own: &Match, step: &Value) -> Outcome<Value> {
        let (messages, cut_after) = (number(&step["messages"]), number(&step["cut_after"]));
        let mut watch = own.watch();
        let mut updates = Vec::new();
        while updates.len() < messages.unwrap_or(0) as usize {
            let Some(one) = watch.next().await.transpose()? else { break };
            let kinds: Vec<_> = one.events.iter().map(|event| &event.kind).collect();
            updates.push(json!({"revision": one.revision, "kinds": kinds}));
            if Some(updates.len() as u32) == cut_after {
                TcpStream::connect(&self.environment.cut)?.read_to_end(&mut Vec::new())?;
            }
        }
        Ok(updates.into())
    }

    async fn verify_shuffles(&self, created: &Match) -> Outcome<Value> {
        let rule_set = created.get().await?.rule_set.unwrap_or_default();
        let pack = self.client.game(rule_set.game_id).await?.pack;
        Ok(list(
            &created.shuffles().await?.shuffles,
            |one| json!({"number": one.number, "supplied": one.supplied, "fair": fairness::is_fair(one, &pack)}),
        ))
    }

    async fn tls(&self) -> Outcome<Value> {
        let client = Connect::to(&self.environment.tls).ca(self.environment.ca.as_slice()).open()?;
        Ok(client.games().await?.len().into())
    }
}

fn pack_source(step: &Value) -> PackSource {
    match step["pack_source"].as_str() {
        Some("referee") => PackSource::Referee,
        Some("shared") => PackSource::Shared,
        _ => PackSource::Service,
    }
}

async fn play(own: &Match, step: &Value) -> Result<Value, Error> {
    let mut request = own.play(read_move(&step["move"])).request_id(text(&step["request_id"]));
    if let Some(revision) = number(&step["expected_revision"]) {
        request = request.expecting(revision);
    }
    let played = request.await?;
    Ok(json!({"accepted": played.accepted, "revision": played.revision, "repeated_request": played.repeated_request,
              "refusals": list(&played.refusals, refusal), "events": list(&played.events, event)}))
}

async fn play_out(created: &Match) -> Result<Value, Error> {
    loop {
        let found = created.legal_moves().await?;
        let (Some(seat), Some(first)) = (found.seat, found.moves.first()) else { break };
        created.as_seat(seat).play(first.clone()).await?;
    }
    Ok(json!({"finished": created.get().await?.is_over()}))
}
