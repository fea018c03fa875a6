//! Generates the messages and stubs of the contract into `OUT_DIR`.

use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Elsewhere than in the repository, CHITARRELLA_PROTO is the folder of the contract.
    let proto = PathBuf::from(std::env::var("CHITARRELLA_PROTO").unwrap_or_else(|_| "../../../proto".into()));
    println!("cargo:rerun-if-env-changed=CHITARRELLA_PROTO");
    println!("cargo:rerun-if-changed={}", proto.display());
    let files = ["catalogue", "matches", "rules"].map(|name| format!("chitarrella/v1/{name}.proto"));
    let contract = protox::compile(files, [&proto, &proto.join("third_party")])?;
    tonic_prost_build::configure().build_server(false).include_file("contract.rs").compile_fds(contract)?;
    Ok(())
}
