//! The steps of a scenario, carried out with the face of the client as a user would.

use std::collections::HashMap;
use std::io::Read;
use std::net::TcpStream;

use chitarrella_client::{Chitarrella, Connect, Error, Match, NewMatch, Packs, fairness, pictures};
use serde_json::{Value, json};

use crate::Outcome;
use crate::written::{
    agreement, event, explained, list, number, position, read_move, refusal, seen, tallies, text, waiting, words,
    written_move,
};

/// The addresses of the stage, and the certificate of the one with TLS.
pub struct Stage {
    pub grpc: String,
    pub cut: String,
    pub tls: String,
    pub ca: Vec<u8>,
}

/// Plays one scenario.
pub struct Runner<'a> {
    stage: &'a Stage,
    client: Chitarrella,
    matches: HashMap<String, Match>,
}

impl<'a> Runner<'a> {
    /// Plays on a stage, over a connection of its own.
    pub fn new(stage: &'a Stage) -> Outcome<Self> {
        Ok(Self { stage, client: Chitarrella::connect(&stage.grpc)?, matches: HashMap::new() })
    }

    /// Carries out the steps; what fails gives its code.
    pub async fn play_scenario(&mut self, steps: &[Value]) -> Outcome<Value> {
        let mut results = Vec::new();
        for step in steps {
            let result = match self.step(step).await {
                Ok(result) => result,
                Err(trouble) => match trouble.downcast::<Error>() {
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
                Ok(words(&step["cards"]).iter().map(|card| Value::from(pictures::picture(card, &pack))).collect())
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
                list(&rules.playable(agreed, words(&step["hand"]), words(&step["trick"]), &trump).await?, explained)
            }
            "trick" => {
                let found = rules.trick(agreed, words(&step["cards"]), &trump).await?;
                json!({"place": found.place, "card": found.card, "tallies": tallies(&found.tallies)})
            }
            _ => tallies(&rules.count(agreed, words(&step["cards"]), &trump).await?),
        })
    }

    async fn at_match(&self, op: &str, step: &Value) -> Outcome<Value> {
        let (opened, own) = (self.opened(step)?, self.own(step)?);
        Ok(match op {
            "look" => seen(&own.look().await?),
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
            _ => return Err(format!("what is {op}?").into()),
        })
    }

    fn opened(&self, step: &Value) -> Outcome<&Match> {
        Ok(self.matches.get(&text(&step["match"])).ok_or("no such match was opened")?)
    }

    /// Gives a match with the eyes of who asks.
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
        let mut wanted = NewMatch::of(agreement(&step["agreement"])).packs(packs).pack(words(&step["pack"]));
        for (seat, bot) in step["bots"].as_object().into_iter().flatten() {
            wanted = wanted.bot(seat.parse()?, text(bot));
        }
        wanted.private = step["private"] == true;
        let opened = self.client.create_match(wanted).await?;
        let table = opened.look().await?;
        let view = table.view.unwrap_or_default();
        let seats: Vec<_> = opened.keys().keys().copied().collect();
        self.matches.insert(text(&step["as"]), opened);
        Ok(json!({"seats": seats, "revision": table.revision, "waiting": waiting(&view), "turn": view.turn}))
    }

    async fn watch(&self, own: &Match, step: &Value) -> Outcome<Value> {
        let (messages, cut_after) = (number(&step["messages"]), number(&step["cut_after"]));
        let mut watch = own.watch();
        let mut told = Vec::new();
        while told.len() < messages.unwrap_or(0) as usize {
            let Some(one) = watch.next().await.transpose()? else { break };
            let kinds: Vec<_> = one.events.iter().map(|event| &event.kind).collect();
            told.push(json!({"revision": one.revision, "kinds": kinds}));
            if Some(told.len() as u32) == cut_after {
                TcpStream::connect(&self.stage.cut)?.read_to_end(&mut Vec::new())?;
            }
        }
        Ok(told.into())
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
        let client = Connect::to(&self.stage.tls).ca(self.stage.ca.as_slice()).open()?;
        Ok(client.games().await?.len().into())
    }
}

async fn play(own: &Match, step: &Value) -> Result<Value, Error> {
    let mut wanted = own.play(read_move(&step["move"])).request_id(text(&step["request_id"]));
    if let Some(revision) = number(&step["expected_revision"]) {
        wanted = wanted.expecting(revision);
    }
    let played = wanted.await?;
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
