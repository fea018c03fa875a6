//! The runner of the Rust client: plays the scenarios and writes a report.

mod json;
mod partial;
mod platform;
mod positions;
mod steps;
mod ten_lines;

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::steps::{Environment, Runner};

type Outcome<T> = Result<T, Box<dyn Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let flags = arguments()?;
    let get = |name: &str| flags.get(name).cloned().ok_or(format!("--{name} is needed"));
    let environment = Environment {
        grpc: get("grpc")?,
        cut: get("cut")?,
        tls: get("tls")?,
        ca: fs::read(get("ca")?)?,
        platform: get("platform")?,
        api_key: get("api-key")?,
    };
    play_readme(&environment).await?;
    let mut results = serde_json::Map::new();
    for path in scenarios(Path::new(&get("scenarios")?))? {
        let scenario: Value = serde_json::from_str(&fs::read_to_string(path)?)?;
        let steps = scenario["steps"].as_array().ok_or("a scenario has steps")?;
        let name = scenario["name"].as_str().ok_or("a scenario has a name")?;
        results.insert(name.to_owned(), Runner::new(&environment)?.play_scenario(steps).await?);
    }
    let report = json!({"client": "rust", "results": results});
    fs::write(get("report")?, serde_json::to_string_pretty(&report)?)?;
    Ok(())
}

/// Runs the examples of the README, which are the code in ten_lines.rs and partial.rs.
async fn play_readme(environment: &Environment) -> Outcome<()> {
    for example in [include_str!("ten_lines.rs"), include_str!("partial.rs")] {
        if !include_str!("../../README.md").contains(&format!("```rust\n{example}```")) {
            return Err("an example in README.md is not the code in examples/runner".into());
        }
    }
    ten_lines::play_a_match(&environment.grpc).await?;
    Ok(partial::list_legal_moves(&environment.grpc).await?)
}

/// Reads `--name value` pairs.
fn arguments() -> Outcome<HashMap<String, String>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let pair = |pair: &[String]| match pair {
        [flag, value] if flag.starts_with("--") => Ok((flag[2..].to_owned(), value.clone())),
        other => Err(format!("invalid argument {other:?}").into()),
    };
    words.chunks(2).map(pair).collect()
}

/// Lists the scenarios in the order of their names.
fn scenarios(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|file| Ok(file?.path())).collect::<Outcome<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|kind| kind == "json"));
    paths.sort();
    Ok(paths)
}
