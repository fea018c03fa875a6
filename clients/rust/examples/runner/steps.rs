//! Runs the steps of a scenario with the public interface of the client.

use std::collections::HashMap;
use std::io::Read;
use std::net::TcpStream;

use chitarrella_client::{Chitarrella, Connect, Error, Match, NewMatch, Packs, fairness, pictures};
use serde_json::{Value, json};

use crate::Outcome;
use crate::json::{
    agreement, event, explained, list, number, position, read_move, refusal, state, strings, tallies, text, waiting,
    written_move,
};

/// Addresses of a conformance run, and its CA certificate.
pub struct Environment {
    pub grpc: String,
    pub cut: String,
    pub tls: String,
    pub ca: Vec<u8>,
}

/// Plays one scenario.
pub struct Runner<'a> {
    environment: &'a Environment,
    client: Chitarrella,
    matches: HashMap<String, Match>,
}

impl<'a> Runner<'a> {
    /// Plays over a connection of its own.
    pub fn new(environment: &'a Environment) -> Outcome<Self> {
        Ok(Self { environment, client: Chitarrella::connect(&environment.grpc)?, matches: HashMap::new() })
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
        match step["op"].as_str().unwrap_or_default() {
            "games" => Ok(self.client.games().await?.into_iter().map(|game| Value::from(game.game)).collect()),
            "open" => self.open(step).await,
            "tls" => self.tls().await,
            "picture" => {
                let pack = text(&step["pack"]);
                Ok(strings(&step["cards"]).iter().map(|card| Value::from(pictures::picture(card, &pack))).collect())
            }
            op @ ("start" | "legal_moves" | "explain" | "judge" | "playable" | "trick" | "count") => {
                Ok(self.ask_rules(op, step).await?)
            }
            op => self.at_match(op, step).await,
        }
    }

    async fn ask_rules(&self, op: &str, step: &Value) -> Result<Value, Error> {
        let (rules, seat) = (self.client.rules(), number(&step["seat"]));
        let (agreed, trump) = (agreement(&step["agreement"]), text(&step["trump"]));
        Ok(match op {
            "start" => {
                let start = rules.start(agreed).await?;
                json!({"line": start.position.unwrap_or_default().line, "wanted": start.wanted.map(|one| one.verb)})
            }
            "legal_moves" => {
                let found = rules.legal_moves(position(step), seat).await?;
                json!({"seat": found.seat, "moves": list(&found.moves, written_move)})
            }
            "explain" => list(&rules.explain(position(step), seat).await?.moves, explained),
            "judge" => {
                let verdict = rules.judge(position(step), seat, read_move(&step["move"])).await?;
                json!({"accepted": verdict.accepted, "refusals": list(&verdict.refusals, refusal)})
            }
            "playable" => {
                list(&rules.playable(agreed, strings(&step["hand"]), strings(&step["trick"]), &trump).await?, explained)
            }
            "trick" => {
                let found = rules.trick(agreed, strings(&step["cards"]), &trump).await?;
                json!({"place": found.place, "card": found.card, "tallies": tallies(&found.tallies)})
            }
            _ => tallies(&rules.count(agreed, strings(&step["cards"]), &trump).await?),
        })
    }

    async fn at_match(&self, op: &str, step: &Value) -> Outcome<Value> {
        let (opened, own) = (self.opened(step)?, self.own(step)?);
        Ok(match op {
            "look" => state(&own.look().await?),
            "moves" => {
                let found = own.moves().await?;
                json!({"seat": found.seat, "moves": list(&found.moves, written_move), "revision": found.revision})
            }
            "play" => play(&own, step).await?,
            "play_out" => play_out(opened).await?,
            "watch" => self.watch(&own, step).await?,
            "verify" => self.verify(opened).await?,
            "record" => own.record().await?.into(),
            "take_back" => {
                let done = own.take_back().refuse(step["refuse"] == true).await?;
                json!({"revision": done.revision, "taken_back": done.taken_back, "awaited": done.awaited})
            }
            _ => return Err(format!("unknown operation {op}").into()),
        })
    }

    fn opened(&self, step: &Value) -> Outcome<&Match> {
        Ok(self.matches.get(&text(&step["match"])).ok_or("no such match was opened")?)
    }

    /// Returns the match with the key of the step's viewer.
    fn own(&self, step: &Value) -> Outcome<Match> {
        let opened = self.opened(step)?;
        if let Some(key) = step["key"].as_str() {
            return Ok(self.client.join_with(opened.id(), key));
        }
        match (&step["who"], number(&step["who"])) {
            (_, Some(seat)) => Ok(self.client.join_with(opened.id(), &opened.keys()[&seat])),
            (Value::String(who), _) if who == "public" => Ok(self.client.join(opened.id())),
            _ => Ok(opened.clone()),
        }
    }

    async fn open(&mut self, step: &Value) -> Outcome<Value> {
        let packs = match step["packs"].as_str() {
            Some("referee") => Packs::Referee,
            Some("shared") => Packs::Shared,
            _ => Packs::Service,
        };
        let mut settings = NewMatch::of(agreement(&step["agreement"])).packs(packs).pack(strings(&step["pack"]));
        for (seat, bot) in step["bots"].as_object().into_iter().flatten() {
            settings = settings.bot(seat.parse()?, text(bot));
        }
        settings.private = step["private"] == true;
        let opened = self.client.create_match(settings).await?;
        let table = opened.look().await?;
        let view = table.view.unwrap_or_default();
        let seats: Vec<_> = opened.keys().keys().copied().collect();
        self.matches.insert(text(&step["as"]), opened);
        Ok(json!({"seats": seats, "revision": table.revision, "waiting": waiting(&view), "turn": view.turn}))
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

    async fn verify(&self, opened: &Match) -> Result<Value, Error> {
        let game = opened.look().await?.agreement.unwrap_or_default().game;
        let pack = self.client.game(game).await?.pack;
        let draws = opened.draws().await?.draws;
        Ok(list(
            &draws,
            |draw| json!({"number": draw.number, "handed_in": draw.handed_in, "fair": fairness::is_fair(draw, &pack)}),
        ))
    }

    async fn tls(&self) -> Outcome<Value> {
        let client = Connect::to(&self.environment.tls).ca(self.environment.ca.as_slice()).open()?;
        Ok(client.games().await?.len().into())
    }
}

async fn play(own: &Match, step: &Value) -> Result<Value, Error> {
    let mut request = own.play(read_move(&step["move"])).request_id(text(&step["request_id"]));
    if let Some(revision) = number(&step["expected_revision"]) {
        request = request.expecting(revision);
    }
    let played = request.await?;
    Ok(json!({"accepted": played.accepted, "revision": played.revision, "repeated": played.repeated_request,
              "refusals": list(&played.refusals, refusal), "events": list(&played.events, event)}))
}

async fn play_out(opened: &Match) -> Result<Value, Error> {
    loop {
        let found = opened.moves().await?;
        let (Some(seat), Some(first)) = (found.seat, found.moves.first()) else { break };
        opened.as_seat(seat).play(first.clone()).await?;
    }
    Ok(json!({"over": opened.look().await?.is_over()}))
}
